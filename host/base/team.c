#include "team.h"

#include <sched.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Polls of a thread before it sleeps: about 20 µs, several times the cost of a wake-up. */
enum { LOOKS = 1000 };

/* An offer in one word: 24 bits the number of the loop, 20 its pieces, 20 the pieces taken. Each thread
 * increments the last count at most once too often. */
enum { BITS = 20 };
static const uint64_t MASK = ((uint64_t)1 << BITS) - 1;

static uint64_t loop_of(uint64_t offer) { return offer >> 2 * BITS; }
static int pieces_of(uint64_t offer) { return (int)(offer >> BITS & MASK); }
static int taken_of(uint64_t offer) { return (int)(offer & MASK); }

static inline void breathe(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

bool team_create(team *self) {
    *self = (team){0};
    if (pthread_mutex_init(&self->lock, NULL)) return false;
    if (pthread_cond_init(&self->work, NULL)) {
        pthread_mutex_destroy(&self->lock);
        return false;
    }
    if (!pthread_cond_init(&self->finished, NULL)) return true;
    pthread_cond_destroy(&self->work);
    pthread_mutex_destroy(&self->lock);
    return false;
}

void team_destroy(team *self) {
    pthread_cond_destroy(&self->finished);
    pthread_cond_destroy(&self->work);
    pthread_mutex_destroy(&self->lock);
}

/* Takes and runs pieces of the loop until none is left; returns the last offer that it read. The thread reads
 * `run` and `context` only after it has taken a piece: until that piece is done the leader offers nothing
 * else. With two threads, each takes pieces from its own end of the loop and gets the pieces of the
 * loop before, which are in their caches. */
static uint64_t take_part(team *self, bool leads) {
    uint64_t loop = 0;
    for (int own = 0;; own++) {
        const uint64_t offer = atomic_fetch_add(&self->offer, 1);
        const int taken = taken_of(offer), pieces = pieces_of(offer);
        if (taken >= pieces) return offer;
        if (loop_of(offer) != loop) {
            loop = loop_of(offer);
            own = 0;
        }
        self->run(self->context, self->size != 2 ? taken : leads ? own : pieces - 1 - own);
        if (atomic_fetch_add(&self->done, 1) + 1 < pieces || !atomic_load(&self->leader_waits)) continue;
        pthread_mutex_lock(&self->lock);
        pthread_cond_signal(&self->finished);
        pthread_mutex_unlock(&self->lock);
    }
}

/* Waits for the next loop or the end of the team. A worker announces its sleep (`idle`) before its last check
 * of the offer; the leader reads `idle` after it has published the offer. One always sees the other
 * (Dekker). */
static void await_offer(team *self, uint64_t loop) {
    for (int i = 0; i < LOOKS; i++) {
        if (loop_of(atomic_load_explicit(&self->offer, memory_order_acquire)) != loop) return;
        breathe();
    }
    pthread_mutex_lock(&self->lock);
    atomic_fetch_add(&self->idle, 1);
    while (loop_of(atomic_load(&self->offer)) == loop) pthread_cond_wait(&self->work, &self->lock);
    atomic_fetch_sub(&self->idle, 1);
    pthread_mutex_unlock(&self->lock);
}

static void await_pieces(team *self, int pieces) {
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load(&self->done) == pieces) return;
        breathe();
    }
    pthread_mutex_lock(&self->lock);
    atomic_store(&self->leader_waits, 1);
    while (atomic_load(&self->done) < pieces) pthread_cond_wait(&self->finished, &self->lock);
    atomic_store(&self->leader_waits, 0);
    pthread_mutex_unlock(&self->lock);
}

static void offer(team *self, int pieces) {
    const uint64_t loop = loop_of(atomic_load_explicit(&self->offer, memory_order_relaxed)) + 1;
    atomic_store_explicit(&self->done, 0, memory_order_relaxed);
    atomic_store(&self->offer, loop << 2 * BITS | (uint64_t)pieces << BITS);
    if (!atomic_load(&self->idle)) return;
    pthread_mutex_lock(&self->lock);
    pthread_cond_broadcast(&self->work);
    pthread_mutex_unlock(&self->lock);
}

void team_share(team *self, int pieces, team_piece *run, void *context) {
    if (self->size <= 1 || pieces <= 1) {
        for (int i = 0; i < pieces; i++) run(context, i);
        return;
    }
    self->run = run;
    self->context = context;
    offer(self, pieces);
    take_part(self, true);
    await_pieces(self, pieces);
}

/* Polls of a part before another thread takes it: about 400 ns, several times the delay of seeing that the
 * stage before is done. */
enum { PATIENCE = 20 };

static bool take_stage(team *self, int part, int stage) {
    team_part *of = &self->parts[part];
    int before = stage;
    if (atomic_load_explicit(&of->taken, memory_order_relaxed) != stage ||
        !atomic_compare_exchange_strong(&of->taken, &before, stage + 1))
        return false;
    self->run_stage(self->stage_context, stage, part);
    atomic_store_explicit(&of->done, stage + 1, memory_order_release);
    return true;
}

static bool is_done(team *self, int part, int stage) {
    return atomic_load_explicit(&self->parts[part].done, memory_order_acquire) > stage;
}

/* A thread that has taken the other's part keeps taking it without delay until the other thread returns,
 * which may be long without a core. */
static void march_piece(void *context, int own) {
    team *self = context;
    int patience = PATIENCE;
    for (int stage = 0; stage < self->stages; stage++) {
        bool both = false;
        take_stage(self, own, stage);
        for (int look = 0; !is_done(self, own, stage) || !is_done(self, !own, stage); look++) {
            if (look >= patience && !both) both = take_stage(self, !own, stage);
            if (look > LOOKS)
                sched_yield();
            else
                breathe();
        }
        patience = both ? 0 : PATIENCE;
    }
}

void team_march(team *self, int stages, team_stage *run, void *context) {
    if (self->size != 2) {
        for (int stage = 0; stage < stages; stage++) {
            run(context, stage, 0);
            run(context, stage, 1);
        }
        return;
    }
    for (int part = 0; part < 2; part++) {
        atomic_store(&self->parts[part].taken, 0);
        atomic_store(&self->parts[part].done, 0);
    }
    self->stages = stages;
    self->run_stage = run;
    self->stage_context = context;
    self->run = march_piece;
    self->context = self;
    offer(self, 2);
    take_part(self, true);
    await_pieces(self, 2);
}

void team_lead(team *self, int threads, void (*lead)(void *context), void *context) {
#ifdef _OPENMP
    if (threads > 1) {
        atomic_store(&self->over, false);
#pragma omp parallel num_threads(threads)
        if (omp_get_thread_num() == 0) {
            self->size = omp_get_num_threads();
            lead(context);
            atomic_store(&self->over, true);
            offer(self, 0);
            self->size = 1;
        } else {
            for (;;) {
                const uint64_t loop = loop_of(take_part(self, false));
                if (atomic_load(&self->over)) break; /* set before the last offer */
                await_offer(self, loop);
            }
        }
        return;
    }
#endif
    (void)threads;
    lead(context);
}
