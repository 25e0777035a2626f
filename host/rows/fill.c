#include "fill.h"

#include "block.h"

static const constraint_source *const sources[] = {&joint_source, &contact_source};
enum { SOURCES = sizeof sources / sizeof *sources };

vec3s impulse_in_world(const problem *p, const problem_solution *solution, int block) {
    return solution->on_b ? solution->on_b[block]
                          : block_to_world(p->blocks[block], solution->impulses[block].value);
}

int sources_count(const problem_input *from, const constraint_pair *pair) {
    int count = 0;
    for (int i = 0; i < SOURCES; ++i) count += sources[i]->count(from, pair);
    return count;
}

void sources_fill(const problem_input *from, const constraint_pair *pair, problem *p, int first) {
    for (int i = 0; i < SOURCES; ++i) {
        sources[i]->fill(from, pair, p, first);
        if (i + 1 < SOURCES) first += sources[i]->count(from, pair);
    }
}

void sources_read_back(const problem_input *from, const constraint_pair *pair, const problem *p,
                       const problem_solution *solution, int first) {
    for (int i = 0; i < SOURCES; ++i) {
        sources[i]->read_back(from, pair, p, solution, first);
        if (i + 1 < SOURCES) first += sources[i]->count(from, pair);
    }
}
