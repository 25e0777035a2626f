/* Boards and voussoirs that lean on each other, edge against edge. */
#include "scenery.h"

static const double board_thickness = 0.01, board_length = 0.2, board_width = 0.1;

/* Makes a block as a box or as a hull, which have contact functions of their own. */
static scree_shape block_of(bool hull, double x, double y, double z) {
    scree_vec3 corners[8];
    scree_geometry *made = NULL;
    if (!hull) return scree_shape_box((float)x / 2, (float)y / 2, (float)z / 2);
    for (int i = 0; i < 8; i++)
        corners[i] = (scree_vec3){(float)(i & 1 ? x : -x) / 2, (float)(i & 2 ? y : -y) / 2,
                                  (float)(i & 4 ? z : -z) / 2};
    CHECK(scree_hull_create(corners, 8, &made));
    return scree_shape_hull(made, 1);
}

static scree_body_id add_block(scree_world *world, scree_shape shape, scree_vec3 at, double angle) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape, def.mass = 1, def.state.position = at;
    def.state.rotation = (scree_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
    CHECK(scree_body_create(world, &def, &id));
    if (shape.geometry) scree_geometry_release((scree_geometry *)(uintptr_t)shape.geometry);
    return id;
}

/* Adds two boards that lean by `lean` (rad), with their apex above x and their feet at height z. */
static void add_frame(scree_world *world, const bool hull[2], double lean, double x, double z,
                      scree_body_id ids[2]) {
    const double aside = (board_length * sin(lean) + board_thickness * cos(lean)) / 2,
                 up = (board_length * cos(lean) + board_thickness * sin(lean)) / 2;
    for (int i = 0; i < 2; i++) {
        const double side = i ? 1 : -1;
        const scree_shape board = block_of(hull[i], board_thickness, board_width, board_length);
        ids[i] = add_block(world, board, (scree_vec3){(float)(x + side * aside), 0, (float)(z + up)},
                           -side * lean);
    }
}

/* Height of an apex above the feet: the upper outer edges of the boards are higher than those that meet. */
static double frame_height(double lean) { return board_length * cos(lean) + board_thickness * sin(lean); }

static scree_world *level_world(void **state, scree_stabilisation stabilisation, double friction) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 240, def.material.friction = (float)friction;
    def.solver = scree_solver_def_with_stabilisation(def.solver, stabilisation);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    return world;
}

/* Returns by how much a frame sinks in three seconds, relative to the length of a board. */
static double frame_sinks(void **state, scree_stabilisation stabilisation, const bool hull[2], double lean,
                          double friction) {
    scree_world *world = level_world(state, stabilisation, friction);
    scree_body_id ids[2];
    add_frame(world, hull, lean, 0, 0, ids);
    const double before = state_of(world, ids[0]).position.z;
    run_for(world, 3);
    const double sunk = before - state_of(world, ids[0]).position.z;
    scree_world_destroy(world);
    return sunk / board_length;
}

/* The boards push each other horizontally by H at edges that are L cos α above those on the ground. The
 * weight W acts (L sin α − t cos α)/2 away from the ground's edge, so that H/W = (tan α − t/L)/2: the
 * friction that the ground must have. The edges at the apex need none. With an angle of 90° at the apex
 * (45°), the faces are parallel in pairs. */
static void frames_stand_by_half_the_tangent(void **state) {
    static const double leans[] = {10, 25, 40, 45};
    static const bool kinds[][2] = {{false, false}, {true, true}, {false, true}, {true, false}};
    static const scree_stabilisation by[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP};
    for (int i = 0; i < 32; i++) {
        const double lean = leans[i % 4] * M_PI / 180,
                     critical = (tan(lean) - board_thickness / board_length) / 2;
        const bool *hull = kinds[i / 4 % 4];
        const double stands = frame_sinks(state, by[i / 16], hull, lean, 1.03 * critical),
                     slides = frame_sinks(state, by[i / 16], hull, lean, 0.97 * critical);
        print_message("lean %g, %s and %s, %s: sinks by %.1e at 1.03, %.1e at 0.97\n", leans[i % 4],
                      hull[0] ? "hull" : "box", hull[1] ? "hull" : "box",
                      scree_stabilisation_name(by[i / 16]), stands, slides);
        ASSERT_AT_MOST(stands, 1e-3);
        ASSERT_AT_LEAST(slides, 2e-3);
    }
}

/* Two frames bear a board, on which a third one stands. A board of the lower frames bears P = 3/4 W and its
 * weight W, so that its foot needs a friction of about tan α (P + W/2)/(P + W) = 0.26. With the normal of a
 * board's face, the edges would need tan 20° = 0.36. */
