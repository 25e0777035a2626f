/* Memory that the steps of a world take, from the sizes of the items in its arrays. A test compares the sums
 * with what is allocated (tests/unit/test_memory_estimate.c). */
#include "away.h"

#include "base/vector.h"
#include "geometry/children.h"

#include "body_record.h"
#include "child_shapes.h"
#include "contact_set.h"
#include "point_work.h"
#include "row_layout.h"
#include "start_energy.h"

#include <limits.h>
#include <math.h>

/* Items for each of which an array has one. */
typedef enum memory_unit {
    PER_BODY,
    PER_PAIR,
    PER_ITEM, /* pair of children that are near each other, or of bodies without, if any body has children */
    PER_MANIFOLD,
    PER_SLOT, /* manifold of other bodies than balls */
    PER_CONTACT,
    PER_OTHER, /* contact of other bodies than balls */
    UNITS
} memory_unit;

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
    {3 * sizeof(bounds) + 2 * sizeof(int), PER_BODY},    /* fat_pairs.c: tree */
    {2 * sizeof(int), PER_BODY},                         /* pair_rows.h */
    {sizeof(int) + 2 * sizeof(vec3s), PER_BODY},         /* warm_start.h */
    {2 * sizeof(start_energy), PER_BODY},                /* warm_start.h */
    {sizeof(body_velocity) + 2 * sizeof(int), PER_BODY}, /* detection_pass.h */
    {2 * sizeof(int), PER_PAIR},                         /* pair_rows.h */
    {2 * (sizeof(contact_pair) + sizeof(signed char)), PER_MANIFOLD},
    {sizeof(constraint_pair) + sizeof(block_group) + sizeof(int), PER_MANIFOLD},
    {2 * (sizeof(manifold_point) + sizeof(contact_action)), PER_CONTACT},
    {2 * sizeof(block_impulse), PER_CONTACT}, /* problem: of both passes */
};

/* The native backend: numbers of batches (batch.h: 15 for balls, about 36 for others) and their heads. */
static const memory_row native_rows[] = {
    {15 * sizeof(float) + 2 * sizeof(char), PER_CONTACT},
    {21 * sizeof(float), PER_OTHER},
    {5 * sizeof(int), PER_MANIFOLD},
};

/* Its scratch memory: all blocks, or with many contacts what the solve takes (native_launches.c), in which
 * windows of the blocks lie before. */
static const memory_row block_rows[] = {{sizeof(constraint_block), PER_CONTACT}};
static const memory_row window_rows[] = {
    {3 * sizeof(block_impulse), PER_CONTACT},
    {sizeof(body_velocity), PER_BODY},
};

/* The host of a device: its own blocks, free velocities (warm_start.h), and records of bodies, for which
 * native has room in the scratch memory. */
