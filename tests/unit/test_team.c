/* The team's loops: each piece runs once, on any thread, and writes before and after a loop are visible. */
#include "base/parallel.h"
#include "base/team.h"

#include "expect.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 1500 };
static bool many_processors;

/* Replaces the library's function: as on a machine with 2048 processors, of which this process may use MANY.
 */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *out) {
    memset(out, 0, size);
    if (!many_processors) return syscall(SYS_sched_getaffinity, process, size, out) < 0 ? -1 : 0;
    if (size < 2048 / 8) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < MANY; i++) CPU_SET_S((size_t)i, size, out);
    return 0;
}

enum { MOST = 3000 };

typedef struct loops {
    team *team;
    int count[MOST]; /* how often each piece ran */
    int64_t value[MOST];
    int pieces;
    bool slow;
} loops;

static void slow_piece(void *context, int i) {
    loops *self = context;
    self->count[i]++;
    if (self->slow) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
}

static void count_piece(void *context, int i) {
    loops *self = context;
    self->count[i]++;
    self->value[i] = 3 * i + self->pieces;
}

/* Reads what another thread may have written in the previous loop. */
static void sum_piece(void *context, int i) {
    loops *self = context;
    self->count[i] += self->value[self->pieces - 1 - i] == 3 * (self->pieces - 1 - i) + self->pieces;
}

/* Runs loops of many lengths, each read by the next. */
static void share_loops(loops *self) {
    for (int round = 0; round < 400; round++) {
        self->pieces = round % 7 == 0 ? round : round % 11;
        for (int i = 0; i < self->pieces; i++) self->count[i] = 0;
        team_share(self->team, self->pieces, count_piece, self);
        team_share(self->team, self->pieces, sum_piece, self);
        for (int i = 0; i < self->pieces; i++) assert_int_equal(self->count[i], 2);
    }
}

static void every_piece_runs_once(void **state) {
    (void)state;
    loops *self = calloc(1, sizeof *self);
    share_loops(self); /* outside a team */
    self->team = team_create(5, NULL);
    for (int threads = 1; threads <= 5; threads++) {
        team_resize(self->team, threads);
        share_loops(self);
    }
    team_destroy(self->team);
    free(self);
}

/* Takes longer than threads spin: leader and others sleep and are woken. */
static void sleepers_are_woken(void **state) {
    (void)state;
    loops *self = calloc(1, sizeof *self);
    self->team = team_create(3, NULL);
    for (int round = 0; round < 20; round++) {
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        self->slow = round % 2;
        team_share(self->team, 5, slow_piece, self);
    }
    for (int i = 0; i < 5; i++) assert_int_equal(self->count[i], 20);
    team_destroy(self->team);
    free(self);
}

enum { LONG = 100000 }; /* more pieces than one offer has */

static void mark_piece(void *context, int i) { ((char *)context)[i]++; }

static void long_loops_are_shared(void **state) {
    (void)state;
    char *marks = calloc(LONG, 1);
    team *helpers = team_create(3, NULL);
    team_share(helpers, LONG, mark_piece, marks);
    for (int i = 0; i < LONG; i++) assert_int_equal(marks[i], 1);
    team_destroy(helpers);
    free(marks);
}

typedef struct sums {
    int *sum, *least, *most;
    bool *odd;
    float *low, *high;
} sums;

static void sum_slice(const void *context, slice part) {
    const sums of = *(const sums *)context;
    for (int i = part.first; i < part.end; i++) {
        parallel_add(of.sum, i);
        parallel_lower(of.least, 7 - i);
        parallel_raise(of.most, i - 7);
        if (i % 2) parallel_set(of.odd);
        parallel_lower_float(of.low, 0.5f - (float)i);
        parallel_raise_float(of.high, (float)i + 0.5f);
    }
}

