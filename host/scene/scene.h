/* A parsed scene: plain, checked data, together with its text for errors that only a build can detect. */
#pragma once

#include <scree/kinematic_group.h>
#include <scree/flow.h>
#include <scree/tools/measurement.h>
#include <scree/tools/grains.h>
#include <scree/joint.h>
#include <scree/tools/scene.h>

#include "distribution.h"
#include "field.h"
#include "worlds.h"

/* Limits that keep a file from requesting more than a machine has. */
enum {
    SCENE_FILE_MOST = 16 << 20,    /* bytes */
    SCENE_BODIES_MOST = 100000000, /* including generated ones */
    SCENE_MATERIALS_MOST = 1000,
    SCENE_PAIRS_MOST = 10000,
    SCENE_SHAPES_MOST = 10000,
    SCENE_CONTAINERS_MOST = 10000,
    SCENE_GENERATORS_MOST = 10000,
    SCENE_JOINTS_MOST = 1000000,
    SCENE_KINEMATIC_GROUPS_MOST = 10000,
    SCENE_MOTIONS_MOST = 100, /* per kinematic group */
    SCENE_KEYS_MOST = 1000000,
    SCENE_FLOWS_MOST = 1000,
    SCENE_MEASUREMENTS_MOST = 1000,
    SCENE_STAGES_MOST = 1000,
    SCENE_STAGE_NAME = 64,  /* bytes, with the end */
    SCENE_DEVICE_NAME = 128 /* bytes, with the end */
};

/* Lengths in m, densities in kg/m³, masses in kg and moments of inertia in kg m² within these ranges keep
 * masses, moments and their inverses inside single precision. */
#define LENGTH                                                                                               \
    { 1e-6, 1e6, false, false }
#define DENSITY                                                                                              \
    { 1e-3, 1e6, false, false }
#define MASS                                                                                                 \
    { 1e-15, 1e25, false, false }
#define INERTIA                                                                                              \
    { 1e-30, 1e36, false, false }

enum { ORIENTATION_RANDOM = 1 }; /* 0: fixed */
enum { SORT_BY_SIZE = -2, MATERIAL_DEFAULT = -1, KINEMATIC_GROUP_NONE = -1 };

typedef struct scene_material {
    const char *name; /* the key of the text */
    scree_material_def def;
    bool used; /* whether anything refers to it */
} scene_material;

typedef struct scene_pair {
    int a, b; /* index into the scene's materials, or MATERIAL_DEFAULT */
    scree_material_pair_def contact;
} scene_pair;

/* As given in the file; servo_apply turns it into force, locks and gravity scale of the body. */
typedef struct scene_servo {
    double direction[3];
    double pressure, area, force;
} scene_servo;

typedef struct scene_body {
    scree_body_def def; /* without its material */
    scene_servo servo;
    int material;  /* as in scene_pair */
    int kinematic; /* index of its kinematic group, or KINEMATIC_GROUP_NONE */
    bool absent;   /* not built until a later stage adds it */
} scene_body;

typedef enum container_kind {
    CONTAINER_BOX,
    CONTAINER_HOPPER,
    CONTAINER_DRUM,
    CONTAINER_COUNT
} container_kind;

enum { CONTAINER_SIDES_MOST = 64, CONTAINER_WALLS_MOST = CONTAINER_SIDES_MOST + 2 };

/* Boxes around a space: static, or kinematic as members of a kinematic group. */
typedef struct container {
    container_kind kind;
    int material;
    scree_quat rotation;  /* about `position` */
    double position[3];   /* box: centre of the floor's top; hopper: centre of the outlet; drum: centre, m */
    double inner_size[3]; /* box: m; hopper: [2] = height; drum: diameter, length, diameter */
    double inlet[2], outlet[2]; /* hopper: sides of the openings, m */
    double wall_thickness;      /* m */
    bool lid;
    int sides;                /* drum only */
    bool ends;                /* drum only: whether the ends are closed */
    uint32_t groups, touches; /* collision groups of the walls */
    bool absent;              /* as in scene_body */
    int kinematic;            /* as in scene_body; the walls are then kinematic */
} container;

typedef enum region_kind { REGION_BOX, REGION_CYLINDER } region_kind;

/* A region to fill. */
typedef struct region {
    region_kind kind;
    double position[3]; /* centre of the bottom, m */
    double size[2];     /* box: sides, m; cylinder: [0] = radius */
    double height;      /* m */
} region;

typedef enum generator_kind {
    GENERATOR_LATTICE,
    GENERATOR_PYRAMID,
    GENERATOR_RING,
    GENERATOR_FILL,
    GENERATOR_GRAINS
} generator_kind;

