#include "solid_moments.h"

#include <math.h>

/* Relative to the trace: smaller products of inertia are round-off, and the axes count as principal. */
static const double PRINCIPAL = 1e-6;

/* Diagonalises a symmetric matrix by Jacobi rotations; `axes` gets the eigenvectors as columns, a proper
 * rotation. */
static void diagonalise(double m[3][3], double axes[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    for (int round = 0; round < 60; round++) {
        const int p = round % 3 == 2 ? 1 : 0, q = round % 3 == 0 ? 1 : 2;
        if (fabs(m[p][q]) <= 1e-17 * (m[0][0] + m[1][1] + m[2][2])) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            const double kp = m[k][p], kq = m[k][q];
            m[k][p] = c * kp - s * kq;
            m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            const double pk = m[p][k], qk = m[q][k], ap = axes[k][p], aq = axes[k][q];
            m[p][k] = c * pk - s * qk;
            m[q][k] = s * pk + c * qk;
            axes[k][p] = c * ap - s * aq;
            axes[k][q] = s * ap + c * aq;
        }
    }
}

/* Divides by the largest of the four components. */
scree_quat solid_frame_rotation(const solid_frame *self) {
    const double(*m)[3] = self->axes;
    const double square[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                              1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    int best = 3;
    for (int i = 0; i < 3; i++)
        if (square[i] > square[best]) best = i;
    const double w = sqrt(square[best]) / 2, f = 1 / (4 * w);
    double q[4];
    q[best] = w;
    if (best == 3) {
        for (int i = 0; i < 3; i++) q[i] = (m[(i + 2) % 3][(i + 1) % 3] - m[(i + 1) % 3][(i + 2) % 3]) * f;
    } else {
        const int j = (best + 1) % 3, k = (best + 2) % 3;
        q[j] = (m[best][j] + m[j][best]) * f;
        q[k] = (m[best][k] + m[k][best]) * f;
        q[3] = (m[k][j] - m[j][k]) * f;
    }
    return (scree_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

solid_frame solid_frame_of(const solid_moments *of) {
    solid_frame out;
    double *centre = out.centre, (*axes)[3] = out.axes;
    static const int other[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* index in `second` */
    double about[3][3], inertia[3][3], off = 0;
    for (int i = 0; i < 3; i++) centre[i] = of->first[i] / of->volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[i][j] = of->second[other[i][j]] / of->volume - centre[i] * centre[j];
    const double trace = about[0][0] + about[1][1] + about[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            inertia[i][j] = (i == j ? trace : 0) - about[i][j];
            if (i != j) off = fmax(off, fabs(inertia[i][j]));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    if (off > PRINCIPAL * trace) diagonalise(inertia, axes);
    for (int i = 0; i < 3; i++) out.moments[i] = inertia[i][i];
    return out;
}

void solid_frame_shift(solid_frame *self, scree_vec3 by, int times) {
    self->centre[0] += times * (double)by.x;
    self->centre[1] += times * (double)by.y;
    self->centre[2] += times * (double)by.z;
}

void solid_frame_place(const solid_frame *self, const double point[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int j = 0; j < 3; j++) out[k] += self->axes[j][k] * (point[j] - self->centre[j]);
    }
}

scree_vec3 solid_frame_place_vec3(const solid_frame *self, scree_vec3 point) {
    const double from[3] = {(double)point.x, (double)point.y, (double)point.z};
    double out[3];
    solid_frame_place(self, from, out);
    return (scree_vec3){(float)out[0], (float)out[1], (float)out[2]};
}

/* For the simplex 0 a b c with s = a + b + c: V = det(a b c)/6, ∫ x = V s/4, and
 *
 *     ∫ x_i x_j = V/20 (s_i s_j + a_i a_j + b_i b_j + c_i c_j). */
void solid_moments_add(solid_moments *self, const double a[3], const double b[3], const double c[3]) {
    static const int axis[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6;
    double sum[3];
    self->volume += volume;
    for (int k = 0; k < 3; k++) {
        sum[k] = a[k] + b[k] + c[k];
        self->first[k] += volume * sum[k] / 4;
    }
    for (int k = 0; k < 6; k++) {
        const int i = axis[k][0], j = axis[k][1];
        self->second[k] += volume / 20 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
}
