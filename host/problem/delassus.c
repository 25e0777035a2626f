#include "delassus.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/union_find.h"

/* Limit of A: about 3 GB. */
enum { MOST_ENTRIES = 40000000 };

/* Axes (n, t₁, n × t₁) and the arms of bodies a (0) and b (1). `length` scales the rows of angular blocks. */
typedef struct block_frame {
    real3 axis[3], arm[2];
    double length;
    bool angular;
} block_frame;

typedef struct motion {
    real3 linear, angular;
} motion;

static block_frame frame_of(const constraint_block *block) {
    const real3 n = real3_of(block->normal), t = real3_of(block->tangent);
    return (block_frame){{n, t, real3_cross(n, t)},
                         {real3_of(block->arm_a), real3_of(block->arm_b)},
                         (double)block->length,
                         block->angular != 0};
}

static motion velocity_of(body_velocity v) { return (motion){real3_of(v.linear), real3_of(v.angular)}; }

/* Returns M⁻¹ applied to an impulse and an angular impulse about the centre of mass, in the layout of a
 * velocity. */
static motion response_of(const body_mobility *body, motion push) {
    const real3 d = real3_of(body->diagonal), o = real3_of(body->off_diagonal);
    const real3x3 inverse = {{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}}};
    return (motion){real3_products(real3_of(body->inverse_mass), push.linear),
                    real3x3_times(&inverse, push.angular)};
}

/* Returns the velocity of a block's contact point on one body, or that body's scaled angular velocity. */
static real3 seen_velocity(const block_frame *frame, int side, motion v) {
    return frame->angular ? real3_scaled(frame->length, v.angular)
                          : real3_sum(v.linear, real3_cross(v.angular, frame->arm[side]));
}

/* Returns the impulse and angular impulse about the centre of mass of a block's impulse p on a body. */
static motion applied_impulse(const block_frame *frame, int side, real3 p) {
    if (frame->angular) return (motion){{0, 0, 0}, real3_scaled(frame->length, p)};
    return (motion){p, real3_cross(frame->arm[side], p)};
}

/* Returns the relative velocity of b against a in the frame. */
static real3 relative_velocity(const block_frame *frame, motion a, motion b) {
    const real3 v = real3_difference(seen_velocity(frame, 1, b), seen_velocity(frame, 0, a));
    return (real3){real3_inner(frame->axis[0], v), real3_inner(frame->axis[1], v),
                   real3_inner(frame->axis[2], v)};
}

/* Returns the bounds of a bounded block; low = high prescribes the impulse of a row. */
static host_box box_limits(const problem *p, const constraint_block *block, bool position_pass) {
    const bounded_rows *rows = &p->rows[block->rows];
    return (host_box){real3_of(position_pass ? rows->push_low : rows->low),
                      real3_of(position_pass ? rows->push_high : rows->high)};
}

/* Returns a velocity of bounded rows with zeros in rows whose impulse is prescribed. */
static real3 without_prescribed(host_box box, real3 u) {
    return (real3){box.low.x < box.high.x ? u.x : 0, box.low.y < box.high.y ? u.y : 0,
                   box.low.z < box.high.z ? u.z : 0};
}

/* Returns q of block i: J V*, for contacts plus bias and surface velocity, for bounded rows plus bias; in the
 * position pass the correction alone. */
static real3 drive_of(const problem *p, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    const bool contact = block->kind == BLOCK_CONTACT, bounded = block->kind == BLOCK_BOUNDED;
    if (position_pass && bounded)
        return without_prescribed(box_limits(p, block, true), real3_of(p->rows[block->rows].correction));
    if (position_pass) return (real3){contact ? (double)block->correction : 0, 0, 0};
    const block_frame frame = frame_of(block);
    real3 q = relative_velocity(&frame, velocity_of(p->free_velocity[block->body_a]),
                                velocity_of(p->free_velocity[block->body_b]));
    if (contact)
        q = real3_sum(q, (real3){(double)block->bias, (double)block->rolling, (double)block->spinning});
    if (bounded)
        return without_prescribed(box_limits(p, block, false),
                                  real3_sum(q, real3_of(p->rows[block->rows].bias)));
    return q;
}

/* Iterator over the blocks that share a body: merges the ascending lists of a block's two bodies. */
typedef struct neighbours {
    const problem *p;
    int next[2], last[2];
} neighbours;

static neighbours neighbours_of(const problem *p, int block) {
    const int ends[2] = {p->blocks[block].body_a, p->blocks[block].body_b};
    neighbours out = {.p = p};
    for (int side = 0; side < 2; side++) {
        out.next[side] = p->incidence_first[ends[side]];
        out.last[side] = p->incidence_first[ends[side] + 1];
    }
    return out;
}

/* Returns the next block in ascending order, or −1. through[side] is the side on which that block has the
 * body of `side`, or −1. */
