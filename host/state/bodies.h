/* All bodies of a world, indexed by slot. A body keeps its slot for life. Free slots are marked SLOT_FREE,
 * have zero mass and no contacts, and are reused last in, first out. */
#pragma once

#include <scree/body.h>

#include <string.h>

#include "geometry/geometry.h"
#include "model/period.h"
#include "geometry/tiling.h"

/* Values that the caller set and that differ from those that the step uses. The array stores groups and
 * mask XORed with their defaults (body_settings_of, body_settings_set): an untouched body is all zero, and
 * memory pages that are never written take up no physical memory. */
typedef struct body_settings {
    scree_vec3 inertia;          /* kg m²; zero: derived from shape and mass */
    float mass;                  /* kg; 0: volume × density */
    scree_vec3 surface_velocity; /* m/s, body's axes */
    uint32_t groups, mask;
    uint32_t reserved; /* 0; explicit padding, so that memcmp compares no indeterminate bytes */
    uint64_t user_data;
} body_settings;
_Static_assert(sizeof(body_settings) ==
                   2 * sizeof(scree_vec3) + sizeof(float) + 3 * sizeof(uint32_t) + sizeof(uint64_t),
               "body_settings has padding");

/* Number of periods by which a body's true position differs from its wrapped one, along each axis. */
typedef struct body_cells {
    int n[3];
} body_cells;

/* Bits: world axes x, y, z, then the body's own axes that are parallel to them. */
enum { ENDLESS_WORLD = 7, ENDLESS_OWN = 3 };

enum { GROUPS_DEFAULT = 1 };
#define MASK_DEFAULT UINT32_MAX

/* Two bodies, a < b. */
typedef struct slot_pair {
    int a, b;
} slot_pair;

struct body_array;

/* A device that may have newer poses, remainders and velocities than the host's arrays (bodies_bring). All copies of
 * a body_array refer to the same one. */
typedef struct body_store {
    bool away; /* the device's are newer */
    scree_result (*bring)(void *context, const struct body_array *out); /* copies them to the arrays */
    void *context;
} body_store;

typedef struct body_array {
    uint32_t world; /* world number in the ids */
    int count;      /* slots in use, including free ones */
    int capacity;
    body_pose *poses;
    body_remainder *remainders; /* of the poses */
    body_velocity *velocities;
    body_mass *masses; /* zero mass unless dynamic */
    body_load *loads;  /* loads for the next step: constant plus applied */
    body_load *constant_loads;
    body_settings *settings;
    scree_shape *shapes;
    geometry_list geometries; /* geometries that shapes refer to, now or earlier */
    int *materials;           /* index into material_table */
    uint8_t *types;           /* slot_type */
    uint32_t *generations;
    int free_head; /* first free slot; −1: none */
    int *next_free;
    int living, dynamic; /* counts */
    int gone_count;
    int *group_numbers;     /* 1 + index of the kinematic group that moves the body; 0: none */
    body_velocity *earlier; /* velocity of a kinematic body in the previous step */
    uint8_t *gone;          /* marks slots destroyed or replaced since the contacts were last cleaned up */
    int apart_count, apart_capacity;
    slot_pair *apart; /* pairs that a joint keeps from touching; sorted */
    bool filtered;    /* whether any body ever had non-default groups or mask */
    uint64_t changes; /* incremented whenever a pose or a shape changes */
    body_store *store; /* null: the host's arrays are the only ones */
    /* Incremented whenever the host writes a pose, a remainder or a velocity; a load. What a device holds of others
     * is still the same. */
    uint64_t written, loaded;
    uint64_t kept; /* `written` when `earlier` of kinematic bodies was last set */
    bool applied; /* whether a load may differ from the constant one */
    /* Incremented whenever a body's type, shape, mass, groups or mask change, or `apart`. */
    uint64_t definitions;
    period period;
    body_cells *cells; /* cells, endless and tilings are null in worlds without periods */
    uint8_t
        *endless; /* ENDLESS_… bits of a body that joins its periodic images without a gap, such as a floor */
    tiling *tilings; /* tilings of meshes, as of the last step */
} body_array;

/* Brings poses, remainders and velocities to the host if they are on a device. Whatever reads or writes these arrays
 * between steps needs it. Errors: those of the device; they stay there. */
