#include <scree/tools/checkpoint.h>

#include "checkpoint_state.h"
#include "geometry_table.h"
#include "hdf5_file.h"
#include "checksum.h"

#include <string.h>

/* Increment whenever a table changes. */
enum { VERSION = 24 };
static const char kind[] = "checkpoint", purpose[] = "a scree checkpoint";

_Static_assert(sizeof(scree_method) == 4 && sizeof(scree_law) == 4 && sizeof(scree_stabilisation) == 4 &&
                   sizeof(scree_shape_kind) == 4 && sizeof(int) == 4 && sizeof(bool) == 1 &&
                   sizeof(scalar) == 4,
               "the tables below give these types to HDF5");

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define WORLD(field) offsetof(world_row, field)
#define SLOT(field) offsetof(slot_row, field)
#define PAIR(field) offsetof(pair_row, field)
#define POINT(field) offsetof(point_row, field)
#define MATERIAL(field) offsetof(material_row, field)
#define BETWEEN(field) offsetof(material_pair, field)

static const hdf5_column world_columns[] = {
    {"gravity", HDF5_FLOAT, 3, WORLD(def.gravity)},
    {"period", HDF5_FLOAT, 3, WORLD(def.period)},
    {"period_centre", HDF5_FLOAT, 3, WORLD(def.period_centre)},
    {"time_step", HDF5_DOUBLE, 1, WORLD(def.time_step)},
    {"speculative_distance", HDF5_FLOAT, 1, WORLD(def.speculative_distance)},
    {"material_friction", HDF5_FLOAT, 1, WORLD(def.material.friction)},
    {"material_restitution", HDF5_FLOAT, 1, WORLD(def.material.restitution)},
    {"material_density", HDF5_FLOAT, 1, WORLD(def.material.density)},
    {"material_rolling_friction", HDF5_FLOAT, 1, WORLD(def.material.rolling_friction)},
    {"material_spinning_friction", HDF5_FLOAT, 1, WORLD(def.material.spinning_friction)},
    {"material_cohesion", HDF5_FLOAT, 1, WORLD(def.material.cohesion)},
    {"material_cohesion_distance", HDF5_FLOAT, 1, WORLD(def.material.cohesion_distance)},
    {"material_stiffness", HDF5_FLOAT, 1, WORLD(def.material.stiffness)},
    {"material_damping", HDF5_FLOAT, 1, WORLD(def.material.damping)},
    {"material_name", HDF5_UINT8, SCREE_MATERIAL_NAME_SIZE, WORLD(def.material.name)},
    {"method", HDF5_INT32, 1, WORLD(def.solver.method)},
    {"law", HDF5_INT32, 1, WORLD(def.solver.law)},
    {"iterations", HDF5_INT32, 1, WORLD(def.solver.iterations)},
    {"tolerance", HDF5_FLOAT, 1, WORLD(def.solver.tolerance)},
    {"violation_tolerance", HDF5_FLOAT, 1, WORLD(def.solver.violation_tolerance)},
    {"reduction", HDF5_FLOAT, 1, WORLD(def.solver.reduction)},
    {"change_tolerance", HDF5_FLOAT, 1, WORLD(def.solver.change_tolerance)},
    {"local_sweeps", HDF5_INT32, 1, WORLD(def.solver.local_sweeps)},
    {"position_iterations", HDF5_INT32, 1, WORLD(stabilisation.position_iterations)},
    {"position_follows", HDF5_UINT8, 1, WORLD(stabilisation.position_follows)},
    {"position_tolerance", HDF5_FLOAT, 1, WORLD(stabilisation.position_tolerance)},
    {"check_every", HDF5_INT32, 1, WORLD(def.solver.check_every)},
    {"relaxation", HDF5_FLOAT, 1, WORLD(def.solver.relaxation)},
    {"warm_start", HDF5_UINT8, 1, WORLD(def.solver.warm_start)},
    {"direct_joints", HDF5_UINT8, 1, WORLD(def.solver.direct_joints)},
    {"colours", HDF5_INT32, 1, WORLD(def.solver.colours)},
    {"stabilisation", HDF5_INT32, 1, WORLD(def.solver.stabilisation)},
    {"error_reduction", HDF5_FLOAT, 1, WORLD(stabilisation.error_reduction)},
    {"stiffness", HDF5_FLOAT, 1, WORLD(stabilisation.stiffness)},
    {"damping", HDF5_FLOAT, 1, WORLD(stabilisation.damping)},
    {"relaxation_time", HDF5_FLOAT, 1, WORLD(stabilisation.relaxation_time)},
    {"damping_ratio", HDF5_FLOAT, 1, WORLD(stabilisation.damping_ratio)},
    {"substeps", HDF5_INT32, 1, WORLD(stabilisation.substeps)},
    {"contact_frequency", HDF5_FLOAT, 1, WORLD(stabilisation.contact_frequency)},
    {"contact_damping_ratio", HDF5_FLOAT, 1, WORLD(stabilisation.contact_damping_ratio)},
    {"correction_speed", HDF5_FLOAT, 1, WORLD(stabilisation.correction_speed)},
    {"slop", HDF5_FLOAT, 1, WORLD(def.solver.slop)},
    {"restitution_speed", HDF5_FLOAT, 1, WORLD(def.solver.restitution_speed)},
    {"maximum_bodies", HDF5_INT32, 1, WORLD(def.maximum_bodies)},
    {"maximum_contacts", HDF5_INT32, 1, WORLD(def.maximum_contacts)},
    {"steps", HDF5_UINT64, 1, WORLD(steps)},
    {"steps_before", HDF5_UINT64, 1, WORLD(steps_before)},
    {"time_before", HDF5_DOUBLE, 1, WORLD(time_before)},
    {"gravity_begin", HDF5_DOUBLE, 1, WORLD(gravity_begin)},
    {"free_head", HDF5_INT32, 1, WORLD(free_head)},
    {"feasible_next", HDF5_INT32, 1, WORLD(feasible.next)},
    {"feasible_wait", HDF5_INT32, 1, WORLD(feasible.wait)},
    {"feasible_extra", HDF5_INT32, 1, WORLD(feasible.extra)},
    {"feasible_turn", HDF5_UINT32, 1, WORLD(feasible.turn)},
    {"feasible_least", HDF5_DOUBLE, 1, WORLD(feasible.least)},
    {"feasible_credit", HDF5_DOUBLE, 1, WORLD(feasible.credit)},
    {"feasible_proven", HDF5_UINT8, 1, WORLD(feasible_proven)},
    {"feasible_a", HDF5_UINT32, 1, WORLD(feasible.bodies[0].index)},
    {"feasible_a_generation", HDF5_UINT32, 1, WORLD(feasible.bodies[0].generation)},
    {"feasible_b", HDF5_UINT32, 1, WORLD(feasible.bodies[1].index)},
    {"feasible_b_generation", HDF5_UINT32, 1, WORLD(feasible.bodies[1].generation)},
};
static const hdf5_column note_columns[] = {{"text", HDF5_UINT8, 1, 0}};
static const hdf5_column material_columns[] = {
    {"friction", HDF5_FLOAT, 1, MATERIAL(def.friction)},
    {"restitution", HDF5_FLOAT, 1, MATERIAL(def.restitution)},
    {"density", HDF5_FLOAT, 1, MATERIAL(def.density)},
    {"rolling_friction", HDF5_FLOAT, 1, MATERIAL(def.rolling_friction)},
    {"spinning_friction", HDF5_FLOAT, 1, MATERIAL(def.spinning_friction)},
    {"cohesion", HDF5_FLOAT, 1, MATERIAL(def.cohesion)},
    {"cohesion_distance", HDF5_FLOAT, 1, MATERIAL(def.cohesion_distance)},
    {"stiffness", HDF5_FLOAT, 1, MATERIAL(def.stiffness)},
    {"damping", HDF5_FLOAT, 1, MATERIAL(def.damping)},
    {"name", HDF5_UINT8, SCREE_MATERIAL_NAME_SIZE, MATERIAL(def.name)},
    {"generation", HDF5_UINT32, 1, MATERIAL(generation)},
};
static const hdf5_column material_pair_columns[] = {
    {"a", HDF5_INT32, 1, BETWEEN(a)},
    {"b", HDF5_INT32, 1, BETWEEN(b)},
    {"friction", HDF5_FLOAT, 1, BETWEEN(contact.friction)},
    {"restitution", HDF5_FLOAT, 1, BETWEEN(contact.restitution)},
    {"rolling_friction", HDF5_FLOAT, 1, BETWEEN(contact.rolling_friction)},
    {"spinning_friction", HDF5_FLOAT, 1, BETWEEN(contact.spinning_friction)},
    {"cohesion", HDF5_FLOAT, 1, BETWEEN(contact.cohesion)},
    {"cohesion_distance", HDF5_FLOAT, 1, BETWEEN(contact.cohesion_distance)},
    {"stiffness", HDF5_FLOAT, 1, BETWEEN(contact.stiffness)},
    {"damping", HDF5_FLOAT, 1, BETWEEN(contact.damping)},
};
static const hdf5_column slot_columns[] = {
    {"type", HDF5_UINT8, 1, SLOT(type)},
    {"generation", HDF5_UINT32, 1, SLOT(generation)},
    {"next_free", HDF5_INT32, 1, SLOT(next_free)},
    {"material", HDF5_INT32, 1, SLOT(material)},
    {"shape", HDF5_INT32, 1, SLOT(shape.kind)},
    {"size", HDF5_FLOAT, 3, SLOT(shape.size)},
    {"geometry", HDF5_INT32, 1, SLOT(geometry)},
    {"position", HDF5_FLOAT, 3, SLOT(pose.position)},
    {"rotation", HDF5_FLOAT, 4, SLOT(pose.rotation)},
    {"velocity", HDF5_FLOAT, 3, SLOT(velocity.linear)},
    {"angular_velocity", HDF5_FLOAT, 3, SLOT(velocity.angular)},
    {"earlier_velocity", HDF5_FLOAT, 3, SLOT(earlier.linear)},
    {"earlier_angular_velocity", HDF5_FLOAT, 3, SLOT(earlier.angular)},
    {"mass", HDF5_FLOAT, 1, SLOT(mass.mass)},
    {"inertia", HDF5_FLOAT, 3, SLOT(mass.inertia)},
    {"gravity_scale", HDF5_FLOAT, 1, SLOT(mass.gravity_scale)},
    {"locks", HDF5_INT32, 1, SLOT(mass.locks)},
    {"force", HDF5_FLOAT, 3, SLOT(load.force)},
    {"torque", HDF5_FLOAT, 3, SLOT(load.torque)},
    {"constant_force", HDF5_FLOAT, 3, SLOT(constant_load.force)},
    {"constant_torque", HDF5_FLOAT, 3, SLOT(constant_load.torque)},
    {"given_mass", HDF5_FLOAT, 1, SLOT(settings.mass)},
    {"given_inertia", HDF5_FLOAT, 3, SLOT(settings.inertia)},
    {"surface_velocity", HDF5_FLOAT, 3, SLOT(settings.surface_velocity)},
    {"groups", HDF5_UINT32, 1, SLOT(settings.groups)},
    {"mask", HDF5_UINT32, 1, SLOT(settings.mask)},
    {"user_data", HDF5_UINT64, 1, SLOT(settings.user_data)},
    {"periods", HDF5_INT32, 3, SLOT(cells)},
};
static const hdf5_column pair_columns[] = {
    {"a", HDF5_INT32, 1, PAIR(a)},
    {"b", HDF5_INT32, 1, PAIR(b)},
    {"count", HDF5_INT32, 1, PAIR(count)},
    {"colour", HDF5_INT32, 1, PAIR(colour)},
    {"hits", HDF5_INT32, 1, PAIR(hits)},
    {"normal", HDF5_FLOAT, 3, PAIR(normal)},
    {"part", HDF5_INT32, 1, PAIR(part)},
    {"image", HDF5_INT32, 1, PAIR(image)},
    {"foreseen", HDF5_INT32, 1, PAIR(predicted)},
};
static const hdf5_column point_columns[] = {
    {"position", HDF5_FLOAT, 3, POINT(position)},
    {"gap", HDF5_FLOAT, 1, POINT(gap)},
    {"feature", HDF5_UINT32, 1, POINT(feature)},
    {"impulse", HDF5_FLOAT, 3, POINT(impulse)},
    {"torque", HDF5_FLOAT, 3, POINT(torque)},
    {"pull", HDF5_FLOAT, 1, POINT(pull)},
    {"push", HDF5_FLOAT, 1, POINT(push)},
    {"bias", HDF5_FLOAT, 1, POINT(bias)},
    {"compliance", HDF5_FLOAT, 1, POINT(compliance)},
};

