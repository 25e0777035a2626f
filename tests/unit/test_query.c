/* Rays and overlap queries against brute force: every body separately, in double precision, by other
 * formulas. Cases within a tenth of a millimetre of the boundary may go either way; there must be few of
 * them. */
#include "scenery.h"

#include "random_vectors.h"

#define EDGE 1e-4 /* m */
enum { BODIES = 400, QUESTIONS = 1500 };

typedef struct real3 {
    double x, y, z;
} real3;

static real3 real_of(scree_vec3 v) { return (real3){v.x, v.y, v.z}; }
static real3 minus(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static real3 along(real3 a, real3 d, double t) {
    return (real3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
}
static double dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static real3 cross(real3 a, real3 b) {
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double part(real3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

/* a body, or the query shape: its axes are the columns of the rotation matrix */
typedef struct solid {
    scree_shape shape;
    real3 centre, axes[3], size;
} solid;

static solid solid_of(scree_shape shape, scree_vec3 position, scree_quat r) {
    const double x = r.x, y = r.y, z = r.z, w = r.w;
    return (solid){shape,
                   real_of(position),
                   {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                    {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                    {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}},
                   real_of(shape.size)};
}

/* Returns the coordinates in the body's axes. */
static real3 local(const solid *s, real3 v) {
    return (real3){dot(v, s->axes[0]), dot(v, s->axes[1]), dot(v, s->axes[2])};
}

/* Returns whether a point lies inside the solid enlarged by `more` (m). */
static bool holds(const solid *s, real3 point, double more) {
    const real3 p = local(s, minus(point, s->centre));
    if (s->shape.kind == SCREE_SHAPE_SPHERE) return sqrt(dot(p, p)) <= s->size.x + more;
    if (s->shape.kind == SCREE_SHAPE_HALF_SPACE) return p.z <= more;
    return fabs(p.x) <= s->size.x + more && fabs(p.y) <= s->size.y + more && fabs(p.z) <= s->size.z + more;
}

/* Returns where a ray from outside enters the solid enlarged by `more`: the roots of a quadratic, or the
 * faces one by one; below 0 if it misses. */
static double entry(const solid *s, real3 from, real3 d, double more) {
    const real3 p = local(s, minus(from, s->centre)), v = local(s, d);
    if (holds(s, from, more)) return -1;
    if (s->shape.kind == SCREE_SHAPE_HALF_SPACE) return v.z < 0 ? (p.z - more) / -v.z : -1;
    if (s->shape.kind == SCREE_SHAPE_SPHERE) {
        const double r = s->size.x + more, b = dot(p, v), c = dot(p, p) - r * r;
        return b * b < c || b > 0 || r <= 0 ? -1 : -b - sqrt(b * b - c);
    }
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
        const double side = face % 2 ? 1 : -1;
        if (part(v, axis) * side >= 0) continue;
        const double t = (side * (part(s->size, axis) + more) - part(p, axis)) / part(v, axis);
        const real3 at = along(p, v, t);
        if (t > 0 && fabs(part(at, u)) <= part(s->size, u) + more &&
            fabs(part(at, w)) <= part(s->size, w) + more)
            return t;
    }
    return -1;
}

/* Returns the extent of a solid from its centre along a direction of any length. */
static double reach(const solid *s, real3 d) {
    if (s->shape.kind == SCREE_SHAPE_SPHERE) return s->size.x * sqrt(dot(d, d));
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += part(s->size, i) * fabs(dot(d, s->axes[i]));
    return sum;
}

/* Returns the distance of a point from a box. */
static double box_distance(const solid *box, real3 point) {
    const real3 p = local(box, minus(point, box->centre));
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double out = fabs(part(p, i)) - part(box->size, i);
        if (out > 0) square += out * out;
    }
    return sqrt(square);
}

/* Returns the widest gap between two boxes over the 15 axes of the separating axis theorem; below 0 if none
 * separates them. */
static double box_gap(const solid *a, const solid *b) {
    const real3 between = minus(b->centre, a->centre);
    double widest = -INFINITY;
    for (int k = 0; k < 15; k++) {
        const real3 d = k < 3   ? a->axes[k]
                        : k < 6 ? b->axes[k - 3]
                                : cross(a->axes[k % 3], b->axes[k / 3 - 2]);
        const double length = sqrt(dot(d, d));
        if (length < 1e-6) continue;
        const double gap = (fabs(dot(between, d)) - reach(a, d) - reach(b, d)) / length;
        if (gap > widest) widest = gap;
    }
    return widest;
}

/* Returns a value below 0 if two solids overlap. */
static double gap_of(const solid *body, const solid *asked) {
    const bool round = asked->shape.kind == SCREE_SHAPE_SPHERE;
    const real3 between = minus(asked->centre, body->centre);
    if (body->shape.kind == SCREE_SHAPE_HALF_SPACE)
        return local(body, between).z - reach(asked, body->axes[2]);
    if (body->shape.kind == SCREE_SHAPE_SPHERE && round)
        return sqrt(dot(between, between)) - body->size.x - asked->size.x;
    if (body->shape.kind == SCREE_SHAPE_SPHERE) return box_distance(asked, body->centre) - body->size.x;
    return round ? box_distance(body, asked->centre) - asked->size.x : box_gap(body, asked);
}

static uint64_t dice;

static float between(double low, double high) { return (float)random_between(&dice, low, high); }

static scree_vec3 point_within(double half) {
    const vec3s v = random_vector(&dice, -half, half);
    return (scree_vec3){v.x, v.y, v.z};
}

static scree_quat any_rotation(void) {
    const versors q = random_rotation(&dice);
    return (scree_quat){q.x, q.y, q.z, q.w};
}

static scree_shape any_shape(void) {
    const float size = expf(between(-4, 0)); /* 18 mm … 1 m */
    const float y = between(0.2, 1), z = between(0.2, 1);
    return random_below(&dice, 2) ? scree_shape_sphere(size) : scree_shape_box(size, size * y, size * z);
}

/* Makes bodies of every kind and many sizes, overlapping and moving, some destroyed. */
static scree_world *make_world(int threads) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = threads;
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_body_id ids[BODIES];
    dice = 7;
    for (int i = 0; i < BODIES; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = i % 200 == 3 ? scree_shape_half_space() : any_shape();
        body.type = i % 200 == 3 ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
        body.state.position = i % 200 == 3 ? (scree_vec3){0, 0, -4.5f} : point_within(5);
        body.state.rotation =
            i % 200 == 3 ? (scree_quat){0.1f * (float)(i / 200), 0, 0, 0.99498744f} : any_rotation();
        if (i == 3) body.state.rotation = (scree_quat){0, 0, 0, 1};
        body.state.linear_velocity = point_within(2);
        body.state.angular_velocity = point_within(2);
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    for (int i = 0; i < BODIES; i += 13) CHECK(scree_body_destroy(world, ids[i]));
    return world;
}

static int solids_of(const scree_world *world, scree_body_id *ids, solid *solids) {
    const int count = scree_body_list(world, ids, BODIES);
    for (int i = 0; i < count; i++) {
        scree_body_def def;
        CHECK(scree_body_get_def(world, ids[i], &def));
        solids[i] = solid_of(def.shape, def.state.position, def.state.rotation);
    }
    return count;
}

static scree_ray any_ray(void) {
    const scree_vec3 origin = point_within(6), direction = point_within(3);
    const float distance = between(0.5, 12);
    return (scree_ray){origin, direction, random_below(&dice, 3) ? distance : INFINITY};
}

/* Returns how many answers were too near the boundary to decide. */
static int check_ray(scree_world *world, const scree_body_id *ids, const solid *solids, int count) {
    const scree_ray ray = any_ray();
    scree_ray_hit hits[BODIES], first;
    int found = 0, unclear = 0, next = 0;
    real3 d = real_of(ray.direction);
    const double length = sqrt(dot(d, d));
    d = (real3){d.x / length, d.y / length, d.z / length};
    CHECK(scree_world_cast_ray_all(world, &ray, NULL, hits, BODIES, &found));
    CHECK(scree_world_cast_ray(world, &ray, NULL, &first));
    const scree_ray_hit nothing = {0};
    assert_memory_equal(&first, found ? &hits[0] : &nothing, sizeof first);
    for (int i = 1; i < found; i++)
        assert_true(hits[i - 1].distance < hits[i].distance || (hits[i - 1].distance == hits[i].distance &&
                                                                hits[i - 1].body.index < hits[i].body.index));
    for (int i = 0; i < count; i++) {
        const real3 from = real_of(ray.origin);
        const double exact = entry(&solids[i], from, d, 0), larger = entry(&solids[i], from, d, EDGE),
                     smaller = entry(&solids[i], from, d, -EDGE);
        const bool inside = holds(&solids[i], from, EDGE);
        const bool must = smaller >= 0 && smaller < (double)ray.distance && !inside;
        const bool may =
            !holds(&solids[i], from, -EDGE) && (inside || (larger >= 0 && larger <= (double)ray.distance));
        int at = -1;
        for (int k = 0; k < found; k++)
            if (hits[k].body.index == ids[i].index) at = k;
        if (must && at < 0) fail_msg("body %u is met at %g m and was not found", ids[i].index, exact);
        if (!may && at >= 0) fail_msg("body %u is not met and was found", ids[i].index);
        unclear += must != may;
        next += at >= 0;
        if (at < 0 || !must) continue;
        if (exact > 100) continue; /* a grazing ray on a half-space */
        const double near = 1e-3;
        ASSERT_WITHIN(hits[at].distance, exact, near);
        const real3 point = along(from, d, exact), normal = real_of(hits[at].normal);
        const real3 error = minus(real_of(hits[at].point), point);
        ASSERT_AT_MOST(sqrt(dot(error, error)), near);
        ASSERT_WITHIN(dot(normal, normal), 1, 1e-5);
        assert_true(holds(&solids[i], along(point, normal, -5e-3), 0));
        assert_false(holds(&solids[i], along(point, normal, 5e-3), 0));
    }
    assert_int_equal(next, found);
    return unclear;
}

static int check_overlap(scree_world *world, const scree_body_id *ids, const solid *solids, int count) {
    const scree_shape shape = any_shape();
    const scree_vec3 centre = point_within(6);
    const scree_quat rotation = any_rotation();
    const solid asked = solid_of(shape, centre, rotation);
    scree_body_id found[BODIES];
    int number = 0, at = 0, unclear = 0;
    if (shape.kind == SCREE_SHAPE_SPHERE)
        CHECK(scree_world_overlap_sphere(world, centre, shape.size.x, NULL, found, BODIES, &number));
    else
        CHECK(scree_world_overlap_box(world, centre, shape.size, rotation, NULL, found, BODIES, &number));
    for (int i = 0; i < count; i++) { /* both sorted in ascending order */
        const double gap = gap_of(&solids[i], &asked);
        const bool there = at < number && found[at].index == ids[i].index;
        if (gap < -EDGE && !there) fail_msg("body %u overlaps by %g m and was not found", ids[i].index, -gap);
        if (gap > EDGE && there) fail_msg("body %u is %g m away and was found", ids[i].index, gap);
        unclear += fabs(gap) <= EDGE;
        at += there;
    }
    assert_int_equal(at, number);
    return unclear;
}

/* Before and after steps that move every body. */
static void answers_agree_with_brute_force(void **state) {
    (void)state;
    scree_world *world = make_world(2);
    scree_body_id ids[BODIES];
    static solid solids[BODIES];
    int unclear = 0;
    for (int round = 0; round < 3; round++) {
        const int count = solids_of(world, ids, solids);
        for (int i = 0; i < QUESTIONS; i++) {
            unclear += check_ray(world, ids, solids, count);
            unclear += check_overlap(world, ids, solids, count);
        }
        for (int i = 0; i < 20; i++) CHECK(scree_world_step(world, NULL));
    }
    if (unclear > 3 * QUESTIONS / 20) fail_msg("%d answers were too near to tell", unclear);
    scree_world_destroy(world);
}

static void answers_follow_every_change(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    const scree_vec3 here = {0, 0, 5}, rest = {0, 0, 0};
    const scree_ray down = {{0, 0, 9}, {0, 0, -1e-30f}, 20};
    scree_ray_hit hit;
    int count = -1;
    CHECK(scree_world_cast_ray(world, &down, NULL, &hit));
    assert_true(hit.body.index == 0);
    const scree_body_id ball = add_body(world, scree_shape_sphere(1), here, rest);
    CHECK(scree_world_cast_ray(world, &down, NULL, &hit));
    assert_true(hit.body.index == ball.index && scree_body_is_valid(world, hit.body));
    ASSERT_WITHIN(hit.distance, 3, 1e-6);
    assert_true(hit.normal.z == 1 && hit.point.z == 6);

    scree_body_state moved = state_of(world, ball);
    moved.position.z = 2;
    CHECK(scree_body_set_state(world, ball, &moved));
    CHECK(scree_world_cast_ray(world, &down, NULL, &hit));
    ASSERT_WITHIN(hit.distance, 6, 1e-6);
    CHECK(scree_body_set_states(world, &ball, 1, &(scree_body_state){{3, 0, 2}, {0, 0, 0, 1}, rest, rest}));
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 2}, 2.01f, NULL, NULL, 0, &count));
    assert_int_equal(count, 1);
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 2}, 1.99f, NULL, NULL, 0, &count));
    assert_int_equal(count, 0);
    scree_body_def larger;
    CHECK(scree_body_get_def(world, ball, &larger));
    larger.shape = scree_shape_sphere(1.5f);
    CHECK(scree_body_set_def(world, ball, &larger));
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 2}, 1.99f, NULL, NULL, 0, &count));
    assert_int_equal(count, 1);
    CHECK(scree_body_destroy(world, ball));
    CHECK(scree_world_overlap_sphere(world, (scree_vec3){0, 0, 2}, 1.99f, NULL, NULL, 0, &count));
    assert_int_equal(count, 0);
    scree_world_destroy(world);
}

