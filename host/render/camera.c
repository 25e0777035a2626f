#include "camera.h"

#include "annotation.h"
#include "base/memory.h"
#include "base/vector.h"
#include "ray.h"

#include <stdlib.h>

enum { SAMPLES = 1 << 16 };
static const scalar LEGEND_MOST =
    0.4f; /* largest fraction of the picture's width that the camera leaves to the legend */

/* The bodies that the camera looks at. */
typedef struct subject {
    const scree_frame *frame;
    bool dynamic; /* only dynamic bodies; otherwise all but half-spaces */
    vec3s centre;
    scalar reach;       /* ignores bodies whose centres are farther from `centre` */
    vec3s lower, upper; /* the bounding box with a margin, relative to `centre` */
} subject;

/* Returns 0 for infinite shapes, which are ignored. */
static scalar radius_of(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_HALF_SPACE ? 0 : (scalar)scree_shape_get_radius(shape);
}

static bool belongs(const subject *self, int body) {
    const scree_frame *frame = self->frame;
    const vec3s position = vec3_in(frame->states[body].position);
    if (self->dynamic && frame->types[body] != SCREE_BODY_DYNAMIC) return false;
    if (!(radius_of(frame->shapes[body]) > 0) || !vec3_finite(position)) return false;
    return glms_vec3_norm(glms_vec3_sub(position, self->centre)) <= self->reach;
}

static int count_bodies(const subject *self) {
    int count = 0;
    for (int i = 0; i < self->frame->count; i++) count += belongs(self, i);
    return count;
}

static int compare(const void *a, const void *b) {
    const scalar x = *(const scalar *)a, y = *(const scalar *)b;
    return (x > y) - (x < y);
}

static scalar at_quantile(scalar *values, int count, double fraction) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(int)(fraction * (count - 1))];
}

/* Finds the radius around the centre that contains the relevant bodies, from their distances. Among the
 * farthest fifth, the first body that is more than three times as far out as the preceding one, and by four
 * mean diameters, has left the others, as have those beyond it. With 100 bodies or more, bodies farther than
 * 1.25 times the 99 % quantile are also ignored; the corners of a compact pile stay in. */
static scalar reach_of(scalar *distances, int count, scalar diameter) {
    if (count < 5) return RAY_FAR;
    const scalar most = count < 100 ? RAY_FAR : 1.25f * at_quantile(distances, count, 0.99);
    at_quantile(distances, count, 1); /* sorted */
    for (int i = (4 * count + 4) / 5; i < count; i++)
        if (distances[i] > 3 * distances[i - 1] && distances[i] > distances[i - 1] + 4 * diameter)
            return scalar_min(most, distances[i - 1] + diameter);
    return most;
}

/* Sets the centre, the median of each coordinate, and the reach, both from at most SAMPLES evenly chosen
 * bodies. */
static void settle(subject *self, scalar *values, int stride) {
    vec3s centre = glms_vec3_zero();
    for (int axis = 0; axis < 3; axis++) {
        int seen = 0, count = 0;
        for (int i = 0; i < self->frame->count; i++)
            if (belongs(self, i) && seen++ % stride == 0)
                values[count++] = vec3_along(vec3_in(self->frame->states[i].position), axis);
        *vec3_component(&centre, axis) = at_quantile(values, count, 0.5);
    }
    int seen = 0, count = 0;
    double sizes = 0;
    for (int i = 0; i < self->frame->count; i++)
        if (belongs(self, i) && seen++ % stride == 0) {
            sizes += 2 * scree_shape_get_radius(self->frame->shapes[i]);
            values[count++] = glms_vec3_norm(glms_vec3_sub(vec3_in(self->frame->states[i].position), centre));
        }
    self->centre = centre;
    self->reach = reach_of(values, count, (scalar)(sizes / count));
}

