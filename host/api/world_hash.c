/* Hash of step count, poses with their remainders, velocities, contacts and joints, field by field, so that
 * padding does not count. */
#include "step/world.h"

#include "base/error.h"
#include "base/hash.h"

static uint64_t add_vec3(uint64_t hash, vec3s v) { return hash_bytes(hash, &v, sizeof v); }

static uint64_t add_pair(uint64_t hash, const contact_set *set, int i) {
    const contact_pair *pair = &set->pairs[i];
    const int numbers[4] = {pair->manifold.a, pair->manifold.b, pair->manifold.count, set->colours[i]},
              image = pair->manifold.image;
    hash = hash_bytes(hash, numbers, sizeof numbers);
    if (image) hash = hash_bytes(hash, &image, sizeof image);
    hash = add_vec3(hash, pair->manifold.normal);
    const contact_action *at = contact_actions(set, pair);
    const manifold_point *places = contact_places(set, pair);
    for (int k = 0; k < pair->manifold.count; k++) {
        hash = add_vec3(hash, places[k].position);
        hash = hash_bytes(hash, &places[k].gap, sizeof(scalar));
        hash = hash_bytes(hash, &places[k].feature, sizeof(uint32_t));
        hash = add_vec3(hash, at[k].impulse);
        hash = add_vec3(hash, contact_torque(set, pair, k));
        hash = hash_bytes(hash, &at[k].push, sizeof(scalar));
        const scalar pull = set->cohesive ? set->cohesive_impulses[i].of_point[k] : 0;
        hash = hash_bytes(hash, &pull, sizeof pull);
    }
    return hash;
}

static uint64_t add_joint(uint64_t hash, const joint_array *joints, int i) {
    const joint_state *state = &joints->states[i];
    const int numbers[3] = {i, state->colour, state->broken};
    hash = hash_bytes(hash, numbers, sizeof numbers);
    hash = hash_bytes(hash, state->impulses, sizeof state->impulses);
    hash = hash_bytes(hash, state->pushes, sizeof state->pushes);
    for (int k = 0; k < SCREE_AXIS_COUNT; k++)
        hash = hash_bytes(hash, &joints->defs[i].axes[k].target, sizeof(float));
    return hash_bytes(hash, state->position, sizeof state->position);
}

uint64_t scree_world_get_hash(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    uint64_t hash = HASH_BASIS;
    const body_array *bodies = &world->state.bodies;
    if (bodies_bring(bodies) != SCREE_OK) return 0;
    hash = hash_bytes(hash, &world->state.steps, sizeof world->state.steps);
    for (int i = 0; i < bodies->count; i++) {
        hash = hash_bytes(hash, &bodies->types[i], 1);
        hash = hash_bytes(hash, &bodies->generations[i], sizeof *bodies->generations);
        hash = add_vec3(hash, bodies->poses[i].position);
        hash = hash_bytes(hash, &bodies->poses[i].rotation, sizeof(versors));
        hash = add_vec3(hash, bodies->remainders[i].position);
        hash = add_vec3(hash, bodies->remainders[i].rotation);
        hash = add_vec3(hash, bodies->velocities[i].linear);
        hash = add_vec3(hash, bodies->velocities[i].angular);
        if (bodies->cells) hash = hash_bytes(hash, &bodies->cells[i], sizeof *bodies->cells);
    }
    const contact_set *contacts = &world->state.contacts;
    if (contacts_bring(contacts) != SCREE_OK) return 0;
    for (int i = 0; i < contacts->count; i++)
        if (!contacts_are_gone(bodies, &contacts->pairs[i])) hash = add_pair(hash, contacts, i);
    for (int i = 0; i < world->state.joints.count; i++)
        if (joint_is_alive(&world->state.joints, i)) hash = add_joint(hash, &world->state.joints, i);
    return hash;
}
