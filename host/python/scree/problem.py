"""Contact problems given as matrices: u = W r + q with a friction law between u and r."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import as_python, defined, text, value_of
from .errors import check
from .world import World

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """A solution: impulses r and velocities u, (n, 3) with the normal part first (N s, m/s), and the report of
    the solve (scree_problem_report). `residual`: of r in the measures scaled, siconos and fclib."""

    impulses: Array
    velocities: Array
    residual: dict[str, float]
    report: dict[str, Any]


def _doubles(values: npt.ArrayLike, count: int, name: str) -> Array:
    """Returns `count` numbers: one repeated, or an array of as many in any shape."""
    numbers = np.asarray(values, dtype=np.float64).reshape(-1)
    if numbers.size not in (1, count):
        raise ValueError(f"{name}: {numbers.size} numbers; must be {count}")
    return np.ascontiguousarray(np.broadcast_to(numbers, count))


def _triplets(matrix: Any) -> tuple[Any, Any]:
    """Returns a sparse matrix of the library, and what keeps its entries alive."""
    from scipy import sparse

    entries = sparse.coo_array(matrix)
    rows = np.zeros(entries.nnz, [("row", "i4"), ("column", "i4"), ("value", "f8")])
    rows["row"], rows["column"], rows["value"] = entries.row, entries.col, entries.data
    buffer = ffi.from_buffer("scree_triplet[]", rows)
    return {"count": len(rows), "entries": buffer}, buffer


def _measures(values: Any) -> dict[str, float]:
    return {text(lib.scree_measure_name(i)): float(values[i]) for i in range(lib.SCREE_MEASURE_COUNT)}


class Problem:
    """A contact problem."""

    def __init__(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.scree_problem_destroy)

    def __len__(self) -> int:
        """The number n of contacts (block rows of every kind)."""
        return int(lib.scree_problem_contact_count(self._pointer))

    @classmethod
    def local(cls, w: Any, q: npt.ArrayLike, friction: npt.ArrayLike) -> Problem:
        """Returns the problem u = W r + q: W, (3n, 3n) 1/kg, dense or of scipy.sparse; q, (3n,) m/s; friction,
        (n,) or one number. The first of the three rows of a contact is its normal."""
        count = np.asarray(q).size // 3
        matrix, _keep = _triplets(w)
        free, mu = _doubles(q, 3 * count, "q"), _doubles(friction, count, "friction")
        definition = ffi.new("scree_local_problem_def *", {
            "contacts": count, "w": matrix, "q": ffi.from_buffer("double[]", free),
            "friction": ffi.from_buffer("double[]", mu)})
        return cls._make(lib.scree_problem_create_local, definition)

    @classmethod
    def bodies(cls, m: Any, h: Any, f: npt.ArrayLike, w: npt.ArrayLike, friction: npt.ArrayLike) -> Problem:
        """Returns the problem M v = H r + f, u = Hᵀ v + w of d degrees of freedom: M, (d, d); H, (d, 3n); f, (d,);
        w, (3n,) m/s; friction, (n,) or one number."""
        dofs, count = np.asarray(f).size, np.asarray(w).size // 3
        mass, _keep_m = _triplets(m)
        jacobian, _keep_h = _triplets(h)
        force, drift, mu = (_doubles(f, dofs, "f"), _doubles(w, 3 * count, "w"), _doubles(friction, count, "friction"))
        definition = ffi.new("scree_global_problem_def *", {
            "contacts": count, "dofs": dofs, "m": mass, "h": jacobian, "f": ffi.from_buffer("double[]", force),
            "w": ffi.from_buffer("double[]", drift), "friction": ffi.from_buffer("double[]", mu)})
        return cls._make(lib.scree_problem_create_global, definition)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Problem:
        """Returns the problem of an FCLIB file."""
        return cls._make(lib.scree_fclib_load, os.fsencode(path))

    @classmethod
    def of(cls, world: World) -> Problem:
        """Returns the problem of a world's last step, with W in double precision."""
        return cls._make(lib.scree_problem_from_world, world._pointer)

    @classmethod
    def _make(cls, create: Any, argument: Any) -> Problem:
        out = ffi.new("scree_problem **")
        check(create(argument, out))
        return cls(out[0])

    def solve(self, *, law: str = "coulomb", start: npt.ArrayLike | None = None, **options: Any) -> Solution:
        """Solves the problem. Keywords: tolerance, measure ("scaled", "siconos", "fclib"), method, backend,
        iterations and other fields of scree_problem_options. `start`: (n, 3) N s."""
        count = len(self)
        settings = defined("scree_problem_options", lib.scree_default_problem_options(), {"law": law} | options)
        if start is not None:
            warm = _doubles(start, 3 * count, "start")
            settings.start = ffi.from_buffer("double[]", warm)
        impulses, velocities = np.zeros((count, 3)), np.zeros((count, 3))
        report = ffi.new("scree_problem_report *")
        check(lib.scree_problem_solve(self._pointer, settings, ffi.from_buffer("double[]", impulses),
                                      ffi.from_buffer("double[]", velocities), report))
        return Solution(impulses, velocities, _measures(report.residual), dict(as_python(report[0])))

    def residual(self, impulses: npt.ArrayLike, law: str = "coulomb") -> dict[str, float]:
        """Returns the residual of given impulses, (n, 3) N s, in the measures scaled, siconos and fclib."""
        given = _doubles(impulses, 3 * len(self), "impulses")
        out = ffi.new("double[]", lib.SCREE_MEASURE_COUNT)
        check(lib.scree_problem_compute_residual(self._pointer, value_of(ffi.typeof("scree_law"), law, "law"),
                                                 ffi.from_buffer("double[]", given), ffi.NULL, out))
        return _measures(out)


def solve(w: Any, q: npt.ArrayLike, friction: npt.ArrayLike, *, law: str = "coulomb", **options: Any) -> Solution:
    """Solves u = W r + q under a friction law (Problem.local, Problem.solve).

    >>> import numpy as np, scree
    >>> at_rest = scree.solve(np.eye(3), [-1.0, 0.3, 0.0], 0.5)
    >>> [round(float(r), 6) for r in at_rest.impulses[0, :2]]
    [1.0, -0.3]
    """
    return Problem.local(w, q, friction).solve(law=law, **options)
