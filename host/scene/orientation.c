/* Conversion of a scene's rotations, by cglm's array functions. */
#include <cglm/quat.h>

#include "scene.h"

static scree_quat quat_of(versor q) { return (scree_quat){q[0], q[1], q[2], q[3]}; }

scree_quat orientation_about(const double axis[3], double degrees) {
    versor q;
    vec3 direction = {(float)axis[0], (float)axis[1], (float)axis[2]};
    glm_quatv(q, (float)(degrees * (M_PI / 180)), direction);
    return quat_of(q);
}

scree_quat orientation_then(scree_quat first, scree_quat second) {
    versor p = {first.x, first.y, first.z, first.w}, q = {second.x, second.y, second.z, second.w}, product;
    glm_quat_mul(q, p, product);
    return quat_of(product);
}
