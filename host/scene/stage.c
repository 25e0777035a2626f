/* A stage of an experiment: goes on from a world that was built from an earlier text of the scene. The two
 * texts are compared as JSON, so that what differs is named by its key; the numbers are taken from the two
 * scenes as read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene.h"

enum { SENTENCE = 1024, VALUE = 64 };

typedef struct stage {
    const scree_scene *now;
    scree_scene *before;
    scree_world *world;
    const scree_resume_def *def;
    record kept;  /* of the stages before */
    bool telling; /* the second time through, when nothing is refused */
    int refusals;
    int additions;               /* those of them that --add would lift */
    char first[SENTENCE];        /* the first refusal, of another kind if there is one */
    bool *moved;                 /* by listed body: its motion differs */
    bool *turned, *walls_turned; /* by listed body, by container: it comes or goes */
    int enters;                  /* the stage that begins now, −1: it goes on */
    bool *steered;               /* by assembly: its motions differ */
    bool rescheduled;            /* gravity's keys differ */
} stage;

/* What to do about a difference. Where a key is new, `before` is null; where it is gone, now->value is. */
typedef void difference(stage *s, const scene_node *now, json_t *before);

/* What --add would lift gives way to what nothing does, so that no advice is given in vain. */
static void keep_refusal(stage *s, bool addable) {
    if (!s->refusals || (!addable && s->refusals == s->additions))
        snprintf(s->first, sizeof s->first, "%s", scree_error_message());
    s->refusals++;
    s->additions += addable;
}

static void refuse(stage *s, scree_result failed) {
    (void)failed; /* its sentence is what counts */
    keep_refusal(s, false);
}

static void refuse_new(stage *s, scree_result failed) {
    (void)failed;
    keep_refusal(s, true);
}

/* A value as the file has it, cut to some width. */
static const char *value_text(const json_t *value, const char *absent, char out[VALUE]) {
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
    const bool cut = text && strlen(text) > 40;
    snprintf(out, VALUE, "%.40s%s", text ? text : absent, cut ? " …" : "");
    free(text);
    return out;
}

static void take(stage *s, const scene_node *now, json_t *before) {
    char old[VALUE], new[VALUE], path[NODE_PATH], sentence[SENTENCE];
    if (!s->telling || !s->def->tell) return;
    snprintf(sentence, sizeof sentence, "%s: %s, now %s", node_path(now, path),
             value_text(before, "left out", old), value_text(now->value, "left out", new));
    s->def->tell(s->def->context, sentence);
}

static void keep_out(stage *s, const scene_node *now, json_t *before) {
    char old[VALUE], new[VALUE];
    refuse(s,
           node_fail(
               now, "%s, but %s in the scene of the checkpoint (%.80s): this cannot change between stages",
               value_text(now->value, "left out", new), value_text(before, "left out", old), s->kept.name));
}

/* 1 and 1.0 are equal; so are objects that differ in their descriptions. */
static bool same(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    return a && b && json_equal(a, b);
}

static bool is_description(const char *key, const json_t *value) {
    return !strcmp(key, "description") && json_is_string(value);
}

static bool alike_arrays(const json_t *a, const json_t *b) {
    return json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b) &&
           json_is_object(json_array_get(a, 0));
}

/* Calls `found` for the deepest keys that differ; arrays of numbers are looked at as a whole. */
static void compare(stage *s, const scene_node *now, json_t *before, difference *found) {
    const char *key;
    json_t *value;
    if (!now->value && !before) return;
    if (json_is_object(now->value) && json_is_object(before)) {
        json_object_foreach(now->value, key, value) {
            const scene_node member = node_member(now, key);
            if (!is_description(key, value)) compare(s, &member, json_object_get(before, key), found);
        }
        json_object_foreach(before, key, value) {
            const scene_node member = node_member(now, key);
            if (!member.value && !is_description(key, value)) found(s, &member, value);
        }
    } else if (alike_arrays(now->value, before)) {
        for (size_t i = 0; i < json_array_size(before); ++i) {
            const scene_node element = node_element(now, i);
            compare(s, &element, json_array_get(before, i), found);
        }
    } else if (json_is_array(now->value) && json_is_array(before) &&
               json_array_size(now->value) == json_array_size(before)) {
        for (size_t i = 0; i < json_array_size(before); ++i)
            if (!same(json_array_get(now->value, i), json_array_get(before, i))) {
                found(s, now, before);
                return;
            }
    } else if (!same(now->value, before)) {
        found(s, now, before);
    }
}

