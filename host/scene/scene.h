/* A scene once read: plain data, checked, and the text that it came from, for errors that only a build can
 * find. */
#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include <scree/kinematic_group.h>
#include <scree/flow.h>
#include <scree/measurement.h>
#include <scree/tools/grains.h>
#include <scree/joint.h>
#include <scree/tools/scene.h>

#include "distribution.h"
#include "field.h"
#include "source_position.h"

/* Limits that keep a file from asking for more than a machine has. */
enum {
    SCENE_FILE_MOST = 16 << 20,    /* bytes */
    SCENE_BODIES_MOST = 100000000, /* generated ones included */
    SCENE_MATERIALS_MOST = 1000,
    SCENE_PAIRS_MOST = 10000,
    SCENE_SHAPES_MOST = 10000,
    SCENE_CONTAINERS_MOST = 10000,
    SCENE_GENERATORS_MOST = 10000,
    SCENE_JOINTS_MOST = 1000000,
    SCENE_KINEMATIC_GROUPS_MOST = 10000,
    SCENE_MOTIONS_MOST = 100, /* of an assembly */
    SCENE_KEYS_MOST = 1000000,
    SCENE_FLOWS_MOST = 1000,
    SCENE_MEASUREMENTS_MOST = 1000,
    SCENE_STAGES_MOST = 1000
};

/* Lengths in m, densities in kg/m³, masses in kg and moments of inertia in kg m² within these keep masses,
 * moments and their inverses inside single precision. */
#define LENGTH                                                                                               \
    { 1e-6, 1e6, false, false }
#define DENSITY                                                                                              \
    { 1e-3, 1e6, false, false }
#define MASS                                                                                                 \
    { 1e-15, 1e25, false, false }
#define INERTIA                                                                                              \
    { 1e-30, 1e36, false, false }

enum { SORT_BY_SIZE = -2, MATERIAL_DEFAULT = -1, KINEMATIC_GROUP_NONE = -1 };

typedef struct scene_pair {
    int a, b; /* index into the scene's materials, or MATERIAL_DEFAULT */
    scree_material_pair_def contact;
} scene_pair;

typedef struct scene_body {
    scree_body_def def; /* without its material */
    int material;       /* as in scene_pair */
    int kinematic;      /* index of the one that it is in, or KINEMATIC_GROUP_NONE */
    bool absent;        /* whether it is left out, until a later stage */
} scene_body;

typedef enum container_kind {
    CONTAINER_BOX,
    CONTAINER_HOPPER,
    CONTAINER_DRUM,
    CONTAINER_COUNT
} container_kind;

enum { CONTAINER_SIDES_MOST = 64, CONTAINER_WALLS_MOST = CONTAINER_SIDES_MOST + 2 };

/* Static boxes around a space. */
typedef struct container {
    container_kind kind;
    int material;
    scree_quat rotation;  /* about `position` */
    double position[3];   /* box: centre of the floor's top; hopper: centre of the outlet; drum: centre, m */
    double inner_size[3]; /* box: m; hopper: [2] = height; drum: diameter, length, diameter */
    double inlet[2], outlet[2]; /* hopper: sides of the openings, m */
    double wall_thickness;      /* m */
    bool lid;
    int sides;                /* drum */
    bool ends;                /* drum: whether it is closed */
    uint32_t groups, touches; /* of the walls */
    bool absent;              /* as in scene_body */
    int kinematic;            /* as in scene_body: its walls are kinematic then */
} container;

typedef enum region_kind { REGION_BOX, REGION_CYLINDER } region_kind;

/* Space to fill. */
typedef struct region {
    region_kind kind;
    double position[3]; /* centre of the bottom, m */
    double size[2];     /* box: sides, m; cylinder: [0] = radius */
    double height;      /* m */
} region;

typedef enum generator_kind {
    GENERATOR_LATTICE,
    GENERATOR_PYRAMID,
    GENERATOR_FILL,
    GENERATOR_GRAINS
} generator_kind;

