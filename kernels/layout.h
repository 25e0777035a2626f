/* Every struct that crosses between host and device. All are 16-aligned by size: a vec3s and one scalar make
 * one 128-bit word. Sizes and offsets are asserted here and probed on each device (probe.cl). */
#ifndef SCREE_KERNELS_LAYOUT_H
#define SCREE_KERNELS_LAYOUT_H

#include "kinds.h"

/* Where a body is: centre of mass (m) and body-to-world rotation. */
typedef struct body_pose {
    vec3s position;
    scalar reserved;
    versors rotation;
} WORDS body_pose;

/* How a body moves: m/s and rad/s, world axes. */
typedef struct body_velocity {
    vec3s linear;
    scalar reserved;
    vec3s angular;
    scalar reserved_angular;
} WORDS body_velocity;

/* A corner of a convex hull, m from its centre along its axes, before it is scaled. */
typedef struct hull_corner {
    float x, y, z;
    int reserved;
} hull_corner;

enum { HULL_SIDE_CORNERS = 8 };

/* A flat side of a hull: its outward unit normal, and corners counter-clockwise as seen from outside. Of more
 * than there is room for, those that leave most of its area. */
typedef struct hull_side {
    float x, y, z;
    int count;
    int corners[HULL_SIDE_CORNERS];
} hull_side;

/* A hull, by reference: many bodies may have it. */
typedef struct hull_table {
    LOOKUP hull_corner *corners;
    LOOKUP hull_side *sides;
    int corner_count, side_count;
} hull_table;

/* What resists motion: principal moments about the body's axes (kg m²) and mass (kg). Zero mass: nothing
 * moves it (static, kinematic and dead bodies). */
typedef struct body_mass {
    vec3s inertia;
    scalar mass;
    scalar gravity_scale;
    scalar reserved_scalar;
    int locks; /* scree_lock bits */
    int reserved;
} WORDS body_mass;

/* External force (N) and torque (N m, world axes) during one step. */
typedef struct body_load {
    vec3s force;
    scalar reserved;
    vec3s torque;
    scalar reserved_torque;
} WORDS body_load;

/* M⁻¹ of one body in world axes, locks included: inverse mass per axis (1/kg), and the symmetric inverse
 * inertia (1/(kg m²)) as its diagonal (xx, yy, zz) and its off-diagonal (yz, xz, xy). */
typedef struct body_mobility {
    vec3s inverse_mass;
    scalar reserved;
    vec3s diagonal;
    scalar reserved_diagonal;
    vec3s off_diagonal;
    scalar reserved_off_diagonal;
} WORDS body_mobility;

/* Into how many parts a mass-split update divides a body's mass, ≥ 1. */
typedef struct body_split {
    scalar all;       /* blocks of the body: for an update of all blocks */
    scalar remainder; /* of them, those in the tail: for an update of the tail alone */
    scalar reserved, reserved_remainder;
} WORDS body_split;

/* Three rows (n, t₁, t₂ = n × t₁) between bodies a and b, n from a to b. The numbers of
 * another kind are not read. But for a contact's drift, each kind has fields of its own: these 96 bytes
 * lie in two cache lines of 64, as the 80 would in which kinds shared theirs. */
typedef struct constraint_block {
    int body_a, body_b;
    short kind; /* block_kind: a contact, the resistance (resistance.h) of the contact before it, bounded rows
                 */
    short angular;     /* 1: rows of angular velocity, u = s ω */
    int rows;          /* of bounded rows: their place among the problem's bounded_rows */
    vec3s arm_a;       /* of a contact from a's centre of mass to the contact point, m */
    scalar bias;       /* of a contact, added to q_N: stabilisation, speculative gap, restitution; m/s */
    vec3s arm_b;       /* the same from b's */
    scalar correction; /* of a contact q_N of the position pass of `split`, m/s; filled before that pass */
    vec3s normal;
    scalar friction; /* of a contact μ */
    vec3s tangent;
    scalar compliance; /* of a contact CFM/h, added to A_NN: 1/kg */
    scalar closing;    /* of a contact under `split` (displacement.h), m/s */
    scalar rolling;    /* of a resistance l_r/s; of a contact its drift (block.h) along t₁, m/s */
    scalar spinning;   /* of a resistance l_s/s; of a contact its drift along t₂ */
    scalar length;     /* of angular rows s, m: u = s ω, r = τ/s */
} WORDS constraint_block;

