/* One frame as an HDF5 file. The group VTKHDF holds the bodies as an unstructured grid of vertices that
 * VTK's vtkHDFReader opens (VTKHDF 1.0, https://www.kitware.com/vtk-hdf-reader). The group contacts has
 * the same layout for the contacts. The indices of a series (frame_index.h) refer to both. */
#pragma once

#include "hdf5_file.h"

#include <scree/tools/frame.h>

enum { FRAME_ALL_FIELDS = (1 << SCREE_FRAME_FIELD_COUNT) - 1, FRAME_ALWAYS = -1, FRAME_NAME_SIZE = 48 };
/* Only periodic worlds have these. */
enum { FRAME_PERIODIC_FIELDS = 1 << SCREE_FRAME_PERIODS | 1 << SCREE_FRAME_OFFSET };

/* Entry of a frame in the index of a series. */
typedef struct frame_summary {
    uint64_t step;
    double time; /* s */
    int bodies, contacts, joints;
    uint32_t fields; /* present in the file */
} frame_summary;

/* An array and its field, or FRAME_ALWAYS. */
typedef struct frame_column {
    int field;
    scree_column data;
} frame_column;

/* A group and its point arrays. */
typedef struct frame_group {
    const char *name;   /* "bodies", "contacts", "joints" */
    const char *index;  /* index file that lists them over time: "frames.xdmf", ... */
    const char *path;   /* "VTKHDF", "contacts", ... */
    const char *arrays; /* "VTKHDF/PointData", ... */
    const scree_table *positions;
    const frame_column *columns;
    int count;
    size_t stride; /* of an item */
    size_t rows;   /* offset of their number in a frame_summary */
} frame_group;

enum { FRAME_GROUPS = 3, FRAME_COLUMNS_MOST = 16 };
extern const frame_group *const frame_groups[FRAME_GROUPS]; /* bodies first */

static inline bool frame_column_is_in(const frame_column *column, uint32_t fields) {
    return column->field == FRAME_ALWAYS || (fields >> column->field & 1);
}

/* "frame_00000120.vtkhdf" */
void frame_file_name(uint64_t step, char out[FRAME_NAME_SIZE]);

/* Allocates the arrays of an empty frame; on error, scree_frame_release frees them. Errors: MEMORY. */
scree_result frame_reserve(scree_frame *frame, int count, int contacts, int joints);
/* Allocate the names of `materials` materials, and the rows of measurements. Errors: MEMORY. */
scree_result frame_reserve_names(scree_frame *frame, int materials);
scree_result frame_reserve_quantities(scree_frame *frame, int quantities);

/* The rows of a frame by the `index` of a body's id. */
typedef struct frame_rows {
    uint32_t count;
    int *rows; /* 1 + row; 0: no body. Owned by the caller */
} frame_rows;
/* Errors: MEMORY. */
scree_result frame_rows_make(const scree_frame *frame, frame_rows *out);
/* Returns the row of a body; −1: not in the frame. */
int frame_row_of(const frame_rows *self, scree_body_id body);
/* Returns the place of a geometry; −1: not in the frame. */
int frame_find_geometry(const scree_frame *frame, const scree_geometry *geometry);

/* Writes the frame's fields that `def` selects; `out` receives a summary of the file. Errors: FILE,
 * DISK_FULL, MEMORY. */
scree_result frame_file_write(const scree_frame *frame, const scree_series_def *def, const char *path,
                              frame_summary *out);
/* Reads the summary of a file. Errors: FILE, FORMAT, MEMORY. */
scree_result frame_file_summary(const char *path, frame_summary *out);
