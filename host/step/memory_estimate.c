/* Memory that the steps of a world take, from the sizes of the items in its arrays. A test compares the sums
 * with what is allocated (tests/unit/test_memory_estimate.c). */
#include "away.h"

#include "body_record.h"
#include "contact_set.h"
#include "row_layout.h"
#include "start_energy.h"

#include <math.h>

/* Items for each of which an array has one. */
typedef enum memory_unit { PER_BODY, PER_PAIR, PER_MANIFOLD, PER_CONTACT, UNITS } memory_unit;

typedef struct memory_row {
    size_t bytes;
    memory_unit per;
} memory_row;

#define COLUMN(name) sizeof *((body_array *)0)->name
enum {
    STATE = COLUMN(poses) + COLUMN(remainders) + COLUMN(velocities) + COLUMN(masses) + COLUMN(loads) +
            COLUMN(constant_loads) + COLUMN(settings) + COLUMN(shapes) + COLUMN(materials) + COLUMN(types) +
            COLUMN(generations) + COLUMN(next_free) + COLUMN(group_numbers) + COLUMN(earlier) + COLUMN(gone)
};

/* Arrays of every backend. */
static const memory_row host_rows[] = {
    {STATE, PER_BODY},
    {sizeof(bounds) + sizeof(body_pose) + sizeof(body_remainder), PER_BODY}, /* step_scratch */
    {sizeof(body_mobility) + 3 * sizeof(body_velocity), PER_BODY},           /* problem */
};

/* Stages on the host, unless contacts stay on a device. Contact sets are two: of this and the last step. */
static const memory_row stage_rows[] = {
    {3 * sizeof(bounds) + 2 * sizeof(int), PER_BODY},                    /* fat_pairs.c: tree */
    {sizeof(int) + sizeof(body_velocity) + 2 * sizeof(vec3s), PER_BODY}, /* warm_start.h */
    {2 * sizeof(start_energy), PER_BODY},                           /* warm_start.h */
    {sizeof(scalar) + sizeof(uint32_t) + sizeof(int64_t), PER_BODY},     /* warm_start.h: excess */
    {sizeof(body_velocity) + 2 * sizeof(int), PER_BODY},                 /* detection_pass.h */
    {2 * sizeof(int), PER_PAIR},                                         /* pair_rows.h */
    {2 * (sizeof(contact_pair) + sizeof(signed char)), PER_MANIFOLD},
    {sizeof(constraint_pair) + sizeof(block_group) + sizeof(int), PER_MANIFOLD},
    {2 * (sizeof(manifold_point) + sizeof(contact_action)), PER_CONTACT},
    {2 * sizeof(block_impulse), PER_CONTACT}, /* problem: of both passes */
};

/* The native backend: blocks in the scratch memory, about 26 numbers of a batch (batch.h; balls 15), and
 * impulses that the momentum keeps. */
static const memory_row native_rows[] = {
    {sizeof(constraint_block), PER_CONTACT},
    {26 * sizeof(float), PER_CONTACT},
    {2 * sizeof(block_impulse), PER_CONTACT},
};

/* The host of a device: its own blocks, and records of bodies, for which native has room in the scratch
 * memory. */
static const memory_row opencl_rows[] = {
    {sizeof(body_record), PER_BODY},
    {sizeof(constraint_block), PER_CONTACT},
    {2 * sizeof(int), PER_CONTACT}, /* incidence */
};

/* The host of a device on which contacts stay: shapes and constants of rows as they are sent, and the plan of
 * sweeps (sweep_plan.h). A reader of contacts, such as an output, brings them to the host, which then needs
 * more. */
static const memory_row away_rows[] = {
    {sizeof(record_shape) + sizeof(row_body), PER_BODY},
    {4 * sizeof(int), PER_MANIFOLD},
};