typedef struct generator {
    generator_kind kind;
    scene_body body; /* of every item; position, and size and rotation where they vary, are replaced */
    bool random_orientation;
    bool sized; /* whether `sizes` scale the body's shape */
    distribution sizes;
    int count;                  /* bodies */
    double position[3];         /* lattice: centre of the bottom face; pyramid: centre of the bottom row, m */
    double spacing[3];          /* lattice; pyramid: [0] along the row, [2] up, m */
    double jitter[3];           /* lattice: largest shift each way, m */
    int cells[3];               /* lattice */
    int rows;                   /* pyramid */
    region space;               /* fill */
    double solid_fraction, gap; /* fill */
    int attempts;               /* fill */
    const scree_grain *grains;  /* grains: the scene's; sizes are theirs */
} generator;

enum { JOINT_WORLD = -1 };

typedef struct scene_joint {
    scree_joint_def def;          /* without bodies, anchors and frames */
    int a, b;                     /* places in the scene's list of bodies, or JOINT_WORLD */
    scree_vec3 point, point_b;    /* m, world axes; the second of a distance */
    scree_vec3 axis, second_axis; /* x and y of the frame */
} scene_joint;

/* What moves together, and how. */
typedef struct scene_kinematic_group {
    int body_count, body_capacity, container_count, container_capacity;
    int *bodies, *containers; /* places in the scene's lists */
    int motion_count, motion_capacity, key_count, key_capacity;
    scree_motion_def *motions; /* their keys point into `keys` */
    scree_motion_key *keys;
} scene_kinematic_group;

typedef struct scene_inlet {
    scree_inlet_def def; /* without body, sizes and seed */
    scene_body body;
    bool sized; /* whether `sizes` scale the body's shape */
    distribution sizes;
} scene_inlet;

/* A gauge, and places in the scene's lists of what it looks at. */
typedef struct scene_measurement {
    scree_measurement_def def; /* without name and bodies */
    char name[SCREE_MEASUREMENT_NAME_SIZE];
    int material; /* as in scene_pair, or SORT_BY_SIZE */
    int body_count, body_capacity, container_count, container_capacity;
    int *bodies, *containers;
} scene_measurement;

/* What a figure is below or above when a stage ends by it; NaN is neither. */
typedef struct stage_bound {
    double below, above;
} stage_bound;

/* When a stage ends: at its time, or, not before `after`, when one of the others is met. */
typedef struct stage_end {
    double time, after;                       /* s since its beginning */
    double rest;                              /* J/kg; 0: not asked */
    uint64_t grains_at_least, grains_at_most; /* 0: not asked; asked if `thins` */
    bool thins;
    int quantity; /* −1: none */
    stage_bound bound;
    struct {
        char name[SCREE_MEASUREMENT_NAME_SIZE], column[96]; /* empty: none */
        int quantity, part;                                 /* found when all stages have been read */
        stage_bound bound;
    } measured;
} stage_end;

typedef struct scene_stage {
    char name[64];
    stage_end end;
    json_t *until;              /* the end as the file has it */
    json_t *changes, *before;   /* the stage as the file has it, and the scene that it changes */
    json_t *root;               /* the scene that it makes of that */
    struct stage_origin origin; /* points at these */
    scree_scene *scene;         /* the whole scene as it is then; null: the first one's is the scene itself */
} scene_stage;