static int next_neighbour(neighbours *self, int through[2]) {
    int entry[2], block = -1;
    for (int side = 0; side < 2; side++) {
        entry[side] = self->next[side] < self->last[side] ? self->p->incidence[self->next[side]] : -1;
        if (entry[side] >= 0 && (block < 0 || entry[side] / 2 < block)) block = entry[side] / 2;
    }
    for (int side = 0; side < 2; side++) {
        const bool here = entry[side] >= 0 && entry[side] / 2 == block;
        through[side] = here ? entry[side] % 2 : -1;
        self->next[side] += here;
    }
    return block;
}

/* Adds the effect of column block j on row block i through a shared body, which i has on `side_i` and j on
 * `side_j`: unit impulses along j's axes, ± by side, change the body's velocity by M⁻¹, and i sees the
 * change, ± by side. */
static void add_term(real3x3 *sum, const block_frame *row, int side_i, const block_frame *column, int side_j,
                     const body_mobility *mobility) {
    const double sign = side_i == side_j ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        const motion change = response_of(mobility, applied_impulse(column, side_j, column->axis[k]));
        const real3 seen = seen_velocity(row, side_i, change);
        for (int l = 0; l < 3; l++) sum->m[l][k] += sign * real3_inner(row->axis[l], seen);
    }
}

static void add_compliance(real3x3 *sum, const problem *p, const constraint_block *block) {
    if (block->kind == BLOCK_CONTACT) sum->m[0][0] += (double)block->compliance;
    if (block->kind != BLOCK_BOUNDED) return;
    const real3 soft = real3_of(p->rows[block->rows].compliance);
    sum->m[0][0] += soft.x;
    sum->m[1][1] += soft.y;
    sum->m[2][2] += soft.z;
}

/* Fills row i of A, whose columns ascend. */
static void fill_row(delassus *self, const problem *p, const block_frame *frames, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    neighbours around = neighbours_of(p, i);
    int through[2];
    for (int entry = self->first[i]; entry < self->first[i + 1]; entry++) {
        const int neighbour = next_neighbour(&around, through), j = neighbour < 0 ? i : neighbour;
        real3x3 sum = {0};
        if (through[0] >= 0)
            add_term(&sum, &frames[i], 0, &frames[j], through[0], &p->mobility[block->body_a]);
        if (through[1] >= 0)
            add_term(&sum, &frames[i], 1, &frames[j], through[1], &p->mobility[block->body_b]);
        if (j == i) {
            self->diagonal[i] = entry;
            if (!position_pass) add_compliance(&sum, p, block);
        }
        self->column[entry] = j;
        self->entries[entry] = sum;
    }
}

scree_result delassus_allocate(delassus *self, int count, int blocks) {
    *self = (delassus){.count = count};
    self->first = memory_allocate((size_t)count + 1, sizeof *self->first);
    self->column = memory_allocate((size_t)blocks, sizeof *self->column);
    self->entries = memory_allocate((size_t)blocks, sizeof *self->entries);
    self->diagonal = memory_allocate((size_t)count, sizeof *self->diagonal);
    self->q = memory_allocate((size_t)count, sizeof *self->q);
    self->friction = memory_allocate((size_t)count, sizeof *self->friction);
    self->rolling = memory_allocate((size_t)count, sizeof *self->rolling);
    self->spinning = memory_allocate((size_t)count, sizeof *self->spinning);
    self->kind = memory_allocate((size_t)count, sizeof *self->kind);
    if (self->first && self->column && self->entries && self->diagonal && self->q && self->friction &&
        self->rolling && self->spinning && self->kind)
        return SCREE_OK;
    delassus_release(self);
    return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d contacts and %d blocks", count, blocks);
}

scree_result delassus_allocate_bounds(delassus *self) {
    self->low = memory_allocate(2 * (size_t)self->count, sizeof *self->low);
    if (!self->low) return fail(SCREE_ERROR_MEMORY, "out of memory: bounds of %d blocks", self->count);
    self->high = self->low + self->count;
    for (int i = 0; i < self->count; i++) {
        self->low[i] = (real3){-INFINITY, -INFINITY, -INFINITY};
        self->high[i] = (real3){INFINITY, INFINITY, INFINITY};
    }
    return SCREE_OK;
}

/* Returns the number of blocks of row i; at least one, which is zero if no impulse moves the block. */
static int row_length(const problem *p, int i) {
    neighbours around = neighbours_of(p, i);
    int through[2], length = 0;
    while (next_neighbour(&around, through) >= 0) ++length;
    return length > 0 ? length : 1;
}

static scree_result allocate(delassus *self, const problem *p) {
    int blocks = 0;
    for (int i = 0; i < p->block_count; i++) {
        blocks += row_length(p, i);
        if (blocks > MOST_ENTRIES)
            return fail(SCREE_ERROR_CAPACITY,
                        "matrix of %d contacts: more than %d blocks; a body has too many contacts "
                        "for the reference backend",
                        p->block_count, MOST_ENTRIES);
    }
    TRY(delassus_allocate(self, p->block_count, blocks));
    for (int i = 0; i < p->block_count; i++) self->first[i + 1] = self->first[i] + row_length(p, i);
    return SCREE_OK;
}