/* A tetrahedron of the origin and 2 m along each axis: a point is inside if its coordinates, over 2 m, are
 * above 0 and their sum is below 1, however far from any triangle. */
static void a_point_inside_a_solid_overlaps(void **state) {
    (void)state;
    static const scree_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const scree_triangle sides[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    scree_geometry *geometry;
    scree_vec3 origin;
    scree_quat axes;
    scree_world_def world_def = scree_default_world_def();
    world_def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&world_def);
    CHECK(scree_solid_create(corners, 4, sides, 4, &geometry));
    scree_geometry_get_frame(geometry, &origin, &axes);
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_solid(geometry, 2);
    body.state.position = (scree_vec3){2 * origin.x, 2 * origin.y, 2 * origin.z};
    body.state.rotation = axes;
    CHECK(scree_body_create(world, &body, NULL));
    scree_geometry_release(geometry);
    int inside = 0;
    for (int i = 0; i < 1000; i++) {
        const double x = 0.1 * (i % 10) + 0.05, y = 0.1 * (i / 10 % 10) + 0.05, z = 0.1 * (i / 100) + 0.05;
        const scree_vec3 at = {(float)(2 * x), (float)(2 * y), (float)(2 * z)};
        int count = 0;
        if (fabs(x + y + z - 1) < 0.01) continue;
        CHECK(scree_world_overlap_sphere(world, at, 0.001f, NULL, NULL, 0, &count));
        assert_int_equal(count, x + y + z < 1);
        CHECK(scree_world_overlap_box(world, at, (scree_vec3){0.001f, 0.001f, 0.001f},
                                      (scree_quat){0, 0, 0, 1}, NULL, NULL, 0, &count));
        assert_int_equal(count, x + y + z < 1);
        inside += count;
    }
    assert_true(inside > 0);
    scree_world_destroy(world);
}

