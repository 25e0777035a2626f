/* State of a world as tables of plain rows, between the world and its storage (scree/state.h). */
#pragma once

#include "step/world.h"

#include <scree/state.h>

/* Parameters of any stabilisation; those that the one in use does not have are 0. */
typedef struct stabilisation_columns {
    float error_reduction, stiffness, damping, relaxation_time, damping_ratio;
    float contact_frequency, contact_damping_ratio, correction_speed, position_tolerance;
    int32_t substeps, position_iterations;
    uint8_t position_follows;
} stabilisation_columns;

/* Scalars of the world. Backend, device and threads belong to the run and are not part of the state. */
typedef struct world_row {
    scree_world_def def; /* without the parameters of its stabilisation */
    stabilisation_columns stabilisation;
    uint64_t steps, steps_before; /* steps made; steps made when the time step last changed */
    double time_before;           /* time at steps_before, s */
    double gravity_begin;         /* start of the gravity schedule, s */
    int32_t free_head;
} world_row;

/* One material, including destroyed ones. */
typedef struct material_row {
    scree_material_def def;
    uint32_t generation;
} material_row;

/* One slot, including free ones. */
typedef struct slot_row {
    body_pose pose;
    body_remainder remainder;
    body_velocity velocity, earlier;
    body_mass mass;
    body_load load, constant_load;
    body_settings settings;
    scree_shape shape;
    int32_t geometry; /* 1 + its place in the geometry table; 0: none */
    int32_t material;
    uint8_t type;
    uint32_t generation;
    int32_t next_free;
    body_cells cells;
} slot_row;

/* One pair of the contact cache. The points of all pairs follow one another in the table of points. */
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

/* One place of a joint, including free ones. Its six axes are consecutive in their own table. */
typedef struct joint_row {
    scree_joint_def def;
    joint_state state;
    uint32_t generation;
    int32_t free_rank; /* index in the stack of free places, the last of which is reused first; −1: in use */
    uint8_t collide, broken;
} joint_row;

/* One place of a kinematic group, including free ones. Bodies, motions and keys are consecutive in their own
 * tables. */
typedef struct kinematic_group_row {
    uint32_t generation;
    double begin;
    int32_t bodies, motions;
} kinematic_group_row;

typedef struct carried_row {
    int32_t slot;
    body_pose from;
} carried_row;

/* One place of an inlet or an outlet, including free ones. The sizes of inlets are consecutive in their
 * own table. */
typedef struct flow_row {
    flow_item item;
    uint8_t is_inlet, waiting, random_rotation, inlet_closed, outside, stops, outlet_closed;
    int32_t geometry; /* as in slot_row */
} flow_row;

typedef struct state_rows {
    world_row world;
    int note_length;
    char *note; /* zero-terminated */
    int material_count, material_pair_count, slot_count, pair_count, point_count, joint_count, axis_count;
    int kinematic_group_count, carried_count, motion_count, key_count, gravity_count, flow_count, size_count;
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
} state_rows;

/* A table whose rows are an array of state_rows. */
typedef struct state_table {
    scree_table table;
    size_t count, rows; /* offsets of the number of rows and of the array in state_rows */
    scree_rows make;    /* produces the rows from a state_maker; null: they are in memory */
} state_table;

enum { STATE_TABLES = 15 };
extern const scree_table state_world_table; /* of the only row */
extern const state_table state_tables[STATE_TABLES];

int *state_table_count(const state_table *table, state_rows *rows);
void *state_table_rows(const state_table *table, const state_rows *rows);

/* Allocates the arrays for the counts that the caller has set. Errors: MEMORY. */
scree_result state_rows_reserve(state_rows *self);
void state_rows_release(state_rows *self);

/* Copies a world's state. Bodies and contacts, which may be large, are counted only. Errors: MEMORY. */
scree_result state_rows_take(const scree_world *world, state_rows *out);

/* Makes the rows of bodies and contacts, too. Call after state_rows_take. Errors: MEMORY. */
scree_result state_rows_make(const scree_world *world, state_rows *self);

/* Source of the rows of bodies and contacts. */
typedef struct state_maker {
    const scree_world *world;
    const contact_set *contacts;
    int pair, point; /* next pair or point to be written */
} state_maker;

void state_make_slots(void *maker, size_t first, size_t count, void *rows);
void state_make_pairs(void *maker, size_t first, size_t count, void *rows);
void state_make_points(void *maker, size_t first, size_t count, void *rows);

/* Sets the shapes' pointers to geometries, after checking their indices. Errors: FORMAT. */
scree_result state_rows_link(state_rows *self);

/* Checks that a world can be built from the state: every index, count and number is in range. Errors:
 * FORMAT (with a message), MEMORY. */
scree_result state_rows_validate(const state_rows *self);

/* Creates a world from a valid state; backend, pipeline, device, group, threads and profile are those of `runtime`.
 * Errors: those of scree_world_create; FORMAT. */
scree_result state_rows_give(const state_rows *self, const scree_world_def *runtime, scree_world **out);

/* Returns from the calling function with FORMAT if a stored value is wrong. */
#define REFUSE(condition, ...)                                                                               \
    do {                                                                                                     \
        if (condition) return fail(SCREE_ERROR_FORMAT, __VA_ARGS__);                                         \
    } while (0)

/* Creates an empty world with the settings of a valid state; `runtime` as in state_rows_give. Errors: those
 * of scree_world_create. */
scree_result state_rows_create(const state_rows *self, const scree_world_def *runtime, scree_world **out);
/* Fills a world of state_rows_create. On error the world may only be destroyed. Errors: FORMAT, MEMORY. */
scree_result state_rows_fill(const state_rows *self, scree_world *world);

/* Turns the ARGUMENT of a public check into FORMAT. */
scree_result state_refused(scree_result result, const char *what, int i);
