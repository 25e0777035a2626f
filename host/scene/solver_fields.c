#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

FIELD_NAMES_OF(method_name, scree_method)
FIELD_NAMES_OF(law_name, scree_law)
FIELD_NAMES_OF(preset_name, scree_preset)
FIELD_NAMES_OF(stabilisation_name, scree_stabilisation)

/* Rows of the tables below. */
#define ROW(KEY, TYPE, MEMBER, RANGE, UNIT, HELP)                                                            \
    FIELD(TYPE, KEY, scree_solver_def, MEMBER, HELP, .range = RANGE, .unit = (UNIT))
#define SWITCH(KEY, MEMBER, HELP) FIELD(BOOL, KEY, scree_solver_def, MEMBER, HELP)
#define CHOICE(KEY, MEMBER, NAME, HELP) FIELD(ENUM, KEY, scree_solver_def, MEMBER, HELP, .name = (NAME))
/* Rows whose values solver_read has read before the others. */
#define KNOWN_CHOICE(KEY, NAME, HELP, ...)                                                                   \
    FIELD_OF_ALL(ENUM, KEY, HELP, .name = (NAME), .read = field_skip, __VA_ARGS__)

static const field common[] = {
    KNOWN_CHOICE(
        "preset", preset_name,
        "sets iterations, tolerance, reduction, local_sweeps, direct_joints and the stabilisation; the "
        "other keys override it",
        .default_text = "`\"balanced\"`"),
    CHOICE("method", method, method_name,
           "coloured block Gauss-Seidel, mass-split block Jacobi, or one of them with momentum and restarts"),
    CHOICE("law", law, law_name,
           "the friction law: exact cone, bounds for each tangent, the convex cone, or a contact's "
           "unconstrained solution clamped to the cone"),
    ROW("iterations", INT, iterations, BETWEEN(1, 1e6), NULL,
        "maximum iterations of a solve; a step resumes its solve if it finds new contacts; `substep` does "
        "not use it"),
    ROW("local_sweeps", INT, local_sweeps, BETWEEN(1, 64), NULL,
        "sweeps over the contacts of one pair of bodies before the next pair"),
    ROW("tolerance", FLOAT, tolerance, AT_LEAST(0), NULL,
        "scaled residual at which to stop; 0: no test, make all iterations"),
    ROW("violation_tolerance", FLOAT, violation_tolerance, AT_LEAST(0), NULL,
        "continue while one block in a thousand violates its law by more than this fraction of the velocity "
        "that gravity adds in a step, or any block by five times as much; 0: off"),
    ROW("reduction", FLOAT, reduction, BETWEEN(0, 1), NULL,
        "stop at the tolerance only if the residual is at most this fraction of the initial one (or 2e-6); "
        "1: off"),
    ROW("change_tolerance", FLOAT, change_tolerance, AT_LEAST(0), NULL,
        "relative change of the impulses at which to stop; 0: no test"),
    ROW("check_every", INT, check_every, BETWEEN(1, 1e6), NULL, "iterations between two tests"),
    ROW("relaxation", FLOAT, relaxation, INSIDE(0, 2), NULL,
        "relaxation factor of the sweeps; at most 1 for `jacobi` and `accelerated-jacobi`"),
    SWITCH("warm_start", warm_start, "start from the impulses of the previous step"),
    SWITCH("direct_joints", direct_joints,
           "every iteration also solves the unbounded rows of joints exactly, along trees of bodies; groups "
           "whose joints close a loop or are attached twice are left to the sweeps"),
    ROW("colours", INT, colours, BETWEEN(1, 32), NULL,
        "maximum number of colours; the uncoloured remainder is mass-split"),
    ROW("slop", FLOAT, slop, AT_LEAST(0), "m", "overlap that is not corrected"),
    ROW("restitution_speed", FLOAT, restitution_speed, AT_LEAST(0), "m/s",
        "approach speed below which contacts do not bounce"),
    KNOWN_CHOICE(
        "stabilisation", stabilisation_name,
        "how overlap and joint errors are removed: by a velocity; by an implicit spring and damper; by "
        "a pass that moves positions only; as a damped oscillator; by a spring with its force at the "
        "start of the step; by small steps of one sweep each, for real time",
        .default_text = "`\"split\"`"),
};

