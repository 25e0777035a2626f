/** @file
 * Stand-alone frictional contact problems, from arrays or from a world's last step, and their solution in
 * double precision. scree/tools/fclib.h reads and writes files of them.
 *
 * Contact a owns rows 3a, 3a+1, 3a+2: the normal, then two tangents of an orthonormal frame. With impulses r
 * (N s) and relative velocities u (m/s), u = W r + q; r_N ≥ 0 pushes the bodies apart, u_N > 0 opens the gap.
 * W is used as given; it may be singular and slightly non-symmetric. */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A contact problem. Solving does not change it. Not thread-safe: use it from one thread at a time. */
typedef struct scree_problem scree_problem;

/** Measures of the error of a pair (r, u = W r + q). All are norms over all contacts of the natural map F_a =
 * r_a − P(r_a − ρ_a û_a). `coulomb`: û = u + (μ‖u_T‖, 0, 0) and P the projection on the cone. Other laws: û =
 * u, and for `pyramid` P projects on the box r_N ≥ 0, |r_T,i| ≤ μ r_N. Bounded rows: û = u and P projects on
 * low ≤ r ≤ high. */
typedef enum scree_measure {
    SCREE_MEASURE_SCALED, /**< ρ_a = 3/trace(W_aa): the larger of ‖F‖₂ / max(‖r‖₂, ‖F⁰‖₂), F⁰ being F at r =
                             0, and the weighted largest violation (scree_solve_report); dimensionless */
    SCREE_MEASURE_SICONOS, /**< ρ = 1: ‖F‖₂ / max(‖q‖₂, ‖r‖₂, ‖u‖₂), unscaled if the maximum is below 2.2e-16;
                              the stopping criterion of Siconos 4.4 (fc3d_compute_error) */
    SCREE_MEASURE_FCLIB, /**< ρ = 1: ‖F‖₂ / (1 + √‖q‖₂), MERIT_1 of FCLIB */
    SCREE_MEASURE_COUNT
} scree_measure;

/** Returns "scaled", "siconos" or "fclib"; null outside the range. */
SCREE_API const char *scree_measure_name(scree_measure measure);

/** Meaning of the three rows of a block. */
typedef enum scree_block_kind {
    SCREE_BLOCK_CONTACT, /**< a contact with the law of the solve */
    /** Rolling and spinning friction of the preceding block, a contact: relative angular velocity, spin
       first, times a length s (u = s ω, m/s; r = τ/s, N s). With r_N of that contact, |r_1| ≤ (l_s/s) r_N and
       ‖(r_2, r_3)‖ ≤ (l_r/s) r_N, and −u is in the normal cone of this set at r, for every contact law
       (material.h). */
    SCREE_BLOCK_RESISTANCE,
    /** Three independent rows of a joint, limit or motor: low ≤ r ≤ high with u = 0 inside, u ≥ 0 at low, u ≤
       0 at high, for every contact law. −∞ … ∞ is an equality row, 0 … ∞ a frictionless contact. */
    SCREE_BLOCK_BOUNDED,
    SCREE_BLOCK_KIND_COUNT
} scree_block_kind;

/** Arrays that define a problem; they are copied. */
typedef struct scree_problem_def {
    int contacts; /**< n ≥ 0; 0: the arrays are not read and may be null */
    const int
        *first; /**< n + 1 ascending values from 0: block row a has the blocks first[a] … first[a + 1] − 1 */
    const int *column; /**< column of each block, 0 … n − 1, in any order; duplicate blocks are added */
    const double *blocks;   /**< 9 values for each block, row-major, 1/kg (or the unit of u/r) */
    const double *q;        /**< 3 n free relative velocities, m/s */
    const double *friction; /**< n values, μ ≥ 0; used for contacts only */
    const scree_block_kind
        *kind; /**< n values, or null: all are contacts. A resistance follows its contact */
    const double *rolling,
        *spinning; /**< n values each, l_r/s and l_s/s ≥ 0; read for resistances only; null: 0 */
    const double *low,
        *high; /**< 3 n bounds on r, low ≤ high, may be ±∞; read for bounded blocks only; null: −∞ and ∞ */
} scree_problem_def;

/** Makes a problem from arrays. Errors: ARGUMENT (a null array that is read, an index out of range, a value
 * that is not finite, μ < 0), MEMORY. */
SCREE_API scree_result scree_problem_create(const scree_problem_def *def, scree_problem **out);
/** Makes the problem of the world's last step as it was solved, with W formed in double precision. It
 * includes compliance and bias, but not the position pass of `split`; its warm start is the impulses of that
 * step. With rolling or spinning friction a resistance follows each contact. With cohesion the impulses
 * exclude the cohesive force (material.h), which is part of q. Before the first step and after
 * a step that failed, the problem has no contacts. Errors: ARGUMENT, MEMORY, CAPACITY (W is too dense because
 * a body has very many contacts), DEVICE. */
