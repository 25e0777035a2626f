/* The place of a contact on the surface of a body that turns. A ball and a round body do not carry the place
 * along as they roll: with one corner a step, they would roll as polygons. */
#ifndef SCREE_KERNELS_CONTACT_SURFACE_H
#define SCREE_KERNELS_CONTACT_SURFACE_H

#include "support.h"

#if SCREE_WIDTH == 1

/* A body without children, or a child of a body, at a pose. */
typedef struct contact_surface {
    int kind;   /* shape_kind */
    vec3s size; /* as in scree_shape */
    vec3s position;
    versors rotation;
} contact_surface;

SHARED contact_surface contact_surface_of(int kind, vec3s size, vec3s position, versors rotation) {
    contact_surface out;
    out.kind = kind, out.size = size, out.position = position, out.rotation = rotation;
    return out;
}

SHARED int surface_is_about_axis(int kind) {
    return kind == SHAPE_CYLINDER || kind == SHAPE_CONE || kind == SHAPE_CAPSULE;
}

/* Returns whether a body may roll on a rim, an edge or a tip that it does not carry along, unlike a ball. */
SHARED int surface_rolls(int kind) {
    return (1 << SHAPE_CYLINDER | 1 << SHAPE_CONE | 1 << SHAPE_CAPSULE | 1 << SHAPE_ELLIPSOID) >> kind & 1;
}

/* Returns whether a body does not always carry the place of a contact along. */
SHARED int surface_is_round(int kind) { return kind == SHAPE_SPHERE || surface_rolls(kind); }

/* Returns v minus its part along a unit vector, with the length 1, or 0 if nothing is left. */
SHARED vec3s unit_across(vec3s along, vec3s v) {
    const vec3s across = glms_vec3_sub(v, glms_vec3_scale(along, glms_vec3_dot(along, v)));
    const scalar length = glms_vec3_norm(across);
    return length > 0 ? glms_vec3_scale(across, 1 / length) : glms_vec3_zero();
}

/* Returns the share to which the place of a contact is on the round side of a body whose axis was `was` and
 * is `is`. On the rim of a flat face, that place is undefined as the axis approaches the normal: at 1.8
 * degrees between them, the body half carries the place along. At 6 degrees, a coin that spins at that lean
 * would lose all energy in two seconds of steps of 1 ms, at 1.8 degrees it keeps 0.79. */
SHARED scalar surface_roundness(int kind, vec3s was, vec3s is, vec3s normal) {
    if (!surface_is_about_axis(kind)) return surface_is_round(kind);
    const scalar square = scalar_min(glms_vec3_norm2(glms_vec3_cross(was, normal)),
                                     glms_vec3_norm2(glms_vec3_cross(is, normal))),
                 fourth = square * square;
    return fourth / (fourth + (scalar)1e-6);
}

/* Returns the arm to the place on a surface that is round about an axis, which was `was` and is `is`: its
 * components along the axis, along the normal across the axis, and across both do not change. */
SHARED vec3s rolled_arm(vec3s was, vec3s is, vec3s normal, vec3s arm) {
    const vec3s from = unit_across(was, normal), to = unit_across(is, normal);
    const vec3s along = glms_vec3_scale(is, glms_vec3_dot(was, arm)),
                outward = glms_vec3_scale(to, glms_vec3_dot(from, arm)),
                aside =
                    glms_vec3_scale(glms_vec3_cross(is, to), glms_vec3_dot(glms_vec3_cross(was, from), arm));
    return glms_vec3_add(along, glms_vec3_add(outward, aside));
}

/* Returns the arm to the farthest point of an ellipsoid in a direction. */
SHARED vec3s ellipsoid_arm(contact_surface of, vec3s direction) {
    convex_core core;
    core.size = of.size;
    return rotate(of.rotation, ellipsoid_farthest(core, rotate_inverse(of.rotation, direction)));
}

/* Returns the point between a and b at the share of the way from a. */
SHARED vec3s vec3_mixed(vec3s a, vec3s b, scalar share) {
    return glms_vec3_add(glms_vec3_scale(a, 1 - share), glms_vec3_scale(b, share));
}

/* Returns the arm to the place of a contact on a surface that was and is at these poses, from the arm when
 * contacts were found. */
