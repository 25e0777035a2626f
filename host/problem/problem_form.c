/* Problems from their local or global form. Bilateral rows are appended to the contacts' rows:
 *
 *     W' = (W, V; Vᵀ, R), q' = (q, s)      H' = (H, G), w' = (w, b)
 *
 * and both are padded with zero rows to whole blocks. */
#include "contact_problem.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

/* Fields that both forms have. */
typedef struct form_head {
    int contacts, bilateral;
    const double *friction, *start;
} form_head;

static int padded_blocks(int rows) { return (rows + 2) / 3; }

static scree_result check_size(const char *name, int value, int most) {
    if (value >= 0 && value <= most) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %d; must be 0 to %d", name, value, most);
}

static scree_result check_vector(const char *name, const double *values, int count) {
    if (count > 0 && !values) return fail(SCREE_ERROR_ARGUMENT, "%s: null; must have %d values", name, count);
    return contact_problem_check_numbers(values, (size_t)count, name);
}

static scree_result check_matrix(const char *name, const scree_sparse_matrix *matrix, int rows, int columns) {
    TRY(check_size(name, matrix->count, INT_MAX));
    if (matrix->count > 0 && !matrix->entries)
        return fail(SCREE_ERROR_ARGUMENT, "%s: null; must have %d entries", name, matrix->count);
    for (int k = 0; k < matrix->count; k++) {
        const scree_triplet *e = &matrix->entries[k];
        if (e->row < 0 || e->row >= rows || e->column < 0 || e->column >= columns)
            return fail(SCREE_ERROR_ARGUMENT, "%s: entry %d at (%d, %d); must be inside %d × %d", name, k,
                        e->row, e->column, rows, columns);
        if (!isfinite(e->value))
            return fail(SCREE_ERROR_ARGUMENT, "%s: entry %d: %g; must be finite", name, k, e->value);
    }
    return SCREE_OK;
}

static scree_result check_head(const form_head *head) {
    TRY(check_size("contacts", head->contacts, INT_MAX / 9));
    TRY(check_size("bilateral", head->bilateral, INT_MAX / 9 - head->contacts));
    TRY(check_vector("friction", head->friction, head->contacts));
    for (int i = 0; i < head->contacts; i++)
        if (head->friction[i] < 0)
            return fail(SCREE_ERROR_ARGUMENT, "friction[%d]: %g; must be ≥ 0", i, head->friction[i]);
    return head->start ? check_vector("start", head->start, 3 * head->contacts + head->bilateral) : SCREE_OK;
}

static scree_result check_local(const scree_local_problem_def *def, const form_head *head) {
    TRY(check_head(head));
    const int rows = 3 * def->contacts, bilateral = def->bilateral;
    TRY(check_matrix("w", &def->w, rows, rows));
    TRY(check_matrix("v", &def->v, rows, bilateral));
    TRY(check_matrix("r", &def->r, bilateral, bilateral));
    TRY(check_vector("q", def->q, rows));
    return check_vector("s", def->s, bilateral);
}

static scree_result check_global(const scree_global_problem_def *def, const form_head *head) {
    TRY(check_head(head));
    TRY(check_size("dofs", def->dofs, INT_MAX / 9));
    TRY(check_matrix("m", &def->m, def->dofs, def->dofs));
    TRY(check_matrix("h", &def->h, def->dofs, 3 * def->contacts));
    TRY(check_matrix("g", &def->g, def->dofs, def->bilateral));
    TRY(check_vector("f", def->f, def->dofs));
    TRY(check_vector("w", def->w, 3 * def->contacts));
    return check_vector("b", def->b, def->bilateral);
}

/* Sums and products of finite numbers may overflow. */
static scree_result check_operator(const delassus *a) {
    double sum = 0;
    for (int i = 0; i < a->count; i++) {
        sum += fabs(a->q[i].x) + fabs(a->q[i].y) + fabs(a->q[i].z);
        for (int k = a->first[i]; k < a->first[i + 1]; k++)
            for (int e = 0; e < 9; e++) sum += fabs(a->entries[k].m[e / 3][e % 3]);
        if (!isfinite(sum))
            return fail(SCREE_ERROR_ARGUMENT,
                        "the matrix and velocities of contact %d are too large for double precision", i);
    }
    return SCREE_OK;
}

/* Adds the entries of `from`, optionally transposed, to `to` at (row, column). */
static scree_result add_shifted(triplets *to, const scree_sparse_matrix *from, int row, int column,
                                bool transposed) {
    for (int k = 0; k < from->count; k++) {
        const scree_triplet *e = &from->entries[k];
        TRY(triplets_add(to, row + (transposed ? e->column : e->row),
                         column + (transposed ? e->row : e->column), e->value));
    }
    return SCREE_OK;
}

