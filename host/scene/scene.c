/* Reads a scene: the text, the root object and the defaults of missing keys. */
#include "scene.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static const char *backend_name(int kind) {
    return kind >= 0 && kind <= SCREE_BACKEND_REFERENCE ? scree_backend_name((scree_backend_kind)kind) : NULL;
}

static const char *pipeline_name(int pipeline) { return scree_pipeline_name((scree_pipeline)pipeline); }

static scree_result device_read(const scene_node *node, void *target) {
    char value[NODE_TEXT], *device = target;
    const size_t length = json_string_length(node->value);
    if (!json_is_string(node->value) || length == 0 || length >= SCENE_DEVICE_NAME)
        return node_fail(node,
                         "%s; must be a device number or part of a device name (a string of 1 to %d bytes)",
                         node_describe(node, value), SCENE_DEVICE_NAME - 1);
    memcpy(device, json_string_value(node->value), length + 1);
    scene_of(node)->world.device = device;
    return SCREE_OK;
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_scene, MEMBER, HELP, __VA_ARGS__)

static const field backend_fields[] = {
    ROW(ENUM, "kind", world.backend,
        "OpenCL kernels, the same functions on the processor, or the oracle; auto: a GPU if there is one, "
        "else "
        "native",
        .name = backend_name),
    ROW(ENUM, "pipeline", world.pipeline,
        "stages on an OpenCL device: `host`: solve and motion; `device`: the whole step; auto: device on a "
        "GPU, else "
        "host",
        .name = pipeline_name),
    ROW(TEXT, "device", device, "part of an OpenCL device's name, or its number in `scree devices`",
        .least = 1, .most = SCENE_DEVICE_NAME - 1, .read = device_read, .default_text = "the best"),
    ROW(INT, "threads", world.threads, "threads of the host; 0: all", .range = BETWEEN(0, 4096)),
    ROW(INT, "maximum_bodies", world.maximum_bodies,
        "a run with more bodies stops with an error; 0: no limit", .range = AT_LEAST(0)),
    ROW(INT, "maximum_contacts", world.maximum_contacts,
        "a run with more contacts stops with an error; 0: no limit", .range = AT_LEAST(0)),
};
static const scene_object backend_object = {.name = "backend", .common = FIELD_TABLE(backend_fields)};

scree_result span_finish(const scene_node *node, const field rows[2], void *owner) {
    const bool steps = node_has(node, rows[0].key), seconds = node_has(node, rows[1].key);
    scree_span *span = (scree_span *)((char *)owner + rows[0].offset);
    if (steps && seconds)
        return node_fail(node, "both \"%s\" and \"%s\" given; must have only one", rows[0].key, rows[1].key);
    if (steps) span->seconds = 0;
    if (seconds) span->steps = 0;
    return SCREE_OK;
}
_Static_assert(offsetof(scree_span, steps) == 0, "the row for steps must point at the start of the span");

#define STEPS_ROW(KEY, MEMBER, LEAST, HELP, FALLBACK)                                                        \
    ROW(COUNT, KEY, run.MEMBER.steps, HELP, .range = AT_LEAST(LEAST), .default_text = FALLBACK)
#define SECONDS_ROW(KEY, MEMBER, HELP, FALLBACK)                                                             \
    ROW(DOUBLE, KEY, run.MEMBER.seconds, HELP, .range = BETWEEN(1e-9, 1e9), .unit = "s",                     \
        .default_text = FALLBACK)

static const field run_fields[] = {
    STEPS_ROW("steps", length, 1, "length of the run in steps", "as `duration`"),
    SECONDS_ROW("duration", length, "length of the run, to the nearest step; not with `steps`", "1 s"),
};

static scree_result run_finish(const scene_node *node, void *target) {
    return span_finish(node, run_fields, target);
}
static const scene_object run_object = {
    .name = "run", .common = FIELD_TABLE(run_fields), .finish = run_finish};

FIELD_NAMES_OF(frame_field_name, scree_frame_field)

