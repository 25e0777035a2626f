#include "painter.h"

#include "base/memory.h"
#include "orbit.h"
#include "render/camera.h"
#include "render/snapshot_scene.h"

#include <string.h>

enum { MOVING, FIXED, MARKS };

/* How far bodies fade into the background behind force chains. */
static const float FAINT = 0.72f;

scree_result painter_make(painter *self) {
    *self = (painter){.cut = NULL};
    TRY(impostors_make(&self->balls));
    for (int k = 0; k < 3; k++) TRY(impostors_make(&self->joined[k]));
    TRY(rods_make(&self->rods));
    TRY(mesh_instances_make(&self->meshes));
    TRY(ground_make(&self->ground));
    TRY(edges_make(&self->edges));
    glGenBuffers(1, &self->scene);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    return SCREE_OK;
}

void painter_release(painter *self) {
    impostors_release(&self->balls);
    for (int k = 0; k < 3; k++) impostors_release(&self->joined[k]);
    for (int k = 0; k < 3; k++) parts_release(&self->parts[k]);
    rods_release(&self->rods);
    mesh_instances_release(&self->meshes);
    ground_release(&self->ground);
    edges_release(&self->edges);
    glDeleteBuffers(1, &self->scene);
    snapshot_scale_release(&self->scale);
    memory_release(self->cut);
    memory_release(self->sorted);
    *self = (painter){.cut = NULL};
}

static bool is_moving(const scree_frame *frame, int i) { return frame->types[i] == SCREE_BODY_DYNAMIC; }

/* Fills the parts of the bodies that are dynamic, or of the others. */
static scree_result fill(painter *self, const scree_frame *frame, bool moving) {
    part_set *out = &self->parts[moving ? MOVING : FIXED];
    parts_clear(out);
    const bool *cut = self->cut;
    for (int i = 0; i < frame->count; cut += snapshot_cut_places(frame->shapes[i]), i++)
        if (is_moving(frame, i) == moving)
            TRY(parts_add(out, frame, i, snapshot_colour_of(&self->scale, frame, i), cut));
    impostors_set(&self->joined[moving ? MOVING : FIXED], out->joined, out->joined_count);
    return SCREE_OK;
}

/* Cuts away what stands between the eye and the dynamic bodies. */
static scree_result cut_fixed(painter *self, const scree_frame *frame, scree_vec3 eye) {
    size_t places = 0;
    for (int i = 0; i < frame->count; i++) places += (size_t)snapshot_cut_places(frame->shapes[i]);
    TRY(MEMORY_RESERVE(self->cut, self->cut_capacity, places + 1, NULL));
    memset(self->cut, 0, places * sizeof *self->cut);
    TRY(snapshot_cut(frame, eye, self->cut));
    self->cut_eye = eye;
    return fill(self, frame, false);
}

/* Finds the radius that contains the bodies, which bounds the depth of the picture. */
static double reach_of(const scree_frame *frame, vec3s origin) {
    double most = 0;
    for (int i = 0; i < frame->count; i++) {
        const vec3s from = glms_vec3_sub(vec3_in(frame->states[i].position), origin);
        if (frame->shapes[i].kind == SCREE_SHAPE_HALF_SPACE || !vec3_finite(from)) continue;
        most = fmax(most, (double)glms_vec3_norm(from) + scree_shape_get_radius(frame->shapes[i]));
    }
    return most;
}

scree_result painter_take(painter *self, const scree_frame *frame, const scree_view *view, vec3s origin) {
    snapshot_scale scale;
    TRY(snapshot_scale_make(frame, view, &scale));
    snapshot_scale_release(&self->scale);
    self->scale = scale;
    for (int k = 0; k < 3; k++) self->parts[k].origin = origin;
    self->reach = reach_of(frame, origin);
    TRY(cut_fixed(self, frame, view->eye));
    TRY(fill(self, frame, true));
    mesh_instances_sweep(&self->meshes);
    return SCREE_OK;
}

