/* Statistics that a run accumulates over its steps for the final report of its accuracy. */
#pragma once

#include <stdio.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "unsolved_steps.h"

/* The largest value of a statistic, its step, and its sum over the steps with contacts. */
typedef struct peak {
    double most, sum;
    uint64_t step;
} peak;

/* Sums of a scree_stage_report. */
typedef struct stage_sum {
    double seconds, launches, waits, bytes_up, bytes_down, work_items, busy;
} stage_sum;

typedef struct run_summary {
    uint64_t steps, solves; /* steps, and those with contacts */
    scree_statistics last;
    double first_energy;  /* J, after step `energy_step` */
    uint64_t energy_step; /* 0: none yet */
    peak residual, violation, penetration, travel, joint_error, joint_angle_error;
    uint64_t late;                      /* new contacts of the detection passes */
    uint64_t inserted, removed, waited; /* grains; `waited`: steps in which an inlet found no free place */
    struct outflow {
        double time, mass; /* s, kg since the beginning */
        uint64_t grains;
    } out_first, out_last; /* after the first and the last step in which grains left; time 0: none */
    uint64_t broken;       /* joints */
    bool warned_of_travel;
    double joints_limit; /* of the joint error, m; 0: not chosen yet; INFINITY: was exceeded */
    unsolved_steps unsolved;
    uint64_t iterations;
    int verified, compared; /* verified steps, and those also compared with the other backend */
    double verify_difference, verify_backend_difference, verify_residual;
    stage_sum stages[SCREE_STAGE_COUNT];
    stage_sum plain_stages[SCREE_STAGE_COUNT];   /* of the steps that were not verified, without the first */
    double first_seconds;                        /* of the first step, which also loads kernels, s */
    double verified_seconds;                     /* of the verified steps, s */
    uint64_t plain;                              /* number of steps of `plain_stages` */
    const char *contacts_barrier, *stay_barrier; /* of the last step in which it was not null */
    int brought;                                 /* steps with a stay_barrier */
} run_summary;

void run_summary_add(run_summary *self, const scree_statistics *statistics);
/* Returns the mass of the dynamic bodies, kg. */
double run_summary_dynamic_mass(const scree_world *world);
/* Makes the next step the first one of the energy difference. */
void run_summary_restart_energy(run_summary *self);
/* Returns, once in a run, whether the joints of the last step are open by more than a tenth of the mean
 * radius. */
bool run_summary_joints_open(run_summary *self, const scree_world *world);
/* Prints the warning about that. */
void run_summary_warn_of_joints(const run_summary *self, FILE *out);
/* Returns, once in a run, whether a body moves so far in the last step that contacts are not resolved. */
bool run_summary_moves_far(run_summary *self);
void run_summary_warn_of_travel(const run_summary *self, FILE *out);
/* Prints the time of each stage of a step and, with a device, its launches, waits, bytes, work-items and time
 * in kernels. Nothing is printed before the first step. */
void run_summary_profile(const run_summary *self, const scree_world *world, FILE *out);
/* Prints the final report of a run: solver, residual, penetration, energy, contacts, time. */
void run_summary_report(const run_summary *self, const scree_world *world, double wall, FILE *out);
