"""Ensembles: the worlds of a scene with `worlds`, which differ in some numbers of the scene and in their seeds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .errors import Error
from .record import Record
from .scene import Scene

if TYPE_CHECKING:
    import pandas


class Ensemble:
    """The results of the worlds of a scene.

    `records`: the record of each world, None if it failed. `failures`: the message of each, "" if it did not fail.
    `interrupted`: whether Ctrl-C ended the run; the worlds that did not begin then have no record."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.records: list[Record | None] = [None] * scene.world_count
        self.failures = [""] * scene.world_count
        self.interrupted = False

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record | None]:
        return iter(self.records)

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """Returns the last value of a column in each world, (n,); NaN without one. `name`: a path that varies, a column
        of the statistics, or "MEASUREMENT.COLUMN"."""
        varied = self.scene.varied
        if name in varied:
            return varied[name]
        return np.array([np.nan if record is None else _last(record, name) for record in self.records])

    @property
    def table(self) -> pandas.DataFrame:
        """A row a world: the numbers that vary by their paths, its failure, and the last value of each column of its
        statistics and measurements, the latter as MEASUREMENT.COLUMN."""
        import pandas

        rows = []
        for index, record in enumerate(self.records):
            row: dict[str, Any] = {path: values[index] for path, values in self.scene.varied.items()}
            row["failure"] = self.failures[index]
            rows.append(row | ({} if record is None else record.final()))
        return pandas.DataFrame(rows).rename_axis("world")


def _last(record: Record, name: str) -> float:
    measurement, dot, column = name.partition(".")
    return float(record.last(measurement)[column] if dot else record.column(name)[-1])


def run_all(scene: Scene, *, workers: int | None = None, progress: bool = False) -> Ensemble:
    """Runs all worlds of a scene, `workers` at a time (None: one a processor) with one thread each, and returns their
    results. An error of a world does not end the others. `progress` shows a bar (needs tqdm). Ctrl-C ends the run after
    whole steps.

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
    result = Ensemble(scene)
    stop = threading.Event()
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = {pool.submit(_run, scene, index, stop): index for index in range(len(result))}
        try:
            for future in _bar(futures, progress):
                _take(result, futures[future], future)
        except KeyboardInterrupt:
            result.interrupted = True
            stop.set()
    if result.interrupted:
        for future, index in futures.items():
            _take(result, index, future)
    return result


def _run(scene: Scene, index: int, stop: threading.Event) -> Record | None:
    if stop.is_set():
        return None
    own = scene.world(index)
    backend = "native" if own.backend == "auto" else own.backend
    record = Record(own.build(threads=1, backend=backend))
    own._run(record.world, record, False, stop.is_set)
    record.interrupted = stop.is_set()
    return record


def _take(result: Ensemble, index: int, future: Future[Record | None]) -> None:
    try:
        result.records[index] = future.result()
    except Error as error:
        result.failures[index] = str(error)


def _bar(futures: dict[Future[Record | None], int], progress: bool) -> Iterator[Future[Record | None]]:
    done = as_completed(futures)
    if not progress:
        return done
    from tqdm import tqdm

    return iter(tqdm(done, total=len(futures), unit="world"))
