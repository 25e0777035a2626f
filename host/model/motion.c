#include "motion.h"

#include "base/finite.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

placement placement_none(void) { return (placement){{0, 0, 0, 1}, {0, 0, 0}}; }

void quaternion_product(const double a[4], const double b[4], double out[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                 z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                 w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

/* Returns the rotation vector, of length 0 … π, of a unit quaternion. */
static void quaternion_vector(const double q[4], double out[3]) {
    const double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), sign = q[3] < 0 ? -1 : 1;
    const double scale = sine > 0 ? sign * 2 * atan2(sine, fabs(q[3])) / sine : 0;
    for (int k = 0; k < 3; k++) out[k] = scale * q[k];
}

/* v + 2 w (u × v) + 2 u × (u × v). */
static void turned(const double q[4], const double v[3], double out[3]) {
    const double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                         2 * (q[0] * v[1] - q[1] * v[0])};
    const double x = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
                 y = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
                 z = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

void placement_point(const placement *by, const double x[3], double out[3]) {
    turned(by->q, x, out);
    for (int k = 0; k < 3; k++) out[k] += by->p[k];
}

placement placement_after(const placement *outer, const placement *inner) {
    placement out;
    quaternion_product(outer->q, inner->q, out.q);
    placement_point(outer, inner->p, out.p);
    return out;
}

static void vector_of(scree_vec3 v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static placement shift(scree_vec3 along, double scale) {
    placement out = placement_none();
    vector_of(along, out.p);
    for (int k = 0; k < 3; k++) out.p[k] *= scale;
    return out;
}

/* x → R (x − c) + c + offset. */
static placement turn(const double q[4], scree_vec3 centre, const double offset[3]) {
    placement out = {{q[0], q[1], q[2], q[3]}, {0, 0, 0}};
    double c[3], moved[3];
    vector_of(centre, c);
    turned(q, c, moved);
    for (int k = 0; k < 3; k++) out.p[k] = c[k] - moved[k] + offset[k];
    return out;
}

static double length_of(scree_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static placement turn_about(const scree_motion_def *def, double angle) {
    const double scale = sin(angle / 2) / length_of(def->axis), still[3] = {0, 0, 0};
    const double q[4] = {scale * (double)def->axis.x, scale * (double)def->axis.y,
                         scale * (double)def->axis.z, cos(angle / 2)};
    return turn(q, def->point, still);
}

/* ∫ min(1, t/ramp) dt from 0 to τ. */
static double eased(const scree_motion_def *def, double tau) {
    return tau < def->ramp ? tau * tau / (2 * def->ramp) : tau - def->ramp / 2;
}

static double wave(const scree_motion_def *def, double tau) {
    const double ease = tau < def->ramp ? tau / def->ramp : 1;
    return ease * def->amplitude * (sin(2 * PI * def->frequency * tau + def->phase) - sin(def->phase));
}

static placement linear(const scree_motion_def *def, double tau) {
    return shift(def->velocity, eased(def, tau));
}

/* Removes whole turns first, to preserve the precision of the sine at large angles. */
static placement rotation(const scree_motion_def *def, double tau) {
    return turn_about(def, remainder(def->speed * eased(def, tau), 4 * PI));
}

static placement oscillation(const scree_motion_def *def, double tau) {
    return shift(def->axis, wave(def, tau) / length_of(def->axis));
}

static placement swing(const scree_motion_def *def, double tau) { return turn_about(def, wave(def, tau)); }

static scree_motion_key key_none(void) { return (scree_motion_key){.rotation = {0, 0, 0, 1}}; }

static void rotation_of(const scree_motion_key *key, double out[4]) {
    const double q[4] = {(double)key->rotation.x, (double)key->rotation.y, (double)key->rotation.z,
                         (double)key->rotation.w};
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) out[k] = q[k] / norm;
}

/* Interpolates by the fraction s along the shorter way from a to b: rotates by s θ about the axis of b
 * a⁻¹. */
static void between(const double a[4], const double b[4], double s, double out[4]) {
    const double back[4] = {-a[0], -a[1], -a[2], a[3]};
    double way[4], v[3];
    quaternion_product(b, back, way);
    quaternion_vector(way, v);
    const double angle = s * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), half = angle / 2,
                 scale = angle > 0 ? s * sin(half) / angle : 0;
    const double step[4] = {scale * v[0], scale * v[1], scale * v[2], cos(half)};
    quaternion_product(step, a, out);
}

/* Interpolates between two keys; the first interval begins at rest at 0 s, and the last key stays. */
static placement table(const scree_motion_def *def, double tau) {
    scree_motion_key from = key_none(), to = from;
    int next = 0;
    while (next < def->key_count && def->keys[next].time <= tau) from = def->keys[next++];
    to = next < def->key_count ? def->keys[next] : from;
    const double s = to.time > from.time ? (tau - from.time) / (to.time - from.time) : 0;
    double a[4], b[4], q[4], p[3], step[3];
    rotation_of(&from, a);
    rotation_of(&to, b);
    between(a, b, s, q);
    vector_of(from.offset, p);
    vector_of(to.offset, step);
    for (int k = 0; k < 3; k++) p[k] += s * (step[k] - p[k]);
    return turn(q, def->point, p);
}

static scree_result check_linear(const scree_motion_def *def) {
    return finite_check(def->velocity, "m/s", "velocity");
}

static scree_result check_axis(const scree_motion_def *def) {
    TRY(finite_check(def->axis, "", "axis"));
    TRY(finite_check(def->point, "m", "point"));
    if (isfinite(length_of(def->axis)) && length_of(def->axis) > 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "axis: (%g, %g, %g); must have a finite length > 0",
                (double)def->axis.x, (double)def->axis.y, (double)def->axis.z);
}

static scree_result check_rotation(const scree_motion_def *def) {
    TRY(check_axis(def));
    if (isfinite(def->speed)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "speed: %g rad/s; must be finite", def->speed);
}

static scree_result check_wave(const scree_motion_def *def) {
    TRY(check_axis(def));
    if (!isfinite(def->amplitude) || !isfinite(def->phase))
        return fail(SCREE_ERROR_ARGUMENT, "amplitude, phase: %g, %g; must be finite", def->amplitude,
                    def->phase);
    if (def->frequency >= 0 && isfinite(def->frequency)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "frequency: %g; must be >= 0 Hz", def->frequency);
}

static scree_result check_key(const scree_motion_key *key, const scree_motion_key *before, int i) {
    const scree_quat q = key->rotation;
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!isfinite(key->time) || !(key->time >= 0) || (before && !(key->time > before->time)))
        return fail(SCREE_ERROR_ARGUMENT, "keys[%d].time: %g s; must be %s", i, key->time,
                    before ? "greater than that of the key before" : ">= 0");
    TRY(finite_check(key->offset, "m", "keys[%d].offset", i));
    if (!(fabsf(norm2 - 1) < 1e-3f))
        return fail(SCREE_ERROR_ARGUMENT, "keys[%d].rotation: norm %g; must be a unit quaternion", i,
                    (double)sqrtf(norm2));
    const bool moves =
        key->offset.x != 0 || key->offset.y != 0 || key->offset.z != 0 || q.x != 0 || q.y != 0 || q.z != 0;
    if (key->time > 0 || !moves) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "keys[%d]: shifts or turns at 0 s; a key at 0 s must leave bodies where they start", i);
}

