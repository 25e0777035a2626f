/** @file
 * Plain value types of the public interface. SI units throughout; the z axis points up. */
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A vector in world coordinates unless said otherwise. */
typedef struct scree_vec3 {
    float x, y, z;
} scree_vec3;

/** A rotation as a unit quaternion (x, y, z) sin(θ/2), w = cos(θ/2): body to world coordinates. */
typedef struct scree_quat {
    float x, y, z, w;
} scree_quat;

/** A stretch of simulated time, in steps or in seconds. Seconds stay seconds until the time step is final. */
typedef struct scree_span {
    uint64_t steps; /**< when `seconds` is 0 */
    double seconds; /**< s; above 0: in place of `steps` */
} scree_span;

/** Its whole steps: for seconds the nearest, one at least. */
SCREE_API uint64_t scree_span_get_steps(scree_span span, double time_step);

#ifdef __cplusplus
}
#endif
#endif