SCREE_API scree_result scree_problem_from_world(scree_world *world, scree_problem **out);
/** An entry of a sparse matrix. */
typedef struct scree_triplet {
    int row, column; /**< from 0 */
    double value;    /**< finite */
} scree_triplet;

/** A sparse matrix: entries in any order. Entries at the same place add up; absent ones are zero. */
typedef struct scree_sparse_matrix {
    int count;                    /**< number of entries, ≥ 0 */
    const scree_triplet *entries; /**< may be null if `count` is 0 */
} scree_sparse_matrix;

/** The local form with n contacts and m bilateral rows of impulses l (N s): u = W r + V l + q and Vᵀ r + R l
 * + s = 0. All arrays are copied (FCLIB: Acary, Brémond, Huber 2014). */
typedef struct scree_local_problem_def {
    int contacts;           /**< n ≥ 0 */
    int bilateral;          /**< m ≥ 0 */
    scree_sparse_matrix w;  /**< W, 3 n × 3 n, 1/kg */
    scree_sparse_matrix v;  /**< V, 3 n × m, 1/kg */
    scree_sparse_matrix r;  /**< R, m × m, 1/kg */
    const double *q;        /**< 3 n, m/s */
    const double *s;        /**< m, m/s */
    const double *friction; /**< n, μ ≥ 0 */
    const double *start;    /**< warm start, N s: 3 n values of r, then m of l; or null */
} scree_local_problem_def;

/** The global form, with the velocities v of d degrees of freedom: M v = H r + G l + f, u = Hᵀ v + w and Gᵀ v
 * + b = 0. All arrays are copied. */
typedef struct scree_global_problem_def {
    int contacts;           /**< n ≥ 0 */
    int bilateral;          /**< m ≥ 0 */
    int dofs;               /**< d ≥ 0 */
    scree_sparse_matrix m;  /**< M, d × d, regular, kg and kg m² */
    scree_sparse_matrix h;  /**< H, d × 3 n: 1 for displacements, m for rotations */
    scree_sparse_matrix g;  /**< G, d × m, as H */
    const double *f;        /**< d, N s and N m s */
    const double *w;        /**< 3 n, m/s */
    const double *b;        /**< m, m/s */
    const double *friction; /**< n, μ ≥ 0 */
    const double *start;    /**< warm start, N s: 3 n values of r, then m of l; or null */
} scree_global_problem_def;

/** Makes a problem from its local form. Bilateral rows become bounded blocks after the contacts, three
 * equality rows each, the last padded with zero rows; l is their impulse, and all measures include them.
 * Errors: ARGUMENT (a null pointer, an index out of range, a value that is not finite or overflows, μ < 0),
 * MEMORY. */
SCREE_API scree_result scree_problem_create_local(const scree_local_problem_def *def, scree_problem **out);
/** Makes a problem from its global form, condensed to W = Hᵀ M⁻¹ H, q = w + Hᵀ M⁻¹ f; bilateral rows as in
 * scree_problem_create_local. Errors: ARGUMENT (as there, or M is singular), MEMORY, CAPACITY (more than 2000
 * coupled degrees of freedom in M, or W is too dense). */
SCREE_API scree_result scree_problem_create_global(const scree_global_problem_def *def, scree_problem **out);
/** Frees a problem. Null is allowed. */
SCREE_API void scree_problem_destroy(scree_problem *problem);

/** Returns the number of contacts (block rows of every kind). */
SCREE_API int scree_problem_contact_count(const scree_problem *problem);
/** Returns the number of blocks of W. */
SCREE_API int scree_problem_block_count(const scree_problem *problem);
/** Returns the number of degrees of freedom of the global form that the problem was made from, else 0. */
SCREE_API int scree_problem_dof_count(const scree_problem *problem);
/** Returns the number of bilateral rows of the local or global form that the problem was made from, else 0.
 */
SCREE_API int scree_problem_bilateral_count(const scree_problem *problem);
/** Returns the problem's arrays, valid until it is destroyed. Columns ascend within a block row. `low` and
 * `high` are null without bounded blocks. */
SCREE_API scree_problem_def scree_problem_get_def(const scree_problem *problem);
/** Computes the velocities v of the degrees of freedom of a global form (M v = H r + G l + f) for the 3 n
 * given impulses. Writes nothing if scree_problem_dof_count is 0. Errors: ARGUMENT. */
SCREE_API scree_result scree_problem_compute_dof_velocities(const scree_problem *problem,
                                                            const double *impulses, double *velocities);
/** Returns the 3 n impulses (N s) of the warm start that came with the problem, owned by it, or null. */
SCREE_API const double *scree_problem_get_warm_start(const scree_problem *problem);

