/** @file
 * Frames: the visible state of a world at one time. A frame is copied from a world or read from a file. It
 * can be drawn (snapshot.h) and written to a time series for ParaView. */
#ifndef SCREE_TOOLS_FRAME_H
#define SCREE_TOOLS_FRAME_H

#include <scree/tools/measurement.h>
#include <scree/joint.h>
#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Optional fields of a frame's file. A file always has ids, positions, types, shapes and sizes of bodies,
 * points and bodies of contacts (if these are written), and all data of joints. */
typedef enum scree_frame_field {
    SCREE_FRAME_ORIENTATION, /**< of bodies, as all fields up to `periods` */
    SCREE_FRAME_VELOCITY,
    SCREE_FRAME_ANGULAR_VELOCITY,
    SCREE_FRAME_MATERIAL,
    SCREE_FRAME_MASS,
    SCREE_FRAME_CONTACT_COUNT,
    SCREE_FRAME_KINETIC_ENERGY, /**< derived from other fields; not written by default */
    SCREE_FRAME_RADIUS,  /**< of the sphere of equal volume, for other programs; derived, not written by
                            default */
    SCREE_FRAME_PERIODS, /**< written for periodic worlds only, as is `offset` */
    SCREE_FRAME_NORMAL,  /**< of contacts, as all following fields */
    SCREE_FRAME_IMPULSE,
    SCREE_FRAME_TORQUE,
    SCREE_FRAME_GAP,
    SCREE_FRAME_OFFSET,
    SCREE_FRAME_FIELD_COUNT
} scree_frame_field;

/** Returns "orientation", "velocity", "angular_velocity", "material", "mass", "contact_count",
 * "kinetic_energy", "radius", "periods", "normal", "impulse", "torque", "gap" or "offset"; null outside the
 * range. */
SCREE_API const char *scree_frame_field_name(scree_frame_field field);

/** A joint of a frame. */
typedef struct scree_frame_joint {
    scree_joint_id id;
    scree_joint_kind kind;
    scree_body_id a, b; /**< null: the world */
    scree_quat frame;   /**< rotation from the frame on a to world axes */
    scree_joint_state state;
} scree_frame_joint;

/** One column of a measurement's last row. */
typedef struct scree_frame_quantity {
    char measurement[SCREE_MEASUREMENT_NAME_SIZE]; /**< the measurement's name */
    char name[96];                                 /**< column of the sample in the measurement's CSV file */
    uint64_t step;                                 /**< step of the row */
    double time;                                   /**< s */
    double sample, mean, maximum;                  /**< NaN if there is no value */
} scree_frame_quantity;

/** The state at one time. Arrays without a count of their own have `count` entries, one for each living body
 * in slot order. The frame owns all arrays. */
typedef struct scree_frame {
    uint64_t step; /**< steps since the world was made */
    double time;   /**< s */
    int count;     /**< living bodies */
    scree_body_id *ids;
    scree_body_type *types;
    scree_shape *shapes;
    int geometry_count;
    const scree_geometry **geometries; /**< geometries of the shapes */
    scree_body_state *states;
    double *kinetic_energies; /**< J */
    int *contact_counts;      /**< contact points of the body with an impulse in the last step */
    float *masses;            /**< kg; 0 for static and kinematic bodies */
    int (*periods)[3];        /**< periods crossed along each axis (scree_body_get_periods) */
    int *materials;           /**< numbered in order of creation; 0: the world's default material */
    int material_count;       /**< number of names; 0 if no material has one */
    char (*material_names)[SCREE_MATERIAL_NAME_SIZE]; /**< by number of the material; may be empty */
    int contact_count;                                /**< contacts of the last step */
    scree_contact *contacts;
    float time_step; /**< s; impulse / time step = mean force */
    uint32_t fields; /**< bits 1 << scree_frame_field of the fields present. Missing fields of a file read as
                        zero, a missing orientation as identity */
    int joint_count;
    scree_frame_joint *joints; /**< in the order of scree_joint_list */
    int quantity_count;
    scree_frame_quantity *quantities; /**< of all measurements with a row, in column order */
} scree_frame;

/** Fills a frame from a world; the caller releases it. Errors: MEMORY. */
SCREE_API scree_result scree_frame_from_world(const scree_world *world, scree_frame *out);
/** Frees a frame's arrays and zeroes it. Null is allowed. */
SCREE_API void scree_frame_release(scree_frame *frame);

/** Content and compression of a series. */
typedef struct scree_series_def {
    uint32_t fields; /**< bits 1 << scree_frame_field of the fields to write */
    bool contacts;   /**< true: writes contacts */
    int compression; /**< 0: none; 1 (fastest) … 9 (smallest): shuffle and deflate of HDF5. Arrays below 2 kB
                        are never compressed */
    bool chains;     /**< true: writes force chains as lines, chains_<step>.vtp, with each frame */
} scree_series_def;

/** Returns all fields that are not derived, contacts, compression 4, no force chains. */
SCREE_API scree_series_def scree_default_series_def(void);

/** A time series that is being written to a folder: one HDF5 file for each frame, and the index files for
 * ParaView, frames.xdmf (bodies), contacts.xdmf and joints.xdmf. The folder is complete and readable at any
 * time, even if the process is killed. The cost of a write does not depend on the number of frames. */
typedef struct scree_series scree_series;

/** Opens a series in the existing folder `folder`. If `from_step` > 0, frames of an earlier run up to and
 * including that step are kept and later ones are dropped (a resumed run writes them again). `def` may be
 * null: the default. Errors: ARGUMENT, FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_series_open(const char *folder, uint64_t from_step, const scree_series_def *def,
                                         scree_series **out);
/** Changes the content of the following frames. Errors: ARGUMENT. */
SCREE_API scree_result scree_series_set_def(scree_series *series, const scree_series_def *def);
/** Appends a frame. Errors: FILE, DISK_FULL, MEMORY; the series then stays readable up to the previous frame.
 */
SCREE_API scree_result scree_series_write(scree_series *series, const scree_frame *frame);
/** Returns the path of the file to open in ParaView for the bodies; contacts.xdmf and joints.xdmf are in the
 * same folder. */
SCREE_API const char *scree_series_get_path(const scree_series *series);
/** Closes a series. The index files are removed if it has no frame. Null is allowed. Errors: FILE, DISK_FULL.
 */
SCREE_API scree_result scree_series_close(scree_series *series);

/** Reads a frame from its HDF5 file in a series; the caller releases it. Errors: FILE, FORMAT, MEMORY. */
SCREE_API scree_result scree_frame_load(const char *path, scree_frame *out);

#ifdef __cplusplus
}
#endif
#endif
