/* `scree render`: draws a picture of a saved frame or checkpoint. */
#include "program.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Reads a frame file or, if it is not one, a checkpoint, which has the camera of its scene. */
static int read_frame(const char *path, scree_frame *out, scree_camera *camera) {
    scree_result result = scree_frame_load(path, out);
    if (result != SCREE_ERROR_FORMAT)
        return result == SCREE_OK ? EXIT_DONE : (complain("scree render", result), EXIT_WRONG);
    char not_frame[512];
    snprintf(not_frame, sizeof not_frame, "%s", scree_error_get_message());

    scree_world *world = NULL;
    result = checkpoint_read(path, &world);
    if (result == SCREE_ERROR_FORMAT) {
        fprintf(stderr, "scree render: \"%s\" is neither a frame (%s) nor a checkpoint (%s)\n", path,
                not_frame, scree_error_get_message());
        return EXIT_WRONG;
    }
    if (result == SCREE_OK) result = scree_frame_from_world(world, out);
    if (result == SCREE_OK) *camera = scree_scene_get_camera(world);
    scree_world_destroy(world);
    return result == SCREE_OK ? EXIT_DONE : complain("scree render", result);
}

/* Returns `path` with its ending replaced by .png; NULL: out of memory. */
static char *picture_path(const char *path) {
    const char *dot = strrchr(path, '.');
    const size_t length = dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
    char *out = memory_allocate(length + 5, 1);
    if (out) sprintf(out, "%.*s.png", (int)length, path);
    return out;
}

int command_render(int argc, char **argv) {
    scree_view view = scree_default_view();
    const char *out = NULL, *path = NULL;
    int size[2] = {view.width, view.height}, colouring = view.colouring;
    double field_of_view = 40, range = 0;
    bool plain = false, eye = false, target = false, field = false;
    const option_row rows[] = {
        OPTION(TEXT, "out", &out, "the picture (default: FILE with .png)", .placeholder = "FILE.png"),
        OPTION(SIZE, "size", size, "pixels (default 960x720)", .placeholder = "WxH", .min = 16, .max = 8192),
        OPTION(CHOICE, "colour", &colouring, "quantity shown by colours (default speed)",
               .choice = colouring_choice),
        OPTION(REAL, "range", &range, "speed (m/s) or force (N) at full red (default: from the bodies)",
               .placeholder = "NUMBER", .min = 0, .max = 1e30),
        OPTION(FLAG, "plain", &plain, "omit legend, scale bar, time and joints"),
        OPTION(VECTOR, "eye", &view.eye,
               "camera position, m (default: that of the checkpoint's scene, or from the bodies)",
               .placeholder = "X,Y,Z", .given = &eye),
        OPTION(VECTOR, "target", &view.target, "point that the camera looks at, m; requires --eye",
               .placeholder = "X,Y,Z", .given = &target),
        OPTION(REAL, "fov", &field_of_view, "vertical field of view (default 40 with --eye)",
               .placeholder = "DEGREES", .given = &field, .min = 1, .max = 150),
        DEVICE_ROW(&view.device),
        {.name = NULL},
    };
    const option_command command = {
        .name = "scree render",
        .operands = "FILE",
        .rows = rows,
        .summary = "Draws a PNG picture of FILE, a frame of a run (.vtkhdf) or a checkpoint (.h5)."};
    const option_outcome outcome = options_parse(&command, argc, argv, &path, NULL);
    if (outcome != OPTION_OK) return (int)outcome;
    if (eye != target || (field && !eye)) {
        fprintf(stderr, "scree render: --eye and --target require each other, and --fov requires both\n");
        return EXIT_WRONG;
    }
    if (eye && view.eye.x == view.target.x && view.eye.y == view.target.y && view.eye.z == view.target.z) {
        fprintf(stderr, "scree render: --target: %g,%g,%g; must differ from --eye\n", (double)view.target.x,
                (double)view.target.y, (double)view.target.z);
        return EXIT_WRONG;
    }
    const char *dot = out ? strrchr(out, '.') : NULL;
    if (out && (!dot || strcmp(dot, ".png") != 0)) {
        fprintf(stderr, "scree render: --out: \"%s\"; must end in .png\n", out);
        return EXIT_WRONG;
    }
    view.automatic = !eye;
    view.field_of_view = (float)field_of_view;
    view.width = size[0];
    view.height = size[1];
    view.colouring = (scree_colouring)colouring;
    view.colour_range = (float)range;
    view.legend = view.scale_bar = view.time = view.joints = !plain;

    scree_frame frame = {0};
    scree_camera camera = {.automatic = true};
    int code = read_frame(path, &frame, &camera);
    if (code != EXIT_DONE) return code;
    if (!eye) view_set_camera(&view, &camera);
    SCOPED char *beside = out ? NULL : picture_path(path);
    if (!out) out = beside;
    const scree_result result = out ? scree_snapshot_save(&frame, &view, out)
                                    : fail(SCREE_ERROR_MEMORY, "out of memory for the name of the picture");
    if (result != SCREE_OK)
        code = complain("scree render", result);
    else
        printf("%s: step %llu, %.4g s, %d %s\n", out, (unsigned long long)frame.step, frame.time, frame.count,
               noun_of(frame.count, "body", "bodies"));
    scree_frame_release(&frame);
    return code;
}
