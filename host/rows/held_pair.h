/* Bodies that cohesion holds together. */
#pragma once

#include "problem_input.h"
#include "stabilisation.h"

/* Returns whether point i belongs to two balls that cohesion holds, whose contact held_pairs_follow places.
 */
bool held_pair_follows(const problem_input *from, const contact_pair *contact, int i);
/* Places the contacts of such balls between their centres, and turns normals and impulses: detection gives
 * those of the closest approach in the step, and substeps move the bodies. */
void held_pairs_follow(contact_set *contacts, const body_array *bodies, int threads);
/* Returns whether cohesion holds two bodies at the first point of a contact. */
bool held_pair_holds(const contact_set *contacts, const contact_pair *contact);
/* Takes back the angular momentum that the position pass of `split` gave to such balls and to other bound
 * bodies that both move. All impulses follow from the velocities before, and a body takes them in the order
 * of the contacts, so that no order of threads or of a device matters. `after`: poses at the end of the step;
 * `impulses`: scratch, one of each contact. */
void held_pairs_settle(const problem_input *from, const body_pose *after, int threads, vec3s *impulses,
                       body_velocity *velocities);
/* Returns whether contacts may need it. */
static inline bool held_pairs_are_settled(const problem_input *from) {
    return from->contacts->cohesive && stabilisation_has_position_pass(from->options->stabilisation);
}