#define JOINT(field) offsetof(joint_row, field)
#define AXIS(field) offsetof(scree_joint_axis, field)

_Static_assert(sizeof(scree_joint_kind) == 4 && sizeof(scree_axis_mode) == 4 && sizeof(scree_drive) == 4 &&
                   sizeof(scree_spring) == 16,
               "the tables below give these types to HDF5");

static const hdf5_column joint_columns[] = {
    {"kind", HDF5_INT32, 1, JOINT(def.kind)},
    {"a", HDF5_UINT32, 1, JOINT(def.a.index)},
    {"a_generation", HDF5_UINT32, 1, JOINT(def.a.generation)},
    {"b", HDF5_UINT32, 1, JOINT(def.b.index)},
    {"b_generation", HDF5_UINT32, 1, JOINT(def.b.generation)},
    {"anchor_a", HDF5_FLOAT, 3, JOINT(def.anchor_a)},
    {"anchor_b", HDF5_FLOAT, 3, JOINT(def.anchor_b)},
    {"frame_a", HDF5_FLOAT, 4, JOINT(def.frame_a)},
    {"frame_b", HDF5_FLOAT, 4, JOINT(def.frame_b)},
    {"collide", HDF5_UINT8, 1, JOINT(collide)},
    {"break_force", HDF5_FLOAT, 1, JOINT(def.break_force)},
    {"break_torque", HDF5_FLOAT, 1, JOINT(def.break_torque)},
    {"user_data", HDF5_UINT64, 1, JOINT(def.user_data)},
    {"impulses", HDF5_FLOAT, 3 * JOINT_BLOCKS, JOINT(state.impulses)},
    {"pushes", HDF5_FLOAT, 3 * JOINT_BLOCKS, JOINT(state.pushes)},
    {"position", HDF5_FLOAT, SCREE_AXIS_COUNT, JOINT(state.position)},
    {"force", HDF5_FLOAT, 3, JOINT(state.force)},
    {"torque", HDF5_FLOAT, 3, JOINT(state.torque)},
    {"periods", HDF5_INT32, 3, JOINT(state.periods)},
    {"colour", HDF5_INT32, 1, JOINT(state.colour)},
    {"broken", HDF5_UINT8, 1, JOINT(broken)},
    {"generation", HDF5_UINT32, 1, JOINT(generation)},
    {"free_rank", HDF5_INT32, 1, JOINT(free_rank)},
};
static const hdf5_column axis_columns[] = {
    {"mode", HDF5_INT32, 1, AXIS(mode)},         {"low", HDF5_FLOAT, 1, AXIS(low)},
    {"high", HDF5_FLOAT, 1, AXIS(high)},         {"spring", HDF5_FLOAT, 4, AXIS(spring)},
    {"drive", HDF5_INT32, 1, AXIS(drive)},       {"target", HDF5_FLOAT, 1, AXIS(target)},
    {"servo", HDF5_FLOAT, 4, AXIS(servo)},       {"max_force", HDF5_FLOAT, 1, AXIS(max_force)},
    {"friction", HDF5_FLOAT, 1, AXIS(friction)},
};

