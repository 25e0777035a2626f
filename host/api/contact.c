/* Public calls on the contacts of the last step. */
#include "base/error.h"
#include "base/vector.h"
#include "rotation.h"
#include "step/world.h"

const char *scree_contact_mode_name(scree_contact_mode mode) {
    static const char *const names[] = {"open", "sticking", "sliding"};
    _Static_assert(sizeof names / sizeof *names == SCREE_CONTACT_MODE_COUNT, "every mode has a name");
    return (unsigned)mode < SCREE_CONTACT_MODE_COUNT ? names[mode] : NULL;
}

int scree_contact_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    int count;
    if (world->state.bodies.gone_count > 0 && contacts_bring(&world->state.contacts) != SCREE_OK) return 0;
    contacts_living(&world->state.contacts, &world->state.bodies, &count);
    return count;
}

/* Returns the mode from the impulse that the law limits, which excludes cohesion (material.h): ‖r_T‖ ≤ μ r_N,
 * for `pyramid` |r_T,i| ≤ μ r_N. The tolerance is needed because iterations end near a bound, not on it. */
static scree_contact_mode mode_of(scree_law law, vec3s normal, vec3s impulse, scalar friction) {
    const scalar pressed = glms_vec3_dot(normal, impulse);
    const vec3s along = glms_vec3_sub(impulse, glms_vec3_scale(normal, pressed));
    const vec3s first = tangent_of(normal), second = glms_vec3_cross(normal, first);
    scalar rubbed = glms_vec3_norm(along);
    if (law == SCREE_LAW_PYRAMID)
        rubbed =
            scalar_max(scalar_abs(glms_vec3_dot(along, first)), scalar_abs(glms_vec3_dot(along, second)));
    if (!(pressed > 0)) return SCREE_CONTACT_OPEN;
    return rubbed >= friction * pressed * 0.999f ? SCREE_CONTACT_SLIDING : SCREE_CONTACT_STICKING;
}

static scree_contact contact_of(const scree_world *world, const contact_set *contacts, int i, int k) {
    const contact_pair *pair = &contacts->pairs[i];
    const contact_action at = contact_actions(contacts, pair)[k];
    const manifold_point place = contact_places(contacts, pair)[k];
    const contact_manifold *shape = &pair->manifold;
    const int *materials = world->state.bodies.materials;
    const scree_material_pair_def between =
        material_combine(&world->model.materials, materials[shape->a], materials[shape->b]);
    return (scree_contact){
        .a = body_id_of(&world->state.bodies, shape->a),
        .b = body_id_of(&world->state.bodies, shape->b),
        .point = vec3_out(place.position),
        .normal = vec3_out(shape->normal),
        .offset = vec3_out(period_moved(&world->state.bodies.period, vec3_of(0, 0, 0), shape->image)),
        .impulse = vec3_out(contact_impulse(contacts, i, k)),
        .torque = vec3_out(contact_torque(contacts, pair, k)),
        .gap = place.gap,
        .friction = between.friction,
        .restitution = between.restitution,
        .mode = mode_of(world->model.def.solver.law, shape->normal, at.impulse, between.friction),
        .bias = at.bias,
        .compliance = at.compliance};
}

int scree_contact_read(const scree_world *world, scree_contact_cursor *cursor, scree_contact *out,
                       int capacity) {
    REQUIRE_ELSE(world, 0);
    REQUIRE_ELSE(cursor, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const contact_set *contacts = &world->state.contacts;
    int count = 0;
    if (contacts_bring(contacts) != SCREE_OK) return 0;
    for (; cursor->pair < contacts->count; cursor->pair++, cursor->point = 0) {
        const contact_pair *pair = &contacts->pairs[cursor->pair];
        if (contacts_are_gone(&world->state.bodies, pair)) continue;
        for (; cursor->point < pair->manifold.count; cursor->point++) {
            if (count >= capacity) return count;
            out[count++] = contact_of(world, contacts, cursor->pair, cursor->point);
        }
    }
    return count;
}

int scree_contact_list_of_body(const scree_world *world, scree_body_id body, scree_contact *out,
                               int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const contact_set *contacts = &world->state.contacts;
    const int slot = body_slot(&world->state.bodies, body);
    if (slot < 0) {
        fail(SCREE_ERROR_HANDLE, "body {%u, %u}: not alive in this world; must exist", body.index,
             body.generation);
        return 0;
    }
    int count = 0;
    if (contacts_bring(contacts) != SCREE_OK) return 0;
    for (int i = 0; i < contacts->count; i++) {
        const contact_pair *pair = &contacts->pairs[i];
        if (pair->manifold.a != slot && pair->manifold.b != slot) continue;
        if (contacts_are_gone(&world->state.bodies, pair)) continue;
        for (int k = 0; k < (int)pair->manifold.count; k++, count++)
            if (count < capacity) out[count] = contact_of(world, contacts, i, k);
    }
    return count;
}

int scree_contact_list(const scree_world *world, scree_contact *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    scree_contact_cursor cursor = {0};
    return scree_contact_read(world, &cursor, out, capacity);
}
