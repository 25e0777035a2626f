#include "warnings.h"

#include <math.h>

#include "base/memory.h"

static const double smallest = 10e-6, largest = 100; /* m: limits of the size of a scene's largest body */
static const double shallow = 0.01;                  /* overlap relative to the smaller body's radius */
static const double light = 20;                      /* kg/m³ */
/* Motion in a step relative to a coordinate, below which the rounding of a remainder (2^-49) changes the
 * speed by more than 1e-5. */
static const double resolved = 2e-10;
static const double two_turns =
    4 * 3.14159265358979; /* rad: two turns, limit for a joint's limits and target */

/* Returns the largest extent, m, also of meshes, whose files may be in millimetres; 0 for infinite shapes. */
static double extent_of(scree_shape shape) {
    if (shape.kind == SCREE_SHAPE_HALF_SPACE) return 0;
    if (shape.geometry) return 2 * scree_shape_get_radius(shape);
    return 2 * fmax((double)shape.size.x, fmax((double)shape.size.y, (double)shape.size.z));
}

bool has_inlet(const scree_world *world) {
    const int count = scree_flow_list(world, NULL, 0);
    SCOPED scree_flow_id *flows = memory_allocate((size_t)count, sizeof *flows);
    if (!flows) return true;
    scree_flow_list(world, flows, count);
    for (int i = 0; i < count; i++) {
        scree_flow_state state;
        if (scree_flow_get_state(world, flows[i], &state) == SCREE_OK && state.inlet) return true;
    }
    return false;
}

const char *body_describe(const scree_world *world, scree_body_id id, char out[BODY_NAME_SIZE]) {
    if (!id.index)
        snprintf(out, BODY_NAME_SIZE, "the world");
    else if (!scree_scene_get_body_path(world, id.index, out, BODY_NAME_SIZE))
        snprintf(out, BODY_NAME_SIZE, "the body with id %u", id.index);
    return out;
}

static bool is_solid(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    return scree_body_get_def(world, id, &def) == SCREE_OK && def.shape.kind == SCREE_SHAPE_SOLID;
}

/* Returns the first solid that contains a body's centre and whose groups collide with it; null: none. */
static scree_body_id solid_around(scree_world *world, scree_body_id id, scree_body_id *found, int capacity) {
    scree_body_def body, around;
    int count = 0;
    if (scree_body_get_def(world, id, &body) != SCREE_OK || body.type != SCREE_BODY_DYNAMIC ||
        scree_world_overlap_sphere(world, body.state.position,
                                   0.01f * (float)scree_shape_get_half_width(body.shape), NULL, found,
                                   capacity, &count) != SCREE_OK)
        return (scree_body_id){0};
    for (int i = 0; i < count; i++)
        if (found[i].index != id.index && is_solid(world, found[i]) &&
            scree_body_get_def(world, found[i], &around) == SCREE_OK && around.groups & body.mask &&
            body.groups & around.mask)
            return found[i];
    return (scree_body_id){0};
}

/* Tests a sample of about 100 of the `count` bodies, evenly spread, since each test visits all triangles
 * nearby. */
static void warn_solids(scree_world *world, const scree_body_id *ids, int count, FILE *out) {
    enum { PROBES = 100 };
    SCOPED scree_body_id *found = memory_allocate((size_t)count, sizeof *found);
    char a[BODY_NAME_SIZE], b[BODY_NAME_SIZE];
    for (int i = 0; i < count && found; i += 1 + count / PROBES) {
        const scree_body_id around = solid_around(world, ids[i], found, count);
        if (!around.index) continue;
        fprintf(out,
                "scree run: warning: %s starts inside %s; only a solid's surface collides, so it is not "
                "contained\n",
                body_describe(world, ids[i], a), body_describe(world, around, b));
        return;
    }
}

/* Warns about the speculative distance: a contact is made for every gap up to it. */
static void warn_distance(const scree_world *world, double half_width, FILE *out) {
    const double distance = (double)scree_world_get_def(world).speculative_distance;
    if (distance > half_width)
        fprintf(out,
                "scree run: warning: the smallest moving body has a half width of %.3g m, less than the "
                "\"speculative_distance\" of %.3g m: many contacts will not touch and steps will be slow; a "
                "tenth of the half width, %.2g m, is enough\n",
                half_width, distance, half_width / 10);
}