/* Buffers of a device (opencl_backend.h). */
static const memory_row device_rows[] = {
    {2 * sizeof(body_pose) + 2 * sizeof(body_remainder) + sizeof(body_mass) + sizeof(body_load), PER_BODY},
    {sizeof(body_mobility) + 6 * sizeof(body_velocity) + sizeof(int), PER_BODY},
    {sizeof(constraint_block) + 2 * sizeof(block_impulse), PER_CONTACT}, /* the latter: diagonals */
    {4 * sizeof(block_impulse) + 2 * sizeof(int), PER_CONTACT},          /* kept ones; incidence */
    {sizeof(block_group) + sizeof(int), PER_MANIFOLD},
};

/* The search for pairs on a device (opencl_grid.h): boxes and keys; pairs and the buffers of their sort.
 */
static const memory_row search_rows[] = {
    {2 * sizeof(bounds) + 7 * sizeof(int), PER_BODY},
    {4 * sizeof(int), PER_PAIR},
};

/* A set of contacts on a device (device_contacts). */
enum {
    SET_MANIFOLD = sizeof(contact_head) + sizeof(contact_tag) + sizeof(signed char),
    SET_CONTACT = 8 * sizeof(scalar) + sizeof(int) + sizeof(contact_row)
};

/* The search for contacts on a device (opencl_contacts.h, contact_mirror.h): shapes and records of
 * bodies, lists of pairs, points of boxes, and the sets of this and the last step. */
static const memory_row contact_rows[] = {
    {sizeof(record_shape) + sizeof(body_record), PER_BODY},
    {10 * sizeof(int), PER_PAIR},
    {CONTACT_SLOT_WORDS * 4 * sizeof(scalar), PER_MANIFOLD},
    {2 * SET_MANIFOLD, PER_MANIFOLD},
    {2 * SET_CONTACT, PER_CONTACT},
};

/* Contacts that stay on a device (opencl_assembly.h, opencl_detect.h, opencl_excess.h): constants and tallies
 * of bodies, and what a detection pass has of them; pairs, colours and marks; pushes; a set into which
 * detection passes insert. */
static const memory_row stay_rows[] = {
    {sizeof(row_body) + sizeof(body_split) + 16 * sizeof(int), PER_BODY},
    {sizeof(body_velocity) + sizeof(bounds) + sizeof(record_shape) + sizeof(body_record) + 4 * sizeof(int),
     PER_BODY},
    {11 * sizeof(int), PER_MANIFOLD},
    {sizeof(block_impulse), PER_CONTACT},
    {SET_MANIFOLD, PER_MANIFOLD},
    {SET_CONTACT, PER_CONTACT},
};

typedef struct memory_need {
    double of[UNITS]; /* bytes for an item */
} memory_need;

static void need_rows(memory_need *self, const memory_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) self->of[rows[i].per] += (double)rows[i].bytes;
}
#define NEED(self, rows) need_rows(self, rows, sizeof(rows) / sizeof *(rows))

/* Numbers of items. Beds of balls have 2.6 to 3.1 contacts a ball, beds of cubes 4.6 to 5.1 with 2.5 points a
 * manifold; both have 6 to 10 pairs of bounds a body (A1000, B8000 and spheres100000, settled). */
static const double BALL_CONTACTS = 3.1, OTHER_CONTACTS = 5, OTHER_POINTS = 2.5, BODY_PAIRS = 8;
/* Arrays that follow a number grow by halves: on average they are a quarter larger. Large blocks of the host
 * are pages that take no memory until they are written (base/memory.h): with more than MANY contacts,
 * neither spare capacity counts nor the columns of the state that are zero for most bodies. */
static const double SLACK = 1.25, MANY = 26000;
enum {
    UNWRITTEN = COLUMN(loads) + COLUMN(constant_loads) + COLUMN(settings) + COLUMN(earlier) +
                COLUMN(group_numbers) + COLUMN(next_free) + COLUMN(gone)
};
/* The manifolds of pieces that wait for their order (contact_search) take at most this, bytes. */
static const double PIECES = 2.3e6;

