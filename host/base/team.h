/* The threads of one parallel region. The first one leads; all of them share its loops.
 *
 * A loop is a number of pieces, and the next free thread takes the next piece. A thread that has lost its
 * core takes none and delays no other. Results must not depend on which thread takes a piece. An idle thread
 * polls for some microseconds and then sleeps. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void team_piece(void *context, int piece);
typedef void team_stage(void *context, int stage, int part);

/* One of the two parts of a march: its stages taken and done. Each counter has its own cache lines, since one
 * thread writes it while another one polls. */
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

/* Returns false if the system has no resources for the locks. */
bool team_create(team *self);
void team_destroy(team *self);

/* Runs `lead` with up to `threads` threads to share loops with. */
void team_lead(team *self, int threads, void (*lead)(void *context), void *context);

/* Runs all pieces, at most TEAM_PIECES. The leader calls it; outside a team the caller runs all pieces alone.
 * All pieces see the caller's earlier writes; on return the caller sees theirs. */
void team_share(team *self, int pieces, team_piece *run, void *context);

/* Runs both parts of each stage, stage after stage, with a barrier between stages. A thread keeps its part
 * from stage to stage. For stages that take less time than offering a loop. If a thread is late, the other
 * one runs its part. Takes two threads; with more or fewer the caller runs all parts alone. */
void team_march(team *self, int stages, team_stage *run, void *context);

enum { TEAM_PIECES = (1 << 20) - 1 };
