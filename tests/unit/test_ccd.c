/* Convex shapes against libccd (Daniel Fiser, from Debian), an independent GJK with EPA: whether bodies
 * overlap, and how deep. */
#include "body_fixture.h"
#include "convex_geometry.h"
#include "hull_pool.h"

#include "geometry/bounds.h"
#include "detect/manifold.h"

#ifdef SCREE_TEST_CCD
#include <ccd/ccd.h>

static const scree_shape_kind kinds[] = {SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE,
                                         SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE, SCREE_SHAPE_ELLIPSOID,
                                         SCREE_SHAPE_HULL};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    solid_farthest(object, direction->v, out->v);
}

static void centre(const void *object, ccd_vec3_t *out) {
    const solid *self = object;
    memcpy(out->v, self->centre, sizeof self->centre);
}

/* Returns the overlap along libccd's direction, either way: at least the minimum. (libccd's own depth is that
 * of a polytope inside the Minkowski difference, which is too small.) */
static double along(const solid *a, const solid *b, const ccd_vec3_t *direction) {
    const double *d = direction->v, length = sqrt(solid_dot(d, d));
    const double n[3] = {d[0] / length, d[1] / length, d[2] / length}, back[3] = {-n[0], -n[1], -n[2]};
    return -fmax(solid_gap(a, b, n), solid_gap(a, b, back));
}

static bool pointed(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_CONE || shape.kind == SCREE_SHAPE_HULL;
}

/* Returns the preference of boxes for faces of the first over faces of the second, and for faces over edges,
 * by a thousandth of the half width and a fiftieth of the depth each (box_separation.h), so that round-off
 * does not change the points of flat contacts. */
static double preferred(scree_shape a, scree_shape b, double width, double depth) {
    return a.kind == SCREE_SHAPE_BOX && b.kind == SCREE_SHAPE_BOX ? 2 * (1e-3 * width + 0.02 * depth) : 0;
}

/* Bodies overlap where libccd's GJK reports it, and no deeper than along the directions of its EPA and MPR.
 * Overlaps above a third of the smaller half width may exceed that by a tenth of the depth, for cones and
 * hulls by a quarter. */
static void overlap_and_depth_agree_with_ccd(void **state) {
    (void)state;
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support, ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 500;
    uint64_t seed = 11;
    int overlapping = 0, apart = 0, deeper = 0, shallower = 0;
    double worst = 0;
    for (int i = 0; i < KINDS * KINDS * 60; i++) {
        const scree_shape a = pool_shape(&seed, kinds[i % KINDS], 0.3, 1),
                          b = pool_shape(&seed, kinds[i / KINDS % KINDS], 0.3, 1);
        const vec3s direct = random_direction(&seed); /* one call per statement: the evaluation order of
                                                       * arguments differs between compilers */
        const vec3s out = glms_vec3_scale(direct, (scalar)random_between(&seed, 0.6, 1.8));
        const body_pose pose_a = pose_of(vec3_of(0, 0, 0), random_rotation(&seed)),
                        pose_b = pose_of(out, random_rotation(&seed));
        const solid solid_a = solid_of(a, pose_a), solid_b = solid_of(b, pose_b);
        const manifold m = manifold_of(a, pose_a, b, pose_b, 3);
        double gap = INFINITY, depth;
        for (int k = 0; k < m.count; k++) gap = fmin(gap, m.points[k].gap);
        const bool meet = ccdGJKIntersect(&solid_a, &solid_b, &ccd);
        if (fabs(gap) > 1e-4 && meet != (gap < 0)) fail_msg("case %d: gap %g, ccd says %d", i, gap, meet);
        overlapping += meet, apart += !meet;
        if (!meet) continue;
        const double width = fmin(bounds_half_width(a), bounds_half_width(b));
        ccd_vec3_t direction, position;
        for (int method = 0; method < 2; method++) {
            const int found =
                method ? ccdMPRPenetration(&solid_a, &solid_b, &ccd, &depth, &direction, &position)
                       : ccdGJKPenetration(&solid_a, &solid_b, &ccd, &depth, &direction, &position);
            const double there = found == 0 ? along(&solid_a, &solid_b, &direction) : NAN;
            if (!(there > 0)) continue; /* it found nothing */
            const double part = pointed(a) || pointed(b) ? 0.25 : 0.1;
            const double allowed =
                fmax(there > width / 3 ? part * there : 1e-4, preferred(a, b, width, -gap));
            deeper += -gap > there + 1e-5, shallower += -gap < there - 1e-5;
            worst = fmax(worst, (-gap - there) / width);
            if (!(-gap <= there + allowed))
                fail_msg("case %d, %s with %s: depth %g, along ccd's way out %g, half width %g", i,
                         scree_shape_kind_name(a.kind), scree_shape_kind_name(b.kind), -gap, there, width);
        }
    }
    print_message("# %d overlap, %d apart; %d ways out shorter than libccd's, %d longer, by at most %g of a "
                  "half width\n",
                  overlapping, apart, shallower, deeper, worst);
    assert_true(overlapping > 200 && apart > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlap_and_depth_agree_with_ccd)};
    return cmocka_run_group_tests(tests, hull_pool_make, hull_pool_release);
}
#else
int main(void) {
    printf("skipped: libccd is not installed\n");
    return 77;
}
#endif
