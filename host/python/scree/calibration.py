"""Calibration: numbers of a scene with which its measurements are those of an experiment."""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._structs import numbers, real
from .ensemble import Ensemble, run_all
from .scene import Scene

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """The result of a calibration. By the paths of the parameters: `values` are the means of the estimates,
    `intervals` the half widths of the confidence intervals, `estimates` those of the calibrations with different seeds,
    (n,). `found`: the means of the fitted columns at the best values of each calibration. `cost`: the mean of the least
    costs. `runs`: the number of runs made."""

    values: dict[str, float]
    intervals: dict[str, float]
    estimates: dict[str, Array]
    found: dict[str, float]
    cost: float
    runs: int

    def contains(self, path: str, value: float) -> bool:
        """Returns whether the confidence interval of a parameter contains a value."""
        return abs(value - self.values[path]) <= self.intervals[path]


def fit(scene: Scene | Mapping[str, Any] | str | os.PathLike[str], parameters: Mapping[str, tuple[float, float]],
        data: Mapping[str, npt.ArrayLike], *, scales: Mapping[str, float] | None = None, seeds: int = 1,
        repeats: int = 4, evaluations: int = 60, confidence: float = 0.95, first_seed: int = 1000,
        workers: int | None = None, progress: bool = False) -> Fit:
    """Calibrates numbers of a scene to measurements. Needs the packages cma and scipy.

    `scene`: a Scene, or what it is made from. `parameters`: the range of each, by its path as in `worlds.vary`, such as {"materials.glass.friction": (0.1, 0.9)}.
    `data`: by the name of a column of Ensemble.column, a measured value, or the values of repeated experiments.
    The cost is the sum over the columns of ((found - measured)/scale)²; `scales` are the measured values by default.

    CMA-ES searches the least cost with `evaluations` sets of values and the mean over `seeds` runs of each. The search
    is repeated `repeats` times with other seeds; the scatter of its estimates is the error of one experiment with as
    many runs. The half width of the confidence interval of a parameter is t s √(1/`repeats` + `seeds`/m), with the
    standard deviation s of the estimates, Student's t, and the number m of repeated experiments in `data`. In a scene
    without random numbers all seeds give the same values; the scatter is then that of the optimiser alone, and the interval
    says how well the search has converged, not how well the data determine the parameter.
    Relative file names are those of the scene's folder.
    Errors: ValueError, also for a column that the scene does not have; those of Scene; RuntimeError if all worlds of a set
    failed."""
    text = _text(scene)
    targets = {name: np.atleast_1d(real(values, "f8", f"data[{name!r}]")) for name, values in data.items()}
    means = {name: float(values.mean()) for name, values in targets.items()}
    widths = {name: abs(mean) for name, mean in means.items()} | dict(scales or {})
    _validate(parameters, widths, repeats)
    searches = [_Search(text, parameters, means, widths, seeds, first_seed + 100_000 * i) for i in range(repeats)]
    for search in _bar(searches, progress):
        search.run(evaluations, workers)
    estimates = np.array([search.best for search in searches])
    experiments = min(len(values) for values in targets.values())
    half = _student(confidence, repeats) * estimates.std(axis=0, ddof=1) * math.sqrt(1 / repeats + seeds / experiments)
    return Fit(dict(zip(parameters, estimates.mean(axis=0).tolist())), dict(zip(parameters, half.tolist())),
               dict(zip(parameters, estimates.T)),
               {name: float(np.mean([search.found[name] for search in searches])) for name in means},
               float(np.mean([search.cost for search in searches])), sum(search.runs for search in searches))


