/* Rotation matrices of quaternions in double precision. */
#pragma once

/* Fills `columns[i]` with the body's axis i in world coordinates, for a quaternion (x, y, z, w) of any length
 * but zero. */
static inline void quat_axes(double x, double y, double z, double w, double columns[3][3]) {
    const double s = 2 / (x * x + y * y + z * z + w * w);
    const double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                            {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                            {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) columns[i][k] = m[i][k];
}
