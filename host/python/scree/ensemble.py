"""Ensembles: the worlds of a scene with `worlds`, which differ in some numbers of the scene and in their seeds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._interrupt import noted
from ._structs import unknown
from .errors import Error, Interrupted
from .record import Record
from .scene import Scene

if TYPE_CHECKING:
    import pandas


class Ensemble:
    """The results of the worlds of a scene.

    `records`: the record of each world, None if it failed or did not begin. `failures`: the message of each, "" if it
    reached its end; "interrupted" if Ctrl-C ended it or came before it began."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.records: list[Record | None] = [None] * scene.world_count
        self.failures = [""] * scene.world_count

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record | None]:
        return iter(self.records)

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """Returns the last value of a column in each world, (n,); NaN without one. `name`: a path that varies, "seed", a
        column of the statistics, or "MEASUREMENT.COLUMN". Errors: ValueError for a column that no world has."""
        given = self._given()
        if name in given:
            return np.asarray(given[name], dtype="f8")
        rows = [{} if record is None else record.final() for record in self.records]
        names = {each for row in rows for each in row}
        if names and name not in names:
            raise unknown("column", name, {*given, *names})
        return np.array([row.get(name, np.nan) for row in rows])

    def _given(self) -> dict[str, Any]:
        """Returns the numbers that vary by their paths, and the seeds."""
        return self.scene.varied | {"seed": self.scene.seeds}

    @property
    def table(self) -> pandas.DataFrame:
        """A row a world: the numbers that vary by their paths, its `seed` and `failure`, and the last value of each column
        of its statistics and measurements, the latter as MEASUREMENT.COLUMN."""
        import pandas

        rows, given = [], self._given()
        for index, record in enumerate(self.records):
            row: dict[str, Any] = {path: values[index] for path, values in given.items()}
            row["failure"] = self.failures[index]
            rows.append(row | ({} if record is None else record.final()))
        return pandas.DataFrame(rows).rename_axis("world")


def run_all(scene: Scene | Mapping[str, Any] | str | os.PathLike[str], *, workers: int | None = None,
            progress: bool = False) -> Ensemble:
    """Runs all worlds of a scene, `workers` at a time (None: one a processor) with one thread each, and returns their
    results. `scene`: a Scene, or what it is made from. `progress` shows a bar (needs tqdm). An error of a world does not
    end the others. Ctrl-C ends all after their current steps and raises Interrupted with the `table` and the `ensemble`.
    Errors: those of Scene, also for a value that varies and is out of range, before the first step.

    >>> import scree
    >>> scene = scree.Scene({
    ...     "run": {"duration": 1}, "materials": {"ice": {"friction": 0.1}},
    ...     "bodies": [{"type": "static", "shape": {"kind": "half-space"}, "material": "ice"},
    ...                {"shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "material": "ice", "position": [0, 0, 0.05],
    ...                 "linear_velocity": [1, 0, 0]}],
    ...     "measurements": [{"kind": "position", "name": "puck", "bodies": [1]}],
    ...     "worlds": {"vary": {"materials.ice.friction": [0.1, 0.2, 0.4]}}})
    >>> [round(float(x), 2) for x in scree.run_all(scene).column("puck.position_x_m")]  # v²/(2 μ g)
    [0.51, 0.25, 0.12]
    """
    own = scene if isinstance(scene, Scene) else Scene(scene)
    own._validate_worlds()
    result = Ensemble(own)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool, noted() as interrupt:
        futures = [pool.submit(_run, result, index, lambda: interrupt.asked) for index in range(len(result))]
        for future in _bar(futures, progress):
            future.result()
            if interrupt.asked:  # the pool waits for the steps that the other worlds are in
                break
    if interrupt.asked:
        ended = result.failures.count("")
        raise Interrupted(f"run_all: interrupted; {ended} of {len(result)} worlds ended", ensemble=result)
    return result


def _run(result: Ensemble, index: int, stop: Callable[[], bool]) -> None:
    """Runs a world and enters its record and its failure."""
    result.failures[index] = "interrupted"
    if stop():
        return
    try:
        own = result.scene.world(index)
        backend = "native" if own.backend == "auto" else own.backend
        record = Record(own.build(threads=1, backend=backend))
        if own._run(record.world, record, False, stop):
            result.failures[index] = ""
        result.records[index] = record
    except Error as error:
        result.failures[index] = str(error)


def _bar(futures: list[Future[None]], progress: bool) -> Iterator[Future[None]]:
    done = as_completed(futures)
    if not progress:
        return done
    from tqdm import tqdm

    return iter(tqdm(done, total=len(futures), unit="world"))
