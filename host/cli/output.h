/* The files of a run, all in one folder: frames with their index, measurements.csv, pictures and the
 * checkpoint. */
#ifndef SCREE_CLI_OUTPUT_H
#define SCREE_CLI_OUTPUT_H

#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "folder.h"

enum { OUTPUT_PATH = FOLDER_PATH };

typedef struct output {
    char folder[OUTPUT_PATH], series_path[OUTPUT_PATH];
    bool goes_on; /* among results of the steps before */
    scree_series *series;
    scree_statistics_file *statistics_file;
    int measurement_count;
    struct output_measurement {
        scree_measurement_id id;
        scree_measurement_file *file; /* null: closed */
        int rows;                     /* once it is closed */
        char name[SCREE_MEASUREMENT_NAME_SIZE];
    } * measurements;       /* of the world, in the order in which they were found */
    uint64_t from_step;     /* that output_open was given */
    bool pictures;          /* whether pictures are (still) drawn */
    bool pictures_required; /* asked for by name: then a picture that cannot be drawn is an error */
    scree_view view;
    /* What has been written so far. */
    int frames, rows, picture_count, problems, checkpoints, stages;
    const char *stage; /* of the scene, which outlives the run; null: none */
    uint64_t frame_step, row_step, picture_step, problem_step, checkpoint_step, stage_step;
} output;

/* Reads "none" or names of scree_frame_field with commas between them; false, and the name that is none in
 * `wrong`, where there is one. */
bool output_fields_read(const char *list, uint32_t *fields, char wrong[32]);
/* "orientation,velocity,…" */
void output_fields_list(char *out, size_t size);
/* Opens the files in `folder`, which exists. `from_step` > 0: a resumed run, whose earlier files stay; else
 * pictures of an earlier run there are removed. Errors as those of the files. */
scree_result output_open(output *self, const char *folder, uint64_t from_step,
                         const scree_series_def *frames);
scree_result output_frame(output *self, const scree_world *world);
/* Takes a step into the interval of the next row. */
scree_result output_step(output *self, const scree_statistics *statistics);
scree_result output_row(output *self, const scree_world *world, const scree_statistics *statistics);
/* Rows from now on are of this stage. */
scree_result output_stage(output *self, const char *name, const scree_series_def *frames);
/* Opens the files of gauges that have none yet; the second also writes the rows that gauges made in the step.
 */
scree_result output_measurements_open(output *self, const scree_world *world);
scree_result output_measurements(output *self, const scree_world *world);
/* A picture of the world as it is. Without an OpenCL device and when not required, says so once to stderr
 * (unless `quiet`) and draws no more. */
scree_result output_picture(output *self, const scree_world *world, bool quiet);
/* The contact problem of the last step, with its impulses as guess and as solution. */
scree_result output_problem(output *self, scree_world *world);
scree_result output_checkpoint(output *self, const scree_world *world);
/* A checkpoint that stays, of the step that ends a stage. */
scree_result output_stage_end(output *self, const scree_world *world);
/* Closes the files; the first error is returned, all are closed. */
scree_result output_close(output *self);
/* Closes too, and forgets. */
void output_release(output *self);

/* Paths of what has been written. */
const char *output_picture_path(const output *self, uint64_t step, char path[OUTPUT_PATH]);
const char *output_file_path(const output *self, const char *name, char path[OUTPUT_PATH]);
/* A line for each kind of file that there is. */
void output_report(const output *self, FILE *out);

#endif
