/* The tests in the dialect; the object of each width includes this file once. */
#include "narrow_phase_simd.h"

#include "base/lanes.h"
#include "moving_pair.h"

#include <stdbool.h>

#define INLINE __attribute__((always_inline)) static inline

INLINE vec3s xyz(quad q) { return vec3_of(q.x, q.y, q.z); }

/* Loads one word of the records of some slots. */
INLINE quad word(const body_record *records, const int *at, int number) {
    return gather((const float *)records + 4 * number, at);
}

/* Sets the places of the records of the pairs from `first` on, in floats; lanes beyond the last repeat the
 * first. Returns the number of pairs. */
INLINE int place_records(const wide_pairs *pairs, int first, int *at_a, int *at_b) {
    const int left = pairs->count - first, here = left < SCREE_WIDTH ? left : SCREE_WIDTH;
    for (int lane = 0; lane < SCREE_WIDTH; lane++) {
        const int i = first + (lane < here ? lane : 0);
        at_a[lane] = RECORD_FLOATS * pairs->a[i], at_b[lane] = RECORD_FLOATS * pairs->b[i];
    }
    return here;
}

INLINE void store(float *to, scalar x, int count) { __builtin_memcpy(to, &x, (size_t)count * sizeof *to); }

/* -- Axes of boxes -------------------------------------------------------------------- */

INLINE oriented_box box_of(const body_record *records, const int *at, vec3s centre) {
    const quad halves = word(records, at, 1);
    return (oriented_box){centre,
                          {xyz(word(records, at, 3)), xyz(word(records, at, 4)), xyz(word(records, at, 5))},
                          {halves.x, halves.y, halves.z}};
}

INLINE moving_box motion_of(const body_record *records, const int *at) {
    const quad velocity = word(records, at, 2);
    return (moving_box){word(records, at, 0).w, word(records, at, 1).w, xyz(velocity), velocity.w,
                        word(records, at, 4).w};
}

/* Boxes of pairs, a's centre at the origin. */
typedef struct lane_boxes {
    oriented_box a, b;
    moving_box of_a, of_b;
    vec3s centre_a;
} lane_boxes;

INLINE lane_boxes boxes_of(const body_record *records, const int *at_a, const int *at_b) {
    const vec3s centre_a = xyz(word(records, at_a, 0)), centre_b = xyz(word(records, at_b, 0));
    return (lane_boxes){box_of(records, at_a, glms_vec3_zero()),
                        box_of(records, at_b, glms_vec3_sub(centre_b, centre_a)), motion_of(records, at_a),
                        motion_of(records, at_b), centre_a};
}

static void find_axes(const wide_pairs *pairs, wide_axes *out) {
    const body_record *records = pairs->records;
    const scalar h = scalar_of(pairs->time_step), margin = scalar_of(pairs->margin);
    for (int first = 0; first < pairs->count; first += SCREE_WIDTH) {
        int at_a[SCREE_WIDTH], at_b[SCREE_WIDTH];
        const int here = place_records(pairs, first, at_a, at_b);
        const lane_boxes boxes = boxes_of(records, at_a, at_b);
        const box_test test = moving_boxes_test(boxes.a, boxes.b, boxes.of_a, boxes.of_b, margin, h);
        const box_axes found = test.axes;
        __builtin_memcpy(out->crossed + first, &test.crossed, (size_t)here * sizeof *out->crossed);
        store(out->reach + first, choose(test.parted, scalar_of(-1), test.reach), here);
        store(out->face_a + first, found.face_a, here), store(out->axis_a + first, found.axis_a, here);
        store(out->face_b + first, found.face_b, here), store(out->axis_b + first, found.axis_b, here);
        store(out->edges + first, found.edges, here), store(out->axis_edges + first, found.axis_edges, here);
        store(out->second + first, found.second, here);
    }
}

/* -- Points of boxes ------------------------------------------------------------------- */

