/** @file
 * How contacts are solved and stabilised, and what a solve reports. Notation: r impulse (N s), u relative
 * velocity (m/s), A the Delassus operator, c the gap (m, negative when overlapping), h the time step (s). */
#ifndef SCREE_SOLVER_H
#define SCREE_SOLVER_H

#include <scree/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The iteration. */
typedef enum scree_method {
    SCREE_METHOD_PGS,                /**< coloured projected block Gauss–Seidel with relaxation ω */
    SCREE_METHOD_JACOBI,             /**< block Jacobi, each body's mass shared among its blocks */
    SCREE_METHOD_ACCELERATED_JACOBI, /**< jacobi with Nesterov's momentum and gradient restart */
    SCREE_METHOD_ACCELERATED_PGS,    /**< pgs with Nesterov's momentum and restart; from a first fallback on
                                        each iteration sweeps forward and back */
    SCREE_METHOD_COUNT
} scree_method;

/** The friction law of a contact; K = { ‖r_T‖ ≤ μ r_N }, K* its dual. */
typedef enum scree_law {
    SCREE_LAW_COULOMB, /**< exact: K* ∋ u + (μ‖u_T‖, 0, 0) ⟂ r ∈ K (Moreau 1988; De Saxcé 1992) */
    SCREE_LAW_PYRAMID, /**< |r_T,i| ≤ μ r_N for each of two tangents: anisotropic by up to √2 (ODE) */
    SCREE_LAW_ASSOCIATED, /**< K* ∋ u ⟂ r ∈ K: convex, the minimum of energy; a sliding contact lifts off at
                             the rate μ‖u_T‖ (Anitescu & Tasora 2010) */
    SCREE_LAW_RADIAL, /**< r = Π(r − A_cc⁻¹ u): a block's solution without limits, its normal part clamped at
                         0 and its tangential part then cut back to μ r_N (Nakaoka et al. 2007) */
    SCREE_LAW_COUNT
} scree_law;

/** How overlap is removed; each is a statement about q in u = A r + q. */
typedef enum scree_stabilisation {
    SCREE_STABILISATION_BAUMGARTE, /**< q_N = J V* + (β/h) c where c < 0 (Baumgarte 1972) */
    SCREE_STABILISATION_SOFT,  /**< a contact spring: β = hk/(hk+d), and 1/(h(hk+d)) added to A_NN (implicit
                                  Euler) */
    SCREE_STABILISATION_SPLIT, /**< pseudo-velocities that move positions by β c and never enter V */
    SCREE_STABILISATION_RELAXED, /**< q = J V* − (1 − 2ζh/δ) J V + (h/δ²) c where c < 0, c = 0 in the
                                    tangential rows: overlap and slip follow c̈ + (2ζ/δ) ċ + c/δ² = 0 */
    SCREE_STABILISATION_PENALTY, /**< a spring and dashpot with the spring's force taken at the start of the
                                    step, as in discrete element codes: q_N = J V* + (k/d) c, and 1/(hd) added
                                    to A_NN, where d is at least hk, which is stable for any k; differs from
                                    `soft` by O(h) */
    SCREE_STABILISATION_SUBSTEP, /**< the step in `substeps` parts, of each a sweep over contacts and joints
                                    as springs of `contact_frequency`, and one without bias once positions
                                    have moved; gaps follow the bodies, contacts are those found at the start.
                                    `iterations` and tolerances do not count; the residual is that of the last
                                    sweep (Macklin et al. 2019, Small steps in physics simulation; Catto,
                                    Solver2D, 2024) */
    SCREE_STABILISATION_COUNT
} scree_stabilisation;

