#include "zone_frame.h"

#include "base/error.h"
#include "base/quat_matrix.h"
#include "base/vector.h"
#include "rotation.h"

#include <math.h>

zone_frame zone_frame_of(const scree_zone *zone) {
    const scree_quat q = zone->rotation;
    zone_frame out = {
        .kind = zone->kind,
        .size = {(double)zone->size.x, (double)zone->size.y, (double)zone->size.z},
        .centre = {(double)zone->position.x, (double)zone->position.y, (double)zone->position.z},
        .rotation = quat_out(rotation_normalised(quat_in(q)))};
    quat_axes((double)q.x, (double)q.y, (double)q.z, (double)q.w, out.axes);
    return out;
}

void zone_frame_local(const zone_frame *self, vec3s point, double out[3]) {
    const double d[3] = {(double)point.x - self->centre[0], (double)point.y - self->centre[1],
                         (double)point.z - self->centre[2]};
    for (int k = 0; k < 3; k++)
        out[k] = self->axes[k][0] * d[0] + self->axes[k][1] * d[1] + self->axes[k][2] * d[2];
}

body_pose zone_frame_pose(const zone_frame *self, body_pose pose) {
    double at[3];
    const scree_quat q = self->rotation;
    zone_frame_local(self, pose.position, at);
    pose.position = vec3_of((scalar)at[0], (scalar)at[1], (scalar)at[2]);
    pose.rotation = rotation_normalised(rotation_product(versor_of(-q.x, -q.y, -q.z, q.w), pose.rotation));
    return pose;
}

/* Limit t to the part of the segment p + t d that is in a slab |x| ≤ half, or in a ball or disc |x|² ≤ r². */
static void clip_slab(double p, double d, double half, double t[2]) {
    if (d == 0) {
        if (fabs(p) > half) t[1] = t[0] - 1;
        return;
    }
    const double one = (-half - p) / d, other = (half - p) / d;
    t[0] = fmax(t[0], fmin(one, other)), t[1] = fmin(t[1], fmax(one, other));
}

static void clip_round(const double *p, const double *d, int axes, double radius, double t[2]) {
    double dd = 0, pd = 0, pp = -radius * radius;
    for (int k = 0; k < axes; k++) dd += d[k] * d[k], pd += p[k] * d[k], pp += p[k] * p[k];
    const double root = pd * pd - dd * pp;
    if (dd == 0 || root < 0) {
        if (root < 0 || pp > 0) t[1] = t[0] - 1;
        return;
    }
    t[0] = fmax(t[0], (-pd - sqrt(root)) / dd), t[1] = fmin(t[1], (-pd + sqrt(root)) / dd);
}

static void clip_box(const zone_frame *self, const double *p, const double *d, double t[2]) {
    for (int k = 0; k < 3; k++) clip_slab(p[k], d[k], self->size[k], t);
}
static void clip_cylinder(const zone_frame *self, const double *p, const double *d, double t[2]) {
    clip_round(p, d, 2, self->size[0], t);
    clip_slab(p[2], d[2], self->size[2], t);
}
static void clip_sphere(const zone_frame *self, const double *p, const double *d, double t[2]) {
    clip_round(p, d, 3, self->size[0], t);
}
/* z ≤ 0 */
static void clip_half_space(const zone_frame *self, const double *p, const double *d, double t[2]) {
    (void)self;
    if (d[2] > 0) t[1] = fmin(t[1], -p[2] / d[2]);
    if (d[2] < 0) t[0] = fmax(t[0], -p[2] / d[2]);
    if (d[2] == 0 && p[2] > 0) t[1] = t[0] - 1;
}

static double volume_box(const double *s) { return 8 * s[0] * s[1] * s[2]; }
static double volume_cylinder(const double *s) { return 2 * M_PI * s[0] * s[0] * s[2]; }
static double volume_sphere(const double *s) { return 4 * M_PI / 3 * s[0] * s[0] * s[0]; }
static double volume_half_space(const double *s) {
    (void)s;
    return INFINITY;
}

