#include "manifold.h"

#include "box_contact.h"
#include "sphere_contact.h"

typedef manifold (*contact_function)(scree_shape shape_a, body_pose pose_a, scree_shape shape_b,
                                     body_pose pose_b, scalar reach);

/* [kind of the first][kind of the second], the first kind not after the second; null where no contact is
 * made. */
static const contact_function functions[SCREE_SHAPE_COUNT][SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {[SCREE_SHAPE_SPHERE] = sphere_sphere,
                            [SCREE_SHAPE_BOX] = sphere_box,
                            [SCREE_SHAPE_HALF_SPACE] = sphere_half_space},
    [SCREE_SHAPE_BOX] = {[SCREE_SHAPE_BOX] = box_box, [SCREE_SHAPE_HALF_SPACE] = box_half_space},
};

manifold manifold_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                     scalar reach) {
    const bool swap = shape_a.kind > shape_b.kind;
    const contact_function function =
        swap ? functions[shape_b.kind][shape_a.kind] : functions[shape_a.kind][shape_b.kind];
    if (!function) return (manifold){0};
    if (!swap) return function(shape_a, pose_a, shape_b, pose_b, reach);
    manifold found = function(shape_b, pose_b, shape_a, pose_a, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}
