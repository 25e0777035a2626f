#include "rods.h"

#include <stddef.h>

static const char vertex[] =
    "layout(location = 0) in vec3 from;\n"
    "layout(location = 1) in vec3 to;\n"
    "layout(location = 2) in float radius;\n"
    "layout(location = 3) in vec4 colour;\n"
    "flat out vec3 paint;\n"
    "flat out vec3 sideways;\n"
    "flat out vec3 front;\n"
    "out vec3 place;\n"
    "out float across;\n"
    "void main() {\n"
    "    vec3 end = (gl_VertexID & 2) == 0 ? from : to, along = normalize(to - from);\n"
    "    vec3 side = cross(along, 0.5 * (from + to) - eye.xyz);\n"
    "    float size = length(side);\n"
    "    sideways = size > 0.0 ? side / size : vec3(0, 0, 1);\n"
    "    front = cross(along, sideways);\n"
    "    across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;\n"
    "    place = end + across * radius * sideways;\n"
    "    paint = colour.rgb;\n"
    "    gl_Position = projection * view * vec4(place, 1.0);\n"
    "}\n";

static const char fragment[] =
    "flat in vec3 paint;\n"
    "flat in vec3 sideways;\n"
    "flat in vec3 front;\n"
    "in vec3 place;\n"
    "in float across;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    if (dot(clip.xyz, place) + clip.w < 0.0) discard;\n"
    "    vec3 direction = normalize(place - eye.xyz);\n"
    "    vec3 normal = across * sideways + sqrt(max(1.0 - across * across, 0.0)) * front;\n"
    "    if (dot(normal, direction) > 0.0) normal = -normal;\n"
    "    result = body_light(paint, normal, direction, 0.10, 0.0);\n"
    "}\n";

static void add_attribute(GLuint place, int size, GLenum type, size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, type, type == GL_UNSIGNED_BYTE, sizeof(rod_instance),
                          (const void *)offset);
    glVertexAttribDivisor(place, 1);
}

scree_result rods_make(rods *self) {
    *self = (rods){0};
    TRY(gl_program_make("of rods", vertex, fragment, &self->program));
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    add_attribute(0, 3, GL_FLOAT, offsetof(rod_instance, from));
    add_attribute(1, 3, GL_FLOAT, offsetof(rod_instance, to));
    add_attribute(2, 1, GL_FLOAT, offsetof(rod_instance, radius));
    add_attribute(3, 4, GL_UNSIGNED_BYTE, offsetof(rod_instance, colour));
    return SCREE_OK;
}

void rods_release(rods *self) {
    glDeleteBuffers(1, &self->buffer);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->program);
    *self = (rods){0};
}

void rods_set(rods *self, const rod_instance *instances, int count) {
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *instances), instances, GL_STREAM_DRAW);
    self->count = count;
}

void rods_draw(const rods *self) {
    if (!self->count) return;
    glUseProgram(self->program);
    glBindVertexArray(self->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, self->count);
}
