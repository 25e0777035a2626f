/* Sweeps over colours: which of them are of balls alone, and the launches of each. */
#include "opencl_backend.h"

#include "block.h"

#include <limits.h>

/* Whether nothing moves a body, and whether it moves alike in all directions, by what is known on the host:
 * the mobility is there unless this backend has predicted it. */
typedef struct body_symmetry {
    bool fixed, round;
} body_symmetry;

static body_symmetry symmetry_of(const opencl_backend *self, int body) {
    const problem *p = self->p;
    if (self->predicted != p) {
        const body_mobility m = p->mobility[body];
        return (body_symmetry){.fixed = !body_moves(m),
                               .round = m.inverse_mass.x > 0 && m.diagonal.x > 0 && body_round(m)};
    }
    if (body >= self->sent.count) return (body_symmetry){.fixed = true}; /* the ground */
    const body_mass *mass = &self->sent.masses[body];
    return (body_symmetry){.fixed = !(mass->mass > 0),
                           .round = mass->inertia.x == mass->inertia.y &&
                                    mass->inertia.x == mass->inertia.z && mass->locks == 0};
}

/* ‖r × n‖ ≤ 4ε ‖r‖. */
static bool is_along(vec3s arm, vec3s normal) {
    const scalar limit = 4 * SCALAR_EPSILON;
    return glms_vec3_norm2(glms_vec3_cross(arm, normal)) <= limit * limit * glms_vec3_norm2(arm);
}

/* One contact without drift, each of whose bodies is round and has the contact straight before its centre, or
 * is fixed. Its A_cc is then diag(a, t, t) but for rounding: with 1/m the sum of the bodies' inverse masses
 * and 1/j that of ‖r‖²/I, entries that would be zero, and the difference of the last two, are sums of a few
 * products that each are wrong by some ε of 1/m + 1/j; delassus_isotropic allows 16 ε of the trace 3/m + 2/j.
 */
static bool is_ball(const opencl_backend *self, const block_group *group) {
    const problem *p = self->p;
    if (group->count != 1) return false;
    const constraint_block *block = &p->blocks[group->first];
    if (block->kind != BLOCK_CONTACT || block->angular || block->rolling != 0 || block->spinning != 0)
        return false;
    const body_symmetry a = symmetry_of(self, group->body_a), b = symmetry_of(self, group->body_b);
    return (a.fixed || (a.round && is_along(block->arm_a, block->normal))) &&
           (b.fixed || (b.round && is_along(block->arm_b, block->normal)));
}

static bool is_of_balls(const opencl_backend *self, int colour) {
    const problem *p = self->p;
    for (int g = p->colour_first[colour]; g < p->colour_first[colour + 1]; ++g)
        if (!is_ball(self, &p->groups[g])) return false;
    return true;
}

/* Lanes know contacts without drift. */
static bool is_plain(const constraint_block *block) {
    return block->kind == BLOCK_CONTACT && !block->angular && !block_surface_velocity(*block);
}

static bool are_plain(const problem *p, int first, int end) {
    for (int i = first; i < end; ++i)
        if (!is_plain(&p->blocks[i])) return false;
    return true;
}

/* And sweep up to four between two bodies. */
static wide_class class_of(const opencl_backend *self, const block_group *group) {
    if (group->count == 0 || group->count > WIDE_POINTS ||
        !are_plain(self->p, group->first, group->first + group->count))
        return WIDE_LOOSE;
    return is_ball(self, group) ? WIDE_BALL : WIDE_MANIFOLD + (wide_class)(group->count - 1);
}

static scree_result plan_in_lanes(opencl_backend *self) {
    wide_plan *plan = &self->wide;
    const problem *p = self->p;
    self->contacts_alone = are_plain(p, 0, p->block_count);
    TRY(wide_plan_begin(plan, p));
    for (int colour = 0; colour < p->colour_count; ++colour) {
        self->balls[colour] = true;
        for (int g = p->colour_first[colour]; g < p->colour_first[colour + 1]; ++g) {
            const wide_class class = class_of(self, &p->groups[g]);
            plan->classes[g] = (unsigned char)class;
            self->balls[colour] &= class == WIDE_BALL;
        }
    }
    TRY(wide_plan_make(plan, p));
    TRY(ENGINE_SEND(self, order, plan->order, plan->order_count));
    TRY(ENGINE_SEND(self, rank_first, plan->rank_first, plan->bundle_count + 1));
    TRY(ENGINE_SEND(self, bundle_first, plan->bundle_first, plan->bundle_count + 1));
    self->fields_up = false;
    TRY(ENGINE_RESERVE(self, fields, float, (size_t)plan->width *(size_t)plan->field_count));
    return ENGINE_SEND(self, batches, plan->batches, plan->number_count);
}

