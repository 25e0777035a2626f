#include "narrow_phase.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "base/width.h"
#include "box_points.h"
#include "impact.h"
#include "child_contacts.h"
#include "make_record.h"
#include "reach.h"
#include "rotation.h"
#include "geometry/shape.h"

#include <limits.h>
#include <string.h>

static vec3s get(const float from[3]) { return vec3_of(from[0], from[1], from[2]); }

/* Shapes without a row are RECORD_OTHER. */
static const int record_kinds[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = RECORD_BALL,           [SCREE_SHAPE_BOX] = RECORD_BOX,
    [SCREE_SHAPE_HALF_SPACE] = RECORD_HALF_SPACE, [SCREE_SHAPE_CAPSULE] = RECORD_CAPSULE,
    [SCREE_SHAPE_CYLINDER] = RECORD_CYLINDER,     [SCREE_SHAPE_CONE] = RECORD_CONE,
    [SCREE_SHAPE_ELLIPSOID] = RECORD_ELLIPSOID,   [SCREE_SHAPE_HULL] = RECORD_HULL};

int narrow_phase_kind(scree_shape_kind kind) { return record_kinds[kind]; }

record_shape narrow_phase_shape(const body_array *bodies, int slot) {
    const scree_shape shape = bodies->shapes[slot];
    record_shape out = {.half_width = bounds_half_width(shape),
                        .turning_radius = bounds_turning_radius(shape),
                        .kind = narrow_phase_kind(shape.kind)};
    out.radius = out.turning_radius;
    if (out.kind != RECORD_BALL && out.kind != RECORD_BOX) return out;
    const scree_shape touched = body_collision_shape(bodies, slot);
    out.halves = out.kind == RECORD_BALL ? vec3_of(touched.size.x, 0, 0) : vec3_in(touched.size);
    if (out.kind == RECORD_BOX) out.radius = bounds_turning_radius(touched);
    return out;
}

static body_record record_of(const body_array *bodies, int slot) {
    const body_pose pose = bodies->poses[slot];
    const body_velocity velocity = bodies->velocities[slot];
    const record_shape shape = narrow_phase_shape(bodies, slot);
    return body_record_of(shape, pose, velocity, record_spin(shape.kind, pose, velocity.angular));
}

typedef struct record_loop {
    const body_array *bodies;
    narrow_phase *self;
} record_loop;

static void record_slice(const void *context, slice part) {
    const record_loop loop = *(const record_loop *)context;
    for (int slot = part.first; slot < part.end; slot++)
        if (loop.bodies->types[slot] != SLOT_FREE) loop.self->records[slot] = record_of(loop.bodies, slot);
}

scree_result narrow_phase_begin(narrow_phase *self, const body_array *bodies, int threads, int *regrown) {
    if (self->width == 0) {
        self->width = width_choose();
        self->tests = narrow_phase_simd_of(self->width);
    }
    self->in_lanes = self->tests && bodies->count <= INT_MAX / RECORD_FLOATS;
    void *scratch;
    TRY(scratch_take(self->scratch ? self->scratch : &self->own_scratch,
                     sizeof *self->records * (size_t)bodies->count, &scratch, regrown));
    self->records = scratch;
    parallel_for(threads, bodies->count, record_slice, &(const record_loop){.bodies = bodies, .self = self});
    return SCREE_OK;
}

/* A half-space rotates about a point as far away as the other body. */
static scalar turning_of(const body_record *record, scalar distance) {
    return isinf(record->radius) ? record->turning_speed * distance : record->turning_speed;
}

/* Motion of two bodies within the step. */
typedef struct encounter {
    vec3s between, velocity; /* of b relative to a */
    scalar turning_speed;
    scalar of_b;  /* 1: a cannot move, 0: b cannot, else half */
    scalar reach; /* largest gap of points, m */
} encounter;

