/* A CSV file of a run in memory: cells without quotes, and the step in the first column. */
#pragma once

#include <stdint.h>

#include <scree/core.h>

typedef struct csv_rows {
    int columns, rows;
    char **names; /* of the columns */
    char **cells; /* of a row one after the other */
    char *text;   /* owns all */
} csv_rows;

/* Reads a file; one that does not exist has no columns. Errors: MEMORY, FORMAT (a row of another length). */
scree_result csv_rows_read(const char *path, csv_rows *out);
void csv_rows_release(csv_rows *self);
/* Returns the step of a row; UINT64_MAX past the last. */
uint64_t csv_rows_step(const csv_rows *self, int row);