static scree_result check_table(const scree_motion_def *def) {
    TRY(finite_check(def->point, "m", "point"));
    if (!def->keys || def->key_count < 1)
        return fail(SCREE_ERROR_ARGUMENT, "key_count: %d; must be >= 1", def->key_count);
    for (int i = 0; i < def->key_count; i++) TRY(check_key(&def->keys[i], i ? &def->keys[i - 1] : NULL, i));
    return SCREE_OK;
}

/* A kind of motion: its displacement after τ, and the check of its parameters. */
typedef struct motion_row {
    const char *name;
    placement (*at)(const scree_motion_def *def, double tau);
    scree_result (*check)(const scree_motion_def *def);
} motion_row;

static const motion_row rows[] = {
    [SCREE_MOTION_LINEAR] = {"linear", linear, check_linear},
    [SCREE_MOTION_ROTATION] = {"rotation", rotation, check_rotation},
    [SCREE_MOTION_OSCILLATION] = {"oscillation", oscillation, check_wave},
    [SCREE_MOTION_SWING] = {"swing", swing, check_wave},
    [SCREE_MOTION_TABLE] = {"table", table, check_table},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_MOTION_COUNT, "every kind of motion has a row");

const char *scree_motion_kind_name(scree_motion_kind kind) {
    return (unsigned)kind < SCREE_MOTION_COUNT ? rows[kind].name : NULL;
}

