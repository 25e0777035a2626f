#!/usr/bin/python3 -I
"""Problems dumped by `scree run --dump-problem`, read by FCLIB's own library and solved by Siconos, which agrees with
`scree solve` about the velocities and the impulses of joints. Also compares the errors that bench/ computes in numpy
with Siconos's."""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
scree = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", source / "build/release")) / "scree"
sys.path.insert(0, str(source / "bench"))
try:
    import h5py
    import numpy as np
    import fclib
    import siconos_solver
except Exception as missing:  # an installed but incompatible library raises other exceptions
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


# Boxes that land and slide: open, sticking and sliding contacts, several on a body.
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


def jointed(friction):
    """Returns a scene of spheres joined by balls and hinges that move over the ground, one held by a rod: one contact each,
    so that impulses are unique; and a plate with two welded legs that lands on four corners of each, held by a rod."""
    sphere = {"shape": {"kind": "sphere", "radius": 0.1}, "material": "wood"}
    leg = {"shape": {"kind": "box", "size": [0.2, 0.1, 0.3]}, "material": "wood"}
    return {
        "materials": {"wood": {"friction": friction, "density": 600}},
        "bodies": [
            {"type": "static", "shape": {"kind": "half-space"}, "material": "wood"},
            *({**sphere, "position": [0.3 * i, 0, 0.1], "linear_velocity": [0.5, 0.4 * i, 0]} for i in range(4)),
            {"shape": {"kind": "box", "size": [0.8, 0.3, 0.1]}, "material": "wood", "position": [0, 2, 0.35]},
            *({**leg, "position": [x, 2, 0.15], "linear_velocity": [0.3, 0.2, 0]} for x in (-0.3, 0.3)),
        ],
        "joints": [
            {"kind": "ball", "a": 1, "b": 2, "point": [0.15, 0, 0.1]},
            {"kind": "hinge", "a": 2, "b": 3, "point": [0.45, 0, 0.1], "axis": [0, 0, 1]},
            {"kind": "hinge", "a": 3, "b": 4, "point": [0.75, 0, 0.1], "axis": [0, 1, 0]},
            {"kind": "distance", "b": 1, "point": [-0.5, 0.5, 0.5], "point_b": [0, 0, 0.1]},
            *({"kind": "fixed", "a": 5, "b": b, "point": [x, 2, 0.3]} for b, x in ((6, -0.3), (7, 0.3))),
            {"kind": "distance", "b": 5, "point": [0, 3, 0.5], "point_b": [0, 2.15, 0.35]},
        ],
        "run": {"steps": 6},
    }


class Matrix(ctypes.Structure):
    _fields_ = [("nzmax", ctypes.c_int), ("m", ctypes.c_int), ("n", ctypes.c_int), ("p", ctypes.POINTER(ctypes.c_int)),
                ("i", ctypes.POINTER(ctypes.c_int)), ("x", ctypes.POINTER(ctypes.c_double)), ("nz", ctypes.c_int),
                ("info", ctypes.c_void_p)]


