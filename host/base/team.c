#include "team.h"

#include "memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* Polls of a thread before it sleeps: about 20 µs, several times the cost of a wake-up. */
enum { LOOKS = 1000 };

/* An offer in one word, 16 bits each: the number of the loop, its pieces, those taken from its end and from
 * its beginning. Each thread increments a count at most once too often. */
enum { BITS = 16, MOST_PIECES = 1 << 15 };
static const uint64_t MASK = ((uint64_t)1 << BITS) - 1;

static uint64_t loop_of(uint64_t offer) { return offer >> 3 * BITS; }
static int pieces_of(uint64_t offer) { return (int)(offer >> 2 * BITS & MASK); }
static int taken_back(uint64_t offer) { return (int)(offer >> BITS & MASK); }
static int taken_front(uint64_t offer) { return (int)(offer & MASK); }

/* One of the two parts of a march: its stages taken and done. Each counter has its own cache lines, since one
 * thread writes it while another one polls. */
typedef struct team_part {
    char apart[128];
    _Atomic int taken;
    char apart_too[128];
    _Atomic int done;
} team_part;

typedef struct march {
    team *threads;
    int stages;
    team_stage *run;
    void *context;
} march;

typedef struct worker {
    team *of;
    pthread_t thread;
    int number; /* from 1 on; the leader is 0 */
} worker;

struct team {
    int threads, size, started; /* `size` shares the next loops; `started` without the leader */
    pid_t process;              /* that has the threads */
    worker *workers;
    scree_tasks tasks;
    bool busy, unserved; /* a loop runs */
    team_piece *run;
    void *context;
    int first; /* piece of this round */
    char apart[128];
    _Atomic uint64_t offer;
    _Atomic int done; /* pieces of the loop */
    _Atomic int idle, leader_waits, ran;
    _Atomic bool over;
    team_part parts[2];
    char apart_too[128];
    pthread_mutex_t lock;
    pthread_cond_t work, finished;
};

static _Thread_local team *led;

