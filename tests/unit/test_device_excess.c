/* The tests after a solve on the device test_device() and on the host: both find the first body that is not
 * finite, and both suspect the islands whose energies, summed here in double precision, are too large.
 * `--small` (for simulators of devices) takes few bodies. */
#include "body_fixture.h"
#include "primitives_rig.h"

#include "base/memory.h"
#include "device/opencl/opencl_excess.h"
#include "step/warm_start.h"

#include "motion.h"
#include "block.h"

enum { MOVES = 1u << 31, SPARE = 70 /* pairs beyond the length */ };

static bool simulated;
static uint64_t seed;

static opencl_report report;
static opencl_excess excess_on_device;

/* Bodies after a solve, in islands. */
typedef struct solved_bodies {
    body_array bodies;
    body_velocity *free, *solved;
    int pair_count;
    constraint_pair *pairs;
    int *labels; /* the islands that the pairs make */
} solved_bodies;

static solved_bodies solved_make(int count) {
    const size_t n = (size_t)count + 1;
    solved_bodies self = {.bodies = bodies_make(count)};
    self.free = rig_array(n, sizeof *self.free), self.solved = rig_array(n, sizeof *self.solved);
    self.pairs = rig_array(4 * n + SPARE, sizeof *self.pairs),
    self.labels = rig_array(n, sizeof *self.labels);
    for (int i = 0; i < count; i++) self.labels[i] = i;
    return self;
}

static void solved_free(solved_bodies *self) {
    bodies_free(&self->bodies);
    free(self->free);
    free(self->solved);
    free(self->pairs);
    free(self->labels);
}

/* Gives a body a mass between 2^-20 and 1 kg, and the velocities V* and V = by V* and some noise. */
static void solve_body(solved_bodies *self, int i, double by) {
    body_mass *mass = &self->bodies.masses[i];
    const double kilograms = ldexp(random_between(&seed, 0.5, 1), -random_below(&seed, 20));
    const vec3s moments = random_vector(&seed, 0.1 * kilograms, kilograms),
                linear = random_vector(&seed, -1, 1), angular = random_vector(&seed, -1, 1);
    const bool is_static = random_below(&seed, 12) == 0;
    *mass = is_static ? (body_mass){.mass = 0}
                      : (body_mass){.mass = (scalar)kilograms,
                                    .inertia = i % 3 ? moments : vec3_of(moments.x, moments.x, moments.x)};
    self->bodies.types[i] = is_static ? SLOT_STATIC : SLOT_DYNAMIC;
    self->bodies.poses[i].rotation = random_rotation(&seed);
    self->free[i] = (body_velocity){.linear = linear, .angular = angular};
    self->solved[i].linear =
        glms_vec3_add(glms_vec3_scale(linear, (scalar)by), random_vector(&seed, -0.1, 0.1));
    self->solved[i].angular = glms_vec3_scale(angular, (scalar)by);
}

static void relabel(solved_bodies *self, int from, int to) {
    for (int i = 0; i < self->bodies.count && from != to; i++)
        if (self->labels[i] == from) self->labels[i] = to;
}

static void add_pair(solved_bodies *self, int a, int b) {
    const bool a_moves = body_is_dynamic(&self->bodies, a), b_moves = body_is_dynamic(&self->bodies, b);
    self->pairs[self->pair_count++] =
        (constraint_pair){.a = a < b ? a : b,
                          .b = a < b ? b : a,
                          .flags = ((a < b ? a_moves : b_moves) ? PAIR_MOVES_A : 0) |
                                   ((a < b ? b_moves : a_moves) ? PAIR_MOVES_B : 0)};
    if (a_moves && b_moves) relabel(self, self->labels[a], self->labels[b]);
}

/* Returns E of a velocity in double precision, J, by R D Rᵀ column by column. */
static double energy_of(const body_array *bodies, int i, const double v[6]) {
    const body_mass mass = bodies->masses[i];
    const double moments[3] = {(double)mass.inertia.x, (double)mass.inertia.y, (double)mass.inertia.z};
    double sum = (double)mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) {
        const vec3s axis = rotate(bodies->poses[i].rotation, vec3_of(k == 0, k == 1, k == 2));
        const double along = v[3] * (double)axis.x + v[4] * (double)axis.y + v[5] * (double)axis.z;
        sum += moments[k] * along * along;
    }
    return sum / 2;
}

