/* Surfaces of solids: self-intersections, shells inside and next to each other, cracks and corners on edges.
 * Boxes of known overlap and volume represent all others. */
#include "base/vector.h"
#include "random_vectors.h"
#include "scenery.h"
#include "rotation.h"

enum { BOXES = 4, SIDES = 12, ROWS = 8 };

/* triangles with separate corners, as in STL files */
typedef struct soup {
    int count;
    scree_vec3 vertices[3 * SIDES * BOXES * ROWS];
    scree_triangle triangles[SIDES * BOXES * ROWS];
} soup;

typedef struct block {
    vec3s centre, half;
    versors turn;
} block;

static void add(soup *to, vec3s a, vec3s b, vec3s c, bool inverted) {
    const int first = 3 * to->count;
    to->vertices[first] = vec3_out(a);
    to->vertices[first + 1] = vec3_out(inverted ? c : b),
                         to->vertices[first + 2] = vec3_out(inverted ? b : c);
    to->triangles[to->count++] = (scree_triangle){{first, first + 1, first + 2}};
}

static vec3s corner(const block *of, int i) {
    const vec3s h = of->half;
    return glms_vec3_add(
        of->centre, rotate(of->turn, vec3_of(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z)));
}

static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

/* Adds a box; `other` cuts its faces along their other diagonals. */
static void add_box(soup *to, const block *of, bool inverted, bool other) {
    for (int i = 0; i < 6; i++) {
        vec3s at[4];
        for (int k = 0; k < 4; k++) at[k] = corner(of, faces[i][(k + other) % 4]);
        add(to, at[0], at[1], at[2], inverted), add(to, at[0], at[2], at[3], inverted);
    }
}

static block block_of(float x, float y, float z, float half) {
    return (block){vec3_of(x, y, z), vec3_of(half, half, half), versor_of(0, 0, 0, 1)};
}

/* Returns all triangles rotated. */
static soup turned(const soup *of, versors by) {
    soup out = *of;
    for (int i = 0; i < 3 * of->count; i++) out.vertices[i] = vec3_out(rotate(by, vec3_in(of->vertices[i])));
    return out;
}

static scree_result solid_of(const soup *of, scree_geometry **out) {
    return scree_solid_create(of->vertices, 3 * of->count, of->triangles, of->count, out);
}

static void expect_volume(const soup *of, double volume) {
    scree_geometry *made = NULL;
    CHECK(solid_of(of, &made));
    ASSERT_NEAR(scree_shape_get_volume(scree_shape_solid(made, 1)), volume, 1e-5);
    scree_geometry_release(made);
}

/* Returns the gap of two boxes along the best of the 15 axes; below 0 if they overlap. */
static double gap_of(const block *a, const block *b) {
    vec3s axes[2][3];
    const block *const both[2] = {a, b};
    double out = -INFINITY;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) axes[i][k] = rotate(both[i]->turn, vec3_of(k == 0, k == 1, k == 2));
    for (int n = 0; n < 15; n++) {
        const vec3s across =
            n < 6 ? axes[n / 3][n % 3] : glms_vec3_cross(axes[0][(n - 6) / 3], axes[1][n % 3]);
        double reach = -fabs((double)glms_vec3_dot(across, glms_vec3_sub(a->centre, b->centre)));
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                reach += (double)(vec3_along(both[i]->half, k) * fabsf(glms_vec3_dot(across, axes[i][k])));
        if (glms_vec3_norm(across) > 1e-2f) out = fmax(out, -reach / (double)glms_vec3_norm(across));
    }
    return out;
}

/* Two boxes in one file make a solid exactly if they do not overlap. */
static void overlapping_shells_are_rejected(void **state) {
    (void)state;
    uint64_t seed = 5;
    int refused = 0, made = 0;
    for (int i = 0; i < 3000; i++) {
        soup both = {0};
        block boxes[2];
        for (int k = 0; k < 2; k++) {
            boxes[k] = (block){random_vector(&seed, -0.8, 0.8), random_vector(&seed, 0.05, 0.8),
                               random_rotation(&seed)};
            add_box(&both, &boxes[k], false, i % 2);
        }
        const double gap = gap_of(&boxes[0], &boxes[1]);
        if (fabs(gap) < 1e-4) continue;
        scree_geometry *solid = NULL;
        if (gap > 0) {
            CHECK(solid_of(&both, &solid));
            scree_geometry_release(solid);
            made++;
            continue;
        }
        CHECK_FAILS(solid_of(&both, &solid), SCREE_ERROR_ARGUMENT, "triangle");
        refused++;
    }
    assert_true(refused > 500 && made > 500);
}