#define KINEMATIC_GROUP(field) offsetof(kinematic_group_row, field)
#define MOTION(field) offsetof(scree_motion_def, field)
#define KEY(field) offsetof(scree_motion_key, field)

_Static_assert(sizeof(scree_motion_kind) == 4, "the tables below give this type to HDF5");

static const hdf5_column kinematic_group_columns[] = {
    {"generation", HDF5_UINT32, 1, KINEMATIC_GROUP(generation)},
    {"begin", HDF5_DOUBLE, 1, KINEMATIC_GROUP(begin)},
    {"bodies", HDF5_INT32, 1, KINEMATIC_GROUP(bodies)},
    {"motions", HDF5_INT32, 1, KINEMATIC_GROUP(motions)},
};
static const hdf5_column carried_columns[] = {
    {"slot", HDF5_INT32, 1, offsetof(carried_row, slot)},
    {"position", HDF5_FLOAT, 3, offsetof(carried_row, from.position)},
    {"rotation", HDF5_FLOAT, 4, offsetof(carried_row, from.rotation)},
};
static const hdf5_column motion_columns[] = {
    {"kind", HDF5_INT32, 1, MOTION(kind)},
    {"start", HDF5_DOUBLE, 1, MOTION(start)},
    {"stop", HDF5_DOUBLE, 1, MOTION(stop)},
    {"ramp", HDF5_DOUBLE, 1, MOTION(ramp)},
    {"velocity", HDF5_FLOAT, 3, MOTION(velocity)},
    {"axis", HDF5_FLOAT, 3, MOTION(axis)},
    {"point", HDF5_FLOAT, 3, MOTION(point)},
    {"speed", HDF5_DOUBLE, 1, MOTION(speed)},
    {"amplitude", HDF5_DOUBLE, 1, MOTION(amplitude)},
    {"frequency", HDF5_DOUBLE, 1, MOTION(frequency)},
    {"phase", HDF5_DOUBLE, 1, MOTION(phase)},
    {"keys", HDF5_INT32, 1, MOTION(key_count)},
};
static const hdf5_column key_columns[] = {
    {"time", HDF5_DOUBLE, 1, KEY(time)},
    {"offset", HDF5_FLOAT, 3, KEY(offset)},
    {"rotation", HDF5_FLOAT, 4, KEY(rotation)},
};
static const hdf5_column gravity_columns[] = {
    {"time", HDF5_DOUBLE, 1, offsetof(scree_gravity_key, time)},
    {"gravity", HDF5_FLOAT, 3, offsetof(scree_gravity_key, gravity)},
};

