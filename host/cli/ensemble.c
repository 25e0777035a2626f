/* Runs of many worlds. Each is a run of its own in a process of its own: a world cannot change the bits of
 * another, and none ends the others, whatever ends it. Worlds on an OpenCL device are runs on threads of one
 * process instead, because they share launches (scree/group.h). */
#include "ensemble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "ensemble_folder.h"
#include "ensemble_plot.h"
#include "ensemble_progress.h"
#include "ensemble_table.h"
#include "ensemble_threads.h"
#include "messages.h"
#include "program.h"
#include "progress.h"
#include "run.h"

static const char *const name = "scree run";

typedef struct ensemble {
    const settings *settings;
    const scree_scene *scene;
    int argc; /* the command line, for the command that continues the run */
    char **argv;
    scree_worlds_def worlds;
    uint64_t seed;
    int slots, threads; /* worlds at once, and threads of each */
    char folder[FOLDER_PATH], *identity;
    int lock;           /* of the folder, −1: none */
    run_watch *watches; /* of the worlds and, last, of the check; shared with their processes */
    ensemble_slot *running;
    ensemble_count count;
    ensemble_progress line;
    bool grouped;                 /* whether the worlds share a device */
    scree_group *group;           /* of these */
    scree_device_traffic traffic; /* of the group */
    int next;                     /* the next world to run */
    scree_result failed;          /* of the files of the ensemble, while threads run */
    sigset_t signals;             /* mask of the processes */
} ensemble;

static scree_result refuse_option(const char *option) {
    return fail(SCREE_ERROR_ARGUMENT, "%s: not for a scene with \"worlds\"; must be used with --world",
                option);
}

static scree_result check_options(const ensemble *self) {
    const settings *s = self->settings;
    if (s->profile) return refuse_option("--profile");
    if (s->trace) return refuse_option("--trace");
    if (s->add) return refuse_option("--add");
    if (s->dump && !self->worlds.keep) return refuse_option("--dump-problem");
    if (s->resume && s->out)
        return fail(SCREE_ERROR_ARGUMENT, "--out: \"%s\" with --resume, which names the folder of the worlds",
                    s->out);
    return SCREE_OK;
}

static bool starts_with(const char *text, const char *begin) {
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* Returns whether an option replaces a number that varies, at `path`, in the scene of a world. */
static bool is_overridden(const settings *s, const scree_scene *scene, const char *path) {
    if (strcmp(path, "time_step") == 0) return s->given.time_step;
    if (strcmp(path, "seed") == 0) return s->given.seed;
    if (starts_with(path, "run.")) return s->given.time || s->given.steps;
    if (!starts_with(path, "solver.")) return false;
    const scree_solver_def of_scene = scree_scene_get_world_def(scene).solver;
    scree_solver_def solver = of_scene;
    return settings_solver(s, &solver) == SCREE_OK && memcmp(&solver, &of_scene, sizeof solver) != 0;
}

/* Checks that the options leave the numbers that vary to the scene: the tables show its values. */
static scree_result check_varied(const ensemble *self, const scree_scene *scene) {
    for (int i = 0; i < self->worlds.varied; i++) {
        const char *path = scree_scene_get_varied_path(self->scene, i);
        if (is_overridden(self->settings, scene, path))
            return fail(SCREE_ERROR_ARGUMENT,
                        "worlds.vary.%s: an option sets this number; must be left to the scene", path);
    }
    return SCREE_OK;
}

/* Reads the scene of each set of values, so that no world has an error in them. */
static scree_result check_scenes(const ensemble *self) {
    for (int world = 0; world < self->worlds.count; world += self->worlds.repeats) {
        scree_scene *scene = NULL;
        TRY(scree_scene_make_world(self->scene, world, self->seed, &scene));
        const scree_result result = check_varied(self, scene);
        scree_scene_destroy(scene);
        TRY(result);
    }
    return SCREE_OK;
}

static scree_result no_memory(const ensemble *self) {
    return fail(SCREE_ERROR_MEMORY, "out of memory for %d worlds", self->worlds.count);
}

/* The text by which a resumed run recognises its worlds: the scene and the options. */
static scree_result identify(ensemble *self) {
    size_t length;
    SCOPED char *text = ensemble_read(self->settings->scene);
    FILE *file = open_memstream(&self->identity, &length);
    if (!text || !file) {
        if (file) fclose(file);
        return no_memory(self);
    }
    fprintf(file, "scree worlds 1\nscene %016llx\noptions",
            (unsigned long long)hash_bytes(HASH_BASIS, text, strlen(text)));
    settings_print_lasting(self->settings, self->argc, self->argv, file);
    fputc('\n', file);
    return fclose(file) ? no_memory(self) : SCREE_OK;
}

static scree_result open_folder(ensemble *self) {
    const settings *s = self->settings;
    if (s->resume || s->out)
        snprintf(self->folder, sizeof self->folder, "%s", s->resume ? s->resume : s->out);
    else
        run_default_folder(s, self->folder);
    TRY(identify(self));
    if (s->resume) TRY(ensemble_folder_check(self->folder, self->identity));
    TRY(folder_make(self->folder));
    TRY(folder_lock(self->folder, &self->lock));
    TRY(folder_check(self->folder, 65536));
    return s->resume ? SCREE_OK : ensemble_folder_begin(self->folder, self->identity);
}

static scree_result reserve(ensemble *self) {
    const size_t bytes = ((size_t)self->worlds.count + 1) * sizeof *self->watches;
    self->running = memory_allocate((size_t)self->slots, sizeof *self->running);
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) self->watches = shared;
    return self->watches && self->running ? SCREE_OK : no_memory(self);
}

