/* The arrays that hold every joint of a world, by place. A place keeps its index for a joint's whole life;
 * free places are reused last in, first out. */
#ifndef SCREE_MODEL_JOINTS_H
#define SCREE_MODEL_JOINTS_H

#include <scree/joint.h>

#include "state/bodies.h"

enum { JOINT_BLOCKS = 9, JOINT_GROUND = 0x7fffffff };

/* What a step changes of a joint. Impulses and pushes are those of its rows, in their order. */
typedef struct joint_state {
    vec3s impulses[JOINT_BLOCKS]; /* N s on b */
    vec3s pushes[JOINT_BLOCKS];   /* of the position pass of `split`, N s */
    scalar position[SCREE_AXIS_COUNT];
    vec3s force, torque; /* N, N m on b in the last step */
    int periods[3];      /* from b to the image of it that is held, if neither body had crossed a border */
    int colour;          /* −1: none */
    bool broken;
} joint_state;

/* A joint that acts, between the slots a < b; JOINT_GROUND, beyond all slots, is the world. */
typedef struct joint_link {
    int a, b, joint;
    bool swapped;  /* b of the definition is a here */
    int first_row; /* among the problem's bounded rows, by assembly */
} joint_link;

/* Of one side of a joint: its neighbours in the list of its body's joints. Sides have the number 2 place, for
 * a, or 2 place + 1, + 1; 0: none. */
typedef struct joint_end {
    int next, previous;
} joint_end;

typedef struct joint_array {
    uint32_t world;
    int count, living; /* places in use, free ones among them; joints */
    int def_capacity, state_capacity, next_capacity, generation_capacity, free_capacity;
    scree_joint_def *defs;
    joint_state *states, *next; /* of the last step; of the step that runs */
    uint32_t *generations;      /* odd: alive */
    int free_count, *free_places;
    int side_capacity, first_capacity;
    joint_end *sides;
    int *first_side; /* of each body's slot */

    /* Those that act, sorted by (a, b, joint); and the pairs that they keep from touching. Made anew by
     * joints_order after a change. */
    bool changed;
    int link_count, link_capacity, row_count;
    joint_link *links;
} joint_array;

int joint_place(const joint_array *joints, scree_joint_id id);
scree_joint_id joint_id_of(const joint_array *joints, int place);
static inline bool joint_is_alive(const joint_array *joints, int place) {
    return joints->generations[place] & 1;
}
/* Room for so many joints of so many slots. Errors: MEMORY. */
scree_result joints_reserve(joint_array *joints, int count, int slots);
/* `slots`: how many there are. Errors: MEMORY. */
scree_result joints_add(joint_array *joints, const scree_joint_def *def, int slots, int *place);
/* Gives a joint another definition. Errors: MEMORY; it is then as it was. */
scree_result joints_change(joint_array *joints, int place, const scree_joint_def *def, int slots);
/* Enters all joints into the lists of their bodies, once they have been filled in. */
void joints_list(joint_array *joints);
void joints_remove(joint_array *joints, int place);
/* Removes those of a body that is about to be destroyed, in the order of their places. */
void joints_remove_of(joint_array *joints, int slot);
/* Links, and bodies->apart. Errors: MEMORY. */
scree_result joints_order(joint_array *joints, body_array *bodies);
/* Whether something is held by the world. */
bool joints_grounded(const joint_array *joints);
/* As contacts_scale. */
void joints_scale(joint_array *joints, scalar factor);
void joints_release(joint_array *joints);

#endif