static const field frames_fields[] = {
    ROW(NAMES, "fields", run.frames.fields, "arrays of bodies and contacts besides ids, positions and sizes",
        .name = frame_field_name, .default_text = "those marked ● of the page of frames"),
    ROW(BOOL, "contacts", run.frames.contacts, "whether frames have contacts"),
    ROW(BOOL, "chains", run.frames.chains, "whether force chains are written as lines, `chains_<step>.vtp`"),
    ROW(INT, "compression", run.frames.compression, "HDF5's shuffle and deflate; 0: none",
        .range = BETWEEN(0, 9)),
};
static const scene_object frames_object = {.name = "frames", .common = FIELD_TABLE(frames_fields)};

/* Rows of spans come first, in pairs. */
static const field outputs_fields[] = {
    STEPS_ROW("every", every, 0, "steps between two frames for ParaView; 0: none", "as `every_seconds`"),
    SECONDS_ROW("every_seconds", every, "time between two frames", "1/30 s"),
    STEPS_ROW("snapshot_every", snapshot_every, 0, "steps between two pictures; 0: one at the end", "0"),
    SECONDS_ROW("snapshot_every_seconds", snapshot_every, "time between two pictures", "none"),
    STEPS_ROW(
        "checkpoint_every", checkpoint_every, 0,
        "steps between two checkpoints, each of which replaces the previous one, `checkpoint.h5`; 0: one at "
        "the end",
        "0"),
    SECONDS_ROW("checkpoint_every_seconds", checkpoint_every, "time between two checkpoints", "none"),
    STEPS_ROW(
        "measurements_every", measurements_every, 0,
        "steps between two rows of measurements, which also summarise the steps since the previous row; 0: "
        "none",
        "with each frame"),
    SECONDS_ROW("measurements_every_seconds", measurements_every, "time between two rows of measurements",
                "none"),
    FIELD_OF_ALL(OBJECT, "frames", "content of the frames", .object = &frames_object, .default_text = "none"),
    ROW(BOOL, "pictures", run.pictures, "false: no pictures, which take several seconds each"),
    ROW(OBJECT, "camera", run.camera, "camera of the pictures", .object = &camera_object,
        .default_text = "follows the bodies"),
    ROW(BOOL, "keep_stages", run.keep_stages,
        "true: keep a checkpoint, `stage-NNNNNN.h5`, and a picture of the end of each stage"),
};

static scree_result outputs_finish(const scene_node *node, void *target) {
    enum { SPANS = 4 };
    for (int i = 0; i < SPANS; i++) TRY(span_finish(node, &outputs_fields[2 * i], target));
    return SCREE_OK;
}
static const scene_object outputs_object = {
    .name = "outputs", .common = FIELD_TABLE(outputs_fields), .finish = outputs_finish};

scree_result scene_count_bodies(scree_scene *scene, const scene_node *node, double count) {
    if (count + (double)scene->total > SCENE_BODIES_MOST)
        return node_fail(node, "%.9g bodies in total; must be at most %d", count + (double)scene->total,
                         SCENE_BODIES_MOST);
    scene->total += (int64_t)count;
    return SCREE_OK;
}

