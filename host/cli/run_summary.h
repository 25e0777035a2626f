/* What a run adds up from step to step, so that it can say at its end how right it was. */
#ifndef SCREE_CLI_RUN_SUMMARY_H
#define SCREE_CLI_RUN_SUMMARY_H

#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

typedef struct run_summary {
    uint64_t steps;
    scree_statistics last;
    double first_energy;               /* J, after the first step */
    double residual_sum, residual_max; /* over steps that had contacts */
    uint64_t residual_count, residual_step;
    double violation_sum, violation_max; /* likewise */
    uint64_t violation_step;
    double penetration_max, travel_max, joint_error_max;
    uint64_t penetration_step, travel_step, joint_error_step;
    uint64_t late;                      /* contacts */
    uint64_t inserted, removed, waited; /* grains; steps in which an inlet found no place */
    struct outflow {
        double time, mass; /* s, kg since the beginning */
        uint64_t grains;
    } out_first, out_last; /* after the first and the last step in which grains went out; time 0: none */
    uint64_t broken;       /* joints */
    uint64_t infeasible, infeasible_step; /* steps that no impulses solve, and the first of them */
    uint64_t iterations;
    int verified, compared; /* steps solved again, and those also by the other backend */
    double verify_difference, verify_backend_difference, verify_residual;
    scree_timing timing;          /* of the steps that were not solved again, if there are any */
    scree_timing verified_timing; /* of those that were, verification included */
    double launches, waits, bytes_up, bytes_down, busy; /* of scree_device_traffic */
} run_summary;

void run_summary_add(run_summary *self, const scree_statistics *statistics);
/* The time of each stage of a step; and of a device, if there is one, launches, waits, bytes and kernels. */
void run_summary_profile(const run_summary *self, FILE *out);
/* The closing block of a run: solver, residual, penetration, energy, contacts, time. */
void run_summary_report(const run_summary *self, const scree_world *world, double wall, FILE *out);

#endif
