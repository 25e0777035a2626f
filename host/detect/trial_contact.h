/* Contacts on the trial motion, which a solve has given to the bodies of a step. The rows of a contact are
 * those of the initial velocities, or of an earlier trial motion. If the solve deflects or rotates a body,
 * its contact may lie elsewhere. */
#pragma once

#include "contacts.h"

#include "trial_motion.h"

/* A step as it would end. */
typedef struct trial_motion {
    const body_array *bodies; /* at the beginning */
    body_array moving;        /* the same bodies, with displacement and rotation over h as velocities */
    const body_pose *poses;   /* at the end */
    const scalar *turned;     /* trial_turn of each body */
    scalar margin, time_step; /* with which contacts were detected */
    scalar smallest;          /* bounds_smallest_half_width */
    bool again;               /* a search over swept boxes has run since contacts were detected */
} trial_motion;

/* A contact on the trial motion. */
typedef struct trial_contact {
    manifold found; /* its gaps linearised back to the beginning of the step */
    bool at_end;    /* found at the end of the step, else at the time of impact */
} trial_contact;

/* Returns a bound on the distance of any point of a body at the end from where its velocity before the solve
 * would have led it, m. */
scalar trial_strayed(const trial_motion *trial, int slot);
/* Returns whether bodies rotate so much that a contact of the initial velocities is wrong: they overlap at
 * the end by more than its rows predict. `first`: its first entry among `contacts`. TRIAL_SLIGHT does not
 * justify another solve by itself. */
trial_news trial_contact_test(const trial_motion *trial, const contact_set *contacts, int first);
/* Returns whether a dropped contact overlaps at the end of the trial motion; false if its bodies have barely
 * strayed from their initial velocities. */
bool trial_dropped_overlaps(const trial_motion *trial, const skim *of);
/* Returns whether a contact without rows overlaps on the way or at the end. */
bool trial_meets(const trial_motion *trial, const manifold *found);
/* Returns the contact of two children at the end of the trial motion. */
trial_contact trial_contact_at_end(const trial_motion *trial, body_pair pair, int children);
/* Returns the contact of two children that had none: at the time of impact if one is a ball or they move by
 * more than their half width, else at the end. */
trial_contact trial_contact_of(const trial_motion *trial, body_pair pair, int children);
