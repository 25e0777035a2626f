/* `scree view`: a window that shows a run in progress or recorded frames. */
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "benchmark/memory_line.h"
#include "run_setup.h"
#include "warnings.h"

#ifdef SCREE_VIEWER
#include "view/view.h"
#endif

static const char *const name = "scree view";

typedef struct view_settings {
    settings run; /* what concerns a live run */
    const char *picture, *video;
    int size[2], colouring, clip;
    long long at;
    double field_of_view, range, speed;
    scree_vec3 eye, target;
    bool chains, plain, paused;
    struct {
        bool eye, target, field, at, speed;
    } given;
} view_settings;

static const char *clip_choice(int index) {
    static const char *const words[] = {"x", "y", "z"};
    return index < 3 ? words[index] : NULL;
}

static option_outcome read_options(view_settings *o, int argc, char **argv) {
    const double most = 9e15; /* whole numbers that a double represents exactly */
    settings *s = &o->run;
    const option_row rows[] = {
        OPTION(SIZE, "size", &o->size, "pixels of the window (default 960x720)", .placeholder = "WxH",
               .min = 16, .max = 8192),
        OPTION(CHOICE, "colour", &o->colouring, "quantity shown by colours (default speed)",
               .choice = colouring_choice),
        OPTION(REAL, "range", &o->range, "speed (m/s) or force (N) at full red (default: from the bodies)",
               .placeholder = "NUMBER", .min = 0, .max = 1e30),
        OPTION(FLAG, "chains", &o->chains, "show force chains"),
        OPTION(CHOICE, "clip", &o->clip, "cut the bodies at their middle along an axis",
               .choice = clip_choice),
        OPTION(FLAG, "plain", &o->plain, "omit legend, scale bar, time and joints"),
        OPTION(VECTOR, "eye", &o->eye, "camera position, m (default: that of the scene, or from the bodies)",
               .placeholder = "X,Y,Z", .given = &o->given.eye),
        OPTION(VECTOR, "target", &o->target, "point that the camera looks at, m; requires --eye",
               .placeholder = "X,Y,Z", .given = &o->given.target),
        OPTION(REAL, "fov", &o->field_of_view, "vertical field of view (default 40 with --eye)",
               .placeholder = "DEGREES", .given = &o->given.field, .min = 1, .max = 150),
        OPTION(REAL, "speed", &o->speed, "simulated seconds a second; 0: as fast as possible (default 1)",
               .placeholder = "NUMBER", .min = 0, .max = 1e9),
        OPTION(FLAG, "paused", &o->paused, "begin with a pause"),
        OPTION_WHOLE("at", &o->at, 0, most, "show this step first, or the next frame after it",
                     .given = &o->given.at),
        OPTION(TEXT, "picture", &o->picture, "write a picture instead of showing the window",
               .placeholder = "FILE.png"),
        OPTION(TEXT, "video", &o->video, "record all frames, or the run, instead of showing the window",
               .placeholder = "FILE.mp4"),
        OPTION(INTEGER, "world", &s->number, "world of a scene with \"worlds\", from 0 (default 0)",
               .placeholder = "K", .given = &s->given.number, .min = 0, .max = 1e9),
        OPTION_WHOLE("steps", &s->steps, 1, most, "last step, counted from the scene's beginning",
                     .given = &s->given.steps),
        OPTION_WHOLE("seed", &s->seed, 0, most, "seed of the scene's generators", .given = &s->given.seed),
        WORLD_ROWS(&s->world),
        SOLVE_ROWS(&s->world),
        {.name = NULL},
    };
    const option_command command = {
        .name = name,
        .operands = "FILE",
        .rows = rows,
        .summary =
            "Shows FILE in a window: a scene (.json), which it runs; the folder of a run's results or a "
            "frame (.vtkhdf);\nor a checkpoint (.h5), which runs on. H shows the keys."};
    return options_parse(&command, argc, argv, &s->scene, NULL);
}

