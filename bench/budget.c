/* scree-budget: accuracy for a given amount of work per step, in scenes that must stay at rest.
 *
 * scree-budget SCENE KIND N runs a scene for five seconds at 60 steps a second on one thread and prints a
 * line of JSON: the processor time of a step, the largest displacement of a body from its start, the largest
 * error of a joint, and the scaled residual. KIND is `substeps` (N parts of a step), `iterations` (N of
 * accelerated-pgs, and a quarter of that for positions), `sweeps` (the same with pgs), or `preset` (N is its
 * name). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { BODIES = 1024, STEPS = 300, LAST = 60 };
static const double time_step = 1.0 / 60;

/* A world with the bodies that must stay, and the unit of length for displacements, m. */
typedef struct stand {
    scree_world *world;
    double length;
    int count;
    scree_body_id bodies[BODIES];
    scree_vec3 start[BODIES];
} stand;

static void check(scree_result result) {
    if (result == SCREE_OK) return;
    fprintf(stderr, "scree-budget: %s\n", scree_error_get_message());
    exit(1);
}

static scree_body_id add(stand *self, scree_shape shape, double mass, double x, double z, double tilt) {
    scree_body_def body = scree_default_body_def();
    body.shape = shape, body.mass = (float)mass;
    body.state.position = (scree_vec3){(float)x, 0, (float)z};
    body.state.rotation = (scree_quat){0, (float)sin(tilt / 2), 0, (float)cos(tilt / 2)};
    scree_body_id id;
    check(scree_body_create(self->world, &body, &id));
    if (self->count == BODIES) exit(1);
    self->bodies[self->count] = id, self->start[self->count++] = body.state.position;
    return id;
}

static void add_floor(stand *self) {
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC, body.shape = scree_shape_half_space();
    check(scree_body_create(self->world, &body, NULL));
}

/* --- scenes --- */

static void add_column(stand *self, int count, double top) {
    self->length = 0.1;
    add_floor(self);
    for (int i = 0; i < count; i++) add(self, scree_shape_box(0.05f, 0.05f, 0.05f), 1, 0, 0.05 + 0.1 * i, 0);
    if (top > 0) add(self, scree_shape_box(0.05f, 0.05f, 0.05f), top, 0, 0.05 + 0.1 * count, 0);
}

static void stack_of_10(stand *self) { add_column(self, 10, 0); }
static void stack_of_30(stand *self) { add_column(self, 30, 0); }
static void stack_of_50(stand *self) { add_column(self, 50, 0); }
static void heavy_top(stand *self) { add_column(self, 10, 100); }

static void pyramid(stand *self) {
    enum { BASE = 30 };
    self->length = 0.1;
    add_floor(self);
    for (int row = 0; row < BASE; row++)
        for (int i = 0; i < BASE - row; i++)
            add(self, scree_shape_box(0.05f, 0.05f, 0.05f), 1, 0.101 * (i - 0.5 * (BASE - row)),
                0.05 + 0.1 * row, 0);
}

/* A chain of links of 10 cm and 1 kg that hangs from the world and holds 1000 kg at rest. */
static void chain(stand *self) {
    enum { LINKS = 100 };
    scree_body_id above = {0, 0, 0};
    self->length = 0.1;
    for (int i = 0; i <= LINKS; i++) {
        const bool load = i == LINKS;
        const scree_body_id link =
            add(self, load ? scree_shape_sphere(0.3f) : scree_shape_box(0.02f, 0.02f, 0.05f), load ? 1000 : 1,
                0, -0.1 * i - (load ? 0.3 : 0.05), 0);
        scree_joint_def ball = scree_default_joint_def(SCREE_JOINT_BALL);
        ball.a = above, ball.b = link;
        check(scree_joint_get_frame(self->world, &ball, (scree_vec3){0, 0, -0.1f * (float)i},
                                    (scree_vec3){1, 0, 0}, (scree_vec3){0, 1, 0}));
        check(scree_joint_create(self->world, &ball, NULL));
        above = link;
    }
}

