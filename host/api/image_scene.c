#include "image_scene.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/team.h"
#include "base/vector.h"
#include "rotation.h"

#include <limits.h>
#include <stddef.h>

/* The device reads the tree's nodes as they are. */
_Static_assert(sizeof(tree_node) == sizeof(ray_node) &&
                   offsetof(tree_node, lower) == offsetof(ray_node, lower) &&
                   offsetof(tree_node, child) == offsetof(ray_node, child) &&
                   offsetof(tree_node, upper) == offsetof(ray_node, upper) &&
                   offsetof(tree_node, end) == offsetof(ray_node, end) && TREE_STACK <= RAY_DEPTH,
               "a tree_node is a ray_node");

/* Pieces before the tree orders them. */
typedef struct piece_list {
    ray_body *bodies;
    bounds *boxes;
    int count;
} piece_list;

static ray_view view_of(const scree_image_def *def) {
    return (ray_view){.eye = vec3_in(def->eye),
                      .pixel = def->pixel_angle,
                      .forward = vec3_in(def->forward),
                      .spread = def->light_spread,
                      .right = vec3_in(def->right),
                      .tile = def->tile,
                      .up = vec3_in(def->up),
                      .fade = def->fade,
                      .light = vec3_in(def->light),
                      .reach = def->reach,
                      .width = def->width,
                      .height = def->height,
                      .samples = def->samples,
                      .outline_count = def->outline_count};
}

static body_pose pose_of(scree_vec3 position, scree_quat rotation) {
    return (body_pose){.position = vec3_in(position), .rotation = rotation_normalised(quat_in(rotation))};
}

/* A half-space is drawn from outside only: from inside it would hide everything. */
static void add_plane(image_scene *scene, body_pose pose) {
    const vec3s normal = rotate(pose.rotation, vec3_of(0, 0, 1));
    if (glms_vec3_dot(glms_vec3_sub(scene->view.eye, pose.position), normal) > 0)
        scene->planes[scene->view.plane_count++] =
            (ray_plane){.position = pose.position, .rotation = pose.rotation};
}

static void add_pieces(piece_list *list, const scree_image_body *body, body_pose pose) {
    for (int k = 0; k < children_seen_count(body->shape); k++) {
        if (body->hidden && body->hidden[k]) continue;
        const placed_child piece = children_seen(body->shape, pose, k);
        ray_body seen = children_ray(&piece);
        seen.gloss = shape_is_flat(body->shape) ? 0 : 0.25f;
        seen.colour = vec3_in(body->colour);
        list->boxes[list->count] = bounds_of(piece.shape, piece.pose);
        list->bodies[list->count++] = seen;
    }
}

static void add_outlines(const scree_image_def *def, image_scene *scene) {
    for (int i = 0; i < def->outline_count; i++) {
        const scree_image_outline *outline = &def->outlines[i];
        const body_pose pose = pose_of(outline->position, outline->rotation);
        scene->outlines[i] = (ray_body){.position = pose.position,
                                        .kind = SHAPE_BOX,
                                        .rotation = pose.rotation,
                                        .size = vec3_in(outline->half)};
    }
}

/* Builds the tree over the pieces, and stores them in its order. */
static scree_result build_tree(image_scene *scene, const piece_list *list) {
    tree_key *scratch = memory_allocate(2 * (size_t)list->count, sizeof *scratch);
    if (!scratch) return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", list->count);
    team *helpers = team_create(parallel_all_threads(), NULL);
    team *const before = team_lead(helpers);
    const scree_result result =
        tree_build(&scene->tree, list->boxes, list->count, scratch, team_size(helpers), NULL);
    team_lead(before);
    team_destroy(helpers);
    memory_release(scratch);
    TRY(result);
    scene->body_count = scene->tree.count;
    scene->view.node_count = scene->tree.node_count;
    scene->bodies = memory_allocate((size_t)scene->body_count, sizeof *scene->bodies);
    if (!scene->bodies) return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", scene->body_count);
    for (int i = 0; i < scene->body_count; i++) scene->bodies[i] = list->bodies[scene->tree.members[i]];
    return SCREE_OK;
}

static scree_result allocate(const scree_image_def *def, image_scene *scene, piece_list *list) {
    size_t pieces = 0;
    for (int i = 0; i < def->body_count; i++) pieces += (size_t)children_seen_count(def->bodies[i].shape);
    if (pieces > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "image: %zu pieces of shapes; must be at most %d", pieces, INT_MAX);
    list->bodies = memory_allocate(pieces, sizeof *list->bodies);
    list->boxes = memory_allocate(pieces, sizeof *list->boxes);
    scene->planes = memory_allocate((size_t)def->body_count, sizeof *scene->planes);
    scene->outlines = memory_allocate((size_t)def->outline_count, sizeof *scene->outlines);
    if (!list->bodies || !list->boxes || !scene->planes || !scene->outlines)
        return fail(SCREE_ERROR_MEMORY, "out of memory drawing %d bodies", def->body_count);
    return SCREE_OK;
}

static scree_result fill(const scree_image_def *def, image_scene *scene, piece_list *list) {
    TRY(allocate(def, scene, list));
    for (int i = 0; i < def->body_count; i++) {
        const scree_image_body *body = &def->bodies[i];
        const body_pose pose = pose_of(body->position, body->rotation);
        if (shape_is_plane(body->shape))
            add_plane(scene, pose);
        else
            add_pieces(list, body, pose);
    }
    add_outlines(def, scene);
    return build_tree(scene, list);
}

scree_result image_scene_make(const scree_image_def *def, image_scene *out) {
    piece_list list = {.count = 0};
    *out = (image_scene){.view = view_of(def)};
    const scree_result result = fill(def, out, &list);
    memory_release(list.bodies);
    memory_release(list.boxes);
    return result;
}

void image_scene_release(image_scene *scene) {
    memory_release(scene->bodies);
    memory_release(scene->planes);
    memory_release(scene->outlines);
    tree_release(&scene->tree);
    *scene = (image_scene){.body_count = 0};
}
