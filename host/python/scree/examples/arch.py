"""Masonry arch: the least thickness with which a semicircular arch of 27 wedges stands.

An arch of thickness t about the mean radius R carries its weight if t/R > 0.1075. Thinner ones open hinges and fall.
"""

import math

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

WEDGES, DEPTH = 27, 0.2  # number; m


def wedge(ratio: float) -> tuple[scree.Shape, float]:
    """Returns the hull of the crown's wedge for R = 1 m, and the height of its centre of mass."""
    half = math.pi / 2 / WEDGES
    corners = [(x * r * math.sin(half), y, r * math.cos(half))
               for r in (1 - ratio / 2, 1 + ratio / 2) for x in (-1, 1) for y in (-DEPTH / 2, DEPTH / 2)]
    short, long = (r * math.sin(half) for r in (1 - ratio / 2, 1 + ratio / 2))
    return scree.hull(corners), math.cos(half) * (1 - ratio / 2 + ratio * (short + 2 * long) / (3 * (short + long)))


def arch(ratio: float, seconds: float) -> tuple[scree.World, float]:
    """Builds an arch, simulates it, and returns the largest displacement of a wedge, m."""
    world = scree.World(material={"friction": 0.9, "density": 1900}, solver={"tolerance": 6e-7, "iterations": 1000})
    world.add(scree.half_space(), type="static")
    shape, height = wedge(ratio)
    angles = (np.arange(WEDGES) + 0.5) * math.pi / WEDGES - math.pi / 2
    places = height * np.stack((np.sin(angles), 0 * angles, np.cos(angles)), axis=1)
    turns = np.stack((0 * angles, np.sin(angles / 2), 0 * angles, np.cos(angles / 2)), axis=1)
    rows = world.add_all(shape, places, rotation=turns)
    world.step(round(seconds / world.time_step))
    return world, float(np.linalg.norm(world.bodies.positions[rows] - places, axis=1).max())


def run(small: bool = False) -> Result:
    """Simulates arches of several thicknesses."""
    ratios = (0.12, 0.09) if small else (0.13, 0.12, 0.115, 0.11, 0.105, 0.1, 0.09)
    found = {ratio: arch(ratio, 0.8 if small else 4) for ratio in ratios}
    moved = [found[ratio][1] for ratio in ratios]
    standing = [ratio for ratio, move in zip(ratios, moved) if move < 0.01]
    fallen = [ratio for ratio, move in zip(ratios, moved) if move >= 0.01]
    figure, axes = panels(3)
    for ax, ratio in zip(axes, (min(standing), max(fallen))):
        plot.picture(found[ratio][0], ax, eye=(0, -4, 0.8), target=(0, 0, 0.5)).set_title(f"t/R = {ratio}")
    axes[2].semilogy(ratios, moved, "o-")
    axes[2].axvline(0.1075, color="black", linestyle="--", label="Milankovitch 1907")
    axes[2].set(xlabel="t/R", ylabel="largest displacement, m")
    axes[2].legend()
    return Result([Row("thickest arch that falls, t/R", max(fallen), 0, 0.1075, "Milankovitch 1907: t/R < 0.1075 falls"),
                   Row("thinnest arch that stands, t/R", min(standing), 0.1075, 1, "Milankovitch 1907")], figure)
