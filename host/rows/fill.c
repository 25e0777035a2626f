#include "fill.h"

#include "stabilisation.h"

static const constraint_source *const sources[] = {&joint_source, &contact_source};
enum { SOURCES = sizeof sources / sizeof *sources };

fill_terms fill_terms_of(const problem_input *from, problem *p) {
    const scree_stabilisation kind = from->options->stabilisation;
    const scalar unit = 1 / p->kilograms;
    const row_scheme scheme = row_scheme_of(from->options, from->motion.time_step);
    return (fill_terms){.from = from,
                        .p = p,
                        .substeps = stabilisation_uses_substeps(kind),
                        .split = kind == SCREE_STABILISATION_SPLIT,
                        .relaxed = kind == SCREE_STABILISATION_RELAXED,
                        .fixed_arms = !from->contacts->cohesive && !from->bodies->endless,
                        .unit = unit,
                        .fraction = problem_input_fraction(from) * unit,
                        .scheme = scheme,
                        .slip_factor = scheme_slip_factor(scheme)};
}

int sources_count(const problem_input *from, const constraint_pair *pair) {
    int count = 0;
    for (int i = 0; i < SOURCES; i++) count += sources[i]->count(from, pair);
    return count;
}

void sources_fill(const fill_terms *terms, const constraint_pair *pair, int first) {
    for (int i = 0; i < SOURCES; i++) first += sources[i]->fill(terms, pair, first);
}

void sources_read_back(const problem_input *from, const constraint_pair *pair, const problem *p,
                       const problem_solution *solution, int first) {
    for (int i = 0; i < SOURCES; i++) first += sources[i]->read_back(from, pair, p, solution, first);
}