#define FLOW(field) offsetof(flow_row, item.field)

_Static_assert(sizeof(scree_zone_kind) == 4 && sizeof(scree_body_type) == 4,
               "the tables below give these types to HDF5");

static const hdf5_column flow_columns[] = {
    {"generation", HDF5_UINT32, 1, FLOW(generation)},
    {"inlet", HDF5_UINT8, 1, offsetof(flow_row, is_inlet)},
    {"waiting", HDF5_UINT8, 1, offsetof(flow_row, waiting)},
    {"begin", HDF5_DOUBLE, 1, FLOW(begin)},
    {"grains", HDF5_UINT64, 1, FLOW(grains)},
    {"mass", HDF5_DOUBLE, 1, FLOW(mass)},
    {"first_grain", HDF5_UINT64, 1, FLOW(first_grain)},
    {"first_mass", HDF5_DOUBLE, 1, FLOW(first_mass)},
    {"attempts", HDF5_UINT64, 1, FLOW(attempts)},
    {"zone", HDF5_INT32, 1, FLOW(inlet.zone.kind)},
    {"zone_size", HDF5_FLOAT, 3, FLOW(inlet.zone.size)},
    {"zone_position", HDF5_FLOAT, 3, FLOW(inlet.zone.position)},
    {"zone_rotation", HDF5_FLOAT, 4, FLOW(inlet.zone.rotation)},
    {"type", HDF5_INT32, 1, FLOW(inlet.body.type)},
    {"shape", HDF5_INT32, 1, FLOW(inlet.body.shape.kind)},
    {"size", HDF5_FLOAT, 3, FLOW(inlet.body.shape.size)},
    {"geometry", HDF5_INT32, 1, offsetof(flow_row, geometry)},
    {"material", HDF5_UINT32, 1, FLOW(inlet.body.material.index)},
    {"material_generation", HDF5_UINT32, 1, FLOW(inlet.body.material.generation)},
    {"position", HDF5_FLOAT, 3, FLOW(inlet.body.state.position)},
    {"rotation", HDF5_FLOAT, 4, FLOW(inlet.body.state.rotation)},
    {"velocity", HDF5_FLOAT, 3, FLOW(inlet.body.state.linear_velocity)},
    {"angular_velocity", HDF5_FLOAT, 3, FLOW(inlet.body.state.angular_velocity)},
    {"given_mass", HDF5_FLOAT, 1, FLOW(inlet.body.mass)},
    {"given_inertia", HDF5_FLOAT, 3, FLOW(inlet.body.inertia)},
    {"gravity_scale", HDF5_FLOAT, 1, FLOW(inlet.body.gravity_scale)},
    {"locks", HDF5_UINT32, 1, FLOW(inlet.body.locks)},
    {"force", HDF5_FLOAT, 3, FLOW(inlet.body.force)},
    {"torque", HDF5_FLOAT, 3, FLOW(inlet.body.torque)},
    {"groups", HDF5_UINT32, 1, FLOW(inlet.body.groups)},
    {"mask", HDF5_UINT32, 1, FLOW(inlet.body.mask)},
    {"user_data", HDF5_UINT64, 1, FLOW(inlet.body.user_data)},
    {"sizes", HDF5_INT32, 1, FLOW(inlet.size_count)},
    {"random_rotation", HDF5_UINT8, 1, offsetof(flow_row, random_rotation)},
    {"mass_rate", HDF5_DOUBLE, 1, FLOW(inlet.mass_rate)},
    {"rate", HDF5_DOUBLE, 1, FLOW(inlet.rate)},
    {"start", HDF5_DOUBLE, 1, FLOW(inlet.start)},
    {"stop", HDF5_DOUBLE, 1, FLOW(inlet.stop)},
    {"count", HDF5_UINT64, 1, FLOW(inlet.count)},
    {"seed", HDF5_UINT64, 1, FLOW(inlet.seed)},
    {"outlet", HDF5_INT32, 1, FLOW(outlet.zone.kind)},
    {"outlet_size", HDF5_FLOAT, 3, FLOW(outlet.zone.size)},
    {"outlet_position", HDF5_FLOAT, 3, FLOW(outlet.zone.position)},
    {"outlet_rotation", HDF5_FLOAT, 4, FLOW(outlet.zone.rotation)},
    {"outside", HDF5_UINT8, 1, offsetof(flow_row, outside)},
    {"stops", HDF5_UINT8, 1, offsetof(flow_row, stops)},
    {"closed", HDF5_UINT8, 1, offsetof(flow_row, inlet_closed)},
    {"outlet_closed", HDF5_UINT8, 1, offsetof(flow_row, outlet_closed)},
};
static const hdf5_column size_columns[] = {{"size", HDF5_FLOAT, 1, 0}};