struct scree_scene {
    scene_source source;
    json_t *root;          /* the text as JSON */
    bool effective;        /* whether stages made it, so that a later key may follow upon one of the base */
    scree_world_def world; /* world.device points at `device` or is null */
    char *device;
    scree_run_def run;
    int material_count, material_capacity;
    scree_material_def *materials;
    bool *materials_used; /* whether something names it */
    int pair_count, pair_capacity;
    scene_pair *pairs;
    int container_count, container_capacity;
    container *containers;
    int body_count, body_capacity;
    scene_body *bodies;
    int generator_count, generator_capacity;
    generator *generators;
    int joint_count, joint_capacity;
    scene_joint *joints;
    int kinematic_group_count, kinematic_group_capacity;
    scene_kinematic_group *kinematic_groups;
    int gravity_count, gravity_capacity;
    scree_gravity_key *gravity;
    int inlet_count, inlet_capacity, outlet_count, outlet_capacity;
    scene_inlet *inlets;
    scree_outlet_def *outlets;
    int measurement_count, measurement_capacity;
    scene_measurement *measurements;
    int stage_count, stage_capacity;
    scene_stage *stages; /* none: the scene is one */
    int geometry_count, geometry_capacity;
    const scree_geometry **geometries; /* that shapes refer to; the scene's */
    json_t *files;                     /* by the name that the text gives each: a hash of what is in it */
    int table_count, table_capacity;
    scree_grains *tables; /* that generators refer to; the scene's */
    int64_t total;        /* bodies that a build makes */
};

/* What reading needs beside the scene: the names given so far. */
typedef struct scene_reader {
    scree_scene *scene;
    json_t *material_index, *shape_index; /* name → index; a shape's while it is read: see shape_find */
    int shape_count, shape_capacity;
    scree_shape *shapes;
    bool lengths_given; /* whether shapes must state their lengths; a generator's sizes stand in for them */
} scene_reader;

/* Readers (field_reader); `context` is a scene_reader. */
/* The index behind a name, or a refusal that suggests one. */
scree_result scene_name_find(const scene_node *node, json_t *index, const char *what, int *out);
/* A path as the scene's file sees it, in a new block; null without memory. */
char *scene_path(scree_scene *scene, const char *path);
/* The shape of that name, read now if its turn had not come. */
scree_result shape_find(const scene_node *node, scree_shape *out, scene_reader *reader);
field_reader shape_read;    /* a scree_shape: an object, or the name of one */
field_reader material_find; /* an int: the name of a material to its index */
field_reader groups_read;   /* a uint32_t: bits */
field_reader rotation_read; /* a scree_quat */
/* The servo of a body that has been read else: its force, locks and weight; servo_read leaves it to that. */
scree_result servo_apply(const scene_node *body, scree_body_def *def);
field_reader servo_read;
field_reader body_read;                                /* a scene_body, from its defaults */
field_reader body_template_read;                       /* the same for a generator: without a position */
field_reader container_read;                           /* a container */
field_reader generator_read;                           /* a generator */
field_reader joint_read;                               /* a scene_joint */
field_reader joints_read;                              /* the root's list of them */
field_reader kinematic_groups_read, gravity_keys_read; /* likewise */
field_reader inlets_read, outlets_read;                /* likewise */
field_reader measurements_read;                        /* likewise */
field_reader zone_read;                                /* a scree_zone */
/* A list of entries of one of the scene's lists, which has `count`, by their places. */
scree_result members_read(const scene_node *node, int count, const char *list, int **out, int *out_count,
                          int *capacity);
void scene_kinematic_group_release(scene_kinematic_group *self);
void scene_measurement_release(scene_measurement *self);
/* Refuses a span that is stated both ways; `seen` has a bit for each of the two rows. */
scree_result span_check(const scene_node *node, const field rows[2], uint64_t seen);
/* Makes a joint of the bodies in the scene's list. Errors: as scree_joint_create. */
scree_result joint_build(scree_world *world, const scene_joint *from, scree_body_id a, scree_body_id b);
/* The rotation about an axis of any length but zero, and one rotation followed by another, both about world
 * axes. */
/* "fixed" or "random" into a bool: whether it is random. */
scree_result orientation_read(const scene_node *node, void *target, void *context);
scree_quat orientation_about(const double axis[3], double degrees);
scree_quat orientation_then(scree_quat first, scree_quat second);
/* Makes the index-th inlet of a scene, or gives a known one, which is not null, that definition. Errors: as
 * scree_inlet_create. */
scree_result inlet_build(scree_world *world, const scene_inlet *from, const scree_material_id *materials,
                         uint64_t seed, int index, scree_flow_id known, scree_flow_id *out);
/* Reads "materials", "material_pairs" and "shapes" of the root. */
field_reader materials_read, pairs_read, shapes_read;