#define LIST_ROW(KEY, NAME, MEMBER, COUNT, MOST, HELP)                                                       \
    FIELD_LIST_OF(KEY, NAME##_object, scree_scene, MEMBER, COUNT, MOST, HELP)
#define OBJECT_ROW(KEY, HELP) FIELD_OF_ALL(OBJECT, #KEY, HELP, .object = &KEY##_object)

/* In the order of dependence: later keys refer to earlier ones. */
static const field root_fields[] = {
    ROW(COUNT, "seed", run.seed, "seed of the generators", .range = AT_LEAST(0)),
    ROW(VEC3, "gravity", world.gravity, "gravity", .range = ANY_NUMBER, .unit = "m/s²"),
    ROW(VEC3, "period", world.period, "period of the world along each axis; 0: not periodic",
        .range = BETWEEN(0, 1e6), .unit = "m"),
    ROW(VEC3, "period_centre", world.period_centre, "centre of the periodic cell; only with a `period`",
        .range = BETWEEN(-1e6, 1e6), .unit = "m"),
    ROW(DOUBLE, "time_step", world.time_step, "time step", .range = BETWEEN(1e-9, 10), .unit = "s",
        .default_text = "1/120"),
    ROW(FLOAT, "speculative_distance", world.speculative_distance,
        "contacts are made for gaps up to this plus the approach within a step", .range = AT_LEAST(0),
        .unit = "m"),
    ROW(OBJECT, "solver", world.solver, "accuracy of a step", .read = solver_read),
    OBJECT_ROW(backend, "the backend that solves"),
    OBJECT_ROW(run, "length of the run"),
    OBJECT_ROW(outputs, "intervals and contents of the results"),
    FIELD_OF_ALL(MAP, "materials", "materials by name; `default` is that of bodies that name none",
                 .object = &material_object, .most = SCENE_MATERIALS_MOST, .read = materials_read),
    LIST_ROW("material_pairs", pair, pairs, pair_count, SCENE_PAIRS_MOST,
             "properties of contacts of two materials"),
    FIELD_OF_ALL(MAP, "shapes", "shapes by name", .object = &shape_object, .most = SCENE_SHAPES_MOST,
                 .read = shapes_read),
    LIST_ROW("containers", container, containers, container_count, SCENE_CONTAINERS_MOST,
             "boxes around a space, built first"),
    LIST_ROW("bodies", body, bodies, body_count, SCENE_BODIES_MOST, "bodies, built after the containers"),
    LIST_ROW("generators", generator, generators, generator_count, SCENE_GENERATORS_MOST,
             "generators of many bodies, built after the bodies"),
    LIST_ROW("joints", joint, joints, joint_count, SCENE_JOINTS_MOST,
             "joints between two entries of `bodies`, or one and the world"),
    LIST_ROW("kinematic_groups", kinematic_group, kinematic_groups, kinematic_group_count,
             SCENE_KINEMATIC_GROUPS_MOST,
             "kinematic groups: kinematic bodies that share one prescribed motion"),
    LIST_ROW("inlets", inlet, inlets, inlet_count, SCENE_FLOWS_MOST,
             "where grains are inserted during the run"),
    LIST_ROW("outlets", outlet, outlets, outlet_count, SCENE_FLOWS_MOST,
             "where grains are removed during the run"),
    LIST_ROW("measurements", measurement, measurements, measurement_count, SCENE_MEASUREMENTS_MOST,
             "measurements in addition to measurements.csv, each with its own period"),
    LIST_ROW("gravity_schedule", gravity_key, gravity, gravity_count, SCENE_KEYS_MOST,
             "replaces `gravity`: interpolated linearly between its times, constant before and after them"),
    /* worlds_read and stages_read have read them */
    FIELD_OF_ALL(OBJECT, "worlds", "many worlds that differ in some numbers of the scene",
                 .object = &worlds_object, .default_text = "one world", .read = field_skip),
    FIELD_OF_ALL(LIST, "stages", "successive changes of the scene; replaces `run`", .object = &stage_object,
                 .least = 1, .most = SCENE_STAGES_MOST, .read = field_skip),
};

static void root_begin(void *target, int kind) {
    /* Default run length (s) and default rate of frames (1/s of simulated time). */
    static const double duration = 1, rate = 30;
    scree_scene *scene = target;
    (void)kind;
    scene->world = scree_default_world_def();
    scene->run = (scree_run_def){.length.seconds = duration,
                                 .every.seconds = 1 / rate,
                                 .measurements_every.steps = SCREE_EVERY_FRAME,
                                 .frames = scree_default_series_def(),
                                 .pictures = true,
                                 .camera.automatic = true};
}

static scree_result root_finish(const scene_node *node, void *target) {
    const scree_scene *scene = target;
    const scene_node centre = node_member(node, "period_centre"),
                     schedule = node_member(node, "gravity_schedule");
    if (centre.value && !node_has(node, "period"))
        return node_key_fail(&centre, "has no effect without a \"period\"");
    if (!scene->effective && schedule.value && node_has(node, "gravity"))
        return node_fail(&schedule, "the scene also has `gravity`; must have only one of the two");
    return SCREE_OK;
}

static const scene_object root_object = SCENE_OBJECT("scene", scree_scene, .common = FIELD_TABLE(root_fields),
                                                     .begin = root_begin, .finish = root_finish);

static scree_result root_read(scree_scene *scene, json_t *root) {
    json_auto_t *materials = json_object();
    json_auto_t *shapes = json_object();
    if (!shapes || json_object_set_new(materials, "default", json_integer(MATERIAL_DEFAULT)))
        return fail(SCREE_ERROR_MEMORY, "out of memory for the names of a scene");
    scene_reader reader = {.scene = scene, .material_index = materials, .shape_index = shapes};
    const scene_node node = {.source = &scene->source, .value = root};
    scene->source.reader = &reader;
    const scree_result result = object_read(&node, &root_object, scene);
    scene->source.reader = NULL;
    memory_release(reader.shapes);
    return result;
}

/* Reads a root with stages; the scene is that of the first stage. */
static scree_result staged_read(scree_scene *scene) {
    const scene_node node = {&scene->source, scene->root, NULL, NULL, 0};
    double length = 0;
    TRY(stages_read(scene, &node, &length));
    json_decref(scene->root);
    scene->root = json_incref(scene->stages[0].root);
    scene->source.stage = &scene->stages[0].origin;
    scene->effective = true;
    TRY(root_read(scene, scene->root));
    TRY(stages_make(scene));
    scene->run.length = (scree_span){.seconds = length};
    return stages_check(scene);
}

static scree_result scene_read(scree_scene *scene) {
    TRY(worlds_read(scene));
    TRY(json_object_get(scene->root, "stages") ? staged_read(scene) : root_read(scene, scene->root));
    return worlds_check(scene);
}

/* Stores a hash of the file's content, by which a resumed run detects a changed file. Stores nothing if the
 * file cannot be read; the reader that needs it reports the error. */
static scree_result keep_file(scree_scene *scene, const char *name, const char *path) {
    unsigned char bytes[4096];
    uint64_t hash = HASH_BASIS;
    FILE *file = fopen(path, "rb");
    if (!file) return SCREE_OK;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file));) hash = hash_bytes(hash, bytes, count);
    fclose(file);
    json_t *kept =
        json_sprintf("%08lx%08lx", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffff));
    return json_object_set_new(scene->files, name, kept)
               ? fail(SCREE_ERROR_MEMORY, "out of memory for the files of a scene")
               : SCREE_OK;
}