static inline void breathe(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static bool create_locks(team *self) {
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

team *team_create(int threads, const scree_tasks *tasks) {
    team *self = memory_allocate(1, sizeof *self);
    if (!self) return NULL;
    self->threads = self->size = threads < TEAM_THREADS ? threads : TEAM_THREADS;
    if (tasks) self->tasks = *tasks;
    self->workers = memory_allocate((size_t)self->threads, sizeof *self->workers);
    if (self->workers && create_locks(self)) return self;
    memory_release(self->workers);
    memory_release(self);
    return NULL;
}

/* Takes and runs pieces of the loop until none is left; returns the last offer that it read. The thread reads
 * `run` and `context` only after it has taken a piece: until that piece is done the leader offers nothing
 * else. Threads of even number take pieces from the beginning of the loop, others from its end, so that of
 * two threads each gets the pieces of the loop before, which are in its caches. */
static uint64_t take_part(team *self, int number) {
    const bool back = number % 2;
    for (;;) {
        const uint64_t offer = atomic_fetch_add(&self->offer, back ? (uint64_t)1 << BITS : 1);
        const int pieces = pieces_of(offer);
        if (taken_front(offer) + taken_back(offer) >= pieces) return offer;
        self->run(self->context, self->first + (back ? pieces - 1 - taken_back(offer) : taken_front(offer)));
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
    while (loop_of(atomic_load(&self->offer)) == loop && !atomic_load(&self->over))
        pthread_cond_wait(&self->work, &self->lock);
    atomic_fetch_sub(&self->idle, 1);
    pthread_mutex_unlock(&self->lock);
}

static void *work(void *context) {
    const worker *self = context;
    for (;;) {
        const uint64_t loop = loop_of(take_part(self->of, self->number));
        if (atomic_load(&self->of->over)) return NULL; /* set before the last offer */
        await_offer(self->of, loop);
    }
}

/* Signals of the process are for the caller's threads. */
static void start_workers(team *self) {
    sigset_t all, before;
    if (self->tasks.run || self->started >= self->size - 1) return;
    self->process = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (self->started < self->size - 1) {
        worker *next = &self->workers[self->started];
        *next = (worker){.of = self, .number = self->started + 1};
        if (pthread_create(&next->thread, NULL, work, next) != 0) break;
        self->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (self->size > self->started + 1) self->threads = self->size = self->started + 1;
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

static void publish(team *self, int pieces) {
    const uint64_t loop = loop_of(atomic_load_explicit(&self->offer, memory_order_relaxed)) + 1;
    atomic_store_explicit(&self->done, 0, memory_order_relaxed);
    atomic_store(&self->offer, loop << 3 * BITS | (uint64_t)pieces << 2 * BITS);
}

/* Wakes up to `count` of the threads that sleep. */
static void wake(team *self, int count) {
    if (!atomic_load(&self->idle)) return;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < count && i < atomic_load(&self->idle); i++) pthread_cond_signal(&self->work);
    pthread_mutex_unlock(&self->lock);
}

static void run_task(void *data, int index) {
    team *self = data;
    take_part(self, index);
    atomic_fetch_add(&self->ran, 1);
}

/* The leader does what the caller's threads leave, so that nothing is missing even if some tasks never run.
 */
static void run_tasks(team *self, int count) {
    atomic_store(&self->ran, 0);
    self->tasks.run(self->tasks.context, count, run_task, self);
    if (atomic_load(&self->ran) != count) self->unserved = true;
}

static void run_round(team *self, int pieces) {
    const int threads = pieces < self->size ? pieces : self->size;
    self->busy = true;
    publish(self, pieces);
    if (self->tasks.run)
        run_tasks(self, threads);
    else
        wake(self, threads - 1);
    take_part(self, 0);
    await_pieces(self, pieces);
    self->busy = false;
}

void team_share(team *self, int pieces, team_piece *run, void *context) {
    if (!self || self->size <= 1 || pieces <= 1 || self->busy) {
        for (int i = 0; i < pieces; i++) run(context, i);
        return;
    }
    start_workers(self);
    self->run = run;
    self->context = context;
    for (self->first = 0; self->first < pieces; self->first += MOST_PIECES)
        run_round(self, pieces - self->first < MOST_PIECES ? pieces - self->first : MOST_PIECES);
}

/* Polls of a part before another thread takes it: about 400 ns, several times the delay of seeing that the
 * stage before is done. */
enum { PATIENCE = 20 };

static bool take_stage(const march *self, int part, int stage) {
    team_part *of = &self->threads->parts[part];
    int before = stage;
    if (atomic_load_explicit(&of->taken, memory_order_relaxed) != stage ||
        !atomic_compare_exchange_strong(&of->taken, &before, stage + 1))
        return false;
    self->run(self->context, stage, part);
    atomic_store_explicit(&of->done, stage + 1, memory_order_release);
    return true;
}

static bool is_done(const march *self, int part, int stage) {
    return atomic_load_explicit(&self->threads->parts[part].done, memory_order_acquire) > stage;
}

/* Waits a little for the other thread, longer if that has lost its core. */
static void wait_at(int look) {
    if (look > LOOKS)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    else
        breathe();
}

/* A thread that has taken the other's part keeps taking it without delay until the other thread returns,
 * which may be long without a core. */
static void march_piece(void *context, int own) {
    const march *self = context;
    int patience = PATIENCE;
    for (int stage = 0; stage < self->stages; stage++) {
        bool both = false;
        take_stage(self, own, stage);
        for (int look = 0; !is_done(self, own, stage) || !is_done(self, !own, stage); look++) {
            if (look >= patience && !both) both = take_stage(self, !own, stage);
            wait_at(look);
        }
        patience = both ? 0 : PATIENCE;
    }
}

void team_march(team *self, int stages, team_stage *run, void *context) {
    if (team_size(self) != 2) {
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
    march all = {.threads = self, .stages = stages, .run = run, .context = context};
    team_share(self, 2, march_piece, &all);
}

/* Forgets threads that only the parent process has. They may have held the locks. */
static void leave_parent(team *self) {
    if (self->started == 0 || self->process == getpid()) return;
    self->process = getpid();
    self->started = 0;
    atomic_store(&self->idle, 0);
    create_locks(self);
}

team *team_lead(team *self) {
    team *const before = led;
    led = self;
    if (!self) return before;
    leave_parent(self);
    self->unserved = false;
    return before;
}

team *team_led(void) { return led; }

int team_resize(team *self, int threads) {
    const int before = team_size(self);
    if (self) self->size = threads < self->threads ? threads : self->threads;
    return before;
}

int team_size(const team *self) { return self ? self->size : 1; }

bool team_served(const team *self) { return !self->unserved; }

static void end_workers(team *self) {
    atomic_store(&self->over, true);
    publish(self, 0);
    wake(self, self->started);
    for (int i = 0; i < self->started; i++) pthread_join(self->workers[i].thread, NULL);
}

void team_destroy(team *self) {
    if (!self) return;
    if (led == self) led = NULL;
    leave_parent(self);
    end_workers(self);
    pthread_cond_destroy(&self->finished);
    pthread_cond_destroy(&self->work);
    pthread_mutex_destroy(&self->lock);
    memory_release(self->workers);
    memory_release(self);
}
