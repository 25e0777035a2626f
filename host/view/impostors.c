#include "impostors.h"

#include <math.h>
#include <stddef.h>

/* The square passes through the centre, where the cone from the eye to the ball has the radius d r/√(d² −
 * r²), with the distance d of the centre. */
static const char vertex[] =
    "layout(location = 0) in vec4 ball;\n"
    "layout(location = 1) in vec4 colour;\n"
    "layout(location = 2) in float body;\n"
    "flat out vec4 sphere;\n"
    "flat out vec3 paint;\n"
    "flat out float owner;\n"
    "out vec3 place;\n"
    "void main() {\n"
    "    vec3 to = ball.xyz - eye.xyz;\n"
    "    float distance = length(to), radius = ball.w;\n"
    "    vec3 ahead = to / distance;\n"
    "    vec3 other = abs(ahead.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0);\n"
    "    vec3 x = normalize(cross(ahead, other)), y = cross(x, ahead);\n"
    "    float square = (distance + radius) * (distance - radius);\n"
    "    float reach = distance * radius / sqrt(max(square, 0.0));\n"
    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
    "    place = ball.xyz + reach * (corner.x * x + corner.y * y);\n"
    "    sphere = ball;\n"
    "    paint = colour.rgb;\n"
    "    owner = body;\n"
    "    gl_Position = projection * view * vec4(place, 1.0);\n"
    "    if (square <= 0.0) gl_Position = vec4(0, 0, 2, 1);\n" /* the eye is inside */
    "}\n";

/* First and last lines of both fragment shaders: the pixel's ray meets the ball; its light. */
#define MEET_BALL                                                                                            \
    "flat in vec4 sphere;\n"                                                                                 \
    "flat in vec3 paint;\n"                                                                                  \
    "flat in float owner;\n"                                                                                 \
    "in vec3 place;\n"                                                                                       \
    "out vec4 result;\n"                                                                                     \
    "void main() {\n"                                                                                        \
    "    vec3 direction = normalize(place - eye.xyz), to = sphere.xyz - eye.xyz;\n"                          \
    "    float along = dot(to, direction);\n"                                                                \
    "    vec3 aside = along * direction - to;\n"                                                             \
    "    float square = sphere.w * sphere.w - dot(aside, aside);\n"                                          \
    "    if (square < 0.0) discard;\n"                                                                       \
    "    float half_chord = sqrt(square);\n"                                                                 \
    "    vec3 normal = (aside - half_chord * direction) / sphere.w;\n"
#define LIGHT_BALL                                                                                           \
    "    result = body_light(paint, normal, direction, 0.15, owner);\n"                                      \
    "}\n"

/* Bodies that do not overlap have disjoint parts of a ray, so any point of its part in the ball tells the
 * ball's order among them. The square is where these parts have their middles: its depth saves that of each
 * pixel, and what is behind other balls is not computed. */
static const char apart_fragment[] = MEET_BALL LIGHT_BALL;

/* A ball that the clip plane cuts shows the cut face. */
static const char joined_fragment[] =
    MEET_BALL "    vec3 point = eye.xyz + (along - half_chord) * direction;\n"
              "    if (dot(clip.xyz, point) + clip.w < 0.0) {\n"
              "        float slope = dot(clip.xyz, direction);\n"
              "        float cut = -(dot(clip.xyz, eye.xyz) + clip.w) / slope;\n"
              "        if (slope <= 0.0 || cut > along + half_chord) discard;\n"
              "        point = eye.xyz + cut * direction;\n"
              "        normal = -normalize(clip.xyz);\n"
              "    }\n"
              "    gl_FragDepth = depth_at(point);\n" LIGHT_BALL;

scree_result impostors_make(impostors *self) {
    *self = (impostors){0};
    TRY(gl_program_make("of balls", vertex, apart_fragment, &self->apart));
    TRY(gl_program_make("of joined balls", vertex, joined_fragment, &self->joined));
    glGenVertexArrays(1, &self->array);
    glGenBuffers(1, &self->buffer);
    glBindVertexArray(self->array);
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    gl_attribute(0, 4, GL_FLOAT, sizeof(ball_instance), offsetof(ball_instance, centre), 1);
    gl_attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(ball_instance), offsetof(ball_instance, colour), 1);
    gl_attribute(2, 1, GL_FLOAT, sizeof(ball_instance), offsetof(ball_instance, body), 1);
    return SCREE_OK;
}

void impostors_release(impostors *self) {
    glDeleteBuffers(1, &self->buffer);
    glDeleteVertexArrays(1, &self->array);
    glDeleteProgram(self->apart);
    glDeleteProgram(self->joined);
    *self = (impostors){0};
}

void impostors_set(impostors *self, const ball_instance *balls, int count) {
    glBindBuffer(GL_ARRAY_BUFFER, self->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *balls), balls, GL_STREAM_DRAW);
    self->count = count;
}

void impostors_draw(const impostors *self, bool joined) {
    if (!self->count) return;
    glUseProgram(joined ? self->joined : self->apart);
    glBindVertexArray(self->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, self->count);
}

static float distance_to(const ball_instance *ball, const float eye[3]) {
    const float x = ball->centre[0] - eye[0], y = ball->centre[1] - eye[1], z = ball->centre[2] - eye[2];
    return sqrtf(x * x + y * y + z * z);
}

/* The intervals of distance. Balls of one interval keep their order, which costs pixels but changes none. */
enum { INTERVALS = 1024 };

static int interval_of(const ball_instance *ball, const float eye[3], float from, float width) {
    const float at = (distance_to(ball, eye) - from) / width;
    return at < INTERVALS - 1 ? (int)at : INTERVALS - 1;
}

void impostors_sort(const ball_instance *balls, int count, const float eye[3], ball_instance *out) {
    float from = INFINITY, to = 0;
    int places[INTERVALS + 1] = {0};
    for (int i = 0; i < count; i++) {
        const float distance = distance_to(&balls[i], eye);
        from = fminf(from, distance);
        to = fmaxf(to, distance);
    }
    const float width = fmaxf((to - from) / INTERVALS, 1e-30f);
    for (int i = 0; i < count; i++) places[1 + interval_of(&balls[i], eye, from, width)]++;
    for (int k = 0; k < INTERVALS; k++) places[k + 1] += places[k];
    for (int i = 0; i < count; i++) out[places[interval_of(&balls[i], eye, from, width)]++] = balls[i];
}
