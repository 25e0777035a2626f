#include "orbit.h"

#include "ray.h"
#include "render/camera.h"

#include <cglm/cglm.h>
#include <string.h>

static const double steepest = 89.9 * M_PI / 180;

orbit orbit_from(const scree_view *view) {
    const vec3s from = glms_vec3_sub(vec3_in(view->eye), vec3_in(view->target));
    const double x = (double)from.x, y = (double)from.y, z = (double)from.z;
    const double distance = sqrt(x * x + y * y + z * z);
    return (orbit){.target = vec3_in(view->target),
                   .distance = distance,
                   .turn = atan2(y, x),
                   .rise = fmin(fmax(asin(z / distance), -steepest), steepest),
                   .field_of_view = (double)view->field_of_view};
}

static vec3s direction_of(const orbit *self) {
    const double flat = cos(self->rise);
    return vec3_of((scalar)(flat * cos(self->turn)), (scalar)(flat * sin(self->turn)),
                   (scalar)sin(self->rise));
}

void orbit_to(const orbit *self, scree_view *view) {
    view->automatic = false;
    view->target = vec3_out(self->target);
    view->eye =
        vec3_out(glms_vec3_add(self->target, glms_vec3_scale(direction_of(self), (scalar)self->distance)));
    view->field_of_view = (float)self->field_of_view;
}

void orbit_turn(orbit *self, double across, double down, int height) {
    self->turn -= M_PI * across / height;
    self->rise = fmin(fmax(self->rise + M_PI * down / height, -steepest), steepest);
}

void orbit_pan(orbit *self, double across, double down, int height) {
    scree_view view = {.width = height, .height = height};
    orbit_to(self, &view);
    const scree_image_def image = camera_image(&view);
    const scalar scale = (scalar)(2 * self->distance / height);
    const vec3s right = glms_vec3_scale(vec3_in(image.right), -scale * (scalar)across),
                up = glms_vec3_scale(vec3_in(image.up), scale * (scalar)down);
    self->target = glms_vec3_add(self->target, glms_vec3_add(right, up));
}

void orbit_zoom(orbit *self, double factor) {
    self->distance = fmin(fmax(self->distance * factor, 1e-6), 1e9);
}

void orbit_look_along(orbit *self, int axis) {
    self->turn = axis == 0 ? 0 : -M_PI / 2;
    self->rise = axis == 2 ? steepest : 0;
}

orbit_ray orbit_ray_at(const scree_view *settled, double x, double y) {
    const scree_image_def image = camera_image(settled);
    const scalar across = (scalar)(2 * x / settled->width - 1), up = (scalar)(1 - 2 * y / settled->height);
    vec3s direction = glms_vec3_add(vec3_in(image.forward), glms_vec3_scale(vec3_in(image.right), across));
    direction = glms_vec3_add(direction, glms_vec3_scale(vec3_in(image.up), up));
    return (orbit_ray){vec3_in(settled->eye), ray_normalised(direction)};
}

vec3s orbit_project(const scree_view *settled, vec3s point) {
    const scree_image_def image = camera_image(settled);
    const vec3s right = vec3_in(image.right), up = vec3_in(image.up);
    const vec3s from = glms_vec3_sub(point, vec3_in(settled->eye));
    const scalar depth = glms_vec3_dot(from, vec3_in(image.forward));
    const scalar x = glms_vec3_dot(from, right) / glms_vec3_norm2(right) / depth,
                 y = glms_vec3_dot(from, up) / glms_vec3_norm2(up) / depth;
    return vec3_of((1 + x) / 2 * (scalar)settled->width, (1 - y) / 2 * (scalar)settled->height, depth);
}

static void put(vec3s v, scalar w, float out[4]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = w;
}

/* The rows of the view's matrix are right, up and backward. cglm's lookat has none looking straight down. */
static void set_view(const scree_image_def *image, vec3s eye, float out[16]) {
    const vec3s rows[3] = {ray_normalised(vec3_in(image->right)), ray_normalised(vec3_in(image->up)),
                           glms_vec3_negate(vec3_in(image->forward))};
    mat4 view = GLM_MAT4_IDENTITY_INIT;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) view[column][row] = vec3_along(rows[row], column);
        view[3][row] = -glms_vec3_dot(rows[row], eye);
    }
    memcpy(out, view, sizeof view);
}

static void set_projection(const scree_view *settled, double reach, float out[16]) {
    const double distance =
        (double)glms_vec3_norm(glms_vec3_sub(vec3_in(settled->eye), vec3_in(settled->target)));
    mat4 projection;
    glm_perspective(glm_rad(settled->field_of_view), (float)settled->width / (float)settled->height,
                    (float)(distance / 100), (float)(distance + reach), projection);
    memcpy(out, projection, sizeof projection);
}

void orbit_scene(const scree_view *settled, vec3s origin, double reach, gl_scene *out) {
    const scree_image_def image = camera_image(settled);
    const vec3s eye = glms_vec3_sub(vec3_in(settled->eye), origin);
    set_view(&image, eye, out->view);
    set_projection(settled, reach, out->projection);
    put(eye, 1, out->eye);
    put(vec3_in(image.forward), 0, out->forward);
    put(vec3_in(image.light), 0, out->light);
    put(vec3_of(image.tile, image.fade, image.pixel_angle), 0, out->ground);
}