/* Signed lower bounds on the distance of a point from the surface, positive inside; they tell whether a ball
 * about the point is wholly inside or outside. */
static double depth_box(const double *p, const double *s) {
    return fmin(fmin(s[0] - fabs(p[0]), s[1] - fabs(p[1])), s[2] - fabs(p[2]));
}
static double depth_cylinder(const double *p, const double *s) {
    return fmin(s[0] - hypot(p[0], p[1]), s[2] - fabs(p[2]));
}
static double depth_sphere(const double *p, const double *s) {
    return s[0] - sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}
static double depth_half_space(const double *p, const double *s) {
    (void)s;
    return -p[2];
}

/* Returns the overlap of two balls with centres d apart: π (R + r − d)² (d² + 2 d (r + R) − 3 (r − R)²)/(12
 * d). */
static double ball_in_sphere(const double *size, const double *p, double r) {
    const double R = size[0], d = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (d >= R + r) return 0;
    if (d <= fabs(R - r)) return 4 * M_PI / 3 * pow(fmin(r, R), 3);
    return M_PI * (R + r - d) * (R + r - d) * (d * d + 2 * d * (r + R) - 3 * (r - R) * (r - R)) / (12 * d);
}

/* Returns the overlap of two discs with centres d apart. */
static double discs(double R, double r, double d) {
    if (d >= R + r) return 0;
    if (d <= fabs(R - r)) return M_PI * fmin(r, R) * fmin(r, R);
    const double x = (d * d + r * r - R * R) / (2 * d), X = d - x;
    const double h = sqrt(fmax(r * r - x * x, 0)); /* half the chord */
    return r * r * atan2(h, x) + R * R * atan2(h, X) - d * h;
}

/* Returns ∫ of the discs' overlap over the height from a to b, by Gauss's rule of 12 points after z = a + (b
 * − a) u² (3 − 2 u), which flattens the square roots at both ends. */
static double slice(double R, double r, double d, double a, double b) {
    static const double at[6] = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                                 0.7699026741943047, 0.9041172563704749, 0.9815606342467192},
                        weight[6] = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                     0.1600783285433462, 0.1069393259953184, 0.0471753363865118};
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        const double u = 0.5 + 0.5 * (i < 6 ? at[i] : -at[i - 6]), w = 0.5 * weight[i % 6];
        const double z = a + (b - a) * u * u * (3 - 2 * u);
        sum += w * 6 * u * (1 - u) * (b - a) * discs(R, sqrt(fmax(r * r - z * z, 0)), d);
    }
    return sum;
}

/* Inserts the heights ±√square into the sorted list. */
static void add_heights(double *ends, int *count, double square) {
    if (square < 0) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double value = sign * sqrt(square);
        int k = (*count)++;
        for (; k > 0 && ends[k - 1] > value; k--) ends[k] = ends[k - 1];
        ends[k] = value;
    }
}

/* Integrates slices of the ball along the cylinder's axis; heights are relative to its centre. The overlap is
 * smooth between the heights at which the ball's disc touches the cylinder, with a radius of |R − d| or R +
 * d. */
static double ball_in_cylinder(const double *size, const double *p, double r) {
    const double R = size[0], d = hypot(p[0], p[1]);
    const double low = fmax(-r, -size[2] - p[2]), high = fmin(r, size[2] - p[2]);
    double ends[6], sum = 0;
    int count = 0;
    if (high <= low || d >= R + r) return 0;
    add_heights(ends, &count, r * r);
    add_heights(ends, &count, r * r - (R - d) * (R - d));
    add_heights(ends, &count, r * r - (R + d) * (R + d));
    for (int i = 0; i + 1 < count; i++)
        if (ends[i + 1] > low && ends[i] < high)
            sum += slice(R, r, d, fmax(ends[i], low), fmin(ends[i + 1], high));
    return sum;
}

