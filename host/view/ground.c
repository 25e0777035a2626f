#include "ground.h"

#include "rotation.h"

/* A square across the whole picture behind everything else. */
static const char sky_vertex[] =
    "out vec3 towards;\n"
    "void main() {\n"
    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
    "    vec3 ray = vec3(corner.x / projection[0][0], corner.y / projection[1][1], -1.0);\n"
    "    towards = transpose(mat3(view)) * ray;\n"
    "    gl_Position = vec4(corner, 1.0, 1.0);\n"
    "}\n";
static const char sky_fragment[] = "in vec3 towards;\n"
                                   "out vec4 result;\n"
                                   "void main() { result = displayed(background(normalize(towards))); }\n";

/* Each pixel's ray meets the plane, so that a plane without an end needs no triangles that are cut. */
static const char plane_fragment[] =
    "in vec3 towards;\n"
    "uniform vec3 position, across, along;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    vec3 direction = normalize(towards), normal = cross(across, along);\n"
    "    float slant = -dot(direction, normal);\n"
    "    float way = dot(eye.xyz - position, normal) / slant;\n"
    "    if (slant <= 1e-6 || way <= 0.0) discard;\n"
    "    vec3 point = eye.xyz + way * direction;\n"
    "    if (dot(clip.xyz, point) + clip.w < 0.0) discard;\n"
    "    vec3 from = point - position;\n"
    "    vec2 flat_place = vec2(dot(from, across), dot(from, along)) / ground.x;\n"
    "    float footprint = way * ground.z / slant;\n"
    "    float contrast = 0.07 * fading(2.0 * footprint / ground.x);\n"
    "    vec2 whole = floor(flat_place);\n"
    "    float grey = 0.5 + (mod(whole.x + whole.y, 2.0) < 0.5 ? -contrast : contrast);\n"
    "    vec3 seen = shaded(vec3(grey), normal, direction, 0.0);\n"
    "    result = displayed(mix(background(direction), seen, fading(way / ground.y)));\n"
    "    gl_FragDepth = clamp(depth_at(point), 0.0, 1.0);\n"
    "}\n";

scree_result ground_make(ground *self) {
    *self = (ground){0};
    TRY(gl_program_make("of the background", sky_vertex, sky_fragment, &self->sky));
    TRY(gl_program_make("of half-spaces", sky_vertex, plane_fragment, &self->plane));
    self->position = glGetUniformLocation(self->plane, "position");
    self->across = glGetUniformLocation(self->plane, "across");
    self->along = glGetUniformLocation(self->plane, "along");
    glGenVertexArrays(1, &self->array);
    return SCREE_OK;
}

void ground_release(ground *self) {
    glDeleteProgram(self->plane);
    glDeleteProgram(self->sky);
    glDeleteVertexArrays(1, &self->array);
    *self = (ground){0};
}

void ground_draw_sky(const ground *self) {
    glUseProgram(self->sky);
    glBindVertexArray(self->array);
    glDisable(GL_DEPTH_TEST);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEnable(GL_DEPTH_TEST);
}

void ground_draw(const ground *self, const ground_part *part, vec3s eye) {
    const vec3s across = rotate(part->rotation, vec3_of(1, 0, 0)),
                along = rotate(part->rotation, vec3_of(0, 1, 0));
    const vec3s normal = rotate(part->rotation, vec3_of(0, 0, 1));
    if (!(glms_vec3_dot(glms_vec3_sub(eye, part->position), normal) > 0)) return;
    glUseProgram(self->plane);
    glBindVertexArray(self->array);
    glUniform3f(self->position, part->position.x, part->position.y, part->position.z);
    glUniform3f(self->across, across.x, across.y, across.z);
    glUniform3f(self->along, along.x, along.y, along.z);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
