/* The arrays that hold every body of a world, indexed by slot. A slot keeps its index for a body's whole
 * life; free slots are marked SLOT_FREE, have zero mass and no contacts, and are reused last in, first out.
 */
#ifndef SCREE_STATE_BODIES_H
#define SCREE_STATE_BODIES_H

#include <scree/body.h>

#include <string.h>

#include "geometry/geometry.h"
#include "model/period.h"
#include "geometry/tiling.h"

typedef enum slot_type { SLOT_FREE, SLOT_STATIC, SLOT_KINEMATIC, SLOT_DYNAMIC } slot_type;

/* What the caller gave a body, where that is not what the step works with. The array holds groups and mask as
 * they differ from those that most bodies have, so that it is zero where nothing was given, and memory that
 * nobody has written to takes no room: body_settings_of and body_settings_set. */
typedef struct body_settings {
    scree_vec3 inertia;          /* kg m²; zero: follows from shape and mass */
    float mass;                  /* kg; 0: volume × density */
    scree_vec3 surface_velocity; /* m/s, body's axes */
    uint32_t groups, mask;
    uint32_t reserved; /* 0, in place of padding, whose bytes nobody sets and memcmp compares */
    uint64_t user_data;
} body_settings;
_Static_assert(sizeof(body_settings) ==
                   2 * sizeof(scree_vec3) + sizeof(float) + 3 * sizeof(uint32_t) + sizeof(uint64_t),
               "body_settings has padding");

/* How many periods a body is away from where it stands, along each axis. */
typedef struct body_cells {
    int n[3];
} body_cells;

/* Bits: world axes x, y, z, and the body's own axes that lie along them. */
enum { ENDLESS_WORLD = 7, ENDLESS_OWN = 3 };

enum { GROUPS_DEFAULT = 1 };
#define MASK_DEFAULT UINT32_MAX

/* Two bodies, a < b. */
typedef struct slot_pair {
    int a, b;
} slot_pair;

typedef struct body_array {
    uint32_t world; /* number that the ids carry */
    int count;      /* slots in use, free ones among them */
    int capacity;
    body_pose *poses;
    body_velocity *velocities;
    body_mass *masses; /* zero mass unless dynamic */
    body_load *loads;  /* of the next step: the constant ones and what was applied */
    body_load *constant_loads;
    body_settings *settings;
    scree_shape *shapes;
    geometry_list geometries; /* that shapes refer to or did */
    int *materials;           /* index into material_table */
    uint8_t *types;           /* slot_type */
    uint32_t *generations;
    int free_head; /* first free slot, −1: none */
    int *next_free;
    int living, dynamic; /* counts */
    int gone_count;
    int *carriers;          /* place of the assembly that moves a body, + 1; 0: none */
    body_velocity *earlier; /* of a kinematic body, that which it had in the step before */
    uint8_t *gone; /* marks those that were destroyed or replaced since the last contacts were sorted out */
    int apart_count, apart_capacity;
    slot_pair *apart; /* those that do not touch, since a joint holds them; sorted */
    bool filtered;    /* whether some body ever was in other groups than all are, or touched not all */
    uint64_t changes; /* counted up whenever a pose or a shape changes */
    period period;
    body_cells *cells; /* null where nothing is periodic, likewise the next */
    uint8_t *endless; /* ENDLESS_… of a body that its images continue without a gap, as those of a floor do */
    tiling *tilings; /* of meshes among these, as of the last step */
} body_array;

/* Writes it where another one stands: most bodies have none, and memory that nobody has written to is zero
 * and takes no room. */
static inline void body_load_set(body_load *at, body_load load) {
    if (memcmp(at, &load, sizeof load)) *at = load;
}

/* From what is kept to what was given, and back. */
static inline body_settings body_settings_turned(body_settings settings) {
    settings.groups ^= GROUPS_DEFAULT, settings.mask ^= MASK_DEFAULT;
    return settings;
}

static inline body_settings body_settings_of(const body_array *bodies, int slot) {
    return body_settings_turned(bodies->settings[slot]);
}

/* Takes notice of the groups, too. */
void body_settings_set(body_array *bodies, int slot, body_settings settings);

/* Before the step, also of a body that an assembly or the caller has given the step's velocity. */
static inline body_velocity body_velocity_before(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_KINEMATIC ? bodies->earlier[slot] : bodies->velocities[slot];
}

/* Whether locks (scree_lock) leave a body no rotation. */
static inline bool locks_forbid_turns(uint32_t locks) {
    enum { TURNS = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z };
    return (locks & TURNS) == TURNS;
}

static inline bool body_is_dynamic(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_DYNAMIC;
}

/* Where the image of a body stands. */
static inline body_pose body_image_pose(const body_array *bodies, int slot, int image) {
    return image ? period_pose(&bodies->period, bodies->poses[slot], image) : bodies->poses[slot];
}

/* A coordinate of a point near a body, as if it had never crossed the border of a cell, m. */
static inline double body_unwrapped(const body_array *bodies, int slot, vec3s at, int axis) {
    const double crossed = bodies->cells ? (double)bodies->cells[slot].n[axis] : 0;
    return (double)vec3_along(at, axis) + crossed * (double)vec3_along(bodies->period.length, axis);
}

/* What others touch of a body of which a piece is taken for the whole: of one without end a piece so long
 * that none comes to the end of it. */
scree_shape body_stretched(const body_array *bodies, int slot);

/* What others touch of a body, and what parts of it are counted in. One without end has no images along these
 * axes, since no edge is where they meet. That of most bodies is where it stands; `room` is for the others.
 */
static inline const scree_shape *body_touched_at(const body_array *bodies, int slot, scree_shape *scratch) {
    const scree_shape *shape = &bodies->shapes[slot];
    if (!(shape->kind == SCREE_SHAPE_MESH && bodies->tilings) &&
        !(bodies->endless && bodies->endless[slot] >> ENDLESS_OWN))
        return shape;
    *scratch = body_stretched(bodies, slot);
    return scratch;
}

static inline scree_shape body_touched(const body_array *bodies, int slot) {
    scree_shape scratch;
    return *body_touched_at(bodies, slot, &scratch);
}

/* The part of an image that lies along the axes on which one of two bodies has none. */
int body_idle_image(const body_array *bodies, int a, int b, int image);

/* Puts a body where an image of it stands, and counts that. */
void body_cross(body_array *bodies, int slot, int image);

/* The slot behind an id, or −1 if the body is not alive or of another world. */
int body_slot(const body_array *bodies, scree_body_id id);
scree_body_id body_id_of(const body_array *bodies, int slot);
/* Whether two bodies, a < b, are kept from touching. */
bool bodies_apart(const body_array *bodies, int a, int b);
/* Whether the groups of two bodies let them touch. */
bool bodies_may_touch(const body_array *bodies, int a, int b);
/* Marks a slot as gone: its contacts are none of the body's that is there now. */
void body_mark_gone(body_array *bodies, int slot);
/* The public type of a living slot. */
scree_body_type body_type_of(const body_array *bodies, int slot);

scree_result bodies_reserve(body_array *bodies, int capacity);
void bodies_release(body_array *bodies);

#endif
