/* One frame as an HDF5 file. The group VTKHDF holds the bodies as an unstructured grid of vertices that VTK's
 * own vtkHDFReader opens (VTKHDF 1.0, https://www.kitware.com/vtk-hdf-reader); the group contacts has the
 * same layout for the contacts, and the index of a series (series.c) names both. */
#ifndef SCREE_IO_FRAME_FILE_H
#define SCREE_IO_FRAME_FILE_H

#include "hdf5_file.h"

#include <scree/frame.h>

/* What the index of a series says about a frame. */
typedef struct frame_summary {
    uint64_t step;
    double time; /* s */
    int bodies, contacts;
} frame_summary;

/* The two groups, and their point arrays. */
typedef struct frame_group {
    const char *name; /* "bodies", "contacts" */
    const char *path; /* "VTKHDF", "contacts" */
    const hdf5_table *positions;
    const hdf5_table *arrays;
} frame_group;

extern const frame_group frame_bodies, frame_contacts;

/* Gives an empty frame its arrays. On error they are those that scree_frame_release frees. Errors: MEMORY. */
scree_result frame_reserve(scree_frame *frame, int count, int contacts);

/* Errors: FILE, DISK_FULL, MEMORY. */
scree_result frame_file_write(const scree_frame *frame, const char *path);
/* Errors: FILE, FORMAT, MEMORY. */
scree_result frame_file_summary(const char *path, frame_summary *out);

#endif
