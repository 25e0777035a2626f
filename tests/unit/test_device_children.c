/* The narrow phase on the device test_device() gives the contacts of contacts_update to the bit for clumps,
 * compounds, meshes, height fields and solids with all other shapes. `--small` takes few clumps and
 * compounds: Oclgrind 21.10 crashes when it counts the instructions of some convex shapes with triangles. */
#include "contact_steps.h"
#include "children_pool.h"

#include "geometry/children.h"

static const scree_shape_kind others[] = {SCREE_SHAPE_SPHERE,    SCREE_SHAPE_BOX,  SCREE_SHAPE_HALF_SPACE,
                                          SCREE_SHAPE_CAPSULE,   SCREE_SHAPE_CONE, SCREE_SHAPE_CYLINDER,
                                          SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_HULL, SCREE_SHAPE_CLUMP,
                                          SCREE_SHAPE_COMPOUND};
enum { OTHERS = sizeof others / sizeof *others };

static void on_double(void (*check)(void)) {
    scree_device_info info;
    if (device_describe(&info) && !info.fp64) skip();
    on_groups(check);
}

static scree_shape any_shape(uint64_t *seed, scree_shape_kind kind) {
    if (kind == SCREE_SHAPE_HALF_SPACE) return shape_of(kind, 0, 0, 0);
    if (children_rows[kind]) return children_shape(seed, kind, 0.5, 1.2);
    return pool_shape(seed, kind, 0.1, 0.4);
}

static void fix(body_array *bodies, int slot) {
    bodies->types[slot] = SLOT_STATIC, bodies->masses[slot].mass = 0;
    bodies->velocities[slot] = (body_velocity){0};
}

static bool must_be_fixed(scree_shape shape) {
    return shape.kind == SCREE_SHAPE_MESH || shape.kind == SCREE_SHAPE_HALF_SPACE ||
           shape.kind == SCREE_SHAPE_SOLID;
}

/* Bodies that overlap, rest on each other, or fly past: slots `a` and `a + 1`, far from other pairs. */
static void set_pair(body_array *bodies, int a, scree_shape_kind kind, scree_shape_kind other,
                     uint64_t *seed) {
    static const double speeds[] = {0, 0.01, 1, 30};
    const int b = a + 1, cell = a / 2, swap = random_below(seed, 2);
    const double speed = speeds[random_below(seed, 4)];
    const vec3s at = vec3_of((float)(cell % 16 * 8), (float)(cell / 16 % 16 * 8), (float)(cell / 256 * 8));
    bodies->shapes[a + swap] = any_shape(seed, kind), bodies->shapes[b - swap] = any_shape(seed, other);
    for (int k = a; k <= b; k++) {
        const versors turn = random_below(seed, 3) ? random_rotation(seed) : (versors){0, 0, 0, 1};
        bodies->poses[k] = pose_of(glms_vec3_add(at, random_vector(seed, -0.6, 0.6)), turn);
        bodies->velocities[k].linear = random_vector(seed, -speed, speed);
        bodies->velocities[k].angular = random_vector(seed, -speed, speed);
    }
    for (int k = a; k <= b; k++)
        if (must_be_fixed(bodies->shapes[k])) fix(bodies, k);
    if (bodies->types[a] == SLOT_DYNAMIC && bodies->types[b] == SLOT_DYNAMIC && random_below(seed, 4) == 0)
        fix(bodies, a + random_below(seed, 2));
}

/* Half-spaces meet all bodies: few of them are enough. */
static scree_shape_kind other_of(scree_shape_kind kind, int k) {
    const scree_shape_kind other = others[k % OTHERS];
    const bool plane = other == SCREE_SHAPE_HALF_SPACE,
               never = kind == SCREE_SHAPE_MESH || kind == SCREE_SHAPE_SOLID;
    return plane && (never || k > OTHERS) ? SCREE_SHAPE_SPHERE : other;
}

static comparison check_kind(scree_shape_kind kind, int each, uint64_t seed) {
    body_array bodies = bodies_make(2 * each * OTHERS);
    for (int k = 0; k < each * OTHERS; k++) set_pair(&bodies, 2 * k, kind, other_of(kind, k), &seed);
    const comparison seen = compare_steps(&bodies, seed % 2 ? 1e-3 : 0);
    bodies_free(&bodies);
    assert_int_equal(seen.left, 0);
    return seen;
}

