#include "parallel.h"

#include "team.h"

#include <sched.h>

int parallel_all_threads(void) {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return CPU_COUNT(&usable);
    return 1; /* more processors than the set has bits */
}

typedef struct parallel_pieces {
    parallel_loop *run;
    const void *context;
    int count, pieces;
} parallel_pieces;

static void run_piece(void *context, int piece) {
    const parallel_pieces *of = context;
    of->run(of->context, slice_of(of->count, piece, of->pieces));
}

static void share(team *led, int threads, parallel_pieces of) {
    const int before = team_resize(led, threads);
    team_share(led, of.pieces, run_piece, &of);
    team_resize(led, before);
}

/* Slices per thread: a thread that loses its core holds back a small part of the loop. */
enum { PER_THREAD = 4 };

void parallel_for(int threads, int count, parallel_loop *run, const void *context) {
    team *const led = team_led();
    const int most = PER_THREAD * threads;
    if (count <= 0) return;
    if (!led || threads <= 1)
        run(context, (slice){0, count});
    else
        share(led, threads, (parallel_pieces){run, context, count, count < most ? count : most});
}

void parallel_each(int threads, int count, parallel_loop *run, const void *context) {
    team *const led = team_led();
    if (count <= 0) return;
    if (!led || threads <= 1)
        run(context, (slice){0, count});
    else
        share(led, threads, (parallel_pieces){run, context, count, count});
}
