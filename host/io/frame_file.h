/* One frame as an HDF5 file. The group VTKHDF holds the bodies as an unstructured grid of vertices that VTK's
 * own vtkHDFReader opens (VTKHDF 1.0, https://www.kitware.com/vtk-hdf-reader); the group contacts has the
 * same layout for the contacts, and the indices of a series (frame_index.h) name both. */
#ifndef SCREE_IO_FRAME_FILE_H
#define SCREE_IO_FRAME_FILE_H

#include "hdf5_file.h"

#include <scree/tools/frame.h>

enum { FRAME_ALL_FIELDS = (1 << SCREE_FRAME_FIELD_COUNT) - 1, FRAME_ALWAYS = -1, FRAME_NAME_SIZE = 48 };
/* What only periodic worlds have. */
enum { FRAME_PERIODIC_FIELDS = 1 << SCREE_FRAME_PERIODS | 1 << SCREE_FRAME_OFFSET };

/* What the index of a series says about a frame. */
typedef struct frame_summary {
    uint64_t step;
    double time; /* s */
    int bodies, contacts, joints;
    uint32_t fields; /* those that the file has */
} frame_summary;

/* An array, and the field that it is, or FRAME_ALWAYS. */
typedef struct frame_column {
    int field;
    hdf5_column data;
} frame_column;

/* A group, and its point arrays. */
typedef struct frame_group {
    const char *name;   /* "bodies", "contacts", "joints" */
    const char *index;  /* the file that lists them over time: "frames.xdmf", ... */
    const char *path;   /* "VTKHDF", "contacts", ... */
    const char *arrays; /* "VTKHDF/PointData", ... */
    const hdf5_table *positions;
    const frame_column *columns;
    int count;
    size_t stride; /* of an item */
    size_t rows;   /* where their number stands in a frame_summary */
} frame_group;

extern const frame_group frame_bodies, frame_contacts, frame_joints;

enum { FRAME_GROUPS = 3, FRAME_COLUMNS_MOST = 16 };
extern const frame_group *const frame_groups[FRAME_GROUPS]; /* bodies first */

static inline int frame_rows_of(const frame_group *group, const frame_summary *frame) {
    return *(const int *)(const void *)((const char *)frame + group->rows);
}

static inline bool frame_column_is_in(const frame_column *column, uint32_t fields) {
    return column->field == FRAME_ALWAYS || (fields >> column->field & 1);
}

/* "frame_00000120.vtkhdf" */
void frame_file_name(uint64_t step, char out[FRAME_NAME_SIZE]);

/* Gives an empty frame its arrays. On error they are those that scree_frame_release frees. Errors: MEMORY. */
scree_result frame_reserve(scree_frame *frame, int count, int contacts, int joints);
/* Room for the names of so many materials. Errors: MEMORY. */
scree_result frame_reserve_names(scree_frame *frame, int materials);
scree_result frame_reserve_quantities(scree_frame *frame, int quantities);

/* Writes those of the frame's fields that `def` asks for, and says in `out` what the file holds. Errors:
 * FILE, DISK_FULL, MEMORY. */
scree_result frame_file_write(const scree_frame *frame, const scree_series_def *def, const char *path,
                              frame_summary *out);
/* Errors: FILE, FORMAT, MEMORY. */
scree_result frame_file_summary(const char *path, frame_summary *out);

#endif