/* Returns what is wrong with the options; NULL: nothing. */
static const char *wrong_options(const view_settings *o) {
    const char *dot = o->picture ? strrchr(o->picture, '.') : NULL;
    const bool same = o->eye.x == o->target.x && o->eye.y == o->target.y && o->eye.z == o->target.z;
    if (o->given.eye != o->given.target || (o->given.field && !o->given.eye))
        return "--eye and --target require each other, and --fov requires both";
    if (o->given.eye && same) return "--target: the same as --eye; must differ from it";
    if (o->picture && o->video) return "--picture and --video exclude each other";
    if (o->picture && (!dot || strcmp(dot, ".png") != 0)) return "--picture: must end in .png";
    return NULL;
}

#ifdef SCREE_VIEWER

/* The objects of a viewer. */
typedef struct view_setup {
    view_settings settings;
    view_def def;
    view_window *window;
    run_setup from;      /* of a live run */
    view_source *source; /* NULL until the file is open */
} view_setup;

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Returns whether a file is to be read as a scene: by its name, its first character, or as it is not there.
 */
static bool is_scene(const char *path) {
    const char *dot = strrchr(path, '.');
    FILE *file = fopen(path, "rb");
    char first = '{';
    if (file && fscanf(file, " %c", &first) != 1) first = '{';
    if (file) fclose(file);
    return first == '{' || (dot && !strcmp(dot, ".json"));
}

/* Takes the camera of the scene, unless the command line has one. */
static void take_camera(view_setup *self, scree_camera camera) {
    if (!self->settings.given.eye) view_set_camera(&self->def.view, &camera);
}

static scree_result open_live(view_setup *self, const source_run *run) {
    self->def.playing = !self->settings.paused && run->scene;
    return source_live_make(run, &self->source);
}

/* Replaces a scene with "worlds" by that of one of them. */
static scree_result choose_world(view_setup *self) {
    settings *s = &self->settings.run;
    const uint64_t seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(self->from.scene).seed;
    const int count = scree_scene_get_worlds_def(self->from.scene).count;
    if (!count && s->given.number)
        return fail(SCREE_ERROR_ARGUMENT, "--world: %lld; must be used with a scene that has \"worlds\"",
                    s->number);
    if (!count) return SCREE_OK;
    if (s->number >= count)
        return fail(SCREE_ERROR_ARGUMENT, "--world: %lld; must be 0 to %d", s->number, count - 1);
    scree_scene *made;
    TRY(scree_scene_make_world(self->from.scene, (int)s->number, seed, &made));
    scree_scene_destroy(self->from.scene);
    self->from.scene = made;
    s->given.seed = false;
    return SCREE_OK;
}

static scree_result open_scene(view_setup *self) {
    const settings *s = &self->settings.run;
    TRY(scree_scene_load(s->scene, &self->from.scene));
    TRY(choose_world(self));
    TRY(run_setup_make(&self->from, s));
    TRY(memory_tell(self->from.world, 0, 1, NULL));
    warnings_print(self->from.scene, self->from.world, self->from.plan.seconds, 0, stderr);
    take_camera(self, self->from.plan.camera);
    const source_run run = {.world = self->from.world,
                            .scene = self->from.scene,
                            .seed = s->given.seed ? (uint64_t)s->seed
                                                  : scree_scene_get_run_def(self->from.scene).seed,
                            .last = self->from.plan.steps,
                            .limited = s->given.steps};
    return open_live(self, &run);
}

static scree_result open_checkpoint(view_setup *self) {
    const settings *s = &self->settings.run;
    const scree_world_def runtime = world_options_def(&s->world, scree_default_world_def());
    TRY(scree_checkpoint_load(s->scene, &runtime, &self->from.world));
    TRY(scree_world_prepare(self->from.world));
    take_camera(self, scree_scene_get_camera(self->from.world));
    const source_run run = {
        .world = self->from.world, .last = s->given.steps ? (uint64_t)s->steps : UINT64_MAX, .limited = true};
    return open_live(self, &run);
}

/* Looks as the scene's camera does, which the checkpoint of the run has. */
static void find_camera(view_setup *self) {
    char path[4096];
    scree_world *world = NULL;
    snprintf(path, sizeof path, "%s/checkpoint.h5", self->settings.run.scene);
    if (self->settings.given.eye || checkpoint_read(path, &world) != SCREE_OK) return;
    take_camera(self, scree_scene_get_camera(world));
    scree_world_destroy(world);
}

