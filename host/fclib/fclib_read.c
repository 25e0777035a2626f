/* Reads problems from FCLIB's HDF5 files. */
#include "base/memory.h"
#include "fclib.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char purpose[] = "an FCLIB problem";

/* Reads the length of a vector, which must be at most `most`. */
static scree_result read_length(hdf5_file *file, const char *vectors, const char *name, int most,
                                const char *what, int *out) {
    const hdf5_column column = {name, HDF5_DOUBLE, 1, 0};
    const hdf5_table table = {vectors, &column, 1, sizeof(double)};
    TRY(hdf5_rows(file, &table, out));
    if (*out > most) return fail(SCREE_ERROR_FORMAT, "'%s': %d %s are too many", file->path, *out, what);
    return SCREE_OK;
}

/* Reads the friction coefficients; their number is the number of contacts. */
static scree_result read_friction(hdf5_file *file, const char *vectors, int *contacts, double **out) {
    TRY(read_length(file, vectors, "mu", INT_MAX / 9, "contacts", contacts));
    TRY(fclib_numbers(file, vectors, "mu", *contacts, out));
    for (int i = 0; i < *contacts; ++i)
        if ((*out)[i] < 0)
            return fail(SCREE_ERROR_FORMAT,
                        "'%s': the dataset '%s/mu' has the value %g at place %d: coefficients ≥ 0 expected",
                        file->path, vectors, (*out)[i], i);
    return SCREE_OK;
}

/* Checks that the problem has three components per contact. */
static scree_result check_components(hdf5_file *file, const char *root) {
    int components = 0;
    TRY(fclib_integer(file, root, "spacedim", &components));
    if (components != 3)
        return fail(components == 2 ? SCREE_ERROR_UNSUPPORTED : SCREE_ERROR_FORMAT,
                    "'%s': the dataset '%s/spacedim' is %d: 3 expected (plane problems are not solved)",
                    file->path, root, components);
    return SCREE_OK;
}

static int blocks_of(int rows) { return (rows + 2) / 3; }

/* Adds the entries of `from`, optionally transposed, to `to` at (row, column). */
static scree_result add_shifted(triplets *to, const triplets *from, int row, int column, bool transposed) {
    for (int k = 0; k < from->count; ++k) {
        const triplet *e = &from->entries[k];
        TRY(triplets_add(to, row + (transposed ? e->column : e->row),
                         column + (transposed ? e->row : e->column), e->value));
    }
    return SCREE_OK;
}

/* Contact rows get V l; the rows after them are Vᵀ r + R l + s = 0. */
static scree_result read_local_bilateral(hdf5_file *file, int contacts, int rows, triplets *w) {
    triplets v = {0}, r = {0};
    const int at = 3 * contacts;
    scree_result result = fclib_matrix(file, "fclib_local/V", at, rows, &v);
    if (result == SCREE_OK) result = fclib_matrix(file, "fclib_local/R", rows, rows, &r);
    if (result == SCREE_OK) result = add_shifted(w, &v, 0, at, false);
    if (result == SCREE_OK) result = add_shifted(w, &v, at, 0, true);
    if (result == SCREE_OK) result = add_shifted(w, &r, at, at, false);
    triplets_release(&v);
    triplets_release(&r);
    return result;
}

/* Concatenates `first_count` values of one vector and `second_count` of another, and pads with zeros to
 * whole blocks. */
static scree_result read_joined(hdf5_file *file, const char *vectors, const char *first, int first_count,
                                const char *second, int second_count, double **out) {
    double *a = NULL, *b = NULL;
    scree_result result = fclib_numbers(file, vectors, first, first_count, &a);
    if (result == SCREE_OK && second_count > 0)
        result = fclib_numbers(file, vectors, second, second_count, &b);
    const size_t head = (size_t)first_count, remainder = (size_t)second_count;
    if (result == SCREE_OK) {
        *out = memory_allocate(head + 3 * (size_t)blocks_of(second_count), sizeof **out);
        if (!*out) result = fail(SCREE_ERROR_MEMORY, "out of memory: %zu values", head + remainder);
    }
    if (result == SCREE_OK && head) memcpy(*out, a, head * sizeof **out);
    if (result == SCREE_OK && remainder) memcpy(*out + head, b, remainder * sizeof **out);
    memory_release(a);
    memory_release(b);
    return result;
}

