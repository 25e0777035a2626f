/* Draws grains from size classes so that the amount of each class is always within one grain of its share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct grading_class {
    double from, to; /* sizes, m, uniform between; equal: one size */
    double share;    /* requested share, any unit; 0: no grains */
    double amount;   /* so far: sum of size³, m³, or number of grains */
    uint64_t grains; /* so far */
} grading_class;

/* Returns the size of the next grain, m, and its class, to which the grain is added. At least one share must
 * be above 0. With shares fₖ, amounts Mₖ and amounts mₖ of their next grains, the class with the least level
 * (Mₖ + mₖ)/fₖ is next. Then all grains up to that level V and no others have been drawn, so that fₖ V − mₖ <
 * Mₖ ≤ fₖ V in every class. Equal seeds give equal grains. */
double grading_next(grading_class *classes, int count, bool by_number, uint64_t seed, int *which);

/* Returns the level V after the last grain: the requested amount of a class is its share times V. */
double grading_level(const grading_class *classes, int count);
