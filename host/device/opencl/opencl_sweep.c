/* Sweeps over colours: finds the kinds of their groups, and launches each. */
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

static bool is_of_contacts(const opencl_backend *self, const block_group *group) {
    for (int i = group->first; i < group->first + group->count; i++)
        if (!block_is_contact(self->p->blocks[i]) || block_is_angular(self->p->blocks[i])) return false;
    return true;
}

static sweep_kind kind_of_colour(const opencl_backend *self, int colour) {
    const problem *p = self->p;
    sweep_kind kind = SWEEP_BALLS;
    for (int g = p->colour_first[colour]; g < p->colour_first[colour + 1]; g++) {
        if (!is_of_contacts(self, &p->groups[g])) return SWEEP_BLOCKS;
        if (!is_ball(self, &p->groups[g])) kind = SWEEP_CONTACTS;
    }
    return kind;
}

/* Plans the sweeps of a problem that was arranged on the device. */
static scree_result plan_arranged(opencl_backend *self) {
    const opencl_arrange *arrange = &self->assembly.arrange;
    opencl_arrange_kinds(arrange, self->kinds);
    if (arrange->same) return SCREE_OK;
    return sweep_plan_make(&self->plan, &arrange->graph, opencl_arranged_shared(self));
}

static scree_result plan_sent(opencl_backend *self) {
    for (int colour = 0; colour < self->p->colour_count; colour++)
        self->kinds[colour] = kind_of_colour(self, colour);
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

/* Arguments of sweeps over contacts alone, contacts of balls and arbitrary blocks, then those of a launch. */
#define OF_CONTACTS                                                                                          \
    OWN(groups), OWN(blocks), OWN(diagonals), OWN(impulses), BUFFER(*velocities), OWN(mobility),             \
        ARGUMENT(parameters)
#define OF_BALLS                                                                                             \
    OWN(groups), OWN(blocks), OWN(diagonals), OWN(impulses), BUFFER(*velocities), OWN(ball_mobility),        \
        ARGUMENT(parameters)
#define OF_BLOCKS                                                                                            \
    OWN(groups), OWN(blocks), OWN(rows), OWN(row_systems), OWN(systems), OWN(diagonals), OWN(impulses),      \
        BUFFER(*velocities), OWN(mobility), ARGUMENT(parameters)
#define OVER_BUNDLES OWN(order), OWN(rank_first), OWN(bundle_first), ARGUMENT(launch.first)
#define OVER_GROUPS ARGUMENT(launch.first), ARGUMENT(launch.count)

/* Sweeps a launch's bundles, one per work-group. */
static scree_result launch_bundles(opencl_backend *self, sweep_launch launch, sweep_kind kind,
                                   solve_parameters parameters) {
    const opencl_buffer *velocities = pass_velocities(self, parameters);
    if (kind == SWEEP_BLOCKS)
        return ENGINE_LAUNCH(self, KERNEL_sweep_bundles, launch.count * WORK_GROUP, OF_BLOCKS, OVER_BUNDLES);
    if (kind == SWEEP_CONTACTS)
        return ENGINE_LAUNCH(self, engine_law_kernel(parameters, MANIFOLDS_OF_BUNDLES),
                             launch.count * self->manifold_bundle, OF_CONTACTS, OVER_BUNDLES);
    return ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_BUNDLES), launch.count * WORK_GROUP,
                         OF_BALLS, OVER_BUNDLES);
}

/* Sweeps a colour's groups. */
static scree_result launch_groups(opencl_backend *self, sweep_launch launch, sweep_kind kind,
                                  solve_parameters parameters) {
    const opencl_buffer *velocities = pass_velocities(self, parameters);
    if (kind == SWEEP_BLOCKS) return ENGINE_LAUNCH(self, KERNEL_sweep, launch.count, OF_BLOCKS, OVER_GROUPS);
    if (kind == SWEEP_CONTACTS)
        return ENGINE_LAUNCH(self, engine_law_kernel(parameters, MANIFOLDS_OF_COLOUR), launch.count,
                             OF_CONTACTS, OVER_GROUPS);
    return ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_COLOUR), launch.count, OF_BALLS,
                         OVER_GROUPS);
}

