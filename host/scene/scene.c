/* Reads a scene: the text, the root object and the defaults of missing keys. */
#include "scene.h"
#include "schema.h"
#include "solver_fields.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static const char *backend_name(int kind) {
    return kind >= 0 && kind <= SCREE_BACKEND_REFERENCE ? scree_backend_name((scree_backend_kind)kind) : NULL;
}

static scree_result device_read(const scene_node *node, void *target, void *context) {
    (void)context;
    scree_scene *scene = target;
    char value[NODE_TEXT];
    const size_t length = json_string_length(node->value);
    if (!json_is_string(node->value) || length == 0 || length > 127)
        return node_fail(node,
                         "%s; must be a device number or part of a device name (a string of 1 to 127 bytes)",
                         node_describe(node, value));
    scene->device = memory_allocate(length + 1, 1);
    if (!scene->device) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene");
    memcpy(scene->device, json_string_value(node->value), length);
    scene->world.device = scene->device;
    return SCREE_OK;
}

static scree_result backend_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {"kind", FIELD_ENUM, offsetof(scree_scene, world.backend), .name = backend_name},
        {"device", FIELD_OBJECT, 0, .read = device_read},
        NUMBER("threads", FIELD_INT, scree_scene, world.threads, BETWEEN(0, 4096), NULL),
        NUMBER("maximum_bodies", FIELD_INT, scree_scene, world.maximum_bodies, AT_LEAST(0), NULL),
        NUMBER("maximum_contacts", FIELD_INT, scree_scene, world.maximum_contacts, AT_LEAST(0), NULL),
    };
    return fields_read(node, fields, FIELD_COUNT_OF(fields), target, context, NULL);
}

scree_result span_check(const scene_node *node, const field rows[2], uint64_t seen) {
    return seen == 3
               ? node_fail(node, "both \"%s\" and \"%s\" given; must have only one", rows[0].key, rows[1].key)
               : SCREE_OK;
}

#define SECONDS                                                                                              \
    { 1e-9, 1e9, false, false }
/* Two rows: a span in steps and in seconds. */
#define SPAN(STEPS, LEAST, SECONDS_KEY, MEMBER)                                                              \
    NUMBER(STEPS, FIELD_COUNT, scree_run_def, MEMBER.steps, AT_LEAST(LEAST), NULL),                          \
        NUMBER(SECONDS_KEY, FIELD_DOUBLE, scree_run_def, MEMBER.seconds, SECONDS, "s")

/* Reads spans into `run`; missing keys keep its values. Rows that are not spans come last. */
static scree_result spans_read(const scene_node *node, const field *fields, int count, scree_run_def *run) {
    scree_run_def given = {.frames = run->frames, .pictures = run->pictures, .keep_stages = run->keep_stages};
    uint64_t seen = 0;
    TRY(fields_read(node, fields, count, &given, NULL, &seen));
    run->frames = given.frames;
    run->pictures = given.pictures;
    run->keep_stages = given.keep_stages;
    for (int i = 0; i + 1 < count && fields[i].type == FIELD_COUNT; i += 2) {
        TRY(span_check(node, &fields[i], seen >> i & 3));
        if (seen >> i & 3) /* the rows of a span point at its two members */
            *(scree_span *)((char *)run + fields[i].offset) =
                *(const scree_span *)((const char *)&given + fields[i].offset);
    }
    return SCREE_OK;
}
_Static_assert(offsetof(scree_span, steps) == 0, "the row for steps must point at the start of the span");

static scree_result run_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {SPAN("steps", 1, "duration", length)};
    (void)context;
    return spans_read(node, fields, FIELD_COUNT_OF(fields), &((scree_scene *)target)->run);
}

static const char *frame_field_name(int index) { return scree_frame_field_name((scree_frame_field)index); }

/* Reads a list of names, which replaces the default list. */
static scree_result frame_fields_read(const scene_node *node, void *target, void *context) {
    (void)context;
    uint32_t *fields = target;
    TRY(array_check(node, 0, SCREE_FRAME_FIELD_COUNT));
    *fields = 0;
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        int found = 0;
        TRY(enum_read(&element, frame_field_name, &found));
        *fields |= UINT32_C(1) << found;
    }
    return SCREE_OK;
}