static const memory_row opencl_rows[] = {
    {sizeof(body_record) + sizeof(body_velocity), PER_BODY},
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

/* Buffers of a device (opencl_backend.h): bodies. */
static const memory_row device_rows[] = {
    {2 * sizeof(body_pose) + 2 * sizeof(body_remainder) + sizeof(body_mass) + sizeof(body_load), PER_BODY},
    {sizeof(body_mobility) + 5 * sizeof(body_velocity), PER_BODY},
};

/* Parts of a device's scratch memory during a solve: the problem, rebounds, what methods keep. */
static const memory_row solve_rows[] = {
    {sizeof(int) + sizeof(body_velocity), PER_BODY},
    {sizeof(block_group), PER_MANIFOLD},
    {sizeof(constraint_block) + sizeof(block_diagonal) + sizeof(ball_mobility) + 4 * sizeof(block_impulse),
     PER_CONTACT},
    {2 * sizeof(int), PER_CONTACT}, /* incidence */
};

/* Parts during the search for pairs (opencl_grid.h): boxes, sorted boxes, keys; pairs and their sort. */
static const memory_row pair_rows_away[] = {
    {2 * sizeof(bounds) + 5 * sizeof(int), PER_BODY},
    {4 * sizeof(int), PER_PAIR},
};

/* A set of contacts on a device (device_contacts). */
enum {
    SET_MANIFOLD = sizeof(contact_head) + sizeof(contact_tag) + sizeof(signed char),
    SET_CONTACT = 8 * sizeof(scalar) + sizeof(int) + sizeof(contact_row)
};

/* Buffers for contacts on a device (contact_mirror.h): shapes, and the sets of two steps. */
static const memory_row set_rows[] = {
    {sizeof(record_shape) + sizeof(uint8_t), PER_BODY},
    {2 * SET_MANIFOLD, PER_MANIFOLD},
    {2 * SET_CONTACT, PER_CONTACT},
};

/* Parts during the search for contacts (opencl_contacts.h): boxes and records, lists of pairs, points of
 * boxes. */
static const memory_row contact_rows[] = {
    {sizeof(bounds) + sizeof(body_record), PER_BODY},
    {10 * sizeof(int), PER_PAIR},
    {CONTACT_SLOT_WORDS * 4 * sizeof(scalar), PER_SLOT},
};

/* Descriptions of shapes beyond half-spaces (opencl_convexes.h), on the host and on the device; children
 * (opencl_children.h), likewise, and the list of their geometries. */
static const memory_row convex_rows[] = {{sizeof(convex_shape), PER_BODY}};
static const memory_row child_rows[] = {{sizeof(child_body), PER_BODY}};
static const memory_row geometry_rows[] = {{sizeof(scree_geometry *), PER_BODY}};

/* Parts during the search for contacts if bodies have children: lists are of items (opencl_contacts.h). */
static const memory_row item_rows[] = {
    {sizeof(bounds) + sizeof(body_record), PER_BODY},
    {4 * sizeof(int), PER_PAIR},
    {14 * sizeof(int) + CONTACT_SLOT_WORDS * 4 * sizeof(scalar), PER_ITEM},
};

/* Contacts that stay on a device (opencl_assembly.h): constants of bodies; more parts during a solve: splits,
 * pairs, pushes. */
static const memory_row stay_rows[] = {
    {sizeof(row_body) + sizeof(uint8_t) + sizeof(int), PER_BODY},
};
static const memory_row stay_solve_rows[] = {
    {sizeof(body_split), PER_BODY},
    {4 * sizeof(int), PER_MANIFOLD},
    {sizeof(block_impulse), PER_CONTACT},
};

/* Where there are joints (opencl_links.h), in periodic worlds (opencl_images.h), and for the work of contacts
 * (opencl_work.h). */
static const memory_row link_rows[] = {{2 * sizeof(int) + sizeof(uint8_t), PER_MANIFOLD}};
static const memory_row image_rows[] = {{2 * sizeof(int) + sizeof(uint8_t), PER_BODY}};
static const memory_row image_pair_rows[] = {{sizeof(int), PER_PAIR}};
static const memory_row work_rows[] = {{sizeof(work_terms), PER_CONTACT}};

typedef struct memory_need {
    double of[UNITS]; /* bytes for an item */
} memory_need;

static void need_rows(memory_need *self, const memory_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) self->of[rows[i].per] += (double)rows[i].bytes;
}
#define NEED(self, rows) need_rows(self, rows, sizeof(rows) / sizeof *(rows))

/* Numbers of items at most. Beds of balls have 2.6 to 3.1 contacts a ball and 7 to 12 pairs of bounds, beds
 * of cubes 4.6 to 6.7 contacts with 2.5 points a manifold and 6 pairs (A1000, A8000, A27000, B1000, B8000,
 * spheres100000 while they settle). Boxes that are built on each other have four points where they meet
 * (C30). Clumps of two balls have 3.4 to 4 contacts, each a manifold of its own, and
 * 2.3 to 3 items a pair. */
