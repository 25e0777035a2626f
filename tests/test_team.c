/* The team's loops: every piece once, whoever takes it, and what is written before and after is seen. */
#include "base/team.h"

#include "expect.h"

#include <time.h>

enum { MOST = 3000 };

typedef struct loops {
    team team;
    int count[MOST]; /* of each piece, how often it ran */
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

/* Reads what another thread may have written in the loop before. */
static void sum_piece(void *context, int i) {
    loops *self = context;
    self->count[i] += self->value[self->pieces - 1 - i] == 3 * (self->pieces - 1 - i) + self->pieces;
}

/* Loops of many lengths, each read by the next. */
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
    lead_loops(self); /* outside of a team */
    team_destroy(&self->team);
    free(self);
}

/* Longer than threads look for work: leader and others sleep and are woken. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_runs_once),
        cmocka_unit_test(sleepers_are_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
