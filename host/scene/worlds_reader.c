/* Reads the key `worlds`: how many worlds an ensemble has, and which numbers of the scene vary. */
#include "worlds.h"

#include <string.h>

#include "base/memory.h"
#include "scene.h"
#include "value_path.h"

FIELD_CHOICE(variation_kind_name, "linear", "logarithmic", "uniform", "normal", "log-normal")

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_variation, MEMBER, HELP, __VA_ARGS__)
#define NUMBER_ROW(KEY, MEMBER, HELP, ...) ROW(DOUBLE, KEY, MEMBER, HELP, .range = ANY_NUMBER, __VA_ARGS__)
#define LIMIT_ROWS(...)                                                                                      \
    NUMBER_ROW("minimum", sampled.minimum, "smallest value", __VA_ARGS__),                                   \
        NUMBER_ROW("maximum", sampled.maximum, "largest value", __VA_ARGS__)
#define POSITIVE(KEY, MEMBER, HELP, ...) ROW(DOUBLE, KEY, MEMBER, HELP, .range = ABOVE(0), __VA_ARGS__)

static const field common_fields[] = {
    ROW(BOOL, "whole", whole, "true: round values to whole numbers, for counts and seeds"),
};
static const field linear_fields[] = {
    NUMBER_ROW("from", from, "first value", .required = true),
    NUMBER_ROW("to", to, "last value", .required = true),
};
static const field logarithmic_fields[] = {
    POSITIVE("from", from, "first value", .required = true),
    POSITIVE("to", to, "last value", .required = true),
};
static const field uniform_fields[] = {LIMIT_ROWS(.required = true)};
static const field normal_fields[] = {
    NUMBER_ROW("mean", sampled.centre, "mean", .required = true),
    POSITIVE("deviation", sampled.deviation, "standard deviation", .required = true),
    LIMIT_ROWS(.default_text = "three deviations from the mean"),
};
static const field log_normal_fields[] = {
    POSITIVE("median", sampled.centre, "median", .required = true),
    POSITIVE("deviation", sampled.deviation, "standard deviation of the natural logarithm", .required = true),
    LIMIT_ROWS(.default_text = "three deviations from the median"),
};
#undef ROW

static const field_table kinds[] = {
    [VARIATION_LINEAR] = FIELD_KIND(linear_fields, "equally spaced values"),
    [VARIATION_LOGARITHMIC] = FIELD_KIND(logarithmic_fields, "values with equal ratios"),
    [VARIATION_UNIFORM] = FIELD_KIND(uniform_fields, "random values, all equally frequent"),
    [VARIATION_NORMAL] =
        FIELD_KIND(normal_fields, "random values, normal, truncated at `minimum` and `maximum`"),
    [VARIATION_LOG_NORMAL] =
        FIELD_KIND(log_normal_fields, "random values, log-normal, truncated in the same way"),
};

FIELD_DEFAULTS(variation_begin, scene_variation, (scene_variation){.kind = (variation_kind)kind})

static distribution_kind distribution_of(variation_kind kind) {
    return kind == VARIATION_NORMAL       ? DISTRIBUTION_NORMAL
           : kind == VARIATION_LOG_NORMAL ? DISTRIBUTION_LOG_NORMAL
                                          : DISTRIBUTION_UNIFORM;
}

/* Completes the limits of a distribution: three deviations from the centre where the file has none. */
static scree_result variation_finish(const scene_node *node, void *target) {
    scene_variation *self = target;
    distribution *of = &self->sampled;
    if (self->kind < VARIATION_UNIFORM) return SCREE_OK;
    of->kind = distribution_of(self->kind);
    if (self->kind == VARIATION_LOG_NORMAL) of->centre = log(of->centre);
    const double low = of->centre - 3 * of->deviation, high = of->centre + 3 * of->deviation;
    const bool logarithmic = self->kind == VARIATION_LOG_NORMAL;
    if (!node_has(node, "minimum")) of->minimum = logarithmic ? exp(low) : low;
    if (!node_has(node, "maximum")) of->maximum = logarithmic ? exp(high) : high;
    if (logarithmic && !(of->minimum > 0)) return node_fail(node, "minimum %.9g; must be > 0", of->minimum);
    if (of->minimum < of->maximum && isfinite(of->maximum)) return SCREE_OK;
    return node_fail(node, "minimum %.9g, maximum %.9g; must have a finite minimum below the maximum",
                     of->minimum, of->maximum);
}