enum { FOUND_FLOATS = sizeof(boxes_found) / sizeof(float) };
_Static_assert(FOUND_FLOATS == 4 * (1 + BOXES_POINTS + 2), "boxes_found is words of four floats");
_Static_assert((int)BOXES_POINTS == (int)MANIFOLD_POINTS, "as many as a manifold has");

INLINE scalar numbers(const float *from, const int *number) {
    scalar x;
    for (int lane = 0; lane < SCREE_WIDTH; lane++) x[lane] = from[number[lane]];
    return x;
}

INLINE box_axes axes_of(const wide_axes *axes, const int *number) {
    return (box_axes){numbers(axes->face_a, number), numbers(axes->face_b, number),
                      numbers(axes->edges, number),  numbers(axes->axis_a, number),
                      numbers(axes->axis_b, number), numbers(axes->axis_edges, number),
                      numbers(axes->second, number), int_of(0)};
}

INLINE void put(boxes_found *out, const int *at, int number, uint32_t which, vec3s v, scalar w) {
    scatter((float *)out + 4 * number, at, which, (quad){v.x, v.y, v.z, w});
}

/* The pairs with some numbers, one a lane, and the places of their records and results in floats. Lanes
 * beyond the last repeat the first. */
typedef struct lane_pairs {
    int count, number[SCREE_WIDTH], a[SCREE_WIDTH], b[SCREE_WIDTH], found[SCREE_WIDTH];
} lane_pairs;

INLINE void place_pairs(const wide_pairs *pairs, const int *which, int left, lane_pairs *out) {
    out->count = left < SCREE_WIDTH ? left : SCREE_WIDTH;
    for (int lane = 0; lane < SCREE_WIDTH; lane++) {
        const int k = which[lane < out->count ? lane : 0];
        out->number[lane] = k, out->found[lane] = FOUND_FLOATS * k;
        out->a[lane] = RECORD_FLOATS * pairs->a[k], out->b[lane] = RECORD_FLOATS * pairs->b[k];
    }
}

/* Processes the pairs with numbers which[i], whose preferred axes are all of one kind. */
INLINE void find_alike(const wide_pairs *pairs, const wide_axes *axes, const int *which, int count,
                       bool edges, boxes_found *out) {
    const body_record *records = pairs->records;
    const scalar h = scalar_of(pairs->time_step);
    for (int first = 0; first < count; first += SCREE_WIDTH) {
        lane_pairs at;
        place_pairs(pairs, which + first, count - first, &at);
        const lane_boxes boxes = boxes_of(records, at.a, at.b);
        const oriented_box box_a = boxes.a, box_b = boxes.b;
        const box_axes found_axes = axes_of(axes, at.number);
        const box_separation best = box_separation_of(box_a, box_b, found_axes),
                             separation = edges ? best : box_levelled(box_a, box_b, found_axes, best);
        const scalar reach = numbers(axes->reach, at.number);
        const box_found found = edges ? box_edge_found(box_a, box_b, separation)
                                      : box_face_found(box_a, box_b, separation, reach);
        manifold_points points =
            edges ? box_with_face(found.points, box_a, box_b, separation, reach) : found.points;
        for (int k = 0; k < BOXES_POINTS && any_lane(points.count > k); k++)
            points.points[k].position = glms_vec3_add(points.points[k].position, boxes.centre_a);
        const scalar_int points_found = choose_int(found.beyond, int_of(BOXES_UNKNOWN), points.count);
        const skimming_motion motion = moving_boxes_motion(box_a, box_b, boxes.of_a, boxes.of_b);
        const scalar closing =
            moving_boxes_closing(motion, boxes.of_a, boxes.of_b, points.normal, scalar_of(pairs->margin), h);
        const scalar_mask skims =
            skimming_possible(motion, points.normal, points.points, points.count, points.mean != 0, h);
        const uint32_t all = (uint32_t)((1u << at.count) - 1);
        put(out, at.found, 0, all, points.normal, (scalar)points_found);
        scalar_bits feature[BOXES_POINTS] = {{0}};
        for (int k = 0; k < BOXES_POINTS && any_lane(points_found > k); k++) {
            const manifold_point *point = &points.points[k];
            put(out, at.found, 1 + k, all, point->position, point->gap);
            feature[k] = point->feature;
        }
        put(out, at.found, 1 + BOXES_POINTS, all,
            vec3_of((scalar)feature[0], (scalar)feature[1], (scalar)feature[2]), (scalar)feature[3]);
        put(out, at.found, 2 + BOXES_POINTS, all, vec3_of(closing, (scalar)skims, (scalar)points.mean),
            skimming_least_gap(points.points, points.count));
    }
}