scree_result scene_path(const scene_node *file, char **out) {
    const scene_source *source = file->source;
    const char *path = json_string_value(file->value), *name = source->folder ? source->folder : source->name,
               *slash = path[0] == '/' ? NULL : strrchr(name, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - name) : 0;
    *out = memory_allocate(folder + strlen(path) + 1, 1);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory for the path of '%s'", path);
    memcpy(*out, name, folder);
    strcpy(*out + folder, path);
    return keep_file(scene_of(file), path, *out);
}

const char *const scene_list_keys[SCENE_LISTS] = {"containers",       "bodies", "generators", "joints",
                                                  "kinematic_groups", "inlets", "outlets",    "measurements"};

int scene_list_count(const scree_scene *scene, scene_list list) {
    const int counts[SCENE_LISTS] = {
        scene->container_count,       scene->body_count,  scene->generator_count, scene->joint_count,
        scene->kinematic_group_count, scene->inlet_count, scene->outlet_count,    scene->measurement_count};
    return counts[list];
}

scree_result scene_entry_fail(const scree_scene *scene, scene_list list, int index, scree_result result) {
    const scene_node root = {.source = &scene->source}, array = node_member(&root, scene_list_keys[list]),
                     entry = node_element(&array, (size_t)index);
    return node_fail_prefix(&entry, result);
}

