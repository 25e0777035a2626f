#include <scree/tools/snapshot.h>

#include "annotation.h"
#include "base/finite.h"
#include "base/memory.h"
#include "base/vector.h"
#include "joint_marks.h"
#include "picture_file.h"
#include "snapshot_scene.h"

enum { SMALLEST = 16, LARGEST = 8192 };

scree_view scree_default_view(void) {
    return (scree_view){.width = 960,
                        .height = 720,
                        .automatic = true,
                        .field_of_view = 28,
                        .legend = true,
                        .scale_bar = true,
                        .time = true,
                        .joints = true};
}

static scree_result validate_camera(const scree_view *view) {
    const vec3s eye = vec3_in(view->eye), target = vec3_in(view->target);
    TRY(finite_check(view->eye, "m", "view.eye"));
    TRY(finite_check(view->target, "m", "view.target"));
    const scalar distance = glms_vec3_norm(glms_vec3_sub(eye, target));
    if (!(distance > 0) || !isfinite(distance))
        return fail(SCREE_ERROR_ARGUMENT, "view.eye, view.target: equal; must be different points");
    if (!(view->field_of_view >= 1 && view->field_of_view <= 150))
        return fail(SCREE_ERROR_ARGUMENT, "view.field_of_view: %g degrees; must be 1 to 150",
                    view->field_of_view);
    return SCREE_OK;
}

static scree_result validate_view(const scree_view *view) {
    if (view->width < SMALLEST || view->width > LARGEST || view->height < SMALLEST || view->height > LARGEST)
        return fail(SCREE_ERROR_ARGUMENT, "view.width, view.height: %d × %d; must be %d to %d each",
                    view->width, view->height, SMALLEST, LARGEST);
    if (!scree_colouring_name(view->colouring))
        return fail(SCREE_ERROR_ARGUMENT, "view.colouring: %d; must be 0 to %d", (int)view->colouring,
                    SCREE_COLOURING_COUNT - 1);
    if (!(view->colour_range >= 0) || !isfinite(view->colour_range))
        return fail(SCREE_ERROR_ARGUMENT, "view.colour_range: %g; must be >= 0", view->colour_range);
    return view->automatic ? SCREE_OK : validate_camera(view);
}

const char *scree_colouring_name(scree_colouring colouring) {
    return (unsigned)colouring < SCREE_COLOURING_COUNT ? colouring_row_of(colouring)->name : NULL;
}

scree_result scree_snapshot_save(const scree_frame *frame, const scree_view *view, const char *path) {
    REQUIRE(frame);
    REQUIRE(view);
    REQUIRE(path);
    TRY(validate_view(view));
    SCOPED uint8_t *pixels = memory_allocate((size_t)view->width * (size_t)view->height, 3);
    if (!pixels)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a picture of %d × %d pixels", view->width,
                    view->height);
    __attribute__((cleanup(snapshot_scene_release))) snapshot_scene scene = {0};
    TRY(snapshot_scene_make(frame, view, &scene));
    TRY(scree_image_trace(&scene.image, pixels));
    if (scene.settled.joints) joint_marks_draw(frame, &scene.settled, pixels);
    annotation_draw(frame, &scene.settled, &scene.scale, pixels);
    return picture_file_write(path, view->width, view->height, pixels);
}
