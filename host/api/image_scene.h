/* Content of an image in the form that render.cl reads. */
#pragma once

#include "geometry/children.h"
#include "geometry/tree.h"
#include "ray.h"

#include <scree/image.h>

typedef struct image_scene {
    ray_view view;
    int body_count;
    ray_body *bodies;   /* pieces of all bodies but half-spaces, in the tree's order */
    tree tree;          /* over them: view.node_count nodes, laid out as ray_node */
    ray_plane *planes;  /* view.plane_count half-spaces that the eye is outside of */
    ray_body *outlines; /* view.outline_count boxes */
} image_scene;

/* Splits the bodies of a valid definition into pieces and builds the tree over them. Release `out` also after
 * an error. Errors: MEMORY, CAPACITY. */
scree_result image_scene_make(const scree_image_def *def, image_scene *out);
void image_scene_release(image_scene *scene);