static void scene_drop(scree_scene **local) { scree_scene_destroy(*local); }
#define SCOPED_SCENE __attribute__((cleanup(scene_drop))) scree_scene

/* On error the scene is to be destroyed as well. */
static scree_result scene_begin(const char *name, scree_scene **out) {
    scree_scene *scene = *out = memory_allocate(1, sizeof *scene);
    if (scene) scene->source.name = memory_allocate(strlen(name) + 1, 1);
    if (scene) scene->files = json_object();
    if (scene) scene->warnings = json_object();
    if (!scene || !scene->source.name || !scene->files || !scene->warnings)
        return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", name);
    strcpy(scene->source.name, name);
    return SCREE_OK;
}

scree_result scene_make_effective(const char *name, const char *folder, json_t *root,
                                  const struct stage_origin *stage, scree_scene **out) {
    SCOPED_SCENE *scene = NULL;
    TRY(scene_begin(name, &scene));
    scene->source.stage = stage;
    scene->source.folder = folder;
    scene->effective = true;
    scene->root = json_incref(root);
    TRY(root_read(scene, scene->root));
    scene->source.folder = NULL; /* borrowed from the caller */
    *out = scene;
    scene = NULL;
    return SCREE_OK;
}

/* Fails with what Jansson has found wrong in the text. */
static scree_result text_fail(const scene_source *source, const json_error_t *error) {
    if (json_error_code(error) == json_error_out_of_memory)
        return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", source->name);
    if (json_error_code(error) == json_error_duplicate_key) {
        char path[NODE_PATH];
        const text_place place = locate_key(source, (size_t)error->position, path, sizeof path);
        return fail(SCREE_ERROR_FORMAT, "%.512s:%zu:%zu: %s: duplicate key; each must be there once",
                    source->name, place.line, place.column, path);
    }
    return fail(SCREE_ERROR_FORMAT, "%.512s:%d:%d: not JSON, which has no comments, NaN or infinities: %s",
                source->name, error->line > 0 ? error->line : 1, error->column > 0 ? error->column : 1,
                error->text);
}

/* Reads the text of a scene. */
static scree_result text_read(scree_scene *scene) {
    scene_source *source = &scene->source;
    json_error_t error;
    if (source->length >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3)) {
        source->length -= 3; /* the byte order mark that some editors write */
        memmove(source->text, source->text + 3, source->length + 1);
    }
    scene->root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    return scene->root ? scene_read(scene) : text_fail(source, &error);
}

/* Copies the text of a scene. */
static scree_result text_keep(scree_scene *scene, const char *text, size_t length) {
    scene->source.text = memory_allocate(length + 1, 1);
    scene->source.length = length;
    if (!scene->source.text)
        return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", scene->source.name);
    if (length) memcpy(scene->source.text, text, length);
    return SCREE_OK;
}

scree_result scene_make_varied(const scree_scene *of, json_t *root, scree_scene **out) {
    SCOPED_SCENE *scene = NULL;
    TRY(scene_begin(of->source.name, &scene));
    TRY(text_keep(scene, of->source.text, of->source.length));
    scene->worlds.json = json_incref(of->worlds.json);
    scene->source.varied = json_object_get(scene->worlds.json, "vary");
    scene->root = json_incref(root);
    TRY(scene_read(scene));
    *out = scene;
    scene = NULL;
    return SCREE_OK;
}

