#include "mesh_instances.h"

#include "base/memory.h"

#include <stddef.h>

static const char vertex[] =
    "layout(location = 0) in vec3 corner;\n"
    "layout(location = 1) in vec3 upright;\n"
    "layout(location = 2) in vec3 position;\n"
    "layout(location = 3) in vec4 rotation;\n"
    "layout(location = 4) in vec3 size;\n"
    "layout(location = 5) in vec4 colour;\n"
    "layout(location = 6) in float body;\n"
    "uniform bool sheared;\n"
    "flat out vec3 paint;\n"
    "flat out float owner;\n"
    "out vec3 place, outward;\n"
    "vec3 turned(vec3 v) { return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v); }\n"
    "void main() {\n"
    "    vec3 local = corner * size;\n"
    "    if (sheared) local = vec3(corner.x * size.x + corner.z * size.y, corner.y * size.z, 0.0);\n"
    "    place = position + turned(local);\n"
    "    outward = turned(sheared ? vec3(0, 0, 1) : upright / size);\n"
    "    paint = colour.rgb;\n"
    "    owner = body;\n"
    "    gl_Position = projection * view * vec4(place, 1.0);\n"
    "}\n";

/* Sheets show both sides, and cut bodies their inside. */
static const char fragment[] =
    "flat in vec3 paint;\n"
    "flat in float owner;\n"
    "in vec3 place, outward;\n"
    "uniform bool flagged;\n"
    "uniform usamplerBuffer flags;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    if (flagged && texelFetch(flags, gl_PrimitiveID).r != 0u) discard;\n"
    "    if (dot(clip.xyz, place) + clip.w < 0.0) discard;\n"
    "    vec3 direction = normalize(place - eye.xyz), normal = normalize(outward);\n"
    "    if (dot(normal, direction) > 0.0) normal = -normal;\n"
    "    result = body_light(paint, normal, direction, 0.10, owner);\n"
    "}\n";

scree_result mesh_instances_make(mesh_instances *self) {
    *self = (mesh_instances){0};
    TRY(gl_program_make("of meshes", vertex, fragment, &self->program));
    self->sheared = glGetUniformLocation(self->program, "sheared");
    self->flagged = glGetUniformLocation(self->program, "flagged");
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->instances);
    glGenBuffers(1, &self->flags);
    glGenTextures(1, &self->flag_texture);
    return SCREE_OK;
}

static void surface_drop(mesh_surface *self) {
    glDeleteBuffers(1, &self->buffer);
    scree_geometry_release(self->geometry);
    *self = (mesh_surface){0};
}

void mesh_instances_release(mesh_instances *self) {
    for (int k = 0; k < SURFACE_KINDS; k++) surface_drop(&self->kinds[k]);
    for (int i = 0; i < self->count; i++) surface_drop(&self->geometries[i]);
    memory_release(self->geometries);
    glDeleteBuffers(1, &self->instances);
    glDeleteBuffers(1, &self->flags);
    glDeleteTextures(1, &self->flag_texture);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->program);
    *self = (mesh_instances){0};
}

void mesh_instances_sweep(mesh_instances *self) {
    int kept = 0;
    for (int i = 0; i < self->count; i++) {
        mesh_surface *one = &self->geometries[i];
        if (!one->used) surface_drop(one);
        one->used = false;
        if (one->buffer) self->geometries[kept++] = *one;
    }
    self->count = kept;
}

static scree_result upload(mesh_surface *self, const mesh_batch *batch) {
    __attribute__((cleanup(surface_release))) surface made = {0};
    TRY(batch->shape.geometry ? surface_of_geometry(batch->shape, &made)
                              : surface_of_kind(batch->kind, &made));
    glGenBuffers(1, &self->buffer);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)made.count * sizeof *made.corners), made.corners,
                 GL_STATIC_DRAW);
    self->corners = made.count;
    self->geometry = batch->shape.geometry;
    scree_geometry_retain(self->geometry);
    return SCREE_OK;
}

/* Sets `out` to the surface of a batch, which exists from its first use on. */
static scree_result find(mesh_instances *self, const mesh_batch *batch, mesh_surface **out) {
    if (!batch->shape.geometry) {
        mesh_surface *kind = &self->kinds[batch->kind];
        if (!kind->buffer) TRY(upload(kind, batch));
        *out = kind;
        return SCREE_OK;
    }
    int i = 0;
    while (i < self->count && self->geometries[i].geometry != batch->shape.geometry) i++;
    if (i == self->count) {
        TRY(MEMORY_RESERVE(self->geometries, self->capacity, self->count + 1, NULL));
        self->geometries[i] = (mesh_surface){0};
        TRY(upload(&self->geometries[i], batch));
        self->count++;
    }
    *out = &self->geometries[i];
    return SCREE_OK;
}

static void point(GLuint place, int size, GLenum type, size_t stride, size_t offset, GLuint divisor) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, (const void *)offset);
    glVertexAttribDivisor(place, divisor);
}

static void point_at(const mesh_instances *self, const mesh_surface *shown) {
    const size_t corner = sizeof(surface_corner), instance = sizeof(mesh_instance);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, shown->buffer);
    point(0, 3, GL_FLOAT, corner, offsetof(surface_corner, position), 0);
    point(1, 3, GL_FLOAT, corner, offsetof(surface_corner, normal), 0);
    glBindBuffer(GL_ARRAY_BUFFER, self->instances);
    point(2, 3, GL_FLOAT, instance, offsetof(mesh_instance, position), 1);
    point(3, 4, GL_FLOAT, instance, offsetof(mesh_instance, rotation), 1);
    point(4, 3, GL_FLOAT, instance, offsetof(mesh_instance, size), 1);
    point(5, 4, GL_UNSIGNED_BYTE, instance, offsetof(mesh_instance, colour), 1);
    point(6, 1, GL_FLOAT, instance, offsetof(mesh_instance, body), 1);
}

static void set_flags(const mesh_instances *self, const mesh_batch *batch, int triangles) {
    glUniform1i(self->flagged, batch->hidden != NULL);
    if (!batch->hidden) return;
    glBindBuffer(GL_TEXTURE_BUFFER, self->flags);
    glBufferData(GL_TEXTURE_BUFFER, triangles, batch->hidden, GL_STREAM_DRAW);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_BUFFER, self->flag_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R8UI, self->flags);
}

scree_result mesh_instances_draw(mesh_instances *self, const mesh_batch *batch) {
    mesh_surface *shown;
    if (!batch->count) return SCREE_OK;
    TRY(find(self, batch, &shown));
    shown->used = true;
    glUseProgram(self->program);
    glBindBuffer(GL_ARRAY_BUFFER, self->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)batch->count * sizeof *batch->instances),
                 batch->instances, GL_STREAM_DRAW);
    point_at(self, shown);
    glUniform1i(self->sheared, !batch->shape.geometry && batch->kind == SURFACE_TRIANGLE);
    set_flags(self, batch, shown->corners / 3);
    glDrawArraysInstanced(GL_TRIANGLES, 0, shown->corners, batch->count);
    return SCREE_OK;
}
