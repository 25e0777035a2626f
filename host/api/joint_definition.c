/* Definition of joints: names, defaults and checks. */
#include "joint_definition.h"

#include "base/error.h"
#include "base/handle_table.h"
#include "base/vector.h"

static const char *name_in(const char *const *names, unsigned count, unsigned value) {
    return value < count ? names[value] : NULL;
}

const char *scree_joint_kind_name(scree_joint_kind kind) {
    static const char *const names[] = {"fixed", "hinge",  "slider",   "cylindrical", "universal",
                                        "ball",  "planar", "distance", "general",     "suspension"};
    _Static_assert(sizeof names / sizeof *names == SCREE_JOINT_KIND_COUNT, "every kind has a name");
    return name_in(names, SCREE_JOINT_KIND_COUNT, (unsigned)kind);
}

const char *scree_axis_mode_name(scree_axis_mode mode) {
    static const char *const names[] = {"free", "locked", "limited"};
    _Static_assert(sizeof names / sizeof *names == SCREE_AXIS_MODE_COUNT, "every mode has a name");
    return name_in(names, SCREE_AXIS_MODE_COUNT, (unsigned)mode);
}

const char *scree_drive_name(scree_drive drive) {
    static const char *const names[] = {"none", "velocity", "position"};
    _Static_assert(sizeof names / sizeof *names == SCREE_DRIVE_COUNT, "every drive has a name");
    return name_in(names, SCREE_DRIVE_COUNT, (unsigned)drive);
}

/* Bits of the axes that a kind leaves free; x is the lowest. */
static const unsigned free_axes[] = {
    [SCREE_JOINT_FIXED] = 0,         [SCREE_JOINT_HINGE] = 010,     [SCREE_JOINT_SLIDER] = 001,
    [SCREE_JOINT_CYLINDRICAL] = 011, [SCREE_JOINT_UNIVERSAL] = 050, [SCREE_JOINT_BALL] = 070,
    [SCREE_JOINT_PLANAR] = 016,      [SCREE_JOINT_DISTANCE] = 076,  [SCREE_JOINT_GENERAL] = 077,
    [SCREE_JOINT_SUSPENSION] = 041};
_Static_assert(sizeof free_axes / sizeof *free_axes == SCREE_JOINT_KIND_COUNT, "every kind has axes");

scree_joint_def scree_default_joint_def(scree_joint_kind kind) {
    const unsigned known = (unsigned)kind < SCREE_JOINT_KIND_COUNT ? (unsigned)kind : SCREE_JOINT_GENERAL;
    scree_joint_def def = {.kind = kind,
                           .frame_a = {0, 0, 0, 1},
                           .frame_b = {0, 0, 0, 1},
                           .break_force = INFINITY,
                           .break_torque = INFINITY};
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        def.axes[i].mode = free_axes[known] >> i & 1 ? SCREE_AXIS_FREE : SCREE_AXIS_LOCKED;
        def.axes[i].max_force = INFINITY;
    }
    return def;
}

/* Larger values have no further effect, and their products overflow single precision. Single precision
 * resolves a position or an angle of FARTHEST to 0.06. STEEPEST for β leaves a cosine of 1.5 times the
 * smallest one that joints use (joint_geometry.c). */
static const float FARTHEST = 1e6f, ANCHOR_FARTHEST = 1e9f, STEEPEST = 1.48f, STIFFEST = 1e20f,
                   FASTEST = 1e9f, MOST_DAMPED = 1e6f;

scree_result joint_check_body(const body_array *bodies, const char *field, scree_body_id body) {
    if (handle_is_null(body.index, body.generation, body.world) || body_slot(bodies, body) >= 0)
        return SCREE_OK;
    if (body.world != bodies->world && body.world)
        return fail(SCREE_ERROR_HANDLE, "%s: body {%u, %u}: of world %u; must be of world %u", field,
                    body.index, body.generation, body.world, bodies->world);
    return fail(SCREE_ERROR_HANDLE, "%s: body {%u, %u}: not alive in this world; must exist", field,
                body.index, body.generation);
}

static scree_result check_anchor(const char *field, scree_vec3 at) {
    const float farthest = fmaxf(fabsf(at.x), fmaxf(fabsf(at.y), fabsf(at.z)));
    if (vec3_finite(vec3_in(at)) && farthest <= ANCHOR_FARTHEST) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: (%g, %g, %g); must be within %g m", field, (double)at.x,
                (double)at.y, (double)at.z, (double)ANCHOR_FARTHEST);
}

