/* Linear systems of up to three unknowns in double precision. */
#pragma once

#include <math.h>

/* Solves the leading n × n part of A x = b by elimination with partial pivoting. Overwrites A, and b with x.
 * Returns 0 if A is singular. */
static inline int real_eliminate(int n, double a[3][3], double b[3]) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        if (!(fabs(a[pivot][k]) > 0)) return 0;
        for (int j = 0; j < n; j++) {
            const double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= a[k][k];
    return 1;
}
