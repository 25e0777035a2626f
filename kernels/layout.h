/* Structs that cross between host and device. Their sizes are multiples of 16 bytes: a vec3s and one scalar
 * make one 128-bit word. Sizes and offsets are asserted here and probed on each device (probe.cl). */
#ifndef SCREE_KERNELS_LAYOUT_H
#define SCREE_KERNELS_LAYOUT_H

#include "hull_table.h"
#include "kinds.h"

/* Pose of a body: centre of mass (m) and body-to-world rotation. */
typedef struct body_pose {
    vec3s position;
    scalar reserved;
    versors rotation;
} WORDS body_pose;

/* Rounding of a pose: the body is at position + remainder.position (m) and turned from the rotation by the
 * rotation vector remainder.rotation (rad, world axes). Motion that is smaller in a step than the spacing of
 * the pose's numbers accumulates here. */
typedef struct body_remainder {
    vec3s position;
    scalar reserved;
    vec3s rotation;
    scalar reserved_rotation;
} WORDS body_remainder;

/* Velocity of a body in world axes: m/s and rad/s. */
typedef struct body_velocity {
    vec3s linear;
    scalar reserved;
    vec3s angular;
    scalar reserved_angular;
} WORDS body_velocity;

/* Type of a body's slot. */
typedef enum slot_type { SLOT_FREE, SLOT_STATIC, SLOT_KINEMATIC, SLOT_DYNAMIC } slot_type;

/* Half-space in the broadphase: the points where normal · (x − origin) ≤ padding, or that get there while the
 * plane rotates. */
typedef struct body_plane {
    vec3s normal;
    scalar padding; /* m */
    vec3s origin;
    scalar rotation_angle; /* rad within the step, about the origin */
    int slot;
    int reserved[3];
} WORDS body_plane;

/* Constants of a body's shape that its record has (body_record.h). */
typedef struct record_shape {
    vec3s halves;          /* m: half extents of a box; x: radius of a ball; else 0 */
    scalar half_width;     /* half the smallest width of the body's own shape, m */
    scalar turning_radius; /* bounds_turning_radius of that shape, m; infinite for a half-space */
    scalar radius;         /* of the shape that other bodies touch: for a box half its diagonal, m */
    int kind;              /* RECORD_BALL, … */
    int reserved;
} WORDS record_shape;

/* The shape that other bodies touch, if it is a ball or a convex shape: a body of any kind has a row. */
typedef struct convex_shape {
    vec3s size;                         /* as in scree_shape */
    scalar width;                       /* half its smallest width, m */
    int kind;                           /* shape_kind */
    int corner_count, side_count;       /* of a hull */
    int first_corner, first_side;       /* indices in the tables of all hulls */
    float middle_x, middle_y, middle_z; /* of its box, from its origin along its own axes, m */
} WORDS convex_shape;

/* Mass properties: principal moments about the body's axes (kg m²) and mass (kg). Zero mass: immovable
 * (static, kinematic and dead bodies). */
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

/* M⁻¹ of one body in world axes, locks included: the inverse mass per axis (1/kg), and the symmetric inverse
 * inertia (1/(kg m²)) as its diagonal (xx, yy, zz) and its off-diagonal (yz, xz, xy). */
typedef struct body_mobility {
    vec3s inverse_mass;
    scalar reserved;
    vec3s diagonal;
    scalar reserved_diagonal;
    vec3s off_diagonal;
    scalar reserved_off_diagonal;
} WORDS body_mobility;

/* Split counts of a body: the number of blocks among which a mass-split update divides its mass, ≥ 1. */
typedef struct body_split {
    scalar all;       /* all blocks of the body: for an update of all blocks */
    scalar remainder; /* its blocks in the uncoloured remainder: for an update of the remainder alone */
    scalar reserved, reserved_remainder;
} WORDS body_split;

/* Three rows (n, t₁, t₂ = n × t₁) between bodies a and b, n from a to b. Each kind reads its own fields only;
 * the exception is a contact's surface velocity, which is stored in `rolling` and `spinning`. The first 64
 * bytes are what sweeps of contacts of balls read: two of the three sectors of 32 bytes that a device loads.
 */