/* Concatenates 3 n values of contacts and m of bilateral rows, and pads them with zeros to whole blocks. */
static scree_result join(const form_head *head, const double *contacts, const double *bilateral,
                         double **out) {
    const size_t rows = 3 * (size_t)head->contacts;
    *out = memory_allocate(rows + 3 * (size_t)padded_blocks(head->bilateral), sizeof **out);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory: numbers of %d contacts", head->contacts);
    if (rows) memcpy(*out, contacts, rows * sizeof **out);
    if (head->bilateral) memcpy(*out + rows, bilateral, (size_t)head->bilateral * sizeof **out);
    return SCREE_OK;
}

/* Adds (W V; Vᵀ R). */
static scree_result add_local(triplets *w, const scree_local_problem_def *def) {
    const int rows = 3 * def->contacts;
    TRY(add_shifted(w, &def->w, 0, 0, false));
    TRY(add_shifted(w, &def->v, 0, rows, false));
    TRY(add_shifted(w, &def->v, rows, 0, true));
    return add_shifted(w, &def->r, rows, rows, false);
}

static scree_result fill_local(const scree_local_problem_def *def, const form_head *head, delassus *out) {
    const int blocks = def->contacts + padded_blocks(def->bilateral);
    triplets w = {0};
    double *q = NULL;
    scree_result result = join(head, def->q, def->s, &q);
    if (result == SCREE_OK) result = add_local(&w, def);
    if (result == SCREE_OK) result = triplets_blocks(&w, blocks, out);
    for (int i = 0; i < blocks && result == SCREE_OK; i++)
        out->q[i] = (real3){q[3 * i], q[3 * i + 1], q[3 * i + 2]};
    triplets_release(&w);
    memory_release(q);
    return result;
}

static scree_result fill_global(const scree_global_problem_def *def, const form_head *head,
                                scree_problem *out) {
    double *drive = NULL;
    global_problem p = {.dofs = def->dofs, .contacts = def->contacts + padded_blocks(def->bilateral)};
    scree_result result = join(head, def->w, def->b, &drive);
    p.force = def->f;
    p.drive = drive;
    if (result == SCREE_OK) result = add_shifted(&p.mass, &def->m, 0, 0, false);
    if (result == SCREE_OK) result = add_shifted(&p.directions, &def->h, 0, 0, false);
    if (result == SCREE_OK) result = add_shifted(&p.directions, &def->g, 0, 3 * def->contacts, false);
    if (result == SCREE_OK) result = condense(&p, &out->a, &out->response);
    triplets_release(&p.mass);
    triplets_release(&p.directions);
    memory_release(drive);
    return result;
}

/* Completes a problem whose operator is formed. */
static scree_result finish(const form_head *head, scree_problem *out) {
    delassus *a = &out->a;
    out->bilateral = head->bilateral;
    for (int i = 0; i < head->contacts; i++) a->friction[i] = head->friction[i];
    for (int i = head->contacts; i < a->count; i++) a->kind[i] = SCREE_BLOCK_BOUNDED;
    if (head->bilateral > 0) TRY(delassus_allocate_bounds(a));
    TRY(check_operator(a));
    return head->start ? join(head, head->start, head->start + 3 * (size_t)head->contacts, &out->start)
                       : SCREE_OK;
}

/* Returns `self` in `out`, or destroys it if `result` is an error. */
static scree_result hand_over(scree_result result, scree_problem *self, scree_problem **out) {
    if (result == SCREE_OK)
        *out = self;
    else
        scree_problem_destroy(self);
    return result;
}

scree_result scree_problem_create_local(const scree_local_problem_def *def, scree_problem **out) {
    REQUIRE(def);
    REQUIRE(out);
    const form_head head = {def->contacts, def->bilateral, def->friction, def->start};
    scree_problem *self = NULL;
    TRY(check_local(def, &head));
    TRY(contact_problem_create(&self));
    scree_result result = fill_local(def, &head, &self->a);
    if (result == SCREE_OK) result = finish(&head, self);
    return hand_over(result, self, out);
}

scree_result scree_problem_create_global(const scree_global_problem_def *def, scree_problem **out) {
    REQUIRE(def);
    REQUIRE(out);
    const form_head head = {def->contacts, def->bilateral, def->friction, def->start};
    scree_problem *self = NULL;
    TRY(check_global(def, &head));
    TRY(contact_problem_create(&self));
    scree_result result = fill_global(def, &head, self);
    if (result == SCREE_OK) result = finish(&head, self);
    return hand_over(result, self, out);
}
