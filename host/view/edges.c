#include "edges.h"

#include "base/memory.h"
#include "rotation.h"

enum { ENDS = 24 }; /* of the twelve edges of a box */

/* Edges are drawn four pixels nearer to the eye, so that no face in whose plane they lie hides them: half a
 * pixel to the side, the depth of a face that slants by an angle a differs by half a pixel times tan a. */
static const char vertex[] =
    "layout(location = 0) in vec3 place;\n"
    "void main() { gl_Position = projection * view * vec4(mix(place, eye.xyz, 4.0 * ground.z), 1.0); }\n";
static const char fragment[] = "out vec4 result;\n"
                               "void main() { result = vec4(0.10, 0.11, 0.13, 0.5); }\n";

scree_result edges_make(edges *self) {
    *self = (edges){0};
    TRY(gl_program_make("of edges", vertex, fragment, &self->program));
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    gl_attribute(0, 3, GL_FLOAT, sizeof(vec3s), 0, 0);
    return SCREE_OK;
}

void edges_release(edges *self) {
    glDeleteBuffers(1, &self->buffer);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->program);
    *self = (edges){0};
}

static vec3s corner_of(const outline_part *box, int k) {
    const vec3s corner = vec3_of(k & 1 ? box->half.x : -box->half.x, k & 2 ? box->half.y : -box->half.y,
                                 k & 4 ? box->half.z : -box->half.z);
    return glms_vec3_add(box->position, rotate(box->rotation, corner));
}

/* Two corners whose numbers differ in one bit have an edge. */
static void put_edges(const outline_part *box, vec3s out[ENDS]) {
    for (int bit = 1; bit < 8; bit *= 2)
        for (int k = 0; k < 8; k++)
            if (!(k & bit)) {
                *out++ = corner_of(box, k);
                *out++ = corner_of(box, k | bit);
            }
}

scree_result edges_draw(const edges *self, const outline_part *boxes, int count) {
    if (!count) return SCREE_OK;
    SCOPED vec3s *ends = memory_allocate((size_t)count, ENDS * sizeof *ends);
    if (!ends) return fail(SCREE_ERROR_MEMORY, "out of memory for the edges of %d boxes", count);
    for (int i = 0; i < count; i++) put_edges(&boxes[i], ends + ENDS * i);
    glUseProgram(self->program);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * ENDS * sizeof *ends), ends, GL_STREAM_DRAW);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_LINES, 0, ENDS * count);
    glDisable(GL_BLEND);
    return SCREE_OK;
}