static const double BALL_CONTACTS = 3, OTHER_CONTACTS = 5.5, OTHER_POINTS = 2.5, BALL_PAIRS = 10,
                    OTHER_PAIRS = 6, BUILT_POINTS = 4, MADE_CONTACTS = 4, PAIR_ITEMS = 2.5;
/* Arrays that follow a number grow by halves: on average they are a quarter larger. Large blocks of the host
 * are pages that take no memory until they are written (base/memory.h): with more than MANY contacts,
 * neither spare capacity counts nor the columns of the state that are zero for most bodies. */
static const double SLACK = 1.25, MANY = 26000;
enum {
    UNWRITTEN = COLUMN(loads) + COLUMN(constant_loads) + COLUMN(settings) + COLUMN(earlier) +
                COLUMN(group_numbers) + COLUMN(next_free) + COLUMN(gone)
};
/* Structures of a device's backend where the arrays of contacts are there, bytes. */
static const double BACKEND = 8e4;
/* The manifolds of pieces that wait for their order (contact_search) take at most this, bytes. */
static const double PIECES = 2.3e6;

/* Numbers of dynamic bodies, with the grains that inlets add; `made`: others made of children. */
typedef struct body_counts {
    double balls, others, made;
} body_counts;

static void count_shape(body_counts *self, scree_shape shape, double number) {
    *(shape.kind == SCREE_SHAPE_SPHERE ? &self->balls : &self->others) += number;
    if (shape_has_children(shape)) self->made += number;
}

static void count_bodies(const scree_world *world, double seconds, body_counts *out, double *added) {
    const body_array *bodies = &world->state.bodies;
    *out = (body_counts){0};
    *added = 0;
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i)) count_shape(out, bodies->shapes[i], 1);
    for (int i = 0; i < world->state.flows.count; i++) {
        const flow_item *item = &world->state.flows.items[i];
        const double grains = flow_grains_ahead(world, item, seconds);
        count_shape(out, item->inlet.body.shape, grains);
        *added += grains;
    }
}

/* Bodies whose neighbours stand for those of all. */
enum { SAMPLE = 256 };

/* Returns the pairs of bodies other than balls and bodies with children that meet as they are built, for each
 * such body. */
static scree_result count_built(const scree_world *world, double *pairs) {
    const body_array *bodies = &world->state.bodies;
    const int every = bodies->count / SAMPLE + 1;
    const double h = world->model.def.time_step;
    const scree_vec3 gravity = gravity_at(&world->model.gravity, world_time(world), world->state.gravity);
    const double fall = (double)glms_vec3_norm(vec3_in(gravity)) * h * h; /* in the first step */
    int sampled = 0;
    SCOPED bounds *boxes = memory_allocate((size_t)bodies->count, sizeof *boxes);
    *pairs = 0;
    if (!boxes) return fail(SCREE_ERROR_MEMORY, "out of memory: boxes of bodies");
    bounds_compute_padded(bodies, world->model.def.speculative_distance + 2 * (scalar)fall, (scalar)h,
                          world->model.threads, boxes);
    for (int i = 0; i < bodies->count; i += every) {
        if (!body_is_dynamic(bodies, i) || bodies->shapes[i].kind == SCREE_SHAPE_SPHERE ||
            shape_has_children(bodies->shapes[i]))
            continue;
        sampled++;
        for (int k = 0; k < bodies->count; k++)
            if (k != i && bodies->shapes[k].kind != SCREE_SHAPE_HALF_SPACE &&
                bounds_meet(&boxes[i], &boxes[k]))
                *pairs += body_is_dynamic(bodies, k) ? 0.5 : 1;
    }
    *pairs /= sampled > 0 ? sampled : 1;
    return SCREE_OK;
}

