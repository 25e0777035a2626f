/* How deep bodies are in each other before a step, where their contacts cannot tell. */
#ifndef SCREE_COLLIDE_DEPTH_H
#define SCREE_COLLIDE_DEPTH_H

#include "contacts.h"
#include "motion_ahead.h"

/* At the end of a step: leaves no point of `contacts` with an overlap that its bodies did not have before the
 * step, as `ahead` has them. Overlaps of less than a thousandth of the smaller body's half size stay as they
 * are, and so do those that are deep beside how far the bodies move. `smallest`: no dynamic body's half size
 * is less, m. Nothing reads gaps of a step in the next one, so that no body moves otherwise. */
void depth_settle(contact_set *contacts, const motion_ahead *ahead, scalar smallest, int threads);

#endif