/* Several bodies at one place: sorted by id, the first of them for one hit; fewer requested than exist. */
static void order_and_capacity_are_kept(void **state) {
    (void)state;
    scree_world *world = make_world(1);
    const scree_vec3 place = {100, 0, 0}, rest = {0, 0, 0};
    scree_body_id ids[5], found[3];
    for (int i = 0; i < 5; i++) ids[i] = add_body(world, scree_shape_sphere(1), place, rest);
    const scree_ray ray = {{90, 0, 0}, {2, 0, 0}, INFINITY};
    scree_ray_hit hits[3], first;
    int count = 0;
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < 5; i++)
        if (ids[i].index < least) least = ids[i].index;
    CHECK(scree_world_cast_ray(world, &ray, NULL, &first));
    CHECK(scree_world_cast_ray_all(world, &ray, NULL, hits, 3, &count));
    assert_int_equal(count, 5);
    assert_true(first.body.index == least && hits[0].body.index == least);
    assert_true(hits[1].body.index > hits[0].body.index && hits[2].body.index > hits[1].body.index);
    CHECK(scree_world_overlap_box(world, place, (scree_vec3){1, 1, 1}, (scree_quat){0, 0, 0, 1}, NULL, found,
                                  3, &count));
    assert_int_equal(count, 5);
    for (int i = 0; i < 3; i++) assert_int_equal(found[i].index, hits[i].body.index);
    scree_world_destroy(world);
}