typedef struct generator {
    generator_kind kind;
    scene_body
        body; /* template of every item; position, and size and rotation where they vary, are replaced */
    int orientation;
    bool sized; /* whether `sizes` scale the body's shape */
    distribution sizes;
    int count;           /* bodies */
    double position[3];  /* lattice: centre of the bottom face; pyramid: centre of the bottom row, m; ring: of
                            the lowest, m */
    double spacing[3];   /* lattice; pyramid: [0] along the row, [2] up, m */
    double jitter[3];    /* lattice: largest displacement in each direction, m */
    int cells[3];        /* lattice */
    int rows;            /* pyramid, ring */
    int columns;         /* ring: bodies of a row */
    double radius, rise; /* ring: from the axis, and up, m */
    double first, turn;  /* ring: angle of the first body; of each row to the one below, degrees */
    region space;        /* fill */
    double solid_fraction, gap; /* fill */
    int attempts;               /* fill */
    const scree_grain *grains;  /* grains: owned by the scene; they also give the sizes */
} generator;

enum { JOINT_WORLD = -1 };

typedef struct scene_joint {
    scree_joint_def def;          /* without bodies, anchors and frames */
    int a, b;                     /* indices into the scene's list of bodies, or JOINT_WORLD */
    scree_vec3 point, point_b;    /* m, world axes; `point_b` is for distance joints */
    scree_vec3 axis, second_axis; /* x and y of the frame */
} scene_joint;

/* Bodies and containers: indices into the scene's lists. */
typedef struct scene_members {
    int body_count, container_count;
    int *bodies, *containers;
} scene_members;

/* Bodies and containers that share prescribed motions. */
typedef struct scene_kinematic_group {
    scene_members members;
    int motion_count;
    scree_motion_def *motions; /* own their keys */
} scene_kinematic_group;

typedef struct scene_inlet {
    scree_inlet_def def; /* without body, sizes and seed */
    scene_body body;
    int orientation;
    bool sized; /* whether `sizes` scale the body's shape */
    distribution sizes;
} scene_inlet;

typedef struct scene_measurement {
    scree_measurement_def def; /* without bodies; points at `name` */
    char name[SCREE_MEASUREMENT_NAME_SIZE];
    int material; /* as in scene_pair, or SORT_BY_SIZE */
    scene_members members;
} scene_measurement;

/* Limits of a quantity that ends a stage below `below` or above `above`; NaN never ends it. */
typedef struct stage_bound {
    double below, above;
} stage_bound;

/* End of a stage: at `time` or, not before `after`, when one of the other criteria is met. */
typedef struct stage_end {
    double time, after;                       /* s since the stage began */
    double rest;                              /* J/kg; 0: not used */
    uint64_t grains_at_least, grains_at_most; /* 0: not used; `grains_at_most` is used if `thins` */
    bool thins;
    int figure; /* index of the statistic; −1: none */
    stage_bound bound;
    struct {
        char name[SCREE_MEASUREMENT_NAME_SIZE], figure[96]; /* empty: none */
        int index, component; /* of the figure; resolved once all stages have been read */
        stage_bound bound;
    } measured;
} stage_end;

typedef struct scene_stage {
    char name[SCENE_STAGE_NAME];
    stage_end end;
    json_t *until;              /* the end as JSON */
    json_t *changes, *before;   /* the stage as JSON, and the scene that it changes */
    json_t *root;               /* the resulting scene */
    struct stage_origin origin; /* its pointers refer to these members */
    scree_scene *scene; /* the whole scene of this stage; NULL for the first, which is the scene itself */
} scene_stage;

struct scree_scene {
    scene_source source;
    json_t *root;   /* the text as JSON */
    bool effective; /* whether stages produced the root; `gravity_schedule` may then coexist with an inherited
                       `gravity` */
    scree_world_def world; /* world.device points to `device` or is NULL */
    char device[SCENE_DEVICE_NAME];
    scree_run_def run;
    int material_count, material_capacity;
    scene_material *materials;
    int pair_count;
    scene_pair *pairs;
    int container_count;
    container *containers;
    int body_count;
    scene_body *bodies;
    int generator_count;
    generator *generators;
    int joint_count;
    scene_joint *joints;
    int kinematic_group_count;
    scene_kinematic_group *kinematic_groups;
    int gravity_count;
    scree_gravity_key *gravity;
    int inlet_count, outlet_count;
    scene_inlet *inlets;
    scree_outlet_def *outlets;
    int measurement_count;
    scene_measurement *measurements;
    int stage_count;
    scene_stage *stages; /* none: the scene has no stages */
    scene_worlds worlds;
    int geometry_count, geometry_capacity;
    const scree_geometry **geometries; /* referenced by shapes; owned by the scene */
    json_t *warnings;                  /* about files, as keys; those of all stages */
    json_t *files;                     /* hash of the content of each file, by its name in the text */
    int table_count, table_capacity;
    scree_grains *tables; /* referenced by generators; owned by the scene */
    int64_t total;        /* number of bodies that a build makes */
};

