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

# Solvers and their iteration limits.
SOLVERS = {"NSGS": 100000, "PROX": 1000, "ADMM": 100000, "NSN_AC": 1000}


def options_of(solver, tolerance):
    options = numerics.SolverOptions(getattr(numerics, "SICONOS_FRICTION_3D_" + solver))
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = SOLVERS[solver]
    if solver == "NSGS":  # stop on the compared error, not on the change of r
        options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = (
            numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        )
    return options


def solve(problem, solver, tolerance):
    """Solves from zero in this process; returns (impulses, iterations, seconds within fc3d_driver). Siconos's problems with
    friction have no equalities: they are eliminated before, and their impulses are computed from the solution."""
    contacts, complete = problem.eliminated()
    matrix = scipy.sparse.csc_matrix(contacts.W)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    blocks = numerics.SBM_from_csparse(3, matrix)  # the fastest storage for these sizes
    blocks = blocks[-1] if isinstance(blocks, (tuple, list)) else blocks
    given = numerics.FrictionContactProblem(3, blocks, contacts.q.copy(), contacts.mu.copy())
    options = options_of(solver, tolerance)
    r, u = np.zeros_like(contacts.q), np.zeros_like(contacts.q)
    started = time.perf_counter()
    numerics.fc3d_driver(given, r, u, options)
    seconds = time.perf_counter() - started
    return complete(r), int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]), seconds


def solve_frictionless(problem):
    """Solves a problem without friction as a mixed complementarity problem with its equalities, by enumerating which
    of at most about fifteen contacts touch; returns None on failure."""
    normal = slice(0, 3 * problem.contacts, 3)
    across = problem.V.toarray()[normal]
    matrix = np.block([[problem.R.toarray(), across.T], [across, problem.W.toarray()[normal, normal]]])
    mixed = numerics.MLCP(problem.equalities, np.asfortranarray(matrix), np.append(problem.s, problem.q[normal]))
    options = numerics.SolverOptions(numerics.SICONOS_MLCP_ENUM)
    z, w = np.zeros(len(matrix)), np.zeros(len(matrix))
    numerics.mlcp_driver_init(mixed, options)
    failed = numerics.mlcp_enum(mixed, z, w, options)
    numerics.mlcp_driver_reset(mixed, options)
    x = np.zeros(3 * problem.contacts + problem.equalities)
    x[normal], x[3 * problem.contacts:] = z[problem.equalities:], z[:problem.equalities]
    return None if failed else x


def solve_within(problem, solver, tolerance, limit):
    """Solves in a separate process; returns None after `limit` seconds or a crash."""
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
