#include "row_input.h"

#include "base/vector.h"
#include "geometry/bounds.h"
#include "geometry/children.h"
#include "stabilisation.h"

#include <math.h>

static int bits_of(const body_array *bodies, const joint_array *joints, int slot, scree_shape shape) {
    const scree_vec3 flow = bodies->settings[slot].surface_velocity;
    int bits = (int)shape.kind | bodies->materials[slot] << ROW_MATERIAL_SHIFT;
    if (bodies->types[slot] == SLOT_DYNAMIC) bits |= ROW_DYNAMIC;
    if (bodies->types[slot] == SLOT_KINEMATIC) bits |= ROW_KINEMATIC;
    if (joints_hold(joints, slot)) bits |= ROW_HELD;
    if (flow.x != 0 || flow.y != 0 || flow.z != 0) bits |= ROW_FLOWS;
    if (shape_has_children(shape)) bits |= ROW_CHILDREN;
    if (bounds_turning_radius(shape) > 0) bits |= ROW_TURNS;
    return bits;
}
_Static_assert((int)SHAPE_KIND_COUNT <= (int)ROW_KIND_MASK, "a kind of shape fits its bits");

row_body row_body_of(const body_array *bodies, const joint_array *joints, int slot) {
    const scree_shape shape = body_collision_shape(bodies, slot);
    return (row_body){.size = vec3_in(shape.size),
                      .reach =
                          body_is_dynamic(bodies, slot) ? (scalar)scree_shape_get_radius(shape) : INFINITY,
                      .surface_velocity = vec3_in(bodies->settings[slot].surface_velocity),
                      .bits = bits_of(bodies, joints, slot, shape)};
}

void row_materials_of(const material_table *materials, row_material *out) {
    for (int a = 0, i = 0; a < materials->count; a++)
        for (int b = 0; b < materials->count; b++, i++) {
            const scree_material_pair_def pair = material_combine(materials, a, b);
            out[i] = (row_material){.friction = pair.friction,
                                    .restitution = pair.restitution,
                                    .rolling_friction = pair.rolling_friction,
                                    .spinning_friction = pair.spinning_friction,
                                    .cohesion = pair.cohesion,
                                    .cohesion_distance = pair.cohesion_distance,
                                    .stiffness = pair.stiffness,
                                    .damping = pair.damping};
        }
}

row_parameters row_parameters_of(const problem_input *from, scalar kilograms, scalar mass_unit) {
    const row_scheme scheme = row_scheme_of(from->options, from->motion.time_step);
    const scalar unit = 1 / kilograms;
    return (row_parameters){.scheme = scheme,
                            .gravity = from->motion.gravity,
                            .slip_factor = scheme_slip_factor(scheme),
                            .period = from->bodies->period.length,
                            .kilograms = kilograms,
                            .fraction = problem_input_fraction(from) * unit,
                            .unit = unit,
                            .law = (int)from->options->law,
                            .material_count = from->materials->count,
                            .mass_unit = mass_unit};
}