static encounter encounter_of(const body_array *bodies, body_pair pair, const body_record *a,
                              const body_record *b, scalar margin, scalar time_step) {
    const vec3s centre_b = period_moved(&bodies->period, get(b->centre), pair.image);
    encounter e = {.between = glms_vec3_sub(centre_b, get(a->centre)),
                   .velocity = glms_vec3_sub(get(b->velocity), get(a->velocity))};
    const scalar distance = glms_vec3_norm(e.between);
    e.turning_speed = turning_of(a, distance) + turning_of(b, distance);
    e.of_b = (scalar)(1 + body_is_dynamic(bodies, pair.b) - body_is_dynamic(bodies, pair.a)) / 2;
    e.reach = reach_of(margin, e.velocity, e.turning_speed, time_step);
    return e;
}

/* Drops the points whose gap cannot close. */
static void keep_closing(manifold *found, const encounter *e, body_pair pair, scalar margin,
                         scalar time_step) {
    const scalar reach = reach_along(margin, found->normal, e->velocity, e->turning_speed, time_step);
    int count = 0;
    for (int i = 0; i < found->count; i++)
        if (found->points[i].gap <= reach) found->points[count++] = found->points[i];
    found->a = pair.a, found->b = pair.b, found->image = pair.image;
    found->count = count, found->children = 0;
}

static flight flight_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                        vec3s velocity, const encounter *e) {
    /* The points of a ball's contact stay on the other body. */
    const scalar of_b = shape_is_ball(shape_a) ? 1 : shape_is_ball(shape_b) ? 0 : e->of_b;
    return (flight){shape_a, shape_b, pose_a, pose_b, velocity, of_b, e->reach};
}

/* Returns the manifold after `motion`, linearised back to before it, if the bodies do not pass each other. */
static manifold settled(manifold found, const flight *of, vec3s motion, const encounter *e,
                        scalar time_step) {
    return skimming_settle(flight_linearised(found, motion, of->of_b), of->shape_a, of->pose_a, of->shape_b,
                           of->pose_b, of->velocity, e->of_b, e->turning_speed, time_step);
}

/* Finds the manifold of two bodies without children, and whether they pass each other. */
static manifold find(const body_array *bodies, const encounter *e, body_pair pair, scalar margin,
                     scalar time_step, bool *passes) {
    const flight of = flight_of(body_collision_shape(bodies, pair.a), bodies->poses[pair.a],
                                body_collision_shape(bodies, pair.b),
                                body_image_pose(bodies, pair.b, pair.image), e->velocity, e);
    vec3s motion;
    const manifold met = impact_manifold(&of, time_step, &motion);
    manifold found = settled(met, &of, motion, e, time_step);
    *passes = met.count > 0 && found.count == 0;
    keep_closing(&found, e, pair, margin, time_step);
    return found;
}

/* `list` may be NULL. */
static scree_result skims_add(skim_list *list, body_pair pair, int child) {
    if (!list) return SCREE_OK;
    TRY(MEMORY_RESERVE(list->items, list->capacity, list->count + 1, NULL));
    list->items[list->count++] = (skim){pair, child};
    return SCREE_OK;
}

/* A pair of bodies during the visit of its children. */
typedef struct children_search {
    const body_array *bodies;
    const encounter *met;
    body_pair pair;
    scalar margin, time_step;
    manifold_list *out;
    skim_list *skims;
    scree_result result;
} children_search;

/* Returns the velocity of a child relative to its body's. */
static vec3s child_velocity(const body_array *bodies, int slot, const placed_child *child) {
    return glms_vec3_cross(bodies->velocities[slot].angular, child->arm);
}

/* Finds the manifold of two children, and whether the bodies pass each other there, or another child takes
 * precedence. */
