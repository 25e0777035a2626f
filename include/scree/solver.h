/** @file
 * Methods, friction laws and stabilisation of the contact solver, and the report of a solve.
 *
 * Notation: r impulse (N s), u relative velocity (m/s), A the Delassus operator, V velocities before and V*
 * after free motion, c the gap (m, negative for an overlap), h the time step (s). A subscript N denotes the
 * normal component, T the tangential ones. */
#ifndef SCREE_SOLVER_H
#define SCREE_SOLVER_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The iterative method. */
typedef enum scree_method {
    SCREE_METHOD_PGS,    /**< coloured projected block Gauss–Seidel with relaxation ω */
    SCREE_METHOD_JACOBI, /**< block Jacobi with mass splitting: each body's mass is split among its blocks */
    SCREE_METHOD_ACCELERATED_JACOBI, /**< jacobi with Nesterov momentum and gradient restart */
    SCREE_METHOD_ACCELERATED_PGS, /**< pgs with Nesterov momentum and restart; after the first fallback each
                                     iteration sweeps forwards and backwards */
    SCREE_METHOD_COUNT
} scree_method;

/** The friction law of a contact; K = { ‖r_T‖ ≤ μ r_N }, K* its dual cone. */
typedef enum scree_law {
    SCREE_LAW_COULOMB, /**< exact: K* ∋ u + (μ‖u_T‖, 0, 0) ⟂ r ∈ K (Moreau 1988; De Saxcé 1992) */
    SCREE_LAW_PYRAMID, /**< |r_T,i| ≤ μ r_N for each of two tangents: anisotropic by up to √2 (ODE) */
    SCREE_LAW_ASSOCIATED, /**< K* ∋ u ⟂ r ∈ K: convex, the minimum of energy; sliding contacts separate at
                             μ‖u_T‖ (Anitescu & Tasora 2010) */
    SCREE_LAW_RADIAL, /**< r = Π(r − A_cc⁻¹ u): the unconstrained solution of a block, its normal part clamped
                         at 0, then its tangential part scaled back to μ r_N (Nakaoka et al. 2007) */
    SCREE_LAW_COUNT
} scree_law;

/** How overlap is removed. Each scheme defines q in u = A r + q. */
typedef enum scree_stabilisation {
    SCREE_STABILISATION_BAUMGARTE, /**< q_N = J V* + (β/h) c where c < 0 (Baumgarte 1972) */
    SCREE_STABILISATION_SOFT,  /**< contact spring, implicit Euler: β = hk/(hk+d), and 1/(h(hk+d)) added to
                                  A_NN */
    SCREE_STABILISATION_SPLIT, /**< pseudo-velocities move positions by β c and never enter V */
    SCREE_STABILISATION_RELAXED, /**< q = J V* − (1 − 2ζh/δ) J V + (h/δ²) c where c < 0, with c = 0 in the
                                    tangential rows: overlap and slip follow c̈ + (2ζ/δ) ċ + c/δ² = 0 */
    /** Spring and dashpot with the spring force at the start of the step, as in discrete element codes: q_N =
       J V* + (k/d) c, and 1/(hd) added to A_NN, with d at least hk, which is stable for any k. Differs from
       `soft` by O(h). */
    SCREE_STABILISATION_PENALTY,
    /** `substeps` small steps for each step, each with one sweep over contacts and joints as springs of
       `contact_frequency`, an update of the positions, and one sweep without bias. Gaps follow the bodies;
       contacts are those found at the start of the step. `iterations` and tolerances are not used, and the
       residual is that of the last sweep (Macklin et al. 2019, Small steps in physics simulation; Catto,
       Solver2D, 2024). */
    SCREE_STABILISATION_SUBSTEP,
    SCREE_STABILISATION_COUNT
} scree_stabilisation;

/** Named sets of solver settings: iterations, tolerance, reduction, local_sweeps and direct_joints, and the
 * stabilisation with its parameters: `realtime` selects `substep`, the other presets replace `substep` with
 * `split`. `scree presets` prints the values; bench/performance.md has measurements. */
typedef enum scree_preset {
    SCREE_PRESET_FAST,     /**< for real time */
    SCREE_PRESET_BALANCED, /**< the default, also for grains */
    SCREE_PRESET_ACCURATE, /**< for tall stacks, large mass ratios and loaded joints; packed beds of grains do
                              not reach its tolerance */
    SCREE_PRESET_REALTIME, /**< a fixed cost: substeps of two sweeps each */
    SCREE_PRESET_COUNT
} scree_preset;