#define MEASUREMENT(field) offsetof(measurement_row, item.field)

_Static_assert(sizeof(scree_measurement_kind) == 4, "the tables below give these types to HDF5");

static const hdf5_column measurement_columns[] = {
    {"generation", HDF5_UINT32, 1, MEASUREMENT(generation)},
    {"kind", HDF5_INT32, 1, MEASUREMENT(def.kind)},
    {"name", HDF5_UINT8, SCREE_MEASUREMENT_NAME_SIZE, MEASUREMENT(name)},
    {"every_steps", HDF5_UINT64, 1, MEASUREMENT(def.every.steps)},
    {"every_seconds", HDF5_DOUBLE, 1, MEASUREMENT(def.every.seconds)},
    {"sample_every", HDF5_UINT64, 1, MEASUREMENT(def.sample_every)},
    {"bodies", HDF5_INT32, 1, MEASUREMENT(def.body_count)},
    {"point", HDF5_FLOAT, 3, MEASUREMENT(def.point)},
    {"everywhere", HDF5_UINT8, 1, offsetof(measurement_row, everywhere)},
    {"paused", HDF5_UINT8, 1, offsetof(measurement_row, paused)},
    {"zone", HDF5_INT32, 1, MEASUREMENT(def.zone.kind)},
    {"zone_size", HDF5_FLOAT, 3, MEASUREMENT(def.zone.size)},
    {"zone_position", HDF5_FLOAT, 3, MEASUREMENT(def.zone.position)},
    {"zone_rotation", HDF5_FLOAT, 4, MEASUREMENT(def.zone.rotation)},
    {"cells", HDF5_INT32, 3, MEASUREMENT(def.cells)},
    {"range", HDF5_DOUBLE, 1, MEASUREMENT(def.range)},
    {"size_above", HDF5_DOUBLE, 1, MEASUREMENT(def.size_above)},
    {"material", HDF5_UINT32, 1, MEASUREMENT(def.material.index)},
    {"material_generation", HDF5_UINT32, 1, MEASUREMENT(def.material.generation)},
    {"samples", HDF5_UINT64, 1, MEASUREMENT(samples)},
    {"row_step", HDF5_UINT64, 1, MEASUREMENT(row_step)},
    {"row_samples", HDF5_UINT64, 1, MEASUREMENT(row_samples)},
    {"row_time", HDF5_DOUBLE, 1, MEASUREMENT(row_time)},
    {"values", HDF5_INT32, 1, MEASUREMENT(value_count)},
};
static const hdf5_column measurement_body_columns[] = {
    {"index", HDF5_UINT32, 1, offsetof(scree_body_id, index)},
    {"generation", HDF5_UINT32, 1, offsetof(scree_body_id, generation)},
};
static const hdf5_column measurement_value_columns[] = {{"value", HDF5_DOUBLE, 1, 0}};

