"""The pair correlation of grains."""

from __future__ import annotations

import numpy as np

from .contacts import Array, State


def pair_correlation(state: State, reach: float, classes: int = 100) -> tuple[Array, Array]:
    """Returns g(r), the density of dynamic bodies at the distance r from one, over their mean density: the middles of
    `classes` equal classes from 0 to `reach` (m), and the values, (classes,) each.

    Along an axis without a period only the bodies farther than `reach` from the ends of the pile are centres of shells,
    so that no shell leaves the pile. Errors: ValueError if there are none, or a period is below 2 `reach`, or `reach` ≤ 0.
    Needs SciPy."""
    from scipy.spatial import cKDTree

    centres, period = np.asarray(state.centres, dtype="f8"), np.asarray(state.period, dtype="f8")
    if not reach > 0 or not len(centres):
        raise ValueError(f"reach: {reach:g}, with {len(centres)} dynamic bodies; must be > 0 m, with bodies")
    low, high = centres.min(axis=0), centres.max(axis=0)
    if np.any((period > 0) & (period < 2 * reach)):
        raise ValueError(f"reach: {reach:g}; must be at most half a period, {period[period > 0].min() / 2:g} m")
    inner = np.all((period > 0) | ((centres >= low + reach) & (centres <= high - reach)), axis=1)
    if not inner.any():
        raise ValueError(f"reach: {reach:g}; must leave bodies inside the pile, less than {(high - low).min() / 2:g} m")
    length = np.where(period > 0, period, 2 * (high - low) + 2 * reach)  # without a period: no image within reach
    tree = cKDTree(np.mod(centres - low, length), boxsize=length)
    middle = cKDTree(np.mod(centres[inner] - low, length), boxsize=length)
    edges = np.linspace(0, reach, classes + 1)
    within = np.asarray(middle.count_neighbors(tree, edges), dtype="f8")  # cumulative, with each body itself
    density = _density(centres, inner, np.where(period > 0, period, high - low - 2 * reach))
    shells = 4 / 3 * np.pi * np.diff(edges**3) * density * np.count_nonzero(inner)
    counts = np.diff(within)
    counts[0] -= 0 if within[0] else np.count_nonzero(inner)
    return (edges[1:] + edges[:-1]) / 2, counts / shells


def _density(centres: Array, inner: np.typing.NDArray[np.bool_], lengths: Array) -> float:
    """Returns the number of bodies in a volume of the inner box, 1/m³."""
    return float(np.count_nonzero(inner) / np.prod(lengths))
