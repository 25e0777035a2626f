/* The files of a run, all in one folder: frames with their index, measurements.csv, pictures and the
 * checkpoint. */
#pragma once

#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "folder.h"

enum { OUTPUT_PATH = FOLDER_PATH };

/* The files of a run besides those of its measurements. */
typedef enum output_kind {
    OUTPUT_FRAMES,
    OUTPUT_ROWS,
    OUTPUT_PICTURES,
    OUTPUT_PROBLEMS,
    OUTPUT_STAGES,
    OUTPUT_CHECKPOINTS,
    OUTPUT_KINDS
} output_kind;

typedef struct output {
    char folder[OUTPUT_PATH], series_path[OUTPUT_PATH];
    bool goes_on; /* the folder keeps results of earlier steps of this run */
    scree_series *series;
    scree_statistics_file *statistics_file;
    int measurement_count, measurement_capacity;
    struct output_measurement {
        scree_measurement_id id;
        scree_measurement_file *file; /* NULL: closed */
        int rows;                     /* valid once it is closed */
        char name[SCREE_MEASUREMENT_NAME_SIZE];
    } * measurements;       /* of the world, in the order of their discovery */
    uint64_t from_step;     /* argument of output_open */
    bool pictures;          /* whether pictures are still drawn */
    bool pictures_required; /* requested explicitly: a picture that cannot be drawn is then an error */
    scree_view view;
    const char *stage; /* a string of the scene, which outlives the run; NULL: none */
    struct {
        int count;     /* of files or rows written so far */
        uint64_t step; /* of the last one */
    } written[OUTPUT_KINDS];
} output;

/* Reads "none" or comma-separated names of scree_frame_field. Returns false for an unknown name, which it
 * writes to `wrong`. */
bool output_fields_read(const char *list, uint32_t *fields, char wrong[32]);
/* Writes all names: "orientation,velocity,…". */
void output_fields_list(char *out, size_t size);
/* Opens the files in the folder `self->folder`, which must exist. With `from_step` > 0 a resumed run keeps
 * its earlier files; otherwise pictures of an earlier run are removed. Errors: those of the files. */
scree_result output_open(output *self, uint64_t from_step, const scree_series_def *frames);
scree_result output_frame(output *self, const scree_world *world);
/* Adds a step to the interval of the next row. */
scree_result output_step(output *self, const scree_statistics *statistics);
scree_result output_row(output *self, const scree_world *world, const scree_statistics *statistics);
/* Sets the stage of the following rows. */
scree_result output_stage(output *self, const char *name, const scree_series_def *frames);
/* output_measurements_open opens the files of measurements that have none yet; output_measurements also
 * writes the rows that they made in the last step. */
scree_result output_measurements_open(output *self, const scree_world *world);
scree_result output_measurements(output *self, const scree_world *world);
/* Draws a picture of the world. If there is no OpenCL device and pictures are not required, prints one
 * warning to stderr (unless `quiet`) and draws no more. */
scree_result output_picture(output *self, const scree_world *world, bool quiet);
/* Writes the contact problem of the last step, with its impulses as guess and as solution. */
scree_result output_problem(output *self, scree_world *world);
/* Writes a checkpoint: OUTPUT_CHECKPOINTS, the one that the run replaces, or OUTPUT_STAGES, one that remains.
 */
scree_result output_checkpoint(output *self, const scree_world *world, output_kind kind);
/* Closes all files; returns the first error. */
scree_result output_close(output *self);
/* Closes all files, ignores errors, and releases the memory. */
void output_release(output *self);

/* Writes the path of a file of a kind and, where its name has one, a step. Returns `path`. */
const char *output_path(const output *self, output_kind kind, uint64_t step, char path[OUTPUT_PATH]);
/* Prints a line for each kind of file that was written. */
void output_report(const output *self, FILE *out);
