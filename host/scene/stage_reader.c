/* Stages of an experiment in one scene: each stage is the preceding scene with some keys changed, plus an
 * end. Entering a stage is equivalent to editing the file and continuing from a checkpoint. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene.h"

/* Statistics of a step that can end a stage. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    {"kinetic_energy", offsetof(scree_statistics, kinetic_energy)},
    {"potential_energy", offsetof(scree_statistics, potential_energy)},
    {"inserted_mass", offsetof(scree_statistics, inserted_mass)},
    {"removed_mass", offsetof(scree_statistics, removed_mass)},
    {"penetration_max", offsetof(scree_statistics, penetration_max)},
    {"penetration_mean", offsetof(scree_statistics, penetration_mean)},
    {"travel_max", offsetof(scree_statistics, travel_max)},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static const char *figure_name(int i) { return i >= 0 && i < FIGURES ? figures[i].name : NULL; }

/* Requires exactly one bound. */
static scree_result bound_finish(const scene_node *node, void *target) {
    (void)target;
    return node_has(node, "below") != node_has(node, "above")
               ? SCREE_OK
               : node_fail(node, "must have either \"below\" or \"above\"");
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, stage_end, MEMBER, HELP, __VA_ARGS__)
#define BOUND_ROWS(BOUND)                                                                                    \
    ROW(DOUBLE, "below", BOUND.below, "the stage ends below this", .range = ANY_NUMBER,                      \
        .default_text = "this or `above` required"),                                                         \
        ROW(DOUBLE, "above", BOUND.above, "the stage ends above this", .range = ANY_NUMBER,                  \
            .default_text = "none")

static const field figure_fields[] = {
    ROW(ENUM, "name", figure, "statistic of the step; energies in J, masses in kg, penetrations in m",
        .name = figure_name, .required = true),
    BOUND_ROWS(bound),
};
static const scene_object figure_object = {
    .name = "figure", .common = FIELD_TABLE(figure_fields), .finish = bound_finish};

static const field measured_fields[] = {
    ROW(TEXT, "name", measured.name, "name of a measurement", .least = 1,
        .most = sizeof((stage_end *)NULL)->measured.name - 1, .required = true),
    ROW(TEXT, "figure", measured.figure, "name of one of its figures, such as `force_z_mean_N`", .least = 1,
        .most = sizeof((stage_end *)NULL)->measured.figure - 1, .required = true),
    BOUND_ROWS(measured.bound),
};
static const scene_object measured_object = {
    .name = "row", .common = FIELD_TABLE(measured_fields), .finish = bound_finish};

static const field end_fields[] = {
    ROW(DOUBLE, "time", time, "longest duration of the stage, which ends with the step that reaches it",
        .range = BETWEEN(1e-9, 1e9), .unit = "s", .required = true),
    ROW(DOUBLE, "after", after, "the other criteria count only from this time on", .range = BETWEEN(0, 1e9),
        .unit = "s"),
    ROW(DOUBLE, "rest", rest,
        "when the kinetic energy per mass of dynamic bodies is below this; not before 10 √(2 rest)/g, the "
        "time "
        "in which bodies that fall from rest exceed it",
        .range = ABOVE(0), .unit = "J/kg", .default_text = "none"),
    ROW(COUNT, "grains_at_least", grains_at_least, "when there are at least this many dynamic bodies",
        .range = AT_LEAST(1), .default_text = "none"),
    ROW(COUNT, "grains_at_most", grains_at_most, "when there are at most this many dynamic bodies",
        .range = AT_LEAST(0), .default_text = "none"),
    FIELD_OF_ALL(OBJECT, "figure", "when a statistic of the step is below or above a number",
                 .object = &figure_object, .default_text = "none"),
    FIELD_OF_ALL(OBJECT, "measurement", "when a row of a measurement has a figure below or above a number",
                 .object = &measured_object, .default_text = "none"),
};

#define NO_BOUND                                                                                             \
    { -INFINITY, INFINITY }
FIELD_DEFAULTS(end_begin, stage_end,
               (stage_end){.grains_at_most = UINT64_MAX,
                           .figure = -1,
                           .bound = NO_BOUND,
                           .measured = {.bound = NO_BOUND}})