/* Sum, extrema and flags of 0 … n − 1. */
static void reductions_are_exact(void **state) {
    (void)state;
    team *helpers = team_create(4, NULL);
    team_lead(helpers);
    for (int n = 1; n <= 1000; n = 3 * n + 1)
        for (int threads = 1; threads <= 4; threads++) {
            int sum = 0, least = 7, most = -7;
            bool odd = false;
            float low = 0.5f, high = 0;
            const sums of = {&sum, &least, &most, &odd, &low, &high};
            (threads % 2 ? parallel_for : parallel_each)(threads, n, sum_slice, &of);
            assert_int_equal(sum, n * (n - 1) / 2);
            assert_int_equal(least, 8 - n);
            assert_int_equal(most, n - 8);
            assert_true(odd == (n > 1));
            assert_true(low == 1.5f - (float)n && high == (float)n - 0.5f);
        }
    team_lead(NULL);
    team_destroy(helpers);
}

/* each part adds the values of both parts in the previous stage: (a, b) → (a + b, b + 2 a), modulo 2³² */
typedef struct marching {
    team *team;
    uint32_t values[2][2];
    bool slow;
} marching;

static void march_stage(void *context, int stage, int part) {
    marching *self = context;
    const uint32_t *before = self->values[stage % 2];
    self->values[(stage + 1) % 2][part] = part == 0 ? before[0] + before[1] : before[1] + 2 * before[0];
    if (self->slow && part == stage / 4 % 2) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
}

static void march_often(marching *self) {
    for (int round = 0; round < 300; round++) {
        const int stages = self->slow ? 8 : round;
        uint32_t a = 1, b = (uint32_t)round;
        self->values[0][0] = a;
        self->values[0][1] = b;
        team_march(self->team, stages, march_stage, self);
        for (int stage = 0; stage < stages; stage++) {
            const uint32_t sum = a + b;
            b += 2 * a;
            a = sum;
        }
        assert_true(self->values[stages % 2][0] == a && self->values[stages % 2][1] == b);
        if (self->slow && round == 20) return;
    }
}

/* With one, two and more threads; also if one of two comes late. */
static void marches_stay_in_step(void **state) {
    (void)state;
    marching *self = calloc(1, sizeof *self);
    self->team = team_create(3, NULL);
    for (int slow = 0; slow < 2; slow++)
        for (int threads = 1; threads <= 3; threads++) {
            self->slow = slow;
            team_resize(self->team, threads);
            march_often(self);
        }
    team_destroy(self->team);
    free(self);
}

/* A pool that runs tasks one after the other, the last first, on the calling thread. */
static void run_backward(void *context, int count, void (*task)(void *data, int index), void *data) {
    *(int *)context += count;
    while (count > 0) task(data, --count);
}

/* Neither loops nor marches need two threads at a time. */
static void a_pool_of_one_thread_suffices(void **state) {
    (void)state;
    int tasks = 0;
    const scree_tasks pool = {.context = &tasks, .run = run_backward};
    loops *all = calloc(1, sizeof *all);
    all->team = team_create(2, &pool);
    share_loops(all);
    marching march = {.team = all->team};
    march_often(&march);
    assert_true(tasks > 600 && team_served(all->team));
    team_destroy(all->team);
    free(all);
}

static void all_processors_are_counted(void **state) {
    (void)state;
    cpu_set_t usable;
    assert_int_equal(sched_getaffinity(0, sizeof usable, &usable), 0);
    assert_int_equal(parallel_all_threads(), CPU_COUNT(&usable));
    many_processors = true;
    assert_int_equal(parallel_all_threads(), MANY);
    many_processors = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_runs_once),      cmocka_unit_test(long_loops_are_shared),
        cmocka_unit_test(reductions_are_exact),       cmocka_unit_test(marches_stay_in_step),
        cmocka_unit_test(sleepers_are_woken),         cmocka_unit_test(a_pool_of_one_thread_suffices),
        cmocka_unit_test(all_processors_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
