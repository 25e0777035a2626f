/* Solver options: names, defaults, ranges. */
#include <scree/solver.h>

#include "base/error.h"
#include "kinds.h"
#include "method.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const laws[] = {
#define ROW(KIND, name) [SCREE_LAW_##KIND] = #name,
    LAW_KINDS(ROW)
#undef ROW
};
static const char *const stabilisations[] = {"baumgarte", "soft", "split", "relaxed", "penalty", "substep"};
static const char *const stops[] = {"none", "iterations", "residual", "change", "infeasible"};
_Static_assert(sizeof stabilisations / sizeof *stabilisations == SCREE_STABILISATION_COUNT &&
                   sizeof stops / sizeof *stops == SCREE_STOP_COUNT,
               "every stabilisation and every stop has a name");

/* Kernels receive a law by its number. */
#define ROW(KIND, name) _Static_assert((int)LAW_##KIND == (int)SCREE_LAW_##KIND, "one order of laws");
LAW_KINDS(ROW)
#undef ROW
_Static_assert((int)LAW_KIND_COUNT == (int)SCREE_LAW_COUNT, "kinds.h lists every public law");

enum { POSITION_ITERATIONS = 15 }; /* of `split`, also in the preset `balanced` */

/* The parameters of each stabilisation that nothing else states. */
static const scree_solver_def defaults[] = {
    [SCREE_STABILISATION_BAUMGARTE] = {.baumgarte = {.error_reduction = 0.2f, .correction_speed = 3}},
    [SCREE_STABILISATION_SOFT] = {.soft = {.stiffness = 1e6f, .damping = 1e3f}},
    [SCREE_STABILISATION_SPLIT] = {.split = {.error_reduction = 0.2f,
                                             .correction_speed = 3,
                                             .position_iterations = POSITION_ITERATIONS}},
    [SCREE_STABILISATION_RELAXED] = {.relaxed = {.relaxation_time = 0.05f,
                                                 .damping_ratio = 1,
                                                 .correction_speed = 3}},
    [SCREE_STABILISATION_PENALTY] = {.penalty = {.stiffness = 1e6f, .damping = 1e3f}},
    [SCREE_STABILISATION_SUBSTEP] = {.substep = {.substeps = 8,
                                                 .contact_frequency = 1000,
                                                 .contact_damping_ratio = 3,
                                                 .correction_speed = 3,
                                                 .spring = {.stiffness = 1e6f, .damping = 1e3f}}},
};
_Static_assert(sizeof defaults / sizeof *defaults == SCREE_STABILISATION_COUNT,
               "every stabilisation has default parameters");

/* Values that a preset sets.
 *
 * - tolerance: with 1e-6 walls one cube thick creep in a mode whose residual is lower; 3e-7 is what single
 *   precision resolves.
 * - reduction: with a tolerance alone the tower D10 drifts by 16 mm, since the slow modes of a stack barely
 *   show in the residual and persist in the warm start; with 0.7 it falls.
 * - local_sweeps: D10 falls with 1 or 2; 8 take 1.5 times as long as 4.
 * - iterations, position_follows: 300 iterations leave the load of D1000 bouncing, and 60 plain position
 *   sweeps leave overlaps that feed a sideways mode.
 * - direct_joints: off in `realtime`, whose substeps make one sweep with factors that cost more than it. */
typedef struct preset_row {
    const char *name;
    int iterations;
    float tolerance, reduction;
    int local_sweeps;
    bool direct_joints;
    int position_iterations; /* split */
    bool position_follows;   /* split */
    int substeps;            /* 0: undivided step */
} preset_row;

static const preset_row presets[] = {
    [SCREE_PRESET_FAST] = {.name = "fast",
                           .iterations = 20,
                           .tolerance = 3e-3f,
                           .reduction = 0.3f,
                           .local_sweeps = 4,
                           .direct_joints = true,
                           .position_iterations = 10},
    [SCREE_PRESET_BALANCED] = {.name = "balanced",
                               .iterations = 60,
                               .tolerance = 1e-3f,
                               .reduction = 0.3f,
                               .local_sweeps = 4,
                               .direct_joints = true,
                               .position_iterations = POSITION_ITERATIONS},
    [SCREE_PRESET_ACCURATE] = {.name = "accurate",
                               .iterations = 1000,
                               .tolerance = 6e-7f,
                               .reduction = 0.1f,
                               .local_sweeps = 8,
                               .direct_joints = true,
                               .position_iterations = 60,
                               .position_follows = true},
    [SCREE_PRESET_REALTIME] = {.name = "realtime",
                               .iterations = 20,
                               .tolerance = 3e-3f,
                               .reduction = 0.3f,
                               .local_sweeps = 4,
                               .substeps = 8},
};
_Static_assert(sizeof presets / sizeof *presets == SCREE_PRESET_COUNT, "every preset has a row");

