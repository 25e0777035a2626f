/* FNV-1a over everything that a step reads and changes (Fowler, Noll, Vo: 64-bit offset basis and prime).
 * Fields one by one, so that padding never counts. */
#include "world.h"

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t add_vec3(uint64_t hash, vec3s v) { return add_bytes(hash, &v, sizeof v); }

static uint64_t add_pair(uint64_t hash, const contact_pair *pair) {
    const int numbers[4] = {pair->shape.a, pair->shape.b, pair->shape.count, pair->colour};
    hash = add_bytes(hash, numbers, sizeof numbers);
    hash = add_vec3(hash, pair->shape.normal);
    for (int k = 0; k < pair->shape.count; k++) {
        hash = add_vec3(hash, pair->shape.points[k].position);
        hash = add_bytes(hash, &pair->shape.points[k].gap, sizeof(scalar));
        hash = add_bytes(hash, &pair->shape.points[k].feature, sizeof(uint32_t));
        hash = add_vec3(hash, pair->impulses[k]);
        hash = add_vec3(hash, pair->torques[k]);
        hash = add_bytes(hash, &pair->pulls[k], sizeof(scalar));
    }
    return hash;
}

uint64_t scree_world_hash(const scree_world *world) {
    uint64_t hash = 0xcbf29ce484222325u;
    const body_array *bodies = &world->bodies;
    hash = add_bytes(hash, &world->steps, sizeof world->steps);
    for (int i = 0; i < bodies->count; i++) {
        hash = add_bytes(hash, &bodies->types[i], 1);
        hash = add_bytes(hash, &bodies->generations[i], sizeof *bodies->generations);
        hash = add_vec3(hash, bodies->poses[i].position);
        hash = add_bytes(hash, &bodies->poses[i].rotation, sizeof(versors));
        hash = add_vec3(hash, bodies->velocities[i].linear);
        hash = add_vec3(hash, bodies->velocities[i].angular);
    }
    for (int i = 0; i < world->contacts.count; i++) hash = add_pair(hash, &world->contacts.pairs[i]);
    return hash;
}