static void numbers_of(body_velocity v, double out[6]) {
    const scalar of[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
    for (int k = 0; k < 6; k++) out[k] = (double)of[k];
}

/* Adds a body's excess, and the size of its terms. */
static void add_excess(const solved_bodies *self, int i, double *excess, double *size) {
    double before[6], after[6], change[6];
    numbers_of(self->free[i], before), numbers_of(self->solved[i], after);
    for (int k = 0; k < 6; k++) change[k] = after[k] - before[k];
    const double e = energy_of(&self->bodies, i, after), e_free = energy_of(&self->bodies, i, before),
                 own = energy_of(&self->bodies, i, change);
    *excess += e - e_free + 0.8 * own;
    *size += e + e_free + own;
}

/* Returns whether an island has a positive excess: 1, 0, or −1 if rounding decides that. */
static int is_suspected(const solved_bodies *self) {
    const int count = self->bodies.count;
    double *sums = rig_array((size_t)count, sizeof *sums), *sizes = rig_array((size_t)count, sizeof *sizes);
    int found = 0;
    for (int i = 0; i < count; i++)
        if (body_is_dynamic(&self->bodies, i))
            add_excess(self, i, &sums[self->labels[i]], &sizes[self->labels[i]]);
    for (int i = 0; i < count; i++) {
        const int own = sums[i] > 1e-4 * sizes[i] ? 1 : sums[i] > -1e-6 * sizes[i] && sizes[i] > 0 ? -1 : 0;
        found = own == 1 || found == 0 ? (own ? own : found) : found;
    }
    free(sums);
    free(sizes);
    return found;
}

static bool suspected_on_host(const solved_bodies *self, int threads) {
    warm_start_scratch scratch = {0};
    const problem p = {.body_count = self->bodies.count,
                       .predicted = true,
                       .kilograms = 1,
                       .free_velocity = self->free,
                       .velocity = self->solved,
                       .pairs = {.count = self->pair_count, .items = self->pairs}};
    const problem_input from = {.bodies = &self->bodies};
    bool suspected = true;
    CHECK(warm_start_find_excess(&scratch, &p, &from, threads, &suspected, NULL));
    warm_start_release(&scratch);
    return suspected;
}

/* Buffers of the bodies. */
typedef struct sent_solved {
    opencl_buffer poses, masses, free, solved, pairs;
} sent_solved;

static sent_solved send_solved(const solved_bodies *self) {
    const size_t n = (size_t)self->bodies.count;
    uint32_t *ends = rig_array(2 * ((size_t)self->pair_count + SPARE), sizeof *ends);
    sent_solved out = {0};
    for (int k = 0; k < self->pair_count; k++) {
        ends[2 * k] = (uint32_t)self->pairs[k].a | (self->pairs[k].flags & PAIR_MOVES_A ? MOVES : 0);
        ends[2 * k + 1] = (uint32_t)self->pairs[k].b | (self->pairs[k].flags & PAIR_MOVES_B ? MOVES : 0);
    }
    for (int k = self->pair_count; k < self->pair_count + SPARE; k++) /* must not be read */
        ends[2 * k] = MOVES, ends[2 * k + 1] = MOVES + (uint32_t)(self->bodies.count > 1);
    rig_send(&out.poses, self->bodies.poses, (n + 1) * sizeof *self->bodies.poses);
    rig_send(&out.masses, self->bodies.masses, (n + 1) * sizeof *self->bodies.masses);
    rig_send(&out.free, self->free, (n + 1) * sizeof *self->free);
    rig_send(&out.solved, self->solved, (n + 1) * sizeof *self->solved);
    rig_send(&out.pairs, ends, 2 * ((size_t)self->pair_count + SPARE) * sizeof *ends);
    free(ends);
    return out;
}

static void sent_release(sent_solved *self) {
    opencl_buffer *const all[] = {&self->poses, &self->masses, &self->free, &self->solved, &self->pairs};
    for (int i = 0; i < 5; i++) opencl_buffer_release(&rig.device, all[i]);
}

static step_report report_on_device(const solved_bodies *self, bool weighs) {
    sent_solved sent = send_solved(self);
    const excess_bodies bodies = {.count = (cl_uint)self->bodies.count,
                                  .poses = &sent.poses,
                                  .masses = &sent.masses,
                                  .free_velocity = &sent.free,
                                  .velocity = &sent.solved,
                                  .poses_after = &sent.poses,
                                  .factor = 1};
    const device_length length =
        rig_length((uint32_t)self->pair_count, (uint32_t)self->pair_count + SPARE, 77);
    step_report out;
    CHECK(opencl_report_begin(&report));
    const scree_device_traffic start = rig.device.traffic;
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_excess_test(&excess_on_device, &bodies, weighs, &rig.counts, 3, &report));
    if (weighs) CHECK(opencl_excess_find(&excess_on_device, bodies.count, &sent.pairs, length, &report));
    assert_int_equal(rig.device.traffic.waits, start.waits);
    assert_int_equal(rig.device.traffic.launches - start.launches, weighs ? 5 : 1);
    CHECK(opencl_report_fetch(&report, false, &out));
    CHECK(opencl_device_wait(&rig.device));
    assert_int_equal(out.words[REPORT_COUNTS], self->pair_count);
    assert_int_equal(out.words[REPORT_COUNTS + 2], 77);
    assert_int_equal(out.words[REPORT_COUNTS + 3], 0);
    sent_release(&sent);
    return out;
}