/** Reasons for the end of a solve. */
typedef enum scree_stop {
    SCREE_STOP_NONE,       /**< nothing to solve */
    SCREE_STOP_ITERATIONS, /**< the iteration limit was reached, or the residual no longer fell */
    SCREE_STOP_RESIDUAL, /**< scaled residual ≤ tolerance, and reduction and violation tolerance are met */
    SCREE_STOP_CHANGE, /**< ‖Δr‖ ≤ change_tolerance ‖r‖ over one iteration; in `reference` ≤ 1e-12 ‖r‖ (locks
                          that contradict each other by round-off) */
    /** Stand-alone problems only (problem.h): proof that no solution exists, because contacts press against
       each other, in balance on every body, while the problem closes them. Impulses would grow without bound;
       r is meaningless. In worlds see scree_world_find_infeasible. */
    SCREE_STOP_INFEASIBLE,
    SCREE_STOP_COUNT
} scree_stop;

/** Returns the name of a method in scenes and on the command line, such as "pgs"; null outside the range. */
SCREE_API const char *scree_method_name(scree_method method);
/** Returns the name of a law, such as "coulomb"; null outside the range. */
SCREE_API const char *scree_law_name(scree_law law);
/** Returns the name of a stabilisation, such as "split"; null outside the range. */
SCREE_API const char *scree_stabilisation_name(scree_stabilisation stabilisation);
/** Returns the name of a stop reason, such as "residual"; null outside the range. */
SCREE_API const char *scree_stop_name(scree_stop stop);
/** Returns the name of a preset, such as "fast"; null outside the range. */
SCREE_API const char *scree_preset_name(scree_preset preset);

/** Parameters of `baumgarte`. */
typedef struct scree_baumgarte_def {
    float error_reduction;  /**< β: fraction of the overlap removed in one step, 0 … 1 */
    float correction_speed; /**< largest velocity that removes overlap, m/s, > 0. Bodies with an initial
                               overlap d separate at β d/h, at most this */
} scree_baumgarte_def;

/** Spring and damper of a contact. Bodies with an initial overlap d separate with at most the energy k d²/2.
 */
typedef struct scree_contact_spring {
    float stiffness; /**< k, N/m, > 0 */
    float damping;   /**< d, N s/m, ≥ 0 */
} scree_contact_spring;

/** Parameters of `split`. */
typedef struct scree_split_def {
    float error_reduction; /**< β: fraction of the overlap removed in one step, 0 … 1 */
    /** Largest pseudo-velocity that removes overlap, m/s, > 0. Bodies with an initial overlap separate at
     * rest. */
    float correction_speed;
    /** Largest number of sweeps of the position pass in a step, 1 … 1 000 000. In steps in which a body moves
     * by more than 1/8 of the smallest body's half size, up to seven times `iterations` sweeps follow while a
     * contact would sink by more than 1/300 of that half size. */
    int position_iterations;
    bool position_follows; /**< true: without joints, the position pass makes at least as many sweeps as the
                              velocity pass made iterations, since slow modes affect both */
    float position_tolerance; /**< scaled residual at which the position pass stops; 0: not tested */
} scree_split_def;

/** Parameters of `relaxed`. */
typedef struct scree_relaxed_def {
    float relaxation_time;  /**< δ, s, > 0; at least 2 max(1, ζ) h is used */
    float damping_ratio;    /**< ζ ≥ 0; 1 is critical, below it an overlap oscillates */
    float correction_speed; /**< largest velocity that removes overlap, m/s, > 0; bounds the speed at which
                               bodies with an initial overlap separate */
} scree_relaxed_def;

/** Parameters of `substep`. */
typedef struct scree_substep_def {
    int substeps; /**< substeps of a step, 1 … 1000 */
    /** Frequency of the spring of a contact or joint with its effective mass, Hz, ≥ 0, at most 0.15 of the
     * substep rate for contacts, since stacks rock for ever on stiffer ones, and 0.25 for joints; 0: `spring`
     * replaces it. A column of n cubes of side a buckles on springs below 0.16 n^1.5 √(g/a). */
    float contact_frequency;
    float contact_damping_ratio; /**< damping ratio of this spring, ≥ 0; not used by `spring` */
    /** Largest velocity that removes overlap, m/s, > 0; not used by `spring`, whose force follows from its
     * compression. Two isolated balls with an initial overlap separate at rest, while other bodies keep up to
     * a part of this speed because the single sweep without bias does not remove all of it. */
    float correction_speed;
    scree_contact_spring spring; /**< used if `contact_frequency` is 0 */
} scree_substep_def;