/** Precision of the kernels; `host` and `reference` always use double precision. */
typedef enum scree_precision {
    SCREE_PRECISION_FLOAT,  /**< single, 32 bits */
    SCREE_PRECISION_DOUBLE, /**< 64 bits; a device must offer it */
    SCREE_PRECISION_COUNT
} scree_precision;

/** Returns "float" or "double"; null outside the range. */
SCREE_API const char *scree_precision_name(scree_precision precision);

/** Options of a solve. */
typedef struct scree_problem_options {
    scree_law law;              /**< friction law of all contacts */
    scree_method method;        /**< iterative method */
    scree_backend_kind backend; /**< `auto`: host for accelerated-pgs in double precision with ω = 1; in
                                   single precision a GPU if there is one; else native */
    const char *device;         /**< `opencl`: as scree_world_def.device; null: the best */
    int threads;                /**< `native`: ≥ 1; 0: one for each processor that the process may use */
    scree_precision precision;  /**< `native` and `opencl` */
    scree_measure measure;      /**< measure that `tolerance` refers to */
    double tolerance;           /**< value of `measure` to stop at, ≥ 0; 0: only by a residual of 0 */
    int iterations;             /**< largest number of iterations, ≥ 1 */
    int check_every;      /**< `native` and `opencl`: iterations between two tests of the tolerance, ≥ 1 */
    float relaxation;     /**< ω in (0, 2), for the jacobi methods in (0, 1]; 1 for host and reference */
    const double *start;  /**< warm start, 3 n, N s; null: zero */
    double *history;      /**< array of `history_capacity` residuals, or null */
    int history_capacity; /**< ≥ 0 */
} scree_problem_options;

/** Returns coulomb, accelerated-pgs, backend auto, double precision, all threads, tolerance 1e-8 in `scaled`,
 * 50 000 iterations, tests every 10 iterations, ω = 1, zero start, no history. */
SCREE_API scree_problem_options scree_default_problem_options(void);

/** Report of a solve. */
typedef struct scree_problem_report {
    int iterations;   /**< iterations made */
    int sweeps;       /**< sweeps over all contacts */
    int restarts;     /**< restarts of the momentum because a step increased the objective */
    int fallbacks;    /**< returns to the best iterate because the residual rose */
    int newton_steps; /**< linear systems solved by the second-order phase of `host` */
    scree_stop stop;  /**< reason for the end */
    double residual[SCREE_MEASURE_COUNT]; /**< of the result, in each measure */
    int worst;             /**< contact with the largest ‖F_a‖ of `scaled`; −1 without contacts */
    double worst_residual; /**< that ‖F_a‖, N s */
    int history_count;     /**< residuals written to options->history: at the start and at every test of the
                              tolerance (`host`: every second iteration, `reference`: every sweep) */
    double prepare_seconds, iterate_seconds,
        measure_seconds; /**< wall time, s; `measure` is the part for residuals, on a device including the
                            wait for the preceding iterations */
    scree_backend_kind backend; /**< the backend used */
    char solver[192];           /**< description, such as "native, 2 threads, double" */
} scree_problem_report;

/** Solves a problem. The result is the same bit for bit in every call and for any number of threads. Returns
 * r (accelerated methods: the best iterate) and u = W r + q in `impulses` and `velocities` (3 n each, may be
 * null) and fills `report` (may be null). The reported residuals belong to the returned r and are computed
 * separately in double precision.
 *
 * - `host`: sweeps in contact order, accelerated-pgs or pgs, in double precision on one thread.
 * accelerated-pgs under Coulomb's law with contacts only adds a second-order phase if sweeps converge slowly.
 * - `reference`: independent implementation that the others are verified against: plain forward sweeps (pgs),
 * or with Anderson acceleration (accelerated-pgs); up to 900 equality rows are eliminated together; slow.
 * - `native` and `opencl`: the kernels of a world's step on the matrix. Coupled contacts get different
 * colours; pgs sweeps over the colours; jacobi splits W_aa by a bound on the coupling.
 *
 * Errors: ARGUMENT, MEMORY; UNSUPPORTED (a method that host or reference do not implement, or double
 * precision on a device without it); `opencl` also NO_PLATFORM, NO_DEVICE, DEVICE, DEVICE_MEMORY,
 * KERNEL_BUILD. */
SCREE_API scree_result scree_problem_solve(const scree_problem *problem, const scree_problem_options *options,
                                           double *impulses, double *velocities,
                                           scree_problem_report *report);
/** Returns the residual of the given impulses under a law in each measure, and the `velocities` u (3 n, may
 * be null). Errors: ARGUMENT. */
SCREE_API scree_result scree_problem_compute_residual(const scree_problem *problem, scree_law law,
                                                      const double *impulses, double *velocities,
                                                      double residual[SCREE_MEASURE_COUNT]);

#ifdef __cplusplus
}
#endif
#endif