static scree_result read_local(hdf5_file *file, scree_problem *out, int contacts) {
    if (hdf5_has(file, "fclib_local/V") || hdf5_has(file, "fclib_local/R"))
        TRY(read_length(file, "fclib_local/vectors", "s", INT_MAX / 9 - 3 * contacts, "bilateral rows",
                        &out->bilateral));
    const int blocks = contacts + blocks_of(out->bilateral);
    double *q = NULL;
    triplets w = {0};
    TRY(read_joined(file, "fclib_local/vectors", "q", 3 * contacts, "s", out->bilateral, &q));
    scree_result result = fclib_matrix(file, "fclib_local/W", 3 * contacts, 3 * contacts, &w);
    if (result == SCREE_OK && out->bilateral > 0)
        result = read_local_bilateral(file, contacts, out->bilateral, &w);
    if (result == SCREE_OK) result = triplets_blocks(&w, blocks, &out->a);
    for (int i = 0; i < blocks && result == SCREE_OK; ++i)
        out->a.q[i] = (real3){q[3 * i], q[3 * i + 1], q[3 * i + 2]};
    triplets_release(&w);
    memory_release(q);
    return result;
}

/* M is symmetric; some writers store only one triangle of it. */
static scree_result mirror(triplets *m) {
    int lower = 0, upper = 0;
    for (int k = 0; k < m->count; ++k) {
        lower += m->entries[k].row > m->entries[k].column;
        upper += m->entries[k].row < m->entries[k].column;
    }
    if ((lower > 0) == (upper > 0)) return SCREE_OK;
    const int stored = m->count;
    for (int k = 0; k < stored; ++k) {
        const triplet entry = m->entries[k];
        if (entry.row != entry.column) TRY(triplets_add(m, entry.column, entry.row, entry.value));
    }
    return SCREE_OK;
}

/* Bilateral rows become additional columns of H: M v = H r + G l + f, Gᵀ v + b = 0. */
static scree_result read_global_bilateral(hdf5_file *file, int contacts, int rows, global_problem *p) {
    triplets g = {0};
    scree_result result = fclib_matrix(file, "fclib_global/G", p->dofs, rows, &g);
    if (result == SCREE_OK) result = add_shifted(&p->directions, &g, 0, 3 * contacts, false);
    triplets_release(&g);
    return result;
}

static scree_result read_bodies(hdf5_file *file, int contacts, int rows, global_problem *p) {
    static const char vectors[] = "fclib_global/vectors";
    TRY(read_length(file, vectors, "f", INT_MAX / 9, "degrees of freedom", &p->dofs));
    TRY(fclib_numbers(file, vectors, "f", p->dofs, &p->force));
    TRY(read_joined(file, vectors, "w", 3 * contacts, "b", rows, &p->drive));
    TRY(fclib_matrix(file, "fclib_global/M", p->dofs, p->dofs, &p->mass));
    TRY(mirror(&p->mass));
    TRY(fclib_matrix(file, "fclib_global/H", p->dofs, 3 * contacts, &p->directions));
    return rows > 0 ? read_global_bilateral(file, contacts, rows, p) : SCREE_OK;
}