/* Adds a box with its sides cut at several heights. */
static void add_tower(soup *to, float half, float low, float high, int rows) {
    for (int row = 0; row < rows; row++) {
        const float from = low + (high - low) * (float)row / (float)rows,
                    end = low + (high - low) * (float)(row + 1) / (float)rows;
        const block part = {vec3_of(0, 0, (from + end) / 2), vec3_of(half, half, (end - from) / 2),
                            versor_of(0, 0, 0, 1)};
        for (int i = 0; i < 6; i++) {
            vec3s at[4];
            if ((i == 0 && row) || (i == 1 && row < rows - 1)) continue;
            for (int k = 0; k < 4; k++) at[k] = corner(&part, faces[i][k]);
            add(to, at[0], at[1], at[2], false), add(to, at[0], at[2], at[3], false);
        }
    }
}

/* Coplanar faces, edges through diagonals and edges in faces: overlapping cubes are rejected, touching ones
 * are not, in any orientation. */
static void aligned_boxes_are_classified(void **state) {
    (void)state;
    const struct {
        block first, second;
        bool refused;
    } cases[] = {
        {block_of(0, 0, 0, 1), block_of(1, 1, 1, 1), true}, /* edges through the middles of faces */
        {block_of(0, 0, 0, 1), block_of(1, 0, 0, 1), true}, /* four faces coplanar with others */
        {block_of(0, 0, 0, 1), block_of(1, 1, 0, 1), true},
        {block_of(0, 0, 0, 1), block_of(0.5f, 0, 0, 0.5f), true},         /* inside, and touches a face */
        {block_of(0, 0, 0, 1), block_of(0, 0, 0, 1), true},               /* doubled, by other diagonals */
        {block_of(0, 0, 0, 1), block_of(0, 0, 1.5f, 0.5f), false},        /* on it */
        {block_of(0, 0, 0, 1), block_of(0.5f, 0.25f, 1.5f, 0.5f), false}, /* flush with a side */
        {block_of(0, 0, 0, 1), block_of(1.5f, 0, 1.5f, 0.5f), false},     /* edge on edge */
    };
    uint64_t seed = 9;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int turn = 0; turn < 20; turn++) {
            soup both = {0};
            scree_geometry *made = NULL;
            add_box(&both, &cases[i].first, false, false), add_box(&both, &cases[i].second, false, true);
            if (turn) both = turned(&both, random_rotation(&seed));
            if (cases[i].refused)
                CHECK_FAILS(solid_of(&both, &made), SCREE_ERROR_ARGUMENT, "triangle");
            else
                expect_volume(&both, 8 * (1 + pow((double)cases[i].second.half.x, 3)));
        }
    soup tower = {0};
    scree_geometry *made = NULL;
    const block slab = {vec3_of(0, 0, 1.5f), vec3_of(2, 2, 0.5f), versor_of(0, 0, 0, 1)};
    add_tower(&tower, 0.5f, 0, 4, 4);
    expect_volume(&tower, 4);
    add_box(&tower, &slab, false, false); /* from one row of its edges to the next */
    CHECK_FAILS(solid_of(&tower, &made), SCREE_ERROR_ARGUMENT, "triangle");
    soup under = {0};
    const block rest = {vec3_of(0, 0, -0.5f), vec3_of(2, 2, 0.5f), versor_of(0, 0, 0, 1)};
    add_tower(&under, 0.5f, 0, 4, 4), add_box(&under, &rest, false, false);
    expect_volume(&under, 4 + 16);
}

