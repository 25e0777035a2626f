/* Columns of a world's state. Names and types are those of checkpoint files. */
#include "state_rows.h"

#include <stddef.h>

_Static_assert(sizeof(scree_method) == 4 && sizeof(scree_law) == 4 && sizeof(scree_stabilisation) == 4 &&
                   sizeof(scree_shape_kind) == 4 && sizeof(int) == 4 && sizeof(bool) == 1 &&
                   sizeof(scalar) == 4,
               "the columns give these types");

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define WORLD(field) offsetof(world_row, field)
#define SLOT(field) offsetof(slot_row, field)
#define PAIR(field) offsetof(pair_row, field)
#define POINT(field) offsetof(point_row, field)
#define MATERIAL(field) offsetof(material_row, field)
#define BETWEEN(field) offsetof(material_pair, field)

static const scree_column world_columns[] = {
    {"gravity", SCREE_VALUE_FLOAT, 3, WORLD(def.gravity)},
    {"period", SCREE_VALUE_FLOAT, 3, WORLD(def.period)},
    {"period_centre", SCREE_VALUE_FLOAT, 3, WORLD(def.period_centre)},
    {"time_step", SCREE_VALUE_DOUBLE, 1, WORLD(def.time_step)},
    {"speculative_distance", SCREE_VALUE_FLOAT, 1, WORLD(def.speculative_distance)},
    {"material_friction", SCREE_VALUE_FLOAT, 1, WORLD(def.material.friction)},
    {"material_restitution", SCREE_VALUE_FLOAT, 1, WORLD(def.material.restitution)},
    {"material_density", SCREE_VALUE_FLOAT, 1, WORLD(def.material.density)},
    {"material_rolling_friction", SCREE_VALUE_FLOAT, 1, WORLD(def.material.rolling_friction)},
    {"material_spinning_friction", SCREE_VALUE_FLOAT, 1, WORLD(def.material.spinning_friction)},
    {"material_cohesion", SCREE_VALUE_FLOAT, 1, WORLD(def.material.cohesion)},
    {"material_cohesion_distance", SCREE_VALUE_FLOAT, 1, WORLD(def.material.cohesion_distance)},
    {"material_stiffness", SCREE_VALUE_FLOAT, 1, WORLD(def.material.stiffness)},
    {"material_damping", SCREE_VALUE_FLOAT, 1, WORLD(def.material.damping)},
    {"material_name", SCREE_VALUE_UINT8, SCREE_MATERIAL_NAME_SIZE, WORLD(def.material.name)},
    {"method", SCREE_VALUE_INT32, 1, WORLD(def.solver.method)},
    {"law", SCREE_VALUE_INT32, 1, WORLD(def.solver.law)},
    {"iterations", SCREE_VALUE_INT32, 1, WORLD(def.solver.iterations)},
    {"tolerance", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.tolerance)},
    {"violation_tolerance", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.violation_tolerance)},
    {"reduction", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.reduction)},
    {"change_tolerance", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.change_tolerance)},
    {"local_sweeps", SCREE_VALUE_INT32, 1, WORLD(def.solver.local_sweeps)},
    {"position_iterations", SCREE_VALUE_INT32, 1, WORLD(stabilisation.position_iterations)},
    {"position_follows", SCREE_VALUE_UINT8, 1, WORLD(stabilisation.position_follows)},
    {"position_tolerance", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.position_tolerance)},
    {"check_every", SCREE_VALUE_INT32, 1, WORLD(def.solver.check_every)},
    {"relaxation", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.relaxation)},
    {"warm_start", SCREE_VALUE_UINT8, 1, WORLD(def.solver.warm_start)},
    {"direct_joints", SCREE_VALUE_UINT8, 1, WORLD(def.solver.direct_joints)},
    {"colours", SCREE_VALUE_INT32, 1, WORLD(def.solver.colours)},
    {"stabilisation", SCREE_VALUE_INT32, 1, WORLD(def.solver.stabilisation)},
    {"error_reduction", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.error_reduction)},
    {"stiffness", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.stiffness)},
    {"damping", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.damping)},
    {"relaxation_time", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.relaxation_time)},
    {"damping_ratio", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.damping_ratio)},
    {"substeps", SCREE_VALUE_INT32, 1, WORLD(stabilisation.substeps)},
    {"contact_frequency", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.contact_frequency)},
    {"contact_damping_ratio", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.contact_damping_ratio)},
    {"correction_speed", SCREE_VALUE_FLOAT, 1, WORLD(stabilisation.correction_speed)},
    {"slop", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.slop)},
    {"restitution_speed", SCREE_VALUE_FLOAT, 1, WORLD(def.solver.restitution_speed)},
    {"maximum_bodies", SCREE_VALUE_INT32, 1, WORLD(def.maximum_bodies)},
    {"maximum_contacts", SCREE_VALUE_INT32, 1, WORLD(def.maximum_contacts)},
    {"steps", SCREE_VALUE_UINT64, 1, WORLD(steps)},
    {"steps_before", SCREE_VALUE_UINT64, 1, WORLD(steps_before)},
    {"time_before", SCREE_VALUE_DOUBLE, 1, WORLD(time_before)},
    {"gravity_begin", SCREE_VALUE_DOUBLE, 1, WORLD(gravity_begin)},
    {"free_head", SCREE_VALUE_INT32, 1, WORLD(free_head)},
};
static const scree_column note_columns[] = {{"text", SCREE_VALUE_UINT8, 1, 0}};
static const scree_column material_columns[] = {
    {"friction", SCREE_VALUE_FLOAT, 1, MATERIAL(def.friction)},
    {"restitution", SCREE_VALUE_FLOAT, 1, MATERIAL(def.restitution)},
    {"density", SCREE_VALUE_FLOAT, 1, MATERIAL(def.density)},
    {"rolling_friction", SCREE_VALUE_FLOAT, 1, MATERIAL(def.rolling_friction)},
    {"spinning_friction", SCREE_VALUE_FLOAT, 1, MATERIAL(def.spinning_friction)},
    {"cohesion", SCREE_VALUE_FLOAT, 1, MATERIAL(def.cohesion)},
    {"cohesion_distance", SCREE_VALUE_FLOAT, 1, MATERIAL(def.cohesion_distance)},
    {"stiffness", SCREE_VALUE_FLOAT, 1, MATERIAL(def.stiffness)},
    {"damping", SCREE_VALUE_FLOAT, 1, MATERIAL(def.damping)},
    {"name", SCREE_VALUE_UINT8, SCREE_MATERIAL_NAME_SIZE, MATERIAL(def.name)},
    {"generation", SCREE_VALUE_UINT32, 1, MATERIAL(generation)},
};
static const scree_column material_pair_columns[] = {
    {"a", SCREE_VALUE_INT32, 1, BETWEEN(a)},
    {"b", SCREE_VALUE_INT32, 1, BETWEEN(b)},
    {"friction", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.friction)},
    {"restitution", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.restitution)},
    {"rolling_friction", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.rolling_friction)},
    {"spinning_friction", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.spinning_friction)},
    {"cohesion", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.cohesion)},
    {"cohesion_distance", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.cohesion_distance)},
    {"stiffness", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.stiffness)},
    {"damping", SCREE_VALUE_FLOAT, 1, BETWEEN(contact.damping)},
};
static const scree_column slot_columns[] = {
    {"type", SCREE_VALUE_UINT8, 1, SLOT(type)},
    {"generation", SCREE_VALUE_UINT32, 1, SLOT(generation)},
    {"next_free", SCREE_VALUE_INT32, 1, SLOT(next_free)},
    {"material", SCREE_VALUE_INT32, 1, SLOT(material)},
    {"shape", SCREE_VALUE_INT32, 1, SLOT(shape.kind)},
    {"size", SCREE_VALUE_FLOAT, 3, SLOT(shape.size)},
    {"geometry", SCREE_VALUE_INT32, 1, SLOT(geometry)},
    {"position", SCREE_VALUE_FLOAT, 3, SLOT(pose.position)},
    {"rotation", SCREE_VALUE_FLOAT, 4, SLOT(pose.rotation)},
    {"position_remainder", SCREE_VALUE_FLOAT, 3, SLOT(remainder.position)},
    {"rotation_remainder", SCREE_VALUE_FLOAT, 3, SLOT(remainder.rotation)},
    {"velocity", SCREE_VALUE_FLOAT, 3, SLOT(velocity.linear)},
    {"angular_velocity", SCREE_VALUE_FLOAT, 3, SLOT(velocity.angular)},
    {"earlier_velocity", SCREE_VALUE_FLOAT, 3, SLOT(earlier.linear)},
    {"earlier_angular_velocity", SCREE_VALUE_FLOAT, 3, SLOT(earlier.angular)},
    {"mass", SCREE_VALUE_FLOAT, 1, SLOT(mass.mass)},
    {"inertia", SCREE_VALUE_FLOAT, 3, SLOT(mass.inertia)},
    {"gravity_scale", SCREE_VALUE_FLOAT, 1, SLOT(mass.gravity_scale)},
    {"locks", SCREE_VALUE_INT32, 1, SLOT(mass.locks)},
    {"force", SCREE_VALUE_FLOAT, 3, SLOT(load.force)},
    {"torque", SCREE_VALUE_FLOAT, 3, SLOT(load.torque)},
    {"constant_force", SCREE_VALUE_FLOAT, 3, SLOT(constant_load.force)},
    {"constant_torque", SCREE_VALUE_FLOAT, 3, SLOT(constant_load.torque)},
    {"given_mass", SCREE_VALUE_FLOAT, 1, SLOT(settings.mass)},
    {"given_inertia", SCREE_VALUE_FLOAT, 3, SLOT(settings.inertia)},
    {"surface_velocity", SCREE_VALUE_FLOAT, 3, SLOT(settings.surface_velocity)},
    {"groups", SCREE_VALUE_UINT32, 1, SLOT(settings.groups)},
    {"mask", SCREE_VALUE_UINT32, 1, SLOT(settings.mask)},
    {"user_data", SCREE_VALUE_UINT64, 1, SLOT(settings.user_data)},
    {"periods", SCREE_VALUE_INT32, 3, SLOT(cells)},
};
static const scree_column pair_columns[] = {
    {"a", SCREE_VALUE_INT32, 1, PAIR(a)},
    {"b", SCREE_VALUE_INT32, 1, PAIR(b)},
    {"count", SCREE_VALUE_INT32, 1, PAIR(count)},
    {"colour", SCREE_VALUE_INT32, 1, PAIR(colour)},
    {"hits", SCREE_VALUE_INT32, 1, PAIR(hits)},
    {"normal", SCREE_VALUE_FLOAT, 3, PAIR(normal)},
    {"part", SCREE_VALUE_INT32, 1, PAIR(part)},
    {"image", SCREE_VALUE_INT32, 1, PAIR(image)},
    {"foreseen", SCREE_VALUE_INT32, 1, PAIR(predicted)},
};
static const scree_column point_columns[] = {
    {"position", SCREE_VALUE_FLOAT, 3, POINT(position)},
    {"gap", SCREE_VALUE_FLOAT, 1, POINT(gap)},
    {"feature", SCREE_VALUE_UINT32, 1, POINT(feature)},
    {"impulse", SCREE_VALUE_FLOAT, 3, POINT(impulse)},
    {"torque", SCREE_VALUE_FLOAT, 3, POINT(torque)},
    {"pull", SCREE_VALUE_FLOAT, 1, POINT(pull)},
    {"push", SCREE_VALUE_FLOAT, 1, POINT(push)},
    {"bias", SCREE_VALUE_FLOAT, 1, POINT(bias)},
    {"compliance", SCREE_VALUE_FLOAT, 1, POINT(compliance)},
};

