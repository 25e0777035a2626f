/* The camera of a scene's pictures. */
#include "scene.h"

#include <string.h>

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_camera, MEMBER, HELP, __VA_ARGS__)

static const field camera_fields[] = {
    ROW(VEC3, "eye", eye, "position of the camera", .range = BETWEEN(-1e9, 1e9), .unit = "m",
        .required = true),
    ROW(VEC3, "target", target, "point in the middle of the picture", .range = BETWEEN(-1e9, 1e9),
        .unit = "m", .required = true),
    ROW(FLOAT, "field_of_view_degrees", field_of_view, "vertical field of view", .range = BETWEEN(1, 150)),
};

static void camera_begin(void *target, int kind) {
    (void)kind;
    *(scree_camera *)target = (scree_camera){.field_of_view = 40};
}

static scree_result camera_finish(const scene_node *node, void *target) {
    const scree_camera *out = target;
    const scene_node place = node_member(node, "target");
    if (memcmp(&out->eye, &out->target, sizeof out->eye)) return SCREE_OK;
    return node_fail(&place, "[%g, %g, %g]; must differ from `eye`", (double)out->target.x,
                     (double)out->target.y, (double)out->target.z);
}

const scene_object camera_object = SCENE_OBJECT("camera", scree_camera, .common = FIELD_TABLE(camera_fields),
                                                .begin = camera_begin, .finish = camera_finish);

scree_camera scree_scene_get_camera(const scree_world *world) {
    scree_camera out = {.automatic = true};
    record kept;
    REQUIRE_ELSE(world, out);
    if (record_read(world, &kept) != SCREE_OK) return out;
    char name[] = "checkpoint";
    const scene_source source = {.name = name};
    const scene_node node = {.source = &source,
                             .value = json_object_get(json_object_get(kept.scene, "outputs"), "camera")};
    if (node.value && object_read(&node, &camera_object, &out) != SCREE_OK)
        out = (scree_camera){.automatic = true};
    record_release(&kept);
    return out;
}