/** How much a step does, in a word: `fast` for real time, `balanced` the default, also for grains, `accurate`
 * for tall stacks and large mass ratios (packed beds of grains do not come to its tolerance), `realtime` for
 * a fixed price of eight parts of two sweeps (`substep`; from it the others go back to `split`). Each is a
 * set of values of the fields of scree_solver_def that it names; lengths and times of scenes with them are in
 * bench/README.md.
 *
 * | | iterations | tolerance | reduction | local_sweeps | position_iterations | substeps | direct_joints |
 * |---|---|---|---|---|---|---|---|
 * | fast | 20 | 3e-3 | 0.3 | 4 | 10 | | |
 * | balanced | 60 | 1e-3 | 0.3 | 4 | 15 | | |
 * | accurate | 1000 | 6e-7 | 0.1 | 8 | 60, follows | | yes |
 * | realtime | (20) | (3e-3) | (0.3) | 4 | (10) | 8 | |
 */
typedef enum scree_preset {
    SCREE_PRESET_FAST,
    SCREE_PRESET_BALANCED,
    SCREE_PRESET_ACCURATE,
    SCREE_PRESET_REALTIME,
    SCREE_PRESET_COUNT
} scree_preset;

/** Why a solve stopped. */
typedef enum scree_stop {
    SCREE_STOP_NONE,       /**< nothing to solve */
    SCREE_STOP_ITERATIONS, /**< the iteration limit */
    SCREE_STOP_RESIDUAL,   /**< scaled residual ≤ tolerance, and reduced as asked */
    SCREE_STOP_CHANGE, /**< ‖Δr‖ ≤ change_tolerance ‖r‖ over one iteration; on reference ≤ 1e-12 ‖r‖, where
                          locks contradict each other by the rounding of their biases */
    SCREE_STOP_INFEASIBLE, /**< proven to have no solution: contacts press against each other, in balance on
                              every body, and what drives them closes, as under a kinematic plate; impulses
                              would grow without bound. r is then of no use */
    SCREE_STOP_COUNT
} scree_stop;

/** Names as used by scenes and the command line ("pgs", "coulomb", "split", "residual", …). Null outside the
 * range. */
SCREE_API const char *scree_method_name(scree_method method);
SCREE_API const char *scree_law_name(scree_law law);
SCREE_API const char *scree_stabilisation_name(scree_stabilisation stabilisation);
SCREE_API const char *scree_stop_name(scree_stop stop);
SCREE_API const char *scree_preset_name(scree_preset preset);