static void compare_taken(stage *s, const scene_node *now, json_t *before) { compare(s, now, before, take); }
static void compare_fixed(stage *s, const scene_node *now, json_t *before) {
    compare(s, now, before, keep_out);
}

/* Shapes that are used by name only matter where they are used: new ones, and unused ones that are gone, do
 * not. */
static void compare_shapes(stage *s, const scene_node *now, json_t *before) {
    const char *name;
    json_t *value;
    json_object_foreach(before, name, value) {
        const scene_node member = node_member(now, name);
        if (member.value) compare(s, &member, value, keep_out);
    }
}

/* Friction and the like are looked up at every step; masses were made from the densities. */
static void compare_densities(stage *s, const scene_node *materials) {
    const scene_node fallback = node_member(materials, "default");
    if (s->now->world.material.density != s->before->world.material.density) {
        const scene_node density = node_member(&fallback, "density");
        keep_out(s, &density,
                 json_object_get(json_object_get(json_object_get(s->kept.scene, "materials"), "default"),
                                 "density"));
    }
    const char *name;
    json_t *value;
    int index = 0;
    json_object_foreach(materials->value, name, value) {
        if (!strcmp(name, "default")) continue;
        const scene_node material = node_member(materials, name), density = node_member(&material, "density");
        const scree_material_id id = record_material(&s->kept, name);
        scree_material_def old;
        if (id.index && scree_material_get(s->world, id, &old) == SCREE_OK &&
            old.density != s->now->materials[index].density) {
            json_t *was = json_real((double)old.density);
            keep_out(s, &density, was);
            json_decref(was);
        }
        index++;
    }
}

static void compare_materials(stage *s, const scene_node *now, json_t *before) {
    compare(s, now, before, take);
    compare_densities(s, now);
}

static bool is_still(const scene_body *body) { return body->def.type != SCREE_BODY_DYNAMIC; }

/* What else differs is refused; ends the two copies. */
static void compare_rest(stage *s, const scene_node *now, json_t *rest_now, json_t *rest_before) {
    const scene_node rest = {now->source, rest_now, now->parent, now->key, now->index};
    compare(s, &rest, rest_before, keep_out);
    json_decref(rest_now);
    json_decref(rest_before);
}

/* Takes a change of "absent" over, and out of what is compared else. What comes back is in no assembly. */
static void compare_absence(stage *s, const scene_node *now, const json_t *before, json_t *rest_now,
                            json_t *rest_before, bool *turned, int assembly) {
    const scene_node member = node_member(now, "absent");
    json_t *old = json_object_get(before, "absent");
    json_object_del(rest_now, "absent"), json_object_del(rest_before, "absent");
    if (json_is_true(member.value) == json_is_true(old)) return;
    if (assembly != ASSEMBLY_NONE && !json_is_true(member.value)) {
        refuse(s, node_fail(&member, "it is in assemblies[%d]: expected what comes back in none", assembly));
        return;
    }
    take(s, &member, old);
    *turned = true;
}

/* Of a body that forces do not move, the motion may change, and whether it has one. */
static void compare_body(stage *s, const scene_node *now, json_t *before, size_t index) {
    const bool still = is_still(&s->now->bodies[index]) && is_still(&s->before->bodies[index]);
    static const char *const motion[] = {"linear_velocity", "angular_velocity", "type"};
    json_t *rest_now = json_copy(now->value), *rest_before = json_copy(before);
    compare_absence(s, now, before, rest_now, rest_before, &s->turned[index], s->now->bodies[index].assembly);
    for (int k = 0; k < 3 && still; ++k) {
        const scene_node member = node_member(now, motion[k]);
        json_t *old = json_object_get(before, motion[k]);
        if (!member.value && !old) continue;
        compare(s, &member, old, take);
        s->moved[index] = true; /* or the same as before, which changes nothing */
        json_object_del(rest_now, motion[k]);
        json_object_del(rest_before, motion[k]);
    }
    compare_rest(s, now, rest_now, rest_before);
}

