/* Output of `scree bench`: tables on stdout, and JSON. */
#pragma once

#include <stdio.h>

#include "machine.h"
#include "bench_result.h"

enum { REPORT_SCENES = 64 };

/* All measurements. */
typedef struct report {
    machine machine;
    bench_result scenes[REPORT_SCENES], growth[GROWTH_SIZES];
    int scene_count, growth_count;
} report;

void report_machine(FILE *out, const machine *m);
void report_heading(FILE *out);
void report_row(FILE *out, const bench_result *m);
/* Prints the meaning of the columns, and the backends that ran; the results for the solver alone; the growth;
 * and the headline number with a row for the README's table of machines, or a message if it was not measured.
 */
void report_end(FILE *out, const report *r);

/* Writes all measurements to `path`. On failure prints an error message and returns false. */
bool report_write_json(const char *path, const report *r);
