/* Problems from FCLIB's HDF5 files. */
#include "../base/memory.h"
#include "fclib.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char purpose[] = "an FCLIB problem";

/* The friction coefficients, one for each contact, whose number they tell. */
static scree_result read_friction(hdf5_file *file, const char *vectors, int *contacts, double **out) {
    const hdf5_column column = {"mu", HDF5_DOUBLE, 1, 0};
    const hdf5_table table = {vectors, &column, 1, sizeof(double)};
    TRY(hdf5_rows(file, &table, contacts));
    if (*contacts > INT_MAX / 9)
        return fail(SCREE_ERROR_FORMAT, "'%s': %d contacts are too many", file->path, *contacts);
    TRY(fclib_numbers(file, vectors, "mu", *contacts, out));
    for (int i = 0; i < *contacts; ++i)
        if ((*out)[i] < 0)
            return fail(SCREE_ERROR_FORMAT,
                        "'%s': the dataset '%s/mu' has the value %g at place %d: coefficients ≥ 0 expected",
                        file->path, vectors, (*out)[i], i);
    return SCREE_OK;
}

/* Three components a contact, and no rows of another kind. */
static scree_result check_kind(hdf5_file *file, const char *root, const char *const *bilateral) {
    int components = 0;
    TRY(fclib_integer(file, root, "spacedim", &components));
    if (components != 3)
        return fail(components == 2 ? SCREE_ERROR_UNSUPPORTED : SCREE_ERROR_FORMAT,
                    "'%s': the dataset '%s/spacedim' is %d: 3 expected (plane problems are not solved)",
                    file->path, root, components);
    for (; *bilateral; ++bilateral) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", root, *bilateral);
        if (hdf5_has(file, name))
            return fail(SCREE_ERROR_UNSUPPORTED, "'%s': it has bilateral rows ('%s'), which are not solved",
                        file->path, name);
    }
    return SCREE_OK;
}

static scree_result read_local(hdf5_file *file, scree_problem *out, double **friction) {
    static const char *const bilateral[] = {"V", "R", NULL};
    int contacts = 0;
    double *q = NULL;
    triplets w = {0};
    TRY(check_kind(file, "fclib_local", bilateral));
    TRY(read_friction(file, "fclib_local/vectors", &contacts, friction));
    TRY(fclib_numbers(file, "fclib_local/vectors", "q", 3 * contacts, &q));
    scree_result result = fclib_matrix(file, "fclib_local/W", 3 * contacts, 3 * contacts, &w);
    if (result == SCREE_OK) result = triplets_blocks(&w, contacts, &out->a);
    for (int i = 0; i < contacts && result == SCREE_OK; ++i)
        out->a.q[i] = (real3){q[3 * i], q[3 * i + 1], q[3 * i + 2]};
    triplets_release(&w);
    memory_release(q);
    return result;
}

/* M is symmetric, and some writers store one triangle of it without saying so. */
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

static scree_result read_dofs(hdf5_file *file, int *out) {
    const hdf5_column column = {"f", HDF5_DOUBLE, 1, 0};
    const hdf5_table table = {"fclib_global/vectors", &column, 1, sizeof(double)};
    TRY(hdf5_rows(file, &table, out));
    if (*out > INT_MAX / 9)
        return fail(SCREE_ERROR_FORMAT, "'%s': %d degrees of freedom are too many", file->path, *out);
    return SCREE_OK;
}

static scree_result read_bodies(hdf5_file *file, global_problem *p) {
    TRY(read_dofs(file, &p->dofs));
    TRY(fclib_numbers(file, "fclib_global/vectors", "f", p->dofs, &p->force));
    TRY(fclib_numbers(file, "fclib_global/vectors", "w", 3 * p->contacts, &p->drive));
    TRY(fclib_matrix(file, "fclib_global/M", p->dofs, p->dofs, &p->mass));
    TRY(mirror(&p->mass));
    return fclib_matrix(file, "fclib_global/H", p->dofs, 3 * p->contacts, &p->directions);
}

static scree_result read_global(hdf5_file *file, scree_problem *out, double **friction) {
    static const char *const bilateral[] = {"G", NULL};
    global_problem p = {0};
    TRY(check_kind(file, "fclib_global", bilateral));
    scree_result result = read_friction(file, "fclib_global/vectors", &p.contacts, friction);
    if (result == SCREE_OK) result = read_bodies(file, &p);
    if (result == SCREE_OK) {
        result = condense(&p, &out->a, &out->response);
        if (result == SCREE_ERROR_ARGUMENT) result = SCREE_ERROR_FORMAT; /* the matrix is the file's */
        if (result != SCREE_OK) fail_prefix(result, "'%s'", file->path);
    }
    global_problem_release(&p);
    out->global = true;
    return result;
}

/* Sums and products of finite numbers may still be too large. */
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

static scree_result read_start(hdf5_file *file, scree_problem *out) {
    int guesses = 0;
    if (!hdf5_has(file, "guesses/number_of_guesses")) return SCREE_OK;
    TRY(fclib_integer(file, "guesses", "number_of_guesses", &guesses));
    return guesses > 0 ? fclib_numbers(file, "guesses/1", "r", 3 * out->a.count, &out->start) : SCREE_OK;
}

static scree_result read_problem(hdf5_file *file, scree_problem *out) {
    const bool local = hdf5_has(file, "fclib_local"), global = hdf5_has(file, "fclib_global");
    double *friction = NULL;
    if (hdf5_has(file, "fclib_global_rolling") && !local && !global)
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "'%s': problems with rolling friction ('fclib_global_rolling') are not solved",
                    file->path);
    if (local == global)
        return fail(
            SCREE_ERROR_FORMAT,
            "'%s' is not %s: %s of the groups 'fclib_local' and 'fclib_global' %s there, one expected",
            file->path, purpose, local ? "both" : "none", local ? "are" : "is");
    scree_result result = local ? read_local(file, out, &friction) : read_global(file, out, &friction);
    for (int i = 0; i < out->a.count && result == SCREE_OK; ++i) out->a.friction[i] = friction[i];
    memory_release(friction);
    if (result == SCREE_OK) result = check_operator(file, &out->a);
    return result == SCREE_OK ? read_start(file, out) : result;
}

scree_result scree_problem_load(const char *path, scree_problem **out) {
    if (!path || !out) return fail(SCREE_ERROR_ARGUMENT, "loading a problem needs a path and a place for it");
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
