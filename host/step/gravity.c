#include "gravity.h"

#include "base/finite.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static scree_result check(const scree_gravity_key *keys, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(keys[i].time) || (i && !(keys[i].time > keys[i - 1].time)))
            return fail(SCREE_ERROR_ARGUMENT,
                        "time of key %d: %g s; must be finite and greater than that of the key before", i,
                        keys[i].time);
        TRY(finite_check(keys[i].gravity, "m/s²", "gravity of key %d", i));
    }
    return SCREE_OK;
}

scree_result gravity_set(gravity_schedule *self, const scree_gravity_key *keys, int count, double now) {
    TRY(check(keys, count));
    scree_gravity_key *const own = memory_allocate((size_t)count, sizeof *own);
    if (!own) return fail(SCREE_ERROR_MEMORY, "out of memory: %d keys of gravity", count);
    if (count > 0) memcpy(own, keys, sizeof *own * (size_t)count);
    gravity_release(self);
    *self = (gravity_schedule){count, now, own};
    return SCREE_OK;
}

static float between(float a, float b, double share) {
    return (float)((double)a + share * ((double)b - (double)a));
}

scree_vec3 gravity_at(const gravity_schedule *self, double time, scree_vec3 otherwise) {
    if (!self->count) return otherwise;
    const double since = time - self->begin;
    int next = 0;
    while (next < self->count && self->keys[next].time <= since) next++;
    if (next == 0) return self->keys[0].gravity;
    const scree_gravity_key *a = &self->keys[next - 1], *b = a + 1;
    if (next == self->count) return a->gravity;
    const double share = (since - a->time) / (b->time - a->time);
    return (scree_vec3){between(a->gravity.x, b->gravity.x, share),
                        between(a->gravity.y, b->gravity.y, share),
                        between(a->gravity.z, b->gravity.z, share)};
}

void gravity_release(gravity_schedule *self) {
    memory_release(self->keys);
    *self = (gravity_schedule){0};
}
