#include "contact_problem.h"

#include "base/memory.h"
#include "host_measure.h"
#include "kinds.h"

#include <limits.h>

const char *scree_measure_name(scree_measure measure) {
    static const char *const names[] = {"scaled", "siconos", "fclib"};
    _Static_assert(sizeof names / sizeof *names == SCREE_MEASURE_COUNT, "every measure has a name");
    return (unsigned)measure < SCREE_MEASURE_COUNT ? names[measure] : NULL;
}

/* Kernels receive a block's kind as this number. */
#define ROW(KIND, name)                                                                                      \
    _Static_assert((int)BLOCK_##KIND == (int)SCREE_BLOCK_##KIND, "one order of kinds of blocks");
BLOCK_KINDS(ROW)
#undef ROW
_Static_assert((int)BLOCK_KIND_COUNT == (int)SCREE_BLOCK_KIND_COUNT, "kinds.h lists every kind of block");

scree_result contact_problem_create(scree_problem **out) {
    scree_problem *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: a contact problem");
    *out = self;
    return SCREE_OK;
}

void scree_problem_destroy(scree_problem *self) {
    if (!self) return;
    delassus_release(&self->a);
    global_response_release(&self->response);
    memory_release(self->start);
    memory_release(self);
}

scree_result contact_problem_check_numbers(const double *values, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return fail(SCREE_ERROR_ARGUMENT, "%s %zu: %g; must be finite", what, i, values[i]);
    return SCREE_OK;
}

static scree_result check_rows(const scree_problem_def *def) {
    if (!def->first || !def->column || !def->blocks || !def->q || !def->friction)
        return fail(SCREE_ERROR_ARGUMENT, "first, column, blocks, q, friction: NULL; all are required");
    if (def->first[0] != 0) return fail(SCREE_ERROR_ARGUMENT, "first[0]: %d; must be 0", def->first[0]);
    for (int i = 0; i < def->contacts; i++)
        if (def->first[i + 1] < def->first[i] || def->first[i + 1] > INT_MAX / 9 - def->contacts)
            return fail(SCREE_ERROR_ARGUMENT, "first: from %d to %d at %d; must not fall, and be at most %d",
                        def->first[i], def->first[i + 1], i, INT_MAX / 9 - def->contacts);
    for (int k = 0; k < def->first[def->contacts]; k++)
        if (def->column[k] < 0 || def->column[k] >= def->contacts)
            return fail(SCREE_ERROR_ARGUMENT, "column[%d]: %d; must be 0 to %d", k, def->column[k],
                        def->contacts - 1);
    return SCREE_OK;
}

static scree_result check_ratio(const char *name, const double *values, int i) {
    if (!values || (values[i] >= 0 && isfinite(values[i]))) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s[%d]: %g; must be finite and >= 0", name, i, values[i]);
}

static scree_result check_kinds(const scree_problem_def *def) {
    for (int i = 0; i < def->contacts && def->kind; i++) {
        if ((unsigned)def->kind[i] >= SCREE_BLOCK_KIND_COUNT)
            return fail(SCREE_ERROR_ARGUMENT, "kind: %d (block %d); must be a scree_block_kind",
                        (int)def->kind[i], i);
        const bool resistance = def->kind[i] == SCREE_BLOCK_RESISTANCE;
        if (resistance && (i == 0 || def->kind[i - 1] != SCREE_BLOCK_CONTACT))
            return fail(SCREE_ERROR_ARGUMENT, "block %d: a resistance; must follow a contact", i);
        if (resistance) TRY(check_ratio("rolling", def->rolling, i));
        if (resistance) TRY(check_ratio("spinning", def->spinning, i));
    }
    return SCREE_OK;
}

/* Checks the bounds of bounded blocks. */
static scree_result check_bounds(const scree_problem_def *def) {
    for (int i = 0; i < 3 * def->contacts && def->kind; i++) {
        if (def->kind[i / 3] != SCREE_BLOCK_BOUNDED) continue;
        const double low = def->low ? def->low[i] : -INFINITY, high = def->high ? def->high[i] : INFINITY;
        if (!(low <= high) || low == INFINITY || high == -INFINITY)
            return fail(SCREE_ERROR_ARGUMENT,
                        "row %d of bounded block %d: bounds %g … %g; must be low <= high with a finite "
                        "impulse between them",
                        i % 3, i / 3, low, high);
    }
    return SCREE_OK;
}

static scree_result check_def(const scree_problem_def *def) {
    if (def->contacts < 0 || def->contacts > INT_MAX / 9)
        return fail(SCREE_ERROR_ARGUMENT, "contacts: %d; must be 0 to %d", def->contacts, INT_MAX / 9);
    if (def->contacts == 0) return SCREE_OK;
    TRY(check_rows(def));
    TRY(check_kinds(def));
    TRY(check_bounds(def));
    const size_t n = (size_t)def->contacts;
    TRY(contact_problem_check_numbers(def->blocks, 9 * (size_t)def->first[n], "blocks: number"));
    TRY(contact_problem_check_numbers(def->q, 3 * n, "q: number"));
    TRY(contact_problem_check_numbers(def->friction, n, "friction: number"));
    for (size_t i = 0; i < n; i++)
        if (def->friction[i] < 0)
            return fail(SCREE_ERROR_ARGUMENT, "friction[%zu]: %g; must be >= 0", i, def->friction[i]);
    return SCREE_OK;
}

static real3 at(const double *values, int i) {
    return (real3){values[3 * (size_t)i], values[3 * (size_t)i + 1], values[3 * (size_t)i + 2]};
}

static scree_result fill_bounds(delassus *a, const scree_problem_def *def) {
    bool any = false;
    for (int i = 0; i < def->contacts; i++) any = any || a->kind[i] == SCREE_BLOCK_BOUNDED;
    if (!any) return SCREE_OK;
    TRY(delassus_allocate_bounds(a));
    for (int i = 0; i < def->contacts; i++) {
        if (def->low) a->low[i] = at(def->low, i);
        if (def->high) a->high[i] = at(def->high, i);
    }
    return SCREE_OK;
}

static scree_result fill(delassus *a, const scree_problem_def *def) {
    triplets entries = {0};
    scree_result result = SCREE_OK;
    for (int i = 0; i < def->contacts; i++)
        for (int k = def->first[i]; k < def->first[i + 1]; k++)
            for (int e = 0; e < 9 && result == SCREE_OK; e++)
                result = triplets_add(&entries, 3 * i + e / 3, 3 * def->column[k] + e % 3,
                                      def->blocks[9 * (size_t)k + e]);
    if (result == SCREE_OK) result = triplets_blocks(&entries, def->contacts, a);
    triplets_release(&entries);
    for (int i = 0; i < def->contacts && result == SCREE_OK; i++) {
        a->q[i] = at(def->q, i);
        a->friction[i] = def->friction[i];
        a->kind[i] = def->kind ? def->kind[i] : SCREE_BLOCK_CONTACT;
        if (a->kind[i] != SCREE_BLOCK_RESISTANCE) continue;
        if (def->rolling) a->rolling[i] = def->rolling[i];
        if (def->spinning) a->spinning[i] = def->spinning[i];
    }
    if (result == SCREE_OK) result = fill_bounds(a, def);
    return result;
}

scree_result scree_problem_create(const scree_problem_def *def, scree_problem **out) {
    REQUIRE(def);
    REQUIRE(out);
    TRY(check_def(def));
    scree_problem *self = NULL;
    TRY(contact_problem_create(&self));
    const scree_result result = fill(&self->a, def);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_problem_destroy(self);
    return result;
}

int scree_problem_contact_count(const scree_problem *self) {
    REQUIRE_ELSE(self, 0);
    return self->a.count;
}

int scree_problem_block_count(const scree_problem *self) {
    REQUIRE_ELSE(self, 0);
    return self->a.count ? self->a.first[self->a.count] : 0;
}

int scree_problem_dof_count(const scree_problem *self) {
    REQUIRE_ELSE(self, 0);
    return self->response.dofs;
}

int scree_problem_bilateral_count(const scree_problem *self) {
    REQUIRE_ELSE(self, 0);
    return self->bilateral;
}

_Static_assert(sizeof(real3) == 3 * sizeof(double) && sizeof(real3x3) == 9 * sizeof(double),
               "vectors and blocks are arrays of numbers");

scree_problem_def contact_problem_def_of(const delassus *a) {
    return (scree_problem_def){.contacts = a->count,
                               .first = a->first,
                               .column = a->column,
                               .blocks = (const double *)a->entries,
                               .q = (const double *)a->q,
                               .friction = a->friction,
                               .kind = a->kind,
                               .rolling = a->rolling,
                               .spinning = a->spinning,
                               .low = (const double *)a->low,
                               .high = (const double *)a->high};
}

scree_problem_def scree_problem_get_def(const scree_problem *self) {
    REQUIRE_ELSE(self, (scree_problem_def){0});
    return contact_problem_def_of(&self->a);
}

scree_result scree_problem_compute_dof_velocities(const scree_problem *self, const double *impulses,
                                                  double *velocities) {
    REQUIRE(self);
    REQUIRE(impulses);
    REQUIRE(velocities);
    global_velocities(&self->response, impulses, velocities);
    return SCREE_OK;
}

const double *scree_problem_get_warm_start(const scree_problem *self) {
    REQUIRE_ELSE(self, NULL);
    return self->start;
}

scree_result contact_problem_check_law(scree_law law) {
    if (!scree_law_name(law)) return fail(SCREE_ERROR_ARGUMENT, "law: %d; must be a scree_law", (int)law);
    return SCREE_OK;
}

static void unpack(const double *from, int count, real3 *to) {
    for (int i = 0; i < count; i++) to[i] = (real3){from[3 * i], from[3 * i + 1], from[3 * i + 2]};
}

static void pack(const real3 *from, int count, double *to) {
    for (int i = 0; to && i < count; i++) {
        to[3 * i] = from[i].x;
        to[3 * i + 1] = from[i].y;
        to[3 * i + 2] = from[i].z;
    }
}

scree_result scree_problem_compute_residual(const scree_problem *self, scree_law law, const double *impulses,
                                            double *velocities, double residual[SCREE_MEASURE_COUNT]) {
    REQUIRE(self);
    REQUIRE(impulses);
    REQUIRE(residual);
    TRY(contact_problem_check_law(law));
    const int count = self->a.count;
    real3 *r = memory_allocate(2 * (size_t)count, sizeof *r), *u = r + count;
    if (!r) return fail(SCREE_ERROR_MEMORY, "out of memory: impulses of %d contacts", count);
    unpack(impulses, count, r);
    const host_norms norms = host_measure(&self->a, law, r, u);
    for (int m = 0; m < SCREE_MEASURE_COUNT; m++) residual[m] = host_error_of(&norms, (scree_measure)m);
    pack(u, count, velocities);
    memory_release(r);
    return SCREE_OK;
}