/* Copies the parameters of the law. In the position pass only normal rows and bounded rows act. */
static void fill_numbers(delassus *self, const problem *p, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    self->kind[i] = (scree_block_kind)block->kind;
    if (block->kind == BLOCK_BOUNDED) {
        const host_box box = box_limits(p, block, position_pass);
        self->low[i] = box.low;
        self->high[i] = box.high;
    }
    if (position_pass) return;
    if (block->kind == BLOCK_CONTACT) self->friction[i] = (double)block->friction;
    if (block->kind == BLOCK_RESISTANCE) {
        self->rolling[i] = (double)block->rolling;
        self->spinning[i] = (double)block->spinning;
    }
}

typedef struct delassus_loop {
    block_frame *frames;
    const problem *p;
    delassus *self;
    bool position_pass;
} delassus_loop;

static void frame_slice(const void *context, slice part) {
    const delassus_loop loop = *(const delassus_loop *)context;
    for (int i = part.first; i < part.end; i++) loop.frames[i] = frame_of(&loop.p->blocks[i]);
}

static void fill_slice(const void *context, slice part) {
    const delassus_loop loop = *(const delassus_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        fill_row(loop.self, loop.p, loop.frames, i, loop.position_pass);
        loop.self->q[i] = drive_of(loop.p, i, loop.position_pass);
        fill_numbers(loop.self, loop.p, i, loop.position_pass);
    }
}

scree_result delassus_assemble(delassus *self, const problem *p, bool position_pass, int threads) {
    *self = (delassus){0};
    scree_result result = allocate(self, p);
    block_frame *frames = memory_allocate((size_t)p->block_count, sizeof *frames);
    if (result == SCREE_OK && !frames)
        result = fail(SCREE_ERROR_MEMORY, "out of memory: %d frames", p->block_count);
    if (result == SCREE_OK && p->row_count > 0) result = delassus_allocate_bounds(self);
    if (result != SCREE_OK) {
        memory_release(frames);
        delassus_release(self);
        return result;
    }
    parallel_for(threads, p->block_count, frame_slice, &(const delassus_loop){.frames = frames, .p = p});
    parallel_for(
        threads, p->block_count, fill_slice,
        &(const delassus_loop){.self = self, .p = p, .frames = frames, .position_pass = position_pass});
    memory_release(frames);
    return SCREE_OK;
}

void delassus_release(delassus *self) {
    memory_release(self->first);
    memory_release(self->column);
    memory_release(self->diagonal);
    memory_release(self->entries);
    memory_release(self->q);
    memory_release(self->friction);
    memory_release(self->rolling);
    memory_release(self->spinning);
    memory_release(self->kind);
    memory_release(self->low);
    *self = (delassus){0};
}

real3 delassus_velocity(const delassus *self, const real3 *r, int i) {
    real3 u = self->q[i];
    for (int entry = self->first[i]; entry < self->first[i + 1]; entry++)
        u = real3_sum(u, real3x3_times(&self->entries[entry], r[self->column[entry]]));
    return u;
}

host_bound delassus_bound(const delassus *self, const real3 *r, int i) {
    const double pressed = fmax(r[i - 1].x, 0);
    return (host_bound){self->spinning[i] * pressed, self->rolling[i] * pressed};
}

host_box delassus_box(const delassus *self, int i) { return (host_box){self->low[i], self->high[i]}; }

double delassus_rho(const delassus *self, int i) {
    const double trace = real3x3_trace(&self->entries[self->diagonal[i]]);
    return trace > 0 ? 3 / trace : 0;
}

static bool connects(const real3x3 *entry) {
    for (int i = 0; i < 9; i++)
        if (entry->m[i / 3][i % 3] != 0) return true;
    return false;
}

scree_result components_find(components *self, const delassus *a) {
    const size_t n = (size_t)a->count;
    int *parent = memory_allocate(2 * n, sizeof *parent), *next = parent + n;
    *self = (components){.first = memory_allocate(2 * n + 1, sizeof *self->first)};
    if (!parent || !self->first) {
        memory_release(parent);
        components_release(self);
        return fail(SCREE_ERROR_MEMORY, "out of memory: the components of %d contacts", a->count);
    }
    self->rows = self->first + n + 1;
    union_find_init(parent, a->count);
    for (int i = 0; i < a->count; i++)
        for (int k = a->first[i]; k < a->first[i + 1]; k++)
            if (connects(&a->entries[k])) union_find_join(parent, i, a->column[k]);
    /* The root is the lowest row, so its component has a number before the other rows are counted. */
    for (int i = 0; i < a->count; i++) {
        const int root = union_find_root(parent, i);
        next[i] = root == i ? self->count++ : next[root];
        ++self->first[next[i] + 1];
    }
    for (int c = 0; c < self->count; c++) self->first[c + 1] += self->first[c];
    for (int i = a->count - 1; i >= 0; --i) parent[i] = next[i]; /* the component of each row */
    for (int c = 0; c < self->count; c++) next[c] = self->first[c];
    for (int i = 0; i < a->count; i++) self->rows[next[parent[i]]++] = i;
    memory_release(parent);
    return SCREE_OK;
}

void components_release(components *self) {
    memory_release(self->first);
    *self = (components){0};
}
