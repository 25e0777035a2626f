#!/usr/bin/python3 -I
"""Problems dumped by `scree run --dump-problem` as others read them: FCLIB's own library, and Siconos, which
solves them and agrees with `scree solve` about the velocities. Also the errors that bench/ computes in numpy,
against Siconos's."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))
scree = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", source / "build/release")) / "scree"
sys.path.insert(0, str(source / "bench"))
try:
    import h5py
    import numpy as np
    import fclib
    import siconos_solver
except Exception as missing:  # a library that is there and does not fit fails in its own way
    print(f"skipped, because {missing}")
    sys.exit(77)
if siconos_solver.numerics is None:
    print("skipped, because Siconos is not installed")
    sys.exit(77)
if not scree.exists():
    sys.exit(f"there is no {scree}")

failures = 0


def check(name, good, detail=""):
    global failures
    failures += not good
    print(("ok" if good else "not ok"), "-", name, detail, flush=True)


# Boxes that land and slide: contacts of all three kinds, more than one on a body.
SCENE = {
    "materials": {"wood": {"friction": 0.3, "density": 600}},
    "bodies": [
        {"type": "static", "shape": {"kind": "half-space"}, "material": "wood"},
        *(
            {
                "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]},
                "material": "wood",
                "position": [0.03 * i, 0.01 * i, 0.1 + 0.2005 * i],
                "linear_velocity": [0.8 * i, 0.2, 0],
            }
            for i in range(4)
        ),
    ],
    "solver": {"iterations": 100, "stabilisation": "baumgarte"},
    "run": {"steps": 6},
}


class Matrix(ctypes.Structure):
    _fields_ = [("nzmax", ctypes.c_int), ("m", ctypes.c_int), ("n", ctypes.c_int), ("p", ctypes.POINTER(ctypes.c_int)),
                ("i", ctypes.POINTER(ctypes.c_int)), ("x", ctypes.POINTER(ctypes.c_double)), ("nz", ctypes.c_int),
                ("info", ctypes.c_void_p)]


class Local(ctypes.Structure):
    _fields_ = [("W", ctypes.POINTER(Matrix)), ("V", ctypes.c_void_p), ("R", ctypes.c_void_p),
                ("mu", ctypes.POINTER(ctypes.c_double)), ("q", ctypes.POINTER(ctypes.c_double)),
                ("s", ctypes.c_void_p), ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


def read_by_fclib(path, problem):
    try:
        library = ctypes.CDLL("libfclib.so.0")
    except OSError:
        print("ok 0 # SKIP FCLIB's library is not installed")
        return
    library.fclib_read_local.restype = ctypes.POINTER(Local)
    pointer = library.fclib_read_local(str(path).encode())
    check("FCLIB's library opens the dump", bool(pointer))
    if not pointer:
        return
    local, W = pointer[0], pointer[0].W[0]
    check("three rows a contact", local.spacedim == 3 and W.m == W.n == 3 * problem.contacts and W.nz == -2)
    same = all(
        np.array_equal(np.ctypeslib.as_array(theirs, mine.shape), mine)
        for theirs, mine in [(local.q, problem.q), (local.mu, problem.mu), (W.x, problem.W.data), (W.i, problem.W.indices)]
    )
    check("the same numbers", same)


def solve_by_both(folder, step):
    path = folder / f"out/problem-{step:06}.hdf5"
    problem = fclib.Problem(path)
    check(f"step {step} has contacts", problem.contacts >= 4, f"({problem.contacts})")
    read_by_fclib(path, problem)
    solved = folder / "solved.hdf5"
    command = [scree, "solve", path, "--measure", "siconos", "--tolerance", "1e-10", "--start", "zero", "--out", solved]
    done = subprocess.run(command, capture_output=True, text=True)
    check("scree solve meets 1e-10", done.returncode == 0, done.stdout + done.stderr if done.returncode else "")
    ours = fclib.read_solution(solved)
    check("numpy agrees about its error", fclib.siconos_error(problem, ours) <= 1.01e-10)
    u = problem.W @ ours + problem.q
    # Of its accurate solvers none solves every problem: Newton's method alone fails on some stacked boxes.
    for solvers, tolerance in ((("NSGS",), 1e-6), (("NSN_AC", "PROX"), 1e-10)):
        for solver in solvers:
            theirs, _, _ = siconos_solver.solve(problem, solver, tolerance)
            error = fclib.siconos_error(problem, theirs)
            if error <= 1.01 * tolerance:
                break
        check(f"Siconos's {solver} solves it", error <= 1.01 * tolerance, f"({error:.1e})")
        # Velocities are known less well than the error says: stacked boxes are badly conditioned.
        gap = np.linalg.norm(problem.W @ theirs + problem.q - u) / np.linalg.norm(problem.q)
        check("and agrees about the velocities", gap < 1e-3, f"({gap:.1e})")


def stored_answers():
    """The answers in tests/data are answers, to the errors that they state, and Siconos still finds them."""
    folder = source / "tests/data/problems"
    for path in sorted(folder.glob("own_*.ref.hdf5")):
        problem = fclib.Problem(str(path).replace(".ref.hdf5", ".hdf5"))
        with h5py.File(path) as file:
            r, u, stated = file["solution/r"][:], file["solution/u"][:], dict(file.attrs)
        error = fclib.siconos_error(problem, r)
        check(f"{path.name}: Siconos's error as stated", error <= 1.01 * stated["err_siconos"] + 1e-16, f"({error:.1e})")
        check(f"{path.name}: u = W r + q", np.max(np.abs(problem.W @ r + problem.q - u)) < 1e-12)
        found = siconos_solver.solve_within(problem, stated["solver"], 1e-12, 60)
        check(f"{path.name}: {stated['solver']} finds it", found is not None)
        if found is not None:
            gap = np.max(np.abs(problem.W @ found[0] + problem.q - u)) / np.linalg.norm(problem.q)
            check(f"{path.name}: the same velocities", gap <= 3 * max(stated["u_spread"], 1e-9), f"({gap:.1e})")


stored_answers()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "scene.json").write_text(json.dumps(SCENE))
    run = [scree, "run", folder / "scene.json", "--backend", "native", "--every", "0", "--out", folder / "out",
           "--dump-problem", "2,6"]
    done = subprocess.run(run, capture_output=True, text=True)
    check("dump", done.returncode == 0, done.stdout + done.stderr if done.returncode else "")
    if done.returncode == 0:
        for step in (2, 6):
            solve_by_both(folder, step)
sys.exit(failures > 0)