/* Sets the subject's surroundings: its bounding box plus a tenth of its diagonal. */
static void surround(subject *self) {
    self->lower = vec3_of(RAY_FAR, RAY_FAR, RAY_FAR);
    self->upper = glms_vec3_negate(self->lower);
    for (int i = 0; i < self->frame->count; i++) {
        if (!belongs(self, i)) continue;
        const vec3s from = glms_vec3_sub(vec3_in(self->frame->states[i].position), self->centre);
        for (int axis = 0; axis < 3; axis++) {
            const scalar radius = radius_of(self->frame->shapes[i]);
            *vec3_component(&self->lower, axis) =
                scalar_min(vec3_along(self->lower, axis), vec3_along(from, axis) - radius);
            *vec3_component(&self->upper, axis) =
                scalar_max(vec3_along(self->upper, axis), vec3_along(from, axis) + radius);
        }
    }
    const scalar more = 0.1f * glms_vec3_norm(glms_vec3_sub(self->upper, self->lower));
    self->lower = glms_vec3_sub(self->lower, vec3_of(more, more, more));
    self->upper = glms_vec3_add(self->upper, vec3_of(more, more, more));
}

/* Returns corner k of the box around a fixed body, clamped to the subject's surroundings. */
static vec3s nearby_corner(const subject *self, int body, int k) {
    const scree_body_state *state = &self->frame->states[body];
    const vec3s size = vec3_in(scree_shape_get_half_extents(self->frame->shapes[body]));
    const vec3s corner =
        vec3_of(k & 1 ? size.x : -size.x, k & 2 ? size.y : -size.y, k & 4 ? size.z : -size.z);
    const vec3s from = glms_vec3_sub(vec3_in(state->position), self->centre);
    vec3s place = glms_vec3_add(from, rotate(quat_in(state->rotation), corner));
    for (int axis = 0; axis < 3; axis++)
        *vec3_component(&place, axis) = scalar_clamp(vec3_along(place, axis), vec3_along(self->lower, axis),
                                                     vec3_along(self->upper, axis));
    return place;
}

/* Returns the extent of the picture along a direction: of the subject, and of the nearby part of the boxes
 * around it. */
static scalar farthest(const subject *self, vec3s direction) {
    const scree_frame *frame = self->frame;
    scalar most = -RAY_FAR;
    for (int i = 0; i < frame->count; i++) {
        if (belongs(self, i)) {
            const vec3s from = glms_vec3_sub(vec3_in(frame->states[i].position), self->centre);
            most = scalar_max(most, glms_vec3_dot(from, direction) + radius_of(frame->shapes[i]));
        } else if (frame->types[i] != SCREE_BODY_DYNAMIC && frame->shapes[i].kind != SCREE_SHAPE_HALF_SPACE)
            for (int k = 0; k < 8; k++)
                most = scalar_max(most, glms_vec3_dot(nearby_corner(self, i, k), direction));
    }
    return most;
}

/* Position of the eye along an axis across the view direction, and along that direction. */
typedef struct eye_place {
    scalar across, forwards;
} eye_place;

/* With forward z, an axis x across it and the angles α and β of the picture's sides at x and at −x, a sphere
 * (c, r) is inside of both when (c − e)·(x cos α − z sin α) + r ≤ 0  and  (c − e)·(−x cos β − z sin β) + r ≤
 * 0. With A and B the largest c·(x cos α − z sin α) + r and c·(−x cos β − z sin β) + r, equality in both
 * gives
 *
 *     e·x = (A sin β − B sin α)/sin(α + β),   e·z = −(A cos β + B cos α)/sin(α + β). */
static eye_place place_along(const subject *self, vec3s axis, vec3s forward, scalar alpha, scalar beta) {
    const scalar ca = cosf(alpha), sa = sinf(alpha), cb = cosf(beta), sb = sinf(beta),
                 both = sinf(alpha + beta);
    const scalar a = farthest(self, ray_point(glms_vec3_scale(forward, -sa), axis, ca)),
                 b = farthest(self, ray_point(glms_vec3_scale(forward, -sb), axis, -cb));
    return (eye_place){(a * sb - b * sa) / both, -(a * cb + b * ca) / both};
}

/* Places the eye as far back as the stricter of the two axes requires. The legend takes the given fraction
 * of the width, on the right. */