static scree_result end_finish(const scene_node *node, void *target) {
    stage_end *end = target;
    const scene_node after = node_member(node, "after");
    end->thins = node_has(node, "grains_at_most");
    return end->after <= end->time
               ? SCREE_OK
               : node_fail(&after, "%.9g s; must be at most the \"time\", %.9g s", end->after, end->time);
}
static const scene_object end_object = SCENE_OBJECT("until", stage_end, .common = FIELD_TABLE(end_fields),
                                                    .begin = end_begin, .finish = end_finish);
#undef ROW

static scree_result name_read(const scene_node *node, void *target) {
    const char *text = json_string_value(node->value);
    const size_t length = json_string_length(node->value);
    if (!text || !length || length >= SCENE_STAGE_NAME || strcspn(text, ",\"\n\r") != length)
        return node_fail(node, "must have a \"name\" of 1 to %d bytes without commas, quotes and line breaks",
                         SCENE_STAGE_NAME - 1);
    memcpy(target, text, length + 1);
    return SCREE_OK;
}

/* The keys of a stage besides those of the scene that it changes. */
static const field stage_fields[] = {
    FIELD(TEXT, "name", scene_stage, name, "name in measurements.csv", .least = 1,
          .most = SCENE_STAGE_NAME - 1, .read = name_read, .required = true),
    FIELD(OBJECT, "until", scene_stage, end, "when the stage ends", .object = &end_object, .required = true),
};
const scene_object stage_object = SCENE_OBJECT("stage", scene_stage, .common = FIELD_TABLE(stage_fields));

static scree_result no_memory(void) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for the stages of a scene");
}

/* Applies a stage's changes to an array: entries by index, and those under "add" at the end. */
static scree_result patch_array(const scene_node *place, json_t *target, json_t *patch);

/* Makes the changed scene (RFC 7396, JSON merge patch, except for arrays that an object changes), which is to
 * be released also after an error. */
static scree_result patched(const scene_node *place, const json_t *target, json_t *patch, json_t **out) {
    const char *key;
    json_t *value;
    if (json_is_array(target) && json_is_object(patch))
        return patch_array(place, *out = json_deep_copy(target), patch);
    if (!target && json_is_array(json_object_get(patch, "add"))) /* a missing list counts as empty */
        return patch_array(place, *out = json_array(), patch);
    *out = json_is_object(patch) ? json_is_object(target) ? json_copy((json_t *)target) : json_object()
                                 : json_deep_copy(patch);
    if (!*out) return no_memory();
    json_object_foreach(json_is_object(patch) ? patch : NULL, key, value) {
        const scene_node member = node_member(place, key);
        json_auto_t *changed = NULL;
        if (!json_is_null(value)) TRY(patched(&member, json_object_get(target, key), value, &changed));
        if (json_is_null(value))
            json_object_del(*out, key);
        else if (json_object_set(*out, key, changed))
            return no_memory();
    }
    return SCREE_OK;
}

static scree_result patch_entry(const scene_node *member, json_t *target, const char *key, json_t *value) {
    char *rest = NULL;
    const unsigned long index = strtoul(key, &rest, 10);
    if (!strcmp(key, "add") && json_is_array(value))
        return json_array_extend(target, value) ? no_memory() : SCREE_OK;
    if (!*key || *rest || *key < '0' || *key > '9' || index >= json_array_size(target))
        return node_fail(member, "must be the index of an entry, below %zu, or \"add\" with an array",
                         json_array_size(target));
    json_auto_t *changed = NULL;
    TRY(patched(member, json_array_get(target, index), value, &changed));
    return json_array_set(target, index, changed) ? no_memory() : SCREE_OK;
}

static scree_result patch_array(const scene_node *place, json_t *target, json_t *patch) {
    const char *key;
    json_t *value;
    if (!target) return no_memory();
    json_object_foreach(patch, key, value) {
        const scene_node member = node_member(place, key);
        TRY(patch_entry(&member, target, key, value));
    }
    return SCREE_OK;
}

/* Reads a stage and makes the resulting scene. */
static scree_result stage_read(const scene_node *node, scene_stage *out) {
    static const char *const fixed[] = {"stages", "run", "seed", "worlds"};
    if (!json_is_object(node->value)) return node_fail(node, "must be an object");
    if (!node_has(node, "name"))
        return name_read(node, out->name); /* fails with the message of a missing name */
    json_auto_t *own = json_object();
    json_auto_t *patch = json_copy(node->value);
    for (int i = 0; i < FIELD_COUNT_OF(stage_fields); i++) {
        json_t *value = json_object_get(node->value, stage_fields[i].key);
        if (value) json_object_set(own, stage_fields[i].key, value);
        json_object_del(patch, stage_fields[i].key);
    }
    json_object_del(patch, "description");
    const scene_node keys = {node->source, own, node->parent, node->key, node->index};
    TRY(object_read(&keys, &stage_object, out));
    out->until = json_incref(json_object_get(own, "until"));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        const scene_node member = node_member(node, fixed[i]);
        if (member.value) return node_key_fail(&member, "cannot change between stages");
    }
    return patched(node, out->before, patch, &out->root);
}

