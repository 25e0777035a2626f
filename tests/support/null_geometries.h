/* NULL arguments of calls on geometries: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_GEOMETRIES_H
#define SCREE_TESTS_NULL_GEOMETRIES_H

#include "null_fixture.h"

static void clumps(const fixture *f) {
    const scree_clump_sphere one = {{0, 0, 0}, 1};
    scree_geometry *made;
    (void)f;
    REFUSES(scree_clump_create(NULL, 4, &made));
    REFUSES(scree_clump_create(&one, 1, NULL));
    TAKES(scree_geometry_retain(NULL));
    TAKES(scree_geometry_release(NULL));
    TAKES(assert_int_equal(scree_clump_sphere_count(NULL), 0));
    TAKES(assert_true(scree_clump_get_sphere(NULL, 0).radius == 0));
    TAKES(scree_geometry_get_frame(NULL, NULL, NULL));
}

static void compounds(const fixture *f) {
    const scree_compound_child one = scree_default_compound_child();
    scree_geometry *made;
    (void)f;
    REFUSES(scree_compound_create(NULL, 4, &made));
    REFUSES(scree_compound_create(&one, 1, NULL));
    TAKES(assert_int_equal(scree_compound_child_count(NULL), 0));
    TAKES(assert_true(scree_compound_get_child(NULL, 0).relative_density == 1));
}

static void hulls(const fixture *f) {
    const scree_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scree_geometry *made;
    (void)f;
    REFUSES(scree_hull_create(NULL, 4, &made));
    REFUSES(scree_hull_create(corners, 4, NULL));
    REFUSES(scree_hull_load(NULL, &made));
    REFUSES(scree_hull_load("nowhere", NULL));
    TAKES(assert_int_equal(scree_hull_corner_count(NULL), 0));
    TAKES(assert_true(scree_hull_get_corner(NULL, 0).x == 0));
}

static void meshes(const fixture *f) {
    const scree_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const scree_triangle one = {{0, 1, 2}};
    scree_geometry *made;
    (void)f;
    REFUSES(scree_mesh_create(NULL, 3, &one, 1, &made));
    REFUSES(scree_mesh_create(corners, 3, NULL, 1, &made));
    REFUSES(scree_mesh_create(corners, 3, &one, 1, NULL));
    REFUSES(scree_height_field_create(NULL, 2, 2, 1, 1, &made));
    REFUSES(scree_height_field_create(&corners[0].x, 2, 2, 1, 1, NULL));
    REFUSES(scree_height_field_load(NULL, 1, 1, &made));
    REFUSES(scree_height_field_load("nowhere", 1, 1, NULL));
    REFUSES(scree_mesh_load(NULL, &made));
    REFUSES(scree_mesh_load("nowhere", NULL));
    REFUSES(scree_solid_create(NULL, 3, &one, 1, &made));
    REFUSES(scree_solid_create(corners, 3, NULL, 1, &made));
    REFUSES(scree_solid_create(corners, 3, &one, 1, NULL));
    REFUSES(scree_solid_load(NULL, &made));
    REFUSES(scree_solid_load("nowhere", NULL));
    TAKES(assert_int_equal(scree_mesh_triangle_count(NULL), 0));
}

#endif