static const char *name_in(const char *const *names, unsigned count, unsigned value) {
    return value < count ? names[value] : NULL;
}

const char *scree_law_name(scree_law law) { return name_in(laws, SCREE_LAW_COUNT, (unsigned)law); }
const char *scree_stop_name(scree_stop stop) { return name_in(stops, SCREE_STOP_COUNT, (unsigned)stop); }
const char *scree_stabilisation_name(scree_stabilisation stabilisation) {
    return name_in(stabilisations, SCREE_STABILISATION_COUNT, (unsigned)stabilisation);
}

const char *scree_preset_name(scree_preset preset) {
    return (unsigned)preset < SCREE_PRESET_COUNT ? presets[preset].name : NULL;
}

scree_solver_def scree_solver_def_with_stabilisation(scree_solver_def def,
                                                     scree_stabilisation stabilisation) {
    if ((unsigned)stabilisation >= SCREE_STABILISATION_COUNT || def.stabilisation == stabilisation)
        return def;
    scree_solver_def out = defaults[stabilisation];
    const size_t common = offsetof(scree_solver_def, stabilisation);
    memcpy(&out, &def, common);
    out.stabilisation = stabilisation;
    return out;
}

/* Sets the stabilisation that the preset requires, and its parameters that the preset has. */
static scree_solver_def with_preset_stabilisation(scree_solver_def def, const preset_row *row) {
    if (row->substeps > 0) {
        def = scree_solver_def_with_stabilisation(def, SCREE_STABILISATION_SUBSTEP);
        def.substep.substeps = row->substeps;
        return def;
    }
    if (def.stabilisation == SCREE_STABILISATION_SUBSTEP)
        def = scree_solver_def_with_stabilisation(def, SCREE_STABILISATION_SPLIT);
    if (def.stabilisation != SCREE_STABILISATION_SPLIT) return def;
    def.split.position_iterations = row->position_iterations;
    def.split.position_follows = row->position_follows;
    return def;
}

scree_solver_def scree_solver_def_with_preset(scree_solver_def def, scree_preset preset) {
    if ((unsigned)preset >= SCREE_PRESET_COUNT) return def;
    const preset_row *row = &presets[preset];
    def.iterations = row->iterations;
    def.tolerance = row->tolerance;
    def.reduction = row->reduction;
    def.local_sweeps = row->local_sweeps;
    def.direct_joints = row->direct_joints;
    return with_preset_stabilisation(def, row);
}

/* Residuals are global: a crate of 100 kg on a belt at 5 m/s outweighs a tower of ten 1 kg cubes next to it,
 * which then overlap by 2 mm at a residual of 1e-4. The velocity that gravity or equivalent forces add in a
 * step is a scale present in every heap, however fast or heavy other bodies are. Hardly any block may violate
 * its law by more than this fraction of it. A tenth costs nothing at rest, and a few more iterations while a
 * pile lands; the tower then overlaps by 0.05 mm. */
static const float UNSEEN = 0.1f;

/* check_every: a step of B1000 takes longer with tests after 2 or 3 iterations (5.2 and 5.3 ms against 4.9),
 * and with tests after 8 a pile of spheres makes 16 % more iterations in the same time. */
scree_solver_def scree_default_solver_def(void) {
    scree_solver_def def = {.method = SCREE_METHOD_ACCELERATED_PGS,
                            .law = SCREE_LAW_COULOMB,
                            .violation_tolerance = UNSEEN,
                            .check_every = 4,
                            .relaxation = 1,
                            .warm_start = true,
                            .colours = 32,
                            .restitution_speed = 0.5f};
    def = scree_solver_def_with_stabilisation(def, SCREE_STABILISATION_SPLIT);
    return scree_solver_def_with_preset(def, SCREE_PRESET_BALANCED);
}