class Local(ctypes.Structure):
    _fields_ = [("W", ctypes.POINTER(Matrix)), ("V", ctypes.POINTER(Matrix)), ("R", ctypes.POINTER(Matrix)),
                ("mu", ctypes.POINTER(ctypes.c_double)), ("q", ctypes.POINTER(ctypes.c_double)),
                ("s", ctypes.POINTER(ctypes.c_double)), ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


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
    numbers = [(local.q, problem.q), (local.mu, problem.mu), (W.x, problem.W.data), (W.i, problem.W.indices)]
    if problem.equalities:
        numbers.append((local.s, problem.s))
        for theirs, mine in (local.V[0], problem.V), (local.R[0], problem.R):
            check("as many equalities", theirs.n == problem.equalities and theirs.m == mine.shape[0])
            numbers += [(theirs.x, mine.data), (theirs.i, mine.indices)]
    check("the same numbers", all(np.array_equal(np.ctypeslib.as_array(theirs, mine.shape), mine) for theirs, mine in numbers))


def solve_dump(path, problem):
    """Returns scree's impulses from zero, to 1e-10 in Siconos's measure; to 1e-8 with joints, which slow its sweeps."""
    tolerance = 1e-8 if problem.equalities else 1e-10
    read_by_fclib(path, problem)
    solved = path.with_suffix(".solved")
    command = [scree, "solve", path, "--measure", "siconos", "--tolerance", str(tolerance), "--start", "zero", "--out", solved,
               "--max-iterations", "200000"]
    done = subprocess.run(command, capture_output=True, text=True)
    check(f"scree solve meets {tolerance}", done.returncode == 0, done.stdout + done.stderr if done.returncode else "")
    ours = fclib.read_solution(solved)
    check("numpy agrees about its error", fclib.siconos_error(problem, ours) <= 1.01 * tolerance)
    return ours


def distance(problem, x, y):
    """Returns the difference of two solutions' velocities over the free ones. It exceeds the error: stacked boxes are badly
    conditioned."""
    return np.linalg.norm(problem.velocities(x) - problem.velocities(y)) / np.linalg.norm(fclib.drive(problem))


def solve_by_both(folder, step):
    path = folder / f"problem-{step:06}.hdf5"
    problem = fclib.Problem(path)
    check(f"step {step} has contacts", problem.contacts >= 4, f"({problem.contacts})")
    ours = solve_dump(path, problem)
    # No accurate solver of Siconos solves every problem: Newton's method alone fails on some stacked boxes.
    for solvers, tolerance in ((("NSGS",), 1e-6), (("NSN_AC", "PROX"), 1e-10)):
        for solver in solvers:
            theirs, _, _ = siconos_solver.solve(problem, solver, tolerance)
            error = fclib.siconos_error(problem, theirs)
            if error <= 1.01 * tolerance:
                break
        check(f"Siconos's {solver} solves it", error <= 1.01 * tolerance, f"({error:.1e})")
        gap = distance(problem, theirs, ours)
        check("and agrees about the velocities", gap < 1e-3, f"({gap:.1e})")
    return problem, ours, theirs


def joints_by_both(folder, step):
    """With friction: Siconos solves contacts only, so the joints are eliminated first, and their impulses computed from its
    solution."""
    problem, ours, theirs = solve_by_both(folder, step)
    check("as many equalities as joints lock", problem.equalities == 3 + 5 + 5 + 1 + 6 + 6 + 1, f"({problem.equalities})")
    gap = distance(problem, fclib.read_guess(folder / f"problem-{step:06}.hdf5"), theirs)
    check("the world's own solution has these velocities", gap < 3e-3, f"({gap:.1e})")
    carried = slice(3 * problem.contacts, None)
    gap = np.linalg.norm(ours[carried] - theirs[carried]) / np.linalg.norm(theirs[carried])
    check("and its joints carry the same", gap < 1e-4, f"({gap:.1e})")


def frictionless_joints(folder, step):
    """Without friction: Siconos solves the equalities itself, as a mixed complementarity problem."""
    path = folder / f"problem-{step:06}.hdf5"
    problem = fclib.Problem(path)
    check(f"step {step} has contacts without friction and joints", problem.contacts >= 4 and not problem.mu.any() and
          problem.equalities == 27, f"({problem.contacts})")
    ours, theirs = solve_dump(path, problem), siconos_solver.solve_frictionless(problem)
    check("Siconos's MLCP_ENUM solves it", theirs is not None and fclib.siconos_error(problem, theirs) <= 1e-9)
    if theirs is not None:
        for name, x, bound in (("scree solve", ours, 1e-6), ("the world", fclib.read_guess(path), 1e-4)):
            gap = distance(problem, x, theirs)
            check(f"and agrees with {name} about the velocities", gap < bound, f"({gap:.1e})")


def dump(folder, scene, *words):
    (folder / "scene.json").write_text(json.dumps(scene))
    run = [scree, "run", folder / "scene.json", "--backend", "native", "--every", "0", "--out", folder / "out",
           "--dump-problem", "2,4", *words]
    done = subprocess.run(run, capture_output=True, text=True)
    check("dump", done.returncode == 0, done.stdout + done.stderr if done.returncode else "")
    return folder / "out"


def stored_answers():
    """Checks that the solutions in tests/data have their stated errors, and that Siconos still finds them."""
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
    place = pathlib.Path(name)
    for each, scene, *words in ((solve_by_both, SCENE), (joints_by_both, jointed(0.3), "--preset", "accurate"),
                                (frictionless_joints, jointed(0), "--preset", "accurate")):
        dumped = dump(place, scene, *words)
        for step in (2, 4):
            each(dumped, step)
sys.exit(failures > 0)
