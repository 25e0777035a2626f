/** @file
 * A frictional contact problem that stands alone, without a world: from arrays, from a world's last step, or
 * from an FCLIB file (Acary, Brémond, Huber 2014), and its solution in double precision.
 *
 * Contact a owns the rows 3a, 3a+1, 3a+2: normal first, then two tangents of an orthonormal frame. With r the
 * impulses (N s) and u the relative velocities (m/s): u = W r + q; r_N ≥ 0 pushes the bodies apart, u_N > 0
 * opens the gap. W is used as it is given: it may be singular and slightly non-symmetric. */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A contact problem. Unchanged by solving; used by one thread at a time. */
typedef struct scree_problem scree_problem;

/** How wrong a pair (r, u = W r + q) is, in one number. All are norms over all contacts of the natural map
 * F_a = r_a − P(r_a − ρ_a û_a), û = u + (μ‖u_T‖, 0, 0) and P the projection on the cone for `coulomb`; û = u
 * for the others, and P the box r_N ≥ 0, |r_T,i| ≤ μ r_N for `pyramid`; of bounded rows û = u and P the box
 * low ≤ r ≤ high. */
typedef enum scree_measure {
    SCREE_MEASURE_SCALED, /**< ρ_a = 3/trace(W_aa): the larger of ‖F‖₂ / max(‖r‖₂, ‖ρ q‖₂) and the largest
                              violation weighed (scree_solve_report, solver.h), free of units */
    SCREE_MEASURE_SICONOS, /**< ρ = 1: ‖F‖₂ / max(‖q‖₂, ‖r‖₂, ‖u‖₂), unscaled where that is below 2.2e-16;
                              what Siconos 4.4 stops on (fc3d_compute_error) */
    SCREE_MEASURE_FCLIB, /**< ρ = 1: ‖F‖₂ / (1 + √‖q‖₂), FCLIB's MERIT_1 */
    SCREE_MEASURE_COUNT
} scree_measure;

/** "scaled", "siconos", "fclib". Null outside the range. */
SCREE_API const char *scree_measure_name(scree_measure measure);

/** What the three rows of a block are. */
typedef enum scree_block_kind {
    SCREE_BLOCK_CONTACT, /**< a contact under the law of the solve */
    /** Rolling and spinning friction of the contact that is the block before it: rows of relative angular
     * velocity, spin first, times a length s (u = s ω, m/s; r = τ/s, N s). With r_N of that contact |r_1| ≤
     * (l_s/s) r_N, ‖(r_2, r_3)‖ ≤ (l_r/s) r_N, and −u is in the normal cone of that set at r, whatever the
     * law of contacts (material.h). */
    SCREE_BLOCK_RESISTANCE,
    /** Three rows of a joint, limit or motor, each on its own: low ≤ r ≤ high; u = 0 inside, u ≥ 0 at low, u
     * ≤ 0 at high, whatever the law of contacts. −∞ … ∞ is an equality row, 0 … ∞ a frictionless contact. */
    SCREE_BLOCK_BOUNDED,
    SCREE_BLOCK_KIND_COUNT
} scree_block_kind;

/** The arrays of a new problem; copied. */
typedef struct scree_problem_def {
    int contacts;         /**< n ≥ 0 */
    const int *first;     /**< n + 1 ascending from 0: blocks of row a are first[a] … first[a + 1] − 1 */
    const int *column;    /**< of each block, 0 … n − 1, in any order; blocks of equal places are added */
    const double *blocks; /**< of each block 9 numbers, row by row, 1/kg (or what r and u make of it) */
    const double *q;      /**< 3 n, free relative velocities, m/s */
    const double *friction;           /**< n, μ ≥ 0 of contacts; of other kinds not used */
    const scree_block_kind *kind;     /**< n, or null: all are contacts; a resistance comes after a contact */
    const double *rolling, *spinning; /**< n each, l_r/s and l_s/s ≥ 0 of resistances, else not read; null: 0
                                       */
    const double *low, *high; /**< 3 n, bounds on r in bounded blocks, low ≤ high, −∞ and ∞ allowed; else not
                                 read; null: −∞, and ∞ */
} scree_problem_def;

