/* Pictures of the viewer against rays that the engine casts at the bodies. */
#include "display.h"

#ifdef SCREE_VIEWER

#include "still_frame.h"

#include "view/painter.h"
#include "view/picker.h"

static painter drawer;
static canvas sheet;

typedef struct picture {
    uint8_t pixels[HEIGHT][WIDTH][3];
} picture;

static painter_look look_from(scree_vec3 eye) {
    return (painter_look){.view = view_from(eye, (scree_vec3){0, 0, 0}, 30)};
}

static void draw(const scree_frame *frame, const painter_look *look, picture *out) {
    CHECK(canvas_resize(&sheet, WIDTH, HEIGHT, 1));
    CHECK(painter_take(&drawer, frame, &look->view, vec3_in(look->view.target)));
    canvas_begin(&sheet);
    CHECK(painter_draw(&drawer, frame, look));
    canvas_end(&sheet);
    canvas_read(&sheet, &out->pixels[0][0][0]);
}

static bool differs(const picture *a, const picture *b, int row, int column) {
    for (int k = 0; k < 3; k++)
        if (abs(a->pixels[row][column][k] - b->pixels[row][column][k]) > 2) return true;
    return false;
}

static scree_ray ray_of(const scree_view *view, int row, int column) {
    /* The inverse of pinhole(): three points on the plane at depth 1 give its directions. */
    const vec3s eye = vec3_in(view->eye), target = vec3_in(view->target);
    const vec3s ahead = glms_vec3_sub(target, eye);
    const scalar length = glms_vec3_norm(ahead);
    const vec3s forward = glms_vec3_scale(ahead, 1 / length);
    const scalar flat = sqrtf(forward.x * forward.x + forward.y * forward.y);
    const vec3s right = vec3_of(forward.y / flat, -forward.x / flat, 0), up = glms_vec3_cross(right, forward);
    const scalar focal = (scalar)(HEIGHT / 2.0 / tan((double)view->field_of_view / 2 * M_PI / 180));
    const vec3s across = glms_vec3_scale(right, ((scalar)column + 0.5f - WIDTH / 2.0f) / focal),
                above = glms_vec3_scale(up, (HEIGHT / 2.0f - (scalar)row - 0.5f) / focal);
    const vec3s direction = glms_vec3_add(forward, glms_vec3_add(across, above));
    const scalar norm = glms_vec3_norm(direction);
    return (scree_ray){view->eye, vec3_out(glms_vec3_scale(direction, 1 / norm)), INFINITY};
}

/* Returns the row of the body that a pixel's ray meets first; −1: none. */
static int nearest(const scree_frame *frame, const scree_view *view, int row, int column) {
    const scree_ray ray = ray_of(view, row, column);
    float least = INFINITY;
    int out = -1;
    for (int i = 0; i < frame->count; i++) {
        const scree_pose pose = {frame->states[i].position, frame->states[i].rotation};
        const float way = scree_shape_cast_ray(frame->shapes[i], pose, ray.origin, ray.direction);
        if (way < least) out = i;
        if (way < least) least = way;
    }
    return out;
}

/* Asserts that the pixels in which two pictures differ are those whose rays meet body `shown` first, but for
 * one pixel in `share` of these. */
static void assert_shows(const scree_frame *frame, const painter_look *look, int body, const picture *with,
                         const picture *without, double share) {
    int expected = 0, wrong = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            const bool is = nearest(frame, &look->view, row, column) == body;
            expected += is;
            wrong += is != differs(with, without, row, column);
        }
    if (wrong > share * expected || expected < 200)
        fail_msg("body %d: %d of %d pixels differ from the rays", body, wrong, expected);
}

static picture with, without;

