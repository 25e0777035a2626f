#include "unsolved_steps.h"

#include <scree/tools/tools.h>

#include "progress.h"
#include "warnings.h"

/* A violation above a limit counts as unsolved, and ROW such steps in a row give a warning. Scenes of the
 * repository exceed 0.2 in at most 3 steps in a row, while A8000 lands, and the hardest one, D1000 (a load of
 * 1000 times a cube's mass dropped on ten cubes), in 18. Crushed and jammed bodies read 0.5 … 1.7 in every
 * step, and a cube that sinks into one of 1/1000, 1/3000 and 1/10000 of its mass with `balanced` has rows of
 * 80, 44 and 30 steps. A limit of 0.1 would warn of landing piles: A8000 has 20 such steps in a row.
 *
 * With `substep` the violation is that of one sweep. Landing piles then exceed 0.2 in up to 92 steps in a row
 * and 0.5 in 6. Crushed bodies read 0.9, and D100, which `realtime` does not hold, exceeds 0.5 in 76 steps.
 */
static const double LIMIT = 0.2, LIMIT_OF_SWEEP = 0.5;
enum { ROW = 25, WARNINGS = 3 };

bool unsolved_steps_add(unsolved_steps *self, const scree_world *world, const scree_statistics *s) {
    const bool sweep = scree_world_get_def(world).solver.stabilisation == SCREE_STABILISATION_SUBSTEP;
    self->limit = sweep ? LIMIT_OF_SWEEP : LIMIT;
    if (!(s->solve.violation > self->limit)) {
        self->row = 0;
        return false;
    }
    if (!self->count++) self->first = s->step;
    if (++self->row != ROW || self->warnings == WARNINGS) return false;
    ++self->warnings;
    return true;
}

void unsolved_steps_warn(const unsolved_steps *self, scree_world *world, const scree_statistics *s,
                         FILE *out) {
    char a[BODY_NAME_SIZE], b[BODY_NAME_SIZE];
    scree_infeasible found;
    if (scree_world_find_infeasible(world, &found) != SCREE_OK) found.kind = SCREE_INFEASIBLE_NONE;
    fprintf(
        out,
        "scree run: warning: step %llu: violation: %.2g, for %d steps; must be below %g in solved steps; ",
        (unsigned long long)s->step, s->solve.violation, self->row, self->limit);
    if (found.kind == SCREE_INFEASIBLE_NONE) {
        fprintf(out, "make smaller steps, more iterations, or use the preset \"accurate\"\n");
        return;
    }
    const char *const first = body_describe(world, found.a, a), *const second =
                                                                    body_describe(world, found.b, b);
    if (found.kind == SCREE_INFEASIBLE_CRUSHED)
        fprintf(out, "no impulses keep %s and %s apart, which prescribed motions press together\n", first,
                second);
    else
        fprintf(out, "friction jams %s and %s, which prescribed motions press together\n", first, second);
}

void unsolved_steps_report(const unsolved_steps *self, FILE *out) {
    if (!self->count) return;
    fprintf(out, "  unsolved      %llu %s with a violation above %g, the first is step %llu\n",
            (unsigned long long)self->count, noun_of((long long)self->count, "step", "steps"), self->limit,
            (unsigned long long)self->first);
}