#define JOINT(field) offsetof(joint_row, field)
#define AXIS(field) offsetof(scree_joint_axis, field)

_Static_assert(sizeof(scree_joint_kind) == 4 && sizeof(scree_axis_mode) == 4 && sizeof(scree_drive) == 4 &&
                   sizeof(scree_spring) == 16,
               "the columns give these types");

static const scree_column joint_columns[] = {
    {"kind", SCREE_VALUE_INT32, 1, JOINT(def.kind)},
    {"a", SCREE_VALUE_UINT32, 1, JOINT(def.a.index)},
    {"a_generation", SCREE_VALUE_UINT32, 1, JOINT(def.a.generation)},
    {"b", SCREE_VALUE_UINT32, 1, JOINT(def.b.index)},
    {"b_generation", SCREE_VALUE_UINT32, 1, JOINT(def.b.generation)},
    {"anchor_a", SCREE_VALUE_FLOAT, 3, JOINT(def.anchor_a)},
    {"anchor_b", SCREE_VALUE_FLOAT, 3, JOINT(def.anchor_b)},
    {"frame_a", SCREE_VALUE_FLOAT, 4, JOINT(def.frame_a)},
    {"frame_b", SCREE_VALUE_FLOAT, 4, JOINT(def.frame_b)},
    {"collide", SCREE_VALUE_UINT8, 1, JOINT(collide)},
    {"break_force", SCREE_VALUE_FLOAT, 1, JOINT(def.break_force)},
    {"break_torque", SCREE_VALUE_FLOAT, 1, JOINT(def.break_torque)},
    {"user_data", SCREE_VALUE_UINT64, 1, JOINT(def.user_data)},
    {"impulses", SCREE_VALUE_FLOAT, 3 * JOINT_BLOCKS, JOINT(state.impulses)},
    {"pushes", SCREE_VALUE_FLOAT, 3 * JOINT_BLOCKS, JOINT(state.pushes)},
    {"position", SCREE_VALUE_FLOAT, SCREE_AXIS_COUNT, JOINT(state.position)},
    {"force", SCREE_VALUE_FLOAT, 3, JOINT(state.force)},
    {"torque", SCREE_VALUE_FLOAT, 3, JOINT(state.torque)},
    {"periods", SCREE_VALUE_INT32, 3, JOINT(state.periods)},
    {"colour", SCREE_VALUE_INT32, 1, JOINT(state.colour)},
    {"broken", SCREE_VALUE_UINT8, 1, JOINT(broken)},
    {"generation", SCREE_VALUE_UINT32, 1, JOINT(generation)},
    {"free_rank", SCREE_VALUE_INT32, 1, JOINT(free_rank)},
};
static const scree_column axis_columns[] = {
    {"mode", SCREE_VALUE_INT32, 1, AXIS(mode)},         {"low", SCREE_VALUE_FLOAT, 1, AXIS(low)},
    {"high", SCREE_VALUE_FLOAT, 1, AXIS(high)},         {"spring", SCREE_VALUE_FLOAT, 4, AXIS(spring)},
    {"drive", SCREE_VALUE_INT32, 1, AXIS(drive)},       {"target", SCREE_VALUE_FLOAT, 1, AXIS(target)},
    {"servo", SCREE_VALUE_FLOAT, 4, AXIS(servo)},       {"max_force", SCREE_VALUE_FLOAT, 1, AXIS(max_force)},
    {"friction", SCREE_VALUE_FLOAT, 1, AXIS(friction)}, {"start", SCREE_VALUE_DOUBLE, 1, AXIS(start)},
    {"ramp", SCREE_VALUE_DOUBLE, 1, AXIS(ramp)},
};

