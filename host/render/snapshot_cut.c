#include "snapshot_cut.h"

#include "base/memory.h"
#include "base/vector.h"
#include "collide/bounds.h"
#include "collide/shape.h"
#include "ray.h"

/* Dynamic bodies that are asked at most, and box tests at most: enough to tell a wall, and never slow. */
enum { MAX_WITNESSES = 2048, MAX_TESTS = 1 << 22 };

/* A wall is flat and ends somewhere; for what it hides it counts as the box around it. */
static bool is_wall(const scree_frame *frame, int body) {
    const scree_shape shape = frame->shapes[body];
    return frame->types[body] != SCREE_BODY_DYNAMIC && shape_is_flat(shape) && !shape_is_plane(shape);
}

static bool is_witness(const scree_frame *frame, int body) {
    return frame->types[body] == SCREE_BODY_DYNAMIC && vec3_finite(vec3_in(frame->states[body].position));
}

/* Copies the positions of dynamic bodies relative to the eye, evenly chosen. */
static int choose_witnesses(const scree_frame *frame, vec3s eye, int most, vec3s *witnesses) {
    int dynamic = 0, count = 0, seen = 0;
    for (int i = 0; i < frame->count; ++i) dynamic += is_witness(frame, i);
    const int stride = dynamic / most + 1;
    for (int i = 0; i < frame->count; ++i)
        if (is_witness(frame, i) && seen++ % stride == 0)
            witnesses[count++] = glms_vec3_sub(vec3_in(frame->states[i].position), eye);
    return count;
}

/* A witness is hidden when the ray to it leaves the box before reaching it, and in front when the ray enters
 * the box beyond it. */
static bool hides(scree_shape shape, const scree_body_state *state, vec3s eye, const vec3s *witnesses,
                  int count) {
    const versors rotation = quat_in(state->rotation);
    const vec3s extents = bounds_half_size(shape);
    const vec3s from = rotate_inverse(rotation, glms_vec3_sub(eye, vec3_in(state->position)));
    if (scalar_abs(from.x) < extents.x && scalar_abs(from.y) < extents.y && scalar_abs(from.z) < extents.z)
        return true;
    int hidden = 0, before = 0;
    for (int i = 0; i < count; ++i) {
        const scalar distance = glms_vec3_norm(witnesses[i]);
        if (!(distance > 0)) continue;
        const vec3s along = rotate_inverse(rotation, glms_vec3_scale(witnesses[i], 1 / distance));
        const ray_span span = ray_slabs(from, along, extents);
        if (span.enter >= RAY_FAR) continue;
        if (span.leave < distance) ++hidden;
        if (span.enter > distance) ++before;
    }
    return hidden > 0 && before * 8 < hidden;
}

scree_result snapshot_cut(const scree_frame *frame, scree_vec3 eye, bool *cut) {
    int boxes = 0;
    for (int i = 0; i < frame->count; ++i) boxes += is_wall(frame, i);
    if (boxes == 0) return SCREE_OK;
    int most = MAX_TESTS / boxes;
    most = most < 16 ? 16 : most > MAX_WITNESSES ? MAX_WITNESSES : most;
    vec3s *witnesses = memory_allocate((size_t)most, sizeof *witnesses);
    if (!witnesses) return fail(SCREE_ERROR_MEMORY, "out of memory looking for walls before the bodies");
    const int count = choose_witnesses(frame, vec3_in(eye), most, witnesses);
    for (int i = 0; i < frame->count; ++i)
        if (is_wall(frame, i))
            cut[i] = hides(frame->shapes[i], &frame->states[i], vec3_in(eye), witnesses, count);
    memory_release(witnesses);
    return SCREE_OK;
}