/* Cards of 9 cm lean in pairs, 20° from the vertical, on the ground and on two plates: 3, 2 and 1 pairs. */
static void card_house(stand *self) {
    const double half = 0.045, thin = 0.001, tilt = 20 * 3.14159265358979 / 180, mass = 0.002,
                 x = half * sin(tilt) + thin * cos(tilt), z = half * cos(tilt) + thin * sin(tilt),
                 apart = 2 * (x + half * sin(tilt) + thin * cos(tilt)) + 0.002;
    double floor = 0;
    self->length = 2 * half;
    add_floor(self);
    for (int storey = 0; storey < 3; storey++) {
        const int pairs = 3 - storey;
        for (int i = 0; i < pairs; i++)
            for (int side = -1; side <= 1; side += 2)
                add(self, scree_shape_box((float)thin, 0.03f, (float)half), mass,
                    apart * (i - 0.5 * (pairs - 1)) + side * x, floor + z, -side * tilt);
        floor += 2 * z;
        if (pairs > 1)
            add(self, scree_shape_box((float)(apart * pairs / 2), 0.03f, (float)thin), mass * pairs, 0,
                floor + thin, 0);
        floor += 2 * thin;
    }
}

static const struct {
    const char *name;
    void (*build)(stand *);
} scenes[] = {{"stack10", stack_of_10}, {"stack30", stack_of_30}, {"stack50", stack_of_50},
              {"heavy", heavy_top},     {"pyramid", pyramid},     {"chain", chain},
              {"cards", card_house}};

/* --- a run --- */

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool settle(scree_solver_def *solver, const char *kind, const char *amount) {
    const int n = atoi(amount);
    if (strcmp(kind, "preset") == 0) {
        for (int i = 0; i < SCREE_PRESET_COUNT; i++)
            if (strcmp(scree_preset_name((scree_preset)i), amount) == 0) {
                *solver = scree_solver_def_with_preset(*solver, (scree_preset)i);
                return true;
            }
        return false;
    }
    if (n < 1) return false;
    if (strcmp(kind, "substeps") == 0) {
        *solver = scree_solver_def_with_stabilisation(*solver, SCREE_STABILISATION_SUBSTEP);
        solver->substep.substeps = n;
        return true;
    }
    solver->iterations = n;
    solver->tolerance = 0;
    solver->split.position_iterations = (n + 3) / 4;
    if (strcmp(kind, "sweeps") == 0) solver->method = SCREE_METHOD_PGS;
    return strcmp(kind, "iterations") == 0 || strcmp(kind, "sweeps") == 0;
}

static double farthest(const stand *self) {
    double most = 0;
    for (int i = 0; i < self->count; i++) {
        scree_body_state now;
        check(scree_body_get_state(self->world, self->bodies[i], &now));
        const double x = (double)(now.position.x - self->start[i].x),
                     y = (double)(now.position.y - self->start[i].y),
                     z = (double)(now.position.z - self->start[i].z);
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    return most / self->length;
}

static void run(stand *self, const char *scene, const char *kind, const char *amount) {
    double residual = 0, joint = 0;
    const double start = processor_seconds();
    for (int i = 0; i < STEPS; i++) {
        scree_statistics s;
        check(scree_world_step(self->world, &s));
        if (i >= STEPS - LAST) residual += s.solve.residual / LAST;
        joint = fmax(joint, s.joint_error_max);
    }
    const double spent = (processor_seconds() - start) / STEPS;
    printf(
        "{\"scene\": \"%s\", \"kind\": \"%s\", \"amount\": \"%s\", \"milliseconds\": %.4g, \"moved\": %.3g, "
        "\"joint\": %.3g, \"residual\": %.2g}\n",
        scene, kind, amount, 1e3 * spent, farthest(self), joint / self->length, residual);
}

int main(int argc, char **argv) {
    static stand self;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.time_step = time_step;
    if (argc != 4 || !settle(&def.solver, argv[2], argv[3])) {
        fprintf(stderr, "usage: scree-budget SCENE substeps|iterations|sweeps|preset N\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (strcmp(scenes[i].name, argv[1]) != 0) continue;
        check(scree_world_create(&def, &self.world));
        scenes[i].build(&self);
        run(&self, argv[1], argv[2], argv[3]);
        scree_world_destroy(self.world);
        return 0;
    }
    fprintf(stderr, "scree-budget: %s: no such scene\n", argv[1]);
    return 2;
}