/** Everything about a solve that the user chooses. */
typedef struct scree_solver_def {
    scree_method method;
    scree_law law;
    int iterations;  /**< most iterations a solve, 1 … 1 000 000; a step may make several (late contacts,
                        too much of the impulses of the step before) */
    float tolerance; /**< scaled residual to stop at; 0: do not test, make all iterations */
    float violation_tolerance; /**< share of what gravity adds to a velocity in a step: as what is slow or
                                * light beside something fast or heavy counts little in the residual, a step
                                * goes on, too, while more than one block in a thousand breaks its law by more
                                * than this, or any by five times as much. 0: not asked */
    float
        reduction; /**< what a step may leave of the residual at its start impulses, 0 … 1: the tolerance ends
                    * a solve only when the residual is at most this share of that, or 2e-6, which is what
                    * single precision resolves. 1: not asked. It keeps stacks from rocking, whose slow modes
                    * hardly show in the residual while errors pass from step to step in the warm start */
    float change_tolerance; /**< relative change of r to stop at; 0: do not test. Where it is tested, momentum
                             * goes on to the end; else a third of the iterations, the last ones, have none */
    int check_every;        /**< iterations between two tests of the tolerances, 1 … 1 000 000 */
    float relaxation;       /**< ω of SOR, in (0, 2); 1 is plain Gauss–Seidel. Jacobi takes ω ≤ 1 */
    int local_sweeps; /**< sweeps over the contacts of one pair of bodies before the next pair, 1 … 64; pairs
                         with one contact make one (pgs). Of a pair with two to four contacts and nothing
                         else half of them, rounded down, solve the normal impulses alone, except under the
                         associated and the radial law */
    int position_iterations; /**< most sweeps of the position pass of `split` a step, 1 … 1 000 000; in steps
                              * in which a body moves by more than an eighth of the smallest one's half size,
                              * up to seven times `iterations` follow while a contact would sink by more than
                              * a three-hundredth of that */
    bool position_follows; /**< where there are no joints, the position pass makes at least as many sweeps as
                            * the velocity pass made iterations: what has slow modes has them in both */
    float position_tolerance; /**< its scaled residual to stop at; 0: do not test */
    bool warm_start; /**< start from the impulses of the contact cache, and the position pass from its pushes
                      */
    bool direct_joints; /**< every iteration also solves the rows of joints that hold without bounds (locked
                         * axes, springs, drives of unlimited force; no limits, motors or friction) exactly,
                         * along trees of bodies: chains and hanging loads then take a few iterations,
                         * whatever their length and their masses. What joints hold together in a loop or
                         * in two places is left to the sweeps as a whole, and so is a row that locked axes
                         * keep its body from following. A tree that rounding would leave worse than the
                         * sweeps did is left as they did it. Loads are held while h √(g M/(m ℓ)) is
                         * small (M on links of mass m and length ℓ): the README's limits. Not of `reference`
                         */
    int colours;        /**< most colours, 1 … 32; further pairs are solved mass-split (the tail) */
    scree_stabilisation stabilisation;
    float error_reduction;   /**< β: share of the overlap removed in one step, 0 … 1 (baumgarte, split) */
    float stiffness;         /**< k of a contact, N/m, > 0 (soft, penalty) */
    float damping;           /**< d of a contact, N s/m, ≥ 0 (soft, penalty) */
    float relaxation_time;   /**< δ, s, > 0 (relaxed); counts as at least 2 max(1, ζ) h */
    float damping_ratio;     /**< ζ ≥ 0 (relaxed): 1 is critical, below it an overlap swings out */
    int substeps;            /**< parts of a step, 1 … 1000 (substep) */
    float contact_frequency; /**< of the spring between what a contact or a joint holds, Hz, ≥ 0, at most a
                              * quarter of the substeps' rate; 0: by stiffness and damping (substep).
                              * A column of n cubes of side a buckles on springs below 0.16 n^1.5 √(g/a) */
    float contact_damping_ratio; /**< its damping ratio, ≥ 0 (substep) */
    float correction_speed;      /**< most speed that stabilisation asks for, m/s, > 0. Springs of a stiffness
                                  * in N/m push as hard as they are compressed, whatever it is (not soft,
                                  * penalty, substep without frequency). Bodies that begin with an overlap d
                                  * leave each other at no more (baumgarte: at β d/h up to it; relaxed), with
                                  * no more energy than k d²/2 of each spring (soft, penalty), or at rest
                                  * (split; substep where two balls meet alone, others at up to some of this
                                  * speed, since its one sweep without bias does not take all back) */
    float slop;                  /**< overlap left alone by stabilisation, m, ≥ 0 */
    float restitution_speed;     /**< approach speed below which a contact does not bounce, m/s, ≥ 0 */
} scree_solver_def;

/** `balanced`: accelerated-pgs, coulomb, up to 60 iterations of 4 local sweeps until the residual is 1e-3 and
 * 0.3 of what it was, 15 of the position pass, check every 4, ω = 1, warm start, 32 colours, split with β =
 * 0.2, k = 1e6 N/m, d = 1e3 N s/m, δ = 0.05 s, ζ = 1, 8 substeps, 1000 Hz, damping ratio 2, correction speed
 * 3 m/s, slop 0, restitution from 0.5 m/s. Split, because a warm-started solve that is far from converged
 * acts on the overlap like an integrator with delay: with `baumgarte` a tall stack rocks once a step's
 * iterations reduce the slowest mode's error by less than about β. */
SCREE_API scree_solver_def scree_default_solver_def(void);
/** `def` with the values of a preset in the fields that presets name (scree_preset), as it is where there is
 * no such preset: scree_solver_def_with_preset(scree_default_solver_def(), SCREE_PRESET_FAST). */
