/* Hulls: the convex hull of a geometry's points, all of its lengths times size.x. */
#include "shape.h"

#include "scaled.h"

scree_shape scree_shape_hull(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_HULL, {scale, 0, 0}, geometry};
}

const shape_row shape_hull =
    SCALED_SHAPE_ROW("hull", true, scaled_unit_inertia, scaled_hull_extent, cut_surface);