static scree_result check_frame(const char *field, scree_quat q) {
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (fabsf(norm2 - 1) < 1e-3f) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: norm %g; must be a unit quaternion", field, (double)sqrtf(norm2));
}

static const char *const axis_names[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};
_Static_assert(sizeof axis_names / sizeof *axis_names == SCREE_AXIS_COUNT, "every axis has a name");

static scree_result check_number(int axis, const char *part, const char *field, float value, float most) {
    if (value >= 0 && value <= most) return SCREE_OK;
    if (isinf(most))
        return fail(SCREE_ERROR_ARGUMENT, "%s.%s%s: %g; must be >= 0", axis_names[axis], part, field,
                    (double)value);
    return fail(SCREE_ERROR_ARGUMENT, "%s.%s%s: %g; must be 0 to %g", axis_names[axis], part, field,
                (double)value, (double)most);
}

static scree_result check_spring(int i, const char *part, const scree_spring *spring) {
    TRY(check_number(i, part, "stiffness", spring->stiffness, STIFFEST));
    TRY(check_number(i, part, "damping", spring->damping, STIFFEST));
    TRY(check_number(i, part, "frequency", spring->frequency, FASTEST));
    TRY(check_number(i, part, "damping_ratio", spring->damping_ratio, MOST_DAMPED));
    if (!(spring->frequency > 0) || !(spring->stiffness > 0 || spring->damping > 0)) return SCREE_OK;
    return fail(
        SCREE_ERROR_ARGUMENT,
        "%s.%sfrequency: %g, with %s %g; must be stiffness and damping, or frequency and damping_ratio",
        axis_names[i], part, (double)spring->frequency, spring->stiffness > 0 ? "stiffness" : "damping",
        (double)(spring->stiffness > 0 ? spring->stiffness : spring->damping));
}

/* Checks a position at which an axis is locked, limited or driven to. */
static scree_result check_place(const scree_joint_def *def, int i, const char *field, float value) {
    const bool distance = def->kind == SCREE_JOINT_DISTANCE && i == SCREE_AXIS_X,
               steep = i == SCREE_AXIS_ROTATION_Y;
    const float most = steep ? STEEPEST : FARTHEST, least = distance ? 0 : -most;
    if (value >= least && value <= most) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s.%s: %g; must be %g to %g%s", axis_names[i], field, (double)value,
                (double)least, (double)most,
                distance ? " (a distance)" : (steep ? " (below a right angle)" : ""));
}

static scree_result check_limits(const scree_joint_def *def, int i) {
    const scree_joint_axis *axis = &def->axes[i];
    if (!(axis->low <= axis->high))
        return fail(SCREE_ERROR_ARGUMENT, "%s: limits %g and %g; must be low <= high", axis_names[i],
                    (double)axis->low, (double)axis->high);
    if (axis->low != -INFINITY) TRY(check_place(def, i, "low", axis->low));
    return axis->high == INFINITY ? SCREE_OK : check_place(def, i, "high", axis->high);
}

static scree_result check_mode(const scree_joint_def *def, int i) {
    const scree_joint_axis *axis = &def->axes[i];
    if (def->kind == SCREE_JOINT_DISTANCE && i != SCREE_AXIS_X &&
        (axis->mode != SCREE_AXIS_FREE || axis->drive != SCREE_DRIVE_NONE || axis->friction > 0))
        return fail(SCREE_ERROR_ARGUMENT,
                    "%s: locked, limited, driven or with friction; must be free in a distance joint",
                    axis_names[i]);
    if (axis->mode == SCREE_AXIS_LIMITED) return check_limits(def, i);
    if (axis->mode == SCREE_AXIS_FREE) return SCREE_OK;
    if (axis->drive != SCREE_DRIVE_NONE || axis->friction > 0)
        return fail(SCREE_ERROR_ARGUMENT, "%s: locked, with %s; must be free or limited", axis_names[i],
                    axis->friction > 0 ? "friction" : "a drive");
    return check_place(def, i, "low", axis->low);
}

scree_result joint_check_driven(const scree_joint_def *def, int axis) {
    if (def->axes[axis].drive != SCREE_DRIVE_NONE) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: no drive; must have a velocity or position drive",
                axis_names[axis]);
}