#define TABLE(name, columns, row)                                                                            \
    { name, columns, COUNT(columns), sizeof(row) }

static const hdf5_table world_table = TABLE("world", world_columns, world_row);
static const hdf5_table note_table = TABLE("note", note_columns, char);
static const hdf5_table material_table_rows = TABLE("materials", material_columns, material_row);
static const hdf5_table material_pair_table = TABLE("material_pairs", material_pair_columns, material_pair);
static const hdf5_table slot_table = TABLE("bodies", slot_columns, slot_row);
static const hdf5_table pair_table = TABLE("contact_pairs", pair_columns, pair_row);
static const hdf5_table point_table = TABLE("contact_points", point_columns, point_row);
static const hdf5_table joint_table = TABLE("joints", joint_columns, joint_row);
static const hdf5_table axis_table = TABLE("joint_axes", axis_columns, scree_joint_axis);
static const hdf5_table kinematic_group_table =
    TABLE("assemblies", kinematic_group_columns, kinematic_group_row);
static const hdf5_table carried_table = TABLE("assembly_bodies", carried_columns, carried_row);
static const hdf5_table motion_table = TABLE("motions", motion_columns, scree_motion_def);
static const hdf5_table key_table = TABLE("motion_keys", key_columns, scree_motion_key);
static const hdf5_table flow_table = TABLE("flows", flow_columns, flow_row);
static const hdf5_table size_table = TABLE("inlet_sizes", size_columns, float);
static const hdf5_table measurement_table = TABLE("gauges", measurement_columns, measurement_row);
static const hdf5_table measurement_body_table =
    TABLE("gauge_bodies", measurement_body_columns, scree_body_id);
