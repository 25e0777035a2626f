/* The worlds of an ensemble: the key `worlds` of a scene. */
#pragma once

#include <scree/tools/measurement.h>

#include "distribution.h"

enum {
    SCENE_WORLDS_MOST = 100000,
    SCENE_VARIATIONS_MOST = 32,
    SCENE_REPORTS_MOST = 64,
    SCENE_PLOTS_MOST = 64,
    WORLDS_PATH = 256, /* bytes of the path of a number, with the end */
    WORLDS_FIGURE = 96 /* bytes of the name of a figure, with the end */
};

typedef enum variation_kind {
    VARIATION_LINEAR,
    VARIATION_LOGARITHMIC,
    VARIATION_UNIFORM,
    VARIATION_NORMAL,
    VARIATION_LOG_NORMAL,
    VARIATION_LIST
} variation_kind;

/* The values of one number of the scene. */
typedef struct scene_variation {
    const char *key; /* its path, a key of the text */
    variation_kind kind;
    double from, to;       /* linear, logarithmic */
    distribution sampled;  /* uniform, normal, log-normal */
    bool whole;            /* whether values are rounded to whole numbers */
    const json_t *numbers; /* list; borrowed from the scene's JSON */
} scene_variation;

/* A figure of a measurement that the summary shows. */
typedef struct scene_report {
    char name[SCREE_MEASUREMENT_NAME_SIZE], figure[WORLDS_FIGURE];
    char column[SCREE_MEASUREMENT_NAME_SIZE + WORLDS_FIGURE]; /* "name.figure" */
} scene_report;

/* A plot of a figure of a measurement against a number that varies. */
typedef struct scene_plot {
    scene_report of;
    char against[WORLDS_PATH]; /* path of the number; empty: the first that varies */
    int varied;                /* its index */
} scene_plot;

typedef struct scene_worlds {
    int count, repeats; /* sets of values, and worlds with each; `count` 0: no ensemble */
    bool keep;
    int variation_count;
    scene_variation *variations;
    int report_count;
    scene_report *reports;
    int plot_count;
    scene_plot *plots;
    json_t *json, *root; /* the key's value, and the file's scene without it */
} scene_worlds;

struct scree_scene;
extern const scene_object worlds_object, variation_object;
/* Reads the key `worlds` of a scene's root and replaces the root by one without it. Errors: FORMAT,
 * MEMORY. */
scree_result worlds_read(struct scree_scene *scene);
/* Checks that the figures of the summary and the plots exist. Call after the measurements have been read.
 * Errors: FORMAT.
 */
scree_result worlds_check(const struct scree_scene *scene);
void worlds_release(scene_worlds *self);
/* Returns the value of a variation in the `index`-th set of values. */
double variation_value(const scene_worlds *self, int variation, int index, uint64_t seed);