static void place(const subject *self, scalar aspect, scalar beside, scree_view *out) {
    const double up_angle = 24 * M_PI / 180, turn = 30 * M_PI / 180;
    const vec3s back = vec3_of((scalar)(sin(turn) * cos(up_angle)), (scalar)(-cos(turn) * cos(up_angle)),
                               (scalar)sin(up_angle));
    const vec3s forward = glms_vec3_negate(back);
    const vec3s right = ray_normalised(glms_vec3_cross(forward, vec3_of(0, 0, 1)));
    const vec3s axes[2] = {right, glms_vec3_cross(right, forward)};
    const scalar field = 28, margin = 1.06f;
    const scalar tangent = tanf(field / 2 * (float)M_PI / 180);
    const scalar wide = tangent * aspect / margin, high = atanf(tangent / margin);
    const eye_place places[2] = {
        place_along(self, axes[0], forward, atanf(wide * (1 - 2 * beside)), atanf(wide)),
        place_along(self, axes[1], forward, high, high)};
    const scalar depth = scalar_min(places[0].forwards, places[1].forwards);
    const vec3s shift = ray_point(glms_vec3_scale(axes[0], places[0].across), axes[1], places[1].across);
    const vec3s target = glms_vec3_add(self->centre, shift);
    out->target = vec3_out(target);
    out->eye = vec3_out(ray_point(target, forward, depth));
    out->field_of_view = field;
}

scree_result camera_find(const scree_frame *frame, const scree_view *view, scree_view *out) {
    subject self = {.frame = frame, .dynamic = true, .reach = RAY_FAR};
    int count = count_bodies(&self);
    self.dynamic = count > 0;
    if (count == 0) count = count_bodies(&self);
    scree_view found = *view;
    found.automatic = false;
    if (count == 0) {
        found.target = (scree_vec3){0, 0, 0};
        found.eye = (scree_vec3){1.8f, -3.1f, 1.6f};
        found.field_of_view = 28;
    } else {
        const int stride = count / SAMPLES + 1;
        SCOPED scalar *values = memory_allocate((size_t)(count / stride + 1), sizeof *values);
        if (!values) return fail(SCREE_ERROR_MEMORY, "out of memory for the camera of %d bodies", count);
        settle(&self, values, stride);
        surround(&self);
        const scalar beside = (scalar)annotation_legend_width(frame, view) / view->width;
        place(&self, (scalar)view->width / view->height, scalar_min(beside, LEGEND_MOST), &found);
    }
    *out = found;
    return SCREE_OK;
}

/* Returns 1, 2 or 5 times a power of ten, at most `length`. */
static scalar round_length(scalar length) {
    const scalar decade = powf(10, floorf(log10f(length)));
    return decade * (length >= 5 * decade ? 5 : length >= 2 * decade ? 2 : 1);
}

scree_image_def camera_image(const scree_view *view) {
    const vec3s eye = glms_vec3_sub(vec3_in(view->eye), vec3_in(view->target)), vertical = vec3_of(0, 0, 1);
    const scalar distance = glms_vec3_norm(eye);
    const vec3s forward = glms_vec3_scale(eye, -1 / distance);
    const vec3s side = glms_vec3_cross(forward, vertical);
    const vec3s right = glms_vec3_norm(side) > 1e-4f ? ray_normalised(side) : vec3_of(1, 0, 0);
    const vec3s up = glms_vec3_cross(right, forward), ahead = glms_vec3_cross(vertical, right);
    const scalar tangent = tanf(view->field_of_view / 2 * (float)M_PI / 180);
    const scalar half_height = distance * tangent,
                 aspect = tangent * (scalar)view->width / (scalar)view->height;
    const vec3s light =
        ray_normalised(vec3_of(-0.6f * ahead.x - 0.15f * right.x, -0.6f * ahead.y - 0.15f * right.y, 1));
    return (scree_image_def){.width = view->width,
                             .height = view->height,
                             .samples = 3,
                             .eye = vec3_out(eye),
                             .forward = vec3_out(forward),
                             .right = vec3_out(glms_vec3_scale(right, aspect)),
                             .up = vec3_out(glms_vec3_scale(up, tangent)),
                             .pixel_angle = 2 * tangent / (scalar)view->height,
                             .light = vec3_out(light),
                             .light_spread = 0.03f,
                             .tile = round_length(half_height / 2),
                             .fade = distance + 6 * half_height,
                             .device = view->device};
}
