#include "condense.h"

#include "base/memory.h"
#include "base/union_find.h"

#include <math.h>
#include <string.h>

/* Most scalar entries of W before equal places are added: about 1 GB. */
enum { MOST_ENTRIES = 50000000 };

/* A component of M, which couples with no other, and the contacts that act on it. */
typedef struct component {
    int dofs, columns;
    const int *dof_of; /* its degrees of freedom, ascending */
    int *column_of;    /* the scalar column of H of each column here */
    double *matrix;    /* dofs × dofs, factorised in place */
    double *right;     /* dofs × (columns + 1): H and f, then M⁻¹ of them */
    double *contact;   /* columns × columns: Hᵀ M⁻¹ H */
} component;

/* Working data of a condensation. `place` has, for each scalar column of H, its column in the current
 * component plus 1. */
typedef struct condensation {
    global_problem *p;
    int *root;                         /* union–find over the degrees of freedom */
    int *order;                        /* degrees of freedom, component by component, ascending within each */
    int *first;                        /* of each root: start of its component in `order` */
    int *local;                        /* index of a degree of freedom in its component */
    int *mass_first, *direction_first; /* start of each row's entries in M and H */
    int *place;
    triplets contact;
} condensation;

/* Finds the first entry of each row; the entries are sorted by row. */
static void find_rows(const triplets *matrix, int rows, int *first) {
    for (int k = 0; k < matrix->count; k++) ++first[matrix->entries[k].row + 1];
    for (int i = 0; i < rows; i++) first[i + 1] += first[i];
}

/* Fills root, order, first and local. */
static void find_parts(condensation *self) {
    const int n = self->p->dofs;
    for (int i = 0; i < n; i++) self->root[i] = i;
    for (int k = 0; k < self->p->mass.count; k++) {
        const triplet *entry = &self->p->mass.entries[k];
        if (entry->value != 0) union_find_join(self->root, entry->row, entry->column);
    }
    for (int i = 0; i < n; i++) ++self->first[union_find_root(self->root, i) + 1];
    for (int i = 0; i < n; i++) self->first[i + 1] += self->first[i];
    /* local[root] holds the largest index given so far while the component is filled. */
    for (int i = 0; i < n; i++) {
        const int root = union_find_root(self->root, i);
        self->local[i] = i == root ? 0 : self->local[root] + 1;
        if (i != root) self->local[root] = self->local[i];
        self->order[self->first[root] + self->local[i]] = i;
    }
    for (int i = 0; i < n; i++)
        if (self->root[i] == i) self->local[i] = 0;
}

/* Eliminates the component's matrix and its right-hand sides together, with row pivoting. */
static bool eliminate(component *self) {
    const int n = self->dofs, width = self->columns + 1;
    double *a = self->matrix, *b = self->right;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[(size_t)i * n + k]) > fabs(a[(size_t)pivot * n + k])) pivot = i;
        const double top = a[(size_t)pivot * n + k];
        if (!(fabs(top) > 0) || !isfinite(top)) return false;
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                const double swap = a[(size_t)k * n + j];
                a[(size_t)k * n + j] = a[(size_t)pivot * n + j];
                a[(size_t)pivot * n + j] = swap;
            }
            for (int j = 0; j < width; j++) {
                const double swap = b[(size_t)k * width + j];
                b[(size_t)k * width + j] = b[(size_t)pivot * width + j];
                b[(size_t)pivot * width + j] = swap;
            }
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = a[(size_t)i * n + k] / top;
            if (factor == 0) continue;
            for (int j = k; j < n; j++) a[(size_t)i * n + j] -= factor * a[(size_t)k * n + j];
            for (int j = 0; j < width; j++) b[(size_t)i * width + j] -= factor * b[(size_t)k * width + j];
        }
    }
    for (int k = n - 1; k >= 0; --k)
        for (int j = 0; j < width; j++) {
            double sum = b[(size_t)k * width + j];
            for (int i = k + 1; i < n; i++) sum -= a[(size_t)k * n + i] * b[(size_t)i * width + j];
            b[(size_t)k * width + j] = sum / a[(size_t)k * n + k];
        }
    return true;
}

