#include "student.h"

#include <math.h>

/* Probability that |T| < t, as a finite sum over the angle atan(t/√freedom) (Abramowitz and Stegun, Handbook
 * of Mathematical Functions, 26.7.3 and 26.7.4). */
static double within(double t, int freedom) {
    const double angle = atan2(t, sqrt(freedom)), c = cos(angle), s = sin(angle);
    const int odd = freedom % 2;
    double term = odd ? s * c : s, sum = odd && freedom == 1 ? 0 : term;
    for (int k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= (k - 1.0) / k * c * c;
        sum += term;
    }
    return odd ? (angle + sum) * 2 / 3.14159265358979323846 : sum;
}

double student_quantile(double level, int freedom) {
    double low = 0, high = 1;
    while (within(high, freedom) < level && high < 1e300) high *= 2;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(within(middle, freedom) < level ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Welford's update. */
void sample_add(sample_sums *self, double value) {
    const double before = value - self->mean;
    self->mean += before / ++self->count;
    self->squares += before * (value - self->mean);
}

double sample_deviation(const sample_sums *self) {
    return self->count > 1 ? sqrt(self->squares / (self->count - 1)) : NAN;
}

double sample_confidence(const sample_sums *self) {
    if (self->count < 2) return NAN;
    return student_quantile(0.95, self->count - 1) * sample_deviation(self) / sqrt(self->count);
}