/** Settings that every solve uses, and the parameters of its stabilisation. A parenthesis names the methods
 * that use the field. */
typedef struct scree_solver_def {
    scree_method method;
    scree_law law;
    int iterations; /**< largest number of iterations of a solve, 1 … 1 000 000. A step may run several solves
                       (new contacts found, warm start scaled back) */
    float tolerance; /**< scaled residual to stop at; 0: not tested, all iterations are made */
    /** Velocity by which a block may break its law, as a fraction of the velocity h ‖g‖ that gravity adds in
     * a step. The residual is global, so slow or light bodies are masked by fast or heavy ones. A step
     * therefore also continues while more than one block in a thousand exceeds this velocity, or any block
     * exceeds five times this. 0: not tested. */
    float violation_tolerance;
    /** Fraction of the residual at the warm start that a step may leave, 0 … 1. `tolerance` ends a solve only
     * if the residual is at most this fraction of its initial value, or 2e-6, the resolution of single
     * precision. 1: not tested. Prevents slow rocking of stacks, which the residual barely shows while the
     * warm start carries errors from step to step. */
    float reduction;
    float change_tolerance; /**< relative change of r to stop at; 0: not tested. If tested, momentum is kept
                               to the end; otherwise the last third of the iterations has none */
    int check_every;        /**< iterations between two tests of the tolerances, 1 … 1 000 000 */
    float relaxation;       /**< ω of SOR, in (0, 2); 1 is plain Gauss–Seidel; ≤ 1 for jacobi */
    /** Sweeps over the contacts of a pair of bodies before the next pair, 1 … 64; pairs with one contact make
     * one (pgs). For pairs with two to four contacts and no other blocks half of them, rounded down, solve
     * the normal impulses only, except under the associated and radial laws. */
    int local_sweeps;
    bool warm_start; /**< start from the cached impulses of the contacts, and the position pass from its
                        cached pushes */
    /** Direct solution of joint trees: every iteration also solves the unbounded rows of joints exactly
     * (locked axes, springs, drives of unlimited force; not limits, motors or friction) along trees of
     * bodies. Chains and hanging loads then take a few iterations, whatever their length and masses. Left to
     * the sweeps: loops, trees with two fixed places, rows that the locked axes of their body keep it from
     * following, two joints between the same bodies, and trees that sweeps solve at less cost: at most three
     * bodies deep, in which no body carries more than twice its mass. If round-off would make it worse than
     * the sweeps' result, that is kept. Loads are held while h √(g M/(m ℓ)) is small: see
     * host/step/README.md. Not available in `reference`. */
    bool direct_joints;
    int colours; /**< largest number of colours, 1 … 32; joints beyond take up to 64 more, and further pairs
                    (the uncoloured remainder) are solved with mass splitting */
    float slop;  /**< overlap that stabilisation tolerates, m, ≥ 0 */
    float restitution_speed; /**< approach speed below which contacts do not bounce, m/s, ≥ 0 */
    /** Selects the member of the union below; change it with scree_solver_def_with_stabilisation. */
    scree_stabilisation stabilisation;
    union {
        scree_baumgarte_def baumgarte;
        scree_contact_spring soft;
        scree_split_def split;
        scree_relaxed_def relaxed;
        scree_contact_spring penalty;
        scree_substep_def substep;
    };
} scree_solver_def;

/** Returns the preset `balanced` with accelerated-pgs, coulomb, violation tolerance 0.1, checks every 4
 * iterations, ω = 1, warm start, 32 colours, slop 0, restitution from 0.5 m/s, and split.
 *
 * `split` is the default because a warm-started solve far from convergence acts on the overlap like an
 * integrator with delay: with `baumgarte`, a tall stack rocks if the iterations of a step reduce the error of
 * its slowest mode by less than about β. `relaxed` rocks for the same reason: eight cubes of 0.2 m at 0.08
 * m/s, at a mean residual of 7e-4. They stand without warm start, and with 300 iterations and a tolerance of
 * 1e-5, as with the preset `accurate`. */
SCREE_API scree_solver_def scree_default_solver_def(void);
/** Returns `def` with the fields of a preset (see scree_preset) replaced, or unchanged if the preset is out
 * of range. Example: scree_solver_def_with_preset(scree_default_solver_def(), SCREE_PRESET_FAST). */
SCREE_API scree_solver_def scree_solver_def_with_preset(scree_solver_def def, scree_preset preset);
/** Returns `def` with a stabilisation and its default parameters: β = 0.2, correction speed 3 m/s, 15
 * position iterations, k = 1e6 N/m, d = 1e3 N s/m, δ = 0.05 s, ζ = 1, 8 substeps, 1000 Hz, contact damping
 * ratio 3. Returns `def` unchanged if it has that stabilisation already, or if the stabilisation is out of
 * range. */