#define KINEMATIC_GROUP(field) offsetof(kinematic_group_row, field)
#define MOTION(field) offsetof(scree_motion_def, field)
#define KEY(field) offsetof(scree_motion_key, field)

_Static_assert(sizeof(scree_motion_kind) == 4, "the columns give this type");

static const scree_column kinematic_group_columns[] = {
    {"generation", SCREE_VALUE_UINT32, 1, KINEMATIC_GROUP(generation)},
    {"begin", SCREE_VALUE_DOUBLE, 1, KINEMATIC_GROUP(begin)},
    {"bodies", SCREE_VALUE_INT32, 1, KINEMATIC_GROUP(bodies)},
    {"motions", SCREE_VALUE_INT32, 1, KINEMATIC_GROUP(motions)},
};
static const scree_column carried_columns[] = {
    {"slot", SCREE_VALUE_INT32, 1, offsetof(carried_row, slot)},
    {"position", SCREE_VALUE_FLOAT, 3, offsetof(carried_row, from.position)},
    {"rotation", SCREE_VALUE_FLOAT, 4, offsetof(carried_row, from.rotation)},
};
static const scree_column motion_columns[] = {
    {"kind", SCREE_VALUE_INT32, 1, MOTION(kind)},
    {"start", SCREE_VALUE_DOUBLE, 1, MOTION(start)},
    {"stop", SCREE_VALUE_DOUBLE, 1, MOTION(stop)},
    {"ramp", SCREE_VALUE_DOUBLE, 1, MOTION(ramp)},
    {"velocity", SCREE_VALUE_FLOAT, 3, MOTION(velocity)},
    {"axis", SCREE_VALUE_FLOAT, 3, MOTION(axis)},
    {"point", SCREE_VALUE_FLOAT, 3, MOTION(point)},
    {"speed", SCREE_VALUE_DOUBLE, 1, MOTION(speed)},
    {"amplitude", SCREE_VALUE_DOUBLE, 1, MOTION(amplitude)},
    {"frequency", SCREE_VALUE_DOUBLE, 1, MOTION(frequency)},
    {"phase", SCREE_VALUE_DOUBLE, 1, MOTION(phase)},
    {"keys", SCREE_VALUE_INT32, 1, MOTION(key_count)},
};
static const scree_column key_columns[] = {
    {"time", SCREE_VALUE_DOUBLE, 1, KEY(time)},
    {"offset", SCREE_VALUE_FLOAT, 3, KEY(offset)},
    {"rotation", SCREE_VALUE_FLOAT, 4, KEY(rotation)},
};
static const scree_column gravity_columns[] = {
    {"time", SCREE_VALUE_DOUBLE, 1, offsetof(scree_gravity_key, time)},
    {"gravity", SCREE_VALUE_FLOAT, 3, offsetof(scree_gravity_key, gravity)},
};

