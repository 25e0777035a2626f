"""Results of a run: statistics of its steps and rows of its measurements, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import dtype_of, listed, text, unknown
from .errors import check

if TYPE_CHECKING:
    import pandas

    from .world import World

_COMPONENTS = ("sample", "mean", "maximum")
_SOLVE = ("iterations", "residual", "violation")
_PREFIX = int(ffi.offsetof("scree_statistics", "timing"))  # what a record keeps of the statistics of a step


def _row_type() -> np.dtype[Any]:
    """Returns the type of the kept part: single values, and those of the solve that _SOLVE lists."""
    whole, solve = dtype_of("scree_statistics"), dtype_of("scree_solve_report")
    columns = {}
    for name, (kind, place) in ((name, whole.fields[name][:2]) for name in whole.names or () if whole.fields):
        if place < _PREFIX and kind.shape == () and kind.fields is None:
            columns[name] = (kind, place)
    for name in _SOLVE:
        assert solve.fields is not None and whole.fields is not None
        kind, place = solve.fields[name][:2]
        columns[name] = (kind, place + whole.fields["solve"][1])
    return np.dtype({"names": list(columns), "formats": [kind for kind, _ in columns.values()],
                     "offsets": [place for _, place in columns.values()], "itemsize": _PREFIX})


_ROW = _row_type()


class _Measurement:
    """Reads the rows of a measurement of a world."""

    def __init__(self, world: World, identity: Any) -> None:
        self._world, self._id = world, identity
        definition = ffi.new("scree_measurement_def *")
        check(lib.scree_measurement_get_def(world._pointer, identity, definition))
        self.name = text(definition.name)
        self._row = ffi.new("scree_measurement_row *")
        self._columns: list[list[str]] | None = None

    def step(self) -> int:
        """Reads the last row and returns its step; 0: there is none."""
        check(lib.scree_measurement_get_row(self._world._pointer, self._id, self._row))
        return int(self._row.step)

    def _names(self) -> list[list[str]]:
        """Returns the names of the columns: one for running totals, else three, for each quantity."""
        name = ffi.new("char[96]")
        columns = []
        for quantity in range(self._row.count):
            total = lib.scree_measurement_quantity_is_total(self._world._pointer, self._id, quantity)
            own = []
            for component in range(1 if total else 3):
                check(lib.scree_measurement_get_quantity_name(self._world._pointer, self._id, quantity, component, name, 96))
                own.append(text(name))
            columns.append(own)
        return columns

    def values(self) -> dict[str, float]:
        """Returns the row that `step` has read, by the names of columns."""
        if self._columns is None:
            self._columns = self._names()
        values = {"time": float(self._row.time)}
        for quantity, names in enumerate(self._columns):
            for component, name in zip(_COMPONENTS, names):
                values[name] = float(getattr(self._row, component)[quantity])
        return values


def _measurements(world: World) -> list[_Measurement]:
    return [_Measurement(world, identity) for identity in listed("scree_measurement_id", lib.scree_measurement_list, world._pointer)]


def measurements_of(world: World) -> dict[str, dict[str, float]]:
    """Returns the last row of each measurement by its name; columns have their units in their names."""
    return {each.name: each.values() for each in _measurements(world) if each.step() > 0}


class Record:
    """Statistics and measurements of a run.

    `world`: the world after the run."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._stages: list[str] = []
        self._steps: list[bytes] = []
        self._rows: dict[str, list[dict[str, float]]] = {}
        self._measurements: list[_Measurement] = []
        self._last: dict[str, int] = {}

    def begin(self, stage: str = "") -> None:
        """Begins a stage: its steps have this name, and its measurements are read."""
        self._stage = stage
        self._measurements = _measurements(self.world)

    def add(self) -> None:
        """Adds the last step of the world, and the rows that it completed."""
        self._stages.append(self._stage)
        self._steps.append(bytes(ffi.buffer(self.world._statistics, _PREFIX)))
        self.add_rows()

    def add_rows(self) -> None:
        """Adds the rows of measurements that are new."""
        for each in self._measurements:
            step = each.step()
            if step > 0 and self._last.get(each.name) != step:
                self._last[each.name] = step
                self._rows.setdefault(each.name, []).append(each.values())

    def _table(self) -> npt.NDArray[Any]:
        return np.frombuffer(b"".join(self._steps), _ROW)

    @property
    def statistics(self) -> pandas.DataFrame:
        """A row a step: time (s), contacts, residual, energies (J), … (scree_statistics)."""
        import pandas

        table = self._table()
        columns = {name: table[name] for name in _ROW.names or ()}
        return pandas.DataFrame(({"stage": self._stages} if any(self._stages) else {}) | columns)

    @property
    def measurements(self) -> dict[str, pandas.DataFrame]:
        """The rows of each measurement; columns have their units in their names."""
        import pandas

        return {name: pandas.DataFrame(rows) for name, rows in self._rows.items()}

    def last(self, name: str) -> dict[str, float]:
        """Returns the last row of a measurement, without pandas. Errors: ValueError if it has none."""
        if name not in self._rows:
            raise unknown("measurement", name, self._rows)
        return self._rows[name][-1]

    def row_column(self, measurement: str, name: str) -> npt.NDArray[np.float64]:
        """Returns a column of the rows of a measurement, without pandas; without rows it is empty. Errors: ValueError for an
        unknown column."""
        if measurement in self._rows and name not in self._rows[measurement][-1]:
            raise unknown(f"{measurement}: column", name, self._rows[measurement][-1])
        return np.array([row[name] for row in self._rows.get(measurement, [])])

    def final(self) -> dict[str, float]:
        """Returns the last value of each column of the statistics and of each measurement, as MEASUREMENT.COLUMN."""
        last = np.frombuffer(self._steps[-1], _ROW)[0] if self._steps else None
        values = {} if last is None else {name: last[name].item() for name in _ROW.names or ()}
        for name, rows in self._rows.items():
            values |= {f"{name}.{column}": value for column, value in rows[-1].items() if column != "time"}
        return values

    def column(self, name: str) -> npt.NDArray[Any]:
        """Returns a column of the statistics, without pandas. Errors: ValueError for an unknown one."""
        if name not in (_ROW.names or ()):
            raise unknown("column", name, _ROW.names or ())
        return np.asarray(self._table()[name])
