#include "snapshot_scene.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "camera.h"
#include "detect/compound_children.h"
#include "snapshot_colour.h"
#include "snapshot_cut.h"

#include <stddef.h>

/* The tree's nodes are copied to the device without conversion. */
_Static_assert(sizeof(tree_node) == sizeof(ray_node) &&
                   offsetof(tree_node, lower) == offsetof(ray_node, lower) &&
                   offsetof(tree_node, child) == offsetof(ray_node, child) &&
                   offsetof(tree_node, upper) == offsetof(ray_node, upper) &&
                   offsetof(tree_node, end) == offsetof(ray_node, end) && TREE_STACK <= RAY_DEPTH,
               "tree_node must match ray_node");

static bool is_finite_state(const scree_body_state *state) {
    const scree_quat q = state->rotation;
    return vec3_finite(vec3_in(state->position)) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z) &&
           isfinite(q.w);
}

static ray_body body_of(const scree_frame *frame, int i, vec3s origin, const snapshot_scale *scale) {
    const scree_shape shape = frame->shapes[i];
    ray_body body = {0};
    body.position = glms_vec3_sub(vec3_in(frame->states[i].position), origin);
    body.rotation = rotation_normalised(quat_in(frame->states[i].rotation));
    body.kind = (int)shape.kind;
    body.size = vec3_in(shape.size);
    body.gloss = shape_is_flat(shape) ? 0 : 0.25f;
    body.colour = snapshot_colour_of(scale, frame, i);
    return body;
}

/* Adds a half-space, which is drawn only from outside: from inside it would hide everything. */
static void add_plane(snapshot_scene *scene, const scree_frame *frame, int i, vec3s origin) {
    ray_plane plane = {0};
    plane.position = glms_vec3_sub(vec3_in(frame->states[i].position), origin);
    plane.rotation = rotation_normalised(quat_in(frame->states[i].rotation));
    const vec3s normal = rotate(plane.rotation, vec3_of(0, 0, 1));
    if (glms_vec3_dot(glms_vec3_sub(scene->view.eye, plane.position), normal) > 0)
        scene->planes[scene->view.plane_count++] = plane;
}

/* State while bodies are sorted into drawn and cut ones. */
typedef struct sorting {
    bool *cut;        /* for each part of each body of the frame */
    ray_body *bodies; /* parts to draw, in the frame's order */
    bounds *boxes;    /* bounds of `bodies` */
    int count;
} sorting;

static void sort_bodies(sorting *self, snapshot_scene *scene, const scree_frame *frame,
                        const scree_view *view) {
    const vec3s origin = vec3_in(view->target);
    const bool *cut = self->cut;
    for (int i = 0; i < frame->count; cut += children_seen_count(frame->shapes[i]), ++i) {
        if (!is_finite_state(&frame->states[i])) continue;
        const scree_shape shape = frame->shapes[i];
        if (shape_is_plane(shape)) {
            add_plane(scene, frame, i, origin);
            continue;
        }
        ray_body body = body_of(frame, i, origin, &scene->scale);
        const bool sheet = shape_is_sheet(shape);
        if (!sheet && cut[0]) {
            body.kind = SHAPE_BOX, body.size = bounds_half_size(shape);
            if (scene->view.outline_count < SNAPSHOT_OUTLINES)
                scene->outlines[scene->view.outline_count++] = body;
            continue;
        }
        const body_pose pose = {.position = body.position, .rotation = body.rotation};
        for (int k = 0; k < children_seen_count(shape); ++k) {
            if (sheet && cut[k]) continue;
            const placed_child piece = children_seen(shape, pose, k);
            const ray_body seen = children_ray(&piece);
            body.kind = seen.kind, body.size = seen.size;
            body.position = seen.position, body.rotation = seen.rotation;
            self->boxes[self->count] = bounds_of(piece.shape, piece.pose);
            self->bodies[self->count++] = body;
        }
    }
}

/* Builds the tree over the drawn bodies and sorts them in its order. */
static scree_result build_tree(snapshot_scene *scene, const sorting *sorted) {
    tree_key *scratch = memory_allocate(2 * (size_t)sorted->count, sizeof *scratch);
    if (!scratch) return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", sorted->count);
    const scree_result result =
        tree_build(&scene->tree, sorted->boxes, sorted->count, scratch, parallel_all_threads(), NULL);
    memory_release(scratch);
    TRY(result);
    scene->body_count = scene->tree.count;
    scene->view.node_count = scene->tree.node_count;
    scene->bodies = memory_allocate((size_t)scene->body_count, sizeof *scene->bodies);
    if (!scene->bodies) return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", scene->body_count);
    for (int i = 0; i < scene->body_count; ++i) scene->bodies[i] = sorted->bodies[scene->tree.members[i]];
    return SCREE_OK;
}

/* Returns the distance over which neighbours darken each other: three mean radii of the dynamic bodies, or
 * without any the side of the ground's squares. */
static scalar reach_of(const scree_frame *frame, const ray_view *view) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < frame->count; ++i)
        if (frame->types[i] == SCREE_BODY_DYNAMIC && !shape_is_plane(frame->shapes[i]))
            sum += scree_shape_get_radius(frame->shapes[i]), ++count;
    return count ? (scalar)(3 * sum / count) : view->tile;
}

static scree_result fill(snapshot_scene *scene, sorting *sorted, const scree_frame *frame,
                         const scree_view *view) {
    const size_t count = (size_t)frame->count;
    size_t parts = 0;
    for (int i = 0; i < frame->count; ++i) parts += (size_t)children_seen_count(frame->shapes[i]);
    sorted->cut = memory_allocate(parts, sizeof *sorted->cut);
    sorted->bodies = memory_allocate(parts, sizeof *sorted->bodies);
    sorted->boxes = memory_allocate(parts, sizeof *sorted->boxes);
    scene->planes = memory_allocate(count, sizeof *scene->planes);
    if (!sorted->cut || !sorted->bodies || !sorted->boxes || !scene->planes)
        return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", frame->count);
    TRY(snapshot_cut(frame, view->eye, sorted->cut));
    TRY(snapshot_scale_make(frame, view, &scene->scale));
    sort_bodies(sorted, scene, frame, view);
    scene->view.reach = reach_of(frame, &scene->view);
    return build_tree(scene, sorted);
}

scree_result snapshot_scene_make(const scree_frame *frame, const scree_view *view, snapshot_scene *out) {
    scree_view settled = *view;
    if (view->automatic) TRY(camera_find(frame, view, &settled));
    snapshot_scene scene = {.view = camera_view(&settled), .settled = settled};
    sorting sorted = {0};
    const scree_result result = fill(&scene, &sorted, frame, &settled);
    memory_release(sorted.cut);
    memory_release(sorted.bodies);
    memory_release(sorted.boxes);
    if (result == SCREE_OK)
        *out = scene;
    else
        snapshot_scene_release(&scene);
    return result;
}

void snapshot_scene_release(snapshot_scene *scene) {
    memory_release(scene->bodies);
    memory_release(scene->planes);
    tree_release(&scene->tree);
    snapshot_scale_release(&scene->scale);
    *scene = (snapshot_scene){0};
}
