/* Pairs of free bodies that turn while a joint lets them glide far, or a rope stops them: the locks hold, and
 * momentum and energy are those of an isolated pair. */
#include "joint_scenery.h"

static const double STEP = 1.0 / 120;

/* Returns a number from −1 to 1 that is the same in every run. */
static double any_number(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

typedef struct vector {
    double c[3];
} vector;

static vector vector_of(scree_vec3 v) { return (vector){{v.x, v.y, v.z}}; }
static scree_vec3 rounded(vector v) { return (scree_vec3){(float)v.c[0], (float)v.c[1], (float)v.c[2]}; }

static vector sum(vector a, double factor, vector b) {
    for (int i = 0; i < 3; i++) a.c[i] += factor * b.c[i];
    return a;
}

static vector cross(vector a, vector b) {
    vector out;
    for (int i = 0; i < 3; i++)
        out.c[i] = a.c[(i + 1) % 3] * b.c[(i + 2) % 3] - a.c[(i + 2) % 3] * b.c[(i + 1) % 3];
    return out;
}

static double length(vector v) { return sqrt(v.c[0] * v.c[0] + v.c[1] * v.c[1] + v.c[2] * v.c[2]); }

static vector any_vector(unsigned long long *seed, double norm) {
    const vector v = {{any_number(seed), any_number(seed), any_number(seed)}}, none = {{0, 0, 0}};
    return sum(none, norm / length(v), v);
}

/* Cubes, whose spin has the direction of their angular momentum. */
typedef struct cube_pair {
    scree_world *world;
    scree_body_id bodies[2];
    double masses[2], inertias[2];
} cube_pair;

static void add_cube(cube_pair *pair, int i, double half, vector place, vector velocity, vector spin) {
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_box((float)half, (float)half, (float)half);
    def.mass = (float)(8000 * half * half * half);
    def.state.position = rounded(place);
    def.state.linear_velocity = rounded(velocity);
    def.state.angular_velocity = rounded(spin);
    pair->masses[i] = (double)def.mass;
    pair->inertias[i] = 2.0 / 3 * pair->masses[i] * half * half;
    CHECK(scree_body_create(pair->world, &def, &pair->bodies[i]));
}

/* Writes the angular momentum about the origin, and returns the sum of the magnitudes of its parts about the
 * centre of mass. */
static double momentum_of(const cube_pair *pair, vector *out) {
    const vector none = {{0, 0, 0}};
    const scree_body_state a = state_of(pair->world, pair->bodies[0]),
                           b = state_of(pair->world, pair->bodies[1]);
    const double m[2] = {pair->masses[0], pair->masses[1]}, reduced = m[0] * m[1] / (m[0] + m[1]);
    const vector apart = sum(vector_of(b.position), -1, vector_of(a.position)),
                 relative = sum(vector_of(b.linear_velocity), -1, vector_of(a.linear_velocity)),
                 orbital = sum(none, reduced, cross(apart, relative)),
                 spin_a = sum(none, pair->inertias[0], vector_of(a.angular_velocity)),
                 spin_b = sum(none, pair->inertias[1], vector_of(b.angular_velocity));
    *out = sum(sum(orbital, 1, spin_a), 1, spin_b);
    return length(orbital) + length(spin_a) + length(spin_b);
}

/* Returns the kinetic energy in the frame of the centre of mass, J. */
static double energy_of(const cube_pair *pair) {
    const scree_body_state a = state_of(pair->world, pair->bodies[0]),
                           b = state_of(pair->world, pair->bodies[1]);
    const double m[2] = {pair->masses[0], pair->masses[1]},
                 speed = length(sum(vector_of(b.linear_velocity), -1, vector_of(a.linear_velocity))),
                 spin_a = length(vector_of(a.angular_velocity)),
                 spin_b = length(vector_of(b.angular_velocity));
    return (m[0] * m[1] / (m[0] + m[1]) * speed * speed + pair->inertias[0] * spin_a * spin_a +
            pair->inertias[1] * spin_b * spin_b) /
           2;
}

static cube_pair pair_in(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = STEP;
    def.gravity = any;
    return (cube_pair){.world = world_of(&def)};
}

/* Steps, and checks the momentum up to `loss` of its parts, and that the energy grows by at most `gain`. */
static void step_alone(const cube_pair *pair, double loss, double gain) {
    vector before, after;
    const double size = momentum_of(pair, &before), energy = energy_of(pair);
    CHECK(scree_world_step(pair->world, NULL));
    momentum_of(pair, &after);
    ASSERT_AT_MOST(length(sum(after, -1, before)), loss * size);
    ASSERT_AT_MOST(energy_of(pair), (1 + gain) * energy);
}

static double lock_error(const cube_pair *pair, const scree_joint_def *def, scree_joint_id joint) {
    const scree_joint_state now = joint_state_of(pair->world, joint);
    double square = 0;
    for (int i = SCREE_AXIS_X; i <= SCREE_AXIS_Z; i++)
        if (def->axes[i].mode == SCREE_AXIS_LOCKED)
            square += (double)now.position[i] * (double)now.position[i];
    return sqrt(square);
}

/* Two cubes at arms of up to 0.3 m turn as one by 0.05 rad a step, and glide by 0.05 to 10 m a step. */
static void gliding_pairs_keep_together(void **state) {
    static const scree_joint_kind kinds[] = {SCREE_JOINT_SLIDER, SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_PLANAR};
    static const double strides[] = {0.05, 1, 10};
    unsigned long long seed = 11;
    for (int i = 0; i < 18; i++) {
        const double stride = strides[i / 3 % 3];
        const scree_joint_kind kind = kinds[i % 3];
        cube_pair pair = pair_in(state);
        const vector none = {{0, 0, 0}}, spin = any_vector(&seed, 0.05 / STEP), way = any_vector(&seed, 1),
                     across = cross(way, any_vector(&seed, 1)),
                     a = any_vector(&seed, 0.3 * any_number(&seed)),
                     b = any_vector(&seed, 0.3 * any_number(&seed));
        add_cube(&pair, 0, 0.05 + 0.05 * fabs(any_number(&seed)), a, cross(spin, a), spin);
        add_cube(&pair, 1, 0.05 + 0.05 * fabs(any_number(&seed)), b, sum(cross(spin, b), stride / STEP, way),
                 spin);
        const scree_joint_def def = joint_at(pair.world, kind, pair.bodies[0], pair.bodies[1], rounded(none),
                                             rounded(kind == SCREE_JOINT_PLANAR ? across : way));
        const scree_joint_id joint = add_joint(pair.world, &def);
        for (int k = 0; k < 12; k++) {
            step_alone(&pair, 1e-3, 3e-3);
            ASSERT_AT_MOST(lock_error(&pair, &def, joint), stride > 1 ? 5e-3 : 2e-3);
        }
        scree_world_destroy(pair.world);
    }
}

/* Two cubes part on a rope at arms until it is taut within a step. */
static void a_rope_keeps_angular_momentum(void **state) {
    static const double strides[] = {0.05, 0.1, 0.3};
    unsigned long long seed = 5;
    for (int i = 0; i < 18; i++) {
        cube_pair pair = pair_in(state);
        const double stride = strides[i % 3];
        const vector arm_a = any_vector(&seed, 0.1), arm_b = any_vector(&seed, 0.1), none = {{0, 0, 0}},
                     line = any_vector(&seed, 0.9), a = sum(none, -1, arm_a), b = sum(line, -1, arm_b);
        add_cube(&pair, 0, 0.1, a, none, any_vector(&seed, 0.05 / STEP));
        add_cube(&pair, 1, 0.08, b, sum(any_vector(&seed, 0.7 * stride / STEP), 0.7 * stride / STEP, line),
                 any_vector(&seed, 0.05 / STEP));
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_DISTANCE);
        def.a = pair.bodies[0], def.b = pair.bodies[1];
        def.anchor_a = rounded(arm_a), def.anchor_b = rounded(arm_b);
        def.axes[SCREE_AXIS_X].mode = SCREE_AXIS_LIMITED;
        def.axes[SCREE_AXIS_X].low = 0, def.axes[SCREE_AXIS_X].high = 1;
        const scree_joint_id joint = add_joint(pair.world, &def);
        for (int k = 0; k < 12; k++) {
            step_alone(&pair, 1e-3, 1e-4);
            ASSERT_AT_MOST(joint_state_of(pair.world, joint).position[SCREE_AXIS_X], 1.01);
        }
        scree_world_destroy(pair.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(gliding_pairs_keep_together),
        ON_EACH_BACKEND(a_rope_keeps_angular_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