typedef struct constraint_block {
    vec3s arm_a;       /* linear rows: from a's centre of mass to the contact or joint, m */
    scalar bias;       /* contact: added to q_N for stabilisation, speculative gap, restitution; m/s */
    vec3s arm_b;       /* linear rows: from b's centre of mass, m */
    scalar correction; /* contact: q_N of the position pass of `split`, m/s; filled before that pass */
    vec3s normal;
    scalar friction; /* contact: μ */
    vec3s tangent;
    scalar compliance; /* contact: CFM/h, added to A_NN; 1/kg; −0: bounces (displacement.h) */
    int body_a, body_b;
    short kind; /* block_kind: a contact, the resistance (resistance.h) of the contact before it, or bounded
                   rows */
    short angular;   /* 1: rows of angular velocity, u = s ω */
    int rows;        /* bounded rows: index among the problem's bounded_rows */
    scalar closing;  /* contact: `split`: of the position pass (displacement.h); `substep`: bias of the relax
                        sweep; m/s */
    scalar rolling;  /* resistance: l_r/s; contact: surface velocity (block.h) along t₁, m/s */
    scalar spinning; /* resistance: l_s/s; contact: surface velocity along t₂, m/s */
    scalar length;   /* angular rows: s in u = s ω, r = τ/s; m */
} WORDS constraint_block;

/* Parameters of three bounded rows (bounded_rows.h): u = J V + bias + compliance r, low ≤ r ≤ high. In the
 * position pass of `split`, u = J P + correction and the bounds are push_low and push_high. A row with low =
 * high has a prescribed impulse and is not solved; its u counts as 0 everywhere. */
typedef struct bounded_rows {
    vec3s low; /* N s */
    scalar reserved_low;
    vec3s high;
    scalar reserved_high;
    vec3s bias; /* m/s */
    scalar reserved_bias;
    vec3s compliance; /* 1/kg */
    scalar reserved_compliance;
    vec3s closing; /* the same as of a contact, m/s */
    scalar reserved_closing;
    vec3s
        correction; /* filled before the position pass, m/s; `substep`: compliance of the relax sweep, 1/kg */
    scalar reserved_correction;
    vec3s push_low; /* N s */
    scalar reserved_push_low;
    vec3s push_high;
    scalar reserved_push_high;
} WORDS bounded_rows;

/* A_cc of a block in its frame, compliance included, and the inverses that its solution needs repeatedly. */
typedef struct block_diagonal {
    vec3s diagonal;         /* (NN, T₁T₁, T₂T₂), 1/kg */
    scalar inverse_normal;  /* 1/A_NN, 0 if nothing can move */
    vec3s off_diagonal;     /* (T₁T₂, NT₂, NT₁) */
    scalar inverse_tangent; /* 1/A_TT if A_cc = diag(A_NN, A_TT, A_TT), as for spheres; else 0 */
} WORDS block_diagonal;

/* The mobility of the bodies of a contact of balls, which is one number for pushes (1/kg) and one for turns
 * (1/(kg m²)), both 0 for a fixed body. */
typedef struct ball_mobility {
    scalar push_a, turn_a, push_b, turn_b;
} WORDS ball_mobility;

/* r of one block in its frame (n, t₁, t₂), N s. */
typedef struct block_impulse {
    vec3s value;
    scalar shift; /* μ‖u_T‖ as last read, m/s; held constant by accelerated iterations under Coulomb's law */
} WORDS block_impulse;

/* Momentum of an accelerated iteration. */
typedef struct nesterov_state {
    uniform t, extrapolation; /* Nesterov's sequence, and β */
    int restarts;
    float ceiling; /* upper bound of t, if the device determines it */
} WORDS nesterov_state;

/* Blocks of one pair of bodies: consecutive, updated one after another by one work-item. */
typedef struct block_group {
    int body_a, body_b;
    int first, count;
} WORDS block_group;