static scree_result take_marks(painter *self, const scree_frame *frame, const painter_look *look) {
    part_set *marks = &self->parts[MARKS];
    parts_clear(marks);
    const double distance =
        (double)glms_vec3_norm(glms_vec3_sub(vec3_in(look->view.eye), vec3_in(look->view.target)));
    const double pixel = distance * (double)camera_image(&look->view).pixel_angle;
    if (look->chains) TRY(marks_add_chains(marks, frame, &self->chain_high));
    if (look->view.joints) TRY(marks_add_joints(marks, frame, (scalar)(look->view.height / 720.0 * pixel)));
    rods_set(&self->rods, marks->rods, marks->rod_count);
    impostors_set(&self->joined[MARKS], marks->joined, marks->joined_count);
    return SCREE_OK;
}

static void set_scene(const painter *self, const painter_look *look, float faint) {
    gl_scene scene = {0};
    const vec3s origin = self->parts[MOVING].origin;
    const double off = (double)glms_vec3_norm(glms_vec3_sub(vec3_in(look->view.target), origin));
    orbit_scene(&look->view, origin, self->reach + off, &scene);
    const clip_plane *clip = &look->clip;
    const bool clipped = glms_vec3_norm2(clip->normal) > 0;
    for (int k = 0; k < 3; k++) scene.clip[k] = vec3_along(clip->normal, k);
    scene.clip[3] = clipped ? (float)((double)glms_vec3_dot(clip->normal, origin) - clip->offset) : 1;
    scene.chosen[0] = (float)look->chosen;
    scene.chosen[1] = faint;
    glBindBuffer(GL_UNIFORM_BUFFER, self->scene);
    glBufferData(GL_UNIFORM_BUFFER, sizeof scene, &scene, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, self->scene);
}

static scree_result draw_parts(painter *self, int which) {
    const part_set *shown = &self->parts[which];
    for (int i = 0; i < shown->batch_count; i++) TRY(mesh_instances_draw(&self->meshes, &shown->batches[i]));
    impostors_draw(&self->joined[which], true);
    return SCREE_OK;
}

/* Draws the bodies that are one ball, the nearest ones first. */
static scree_result draw_balls(painter *self, vec3s eye, bool clipped) {
    const part_set *moving = &self->parts[MOVING];
    TRY(MEMORY_RESERVE(self->sorted, self->sorted_capacity, moving->ball_count, NULL));
    impostors_sort(moving->balls, moving->ball_count, (const float[]){eye.x, eye.y, eye.z}, self->sorted);
    impostors_set(&self->balls, self->sorted, moving->ball_count);
    impostors_draw(&self->balls, clipped);
    return SCREE_OK;
}

static void draw_marks(painter *self, const painter_look *look) {
    if (!self->parts[MARKS].joined_count && !self->parts[MARKS].rod_count) return;
    set_scene(self, look, 0);
    glClear(GL_DEPTH_BUFFER_BIT);
    rods_draw(&self->rods);
    impostors_draw(&self->joined[MARKS], true);
}

static bool equal(scree_vec3 a, scree_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

scree_result painter_draw(painter *self, const scree_frame *frame, const painter_look *look) {
    const vec3s eye = glms_vec3_sub(vec3_in(look->view.eye), self->parts[FIXED].origin);
    if (!equal(look->view.eye, self->cut_eye)) TRY(cut_fixed(self, frame, look->view.eye));
    TRY(take_marks(self, frame, look));
    set_scene(self, look, look->chains ? FAINT : 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    ground_draw_sky(&self->ground);
    TRY(draw_balls(self, eye, glms_vec3_norm2(look->clip.normal) > 0));
    TRY(draw_parts(self, MOVING));
    TRY(draw_parts(self, FIXED));
    for (int i = 0; i < self->parts[FIXED].ground_count; i++)
        ground_draw(&self->ground, &self->parts[FIXED].grounds[i], eye);
    TRY(edges_draw(&self->edges, self->parts[FIXED].outlines, self->parts[FIXED].outline_count));
    draw_marks(self, look);
    return SCREE_OK;
}
