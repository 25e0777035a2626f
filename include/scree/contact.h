/** @file
 * Contacts of the last step. */
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include <scree/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** State of a contact, derived from its impulse. */
typedef enum scree_contact_mode {
    SCREE_CONTACT_OPEN,     /**< no impulse apart from the cohesive force */
    SCREE_CONTACT_STICKING, /**< the impulse is within the friction bound of the law */
    SCREE_CONTACT_SLIDING,  /**< the impulse is on the friction bound, within 0.1 %; always if pressed without
                               friction */
    SCREE_CONTACT_MODE_COUNT
} scree_contact_mode;

/** Returns "open", "sticking" or "sliding"; null outside the range. */
SCREE_API const char *scree_contact_mode_name(scree_contact_mode mode);

/** One contact point of the last step. */
typedef struct scree_contact {
    scree_body_id a, b;
    scree_vec3 point; /**< m, midway between the surfaces */
    /** Unit, from a to b: the direction in which the gap is largest. Where edges of boxes or hulls meet, it
     * is the middle of the directions that both edges allow. */
    scree_vec3 normal;
    scree_vec3 offset;  /**< translation from b to its periodic image that touches a at `point`, m; 0 unless
                           the contact crosses a periodic boundary */
    scree_vec3 impulse; /**< N s on b, world axes; impulse / time step = mean force */
    /** Angular impulse of rolling and spinning friction on b, N m s, world axes; divided by the time step:
     * the mean torque. The moment of `impulse` is not included; its lever arm is the radius along the normal
     * for a sphere, and reaches from the centre before the step to `point` for other shapes. */
    scree_vec3 torque;
    /** Gap before the step, m, negative for an overlap, which is then at most the overlap of the bodies
     * there, within a thousandth of the smaller one's half size. If the bodies meet later in the step along
     * another normal, a positive gap is measured along that normal. */
    float gap;
    float friction;          /**< current μ of the two materials; 0 in a frame from a file */
    float restitution;       /**< current e of the two materials; 0 in a frame from a file */
    scree_contact_mode mode; /**< 0 in a frame from a file */
    /** Bias b of the normal row in the velocity pass, m/s: J V⁺ + b + compliance r_N ≥ 0, with equality if
     * r_N > 0, so −b is the least normal velocity that the row requires. c/h for an open gap; the term of the
     * stabilisation in c + slop for an overlap (0 for `split`, whose position pass removes it); less if
     * restitution requires a higher velocity. For `substep` the value of the last sweep without bias, 0 for
     * an overlap. 0 in a frame from a file. */
    float bias;
    /** Term added to A_NN, 1/kg: 1/(h (h k + d)) for `soft`, the implicit spring and damper (Smith, Open
     * Dynamics Engine: CFM/h), 1/(h max(h k, d)) for `penalty`, else 0, also in the sweep without bias of
     * `substep`. 0 in a frame from a file. */
    float compliance;
} scree_contact;

/** Returns the number of contacts of the last step. */
SCREE_API int scree_contact_count(const scree_world *world);
/** Writes up to `capacity` contacts of the last step to `out` and returns the number written. Contacts are in
 * ascending order of the slots of a, then of b, and of the periodic image. */
SCREE_API int scree_contact_list(const scree_world *world, scree_contact *out, int capacity);

/** Position in the list of contacts; zero: the first contact. Valid until the world changes. */
typedef struct scree_contact_cursor {
    int pair, point; /**< private */
} scree_contact_cursor;

/** Writes up to `capacity` contacts from the cursor on to `out`, in the order of scree_contact_list, advances
 * the cursor and returns the number written; 0 after the last contact. The points of a pair of bodies with
 * the same `offset` are consecutive. */
SCREE_API int scree_contact_read(const scree_world *world, scree_contact_cursor *cursor, scree_contact *out,
                                 int capacity);

/** Writes up to `capacity` contacts of a body in the last step to `out` (may be null if 0), in the order of
 * scree_contact_list, and returns their total number. The body may be `a` or `b` of a contact. Takes time in
 * proportion to all contacts. Errors: HANDLE (returns 0). */
SCREE_API int scree_contact_list_of_body(const scree_world *world, scree_body_id body, scree_contact *out,
                                         int capacity);

/** Two bodies. */
typedef struct scree_body_pair {
    scree_body_id a, b; /**< a has the lower index */
} scree_body_pair;

/** Enables or disables contact events: which pairs of bodies began and ceased to touch in the last step. Two
 * bodies touch in a step if any of their contact points has an impulse that is not zero, or a gap of at most
 * 0 before the step. Off by default; not stored in checkpoints and snapshots. Events are those of steps after
 * this call. Errors: MEMORY. */
SCREE_API scree_result scree_world_set_contact_events(scree_world *world, bool enabled);
/** Writes up to `capacity` pairs that touched in the last step, but not in the one before, to `out` (may be
 * null if 0), in ascending order, and returns their total number. 0 while events are disabled, before the
 * first step, and after a return to a snapshot until the next step. A step that fails leaves the lists of the
 * last one. Destroying or replacing (scree_body_set_def) a body makes no event and removes its pairs from the
 * lists. */
SCREE_API int scree_contact_list_begun(const scree_world *world, scree_body_pair *out, int capacity);
/** Writes the pairs that touched in the step before the last one, but not in the last, as
 * scree_contact_list_begun (`out` may be null if `capacity` is 0). */
SCREE_API int scree_contact_list_ended(const scree_world *world, scree_body_pair *out, int capacity);

/** Work of the contacts of a step, J: of each impulse over the mean of the velocities before and after the
 * step, at the place of the contact at the start of the step. Contacts that move over a body within the step,
 * as those of rolling bodies other than balls do, give errors of the time step, which may be negative. */
typedef struct scree_contact_work {
    double friction; /**< energy lost by friction */
    double impact;   /**< energy lost by impacts */
    double rolling;  /**< energy lost by rolling and spinning friction */
    double drive;    /**< energy supplied by static and kinematic bodies */
} scree_contact_work;

/** Returns the work of the contacts in the last step; 0 unless an observer needed it. */
SCREE_API scree_contact_work scree_world_get_contact_work(const scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
