#include "snapshot_scene.h"

#include "base/memory.h"
#include "base/vector.h"
#include "camera.h"
#include "snapshot_cut.h"

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

/* Neighbours darken each other over three mean radii of the dynamic bodies, or, without any, over the side of
 * the ground's squares. */
static scalar reach_of(const scree_frame *frame, scalar tile) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < frame->count; i++)
        if (frame->types[i] == SCREE_BODY_DYNAMIC && frame->shapes[i].kind != SCREE_SHAPE_HALF_SPACE) {
            sum += scree_shape_get_radius(frame->shapes[i]);
            count++;
        }
    return count ? (scalar)(3 * sum / count) : tile;
}

scree_result snapshot_scene_make(const scree_frame *frame, const scree_view *view, snapshot_scene *out) {
    *out = (snapshot_scene){.settled = *view};
    if (view->automatic) TRY(camera_find(frame, view, &out->settled));
    out->image = camera_image(&out->settled);
    out->image.reach = reach_of(frame, out->image.tile);
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
