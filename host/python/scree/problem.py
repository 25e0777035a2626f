"""Contact problems given as matrices: u = W r + q with a friction law between u and r."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import as_python, defined, real, text, value_of
from .errors import InfeasibleWarning, check
from .world import World, validate

Array = npt.NDArray[np.float64]
_INFEASIBLE = ("problem: infeasible; no impulses keep its contacts apart, because contacts press against each other while the "
               "free velocities close them; the impulses of this solution are meaningless")


@dataclass(frozen=True)
class Solution:
    """A solution: impulses r and velocities u, (n, 3) with the normal part first (N s, m/s), and the report of
    the solve (scree_problem_report). `residual`: of r in the measures scaled, siconos and fclib. `report["stop"]`: why the
    solve ended, "residual" if the tolerance is met, "infeasible" if the problem has no solution (scree_stop)."""

    impulses: Array
    velocities: Array
    residual: dict[str, float]
    report: dict[str, Any]


def _doubles(values: npt.ArrayLike, count: int, name: str) -> Array:
    """Returns an array of `count` numbers in any shape as a row. Errors: TypeError, ValueError."""
    numbers = np.ascontiguousarray(real(values, "f8", name)).reshape(-1)
    if numbers.size != count:
        raise ValueError(f"{name}: {numbers.size} numbers; must be {count}")
    return numbers


def _frictions(values: npt.ArrayLike, count: int) -> Array:
    """Returns the friction of each contact; one number is that of all. Errors: ValueError."""
    return _doubles(np.full(count, values) if np.size(values) == 1 else values, count, "friction")


def _shape(matrix: Any, name: str, allowed: str, fits: Callable[[int, int], bool]) -> tuple[int, int]:
    """Returns the numbers of rows and columns. Errors: ValueError unless they fit."""
    shape = np.shape(matrix)
    if len(shape) != 2 or not fits(*shape):
        raise ValueError(f"{name}: shape {shape}; must be {allowed}")
    return shape[0], shape[1]


def _triplets(matrix: Any, name: str) -> tuple[Any, Any]:
    """Returns a sparse matrix of the library, and what keeps its entries alive."""
    from scipy import sparse

    given: Any = matrix if sparse.issparse(matrix) else real(matrix, "f8", name)
    entries = sparse.coo_array(given)
    rows = np.zeros(entries.nnz, [("row", "i4"), ("column", "i4"), ("value", "f8")])
    rows["row"], rows["column"], rows["value"] = entries.row, entries.col, real(entries.data, "f8", name)
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
        (n,) or one number. The first of the three rows of a contact is its normal. Errors: ValueError."""
        size, _ = _shape(w, "W", "(3n, 3n) for n contacts", lambda rows, columns: rows == columns and rows % 3 == 0)
        count = size // 3
        matrix, _keep = _triplets(w, "W")
        free, mu = _doubles(q, size, "q"), _frictions(friction, count)
        definition = ffi.new("scree_local_problem_def *", {
            "contacts": count, "w": matrix, "q": ffi.from_buffer("double[]", free),
            "friction": ffi.from_buffer("double[]", mu)})
        return cls._make(lib.scree_problem_create_local, definition)

    @classmethod
    def bodies(cls, m: Any, h: Any, f: npt.ArrayLike, w: npt.ArrayLike, friction: npt.ArrayLike) -> Problem:
        """Returns the problem M v = H r + f, u = Hᵀ v + w of d degrees of freedom: M, (d, d); H, (d, 3n); f, (d,);
        w, (3n,) m/s; friction, (n,) or one number. Errors: ValueError."""
        dofs, size = _shape(h, "H", "(d, 3n) for d degrees of freedom and n contacts", lambda _, columns: columns % 3 == 0)
        _shape(m, "M", f"({dofs}, {dofs}), a row for each row of H", lambda rows, columns: rows == columns == dofs)
        count = size // 3
        mass, _keep_m = _triplets(m, "M")
        jacobian, _keep_h = _triplets(h, "H")
        force, drift, mu = _doubles(f, dofs, "f"), _doubles(w, size, "w"), _frictions(friction, count)
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
        validate("world", world, World)
        return cls._make(lib.scree_problem_from_world, world._pointer)

    @classmethod
    def _make(cls, create: Any, argument: Any) -> Problem:
        out = ffi.new("scree_problem **")
        check(create(argument, out))
        return cls(out[0])

    def solve(self, *, law: str = "coulomb", start: npt.ArrayLike | None = None, **options: Any) -> Solution:
        """Solves the problem. Keywords: tolerance, measure ("scaled", "siconos", "fclib"), method, backend,
        iterations and other fields of scree_problem_options. `start`: (n, 3) N s. Warns with InfeasibleWarning if the
        problem has no solution."""
        return self._solve(law, start, options)

    def _solve(self, law: str, start: npt.ArrayLike | None, options: dict[str, Any]) -> Solution:
        count = len(self)
        settings = defined("scree_problem_options", lib.scree_default_problem_options(), {"law": law} | options)
        if start is not None:
            warm = _doubles(start, 3 * count, "start")
            settings.start = ffi.from_buffer("double[]", warm)
        impulses, velocities = np.zeros((count, 3)), np.zeros((count, 3))
        report = ffi.new("scree_problem_report *")
        check(lib.scree_problem_solve(self._pointer, settings, ffi.from_buffer("double[]", impulses),
                                      ffi.from_buffer("double[]", velocities), report))
        if report.stop == lib.SCREE_STOP_INFEASIBLE:
            warnings.warn(_INFEASIBLE, InfeasibleWarning, stacklevel=3)  # at the caller of the interface
        return Solution(impulses, velocities, _measures(report.residual), dict(as_python(report[0])))

    def residual(self, impulses: npt.ArrayLike, law: str = "coulomb") -> dict[str, float]:
        """Returns the residual of given impulses, (n, 3) N s, in the measures scaled, siconos and fclib."""
        given = _doubles(impulses, 3 * len(self), "impulses")
        out = ffi.new("double[]", lib.SCREE_MEASURE_COUNT)
        check(lib.scree_problem_compute_residual(self._pointer, value_of(ffi.typeof("scree_law"), law, "law"),
                                                 ffi.from_buffer("double[]", given), ffi.NULL, out))
        return _measures(out)


def solve(w: Any, q: npt.ArrayLike, friction: npt.ArrayLike, *, law: str = "coulomb",
          start: npt.ArrayLike | None = None, **options: Any) -> Solution:
    """Solves u = W r + q under a friction law: Problem.local with its errors, Problem.solve with its warning.

    >>> import numpy as np, scree
    >>> at_rest = scree.solve(np.eye(3), [-1.0, 0.3, 0.0], 0.5)
    >>> [round(float(r), 6) for r in at_rest.impulses[0, :2]]
    [1.0, -0.3]
    """
    return Problem.local(w, q, friction)._solve(law, start, options)