/* The lists of a scene whose entries are built, or compared, one by one, in the order of building. */
typedef enum scene_list {
    SCENE_CONTAINERS,
    SCENE_BODIES,
    SCENE_GENERATORS,
    SCENE_JOINTS,
    SCENE_GROUPS,
    SCENE_INLETS,
    SCENE_OUTLETS,
    SCENE_MEASUREMENTS,
    SCENE_LISTS
} scene_list;
extern const char *const scene_list_keys[SCENE_LISTS];
int scene_list_count(const scree_scene *scene, scene_list list);
/* Puts the place of an entry in the file before the message of a failure; returns `result`. */
scree_result scene_entry_fail(const scree_scene *scene, scene_list list, int index, scree_result result);

/* State of the reader besides the scene: the names defined so far. */
typedef struct scene_reader {
    scree_scene *scene;
    json_t *material_index, *shape_index; /* name → index; for a shape that is being read see shape_find */
    int shape_count, shape_capacity;
    scree_shape *shapes;
} scene_reader;

/* Returns the scene that is being read. */
static inline scree_scene *scene_of(const scene_node *node) { return node->source->reader->scene; }
/* Finds the index of a name. Refuses unknown names, with a suggestion. */
scree_result scene_name_find(const scene_node *node, json_t *index, const char *what, int *out);
/* Resolves the path of a file, relative to the scene's own, in a new block. Errors: MEMORY. */
scree_result scene_path(const scene_node *file, char **out);
/* Finds the shape of that name, reading it first if necessary. */
scree_result shape_find(const scene_node *node, scree_shape *out);
/* The objects of a scene, and readers of rows that refer to them. */
extern const scene_object material_object, pair_object, container_object, body_object, generator_object,
    joint_object, kinematic_group_object, inlet_object, outlet_object, measurement_object, gravity_key_object,
    stage_object;
extern const scene_object camera_object, shape_object, rotation_object, zone_object, servo_object;
extern const scene_object template_object; /* a body without a position, for generators and inlets */
field_reader materials_read, shapes_read;  /* of the root */
field_reader shape_read;                   /* a scree_shape: an object, or the name of a shape */
field_reader rotation_read;                /* a scree_quat */
field_reader zone_read;                    /* a scree_zone */
field_reader material_find;                /* an int: the index of a named material */
field_reader groups_read;                  /* a uint32_t: bit mask */
/* Returns the fields that every solve has, and those of a stabilisation. Offsets are in scree_solver_def. */
field_table solver_fields(void);
field_table stabilisation_fields(scree_stabilisation kind);

/* Reads "solver" into a scree_solver_def. Refuses a key of another stabilisation than the one in use. */
field_reader solver_read;
/* Where `before` and `now` differ, sets `target` to the value of `now`. Another stabilisation comes with all
 * of its parameters. */
void solver_merge(const scree_solver_def *before, const scree_solver_def *now, scree_solver_def *target);
const char *orientation_name(int orientation);
/* Rows of the collision groups of a body or container. */
#define GROUP_ROWS(OWNER, GROUPS, TOUCHES)                                                                   \
    FIELD(WHOLES, "groups", OWNER, GROUPS, "collision groups that it is in; []: none", .most = 32,           \
          .range = BETWEEN(0, 31), .read = groups_read, .default_text = "[0]"),                              \
        FIELD(WHOLES, "touches", OWNER, TOUCHES,                                                             \
              "groups that it touches: two bodies collide if each is in a group that the other touches",     \
              .most = 32, .range = BETWEEN(0, 31), .read = groups_read, .default_text = "all")
/* Applies the servo to a body whose keys have been read: sets its force, locks and gravity scale. */
scree_result servo_apply(const scene_node *node, scene_body *body);
/* Reads an array of indices into the scene's bodies or containers. */
scree_result members_read(const scene_node *node, scene_list list, scene_members *out);
void scene_kinematic_group_release(scene_kinematic_group *self);
void members_release(scene_members *self);
/* Completes a span of `owner` whose rows, for steps and for seconds, have been read. Refuses both. */
scree_result span_finish(const scene_node *node, const field rows[2], void *owner);
/* Makes a joint between bodies of the scene's list. Errors: as scree_joint_create. */
scree_result joint_build(scree_world *world, const scene_joint *from, scree_body_id a, scree_body_id b);
/* orientation_about returns the rotation about an axis of any non-zero length; orientation_then returns
 * `first` followed by `second`, both about world axes. */
