/* Common parts of the programs of the narrow phase: kinds of pairs, records of bodies and their motion,
 * points that wait for their places. In C: the kinds. */
#ifndef SCREE_KERNELS_CONTACT_PAIRS_H
#define SCREE_KERNELS_CONTACT_PAIRS_H

#include "body_record.h"
#include "kinds.h"

/* Kinds of pairs, in the order in which they are sorted: apart, single points, then those with slots. From
 * PAIR_CONVEX on there is a kind for each two convex shapes. */
enum {
    PAIR_APART,
    PAIR_BALLS,
    PAIR_BALL_PLANE,
    PAIR_BOX_PLANE,
    PAIR_FACES,
    PAIR_EDGES,
    PAIR_BALL_BOX,
    PAIR_CONVEX_PLANE,
    PAIR_CONVEX,
    PAIR_WITH_SLOT = PAIR_BOX_PLANE
};
/* Bits of a kind, without convex shapes, with them, and with children. */
enum { PAIR_PLAIN_BITS = 3, PAIR_BITS = 6, PAIR_CHILD_BITS = 7 };

/* Kinds of pairs of two children, or of a child and a body without: those of a ball, then a kind for each two
 * other shapes. */
enum { PAIR_CHILD = 1 << PAIR_BITS, PAIR_CHILD_CONVEX = PAIR_CHILD + 4 };

/* Pairs that a search tests besides those of two balls, of two boxes, and of one of these and a half-space.
 */
enum { TESTS_BALL_BOX = 1, TESTS_CONVEX = 2 };

/* Returns the number of a convex shape: 0 for balls, 1 for boxes. */
SHARED int convex_number(int record) { return record < RECORD_HALF_SPACE ? record - 1 : record - 2; }

/* Returns the kind of a pair that has a convex shape which is neither ball nor box, the second one. */
SHARED int convex_pair_kind(int first, int second) {
    const int of = convex_number(second);
    return first == RECORD_HALF_SPACE ? PAIR_CONVEX_PLANE
                                      : PAIR_CONVEX + of * (of + 1) / 2 + convex_number(first);
}

/* Returns the kind of a pair by its bodies' records alone; PAIR_APART if the host must test it. */
SHARED int pair_kind(int a, int b, int tests) {
    const int first = a < b ? a : b, second = a < b ? b : a;
    if (first == RECORD_OTHER) return PAIR_APART;
    if (second > RECORD_HALF_SPACE)
        return tests & TESTS_CONVEX ? convex_pair_kind(first, second) : PAIR_APART;
    if (second == RECORD_HALF_SPACE)
        return first == RECORD_BALL ? PAIR_BALL_PLANE : first == RECORD_BOX ? PAIR_BOX_PLANE : PAIR_APART;
    if (first != second) return tests & TESTS_BALL_BOX ? PAIR_BALL_BOX : PAIR_APART;
    return first == RECORD_BALL ? PAIR_BALLS : PAIR_FACES;
}

/* Number of a shape of a child, by shape_kind. */
SHARED int child_number(int kind) { return kind == SHAPE_HULL ? 7 : kind == SHAPE_TRIANGLE ? 8 : kind; }

/* Returns the kind of a pair of children by their shapes' kinds. */
SHARED int child_pair_kind(int a, int b) {
    const int one = child_number(a), other = child_number(b), low = one < other ? one : other,
              high = one < other ? other : one;
    if (low == SHAPE_SPHERE && high <= SHAPE_HALF_SPACE) return PAIR_CHILD + high;
    if (low == SHAPE_SPHERE && high == 8) return PAIR_CHILD + SHAPE_HALF_SPACE + 1;
    return PAIR_CHILD_CONVEX + high * (high + 1) / 2 + low;
}

#ifdef __OPENCL_VERSION__

#include "contact_set.h"
#include "make_record.h"
#include "moving_pair.h"
#include "periodic_image.h"
#include "tiles.h"

/* -- Pairs ------------------------------------------------------------------------------ */

/* Indices of bodies a and b, the image of b, and its displacement, m. */
typedef struct body_couple {
    int a, b, image;
    vec3s shift;
} body_couple;

/* Lists of pairs; `images` is not read if the world is not periodic. `period_x`, …: lengths of its cell, m.
 */
#define PAIR_LISTS                                                                                           \
    global const int *pair_a, global const int *pair_b, global const int *images, const int periodic,        \
        const float period_x, const float period_y, const float period_z
#define PAIR_AT(i) couple_at(pair_a, pair_b, images, periodic, vec3_of(period_x, period_y, period_z), i)

SHARED body_couple couple_at(global const int *pair_a, global const int *pair_b, global const int *images,
                             const int periodic, const vec3s length, const uint i) {
    body_couple out;
    out.a = pair_a[i], out.b = pair_b[i], out.image = periodic ? images[i] : 0;
    out.shift = out.image ? image_shift(out.image, length) : glms_vec3_zero();
    return out;
}