/* A container may come and go. */
static void compare_container(stage *s, const scene_node *now, json_t *before, size_t index) {
    json_t *rest_now = json_copy(now->value), *rest_before = json_copy(before);
    compare_absence(s, now, before, rest_now, rest_before, &s->walls_turned[index],
                    s->now->containers[index].assembly);
    compare_rest(s, now, rest_now, rest_before);
}

static void compare_entry(stage *s, const scene_node *now, json_t *before, size_t index) {
    (void)index;
    compare(s, now, before, keep_out);
}

/* Lists grow at their ends. */
static void compare_list(stage *s, const scene_node *now, json_t *before,
                         void (*entry)(stage *, const scene_node *, json_t *, size_t)) {
    const size_t count = json_array_size(now->value), built = json_array_size(before);
    if (count < built) {
        refuse(s,
               node_fail(now,
                         "%zu of them, but %zu in the scene of the checkpoint (%.80s): what was built stays",
                         count, built, s->kept.name));
        return;
    }
    for (size_t i = 0; i < built; ++i) {
        const scene_node element = node_element(now, i);
        entry(s, &element, json_array_get(before, i), i);
    }
    for (size_t i = built; i < count; ++i) {
        const scene_node element = node_element(now, i);
        if (s->def->add)
            take(s, &element, NULL);
        else
            refuse_new(s,
                       node_fail(&element, "new since the checkpoint (%.80s): --add adds it", s->kept.name));
    }
}

static void compare_entries(stage *s, const scene_node *now, json_t *before) {
    compare_list(s, now, before, compare_entry);
}
static void compare_containers(stage *s, const scene_node *now, json_t *before) {
    compare_list(s, now, before, compare_container);
}
static void compare_bodies(stage *s, const scene_node *now, json_t *before) {
    compare_list(s, now, before, compare_body);
}

/* Of an assembly the motions may change. */
static void compare_assembly(stage *s, const scene_node *now, json_t *before, size_t index) {
    json_t *rest_now = json_copy(now->value), *rest_before = json_copy(before);
    const scene_node motions = node_member(now, "motions");
    json_t *old = json_object_get(before, "motions");
    if (!json_equal(motions.value, old)) {
        take(s, &motions, old);
        s->steered[index] = true;
    }
    json_object_del(rest_now, "motions"), json_object_del(rest_before, "motions");
    compare_rest(s, now, rest_now, rest_before);
}

static void compare_assemblies(stage *s, const scene_node *now, json_t *before) {
    compare_list(s, now, before, compare_assembly);
}

static void compare_schedule(stage *s, const scene_node *now, json_t *before) {
    if (json_equal(now->value, before)) return;
    take(s, now, before);
    s->rescheduled = true;
}

/* What a key that is not here changes cannot be told: it stays as it was. */
static const struct {
    const char *key;
    difference *compare;
} rules[] = {
    {"gravity", compare_taken},
    {"time_step", compare_taken},
    {"solver", compare_taken},
    {"backend", compare_taken},
    {"run", compare_taken},
    {"outputs", compare_taken},
    {"materials", compare_materials},
    {"material_pairs", compare_taken},
    {"shapes", compare_shapes},
    {"containers", compare_containers},
    {"bodies", compare_bodies},
    {"generators", compare_entries},
    {"assemblies", compare_assemblies},
    {"gravity_schedule", compare_schedule},
    {"inlets", compare_entries},
    {"outlets", compare_entries},
    {"measurements", compare_entries},
};
enum { RULES = sizeof rules / sizeof *rules };

static void compare_key(stage *s, const char *key) {
    const scene_node root = {&s->now->source, s->now->root, NULL, NULL, 0}, member = node_member(&root, key);
    int i = 0;
    while (i < RULES && strcmp(rules[i].key, key)) i++;
    (i < RULES ? rules[i].compare : compare_fixed)(s, &member, json_object_get(s->kept.scene, key));
}