/* Movable body of a joint tree (joint_tree.h), with the joint that leads to its parent. The root has parent
 * −1; its joint, if any, leads to an immovable body. */
typedef struct joint_node {
    int body, other, parent;      /* slots of the body and of the one that the joint leads to; node */
    int first_child, child_count; /* nodes */
    int row_count;
    int rows[6]; /* solved rows of the joint: 4 block + axis */
} joint_node;

/* Numbers in a vector of a tree: six, of rows or of the linear and angular components of a body, as
 * body_velocity has them. Matrices have up to six columns of them. */
enum { TREE_NUMBERS = 8, TREE_ENTRIES = 6 * TREE_NUMBERS };

/* Factors of a node (joint_tree.h). Those marked * are zero in leaves, which need none. */
typedef struct joint_factor {
    scalar bias[TREE_NUMBERS], compliance[TREE_NUMBERS];          /* of the rows in the pass */
    scalar jacobian[TREE_ENTRIES], parent_jacobian[TREE_ENTRIES]; /* J_c, J_p: a column for each component */
    scalar response[TREE_ENTRIES], parent_response[TREE_ENTRIES]; /* M⁻¹ Jᵀ: a column for each row */
    scalar hold[TREE_ENTRIES];                                    /* Λ */
    scalar lift[TREE_ENTRIES], lift_back[TREE_ENTRIES];           /* W = J_pᵀ Λ, Wᵀ */
    scalar pass[TREE_ENTRIES], pass_back[TREE_ENTRIES];           /* * T = W J_c M̂⁻¹, Tᵀ */
    scalar push[TREE_ENTRIES], push_back[TREE_ENTRIES];           /* * G = M̂⁻¹ J_cᵀ Λ, Gᵀ */
    scalar yield[TREE_ENTRIES];                                   /* * N = M̂⁻¹ − G J_c M̂⁻¹ */
} joint_factor;

/* Values passed between nodes during a solve. */
typedef struct joint_node_state {
    scalar residual[TREE_NUMBERS]; /* of the joint's rows, m/s */
    scalar force[TREE_NUMBERS];    /* linear and angular impulse on the body from its children's joints */
    scalar lifted[TREE_NUMBERS];   /* linear and angular impulse on the parent from this joint */
    scalar velocity[TREE_NUMBERS]; /* change of the body's velocity */
    scalar change[TREE_NUMBERS];   /* change of the rows' impulses after rounding */
    scalar before[TREE_NUMBERS];   /* previous impulses of the rows, N s */
    scalar stood[TREE_NUMBERS];    /* previous velocity of the body */
} joint_node_state;

/* Contribution of one block to the residual, to its scale (squares), and its size. */
typedef struct block_residual {
    scalar map;     /* ‖F‖² */
    scalar impulse; /* ‖r‖² */
    scalar drive;   /* ‖F‖² at r = 0 */
    scalar change;  /* ‖r − r_previous‖² */
    scalar violation; /* ‖F‖²/ρ², a squared velocity; if nothing can move, the square of a closing u_N; 0 if
                         the rounding of velocities hides it */
    scalar free;      /* violation at r = 0 */
    scalar reserved, reserved_residual;
} WORDS block_residual;

/* Work-items per work-group; launches are padded to a multiple of it. Those of manifolds.cl keep contacts in
 * local memory: 18 KB for 32 of them, and every device has 32 KB. */
enum { WORK_GROUP = 64, MANIFOLD_GROUP = 32 };

/* Number of blocks whose residuals one work-group sums in order. The host adds these sums in order, so the
 * result does not depend on how the work was distributed. */
enum { RESIDUAL_CHUNK = 256 };

/* Number of a body's blocks that one work-item sums at a time, where a problem has an uncoloured remainder.
 * Without a remainder a body has few blocks: at most one group per colour. */
enum { GATHER_PIECE = 256 };

/* Kinds of sweep in one iteration. */
enum { SWEEP_FORWARD = 0, SWEEP_BOTH_WAYS = 1, SWEEP_JACOBI = 2 };