SCREE_API scree_solver_def scree_solver_def_with_stabilisation(scree_solver_def def,
                                                               scree_stabilisation stabilisation);
/** Checks the range of every field. Errors: ARGUMENT (names the field). */
SCREE_API scree_result scree_validate_solver_def(const scree_solver_def *def);

/** Result and accuracy of a solve. The residual is based on the natural map of the law,
 *
 *     F_c = r_c − P(r_c − ρ_c (u_c + (μ‖u_T‖, 0, 0))),   ρ_c = 3/trace(A_cc),
 *
 * for each block c, with P the projection on K. `associated` omits the shift; `pyramid` omits it and projects
 * on its box; `radial` uses F = r − Π(r − A_cc⁻¹ u). ‖F_c‖ of a contact is at least ρ_c max(0, −u_N), because
 * the projection alone would divide this by a large μ (not for `radial`). The scaled residual is the larger
 * of
 *
 *     ‖F‖₂ / max(‖r‖₂, ‖F⁰‖₂)   over all blocks   and   0.001 max ‖F_c‖/ρ_c / max ‖F⁰_c‖/ρ_c,
 *
 * where F⁰ is F at r = 0, u = q: what happens if no block acts. For a contact that is at most ρ_c max(0,
 * −q_N) along the normal, and friction with it: an open contact, a limit that nothing reaches and an unloaded
 * contact, however fast it slides, have F⁰ = 0. The residual and the violation do therefore not depend on
 * bodies that touch nothing, on a constant velocity of everything or on axes.
 *
 * The weight of the violation lets it decide only for problems without a solution, and where impulses are
 * thousands of times what the velocities q explain.
 *
 * ‖F_c‖/ρ_c is the velocity by which a block breaks its law; for a contact whose bodies cannot move it is
 * −u_N > 0. In single precision it counts as 0 up to 1e-6 of the velocities that u_c is the difference of,
 * and the residual is 0 where that is so for every block, at r and at r = 0. In double precision the
 * round-off ε‖r_c‖ is added to ‖F_c‖, so that it does not hide q. The first measure alone would certify
 * problems without a solution: their impulses grow without bound and ‖F‖/‖r‖ tends to zero while bodies are
 * pressed into each other.
 *
 * Both measures are global, so slow contacts are masked by fast ones. A step is therefore not accepted while
 * single blocks exceed scree_solver_def.violation_tolerance, and scree_world_find_infeasible considers
 * contacts one by one. `violation` is the number to watch: a heavy body that sinks into light ones, a load
 * that slips from a gripper and a body that is crushed leave small residuals. Piles at rest reach 1e-3 and
 * less; `scree run` counts steps above 0.2 as unsolved. At the end of a solve, a stand-alone problem is
 * searched in components, sets of blocks that are coupled directly or through others. If the violation of a
 * component exceeds the tolerance relative to its own max ‖F⁰_c‖/ρ_c and the component is proven to have no
 * solution, the solve ends with SCREE_STOP_INFEASIBLE.
 *
 * Rolling and spinning friction are separate blocks of angular velocities times a length s and torque
 * impulses over s: F = r − P(r − ρ u) with |r_1| ≤ (l_s/s) r_N, ‖(r_2, r_3)‖ ≤ (l_r/s) r_N. s is the radius
 * of gyration of the pair, s² = Σ 3/m / Σ trace(I⁻¹), so that all rows have equal units and comparable
 * effect. With cohesion, r is the impulse without the cohesive force (material.h). */
typedef struct scree_solve_report {
    int iterations;         /**< iterations made */
    scree_stop stop;        /**< reason for the end */
    double residual_before; /**< scaled residual at the warm start */
    double residual;        /**< scaled residual of the result; NaN if impulses are too far apart (1e38) to be
                               squared */
    double residual_absolute; /**< largest ‖F_c‖ of the result, N s */
    double violation; /**< max ‖F_c‖/ρ_c / max ‖F⁰_c‖/ρ_c of the result, without the weight */
    double change;    /**< ‖Δr‖ / ‖r‖ of the last tested iteration; 0 if never tested */
    int restarts;  /**< restarts of the momentum, where a step reversed the previous one (accelerated methods)
                    */
    int fallbacks; /**< returns to the best iterate for 20 iterations without momentum, after the residual
                      rose above 20 times its best value */
} scree_solve_report;

#ifdef __cplusplus
}
#endif
#endif