static double density_of(const scree_world *world, const scree_body_def *def) {
    scree_material_def material;
    return def->mass > 0 || scree_material_get_def(world, def->material, &material) != SCREE_OK
               ? INFINITY
               : (double)material.density;
}

static double length_of(scree_vec3 v) { return hypot(hypot((double)v.x, (double)v.y), (double)v.z); }

/* Returns whether the speed of a body is a given of the run. Contacts and gravity replace that of a dynamic
 * body at rest: it is below what gravity adds in a step, or the result of earlier steps. */
static bool has_given_speed(const scree_world *world, const scree_body_def *def) {
    const scree_world_def of = scree_world_get_def(world);
    if (def->type != SCREE_BODY_DYNAMIC) return true;
    return !scree_world_step_count(world) &&
           length_of(def->state.linear_velocity) >=
               length_of(of.gravity) * fabs((double)def->gravity_scale) * of.time_step;
}

/* Warns about a body that moves in a step by less than its place resolves. Returns whether it does. */
static bool warn_slow(const scree_world *world, scree_body_id id, const scree_body_def *def, FILE *out) {
    const scree_vec3 at = def->state.position;
    const double way = length_of(def->state.linear_velocity) * scree_world_get_def(world).time_step,
                 far = fmax(fabs((double)at.x), fmax(fabs((double)at.y), fabs((double)at.z)));
    char name[BODY_NAME_SIZE];
    if (!(way > 0 && way < resolved * far) || !has_given_speed(world, def)) return false;
    fprintf(out,
            "scree run: warning: %s moves by %.3g m in a step, less than %.0e of its coordinate of %.3g m: "
            "its speed is rounded by more than 1e-5; place the origin near the bodies\n",
            body_describe(world, id, name), way, resolved, far);
    return true;
}

static void warn_bodies(scree_world *world, FILE *out) {
    const int count = scree_body_count(world);
    SCOPED scree_body_id *ids = memory_allocate((size_t)count, sizeof *ids);
    int moving = 0, solids = 0;
    bool slow = false;
    double extent = 0, half_width = INFINITY, density = INFINITY;
    scree_body_id lightest = {0};
    char name[BODY_NAME_SIZE];
    if (!ids) return;
    scree_body_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        scree_body_def def;
        if (scree_body_get_def(world, ids[i], &def) != SCREE_OK) continue;
        moving += def.type != SCREE_BODY_STATIC;
        slow = slow || warn_slow(world, ids[i], &def, out);
        solids += def.shape.kind == SCREE_SHAPE_SOLID;
        extent = fmax(extent, extent_of(def.shape));
        if (def.type != SCREE_BODY_DYNAMIC) continue;
        half_width = fmin(half_width, scree_shape_get_half_width(def.shape));
        if (density_of(world, &def) >= density) continue;
        density = density_of(world, &def);
        lightest = ids[i];
    }
    if (!moving && !has_inlet(world)) fprintf(out, "scree run: warning: no body can move: all are static\n");
    if (extent > 0 && (extent < smallest || extent > largest))
        fprintf(out,
                "scree run: warning: the largest body measures %.3g m; lengths are in metres: is this "
                "intended?\n",
                extent);
    if (moving) warn_distance(world, half_width, out);
    if (density < light)
        fprintf(out,
                "scree run: warning: %s has a density of %.3g; densities are in kg/m³: is this intended?\n",
                body_describe(world, lightest, name), density);
    if (solids) warn_solids(world, ids, count, out);
}

/* Returns the largest angle to which an axis is limited or driven, rad; 0: none. */
static double angle_of(const scree_joint_axis *axis) {
    const bool held = axis->mode != SCREE_AXIS_FREE, led = axis->drive == SCREE_DRIVE_POSITION;
    double most = held ? fabs((double)axis->low) : 0;
    if (axis->mode == SCREE_AXIS_LIMITED) {
        if (isinf(most)) most = 0;
        if (isfinite(axis->high)) most = fmax(most, fabs((double)axis->high));
    }
    return led ? fmax(most, fabs((double)axis->target)) : most;
}

