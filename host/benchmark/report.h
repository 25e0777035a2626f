/* What `scree bench` prints: tables on stdout, and JSON. */
#ifndef SCREE_BENCHMARK_REPORT_H
#define SCREE_BENCHMARK_REPORT_H

#include <stdio.h>

#include "growth.h"
#include "machine.h"

enum { REPORT_SCENES = 64 };

/* Everything that was measured. */
typedef struct report {
    machine machine;
    measurement scenes[REPORT_SCENES], growth[GROWTH_SIZES];
    int scene_count, growth_count;
} report;

void report_machine(FILE *out, const machine *m);
void report_heading(FILE *out);
void report_row(FILE *out, const measurement *m);
/* What the columns mean, and what ran. */
void report_notes(FILE *out, const report *r);
/* The solver apart: updates a second, and what residuals cost. */
void report_rates(FILE *out, const report *r);
void report_growth(FILE *out, const report *r);
/* The one number, and a row for the README's table of machines; a sentence if its scene was not measured. */
void report_headline(FILE *out, const report *r);

/* Writes everything to `path`. Returns false, with a sentence printed, when it cannot be written. */
bool report_json(const char *path, const report *r);

#endif
