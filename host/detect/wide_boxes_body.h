/* Points of boxes in the dialect; the object of each width includes this file once. */
#include "wide_boxes.h"

#include "box_points.h"
#include "reach.h"
#include "skimming_test.h"
#include "wide_record.h"

#include <stdbool.h>

enum { FOUND_FLOATS = sizeof(boxes_found) / sizeof(float) };
_Static_assert(FOUND_FLOATS == 4 * (1 + BOXES_POINTS + 2), "boxes_found is words of four floats");
_Static_assert((int)BOXES_POINTS == (int)MANIFOLD_POINTS, "as many as a manifold has");

INLINE scalar numbers(const float *from, const int *number) {
    scalar x;
    for (int lane = 0; lane < SCREE_WIDTH; lane++) x[lane] = from[number[lane]];
    return x;
}

INLINE box_axes axes_of(const wide_axes *axes, const int *number) {
    return (box_axes){numbers(axes->face_a, number),
                      numbers(axes->face_b, number),
                      numbers(axes->edges, number),
                      numbers(axes->axis_a, number),
                      numbers(axes->axis_b, number),
                      numbers(axes->axis_edges, number),
                      int_of(0)};
}

INLINE oriented_box box_of(const body_record *records, const int *at, vec3s centre) {
    const quad halves = word(records, at, 1);
    return (oriented_box){centre,
                          {xyz(word(records, at, 3)), xyz(word(records, at, 4)), xyz(word(records, at, 5))},
                          {halves.x, halves.y, halves.z}};
}

INLINE void put(boxes_found *out, const int *at, int number, uint32_t which, vec3s v, scalar w) {
    scatter((float *)out + 4 * number, at, which, (quad){v.x, v.y, v.z, w});
}

/* Arguments common to all pairs. */
typedef struct boxes_search {
    const body_record *records;
    const int *a, *b;
    const wide_axes *axes;
    float margin, time_step;
    boxes_found *out;
} boxes_search;

/* Processes the pairs with numbers which[i], whose preferred axes are all of one kind. */
INLINE void find_alike(const boxes_search *self, const int *which, int count, bool edges) {
    const body_record *records = self->records;
    const scalar h = scalar_of(self->time_step);
    boxes_found *out = self->out;
    for (int first = 0; first < count; first += SCREE_WIDTH) {
        const int here = count - first < SCREE_WIDTH ? count - first : SCREE_WIDTH;
        int number[SCREE_WIDTH], at_a[SCREE_WIDTH], at_b[SCREE_WIDTH], to[SCREE_WIDTH];
        for (int lane = 0; lane < SCREE_WIDTH; lane++) {
            const int k = which[first + (lane < here ? lane : 0)];
            number[lane] = k, to[lane] = FOUND_FLOATS * k;
            at_a[lane] = RECORD_FLOATS * self->a[k], at_b[lane] = RECORD_FLOATS * self->b[k];
        }
        const vec3s centre_a = xyz(word(records, at_a, 0)), centre_b = xyz(word(records, at_b, 0));
        const oriented_box box_a = box_of(records, at_a, glms_vec3_zero()),
                           box_b = box_of(records, at_b, glms_vec3_sub(centre_b, centre_a));
        const box_separation separation = box_separation_of(box_a, box_b, axes_of(self->axes, number));
        const scalar reach = numbers(self->axes->reach, number);
        const box_found found = edges ? box_edge_found(box_a, box_b, separation)
                                      : box_face_found(box_a, box_b, separation, reach);
        manifold_points points =
            edges ? box_with_face(found.points, box_a, box_b, separation, reach) : found.points;
        for (int k = 0; k < BOXES_POINTS && any_lane(points.count > k); k++)
            points.points[k].position = glms_vec3_add(points.points[k].position, centre_a);
        const scalar_int points_found = choose_int(found.beyond, int_of(BOXES_UNKNOWN), points.count);
        const quad of_a = word(records, at_a, 2), of_b = word(records, at_b, 2);
        const vec3s velocity = glms_vec3_sub(xyz(of_b), xyz(of_a));
        const scalar turning = word(records, at_a, 3).w + word(records, at_b, 3).w;
        const scalar speculative_margin =
            reach_margin(of_a.w, of_b.w, word(records, at_a, 1).w, word(records, at_b, 1).w, h);
        const scalar closing =
            reach_along(scalar_of(self->margin) + speculative_margin, points.normal, velocity, turning, h);
        const skimming_motion motion = {velocity, turning,
                                        scalar_min(box_smallest_half(box_a), box_smallest_half(box_b))};
        const scalar_mask skims = skimming_possible(motion, points.normal, points.points, points.count, h);
        const uint32_t all = (uint32_t)((1u << here) - 1);
        put(out, to, 0, all, points.normal, (scalar)points_found);
        scalar_bits feature[BOXES_POINTS] = {{0}};
        for (int k = 0; k < BOXES_POINTS && any_lane(points_found > k); k++) {
            const manifold_point *point = &points.points[k];
            put(out, to, 1 + k, all, point->position, point->gap);
            feature[k] = point->feature;
        }
        put(out, to, 1 + BOXES_POINTS, all,
            vec3_of((scalar)feature[0], (scalar)feature[1], (scalar)feature[2]), (scalar)feature[3]);
        put(out, to, 2 + BOXES_POINTS, all, vec3_of(closing, (scalar)skims, closing), closing);
    }
}

void BOXES(const body_record *records, const int *a, const int *b, int count, float margin, float time_step,
           const wide_axes *axes, boxes_found *out) {
    int faces[AXES_MOST], edges[AXES_MOST], face_count = 0, edge_count = 0;
    for (int i = 0; i < count; i++) {
        if (axes->reach[i] < 0) continue;
        if (axes->crossed[i])
            edges[edge_count++] = i;
        else
            faces[face_count++] = i;
    }
    const boxes_search self = {records, a, b, axes, margin, time_step, out};
    find_alike(&self, faces, face_count, false);
    find_alike(&self, edges, edge_count, true);
}