const char *joint_describe(const scree_world *world, scree_joint_id id, char out[JOINT_NAME_SIZE]) {
    scree_joint_def def;
    char a[BODY_NAME_SIZE], b[BODY_NAME_SIZE];
    snprintf(out, JOINT_NAME_SIZE, "the joint with id %u", id.index);
    if (scree_joint_get_def(world, id, &def) == SCREE_OK)
        snprintf(out, JOINT_NAME_SIZE, "the %s joint with id %u, between %s and %s",
                 scree_joint_kind_name(def.kind), id.index, body_describe(world, def.a, a),
                 body_describe(world, def.b, b));
    return out;
}

static void warn_angle(const scree_world *world, scree_joint_id id, int axis, double angle, FILE *out) {
    char name[JOINT_NAME_SIZE];
    fprintf(out,
            "scree run: warning: rotation_%c of %s: %.4g rad, %.3g turns; joint angles are in radians: is "
            "this intended?\n",
            "xyz"[axis - SCREE_AXIS_ROTATION_X], joint_describe(world, id, name), angle,
            angle / (two_turns / 2));
}

static void warn_joints(const scree_world *world, FILE *out) {
    const int count = scree_joint_list(world, NULL, 0);
    SCOPED scree_joint_id *ids = memory_allocate((size_t)count, sizeof *ids);
    double most = 0;
    int which = 0, where = 0;
    if (!ids) return;
    scree_joint_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        scree_joint_def def;
        if (scree_joint_get_def(world, ids[i], &def) != SCREE_OK) continue;
        for (int axis = SCREE_AXIS_ROTATION_X; axis < SCREE_AXIS_COUNT; axis++) {
            if (angle_of(&def.axes[axis]) <= most) continue;
            most = angle_of(&def.axes[axis]);
            which = i;
            where = axis;
        }
    }
    if (most > two_turns) warn_angle(world, ids[which], where, most, out);
}

/* Returns half the body's width, m; infinite for a half-space. */
static double depth_of(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    return scree_body_get_def(world, id, &def) == SCREE_OK ? scree_shape_get_half_width(def.shape) : INFINITY;
}

typedef struct overlaps {
    int pairs;
    scree_contact worst; /* with the largest overlap relative to the smaller body */
    double relative;
} overlaps;

/* Counts a pair of bodies by its deepest contact. */
static void count_pair(overlaps *self, const scree_world *world, scree_contact deepest) {
    const double relative =
        -(double)deepest.gap / fmin(depth_of(world, deepest.a), depth_of(world, deepest.b));
    if (!(relative > shallow)) return;
    ++self->pairs;
    if (relative <= self->relative) return;
    self->relative = relative;
    self->worst = deepest;
}

static bool same_pair(const scree_contact *p, const scree_contact *q) {
    return p->a.index == q->a.index && p->b.index == q->b.index;
}

body_snapshot body_snapshot_of(const scree_world *world) {
    const int count = scree_body_count(world);
    SCOPED scree_body_id *ids = memory_allocate((size_t)count, sizeof *ids);
    body_snapshot out = {0};
    if (!ids) return out;
    scree_body_list(world, ids, count);
    for (int i = 0; i < count; i++)
        if (ids[i].index >= out.count) out.count = ids[i].index + 1;
    out.generations = memory_allocate(out.count, sizeof *out.generations);
    if (!out.generations) out.count = 0;
    for (int i = 0; i < count && out.count; i++) out.generations[ids[i].index] = ids[i].generation;
    return out;
}

void body_snapshot_release(body_snapshot *self) {
    memory_release(self->generations);
    *self = (body_snapshot){0};
}

static bool was_there(const body_snapshot *before, scree_body_id id) {
    return before && id.index < before->count && before->generations[id.index] == id.generation;
}

/* Counts the pairs of bodies of all contacts, a few of which are read at a time: there may be millions. The
 * contacts of a pair are consecutive. */