SHARED vec3s surface_arm_moved(contact_surface was, contact_surface is, vec3s normal, scalar round,
                               vec3s arm) {
    const vec3s z = vec3_of(0, 0, 1),
                outward = glms_vec3_dot(normal, arm) < 0 ? glms_vec3_negate(normal) : normal;
    if (is.kind == SHAPE_SPHERE) return arm;
    if (is.kind == SHAPE_ELLIPSOID)
        return glms_vec3_add(arm, glms_vec3_sub(ellipsoid_arm(is, outward), ellipsoid_arm(was, outward)));
    const vec3s carried = rotate(is.rotation, rotate_inverse(was.rotation, arm));
    if (!(round > 0)) return carried;
    return vec3_mixed(carried, rolled_arm(rotate(was.rotation, z), rotate(is.rotation, z), normal, arm),
                      round);
}

/* Returns whether an arm leads to the line or point of a round surface that is farthest along ±n, to within
 * 1e-5 of its cosine. Detection finds that place, and points of the rim, which the body carries along. A disk
 * that spins at 30 degrees loses 3 % in 3 s of steps of 1 ms with this, 9 % if all points of the rim roll,
 * and 24 % if none does; with 1e-3, 4.6 %. */
SHARED int arm_is_farthest(vec3s axis, vec3s normal, vec3s arm) {
    const vec3s flat = glms_vec3_sub(arm, glms_vec3_scale(axis, glms_vec3_dot(axis, arm)));
    const scalar along = glms_vec3_dot(unit_across(axis, normal), flat);
    return along * along >= (1 - (scalar)1e-5) * glms_vec3_norm2(flat);
}

/* Returns the arm to a contact on a surface that was and is at these poses of the body, from that before. */
SHARED vec3s surface_arm_turned(contact_surface was, contact_surface is, vec3s normal, vec3s arm) {
    const vec3s z = vec3_of(0, 0, 1), axis = rotate(was.rotation, z), own = glms_vec3_sub(arm, was.position);
    const int rolls = !surface_is_about_axis(is.kind) || arm_is_farthest(axis, normal, own);
    const scalar round = rolls ? surface_roundness(is.kind, axis, rotate(is.rotation, z), normal) : 0;
    return glms_vec3_add(is.position, surface_arm_moved(was, is, normal, round, own));
}

/* Returns the share to which a contact moves with its place on b rather than on a, from the radii of the
 * bodies about their centres; infinite: not dynamic. */
SHARED scalar surface_share(scalar radius_a, scalar radius_b) {
    if (!(radius_a < INFINITY) && !(radius_b < INFINITY)) return (scalar)0.5;
    const scalar ratio = radius_a < radius_b ? radius_a / radius_b : radius_b / radius_a,
                 larger = ratio * ratio / (1 + ratio * ratio);
    return radius_a < radius_b ? larger : 1 - larger;
}

/* The place of a contact on one of its bodies. */
typedef struct touched_place {
    vec3s position;
    /* 0: a point that the body carries along, 1: the point of a round surface towards the other body */
    scalar round;
    vec3s axis;    /* about which the body is round; 0 if it is so about any or none */
    scalar radius; /* about its centre, m; infinite: not dynamic */
} touched_place;

/* Returns the place on a surface that was and is at these poses of the contact that was at `point`. `radius`:
 * that of the body. */
SHARED touched_place surface_place_moved(contact_surface was, contact_surface is, scalar radius, vec3s normal,
                                         vec3s point) {
    const vec3s z = vec3_of(0, 0, 1), axis = rotate(is.rotation, z);
    touched_place out;
    out.round = surface_roundness(is.kind, rotate(was.rotation, z), axis, normal);
    const int any_axis = out.round == 0 || is.kind == SHAPE_SPHERE || is.kind == SHAPE_ELLIPSOID;
    const vec3s arm = glms_vec3_sub(point, was.position);
    out.position = glms_vec3_add(is.position, surface_arm_moved(was, is, normal, out.round, arm));
    out.axis = any_axis ? glms_vec3_zero() : axis;
    out.radius = radius;
    return out;
}

/* Returns the place of a contact from those on both bodies. A body that slides leaves the place that the
 * other carries behind. The mean of both would lag by h v/2, more than a small body is wide, so the weights
 * are the inverse squares of the radii, and 0 for a body that is not dynamic. Other surfaces move on under a
 * round one, across its axis. */
SHARED vec3s place_between(touched_place a, touched_place b) {
    const vec3s common = vec3_mixed(a.position, b.position, surface_share(a.radius, b.radius));
    const touched_place rounder = a.round > b.round ? a : b;
    const vec3s way = glms_vec3_sub(rounder.position, common),
                across = glms_vec3_sub(way, glms_vec3_scale(rounder.axis, glms_vec3_dot(rounder.axis, way)));
    return glms_vec3_add(common, glms_vec3_scale(across, scalar_abs(a.round - b.round)));
}

#endif

#endif
