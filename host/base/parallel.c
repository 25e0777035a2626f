#include "parallel.h"

#include "memory.h"
#include "team.h"

#include <errno.h>
#include <sched.h>

/* Returns the number of processors that the process may use, by a set of `bits` processors; 0 if the machine
 * has more, −1 on other errors. */
static int count_processors(int bits) {
    const size_t size = CPU_ALLOC_SIZE((size_t)bits);
    SCOPED cpu_set_t *usable = memory_allocate(size, 1);
    if (usable && sched_getaffinity(0, size, usable) == 0) return CPU_COUNT_S(size, usable);
    return usable && errno == EINVAL ? 0 : -1;
}

int parallel_all_threads(void) {
    enum { LARGEST_SET = 1 << 20 };
    int count = 0;
    for (int bits = CPU_SETSIZE; count == 0 && bits <= LARGEST_SET; bits *= 2) count = count_processors(bits);
    return count > 0 ? count : 1;
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