/* Numbers of suspected and other cases that were compared. */
static int seen[2];

static void compare(const solved_bodies *self) {
    const step_report found = report_on_device(self, true);
    const int expected = is_suspected(self);
    const bool on_host = suspected_on_host(self, 1);
    assert_int_equal(step_report_first(&found, self->bodies.count), self->bodies.count);
    assert_int_equal(found.words[REPORT_SUSPECTED], on_host);
    for (int threads = 2; threads < 5; threads++) assert_int_equal(suspected_on_host(self, threads), on_host);
    if (expected >= 0) assert_int_equal(on_host, expected);
    if (expected >= 0) seen[expected]++;
}

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups;
        group_kind kind;
    } runs[] = {{1024, GROUPS_OF_MANY}, {3, GROUPS_OF_ONE}, {1, GROUPS_OF_MANY}};
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        seed = 41, seen[0] = seen[1] = 0;
        rig_open(runs[k].groups, 64, runs[k].kind);
        opencl_report_open(&report, &rig.primitives);
        opencl_excess_open(&excess_on_device, &rig.primitives);
        check();
        opencl_excess_close(&excess_on_device);
        opencl_report_close(&report);
        rig_close();
    }
}

/* Islands of `members` bodies that are spread over the slots, each with about `pairs` pairs a body. */
static void compare_islands(int bodies, int members, int pairs, double by) {
    solved_bodies self = solved_make(bodies);
    const int islands = (bodies + members - 1) / members;
    for (int i = 0; i < bodies; i++) solve_body(&self, i, by + random_between(&seed, -0.3, 0.3));
    for (int k = 0; k < pairs * bodies && bodies > islands; k++) {
        const int island = random_below(&seed, islands), of = (bodies - island + islands - 1) / islands,
                  a = island + islands * random_below(&seed, of),
                  b = island + islands * random_below(&seed, of);
        if (a != b) add_pair(&self, a, b);
    }
    compare(&self);
    solved_free(&self);
}

/* Bodies rebound at `by` times their velocities: an excess is positive below −1/9. */
static void check_islands(void) {
    static const int sizes[] = {0, 1, 2, 3, 255, 256, 257, 1024, 3000};
    for (int k = 0; k < (simulated ? 5 : 9); k++)
        for (int j = -6; j < (simulated ? -4 : 4); j++) {
            const int n = simulated && k == 4 ? 40 : sizes[k], pairs = 1 + (k + j + 6) % 3;
            compare_islands(n, 1 + random_below(&seed, n + 1), pairs, 0.07 * (double)j);
            compare_islands(n, n + 1, pairs, 0.03 * (double)j);
        }
    assert_true(seen[0] > 4 && seen[1] > 4);
}
static void islands_are_suspected_as_on_the_host(void **state) {
    (void)state;
    on_groups(check_islands);
}

/* A chain is the longest path that joins can make; its slots ascend, descend, or are random. One link
 * decides. */