/* The numbers of three bounded rows (bounded_rows.h): u = J V + bias + compliance r, low ≤ r ≤ high. In the
 * position pass of `split` u = J P + correction, and the bounds are those of pushes. A row with low = high is
 * given, not solved: its u counts as 0 everywhere. */
typedef struct bounded_rows {
    vec3s low; /* N s */
    scalar reserved_low;
    vec3s high;
    scalar reserved_high;
    vec3s bias; /* m/s */
    scalar reserved_bias;
    vec3s compliance; /* 1/kg */
    scalar reserved_compliance;
    vec3s closing; /* under `split` (displacement.h), m/s */
    scalar reserved_closing;
    vec3s correction; /* filled before the position pass, m/s */
    scalar reserved_correction;
    vec3s push_low; /* N s */
    scalar reserved_push_low;
    vec3s push_high;
    scalar reserved_push_high;
} WORDS bounded_rows;

/* A_cc of a block in its frame, compliance included, and what its solution needs over and over. */
typedef struct block_diagonal {
    vec3s diagonal;         /* (NN, T₁T₁, T₂T₂), 1/kg */
    scalar inverse_normal;  /* 1/A_NN, 0 if nothing can move */
    vec3s off_diagonal;     /* (T₁T₂, NT₂, NT₁) */
    scalar inverse_tangent; /* 1/A_TT where A_cc = diag(A_NN, A_TT, A_TT), as for spheres; else 0 */
} WORDS block_diagonal;

/* r of one block in its frame (n, t₁, t₂), N s. */
typedef struct block_impulse {
    vec3s value;
    scalar shift; /* μ‖u_T‖ as last read, m/s: what an accelerated iteration under Coulomb's law holds */
} WORDS block_impulse;

/* The momentum of an accelerated iteration. */
typedef struct nesterov_state {
    uniform t, extrapolation; /* Nesterov's sequence, and β */
    int restarts;
    float ceiling; /* the most that t may be, where a device finds that by itself */
} WORDS nesterov_state;

/* The blocks of one pair of bodies: consecutive, and updated one after the other by one work-item. */
typedef struct block_group {
    int body_a, body_b;
    int first, count;
} WORDS block_group;

/* The batches (wide_batch.h) of a launch: from `first` up to `end`, `each` of them by a work-item one after
 * the other. Where one work-item has them all it may make so many `sweeps` over them; 1 otherwise. */
typedef struct batch_range {
    int first, end, each, sweeps;
} WORDS batch_range;

/* A movable body of a tree of joints (joint_tree.h) with the joint that leads to its parent. The root's
 * parent is −1: what its joint, if it has one, leads to does not move. */
typedef struct joint_node {
    int body, parent;             /* slot; node */
    int first_child, child_count; /* nodes */
    int row_count, reserved;
    int rows[6]; /* of the joint, those that are solved: 3 block + axis */
} joint_node;

/* What a node's share of the solution is made with (joint_tree.h): 6×6 matrices by columns, for vectors of
 * rows, of impulses and of velocities; rows that the joint lacks are zero. */
typedef struct joint_factor {
    scalar hold[36];  /* Λ */
    scalar lift[36];  /* W = J_pᵀ Λ */
    scalar pass[36];  /* T = W J_c M̂⁻¹ */
    scalar push[36];  /* G = M̂⁻¹ J_cᵀ Λ */
    scalar yield[36]; /* N = M̂⁻¹ − G J_c M̂⁻¹ */
} joint_factor;

/* What passes between nodes within a solve. */
typedef struct joint_node_state {
    scalar residual[6]; /* of the joint's rows, m/s */
    scalar force[6];    /* linear and angular impulse on the body from its children's joints */
    scalar lifted[6];   /* the same on the parent from this joint */
    scalar velocity[6]; /* by what the body's velocity changes */
    scalar change[6];   /* by what the rows' impulses have changed, as they are rounded */
    scalar before[6];   /* the rows' impulses before, in N s */
    scalar stood[6];    /* the body's velocity before */
    scalar reserved[2];
} joint_node_state;

/* What one block adds to the residual and its scale (squares), and its size. */
typedef struct block_residual {
    scalar map;     /* ‖F‖² */
    scalar impulse; /* ‖r‖² */
    scalar drive;   /* ‖ρ q‖² */
    scalar change;  /* ‖r − r_previous‖² */
    scalar
        violation; /* ‖F‖²/ρ², the square of a velocity; where nothing can move, of −u_N if that is above 0 */
    scalar free; /* ‖q‖² */
    scalar reserved, reserved_residual;
} WORDS block_residual;