static scree_result list_read(const scene_node *node, void *target) {
    scene_variation *self = target;
    *self = (scene_variation){.kind = VARIATION_LIST, .numbers = node->value};
    if (!json_is_array(node->value)) return node_refuse(node, "an array of numbers or an object");
    TRY(array_check(node, 1, SCENE_WORLDS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        const scene_node element = node_element(node, i);
        double number;
        TRY(number_read(&element, (field_range)ANY_NUMBER, NULL, &number));
    }
    return SCREE_OK;
}

static const field list_field = {.type = FIELD_NUMBERS,
                                 .range = ANY_NUMBER,
                                 .least = 1,
                                 .most = SCENE_WORLDS_MOST,
                                 .help = "a value for each set",
                                 .read = list_read};

const scene_object variation_object = SCENE_OBJECT(
    "variation", scene_variation, .kind = variation_kind_name, .common = FIELD_TABLE(common_fields),
    .kinds = kinds, .begin = variation_begin, .finish = variation_finish, .other = &list_field);

/* Checks that a path names a number of the scene. */
static scree_result path_check(const scene_node *entry, json_t *root) {
    const value_place place = value_path_find(root, entry->key);
    char value[NODE_TEXT], suggestion[SUGGESTION_TEXT] = "";
    const scene_node found = {entry->source, place.value, NULL, NULL, 0};
    if (json_is_number(place.value)) return SCREE_OK;
    if (place.value)
        return node_key_fail(entry, "this is %s; must be the path of a number", node_describe(&found, value));
    const char *known;
    json_t *other;
    json_object_foreach(place.owner, known, other) if (!suggestion[0])
        node_suggest(place.key, &known, 1, suggestion);
    return node_key_fail(
        entry,
        "the scene has no \"%.40s\" there; must be the path of a number that the file gives, "
        "such as `materials.glass.friction` or `bodies[3].mass`%s",
        place.key, suggestion);
}

static scree_result vary_read(const scene_node *node, void *target) {
    scene_worlds *self = target;
    char value[NODE_TEXT];
    const char *key;
    json_t *item;
    if (!json_is_object(node->value))
        return node_fail(node, "%s; must be an object: path of a number → its values",
                         node_describe(node, value));
    if (json_object_size(node->value) > SCENE_VARIATIONS_MOST)
        return node_fail(node, "%zu variations; must be at most %d", json_object_size(node->value),
                         SCENE_VARIATIONS_MOST);
    self->variations = memory_allocate(json_object_size(node->value), sizeof *self->variations);
    if (!self->variations) return fail(SCREE_ERROR_MEMORY, "out of memory for the variations of a scene");
    json_object_foreach(node->value, key, item) {
        const scene_node entry = node_member(node, key);
        scene_variation *next = &self->variations[self->variation_count];
        TRY(path_check(&entry, self->root));
        TRY(object_read(&entry, &variation_object, next));
        next->key = key;
        self->variation_count++;
    }
    return SCREE_OK;
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_report, MEMBER, HELP, __VA_ARGS__)
static const field report_fields[] = {
    ROW(TEXT, "name", name, "name of a measurement", .least = 1, .most = SCREE_MEASUREMENT_NAME_SIZE - 1,
        .required = true),
    ROW(TEXT, "figure", figure, "name of one of its figures, such as `force_z_mean_N`", .least = 1,
        .most = WORLDS_FIGURE - 1, .required = true),
};
#undef ROW

static void name_column(scene_report *self) {
    snprintf(self->column, sizeof self->column, "%s.%s", self->name, self->figure);
}

static scree_result report_finish(const scene_node *node, void *target) {
    (void)node;
    name_column(target);
    return SCREE_OK;
}
static const scene_object report_object =
    SCENE_OBJECT("reported", scene_report, .common = FIELD_TABLE(report_fields), .finish = report_finish);

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_plot, MEMBER, HELP, __VA_ARGS__)
static const field plot_fields[] = {
    ROW(TEXT, "name", of.name, "name of a measurement", .least = 1, .most = SCREE_MEASUREMENT_NAME_SIZE - 1,
        .required = true),
    ROW(TEXT, "figure", of.figure, "name of one of its figures, such as `covered_radius_m`", .least = 1,
        .most = WORLDS_FIGURE - 1, .required = true),
    ROW(TEXT, "against", against, "a number that varies, a path of `vary`", .least = 1,
        .most = WORLDS_PATH - 1, .default_text = "the first path of `vary`"),
};
#undef ROW