static manifold manifold_of_children(const children_search *self, int number, bool *passes) {
    const body_array *bodies = self->bodies;
    const body_pair pair = self->pair;
    const scree_shape shape_a = body_collision_shape(bodies, pair.a),
                      shape_b = body_collision_shape(bodies, pair.b);
    const child_numbers at = children_of(shape_b, number);
    const body_pose pose_a = bodies->poses[pair.a];
    body_pose pose_b = body_image_pose(bodies, pair.b, pair.image);
    const placed_child a = children_place(shape_a, pose_a, at.a), b = children_place(shape_b, pose_b, at.b);
    const vec3s velocity =
        glms_vec3_add(self->met->velocity,
                      glms_vec3_sub(child_velocity(bodies, pair.b, &b), child_velocity(bodies, pair.a, &a)));
    const flight of = flight_of(a.shape, a.pose, b.shape, b.pose, velocity, self->met);
    vec3s motion;
    manifold found = impact_manifold(&of, self->time_step, &motion),
             closing = flight_linearised(found, motion, of.of_b);
    keep_closing(&closing, self->met, pair, self->margin, self->time_step);
    pose_b.position = glms_vec3_add(pose_b.position, motion);
    children_settle(shape_a, pose_a, shape_b, pose_b, number, &found);
    found = settled(found, &of, motion, self->met, self->time_step);
    keep_closing(&found, self->met, pair, self->margin, self->time_step);
    *passes = closing.count > 0 && found.count == 0;
    found.children = number;
    return found;
}

static void find_child(void *context, int number) {
    children_search *self = context;
    bool passes;
    if (self->result != SCREE_OK) return;
    const manifold found = manifold_of_children(self, number, &passes);
    if (passes) self->result = skims_add(self->skims, self->pair, number);
    if (self->result != SCREE_OK || found.count == 0) return;
    self->result =
        MEMORY_RESERVE(self->out->items, self->out->capacity, self->out->count + 1 + NARROW_PAIRS, NULL);
    if (self->result == SCREE_OK) self->out->items[self->out->count++] = found;
}

/* Returns whether the shape, or a child of it, may touch a plane at more than one point. */
static bool has_flats(scree_shape shape) { return !shape_is_ball(shape) && shape.kind != SCREE_SHAPE_CLUMP; }

static scree_result find_children(const body_array *bodies, const encounter *e, body_pair pair, scalar margin,
                                  scalar time_step, manifold_list *out, skim_list *skims) {
    if (shape_is_surface(bodies->shapes[pair.a]) && shape_is_surface(bodies->shapes[pair.b]))
        return fail_naming(
            fail(SCREE_ERROR_UNSUPPORTED,
                 "bodies with ids %d and %d: both are made of triangles and come near each other; "
                 "one must be another shape, such as a hull, or their groups must not touch",
                 pair.a + 1, pair.b + 1),
            pair.a, pair.b);
    children_search self = {bodies, e, pair, margin, time_step, out, skims, SCREE_OK};
    const int first = out->count;
    children_near(body_collision_shape(bodies, pair.a), bodies->poses[pair.a],
                  body_collision_shape(bodies, pair.b), body_image_pose(bodies, pair.b, pair.image), e->reach,
                  find_child, &self);
    const scalar width = bounds_pair_half_width(bodies, pair.a, pair.b);
    const scree_shape shape_a = body_collision_shape(bodies, pair.a),
                      shape_b = body_collision_shape(bodies, pair.b);
    const int count_a = children_count(shape_a), count_b = children_count(shape_b);
    if (shape_is_surface(shape_a))
        flat_patch_thin(out, first, &(flat_children){1, width, 1, count_b, has_flats(shape_b)});
    if (shape_is_surface(shape_b))
        flat_patch_thin(out, first, &(flat_children){-1, width, count_b, count_a, has_flats(shape_a)});
    return self.result;
}

static bool has_children(const body_array *bodies, body_pair pair) {
    return shape_has_children(bodies->shapes[pair.a]) || shape_has_children(bodies->shapes[pair.b]);
}

/* Returns whether groups or a joint keep the bodies from touching. */
static bool held_apart(const body_array *bodies, body_pair pair) {
    return (bodies->filtered && !bodies_may_touch(bodies, pair.a, pair.b)) ||
           (bodies->apart_count && bodies_apart(bodies, pair.a, pair.b));
}

scree_result narrow_phase_pair(const body_array *bodies, body_pair pair, scalar margin, scalar time_step,
                               manifold_list *out) {
    if (held_apart(bodies, pair)) return SCREE_OK;
    const body_record a = record_of(bodies, pair.a), b = record_of(bodies, pair.b);
    const encounter e = encounter_of(bodies, pair, &a, &b, margin, time_step);
    bool passes;
    if (has_children(bodies, pair)) return find_children(bodies, &e, pair, margin, time_step, out, NULL);
    TRY(MEMORY_RESERVE(out->items, out->capacity, out->count + 1, NULL));
    out->items[out->count] = find(bodies, &e, pair, margin, time_step, &passes);
    out->count += out->items[out->count].count > 0;
    return SCREE_OK;
}