scree_result stages_read(scree_scene *scene, const scene_node *root, double *length) {
    const scene_node list = node_member(root, "stages"), run = node_member(root, "run");
    json_auto_t *first = json_copy(root->value);
    if (!first) return no_memory();
    json_object_del(first, "stages");
    TRY(array_check(&list, 1, SCENE_STAGES_MOST));
    if (run.value)
        return node_key_fail(&run, "not allowed with \"stages\", which determine the length of the run");
    const int count = (int)json_array_size(list.value);
    scene->stages = memory_allocate((size_t)count, sizeof *scene->stages);
    if (!scene->stages) return no_memory();
    *length = 0;
    for (int i = 0; i < count; i++) {
        const scene_node element = node_element(&list, (size_t)i);
        scene_stage *stage = &scene->stages[i];
        stage->changes = json_incref(element.value);
        stage->before = json_incref(i ? stage[-1].root : first);
        stage->origin = (struct stage_origin){&scene->source, i, stage->changes, stage->before,
                                              i ? &stage[-1].origin : NULL};
        scene->stage_count = i + 1;
        TRY(stage_read(&element, stage));
        *length += stage->end.time;
    }
    return SCREE_OK;
}

scree_result stages_make(scree_scene *scene) {
    for (int i = 1; i < scene->stage_count; i++) {
        scene_stage *stage = &scene->stages[i];
        TRY(scene_make_effective(scene->source.name, scene->source.name, stage->root, &stage->origin,
                                 &stage->scene));
        if (json_object_update(scene->warnings, stage->scene->warnings))
            return fail(SCREE_ERROR_MEMORY, "out of memory for the warnings of a stage");
    }
    return SCREE_OK;
}

/* Refuses a new material that nothing uses: its name is probably a typing error. */
static scree_result names_check(const scree_scene *scene, int index) {
    const scree_scene *now = scene_at_stage(scene, index);
    const scene_node root = {&now->source, now->root, NULL, NULL, 0},
                     materials = node_member(&root, "materials");
    json_t *before = json_object_get(scene->stages[index].before, "materials");
    const char *known;
    json_t *value;
    for (int i = 0; i < now->material_count; i++) {
        const char *name = now->materials[i].name;
        if (now->materials[i].used || json_object_get(before, name)) continue;
        const scene_node material = node_member(&materials, name);
        char suggestion[SUGGESTION_TEXT] = "";
        json_object_foreach(before, known, value) if (!suggestion[0])
            node_suggest(name, &known, 1, suggestion);
        return node_key_fail(&material, "nothing in this stage uses this new material%s", suggestion);
    }
    return SCREE_OK;
}

/* Resolves the measurement that ends a stage. The stage must have it, with that figure. */
static scree_result measured_find(const scree_scene *scene, int index, stage_end *end) {
    const scree_scene *now = scene_at_stage(scene, index);
    const scene_node root = {&scene->source, NULL, NULL, NULL, 0}, list = node_member(&root, "stages"),
                     stage = node_element(&list, (size_t)index),
                     until = {&scene->source, scene->stages[index].until, &stage, "until", 0},
                     measured = node_member(&until, "measurement"), name = node_member(&measured, "name"),
                     figure = node_member(&measured, "figure");
    char suggestion[SUGGESTION_TEXT] = "";
    for (int i = 0; i < now->measurement_count; i++) {
        const char *known = now->measurements[i].name;
        if (!strcmp(known, end->measured.name) && now->measurements[i].def.paused) /* the key `absent` */
            return node_fail(&name, "\"%s\" is absent in this stage", known);
        if (!strcmp(known, end->measured.name)) {
            scree_measurement_def def = now->measurements[i].def;
            def.name = known;
            return node_fail_prefix(&figure, scree_measurement_find_column(&def, end->measured.figure,
                                                                           &end->measured.index,
                                                                           &end->measured.component));
        }
        if (!suggestion[0]) node_suggest(end->measured.name, &known, 1, suggestion);
    }
    return node_fail(&name, "\"%s\": this stage has no measurement of that name%s", end->measured.name,
                     suggestion);
}

