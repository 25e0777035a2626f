"""Plots of runs, worlds and frames with matplotlib. Each function draws on `ax`, or on new axes, and returns the axes."""

from __future__ import annotations

import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from ._binding import ffi, lib
from ._structs import as_python
from .contacts import Array, State, directions, fabric as fabric_tensor, force_density
from .correlation import pair_correlation as correlate
from .errors import DeviceError, check
from .record import Record

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.projections.polar import PolarAxes

    from .world import World

AXES = "xyz"
UNITS = {"_kg_per_m3": "kg/m³", "_m2_per_s2": "m²/s²", "_m_per_s": "m/s"}  # by the endings of columns


def _axes(ax: Axes | None, **projection: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    _, new = pyplot.subplots(subplot_kw=projection, layout="constrained")
    return new


def residual(record: Record, ax: Axes | None = None) -> Axes:
    """Draws the scaled residual of each step, and its largest contact's violation, over time."""
    axes: Axes = _axes(ax)
    time = record.column("time")
    for name in ("residual", "violation"):
        values = record.column(name)
        axes.semilogy(time, np.where(values > 0, values, np.nan), linewidth=1, label=name)
    axes.set(xlabel="time, s", ylabel="residual, violation (relative)")
    axes.legend()
    return axes


def energy(record: Record, ax: Axes | None = None) -> Axes:
    """Draws kinetic energy, potential energy (from its lowest value) and their sum over time."""
    axes: Axes = _axes(ax)
    time, kinetic, potential = (record.column(name) for name in ("time", "kinetic_energy", "potential_energy"))
    lifted = potential - potential.min()
    for name, values in (("kinetic", kinetic), ("potential, above its lowest", lifted), ("sum", kinetic + lifted)):
        axes.plot(time, values, label=name)
    axes.set(xlabel="time, s", ylabel="energy, J")
    axes.legend()
    return axes


def forces(state: State, ax: Axes | None = None, *, classes: int = 20, limit: float = 5) -> Axes:
    """Draws P(f), the probability density of the normal force of a pair of bodies over its mean."""
    axes: Axes = _axes(ax)
    middle, density = force_density(state, classes, limit)
    axes.semilogy(middle, np.where(density > 0, density, np.nan), "o-")
    axes.set(xlabel="f = normal force / its mean", ylabel="P(f)", xlim=(0, limit))
    return axes


def pair_correlation(state: State, reach: float, ax: Axes | None = None, *, diameter: float | None = None,
                     classes: int = 100) -> Axes:
    """Draws g(r) up to `reach` (m), over r in metres, or in diameters if `diameter` (m) is given."""
    axes: Axes = _axes(ax)
    middle, values = correlate(state, reach, classes)
    axes.plot(middle / (diameter or 1), values)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set(xlabel="r / d" if diameter else "r, m", ylabel="g(r)", ylim=(0, None))
    return axes


def _cells(record: Record, name: str) -> tuple[int, Array]:
    """Returns the axis of a profile's row of cells, and the middles of the cells along it, m."""
    pointer = record.world._pointer
    definition = ffi.new("scree_measurement_def *")
    identity = lib.scree_measurement_find(pointer, name.encode())
    check(lib.scree_measurement_get_def(pointer, identity, definition))
    counts = [int(count) for count in definition.cells]
    axis = int(np.argmax(counts))
    if np.prod(counts) != counts[axis]:
        raise ValueError(f"{name}: {counts} cells; must be one row of cells")
    zone = as_python(definition.zone)
    half = float(zone["size"][axis])
    return axis, float(zone["position"][axis]) + half * ((np.arange(counts[axis]) + 0.5) / counts[axis] * 2 - 1)


def profile(record: Record, name: str, quantity: str = "velocity_x", ax: Axes | None = None) -> Axes:
    """Draws a quantity ("density", "velocity_x", …, "temperature") of the measurement `name`, of the kind "profile",
    along its cells: the mean of its last row. A profile along z has its height upwards."""
    axes: Axes = _axes(ax)
    axis, middle = _cells(record, name)
    row = record.last(name)
    unit = next(unit for unit in UNITS if f"{quantity}_0_mean{unit}" in row)
    values = [row[f"{quantity}_{cell}_mean{unit}"] for cell in range(len(middle))]
    label = f"{quantity.replace('_', ' ')}, {UNITS[unit]}"
    place = f"{AXES[axis]}, m"
    if axis == 2:
        axes.plot(values, middle, "o-")
        axes.set(xlabel=label, ylabel=place)
    else:
        axes.plot(middle, values, "o-")
        axes.set(xlabel=place, ylabel=label)
    return axes


def rose(state: State, plane: str = "xz", ax: PolarAxes | None = None, *, classes: int = 36) -> PolarAxes:
    """Draws the directions of the contacts with a force in a plane as a rose, probability density over angle, with the
    density of the same fabric tensor, (1 + a cos 2(θ - θ₀))/2π."""
    axes: PolarAxes = _axes(ax, projection="polar")
    first, second = (AXES.index(name) for name in plane)
    normals = directions(state)
    angles = np.arctan2(normals[:, second], normals[:, first])
    weight = normals[:, first] ** 2 + normals[:, second] ** 2  # as the fabric tensor weights directions
    half = np.pi / classes  # the first class is about the angle 0
    both = np.concatenate((angles, angles + np.pi)) + half
    density, edges = np.histogram(both % (2 * np.pi), classes, (0, 2 * np.pi), density=True, weights=np.tile(weight, 2))
    axes.bar(edges[:-1], density, width=2 * half, edgecolor="white", linewidth=0.4, label="contacts")
    turn = np.linspace(0, 2 * np.pi, 181)
    axes.plot(turn, _ellipse(fabric_tensor(state)[np.ix_((first, second), (first, second))], turn), color="black", label="fabric")
    axes.set_xlabel(f"angle from {plane[0]} to {plane[1]}; probability density, 1/rad")
    axes.legend(loc="lower right", bbox_to_anchor=(1.15, -0.1))
    return axes


def _ellipse(tensor: Array, turn: Array) -> Array:
    """Returns the density of directions in a plane with the given second moments."""
    scaled = tensor / np.trace(tensor)
    deviator = 2 * (scaled - np.eye(2) / 2)
    return np.asarray((1 + 2 * (deviator[0, 0] * np.cos(2 * turn) + deviator[0, 1] * np.sin(2 * turn))) / (2 * np.pi))


def grains(world: World, ax: Axes | None = None, *, plane: str = "xz") -> Axes:
    """Draws the dynamic bodies as circles of their bounding radii, seen along the third axis, nearest last, coloured by
    speed."""
    from matplotlib.collections import EllipseCollection

    axes: Axes = _axes(ax)
    first, second = (AXES.index(name) for name in plane)
    third = 3 - first - second
    moving = np.flatnonzero(world.bodies.dynamic)
    places = world.bodies.positions[moving]
    order = np.argsort(places[:, third] * (1 if plane == "xy" else -1))
    moving, places = moving[order], places[order]
    speeds = np.linalg.norm(world.bodies.velocities[moving], axis=1)
    widths = [2 * world.bodies.radius(int(row)) for row in moving]
    circles = EllipseCollection(widths, widths, np.zeros(len(moving)), units="xy", offsets=places[:, (first, second)],
                                offset_transform=axes.transData, array=speeds, cmap="viridis", edgecolor="black", linewidth=0.2)
    axes.add_collection(circles)
    axes.autoscale_view()
    axes.set(xlabel=f"{plane[0]}, m", ylabel=f"{plane[1]}, m", aspect="equal")
    axes.figure.colorbar(circles, ax=axes, label="speed, m/s", shrink=0.8)
    return axes


def picture(world: World, ax: Axes | None = None, **view: Any) -> Axes:
    """Draws the ray-cast picture of a world; without an OpenCL device its grains as circles. Keywords: fields of
    scree_view."""
    from matplotlib import pyplot

    axes: Axes = _axes(ax)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "world.png")
        camera = {"automatic": False} if "eye" in view else {}
        try:
            world.picture(path, **camera, **view)
        except DeviceError:
            return grains(world, axes)
        axes.imshow(pyplot.imread(path))
    axes.set_axis_off()
    return axes
