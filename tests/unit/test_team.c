/* The team's loops: each piece runs once, on any thread, and writes before and after a loop are visible. */
#include "base/team.h"

#include "expect.h"

#include <time.h>

enum { MOST = 3000 };

typedef struct loops {
    team team;
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
static void lead_loops(void *context) {
    loops *self = context;
    for (int round = 0; round < 400; round++) {
        self->pieces = round % 7 == 0 ? round : round % 11;
        for (int i = 0; i < self->pieces; i++) self->count[i] = 0;
        team_share(&self->team, self->pieces, count_piece, self);
        team_share(&self->team, self->pieces, sum_piece, self);
        for (int i = 0; i < self->pieces; i++) assert_int_equal(self->count[i], 2);
    }
}

static void every_piece_runs_once(void **state) {
    (void)state;
    loops *self = calloc(1, sizeof *self);
    assert_true(team_create(&self->team));
    for (int threads = 1; threads <= 5; threads++)
        for (int again = 0; again < 3; again++) team_lead(&self->team, threads, lead_loops, self);
    lead_loops(self); /* outside a team */
    team_destroy(&self->team);
    free(self);
}

/* Takes longer than threads spin: leader and others sleep and are woken. */
static void lead_slowly(void *context) {
    loops *self = context;
    for (int round = 0; round < 20; round++) {
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        self->slow = round % 2;
        team_share(&self->team, 5, slow_piece, self);
    }
}

static void sleepers_are_woken(void **state) {
    (void)state;
    loops *self = calloc(1, sizeof *self);
    assert_true(team_create(&self->team));
    team_lead(&self->team, 3, lead_slowly, self);
    for (int i = 0; i < 5; i++) assert_int_equal(self->count[i], 20);
    team_destroy(&self->team);
    free(self);
}

/* each part adds the values of both parts in the previous stage: (a, b) → (a + b, b + 2 a), modulo 2³² */
typedef struct marching {
    team team;
    uint32_t values[2][2];
    bool slow;
} marching;

static void march_stage(void *context, int stage, int part) {
    marching *self = context;
    const uint32_t *before = self->values[stage % 2];
    self->values[(stage + 1) % 2][part] = part == 0 ? before[0] + before[1] : before[1] + 2 * before[0];
    if (self->slow && part == stage / 4 % 2) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
}

static void lead_marches(void *context) {
    marching *self = context;
    for (int round = 0; round < 300; round++) {
        const int stages = self->slow ? 8 : round;
        uint32_t a = 1, b = (uint32_t)round;
        self->values[0][0] = a, self->values[0][1] = b;
        team_march(&self->team, stages, march_stage, self);
        for (int stage = 0; stage < stages; stage++) {
            const uint32_t sum = a + b;
            b += 2 * a, a = sum;
        }
        assert_true(self->values[stages % 2][0] == a && self->values[stages % 2][1] == b);
        if (self->slow && round == 20) return;
    }
}

/* With one, two and more threads; also if one of two comes late. */
static void marches_stay_in_step(void **state) {
    (void)state;
    marching *self = calloc(1, sizeof *self);
    assert_true(team_create(&self->team));
    for (int slow = 0; slow < 2; slow++)
        for (int threads = 1; threads <= 3; threads++) {
            self->slow = slow;
            team_lead(&self->team, threads, lead_marches, self);
        }
    team_destroy(&self->team);
    free(self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_runs_once),
        cmocka_unit_test(marches_stay_in_step),
        cmocka_unit_test(sleepers_are_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