scree_result stages_check(scree_scene *scene) {
    for (int i = 0; i < scene->stage_count; i++) {
        TRY(names_check(scene, i));
        if (*scene->stages[i].end.measured.name) TRY(measured_find(scene, i, &scene->stages[i].end));
        if (i > 0) TRY(stage_compare_scenes(scene, i));
    }
    return SCREE_OK;
}

void stages_release(scree_scene *scene) {
    for (int i = 0; i < scene->stage_count; i++) {
        scree_scene_destroy(scene->stages[i].scene);
        json_decref(scene->stages[i].until);
        json_decref(scene->stages[i].changes);
        json_decref(scene->stages[i].before);
        json_decref(scene->stages[i].root);
    }
    memory_release(scene->stages);
}

const scree_scene *scene_at_stage(const scree_scene *scene, int stage) {
    return stage > 0 ? scene->stages[stage].scene : scene;
}

int scree_scene_stage_count(const scree_scene *scene) {
    REQUIRE_ELSE(scene, 0);
    return scene->stage_count;
}

const char *scree_scene_get_stage_name(const scree_scene *scene, int stage) {
    REQUIRE_ELSE(scene, NULL);
    return stage >= 0 && stage < scene->stage_count ? scene->stages[stage].name : NULL;
}

scree_result scree_scene_get_stage(const scree_world *world, int *stage, double *begin) {
    REQUIRE(world);
    REQUIRE(stage);
    REQUIRE(begin);
    SCOPED_RECORD kept;
    TRY(record_read(world, &kept));
    *stage = kept.stage;
    *begin = kept.stage_time;
    return SCREE_OK;
}

/* Tolerance for the round-off of a time that is a multiple of a step, s. */
static double slack_at(double time) { return 1e-9 * fmax(1, time); }

static bool is_beyond(stage_bound bound, double figure) {
    return figure < bound.below || figure > bound.above;
}

/* Returns whether a row that this step produced ends the stage. */
static bool measured_is_met(const stage_end *end, const scree_world *world, uint64_t step) {
    scree_measurement_row row;
    if (!*end->measured.name || !world) return false;
    const scree_measurement_id measurement = scree_measurement_find(world, end->measured.name);
    if (!measurement.index || scree_measurement_get_row(world, measurement, &row) != SCREE_OK ||
        row.step != step)
        return false;
    const double *const components[] = {row.sample, row.mean, row.maximum};
    return is_beyond(end->measured.bound, components[end->measured.component][end->measured.index]);
}

/* Returns whether the kinetic energy per mass is below `energy_per_mass`, and `since`, the time since the
 * stage began, is so long that a falling body would exceed it; without a world only the energy counts. A body
 * that falls from rest reaches the energy e per mass within √(2 e)/g; after ten times as long, one that
 * accelerates by a tenth of gravity has reached it. */
static bool is_at_rest(double energy_per_mass, const scree_world *world, const scree_statistics *s,
                       double since) {
    if (!(energy_per_mass > 0 && s->dynamic_mass > 0 &&
          s->kinetic_energy < energy_per_mass * s->dynamic_mass))
        return false;
    if (!world) return true;
    const scree_vec3 g = scree_world_get_def(world).gravity;
    const double gravity =
        sqrt((double)g.x * (double)g.x + (double)g.y * (double)g.y + (double)g.z * (double)g.z);
    return since * gravity >= 10 * sqrt(2 * energy_per_mass);
}

/* Returns the key that ends the stage, NULL: none. */
static const char *criterion_met(const stage_end *end, const scree_world *world, const scree_statistics *s,
                                 double since) {
    const double slack = slack_at(s->time);
    const uint64_t grains = (uint64_t)s->dynamic_bodies;
    const double *figure =
        end->figure < 0 ? NULL : (const double *)((const char *)s + figures[end->figure].offset);
    const struct {
        const char *key;
        bool met;
    } criteria[] = {
        {"rest", is_at_rest(end->rest, world, s, since)},
        {"grains_at_least", end->grains_at_least && grains >= end->grains_at_least},
        {"grains_at_most", end->thins && grains <= end->grains_at_most},
        {"figure", figure && is_beyond(end->bound, *figure)},
        {"measurement", measured_is_met(end, world, s->step)},
    };
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria && since + slack >= end->after; i++)
        if (criteria[i].met) return criteria[i].key;
    return since + slack >= end->time ? "time" : NULL;
}