/* Finds the columns of H with entries in the component's rows. */
static void find_columns(condensation *self, component *of) {
    const triplets *h = &self->p->directions;
    for (int i = 0; i < of->dofs; i++)
        for (int k = self->direction_first[of->dof_of[i]]; k < self->direction_first[of->dof_of[i] + 1];
             ++k) {
            const int column = h->entries[k].column;
            if (self->place[column]) continue;
            of->column_of[of->columns++] = column;
            self->place[column] = of->columns;
        }
}

static void fill(const condensation *self, component *of) {
    const int n = of->dofs, width = of->columns + 1;
    for (int i = 0; i < n; i++) {
        const int dof = of->dof_of[i];
        for (int k = self->mass_first[dof]; k < self->mass_first[dof + 1]; k++) {
            const triplet *entry = &self->p->mass.entries[k];
            if (entry->value != 0) of->matrix[(size_t)i * n + self->local[entry->column]] += entry->value;
        }
        for (int k = self->direction_first[dof]; k < self->direction_first[dof + 1]; k++) {
            const triplet *entry = &self->p->directions.entries[k];
            of->right[(size_t)i * width + self->place[entry->column] - 1] += entry->value;
        }
        of->right[(size_t)i * width + of->columns] = self->p->force[dof];
    }
}

/* Adds the component's contribution to W and q, and stores its response. */
static scree_result gather(condensation *self, component *of, double *q, global_response *response) {
    const int width = of->columns + 1;
    for (int i = 0; i < of->dofs; i++) {
        const int dof = of->dof_of[i];
        const double *row = of->right + (size_t)i * width;
        response->free_velocity[dof] = row[of->columns];
        for (int j = 0; j < of->columns; j++)
            if (row[j] != 0) TRY(triplets_add(&response->response, dof, of->column_of[j], row[j]));
        for (int k = self->direction_first[dof]; k < self->direction_first[dof + 1]; k++) {
            const triplet *entry = &self->p->directions.entries[k];
            double *sums = of->contact + (size_t)(self->place[entry->column] - 1) * of->columns;
            for (int j = 0; j < of->columns; j++) sums[j] += entry->value * row[j];
            q[entry->column] += entry->value * row[of->columns];
        }
    }
    for (int i = 0; i < of->columns; i++)
        for (int j = 0; j < of->columns; j++)
            TRY(triplets_add(&self->contact, of->column_of[i], of->column_of[j],
                             of->contact[(size_t)i * of->columns + j]));
    return SCREE_OK;
}

/* Allocates the arrays of a component, which the caller releases, and adds its contribution to W and q. */
static scree_result condense_part(condensation *self, component *of, double *q, global_response *response) {
    if ((double)self->contact.count + (double)of->columns * of->columns > MOST_ENTRIES)
        return fail(SCREE_ERROR_CAPACITY, "matrix between %d contacts: more than %d entries",
                    self->p->contacts, MOST_ENTRIES);
    const size_t n = (size_t)of->dofs, width = (size_t)of->columns + 1;
    of->matrix = memory_allocate(n * n, sizeof *of->matrix);
    of->right = memory_allocate(n * width, sizeof *of->right);
    of->contact = memory_allocate((size_t)of->columns * (size_t)of->columns, sizeof *of->contact);
    if (!of->matrix || !of->right || !of->contact)
        return fail(SCREE_ERROR_MEMORY, "out of memory: condensing %d degrees of freedom", of->dofs);
    fill(self, of);
    if (!eliminate(of))
        return fail(SCREE_ERROR_ARGUMENT, "mass matrix M: singular in the component of degree of freedom %d",
                    of->dof_of[0]);
    return gather(self, of, q, response);
}