/* Returns shapes of all kinds that dynamic bodies may have, about 1 m across. */
static int make_shapes(scree_shape out[], scree_geometry *made[]) {
    const scree_clump_sphere spheres[2] = {{{0, 0, 0}, 0.3f}, {{0.35f, 0, 0}, 0.2f}};
    const scree_vec3 points[5] = {{-0.4f, -0.4f, -0.3f},
                                  {0.4f, -0.4f, -0.3f},
                                  {0.4f, 0.4f, -0.3f},
                                  {-0.4f, 0.4f, -0.3f},
                                  {0.1f, 0, 0.5f}};
    const scree_triangle faces[6] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 4}},
                                     {{1, 2, 4}}, {{2, 3, 4}}, {{3, 0, 4}}};
    scree_compound_child parts[2] = {scree_default_compound_child(), scree_default_compound_child()};
    parts[0].shape = scree_shape_box(0.5f, 0.1f, 0.1f);
    parts[1].shape = scree_shape_cylinder(0.2f, 0.3f);
    CHECK(scree_clump_create(spheres, 2, &made[0]));
    CHECK(scree_hull_create(points, 5, &made[1]));
    CHECK(scree_solid_create(points, 5, faces, 6, &made[2]));
    CHECK(scree_compound_create(parts, 2, &made[3]));
    CHECK(scree_mesh_create(points, 5, faces, 6, &made[4]));
    const scree_shape all[] = {
        scree_shape_sphere(0.4f),         scree_shape_box(0.4f, 0.3f, 0.2f),
        scree_shape_capsule(0.2f, 0.3f),  scree_shape_cylinder(0.3f, 0.4f),
        scree_shape_cone(0.4f, 0.8f),     scree_shape_ellipsoid(0.5f, 0.3f, 0.2f),
        scree_shape_clump(made[0], 1.1f), scree_shape_hull(made[1], 1),
        scree_shape_solid(made[2], 1),    scree_shape_compound(made[3], 0.9f),
        scree_shape_mesh(made[4], 1),     {SCREE_SHAPE_TRIANGLE, {0.8f, 0.3f, 0.7f}, NULL}};
    memcpy(out, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

/* The silhouette of each shape in a general pose is that of its rays. */
static void shapes_cover_the_pixels_of_their_rays(void **unused) {
    (void)unused;
    scree_shape shapes[16];
    scree_geometry *made[5];
    const painter_look look = look_from((scree_vec3){2, -3, 1.5f});
    draw(&empty_still()->frame, &look, &without);
    const int count = make_shapes(shapes, made);
    for (int k = 0; k < count; k++) {
        moment *still = empty_still();
        const int i = add(still, SCREE_BODY_DYNAMIC, shapes[k], 0.05f, -0.1f, 0.1f);
        still->states[i].rotation = (scree_quat){0.4f, 0.2f, -0.4f, 0.8f};
        draw(&still->frame, &look, &with);
        assert_shows(&still->frame, &look, i, &with, &without, 0.015);
    }
    for (int k = 0; k < 5; k++) scree_geometry_release(made[k]);
}

/* The nearest of the bodies along each ray is seen, also where they touch: a picture without a body differs
 * where its rays meet it first. */
static void the_nearest_body_is_seen(void **unused) {
    (void)unused;
    static moment whole, less;
    moment *still = empty_still();
    for (int i = 0; i < 27; i++) /* balls of a cubic lattice touch; a box stands among them */
        add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.3f), 0.6f * (float)(i % 3 - 1),
            0.6f * (float)(i / 3 % 3 - 1), 0.6f * (float)(i / 9 - 1));
    still->shapes[25] = scree_shape_box(0.3f, 0.3f, 0.3f);
    const painter_look look = look_from((scree_vec3){2.5f, -4, 2});
    draw(&still->frame, &look, &with);
    whole = *still;
    const int seen[] = {18, 25, 20, 11}; /* at the front, the box, further back, half hidden */
    for (int k = 0; k < 4; k++) {
        less = whole;
        less.frame.ids = less.ids;
        less.frame.types = less.types;
        less.frame.shapes = less.shapes;
        less.frame.states = less.states;
        less.states[seen[k]].position.z = NAN; /* bodies at no finite place are not drawn */
        draw(&less.frame, &look, &without);
        assert_shows(&still->frame, &look, seen[k], &with, &without, 0.03);
    }
}

/* The plane x = 0 hides what is beyond it: the half of a ball at the origin on one side, and a ball there. */
static void the_clip_plane_hides_one_side(void **unused) {
    (void)unused;
    painter_look look = look_from((scree_vec3){0, -4, 0});
    draw(&empty_still()->frame, &look, &without);
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.4f), 0, 0, 0);
    add(still, SCREE_BODY_DYNAMIC, scree_shape_box(0.1f, 0.1f, 0.1f), -0.7f, 0, 0);
    look.clip = (clip_plane){.normal = vec3_of(1, 0, 0)};
    draw(&still->frame, &look, &with);
    int left = 0, right = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++)
            *(column < WIDTH / 2 ? &left : &right) += differs(&with, &without, row, column);
    assert_int_equal(left, 0);
    /* half of the disc of radius f r/√(d² − r²) */
    const double focal = HEIGHT / 2.0 / tan(15 * M_PI / 180), radius = focal * 0.4 / sqrt(16 - 0.16);
    ASSERT_NEAR(right, M_PI * radius * radius / 2, 0.02);
}

/* A wall between the eye and the grains is cut away, as in pictures of scree render: the grain behind is
 * seen. */
static void a_wall_in_front_is_cut_away(void **unused) {
    (void)unused;
    const painter_look look = look_from((scree_vec3){0, -4, 0});
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.2f), 0, 0, 0);
    draw(&still->frame, &look, &without);
    add(still, SCREE_BODY_STATIC, scree_shape_box(1, 0.05f, 1), 0, -1, 0);
    draw(&still->frame, &look, &with);
    assert_false(differs(&with, &without, HEIGHT / 2, WIDTH / 2));
    add(still, SCREE_BODY_STATIC, scree_shape_box(1, 0.05f, 1), 0, 1, 0); /* one behind stays */
    draw(&still->frame, &look, &with);
    assert_false(differs(&with, &without, HEIGHT / 2, WIDTH / 2));
    assert_true(differs(&with, &without, HEIGHT / 4, WIDTH / 2));
}