/* Where `before` and `now` differ, `target` becomes what `now` says. */
void solver_merge(const scree_solver_def *before, const scree_solver_def *now, scree_solver_def *target);
/* The names of the scene's materials, in the order of their indices; room for material_count. */
void scene_material_names(const scree_scene *scene, const char **out);

/* Reads what the stages change, and the longest that all take, s. */
scree_result stages_read(scree_scene *scene, const scene_node *root, double *length);
/* Reads the scenes that the later stages make, after the first one's, whose mistakes are theirs too. */
scree_result stages_make(scree_scene *scene);
/* Whether each stage can follow the one before it, by the rules by which it is entered, and what its end
 * refers to is there. Errors: FORMAT, MEMORY. */
scree_result stages_check(scree_scene *scene);
void stages_release(scree_scene *scene);
/* Compares two stages that follow one another. Errors: FORMAT (what differs cannot change), MEMORY. */
scree_result stage_compare_scenes(const scree_scene *scene, int index);
/* FORMAT where the scene has no such stage; without stages it is all one. */
scree_result stage_check(const scree_scene *scene, int stage);
/* The scene as a stage has it. */
const scree_scene *scene_at_stage(const scree_scene *scene, int stage);

/* What a world remembers of the scene that it was built from, as JSON in its note. */
typedef struct record {
    json_t *json;      /* owns the rest */
    const char *name;  /* of the file, without its folder */
    json_t *scene;     /* the scene's root */
    json_t *files;     /* as of scenes; null: not known */
    json_t *materials; /* name → id, those of earlier stages included */
    json_t *bodies;    /* ids of the scene's own list of bodies */
    json_t *walls;     /* of each container the ids of its walls */
    json_t *generated; /* [generator, index and generation of its first item's id, how many]; null: none */
    json_t *kinematic_groups; /* ids */
    json_t *inlets, *outlets; /* likewise */
    int stage;                /* the one that the world is in */
    double stage_time;        /* of its beginning, s */
    json_t *ended;            /* the `until` under which it was over; null: it is not */
    uint32_t world;           /* number of the world that it was read from, for the ids */
} record;

/* A build, or the part of it that a later stage adds. */
typedef struct builder {
    const scree_scene *scene;
    scree_world *world;
    uint64_t seed;
    int first_container, first_body, first_generator, first_joint, first_kinematic_group, first_inlet,
        first_outlet;             /* those before were built earlier */
    const record *kept;           /* of earlier stages; null: there are none */
    scree_material_id *materials; /* by the scene's index; given to builder_make */
    scree_body_id *bodies;        /* made so far */
    int64_t made;
    int64_t listed;                             /* where those of the scene's own list begin in `bodies` */
    scree_kinematic_group_id *kinematic_groups; /* made so far, from the first one on */
    int assembled;
    scree_flow_id *inlets, *outlets; /* likewise */
    int let_in, let_out;
} builder;

/* Makes containers, bodies and generators from the first ones on; on failure those made go again.
 * builder_release frees `bodies`. Errors: as scree_scene_build. */
scree_result builder_make(builder *self);
void builder_undo(builder *self);
/* Keeps what was made for the stages that follow. Errors: MEMORY. */
scree_result builder_remember(const builder *self, record *out);
void builder_release(builder *self);
/* The id of a material by its index, ids being in the order of indices; null for MATERIAL_DEFAULT. */
scree_material_id scene_material_id(const scree_material_id *ids, int index);

/* Begins a record without materials and bodies. Errors: MEMORY. */
scree_result record_make(const scree_scene *scene, record *out);
/* Reads that of a world. Errors: FORMAT (there is none), MEMORY. */
scree_result record_read(const scree_world *world, record *out);
scree_result record_write(const record *self, scree_world *world);
void record_release(record *self);
/* A scene of JSON that stages made, or may have: of a file's stage, or of a record (null), that sees other
 * files from where `folder` is. Errors: as scree_scene_parse. */
