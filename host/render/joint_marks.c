#include "joint_marks.h"

#include "base/vector.h"
#include "camera.h"
#include "rotation.h"

#include <math.h>

/* Lines that a kind shows besides its anchors: the x axis of the frame on a, the z axis of that on b. */
static const struct joint_mark {
    bool x_of_a, z_of_b;
} joint_marks[] = {
    [SCREE_JOINT_FIXED] = {false, false},   [SCREE_JOINT_HINGE] = {true, false},
    [SCREE_JOINT_SLIDER] = {true, false},   [SCREE_JOINT_CYLINDRICAL] = {true, false},
    [SCREE_JOINT_UNIVERSAL] = {true, true}, [SCREE_JOINT_BALL] = {false, false},
    [SCREE_JOINT_PLANAR] = {true, false},   [SCREE_JOINT_DISTANCE] = {false, false},
    [SCREE_JOINT_GENERAL] = {false, false}, [SCREE_JOINT_SUSPENSION] = {true, true},
};
_Static_assert(sizeof joint_marks / sizeof *joint_marks == SCREE_JOINT_KIND_COUNT,
               "every kind of joint has a mark");

static const uint8_t ink[3] = {0x20, 0x22, 0x26}, paper[3] = {0xf4, 0xf4, 0xf4},
                     axis_ink[3] = {0xd0, 0x20, 0x90}, broken_ink[3] = {0xc8, 0x10, 0x10};

typedef struct joint_canvas {
    scree_image_def camera;
    scree_vec3 target;
    uint8_t *pixels;
    double unit; /* pixels */
} joint_canvas;

/* A position in the picture, pixels from its upper left corner, and the size of a pixel there, m. */
typedef struct joint_spot {
    double column, row, pixel;
    bool seen; /* in front of the eye, and finite */
} joint_spot;

/* The ray of a pixel is forward + x right + y up, x and y in −1 … 1. */
static joint_spot spot_of(const joint_canvas *self, vec3s point) {
    const scree_image_def *camera = &self->camera;
    const vec3s right = vec3_in(camera->right), up = vec3_in(camera->up);
    const vec3s from = glms_vec3_sub(glms_vec3_sub(point, vec3_in(self->target)), vec3_in(camera->eye));
    const double depth = (double)glms_vec3_dot(from, vec3_in(camera->forward));
    const double x = (double)(glms_vec3_dot(from, right) / glms_vec3_norm2(right)) / depth,
                 y = (double)(glms_vec3_dot(from, up) / glms_vec3_norm2(up)) / depth;
    return (joint_spot){.column = (1 + x) / 2 * camera->width,
                        .row = (1 - y) / 2 * camera->height,
                        .pixel = depth * (double)camera->pixel_angle,
                        .seen = depth > 0 && fabs(x) < 100 && fabs(y) < 100};
}

static int within(double place, int most) { return place < 0 ? 0 : place > most ? most : (int)place; }

/* Draws all pixels within `radius` of the line between two spots, with smooth edges. */
static void draw_line(const joint_canvas *self, joint_spot p, joint_spot q, double radius,
                      const uint8_t colour[3]) {
    const int width = self->camera.width, height = self->camera.height;
    const double dx = q.column - p.column, dy = q.row - p.row, square = dx * dx + dy * dy;
    const int top = within(fmin(p.row, q.row) - radius - 1, height),
              bottom = within(fmax(p.row, q.row) + radius + 2, height),
              left = within(fmin(p.column, q.column) - radius - 1, width),
              right = within(fmax(p.column, q.column) + radius + 2, width);
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) {
            const double x = column + 0.5 - p.column, y = row + 0.5 - p.row,
                         along = square > 0 ? fmin(fmax((x * dx + y * dy) / square, 0), 1) : 0,
                         distance = hypot(x - along * dx, y - along * dy),
                         cover = fmin(fmax(radius + 0.5 - distance, 0), 1);
            uint8_t *pixel = self->pixels + 3 * ((size_t)row * (size_t)width + (size_t)column);
            for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)(pixel[k] + cover * (colour[k] - pixel[k]) + 0.5);
        }
}

/* Draws a line with a pale rim, visible on any background. */
static void draw_rimmed(const joint_canvas *self, joint_spot p, joint_spot q, double radius,
                        const uint8_t colour[3]) {
    if (!p.seen || !q.seen) return;
    draw_line(self, p, q, radius + self->unit, paper);
    draw_line(self, p, q, radius, colour);
}

/* Draws an axis as long as twenty units of the picture at its depth, if seen from the side. */
static void draw_axis(const joint_canvas *self, vec3s point, vec3s axis, const uint8_t colour[3]) {
    const scalar half = (scalar)(20 * self->unit * spot_of(self, point).pixel);
    const vec3s way = glms_vec3_scale(axis, half);
    draw_rimmed(self, spot_of(self, glms_vec3_sub(point, way)), spot_of(self, glms_vec3_add(point, way)),
                0.8 * self->unit, colour);
}

/* Returns z of frame b in the axes of frame a: the last column of R_x(α) R_y(β) R_z(γ). */
static vec3s z_of_b(const scree_frame_joint *joint) {
    const float *angle = joint->state.position;
    const scalar a = angle[SCREE_AXIS_ROTATION_X], b = angle[SCREE_AXIS_ROTATION_Y];
    return vec3_of(sinf(b), -sinf(a) * cosf(b), cosf(a) * cosf(b));
}

int joint_marks_axes(const scree_frame_joint *joint, joint_axis out[2]) {
    const struct joint_mark mark = joint_marks[joint->kind];
    const versors frame = quat_in(joint->frame);
    int count = 0;
    if (mark.x_of_a)
        out[count++] = (joint_axis){vec3_in(joint->state.point_a), rotate(frame, vec3_of(1, 0, 0))};
    if (mark.z_of_b) out[count++] = (joint_axis){vec3_in(joint->state.point_b), rotate(frame, z_of_b(joint))};
    return count;
}

static void draw_joint(const joint_canvas *self, const scree_frame_joint *joint) {
    const bool broken = joint->state.broken;
    const vec3s a = vec3_in(joint->state.point_a), b = vec3_in(joint->state.point_b);
    const joint_spot from = spot_of(self, a), to = spot_of(self, b);
    const uint8_t *colour = broken ? broken_ink : axis_ink;
    joint_axis axes[2];
    const int count = joint_marks_axes(joint, axes);
    for (int k = 0; k < count; k++) draw_axis(self, axes[k].point, axes[k].direction, colour);
    if (!broken) draw_rimmed(self, from, to, 0.6 * self->unit, ink);
    draw_rimmed(self, from, from, 2 * self->unit, broken ? broken_ink : ink);
    draw_rimmed(self, to, to, 2 * self->unit, broken ? broken_ink : ink);
}

void joint_marks_draw(const scree_frame *frame, const scree_view *settled, uint8_t *pixels) {
    const double unit = fmin(settled->height / 360.0, settled->width / 480.0);
    const joint_canvas self = {camera_image(settled), settled->target, pixels, fmax(unit, 0.5)};
    for (int i = 0; i < frame->joint_count; i++) draw_joint(&self, &frame->joints[i]);
}