/** Errors: ARGUMENT (a null pointer, an index out of range, a number that is not finite, μ < 0), MEMORY. */
SCREE_API scree_result scree_problem_create(const scree_problem_def *def, scree_problem **out);
/** The problem of the world's last step, with W formed in double precision, as it was solved (compliance and
 * bias included; the position pass of `split` is not part of it), and that step's impulses as its start. With
 * rolling or spinning friction a resistance follows each contact; with cohesion the impulses are those
 * without the pull (material.h), which is in q.
 * Before the first step: no contacts. Errors: ARGUMENT, MEMORY, CAPACITY (a body with very many contacts
 * makes W too dense), DEVICE. */
SCREE_API scree_result scree_problem_from_world(scree_world *world, scree_problem **out);
/** Reads an FCLIB file with three components a contact: the local form (W, q, μ), or the global one (M, H, f,
 * w, μ), which is condensed to W = Hᵀ M⁻¹ H, q = w + Hᵀ M⁻¹ f. Matrices may be triplets (repeated ones are
 * added), compressed columns or rows; a matrix M of which one triangle only is stored is mirrored. Bilateral
 * rows (V, R, s; G, b: Vᵀ r + R l + s = 0, Gᵀ v + b = 0) become bounded blocks after the contacts, three
 * equality rows each, the last filled up with rows of zeros; l is their impulse, and their part of the
 * natural map stands in all measures. The first of the file's guesses becomes the start. Errors: FILE; FORMAT
 * with the dataset and what was expected of it; UNSUPPORTED (two components, rolling friction); CAPACITY
 * (more than 2000 degrees of freedom of M couple with each other); MEMORY. */
SCREE_API scree_result scree_problem_load(const char *path, scree_problem **out);
/** Writes the local form, with /solution when `impulses` and `velocities` (3 n each) are not null. Errors:
 * FILE, DISK_FULL, MEMORY; UNSUPPORTED for what the format has no place for: rolling and spinning friction,
 * and bounded rows but equalities, which become V, R and s (axes that a joint leaves free are left out). */
SCREE_API scree_result scree_problem_save(const scree_problem *problem, const char *path,
                                          const double *impulses, const double *velocities);
/** Writes a copy of the file that `problem` was loaded from in which /solution is r, u, l of bilateral rows
 * and, for the global form, the velocities v of the degrees of freedom. `path` may be the same file. Errors:
 * FILE, DISK_FULL, FORMAT, MEMORY. */
SCREE_API scree_result scree_problem_save_solution(const scree_problem *problem, const char *source,
                                                   const char *path, const double *impulses,
                                                   const double *velocities);
/** Frees a problem; null is fine. */
SCREE_API void scree_problem_destroy(scree_problem *problem);

/** Contacts (row blocks of every kind), and blocks of W. */
SCREE_API int scree_problem_contact_count(const scree_problem *problem);
SCREE_API int scree_problem_block_count(const scree_problem *problem);
/** Degrees of freedom of the bodies when the problem came in the global form, else 0. */
SCREE_API int scree_problem_dof_count(const scree_problem *problem);
/** The 3 n start impulses that came with the problem, or null. */
SCREE_API const double *scree_problem_get_warm_start(const scree_problem *problem);

/** Of the arithmetic of kernels; host and reference always compute in double. */
typedef enum scree_precision {
    SCREE_PRECISION_FLOAT,
    SCREE_PRECISION_DOUBLE,
    SCREE_PRECISION_COUNT
} scree_precision;

/** "float", "double". Null outside the range. */
SCREE_API const char *scree_precision_name(scree_precision precision);

