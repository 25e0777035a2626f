/* The test in the dialect; the object of each width includes it once. */
#include "wide_axes.h"

#include "box_separation.h"
#include "reach.h"
#include "wide_record.h"

void AXES(const body_record *records, const int *a, const int *b, int count, float margin, float time_step,
          wide_axes *out) {
    for (int first = 0; first < count; first += SCREE_WIDTH) {
        const int here = count - first < SCREE_WIDTH ? count - first : SCREE_WIDTH;
        int at_a[SCREE_WIDTH], at_b[SCREE_WIDTH];
        place_records(a + first, b + first, here, at_a, at_b);
        const quad a0 = word(records, at_a, 0), b0 = word(records, at_b, 0), a1 = word(records, at_a, 1),
                   b1 = word(records, at_b, 1), a2 = word(records, at_a, 2), b2 = word(records, at_b, 2),
                   a3 = word(records, at_a, 3), b3 = word(records, at_b, 3), a4 = word(records, at_a, 4),
                   b4 = word(records, at_b, 4), a5 = word(records, at_a, 5), b5 = word(records, at_b, 5);
        const oriented_box box_a = {glms_vec3_zero(), {xyz(a3), xyz(a4), xyz(a5)}, {a1.x, a1.y, a1.z}};
        const oriented_box box_b = {
            glms_vec3_sub(xyz(b0), xyz(a0)), {xyz(b3), xyz(b4), xyz(b5)}, {b1.x, b1.y, b1.z}};
        const box_couple pair = box_couple_of(box_a, box_b);
        const scalar speculative_margin = reach_margin(a2.w, b2.w, a1.w, b1.w, scalar_of(time_step));
        const scalar reach = reach_of(scalar_of(margin) + speculative_margin, glms_vec3_sub(xyz(b2), xyz(a2)),
                                      a3.w + b3.w, scalar_of(time_step));
        const scalar far = a0.w + b0.w + reach;
        const box_axes found = box_axes_of(pair, reach);
        const scalar_mask parted = found.parted | (glms_vec3_norm2(pair.between) > far * far);
        const scalar_mask crossed = edges_preferred(found, box_separation_slop(box_a, box_b));
        __builtin_memcpy(out->crossed + first, &crossed, (size_t)here * sizeof *out->crossed);
        store(out->reach + first, choose(parted, scalar_of(-1), reach), here);
        store(out->face_a + first, found.face_a, here), store(out->axis_a + first, found.axis_a, here);
        store(out->face_b + first, found.face_b, here), store(out->axis_b + first, found.axis_b, here);
        store(out->edges + first, found.edges, here), store(out->axis_edges + first, found.axis_edges, here);
    }
}