#define ERROR_REDUCTION(OWNER)                                                                               \
    ROW("error_reduction", FLOAT, OWNER.error_reduction, BETWEEN(0, 1), NULL,                                \
        "fraction of the overlap removed in a step")
#define CORRECTION_SPEED(OWNER)                                                                              \
    ROW("correction_speed", FLOAT, OWNER.correction_speed, ABOVE(0), "m/s",                                  \
        "maximum velocity that removes overlap")
#define STIFFNESS(OWNER) ROW("stiffness", FLOAT, OWNER.stiffness, ABOVE(0), "N/m", "stiffness of a contact")
#define DAMPING(OWNER) ROW("damping", FLOAT, OWNER.damping, AT_LEAST(0), "N s/m", "damping of a contact")

static const field baumgarte[] = {ERROR_REDUCTION(baumgarte), CORRECTION_SPEED(baumgarte)};
static const field soft[] = {STIFFNESS(soft), DAMPING(soft)};
static const field split[] = {
    ERROR_REDUCTION(split),
    CORRECTION_SPEED(split),
    ROW("position_iterations", INT, split.position_iterations, BETWEEN(1, 1e6), NULL,
        "maximum sweeps of the position pass in a step; after deep impacts it continues by `iterations` at a "
        "time"),
    SWITCH("position_follows", split.position_follows,
           "without joints, the position pass makes at least as many sweeps as the velocity pass made "
           "iterations: for tall stacks and large mass ratios"),
    ROW("position_tolerance", FLOAT, split.position_tolerance, AT_LEAST(0), NULL,
        "scaled residual at which the position pass stops; 0: no test"),
};
static const field relaxed[] = {
    ROW("relaxation_time", FLOAT, relaxed.relaxation_time, ABOVE(0), "s",
        "time constant of the oscillator; at least 2 max(1, damping_ratio) time steps are used"),
    ROW("damping_ratio", FLOAT, relaxed.damping_ratio, AT_LEAST(0), NULL,
        "damping ratio of the oscillator; 1 is critical"),
    CORRECTION_SPEED(relaxed),
};
static const field penalty[] = {STIFFNESS(penalty), DAMPING(penalty)};
/* The keys of the spring by frequency come first, then those of the spring that replaces it. */
enum { SUBSTEP_FREQUENCY = 1, SUBSTEP_BY_FREQUENCY, SUBSTEP_SPRING = 4, SUBSTEP_FIELDS = 6 };
static const field substep[] = {
    ROW("substeps", INT, substep.substeps, BETWEEN(1, 1000), NULL,
        "number of substeps of a step, of two sweeps each"),
    ROW("contact_frequency", FLOAT, substep.contact_frequency, AT_LEAST(0), "Hz",
        "frequency of the spring of a contact or joint, at most 0.15 of the substep rate (joints: 0.25); 0: "
        "use "
        "stiffness and damping"),
    ROW("contact_damping_ratio", FLOAT, substep.contact_damping_ratio, AT_LEAST(0), NULL,
        "damping ratio of that spring"),
    CORRECTION_SPEED(substep),
    STIFFNESS(substep.spring),
    DAMPING(substep.spring),
};
_Static_assert(FIELD_COUNT_OF(substep) == SUBSTEP_FIELDS, "the places above are those of the table");

#define OWN(KIND, ROWS) [SCREE_STABILISATION_##KIND] = FIELD_TABLE(ROWS)
static const field_table own[] = {
    OWN(BAUMGARTE, baumgarte), OWN(SOFT, soft),       OWN(SPLIT, split),
    OWN(RELAXED, relaxed),     OWN(PENALTY, penalty), OWN(SUBSTEP, substep),
};
_Static_assert(sizeof own / sizeof *own == SCREE_STABILISATION_COUNT, "every stabilisation has its fields");

field_table solver_fields(void) { return (field_table)FIELD_TABLE(common); }

field_table stabilisation_fields(scree_stabilisation kind) { return own[kind]; }