static scree_result count_items(const scree_world *world, double seconds, double items[UNITS]) {
    const contact_set *last = &world->state.contacts;
    body_counts of;
    double built = 0, added;
    count_bodies(world, seconds, &of, &added);
    if (of.others > 0) TRY(count_built(world, &built));
    const double ball_contacts = BALL_CONTACTS * of.balls, made_contacts = MADE_CONTACTS * of.made,
                 plain = of.others - of.made,
                 contacts = fmax(OTHER_CONTACTS, BUILT_POINTS * built) * plain + made_contacts,
                 manifolds = fmax(OTHER_CONTACTS / OTHER_POINTS, built) * plain + made_contacts;
    items[PER_BODY] = world->state.bodies.count + added;
    items[PER_PAIR] = BALL_PAIRS * of.balls + OTHER_PAIRS * of.others;
    items[PER_ITEM] = items[PER_PAIR] + (PAIR_ITEMS - 1) * OTHER_PAIRS * of.made;
    items[PER_CONTACT] = fmax(ball_contacts + contacts, last->points);
    items[PER_MANIFOLD] = fmax(ball_contacts + manifolds, last->count);
    items[PER_SLOT] = manifolds, items[PER_OTHER] = contacts;
    return SCREE_OK;
}

static double sum_of(const memory_need *need, const double items[UNITS], double slack, double *body,
                     double *contact) {
    const double bodies = fmax(1, items[PER_BODY]), contacts = fmax(1, items[PER_CONTACT]);
    *body = need->of[PER_BODY] +
            slack * (need->of[PER_PAIR] * items[PER_PAIR] + need->of[PER_ITEM] * items[PER_ITEM]) / bodies;
    *contact = slack * (need->of[PER_CONTACT] +
                        (need->of[PER_MANIFOLD] * items[PER_MANIFOLD] + need->of[PER_SLOT] * items[PER_SLOT] +
                         need->of[PER_OTHER] * items[PER_OTHER]) /
                            contacts);
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
    return away_barrier(&step) ? ON_DEVICE : STAY;
}

/* Shapes in a world that a device needs tables of. */
typedef struct shape_tables {
    bool convexes, children;
} shape_tables;

static shape_tables tables_of(const scree_world *world) {
    const body_array *bodies = &world->state.bodies;
    shape_tables out = {0};
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] == SLOT_FREE) continue;
        out.convexes |= bodies->shapes[i].kind > SCREE_SHAPE_HALF_SPACE;
        out.children |= shape_has_children(bodies->shapes[i]);
    }
    return out;
}

/* Capacities on a device grow by an eighth, on average half of that is spare. */
static const double DEVICE_SLACK = 1.0625;

/* Adds the larger of two needs, the stages of which share memory. */
static void add_larger(memory_need *self, const memory_need *one, const memory_need *other,
                       const double items[UNITS]) {
    double body, contact;
    const double a = sum_of(one, items, DEVICE_SLACK, &body, &contact),
                 b = sum_of(other, items, DEVICE_SLACK, &body, &contact);
    const memory_need *larger = a > b ? one : other;
    for (int i = 0; i < UNITS; i++) self->of[i] += larger->of[i];
}

/* Returns the need of a device; `finds`: it finds pairs. */
static memory_need need_of_device(const scree_world *world, contact_place place, bool finds,
                                  const double items[UNITS]) {
    const bool periodic = place != ON_HOST && world->state.bodies.period.any;
    const shape_tables tables = tables_of(world);
    memory_need device = {0}, solve = {0}, search = {0};
    NEED(&device, device_rows);
    NEED(&solve, solve_rows);
    if (finds && place == ON_HOST) NEED(&search, pair_rows_away);
    if (place != ON_HOST) NEED(&device, set_rows);
    if (place != ON_HOST && tables.convexes) NEED(&device, convex_rows);
    if (place != ON_HOST && tables.children) NEED(&device, child_rows);
    if (place != ON_HOST && tables.children)
        NEED(&search, item_rows);
    else if (place != ON_HOST)
        NEED(&search, contact_rows);
    if (place == STAY) NEED(&device, stay_rows);
    if (place == STAY) NEED(&solve, stay_solve_rows);
    if (place == STAY && world->state.joints.link_count > 0) NEED(&device, link_rows);
    if (place == STAY && world->observers.need_work) NEED(&device, work_rows);
    if (periodic) NEED(&device, image_rows);
    if (periodic) NEED(&search, image_pair_rows);
    add_larger(&device, &solve, &search, items);
    return device;
}

