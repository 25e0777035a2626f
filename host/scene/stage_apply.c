/* Continues a world that was built from an earlier version of the scene. The two versions are compared as
 * JSON, so that messages name a difference by its key; the values come from the two parsed scenes. */
#include "base/memory.h"
#include "stage.h"

static bool same_vector(scree_vec3 a, scree_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static scree_result apply_settings(stage *s) {
    const scree_world_def *now = &s->now->world, *before = &s->before->world;
    scree_solver_def solver = scree_world_get_def(s->world).solver;
    solver_merge(&before->solver, &now->solver, &solver);
    TRY(scree_world_set_solver(s->world, &solver));
    /* A schedule replaces the constant gravity; removing the schedule restores it. */
    if (s->now->gravity_count) {
        if (s->rescheduled)
            TRY(scree_world_set_gravity_schedule(s->world, s->now->gravity, s->now->gravity_count));
    } else if (s->before->gravity_count || !same_vector(now->gravity, before->gravity)) {
        TRY(scree_world_set_gravity(s->world, now->gravity));
    }
    if (now->time_step != before->time_step) TRY(scree_world_set_time_step(s->world, now->time_step));
    return scree_world_set_limits(s->world, now->maximum_bodies, now->maximum_contacts);
}

static bool same_material(const scree_material_def *a, const scree_material_def *b) {
    return a->friction == b->friction && a->restitution == b->restitution && a->density == b->density &&
           a->rolling_friction == b->rolling_friction && a->spinning_friction == b->spinning_friction &&
           a->cohesion == b->cohesion && a->cohesion_distance == b->cohesion_distance &&
           a->stiffness == b->stiffness && a->damping == b->damping;
}

/* Updates existing materials and makes new ones; `ids` gets the ids of the scene's materials. */
static scree_result apply_materials(stage *s, scree_material_id *ids) {
    if (!same_material(&s->now->world.material, &s->before->world.material))
        TRY(scree_material_set_def(s->world, (scree_material_id){0}, &s->now->world.material));
    for (int i = 0; i < s->now->material_count; i++) {
        const scree_material_def *material = &s->now->materials[i].def;
        scree_material_def old;
        ids[i] = record_material(&s->kept, s->now->materials[i].name);
        if (!ids[i].index) {
            TRY(scree_material_create(s->world, material, &ids[i]));
        } else {
            TRY(scree_material_get_def(s->world, ids[i], &old));
            if (!same_material(&old, material)) TRY(scree_material_set_def(s->world, ids[i], material));
        }
    }
    return SCREE_OK;
}

/* Removes the old scene's pairs and sets the new ones. */
static scree_result apply_pairs(stage *s, const scree_material_id *ids) {
    const scree_scene *before = s->before, *now = s->now;
    for (int i = 0; i < before->pair_count; i++) {
        scree_material_id of[2] = {{0}, {0}};
        const int index[2] = {before->pairs[i].a, before->pairs[i].b};
        for (int k = 0; k < 2; k++)
            if (index[k] != MATERIAL_DEFAULT)
                of[k] = record_material(&s->kept, before->materials[index[k]].name);
        TRY(scree_material_clear_pair(s->world, of[0], of[1]));
    }
    for (int i = 0; i < now->pair_count; i++)
        TRY(scree_material_set_pair(s->world, scene_material_id(ids, now->pairs[i].a),
                                    scene_material_id(ids, now->pairs[i].b), &now->pairs[i].contact));
    return SCREE_OK;
}

/* Applies loads, locks and gravity scale of a dynamic body. If locks and gravity scale are unchanged, its
 * contacts keep their impulses. */
static scree_result apply_loads(stage *s, scree_body_id id, const scree_body_def *wanted,
                                const scree_body_def *before) {
    scree_body_def def;
    if (wanted->locks == before->locks && wanted->gravity_scale == before->gravity_scale)
        return same_vector(wanted->force, before->force) && same_vector(wanted->torque, before->torque)
                   ? SCREE_OK
                   : scree_body_set_loads(s->world, id, wanted->force, wanted->torque);
    TRY(scree_body_get_def(s->world, id, &def));
    def.locks = wanted->locks;
    def.gravity_scale = wanted->gravity_scale;
    def.force = wanted->force;
    def.torque = wanted->torque;
    return scree_body_set_def(s->world, id, &def);
}

/* Applies changes of a body that stays: motion, loads, locks, gravity scale. If only the velocity changes,
 * the body's contacts keep their impulses. */
static scree_result apply_body_changes(stage *s, int index) {
    const scree_body_id id = record_body(&s->kept, index);
    const scree_body_def *wanted = &s->now->bodies[index].def, *before = &s->before->bodies[index].def;
    if (wanted->type == SCREE_BODY_DYNAMIC) {
        /* An outlet may have removed it. */
        return scree_body_is_valid(s->world, id) ? apply_loads(s, id, wanted, before) : SCREE_OK;
    }
    const bool same_kind =
        wanted->type == before->type && same_vector(wanted->surface_velocity, before->surface_velocity);
    if (same_kind && same_vector(wanted->state.linear_velocity, before->state.linear_velocity) &&
        same_vector(wanted->state.angular_velocity, before->state.angular_velocity))
        return SCREE_OK;
    scree_body_def def;
    TRY(scree_body_get_def(s->world, id, &def));
    def.type = wanted->type;
    def.surface_velocity = wanted->surface_velocity;
    def.state.linear_velocity = wanted->state.linear_velocity;
    def.state.angular_velocity = wanted->state.angular_velocity;
    return same_kind ? scree_body_set_state(s->world, id, &def.state)
                     : scree_body_set_def(s->world, id, &def);
}

/* Removes or adds the body, and updates its id. */
static scree_result toggle_body(const stage *s, const builder *b, const scene_body *body, scree_body_id *id) {
    if (body->absent) {
        if (scree_body_is_valid(s->world, *id)) TRY(scree_body_destroy(s->world, *id));
        *id = (scree_body_id){0};
        return SCREE_OK;
    }
    scree_body_def def = body->def;
    def.material = scene_material_id(b->materials, body->material);
    return scree_body_create(s->world, &def, id);
}

static scree_result apply_presence(stage *s, const builder *b) {
    for (int i = 0; i < s->before->body_count; i++) {
        if (!s->presence_changed[SCENE_BODIES][i]) continue;
        scree_body_id id = record_body(&s->kept, i);
        TRY(toggle_body(s, b, &s->now->bodies[i], &id));
        record_replace_body(&s->kept, i, id);
    }
    for (int i = 0; i < s->before->container_count; i++) {
        if (!s->presence_changed[SCENE_CONTAINERS][i]) continue;
        scene_body walls[CONTAINER_WALLS_MOST];
        scree_body_id ids[CONTAINER_WALLS_MOST];
        const int count = container_walls(&s->now->containers[i], walls);
        if (record_walls(&s->kept, i, ids) != count)
            return fail(SCREE_ERROR_FORMAT, "the record of containers[%d] is damaged", i);
        for (int k = 0; k < count; k++) TRY(toggle_body(s, b, &walls[k], &ids[k]));
        record_replace_walls(&s->kept, i, ids, count);
    }
    return SCREE_OK;
}

/* A joint disappears with either of its bodies and reappears with the last of them, at their current poses.
 * An outlet may have removed the other body. */
static scree_result apply_joint(stage *s, int index) {
    const scene_joint *of = &s->now->joints[index];
    const bool *presence_changed = s->presence_changed[SCENE_BODIES];
    scree_body_id ids[2];
    const bool comes = (of->a != JOINT_WORLD && presence_changed[of->a]) ||
                       (of->b != JOINT_WORLD && presence_changed[of->b]);
    return comes && joint_find_bodies(s->now, s->world, &s->kept, of, ids)
               ? joint_build(s->world, of, ids[0], ids[1])
               : SCREE_OK;
}

static scree_result apply_joints(stage *s) {
    for (int i = 0; i < s->before->joint_count; i++)
        TRY(scene_entry_fail(s->scene, SCENE_JOINTS, i, apply_joint(s, i)));
    return SCREE_OK;
}

static scree_result apply_flows(stage *s, const builder *b) {
    for (int i = 0; i < s->before->inlet_count; i++)
        if (s->differs[SCENE_INLETS][i])
            TRY(inlet_build(s->world, &s->now->inlets[i], b->materials,
                            record_inlet_seed(&s->kept, i, b->seed), i, record_inlet(&s->kept, i), NULL));
    for (int i = 0; i < s->before->outlet_count; i++)
        if (s->differs[SCENE_OUTLETS][i])
            TRY(scree_outlet_set_def(s->world, record_outlet(&s->kept, i), &s->now->outlets[i]));
    return SCREE_OK;
}

/* Begins the record of this stage: materials of all stages and the current list of bodies. */
static scree_result begin_record(const stage *s, record *next) {
    TRY(record_make(s->now, s->world, next));
    record_keep_stage(next, s->enters < 0 ? s->kept.stage : s->enters,
                      s->enters < 0 ? s->kept.stage_time : scree_world_get_time(s->world));
    record_keep_end(next, s->enters < 0 ? s->kept.ended : NULL);
    next->failed |= s->kept.failed || json_object_update(next->materials, s->kept.materials) ||
                    (s->kept.generated && json_object_set(next->json, "generated", s->kept.generated));
    for (int i = 0; i < RECORD_LISTS; i++)
        next->failed |= json_array_extend(next->lists[i], s->kept.lists[i]) != 0;
    next->generated = json_object_get(next->json, "generated");
    return SCREE_OK;
}

static scree_result apply(stage *s, builder *b) {
    SCOPED_RECORD next = {0};
    TRY(apply_settings(s));
    TRY(apply_materials(s, b->materials));
    TRY(apply_pairs(s, b->materials));
    for (int i = 0; i < s->before->body_count; i++)
        if (s->differs[SCENE_BODIES][i] && !s->now->bodies[i].absent && !s->presence_changed[SCENE_BODIES][i])
            TRY(apply_body_changes(s, i));
    TRY(apply_presence(s, b));
    TRY(apply_joints(s));
    for (int i = 0; i < s->before->kinematic_group_count; i++)
        if (s->differs[SCENE_GROUPS][i])
            TRY(scree_kinematic_group_set_motions(s->world, record_kinematic_group(&s->kept, i),
                                                  s->now->kinematic_groups[i].motions,
                                                  s->now->kinematic_groups[i].motion_count));
    TRY(apply_flows(s, b));
    TRY(begin_record(s, &next));
    b->record = &next;
    return builder_make(b, s->differs[SCENE_MEASUREMENTS]);
}

/* Reads the world's record, and finds the scene of the stage that the world is in or enters. */
static scree_result find_scenes(stage *s, scree_scene **before) {
    TRY(record_read(s->world, &s->kept));
    TRY(scene_make_effective(s->kept.name, s->scene->source.name, s->kept.scene, NULL, before));
    s->before = *before;
    const int stage_now = s->enters < 0 ? s->kept.stage : s->enters;
    TRY(stage_check(s->scene, stage_now));
    s->now = scene_at_stage(s->scene, stage_now);
    return SCREE_OK;
}

static scree_result compare_and_apply(stage *s, scree_scene **before) {
    TRY(find_scenes(s, before));
    SCOPED_BUILDER b = {.scene = s->now, .world = s->world, .seed = s->def->seed};
    for (scene_list list = 0; list < SCENE_LISTS; list++) b.first[list] = scene_list_count(s->before, list);
    b.materials = memory_allocate((size_t)s->now->material_count, sizeof *b.materials);
    if (!b.materials) return fail(SCREE_ERROR_MEMORY, "out of memory for a stage");
    TRY(stage_reserve(s));
    for (int pass = 0; pass < 2; pass++) {
        s->reporting = pass;
        TRY(stage_compare(s));
    }
    return apply(s, &b);
}

static scree_result transition(const scree_scene *scene, scree_world *world, const scree_resume_def *def,
                               int enters) {
    SCOPED_STAGE s = {.scene = scene, .world = world, .def = def, .enters = enters};
    scree_scene *before = NULL;
    const scree_result result = compare_and_apply(&s, &before);
    scree_scene_destroy(before);
    record_release(&s.kept);
    return result;
}

scree_result stage_compare_scenes(const scree_scene *scene, int index) {
    const scree_scene *before = scene_at_stage(scene, index - 1);
    const scree_resume_def def = {.add = true};
    SCOPED_STAGE s = {.scene = scene,
                      .now = scene_at_stage(scene, index),
                      .before = before,
                      .def = &def,
                      .kept = {.name = before->source.name, .scene = before->root},
                      .enters = index};
    TRY(stage_reserve(&s));
    return stage_compare(&s);
}

scree_resume_def scree_default_resume_def(void) { return (scree_resume_def){0}; }

scree_result scree_scene_resume(const scree_scene *scene, scree_world *world, const scree_resume_def *def) {
    REQUIRE(scene);
    REQUIRE(world);
    REQUIRE(def);
    return transition(scene, world, def, -1);
}

scree_result scree_scene_enter_stage(const scree_scene *scene, scree_world *world, int stage_index,
                                     const scree_resume_def *def) {
    REQUIRE(scene);
    REQUIRE(world);
    REQUIRE(def);
    if (stage_index < 0 || stage_index >= scene->stage_count)
        return fail(SCREE_ERROR_ARGUMENT, "stage: %d; must be 0 to %d", stage_index, scene->stage_count - 1);
    scree_resume_def adding = *def;
    adding.add = true;
    return transition(scene, world, &adding, stage_index);
}
