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
typedef void team_stage(void *context, int stage, int part);

/* One of the two parts of a march: the stages of it that have been taken, and those that are done, on lines
 * of their own, since one thread writes them and another one looks. */
typedef struct team_part {
    char apart[128];
    _Atomic int taken;
    char apart_too[128];
    _Atomic int done;
} team_part;

typedef struct team {
    int size; /* threads; 0 and 1: the leader is alone */
    team_piece *run;
    void *context;
    _Atomic uint64_t offer; /* number of the loop, its pieces, and those taken */
    _Atomic int done;       /* pieces of the loop */
    _Atomic int idle, leader_waits;
    _Atomic bool over;
    int stages; /* of the march */
    team_stage *run_stage;
    void *stage_context;
    team_part parts[2];
    char apart[128];
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

/* Runs both parts of stage after stage, all of one before any of the next, and keeps to a thread what it had
 * in the stage before: for stages that take less than it costs to offer each as a loop. A part that its
 * thread does not come for is the other's. By two threads; by the caller alone where there are more or fewer.
 */
void team_march(team *self, int stages, team_stage *run, void *context);

enum { TEAM_PIECES = (1 << 20) - 1 };

#endif
