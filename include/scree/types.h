/** @file
 * Plain value types of the public interface. All quantities are in SI units; the z axis points up. */
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

/** A vector, in world coordinates unless stated otherwise. */
typedef struct scree_vec3 {
    float x, y, z;
} scree_vec3;

/** A rotation from body to world coordinates as a unit quaternion: (x, y, z) = axis · sin(θ/2), w = cos(θ/2).
 */
typedef struct scree_quat {
    float x, y, z, w;
} scree_quat;

/** A length of simulated time, in steps or in seconds. Seconds are converted to steps only when the time step
 * is final. */
typedef struct scree_span {
    uint64_t steps; /**< used if `seconds` is 0 */
    double seconds; /**< s; used instead of `steps` if > 0 */
} scree_span;

/** Returns the length of `span` in whole steps. Seconds are rounded to the nearest step, to at least 1. */
SCREE_API uint64_t scree_span_get_steps(scree_span span, double time_step);

#ifdef __cplusplus
}
#endif
#endif