static scree_result read_global(hdf5_file *file, scree_problem *out, int contacts) {
    if (hdf5_has(file, "fclib_global/G"))
        TRY(read_length(file, "fclib_global/vectors", "b", INT_MAX / 9 - 3 * contacts, "bilateral rows",
                        &out->bilateral));
    global_problem p = {.contacts = contacts + blocks_of(out->bilateral)};
    scree_result result = read_bodies(file, contacts, out->bilateral, &p);
    if (result == SCREE_OK) {
        result = condense(&p, &out->a, &out->response);
        if (result == SCREE_ERROR_ARGUMENT) result = SCREE_ERROR_FORMAT; /* the matrix comes from the file */
        if (result != SCREE_OK) fail_prefix(result, "'%s'", file->path);
    }
    global_problem_release(&p);
    out->global = true;
    return result;
}

/* Sums and products of finite numbers may still overflow. */
static scree_result check_operator(const hdf5_file *file, const delassus *a) {
    double sum = 0;
    for (int i = 0; i < a->count; ++i) {
        sum += fabs(a->q[i].x) + fabs(a->q[i].y) + fabs(a->q[i].z);
        for (int k = a->first[i]; k < a->first[i + 1]; ++k)
            for (int e = 0; e < 9; ++e) sum += fabs(a->entries[k].m[e / 3][e % 3]);
        if (!isfinite(sum))
            return fail(SCREE_ERROR_FORMAT,
                        "'%s': the matrix and velocities of contact %d are too large for double precision",
                        file->path, i);
    }
    return SCREE_OK;
}

static scree_result read_start(hdf5_file *file, scree_problem *out, int contacts) {
    int guesses = 0;
    if (!hdf5_has(file, "guesses/number_of_guesses")) return SCREE_OK;
    TRY(fclib_integer(file, "guesses", "number_of_guesses", &guesses));
    if (guesses <= 0) return SCREE_OK;
    return read_joined(file, "guesses/1", "r", 3 * contacts, "l", out->bilateral, &out->start);
}

static scree_result read_kinds(const double *friction, int contacts, delassus *a) {
    for (int i = 0; i < contacts; ++i) a->friction[i] = friction[i];
    for (int i = contacts; i < a->count; ++i) a->kind[i] = SCREE_BLOCK_BOUNDED;
    return a->count > contacts ? delassus_allocate_boxes(a) : SCREE_OK;
}

static scree_result read_form(hdf5_file *file, bool local, scree_problem *out) {
    const char *root = local ? "fclib_local" : "fclib_global",
               *vectors = local ? "fclib_local/vectors" : "fclib_global/vectors";
    double *friction = NULL;
    int contacts = 0;
    TRY(check_components(file, root));
    scree_result result = read_friction(file, vectors, &contacts, &friction);
    if (result == SCREE_OK) result = (local ? read_local : read_global)(file, out, contacts);
    if (result == SCREE_OK) result = read_kinds(friction, contacts, &out->a);
    memory_release(friction);
    if (result == SCREE_OK) result = check_operator(file, &out->a);
    return result == SCREE_OK ? read_start(file, out, contacts) : result;
}

static scree_result read_problem(hdf5_file *file, scree_problem *out) {
    const bool local = hdf5_has(file, "fclib_local"), global = hdf5_has(file, "fclib_global");
    if (hdf5_has(file, "fclib_global_rolling") && !local && !global)
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "'%s': problems with rolling friction ('fclib_global_rolling') are not solved",
                    file->path);
    if (local == global)
        return fail(
            SCREE_ERROR_FORMAT,
            "'%s' is not %s: %s of the groups 'fclib_local' and 'fclib_global' %s there, one expected",
            file->path, purpose, local ? "both" : "none", local ? "are" : "is");
    return read_form(file, local, out);
}

scree_result scree_problem_load(const char *path, scree_problem **out) {
    if (!path || !out) return fail(SCREE_ERROR_ARGUMENT, "scree_problem_load: path and out must not be null");
    hdf5_file file;
    TRY(hdf5_open(path, purpose, &file));
    scree_problem *self = NULL;
    scree_result result = contact_problem_create(&self);
    if (result == SCREE_OK) result = read_problem(&file, self);
    hdf5_close(&file);
    if (result == SCREE_OK)
        *out = self;
    else
        scree_problem_destroy(self);
    return result;
}
