"""Siconos's solvers of contact problems (Debian: python3-siconos)."""

import multiprocessing
import time
import warnings

import numpy as np
import scipy.sparse

warnings.filterwarnings("ignore", message="Performance warning")
try:
    import siconos.numerics as numerics
except ImportError:
    numerics = None

# Solver and the most iterations it is given.
SOLVERS = {"NSGS": 100000, "PROX": 1000, "ADMM": 100000, "NSN_AC": 1000}


def options_of(solver, tolerance):
    options = numerics.SolverOptions(getattr(numerics, "SICONOS_FRICTION_3D_" + solver))
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = SOLVERS[solver]
    if solver == "NSGS":  # stop on the error that is compared, not on the change of r
        options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = (
            numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        )
    return options


def solve(problem, solver, tolerance):
    """From zero, in this process: (impulses, iterations, seconds within fc3d_driver)."""
    matrix = scipy.sparse.csc_matrix(problem.W)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    blocks = numerics.SBM_from_csparse(3, matrix)  # the fastest of its storages for these sizes
    blocks = blocks[-1] if isinstance(blocks, (tuple, list)) else blocks
    given = numerics.FrictionContactProblem(3, blocks, problem.q.copy(), problem.mu.copy())
    options = options_of(solver, tolerance)
    r, u = np.zeros_like(problem.q), np.zeros_like(problem.q)
    started = time.perf_counter()
    numerics.fc3d_driver(given, r, u, options)
    seconds = time.perf_counter() - started
    return r, int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]), seconds


def solve_within(problem, solver, tolerance, limit):
    """The same in a process of its own, which ends after `limit` seconds: None then, or when it crashed."""
    here, there = multiprocessing.Pipe(False)

    def work():
        there.send(solve(problem, solver, tolerance))

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    there.close()
    try:
        answer = here.recv() if here.poll(limit) else None
    except EOFError:
        answer = None
    child.kill()
    child.join()
    return answer
