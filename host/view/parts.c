#include "parts.h"

#include "base/memory.h"
#include "rotation.h"

#include <string.h>

/* The properties that all parts of a body have in common. */
typedef struct part_owner {
    uint8_t colour[4];
    float index;
    bool joined; /* its balls may overlap other parts */
    const bool *hidden;
} part_owner;

static void encode(vec3s colour, uint8_t out[4]) {
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)(255 * scalar_sqrt(scalar_clamp(vec3_along(colour, k), 0, 1)) + 0.5f);
    out[3] = 255;
}

void parts_clear(part_set *self) {
    for (int i = 0; i < self->batch_count; i++) self->batches[i].count = 0;
    self->ball_count = self->joined_count = self->rod_count = self->ground_count = self->outline_count = 0;
    /* Batches of geometries may be of another frame. */
    int kept = 0;
    for (int i = 0; i < self->batch_count; i++)
        if (self->batches[i].shape.geometry)
            memory_release(self->batches[i].instances);
        else
            self->batches[kept++] = self->batches[i];
    self->batch_count = kept;
}

void parts_release(part_set *self) {
    for (int i = 0; i < self->batch_count; i++) memory_release(self->batches[i].instances);
    memory_release(self->batches);
    memory_release(self->balls);
    memory_release(self->joined);
    memory_release(self->rods);
    memory_release(self->grounds);
    memory_release(self->outlines);
    *self = (part_set){.balls = NULL};
}

static ball_instance ball_of(vec3s centre, scalar radius, const part_owner *owner) {
    ball_instance out = {{centre.x, centre.y, centre.z}, radius, {0}, owner->index};
    memcpy(out.colour, owner->colour, sizeof out.colour);
    return out;
}

static scree_result add_ball(part_set *self, vec3s centre, scalar radius, const part_owner *owner) {
    if (self->ball_count == self->ball_capacity)
        TRY(MEMORY_RESERVE(self->balls, self->ball_capacity, 2 * self->ball_count + 1, NULL));
    self->balls[self->ball_count++] = ball_of(centre, radius, owner);
    return SCREE_OK;
}

static scree_result add_joined(part_set *self, vec3s centre, scalar radius, const part_owner *owner) {
    if (self->joined_count == self->joined_capacity)
        TRY(MEMORY_RESERVE(self->joined, self->joined_capacity, 2 * self->joined_count + 1, NULL));
    self->joined[self->joined_count++] = ball_of(centre, radius, owner);
    return SCREE_OK;
}

static bool takes(const mesh_batch *batch, surface_kind kind, scree_shape shape, const part_owner *owner) {
    if (batch->hidden || owner->hidden) return false;
    return shape.geometry ? batch->shape.geometry == shape.geometry
                          : !batch->shape.geometry && batch->kind == kind;
}

/* Returns the batch that takes a part; NULL: out of memory. The last one usually does. */
static mesh_batch *batch_for(part_set *self, surface_kind kind, scree_shape shape, const part_owner *owner) {
    for (int i = self->batch_count - 1; i >= 0; i--)
        if (takes(&self->batches[i], kind, shape, owner)) return &self->batches[i];
    if (MEMORY_RESERVE(self->batches, self->batch_capacity, self->batch_count + 1, NULL) != SCREE_OK)
        return NULL;
    mesh_batch *batch = &self->batches[self->batch_count++];
    *batch = (mesh_batch){.kind = kind, .hidden = owner->hidden};
    if (shape.geometry) batch->shape = shape;
    return batch;
}

static scree_result add_mesh(part_set *self, surface_kind kind, scree_shape shape, body_pose pose, vec3s size,
                             const part_owner *owner) {
    mesh_batch *batch = batch_for(self, kind, shape, owner);
    if (!batch) return fail(SCREE_ERROR_MEMORY, "out of memory for the shapes of the picture");
    if (batch->count == batch->capacity)
        TRY(MEMORY_RESERVE(batch->instances, batch->capacity, 2 * batch->count + 1, NULL));
    mesh_instance *instance = &batch->instances[batch->count++];
    *instance =
        (mesh_instance){.position = {pose.position.x, pose.position.y, pose.position.z},
                        .rotation = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w},
                        .size = {size.x, size.y, size.z},
                        .body = owner->index};
    memcpy(instance->colour, owner->colour, sizeof instance->colour);
    return SCREE_OK;
}

static body_pose placed(body_pose frame, vec3s position, versors rotation) {
    return (body_pose){.position = glms_vec3_add(frame.position, rotate(frame.rotation, position)),
                       .rotation = rotation_product(frame.rotation, rotation)};
}

static scree_result add_capsule(part_set *self, vec3s size, body_pose pose, const part_owner *owner) {
    const vec3s end = rotate(pose.rotation, vec3_of(0, 0, size.y));
    TRY(add_joined(self, glms_vec3_add(pose.position, end), size.x, owner));
    TRY(add_joined(self, glms_vec3_sub(pose.position, end), size.x, owner));
    return add_mesh(self, SURFACE_PIPE, (scree_shape){0}, pose, vec3_of(size.x, size.x, size.y), owner);
}

static scree_result add_clump(part_set *self, scree_shape shape, body_pose pose, const part_owner *owner) {
    for (int i = 0; i < scree_clump_sphere_count(shape.geometry); i++) {
        const scree_clump_sphere part = scree_clump_get_sphere(shape.geometry, i);
        const vec3s at = glms_vec3_scale(vec3_in(part.position), shape.size.x);
        TRY(add_joined(self, glms_vec3_add(pose.position, rotate(pose.rotation, at)),
                       part.radius * shape.size.x, owner));
    }
    return SCREE_OK;
}

