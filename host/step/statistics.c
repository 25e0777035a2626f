#include "statistics.h"
#include "joint_step.h"

#include "base/parallel.h"

#include "block.h"

#include "rotation.h"

static void add_scaled(double sum[3], vec3s v, double factor) {
    sum[0] += factor * (double)v.x;
    sum[1] += factor * (double)v.y;
    sum[2] += factor * (double)v.z;
}

/* Adds L = x × m v + R I Rᵀ ω and E = ½ m v² + ½ ω·R I Rᵀ ω; rotational terms are computed in body axes. */
static void add_body(const body_array *bodies, int i, scree_vec3 gravity, scree_statistics *s) {
    const body_pose pose = bodies->poses[i];
    const body_velocity velocity = bodies->velocities[i];
    const body_mass mass = bodies->masses[i];
    const double m = (double)mass.mass;
    const vec3s omega = rotate_inverse(pose.rotation, velocity.angular);
    const vec3s spin = glms_vec3_mul(mass.inertia, omega);
    s->dynamic_mass += m;
    s->kinetic_energy +=
        0.5 * m * (double)glms_vec3_norm2(velocity.linear) + 0.5 * (double)glms_vec3_dot(omega, spin);
    s->potential_energy -= m * (double)mass.gravity_scale *
                           ((double)gravity.x * body_unwrapped(bodies, i, pose.position, 0) +
                            (double)gravity.y * body_unwrapped(bodies, i, pose.position, 1) +
                            (double)gravity.z * body_unwrapped(bodies, i, pose.position, 2));
    add_scaled(s->momentum, velocity.linear, m);
    add_scaled(s->angular_momentum, glms_vec3_cross(pose.position, velocity.linear), m);
    add_scaled(s->angular_momentum, rotate(pose.rotation, spin), 1);
}

static void add_travel(const body_array *bodies, int i, double time_step, scree_statistics *s) {
    const double speed = sqrt((double)glms_vec3_norm2(bodies->velocities[i].linear));
    const double travel = time_step * speed / (double)bounds_half_width(bodies->shapes[i]);
    if (travel > s->travel_max) s->travel_max = travel;
}

/* Returns whether both have the same bodies, at whichever images. */
static bool same_bodies(const contact_pair *one, const contact_pair *other) {
    return one->manifold.a == other->manifold.a && one->manifold.b == other->manifold.b;
}

/* Returns whether the bodies of entry i touch there and at no earlier entry. */
static bool touches_first(const contact_set *set, int i) {
    if (!contact_touches(set, i)) return false;
    for (int k = i - 1; k >= 0 && same_bodies(&set->pairs[k], &set->pairs[i]); k--)
        if (contact_touches(set, k)) return false;
    return true;
}

/* Adds the impulses of a pair to that on bodies which are not dynamic. */
static void add_static_impulse(const contact_set *set, int i, double sign, scree_statistics *s) {
    for (int k = 0; k < (int)set->pairs[i].manifold.count; k++)
        add_scaled(s->static_impulse, contact_impulse(set, i, k), sign);
}

/* Depths of contact points. */
typedef struct depths {
    int overlapping;
    double sum, most;
} depths;

static inline void add_depths(const contact_set *set, const contact_pair *pair, depths *out) {
    const manifold_point *points = contact_places(set, pair);
    const int count = (int)pair->manifold.count;
    for (int k = 0; k < count; k++) {
        /* Branch-free: at rest, every other point overlaps, unpredictably. */
        const double gap = (double)points[k].gap, depth = gap < 0 ? -gap : 0;
        out->sum += depth;
        out->overlapping += gap < 0;
        out->most = depth > out->most ? depth : out->most;
    }
}

/* Sums in local variables, which the compiler keeps in registers. */
static void add_pairs(const body_array *bodies, const contact_set *set, slice of, int *overlapping,
                      scree_statistics *s) {
    depths all = {.sum = 0};
    int touching = 0, contacts = 0, hits = 0;
    for (int i = of.first; i < of.end; i++) {
        const contact_pair *pair = &set->pairs[i];
        touching += touches_first(set, i);
        contacts += (int)pair->manifold.count;
        hits += pair->hits;
        add_depths(set, pair, &all);
        if (!body_is_dynamic(bodies, pair->manifold.a)) add_static_impulse(set, i, -1, s);
        if (!body_is_dynamic(bodies, pair->manifold.b)) add_static_impulse(set, i, 1, s);
    }
    s->touching += touching, s->contacts += contacts, s->cache_hits += hits;
    s->penetration_mean += all.sum;
    s->penetration_max = all.most;
    *overlapping += all.overlapping;
}