static void count_items(const scree_world *world, double items[UNITS]) {
    const body_array *bodies = &world->state.bodies;
    const contact_set *last = &world->state.contacts;
    double balls = 0, others = 0;
    for (int i = 0; i < bodies->count; i++) {
        if (!body_is_dynamic(bodies, i)) continue;
        *(bodies->shapes[i].kind == SCREE_SHAPE_SPHERE ? &balls : &others) += 1;
    }
    items[PER_BODY] = bodies->count;
    items[PER_PAIR] = BODY_PAIRS * (balls + others);
    items[PER_CONTACT] = fmax(BALL_CONTACTS * balls + OTHER_CONTACTS * others, last->points);
    items[PER_MANIFOLD] = fmax(BALL_CONTACTS * balls + OTHER_CONTACTS / OTHER_POINTS * others, last->count);
}

static double sum_of(const memory_need *need, const double items[UNITS], double slack, double *body,
                     double *contact) {
    const double bodies = fmax(1, items[PER_BODY]), contacts = fmax(1, items[PER_CONTACT]);
    *body = need->of[PER_BODY] + slack * need->of[PER_PAIR] * items[PER_PAIR] / bodies;
    *contact = slack * (need->of[PER_CONTACT] + need->of[PER_MANIFOLD] * items[PER_MANIFOLD] / contacts);
    return *body * items[PER_BODY] + *contact * items[PER_CONTACT];
}

/* Where the contacts of steps are found, and whether they stay there. */
typedef enum contact_place { ON_HOST, ON_DEVICE, STAY } contact_place;

static contact_place place_of(scree_world *world) {
    const backend_operations *operations = world->backend->operations;
    const pair_search pairs = {.bodies = &world->state.bodies};
    const contact_request request = {.pairs = &pairs, .before = &world->state.contacts};
    const step_context step = {.model = &world->model,
                               .state = &world->state,
                               .scratch = &world->scratch,
                               .backend = world->backend,
                               .verification = &world->verification,
                               .need_work = world->observers.need_work};
    if (world->model.def.pipeline != SCREE_PIPELINE_DEVICE || !operations->find_contacts ||
        operations->contacts_barrier(world->backend, &request))
        return ON_HOST;
    return contacts_may_stay(&step) ? STAY : ON_DEVICE;
}

static void estimate_device(const scree_world *world, contact_place place, const double items[UNITS],
                            scree_memory_estimate *out) {
    memory_need device = {0};
    uint64_t used, limit;
    world->backend->operations->memory(world->backend, &used, &limit);
    NEED(&device, device_rows);
    if (world->model.def.pipeline == SCREE_PIPELINE_DEVICE) NEED(&device, search_rows);
    if (place != ON_HOST) NEED(&device, contact_rows);
    if (place == STAY) NEED(&device, stay_rows);
    out->device = sum_of(&device, items, SLACK, &out->device_body, &out->device_contact);
    out->device_memory = (double)limit;
}

static void estimate_host(const scree_world *world, contact_place place, const double items[UNITS],
                          scree_memory_estimate *out) {
    const bool paged = items[PER_CONTACT] > MANY;
    memory_need host = {0};
    NEED(&host, host_rows);
    if (place == STAY)
        NEED(&host, away_rows);
    else
        NEED(&host, stage_rows);
    if (!world->backend->operations->memory)
        NEED(&host, native_rows);
    else if (place != STAY)
        NEED(&host, opencl_rows);
    if (paged) host.of[PER_BODY] -= UNWRITTEN;
    out->host = sum_of(&host, items, paged ? 1 : SLACK, &out->host_body, &out->host_contact);
    if (place != STAY) out->host += fmin(PIECES, SLACK * sizeof(manifold) * items[PER_PAIR]);
    out->host_memory = memory_of_machine();
}

scree_result scree_world_estimate_memory(scree_world *world, scree_memory_estimate *out) {
    REQUIRE(world);
    REQUIRE(out);
    TRY(world_settle_backend(world));
    const contact_place place = place_of(world);
    double items[UNITS];
    count_items(world, items);
    *out = (scree_memory_estimate){
        .bodies = (int)items[PER_BODY], .contacts = items[PER_CONTACT], .device_memory = INFINITY};
    estimate_host(world, place, items, out);
    if (world->backend->operations->memory) estimate_device(world, place, items, out);
    return SCREE_OK;
}