static scree_result condense_parts(condensation *self, double *q, global_response *response, int *columns) {
    const int n = self->p->dofs;
    for (int begin = 0; begin < n;) {
        const int root = union_find_root(self->root, self->order[begin]);
        int end = begin;
        while (end < n && union_find_root(self->root, self->order[end]) == root) ++end;
        component of = {.dofs = end - begin, .dof_of = self->order + begin, .column_of = columns};
        if (of.dofs > CONDENSE_DOFS_MOST)
            return fail(SCREE_ERROR_CAPACITY,
                        "mass matrix M: couples %d degrees of freedom (first: %d); at most %d can "
                        "be condensed, because they are factorised densely",
                        of.dofs, of.dof_of[0], CONDENSE_DOFS_MOST);
        find_columns(self, &of);
        const scree_result result = condense_part(self, &of, q, response);
        memory_release(of.matrix);
        memory_release(of.right);
        memory_release(of.contact);
        TRY(result);
        for (int j = 0; j < of.columns; j++) self->place[of.column_of[j]] = 0;
        begin = end;
    }
    return SCREE_OK;
}

static scree_result prepare(condensation *self, global_response *response, double **q, int **columns) {
    const size_t n = (size_t)self->p->dofs, m = 3 * (size_t)self->p->contacts;
    int *numbers = memory_allocate(6 * n + 3 + 2 * m, sizeof *numbers);
    self->root = numbers;
    response->dofs = self->p->dofs;
    response->free_velocity = memory_allocate(n, sizeof *response->free_velocity);
    *q = memory_allocate(m, sizeof **q);
    if (!numbers || !response->free_velocity || !*q)
        return fail(SCREE_ERROR_MEMORY, "out of memory: condensing %zu degrees of freedom", n);
    self->order = numbers + n;
    self->local = numbers + 2 * n;
    self->first = numbers + 3 * n;
    self->mass_first = numbers + 4 * n + 1;
    self->direction_first = numbers + 5 * n + 2;
    self->place = numbers + 6 * n + 3;
    *columns = self->place + m;
    TRY(triplets_sort(&self->p->mass, 1, self->p->dofs, self->p->dofs));
    TRY(triplets_sort(&self->p->directions, 1, self->p->dofs, 3 * self->p->contacts));
    find_rows(&self->p->mass, self->p->dofs, self->mass_first);
    find_rows(&self->p->directions, self->p->dofs, self->direction_first);
    find_parts(self);
    return SCREE_OK;
}

scree_result condense(global_problem *p, delassus *out, global_response *response) {
    condensation self = {.p = p};
    double *q = NULL;
    int *columns = NULL;
    *out = (delassus){0};
    *response = (global_response){0};
    scree_result result = prepare(&self, response, &q, &columns);
    if (result == SCREE_OK) result = condense_parts(&self, q, response, columns);
    if (result == SCREE_OK) result = triplets_blocks(&self.contact, p->contacts, out);
    for (int i = 0; i < p->contacts && result == SCREE_OK; i++)
        out->q[i] = (real3){q[3 * i] + p->drive[3 * i], q[3 * i + 1] + p->drive[3 * i + 1],
                            q[3 * i + 2] + p->drive[3 * i + 2]};
    memory_release(q);
    memory_release(self.root);
    triplets_release(&self.contact);
    if (result != SCREE_OK) global_response_release(response);
    return result;
}

void global_velocities(const global_response *self, const double *r, double *v) {
    if (self->dofs) memcpy(v, self->free_velocity, (size_t)self->dofs * sizeof *v);
    for (int k = 0; k < self->response.count; k++) {
        const triplet *entry = &self->response.entries[k];
        v[entry->row] += entry->value * r[entry->column];
    }
}

void global_response_release(global_response *self) {
    triplets_release(&self->response);
    memory_release(self->free_velocity);
    *self = (global_response){0};
}
