/* Distributions of grain sizes. A size is the opening of the smallest square sieve that a grain passes: a
 * sphere's diameter, a box's middle edge. */
#pragma once

#include "base/grading.h"
#include "field.h"

typedef enum distribution_kind {
    DISTRIBUTION_CONSTANT,
    DISTRIBUTION_UNIFORM,
    DISTRIBUTION_NORMAL,     /* truncated to minimum … maximum */
    DISTRIBUTION_LOG_NORMAL, /* truncated to minimum … maximum */
    DISTRIBUTION_SIEVE,      /* classes between sieve openings; uniform within a class */
    DISTRIBUTION_DISCRETE    /* classes of one size each */
} distribution_kind;

enum { SIEVE_CLASSES_MOST = 64 };

/* The quantity of which the numbers of a table are fractions. */
typedef enum fraction_basis { FRACTION_BY_MASS, FRACTION_BY_NUMBER } fraction_basis;

typedef struct distribution {
    distribution_kind kind;
    double minimum, maximum;  /* m; equal for `constant` */
    double centre, deviation; /* normal: mean and standard deviation, m; log-normal: ln(median/m) and the
                                 standard deviation of ln(size) */
    int classes;              /* sieve, discrete */
    double lows[SIEVE_CLASSES_MOST], highs[SIEVE_CLASSES_MOST]; /* m, ascending */
    double fractions[SIEVE_CLASSES_MOST];                       /* of `basis`, in any unit */
    fraction_basis basis;
    double cumulative[SIEVE_CLASSES_MOST]; /* fraction of the number of grains up to and including each class;
                                              the last is 1 */
} distribution;

/* A number (constant) or an object with "kind". */
extern const scene_object distribution_object;
/* Returns the size (m) below which the fraction `u` in [0, 1) of all grains lies. */
double distribution_quantile(const distribution *sizes, double u);
/* Writes the classes of a sieve or discrete distribution, with zero grain counts, to `out`, which must hold
 * `sizes->classes` entries. Returns their number, 0 for other kinds. */
int distribution_classes(const distribution *sizes, grading_class *out);
/* Returns the mean of size³ (m³), by the midpoint rule over the quantiles. */
double distribution_mean_cube(const distribution *sizes);
