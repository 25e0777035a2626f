/* Solver options: names, defaults, ranges. */
#include <scree/solver.h>

#include "base/error.h"
#include "kinds.h"
#include "method.h"

#include <math.h>

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

/* Values that a preset sets.
 *
 * - tolerance: with 1e-6 walls one cube thick creep in a mode whose residual is lower; 3e-7 is what single
 *   precision resolves.
 * - reduction: with a tolerance alone the tower D10 drifts by 16 mm, since the slow modes of a stack barely
 *   show in the residual and persist in the warm start; with 0.7 it falls.
 * - local_sweeps: D10 falls with 1 or 2; 8 take 1.5 times as long as 4.
 * - iterations, position_follows: 300 iterations leave the load of D1000 bouncing, and 60 plain position
 *   sweeps leave overlaps that feed a sideways mode.
 * - direct_joints: off in `fast` and `balanced` only to keep their motions; it costs nothing there. */
typedef struct preset_row {
    const char *name;
    int iterations;
    float tolerance, reduction;
    int local_sweeps, position_iterations;
    int substeps; /* 0: undivided step */
    bool direct_joints, position_follows;
} preset_row;

static const preset_row presets[] = {
    [SCREE_PRESET_FAST] = {"fast", 20, 3e-3f, 0.3f, 4, 10, 0, false, false},
    [SCREE_PRESET_BALANCED] = {"balanced", 60, 1e-3f, 0.3f, 4, 15, 0, false, false},
    [SCREE_PRESET_ACCURATE] = {"accurate", 1000, 6e-7f, 0.1f, 8, 60, 0, true, true},
    [SCREE_PRESET_REALTIME] = {"realtime", 20, 3e-3f, 0.3f, 4, 10, 8, false, false},
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

scree_solver_def scree_solver_def_with_preset(scree_solver_def def, scree_preset preset) {
    if ((unsigned)preset >= SCREE_PRESET_COUNT) return def;
    const preset_row *row = &presets[preset];
    def.iterations = row->iterations;
    def.tolerance = row->tolerance;
    def.reduction = row->reduction;
    def.local_sweeps = row->local_sweeps;
    def.position_iterations = row->position_iterations;
    def.direct_joints = row->direct_joints;
    def.position_follows = row->position_follows;
    if (row->substeps > 0) {
        def.stabilisation = SCREE_STABILISATION_SUBSTEP, def.substeps = row->substeps;
    } else if (def.stabilisation == SCREE_STABILISATION_SUBSTEP) {
        def.stabilisation = SCREE_STABILISATION_SPLIT;
    }
    return def;
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
    const scree_solver_def def = {.method = SCREE_METHOD_ACCELERATED_PGS,
                                  .law = SCREE_LAW_COULOMB,
                                  .violation_tolerance = UNSEEN,
                                  .check_every = 4,
                                  .relaxation = 1,
                                  .warm_start = true,
                                  .colours = 32,
                                  .stabilisation = SCREE_STABILISATION_SPLIT,
                                  .error_reduction = 0.2f,
                                  .stiffness = 1e6f,
                                  .damping = 1e3f,
                                  .relaxation_time = 0.05f,
                                  .damping_ratio = 1,
                                  .substeps = 8,
                                  .contact_frequency = 1000,
                                  .contact_damping_ratio = 2,
                                  .correction_speed = 3,
                                  .restitution_speed = 0.5f};
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

scree_result scree_validate_solver_def(const scree_solver_def *def) {
    REQUIRE(def);
    TRY(check_integer("method", (int)def->method, 0, SCREE_METHOD_COUNT - 1));
    TRY(check_integer("law", (int)def->law, 0, SCREE_LAW_COUNT - 1));
    TRY(check_integer("stabilisation", (int)def->stabilisation, 0, SCREE_STABILISATION_COUNT - 1));
    TRY(check_integer("iterations", def->iterations, 1, 1000000));
    TRY(check_integer("check_every", def->check_every, 1, 1000000));
    TRY(check_integer("local_sweeps", def->local_sweeps, 1, 64));
    TRY(check_integer("position_iterations", def->position_iterations, 1, 1000000));
    TRY(check_integer("colours", def->colours, 1, 32));
    TRY(check_range("tolerance", def->tolerance, 0, false, INFINITY, false));
    TRY(check_range("violation_tolerance", def->violation_tolerance, 0, false, INFINITY, false));
    TRY(check_range("reduction", def->reduction, 0, false, 1, false));
    TRY(check_range("change_tolerance", def->change_tolerance, 0, false, INFINITY, false));
    TRY(check_range("position_tolerance", def->position_tolerance, 0, false, INFINITY, false));
    TRY(check_range("relaxation", def->relaxation, 0, true, 2, true));
    if (!method_takes(def->method, def->relaxation))
        TRY(check_range("relaxation", def->relaxation, 0, true, 1, false));
    TRY(check_range("error_reduction", def->error_reduction, 0, false, 1, false));
    TRY(check_range("stiffness", def->stiffness, 0, true, INFINITY, false));
    TRY(check_range("damping", def->damping, 0, false, INFINITY, false));
    TRY(check_range("relaxation_time", def->relaxation_time, 0, true, INFINITY, false));
    TRY(check_range("damping_ratio", def->damping_ratio, 0, false, INFINITY, false));
    TRY(check_integer("substeps", def->substeps, 1, 1000));
    TRY(check_range("contact_frequency", def->contact_frequency, 0, false, INFINITY, false));
    TRY(check_range("contact_damping_ratio", def->contact_damping_ratio, 0, false, INFINITY, false));
    TRY(check_range("correction_speed", def->correction_speed, 0, true, INFINITY, false));
    TRY(check_range("slop", def->slop, 0, false, INFINITY, false));
    TRY(check_range("restitution_speed", def->restitution_speed, 0, false, INFINITY, false));
    return SCREE_OK;
}
