/* The input of the ray caster for a snapshot. */
#ifndef SCREE_RENDER_SNAPSHOT_SCENE_H
#define SCREE_RENDER_SNAPSHOT_SCENE_H

#include <scree/tools/snapshot.h>

#include "detect/tree.h"
#include "ray.h"
#include "snapshot_colour.h"

enum { SNAPSHOT_OUTLINES = 32 };

typedef struct snapshot_scene {
    ray_view view;
    scree_view settled;   /* the requested view with its camera resolved */
    snapshot_scale scale; /* the meaning of the colours */
    int body_count;
    ray_body *bodies;                     /* all but half-spaces, in the tree's order */
    tree tree;                            /* over `bodies`: view.node_count nodes, laid out as ray_node */
    ray_plane *planes;                    /* view.plane_count half-spaces that do not contain the eye */
    ray_body outlines[SNAPSHOT_OUTLINES]; /* view.outline_count boxes that are cut away */
} snapshot_scene;

/* Finds the camera if `view` requests an automatic one, colours the bodies, cuts away walls that hide them
 * and builds the tree. Omits bodies whose state is not finite. Errors: MEMORY. */
scree_result snapshot_scene_make(const scree_frame *frame, const scree_view *view, snapshot_scene *out);
void snapshot_scene_release(snapshot_scene *scene);

#endif
