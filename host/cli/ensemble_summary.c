#include "ensemble_summary.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { SHOWN_MOST = 40, WIDTH = 12 };

static scree_result no_memory(void) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for the summary of worlds");
}

/* Returns the width of a column on the screen. */
static int width_of(const char *name) { return (int)strlen(name) > WIDTH ? (int)strlen(name) : WIDTH; }

static void print_table_header(const ensemble_sums *self) {
    FILE *out = self->table;
    fputs("set", out);
    for (int i = 0; i < self->of->worlds.varied; i++)
        fprintf(out, ",\"%s\"", scree_scene_get_varied_path(self->of->scene, i));
    fputs(",worlds,failed", out);
    for (int i = 0; i < self->columns; i++)
        fprintf(out, ",%s.mean,%s.deviation,%s.confidence", self->names[i], self->names[i], self->names[i]);
    fputc('\n', out);
}

static void print_shown_header(const ensemble_sums *self) {
    FILE *out = self->shown;
    if (!out) return;
    fputs("Last values, mean ± half width of the 95 % confidence interval:\n ", out);
    for (int i = 0; i < self->of->worlds.varied; i++) {
        const char *path = scree_scene_get_varied_path(self->of->scene, i);
        fprintf(out, " %-*s", width_of(path), path);
    }
    fputs(" worlds", out);
    for (int i = 0; i < self->of->worlds.reported; i++)
        fprintf(out, "  %s", scree_scene_get_reported_column(self->of->scene, i));
    fputc('\n', out);
}

scree_result ensemble_sums_begin(ensemble_sums *self, const ensemble_view *of, char *const *names,
                                 int columns, FILE *table, FILE *shown) {
    *self = (ensemble_sums){.of = of,
                            .names = names,
                            .columns = columns,
                            .table = table,
                            .shown = of->worlds.reported ? shown : NULL,
                            .set = -1,
                            .plots = {.of = of}};
    self->sums = memory_allocate((size_t)columns, sizeof *self->sums);
    self->all = memory_allocate((size_t)columns, sizeof *self->all);
    if (!self->sums || !self->all) return no_memory();
    print_table_header(self);
    print_shown_header(self);
    return SCREE_OK;
}

static double value_of(const ensemble_sums *self, int varied) {
    if (self->set < 0) return NAN;
    return scree_scene_get_varied_value(self->of->scene, varied, self->set * self->of->worlds.repeats,
                                        self->of->seed);
}

/* The worlds of a set are a sample; those of several sets are one only if their values are random. */
static double confidence_of(const ensemble_sums *self, const sample_sums *sums) {
    const scree_worlds_def *worlds = &self->of->worlds;
    const bool sample = self->set >= 0 || worlds->count == worlds->repeats || worlds->sampled;
    return sample ? sample_confidence(sums) : NAN;
}

static void print_table_row(const ensemble_sums *self, const sample_sums *sums, int worlds, int failed) {
    FILE *out = self->table;
    if (self->set < 0) fputs("all", out);
    if (self->set >= 0) fprintf(out, "%d", self->set);
    for (int i = 0; i < self->of->worlds.varied; i++) {
        fputc(',', out);
        ensemble_print_number(value_of(self, i), out);
    }
    fprintf(out, ",%d,%d", worlds, failed);
    for (int i = 0; i < self->columns; i++) {
        const double parts[] = {sums[i].count ? sums[i].mean : NAN, sample_deviation(&sums[i]),
                                confidence_of(self, &sums[i])};
        for (int k = 0; k < 3; k++) {
            fputc(',', out);
            ensemble_print_number(parts[k], out);
        }
    }
    fputc('\n', out);
}

static void show_figure(const ensemble_sums *self, const sample_sums *sums, const char *name) {
    int i = 0;
    while (i < self->columns && strcmp(self->names[i], name) != 0) i++;
    if (i == self->columns || !sums[i].count)
        fprintf(self->shown, "  %-*s", width_of(name), "none");
    else if (sums[i].count == 1 || isnan(confidence_of(self, &sums[i])))
        fprintf(self->shown, "  %-*.6g", width_of(name), sums[i].mean);
    else
        fprintf(self->shown, "  %.6g ± %.2g", sums[i].mean, confidence_of(self, &sums[i]));
}

static void show_row(const ensemble_sums *self, const sample_sums *sums, int worlds) {
    FILE *out = self->shown;
    if (!out || self->set >= SHOWN_MOST) return;
    fputc(' ', out);
    for (int i = 0; i < self->of->worlds.varied; i++) {
        const int width = width_of(scree_scene_get_varied_path(self->of->scene, i));
        if (self->set < 0)
            fprintf(out, " %-*s", width, i ? "" : "all");
        else
            fprintf(out, " %-*.6g", width, value_of(self, i));
    }
    fprintf(out, " %6d", worlds);
    for (int i = 0; i < self->of->worlds.reported; i++)
        show_figure(self, sums, scree_scene_get_reported_column(self->of->scene, i));
    fputc('\n', out);
}

/* Writes the row of the current set, if it has worlds. */
static scree_result end_set(ensemble_sums *self) {
    if (self->worlds + self->failed) {
        print_table_row(self, self->sums, self->worlds, self->failed);
        show_row(self, self->sums, self->worlds);
        TRY(ensemble_plots_add(&self->plots, self->set, self->names, self->columns, self->sums));
    }
    memset(self->sums, 0, (size_t)self->columns * sizeof *self->sums);
    self->worlds = self->failed = 0;
    return SCREE_OK;
}

scree_result ensemble_sums_add(ensemble_sums *self, int world, const double *last) {
    const int set = world / self->of->worlds.repeats;
    if (set != self->set) TRY(end_set(self));
    self->set = set;
    self->worlds += last != NULL;
    self->failed += !last;
    self->all_worlds += last != NULL;
    self->all_failed += !last;
    for (int i = 0; i < self->columns && last; i++) {
        if (isnan(last[i])) continue;
        sample_add(&self->sums[i], last[i]);
        sample_add(&self->all[i], last[i]);
    }
    return SCREE_OK;
}

/* Warns about worlds that are all equal: the numbers that vary have no effect. */
static void warn_of_equal_worlds(const ensemble_sums *self) {
    int values = 0;
    for (int i = 0; i < self->columns; i++) {
        if (self->all[i].count != self->all_worlds) continue;
        if (sample_deviation(&self->all[i]) > 0) return;
        values++;
    }
    if (self->all_worlds > 1 && values > 0)
        fprintf(stderr,
                "scree run: warning: worlds: all %d ended with equal values; the numbers that vary have no "
                "effect\n",
                self->all_worlds);
}

scree_result ensemble_sums_end(ensemble_sums *self) {
    TRY(end_set(self));
    self->set = -1;
    print_table_row(self, self->all, self->all_worlds, self->all_failed);
    if (self->of->worlds.count > self->of->worlds.repeats) show_row(self, self->all, self->all_worlds);
    warn_of_equal_worlds(self);
    return SCREE_OK;
}

void ensemble_sums_release(ensemble_sums *self) {
    memory_release(self->sums);
    memory_release(self->all);
    ensemble_plots_release(&self->plots);
}