static scree_result frames_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {"fields", FIELD_OBJECT, offsetof(scree_series_def, fields), .read = frame_fields_read},
        {"contacts", FIELD_BOOL, offsetof(scree_series_def, contacts), .required = false},
        {"chains", FIELD_BOOL, offsetof(scree_series_def, chains), .required = false},
        NUMBER("compression", FIELD_INT, scree_series_def, compression, BETWEEN(0, 9), NULL),
    };
    (void)context;
    return fields_read(node, fields, FIELD_COUNT_OF(fields), target, NULL, NULL);
}

static scree_result outputs_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        SPAN("every", 0, "every_seconds", every),
        SPAN("snapshot_every", 0, "snapshot_every_seconds", snapshot_every),
        SPAN("checkpoint_every", 0, "checkpoint_every_seconds", checkpoint_every),
        SPAN("measurements_every", 0, "measurements_every_seconds", measurements_every),
        {"frames", FIELD_OBJECT, offsetof(scree_run_def, frames), .read = frames_read},
        {"pictures", FIELD_BOOL, offsetof(scree_run_def, pictures), .required = false},
        {"keep_stages", FIELD_BOOL, offsetof(scree_run_def, keep_stages), .required = false}};
    (void)context;
    return spans_read(node, fields, FIELD_COUNT_OF(fields), &((scree_scene *)target)->run);
}

scree_result scene_count_bodies(scree_scene *scene, const scene_node *node, double count) {
    if (count + (double)scene->total > SCENE_BODIES_MOST)
        return node_fail(node, "%.9g bodies in total; must be at most %d", count + (double)scene->total,
                         SCENE_BODIES_MOST);
    scene->total += (int64_t)count;
    return SCREE_OK;
}

static scree_result containers_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_CONTAINERS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->containers, scene->container_capacity, i + 1, NULL));
        TRY(container_read(&element, &scene->containers[i], context));
        scene->container_count++;
    }
    return SCREE_OK;
}

static scree_result bodies_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_BODIES_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->bodies, scene->body_capacity, i + 1, NULL));
        TRY(body_read(&element, &scene->bodies[i], context));
        TRY(scene_count_bodies(scene, &element, 1));
        scene->body_count++;
    }
    return SCREE_OK;
}

static scree_result generators_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_GENERATORS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->generators, scene->generator_capacity, i + 1, NULL));
        TRY(generator_read(&element, &scene->generators[i], context));
        scene->generator_count++;
    }
    return SCREE_OK;
}

/* In the order of dependence: later keys refer to earlier ones. */
static const field root_fields[] = {
    NUMBER("seed", FIELD_COUNT, scree_scene, run.seed, AT_LEAST(0), NULL),
    NUMBER("gravity", FIELD_VEC3, scree_scene, world.gravity, ANY_NUMBER, "m/s²"),
    NUMBER("period", FIELD_VEC3, scree_scene, world.period, BETWEEN(0, 1e6), "m"),
    NUMBER("period_centre", FIELD_VEC3, scree_scene, world.period_centre, BETWEEN(-1e6, 1e6), "m"),
    NUMBER("time_step", FIELD_DOUBLE, scree_scene, world.time_step, BETWEEN(1e-9, 10), "s"),
    NUMBER("speculative_distance", FIELD_FLOAT, scree_scene, world.speculative_distance, AT_LEAST(0), "m"),
    {"solver", FIELD_OBJECT, offsetof(scree_scene, world.solver), .read = solver_read},
    {"backend", FIELD_OBJECT, 0, .read = backend_read},
    {"run", FIELD_OBJECT, 0, .read = run_read},
    {"outputs", FIELD_OBJECT, 0, .read = outputs_read},
    {"materials", FIELD_OBJECT, 0, .read = materials_read},
    {"material_pairs", FIELD_OBJECT, 0, .read = pairs_read},
    {"shapes", FIELD_OBJECT, 0, .read = shapes_read},
    {"containers", FIELD_OBJECT, 0, .read = containers_read},
    {"bodies", FIELD_OBJECT, 0, .read = bodies_read},
    {"generators", FIELD_OBJECT, 0, .read = generators_read},
    {"joints", FIELD_OBJECT, 0, .read = joints_read},
    {"assemblies", FIELD_OBJECT, 0, .read = kinematic_groups_read},
    {"inlets", FIELD_OBJECT, 0, .read = inlets_read},
    {"outlets", FIELD_OBJECT, 0, .read = outlets_read},
    {"measurements", FIELD_OBJECT, 0, .read = measurements_read},
    {"gravity_schedule", FIELD_OBJECT, 0, .read = gravity_keys_read},
    /* read by stages_read before; listed here so that the key is known */
    {"stages", FIELD_OBJECT, 0, .read = kind_skip},
};

