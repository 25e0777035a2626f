/* Tests of the viewer, which run the program again inside a virtual display. Without Xvfb, or in a build
 * without the viewer, they are skipped. */
#pragma once

#include "expect.h"

#include <stdio.h>
#include <unistd.h>

#ifdef SCREE_VIEWER

#include "base/vector.h"
#include "view/window.h"

enum { WIDTH = 320, HEIGHT = 240, PIXELS = WIDTH * HEIGHT };

/* Continues in a virtual display; returns 77 if there is none. */
static inline int display_enter(char **argv) {
    if (getenv("SCREE_TEST_DISPLAY")) return 0;
    setenv("SCREE_TEST_DISPLAY", "1", 1);
    execlp("xvfb-run", "xvfb-run", "-a", "-s", "-screen 0 640x480x24", argv[0], (char *)NULL);
    printf("1..0 # SKIP Xvfb is not installed\n");
    return 77;
}

#define DISPLAY_MAIN(tests, setup, teardown)                                                                 \
    int main(int argc, char **argv) {                                                                        \
        (void)argc;                                                                                          \
        const int status = display_enter(argv);                                                              \
        return status ? status : cmocka_run_group_tests(tests, setup, teardown);                             \
    }

static window *shown;

static inline int display_open(void **unused) {
    (void)unused;
    CHECK(window_open(WIDTH, HEIGHT, "test", &shown));
    return 0;
}

static inline int display_close(void **unused) {
    (void)unused;
    window_close(shown);
    return 0;
}

/* Returns a view of the test's size with a camera and without annotations. */
static inline scree_view view_from(scree_vec3 eye, scree_vec3 target, float field) {
    scree_view view = scree_default_view();
    view.width = WIDTH;
    view.height = HEIGHT;
    view.automatic = view.legend = view.scale_bar = view.time = view.joints = false;
    view.eye = eye;
    view.target = target;
    view.field_of_view = field;
    view.colouring = SCREE_COLOURING_ID;
    return view;
}

/* Computes the pixel of a point by the pinhole camera, in double precision; `out` has column, row and depth.
 */
static inline void pinhole(const scree_view *view, scree_vec3 point, double out[3]) {
    const double eye[3] = {view->eye.x, view->eye.y, view->eye.z};
    double forward[3] = {view->target.x - eye[0], view->target.y - eye[1], view->target.z - eye[2]};
    const double length = sqrt(forward[0] * forward[0] + forward[1] * forward[1] + forward[2] * forward[2]);
    for (int k = 0; k < 3; k++) forward[k] /= length;
    const double flat = hypot(forward[0], forward[1]);
    const double right[3] = {forward[1] / flat, -forward[0] / flat, 0};
    const double up[3] = {right[1] * forward[2], -right[0] * forward[2],
                          right[0] * forward[1] - right[1] * forward[0]};
    const double from[3] = {point.x - eye[0], point.y - eye[1], point.z - eye[2]};
    double along = 0, across = 0, above = 0;
    for (int k = 0; k < 3; k++) {
        along += from[k] * forward[k];
        across += from[k] * right[k];
        above += from[k] * up[k];
    }
    const double focal = HEIGHT / 2.0 / tan((double)view->field_of_view / 2 * M_PI / 180);
    out[0] = WIDTH / 2.0 + focal * across / along;
    out[1] = HEIGHT / 2.0 - focal * above / along;
    out[2] = along;
}

#else

#define DISPLAY_MAIN(tests, setup, teardown)                                                                 \
    int main(void) {                                                                                         \
        printf("1..0 # SKIP this build has no viewer\n");                                                    \
        return 77;                                                                                           \
    }

#endif
