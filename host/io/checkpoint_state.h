/* What a checkpoint holds, as tables of plain rows between a world and a file. */
#ifndef SCREE_IO_CHECKPOINT_STATE_H
#define SCREE_IO_CHECKPOINT_STATE_H

#include "step/world.h"

/* The world's numbers. Backend, device and threads are a matter of the run, not of the state. */
typedef struct world_row {
    scree_world_def def;
    uint64_t steps, steps_before; /* made; made when the time step changed last */
    double time_before;           /* then, s */
    double gravity_begin;         /* of the schedule's time, s */
    int32_t free_head;
    feasible_memory feasible;
    uint8_t feasible_proven;
} world_row;

/* One material, destroyed ones included. */
typedef struct material_row {
    scree_material_def def;
    uint32_t generation;
} material_row;

/* One slot, free ones included. */
typedef struct slot_row {
    body_pose pose;
    body_velocity velocity, earlier;
    body_mass mass;
    body_load load, constant_load;
    body_settings settings;
    scree_shape shape;
    int32_t geometry; /* 1 + its place in the table; 0: none */
    int32_t material;
    uint8_t type;
    uint32_t generation;
    int32_t next_free;
    body_cells cells;
} slot_row;

/* One pair of the contact cache; its points follow one another in the table of points. */
typedef struct pair_row {
    int32_t a, b, count, colour, hits, part, image, predicted;
    vec3s normal;
} pair_row;

typedef struct point_row {
    vec3s position;
    scalar gap;
    uint32_t feature;
    vec3s impulse, torque;
    scalar pull, push, bias, compliance;
} point_row;

/* One place of a joint, free ones included; its axes are in a table of their own, six in a row. */
typedef struct joint_row {
    scree_joint_def def;
    joint_state state;
    uint32_t generation;
    int32_t free_rank; /* in the order in which free places are given out again, last first; −1: in use */
    uint8_t collide, broken;
} joint_row;

/* One place of an assembly, free ones included. Its bodies and motions, and the keys of each motion, follow
 * one another in tables of their own. */
typedef struct kinematic_group_row {
    uint32_t generation;
    double begin;
    int32_t bodies, motions;
} kinematic_group_row;

typedef struct carried_row {
    int32_t slot;
    body_pose from;
} carried_row;

/* One place of an inlet or an outlet, free ones included; the sizes of inlets follow one another in a table
 * of their own. */
typedef struct flow_row {
    flow_item item;
    uint8_t is_inlet, waiting, random_rotation, inlet_closed, outside, stops, outlet_closed;
    int32_t geometry; /* as of slots */
} flow_row;

/* One place of a gauge, free ones included; bodies and values of all follow one another in tables of their
 * own. */
typedef struct measurement_row {
    measurement item;
    uint8_t everywhere, paused;
} measurement_row;

typedef struct checkpoint_state {
    world_row world;
    int note_length;
    char *note; /* with a zero behind its end */
    int material_count, material_pair_count, slot_count, pair_count, point_count, joint_count, axis_count;
    int kinematic_group_count, carried_count, motion_count, key_count, gravity_count, flow_count, size_count;
    int measurement_count, measurement_body_count, measurement_value_count;
    material_row *materials;
    material_pair *material_pairs;
    slot_row *slots;
    pair_row *pairs;
    point_row *points;
    joint_row *joints;
    scree_joint_axis *axes;
    kinematic_group_row *kinematic_groups;
    carried_row *carried;
    scree_motion_def *motions;
    scree_motion_key *keys;
    scree_gravity_key *gravity;
    flow_row *flows;
    float *sizes;
    geometry_list geometries;
    measurement_row *measurements;
    scree_body_id *measurement_bodies;
    double *measurement_values;
} checkpoint_state;

/* Gives a state with its counts filled in its arrays. Errors: MEMORY. */
scree_result checkpoint_state_reserve(checkpoint_state *self);
void checkpoint_state_release(checkpoint_state *self);

/* Copies a world's state but for bodies and contacts, of which there may be many. Errors: MEMORY. */
scree_result checkpoint_state_take(const scree_world *world, checkpoint_state *out);

/* Those, as hdf5_write_made wants them: slots of a scree_world, pairs of a contact_set, and its points, which
 * are asked for one after the other. */
typedef struct checkpoint_points {
    const contact_set *contacts;
    int pair, point; /* the next one */
} checkpoint_points;

void checkpoint_make_slots(void *world, size_t first, size_t count, void *rows);
void checkpoint_make_pairs(void *contacts, size_t first, size_t count, void *rows);
void checkpoint_make_points(void *points, size_t first, size_t count, void *rows);

/* Whether shapes refer to geometries that are there, which they then do. Errors: FORMAT. */
scree_result checkpoint_state_link(checkpoint_state *self);

/* Whether a world can be made of it: every index, count and number in range. Errors: FORMAT with a sentence;
 * MEMORY. */
scree_result checkpoint_state_validate(const checkpoint_state *self);

/* Makes a world of a valid state; backend, device and threads are those of `runtime`. Errors: those of
 * scree_world_create. */
scree_result checkpoint_state_give(const checkpoint_state *self, const scree_world_def *runtime,
                                   scree_world **out);

#endif
