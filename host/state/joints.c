#include "joints.h"

#include "base/handle_table.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int joint_place(const joint_array *joints, scree_joint_id id) {
    const handle_table all = {joints->world, joints->count, joints->generations, sizeof *joints->generations};
    return handle_find(all, id.index, id.generation, id.world);
}

scree_joint_id joint_id_of(const joint_array *joints, int place) {
    return (scree_joint_id){(uint32_t)place + 1, joints->generations[place], joints->world};
}

scree_result joints_reserve(joint_array *joints, int count, int slots) {
    TRY(MEMORY_RESERVE(joints->defs, joints->def_capacity, count, NULL));
    TRY(MEMORY_RESERVE(joints->states, joints->state_capacity, count, NULL));
    TRY(MEMORY_RESERVE(joints->next, joints->next_capacity, count, NULL));
    TRY(MEMORY_RESERVE(joints->generations, joints->generation_capacity, count, NULL));
    TRY(MEMORY_RESERVE(joints->sides, joints->side_capacity, 2 * count, NULL));
    TRY(MEMORY_RESERVE(joints->first_side, joints->first_capacity, slots, NULL));
    return MEMORY_RESERVE(joints->free_places, joints->free_capacity, count, NULL);
}

/* Returns the head of the list that a side belongs to; null for the world's side. */
static int *list_of(joint_array *joints, int side) {
    const scree_joint_def *def = &joints->defs[side / 2];
    const uint32_t index = side % 2 ? def->b.index : def->a.index;
    return index ? &joints->first_side[index - 1] : NULL;
}

static void enter(joint_array *joints, int side) {
    int *const head = list_of(joints, side);
    if (!head) return;
    joints->sides[side] = (joint_end){.next = *head};
    if (*head) joints->sides[*head - 1].previous = side + 1;
    *head = side + 1;
}

static void leave(joint_array *joints, int side) {
    int *const head = list_of(joints, side);
    const joint_end at = joints->sides[side];
    if (!head) return;
    *(at.previous ? &joints->sides[at.previous - 1].next : head) = at.next;
    if (at.next) joints->sides[at.next - 1].previous = at.previous;
}

static void enter_both(joint_array *joints, int place) {
    enter(joints, 2 * place);
    enter(joints, 2 * place + 1);
}

static void leave_both(joint_array *joints, int place) {
    leave(joints, 2 * place);
    leave(joints, 2 * place + 1);
}

scree_result joints_add(joint_array *joints, const scree_joint_def *def, int slots, int *place) {
    TRY(joints_reserve(joints, joints->count + 1, slots));
    *place = joints->free_count > 0 ? joints->free_places[--joints->free_count] : joints->count++;
    joints->generations[*place]++;
    joints->defs[*place] = *def;
    joints->states[*place] = (joint_state){.colour = -1};
    enter_both(joints, *place);
    joints->living++;
    joints->changed = true;
    return SCREE_OK;
}

scree_result joints_change(joint_array *joints, int place, const scree_joint_def *def, int slots) {
    TRY(joints_reserve(joints, joints->count, slots));
    leave_both(joints, place);
    joints->defs[place] = *def;
    joints->states[place] = (joint_state){.colour = -1};
    enter_both(joints, place);
    joints->changed = true;
    return SCREE_OK;
}

void joints_list(joint_array *joints) {
    for (int i = 0; i < joints->count; i++)
        if (joint_is_alive(joints, i)) enter_both(joints, i);
}

void joints_remove(joint_array *joints, int place) {
    leave_both(joints, place);
    joints->generations[place]++;
    joints->defs[place] = (scree_joint_def){.collide = false};
    joints->states[place] = (joint_state){.colour = -1};
    joints->free_places[joints->free_count++] = place;
    joints->living--;
    joints->changed = true;
}

static int ascending(const void *one, const void *other) {
    const int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

/* Lists are in the order of past calls, which a checkpoint does not restore. Free places must not depend
 * on it, since later joints take them in that order. */
void joints_remove_of(joint_array *joints, int slot) {
    const int before = joints->free_count;
    if (slot >= joints->first_capacity) return;
    while (joints->first_side[slot]) joints_remove(joints, (joints->first_side[slot] - 1) / 2);
    if (joints->free_count - before > 1)
        qsort(joints->free_places + before, (size_t)(joints->free_count - before), sizeof(int), ascending);
}

static int by_slots(const void *left, const void *right) {
    const joint_link *one = left, *other = right;
    if (one->a != other->a) return one->a < other->a ? -1 : 1;
    if (one->b != other->b) return one->b < other->b ? -1 : 1;
    return one->joint < other->joint ? -1 : 1;
}

static joint_link link_of(const joint_array *joints, int place) {
    const scree_joint_def *def = &joints->defs[place];
    const int a = def->a.index ? (int)def->a.index - 1 : JOINT_GROUND,
              b = def->b.index ? (int)def->b.index - 1 : JOINT_GROUND;
    return (joint_link){.a = a < b ? a : b, .b = a < b ? b : a, .joint = place, .swapped = b < a};
}

/* One joint that forbids contact suffices for its pair. */
static scree_result keep_apart(const joint_array *joints, body_array *bodies) {
    TRY(MEMORY_RESERVE(bodies->apart, bodies->apart_capacity, joints->link_count, NULL));
    bodies->apart_count = 0;
    bodies->definitions++;
    for (int i = 0; i < joints->link_count; i++) {
        const joint_link *link = &joints->links[i];
        const slot_pair *last = bodies->apart_count ? &bodies->apart[bodies->apart_count - 1] : NULL;
        if (joints->defs[link->joint].collide || link->b == JOINT_GROUND) continue;
        if (last && last->a == link->a && last->b == link->b) continue;
        bodies->apart[bodies->apart_count++] = (slot_pair){link->a, link->b};
    }
    return SCREE_OK;
}

scree_result joints_order(joint_array *joints, body_array *bodies) {
    if (!joints->changed) return SCREE_OK;
    TRY(MEMORY_RESERVE(joints->links, joints->link_capacity, joints->living, NULL));
    joints->link_count = 0;
    for (int i = 0; i < joints->count; i++)
        if (joint_is_alive(joints, i) && !joints->states[i].broken)
            joints->links[joints->link_count++] = link_of(joints, i);
    if (joints->link_count > 0)
        qsort(joints->links, (size_t)joints->link_count, sizeof *joints->links, by_slots);
    TRY(keep_apart(joints, bodies));
    joints->changed = false;
    return SCREE_OK;
}

bool joints_grounded(const joint_array *joints) {
    for (int i = 0; i < joints->link_count; i++)
        if (joints->links[i].b == JOINT_GROUND) return true;
    return false;
}

void joints_scale(joint_array *joints, scalar factor) {
    for (int i = 0; i < joints->count; i++)
        for (int k = 0; k < JOINT_BLOCKS; k++) {
            joint_state *state = &joints->states[i];
            state->impulses[k] = glms_vec3_scale(state->impulses[k], factor);
            state->pushes[k] = glms_vec3_scale(state->pushes[k], 1 / factor);
        }
}

void joints_release(joint_array *joints) {
    memory_release(joints->defs);
    memory_release(joints->states);
    memory_release(joints->next);
    memory_release(joints->generations);
    memory_release(joints->free_places);
    memory_release(joints->sides);
    memory_release(joints->first_side);
    memory_release(joints->links);
    *joints = (joint_array){0};
}

bool joint_moves(const body_array *bodies, scree_body_id body) {
    return body.index && body_is_dynamic(bodies, (int)body.index - 1);
}
