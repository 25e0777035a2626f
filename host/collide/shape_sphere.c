/* Spheres: size.x is the radius. */
#include "shape.h"

#include "sphere_contact.h"

scree_shape scree_sphere(float radius) { return (scree_shape){SCREE_SHAPE_SPHERE, {radius, 0, 0}}; }

static double volume(scree_vec3 size) {
    return 4.0 / 3.0 * M_PI * (double)size.x * (double)size.x * (double)size.x;
}

static double radius(scree_vec3 size) { return size.x; }
static double sieve_size(scree_vec3 size) { return 2 * (double)size.x; }

/* I = 2/5 m r². */
static vec3s unit_inertia(scree_vec3 size) {
    const float i = 0.4f * size.x * size.x;
    return vec3_of(i, i, i);
}

static scree_vec3 size_of(vec3s half) { return (scree_vec3){half.x, 0, 0}; }

static vec3s extent(vec3s size, versors rotation) {
    (void)rotation;
    return vec3_of(size.x, size.x, size.x);
}

static scalar turning_radius(vec3s size) { return (void)size, 0; }
static scalar half_width(vec3s size) { return size.x; }

SHAPE_CONTACTS(SPHERE, sphere_sphere);

const shape_row shape_sphere = {"sphere",       1,          false,        false,   volume,
                                radius,         sieve_size, unit_inertia, size_of, extent,
                                turning_radius, half_width, cut_sphere,   contacts};
