/* Grains by size classes, one after the other, so that the amount of each class is always within one grain of
 * what was asked of it. */
#ifndef SCREE_BASE_GRADING_H
#define SCREE_BASE_GRADING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct grading_class {
    double from, to; /* sizes, m, even between; equal: one size */
    double share;    /* > 0 of what is asked, in any unit; 0: none */
    double amount;   /* so far: the sum of size³, m³, or the number of grains */
    uint64_t grains; /* so far */
} grading_class;

/* The size of the next grain, m, and its class, which it is added to. Some share is above 0. With shares fₖ,
 * amounts Mₖ and the amounts mₖ of their next grains the class with the least (Mₖ + mₖ)/fₖ is next: after it
 * all grains up to that level V have come and no others, so that fₖ V − mₖ < Mₖ ≤ fₖ V in every class. Equal
 * seeds give equal grains. */
double grading_next(grading_class *classes, int count, bool by_number, uint64_t seed, int *which);

/* That level after the last grain: what was asked of a class is its share times this. */
double grading_level(const grading_class *classes, int count);

#endif
