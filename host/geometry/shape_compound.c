/* Compounds: children of a geometry, all of its lengths times size.x. They collide by their children, each a
 * convex shape (children.h). */
#include "children.h"

#include "base/vector.h"
#include "rotation.h"
#include "geometry.h"

scree_shape scree_shape_compound(const scree_geometry *geometry, float scale) {
    return (scree_shape){SCREE_SHAPE_COMPOUND, {scale, 0, 0}, geometry};
}

static int child_count(scree_shape shape) { return shape.geometry->child_count; }

static shape_child child_of(scree_shape shape, int child) {
    const geometry_child *of = &shape.geometry->children[child];
    return (shape_child){scree_shape_scale(of->shape, (double)shape.size.x),
                         glms_vec3_scale(of->centre, shape.size.x), of->rotation};
}

/* About the origin, which need not be the middle. */
static vec3s half_extent(scree_shape shape, versors rotation) {
    const body_pose pose = {.rotation = rotation};
    vec3s most = vec3_of(0, 0, 0);
    for (int i = 0; i < child_count(shape); i++) {
        const placed_child child = children_place(shape, pose, i);
        const bounds box = bounds_of(child.shape, child.pose);
        most = vec3_greater(most, vec3_greater(glms_vec3_negate(box.lower), box.upper));
    }
    return most;
}

static void visit_near(scree_shape shape, bounds around, child_visit *visit, void *context) {
    for (int i = 0; i < child_count(shape); i++) {
        const geometry_child *of = &shape.geometry->children[i];
        const bounds box = {.lower = glms_vec3_scale(of->lower, shape.size.x),
                            .upper = glms_vec3_scale(of->upper, shape.size.x)};
        if (bounds_meet(&box, &around)) visit(context, i);
    }
}

const children_row children_compound = {
    .count = child_count, .child = child_of, .near = visit_near, .whole = true};

/* Returns the child that has visible shape i: the last one that begins no later. */
static int child_seen(const scree_geometry *of, int i) {
    int low = 0, high = of->child_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (of->children[middle].seen <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int seen_count(scree_shape shape) {
    const geometry_child *last = &shape.geometry->children[child_count(shape) - 1];
    return last->seen + children_seen_count(last->shape);
}

/* Rays see a hull by its triangles. */
static shape_child seen_of(scree_shape shape, int i) {
    const int child = child_seen(shape.geometry, i);
    const shape_child of = child_of(shape, child);
    const placed_child piece =
        children_seen(of.shape, (body_pose){.position = of.centre, .rotation = of.rotation},
                      i - shape.geometry->children[child].seen);
    return (shape_child){piece.shape, piece.pose.position, piece.pose.rotation};
}

const children_row seen_compound = {.count = seen_count, .child = seen_of, .near = visit_near, .whole = true};

/* Regions inside two children count twice, as they do in the volume. */
static double cut(scree_shape shape, const double centre[3], versors rotation, const cut_box *box) {
    double sum = 0;
    for (int i = 0; i < child_count(shape); i++) {
        const placed_child child = children_place(shape, (body_pose){.rotation = rotation}, i);
        const double at[3] = {centre[0] + (double)child.arm.x, centre[1] + (double)child.arm.y,
                              centre[2] + (double)child.arm.z};
        sum += cut_volume_at(child.shape, at, child.pose.rotation, box);
    }
    return sum;
}

const shape_row shape_compound = SCALED_SHAPE_ROW("compound", false, scaled_unit_inertia, half_extent, cut);
