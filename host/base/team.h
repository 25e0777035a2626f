/* The threads of one parallel region, which share out one loop after the other while the first of them leads.
 *
 * A loop is a number of pieces, taken by whichever thread is free: a thread that does not run because others
 * have its core takes none, and nobody waits for it. Which thread takes a piece must not show in results.
 * Whoever has nothing to do looks for it for some microseconds and then sleeps. */
#ifndef SCREE_BASE_TEAM_H
#define SCREE_BASE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void team_piece(void *context, int piece);

typedef struct team {
    int size; /* threads; 0 and 1: the leader is alone */
    team_piece *run;
    void *context;
    _Atomic uint64_t offer; /* number of the loop, its pieces, and those taken */
    _Atomic int done;       /* pieces of the loop */
    _Atomic int idle, leader_waits;
    _Atomic bool over;
    pthread_mutex_t lock;
    pthread_cond_t work, finished;
} team;

/* Errors: false when the system has no more of what a lock needs. */
bool team_create(team *self);
void team_destroy(team *self);

/* Runs `lead` with up to `threads` threads to share loops with. */
void team_lead(team *self, int threads, void (*lead)(void *context), void *context);

/* Runs all pieces, of which there are at most TEAM_PIECES; by the leader, or outside of a team by the caller
 * alone. What the caller wrote before is seen by all pieces, and what they write by the caller afterwards. */
void team_share(team *self, int pieces, team_piece *run, void *context);

enum { TEAM_PIECES = (1 << 20) - 1 };

#endif