static const hdf5_table measurement_value_table = TABLE("gauge_values", measurement_value_columns, double);
static const hdf5_table gravity_table = TABLE("gravity_keys", gravity_columns, scree_gravity_key);

/* Writes bodies and contacts piece by piece from the world, so that the file is never in memory. */
static scree_result write_tables(hdf5_file *file, const checkpoint_state *state, const scree_world *world) {
    contact_set *contacts = world_contacts(world);
    checkpoint_points points = {.contacts = contacts};
    TRY(geometry_table_write(file, &state->geometries));
    TRY(hdf5_write(file, &world_table, &state->world, 1));
    TRY(hdf5_write(file, &note_table, state->note, (size_t)state->note_length));
    TRY(hdf5_write(file, &material_table_rows, state->materials, (size_t)state->material_count));
    TRY(hdf5_write(file, &material_pair_table, state->material_pairs, (size_t)state->material_pair_count));
    TRY(hdf5_write_made(file, &slot_table, checkpoint_make_slots, (void *)world,
                        (size_t)world->bodies.count));
    TRY(hdf5_write_made(file, &pair_table, checkpoint_make_pairs, contacts, (size_t)contacts->count));
    TRY(hdf5_write(file, &joint_table, state->joints, (size_t)state->joint_count));
    TRY(hdf5_write(file, &axis_table, state->axes, (size_t)state->axis_count));
    TRY(hdf5_write(file, &kinematic_group_table, state->kinematic_groups,
                   (size_t)state->kinematic_group_count));
    TRY(hdf5_write(file, &carried_table, state->carried, (size_t)state->carried_count));
    TRY(hdf5_write(file, &motion_table, state->motions, (size_t)state->motion_count));
    TRY(hdf5_write(file, &key_table, state->keys, (size_t)state->key_count));
    TRY(hdf5_write(file, &flow_table, state->flows, (size_t)state->flow_count));
    TRY(hdf5_write(file, &size_table, state->sizes, (size_t)state->size_count));
    TRY(hdf5_write(file, &measurement_table, state->measurements, (size_t)state->measurement_count));
    TRY(hdf5_write(file, &measurement_body_table, state->measurement_bodies,
                   (size_t)state->measurement_body_count));
    TRY(hdf5_write(file, &measurement_value_table, state->measurement_values,
                   (size_t)state->measurement_value_count));
    TRY(hdf5_write(file, &gravity_table, state->gravity, (size_t)state->gravity_count));
    return hdf5_write_made(file, &point_table, checkpoint_make_points, &points, (size_t)contacts->points);
}

static scree_result save(hdf5_file *file, const checkpoint_state *state, const scree_world *world) {
    TRY(write_tables(file, state, world));
    TRY(hdf5_finish(file));
    TRY(checksum_put(file->draft.descriptor, file->path, kind, VERSION));
    return hdf5_replace(file, true);
}

scree_result scree_checkpoint_save(const scree_world *world, const char *path) {
    REQUIRE(world);
    REQUIRE(path);
    checkpoint_state state;
    hdf5_file file;
    scree_result result = checkpoint_state_take(world, &state);
    if (result == SCREE_OK) result = hdf5_create(path, purpose, CHECKSUM_SIZE, &file);
    if (result == SCREE_OK) {
        result = save(&file, &state, world);
        hdf5_close(&file);
    }
    checkpoint_state_release(&state);
    return result;
}