/* Default run length (s) and default rate of frames (1/s of simulated time). */
static const double default_duration = 1, default_rate = 30;

static scree_result centre_check(const scene_node *root) {
    const scene_node centre = node_member(root, "period_centre");
    if (!centre.value || node_member(root, "period").value) return SCREE_OK;
    return node_key_fail(&centre, "has no effect without a \"period\"");
}

static scree_result root_read(scree_scene *scene, json_t *root) {
    /* The schema does not know whether sizes replace the lengths of a shape. */
    scene_reader reader = {scene, json_object(), json_object(), 0, 0, NULL, !schema_is_made()};
    const scene_node node = {&scene->source, root, NULL, NULL, 0};
    scene->world = scree_default_world_def();
    scree_result result = SCREE_ERROR_MEMORY;
    if (!reader.material_index || !reader.shape_index ||
        json_object_set_new(reader.material_index, "default", json_integer(MATERIAL_DEFAULT)))
        fail(result, "out of memory for the names of a scene");
    else {
        scene->run.length.seconds = default_duration;
        scene->run.every.seconds = 1 / default_rate;
        scene->run.measurements_every.steps = SCREE_EVERY_FRAME;
        scene->run.frames = scree_default_series_def();
        scene->run.pictures = true;
        result = fields_read(&node, root_fields, FIELD_COUNT_OF(root_fields), scene, &reader, NULL);
        if (result == SCREE_OK) result = centre_check(&node);
    }
    memory_release(reader.shapes);
    json_decref(reader.shape_index);
    json_decref(reader.material_index);
    return result;
}

/* Reads the root; with stages, the scene is that of the first stage. */
static scree_result scene_read(scree_scene *scene) {
    const scene_node node = {&scene->source, scene->root, NULL, NULL, 0};
    if (!json_is_object(scene->root) || !json_object_get(scene->root, "stages"))
        return root_read(scene, scene->root);
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
    return json_object_set_new(scene->files, name, kept) ? SCREE_ERROR_MEMORY : SCREE_OK;
}

char *scene_path(scree_scene *scene, const char *path) {
    const char *name = scene->source.folder ? scene->source.folder : scene->source.name,
               *slash = path[0] == '/' ? NULL : strrchr(name, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - name) : 0;
    char *out = memory_allocate(folder + strlen(path) + 1, 1);
    if (!out) return NULL;
    memcpy(out, name, folder);
    strcpy(out + folder, path);
    if (keep_file(scene, path, out) == SCREE_OK) return out;
    memory_release(out);
    return NULL;
}

static scree_result scene_begin(const char *name, scree_scene **out) {
    scree_scene *scene = memory_allocate(1, sizeof *scene);
    char *copy = memory_allocate(strlen(name) + 1, 1);
    json_t *files = json_object();
    if (!scene || !copy || !files) {
        memory_release(scene);
        memory_release(copy);
        json_decref(files);
        return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", name);
    }
    memcpy(copy, name, strlen(name));
    scene->source.name = copy;
    scene->files = files;
    *out = scene;
    return SCREE_OK;
}

static scree_result scene_end(scree_scene *scene, scree_result result, scree_scene **out) {
    if (result != SCREE_OK)
        scree_scene_destroy(scene);
    else
        *out = scene;
    return result;
}

scree_result scene_make_effective(const char *name, const char *folder, json_t *root,
                                  const struct stage_origin *stage, scree_scene **out) {
    scree_scene *scene;
    TRY(scene_begin(name, &scene));
    scene->source.stage = stage;
    scene->source.folder = folder;
    scene->effective = true;
    scene->root = json_incref(root);
    const scree_result result = root_read(scene, scene->root);
    scene->source.folder = NULL; /* borrowed from the caller */
    return scene_end(scene, result, out);
}

/* Makes a scene; takes ownership of `text`. */
static scree_result scene_make(char *text, size_t length, const char *name, scree_scene **out) {
    scree_scene *scene;
    const scree_result begun = scene_begin(name, &scene);
    if (begun != SCREE_OK) {
        memory_release(text);
        return begun;
    }
    if (length >= 3 &&
        !memcmp(text, "\xef\xbb\xbf", 3)) /* skips the byte order mark that some editors write */
        memmove(text, text + 3, (length -= 3) + 1);
    scene->source.text = text, scene->source.length = length;
    json_error_t error;
    scree_result result;
    scene->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (scene->root)
        result = scene_read(scene);
    else if (json_error_code(&error) == json_error_out_of_memory)
        result = fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", name);
    else
        result = fail(SCREE_ERROR_FORMAT, "%.512s:%d:%d: %s%s", name, error.line > 0 ? error.line : 1,
                      error.column > 0 ? error.column : 1,
                      json_error_code(&error) == json_error_duplicate_key ? "" : "not JSON: ", error.text);
    return scene_end(scene, result, out);
}