/* Returns a point of b, displaced to its image. */
SHARED vec3s couple_moved(const body_couple pair, const vec3s point) {
    return pair.image ? glms_vec3_add(point, pair.shift) : point;
}

/* -- Records ---------------------------------------------------------------------------- */

SHARED float4 record_word(global const body_record *records, const int at, const int word) {
    return ((global const float4 *)(records + at))[word];
}

SHARED vec3s xyz(const float4 word) { return vec3_of(word.x, word.y, word.z); }

SHARED int record_kind(global const body_record *records, const int at) { return records[at].kind; }

SHARED vec3s centre_at(global const body_record *records, const int at) {
    return xyz(record_word(records, at, 0));
}

SHARED vec3s centre_of_b(global const body_record *records, const body_couple pair) {
    return couple_moved(pair, centre_at(records, pair.b));
}

SHARED moving_box motion_at(global const body_record *records, const int at) {
    const float4 velocity = record_word(records, at, 2);
    moving_box out;
    out.radius = records[at].radius, out.half_width = records[at].half_width;
    out.velocity = xyz(velocity), out.square_speed = velocity.w;
    out.turning_speed = records[at].turning_speed;
    return out;
}

/* -- Motion ----------------------------------------------------------------------------- */

/* The motion of two bodies within the step. */
typedef struct encounter {
    float margin, reach; /* m */
    float turning_speed; /* m/s */
    vec3s velocity;      /* of b relative to a */
} encounter;

/* A half-space rotates about a point as far away as the other body. */
SHARED float turning_at(const moving_box motion, const float distance) {
    return motion.radius < INFINITY ? motion.turning_speed : motion.turning_speed * distance;
}

SHARED encounter encounter_of(global const body_record *records, const body_couple pair, const float margin,
                              const float h) {
    const moving_box a = motion_at(records, pair.a), b = motion_at(records, pair.b);
    const float distance =
        glms_vec3_norm(glms_vec3_sub(centre_of_b(records, pair), centre_at(records, pair.a)));
    encounter out;
    out.velocity = glms_vec3_sub(b.velocity, a.velocity);
    out.turning_speed = turning_at(a, distance) + turning_at(b, distance);
    out.margin = moving_boxes_margin(a, b, margin, h);
    out.reach = reach_of(out.margin, out.velocity, out.turning_speed, h);
    return out;
}

/* Returns the largest gap along the normal that can close, m. */
SHARED float encounter_closing(const encounter e, const vec3s normal, const float h) {
    return reach_along(e.margin, normal, e.velocity, e.turning_speed, h);
}

/* Returns the fraction of the relative motion that is b's. Bodies without mass cannot move. */
SHARED float share_of_b(global const body_mass *masses, const body_couple pair) {
    return (float)(1 + (masses[pair.b].mass > 0) - (masses[pair.a].mass > 0)) / 2;
}

/* -- Slots ------------------------------------------------------------------------------ */

/* Contact points with the largest gap that can close. */
typedef struct slot_points {
    manifold_points points;
    float closing;
} slot_points;

SHARED slot_points slot_points_of(const manifold_points points, const float closing) {
    slot_points out;
    out.points = points, out.closing = closing;
    return out;
}

/* Returns the index of the first sorted pair that has a slot: that of pair j is j less this index. */
SHARED uint slots_begin(global const uint *kinds, const uint n) {
    return lower_bound(kinds, 0, n, PAIR_WITH_SLOT);
}

/* Returns the gap of a pair that the host tests by itself. It linearises every such contact back over a
 * motion, which is zero here: −0 may become 0. */
SHARED float gap_unmoved(const float gap, const vec3s normal) {
    return gap - glms_vec3_dot(normal, glms_vec3_zero());
}

SHARED manifold_points points_unmoved(manifold_points found) {
    for (int k = 0; k < found.count; k++)
        found.points[k].gap = gap_unmoved(found.points[k].gap, found.normal);
    return found;
}

/* Stores the points that can close, and returns their number. */
SHARED uint slot_store(global float4 *slot, const slot_points found, const int stored) {
    uint count = 0, features[MANIFOLD_POINTS] = {0, 0, 0, 0};
    for (int k = 0; k < found.points.count; k++) {
        const manifold_point point = found.points.points[k];
        if (!(point.gap <= found.closing)) continue;
        if (stored)
            slot[1 + count] = (float4)(point.position.x, point.position.y, point.position.z, point.gap);
        features[count++] = point.feature;
    }
    const vec3s normal = found.points.normal;
    if (stored) slot[0] = (float4)(normal.x, normal.y, normal.z, 0);
    if (stored)
        slot[5] = (float4)(as_float(features[0]), as_float(features[1]), as_float(features[2]),
                           as_float(features[3]));
    return count;
}

#endif

#endif