static scree_result read_tables(hdf5_file *file, checkpoint_state *state) {
    TRY(hdf5_read(file, &world_table, &state->world, 1));
    TRY(hdf5_rows(file, &note_table, &state->note_length));
    TRY(hdf5_rows(file, &material_table_rows, &state->material_count));
    TRY(hdf5_rows(file, &material_pair_table, &state->material_pair_count));
    TRY(hdf5_rows(file, &slot_table, &state->slot_count));
    TRY(hdf5_rows(file, &pair_table, &state->pair_count));
    TRY(hdf5_rows(file, &point_table, &state->point_count));
    TRY(hdf5_rows(file, &joint_table, &state->joint_count));
    TRY(hdf5_rows(file, &axis_table, &state->axis_count));
    TRY(hdf5_rows(file, &kinematic_group_table, &state->kinematic_group_count));
    TRY(hdf5_rows(file, &carried_table, &state->carried_count));
    TRY(hdf5_rows(file, &motion_table, &state->motion_count));
    TRY(hdf5_rows(file, &key_table, &state->key_count));
    TRY(hdf5_rows(file, &flow_table, &state->flow_count));
    TRY(hdf5_rows(file, &size_table, &state->size_count));
    TRY(hdf5_rows(file, &measurement_table, &state->measurement_count));
    TRY(hdf5_rows(file, &measurement_body_table, &state->measurement_body_count));
    TRY(hdf5_rows(file, &measurement_value_table, &state->measurement_value_count));
    TRY(hdf5_rows(file, &gravity_table, &state->gravity_count));
    TRY(geometry_table_read(file, &state->geometries));
    TRY(checkpoint_state_reserve(state));
    TRY(hdf5_read(file, &joint_table, state->joints, (size_t)state->joint_count));
    TRY(hdf5_read(file, &axis_table, state->axes, (size_t)state->axis_count));
    TRY(hdf5_read(file, &kinematic_group_table, state->kinematic_groups,
                  (size_t)state->kinematic_group_count));
    TRY(hdf5_read(file, &carried_table, state->carried, (size_t)state->carried_count));
    TRY(hdf5_read(file, &motion_table, state->motions, (size_t)state->motion_count));
    TRY(hdf5_read(file, &key_table, state->keys, (size_t)state->key_count));
    TRY(hdf5_read(file, &flow_table, state->flows, (size_t)state->flow_count));
    TRY(hdf5_read(file, &size_table, state->sizes, (size_t)state->size_count));
    TRY(hdf5_read(file, &measurement_table, state->measurements, (size_t)state->measurement_count));
    TRY(hdf5_read(file, &measurement_body_table, state->measurement_bodies,
                  (size_t)state->measurement_body_count));
    TRY(hdf5_read(file, &measurement_value_table, state->measurement_values,
                  (size_t)state->measurement_value_count));
    TRY(hdf5_read(file, &gravity_table, state->gravity, (size_t)state->gravity_count));
    TRY(hdf5_read(file, &note_table, state->note, (size_t)state->note_length));
    TRY(hdf5_read(file, &material_table_rows, state->materials, (size_t)state->material_count));
    TRY(hdf5_read(file, &material_pair_table, state->material_pairs, (size_t)state->material_pair_count));
    TRY(hdf5_read(file, &slot_table, state->slots, (size_t)state->slot_count));
    TRY(hdf5_read(file, &pair_table, state->pairs, (size_t)state->pair_count));
    return hdf5_read(file, &point_table, state->points, (size_t)state->point_count);
}

static scree_result load(const char *path, checkpoint_state *state) {
    hdf5_file file;
    TRY(checksum_check(path, kind, VERSION));
    TRY(hdf5_open(path, purpose, &file));
    const scree_result result = read_tables(&file, state);
    hdf5_close(&file);
    TRY(result);
    if (checkpoint_state_link(state) != SCREE_OK || checkpoint_state_validate(state) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "'%s' is not %s", path, purpose);
    return SCREE_OK;
}

scree_result scree_checkpoint_load(const char *path, const scree_world_def *runtime, scree_world **out) {
    REQUIRE(path);
    REQUIRE(out);
    const scree_world_def automatic = scree_default_world_def();
    checkpoint_state state = {0};
    scree_result result = load(path, &state);
    if (result == SCREE_OK) {
        result = checkpoint_state_give(&state, runtime ? runtime : &automatic, out);
        if (result == SCREE_ERROR_FORMAT) fail_prefix(result, "'%s' is not %s", path, purpose);
    }
    checkpoint_state_release(&state);
    return result;
}