/* Most worlds that share a device unless --threads says otherwise: each has a thread. */
enum { GROUPED_WORLDS = 256 };

/* Each world has files open; many systems allow a process 1024 unless it asks for more. */
static void allow_files(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* One thread for each world while there are more worlds than threads. On a device each world has a thread. */
static scree_result share_threads(ensemble *self) {
    const settings *s = self->settings;
    scree_world_def def = scree_scene_get_world_def(self->scene);
    TRY(settings_world(s, &def));
    self->grouped = def.backend == SCREE_BACKEND_OPENCL && scree_files_are_thread_safe();
    const int all = def.threads > 0 ? def.threads : self->grouped ? GROUPED_WORLDS : parallel_all_threads();
    self->slots = all < self->worlds.count ? all : self->worlds.count;
    if (self->grouped) allow_files();
    self->threads = self->grouped ? 1 : all / self->slots;
    return SCREE_OK;
}

static settings settings_of(const ensemble *self, int world) {
    settings s = *self->settings;
    s.number = world;
    s.given.number = true;
    s.quiet = true;
    s.rows_only = !self->worlds.keep;
    s.world.threads = self->threads;
    s.group = self->group;
    s.resume = NULL;
    return s;
}

/* Begins a process; returns 0 in it. It ends with this one, even if that is killed, and then saves its
 * world. */
static pid_t begin_process(const ensemble *self) {
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t child = fork();
    if (child) return child;
    sigprocmask(SIG_SETMASK, &self->signals, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(EXIT_FAILED);
#endif
    return 0;
}

static _Noreturn void end_process(int code) {
    fflush(NULL);
    _exit(code);
}

/* Runs a world to its end, from its checkpoint if it has one. Its messages go to a file. */
static int run_one(const ensemble *self, int world) {
    char own[FOLDER_PATH], checkpoint[FOLDER_PATH], path[FOLDER_PATH];
    settings s = settings_of(self, world);
    s.out = ensemble_world_folder(self->folder, world, own);
    ensemble_world_file(self->folder, world, folder_checkpoint, checkpoint);
    if (!access(checkpoint, R_OK)) s.resume = checkpoint;
    if (mkdir(own, 0777) && errno != EEXIST) return EXIT_FAILED;
    ensemble_world_file(self->folder, world, "messages.txt", path);
    FILE *file = fopen(path, s.resume ? "ae" : "we");
    messages_redirect(file);
    const int code = run_world(&s, self->scene, self->argc, self->argv, &self->watches[world]);
    messages_redirect(NULL);
    if (file) fclose(file);
    return code;
}

/* Runs a world in this process, whose own messages, such as those of a driver, also go to its file. */
static _Noreturn void run_process(const ensemble *self, int world) {
    char own[FOLDER_PATH], path[FOLDER_PATH];
    ensemble_world_file(self->folder, world, "messages.txt", path);
    if (mkdir(ensemble_world_folder(self->folder, world, own), 0777) && errno != EEXIST)
        end_process(EXIT_FAILED);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (file >= 0) dup2(file, STDERR_FILENO);
    end_process(run_one(self, world));
}

/* Checks the settings of a run with world 0, in a process of its own, because a process that has called
 * OpenCL cannot be copied. Returns its exit code. */
static int check_first(const ensemble *self) {
    int status = 0;
    const pid_t child = begin_process(self);
    if (!child) {
        const settings s = settings_of(self, 0);
        end_process(run_world_check(&s, self->scene, self->slots, &self->watches[self->worlds.count]));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

/* Begins the process of a world in the next slot. */
static scree_result start(ensemble *self, int world) {
    const pid_t process = begin_process(self);
    if (!process) run_process(self, world);
    if (process < 0) return fail_file(errno, "cannot begin the process of world %d", world);
    self->running[self->count.running++] = (ensemble_slot){process, world};
    return SCREE_OK;
}

/* Records how a world ended, by an exit code or a signal. An interrupted one stays open. */
static scree_result finish(ensemble *self, int world, int code, int signal_number) {
    run_watch *watch = &self->watches[world];
    self->count.steps += (double)watch->step;
    if (watch->interrupted || (signal_number && run_interrupted)) return SCREE_OK;
    char *why = watch->failure;
    if (signal_number)
        snprintf(why, sizeof watch->failure, "after step %llu: the process was ended by signal %d, %s",
                 (unsigned long long)watch->step, signal_number, strsignal(signal_number));
    else if (code != EXIT_DONE && !*why)
        snprintf(why, sizeof watch->failure, "the run ended with code %d", code);
    else if (code == EXIT_DONE)
        *why = 0;
    self->count.failed += *why != 0;
    self->count.ended++;
    return ensemble_world_end(self->folder, world, why);
}

static void remove_slot(ensemble *self, int slot) {
    self->running[slot] = self->running[--self->count.running];
}

static scree_result finish_process(ensemble *self, pid_t process, int status) {
    for (int i = 0; i < self->count.running; i++) {
        if (self->running[i].process != process) continue;
        const int world = self->running[i].world;
        remove_slot(self, i);
        return finish(self, world, WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED,
                      WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    return SCREE_OK;
}

/* Waits until a process ends, a signal arrives or a tenth of a second has passed. */
static scree_result wait_for_some(ensemble *self) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = 100000000});
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) TRY(finish_process(self, ended, status));
    return SCREE_OK;
}

static void signal_all(const ensemble *self, int signal_number) {
    for (int i = 0; i < self->count.running; i++) kill(self->running[i].process, signal_number);
}

/* Returns the first world from `world` on that has not ended; counts the others. */
static int next_open(ensemble *self, int world) {
    char failure[WORLD_FAILURE];
    for (; world < self->worlds.count; world++) {
        const world_outcome outcome = ensemble_world_outcome(self->folder, world, failure);
        if (outcome == WORLD_OPEN) break;
        self->count.ended++;
        self->count.before++;
        self->count.failed += outcome == WORLD_FAILED;
    }
    return world;
}

/* Begins worlds in their order as long as others have not ended. */
static scree_result start_some(ensemble *self) {
    while (!run_interrupted && self->count.running < self->slots && self->next < self->worlds.count) {
        TRY(start(self, self->next));
        self->next = next_open(self, self->next + 1);
    }
    return SCREE_OK;
}

/* Runs the worlds that are open in processes. */
static scree_result run_processes(ensemble *self) {
    scree_result result = SCREE_OK;
    bool told = false;
    while (self->count.running ||
           (!run_interrupted && self->next < self->worlds.count && result == SCREE_OK)) {
        if (result == SCREE_OK) result = start_some(self);
        const scree_result waited = wait_for_some(self);
        if (result == SCREE_OK) result = waited;
        if ((run_interrupted || result != SCREE_OK) && !told) signal_all(self, SIGTERM);
        told = run_interrupted || result != SCREE_OK;
        ensemble_progress_show(&self->line, &self->count, self->running);
    }
    return result;
}

static int next_of_threads(void *context) {
    ensemble *self = context;
    const int world = self->next;
    if (run_interrupted || self->failed != SCREE_OK || world >= self->worlds.count) return -1;
    self->running[self->count.running++] = (ensemble_slot){.world = world};
    self->next = next_open(self, world + 1);
    return world;
}

static int run_of_thread(void *context, int world) { return run_one(context, world); }

static void ended_in_thread(void *context, int world, int code) {
    ensemble *self = context;
    int slot = 0;
    while (self->running[slot].world != world) slot++;
    remove_slot(self, slot);
    const scree_result result = finish(self, world, code, 0);
    if (result == SCREE_OK || self->failed != SCREE_OK) return;
    complain(name, result);
    self->failed = result;
}

static void watch_threads(void *context) {
    ensemble *self = context;
    ensemble_progress_show(&self->line, &self->count, self->running);
}

/* Runs the worlds that are open on threads, which share a device. */
static scree_result run_threads(ensemble *self) {
    const ensemble_jobs jobs = {self, next_of_threads, run_of_thread, ended_in_thread, watch_threads};
    scree_world_def def = scree_scene_get_world_def(self->scene);
    TRY(settings_world(self->settings, &def));
    pocl_set_thread_count(def.threads);
    TRY(scree_group_create(def.device, self->slots, &self->group));
    const scree_result result = ensemble_threads_run(&jobs, self->group, self->slots);
    self->traffic = scree_group_get_traffic(self->group);
    scree_group_destroy(self->group);
    return result == SCREE_OK ? self->failed : result;
}

/* Runs the worlds that are open. */
static scree_result run_all(ensemble *self) {
    self->line = ensemble_progress_begin(self->settings->quiet, self->worlds.count, self->watches);
    self->next = next_open(self, 0);
    const scree_result result = self->grouped ? run_threads(self) : run_processes(self);
    ensemble_progress_end(&self->line);
    return result;
}

static void announce(const ensemble *self) {
    const settings *s = self->settings;
    const uint64_t steps = self->watches[self->worlds.count].steps;
    if (s->quiet) return;
    printf("%s: %d %s, %d at once with %d %s each", s->scene, self->worlds.count,
           noun_of(self->worlds.count, "world", "worlds"), self->slots, self->threads,
           noun_of(self->threads, "thread", "threads"));
    if (steps)
        printf(", up to %llu %s each", (unsigned long long)steps, noun_of((long long)steps, "step", "steps"));
    printf("%s\n", s->resume ? ", resumed" : "");
    fflush(stdout);
}

static ensemble_view view_of(const ensemble *self) {
    return (ensemble_view){self->scene, self->worlds, self->seed, self->folder};
}

static scree_result write_tables(const ensemble *self, FILE *out) {
    const ensemble_view view = view_of(self);
    return ensemble_table_write(&view, out);
}

/* Reports a run that stopped before the last world has ended. */
static int end_early(const ensemble *self, scree_result result) {
    if (result != SCREE_OK) complain(name, result);
    write_tables(self, NULL); /* of the worlds that have ended; those of all replace them */
    const int open = self->worlds.count - self->count.ended;
    fprintf(stderr, "%s: interrupted; %d of %d worlds have not ended\n`", name, open, self->worlds.count);
    continuation_print(self->settings, self->argc, self->argv, NULL, self->folder, 0, true, stderr);
    fprintf(stderr, "` continues with them.\n");
    return EXIT_FAILED;
}

static void report(const ensemble *self, double wall) {
    char took[32];
    const ensemble_count *count = &self->count;
    printf("Done.\n  worlds        %d in %s of wall time", count->ended - count->before,
           duration_text(wall, took));
    if (count->before) printf(", %d before", count->before);
    if (count->failed) printf("; %d failed (column \"failure\")", count->failed);
    if (self->grouped)
        printf(
            "\n  device        %.4g launches, %.4g waits, %.4g MB up, %.4g MB down for %.4g steps of worlds",
            (double)self->traffic.launches, (double)self->traffic.waits,
            1e-6 * (double)self->traffic.bytes_up, 1e-6 * (double)self->traffic.bytes_down, count->steps);
    printf("\n  table         %s/%s\n  summary       %s/%s\n", self->folder, ensemble_table, self->folder,
           ensemble_summary);
    char path[FOLDER_PATH];
    const ensemble_view view = view_of(self);
    for (int i = 0; i < self->worlds.plotted; i++)
        if (!access(ensemble_plot_path(&view, i, path), F_OK)) printf("  plot          %s\n", path);
    if (!access(folder_path(self->folder, ensemble_messages, path), F_OK))
        printf("  messages      %s\n", path);
}

/* Writes the tables and removes what they replace. */
static int complete(ensemble *self, double wall) {
    const bool quiet = self->settings->quiet;
    const scree_result result = write_tables(self, quiet ? NULL : stdout);
    if (result != SCREE_OK) return complain(name, result);
    for (int world = 0; world < self->worlds.count && !self->worlds.keep; world++)
        ensemble_world_remove(self->folder, world);
    ensemble_folder_end(self->folder);
    if (!quiet) report(self, wall);
    if (self->count.failed)
        fprintf(stderr,
                "%s: %d of %d worlds failed; \"%s/%s\" has the reasons, and --world K repeats world K\n",
                name, self->count.failed, self->worlds.count, self->folder, ensemble_table);
    return self->count.failed ? EXIT_FAILED : EXIT_DONE;
}

static scree_result prepare(ensemble *self) {
    TRY(check_options(self));
    TRY(check_scenes(self));
    TRY(share_threads(self));
    return reserve(self);
}

static int go(ensemble *self) {
    const double started = clock_seconds();
    scree_result result = prepare(self);
    if (result != SCREE_OK) return complain(name, result);
    const int checked = check_first(self);
    if (checked != EXIT_DONE) return checked;
    result = open_folder(self);
    if (result != SCREE_OK) return complain(name, result);
    announce(self);
    result = run_all(self);
    if (result != SCREE_OK || self->count.ended < self->worlds.count) return end_early(self, result);
    return complete(self, clock_seconds() - started);
}

/* Blocks the signal of ended processes, for which wait_for_some waits. */
static void block_signals(ensemble *self) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &self->signals);
    run_catch_signals();
}

int ensemble_run(const settings *s, const scree_scene *scene, int argc, char **argv) {
    SCOPED ensemble *self = memory_allocate(1, sizeof *self);
    if (!self) return complain(name, fail(SCREE_ERROR_MEMORY, "out of memory"));
    *self = (ensemble){.settings = s, .scene = scene, .argc = argc, .argv = argv, .lock = -1};
    self->worlds = scree_scene_get_worlds_def(scene);
    self->seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(scene).seed;
    block_signals(self);
    const int code = go(self);
    folder_unlock(self->folder, self->lock);
    if (self->watches) munmap(self->watches, ((size_t)self->worlds.count + 1) * sizeof *self->watches);
    memory_release(self->running);
    free(self->identity);
    return code;
}