static scree_result compare_scenes(stage *s) {
    const char *key;
    json_t *value;
    json_object_foreach(s->now->root, key, value) if (!is_description(key, value)) compare_key(s, key);
    json_object_foreach(s->kept.scene, key, value) {
        if (!json_object_get(s->now->root, key) && !is_description(key, value)) compare_key(s, key);
    }
    if (!s->refusals) return SCREE_OK;
    if (s->refusals == 1) return fail(SCREE_ERROR_FORMAT, "%s", s->first);
    return fail(SCREE_ERROR_FORMAT, "%s; and %d more", s->first, s->refusals - 1);
}

static bool same_vector(scree_vec3 a, scree_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static scree_result apply_settings(stage *s) {
    const scree_world_def *now = &s->now->world, *before = &s->before->world;
    scree_solver_def solver = scree_world_get(s->world).solver;
    solver_merge(&before->solver, &now->solver, &solver);
    TRY(scree_world_solver_set(s->world, &solver));
    /* A schedule stands in place of the constant; where one is taken out, the constant holds again. */
    if (s->now->gravity_count) {
        if (s->rescheduled)
            TRY(scree_world_gravity_schedule_set(s->world, s->now->gravity, s->now->gravity_count));
    } else if (s->before->gravity_count || !same_vector(now->gravity, before->gravity)) {
        TRY(scree_world_gravity_set(s->world, now->gravity));
    }
    if (now->time_step != before->time_step) TRY(scree_world_time_step_set(s->world, now->time_step));
    return scree_world_limits_set(s->world, now->maximum_bodies, now->maximum_contacts);
}

static bool same_material(const scree_material_def *a, const scree_material_def *b) {
    return a->friction == b->friction && a->restitution == b->restitution && a->density == b->density &&
           a->rolling_friction == b->rolling_friction && a->spinning_friction == b->spinning_friction &&
           a->cohesion == b->cohesion && a->cohesion_distance == b->cohesion_distance;
}

/* Changes the materials that the world has and makes the new ones; `ids` are those of the scene. */
static scree_result apply_materials(stage *s, scree_material_id *ids, const char **names) {
    if (!same_material(&s->now->world.material, &s->before->world.material))
        TRY(scree_material_set(s->world, (scree_material_id){0}, &s->now->world.material));
    scene_material_names(s->now, names);
    for (int i = 0; i < s->now->material_count; ++i) {
        const scree_material_def *material = &s->now->materials[i];
        scree_material_def old;
        ids[i] = record_material(&s->kept, names[i]);
        if (!ids[i].index) {
            TRY(scree_material_create(s->world, material, &ids[i]));
        } else {
            TRY(scree_material_get(s->world, ids[i], &old));
            if (!same_material(&old, material)) TRY(scree_material_set(s->world, ids[i], material));
        }
    }
    return SCREE_OK;
}

/* The pairs of the scene before go, those of the scene now come. */
static scree_result apply_pairs(stage *s, const scree_material_id *ids, const char **names) {
    const scree_scene *before = s->before, *now = s->now;
    scene_material_names(before, names);
    for (int i = 0; i < before->pair_count; ++i) {
        scree_material_id of[2] = {{0}, {0}};
        const int index[2] = {before->pairs[i].a, before->pairs[i].b};
        for (int k = 0; k < 2; ++k)
            if (index[k] != MATERIAL_DEFAULT) of[k] = record_material(&s->kept, names[index[k]]);
        TRY(scree_material_pair_unset(s->world, of[0], of[1]));
    }
    for (int i = 0; i < now->pair_count; ++i)
        TRY(scree_material_pair_set(s->world, scene_material_id(ids, now->pairs[i].a),
                                    scene_material_id(ids, now->pairs[i].b), &now->pairs[i].contact));
    return SCREE_OK;
}

/* A body that only moves otherwise keeps its contacts' impulses. */
static scree_result apply_motion(stage *s, int index) {
    const scree_body_id id = record_body(&s->kept, index);
    const scree_body_def *wanted = &s->now->bodies[index].def, *before = &s->before->bodies[index].def;
    const bool same_type = wanted->type == before->type;
    if (same_type && same_vector(wanted->state.linear_velocity, before->state.linear_velocity) &&
        same_vector(wanted->state.angular_velocity, before->state.angular_velocity))
        return SCREE_OK;
    scree_body_def def;
    TRY(scree_body_get(s->world, id, &def));
    def.type = wanted->type;
    def.state.linear_velocity = wanted->state.linear_velocity;
    def.state.angular_velocity = wanted->state.angular_velocity;
    return same_type ? scree_body_state_set(s->world, id, &def.state) : scree_body_set(s->world, id, &def);
}

/* Takes what is there out, or puts in what is to be there, and keeps its id. */
static scree_result turn(const stage *s, const builder *b, const scene_body *body, scree_body_id *id) {
    if (body->absent) {
        if (scree_body_is_valid(s->world, *id)) TRY(scree_body_destroy(s->world, *id));
        *id = (scree_body_id){0};
        return SCREE_OK;
    }
    scree_body_def def = body->def;
    def.material = scene_material_id(b->materials, body->material);
    return scree_body_create(s->world, &def, id);
}

static scree_result apply_absence(stage *s, const builder *b) {
    for (int i = 0; i < s->before->body_count; ++i) {
        if (!s->turned[i]) continue;
        scree_body_id id = record_body(&s->kept, i);
        TRY(turn(s, b, &s->now->bodies[i], &id));
        TRY(record_replace_body(&s->kept, i, id));
    }
    for (int i = 0; i < s->before->container_count; ++i) {
        if (!s->walls_turned[i]) continue;
        scene_body walls[CONTAINER_WALLS_MOST];
        scree_body_id ids[CONTAINER_WALLS_MOST];
        const int count = container_walls(&s->now->containers[i], walls);
        if (record_walls(&s->kept, i, ids) != count)
            return fail(SCREE_ERROR_FORMAT, "the record of containers[%d] is damaged", i);
        for (int k = 0; k < count; ++k) TRY(turn(s, b, &walls[k], &ids[k]));
        TRY(record_replace_walls(&s->kept, i, ids, count));
    }
    return SCREE_OK;
}

/* The record of this stage: materials of all stages, and the bodies of the list as it is now. */
static scree_result remember(const stage *s, const builder *b, const char **names, record *next) {
    TRY(record_make(s->now, next));
    TRY(record_keep_stage(next, s->enters < 0 ? s->kept.stage : s->enters,
                          s->enters < 0 ? s->kept.stage_time : scree_world_time(s->world)));
    TRY(record_keep_end(next, s->enters < 0 ? s->kept.ended : NULL));
    if (json_object_update(next->materials, s->kept.materials) ||
        json_array_extend(next->bodies, s->kept.bodies) || json_array_extend(next->walls, s->kept.walls) ||
        json_array_extend(next->assemblies, s->kept.assemblies))
        return fail(SCREE_ERROR_MEMORY, "out of memory for what a world remembers of its scene");
    scene_material_names(s->now, names);
    for (int i = 0; i < s->now->material_count; ++i)
        TRY(record_keep_material(next, names[i], b->materials[i]));
    TRY(builder_remember(b, next));
    TRY(measurements_give(s->now, s->world, next));
    return record_write(next, s->world);
}

static scree_result apply(stage *s, builder *b, const char **names) {
    record next = {0};
    TRY(apply_settings(s));
    TRY(apply_materials(s, b->materials, names));
    TRY(apply_pairs(s, b->materials, names));
    for (int i = 0; i < s->before->body_count; ++i)
        if (s->moved[i] && !s->now->bodies[i].absent && !s->turned[i]) TRY(apply_motion(s, i));
    TRY(apply_absence(s, b));
    for (int i = 0; i < s->before->assembly_count; ++i)
        if (s->steered[i])
            TRY(scree_assembly_motions_set(s->world, record_assembly(&s->kept, i),
                                           s->now->assemblies[i].motions,
                                           s->now->assemblies[i].motion_count));
    TRY(builder_make(b));
    const scree_result result = remember(s, b, names, &next);
    record_release(&next);
    if (result != SCREE_OK) builder_undo(b);
    return result;
}

/* Reads what the world remembers; the text is one that was a scene when it was kept. */
static scree_result read_before(stage *s) {
    TRY(record_read(s->world, &s->kept));
    char *text = json_dumps(s->kept.scene, JSON_COMPACT);
    if (!text) return fail(SCREE_ERROR_MEMORY, "out of memory for the scene of a checkpoint");
    const scree_result result = scree_scene_parse(text, strlen(text), s->kept.name, &s->before);
    free(text);
    return result;
}

/* The scene as the stage has it that the world is in, or that it enters. */
static scree_result find_stage(stage *s, const scree_scene *scene) {
    const int stage_now = s->enters < 0 ? s->kept.stage : s->enters;
    TRY(stage_check(scene, stage_now));
    s->now = scene_at_stage(scene, stage_now);
    return SCREE_OK;
}

static scree_result go_on(stage *s, const scree_scene *scene) {
    TRY(read_before(s));
    TRY(find_stage(s, scene));
    const size_t materials = (size_t)s->now->material_count + (size_t)s->before->material_count;
    builder b = {.scene = s->now,
                 .world = s->world,
                 .seed = s->def->seed,
                 .first_container = s->before->container_count,
                 .first_body = s->before->body_count,
                 .first_generator = s->before->generator_count,
                 .first_joint = s->now->joint_count,
                 .first_assembly = s->before->assembly_count,
                 .first_inlet = s->before->inlet_count,
                 .first_outlet = s->before->outlet_count,
                 .kept = &s->kept};
    s->moved = memory_allocate((size_t)s->before->body_count, sizeof *s->moved);
    s->turned = memory_allocate((size_t)s->before->body_count, sizeof *s->turned);
    s->walls_turned = memory_allocate((size_t)s->before->container_count, sizeof *s->walls_turned);
    s->steered = memory_allocate((size_t)s->before->assembly_count, sizeof *s->steered);
    b.materials = memory_allocate(materials, sizeof *b.materials);
    const char **names = memory_allocate(materials, sizeof *names);
    scree_result result = SCREE_OK;
    if (!s->moved || !s->turned || !s->walls_turned || !s->steered || !b.materials || !names)
        result = fail(SCREE_ERROR_MEMORY, "out of memory for a stage");
    for (int pass = 0; pass < 2 && result == SCREE_OK; ++pass) {
        s->telling = pass;
        result = compare_scenes(s);
    }
    if (result == SCREE_OK) result = apply(s, &b, names);
    builder_release(&b);
    memory_release(names);
    memory_release(b.materials);
    memory_release(s->moved);
    memory_release(s->turned);
    memory_release(s->walls_turned);
    memory_release(s->steered);
    return result;
}

static scree_result change(const scree_scene *scene, scree_world *world, const scree_resume_def *def,
                           int enters) {
    stage s = {.world = world, .def = def, .enters = enters};
    const scree_result result = go_on(&s, scene);
    scree_scene_destroy(s.before);
    record_release(&s.kept);
    return result;
}

scree_resume_def scree_default_resume_def(void) { return (scree_resume_def){0}; }

scree_result scree_scene_resume(const scree_scene *scene, scree_world *world, const scree_resume_def *def) {
    if (!scene || !world || !def)
        return fail(SCREE_ERROR_ARGUMENT, "a stage needs a scene, a world and a definition");
    return change(scene, world, def, -1);
}

scree_result scree_scene_stage_enter(const scree_scene *scene, scree_world *world, int stage_index,
                                     const scree_resume_def *def) {
    REQUIRE(scene);
    REQUIRE(world);
    REQUIRE(def);
    if (stage_index < 0 || stage_index >= scene->stage_count)
        return fail(SCREE_ERROR_ARGUMENT, "stage is %d, expected 0 to %d", stage_index,
                    scene->stage_count - 1);
    scree_resume_def adding = *def;
    adding.add = true;
    return change(scene, world, &adding, stage_index);
}