#define FLOW(field) offsetof(flow_row, item.field)

_Static_assert(sizeof(scree_zone_kind) == 4 && sizeof(scree_body_type) == 4, "the columns give these types");

static const scree_column flow_columns[] = {
    {"generation", SCREE_VALUE_UINT32, 1, FLOW(generation)},
    {"inlet", SCREE_VALUE_UINT8, 1, offsetof(flow_row, is_inlet)},
    {"waiting", SCREE_VALUE_UINT8, 1, offsetof(flow_row, waiting)},
    {"begin", SCREE_VALUE_DOUBLE, 1, FLOW(begin)},
    {"grains", SCREE_VALUE_UINT64, 1, FLOW(grains)},
    {"mass", SCREE_VALUE_DOUBLE, 1, FLOW(mass)},
    {"first_grain", SCREE_VALUE_UINT64, 1, FLOW(first_grain)},
    {"first_mass", SCREE_VALUE_DOUBLE, 1, FLOW(first_mass)},
    {"attempts", SCREE_VALUE_UINT64, 1, FLOW(attempts)},
    {"zone", SCREE_VALUE_INT32, 1, FLOW(inlet.zone.kind)},
    {"zone_size", SCREE_VALUE_FLOAT, 3, FLOW(inlet.zone.size)},
    {"zone_position", SCREE_VALUE_FLOAT, 3, FLOW(inlet.zone.position)},
    {"zone_rotation", SCREE_VALUE_FLOAT, 4, FLOW(inlet.zone.rotation)},
    {"type", SCREE_VALUE_INT32, 1, FLOW(inlet.body.type)},
    {"shape", SCREE_VALUE_INT32, 1, FLOW(inlet.body.shape.kind)},
    {"size", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.shape.size)},
    {"geometry", SCREE_VALUE_INT32, 1, offsetof(flow_row, geometry)},
    {"material", SCREE_VALUE_UINT32, 1, FLOW(inlet.body.material.index)},
    {"material_generation", SCREE_VALUE_UINT32, 1, FLOW(inlet.body.material.generation)},
    {"position", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.state.position)},
    {"rotation", SCREE_VALUE_FLOAT, 4, FLOW(inlet.body.state.rotation)},
    {"velocity", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.state.linear_velocity)},
    {"angular_velocity", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.state.angular_velocity)},
    {"given_mass", SCREE_VALUE_FLOAT, 1, FLOW(inlet.body.mass)},
    {"given_inertia", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.inertia)},
    {"gravity_scale", SCREE_VALUE_FLOAT, 1, FLOW(inlet.body.gravity_scale)},
    {"locks", SCREE_VALUE_UINT32, 1, FLOW(inlet.body.locks)},
    {"force", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.force)},
    {"torque", SCREE_VALUE_FLOAT, 3, FLOW(inlet.body.torque)},
    {"groups", SCREE_VALUE_UINT32, 1, FLOW(inlet.body.groups)},
    {"mask", SCREE_VALUE_UINT32, 1, FLOW(inlet.body.mask)},
    {"user_data", SCREE_VALUE_UINT64, 1, FLOW(inlet.body.user_data)},
    {"sizes", SCREE_VALUE_INT32, 1, FLOW(inlet.size_count)},
    {"random_rotation", SCREE_VALUE_UINT8, 1, offsetof(flow_row, random_rotation)},
    {"mass_rate", SCREE_VALUE_DOUBLE, 1, FLOW(inlet.mass_rate)},
    {"rate", SCREE_VALUE_DOUBLE, 1, FLOW(inlet.rate)},
    {"start", SCREE_VALUE_DOUBLE, 1, FLOW(inlet.start)},
    {"stop", SCREE_VALUE_DOUBLE, 1, FLOW(inlet.stop)},
    {"count", SCREE_VALUE_UINT64, 1, FLOW(inlet.count)},
    {"seed", SCREE_VALUE_UINT64, 1, FLOW(inlet.seed)},
    {"outlet", SCREE_VALUE_INT32, 1, FLOW(outlet.zone.kind)},
    {"outlet_size", SCREE_VALUE_FLOAT, 3, FLOW(outlet.zone.size)},
    {"outlet_position", SCREE_VALUE_FLOAT, 3, FLOW(outlet.zone.position)},
    {"outlet_rotation", SCREE_VALUE_FLOAT, 4, FLOW(outlet.zone.rotation)},
    {"outside", SCREE_VALUE_UINT8, 1, offsetof(flow_row, outside)},
    {"stops", SCREE_VALUE_UINT8, 1, offsetof(flow_row, stops)},
    {"closed", SCREE_VALUE_UINT8, 1, offsetof(flow_row, inlet_closed)},
    {"outlet_closed", SCREE_VALUE_UINT8, 1, offsetof(flow_row, outlet_closed)},
};
static const scree_column size_columns[] = {{"size", SCREE_VALUE_FLOAT, 1, 0}};