manifold narrow_phase_children(const body_array *bodies, body_pair pair, int children, scalar time_step) {
    const body_record a = record_of(bodies, pair.a), b = record_of(bodies, pair.b);
    const encounter e = encounter_of(bodies, pair, &a, &b, 0, time_step);
    const children_search of = {.bodies = bodies, .met = &e, .pair = pair, .time_step = time_step};
    bool passes;
    return has_children(bodies, pair) ? manifold_of_children(&of, children, &passes)
                                      : find(bodies, &e, pair, 0, time_step, &passes);
}

static oriented_box box_of(const body_record *r, vec3s centre) {
    return (oriented_box){
        centre, {get(r->axis_x), get(r->axis_y), get(r->axis_z)}, {r->halves[0], r->halves[1], r->halves[2]}};
}

static manifold_point point_in(const boxes_found *found, int k) {
    return manifold_point_of(get(found->points[k].position), found->points[k].gap, found->feature[k]);
}

/* Takes boxes that do not pass each other, with the points whose gaps can close. */
static void take_boxes(const boxes_found *found, body_pair pair, manifold *out) {
    out->a = pair.a, out->b = pair.b, out->image = pair.image;
    out->count = 0, out->children = 0, out->mean = found->mean, out->normal = get(found->normal);
    for (int k = 0; k < found->count; k++)
        if (found->points[k].gap <= found->closing) out->points[out->count++] = point_in(found, k);
}

/* Finds the manifold of boxes that are not separated, along the given axes. */
static manifold find_boxes(const body_array *bodies, const body_record *a, const body_record *b,
                           body_pair pair, const boxes_found *in_lanes, box_axes axes, scalar margin,
                           scalar time_step, bool *passes) {
    const encounter e = encounter_of(bodies, pair, a, b, margin, time_step);
    manifold found;
    if (in_lanes->count == BOXES_UNKNOWN) {
        const oriented_box box_a = box_of(a, vec3_of(0, 0, 0)), box_b = box_of(b, e.between);
        const box_separation best = box_separation_of(box_a, box_b, axes);
        found = manifold_from(box_points(box_a, box_b, box_levelled(box_a, box_b, axes, best), e.reach));
        manifold_move(&found, get(a->centre));
    } else {
        found.count = in_lanes->count, found.mean = in_lanes->mean, found.normal = get(in_lanes->normal);
        for (int k = 0; k < found.count; k++) found.points[k] = point_in(in_lanes, k);
    }
    const bool meets = found.count > 0;
    found = skimming_settle(found, body_collision_shape(bodies, pair.a), bodies->poses[pair.a],
                            body_collision_shape(bodies, pair.b), bodies->poses[pair.b], e.velocity, e.of_b,
                            e.turning_speed, time_step);
    *passes = meets && found.count == 0;
    keep_closing(&found, &e, pair, margin, time_step);
    return found;
}

static void find_balls(const wide_balls *balls, int i, body_pair pair, manifold *out) {
    out->a = pair.a, out->b = pair.b, out->image = pair.image;
    out->count = 1, out->children = 0;
    out->normal = vec3_of(balls->normal[0][i], balls->normal[1][i], balls->normal[2][i]);
    out->points[0] = (manifold_point){
        vec3_of(balls->position[0][i], balls->position[1][i], balls->position[2][i]), balls->gap[i], 0};
}

/* Pairs of one kind that are tested in lanes, in order. */
typedef struct lane_list {
    int count, next;
    int a[NARROW_PAIRS], b[NARROW_PAIRS];
} lane_list;

static void list_add(lane_list *list, body_pair pair) {
    list->a[list->count] = pair.a, list->b[list->count++] = pair.b;
}

/* Lane tests of a chunk of pairs. */
typedef struct lane_search {
    lane_list boxes, balls;
    unsigned char kind[NARROW_PAIRS]; /* of each pair; RECORD_OTHER: not in lanes */
    wide_axes axes;
    boxes_found touches[NARROW_PAIRS];
    wide_balls contacts;
} lane_search;

