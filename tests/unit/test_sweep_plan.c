/* The launches of a sweep on a device keep the order of the groups of each body. */
#include "expect.h"
#include "device/opencl/sweep_plan.h"
#include "random_problem.h"

enum { BODIES = 600, GROUPS = 1500 };

/* Where a group is swept: after how many launches and barriers, and in which work-group. */
typedef struct sweep_moment {
    int launch, rank, work_group;
} sweep_moment;

static void visit(sweep_moment *moments, int group, sweep_moment at) {
    assert_int_equal(moments[group].launch, -1);
    moments[group] = at;
}

/* Every group has one moment. */
static void find_moments(const sweep_plan *plan, sweep_moment *moments) {
    for (int l = 0; l < plan->launch_count; l++) {
        const sweep_launch *launch = &plan->launches[l];
        for (int i = launch->first; i < launch->first + launch->count; i++) {
            if (!launch->bundled) visit(moments, i, (sweep_moment){l, 0, i});
            if (!launch->bundled) continue;
            for (int r = plan->bundle_first[i]; r < plan->bundle_first[i + 1]; r++)
                for (int k = plan->rank_first[r]; k < plan->rank_first[r + 1]; k++)
                    visit(moments, plan->order[k] >> ORDER_SHIFT,
                          (sweep_moment){l, r - plan->bundle_first[i], i});
        }
    }
}

/* Two groups that share a body that moves are swept in the order of their colours: in separate launches, or
 * by the same work-group with a barrier between. */
static void check_plan(const random_problem *random, int largest) {
    const problem *p = &random->p;
    const int count = p->colour_first[p->colour_count];
    sweep_plan plan = {0};
    CHECK(sweep_plan_of_problem(&plan, p, largest));
    assert_in_range(plan.launch_count, 1, p->colour_count);
    sweep_moment *moments = memory_allocate((size_t)count, sizeof *moments);
    for (int g = 0; g < count; g++) moments[g].launch = -1;
    find_moments(&plan, moments);
    int pairs = 0;
    for (int g = 0; g < count; g++)
        for (int h = g + 1; h < count; h++) {
            const block_group *a = &p->groups[g], *b = &p->groups[h];
            const int shared = a->body_a == b->body_a || a->body_a == b->body_b   ? a->body_a
                               : a->body_b == b->body_a || a->body_b == b->body_b ? a->body_b
                                                                                  : -1;
            if (shared < 0 || random->bodies.types[shared] != SLOT_DYNAMIC) continue;
            pairs++;
            if (moments[g].launch == moments[h].launch) {
                assert_int_equal(moments[g].work_group, moments[h].work_group);
                assert_true(moments[g].rank < moments[h].rank);
            } else
                assert_true(moments[g].launch < moments[h].launch);
        }
    assert_true(pairs > count);
    memory_release(moments);
    sweep_plan_release(&plan);
}

static void plans_keep_the_order(void **state) {
    (void)state;
    for (uint64_t seed = 500; seed < 510; seed++) {
        random_problem random;
        CHECK(random_problem_make(&random, seed, BODIES, GROUPS, PROBLEM_COLOURS));
        check_plan(&random, 0);
        check_plan(&random, GROUPS / 20);
        check_plan(&random, GROUPS);
        random_problem_release(&random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_keep_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