static void compare_chain(int bodies, int order, double last) {
    solved_bodies self = solved_make(bodies);
    int *slots = rig_array((size_t)bodies, sizeof *slots);
    for (int i = 0; i < bodies; i++) slots[i] = order == 1 ? bodies - 1 - i : i;
    for (int i = bodies - 1; order == 2 && i > 0; i--) {
        const int k = random_below(&seed, i + 1), was = slots[i];
        slots[i] = slots[k], slots[k] = was;
    }
    for (int i = 0; i < bodies; i++) {
        self.bodies.masses[i] = (body_mass){.mass = i == slots[0] ? 1 : ldexpf(1, -17)};
        self.free[i].linear = vec3_of(0, 0, -1);
        self.solved[i].linear = vec3_of(0, 0, i == slots[0] ? (scalar)last : 0);
    }
    for (int i = 1; i < bodies; i++)
        self.pairs[self.pair_count++] =
            (constraint_pair){.a = slots[i] < slots[i - 1] ? slots[i] : slots[i - 1],
                              .b = slots[i] < slots[i - 1] ? slots[i - 1] : slots[i],
                              .flags = PAIR_MOVES_A | PAIR_MOVES_B};
    memset(self.labels, 0, (size_t)bodies * sizeof *self.labels);
    compare(&self);
    free(slots);
    solved_free(&self);
}

/* With V = −s V*, a link alone has the excess ½ (s² − 1) + 0.4 (1 + s)², 0 at s = 1/9, and the others
 * together −0.1 n 2^-17 J. */
static void check_chains(void) {
    const int n = simulated ? 50 : 20000;
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < 4; k++) compare_chain(n, order, 1.0 / 9 + 0.01 * (double)(k - 1));
    assert_true(seen[0] > 2 && seen[1] > 2);
}
static void chains_are_one_island(void **state) {
    (void)state;
    on_groups(check_chains);
}

/* A problem of contacts between the bodies of pairs, some with compliance, and of a joint's rows in every
 * fifth pair. */
static problem contacts_of(const solved_bodies *self, double size) {
    problem p = {.body_count = self->bodies.count, .kilograms = 1};
    p.group_count = p.block_count = p.remainder_first = p.row_count = self->pair_count;
    CHECK(problem_reserve(&p, OF_GROUPS, p.group_count + 1, NULL));
    CHECK(problem_reserve(&p, OF_BLOCKS, p.block_count + 1, NULL));
    CHECK(problem_reserve(&p, OF_ROWS, p.row_count + 1, NULL));
    CHECK(problem_reserve(&p, OF_OWN_BLOCKS, p.block_count + 1, NULL));
    CHECK(problem_own_blocks(&p, NULL));
    for (int i = 0; i < p.block_count; i++) {
        const constraint_pair *pair = &self->pairs[i];
        const vec3s normal = random_direction(&seed);
        p.groups[i] = (block_group){.body_a = pair->a, .body_b = pair->b, .first = i, .count = 1};
        p.blocks[i] = (constraint_block){.body_a = pair->a,
                                         .body_b = pair->b,
                                         .kind = i % 5 ? BLOCK_CONTACT : BLOCK_BOUNDED,
                                         .rows = i,
                                         .normal = normal,
                                         .tangent = tangent_of(normal),
                                         .arm_a = random_vector(&seed, -0.1, 0.1),
                                         .arm_b = random_vector(&seed, -0.1, 0.1),
                                         .bias = (scalar)random_between(&seed, -0.5, 0.5),
                                         .compliance = i % 3 ? 0 : 1e-3f};
        p.rows[i] = (bounded_rows){.bias = random_vector(&seed, -1, 1), .compliance = vec3_of(0, 1e-3f, 0)};
        p.impulses[i].value = glms_vec3_scale(
            block_relative_velocity(p.blocks[i], self->free[pair->a], self->free[pair->b]), (scalar)-size);
    }
    CHECK(problem_index(&p, &self->bodies, 1, NULL));
    p.pairs = (constraint_pairs){.count = self->pair_count, .items = self->pairs};
    return p;
}

static bool scaled_on_host(problem *p, const solved_bodies *self) {
    warm_start_scratch scratch = {0};
    const problem_input from = {.bodies = &self->bodies, .motion = {.time_step = 0.01f}};
    CHECK(warm_start_begin(&scratch, p, 1, NULL));
    const bool scaled = warm_start_scale(&scratch, p, &from, 1);
    warm_start_release(&scratch);
    return scaled;
}