#define CHECK_KIND(name, KIND)                                                                               \
    static void check_##name(void) {                                                                         \
        const comparison seen = check_kind(KIND, simulated ? 1 : 12, 5);                                     \
        assert_true(seen.entries > 100 || simulated);                                                        \
    }                                                                                                        \
    static void name##_have_the_contacts_of_the_host(void **state) {                                         \
        (void)state;                                                                                         \
        on_double(check_##name);                                                                             \
    }
CHECK_KIND(clumps, SCREE_SHAPE_CLUMP)
CHECK_KIND(compounds, SCREE_SHAPE_COMPOUND)
CHECK_KIND(meshes, SCREE_SHAPE_MESH)
CHECK_KIND(solids, SCREE_SHAPE_SOLID)

/* Shapes with a flat bottom at z = −0.25, upright. */
static scree_shape upright(int which) {
    switch (which) {
    case 0:
        return scree_shape_compound(compound_pool[CHILD_POOL - 1], 1);
    case 1:
        return scree_shape_solid(solid_pool[0], 0.25f / 0.3f);
    case 2:
        return shape_of(SCREE_SHAPE_BOX, 0.2f, 0.1f, 0.25f);
    default:
        return shape_of(SCREE_SHAPE_CYLINDER, 0.15f, 0.25f, 0);
    }
}

/* Lets b rest on a's top, glide over its edges, or run into its side. */
static void glide(body_array *bodies, int a, uint64_t *seed) {
    static const scalar heights[] = {-2e-3f, -4e-4f, -1e-5f, 0, 1e-4f, 1e-3f}, speeds[] = {0, 0.3f, 2, 20},
                        climbs[] = {0, 0, -0.01f, 0.01f, 0.3f};
    const int b = a + 1, cell = a / 2, of_a = random_below(seed, 3), of_b = random_below(seed, 4);
    const bool surface = of_a == 1;
    const scalar speed = speeds[random_below(seed, 4)], top = of_a == 2 ? 0 : 0.25f;
    const vec3s at = vec3_of((float)(cell % 32 * 8), (float)(cell / 32 * 8), 0),
                to = vec3_of((float)random_between(seed, -0.8, 0.8), (float)random_between(seed, -0.3, 0.3),
                             top + 0.25f + heights[random_below(seed, 6)]);
    bodies->shapes[a] = of_a == 2 ? scree_shape_mesh(mesh_pool[0], 1) : upright(of_a);
    bodies->shapes[b] = upright(surface || of_a == 2 ? (of_b == 1 ? 2 : of_b) : of_b);
    bodies->poses[a].position = at, bodies->poses[b].position = glms_vec3_add(at, to);
    bodies->velocities[b].linear = glms_vec3_scale(
        vec3_of(-1, (float)random_between(seed, -0.1, 0.1), climbs[random_below(seed, 5)]), speed);
    if (of_a != 0 || random_below(seed, 2)) fix(bodies, a);
}

static void check_flush(void) {
    const int count = simulated ? 6 : 250;
    uint64_t seed = 3;
    body_array bodies = bodies_make(2 * count);
    for (int i = 0; i < count; i++) glide(&bodies, 2 * i, &seed);
    const comparison seen = compare_steps(&bodies, 0);
    assert_true(seen.left == 0 && (simulated || (seen.examined > 100 && seen.skims > 0 && seen.hits > 400)));
    bodies_free(&bodies);
}
static void bodies_on_flat_faces_have_the_contacts_of_the_host(void **state) {
    (void)state;
    on_double(check_flush);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(clumps_have_the_contacts_of_the_host),
                                       cmocka_unit_test(compounds_have_the_contacts_of_the_host),
                                       cmocka_unit_test(meshes_have_the_contacts_of_the_host),
                                       cmocka_unit_test(solids_have_the_contacts_of_the_host),
                                       cmocka_unit_test(bodies_on_flat_faces_have_the_contacts_of_the_host)};
    if (simulated) cmocka_set_test_filter("c*_have_*");
    return cmocka_run_group_tests(tests, children_pool_make, children_pool_release);
}
