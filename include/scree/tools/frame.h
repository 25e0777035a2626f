/** @file
 * A frame is what can be seen of a world at one moment: taken from a world or read back from a file, drawn as
 * a picture, written to a time series for ParaView. */
#ifndef SCREE_TOOLS_FRAME_H
#define SCREE_TOOLS_FRAME_H

#include <scree/measurement.h>
#include <scree/joint.h>
#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a frame's file may hold beside what it always does: of bodies their ids, positions, types, shapes and
 * sizes; of contacts their place and their two bodies; and all of joints. */
typedef enum scree_frame_field {
    SCREE_FRAME_ORIENTATION, /**< of bodies from here on */
    SCREE_FRAME_VELOCITY,
    SCREE_FRAME_ANGULAR_VELOCITY,
    SCREE_FRAME_MATERIAL,
    SCREE_FRAME_MASS,
    SCREE_FRAME_CONTACT_COUNT,
    SCREE_FRAME_KINETIC_ENERGY, /**< follows from others: not written by default */
    SCREE_FRAME_RADIUS,         /**< likewise: of the sphere of equal volume; only for other programs */
    SCREE_FRAME_PERIODS,        /**< of a periodic world, none in others: likewise the offset */
    SCREE_FRAME_NORMAL,         /**< of contacts from here on */
    SCREE_FRAME_IMPULSE,
    SCREE_FRAME_TORQUE,
    SCREE_FRAME_GAP,
    SCREE_FRAME_OFFSET,
    SCREE_FRAME_FIELD_COUNT
} scree_frame_field;

/** "orientation", "velocity", "angular_velocity", "material", "mass", "contact_count", "kinetic_energy",
 * "radius", "periods", "normal", "impulse", "torque", "gap", "offset". Null outside the range. */
SCREE_API const char *scree_frame_field_name(scree_frame_field field);

/** A joint of a frame. */
typedef struct scree_frame_joint {
    scree_joint_id id;
    scree_joint_kind kind;
    scree_body_id a, b; /**< null: the world */
    scree_quat frame;   /**< axes of the frame on a, to the world's */
    scree_joint_state state;
} scree_frame_joint;

/** A figure of a gauge's last row. */
typedef struct scree_frame_quantity {
    char measurement[SCREE_MEASUREMENT_NAME_SIZE]; /**< the gauge's name */
    char name[96];                                 /**< as the sample's column in its CSV file */
    uint64_t step;                                 /**< of the row */
    double time;                                   /**< s */
    double sample, mean, maximum;                  /**< NaN where there is no value */
} scree_frame_quantity;

/** One moment. All arrays have `count` entries, one for each living body in slot order; the frame owns them.
 */
typedef struct scree_frame {
    uint64_t step;
    double time; /**< s */
    int count;
    scree_body_id *ids;
    scree_body_type *types;
    scree_shape *shapes;
    int geometry_count;
    const scree_geometry **geometries; /**< those that shapes refer to */
    scree_body_state *states;
    double *kinetic_energies; /**< J */
    int *contact_counts;      /**< contact points of the body in the last step that carry an impulse */
    float *masses;            /**< kg; 0 unless dynamic */
    int (*periods)[3];        /**< that a body has crossed along each axis (scree_body_get_periods) */
    int *materials;           /**< in the order in which they were made; 0: the world's default material */
    int material_count;       /**< of names: 0 where no material has one */
    char (
        *material_names)[SCREE_MATERIAL_NAME_SIZE]; /**< of each material, by the same number; may be empty */
    int contact_count;                              /**< contacts of the last step */
    scree_contact *contacts;
    float time_step; /**< s: contacts' impulses divided by it are forces */
    uint32_t fields; /**< 1 << scree_frame_field of what it holds. A file may have fewer: what it lacks is
                        zero, an orientation none */
    int joint_count;
    scree_frame_joint *joints; /**< in the order of scree_joint_list */
    int quantity_count;
    scree_frame_quantity
        *quantities; /**< of all gauges that have made a row, in the order of their columns */
} scree_frame;

/** Copies what a frame holds from a world. Errors: MEMORY. */
SCREE_API scree_result scree_frame_from_world(const scree_world *world, scree_frame *out);
/** Frees a frame's arrays and zeroes it. */
SCREE_API void scree_frame_release(scree_frame *frame);

/** What a series keeps of its frames. */
typedef struct scree_series_def {
    uint32_t fields; /**< 1 << scree_frame_field of those to be written */
    bool contacts;   /**< whether contacts are written at all */
    int compression; /**< 0: none; 1 … 9: HDF5's shuffle and deflate, faster … smaller. Arrays under 2 kB are
                        never compressed */
    bool chains;     /**< whether chains_<step>.vtp comes with each frame: pairs that press as lines */
} scree_series_def;

/** All fields that do not follow from others, contacts, compression 4. */
SCREE_API scree_series_def scree_default_series_def(void);

/** A time series being written into a folder: a file of HDF5 for each frame, and the indices that ParaView
 * opens, frames.xdmf for bodies, contacts.xdmf and joints.xdmf. Complete and readable at every moment, also
 * after a kill; a write costs the same however many frames there are. */
typedef struct scree_series scree_series;

/** Begins a series in `folder` (which exists). With `from_step` > 0 frames of an earlier run up to and
 * including that step stay as they are, later ones are dropped (a resumed run writes them again). `def` may
 * be null: the default. Errors: ARGUMENT, FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_series_open(const char *folder, uint64_t from_step, const scree_series_def *def,
                                         scree_series **out);
/** What frames hold from the next one on. Errors: ARGUMENT. */
SCREE_API scree_result scree_series_set_def(scree_series *series, const scree_series_def *def);
/** Appends a frame. Errors: FILE, DISK_FULL, MEMORY; the series stays readable up to the frame before. */
SCREE_API scree_result scree_series_write(scree_series *series, const scree_frame *frame);
/** The file to open in ParaView for the bodies; contacts.xdmf and joints.xdmf lie beside it. */
SCREE_API const char *scree_series_get_path(const scree_series *series);
/** Ends the series, and removes the indices where it has no frame; null is fine. Errors: FILE, DISK_FULL. */
SCREE_API scree_result scree_series_close(scree_series *series);

/** Reads a frame back: `path` is one frame's HDF5 file of a series. Errors: FILE; FORMAT; MEMORY. */
SCREE_API scree_result scree_frame_load(const char *path, scree_frame *out);

#ifdef __cplusplus
}
#endif
#endif