scree_quat orientation_about(const double axis[3], double degrees);
scree_quat orientation_then(scree_quat first, scree_quat second);
/* Makes the index-th inlet of a scene, or redefines `replaced` if that is not null. Errors: as
 * scree_inlet_create. */
scree_result inlet_build(scree_world *world, const scene_inlet *from, const scree_material_id *materials,
                         uint64_t seed, int index, scree_flow_id replaced, scree_flow_id *out);

/* Reads the stages' changes and the longest total duration, s. */
scree_result stages_read(scree_scene *scene, const scene_node *root, double *length);
/* Makes the scenes of the later stages. Call after reading the first one, so that an error shared by all
 * stages is reported for the first. */
scree_result stages_make(scree_scene *scene);
/* Checks that each stage can follow the one before it, by the rules of scree_scene_enter_stage, and that the
 * measurements that end it exist. Errors: FORMAT, MEMORY. */
scree_result stages_check(scree_scene *scene);
void stages_release(scree_scene *scene);
/* Compares stage `index` with the one before it. Errors: FORMAT (a difference that cannot change), MEMORY. */
scree_result stage_compare_scenes(const scree_scene *scene, int index);
/* Returns FORMAT if the scene has no such stage; a scene without stages counts as one stage. */
scree_result stage_check(const scree_scene *scene, int stage);
const scree_scene *scene_at_stage(const scree_scene *scene, int stage);

/* Lists of a record: for each entry of a list of the scene its id; for a container those of its walls; for an
 * inlet its id and its seed. */
typedef enum record_list {
    RECORD_BODIES,
    RECORD_WALLS,
    RECORD_GROUPS,
    RECORD_INLETS,
    RECORD_OUTLETS,
    RECORD_LISTS
} record_list;

/* The record that a world keeps of its scene, as JSON in its note. */
typedef struct record {
    json_t *json;      /* owns the other members */
    const char *name;  /* file name without its folder */
    json_t *scene;     /* the scene's root */
    json_t *files;     /* as scree_scene.files; NULL: unknown */
    json_t *materials; /* name → id, including materials of earlier stages */
    json_t *lists[RECORD_LISTS];
    json_t *generated; /* [generator, index and generation of the first item's id, count]; NULL: none */
    int stage;         /* the world's current stage */
    double stage_time; /* time at which that stage began, s */
    json_t *ended;     /* the `until` that ended it; NULL: not ended */
    uint32_t world;    /* number of the world that the record was read from, for the ids */
    bool failed;       /* memory ran out */
} record;

/* A build, or what a later stage adds to it. */
typedef struct builder {
    const scree_scene *scene;
    scree_world *world;
    uint64_t seed;
    int first[SCENE_LISTS];       /* earlier entries were built before */
    record *record;               /* of earlier stages, to which the build adds what it makes */
    scree_material_id *materials; /* by material index; an input of builder_make */
    scree_body_id *bodies;        /* bodies made so far */
    int64_t made;
} builder;

/* Builds the entries of all lists from `first` on, gives the world its measurements (measurements_give) and
 * writes the record; a NULL `changed` stands for a new scene, whose schedule of gravity is set as well. On
 * failure removes what was made. builder_release frees the arrays. Errors: as scree_scene_build. */
scree_result builder_make(builder *self, const bool *changed);
void builder_release(builder *self);
#define SCOPED_BUILDER __attribute__((cleanup(builder_release))) builder
/* Returns the material id of an index; null for MATERIAL_DEFAULT. `ids` is ordered by index. */
scree_material_id scene_material_id(const scree_material_id *ids, int index);

/* Creates a record without materials and bodies. Errors: MEMORY. */
scree_result record_make(const scree_scene *scene, const scree_world *world, record *out);
/* Reads the record of a world. Errors: FORMAT (it has none), MEMORY. */
scree_result record_read(const scree_world *world, record *out);
scree_result record_write(const record *self, scree_world *world);
void record_release(record *self);
#define SCOPED_RECORD __attribute__((cleanup(record_release))) record
/* Makes the scene of a stage from JSON. `stage` is NULL if the JSON comes from a record; `folder` determines
 * where its relative paths start. Errors: as scree_scene_parse. */
scree_result scene_make_effective(const char *name, const char *folder, json_t *root,
                                  const struct stage_origin *stage, scree_scene **out);