#define TABLE(title, list, row)                                                                              \
    { .name = title, .columns = list, .column_count = COUNT(list), .row_size = sizeof(row) }
#define ROWS(counter, array) offsetof(state_rows, counter), offsetof(state_rows, array)

const scree_table state_world_table = TABLE("world", world_columns, world_row);
const state_table state_tables[STATE_TABLES] = {
    {TABLE("note", note_columns, char), ROWS(note_length, note), NULL},
    {TABLE("materials", material_columns, material_row), ROWS(material_count, materials), NULL},
    {TABLE("material_pairs", material_pair_columns, material_pair), ROWS(material_pair_count, material_pairs),
     NULL},
    {TABLE("bodies", slot_columns, slot_row), ROWS(slot_count, slots), state_make_slots},
    {TABLE("contact_pairs", pair_columns, pair_row), ROWS(pair_count, pairs), state_make_pairs},
    {TABLE("contact_points", point_columns, point_row), ROWS(point_count, points), state_make_points},
    {TABLE("joints", joint_columns, joint_row), ROWS(joint_count, joints), NULL},
    {TABLE("joint_axes", axis_columns, scree_joint_axis), ROWS(axis_count, axes), NULL},
    {TABLE("kinematic_groups", kinematic_group_columns, kinematic_group_row),
     ROWS(kinematic_group_count, kinematic_groups), NULL},
    {TABLE("assembly_bodies", carried_columns, carried_row), ROWS(carried_count, carried), NULL},
    {TABLE("motions", motion_columns, scree_motion_def), ROWS(motion_count, motions), NULL},
    {TABLE("motion_keys", key_columns, scree_motion_key), ROWS(key_count, keys), NULL},
    {TABLE("flows", flow_columns, flow_row), ROWS(flow_count, flows), NULL},
    {TABLE("inlet_sizes", size_columns, float), ROWS(size_count, sizes), NULL},
    {TABLE("gravity_keys", gravity_columns, scree_gravity_key), ROWS(gravity_count, gravity), NULL},
};
