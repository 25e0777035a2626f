/* A running solve: state and steps that the methods share. */
#pragma once

#include "executor.h"
#include "nesterov_control.h"

/* State of the solve when a test was launched. */
typedef struct test_place {
    int iterations, sweeps;
    bool momentum;
} test_place;

typedef struct solving {
    executor *run;
    const iteration_plan *plan;
    const solve_goal *goal;
    solve_parameters plain, held; /* `held`: for iterations with momentum and held shifts */
    solve_outcome *out;
    residual_sum sum;
    double residual; /* last tested */
    nesterov_control control;
    int next_feasibility_test; /* iterations from which feasibility is tested again */
    bool moving;               /* the last iterations had momentum */
    bool at_best;              /* the current impulses are the best ones, and their velocities are gathered */
    bool ahead;                /* the solve does not wait for tests */
    bool owes_first;           /* the initial residual is read with the next one */
    bool solved_first;         /* it was small enough */
    int solved_after;          /* iterations after which a test with momentum ended the solve */
    bool smoothed;             /* the iterations that follow have been made */
    int test_count;
    test_place tests[TESTS_AHEAD];
} solving;

/* Runs iterations without tests, in one launch if the executor supports that. The second counts them. */
scree_result solving_iterate(const solving *self, iteration_run run);
void solving_made(solving *self, iteration_run run);
/* Measures the residual of the current impulses. Gathers their velocities first. Waits. */
scree_result solving_measure(solving *self, bool moving);
/* Stops the solve if the last residual is small enough. */
void solving_judge(solving *self);
/* Tests feasibility if it is time to, and stops the solve if there is no solution. */
scree_result solving_test_feasibility(solving *self);
/* Return the number of iterations until the next test, and whether a test follows after `count` more. */
int solving_until_test(const solving *self, bool tests);
bool solving_tested_after(const solving *self, int count);
/* Makes the last residual that of the outcome. */
void solving_record(solving *self);

/* Runs a pass with momentum. The best tested iterate is the result. */
scree_result solving_accelerate(solving *self);
