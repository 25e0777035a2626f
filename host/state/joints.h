/* All joints of a world, indexed by place. A joint keeps its place for life; free places are reused last
 * in, first out. */
#pragma once

#include <scree/joint.h>

#include "bodies.h"

enum { JOINT_BLOCKS = 9, JOINT_GROUND = 0x7fffffff };

/* How a step holds a joint that glides (rows/joint_glide.h). */
typedef enum joint_glide_kind {
    JOINT_GLIDE_NONE,
    JOINT_GLIDE_EARLY,
    JOINT_GLIDE_LATE,
    JOINT_GLIDE_OFF /* for the rest of the step */
} joint_glide_kind;

/* State of a joint that a step changes. Impulses and pushes are listed in the order of its rows. */
typedef struct joint_state {
    vec3s impulses[JOINT_BLOCKS]; /* N s on b */
    vec3s pushes[JOINT_BLOCKS];   /* impulses of the position pass of `split`, N s */
    scalar position[SCREE_AXIS_COUNT];
    scalar targets[SCREE_AXIS_COUNT]; /* of drives at the end of the current step */
    vec3s force, torque;              /* N, N m on b in the last step */
    int periods[3]; /* from b to the image of b that the joint holds, as if neither body had crossed a
                       periodic boundary */
    int colour;     /* −1: none */
    bool broken, broke_in_last_step;
    /* During a step: axes, as bits, whose limits have rows; whether limits follow the motion of the last
     * solve. */
    unsigned char limits;
    bool resumed;
    vec3s spins[2];      /* spins of a and b for which rows are linearised, rad/s */
    unsigned char glide; /* joint_glide_kind */
    bool roped;          /* the upper limit of a distance acts for the rest of the step */
    /* Force on b of that limit, or of the joint if it glides, in the last solve, N; its arms on a and b, m */
    vec3s pull, pull_arms[2];
    vec3s push; /* impulse of the position pass on b of the same rows, N s */
    double
        unheld_energy; /* of the pair about its centre of mass without the joint, J (rows/joint_settle.h) */
} joint_state;

/* An active joint between slots a < b. JOINT_GROUND, greater than every slot, is the world. */
typedef struct joint_link {
    int a, b, joint;
    bool swapped;          /* a and b are exchanged relative to the definition */
    int first_row, blocks; /* first of its blocks among the problem's bounded rows; set on assembly */
} joint_link;

/* Links of one side of a joint in the list of its body's joints. Side numbers are 2 place + 1 for a and 2
 * place + 2 for b; 0: none. */
typedef struct joint_end {
    int next, previous;
} joint_end;

typedef struct joint_array {
    uint32_t world;
    int count, living; /* places in use, including free ones; living joints */
    int def_capacity, state_capacity, next_capacity, generation_capacity, free_capacity;
    scree_joint_def *defs;
    joint_state *states, *next; /* of the last step; of the current step */
    uint32_t *generations;      /* odd: alive */
    int free_count, *free_places;
    int side_capacity, first_capacity;
    joint_end *sides;
    int *first_side; /* head of the list of each body's slot */

    /* Active joints, sorted by (a, b, joint). joints_order rebuilds them, and the pairs that must not
     * touch, after a change. */
    bool changed;
    int link_count, link_capacity;
    joint_link *links;
} joint_array;

static inline bool joint_glide_acts(const joint_state *state) {
    return state->glide == JOINT_GLIDE_EARLY || state->glide == JOINT_GLIDE_LATE;
}

int joint_place(const joint_array *joints, scree_joint_id id);
scree_joint_id joint_id_of(const joint_array *joints, int place);
static inline bool joint_is_alive(const joint_array *joints, int place) {
    return joints->generations[place] & 1;
}
/* Reserves space for `count` joints and `slots` slots. Errors: MEMORY. */
scree_result joints_reserve(joint_array *joints, int count, int slots);
/* `slots`: number of body slots. Errors: MEMORY. */
scree_result joints_add(joint_array *joints, const scree_joint_def *def, int slots, int *place);
/* Replaces a joint's definition. Errors: MEMORY; the joint is then unchanged. */
scree_result joints_change(joint_array *joints, int place, const scree_joint_def *def, int slots);
/* Enters all joints into the lists of their bodies, after loading. */
void joints_list(joint_array *joints);
void joints_remove(joint_array *joints, int place);
/* Removes the joints of a body that is about to be destroyed, in order of their places. */
void joints_remove_of(joint_array *joints, int slot);
/* Rebuilds `links` and bodies->apart. Errors: MEMORY. */
scree_result joints_order(joint_array *joints, body_array *bodies);
/* Returns whether a joint has a body; `joints` may be null. */
static inline bool joints_hold(const joint_array *joints, int slot) {
    return joints && slot < joints->first_capacity && joints->first_side[slot] != 0;
}
/* Returns whether no other joint has a body of this one. */
static inline bool joint_is_alone(const joint_array *joints, int place) {
    const joint_end *of = &joints->sides[2 * place];
    return !of[0].next && !of[0].previous && !of[1].next && !of[1].previous;
}
/* Returns whether any active joint holds a body to the world. */
bool joints_grounded(const joint_array *joints);
/* See contacts_scale. */
void joints_scale(joint_array *joints, scalar factor);
void joints_release(joint_array *joints);
/* Returns whether a body of a joint is dynamic. The world, a null id, is not. */
bool joint_moves(const body_array *bodies, scree_body_id body);