scree_result scene_make_effective(const char *name, const char *folder, json_t *root,
                                  const struct stage_origin *stage, scree_scene **out);
/* Keeps and finds ids. A material that the record does not have is null. Errors: MEMORY; FORMAT (the record
 * is no record). */
scree_result record_keep_material(record *self, const char *name, scree_material_id id);
scree_result record_keep_body(record *self, scree_body_id id);
/* Of a generator, whose items have ids one behind the other; else nothing is kept. */
scree_result record_keep_generated(record *self, int number, const scree_body_id *ids, int count);
scree_result record_keep_walls(record *self, const scree_body_id *ids, int count);
/* The stage that the world is in, since when. Errors: MEMORY. */
scree_result record_keep_stage(record *self, int stage, double time);
/* That it is over; null: not. Errors: MEMORY. */
scree_result record_keep_end(record *self, json_t *until);
/* In place of what was kept before; a null id: there is none now. */
scree_result record_replace_body(record *self, int index, scree_body_id id);
scree_result record_replace_walls(record *self, int index, const scree_body_id *ids, int count);
scree_result record_keep_kinematic_group(record *self, scree_kinematic_group_id id);
scree_material_id record_material(const record *self, const char *name);
scree_body_id record_body(const record *self, int index);
int record_walls(const record *self, int index, scree_body_id out[CONTAINER_WALLS_MOST]);
scree_kinematic_group_id record_kinematic_group(const record *self, int index);
scree_result record_keep_inlet(record *self, scree_flow_id id, uint64_t seed);
scree_result record_keep_outlet(record *self, scree_flow_id id);
scree_flow_id record_inlet(const record *self, int index);
/* `unknown` where an earlier version kept none. */
uint64_t record_inlet_seed(const record *self, int index, uint64_t unknown);
scree_flow_id record_outlet(const record *self, int index);

/* Gives the world the gauges of the scene: those that it has look at the bodies that are there now, by the
 * record, those that have `changed` (null: none) become what the scene says, the others are made. Errors: as
 * scree_measurement_create, with the place of the measurement. */
scree_result measurements_give(const scree_scene *scene, scree_world *world, const record *kept,
                               const bool *changed);

/* Counts `count` more bodies; refuses more than SCENE_BODIES_MOST in all. */
scree_result scene_count_bodies(scree_scene *scene, const scene_node *node, double count);

/* The walls of a container; returns how many. */
int container_walls(const container *box, scene_body out[CONTAINER_WALLS_MOST]);

typedef struct packing packing;
/* Volume of an item's shape, of the mean item (m³), and the largest radius of a sphere around an item (m). */
double generator_volume(const generator *g, double size);
double generator_mean_volume(const generator *g);
double generator_largest_radius(const generator *g);
/* An item's size (m; that of the shape where `sizes` do not vary it), and the radius of the sphere around it.
 */
double generator_item_size(const generator *g, uint32_t key, const packing *places, int item);
double generator_item_radius(const generator *g, double size);
double region_volume(const region *space);
double region_base(const region *space); /* m² */

/* What the items of a generator have from one another: their places in a `fill`, their sizes by a table. */
struct packing {
    double *sizes;                             /* m; null without a table */
    grading_class classes[SIEVE_CLASSES_MOST]; /* of the table, as made */
    int class_count;
    scree_vec3 *positions; /* m; null for other kinds */
    int placed;            /* less than the generator's count where one could not be placed */
    double volume;         /* of the placed ones, m³ */
};

/* Places the items so that spheres around them do not overlap: random sequential addition, largest first.
 * Errors: MEMORY; what could not be placed is no error here. */
scree_result packing_make(const generator *g, uint64_t seed, int index, packing *out);
/* Their sizes alone, in an order without a pattern. Errors: MEMORY. */
scree_result packing_sizes(const generator *g, uint64_t seed, int index, packing *out);
void packing_release(packing *places);

/* Item `item` of the index-th generator; `places` as made for it. */
scene_body generator_item(const generator *g, uint64_t seed, int index, const packing *places, int item);

#endif
