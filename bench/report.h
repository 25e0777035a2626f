/* What the benchmark prints: a table on stdout, and JSON. */
#ifndef SCREE_BENCH_REPORT_H
#define SCREE_BENCH_REPORT_H

#include <stdio.h>

#include "measurement.h"

void report_heading(FILE *out);
void report_row(FILE *out, const measurement *m);
/* The closing lines: what the columns mean, and what ran. */
void report_notes(FILE *out, const measurement *measurements, int count);
/* Writes everything to `path`. Returns false, with a sentence printed, when it cannot be written. */
bool report_json(const char *path, const measurement *measurements, int count);

#endif
