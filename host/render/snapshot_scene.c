#include "snapshot_scene.h"

#include "base/memory.h"
#include "base/vector.h"
#include "camera.h"
#include "ray.h"
#include "sheet_cut.h"

/* Maximum numbers of tested dynamic bodies and of tests: enough to find a wall, and always fast. */
enum { MAX_WITNESSES = 2048, MAX_TESTS = 1 << 22 };

int snapshot_cut_places(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_MESH ? scree_shape_piece_count(shape) : 1;
}

/* Returns whether a body is a finite flat wall, which hides what its bounding box hides. */
static bool is_wall(const scree_frame *frame, int body) {
    const scree_shape shape = frame->shapes[body];
    return frame->types[body] != SCREE_BODY_DYNAMIC && scree_shape_has_flat_faces(shape) &&
           shape.kind != SCREE_SHAPE_HALF_SPACE;
}

static bool is_sheet(const scree_frame *frame, int body) {
    return frame->shapes[body].kind == SCREE_SHAPE_MESH;
}

static bool is_witness(const scree_frame *frame, int body) {
    return frame->types[body] == SCREE_BODY_DYNAMIC && vec3_finite(vec3_in(frame->states[body].position));
}

/* Copies the positions of evenly chosen dynamic bodies, relative to the eye. */
static int choose_witnesses(const scree_frame *frame, vec3s eye, int most, vec3s *witnesses) {
    int dynamic = 0, count = 0, seen = 0;
    for (int i = 0; i < frame->count; i++) dynamic += is_witness(frame, i);
    const int stride = dynamic / most + 1;
    for (int i = 0; i < frame->count; i++)
        if (is_witness(frame, i) && seen++ % stride == 0)
            witnesses[count++] = glms_vec3_sub(vec3_in(frame->states[i].position), eye);
    return count;
}

/* Returns whether a box hides the witnesses. A witness is hidden if the ray to it leaves the box before
 * reaching it, and in front if the ray enters the box beyond it. */
static bool box_hides(scree_shape shape, const scree_body_state *state, vec3s eye, const vec3s *witnesses,
                      int count) {
    const versors rotation = quat_in(state->rotation);
    const vec3s extents = vec3_in(scree_shape_get_half_extents(shape));
    const vec3s from = rotate_inverse(rotation, glms_vec3_sub(eye, vec3_in(state->position)));
    if (scalar_abs(from.x) < extents.x && scalar_abs(from.y) < extents.y && scalar_abs(from.z) < extents.z)
        return true;
    cover found = {0};
    for (int i = 0; i < count; i++) {
        const scalar distance = glms_vec3_norm(witnesses[i]);
        if (!(distance > 0)) continue;
        const vec3s along = rotate_inverse(rotation, glms_vec3_scale(witnesses[i], 1 / distance));
        const ray_span span = ray_slabs(from, along, extents);
        if (span.enter >= RAY_FAR) continue;
        if (span.leave < distance) ++found.hidden;
        if (span.enter > distance) ++found.before;
    }
    return cover_is_in_the_way(found);
}

/* Counts the boxes, and the triangles of sheets, to be tested. */
static int walls_of(const scree_frame *frame) {
    int count = 0;
    for (int i = 0; i < frame->count; i++) {
        if (is_wall(frame, i)) ++count;
        if (is_sheet(frame, i)) count += snapshot_cut_places(frame->shapes[i]);
    }
    return count;
}

scree_result snapshot_cut(const scree_frame *frame, scree_vec3 eye, bool *cut) {
    const int walls = walls_of(frame);
    if (walls == 0) return SCREE_OK;
    int most = MAX_TESTS / walls;
    most = most < 16 ? 16 : most > MAX_WITNESSES ? MAX_WITNESSES : most;
    SCOPED vec3s *witnesses = memory_allocate((size_t)most, sizeof *witnesses);
    if (!witnesses) return fail(SCREE_ERROR_MEMORY, "out of memory for finding walls in front of the bodies");
    const int count = choose_witnesses(frame, vec3_in(eye), most, witnesses);
    for (int i = 0; i < frame->count; cut += snapshot_cut_places(frame->shapes[i]), ++i) {
        const scree_shape shape = frame->shapes[i];
        if (is_wall(frame, i)) *cut = box_hides(shape, &frame->states[i], vec3_in(eye), witnesses, count);
        if (is_sheet(frame, i)) TRY(sheet_cut(shape, &frame->states[i], vec3_in(eye), witnesses, count, cut));
    }
    return SCREE_OK;
}

static bool is_finite_state(const scree_body_state *state) {
    const scree_quat q = state->rotation;
    return vec3_finite(vec3_in(state->position)) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z) &&
           isfinite(q.w);
}

static void add_outline(snapshot_scene *scene, const scree_image_body *body) {
    if (scene->image.outline_count == SNAPSHOT_OUTLINES) return;
    scene->outlines[scene->image.outline_count++] =
        (scree_image_outline){.position = body->position,
                              .rotation = body->rotation,
                              .half = scree_shape_get_half_extents(body->shape)};
}

/* Adds body i of the frame: bodies that are cut away become outlines, of meshes the triangles that are cut
 * are hidden. */
static void add_body(snapshot_scene *scene, const scree_frame *frame, int i, const bool *cut) {
    const vec3s position = glms_vec3_sub(vec3_in(frame->states[i].position), vec3_in(scene->settled.target));
    const bool mesh = frame->shapes[i].kind == SCREE_SHAPE_MESH;
    const scree_image_body body = {.shape = frame->shapes[i],
                                   .position = vec3_out(position),
                                   .rotation = frame->states[i].rotation,
                                   .colour = vec3_out(snapshot_colour_of(&scene->scale, frame, i)),
                                   .hidden = mesh ? cut : NULL};
    if (!mesh && *cut)
        add_outline(scene, &body);
    else
        scene->bodies[scene->image.body_count++] = body;
}

static void add_bodies(snapshot_scene *scene, const scree_frame *frame) {
    const bool *cut = scene->cut;
    for (int i = 0; i < frame->count; cut += snapshot_cut_places(frame->shapes[i]), i++)
        if (is_finite_state(&frame->states[i])) add_body(scene, frame, i, cut);
    scene->image.bodies = scene->bodies;
    scene->image.outlines = scene->outlines;
}

scree_result snapshot_scene_make(const scree_frame *frame, const scree_view *view, snapshot_scene *out) {
    *out = (snapshot_scene){.settled = *view};
    if (view->automatic) TRY(camera_find(frame, view, &out->settled));
    out->image = camera_image(&out->settled);
    /* Neighbours darken each other over three mean radii of the dynamic bodies, or, without any, over the
     * side of the ground's squares. */
    const double radius = snapshot_mean_radius(frame);
    out->image.reach = radius > 0 ? (scalar)(3 * radius) : out->image.tile;
    size_t places = 0;
    for (int i = 0; i < frame->count; i++) places += (size_t)snapshot_cut_places(frame->shapes[i]);
    out->cut = memory_allocate(places, sizeof *out->cut);
    out->bodies = memory_allocate((size_t)frame->count, sizeof *out->bodies);
    if (!out->cut || !out->bodies)
        return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", frame->count);
    TRY(snapshot_cut(frame, out->settled.eye, out->cut));
    TRY(snapshot_scale_make(frame, &out->settled, &out->scale));
    add_bodies(out, frame);
    return SCREE_OK;
}

void snapshot_scene_release(snapshot_scene *scene) {
    memory_release(scene->bodies);
    memory_release(scene->cut);
    snapshot_scale_release(&scene->scale);
    *scene = (snapshot_scene){.bodies = NULL};
}
