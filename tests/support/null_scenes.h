/* NULL arguments of calls on scenes: rows of the table in tests/unit/test_null.c. */
#ifndef SCREE_TESTS_NULL_SCENES_H
#define SCREE_TESTS_NULL_SCENES_H

#include "null_fixture.h"

static void scenes(const fixture *f) {
    scree_scene *out;
    REFUSES(scree_scene_load(NULL, &out));
    REFUSES(scree_scene_load("nowhere", NULL));
    REFUSES(scree_scene_parse(NULL, 1, "text", &out));
    REFUSES(scree_scene_parse("{}", 2, NULL, &out));
    REFUSES(scree_scene_parse("{}", 2, "text", NULL));
    REFUSES(scree_scene_print_schema(NULL));
    REFUSES(scree_scene_build(NULL, f->world, 0));
    REFUSES(scree_scene_build(f->scene, NULL, 0));
    const scree_resume_def resume = scree_default_resume_def();
    REFUSES(scree_scene_resume(NULL, f->world, &resume));
    REFUSES(scree_scene_resume(f->scene, NULL, &resume));
    REFUSES(scree_scene_resume(f->scene, f->world, NULL));
    int stage;
    double begin;
    const scree_statistics statistics = {0};
    REFUSES(scree_scene_get_stage(NULL, &stage, &begin));
    REFUSES(scree_scene_get_stage(f->world, NULL, &begin));
    REFUSES(scree_scene_get_stage(f->world, &stage, NULL));
    bool ended;
    uint64_t steps;
    REFUSES(scree_scene_end_stage(NULL, f->world));
    REFUSES(scree_scene_end_stage(f->scene, NULL));
    REFUSES(scree_scene_stage_has_ended(NULL, f->world, &ended));
    REFUSES(scree_scene_stage_has_ended(f->scene, NULL, &ended));
    REFUSES(scree_scene_stage_has_ended(f->scene, f->world, NULL));
    REFUSES(scree_scene_get_stage_steps(NULL, f->world, &steps));
    REFUSES(scree_scene_get_stage_steps(f->scene, NULL, &steps));
    REFUSES(scree_scene_get_stage_steps(f->scene, f->world, NULL));
    REFUSES(scree_scene_enter_stage(NULL, f->world, 0, &resume));
    REFUSES(scree_scene_enter_stage(f->scene, NULL, 0, &resume));
    REFUSES(scree_scene_enter_stage(f->scene, f->world, 0, NULL));
    REFUSES_WITH(!scree_scene_stage_is_over(NULL, 0, 0, f->world, &statistics));
    REFUSES_WITH(!scree_scene_stage_is_over(f->scene, 0, 0, f->world, NULL));
    TAKES(scree_scene_stage_is_over(f->scene, 0, 0, NULL, &statistics));
    TAKES(scree_scene_get_stage_criterion(f->scene, 0, 0, NULL, &statistics));
    REFUSES_WITH(!scree_scene_get_stage_criterion(NULL, 0, 0, f->world, &statistics));
    REFUSES_WITH(!scree_scene_get_stage_criterion(f->scene, 0, 0, f->world, NULL));
    REFUSES_WITH(scree_scene_generator_count(NULL) == 0);
    REFUSES_WITH(scree_scene_get_size_classes(NULL, 0, 0, NULL, 0) == 0);
    REFUSES_WITH(scree_scene_get_size_classes(f->scene, 0, 0, NULL, 1) == 0);
    char place[8];
    REFUSES_WITH(!scree_scene_get_body_path(NULL, 1, place, sizeof place));
    REFUSES_WITH(!scree_scene_get_body_path(f->world, 1, NULL, 0));
    REFUSES_WITH(scree_scene_stage_count(NULL) == 0);
    REFUSES_WITH(scree_scene_get_stage_name(NULL, 0) == NULL);
    REFUSES_WITH(scree_scene_get_stage_run_def(NULL, 0).seed == 0);
    REFUSES_WITH(scree_scene_get_world_def(NULL).time_step == 0);
    REFUSES_WITH(scree_scene_get_run_def(NULL).seed == 0);
    TAKES(scree_scene_destroy(NULL));
}

#endif
