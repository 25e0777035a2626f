"""Results of a run: statistics of its steps and rows of its measurements, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._binding import ffi, lib
from ._structs import listed, text
from .errors import check

if TYPE_CHECKING:
    import pandas

    from .world import World

_COMPONENTS = ("sample", "mean", "maximum")


def _columns(world: World, measurement: Any, count: int) -> list[list[str]]:
    """Returns the names of a measurement's columns: one for running totals, else three, for each quantity."""
    name = ffi.new("char[96]")
    columns = []
    for quantity in range(count):
        total = lib.scree_measurement_quantity_is_total(world._pointer, measurement, quantity)
        own = []
        for component in range(1 if total else 3):
            check(lib.scree_measurement_get_quantity_name(world._pointer, measurement, quantity, component, name, 96))
            own.append(text(name))
        columns.append(own)
    return columns


def _row(world: World, measurement: Any) -> tuple[int, dict[str, float]]:
    """Returns the step of the last row of a measurement, and its values by the names of columns."""
    row = ffi.new("scree_measurement_row *")
    check(lib.scree_measurement_get_row(world._pointer, measurement, row))
    values = {"time": float(row.time)}
    for quantity, names in enumerate(_columns(world, measurement, row.count)):
        for component, name in zip(_COMPONENTS, names):
            values[name] = float(getattr(row, component)[quantity])
    return int(row.step), values


def measurements_of(world: World) -> dict[str, dict[str, float]]:
    """Returns the last row of each measurement by its name; columns have their units in their names."""
    definition = ffi.new("scree_measurement_def *")
    rows = {}
    for measurement in listed("scree_measurement_id", lib.scree_measurement_list, world._pointer):
        check(lib.scree_measurement_get_def(world._pointer, measurement, definition))
        step, row = _row(world, measurement)
        if step > 0:
            rows[text(definition.name)] = row
    return rows


class Record:
    """Statistics and measurements of a run.

    `world`: the world after the run. `interrupted`: whether Ctrl-C ended it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.interrupted = False
        self.stage = ""
        self._statistics: list[dict[str, Any]] = []
        self._rows: dict[str, list[dict[str, float]]] = {}
        self._last: dict[str, float] = {}

    def add(self, statistics: dict[str, Any]) -> None:
        """Adds a step, and the rows that it completed."""
        own = {name: value for name, value in statistics.items() if np.ndim(value) == 0 and not isinstance(value, dict)}
        solve = statistics["solve"]
        own |= {name: solve[name] for name in ("iterations", "residual", "violation")}
        self._statistics.append({"stage": self.stage} | own if self.stage else own)
        for name, row in measurements_of(self.world).items():
            if self._last.get(name) != row["time"]:
                self._last[name] = row["time"]
                self._rows.setdefault(name, []).append(row)

    @property
    def statistics(self) -> pandas.DataFrame:
        """A row a step: time (s), contacts, residual, energies (J), … (scree_statistics)."""
        import pandas

        return pandas.DataFrame(self._statistics)

    @property
    def measurements(self) -> dict[str, pandas.DataFrame]:
        """The rows of each measurement; columns have their units in their names."""
        import pandas

        return {name: pandas.DataFrame(rows) for name, rows in self._rows.items()}

    def last(self, name: str) -> dict[str, float]:
        """Returns the last row of a measurement, without pandas. Errors: KeyError if it has none."""
        return self._rows[name][-1]

    def column(self, name: str) -> npt.NDArray[Any]:
        """Returns a column of the statistics, without pandas."""
        return np.array([row[name] for row in self._statistics])