static overlaps find_overlaps(const scree_world *world, const body_snapshot *before) {
    enum { PIECE = 256 };
    scree_contact contacts[PIECE], deepest = {.gap = 0};
    scree_contact_cursor cursor = {0};
    overlaps found = {0};
    bool any = false; /* whether `deepest` is that of a pair */
    for (int count; (count = scree_contact_read(world, &cursor, contacts, PIECE)) > 0;)
        for (int i = 0; i < count; i++) {
            if (was_there(before, contacts[i].a) && was_there(before, contacts[i].b)) continue;
            const bool same = any && same_pair(&deepest, &contacts[i]);
            if (any && !same) count_pair(&found, world, deepest);
            if (!same || contacts[i].gap < deepest.gap) deepest = contacts[i];
            any = true;
        }
    if (any) count_pair(&found, world, deepest);
    return found;
}

void warnings_about_overlaps(const scree_world *world, const body_snapshot *before, const char *when,
                             FILE *out) {
    const overlaps found = find_overlaps(world, before);
    char a[BODY_NAME_SIZE], b[BODY_NAME_SIZE];
    /* Springs of `substep` may have given way within the step. */
    const bool late = scree_world_get_def(world).solver.stabilisation == SCREE_STABILISATION_SUBSTEP,
               several = found.pairs > 1;
    if (found.pairs)
        fprintf(out,
                "scree run: warning: %s%d pair%s of bodies %s inside each other%s; the worst are %s and "
                "%s, by %.3g m, %.0f %% of the smaller one's radius\n",
                when, found.pairs, several ? "s" : "",
                late      ? several ? "are" : "is"
                : several ? "start"
                          : "starts",
                late ? " after the first step" : "", body_describe(world, found.worst.a, a),
                body_describe(world, found.worst.b, b), -(double)found.worst.gap, 100 * found.relative);
}

static void warn_length(double length, double time_step, FILE *out) {
    if (length > 0 && length < 0.5 * time_step)
        fprintf(out,
                "scree run: warning: the duration of %.4g s is less than half the time step of %.4g s: one "
                "step is made\n",
                length, time_step);
}

/* Returns whether all rows of a measurement, which come at multiples of its period, come later than `last`.
 */
static bool is_late(const scree_world *world, scree_measurement_id id, uint64_t last,
                    scree_measurement_def *def) {
    if (scree_measurement_get_def(world, id, def) != SCREE_OK || def->paused) return false;
    const uint64_t every = scree_span_get_steps(def->every, scree_world_get_def(world).time_step);
    return every > 0 && last / every == scree_world_step_count(world) / every;
}

static void warn_measurements(const scree_world *world, uint64_t last, FILE *out) {
    const int count = scree_measurement_list(world, NULL, 0);
    SCOPED scree_measurement_id *ids = memory_allocate((size_t)count, sizeof *ids);
    if (!ids) return;
    scree_measurement_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        scree_measurement_def def;
        if (!is_late(world, ids[i], last, &def)) continue;
        fprintf(out,
                "scree run: warning: the run ends at step %llu, but the measurement \"%s\" makes rows only "
                "at multiples of %llu steps: it will have no new row\n",
                (unsigned long long)last, def.name,
                (unsigned long long)scree_span_get_steps(def.every, scree_world_get_def(world).time_step));
    }
}

/* Returns whether any pair of materials has its own spring: from a material or from `material_pairs`. */
static bool has_springs(const scree_world *world) {
    const int count = scree_material_list(world, NULL, 0);
    SCOPED scree_material_id *ids = memory_allocate((size_t)count, sizeof *ids);
    if (!ids) return false;
    scree_material_list(world, ids, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k <= i; k++) {
            scree_material_pair_def def;
            if (scree_material_get_pair(world, ids[i], ids[k], &def) == SCREE_OK && def.stiffness > 0)
                return true;
        }
    return false;
}

static void warn_springs(const scree_world *world, FILE *out) {
    const scree_solver_def def = scree_world_get_def(world).solver;
    const bool used =
        def.stabilisation == SCREE_STABILISATION_SOFT || def.stabilisation == SCREE_STABILISATION_PENALTY ||
        (def.stabilisation == SCREE_STABILISATION_SUBSTEP && !(def.substep.contact_frequency > 0));
    if (!used && has_springs(world))
        fprintf(out,
                "scree run: warning: the stiffness of materials has no effect with stabilisation \"%s\"\n",
                scree_stabilisation_name(def.stabilisation));
}