static void answers_do_not_depend_on_threads(void **state) {
    (void)state;
    scree_world *one = make_world(1), *two = make_world(2);
    dice = 11;
    for (int i = 0; i < 200; i++) {
        const scree_ray ray = any_ray();
        scree_ray_hit a[BODIES], b[BODIES];
        int in_one = 0, in_two = 0;
        CHECK(scree_world_cast_ray_all(one, &ray, NULL, a, BODIES, &in_one));
        CHECK(scree_world_cast_ray_all(two, &ray, NULL, b, BODIES, &in_two));
        assert_int_equal(in_one, in_two);
        for (int k = 0; k < in_one; k++) a[k].body.world = b[k].body.world = 0;
        assert_memory_equal(a, b, sizeof *a * (size_t)in_one);
    }
    scree_world_destroy(one);
    scree_world_destroy(two);
}

static void invalid_queries_are_rejected_by_field(void **state) {
    (void)state;
    scree_world *world = make_world(1);
    const scree_vec3 here = {0, 0, 0}, half = {1, 1, 1};
    const scree_quat none = {0, 0, 0, 1};
    scree_ray_hit hit;
    int count;
#define REFUSED(ray, word)                                                                                   \
    CHECK_FAILS(scree_world_cast_ray(world, &(scree_ray)ray, NULL, &hit), SCREE_ERROR_ARGUMENT, word)
#define RAY(...) {__VA_ARGS__}
    REFUSED(RAY({NAN, 0, 0}, {1, 0, 0}, 1), "origin");
    REFUSED(RAY({0, 0, 0}, {0, 0, 0}, 1), "direction");
    REFUSED(RAY({0, 0, 0}, {0, INFINITY, 0}, 1), "direction");
    REFUSED(RAY({0, 0, 0}, {1, 0, 0}, 0), "distance");
    REFUSED(RAY({0, 0, 0}, {1, 0, 0}, NAN), "distance");
#undef REFUSED
#undef RAY
    CHECK_FAILS(scree_world_overlap_sphere(world, here, -1, NULL, NULL, 0, &count), SCREE_ERROR_ARGUMENT,
                "radius:");
    CHECK_FAILS(scree_world_overlap_sphere(world, (scree_vec3){0, NAN, 0}, 1, NULL, NULL, 0, &count),
                SCREE_ERROR_ARGUMENT, "centre");
    CHECK_FAILS(scree_world_overlap_box(world, here, (scree_vec3){1, -1, 1}, none, NULL, NULL, 0, &count),
                SCREE_ERROR_ARGUMENT, "half.y:");
    CHECK_FAILS(scree_world_overlap_box(world, here, half, (scree_quat){0, 0, 0, 2}, NULL, NULL, 0, &count),
                SCREE_ERROR_ARGUMENT, "rotation");
    scree_world_destroy(world);
}

