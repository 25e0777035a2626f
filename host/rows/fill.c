#include "fill.h"

static const constraint_source *const sources[] = {&joint_source, &contact_source};
enum { SOURCES = sizeof sources / sizeof *sources };

int sources_count(const problem_input *from, const constraint_pair *pair) {
    int count = 0;
    for (int i = 0; i < SOURCES; i++) count += sources[i]->count(from, pair);
    return count;
}

void sources_fill(const problem_input *from, const constraint_pair *pair, problem *p, int first) {
    for (int i = 0; i < SOURCES; i++) {
        sources[i]->fill(from, pair, p, first);
        if (i + 1 < SOURCES) first += sources[i]->count(from, pair);
    }
}

void sources_read_back(const problem_input *from, const constraint_pair *pair, const problem *p,
                       const problem_solution *solution, int first) {
    for (int i = 0; i < SOURCES; i++) {
        sources[i]->read_back(from, pair, p, solution, first);
        if (i + 1 < SOURCES) first += sources[i]->count(from, pair);
    }
}
