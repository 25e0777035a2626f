/* The state of the viewer and the answers to keys and mouse, apart from the window. */
#pragma once

#include "canvas.h"
#include "overlay.h"
#include "painter.h"
#include "picker.h"
#include "recorder.h"
#include "source.h"
#include "widgets.h"

/* Keys that are no characters, with GLFW's numbers; characters are capital. */
typedef enum viewer_key {
    VIEWER_KEY_ESCAPE = 256,
    VIEWER_KEY_TAB = 258,
    VIEWER_KEY_RIGHT = 262,
    VIEWER_KEY_LEFT = 263,
    VIEWER_KEY_HOME = 268,
    VIEWER_KEY_END = 269,
    VIEWER_KEY_F1 = 290
} viewer_key;

typedef enum viewer_hand { HAND_FREE, HAND_TURNS, HAND_PANS, HAND_PULLS } viewer_hand;

typedef struct viewer {
    view_source *source; /* of the caller */
    painter painter;
    widgets widgets;
    overlay overlay;
    canvas canvas, picture;
    scree_view view; /* size, colouring, range */
    orbit camera;
    vec3s origin;        /* of the painter's positions */
    double lower, upper; /* extent of the dynamic bodies along the clip axis, m */
    int clip_axis;       /* −1: none */
    bool clip_flipped;
    double clip_share; /* place of the plane, 0 … 1 between the extents */
    bool playing, chains, help, panel, closing;
    double speed;    /* simulated seconds a second; infinite: as fast as possible */
    double clock;    /* simulated time up to which frames are shown, s */
    uint32_t chosen; /* index of the marked body; 0: none */
    pull pull;
    double pull_depth; /* distance of the pulled point along its ray, m */
    viewer_hand hand;
    double x, y, moved; /* the mouse; the way since its button went down, pixels */
    recorder film;
    char film_name[64], notice[512];
    uint8_t *pixels; /* of a picture */
    int pixel_capacity;
    bool stale;      /* the painter has not taken the frame */
    bool redraw;     /* the picture has changed */
    int samples;     /* pixels drawn for each one along both axes while the mouse is used */
    double drawn_ms; /* mean time of a picture */
    void *clipboard_context;
    void (*clipboard)(void *context, const char *text); /* may be NULL */
} viewer;

/* Makes a viewer of a source with the camera, size and colouring of `view`, which may be automatic, in the
 * current context of OpenGL. Errors: DEVICE, MEMORY. */
scree_result viewer_make(viewer *self, view_source *source, const scree_view *view);
/* Completes a film that is being recorded. */
void viewer_release(viewer *self);

/* Input, in pixels of the picture. */
void viewer_resize(viewer *self, int width, int height);
void viewer_move_mouse(viewer *self, double x, double y);
void viewer_press(viewer *self, int button, bool down, bool control, bool shift);
void viewer_scroll(viewer *self, double by);
void viewer_type(viewer *self, int key, bool shift);

/* Lets `seconds` pass: frames follow each other while it plays. `wait`: waits for steps, so that frames do
 * not depend on the machine's speed. */
void viewer_pass(viewer *self, double seconds, bool wait);
/* Draws the canvas, with widgets. Errors: MEMORY, DEVICE. */
scree_result viewer_draw(viewer *self);
/* Draws the picture without widgets, with smooth edges, and returns its pixels (red, green, blue, rows from
 * the top), which stay until the next call. Errors: MEMORY, DEVICE. */
scree_result viewer_picture(viewer *self, const uint8_t **pixels);
/* Saves it. Errors: those of viewer_picture and picture_file_write. */
scree_result viewer_save(viewer *self, const char *path);

/* Actions of keys and buttons. */
void viewer_toggle_play(viewer *self);
void viewer_step(viewer *self, int by);
void viewer_seek(viewer *self, int place);
void viewer_change_speed(viewer *self, int by);
void viewer_next_colouring(viewer *self, int by);
void viewer_next_clip(viewer *self);
void viewer_flip_clip(viewer *self);
void viewer_move_clip(viewer *self, double share);
void viewer_toggle_chains(viewer *self);
void viewer_look_along(viewer *self, int axis);
void viewer_look_at_all(viewer *self);
void viewer_tell_camera(viewer *self);
void viewer_take_picture(viewer *self);
void viewer_toggle_film(viewer *self);

/* Parts of viewer.c for viewer_*.c. */
const scree_frame *viewer_frame(const viewer *self);
painter_look viewer_look(const viewer *self);
/* Shows the message of the last error, also on stderr. */
void viewer_report(viewer *self);
void viewer_note(viewer *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
