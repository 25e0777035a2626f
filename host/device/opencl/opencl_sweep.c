/* Sweeps over colours: finds the colours that consist of balls, and launches each. */
#include "opencl_backend.h"

#include "ball_group.h"
#include "block.h"

/* The host's mobility is used unless this backend has predicted it, in which case only the device has it. */
static body_symmetry symmetry_of(const opencl_backend *self, int body) {
    const problem *p = self->p;
    if (self->predicted != p) {
        const body_mobility m = p->mobility[body];
        return (body_symmetry){.fixed = !body_moves(m),
                               .round = m.inverse_mass.x > 0 && m.diagonal.x > 0 && body_round(m)};
    }
    if (body >= self->sent.count) return (body_symmetry){.fixed = true}; /* the ground */
    return symmetry_of_mass(self->sent.masses[body]);
}

static bool is_ball(const opencl_backend *self, const block_group *group) {
    return group->count == 1 &&
           block_is_of_balls(self->p->blocks[group->first], symmetry_of(self, group->body_a),
                             symmetry_of(self, group->body_b));
}

static bool is_of_balls(const opencl_backend *self, int colour) {
    const problem *p = self->p;
    for (int g = p->colour_first[colour]; g < p->colour_first[colour + 1]; g++)
        if (!is_ball(self, &p->groups[g])) return false;
    return true;
}

/* Plans the sweeps of a problem that was arranged on the device. */
static scree_result plan_arranged(opencl_backend *self) {
    const opencl_arrange *arrange = &self->assembly.arrange;
    opencl_arrange_balls(arrange, self->balls);
    if (arrange->same) return SCREE_OK;
    return sweep_plan_make(&self->plan, &arrange->graph, opencl_arranged_shared(self));
}

static scree_result plan_sent(opencl_backend *self) {
    for (int colour = 0; colour < self->p->colour_count; colour++)
        self->balls[colour] = is_of_balls(self, colour);
    return sweep_plan_of_problem(&self->plan, self->p, self->largest_shared);
}

scree_result opencl_sweep_plan(opencl_backend *self) {
    const sweep_plan *plan = &self->plan;
    opencl_arrange *arrange = &self->assembly.arrange;
    const bool away = self->p->away;
    if (!away) opencl_arrange_planned(arrange, false);
    TRY(away ? plan_arranged(self) : plan_sent(self));
    if (away && arrange->same) return SCREE_OK;
    TRY(ENGINE_SEND(self, order, plan->order, plan->order_count));
    TRY(ENGINE_SEND(self, rank_first, plan->rank_first, plan->rank_count + 1));
    TRY(ENGINE_SEND(self, bundle_first, plan->bundle_first, plan->bundle_count + 1));
    if (away) opencl_arrange_planned(arrange, true);
    return SCREE_OK;
}

/* Arguments of sweeps over contacts of balls and over arbitrary blocks, then those of a launch. */
#define OF_BALLS                                                                                             \
    OWN(groups), OWN(blocks), OWN(diagonals), OWN(impulses), BUFFER(*velocities), OWN(mobility),             \
        ARGUMENT(parameters)
#define OF_BLOCKS                                                                                            \
    OWN(groups), OWN(blocks), OWN(rows), OWN(row_systems), OWN(systems), OWN(diagonals), OWN(impulses),      \
        BUFFER(*velocities), OWN(mobility), ARGUMENT(parameters)
#define OVER_BUNDLES OWN(order), OWN(rank_first), OWN(bundle_first), ARGUMENT(launch.first)
#define OVER_GROUPS ARGUMENT(launch.first), ARGUMENT(launch.count)

/* Sweeps a colour's groups, or a launch's bundles. */
static scree_result launch_sweep(opencl_backend *self, sweep_launch launch, bool balls,
                                 solve_parameters parameters) {
    const opencl_buffer *velocities = pass_velocities(self, parameters);
    const int items = launch.count * WORK_GROUP;
    if (launch.bundled && balls)
        return ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_BUNDLES), items, OF_BALLS,
                             OVER_BUNDLES);
    if (launch.bundled) return ENGINE_LAUNCH(self, KERNEL_sweep_bundles, items, OF_BLOCKS, OVER_BUNDLES);
    if (balls)
        return ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_COLOUR), launch.count, OF_BALLS,
                             OVER_GROUPS);
    return ENGINE_LAUNCH(self, KERNEL_sweep, launch.count, OF_BLOCKS, OVER_GROUPS);
}

scree_result opencl_sweep(opencl_backend *self, int first, int count, solve_parameters parameters) {
    const problem *p = self->p;
    int colour = 0;
    while (colour + 1 < p->colour_count && p->colour_first[colour + 1] <= first) ++colour;
    return launch_sweep(self, (sweep_launch){.first = first, .count = count}, self->balls[colour],
                        parameters);
}

static bool is_launch_of_balls(const opencl_backend *self, const sweep_launch *launch) {
    for (int colour = launch->colour; colour < launch->colour_end; colour++)
        if (!self->balls[colour]) return false;
    return true;
}

scree_result opencl_sweep_colours(opencl_backend *self, solve_parameters parameters) {
    for (int i = 0; i < self->plan.launch_count; i++) {
        const sweep_launch *launch = &self->plan.launches[i];
        TRY(launch_sweep(self, *launch, is_launch_of_balls(self, launch), parameters));
    }
    return SCREE_OK;
}

/* All blocks must be in bundles of a single run of colours, which mark each body's first group. */
bool opencl_sweep_goes_ahead(const opencl_backend *self) {
    const sweep_plan *plan = &self->plan;
    const problem *p = self->p;
    if (plan->launch_count == 0 || p->remainder_first < p->block_count || p->forest.tree_count > 0)
        return false;
    for (int i = 0; i < plan->launch_count; i++) {
        const sweep_launch *launch = &plan->launches[i];
        if (!launch->bundled || launch->colour > 0 || launch->colour_end < p->colour_count ||
            !is_launch_of_balls(self, launch))
            return false;
    }
    return true;
}

/* The first launch computes the momentum's state; the others read it. */
scree_result opencl_sweep_ahead(opencl_backend *self, solve_parameters parameters, int chunks) {
    const opencl_buffer *velocities = pass_velocities(self, parameters);
    for (int i = 0; i < self->plan.launch_count; i++) {
        const sweep_launch launch = self->plan.launches[i];
        const int sums = i == 0 ? chunks : 0;
        TRY(ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_AHEAD), launch.count * WORK_GROUP,
                          OF_BALLS, OVER_BUNDLES, OWN(nesterov), OWN(uphill), OWN(starts), OWN(before),
                          OWN(velocities_before), ARGUMENT(self->momentum), ARGUMENT(sums)));
    }
    self->states_stale = true;
    self->momentum = 1 - self->momentum;
    return SCREE_OK;
}
