#include "ensemble_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static const char begin[] = "worlds_", end[] = ".png";

const char *ensemble_plot_path(const ensemble_view *of, int i, char path[FOLDER_PATH]) {
    const char *column = scree_scene_get_worlds_plot(of->scene, i).column;
    char name[SCREE_MEASUREMENT_NAME_SIZE + 128], number[16] = "";
    int same = 1; /* a figure may have plots against several numbers */
    for (int k = 0; k < i; k++) same += !strcmp(scree_scene_get_worlds_plot(of->scene, k).column, column);
    if (same > 1) snprintf(number, sizeof number, "_%d", same);
    snprintf(name, sizeof name, "%s%s%s%s", begin, column, number, end);
    return folder_path(of->folder, name, path);
}

bool ensemble_plot_is(const char *file) {
    const size_t length = strlen(file);
    return length > sizeof begin + sizeof end - 2 && !strncmp(file, begin, sizeof begin - 1) &&
           !strcmp(file + length - (sizeof end - 1), end);
}

/* Returns the sums of a column; null: no world has it. */
static const sample_sums *sums_of(const char *column, char *const *names, int columns,
                                  const sample_sums *sums) {
    for (int i = 0; i < columns; i++)
        if (!strcmp(names[i], column)) return &sums[i];
    return NULL;
}

scree_result ensemble_plots_add(ensemble_plots *self, int set, char *const *names, int columns,
                                const sample_sums *sums) {
    const ensemble_view *of = self->of;
    const int first = set * of->worlds.repeats;
    TRY(MEMORY_RESERVE(self->points, self->capacity, self->count + of->worlds.plotted, NULL));
    for (int i = 0; i < of->worlds.plotted; i++) {
        const scree_worlds_plot plot = scree_scene_get_worlds_plot(of->scene, i);
        const sample_sums *found = sums_of(plot.column, names, columns, sums);
        const bool any = found && found->count > 0;
        self->points[self->count++] =
            (scree_plot_point){.x = scree_scene_get_varied_value(of->scene, plot.varied, first, of->seed),
                               .y = any ? found->mean : NAN,
                               .error = any ? sample_confidence(found) : NAN};
    }
    return SCREE_OK;
}

/* Returns whether any point has a bar. */
static bool has_bars(const scree_plot_def *def) {
    for (int i = 0; i < def->count; i++)
        if (isfinite(def->points[i].error)) return true;
    return false;
}

static scree_result write_plot(const ensemble_view *of, int i, scree_plot_def *def) {
    const scree_worlds_plot plot = scree_scene_get_worlds_plot(of->scene, i);
    char path[FOLDER_PATH], label[512];
    snprintf(label, sizeof label, "%s%s", plot.column,
             has_bars(def) ? ": mean, 95 % confidence interval" : "");
    def->x_label = scree_scene_get_varied_path(of->scene, plot.varied);
    def->y_label = label;
    def->x_logarithmic = plot.logarithmic;
    return scree_plot_write(ensemble_plot_path(of, i, path), def);
}

scree_result ensemble_plots_write(const ensemble_plots *self) {
    const int plots = self->of->worlds.plotted, sets = plots ? self->count / plots : 0;
    if (!sets) return SCREE_OK;
    SCOPED scree_plot_point *points = memory_allocate((size_t)sets, sizeof *points);
    if (!points) return fail(SCREE_ERROR_MEMORY, "out of memory for the plots of worlds");
    for (int i = 0; i < plots; i++) {
        scree_plot_def def = scree_default_plot_def();
        for (int set = 0; set < sets; set++) points[set] = self->points[set * plots + i];
        def.points = points;
        def.count = sets;
        TRY(write_plot(self->of, i, &def));
    }
    return SCREE_OK;
}

void ensemble_plots_release(ensemble_plots *self) { memory_release(self->points); }