scree_result scree_scene_parse(const char *text, size_t length, const char *name, scree_scene **out) {
    if (length) REQUIRE(text);
    REQUIRE(name);
    REQUIRE(out);
    if (length > SCENE_FILE_MOST)
        return fail(SCREE_ERROR_FORMAT, "%.512s:1:1: %zu bytes; must be at most %d", name, length,
                    SCENE_FILE_MOST);
    SCOPED_SCENE *scene = NULL;
    TRY(scene_begin(name, &scene));
    TRY(text_keep(scene, text, length));
    TRY(text_read(scene));
    *out = scene;
    scene = NULL;
    return SCREE_OK;
}

scree_result scree_scene_load(const char *path, scree_scene **out) {
    REQUIRE(path);
    REQUIRE(out);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return fail_file(errno, "cannot open the scene %s", path);
    SCOPED char *text = NULL;
    int capacity = 0;
    size_t length = 0;
    scree_result result = SCREE_OK;
    while (result == SCREE_OK && length <= SCENE_FILE_MOST && !feof(file) && !ferror(file)) {
        result = MEMORY_RESERVE(text, capacity, length + 65536, NULL);
        if (result == SCREE_OK) length += fread(text + length, 1, (size_t)capacity - length, file);
    }
    if (result == SCREE_OK && ferror(file)) result = fail_file(errno, "cannot read the scene %s", path);
    fclose(file);
    TRY(result);
    if (length > SCENE_FILE_MOST)
        return fail(SCREE_ERROR_FORMAT, "%.512s:1:1: file too long; must be at most %d bytes", path,
                    SCENE_FILE_MOST);
    return scree_scene_parse(text, length, path, out);
}

void scree_scene_destroy(scree_scene *scene) {
    if (!scene) return;
    json_decref(scene->root);
    json_decref(scene->files);
    json_decref(scene->warnings);
    memory_release(scene->source.name);
    memory_release(scene->source.text);
    memory_release(scene->materials);
    memory_release(scene->pairs);
    memory_release(scene->containers);
    memory_release(scene->bodies);
    memory_release(scene->generators);
    memory_release(scene->joints);
    for (int i = 0; i < scene->kinematic_group_count; i++)
        scene_kinematic_group_release(&scene->kinematic_groups[i]);
    for (int i = 0; i < scene->measurement_count; i++) members_release(&scene->measurements[i].members);
    memory_release(scene->measurements);
    memory_release(scene->kinematic_groups);
    memory_release(scene->gravity);
    memory_release(scene->inlets);
    stages_release(scene);
    worlds_release(&scene->worlds);
    memory_release(scene->outlets);
    for (int i = 0; i < scene->geometry_count; i++) scree_geometry_release(scene->geometries[i]);
    memory_release(scene->geometries);
    for (int i = 0; i < scene->table_count; i++) scree_grains_release(&scene->tables[i]);
    memory_release(scene->tables);
    memory_release(scene);
}

scree_result scree_scene_print_schema(FILE *out) {
    REQUIRE(out);
    json_auto_t *schema = schema_make(&root_object);
    if (!schema) return fail(SCREE_ERROR_MEMORY, "out of memory for a schema");
    if (json_dumpf(schema, out, JSON_INDENT(1)) || fputc('\n', out) == EOF)
        return fail_file(errno, "cannot write the schema");
    return SCREE_OK;
}

scree_world_def scree_scene_get_world_def(const scree_scene *scene) {
    REQUIRE_ELSE(scene, (scree_world_def){0});
    return scene->world;
}

scree_run_def scree_scene_get_run_def(const scree_scene *scene) {
    REQUIRE_ELSE(scene, (scree_run_def){0});
    return scene->run;
}

int scree_scene_warning_count(const scree_scene *scene) {
    REQUIRE_ELSE(scene, 0);
    return (int)json_object_size(scene->warnings);
}

const char *scree_scene_get_warning(const scree_scene *scene, int i) {
    REQUIRE_ELSE(scene, NULL);
    void *at = i < 0 ? NULL : json_object_iter(scene->warnings);
    for (; at && i > 0; i--) at = json_object_iter_next(scene->warnings, at);
    return at ? json_object_iter_key(at) : NULL;
}