enum { PERIODIC = 120, AROUND = 2, ROW = 2 * AROUND + 1 };

/* Makes a periodic world, and one in which every periodic image is a separate body. */
static void make_periodic(scree_world **once, scree_world **many) {
    const float period = 6;
    scree_body_id id;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    *many = world_of(&def);
    def.period = (scree_vec3){period, period, 0};
    *once = world_of(&def);
    dice = 17;
    for (int i = 0; i < PERIODIC; i++) {
        scree_body_def body = scree_default_body_def();
        body.type = SCREE_BODY_KINEMATIC;
        body.shape = any_shape(), body.state.position = point_within(3), body.state.rotation = any_rotation();
        const scree_vec3 at = body.state.position;
        CHECK(scree_body_create(*once, &body, &id));
        for (int k = 0; k < ROW * ROW; k++) {
            body.state.position.x = at.x + period * (float)(k % ROW - AROUND);
            body.state.position.y = at.y + period * (float)(k / ROW - AROUND);
            CHECK(scree_body_create(*many, &body, &id));
        }
    }
}

/* A ray through a periodic world hits what it hits if all images are bodies. */
static void rays_hit_periodic_images(void **state) {
    enum { HITS = 400 };
    static scree_ray_hit hits[HITS], expected[HITS];
    scree_world *once, *many;
    int beyond = 0, unclear = 0;
    (void)state;
    make_periodic(&once, &many);
    for (int i = 0; i < QUESTIONS; i++) {
        scree_ray ray = any_ray();
        scree_ray_hit first;
        int found = 0, wanted = 0;
        ray.origin = point_within(3), ray.distance = between(0.5, 11);
        if (i % 5 == 0) ray.direction = (scree_vec3){i % 2 ? -1 : 1, 0, 0};
        CHECK(scree_world_cast_ray_all(once, &ray, NULL, hits, HITS, &found));
        CHECK(scree_world_cast_ray_all(many, &ray, NULL, expected, HITS, &wanted));
        CHECK(scree_world_cast_ray(once, &ray, NULL, &first));
        const scree_ray_hit nothing = {0};
        assert_memory_equal(&first, found ? &hits[0] : &nothing, sizeof first);
        if (found != wanted) { /* one grazed, or at the end of the ray */
            unclear++;
            continue;
        }
        for (int k = 0; k < found; k++) {
            const double apart = (double)hits[k].distance - (double)expected[k].distance;
            if (fabs(apart) > EDGE) unclear++;
            if (fabs(apart) > EDGE) break;
            const int body = (int)(expected[k].body.index - 1) / (ROW * ROW);
            const bool twins = k + 1 < found && hits[k + 1].distance - hits[k].distance < EDGE;
            const bool twin = k > 0 && hits[k].distance - hits[k - 1].distance < EDGE;
            if (!twins && !twin) assert_int_equal(hits[k].body.index - 1, body);
            beyond += fabsf(hits[k].point.x) > 3 || fabsf(hits[k].point.y) > 3;
        }
    }
    assert_true(beyond > QUESTIONS / 3);
    ASSERT_AT_MOST(unclear, QUESTIONS / 100);
    /* A ray through empty space, and an infinite one along an axis. */
    scree_ray_hit none;
    const scree_ray above = {{0, 0, 40}, {1, 0.3f, 0}, INFINITY}, along = {{0, 0, 40}, {1, 0, 0}, INFINITY};
    CHECK(scree_world_cast_ray(once, &above, NULL, &none));
    assert_int_equal(none.body.index, 0);
    CHECK(scree_world_cast_ray(once, &along, NULL, &none));
    assert_int_equal(none.body.index, 0);
    scree_world_destroy(once), scree_world_destroy(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree_with_brute_force),
        cmocka_unit_test(answers_follow_every_change),
        cmocka_unit_test(a_point_inside_a_solid_overlaps),
        cmocka_unit_test(order_and_capacity_are_kept),
        cmocka_unit_test(answers_do_not_depend_on_threads),
        cmocka_unit_test(rays_hit_periodic_images),
        cmocka_unit_test(invalid_queries_are_rejected_by_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
