/* Scenes written once over units of length, time and mass that are powers of two. A change of units changes
 * only exponents, so the motion in the units is the same to the bit. */
#pragma once

#include "random_vectors.h"
#include "base/vector.h"
#include "scenery.h"

/* Exponents of the units of m, s and kg. */
typedef struct units {
    int length, time, mass;
} units;

enum { SITE_BODIES = 80 };

/* A world in units, with its bodies in the order in which they were added. */
typedef struct site {
    units in;
    bool by_factor; /* geometries have their lengths in the units' base, and bodies a factor; else factor 1 */
    scree_world *world;
    uint64_t seed;
    scree_body_id ids[SITE_BODIES];
    int count;
    scree_geometry *geometries[SITE_BODIES];
    int geometry_count;
} site;

/* Returns a quantity of the dimension lengthˡ timeᵗ massᵐ in m, s and kg. */
static inline float quantity(const site *self, double value, int l, int t, int m) {
    return scalbnf((float)value, l * self->in.length + t * self->in.time + m * self->in.mass);
}

static inline scree_vec3 vector_quantity(const site *self, scree_vec3 v, int l, int t, int m) {
    return (scree_vec3){quantity(self, (double)v.x, l, t, m), quantity(self, (double)v.y, l, t, m),
                        quantity(self, (double)v.z, l, t, m)};
}

static inline float length_in(const site *self, double value) { return quantity(self, value, 1, 0, 0); }

static inline scree_material_def material_in(const site *self, scree_material_def def) {
    def.density = quantity(self, (double)def.density, -3, 0, 1);
    def.rolling_friction = length_in(self, (double)def.rolling_friction);
    def.spinning_friction = length_in(self, (double)def.spinning_friction);
    def.cohesion = quantity(self, (double)def.cohesion, 1, -2, 1);
    def.cohesion_distance = length_in(self, (double)def.cohesion_distance);
    def.stiffness = quantity(self, (double)def.stiffness, 0, -2, 1);
    def.damping = quantity(self, (double)def.damping, 0, -1, 1);
    return def;
}

static inline scree_contact_spring spring_in(const site *self, scree_contact_spring spring) {
    spring.stiffness = quantity(self, (double)spring.stiffness, 0, -2, 1);
    spring.damping = quantity(self, (double)spring.damping, 0, -1, 1);
    return spring;
}

static inline scree_solver_def solver_in(const site *self, scree_solver_def def) {
    float *const speeds[] = {&def.baumgarte.correction_speed, &def.split.correction_speed,
                             &def.relaxed.correction_speed, &def.substep.correction_speed};
    const scree_stabilisation kinds[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SPLIT,
                                         SCREE_STABILISATION_RELAXED, SCREE_STABILISATION_SUBSTEP};
    def.slop = length_in(self, (double)def.slop);
    def.restitution_speed = quantity(self, (double)def.restitution_speed, 1, -1, 0);
    for (int i = 0; i < 4; i++)
        if (def.stabilisation == kinds[i]) *speeds[i] = quantity(self, (double)*speeds[i], 1, -1, 0);
    if (def.stabilisation == SCREE_STABILISATION_SOFT) def.soft = spring_in(self, def.soft);
    if (def.stabilisation == SCREE_STABILISATION_PENALTY) def.penalty = spring_in(self, def.penalty);
    if (def.stabilisation == SCREE_STABILISATION_RELAXED)
        def.relaxed.relaxation_time = quantity(self, (double)def.relaxed.relaxation_time, 0, 1, 0);
    if (def.stabilisation != SCREE_STABILISATION_SUBSTEP) return def;
    def.substep.contact_frequency = quantity(self, (double)def.substep.contact_frequency, 0, -1, 0);
    def.substep.spring = spring_in(self, def.substep.spring);
    return def;
}