def _text(scene: Scene | Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the scene without `worlds`; files that a scene from a file names get absolute paths."""
    text, folder = (scene if isinstance(scene, Scene) else Scene(scene))._text()
    own: dict[str, Any] = text if folder is None else _absolute(text, folder)
    own.pop("worlds", None)
    return own


def _absolute(value: Any, folder: pathlib.Path) -> Any:
    if isinstance(value, list):
        return [_absolute(item, folder) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: str(folder / item) if key in ("file", "heights") and isinstance(item, str) else _absolute(item, folder)
            for key, item in value.items()}


def _validate(parameters: Mapping[str, tuple[float, float]], scales: Mapping[str, float], repeats: int) -> None:
    if not parameters or not scales:
        raise ValueError(f"parameters, data: {len(parameters)}, {len(scales)} of them; must be at least 1 each")
    for path, limits in parameters.items():
        low, high = numbers(limits, 2, f"parameters[{path!r}]")
        if not low < high:
            raise ValueError(f"parameters[{path!r}]: ({low:g}, {high:g}); must increase")
    for name, scale in scales.items():
        if not 0 < scale < math.inf:
            raise ValueError(f"scales[{name!r}]: {scale:g}; must be > 0 and finite")
    if repeats < 2:
        raise ValueError(f"repeats: {repeats}; must be at least 2")


def _student(confidence: float, count: int) -> float:
    from scipy import stats

    return float(stats.t.ppf((1 + confidence) / 2, count - 1))


def _bar(searches: list[_Search], progress: bool) -> Sequence[_Search]:
    if not progress:
        return searches
    from tqdm import tqdm

    return tqdm(searches, unit="search")  # type: ignore[return-value]


class _Search:
    """A search of the least cost with the same seeds for all sets of values, so that the cost is a function of them."""

    def __init__(self, text: dict[str, Any], parameters: Mapping[str, tuple[float, float]], means: dict[str, float],
                 scales: dict[str, float], seeds: int, seed: int) -> None:
        self._text, self._paths, self._means, self._scales = text, list(parameters), means, scales
        self._low, self._high = np.array(list(parameters.values()), dtype="f8").T
        self._seeds, self._seed = seeds, seed
        self.best, self.found, self.cost, self.runs = self._low, dict(means), math.inf, 0

    def run(self, evaluations: int, workers: int | None) -> None:
        import cma

        # CMA-ES works on two coordinates at least; a second one without effect does not disturb it.
        size = max(2, len(self._paths))
        strategy = cma.CMAEvolutionStrategy(size * [0.5], 0.25, {
            "bounds": [0, 1], "seed": self._seed, "verbose": -9, "maxfevals": evaluations, "tolfun": 1e-9})
        while not strategy.stop():
            points = np.array(strategy.ask())
            strategy.tell(list(points), self._costs(points[:, : len(self._paths)], workers).tolist())

    def _costs(self, points: Array, workers: int | None) -> Array:
        sets = self._low + points * (self._high - self._low)
        vary = {path: np.repeat(sets[:, i], self._seeds).tolist() for i, path in enumerate(self._paths)}
        vary["seed"] = [self._seed + repeat for _ in sets for repeat in range(self._seeds)]  # the same for every set
        text = self._text | {"seed": self._seed, "worlds": {"vary": vary}}
        ensemble = run_all(Scene(text), workers=workers)
        self.runs += len(ensemble)
        return self._judge(sets, ensemble)

    def _judge(self, sets: Array, ensemble: Ensemble) -> Array:
        columns = {name: ensemble.column(name).reshape(len(sets), -1) for name in self._means}
        if not all(np.isfinite(values).any(axis=1).all() for values in columns.values()):
            raise RuntimeError(next((message for message in ensemble.failures if message), "data: a column without values"))
        found = {name: np.nanmean(values, axis=1) for name, values in columns.items()}
        costs = np.sum([((found[name] - mean) / self._scales[name]) ** 2 for name, mean in self._means.items()], axis=0)
        least = int(np.argmin(costs))
        if costs[least] < self.cost:
            self.cost, self.best = float(costs[least]), sets[least]
            self.found = {name: float(values[least]) for name, values in found.items()}
        return np.asarray(costs)