scree_result scree_scene_parse(const char *text, size_t length, const char *name, scree_scene **out) {
    if (length) REQUIRE(text);
    REQUIRE(name);
    REQUIRE(out);
    if (length > SCENE_FILE_MOST)
        return fail(SCREE_ERROR_FORMAT, "%.512s:1:1: %zu bytes; must be at most %d", name, length,
                    SCENE_FILE_MOST);
    char *copy = memory_allocate(length + 1, 1);
    if (!copy) return fail(SCREE_ERROR_MEMORY, "%s: out of memory for a scene", name);
    if (length) memcpy(copy, text, length);
    return scene_make(copy, length, name, out);
}

scree_result scree_scene_load(const char *path, scree_scene **out) {
    REQUIRE(path);
    REQUIRE(out);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return fail_file(errno, "cannot open the scene %s", path);
    char *text = NULL;
    int capacity = 0;
    size_t length = 0;
    scree_result result = SCREE_OK;
    while (result == SCREE_OK && length <= SCENE_FILE_MOST && !feof(file) && !ferror(file)) {
        result = MEMORY_RESERVE(text, capacity, length + 65536, NULL);
        if (result == SCREE_OK) length += fread(text + length, 1, (size_t)capacity - length, file);
    }
    if (result == SCREE_OK && ferror(file)) result = fail_file(errno, "cannot read the scene %s", path);
    if (result == SCREE_OK && length > SCENE_FILE_MOST)
        result = fail(SCREE_ERROR_FORMAT, "%.512s:1:1: file too long; must be at most %d bytes", path,
                      SCENE_FILE_MOST);
    fclose(file);
    if (result == SCREE_OK) return scene_make(text, length, path, out);
    memory_release(text);
    return result;
}

void scree_scene_destroy(scree_scene *scene) {
    if (!scene) return;
    json_decref(scene->root);
    json_decref(scene->files);
    memory_release(scene->source.name);
    memory_release(scene->source.text);
    memory_release(scene->device);
    memory_release(scene->materials);
    memory_release(scene->materials_used);
    memory_release(scene->pairs);
    memory_release(scene->containers);
    memory_release(scene->bodies);
    memory_release(scene->generators);
    memory_release(scene->joints);
    for (int i = 0; i < scene->kinematic_group_count; ++i)
        scene_kinematic_group_release(&scene->kinematic_groups[i]);
    for (int i = 0; i < scene->measurement_count; ++i) scene_measurement_release(&scene->measurements[i]);
    memory_release(scene->measurements);
    memory_release(scene->kinematic_groups);
    memory_release(scene->gravity);
    memory_release(scene->inlets);
    stages_release(scene);
    memory_release(scene->outlets);
    for (int i = 0; i < scene->geometry_count; ++i) scree_geometry_release(scene->geometries[i]);
    memory_release(scene->geometries);
    for (int i = 0; i < scene->table_count; ++i) scree_grains_release(&scene->tables[i]);
    memory_release(scene->tables);
    memory_release(scene);
}

static scree_result describe_root(const scene_node *node, void *target, void *context) {
    (void)context;
    return root_read(target, node->value);
}

scree_result scree_scene_print_schema(FILE *out) {
    REQUIRE(out);
    scree_scene *scene;
    TRY(scene_begin("schema", &scene));
    scene->effective = true;               /* a key does not depend on its neighbours, */
    scene->body_count = SCENE_BODIES_MOST; /* nor a place in a list on that list */
    scene->container_count = SCENE_CONTAINERS_MOST;
    json_t *schema = schema_make(describe_root, scene, NULL);
    scree_scene_destroy(scene);
    if (!schema) return fail(SCREE_ERROR_MEMORY, "out of memory for a schema");
    const int failed = json_dumpf(schema, out, JSON_INDENT(1) | JSON_SORT_KEYS);
    json_decref(schema);
    if (failed || fputc('\n', out) == EOF) return fail_file(errno, "cannot write the schema");
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
