/* Mouse and keyboard. */
#include "viewer.h"

#include "keys.h"
#include "rotation.h"

static orbit_ray ray_under_mouse(const viewer *self) {
    const scree_view view = viewer_look(self).view;
    return orbit_ray_at(&view, self->x, self->y);
}

static picked find_under_mouse(const viewer *self) {
    const painter_look look = viewer_look(self);
    const picked none = {.row = -1};
    if (self->stale || !self->painter.cut) return none;
    return picker_find(viewer_frame(self), self->painter.cut, &look.clip, ray_under_mouse(self));
}

/* Takes hold of a body: of a dynamic one in the last frame of a run. Returns false if there is none. */
static bool grip(viewer *self) {
    view_source *source = self->source;
    const scree_frame *frame = viewer_frame(self);
    const picked found = find_under_mouse(self);
    if (!source->live || source->place(source) != source->count(source) - 1) {
        viewer_note(self, "Only the last frame of a run that goes on has bodies that can be pulled.");
        return false;
    }
    if (found.row < 0 || frame->types[found.row] != SCREE_BODY_DYNAMIC) return false;
    const scree_body_state *state = &frame->states[found.row];
    const vec3s arm = glms_vec3_sub(found.point, vec3_in(state->position));
    self->chosen = frame->ids[found.row].index;
    self->pull_depth = found.distance;
    self->pull = (pull){frame->ids[found.row], vec3_out(rotate_inverse(quat_in(state->rotation), arm)),
                        vec3_out(found.point)};
    source->pull(source, &self->pull);
    return true;
}

static void let_go(viewer *self) {
    self->pull = (pull){.body = {0}};
    self->source->pull(self->source, &self->pull);
}

/* Leads the pulled point along the sphere about the eye that it was on. */
static void lead(viewer *self) {
    const orbit_ray ray = ray_under_mouse(self);
    const vec3s way = glms_vec3_scale(ray.direction, (scalar)self->pull_depth);
    self->pull.goal = vec3_out(glms_vec3_add(ray.origin, way));
    self->source->pull(self->source, &self->pull);
}

void viewer_move_mouse(viewer *self, double x, double y) {
    const double across = x - self->x, down = y - self->y;
    self->x = x;
    self->y = y;
    self->moved += fabs(across) + fabs(down);
    widgets_mouse(&self->widgets, x, y);
    self->redraw = true; /* of buttons under the mouse, too */
    switch (self->hand) {
    case HAND_FREE:
        break;
    case HAND_TURNS:
        orbit_turn(&self->camera, across, down, self->view.height);
        break;
    case HAND_PANS:
        orbit_pan(&self->camera, across, down, self->view.height);
        break;
    case HAND_PULLS:
        lead(self);
        break;
    }
}

/* Marks the body under the mouse, or none. */
static void mark(viewer *self) {
    const picked found = find_under_mouse(self);
    self->chosen = found.row >= 0 ? viewer_frame(self)->ids[found.row].index : 0;
}

void viewer_press(viewer *self, int button, bool down, bool control, bool shift) {
    self->redraw = true;
    if (button == 0 && self->hand == HAND_FREE && widgets_press(&self->widgets, down)) return;
    if (!down) {
        if (self->hand == HAND_PULLS) let_go(self);
        if (self->hand == HAND_TURNS && self->moved < 4) mark(self);
        self->hand = HAND_FREE;
        return;
    }
    self->moved = 0;
    if (control && button == 0)
        self->hand = grip(self) ? HAND_PULLS : HAND_FREE;
    else
        self->hand = button == 0 && !shift ? HAND_TURNS : HAND_PANS;
}

void viewer_scroll(viewer *self, double by) {
    orbit_zoom(&self->camera, pow(0.9, by));
    self->redraw = true;
}

void viewer_type(viewer *self, int key, bool shift) {
    const key_action *action = keys_find(key, shift);
    if (!action) return;
    action->act(self);
    self->redraw = true;
}