/* After a test of bodies that suspects all islands. */
static bool suspected_by_weight(const problem *p, const solved_bodies *self) {
    enum { BUFFERS = 8 };
    const size_t n = (size_t)self->bodies.count, blocks = (size_t)p->block_count + 1;
    body_mobility *mobility = rig_array(n, sizeof *mobility);
    opencl_buffer sent[BUFFERS] = {{0}};
    step_report out = report_on_device(self, true);
    assert_int_equal(out.words[REPORT_SUSPECTED], 1);
    for (size_t i = 0; i < n; i++) mobility[i] = mobility_of(self->bodies.poses[i], self->bodies.masses[i]);
    const struct {
        const void *items;
        size_t bytes;
    } arrays[BUFFERS] = {{self->bodies.types, n},
                         {p->blocks, blocks * sizeof *p->blocks},
                         {p->rows, blocks * sizeof *p->rows},
                         {p->impulses, blocks * sizeof *p->impulses},
                         {p->incidence_first, (n + 1) * sizeof(int)},
                         {p->incidence, (size_t)p->incidence_first[n] * sizeof(int)},
                         {mobility, n * sizeof *mobility},
                         {self->free, n * sizeof *self->free}};
    for (int i = 0; i < BUFFERS; i++) rig_send(&sent[i], arrays[i].items, arrays[i].bytes);
    const weighed_problem weighed = {(cl_uint)n, &sent[0], &sent[1], &sent[2], &sent[3],
                                     &sent[4],   &sent[5], &sent[6], &sent[7]};
    CHECK(opencl_report_begin(&report));
    CHECK(opencl_excess_weigh(&excess_on_device, &weighed, &report));
    CHECK(opencl_report_fetch(&report, false, &out));
    CHECK(opencl_device_wait(&rig.device));
    for (int i = 0; i < BUFFERS; i++) opencl_buffer_release(&rig.device, &sent[i]);
    free(mobility);
    return out.words[REPORT_SUSPECTED] != 0;
}

/* Bodies that rebound faster than they came are suspected, whatever impulses are to be weighed. */
static void compare_weights(int bodies, double size) {
    solved_bodies self = solved_make(bodies);
    self.bodies.loads = rig_array((size_t)bodies, sizeof *self.bodies.loads);
    for (int i = 0; i < bodies; i++) solve_body(&self, i, -2);
    for (int i = 0; i < bodies; i++) self.bodies.velocities[i] = self.free[i];
    for (int k = 0; k < 2 * bodies; k++) {
        const int a = random_below(&seed, bodies), b = random_below(&seed, bodies);
        if (a != b && (body_is_dynamic(&self.bodies, a) || body_is_dynamic(&self.bodies, b)))
            add_pair(&self, a, b);
    }
    problem p = contacts_of(&self, size);
    const bool weighed = suspected_by_weight(&p, &self), scaled = scaled_on_host(&p, &self);
    assert_true(weighed || !scaled); /* the device may leave more to the host */
    seen[scaled ? 1 : 0] += weighed == scaled;
    p.pairs = (constraint_pairs){0};
    problem_release(&p);
    free(self.bodies.loads);
    solved_free(&self);
}

static void check_weights(void) {
    if (!rig.device.info.fp64) return;
    for (int k = 0; k < (simulated ? 1 : 40); k++)
        compare_weights(simulated ? 9 : 30 + 20 * k, exp(random_between(&seed, -25, 0)));
    assert_true(simulated || (seen[0] > 8 && seen[1] > 8));
}
static void only_what_the_host_would_not_scale_is_cleared(void **state) {
    (void)state;
    on_groups(check_weights);
}

static void expect_first(const solved_bodies *self, int expected) {
    for (int weighs = 0; weighs < 2; weighs++) {
        const step_report found = report_on_device(self, weighs);
        assert_int_equal(step_report_first(&found, self->bodies.count), expected);
    }
}

static void check_finite(void) {
    const scalar bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
    const int n = simulated ? 20 : 700;
    solved_bodies self = solved_make(n);
    for (int i = 0; i < n; i++) solve_body(&self, i, 0);
    expect_first(&self, n);
    for (int k = 0; k < 4; k++) {
        const int first = random_below(&seed, n);
        const body_velocity was = self.solved[first];
        self.solved[first].angular.y = bad[k];
        expect_first(&self, first);
        self.solved[n - 1].linear.x = bad[k];
        expect_first(&self, first);
        self.solved[n - 1].linear.x = 0;
        self.solved[first] = was;
    }
    self.bodies.poses[n / 2].position.z = NAN;
    expect_first(&self, n / 2);
    self.bodies.poses[0].rotation.w = INFINITY;
    expect_first(&self, 0);
    solved_free(&self);
}
static void the_first_body_that_is_not_finite_is_reported(void **state) {
    (void)state;
    on_groups(check_finite);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_suspected_as_on_the_host),
        cmocka_unit_test(chains_are_one_island),
        cmocka_unit_test(only_what_the_host_would_not_scale_is_cleared),
        cmocka_unit_test(the_first_body_that_is_not_finite_is_reported),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