/* The ground covers the pixels below the horizon of a level camera, and none above. */
static void the_ground_ends_at_the_horizon(void **unused) {
    (void)unused;
    painter_look look = look_from((scree_vec3){0, -4, 0});
    draw(&empty_still()->frame, &look, &without);
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, scree_shape_half_space(), 0, 0, -1);
    draw(&still->frame, &look, &with);
    for (int column = 0; column < WIDTH; column += 40) {
        assert_true(differs(&with, &without, HEIGHT - 1, column));
        for (int row = 0; row < HEIGHT / 2; row++) assert_false(differs(&with, &without, row, column));
    }
}

/* A force chain joins the centres of two balls in front of them; its scale ends at the largest force. */
static void a_chain_joins_the_centres(void **unused) {
    (void)unused;
    painter_look look = look_from((scree_vec3){0, -4, 0});
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.3f), -0.3f, 0, 0);
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.3f), 0.3f, 0, 0);
    look.chains = true;
    draw(&still->frame, &look, &without);
    still->frame.contact_count = 1;
    still->contacts[0] =
        (scree_contact){.a = still->ids[0], .b = still->ids[1], .normal = {1, 0, 0}, .impulse = {0.5f, 0, 0}};
    draw(&still->frame, &look, &with);
    ASSERT_NEAR(drawer.chain_high, 50, 1e-5); /* 0.5 N s in 0.01 s */
    double ends[2][3];
    for (int k = 0; k < 2; k++) pinhole(&look.view, still->states[k].position, ends[k]);
    for (int column = 0; column < WIDTH; column++)
        assert_int_equal(differs(&with, &without, HEIGHT / 2, column),
                         column + 0.5 > ends[0][0] && column + 0.5 < ends[1][0]);
}

/* The edges of a wall that is cut away are lines without gaps, also in the plane of the floor's top. */
static void edges_in_a_face_are_whole(void **unused) {
    (void)unused;
    const painter_look look = look_from((scree_vec3){1, -5, 2});
    moment *still = empty_still();
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.2f), 0, 0, 0.2f);
    add(still, SCREE_BODY_STATIC, scree_shape_box(2, 2, 0.1f), 0, 0, -0.1f);
    draw(&still->frame, &look, &without);
    add(still, SCREE_BODY_STATIC, scree_shape_box(0.6f, 0.1f, 0.3f), 0, -0.6f, 0.3f);
    draw(&still->frame, &look, &with);
    double ends[2][3];
    for (int k = 0; k < 2; k++) pinhole(&look.view, (scree_vec3){k ? 0.6f : -0.6f, -0.7f, 0}, ends[k]);
    for (int column = (int)ends[0][0] + 2; column < (int)ends[1][0] - 2; column++) {
        const double share = (column + 0.5 - ends[0][0]) / (ends[1][0] - ends[0][0]);
        const int row = (int)(ends[0][1] + share * (ends[1][1] - ends[0][1]));
        assert_true(differs(&with, &without, row - 1, column) || differs(&with, &without, row, column) ||
                    differs(&with, &without, row + 1, column));
    }
}

/* A click passes a mesh of which some triangles are cut away, to the grain behind them. */
static void a_cut_mesh_is_passed(void **unused) {
    (void)unused;
    const scree_vec3 points[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    const scree_triangle faces[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    const orbit_ray ray = {vec3_of(0, -4, 0), vec3_of(0, 1, 0)};
    const clip_plane none = {.normal = vec3_of(0, 0, 0)};
    scree_geometry *mesh;
    CHECK(scree_mesh_create(points, 4, faces, 2, &mesh));
    moment *still = empty_still();
    add(still, SCREE_BODY_STATIC, scree_shape_mesh(mesh, 1), 0, -1, 0);
    add(still, SCREE_BODY_DYNAMIC, scree_shape_sphere(0.2f), 0, 0, 0);
    assert_int_equal(picker_find(&still->frame, (const bool[]){false, false, false}, &none, ray).row, 0);
    assert_int_equal(picker_find(&still->frame, (const bool[]){true, false, false}, &none, ray).row, 1);
    assert_int_equal(picker_find(&still->frame, (const bool[]){false, true, false}, &none, ray).row, 1);
    scree_geometry_release(mesh);
}

static int open_painter(void **unused) {
    display_open(unused);
    CHECK(painter_make(&drawer));
    return 0;
}

static int close_painter(void **unused) {
    painter_release(&drawer);
    canvas_release(&sheet);
    return display_close(unused);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes_cover_the_pixels_of_their_rays),
    cmocka_unit_test(the_nearest_body_is_seen),
    cmocka_unit_test(the_clip_plane_hides_one_side),
    cmocka_unit_test(a_wall_in_front_is_cut_away),
    cmocka_unit_test(the_ground_ends_at_the_horizon),
    cmocka_unit_test(a_chain_joins_the_centres),
    cmocka_unit_test(edges_in_a_face_are_whole),
    cmocka_unit_test(a_cut_mesh_is_passed),
};

DISPLAY_MAIN(tests, open_painter, close_painter)

#else

DISPLAY_MAIN(, , )

#endif
