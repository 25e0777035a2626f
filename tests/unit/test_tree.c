/* The tree over bounding boxes: its structure, and the cost of a traversal. */
#include "base/team.h"
#include "body_fixture.h"
#include "detect/body_bounds.h"
#include "geometry/tree.h"

/* Every node contains its children and items, and every item is below exactly one leaf. */
static void tree_is_sound(void **state) {
    (void)state;
    uint64_t seed = 21;
    body_array bodies = bodies_make(3000);
    for (int i = 0; i < bodies.count; i++) {
        bodies.poses[i].position = i % 3 ? random_vector(&seed, -1, 1) : vec3_of(0.5f, 0.5f, 0.5f);
        bodies.shapes[i].size.x = i % 7 ? 0.01f : 0.3f;
    }
    bounds *boxes = calloc(3000, sizeof *boxes);
    assert_non_null(boxes);
    bounds_compute_padded(&bodies, 0, 0, 1, boxes);
    tree self = {0};
    tree_key *scratch = calloc(2 * 3000, sizeof *scratch);
    assert_non_null(scratch);
    CHECK(tree_build(&self, boxes, bodies.count, scratch, 3, NULL));
    free(scratch);
    assert_int_equal(self.count, 3000);
    int items = 0;
    bool seen[3000] = {false};
    for (int i = 0; i < self.node_count; i++) {
        const tree_node *node = &self.nodes[i];
        const bounds outer = {node->lower, 0, node->upper, 0};
        assert_true(node->child < self.node_count && node->child > -3000);
        if (node->child > 0) {
            assert_true(node->child > i && self.nodes[node->child + 1].end == node->end);
            for (int side = 0; side < 2; side++) {
                const tree_node *inner = &self.nodes[node->child + side];
                assert_true(inner->lower.x >= outer.lower.x && inner->upper.x <= outer.upper.x);
                assert_true(inner->lower.y >= outer.lower.y && inner->upper.y <= outer.upper.y);
                assert_true(inner->lower.z >= outer.lower.z && inner->upper.z <= outer.upper.z);
            }
        } else {
            assert_in_range(-node->child, 1, TREE_LEAF);
            for (int item = node->end + node->child; item < node->end; item++, items++) {
                const bounds *box = &boxes[self.members[item]];
                assert_false(seen[self.members[item]]);
                seen[self.members[item]] = true;
                assert_memory_equal(box, &self.boxes[item], sizeof *box);
                assert_true(box->lower.x >= outer.lower.x && box->upper.z <= outer.upper.z);
                assert_true(box->lower.y >= outer.lower.y && box->upper.y <= outer.upper.y);
            }
        }
    }
    assert_int_equal(items, 3000);
    tree_release(&self);
    free(boxes);
    bodies_free(&bodies);
}

/* Counts the node tests of a traversal, which must not grow with the square of the bodies. */
static long visits_of(const tree *self, long *pairs) {
    long visits = 0;
    for (int item = 0; item < self->count; item++) {
        int stack[TREE_STACK] = {0}, depth = 1;
        while (depth) {
            const tree_node *node = &self->nodes[stack[--depth]];
            const bounds outer = {node->lower, 0, node->upper, 0};
            visits++;
            if (node->end <= item + 1 || !bounds_meet(&outer, &self->boxes[item])) continue;
            if (node->child > 0) {
                stack[depth++] = node->child, stack[depth++] = node->child + 1;
                continue;
            }
            for (int other = node->end + node->child; other < node->end; other++)
                *pairs += other > item && bounds_meet(&self->boxes[other], &self->boxes[item]);
        }
    }
    return visits;
}

/* 20 000 grains of 1 mm inside 200 boxes of 1 m: a query visits nodes in proportion to the pairs found. */
static void mixed_sizes_stay_cheap(void **state) {
    (void)state;
    uint64_t seed = 31;
    const int count = 20200;
    bounds *boxes = calloc((size_t)count, sizeof *boxes);
    assert_non_null(boxes);
    for (int i = 0; i < count; i++) {
        const float half = i % 101 == 0 ? 1 : 0.001f;
        const vec3s centre = random_vector(&seed, -1, 1);
        boxes[i].lower = glms_vec3_sub(centre, vec3_of(half, half, half));
        boxes[i].upper = glms_vec3_add(centre, vec3_of(half, half, half));
    }
    tree self = {0};
    tree_key *scratch = calloc(2 * (size_t)count, sizeof *scratch);
    assert_non_null(scratch);
    CHECK(tree_build(&self, boxes, count, scratch, 2, NULL));
    free(scratch);
    long pairs = 0;
    const long visits = visits_of(&self, &pairs);
    assert_true(visits < 2 * (pairs + 40L * count));
    tree_release(&self);
    free(boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_is_sound),
        cmocka_unit_test(mixed_sizes_stay_cheap),
    };
    team *helpers = team_create(7, NULL);
    team_lead(helpers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    team_destroy(helpers);
    return failed;
}