/* Entry of the order in which bundles are swept: the group's index above ORDER_SHIFT bits, and two flags that
 * mark the group as the first of the sweep for its body a or b. */
enum { ORDER_FIRST_A = 1, ORDER_FIRST_B = 2, ORDER_SHIFT = 2 };

/* Iterations between two readings of Coulomb's shift. */
enum { SHIFT_ITERATIONS = 2 };

/* Parameters that kernels read. Laws are numbered as in scree_law. */
typedef struct solve_parameters {
    int law;
    int position_pass; /* 1: the second pass of `split`: bias = correction, no friction, no compliance, V* = 0
                        */
    int split;         /* 0: plain A_cc; 1: mass-split by body_split.all; 2: by body_split.remainder */
    float relaxation; /* ω; this and the ceiling are float in any precision, so that both precisions share one
                         struct */
    int local_sweeps; /* consecutive sweeps over a group's blocks */
    int backward;     /* 1: a group's blocks are swept from last to first */
    int held_shift;   /* 1: û = u + (shift, 0, 0) with a constant shift, under the convex law */
    int read_shift;   /* 1: shifts are updated between iterations */
    float ceiling;    /* upper bound of the momentum's t; 0: the ceiling of nesterov_state */
    int unit_measure; /* 1: natural map with ρ = 1, for comparison with other solvers; 0: ρ = 3/trace(A_cc) */
    float violation_limit; /* (m/s)²: blocks that violate their law by more are counted; 0: no count */
    int reserved;
} WORDS solve_parameters;

/* Parameters of the free motion and of the integration. */
typedef struct motion_parameters {
    vec3s gravity;
    scalar time_step;
} WORDS motion_parameters;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(body_plane) == 8 * sizeof(scalar) + 16, "body_plane");
STATIC_ASSERT(sizeof(body_pose) == 8 * sizeof(scalar), "body_pose");
STATIC_ASSERT(sizeof(body_remainder) == 8 * sizeof(scalar), "body_remainder");
STATIC_ASSERT(sizeof(body_velocity) == 8 * sizeof(scalar), "body_velocity");
STATIC_ASSERT(sizeof(body_load) == 8 * sizeof(scalar), "body_load");
STATIC_ASSERT(sizeof(record_shape) == 6 * sizeof(scalar) + 8, "record_shape");
STATIC_ASSERT(sizeof(convex_shape) == 4 * sizeof(scalar) + 32, "convex_shape");
STATIC_ASSERT(sizeof(body_mass) == 6 * sizeof(scalar) + 8, "body_mass");
STATIC_ASSERT(sizeof(body_mobility) == 12 * sizeof(scalar), "body_mobility");
STATIC_ASSERT(sizeof(body_split) == 4 * sizeof(scalar), "body_split");
STATIC_ASSERT(sizeof(constraint_block) == 20 * sizeof(scalar) + 16, "constraint_block");
STATIC_ASSERT(sizeof(bounded_rows) == 32 * sizeof(scalar), "bounded_rows");
STATIC_ASSERT(sizeof(block_diagonal) == 8 * sizeof(scalar), "block_diagonal");
STATIC_ASSERT(sizeof(ball_mobility) == 4 * sizeof(scalar), "ball_mobility");
STATIC_ASSERT(sizeof(block_impulse) == 4 * sizeof(scalar), "block_impulse");
STATIC_ASSERT(sizeof(nesterov_state) == 2 * sizeof(scalar) + 8, "nesterov_state");
STATIC_ASSERT(sizeof(block_group) == 16, "block_group");
STATIC_ASSERT(sizeof(joint_node) == 48, "joint_node");
STATIC_ASSERT(sizeof(joint_factor) == (2 * TREE_NUMBERS + 12 * TREE_ENTRIES) * sizeof(scalar),
              "joint_factor");
STATIC_ASSERT(sizeof(joint_node_state) == 7 * TREE_NUMBERS * sizeof(scalar), "joint_node_state");
STATIC_ASSERT(sizeof(block_residual) == 8 * sizeof(scalar), "block_residual");
#endif

#endif