/* A launch costs a processor some 6 µs, in which a thread sweeps or pushes so many groups. */
enum { LAUNCH_OF_BALLS = 2048, LAUNCH_OF_MANIFOLDS = 384, LAUNCH_OF_PUSHED = 2048 };

/* The most batches of a launch that is better made by one work-item with its neighbours than by n threads:
 * what it takes, w, is longer by w (1 - 1/n) then, and a launch less is made. */
static int few_batches(const opencl_backend *self, int groups) {
    const int threads = (int)self->device.info.compute_units;
    return threads < 2 ? INT_MAX : groups * threads / (threads - 1) / self->wide.width;
}

static int few_swept(const opencl_backend *self, wide_launch_kind kind) {
    return few_batches(self, kind == WIDE_BALLS ? LAUNCH_OF_BALLS : LAUNCH_OF_MANIFOLDS);
}

/* What sweeps of batches read, which a law that has none does not ask for. */
static scree_result fill_fields(opencl_backend *self) {
    const engine_buffers *on = &self->buffers;
    const int count = self->wide.batch_count;
    const kernel_argument arguments[] = {BUFFER(on->batches),  BUFFER(on->blocks), BUFFER(on->diagonals),
                                         BUFFER(on->mobility), BUFFER(on->fields), ARGUMENT(count)};
    if (self->fields_up) return SCREE_OK;
    self->fields_up = true;
    return ENGINE_LAUNCH(self, KERNEL_fill_batches, count, arguments);
}

scree_result opencl_sweep_corrected(opencl_backend *self) {
    const engine_buffers *on = &self->buffers;
    const int count = self->wide.batch_count;
    const kernel_argument arguments[] = {BUFFER(on->batches), BUFFER(on->blocks), BUFFER(on->fields),
                                         ARGUMENT(count)};
    if (!self->in_lanes || !self->fields_up) return SCREE_OK;
    return ENGINE_LAUNCH(self, KERNEL_fill_corrections, count, arguments);
}

scree_result opencl_sweep_plan(opencl_backend *self) {
    sweep_plan *plan = &self->plan;
    if (self->in_lanes) return plan_in_lanes(self);
    for (int colour = 0; colour < self->p->colour_count; ++colour)
        self->balls[colour] = is_of_balls(self, colour);
    TRY(sweep_plan_make(plan, self->p, self->largest_shared));
    TRY(ENGINE_SEND(self, order, plan->order, plan->order_count));
    TRY(ENGINE_SEND(self, rank_first, plan->rank_first, plan->rank_count + 1));
    return ENGINE_SEND(self, bundle_first, plan->bundle_first, plan->bundle_count + 1);
}

/* What a kernel is given. */
typedef struct argument_list {
    kernel_argument items[20];
    int count;
} argument_list;

static void add(argument_list *to, const void *value, size_t bytes) {
    to->items[to->count++] = (kernel_argument){bytes, value};
}
#define ADD_BUFFER(to, buffer) add(to, &(buffer).memory, sizeof(cl_mem))
#define ADD_VALUE(to, x) add(to, &(x), sizeof(x))

/* What all sweeps are given; `rows` by those over any blocks alone. */
static void add_problem(argument_list *to, opencl_backend *self, bool rows,
                        const solve_parameters *parameters) {
    const engine_buffers *on = &self->buffers;
    ADD_BUFFER(to, on->groups);
    ADD_BUFFER(to, on->blocks);
    if (rows) ADD_BUFFER(to, on->rows);
    ADD_BUFFER(to, on->diagonals);
    ADD_BUFFER(to, on->impulses);
    ADD_BUFFER(to, *pass_velocities(self, *parameters));
    ADD_BUFFER(to, on->mobility);
    ADD_VALUE(to, *parameters);
}

static void add_bundles(argument_list *to, const opencl_backend *self, const sweep_launch *launch) {
    const engine_buffers *on = &self->buffers;
    ADD_BUFFER(to, on->order);
    ADD_BUFFER(to, on->rank_first);
    ADD_BUFFER(to, on->bundle_first);
    ADD_VALUE(to, launch->first);
}

