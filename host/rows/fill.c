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

int sources_count(const problem_input *from, const problem *p, int i) {
    const slice links = pairs_links(&p->pairs, i);
    int count = 0;
    for (int k = 0; k < SOURCES; k++) count += sources[k]->count(from, &p->pairs.items[i], links);
    return count;
}

void sources_fill(const fill_terms *terms, int i, int first) {
    const constraint_pairs *pairs = &terms->p->pairs;
    const slice links = pairs_links(pairs, i);
    for (int k = 0; k < SOURCES; k++) first += sources[k]->fill(terms, &pairs->items[i], links, first);
}

void sources_read_back(const problem_input *from, const problem *p, int i, const problem_solution *solution,
                       int first) {
    const slice links = pairs_links(&p->pairs, i);
    for (int k = 0; k < SOURCES; k++)
        first += sources[k]->read_back(from, &p->pairs.items[i], links, p, solution, first);
}
