#include "bounds.h"

#include "../base/vector.h"
#include "rotation.h"

/* What each kind of shape answers: half the size of its box at a rotation, and its turning radius. */
typedef struct bounds_verbs {
    vec3s (*extent)(vec3s size, versors rotation);
    scalar (*turning_radius)(vec3s size);
} bounds_verbs;

static vec3s sphere_extent(vec3s size, versors rotation) {
    (void)rotation;
    return vec3_of(size.x, size.x, size.x);
}

static scalar sphere_turning_radius(vec3s size) {
    (void)size;
    return 0;
}

static vec3s absolute(vec3s v) { return vec3_of(scalar_abs(v.x), scalar_abs(v.y), scalar_abs(v.z)); }

/* The farthest corner along each world axis: |R| h. */
static vec3s box_extent(vec3s size, versors rotation) {
    const vec3s x = absolute(rotate(rotation, vec3_of(size.x, 0, 0)));
    const vec3s y = absolute(rotate(rotation, vec3_of(0, size.y, 0)));
    const vec3s z = absolute(rotate(rotation, vec3_of(0, 0, size.z)));
    return glms_vec3_add(x, glms_vec3_add(y, z));
}

static scalar box_turning_radius(vec3s size) { return glms_vec3_norm(size); }

static vec3s half_space_extent(vec3s size, versors rotation) {
    (void)size, (void)rotation;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static scalar half_space_turning_radius(vec3s size) {
    (void)size;
    return INFINITY;
}

static const bounds_verbs verbs[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {sphere_extent, sphere_turning_radius},
    [SCREE_SHAPE_BOX] = {box_extent, box_turning_radius},
    [SCREE_SHAPE_HALF_SPACE] = {half_space_extent, half_space_turning_radius},
};

static bounds box_around(vec3s centre, vec3s extent, scalar padding) {
    const vec3s padded = glms_vec3_add(extent, vec3_of(padding, padding, padding));
    return (bounds){glms_vec3_sub(centre, padded), padding, glms_vec3_add(centre, padded), 0};
}

bounds bounds_of(scree_shape shape, body_pose pose) {
    return box_around(pose.position, verbs[shape.kind].extent(vec3_in(shape.size), pose.rotation), 0);
}

scalar bounds_turning_radius(scree_shape shape) {
    return verbs[shape.kind].turning_radius(vec3_in(shape.size));
}

/* The box of everything that a box passes on its way along `motion`. */
static bounds swept(bounds box, vec3s motion) {
    const vec3s back = vec3_of(scalar_min(motion.x, 0), scalar_min(motion.y, 0), scalar_min(motion.z, 0));
    box.lower = glms_vec3_add(box.lower, back);
    box.upper = glms_vec3_add(box.upper, glms_vec3_sub(motion, back));
    return box;
}

void bounds_update(const body_array *bodies, scalar margin, scalar time_step, int threads, bounds *out) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] == SLOT_FREE) {
            out[slot] = (bounds){{INFINITY, INFINITY, INFINITY}, 0, {-INFINITY, -INFINITY, -INFINITY}, 0};
            continue;
        }
        const scree_shape shape = bodies->shapes[slot];
        const vec3s size = vec3_in(shape.size);
        const bounds_verbs *kind = &verbs[shape.kind];
        const body_pose pose = bodies->poses[slot];
        const body_velocity velocity = bodies->velocities[slot];
        const bool moves = bodies->types[slot] != SLOT_STATIC;
        const vec3s motion = moves ? glms_vec3_scale(velocity.linear, time_step) : glms_vec3_zero();
        const scalar turning = moves ? time_step * glms_vec3_norm(velocity.angular) : 0;
        const scalar radius = kind->turning_radius(size);
        const scalar padding = margin / 2 + (isinf(radius) ? glms_vec3_norm(motion) : turning * radius);
        out[slot] = swept(box_around(pose.position, kind->extent(size, pose.rotation), padding), motion);
        if (isinf(radius)) out[slot].turning = turning;
    }
}