SCREE_API scree_solver_def scree_solver_def_with_preset(scree_solver_def def, scree_preset preset);
/** Checks every field's range. SCREE_ERROR_ARGUMENT with a sentence naming the field. */
SCREE_API scree_result scree_validate_solver_def(const scree_solver_def *def);

/** What the largest violation of a block's law counts in the scaled residual. */
#define SCREE_VIOLATION_WEIGHT 0.001

/** What a solve did and how right it is. The residual is the natural map of the law,
 * F = r − P(r − ρ (u + (μ‖u_T‖,0,0))), ρ = 3/trace(A_cc) per block (without the shift for `associated`,
 * without it and with the box for `pyramid`, and F = r − Π(r − A_cc⁻¹ u) for `radial`), and ‖F_c‖ of a
 * contact is at least ρ max(0, −u_N), which a large μ would otherwise divide by μ (not for `radial`); scaled
 * is the larger of
 *
 *     ‖F‖₂ / max(‖r‖₂, ‖ρ q‖₂)   over all blocks, and   SCREE_VIOLATION_WEIGHT max ‖F_c‖/ρ_c / max ‖q_c‖,
 *
 * where ‖F_c‖/ρ_c is the velocity by which a block breaks its law, and −u_N > 0 stands for it in a contact of
 * which nothing can move; in double precision ‖F_c‖ has the rounding of r, ε‖r_c‖, added, lest q be lost in
 * it. The first alone would certify problems without a solution: there impulses grow without bound, and
 * ‖F‖/‖r‖ goes to zero while bodies are pressed into each other. The weight is chosen so that the second
 * decides only there, and where impulses are thousands of times what the bodies' free velocities account for
 * (a mass ratio of 1000): on public problems and warm-started piles of our own the second, unweighed, is 0.3
 * to 81 times the first, in cold solves of large piles some hundred times. Both are of a problem as a whole:
 * what is slow beside something fast counts little in them. A world's step is therefore not held for solved
 * while ‖F_c‖/ρ_c is above h ‖g‖/10 for more than a thousandth of the blocks, or above h ‖g‖/2 for one, and a
 * world looks for steps without a solution contact by contact, whatever the residual is
 * (scree_statistics.infeasible_a), and a problem that stands alone is at the end of its solve searched
 * component by component, a component being blocks that act on each other directly or through others: where
 * one is violated by more than the tolerance against its own max ‖q_c‖ and is proven to have no solution, the
 * solve ends as SCREE_STOP_INFEASIBLE. Rolling and spinning friction are blocks of their own, of angular
 * velocities times a length s and torque impulses over s, F = r − P(r − ρ u) with the bound |r_1| ≤ (l_s/s)
 * r_N, ‖(r_2, r_3)‖ ≤ (l_r/s) r_N. s is the radius of gyration of the pair, s² = Σ 3/m / Σ trace(I⁻¹): the
 * units of all rows are the same, and a torque s r turns the pair as readily as r moves it. With cohesion, r
 * is the impulse without the pull (material.h). */
typedef struct scree_solve_report {
    int iterations;
    scree_stop stop;
    double residual_before;   /**< scaled, at the start impulses */
    double residual;          /**< scaled, at the result; NaN: impulses 1e38 apart have no squares */
    double residual_absolute; /**< largest ‖F‖ of one block at the result, N s */
    double violation;         /**< max ‖F_c‖/ρ_c / max ‖q_c‖ at the result, unweighed */
    double change;            /**< ‖Δr‖ / ‖r‖ of the last tested iteration; 0 if never tested */
    int restarts;  /**< of the momentum, where a step went back on the last one (accelerated methods) */
    int fallbacks; /**< times that the residual rose above 20 times the best one, which the solve then went
                      back to for 20 iterations without momentum */
} scree_solve_report;

#ifdef __cplusplus
}
#endif
#endif