scree_result opencl_sweep(opencl_backend *self, int first, int count, solve_parameters parameters) {
    const problem *p = self->p;
    int colour = 0;
    while (colour + 1 < p->colour_count && p->colour_first[colour + 1] <= first) ++colour;
    return launch_groups(self, (sweep_launch){.first = first, .count = count}, self->kinds[colour],
                         parameters);
}

/* Returns the kind that can sweep all groups of a launch. */
static sweep_kind kind_of_launch(const opencl_backend *self, const sweep_launch *launch) {
    sweep_kind kind = SWEEP_BALLS;
    for (int colour = launch->colour; colour < launch->colour_end; colour++)
        if (self->kinds[colour] > kind) kind = self->kinds[colour];
    return kind;
}

scree_result opencl_sweep_colours(opencl_backend *self, solve_parameters parameters) {
    for (int i = 0; i < self->plan.launch_count; i++) {
        const sweep_launch *launch = &self->plan.launches[i];
        TRY((launch->bundled ? launch_bundles : launch_groups)(self, *launch, kind_of_launch(self, launch),
                                                               parameters));
    }
    return SCREE_OK;
}

bool opencl_sweep_has_balls(const opencl_backend *self) {
    for (int colour = 0; colour < self->p->colour_count; colour++)
        if (self->kinds[colour] == SWEEP_BALLS) return true;
    return false;
}

bool opencl_sweep_goes_ahead(const opencl_backend *self) {
    const sweep_plan *plan = &self->plan;
    const problem *p = self->p;
    if (plan->launch_count == 0 || p->remainder_first < p->block_count || p->forest.tree_count > 0)
        return false;
    for (int i = 0; i < plan->launch_count; i++)
        if (kind_of_launch(self, &plan->launches[i]) != SWEEP_BALLS) return false;
    return true;
}

/* Bundles of a single run of colours mark each body's first group. */
bool opencl_sweep_moves_bodies(const opencl_backend *self) {
    for (int i = 0; i < self->plan.launch_count; i++) {
        const sweep_launch *launch = &self->plan.launches[i];
        if (!launch->bundled || launch->colour > 0 || launch->colour_end < self->p->colour_count)
            return false;
    }
    return true;
}

/* The first launch computes the momentum's state from the sums if there are any; the others read it. */
scree_result opencl_sweep_ahead(opencl_backend *self, solve_parameters parameters, int chunks) {
    const opencl_buffer *velocities = pass_velocities(self, parameters);
    const int flags = chunks > 0 ? ORDER_FIRST_A | ORDER_FIRST_B : 0, from = self->momentum, at = 1 - from;
    for (int i = 0; i < self->plan.launch_count; i++) {
        const sweep_launch launch = self->plan.launches[i];
        const int sums = i == 0 ? chunks : 0;
        TRY(launch.bundled ? ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_BUNDLES_AHEAD),
                                           launch.count * WORK_GROUP, OF_BALLS, OVER_BUNDLES, OWN(nesterov),
                                           OWN(uphill), OWN(starts), OWN(before), OWN(velocities_before),
                                           ARGUMENT(from), ARGUMENT(sums), ARGUMENT(flags))
                           : ENGINE_LAUNCH(self, engine_law_kernel(parameters, BALLS_OF_COLOUR_AHEAD),
                                           launch.count, OF_BALLS, OVER_GROUPS, OWN(nesterov), OWN(starts),
                                           OWN(before), ARGUMENT(at)));
    }
    self->states_stale = true, self->terms_up = true;
    self->momentum = at;
    return SCREE_OK;
}