static scree_result add_shape(part_set *self, scree_shape shape, body_pose pose, const part_owner *owner);

static scree_result add_compound(part_set *self, scree_shape shape, body_pose pose, const part_owner *owner) {
    for (int i = 0; i < scree_compound_child_count(shape.geometry); i++) {
        const scree_compound_child child = scree_compound_get_child(shape.geometry, i);
        const vec3s at = glms_vec3_scale(vec3_in(child.position), shape.size.x);
        TRY(add_shape(self, scree_shape_scale(child.shape, (double)shape.size.x),
                      placed(pose, at, quat_in(child.rotation)), owner));
    }
    return SCREE_OK;
}

static scree_result add_ground(part_set *self, body_pose pose) {
    TRY(MEMORY_RESERVE(self->grounds, self->ground_capacity, self->ground_count + 1, NULL));
    self->grounds[self->ground_count++] = (ground_part){pose.position, pose.rotation};
    return SCREE_OK;
}

static scree_result add_shape(part_set *self, scree_shape shape, body_pose pose, const part_owner *owner) {
    const vec3s size = vec3_in(shape.size);
    switch (shape.kind) {
    case SCREE_SHAPE_SPHERE:
        return add_ball(self, pose.position, size.x, owner);
    case SCREE_SHAPE_BOX:
        return add_mesh(self, SURFACE_BOX, (scree_shape){0}, pose, size, owner);
    case SCREE_SHAPE_HALF_SPACE:
        return add_ground(self, pose);
    case SCREE_SHAPE_CAPSULE:
        return add_capsule(self, size, pose, owner);
    case SCREE_SHAPE_CYLINDER:
        return add_mesh(self, SURFACE_CYLINDER, (scree_shape){0}, pose, vec3_of(size.x, size.x, size.y),
                        owner);
    case SCREE_SHAPE_CONE:
        return add_mesh(self, SURFACE_CONE, (scree_shape){0}, pose, vec3_of(size.x, size.x, size.y), owner);
    case SCREE_SHAPE_ELLIPSOID:
        return add_mesh(self, SURFACE_BALL, (scree_shape){0}, pose, size, owner);
    case SCREE_SHAPE_CLUMP:
        return add_clump(self, shape, pose, owner);
    case SCREE_SHAPE_TRIANGLE:
        return add_mesh(self, SURFACE_TRIANGLE, (scree_shape){0}, pose, size, owner);
    case SCREE_SHAPE_MESH:
    case SCREE_SHAPE_HULL:
    case SCREE_SHAPE_SOLID:
        return add_mesh(self, SURFACE_KINDS, shape, pose, vec3_of(size.x, size.x, size.x), owner);
    case SCREE_SHAPE_COMPOUND:
        return add_compound(self, shape, pose, owner);
    case SCREE_SHAPE_COUNT:
        break;
    }
    return SCREE_OK;
}

static bool is_finite(const scree_body_state *state) {
    const scree_quat q = state->rotation;
    return vec3_finite(vec3_in(state->position)) && isfinite(q.x + q.y + q.z + q.w);
}

static scree_result add_outline(part_set *self, const scree_frame *frame, int i, body_pose pose) {
    const vec3s half = vec3_in(scree_shape_get_half_extents(frame->shapes[i]));
    TRY(MEMORY_RESERVE(self->outlines, self->outline_capacity, self->outline_count + 1, NULL));
    self->outlines[self->outline_count++] = (outline_part){pose.position, half, pose.rotation};
    return SCREE_OK;
}

scree_result parts_add(part_set *self, const scree_frame *frame, int i, vec3s colour, const bool *cut) {
    const scree_body_state *state = &frame->states[i];
    if (!is_finite(state)) return SCREE_OK;
    const body_pose pose = {.position = glms_vec3_sub(vec3_in(state->position), self->origin),
                            .rotation = quat_in(state->rotation)};
    const bool mesh = frame->shapes[i].kind == SCREE_SHAPE_MESH;
    if (!mesh && *cut) return add_outline(self, frame, i, pose);
    const bool joined = frame->types[i] != SCREE_BODY_DYNAMIC || frame->shapes[i].kind != SCREE_SHAPE_SPHERE;
    part_owner owner = {.index = (float)frame->ids[i].index, .joined = joined, .hidden = mesh ? cut : NULL};
    encode(colour, owner.colour);
    return add_shape(self, frame->shapes[i], pose, &owner);
}

scree_result parts_add_ball(part_set *self, vec3s centre, scalar radius, vec3s colour) {
    part_owner owner = {.index = 0};
    encode(colour, owner.colour);
    return add_joined(self, glms_vec3_sub(centre, self->origin), radius, &owner);
}

scree_result parts_add_rod(part_set *self, vec3s from, vec3s to, scalar radius, vec3s colour) {
    const vec3s a = glms_vec3_sub(from, self->origin), b = glms_vec3_sub(to, self->origin);
    if (self->rod_count == self->rod_capacity)
        TRY(MEMORY_RESERVE(self->rods, self->rod_capacity, 2 * self->rod_count + 1, NULL));
    rod_instance *rod = &self->rods[self->rod_count++];
    *rod = (rod_instance){{a.x, a.y, a.z}, {b.x, b.y, b.z}, radius, {0}};
    encode(colour, rod->colour);
    return SCREE_OK;
}