scree_result joint_check_target(const scree_joint_def *def, int axis, float target) {
    if (def->axes[axis].drive == SCREE_DRIVE_POSITION) return check_place(def, axis, "target", target);
    if (fabsf(target) <= FARTHEST) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s.target: %g; must be -%g to %g", axis_names[axis], (double)target,
                (double)FARTHEST, (double)FARTHEST);
}

static scree_result check_time(int axis, const char *field, double value) {
    if (value >= 0 && isfinite(value)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s.%s: %g; must be >= 0 and finite (s)", axis_names[axis], field,
                value);
}

static scree_result check_axis(const scree_joint_def *def, int i) {
    const scree_joint_axis *axis = &def->axes[i];
    if ((unsigned)axis->mode >= SCREE_AXIS_MODE_COUNT || (unsigned)axis->drive >= SCREE_DRIVE_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "%s: mode %d, drive %d; must be 0 to %d each", axis_names[i],
                    (int)axis->mode, (int)axis->drive, SCREE_AXIS_MODE_COUNT - 1);
    TRY(check_number(i, "", "max_force", axis->max_force, INFINITY));
    TRY(check_number(i, "", "friction", axis->friction, STIFFEST));
    TRY(check_mode(def, i));
    TRY(joint_check_target(def, i, axis->target));
    TRY(check_time(i, "start", axis->start));
    TRY(check_time(i, "ramp", axis->ramp));
    TRY(check_spring(i, "spring.", &axis->spring));
    TRY(check_spring(i, "servo.", &axis->servo));
    if (axis->drive == SCREE_DRIVE_POSITION &&
        !(axis->servo.stiffness > 0 || axis->servo.damping > 0 || axis->servo.frequency > 0))
        return fail(SCREE_ERROR_ARGUMENT,
                    "%s: position drive without a spring; servo.stiffness, servo.damping or servo.frequency "
                    "must be > 0",
                    axis_names[i]);
    return SCREE_OK;
}

/* At β = ±90° α and γ turn about the same axis, and rows for both would work against each other without
 * bound. */
static scree_result check_fold(const scree_joint_axis *axes) {
    const scree_joint_axis *beta = &axes[SCREE_AXIS_ROTATION_Y];
    const bool limited = beta->mode == SCREE_AXIS_LIMITED && isfinite(beta->low) && isfinite(beta->high);
    if (beta->mode == SCREE_AXIS_LOCKED || limited) return SCREE_OK;
    for (int i = SCREE_AXIS_ROTATION_X; i <= SCREE_AXIS_ROTATION_Z; i += 2)
        if (axes[i].mode != SCREE_AXIS_FREE || axes[i].drive != SCREE_DRIVE_NONE || axes[i].friction > 0)
            return fail(SCREE_ERROR_ARGUMENT,
                        "%s: locked, limited, driven or with friction; rotation_y must then be locked or "
                        "limited on both sides, since rotation_x and rotation_z coincide at 90 degrees",
                        axis_names[i]);
    return SCREE_OK;
}

scree_result joint_validate(const body_array *bodies, const scree_joint_def *def) {
    if ((unsigned)def->kind >= SCREE_JOINT_KIND_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "kind: %d; must be 0 to %d", (int)def->kind,
                    SCREE_JOINT_KIND_COUNT - 1);
    TRY(joint_check_body(bodies, "a", def->a));
    TRY(joint_check_body(bodies, "b", def->b));
    if (def->a.index == def->b.index)
        return fail(SCREE_ERROR_ARGUMENT, "a and b: %s; must be two bodies, or one body and the world",
                    def->a.index ? "the same body" : "both the world");
    TRY(check_anchor("anchor_a", def->anchor_a));
    TRY(check_anchor("anchor_b", def->anchor_b));
    TRY(check_frame("frame_a", def->frame_a));
    TRY(check_frame("frame_b", def->frame_b));
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) TRY(check_axis(def, i));
    TRY(check_fold(def->axes));
    if (!(def->break_force > 0) || !(def->break_torque > 0))
        return fail(SCREE_ERROR_ARGUMENT, "break_force: %g, break_torque: %g; both must be > 0",
                    (double)def->break_force, (double)def->break_torque);
    return SCREE_OK;
}

scree_result joint_check_moves(const body_array *bodies, const scree_joint_def *def) {
    if (joint_moves(bodies, def->a) || joint_moves(bodies, def->b)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "a and b: neither is dynamic; at least one must be");
}