/* The bodies, contacts and blocks of the uncoloured remainder in a slice. */
typedef struct statistics_slice {
    slice slots, pairs, remainder;
} statistics_slice;

static statistics_slice statistics_slice_of(const scree_world *world, int number) {
    const problem *p = &world->scratch.problem;
    return (statistics_slice){.slots = slice_of(world->state.bodies.count, number, PARALLEL_SLICES),
                              .pairs = slice_of(world->state.contacts.count, number, PARALLEL_SLICES),
                              .remainder =
                                  slice_of(p->block_count - p->remainder_first, number, PARALLEL_SLICES)};
}

/* Sums of empty slices would be zero. */
static bool is_empty(statistics_slice of) {
    return of.slots.first == of.slots.end && of.pairs.first == of.pairs.end &&
           of.remainder.first == of.remainder.end;
}

static void sum_slice(const scree_world *world, statistics_slice of, int *overlapping, scree_statistics *s) {
    const body_array *bodies = &world->state.bodies;
    const problem *p = &world->scratch.problem;
    *s = (scree_statistics){0};
    for (int i = p->remainder_first + of.remainder.first; i < p->remainder_first + of.remainder.end; i++)
        s->remainder += block_is_contact(p->blocks[i]);
    for (int i = of.slots.first; i < of.slots.end; i++) {
        if (body_is_dynamic(bodies, i)) add_body(bodies, i, world->state.gravity, s);
        if (bodies->types[i] >= SLOT_KINEMATIC) add_travel(bodies, i, world->model.def.time_step, s);
    }
    add_pairs(bodies, &world->state.contacts, of.pairs, overlapping, s);
}

static void add_slice(scree_statistics *s, const scree_statistics *of) {
    s->contacts += of->contacts, s->cache_hits += of->cache_hits, s->remainder += of->remainder;
    s->touching += of->touching;
    s->penetration_max = fmax(s->penetration_max, of->penetration_max);
    s->penetration_mean += of->penetration_mean;
    s->travel_max = fmax(s->travel_max, of->travel_max);
    s->dynamic_mass += of->dynamic_mass;
    s->kinetic_energy += of->kinetic_energy, s->potential_energy += of->potential_energy;
    for (int k = 0; k < 3; k++) {
        s->momentum[k] += of->momentum[k];
        s->angular_momentum[k] += of->angular_momentum[k];
        s->static_impulse[k] += of->static_impulse[k];
    }
}

typedef struct statistics_loop {
    scree_statistics *slices;
    const scree_world *world;
    int *overlapping;
} statistics_loop;

static void sum_slices(const void *context, slice part) {
    const statistics_loop loop = *(const statistics_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const statistics_slice of = statistics_slice_of(loop.world, i);
        if (!is_empty(of)) sum_slice(loop.world, of, &loop.overlapping[i], &loop.slices[i]);
    }
}

void statistics_fill(const scree_world *world, scree_statistics *s) {
    scree_statistics slices[PARALLEL_SLICES];
    int overlapping[PARALLEL_SLICES] = {0}, overlaps = 0;
    s->step = world->state.steps;
    s->time = world_time(world);
    s->bodies = world->state.bodies.living;
    s->dynamic_bodies = world->state.bodies.dynamic;
    s->colours = world->scratch.problem.colour_count;
    parallel_for(parallel_threads(world->model.threads, world->state.bodies.count), PARALLEL_SLICES,
                 sum_slices,
                 &(const statistics_loop){.slices = slices, .world = world, .overlapping = overlapping});
    for (int i = 0; i < PARALLEL_SLICES; i++) {
        if (!is_empty(statistics_slice_of(world, i))) add_slice(s, &slices[i]);
        overlaps += overlapping[i];
    }
    joint_quantities(world, s);
    if (overlaps) s->penetration_mean /= overlaps;
}