/* Makes the world of a definition that is in the units. */
static inline void site_begin(site *self, scree_world_def def) {
    def.time_step = scalbn(def.time_step, self->in.time);
    def.gravity = vector_quantity(self, def.gravity, 1, -2, 0);
    def.speculative_distance = length_in(self, (double)def.speculative_distance);
    def.period = vector_quantity(self, def.period, 1, 0, 0);
    def.period_centre = vector_quantity(self, def.period_centre, 1, 0, 0);
    def.material = material_in(self, def.material);
    def.solver = solver_in(self, def.solver);
    self->world = world_of(&def);
}

static inline void site_end(site *self) {
    scree_world_destroy(self->world);
    for (int i = 0; i < self->geometry_count; i++) scree_geometry_release(self->geometries[i]);
}

/* Adds a body of a definition in the units, whose shape has the lengths of site_shape. */
static inline scree_body_id site_add(site *self, scree_body_def def) {
    assert_true(self->count < SITE_BODIES);
    scree_body_id *id = &self->ids[self->count++];
    def.state.position = vector_quantity(self, def.state.position, 1, 0, 0);
    def.state.linear_velocity = vector_quantity(self, def.state.linear_velocity, 1, -1, 0);
    def.state.angular_velocity = vector_quantity(self, def.state.angular_velocity, 0, -1, 0);
    def.mass = quantity(self, (double)def.mass, 0, 0, 1);
    def.inertia = vector_quantity(self, def.inertia, 2, 0, 1);
    def.force = vector_quantity(self, def.force, 1, -2, 1);
    def.torque = vector_quantity(self, def.torque, 2, -2, 1);
    def.surface_velocity = vector_quantity(self, def.surface_velocity, 1, -1, 0);
    CHECK(scree_body_create(self->world, &def, id));
    return *id;
}

/* Returns the state of a body in the units. */
static inline scree_body_state site_state(const site *self, int i) {
    const site back = {.in = {-self->in.length, -self->in.time, -self->in.mass}};
    scree_body_state state = state_of(self->world, self->ids[i]);
    state.position = vector_quantity(&back, state.position, 1, 0, 0);
    state.linear_velocity = vector_quantity(&back, state.linear_velocity, 1, -1, 0);
    state.angular_velocity = vector_quantity(&back, state.angular_velocity, 0, -1, 0);
    return state;
}

/* Lengths of a geometry's points: with the factor of its shape, those of the unit of length. */
static inline site site_of_geometry(const site *self) {
    return self->by_factor ? (site){.in = {0, 0, 0}} : *self;
}

static inline float site_factor(const site *self) { return self->by_factor ? length_in(self, 1) : 1; }

/* Keeps a geometry until site_end. */
static inline const scree_geometry *site_keep(site *self, scree_geometry *geometry) {
    assert_true(self->geometry_count < SITE_BODIES);
    return self->geometries[self->geometry_count++] = geometry;
}

static inline scree_shape site_hull(site *self, float size) {
    const site points = site_of_geometry(self);
    scree_geometry *made;
    scree_vec3 corners[12];
    for (int i = 0; i < 12; i++)
        corners[i] = vector_quantity(
            &points, vec3_out(random_vector(&self->seed, -(double)size, (double)size)), 1, 0, 0);
    CHECK(scree_hull_create(corners, 12, &made));
    return scree_shape_hull(site_keep(self, made), site_factor(self));
}

static inline scree_shape site_clump(site *self, float size) {
    const site points = site_of_geometry(self);
    scree_geometry *made;
    scree_clump_sphere spheres[] = {{{0, 0, 0}, 0.6f * size},
                                    {{0.7f * size, 0, 0}, 0.5f * size},
                                    {{0, 0.6f * size, 0.1f * size}, 0.4f * size}};
    for (int i = 0; i < 3; i++) {
        spheres[i].position = vector_quantity(&points, spheres[i].position, 1, 0, 0);
        spheres[i].radius = length_in(&points, (double)spheres[i].radius);
    }
    CHECK(scree_clump_create(spheres, 3, &made));
    return scree_shape_clump(site_keep(self, made), site_factor(self));
}