static scree_result open_source(view_setup *self) {
    const char *path = self->settings.run.scene;
    if (is_folder(path)) {
        find_camera(self);
        return source_recorded_make(path, &self->source);
    }
    if (is_scene(path)) return open_scene(self);
    const scree_result result = source_recorded_make(path, &self->source);
    if (result != SCREE_ERROR_FORMAT) return result;
    char not_frame[512];
    snprintf(not_frame, sizeof not_frame, "%s", scree_error_get_message());
    const scree_result other = open_checkpoint(self);
    if (other != SCREE_ERROR_FORMAT) return other;
    char not_checkpoint[512];
    snprintf(not_checkpoint, sizeof not_checkpoint, "%s", scree_error_get_message());
    return fail(SCREE_ERROR_FORMAT, "\"%s\" is neither a frame (%s) nor a checkpoint (%s)", path, not_frame,
                not_checkpoint);
}

static void make_def(view_setup *self) {
    const view_settings *o = &self->settings;
    self->def = (view_def){.view = scree_default_view(),
                           .picture = o->picture,
                           .video = o->video,
                           .at = o->given.at ? o->at : -1,
                           .speed = o->speed,
                           .chains = o->chains,
                           .clip_axis = o->clip};
    scree_view *view = &self->def.view;
    view->width = o->size[0];
    view->height = o->size[1];
    view->colouring = (scree_colouring)o->colouring;
    view->colour_range = (float)o->range;
    view->legend = view->scale_bar = view->time = view->joints = !o->plain;
    if (o->given.eye)
        view_set_camera(
            view,
            &(scree_camera){.eye = o->eye, .target = o->target, .field_of_view = (float)o->field_of_view});
}

/* Says that there is no window, and the command that draws a picture of the same file without one. */
static int complain_no_window(const view_settings *o, scree_result result) {
    const char *path = o->run.scene;
    const char *const rest[] = {"`scree render %s/checkpoint.h5` draws a picture",
                                "`scree run %s --snapshot 100` draws pictures",
                                "`scree render %s` draws a picture"};
    fprintf(stderr, "%s: %s; without a window, ", name, scree_error_get_message());
    fprintf(stderr, rest[is_folder(path) ? 0 : is_scene(path) ? 1 : 2], path);
    fputc('\n', stderr);
    return result == SCREE_ERROR_MEMORY ? EXIT_FAILED : EXIT_WRONG;
}

static int view(view_setup *self) {
    char title[256];
    snprintf(title, sizeof title, "%s - scree", self->settings.run.scene);
    make_def(self);
    scree_result result = view_open(&self->def, title, &self->window);
    if (result != SCREE_OK) return complain_no_window(&self->settings, result);
    result = open_source(self);
    if (result != SCREE_OK) {
        complain(name, result);
        return result == SCREE_ERROR_MEMORY || result == SCREE_ERROR_DEVICE_MEMORY ? EXIT_FAILED : EXIT_WRONG;
    }
    result = view_run(self->window, self->source, &self->def);
    return result == SCREE_OK ? EXIT_DONE : complain(name, result);
}

static int show(const view_settings *o) {
    view_setup self = {.settings = *o};
    const int code = view(&self);
    if (self.source) self.source->release(self.source);
    run_setup_release(&self.from);
    view_close(self.window);
    return code;
}

#else

static int show(const view_settings *o) {
    (void)o;
    fprintf(stderr,
            "%s: this build has no viewer; must be built with GLFW and libepoxy (Debian: libglfw3-dev and "
            "libepoxy-dev). `scree render` draws pictures without them\n",
            name);
    return EXIT_WRONG;
}

#endif

int command_view(int argc, char **argv) {
    view_settings o = {.run = {.world = world_options_none()},
                       .size = {960, 720},
                       .clip = -1,
                       .field_of_view = 40,
                       .speed = 1};
    const option_outcome outcome = read_options(&o, argc, argv);
    if (outcome != OPTION_OK) return (int)outcome;
    const char *wrong = wrong_options(&o);
    if (wrong) fprintf(stderr, "%s: %s\n", name, wrong);
    return wrong ? EXIT_WRONG : show(&o);
}
