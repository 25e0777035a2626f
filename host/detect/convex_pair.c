/* Double precision, since the direction between surfaces that nearly touch is a small difference of large
 * numbers. */
#define SCREE_DOUBLE

#include "convex_pair.h"

#include "convex.h"

static versors rotation_of(const convex_body *body) {
    const float *q = body->rotation;
    return versor_of((scalar)q[0], (scalar)q[1], (scalar)q[2], (scalar)q[3]);
}

static vec3s centre_of(const convex_body *body) {
    return vec3_of(body->centre[0], body->centre[1], body->centre[2]);
}

static convex shape_of(const convex_body *body) {
    const vec3s size = vec3_of((scalar)body->size[0], (scalar)body->size[1], (scalar)body->size[2]);
    return convex_of(body->kind, size, body->hull, (scalar)body->width, centre_of(body), rotation_of(body));
}

static void put(double to[3], vec3s v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static void store(convex_points *out, const manifold_points *found) {
    out->count = found->count, out->mean = found->mean;
    put(out->normal, found->normal);
    for (int i = 0; i < found->count; i++) {
        put(out->position[i], found->points[i].position);
        out->gap[i] = found->points[i].gap, out->feature[i] = found->points[i].feature;
    }
}

void convex_pair_find(const convex_body *a, const convex_body *b, double reach, convex_points *out) {
    const manifold_points found = convex_contact(shape_of(a), shape_of(b), reach);
    store(out, &found);
}

void convex_pair_find_levelled(const convex_body *a, const convex_body *b, double reach, convex_points *out) {
    const manifold_points found = convex_contact_found(shape_of(a), shape_of(b), reach, 1);
    store(out, &found);
}

void convex_plane_find(const convex_body *a, const convex_body *b, double reach, convex_points *out) {
    const vec3s outward = rotate(rotation_normalised(rotation_of(b)), vec3_of(0, 0, 1));
    const manifold_points found = convex_over_plane(shape_of(a), centre_of(b), outward, reach);
    store(out, &found);
}

static void store_distance(convex_distance *out, convex_separation found) {
    out->gap = found.gap;
    put(out->normal, found.normal);
    put(out->on_a, found.on_a);
    put(out->on_b, found.on_b);
}

void convex_pair_separate(const convex_body *a, const convex_body *b, convex_distance *out) {
    store_distance(out, convex_separate(shape_of(a), shape_of(b), INFINITY));
}

void convex_plane_separate(const convex_body *a, const convex_body *b, convex_distance *out) {
    const convex body = shape_of(a);
    const vec3s outward = rotate(rotation_normalised(rotation_of(b)), vec3_of(0, 0, 1)),
                core = convex_farthest(body, glms_vec3_negate(outward)),
                low = glms_vec3_sub(core, glms_vec3_scale(outward, body.radius));
    const scalar gap = glms_vec3_dot(outward, glms_vec3_sub(low, centre_of(b)));
    store_distance(out, (convex_separation){.normal = glms_vec3_negate(outward),
                                            .on_a = low,
                                            .on_b = glms_vec3_sub(low, glms_vec3_scale(outward, gap)),
                                            .gap = gap});
}
