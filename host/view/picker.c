#include "picker.h"

#include "render/snapshot_scene.h"

#include <float.h>

/* Returns whether the ray passes farther from the centre than the body reaches. */
static bool passes(const scree_frame *frame, int i, orbit_ray ray) {
    if (frame->shapes[i].kind == SCREE_SHAPE_HALF_SPACE) return false;
    const vec3s to = glms_vec3_sub(vec3_in(frame->states[i].position), ray.origin);
    const scalar along = glms_vec3_dot(to, ray.direction),
                 radius = (scalar)scree_shape_get_radius(frame->shapes[i]);
    const vec3s beside = glms_vec3_sub(to, glms_vec3_scale(ray.direction, along));
    return !(glms_vec3_norm2(beside) <= radius * radius * 1.001f) || along < -radius;
}

/* Returns whether a body, or a triangle of a mesh, is cut away. */
static bool is_cut(const scree_frame *frame, int i, const bool *cut) {
    const int places = snapshot_cut_places(frame->shapes[i]);
    for (int k = 0; k < places; k++)
        if (cut[k]) return true;
    return false;
}

static bool is_hidden(const clip_plane *clip, vec3s point) {
    return glms_vec3_norm2(clip->normal) > 0 && (double)glms_vec3_dot(clip->normal, point) < clip->offset;
}

/* Returns the distance at which the ray leaves the hidden side; 0: it starts on the other. */
static scalar clip_distance(const clip_plane *clip, orbit_ray ray) {
    const scalar slope = glms_vec3_dot(clip->normal, ray.direction);
    if (!is_hidden(clip, ray.origin)) return 0;
    return slope > 0 ? ((scalar)clip->offset - glms_vec3_dot(clip->normal, ray.origin)) / slope : FLT_MAX;
}

static scalar cast(const scree_frame *frame, int i, orbit_ray ray) {
    const scree_pose pose = {frame->states[i].position, frame->states[i].rotation};
    return scree_shape_cast_ray(frame->shapes[i], pose, vec3_out(ray.origin), vec3_out(ray.direction));
}

picked picker_find(const scree_frame *frame, const bool *cut, const clip_plane *clip, orbit_ray ray) {
    picked out = {.row = -1, .distance = DBL_MAX};
    const scalar skipped = clip_distance(clip, ray);
    ray.origin = glms_vec3_add(ray.origin, glms_vec3_scale(ray.direction, skipped < FLT_MAX ? skipped : 0));
    for (int i = 0; skipped < FLT_MAX && i < frame->count;
         cut += snapshot_cut_places(frame->shapes[i]), i++) {
        /* A mesh of which some triangles are cut away is passed: the grains are behind them. */
        if (passes(frame, i, ray) || is_cut(frame, i, cut)) continue;
        const scalar way = cast(frame, i, ray);
        const vec3s point = glms_vec3_add(ray.origin, glms_vec3_scale(ray.direction, way));
        if (!isfinite(way) || (double)way >= out.distance || is_hidden(clip, point)) continue;
        out = (picked){i, point, (double)way};
    }
    out.distance += (double)skipped;
    return out;
}