static void estimate_device(const scree_world *world, contact_place place, const double items[UNITS],
                            scree_memory_estimate *out) {
    const bool finds = world->model.def.pipeline == SCREE_PIPELINE_DEVICE;
    const memory_need need = need_of_device(world, place, finds, items),
                      by_host = need_of_device(world, ON_HOST, false, items);
    uint64_t used, limit;
    double body, contact;
    world->backend->operations->memory(world->backend, &used, &limit);
    out->device = sum_of(&need, items, DEVICE_SLACK, &out->device_body, &out->device_contact);
    out->device_by_host = sum_of(&by_host, items, DEVICE_SLACK, &body, &contact);
    out->device_memory = (double)limit;
}

/* Returns the need of the host. With children, contacts that stay on a device are the host's, too: detection
 * passes with straying bodies bring them. */
static memory_need need_of_host(const scree_world *world, contact_place place, bool paged) {
    const shape_tables tables = tables_of(world);
    const bool native = !world->backend->operations->memory;
    memory_need host = {0};
    NEED(&host, host_rows);
    if (place == STAY) NEED(&host, away_rows);
    if (place != STAY || tables.children) NEED(&host, stage_rows);
    if (native) NEED(&host, native_rows);
    if (native && paged) NEED(&host, window_rows);
    if (native && !paged) NEED(&host, block_rows);
    if (!native && place != STAY) NEED(&host, opencl_rows);
    if (place != ON_HOST && tables.convexes) NEED(&host, convex_rows);
    if (place != ON_HOST && tables.children) NEED(&host, child_rows);
    if (place != ON_HOST && tables.children) NEED(&host, geometry_rows);
    host.of[PER_BODY] += paged ? -UNWRITTEN : (SLACK - 1) * STATE;
    return host;
}

/* Writes what the host needs for each body and each contact, and returns all. */
static double sum_of_host(const scree_world *world, contact_place place, const double items[UNITS],
                          double *body, double *contact) {
    const bool paged = items[PER_CONTACT] > MANY;
    const memory_need host = need_of_host(world, place, paged);
    const double pieces = place == STAY ? BACKEND : fmin(PIECES, SLACK * sizeof(manifold) * items[PER_PAIR]);
    return sum_of(&host, items, paged ? 1 : SLACK, body, contact) + pieces;
}

static void estimate_host(const scree_world *world, contact_place place, const double items[UNITS],
                          scree_memory_estimate *out) {
    double body, contact;
    out->host = sum_of_host(world, place, items, &out->host_body, &out->host_contact);
    out->host_by_host = sum_of_host(world, ON_HOST, items, &body, &contact);
    out->host_memory = memory_of_machine();
}

scree_result scree_world_estimate_memory(scree_world *world, double seconds, scree_memory_estimate *out) {
    REQUIRE(world);
    REQUIRE(out);
    if (!(seconds >= 0 && seconds < INFINITY))
        return fail(SCREE_ERROR_ARGUMENT, "seconds: %g; must be finite and >= 0 s", seconds);
    TRY(world_settle_backend(world));
    const contact_place place = place_of(world);
    double items[UNITS];
    TRY(count_items(world, seconds, items));
    *out = (scree_memory_estimate){.bodies = (int)fmin(items[PER_BODY], INT_MAX),
                                   .contacts = items[PER_CONTACT],
                                   .device_memory = INFINITY};
    estimate_host(world, place, items, out);
    if (world->backend->operations->memory) estimate_device(world, place, items, out);
    return SCREE_OK;
}
