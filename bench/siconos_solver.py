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
    """From zero, in this process: (impulses, iterations, seconds within fc3d_driver). Its problems with friction have no
    equalities: these are eliminated before, and their impulses made of its solution after."""
    contacts, complete = problem.eliminated()
    matrix = scipy.sparse.csc_matrix(contacts.W)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    blocks = numerics.SBM_from_csparse(3, matrix)  # the fastest of its storages for these sizes
    blocks = blocks[-1] if isinstance(blocks, (tuple, list)) else blocks
    given = numerics.FrictionContactProblem(3, blocks, contacts.q.copy(), contacts.mu.copy())
    options = options_of(solver, tolerance)
    r, u = np.zeros_like(contacts.q), np.zeros_like(contacts.q)
    started = time.perf_counter()
    numerics.fc3d_driver(given, r, u, options)
    seconds = time.perf_counter() - started
    return complete(r), int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]), seconds


def solve_frictionless(problem):
    """The impulses of a problem without friction, as a mixed complementarity problem with its equalities, by trying
    which of at most some fifteen contacts touch; None when that fails."""
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