/* Returns the number of a material in a list; 0 for an unknown one. */
static int number_of(scree_material_id id, const scree_material_id *ids, int count) {
    for (int i = 0; i < count; i++)
        if (ids[i].index == id.index) return i;
    return 0;
}

/* Finds the smallest radius of the dynamic bodies of each material, m; infinite without any. */
static void find_radii(const scree_world *world, const scree_material_id *materials, int count,
                       double *radii) {
    const int body_count = scree_body_count(world);
    SCOPED scree_body_id *ids = memory_allocate((size_t)body_count, sizeof *ids);
    for (int i = 0; i < count; i++) radii[i] = INFINITY;
    if (!ids) return;
    scree_body_list(world, ids, body_count);
    for (int i = 0; i < body_count; i++) {
        scree_body_def def;
        if (scree_body_get_def(world, ids[i], &def) != SCREE_OK || def.type != SCREE_BODY_DYNAMIC) continue;
        double *at = &radii[number_of(def.material, materials, count)];
        *at = fmin(*at, (double)scree_shape_get_radius(def.shape));
    }
}

static const char *material_describe(const scree_world *world, scree_material_id id,
                                     scree_material_def *def) {
    return scree_material_get_def(world, id, def) == SCREE_OK && *def->name ? def->name : "default";
}

/* Warns about a friction torque whose arm is longer than the radius of a body on which it acts. */
static bool warn_arm(const scree_world *world, const char *key, double arm, double radius,
                     scree_material_id a, scree_material_id b, FILE *out) {
    scree_material_def of_a, of_b;
    if (!(arm > radius)) return false;
    if (a.index == b.index)
        fprintf(out, "scree run: warning: %s of the material \"%s\"", key,
                material_describe(world, a, &of_a));
    else
        fprintf(out, "scree run: warning: %s of the materials \"%s\" and \"%s\"", key,
                material_describe(world, a, &of_a), material_describe(world, b, &of_b));
    fprintf(
        out,
        ": %.4g m; should be at most the radius of %s smallest body, %.4g m, since it is an arm in metres "
        "and not a coefficient\n",
        arm, a.index == b.index ? "its" : "their", radius);
    return true;
}

static void warn_arms(const scree_world *world, FILE *out) {
    const int count = scree_material_list(world, NULL, 0);
    SCOPED scree_material_id *ids = memory_allocate((size_t)count, sizeof *ids);
    SCOPED double *radii = memory_allocate((size_t)count, sizeof *radii);
    if (!ids || !radii || !scree_world_has_rolling_resistance(world)) return;
    scree_material_list(world, ids, count);
    find_radii(world, ids, count, radii);
    bool rolling = false, spinning = false;
    for (int i = 0; i < count; i++)
        for (int k = i; k >= 0; k--) { /* a material with itself first: it may be the only one in use */
            const double radius = fmin(radii[i], radii[k]);
            scree_material_pair_def def;
            if (scree_material_get_pair(world, ids[i], ids[k], &def) != SCREE_OK) continue;
            rolling = rolling || warn_arm(world, "rolling_friction", (double)def.rolling_friction, radius,
                                          ids[k], ids[i], out);
            spinning = spinning || warn_arm(world, "spinning_friction", (double)def.spinning_friction, radius,
                                            ids[k], ids[i], out);
        }
}

static void warn_files(const scree_scene *scene, FILE *out) {
    for (int i = 0; i < scree_scene_warning_count(scene); i++)
        fprintf(out, "scree run: warning: %s\n", scree_scene_get_warning(scene, i));
}

void warnings_print(const scree_scene *scene, scree_world *world, double length, uint64_t last, FILE *out) {
    warn_files(scene, out);
    warn_bodies(world, out);
    warn_joints(world, out);
    warn_springs(world, out);
    warn_arms(world, out);
    warn_length(length, scree_world_get_def(world).time_step, out);
    if (last) warn_measurements(world, last, out);
}