/* Work-items per work-group; launches are padded to a multiple of it. */
enum { WORK_GROUP = 64 };

/* Blocks whose residuals are summed in their order by one work-group; the host adds the sums in theirs, so
 * that the result does not depend on how the work was spread. */
enum { RESIDUAL_CHUNK = 256 };

/* Blocks of a body whose impulses are summed as one where there is a tail, and each of them by a work-item of
 * its own: without one a body has few, as it has a group a colour. */
enum { GATHER_PIECE = 256 };

/* The sweeps of one iteration. */
enum { SWEEP_FORWARD = 0, SWEEP_BOTH_WAYS = 1, SWEEP_JACOBI = 2 };

/* An entry of the order in which bundles are swept: a group's number, and whether it is the first of the
 * sweep that its body a or b has. */
enum { ORDER_FIRST_A = 1, ORDER_FIRST_B = 2, ORDER_SHIFT = 2 };

/* Iterations between two readings of Coulomb's shift. */
enum { SHIFT_ITERATIONS = 2 };

/* The choices that kernels read; laws as in scree_law. */
typedef struct solve_parameters {
    int law;
    int position_pass; /* 1: the second pass of `split`: bias = correction, no friction, no compliance, V* = 0
                        */
    int split;         /* 0: A_cc as it is; 1: mass-split by shares.all; 2: by shares.tail */
    float relaxation;  /* ω; this and the ceiling are float in any precision, so that the struct is one */
    int local_sweeps;  /* sweeps over a group's blocks in a row */
    int backward;      /* 1: a group's blocks last to first */
    int held_shift;    /* 1: û = u + (shift, 0, 0) with the shift held, under the convex law */
    int read_shift;    /* 1: shifts are read anew between iterations */
    float ceiling;     /* the most that the momentum's t may be; 0: what its state says */
    int unit_measure;  /* 1: the natural map with ρ = 1, as others measure, else ρ = 3/trace(A_cc) */
    float violation_limit; /* square of a velocity, (m/s)²: blocks that break their law by more are counted;
                              0: they are not */
    int reserved;
} WORDS solve_parameters;

/* The choices of the free motion and of the integration. */
typedef struct motion_parameters {
    vec3s gravity;
    scalar time_step;
} WORDS motion_parameters;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(hull_corner) == 16, "hull_corner");
STATIC_ASSERT(sizeof(hull_side) == 48, "hull_side");
STATIC_ASSERT(sizeof(body_pose) == 8 * sizeof(scalar), "body_pose");
STATIC_ASSERT(sizeof(body_velocity) == 8 * sizeof(scalar), "body_velocity");
STATIC_ASSERT(sizeof(body_load) == 8 * sizeof(scalar), "body_load");
STATIC_ASSERT(sizeof(body_mass) == 6 * sizeof(scalar) + 8, "body_mass");
STATIC_ASSERT(sizeof(body_mobility) == 12 * sizeof(scalar), "body_mobility");
STATIC_ASSERT(sizeof(body_split) == 4 * sizeof(scalar), "body_shares");
STATIC_ASSERT(sizeof(constraint_block) == 20 * sizeof(scalar) + 16, "constraint_block");
STATIC_ASSERT(sizeof(bounded_rows) == 32 * sizeof(scalar), "bounded_rows");
STATIC_ASSERT(sizeof(block_diagonal) == 8 * sizeof(scalar), "block_diagonal");
STATIC_ASSERT(sizeof(block_impulse) == 4 * sizeof(scalar), "block_impulse");
STATIC_ASSERT(sizeof(nesterov_state) == 2 * sizeof(scalar) + 8, "nesterov_state");
STATIC_ASSERT(sizeof(block_group) == 16, "block_group");
STATIC_ASSERT(sizeof(batch_range) == 16, "batch_range");
STATIC_ASSERT(sizeof(joint_node) == 48, "joint_node");
STATIC_ASSERT(sizeof(joint_factor) == 180 * sizeof(scalar), "joint_factor");
STATIC_ASSERT(sizeof(joint_node_state) == 44 * sizeof(scalar), "joint_node_state");
STATIC_ASSERT(sizeof(block_residual) == 8 * sizeof(scalar), "block_residual");
#endif

#endif