/* Functions of each kind of zone; if `ball` is NULL, the ball is cut by a box. */
static const struct {
    void (*clip)(const zone_frame *self, const double *p, const double *d, double t[2]);
    double (*volume)(const double *size);
    double (*depth)(const double *p, const double *size);
    double (*ball)(const double *size, const double *p, double r);
    int extents[3]; /* index of the size that is the half extent along each axis */
} rows[] = {
    [SCREE_ZONE_BOX] = {clip_box, volume_box, depth_box, NULL, {0, 1, 2}},
    [SCREE_ZONE_CYLINDER] = {clip_cylinder, volume_cylinder, depth_cylinder, ball_in_cylinder, {0, 0, 2}},
    [SCREE_ZONE_SPHERE] = {clip_sphere, volume_sphere, depth_sphere, ball_in_sphere, {0, 0, 0}},
    [SCREE_ZONE_HALF_SPACE] = {clip_half_space, volume_half_space, depth_half_space, NULL, {0, 0, 0}},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_ZONE_COUNT, "every kind of zone has a row");

void zone_frame_images(const zone_frame *self, const period *cell, vec3s point, double out[3],
                       const vec3s *other, double other_out[3]) {
    const vec3s middle = vec3_of((scalar)self->centre[0], (scalar)self->centre[1], (scalar)self->centre[2]),
                between = other ? glms_vec3_scale(glms_vec3_add(point, *other), 0.5f) : point;
    const int image = period_nearest(cell, between, middle);
    zone_frame_local(self, period_moved(cell, point, image), out);
    if (other) zone_frame_local(self, period_moved(cell, *other, image), other_out);
}

bool zone_frame_holds(const zone_frame *self, const double local[3]) {
    return rows[self->kind].depth(local, self->size) >= 0;
}

double zone_frame_volume(const zone_frame *self) { return rows[self->kind].volume(self->size); }

double zone_frame_fraction(const zone_frame *self, const double a[3], const double b[3]) {
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double t[2] = {0, 1};
    rows[self->kind].clip(self, a, d, t);
    return fmax(t[1] - t[0], 0);
}

static cut_box box_of(const zone_frame *self) {
    cut_box out;
    for (int k = 0; k < 3; k++) {
        out.upper[k] = self->size[rows[self->kind].extents[k]];
        out.lower[k] = -out.upper[k];
    }
    return out;
}

void zone_frame_reach(const zone_frame *self, double out[3]) {
    const cut_box box = box_of(self);
    for (int k = 0; k < 3; k++)
        out[k] = fabs(self->axes[0][k]) * box.upper[0] + fabs(self->axes[1][k]) * box.upper[1] +
                 fabs(self->axes[2][k]) * box.upper[2];
}

/* Halves boxes until they are wholly inside or outside, up to `level` times; the last ones count by their
 * centres. */
static double cut_halves(const zone_frame *self, scree_shape shape, body_pose pose, const cut_box *piece,
                         int level) {
    double centre[3], radius = 0;
    for (int k = 0; k < 3; k++) {
        const double half = (piece->upper[k] - piece->lower[k]) / 2;
        if (half <= 0) return 0;
        centre[k] = piece->lower[k] + half;
        radius += half * half;
    }
    const double depth = rows[self->kind].depth(centre, self->size);
    if (depth <= -sqrt(radius)) return 0;
    if (depth >= sqrt(radius) || level == 0) return depth >= 0 ? cut_volume(shape, pose, piece) : 0;
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        cut_box next = *piece;
        for (int k = 0; k < 3; k++) *(i >> k & 1 ? &next.lower[k] : &next.upper[k]) = centre[k];
        sum += cut_halves(self, shape, pose, &next, level - 1);
    }
    return sum;
}

enum { LEVELS = 5 };

/* Returns the total volume of the boxes of cut_halves. */
static double children_volume(const zone_frame *self, const cut_box *box) {
    const scalar above = (scalar)(2 * box->upper[2]);
    return cut_halves(self, scree_shape_half_space(),
                      (body_pose){.position = vec3_of(0, 0, above), .rotation = versor_of(0, 0, 0, 1)}, box,
                      LEVELS);
}