const char *scree_scene_get_stage_criterion(const scree_scene *scene, int stage, double begin,
                                            const scree_world *world, const scree_statistics *statistics) {
    REQUIRE_ELSE(scene, NULL);
    REQUIRE_ELSE(statistics, NULL);
    if (stage < 0 || stage >= scene->stage_count) return NULL;
    return criterion_met(&scene->stages[stage].end, world, statistics, statistics->time - begin);
}

bool scree_scene_stage_is_over(const scree_scene *scene, int stage, double begin, const scree_world *world,
                               const scree_statistics *statistics) {
    REQUIRE_ELSE(scene, false);
    REQUIRE_ELSE(statistics, false);
    return scree_scene_get_stage_criterion(scene, stage, begin, world, statistics);
}

scree_result stage_check(const scree_scene *scene, int stage) {
    if (stage < (scene->stage_count > 0 ? scene->stage_count : 1)) return SCREE_OK;
    return fail(SCREE_ERROR_FORMAT, "%.512s: the checkpoint is in stages[%d], but the scene has %d stages",
                scene->source.name, stage, scene->stage_count);
}

/* Reads the world's record, which is to be released also after an error, and checks that the scene has its
 * stage. Errors: FORMAT, MEMORY. */
static scree_result stage_of(const scree_scene *scene, const scree_world *world, record *out) {
    TRY(record_read(world, out));
    return stage_check(scene, out->stage);
}

scree_result scree_scene_end_stage(const scree_scene *scene, scree_world *world) {
    REQUIRE(scene);
    REQUIRE(world);
    if (!scene->stage_count)
        return fail(SCREE_ERROR_FORMAT, "%.512s: the scene has no stages", scene->source.name);
    SCOPED_RECORD kept;
    TRY(stage_of(scene, world, &kept));
    record_keep_end(&kept, scene->stages[kept.stage].until);
    TRY(record_write(&kept, world));
    return scree_measurement_end_rows(world);
}

scree_result scree_scene_stage_has_ended(const scree_scene *scene, const scree_world *world, bool *ended) {
    REQUIRE(scene);
    REQUIRE(world);
    REQUIRE(ended);
    *ended = false;
    if (!scene->stage_count) return SCREE_OK;
    SCOPED_RECORD kept;
    TRY(stage_of(scene, world, &kept));
    *ended = kept.ended && json_equal(kept.ended, scene->stages[kept.stage].until);
    return SCREE_OK;
}

/* Returns the number of steps until a stage that has lasted `since` seconds ends by its time. */
static uint64_t steps_left(const stage_end *end, double since, double time, double time_step) {
    const double left = ceil((end->time - since - slack_at(time)) / time_step);
    /* A stage whose time is over ends with the next step. */
    return (uint64_t)fmin(fmax(left, 1), 0x1p62 / SCENE_STAGES_MOST);
}

scree_result scree_scene_get_stage_steps(const scree_scene *scene, const scree_world *world,
                                         uint64_t *steps) {
    int stage;
    double begin;
    bool ended;
    REQUIRE(scene);
    REQUIRE(world);
    REQUIRE(steps);
    *steps = 0;
    TRY(scree_scene_stage_has_ended(scene, world, &ended));
    TRY(scree_scene_get_stage(world, &stage, &begin));
    double time_step = scree_world_get_def(world).time_step, time = scree_world_get_time(world),
           since = time - begin;
    for (int i = stage; i < scene->stage_count; ++i, since = 0) {
        const stage_end *end = &scene->stages[i].end;
        const double before = scene_at_stage(scene, i > 0 ? i - 1 : 0)->world.time_step,
                     now = scene_at_stage(scene, i)->world.time_step;
        if (i > stage && now != before) time_step = now; /* otherwise the command line's time step remains */
        if (i == stage && ended) continue;
        const uint64_t left = steps_left(end, since, time + end->time - since, time_step);
        *steps += left;
        time += (double)left * time_step;
    }
    return SCREE_OK;
}

scree_run_def scree_scene_get_stage_run_def(const scree_scene *scene, int stage) {
    REQUIRE_ELSE(scene, (scree_run_def){0});
    const bool known = stage > 0 && stage < scene->stage_count;
    scree_run_def out = scree_scene_get_run_def(known ? scene->stages[stage].scene : scene);
    out.length = scene->run.length;
    out.seed = scene->run.seed;
    return out;
}
