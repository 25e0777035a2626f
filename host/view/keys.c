#include "keys.h"

static void step_back(viewer *self) { viewer_step(self, -1); }
static void step_on(viewer *self) { viewer_step(self, 1); }
static void to_first(viewer *self) { viewer_seek(self, 0); }
static void to_last(viewer *self) { viewer_seek(self, self->source->count(self->source) - 1); }
static void faster(viewer *self) { viewer_change_speed(self, 1); }
static void slower(viewer *self) { viewer_change_speed(self, -1); }
static void next_colour(viewer *self) { viewer_next_colouring(self, 1); }
static void last_colour(viewer *self) { viewer_next_colouring(self, -1); }
static void clip_down(viewer *self) { viewer_move_clip(self, self->clip_share - 0.02); }
static void clip_up(viewer *self) { viewer_move_clip(self, self->clip_share + 0.02); }
static void along_x(viewer *self) { viewer_look_along(self, 0); }
static void along_y(viewer *self) { viewer_look_along(self, 1); }
static void along_z(viewer *self) { viewer_look_along(self, 2); }
static void toggle_help(viewer *self) { self->help = !self->help; }
static void toggle_panel(viewer *self) { self->panel = !self->panel; }
static void close_viewer(viewer *self) { self->closing = true; }

/* Closes the help, else unmarks the body. */
static void escape(viewer *self) {
    if (!self->help) self->chosen = 0;
    self->help = false;
}

static const key_action table[] = {
    {' ', false, "Space", "play or pause", viewer_toggle_play},
    {'.', false, ". Right", "one step or frame on", step_on},
    {VIEWER_KEY_RIGHT, false, NULL, "", step_on},
    {',', false, ", Left", "one frame back", step_back},
    {VIEWER_KEY_LEFT, false, NULL, "", step_back},
    {VIEWER_KEY_HOME, false, "Home End", "first, last frame", to_first},
    {VIEWER_KEY_END, false, NULL, "", to_last},
    {'=', false, "+ -", "faster, slower", faster},
    {'=', true, NULL, "", faster},
    {'-', false, NULL, "", slower},
    {'C', false, "C", "next colour (Shift: last)", next_colour},
    {'C', true, NULL, "", last_colour},
    {'F', false, "F", "force chains", viewer_toggle_chains},
    {'X', false, "X", "clip plane: x, y, z, none", viewer_next_clip},
    {'X', true, "Shift+X", "show its other side", viewer_flip_clip},
    {'[', false, "[ ]", "move the clip plane", clip_down},
    {']', false, NULL, "", clip_up},
    {'1', false, "1 2 3", "look along x, y, z", along_x},
    {'2', false, NULL, "", along_y},
    {'3', false, NULL, "", along_z},
    {'0', false, "0", "show all bodies", viewer_look_at_all},
    {'K', false, "K", "print the camera for a scene", viewer_tell_camera},
    {'P', false, "P", "save a picture", viewer_take_picture},
    {'V', false, "V", "record a video, end it", viewer_toggle_film},
    {VIEWER_KEY_TAB, false, "Tab", "hide or show the buttons", toggle_panel},
    {'H', false, "H F1", "this help", toggle_help},
    {VIEWER_KEY_F1, false, NULL, "", toggle_help},
    {VIEWER_KEY_ESCAPE, false, "Esc", "unmark the body", escape},
    {'Q', false, "Q", "close the window", close_viewer},
    {0, false, "Drag", "turn (Shift, right: move)", NULL},
    {0, false, "Wheel", "zoom", NULL},
    {0, false, "Click", "mark a body, read it", NULL},
    {0, false, "Ctrl+drag", "pull a body of a live run", NULL},
    {0, false, NULL, NULL, NULL},
};

const key_action *keys_table(void) { return table; }

const key_action *keys_find(int key, bool shift) {
    for (const key_action *row = table; row->help; row++)
        if (row->key == key && row->shift == shift && row->act) return row;
    return NULL;
}
