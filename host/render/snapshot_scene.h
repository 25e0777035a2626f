/* Image of a snapshot: what its frame shows, as the ray tracer takes it. */
#pragma once

#include "snapshot_colour.h"

#include <scree/image.h>

enum { SNAPSHOT_OUTLINES = 32 };

typedef struct snapshot_scene {
    scree_image_def image;
    scree_view settled;       /* the view asked for, with its camera found */
    snapshot_scale scale;     /* what the colours mean */
    scree_image_body *bodies; /* of the image */
    bool *cut;                /* snapshot_cut_places of each body of the frame, to which the bodies refer */
    scree_image_outline outlines[SNAPSHOT_OUTLINES]; /* boxes that are cut away */
} snapshot_scene;

/* Finds the camera if `view` asks for an automatic one, colours the bodies and cuts away what hides them.
 * Bodies with a state that is not finite are left out. `out` must not be moved, as its image refers to it.
 * Release it also after an error. Errors: ARGUMENT (the frame lacks what the colours show), MEMORY. */
scree_result snapshot_scene_make(const scree_frame *frame, const scree_view *view, snapshot_scene *out);
void snapshot_scene_release(snapshot_scene *scene);

/* Returns the number of places of a shape in `cut`: one for each triangle of a mesh, else 1. */
int snapshot_cut_places(scree_shape shape);

/* Marks in `cut` (snapshot_cut_places entries for each body of the frame, in order) the boxes that are not
 * dynamic and stand between the eye and the dynamic bodies: boxes that hide some of them and have (almost)
 * none in front, and boxes that contain the eye. For meshes it marks triangles as sheet_cut does. Does not cut
 * a pillar within a pile, or a floor. Errors: MEMORY. */
scree_result snapshot_cut(const scree_frame *frame, scree_vec3 eye, bool *cut);
