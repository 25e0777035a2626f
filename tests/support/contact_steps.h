/* Steps of the narrow phase on the device and on the host, on all kinds of work-groups. */
#pragma once

#include "device_contacts.h"

static bool simulated; /* few bodies, for simulators of devices */

/* Runs `check` with either kind of work-groups and with few and many groups. */
static inline void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{3, 3, GROUPS_OF_ONE}, {2, 1, GROUPS_OF_MANY}, {1024, 64, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        opencl_contacts_open(&narrow, &rig.primitives);
        check();
        opencl_contacts_close(&narrow);
        rig_close();
    }
}

static inline int count_of(int n) { return simulated ? 12 : n; }

/* Moves bodies on by a step, and a little more in random directions. */
static inline void move(body_array *bodies, uint64_t *seed, double most) {
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] != SLOT_DYNAMIC) continue;
        vec3s *at = &bodies->poses[i].position;
        *at = glms_vec3_add(*at, glms_vec3_scale(bodies->velocities[i].linear, contact_step));
        *at = glms_vec3_add(*at, random_vector(seed, -most, most));
        bodies->poses[i].rotation =
            rotation_turned(random_vector(seed, -most, most), bodies->poses[i].rotation);
    }
}

/* Compares three steps, of which the later ones inherit random impulses. Returns the sums. */
static inline comparison compare_steps(body_array *bodies, double most) {
    comparison sum = {0};
    host_search last = {0};
    uint64_t seed = 77;
    for (int step = 0; step < (simulated ? 2 : 3); step++) {
        host_search now;
        const comparison seen = compare_step(bodies, &last.contacts, &now);
        sum.entries += seen.entries, sum.points += seen.points, sum.hits += seen.hits;
        sum.left += seen.left, sum.images += seen.images, sum.examined += seen.examined,
            sum.skims += seen.skims;
        host_search_release(&last);
        last = now;
        act_at(&last.contacts, (uint64_t)step);
        move(bodies, &seed, most);
    }
    host_search_release(&last);
    return sum;
}