/* A colour's groups, or a launch's bundles. */
static scree_result launch_sweep(opencl_backend *self, sweep_launch launch, bool balls,
                                 solve_parameters parameters) {
    argument_list to = {.count = 0};
    add_problem(&to, self, !balls, &parameters);
    if (launch.bundled) {
        add_bundles(&to, self, &launch);
        return engine_launch(self,
                             balls ? engine_law_kernel(parameters, BALLS_OF_BUNDLES) : KERNEL_sweep_bundles,
                             launch.count * WORK_GROUP, to.items, to.count);
    }
    ADD_VALUE(&to, launch.first);
    ADD_VALUE(&to, launch.count);
    return engine_launch(self, balls ? engine_law_kernel(parameters, BALLS_OF_COLOUR) : KERNEL_sweep,
                         launch.count, to.items, to.count);
}

/* Batches in a launch; ahead, of all `blocks` there are if that is not 0. */
static scree_result launch_batches(opencl_backend *self, wide_launch_kind kind, batch_range range,
                                   solve_parameters parameters, bool ahead, int blocks) {
    const engine_buffers *on = &self->buffers;
    const bool balls = kind == WIDE_BALLS;
    const kernel_argument arguments[] = {BUFFER(on->batches),
                                         BUFFER(on->fields),
                                         BUFFER(on->impulses),
                                         BUFFER(*pass_velocities(self, parameters)),
                                         ARGUMENT(parameters),
                                         ARGUMENT(range),
                                         BUFFER(on->before), /* from here on ahead alone */
                                         BUFFER(on->terms),
                                         BUFFER(on->nesterov),
                                         ARGUMENT(self->momentum),
                                         BUFFER(on->uphill),
                                         BUFFER(on->velocities_before),
                                         ARGUMENT(blocks),
                                         ARGUMENT(self->p->body_count)};
    enum { ALL = sizeof arguments / sizeof *arguments, OF_MOMENTUM = 8 };
    const law_kernel kernel = ahead ? (balls ? LANES_OF_BALLS_AHEAD : LANES_OF_MANIFOLDS_AHEAD)
                                    : (balls ? LANES_OF_BALLS : LANES_OF_MANIFOLDS);
    TRY(fill_fields(self));
    return engine_launch(self, engine_law_kernel(parameters, kernel), wide_range_items(range), arguments,
                         ahead ? ALL : ALL - OF_MOMENTUM);
}

/* The launches [first, end) of the wide plan in their order: batches, or loose groups in bundles of one rank.
 */
static scree_result launch_lanes(opencl_backend *self, int first, int end, solve_parameters parameters,
                                 bool ahead) {
    const wide_plan *plan = &self->wide;
    for (int i = first; i < end;) {
        const wide_launch *launch = &plan->launches[i];
        if (launch->kind == WIDE_BUNDLES) {
            TRY(launch_sweep(self,
                             (sweep_launch){.bundled = true, .first = launch->first, .count = launch->count},
                             false, parameters));
            ++i;
            continue;
        }
        const batch_range range = wide_plan_range(plan, &i, end, few_swept(self, launch->kind));
        TRY(launch_batches(self, launch->kind, range, parameters, ahead, 0));
    }
    return SCREE_OK;
}

/* The convex law's general block has no wide form (law.h). */
static bool goes_in_lanes(const opencl_backend *self, solve_parameters parameters) {
    return self->in_lanes && parameters.law != LAW_ASSOCIATED && !parameters.held_shift;
}

static scree_result sweep_colour(opencl_backend *self, int colour, solve_parameters parameters) {
    const problem *p = self->p;
    const int first = p->colour_first[colour], count = p->colour_first[colour + 1] - first;
    const wide_plan *wide = &self->wide;
    if (!goes_in_lanes(self, parameters))
        return launch_sweep(self, (sweep_launch){.first = first, .count = count}, self->balls[colour],
                            parameters);
    return launch_lanes(self, wide->launch_first[colour], wide->launch_first[colour + 1], parameters, false);
}

scree_result opencl_sweep(opencl_backend *self, int first, int count, solve_parameters parameters) {
    const problem *p = self->p;
    int colour = 0;
    while (colour + 1 < p->colour_count && p->colour_first[colour + 1] <= first) ++colour;
    if (p->colour_first[colour] == first && p->colour_first[colour + 1] == first + count)
        return sweep_colour(self, colour, parameters);
    return launch_sweep(self, (sweep_launch){.first = first, .count = count}, self->balls[colour],
                        parameters);
}

static bool is_launch_of_balls(const opencl_backend *self, const sweep_launch *launch) {
    for (int colour = launch->colour; colour < launch->colour_end; ++colour)
        if (!self->balls[colour]) return false;
    return true;
}