scree_motion_def scree_default_motion_def(scree_motion_kind kind) {
    return (scree_motion_def){.kind = kind, .stop = INFINITY, .axis = {0, 0, 1}};
}

placement motions_at(const scree_motion_def *motions, int count, double time) {
    placement out = placement_none();
    for (int i = 0; i < count; i++) {
        const scree_motion_def *def = &motions[i];
        const double tau = fmin(time, def->stop) - def->start;
        if (!(tau > 0)) continue;
        const placement own = rows[def->kind].at(def, tau);
        out = placement_after(&own, &out);
    }
    return out;
}

static scree_result validate(const scree_motion_def *def) {
    if ((unsigned)def->kind >= SCREE_MOTION_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "kind: %d; must be 0 to %d", (int)def->kind,
                    SCREE_MOTION_COUNT - 1);
    if (!(def->start >= 0) || !isfinite(def->start))
        return fail(SCREE_ERROR_ARGUMENT, "start: %g; must be >= 0 s", def->start);
    if (!(def->stop > def->start))
        return fail(SCREE_ERROR_ARGUMENT, "stop: %g; must be greater than the start, %g s", def->stop,
                    def->start);
    if (!(def->ramp >= 0) || !isfinite(def->ramp))
        return fail(SCREE_ERROR_ARGUMENT, "ramp: %g; must be >= 0 s", def->ramp);
    return rows[def->kind].check(def);
}

scree_result scree_validate_motions(const scree_motion_def *motions, int count) {
    if (count < 0) return fail(SCREE_ERROR_ARGUMENT, "motion_count: %d; must be >= 0", count);
    if (count > 0) REQUIRE(motions);
    for (int i = 0; i < count; i++)
        if (validate(&motions[i]) != SCREE_OK) return fail_prefix(SCREE_ERROR_ARGUMENT, "motions[%d]", i);
    return SCREE_OK;
}

/* Computes the rotation vector, at most a half turn, between two times. */
static void shorter_rotation(const scree_motion_def *motions, int count, double from, double to,
                             double out[3]) {
    const placement now = motions_at(motions, count, from), then = motions_at(motions, count, to);
    const double back[4] = {-now.q[0], -now.q[1], -now.q[2], now.q[3]};
    double turn[4];
    quaternion_product(then.q, back, turn);
    quaternion_vector(turn, out);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Poses do not contain whole turns. Adds the whole turns that bring the angle nearest to the angle that
 * the spin at the middle of the interval, about its axis, gives for the whole interval. The spin is
 * measured over 1/1024 of the interval, which allows several hundred turns. */
void motions_rotation(const scree_motion_def *motions, int count, double from, double to, double out[3]) {
    const double intervals = 1024, middle = (from + to) / 2, reach = (to - from) / intervals / 2;
    double spun[3];
    shorter_rotation(motions, count, from, to, out);
    shorter_rotation(motions, count, middle - reach, middle + reach, spun);
    const double turned = intervals * sqrt(dot(spun, spun)), angle = sqrt(dot(out, out));
    if (turned < PI / 2) return;
    const double *axis = angle > 1e-6 ? out : spun, length = sqrt(dot(axis, axis)),
                 ahead = intervals * dot(spun, axis) / length,
                 whole = angle > 1e-6 ? angle : dot(out, axis) / length,
                 scale = (whole + 2 * PI * round((ahead - whole) / (2 * PI))) / length;
    for (int k = 0; k < 3; k++) out[k] = scale * axis[k];
}