static scree_result check_range(const char *field, float value, float low, bool low_open, float high,
                                bool high_open) {
    const bool fits = isfinite(value) && (low_open ? value > low : value >= low) &&
                      (high_open ? value < high : value <= high);
    if (fits) return SCREE_OK;
    if (isinf(high))
        return fail(SCREE_ERROR_ARGUMENT, "solver.%s: %g; must be finite and %s %g", field, (double)value,
                    low_open ? ">" : ">=", (double)low);
    return fail(SCREE_ERROR_ARGUMENT, "solver.%s: %g; must be in %c%g, %g%c", field, (double)value,
                low_open ? '(' : '[', (double)low, (double)high, high_open ? ')' : ']');
}

static scree_result check_integer(const char *field, int value, int low, int high) {
    if (value >= low && value <= high) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "solver.%s: %d; must be %d to %d", field, value, low, high);
}

static scree_result check_removal(float error_reduction, float correction_speed) {
    TRY(check_range("error_reduction", error_reduction, 0, false, 1, false));
    return check_range("correction_speed", correction_speed, 0, true, INFINITY, false);
}

static scree_result check_spring(const scree_contact_spring *spring) {
    TRY(check_range("stiffness", spring->stiffness, 0, true, INFINITY, false));
    return check_range("damping", spring->damping, 0, false, INFINITY, false);
}

static scree_result check_split(const scree_split_def *def) {
    TRY(check_removal(def->error_reduction, def->correction_speed));
    TRY(check_integer("position_iterations", def->position_iterations, 1, 1000000));
    return check_range("position_tolerance", def->position_tolerance, 0, false, INFINITY, false);
}

static scree_result check_relaxed(const scree_relaxed_def *def) {
    TRY(check_range("relaxation_time", def->relaxation_time, 0, true, INFINITY, false));
    TRY(check_range("damping_ratio", def->damping_ratio, 0, false, INFINITY, false));
    return check_range("correction_speed", def->correction_speed, 0, true, INFINITY, false);
}

static scree_result check_substep(const scree_substep_def *def) {
    TRY(check_integer("substeps", def->substeps, 1, 1000));
    TRY(check_range("contact_frequency", def->contact_frequency, 0, false, INFINITY, false));
    TRY(check_range("contact_damping_ratio", def->contact_damping_ratio, 0, false, INFINITY, false));
    TRY(check_range("correction_speed", def->correction_speed, 0, true, INFINITY, false));
    return check_spring(&def->spring);
}

static scree_result check_stabilisation(const scree_solver_def *def) {
    switch (def->stabilisation) {
    case SCREE_STABILISATION_BAUMGARTE:
        return check_removal(def->baumgarte.error_reduction, def->baumgarte.correction_speed);
    case SCREE_STABILISATION_SOFT:
        return check_spring(&def->soft);
    case SCREE_STABILISATION_SPLIT:
        return check_split(&def->split);
    case SCREE_STABILISATION_RELAXED:
        return check_relaxed(&def->relaxed);
    case SCREE_STABILISATION_PENALTY:
        return check_spring(&def->penalty);
    case SCREE_STABILISATION_SUBSTEP:
        return check_substep(&def->substep);
    case SCREE_STABILISATION_COUNT:
        break;
    }
    return check_integer("stabilisation", (int)def->stabilisation, 0, SCREE_STABILISATION_COUNT - 1);
}

scree_result scree_validate_solver_def(const scree_solver_def *def) {
    REQUIRE(def);
    TRY(check_integer("method", (int)def->method, 0, SCREE_METHOD_COUNT - 1));
    TRY(check_integer("law", (int)def->law, 0, SCREE_LAW_COUNT - 1));
    TRY(check_integer("iterations", def->iterations, 1, 1000000));
    TRY(check_integer("check_every", def->check_every, 1, 1000000));
    TRY(check_integer("local_sweeps", def->local_sweeps, 1, 64));
    TRY(check_integer("colours", def->colours, 1, 32));
    TRY(check_range("tolerance", def->tolerance, 0, false, INFINITY, false));
    TRY(check_range("violation_tolerance", def->violation_tolerance, 0, false, INFINITY, false));
    TRY(check_range("reduction", def->reduction, 0, false, 1, false));
    TRY(check_range("change_tolerance", def->change_tolerance, 0, false, INFINITY, false));
    TRY(check_range("relaxation", def->relaxation, 0, true, 2, true));
    if (!method_takes(def->method, def->relaxation))
        TRY(check_range("relaxation", def->relaxation, 0, true, 1, false));
    TRY(check_range("slop", def->slop, 0, false, INFINITY, false));
    TRY(check_range("restitution_speed", def->restitution_speed, 0, false, INFINITY, false));
    return check_stabilisation(def);
}