scree_result opencl_sweep_colours(opencl_backend *self, solve_parameters parameters) {
    if (goes_in_lanes(self, parameters))
        return launch_lanes(self, 0, self->wide.launch_count, parameters, false);
    for (int colour = 0; self->in_lanes && colour < self->p->colour_count; ++colour)
        TRY(sweep_colour(self, colour, parameters));
    if (self->in_lanes) return SCREE_OK;
    for (int i = 0; i < self->plan.launch_count; ++i) {
        const sweep_launch *launch = &self->plan.launches[i];
        TRY(launch_sweep(self, *launch, is_launch_of_balls(self, launch), parameters));
    }
    return SCREE_OK;
}

/* Every block that there is has to have its turn in bundles of one run, which know each body's first group.
 */
bool opencl_sweep_goes_ahead(const opencl_backend *self) {
    const sweep_plan *plan = &self->plan;
    const problem *p = self->p;
    if (self->in_lanes || plan->launch_count == 0 || p->remainder_first < p->block_count ||
        p->forest.tree_count > 0)
        return false;
    for (int i = 0; i < plan->launch_count; ++i) {
        const sweep_launch *launch = &plan->launches[i];
        if (!launch->bundled || launch->colour > 0 || launch->colour_end < p->colour_count ||
            !is_launch_of_balls(self, launch))
            return false;
    }
    return true;
}

bool opencl_lanes_hold_all(const opencl_backend *self, solve_parameters parameters) {
    const problem *p = self->p;
    return goes_in_lanes(self, parameters) && self->wide.bundle_count == 0 &&
           p->remainder_first == p->block_count && p->forest.tree_count == 0;
}

/* Whether one work-item makes a whole sweep, and its batches. */
static bool is_one_item(const opencl_backend *self, solve_parameters parameters, batch_range *range) {
    const wide_plan *plan = &self->wide;
    int at = 0;
    if (!opencl_lanes_hold_all(self, parameters) || plan->launch_count == 0) return false;
    *range = wide_plan_range(plan, &at, plan->launch_count, few_swept(self, plan->launches[0].kind));
    return at == plan->launch_count && wide_range_items(*range) == 1;
}

scree_result opencl_lanes_repeat(opencl_backend *self, solve_parameters parameters, int sweeps, bool *done) {
    batch_range range;
    *done = is_one_item(self, parameters, &range);
    if (!*done) return SCREE_OK;
    range.sweeps = sweeps;
    return launch_batches(self, self->wide.launches[0].kind, range, parameters, false, 0);
}

scree_result opencl_lanes_push(opencl_backend *self) {
    const engine_buffers *on = &self->buffers;
    const wide_plan *plan = &self->wide;
    const int few = few_batches(self, LAUNCH_OF_PUSHED);
    TRY(fill_fields(self));
    for (int i = 0; i < plan->launch_count;) {
        const batch_range range = wide_plan_range(plan, &i, plan->launch_count, few);
        const kernel_argument arguments[] = {BUFFER(on->batches), BUFFER(on->fields), BUFFER(on->impulses),
                                             BUFFER(on->sums_of_bodies), ARGUMENT(range)};
        TRY(ENGINE_LAUNCH(self, KERNEL_push_batches, wide_range_items(range), arguments));
    }
    return SCREE_OK;
}

scree_result opencl_lanes_ahead(opencl_backend *self, solve_parameters parameters, int sweeps,
                                bool *together) {
    batch_range range;
    *together = is_one_item(self, parameters, &range);
    if (!*together) return launch_lanes(self, 0, self->wide.launch_count, parameters, true);
    range.sweeps = sweeps;
    return launch_batches(self, self->wide.launches[0].kind, range, parameters, true, self->p->block_count);
}

/* The first launch finds the momentum's state, which the others read. */
scree_result opencl_sweep_ahead(opencl_backend *self, solve_parameters parameters, int chunks) {
    const engine_buffers *on = &self->buffers;
    for (int i = 0; i < self->plan.launch_count; ++i) {
        const sweep_launch *launch = &self->plan.launches[i];
        const int sums = i == 0 ? chunks : 0;
        argument_list to = {.count = 0};
        add_problem(&to, self, false, &parameters);
        add_bundles(&to, self, launch);
        ADD_BUFFER(&to, on->nesterov);
        ADD_BUFFER(&to, on->uphill);
        ADD_BUFFER(&to, on->starts);
        ADD_BUFFER(&to, on->before);
        ADD_BUFFER(&to, on->velocities_before);
        ADD_VALUE(&to, self->momentum);
        ADD_VALUE(&to, sums);
        TRY(engine_launch(self, engine_law_kernel(parameters, BALLS_AHEAD), launch->count * WORK_GROUP,
                          to.items, to.count));
    }
    self->states_stale = true;
    self->momentum = 1 - self->momentum;
    return SCREE_OK;
}