/** Choices of a solve. */
typedef struct scree_problem_options {
    scree_law law;
    scree_method method;
    scree_backend_kind backend; /**< `auto`: host for accelerated-pgs in double with ω = 1; else, in
                                   float, a GPU if there is one; else native */
    const char *device;         /**< of `opencl`: as of scree_world_def; null: the best */
    int threads;                /**< of `native`, ≥ 1; 0: as OMP_NUM_THREADS says, or as the machine has */
    scree_precision precision;  /**< of `native` and `opencl` */
    scree_measure measure;      /**< that `tolerance` is meant in */
    double tolerance;           /**< ≥ 0 */
    int iterations;             /**< most iterations, ≥ 1 */
    int check_every; /**< iterations of `native` and `opencl` between two tests of the tolerance, ≥ 1
                      */
    float
        relaxation; /**< ω in (0, 2), of jacobi and accelerated-jacobi in (0, 1]; host and reference know 1 */
    const double *start;  /**< 3 n, N s; null: zero */
    double *history;      /**< room for `history_capacity` residuals, or null */
    int history_capacity; /**< ≥ 0 */
} scree_problem_options;

/** coulomb, accelerated-pgs on auto in double precision with all threads, scaled to 1e-8 in 50 000
 * iterations, tested every 10, ω = 1, from zero, no history. */
SCREE_API scree_problem_options scree_default_problem_options(void);

/** What a solve did. */
typedef struct scree_problem_report {
    int iterations;   /**< made */
    int sweeps;       /**< over all contacts */
    int restarts;     /**< of the momentum, because a step went uphill */
    int fallbacks;    /**< returns to the best impulses, because the residual rose */
    int newton_steps; /**< linear systems that host's second-order finish solved */
    scree_stop stop;
    double residual[SCREE_MEASURE_COUNT]; /**< at the result, by each measure */
    int worst;             /**< contact with the largest ‖F_a‖ of `scaled`; −1 without contacts */
    double worst_residual; /**< that ‖F_a‖, N s */
    int history_count;     /**< residuals written to options->history: at the start, then at every test of the
                              tolerance (on host after every second iteration, on reference after every sweep) */
    double prepare_seconds, iterate_seconds,
        measure_seconds;        /**< wall time; of these `measure` is spent on residuals, on a device with
                                    the wait for the iterations before them */
    scree_backend_kind backend; /**< that solved */
    char solver[192];           /**< in words: "native, 2 threads, double" */
} scree_problem_report;

/** Solves, with the same bits every time and for any number of threads. Returns r (the best one found, with
 * momentum) and its u = W r + q (3 n each, either may be null), fills `report` (may be null); its residuals
 * are those of the returned r, computed apart in double precision.
 *
 * `host` sweeps in the order of the contacts, with momentum or (pgs) without, in double precision on one
 * thread; it knows no other method. With momentum, and under Coulomb's law with contacts only, a second-order
 * finish follows where sweeps are slow. `reference` is the oracle that the others are checked by: plain
 * forward sweeps (pgs), or the same with Anderson's acceleration (accelerated-pgs), by formulas of its own;
 * equality rows, up to 900 of them, are eliminated together; slow. `native` and `opencl` run the kernels of a
 * world's step over the matrix: contacts that couple get different colours, pgs sweeps over the colours, and
 * jacobi shares W_aa by a bound on the coupling. Errors: ARGUMENT, MEMORY; UNSUPPORTED (a method that host or
 * reference do not know; double precision on a device without); with `opencl` also NO_PLATFORM, NO_DEVICE,
 * DEVICE, DEVICE_MEMORY, KERNEL_BUILD. */
SCREE_API scree_result scree_problem_solve(const scree_problem *problem, const scree_problem_options *options,
                                           double *impulses, double *velocities,
                                           scree_problem_report *report);
/** The residual of given impulses under a law, by each measure; also the velocities (3 n) unless null.
 * Errors: ARGUMENT. */
SCREE_API scree_result scree_problem_compute_residual(const scree_problem *problem, scree_law law,
                                                      const double *impulses, double *velocities,
                                                      double residual[SCREE_MEASURE_COUNT]);

#ifdef __cplusplus
}
#endif
#endif
