#include "grading.h"

#include "noise.h"

#include <math.h>

/* Returns the size of the next grain of a class, m. */
static double next_size(const grading_class *self, int index, uint64_t seed) {
    const uint32_t key = noise_key(seed, (uint32_t)index + 1, (uint32_t)(self->grains >> 32) + 1);
    return self->from +
           (self->to - self->from) * (noise_unit(key, (uint32_t)self->grains, NOISE_SIZE) + 0x1p-25);
}

double grading_next(grading_class *classes, int count, bool by_number, uint64_t seed, int *which) {
    double least = INFINITY, size = 0, amount = 0;
    *which = 0;
    for (int i = 0; i < count; i++) {
        if (!(classes[i].share > 0)) continue;
        const double next = next_size(&classes[i], i, seed), more = by_number ? 1 : next * next * next,
                     level = (classes[i].amount + more) / classes[i].share;
        if (level < least) {
            least = level;
            *which = i;
            size = next;
            amount = more;
        }
    }
    classes[*which].amount += amount;
    classes[*which].grains++;
    return size;
}

double grading_level(const grading_class *classes, int count) {
    double level = 0;
    for (int i = 0; i < count; i++)
        if (classes[i].share > 0) level = fmax(level, classes[i].amount / classes[i].share);
    return level;
}