double zone_frame_cut(const zone_frame *self, scree_shape shape, body_pose pose) {
    const body_pose local = zone_frame_pose(self, pose);
    cut_box box = box_of(self);
    if (self->kind == SCREE_ZONE_BOX) return cut_volume(shape, local, &box);
    double at[3];
    zone_frame_local(self, pose.position, at);
    if (shape.kind == SCREE_SHAPE_SPHERE) return rows[self->kind].ball(self->size, at, (double)shape.size.x);
    const bounds around = bounds_of(shape, local);
    bool beyond = true; /* whether the body's box extends beyond the zone's on all sides */
    for (int k = 0; k < 3; k++) {
        const double lower = (double)vec3_along(around.lower, k), upper = (double)vec3_along(around.upper, k);
        beyond &= lower <= box.lower[k] && upper >= box.upper[k];
        box.lower[k] = fmax(box.lower[k], lower);
        box.upper[k] = fmin(box.upper[k], upper);
    }
    const double cut = cut_halves(self, shape, local, &box, LEVELS), all = zone_frame_volume(self);
    /* These boxes then make up the zone, whose exact volume is known. Scaling by it gives exactly that
     * volume for a body that fills the zone. */
    return beyond ? cut * all / children_volume(self, &box) : fmin(cut, all);
}

/* -- Periodic images -------------------------------------------------------------------- */

zone_images zone_images_of(const zone_frame *zone, const period *cell, bounds around) {
    zone_images out = {.zone = *zone, .count = {1, 1, 1}};
    double reach[3];
    zone_frame_reach(zone, reach);
    for (int k = 0; k < 3; k++) {
        const double length = (double)vec3_along(cell->length, k), centre = zone->centre[k];
        out.first[k] = centre;
        /* An infinite half-space has no images. */
        if (!(length > 0) || !isfinite(vec3_along(around.upper, k) - vec3_along(around.lower, k))) continue;
        /* c + n L − reach ≤ upper and c + n L + reach ≥ lower */
        const double low = ceil(((double)vec3_along(around.lower, k) - reach[k] - centre) / length),
                     high = floor(((double)vec3_along(around.upper, k) + reach[k] - centre) / length);
        out.length[k] = length;
        out.first[k] = centre + low * length;
        out.count[k] = (int)fmax(high - low + 1, 0);
    }
    return out;
}

bool zone_images_next(zone_images *self) {
    int place = self->next++;
    for (int k = 0; k < 3; k++) {
        if (self->count[k] == 0) return false;
        self->zone.centre[k] = self->first[k] + place % self->count[k] * self->length[k];
        place /= self->count[k];
    }
    return place == 0;
}

bool zone_images_hold(const zone_frame *zone, const period *cell, vec3s point, double out[3]) {
    zone_frame_images(zone, cell, point, out, NULL, NULL);
    if (!cell->any || zone_frame_holds(zone, out)) return zone_frame_holds(zone, out);
    /* A tilted zone that is wider than a period may contain another image. */
    for (zone_images in = zone_images_of(zone, cell, (bounds){.lower = point, .upper = point});
         zone_images_next(&in);) {
        zone_frame_local(&in.zone, point, out);
        if (zone_frame_holds(&in.zone, out)) return true;
    }
    return false;
}

scree_result zone_images_check(const scree_zone *zone, const period *cell, bool plane) {
    const zone_frame frame = zone_frame_of(zone);
    double reach[3];
    zone_frame_reach(&frame, reach);
    for (int k = 0; k < 3; k++) {
        const double length = (double)vec3_along(cell->length, k);
        if (!(length > 0)) continue;
        if (!(fabs(frame.centre[k] - (double)vec3_along(cell->lower, k)) < PERIOD_CELLS_MOST * length))
            return fail(SCREE_ERROR_ARGUMENT,
                        "zone.position.%c: %g m; must be at most %d periods from the cell", "xyz"[k],
                        frame.centre[k], PERIOD_CELLS_MOST - 1);
        if (!plane && !(2 * reach[k] <= PERIOD_CELLS_MOST * length))
            return fail(SCREE_ERROR_ARGUMENT, "zone: %g m wide along %c; must be at most %d periods of %g m",
                        2 * reach[k], "xyz"[k], PERIOD_CELLS_MOST, length);
    }
    return SCREE_OK;
}