/* Clears `skims` of pairs that block each other (skimming_test.h). */
static void clear_blocked(const wide_pairs *pairs, const int *which, int count, boxes_found *found) {
    const float *words = (const float *)found;
    for (int first = 0; first < count; first += SCREE_WIDTH) {
        lane_pairs at;
        place_pairs(pairs, which + first, count - first, &at);
        const lane_boxes boxes = boxes_of(pairs->records, at.a, at.b);
        const scalar_mask blocked = skimming_blocked(
            boxes.a, boxes.b, moving_boxes_motion(boxes.a, boxes.b, boxes.of_a, boxes.of_b),
            xyz(gather(words, at.found)), gather(words + 4 * (2 + BOXES_POINTS), at.found).w);
        for (int lane = 0; lane < at.count; lane++)
            if (blocked[lane]) found[at.number[lane]].skims = 0;
    }
}

/* Lists the pairs with a known contact along one side's normal that skimming.h would examine. */
static int list_skims(const wide_axes *axes, int count, const boxes_found *found, int *list) {
    int listed = 0;
    for (int i = 0; i < count; i++)
        if (axes->reach[i] >= 0 && found[i].skims && found[i].count > 0 && !found[i].mean) list[listed++] = i;
    return listed;
}

static void find_boxes(const wide_pairs *pairs, const wide_axes *axes, boxes_found *out) {
    int faces[RECORD_PAIRS], edges[RECORD_PAIRS], skims[RECORD_PAIRS], face_count = 0, edge_count = 0;
    for (int i = 0; i < pairs->count; i++) {
        if (axes->reach[i] < 0) continue;
        if (axes->crossed[i])
            edges[edge_count++] = i;
        else
            faces[face_count++] = i;
    }
    find_alike(pairs, axes, faces, face_count, false, out);
    find_alike(pairs, axes, edges, edge_count, true, out);
    clear_blocked(pairs, skims, list_skims(axes, pairs->count, out, skims), out);
}

/* -- Balls ----------------------------------------------------------------------------- */

INLINE void store3(float to[3][RECORD_PAIRS], int first, vec3s v, int count) {
    store(to[0] + first, v.x, count), store(to[1] + first, v.y, count), store(to[2] + first, v.z, count);
}

INLINE moving_ball ball_of(const body_record *records, const int *at) {
    const quad place = word(records, at, 0), size = word(records, at, 1), velocity = word(records, at, 2);
    return (moving_ball){{xyz(place), size.x}, size.w, xyz(velocity), velocity.w};
}

static void find_balls(const wide_pairs *pairs, wide_balls *out) {
    const body_record *records = pairs->records;
    const scalar h = scalar_of(pairs->time_step), margin = scalar_of(pairs->margin);
    for (int first = 0; first < pairs->count; first += SCREE_WIDTH) {
        int at_a[SCREE_WIDTH], at_b[SCREE_WIDTH];
        const int here = place_records(pairs, first, at_a, at_b);
        const ball_contact found =
            moving_balls_contact(ball_of(records, at_a), ball_of(records, at_b), margin, h);
        __builtin_memcpy(out->touches + first, &found.touches, (size_t)here * sizeof *out->touches);
        store3(out->normal, first, found.normal, here);
        store3(out->position, first, found.position, here);
        store(out->gap + first, found.gap, here);
    }
}

const narrow_phase_simd NARROW_PHASE_SIMD = {find_axes, find_boxes, find_balls};
