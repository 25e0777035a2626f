/* A row says c + h J V for its gap at the end of the step. Contacts of the time of impact t (impact.h,
 * grazing.h), and those that are foreseen at the end (foresight.h), have the normal n of that time, and so
 * that this row is right there their gap c' is led back along it, over the motion s until then:
 *
 *     c = c' − n·s.
 *
 * Where n is the normal at the beginning too, c is the gap at the beginning. Around an edge it is not: a ball
 * that slides down a wall and past its lower edge leaves that edge, n·s > 0, and c is as if it had been as
 * deep in the wall. The row asks for nothing there that the motion does not do, but an overlap it is not. As
 * |c − c'| ≤ |s|, what is much deeper than the bodies move needs no second measurement. */
#include "depth.h"

#include "parts.h"

/* Of the smaller body's half size: an overlap to speak of. */
static const scalar SLIGHT = (scalar)1e-3;
/* Of the motion in a step: manifolds are led back over two steps at most (GRAZING_STEPS), and in these a body
 * may get as much faster again. */
static const scalar LED_BACK = 4;

static scalar deepest_of(const contact_set *contacts, const contact_pair *pair) {
    scalar depth = 0;
    for (int k = 0; k < pair->manifold.count; k++)
        depth = scalar_max(depth, -contact_places(contacts, pair)[k].gap);
    return depth;
}

/* How fast surfaces of the two pass each other at most. */
static scalar speed_of(const body_array *bodies, const contact_manifold *of) {
    const int a = of->a, b = of->b;
    const vec3s between =
        glms_vec3_sub(body_image_pose(bodies, b, of->image).position, bodies->poses[a].position);
    const scalar distance = glms_vec3_norm(between);
    return glms_vec3_norm(glms_vec3_sub(bodies->velocities[b].linear, bodies->velocities[a].linear)) +
           bounds_turning_speed(bodies, a, distance) + bounds_turning_speed(bodies, b, distance);
}

/* The parts of two bodies while they are measured. */
typedef struct measure {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    int part;
    scalar least; /* gap, m */
} measure;

static bool is_surface(scree_shape shape) { return shape_has_parts(shape) && !shape_has_whole_parts(shape); }

/* What is over one triangle touches another in the same plane by the same overlap (mesh_edges.c), so that a
 * surface is measured as a whole. */
static void measure_part(void *context, int number) {
    measure *self = context;
    const bool surface = is_surface(self->shape_a) || is_surface(self->shape_b);
    if (number != self->part &&
        !(surface && parts_same_on_plane(self->shape_a, self->shape_b, self->part, number)))
        return;
    const manifold found =
        parts_manifold(self->shape_a, self->pose_a, self->shape_b, self->pose_b, number, self->least);
    for (int k = 0; k < found.count; k++) self->least = scalar_min(self->least, found.points[k].gap);
}

/* The least gap before the step of what touches, or `reach` where that is less. */
static scalar gap_before(const body_array *bodies, const contact_manifold *of, scalar reach) {
    measure self = {.shape_a = body_touched(bodies, of->a),
                    .shape_b = body_touched(bodies, of->b),
                    .pose_a = bodies->poses[of->a],
                    .pose_b = body_image_pose(bodies, of->b, of->image),
                    .part = of->part,
                    .least = reach};
    parts_near(self.shape_a, self.pose_a, self.shape_b, self.pose_b, reach, measure_part, &self);
    return self.least;
}

static void settle_pair(contact_set *contacts, const contact_pair *pair, scalar depth,
                        const motion_ahead *ahead) {
    const contact_manifold *of = &pair->manifold;
    body_array after = *ahead->bodies;
    after.velocities = (body_velocity *)ahead->velocities; /* only read */
    if (!(depth > SLIGHT * bounds_pair_half_width(ahead->bodies, of->a, of->b))) return;
    const scalar way = ahead->time_step * scalar_max(speed_of(ahead->bodies, of), speed_of(&after, of));
    if (!(depth <= LED_BACK * way)) return;
    const scalar least = gap_before(ahead->bodies, of, way);
    for (int k = 0; k < of->count; k++) {
        scalar *gap = &contact_places(contacts, pair)[k].gap;
        *gap = scalar_max(*gap, least);
    }
}

void depth_settle(contact_set *contacts, const motion_ahead *ahead, scalar smallest, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < contacts->count; i++) {
        const contact_pair *pair = &contacts->pairs[i];
        const scalar depth = deepest_of(contacts, pair);
        if (depth > SLIGHT * smallest) settle_pair(contacts, pair, depth, ahead);
    }
}