static scree_result plot_finish(const scene_node *node, void *target) {
    scene_plot *self = target;
    (void)node;
    name_column(&self->of);
    return SCREE_OK;
}
static const scene_object plot_object =
    SCENE_OBJECT("plot", scene_plot, .common = FIELD_TABLE(plot_fields), .finish = plot_finish);

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_worlds, MEMBER, HELP, __VA_ARGS__)
static const field worlds_fields[] = {
    ROW(INT, "count", count, "number of sets of values", .range = BETWEEN(1, SCENE_WORLDS_MOST),
        .default_text = "length of the lists; 1 without `vary`"),
    ROW(INT, "repeats", repeats, "number of worlds with each set, which differ in their seeds",
        .range = BETWEEN(1, SCENE_WORLDS_MOST)),
    FIELD_OF_ALL(MAP, "vary", "values of numbers of the scene, by their paths as error messages write them",
                 .object = &variation_object, .most = SCENE_VARIATIONS_MOST, .read = vary_read),
    FIELD_LIST_OF("report", report_object, scene_worlds, reports, report_count, SCENE_REPORTS_MOST,
                  "figures of measurements that the summary shows"),
    FIELD_LIST_OF("plot", plot_object, scene_worlds, plots, plot_count, SCENE_PLOTS_MOST,
                  "pictures of figures of measurements against a number that varies, with error bars"),
    ROW(BOOL, "keep", keep,
        "true: keep the results of each world, with its frames, pictures and checkpoint, in a folder "
        "`world-NNNNN`"),
};
#undef ROW

FIELD_DEFAULTS(worlds_begin, scene_worlds,
               (scene_worlds){.repeats = 1,
                              .json = ((scene_worlds *)target)->json,
                              .root = ((scene_worlds *)target)->root})

/* Checks the lengths of the lists, which are the number of sets of values unless the file gives that. */
static scree_result counts_finish(const scene_node *node, scene_worlds *self) {
    const scene_node vary = node_member(node, "vary");
    for (int i = 0; i < self->variation_count; i++) {
        const scene_variation *of = &self->variations[i];
        const scene_node entry = node_member(&vary, of->key);
        const int length = (int)json_array_size(of->numbers);
        if (of->kind == VARIATION_LIST && !self->count) self->count = length;
        if (of->kind == VARIATION_LIST && length != self->count)
            return node_fail(&entry, "%d values; must be %d, the number of sets of values", length,
                             self->count);
    }
    if (self->count) return SCREE_OK;
    if (self->variation_count)
        return node_fail(node, "the key \"count\" is missing: no list gives the number of sets of values");
    self->count = 1;
    return SCREE_OK;
}

/* Finds the number that a plot is drawn against. */
static scree_result plot_place(const scene_node *entry, const scene_worlds *self, scene_plot *of) {
    const scene_node against = node_member(entry, "against");
    const char *paths[SCENE_VARIATIONS_MOST];
    char list[1024] = "", suggestion[SUGGESTION_TEXT];
    if (!self->variation_count) return node_fail(entry, "plot without numbers that vary; must be used with `vary`");
    for (of->varied = 0; of->varied < self->variation_count; of->varied++) {
        const char *path = paths[of->varied] = self->variations[of->varied].key;
        const size_t used = strlen(list);
        if (!of->against[0] || !strcmp(path, of->against)) return SCREE_OK;
        snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? ", " : "", path);
    }
    node_suggest(of->against, paths, self->variation_count, suggestion);
    return node_fail(&against, "\"%s\"; must be one of %s%s", of->against, list, suggestion);
}

