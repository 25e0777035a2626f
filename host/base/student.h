/* Student's t distribution, and sums of a sample. */
#pragma once

/* Returns the t that a variable with `freedom` ≥ 1 degrees of freedom exceeds in magnitude with the
 * probability 1 − `level`, for a level between 0 and 1. */
double student_quantile(double level, int freedom);

/* Mean and spread of a sample; all zero: empty. */
typedef struct sample_sums {
    int count;
    double mean, squares; /* sum of squared distances from the mean */
} sample_sums;

void sample_add(sample_sums *self, double value);
/* Standard deviation of the population, and half width of the 95 % confidence interval of its mean; NaN for
 * fewer than two values. */
double sample_deviation(const sample_sums *self);
double sample_confidence(const sample_sums *self);
