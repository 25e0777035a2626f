/* Runs another engine on one of our scenes and measures it as `scree bench` does: runner SCENE ITERATIONS
 * prints a line of JSON. The final state is copied back into a scree world, so the same code measures
 * penetration and drift. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "benchmark/bench_result.h"
#include "benchmark/median.h"

typedef struct field {
    scree_world *world;
    scree_body_id *ids;
    peer_body *bodies;
    int count;
} field;

static void stop(const char *what) {
    fprintf(stderr, "runner: %s: %s\n", what, scree_error_get_message());
    exit(1);
}

static int kind_of(scree_shape_kind kind) {
    if (kind > SCREE_SHAPE_HALF_SPACE) stop("peers know spheres, boxes and half-spaces");
    return kind == SCREE_SHAPE_SPHERE ? 0 : kind == SCREE_SHAPE_BOX ? 1 : 2;
}

static peer_body body_of(const scree_world *world, scree_body_id id) {
    scree_body_def def;
    float mass = 0;
    if (scree_body_get_def(world, id, &def) != SCREE_OK ||
        scree_body_get_mass(world, id, &mass, NULL) != SCREE_OK)
        stop("body");
    const scree_vec3 p = def.state.position, v = def.state.linear_velocity, size = def.shape.size;
    const scree_quat q = def.state.rotation;
    return (peer_body){
        kind_of(def.shape.kind), {size.x, size.y, size.z}, def.type == SCREE_BODY_DYNAMIC ? (double)mass : 0,
        {p.x, p.y, p.z},         {q.x, q.y, q.z, q.w},     {v.x, v.y, v.z}};
}

static void build(const char *path, field *f) {
    scree_scene *scene;
    scree_world_def def;
    if (scree_scene_load(path, &scene) != SCREE_OK) stop(path);
    def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    if (scree_world_create(&def, &f->world) != SCREE_OK || scree_scene_build(scene, f->world, 0) != SCREE_OK)
        stop(path);
    f->count = scree_body_count(f->world);
    f->ids = malloc((size_t)f->count * sizeof *f->ids);
    f->bodies = malloc((size_t)f->count * sizeof *f->bodies);
    scree_body_list(f->world, f->ids, f->count);
    for (int i = 0; i < f->count; ++i) f->bodies[i] = body_of(f->world, f->ids[i]);
    scree_scene_destroy(scene);
}

/* Copies the engine's state into the world. */
static void take_over(field *f) {
    for (int i = 0; i < f->count; ++i) {
        if (!(f->bodies[i].mass > 0)) continue;
        this_peer.read(i, &f->bodies[i]);
        const double *p = f->bodies[i].position, *q = f->bodies[i].rotation;
        const scree_body_state state = {.position = {(float)p[0], (float)p[1], (float)p[2]},
                                        .rotation = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
        if (scree_body_set_state(f->world, f->ids[i], &state) != SCREE_OK) stop("state");
    }
}

/* Returns the largest distance of a stack's cube from its gap-free position, as in `scree bench`. */
static double surface_velocity_of(field *f, const peer_body *begun) {
    double worst = 0;
    for (int i = 0; i < f->count; ++i) {
        if (!(f->bodies[i].mass > 0)) continue;
        this_peer.read(i, &f->bodies[i]);
        const double row = (double)(long)((begun[i].position[2] - 0.051) / 0.101 + 0.5),
                     *p = f->bodies[i].position;
        const double d[3] = {p[0] - begun[i].position[0], p[1], p[2] - 0.05 - 0.1 * row};
        const double distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(distance <= worst)) worst = distance;
    }
    return __builtin_sqrt(worst);
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: %s SCENE.json ITERATIONS\n", argv[0]), 2;
    const char *slash = strrchr(argv[1], '/'), *name = slash ? slash + 1 : argv[1];
    const int stacked = name[0] == 'C' || name[0] == 'D', settle = stacked ? 0 : 240;
    const int timed = !stacked ? 60 : name[0] == 'C' ? 1200 : 600;
    field f;
    build(argv[1], &f);
    peer_body *begun = malloc((size_t)f.count * sizeof *begun);
    memcpy(begun, f.bodies, (size_t)f.count * sizeof *begun);
    double *times = malloc((size_t)timed * sizeof *times), drift = 0, fell_at = -1;
    this_peer.create(atoi(argv[2]), 1 / 120.0);
    for (int i = 0; i < f.count; ++i) this_peer.add(&f.bodies[i]);
    int points = 0;
    for (int i = 0; i < settle; ++i) this_peer.step();
    for (int i = 0; i < timed; ++i) {
        const double from = clock_seconds();
        points = this_peer.step();
        times[i] = clock_seconds() - from;
        if (stacked) drift = surface_velocity_of(&f, begun);
        if (stacked && fell_at < 0 && !(drift <= 0.05)) fell_at = (i + 1) / 120.0;
    }
    take_over(&f);
    overlap o;
    if (!overlap_measure(f.world, &o)) stop("overlap");
    double energy = 0, mass = 0;
    for (int i = 0; i < f.count; ++i)
        for (int c = 0; c < 3; ++c) {
            energy += 0.5 * f.bodies[i].mass * f.bodies[i].velocity[c] * f.bodies[i].velocity[c];
            mass += c == 0 ? f.bodies[i].mass : 0;
        }
    printf("{\"engine\": \"%s\", \"ms_per_step\": %.6g, \"contacts\": %d, \"penetration_rms_m\": %.6g, "
           "\"penetration_max_m\": %.6g, "
           "\"translational_J_per_kg\": %.4g, \"drift_m\": %.6g, \"fell_at_s\": %.6g}\n",
           this_peer.name, 1e3 * median(times, timed), points, o.rms, o.largest, energy / mass, drift,
           fell_at);
    return 0;
}