static void house_of_cards_stands(void **state) {
    const double lean = 20 * M_PI / 180, base = 2 * board_length * sin(lean) + 0.05;
    static const bool kinds[][2] = {{false, false}, {true, false}};
    for (int k = 0; k < 2; k++) {
        scree_world *world = level_world(state, SCREE_STABILISATION_SPLIT, 0.33);
        scree_body_id ids[7];
        scree_vec3 start[7];
        const double floor = frame_height(lean);
        add_frame(world, kinds[k], lean, -base / 2, 0, ids);
        add_frame(world, kinds[k], lean, base / 2, 0, ids + 2);
        ids[4] = add_block(world, block_of(kinds[k][0], 2 * base, board_width, board_thickness),
                           (scree_vec3){0, 0, (float)(floor + board_thickness / 2)}, 0);
        add_frame(world, kinds[k], lean, 0, floor + board_thickness, ids + 5);
        for (int i = 0; i < 7; i++) start[i] = state_of(world, ids[i]).position;
        run_for(world, 10);
        for (int i = 0; i < 7; i++) {
            const scree_vec3 at = state_of(world, ids[i]).position;
            ASSERT_AT_MOST(length_of((scree_vec3){at.x - start[i].x, at.y - start[i].y, at.z - start[i].z}),
                           1e-3 * board_length);
        }
        scree_world_destroy(world);
    }
}

/* Cubes in columns that touch each other exactly, without friction: each column carries itself, and they
 * stay. Cubes of neighbouring columns and layers share edges with flush faces, of which the mean normal is
 * diagonal. */
static void touching_columns_stand(void **state) {
    enum { COLUMNS = 9, LAYERS = 4 };
    static const bool kinds[][2] = {{false, false}, {true, true}, {false, true}};
    const double side = 0.2;
    for (int i = 0; i < 6; i++) {
        scree_world *world = level_world(state, SCREE_STABILISATION_SPLIT, i / 3 ? 0.5 : 0);
        scree_body_id ids[COLUMNS * LAYERS];
        scree_vec3 start[COLUMNS * LAYERS];
        for (int k = 0; k < COLUMNS * LAYERS; k++) {
            const int column = k % COLUMNS;
            start[k] = (scree_vec3){(float)(side * (column % 3)), (float)(side * (column / 3)),
                                    (float)(side * (k / COLUMNS + 0.5))};
            ids[k] = add_block(world, block_of(kinds[i % 3][k % 2], side, side, side), start[k], 0);
        }
        run_for(world, 2);
        double drift = 0;
        for (int k = 0; k < COLUMNS * LAYERS; k++) {
            const scree_vec3 at = state_of(world, ids[k]).position;
            drift = fmax(drift, hypot((double)(at.x - start[k].x), (double)(at.y - start[k].y)));
        }
        print_message("columns %d: drift %.1e of a side\n", i, drift / side);
        ASSERT_AT_MOST(drift, 5e-5 * side);
        scree_world_destroy(world);
    }
}

enum { VOUSSOIRS = 15 };

static scree_body_id add_voussoir(scree_world *world, int number, double inner, double outer) {
    const double from = M_PI * number / VOUSSOIRS, to = M_PI * (number + 1) / VOUSSOIRS;
    scree_vec3 corners[8];
    scree_geometry *made = NULL;
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    for (int i = 0; i < 8; i++) {
        const double angle = i & 1 ? to : from, radius = i & 2 ? outer : inner;
        corners[i] =
            (scree_vec3){(float)(radius * cos(angle)), i & 4 ? 0.1f : -0.1f, (float)(radius * sin(angle))};
    }
    CHECK(scree_hull_create(corners, 8, &made));
    def.shape = scree_shape_hull(made, 1);
    scree_geometry_get_frame(made, &def.state.position, &def.state.rotation);
    CHECK(scree_body_create(world, &def, &id));
    scree_geometry_release(made);
    return id;
}

/* A semicircular arch stands if its thickness is more than 0.1075 of its mean radius (Milankovitch 1907,
 * Theorie der Druckkurven), and by hinges at its edges collapses if it is less. */
static void arch_stands_by_its_thickness(void **state) {
    static const double thickness[] = {0.125, 0.09};
    for (int i = 0; i < 2; i++) {
        scree_world *world = level_world(state, SCREE_STABILISATION_SPLIT, 0.8);
        scree_body_id crown = {0};
        for (int k = 0; k < VOUSSOIRS; k++) {
            const scree_body_id id = add_voussoir(world, k, 1 - thickness[i] / 2, 1 + thickness[i] / 2);
            if (k == VOUSSOIRS / 2) crown = id;
        }
        const double before = state_of(world, crown).position.z;
        run_for(world, 4);
        const double sunk = before - state_of(world, crown).position.z;
        print_message("arch of thickness %g: sinks by %.1e of its radius\n", thickness[i], sunk);
        if (i == 0)
            ASSERT_AT_MOST(sunk, 1e-3);
        else
            ASSERT_AT_LEAST(sunk, 0.05);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", frames_stand_by_half_the_tangent), ON("native", house_of_cards_stands),
        ON("native", touching_columns_stand), ON("native", arch_stands_by_its_thickness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