scree_result bodies_bring(const body_array *bodies);

/* Notes that loads were applied for the next step only. */
static inline void body_loads_applied(body_array *bodies) {
    bodies->applied = true;
    bodies->loaded++;
}

/* Stores a load only where it differs: most bodies have none, and memory pages that are never written take
 * up no physical memory. */
static inline void body_load_set(body_load *at, body_load load) {
    if (memcmp(at, &load, sizeof load)) *at = load;
}

/* Converts between stored and public form; the conversion is its own inverse. */
static inline body_settings body_settings_turned(body_settings settings) {
    settings.groups ^= GROUPS_DEFAULT;
    settings.mask ^= MASK_DEFAULT;
    return settings;
}

static inline body_settings body_settings_of(const body_array *bodies, int slot) {
    return body_settings_turned(bodies->settings[slot]);
}

/* Also updates `filtered` and `definitions`. */
void body_settings_set(body_array *bodies, int slot, body_settings settings);

/* Returns the velocity before the step, also of a kinematic body that already has the step's velocity. */
static inline body_velocity body_velocity_before(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_KINEMATIC ? bodies->earlier[slot] : bodies->velocities[slot];
}

/* Returns whether locks (scree_lock) forbid all rotation. */
static inline bool locks_forbid_turns(uint32_t locks) {
    enum { TURNS = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z };
    return (locks & TURNS) == TURNS;
}

static inline bool body_is_dynamic(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_DYNAMIC;
}

/* Returns the pose of a periodic image of a body. */
static inline body_pose body_image_pose(const body_array *bodies, int slot, int image) {
    return image ? period_pose(&bodies->period, bodies->poses[slot], image) : bodies->poses[slot];
}

/* Returns a coordinate of a point near a body as if the body had never crossed a periodic boundary, m. */
static inline double body_unwrapped(const body_array *bodies, int slot, vec3s at, int axis) {
    const double crossed = bodies->cells ? (double)bodies->cells[slot].n[axis] : 0;
    return (double)vec3_along(at, axis) + crossed * (double)vec3_along(bodies->period.length, axis);
}

/* Returns the shape that collision uses where it differs from the body's own: the tiling of a periodic
 * mesh, or a piece of an endless body that is long enough that no other body reaches its ends. */
scree_shape body_stretched(const body_array *bodies, int slot);

/* Returns the shape that other bodies touch; child indices of contacts refer to it. An endless body has no
 * images along its endless axes, since there are no edges at which images would meet. Returns the body's
 * own shape for most bodies and fills `scratch` for the rest. */
static inline const scree_shape *body_collision_shape_at(const body_array *bodies, int slot,
                                                         scree_shape *scratch) {
    const scree_shape *shape = &bodies->shapes[slot];
    if (!(shape->kind == SCREE_SHAPE_MESH && bodies->tilings) &&
        !(bodies->endless && bodies->endless[slot] >> ENDLESS_OWN))
        return shape;
    *scratch = body_stretched(bodies, slot);
    return scratch;
}

static inline scree_shape body_collision_shape(const body_array *bodies, int slot) {
    scree_shape scratch;
    return *body_collision_shape_at(bodies, slot, &scratch);
}

/* Returns the components of an image along the axes on which either body is endless. */
int body_idle_image(const body_array *bodies, int a, int b, int image);

/* Moves a body to one of its images and counts the periods. */
void body_cross(body_array *bodies, int slot, int image);

/* Returns the slot of an id, or −1 if the body is not alive or belongs to another world. */
int body_slot(const body_array *bodies, scree_body_id id);
scree_body_id body_id_of(const body_array *bodies, int slot);
/* Returns whether a joint keeps two bodies, a < b, from touching. */
bool bodies_apart(const body_array *bodies, int a, int b);
/* Returns whether groups and masks let two bodies touch. */
bool bodies_may_touch(const body_array *bodies, int a, int b);
/* Marks a slot as gone: its old contacts do not belong to the body that now occupies it. */
void body_mark_gone(body_array *bodies, int slot);
/* Returns the public type of a living slot. */
scree_body_type body_type_of(const body_array *bodies, int slot);

scree_result bodies_reserve(body_array *bodies, int needed);
void bodies_release(body_array *bodies);