/* Returns a shape without a geometry, of lengths `size` and of random aspect. */
static inline scree_shape site_plain_shape(site *self, scree_shape_kind kind, float size) {
    const double a = random_between(&self->seed, 0.4, 1), b = random_between(&self->seed, 0.4, 1),
                 s = (double)size;
    switch (kind) {
    case SCREE_SHAPE_BOX:
        return scree_shape_box(length_in(self, s), length_in(self, a * s), length_in(self, b * s));
    case SCREE_SHAPE_CAPSULE:
        return scree_shape_capsule(length_in(self, s / 2), length_in(self, a * s));
    case SCREE_SHAPE_CYLINDER:
        return scree_shape_cylinder(length_in(self, 0.8 * s), length_in(self, a * s));
    case SCREE_SHAPE_CONE:
        return scree_shape_cone(length_in(self, s), length_in(self, (0.8 + a) * s));
    case SCREE_SHAPE_ELLIPSOID:
        return scree_shape_ellipsoid(length_in(self, s), length_in(self, a * s), length_in(self, b * s));
    default:
        return scree_shape_sphere(length_in(self, s));
    }
}

static inline scree_shape site_compound(site *self, float size) {
    site points = site_of_geometry(self);
    scree_geometry *made;
    scree_compound_child children[3];
    const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_SPHERE, SCREE_SHAPE_CYLINDER};
    const scree_vec3 places[] = {{0, 0, 0}, {-0.8f * size, 0, 0}, {0.6f * size, 0.1f * size, 0.3f * size}};
    points.seed = self->seed;
    for (int i = 0; i < 3; i++) {
        children[i] = scree_default_compound_child();
        children[i].shape = site_plain_shape(&points, kinds[i], 0.5f * size);
        children[i].position = vector_quantity(&points, places[i], 1, 0, 0);
    }
    self->seed = points.seed;
    CHECK(scree_compound_create(children, 3, &made));
    return scree_shape_compound(site_keep(self, made), site_factor(self));
}

/* Returns a prism over an L, as a solid or as a sheet. */
static inline scree_shape site_prism(site *self, scree_shape_kind kind, float size) {
    static const float corners[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
    static const int ends[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    const site points = site_of_geometry(self);
    scree_geometry *made;
    scree_vec3 vertices[12];
    scree_triangle triangles[20];
    for (int i = 0; i < 12; i++)
        vertices[i] = vector_quantity(
            &points,
            (scree_vec3){size * corners[i % 6][0], size * corners[i % 6][1], i < 6 ? -size / 2 : size / 2}, 1,
            0, 0);
    for (int i = 0; i < 4; i++) {
        triangles[2 * i] = (scree_triangle){{ends[i][0], ends[i][2], ends[i][1]}};
        triangles[2 * i + 1] = (scree_triangle){{ends[i][0] + 6, ends[i][1] + 6, ends[i][2] + 6}};
    }
    for (int i = 0; i < 6; i++) {
        const int next = (i + 1) % 6;
        triangles[8 + 2 * i] = (scree_triangle){{i, next, next + 6}};
        triangles[9 + 2 * i] = (scree_triangle){{i, next + 6, i + 6}};
    }
    if (kind == SCREE_SHAPE_SOLID) {
        CHECK(scree_solid_create(vertices, 12, triangles, 20, &made));
        return scree_shape_solid(site_keep(self, made), site_factor(self));
    }
    CHECK(scree_mesh_create(vertices, 12, triangles, 20, &made));
    return scree_shape_mesh(site_keep(self, made), site_factor(self));
}

/* Returns a shape of any kind but half-spaces and triangles. */
static inline scree_shape site_shape(site *self, scree_shape_kind kind, float size) {
    switch (kind) {
    case SCREE_SHAPE_HULL:
        return site_hull(self, size);
    case SCREE_SHAPE_CLUMP:
        return site_clump(self, size);
    case SCREE_SHAPE_COMPOUND:
        return site_compound(self, size);
    case SCREE_SHAPE_SOLID:
    case SCREE_SHAPE_MESH:
        return site_prism(self, kind, size);
    default:
        return site_plain_shape(self, kind, size);
    }
}