static scree_result plots_finish(const scene_node *node, scene_worlds *self) {
    const scene_node list = node_member(node, "plot");
    for (int i = 0; i < self->plot_count; i++) {
        const scene_node entry = node_element(&list, (size_t)i);
        TRY(plot_place(&entry, self, &self->plots[i]));
    }
    return SCREE_OK;
}

static scree_result worlds_finish(const scene_node *node, void *target) {
    scene_worlds *self = target;
    const scene_node repeats = node_member(node, "repeats"), vary = node_member(node, "vary"),
                     seed = node_member(&vary, "seed");
    TRY(counts_finish(node, self));
    if ((double)self->count * self->repeats > SCENE_WORLDS_MOST)
        return node_fail(node, "%.9g worlds; must be at most %d", (double)self->count * self->repeats,
                         SCENE_WORLDS_MOST);
    if (seed.value && self->repeats > 1)
        return node_fail(&repeats, "%d; must be 1 if `vary` has the seed, by which repeats differ",
                         self->repeats);
    return plots_finish(node, self);
}

const scene_object worlds_object = SCENE_OBJECT("worlds", scene_worlds, .common = FIELD_TABLE(worlds_fields),
                                                .begin = worlds_begin, .finish = worlds_finish);

scree_result worlds_read(scree_scene *scene) {
    const scene_node root = {&scene->source, scene->root, NULL, NULL, 0}, node = node_member(&root, "worlds");
    if (!node.value) return SCREE_OK;
    json_t *rest = json_copy(scene->root);
    if (!rest || json_object_del(rest, "worlds")) {
        json_decref(rest);
        return fail(SCREE_ERROR_MEMORY, "out of memory for the worlds of a scene");
    }
    scene->worlds.json = json_incref(node.value);
    scene->worlds.root = json_incref(rest);
    json_decref(scene->root);
    scene->root = rest;
    return object_read(&node, &worlds_object, &scene->worlds);
}

/* Fails with the names of the measurements. */
static scree_result unknown_measurement(const scree_scene *last, const scene_node *name, const char *wrong) {
    char list[1024] = "";
    for (int i = 0; i < last->measurement_count; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? ", " : "", last->measurements[i].name);
    }
    if (!list[0]) return node_fail(name, "\"%s\": the scene has no measurements", wrong);
    return node_fail(name, "\"%s\": the scene has no measurement of that name; must be one of %s", wrong,
                     list);
}

/* Finds the measurement of a figure, in the last stage. */
static scree_result report_check(const scree_scene *scene, const scene_node *entry, const scene_report *of) {
    const scree_scene *last = scene_at_stage(scene, scene->stage_count - 1);
    const scene_node name = node_member(entry, "name"), figure = node_member(entry, "figure");
    for (int i = 0; i < last->measurement_count; i++) {
        const char *known = last->measurements[i].name;
        int quantity, component;
        scree_measurement_def def = last->measurements[i].def;
        def.name = known;
        if (!strcmp(known, of->name))
            return node_fail_prefix(&figure,
                                    scree_measurement_find_column(&def, of->figure, &quantity, &component));
    }
    return unknown_measurement(last, &name, of->name);
}

scree_result worlds_check(const scree_scene *scene) {
    const scene_worlds *worlds = &scene->worlds;
    const scene_node root = {&scene->source, NULL, NULL, NULL, 0},
                     node = {&scene->source, worlds->json, &root, "worlds", 0},
                     reports = node_member(&node, "report"), plots = node_member(&node, "plot");
    for (int i = 0; i < worlds->report_count; i++) {
        const scene_node entry = node_element(&reports, (size_t)i);
        TRY(report_check(scene, &entry, &worlds->reports[i]));
    }
    for (int i = 0; i < worlds->plot_count; i++) {
        const scene_node entry = node_element(&plots, (size_t)i);
        TRY(report_check(scene, &entry, &worlds->plots[i].of));
    }
    return SCREE_OK;
}

void worlds_release(scene_worlds *self) {
    memory_release(self->variations);
    memory_release(self->reports);
    memory_release(self->plots);
    json_decref(self->json);
    json_decref(self->root);
}
