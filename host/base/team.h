/* Threads that share loops. One thread leads at a time; it shares its loops with the threads of the team.
 *
 * A loop is a number of pieces, and the next free thread takes the next piece. A thread that has lost its
 * core takes none and delays no other. Results must not depend on which thread takes a piece. An idle thread
 * polls for some microseconds and then sleeps. */
#pragma once

#include <scree/world.h>

#include <stdbool.h>

typedef void team_piece(void *context, int piece);
typedef void team_stage(void *context, int stage, int part);

typedef struct team team;

enum { TEAM_THREADS = 4096 };

/* Returns a team of up to `threads` threads, the leader among them, or NULL if the system has no memory or
 * locks. The first loop that they share starts them; a system that refuses some has fewer. If `tasks` has a
 * `run`, that runs the loops, and the team has no threads. */
team *team_create(int threads, const scree_tasks *tasks);
/* Ends the threads. NULL is allowed. */
void team_destroy(team *self);

/* Makes the calling thread the leader of a team, and returns the team that it led before. NULL: of none. A
 * process that was forked has none of the threads; they are started again. */
team *team_lead(team *self);
/* Returns the team that the calling thread leads, or NULL. */
team *team_led(void);

/* Sets how many threads share the next loops, at most those of the team; returns the number before. A team
 * begins with all. */
int team_resize(team *self, int threads);
/* Returns the number of threads that share loops; 1 if `self` is NULL. */
int team_size(const team *self);
/* Returns false if the caller's `run` has returned before it had run all tasks. */
bool team_served(const team *self);

/* Runs all pieces. The leader calls it. Within a piece, and if `self` is NULL, the caller runs all pieces
 * alone. All pieces see the caller's earlier writes; on return the caller sees theirs. */
void team_share(team *self, int pieces, team_piece *run, void *context);

/* Runs both parts of each stage, stage after stage, with a barrier between stages. A thread keeps its part
 * from stage to stage. For stages that take less time than offering a loop. If a thread is late, the other
 * one runs its part. Takes two threads; with more or fewer the caller runs all parts alone. */
void team_march(team *self, int stages, team_stage *run, void *context);