static bool has_key(field_table table, const char *key) {
    for (int i = 0; i < table.count; i++)
        if (strcmp(table.fields[i].key, key) == 0) return true;
    return false;
}

/* Refuses a key that other stabilisations have. */
static scree_result check_owner(const scene_node *member, scree_stabilisation kind) {
    char owners[160] = "";
    if (has_key(own[kind], member->key)) return SCREE_OK;
    for (int i = 0; i < SCREE_STABILISATION_COUNT; i++) {
        const size_t used = strlen(owners);
        if (has_key(own[i], member->key))
            snprintf(owners + used, sizeof owners - used, "%s\"%s\"", used ? ", " : "",
                     stabilisation_name(i));
    }
    if (!owners[0]) return SCREE_OK;
    return node_key_fail(member, "not used by the stabilisation \"%s\"; allowed with %s",
                         stabilisation_name((int)kind), owners);
}

static scree_result check_owners(const scene_node *node, scree_stabilisation kind) {
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value) {
        const scene_node member = node_member(node, key);
        TRY(check_owner(&member, kind));
    }
    return SCREE_OK;
}

/* Refuses the keys of the spring of `substep` that is not in use. */
static scree_result check_spring(const scene_node *node, const scree_solver_def *solver) {
    const bool by_frequency = solver->substep.contact_frequency > 0;
    const int first = by_frequency ? SUBSTEP_SPRING : SUBSTEP_BY_FREQUENCY,
              end = by_frequency ? SUBSTEP_FIELDS : SUBSTEP_SPRING;
    if (solver->stabilisation != SCREE_STABILISATION_SUBSTEP) return SCREE_OK;
    for (int i = first; i < end; i++) {
        const scene_node member = node_member(node, substep[i].key);
        if (member.value)
            return node_key_fail(&member, "not used with a \"contact_frequency\" of %g; allowed with %s",
                                 (double)solver->substep.contact_frequency, by_frequency ? "0" : "one > 0");
    }
    return SCREE_OK;
}

/* Reads the keys that select the other keys and their defaults. */
static scree_result read_choices(const scene_node *node, scree_solver_def *solver) {
    const scene_node preset = node_member(node, "preset"), kind = node_member(node, "stabilisation");
    int value = 0;
    if (preset.value) {
        TRY(enum_read(&preset, preset_name, &value));
        *solver = scree_solver_def_with_preset(*solver, (scree_preset)value);
    }
    if (kind.value) {
        TRY(enum_read(&kind, stabilisation_name, &value));
        *solver = scree_solver_def_with_stabilisation(*solver, (scree_stabilisation)value);
    }
    return SCREE_OK;
}

scree_result solver_read(const scene_node *node, void *target) {
    scree_solver_def *solver = target;
    field rows[FIELD_COUNT_OF(common) + SUBSTEP_FIELDS];
    if (json_is_object(node->value)) {
        TRY(read_choices(node, solver));
        TRY(check_owners(node, solver->stabilisation));
    }
    const field_table mine = own[solver->stabilisation];
    memcpy(rows, common, sizeof common);
    memcpy(rows + FIELD_COUNT_OF(common), mine.fields, (size_t)mine.count * sizeof *rows);
    const field_table all = {.fields = rows, .count = FIELD_COUNT_OF(common) + mine.count};
    TRY(fields_read(node, all, solver));
    TRY(check_spring(node, solver));
    /* relaxation depends on the method */
    return node_fail_prefix(node, scree_validate_solver_def(solver));
}

/* Sets the stabilisation of `target` with all of its parameters to that of `from`. */
static void copy_stabilisation(const scree_solver_def *from, scree_solver_def *target) {
    scree_solver_def out = *from;
    memcpy(&out, target, offsetof(scree_solver_def, stabilisation));
    *target = out;
}

void solver_merge(const scree_solver_def *before, const scree_solver_def *now, scree_solver_def *target) {
    const field_table mine = own[now->stabilisation];
    fields_merge(solver_fields(), before, now, target);
    if (before->stabilisation != now->stabilisation)
        copy_stabilisation(now, target);
    else if (target->stabilisation == now->stabilisation)
        fields_merge(mine, before, now, target);
}