/* A shell inside another is a hollow if it is inverted, and a shell inside that is solid. */
static void inverted_shells_are_hollows(void **state) {
    (void)state;
    const block outer = block_of(0.1f, 0, 0, 1), inner = block_of(0.2f, 0.1f, 0.1f, 0.5f),
                core = block_of(0.2f, 0.1f, 0.1f, 0.2f), away = block_of(3, 0, 0, 0.5f);
    for (int bits = 0; bits < 16; bits++) {
        soup all = {0};
        scree_geometry *made = NULL;
        add_box(&all, &outer, bits & 1, false), add_box(&all, &inner, bits & 2, true);
        add_box(&all, &core, bits & 4, false), add_box(&all, &away, bits & 8, true);
        if (bits == 2) {
            expect_volume(&all, 8 - 1 + 0.064 + 1);
            continue;
        }
        CHECK_FAILS(solid_of(&all, &made), SCREE_ERROR_ARGUMENT, "triangle");
        if (bits == 0) ASSERT_HOLDS(scree_error_get_message(), "triangle 12 at (");
        if (bits == 10) ASSERT_HOLDS(scree_error_get_message(), "triangle 36 at (");
    }
}

/* Duplicate triangles are dropped: a shell given twice is one. */
static void duplicate_shells_are_merged(void **state) {
    (void)state;
    const block box = block_of(0, 0, 0, 1);
    soup twice = {0};
    add_box(&twice, &box, false, false), add_box(&twice, &box, false, false);
    expect_volume(&twice, 8);
}

/* Corners separated by round-off are merged, and a wider crack is reported with its place. */
static void small_cracks_are_closed(void **state) {
    (void)state;
    const float sizes[] = {1e-3f, 1, 1e4f};
    uint64_t seed = 3;
    for (int i = 0; i < 3; i++)
        for (int turn = 0; turn < 50; turn++) {
            soup box = {0};
            const block at = {vec3_of(0, 0, 0), vec3_of(sizes[i], sizes[i], sizes[i]),
                              random_rotation(&seed)};
            add_box(&box, &at, false, false);
            for (int k = 0; k < 3 * box.count; k++) {
                const vec3s off = random_vector(&seed, -2e-7 * (double)sizes[i], 2e-7 * (double)sizes[i]);
                box.vertices[k] = vec3_out(glms_vec3_add(vec3_in(box.vertices[k]), off));
            }
            scree_geometry *made = NULL;
            CHECK(solid_of(&box, &made));
            ASSERT_NEAR(scree_shape_get_volume(scree_shape_solid(made, 1)), 8 * pow((double)sizes[i], 3),
                        1e-5);
            assert_int_equal(scree_mesh_triangle_count(made), 12);
            scree_geometry_release(made);
        }
    soup box = {0};
    scree_geometry *made = NULL;
    const block at = block_of(0, 0, 0, 1);
    add_box(&box, &at, false, false);
    box.vertices[4].y += 1e-3f;
    CHECK_FAILS(solid_of(&box, &made), SCREE_ERROR_ARGUMENT, "corner (");
    ASSERT_HOLDS(scree_error_get_message(), "0.001 m"); /* distance of the corners */
}

/* A face with a neighbour that has a corner inside the common edge. */
static void corners_on_edges_are_named(void **state) {
    (void)state;
    soup box = {0};
    scree_geometry *made = NULL;
    const block at = block_of(0, 0, 0, 1);
    add_box(&box, &at, false, false);
    const vec3s a = vec3_in(box.vertices[0]), b = vec3_in(box.vertices[1]), c = vec3_in(box.vertices[2]),
                middle = glms_vec3_scale(glms_vec3_add(a, b), 0.5f);
    box.vertices[1] = vec3_out(middle);
    add(&box, middle, b, c, false);
    CHECK_FAILS(solid_of(&box, &made), SCREE_ERROR_ARGUMENT, "");
    ASSERT_HOLDS(scree_error_get_message(), "corner (-1, 0, -1)");
}

/* Sheets may intersect each other, like crossing walls. */
static void sheets_may_intersect(void **state) {
    (void)state;
    soup both = {0};
    scree_geometry *made = NULL;
    const block first = block_of(0, 0, 0, 1), second = block_of(0.5f, 0.4f, 0.3f, 1);
    add_box(&both, &first, false, false), add_box(&both, &second, false, false);
    CHECK(scree_mesh_create(both.vertices, 3 * both.count, both.triangles, both.count, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 24);
    scree_geometry_release(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_shells_are_rejected),
        cmocka_unit_test(aligned_boxes_are_classified),
        cmocka_unit_test(inverted_shells_are_hollows),
        cmocka_unit_test(duplicate_shells_are_merged),
        cmocka_unit_test(small_cracks_are_closed),
        cmocka_unit_test(corners_on_edges_are_named),
        cmocka_unit_test(sheets_may_intersect),
    };
    return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