/* Images are tested one by one. */
static int lane_kind(const narrow_phase *self, body_pair pair) {
    const int a = self->records[pair.a].kind, b = self->records[pair.b].kind;
    return a == b && !pair.image && self->in_lanes ? a : RECORD_OTHER;
}

static void search_lanes(const narrow_phase *self, const body_pair *pairs, int count, scalar margin,
                         scalar time_step, lane_search *out) {
    lane_list *boxes = &out->boxes, *balls = &out->balls;
    boxes->count = boxes->next = balls->count = balls->next = 0;
    for (int i = 0; i < count; i++) {
        out->kind[i] = (unsigned char)lane_kind(self, pairs[i]);
        if (out->kind[i] == RECORD_BOX) list_add(boxes, pairs[i]);
        if (out->kind[i] == RECORD_BALL) list_add(balls, pairs[i]);
    }
    if (boxes->count > 0) {
        const wide_pairs of = {self->records, boxes->a, boxes->b, boxes->count, margin, time_step};
        self->tests->axes(&of, &out->axes);
        self->tests->boxes(&of, &out->axes, out->touches);
    }
    if (balls->count > 0)
        self->tests->balls(&(wide_pairs){self->records, balls->a, balls->b, balls->count, margin, time_step},
                           &out->contacts);
}

static box_axes axes_of(const wide_axes *axes, int k) {
    return (box_axes){axes->face_a[k], axes->face_b[k],     axes->edges[k],  axes->axis_a[k],
                      axes->axis_b[k], axes->axis_edges[k], axes->second[k], 0};
}

scree_result narrow_phase_find(const narrow_phase *self, const body_array *bodies, const body_pair *pairs,
                               int count, scalar margin, scalar time_step, manifold_list *out,
                               skim_list *skims) {
    lane_search lanes;
    TRY(MEMORY_RESERVE(out->items, out->capacity, out->count + count, NULL));
    search_lanes(self, pairs, count, margin, time_step, &lanes);
    for (int i = 0; i < count; i++) {
        const body_pair pair = pairs[i];
        const int kind = lanes.kind[i];
        const int lane = kind == RECORD_BALL  ? lanes.balls.next++
                         : kind == RECORD_BOX ? lanes.boxes.next++
                                              : 0;
        if (held_apart(bodies, pair)) continue;
        if (kind == RECORD_BALL) {
            find_balls(&lanes.contacts, lane, pair, &out->items[out->count]);
            out->count += lanes.contacts.touches[lane] != 0;
            continue;
        }
        if (kind == RECORD_BOX && lanes.axes.reach[lane] < 0) continue;
        const boxes_found *touch = kind == RECORD_BOX ? &lanes.touches[lane] : NULL;
        if (touch && touch->count != BOXES_UNKNOWN && !touch->skims) {
            take_boxes(touch, pair, &out->items[out->count]);
            out->count += out->items[out->count].count > 0;
            continue;
        }
        bool passes = false;
        const body_record *a = &self->records[pair.a], *b = &self->records[pair.b];
        const scalar full_margin =
            margin + reach_margin(a->square_speed, b->square_speed, a->half_width, b->half_width, time_step);
        if (touch) {
            out->items[out->count] = find_boxes(bodies, a, b, pair, touch, axes_of(&lanes.axes, lane),
                                                full_margin, time_step, &passes);
        } else {
            const encounter e = encounter_of(bodies, pair, a, b, full_margin, time_step);
            if (has_children(bodies, pair)) { /* reserves items for the pairs that follow */
                TRY(find_children(bodies, &e, pair, full_margin, time_step, out, skims));
                continue;
            }
            out->items[out->count] = find(bodies, &e, pair, full_margin, time_step, &passes);
        }
        if (passes) TRY(skims_add(skims, pair, 0));
        out->count += out->items[out->count].count > 0;
    }
    return SCREE_OK;
}

void narrow_phase_release(narrow_phase *self) {
    scratch_release(&self->own_scratch);
    *self = (narrow_phase){0};
}