/* Makes the scene of a world: that of `root`, which is the file's with other numbers at the paths that `of`
 * varies. Errors: as scree_scene_parse. */
scree_result scene_make_varied(const scree_scene *of, json_t *root, scree_scene **out);
/* record_keep* store ids and others look them up; an unknown one is null. If memory runs out, record_write
 * fails. */
void record_keep(record *self, record_list list, uint32_t index, uint32_t generation);
void record_keep_material(record *self, const char *name, scree_material_id id);
/* Keeps the ids of a generator's items only if they are consecutive. */
void record_keep_generated(record *self, int number, const scree_body_id *ids, int count);
void record_keep_walls(record *self, const scree_body_id *ids, int count);
void record_keep_inlet(record *self, scree_flow_id id, uint64_t seed);
/* Stores the world's stage and the time at which it began, s. */
void record_keep_stage(record *self, int stage, double time);
/* Stores the criterion that ended the stage; NULL: not ended. */
void record_keep_end(record *self, json_t *until);
/* Replace stored ids; a null id: the body no longer exists. */
void record_replace_body(record *self, int index, scree_body_id id);
void record_replace_walls(record *self, int index, const scree_body_id *ids, int count);
scree_material_id record_material(const record *self, const char *name);
scree_body_id record_body(const record *self, int index);
int record_walls(const record *self, int index, scree_body_id out[CONTAINER_WALLS_MOST]);
scree_kinematic_group_id record_kinematic_group(const record *self, int index);
scree_flow_id record_inlet(const record *self, int index);
scree_flow_id record_outlet(const record *self, int index);
/* record_members writes the bodies of a list that exist now, at most members_most of them, and returns their
 * number: absent bodies have no id. */
int members_most(const scene_members *of);
int record_members(const record *self, const scene_members *of, scree_body_id *out);
int record_size(const record *self, record_list list);
/* Finds the bodies of a joint; returns false if one of them is absent or was removed. */
bool joint_find_bodies(const scree_scene *scene, const scree_world *world, const record *kept,
                       const scene_joint *of, scree_body_id out[2]);
/* Returns `unknown` if the record, written by an earlier version, has no seed. */
uint64_t record_inlet_seed(const record *self, int index, uint64_t unknown);

/* Gives the world the measurements of the scene. Existing ones get the bodies that exist now, by the record;
 * those flagged in `changed` (may be NULL) are redefined; missing ones are created. Errors: as
 * scree_measurement_create, with the measurement's place in the file. */
scree_result measurements_give(const scree_scene *scene, scree_world *world, const record *kept,
                               const bool *changed);

/* Adds `count` to the number of bodies. Refuses a total above SCENE_BODIES_MOST. */
scree_result scene_count_bodies(scree_scene *scene, const scene_node *node, double count);

/* Writes the walls of a container and returns their number. */
int container_walls(const container *box, scene_body out[CONTAINER_WALLS_MOST]);

typedef struct packing packing;
/* Volume of an item's shape and of the mean item (m³), and the largest radius of an item's bounding sphere
 * (m). */
double generator_volume(const generator *g, double size);
double generator_mean_volume(const generator *g);
double generator_largest_radius(const generator *g);
/* An item's size (m; the shape's own size if `sizes` do not vary it), and the radius of its bounding sphere
 * (m). */
double generator_item_size(const generator *g, uint32_t key, const packing *places, int item);
double generator_item_radius(const generator *g, double size);
double region_volume(const region *space);
double region_base(const region *space); /* m² */

/* Properties that the items of a generator determine jointly: positions in a `fill`, sizes from a table. */
struct packing {
    double *sizes;                             /* m; NULL without a table */
    grading_class classes[SIEVE_CLASSES_MOST]; /* classes of the table, as generated */
    int class_count;
    scree_vec3 *positions; /* m; NULL for other kinds */
    int placed;            /* below the generator's count if an item could not be placed */
    double volume;         /* volume of the placed items, m³ */
};

/* Places the items so that their bounding spheres do not overlap: random sequential addition, largest first.
 * Errors: MEMORY; items that could not be placed are not an error. */
scree_result packing_make(const generator *g, uint64_t seed, int index, packing *out);
/* Generates only the sizes, in random order. Errors: MEMORY. */
scree_result packing_sizes(const generator *g, uint64_t seed, int index, packing *out);
void packing_release(packing *places);
#define SCOPED_PACKING __attribute__((cleanup(packing_release))) packing

/* Returns item `item` of the index-th generator; `places` is the packing of that generator. */
scene_body generator_item(const generator *g, uint64_t seed, int index, const packing *places, int item);
