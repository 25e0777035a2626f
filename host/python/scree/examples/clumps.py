"""Tilted clumps: the slope on which each of 12 clumps with a friction of its own begins to slide.

A body on a slope slides if tan θ > μ (Coulomb). Clumps of four balls stand on three of them and cannot roll.
"""

import math

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

EDGE, RADIUS = 0.1, 0.02  # distance of the balls' centres, radius, m
TURN = 0.1  # speed of the tilting, rad/s


def tetrapod() -> tuple[scree.Shape, float]:
    """Returns a clump of four balls, and the height of its centre of mass when it stands."""
    angles = 2 * math.pi * np.arange(3) / 3
    base = EDGE / math.sqrt(3) * np.stack((np.cos(angles), np.sin(angles), 0 * angles), axis=1)
    centres = np.vstack((base, (0, 0, EDGE * math.sqrt(2 / 3))))
    return scree.clump(centres, [RADIUS] * 4), RADIUS + centres[:, 2].mean()


def run(small: bool = False) -> Result:
    """Tilts gravity about y until the clumps have slid by 0.1 mm."""
    frictions = np.linspace(0.1, 0.3, 3) if small else np.linspace(0.05, 0.6, 12)
    world = scree.World(time_step=0.01 if small else 0.002)
    ground = world.add_material(friction=1)
    world.add(scree.half_space(), type="static", material=ground)
    shape, height = tetrapod()
    rows = []
    for i, friction in enumerate(frictions):  # of a pair of materials: the geometric mean
        own = world.add_material(friction=friction**2)
        rows.append(world.add(shape, position=(0, 0.2 * i, height), material=own).index)
    first = world.bodies.positions[rows].copy()
    slopes, early = np.full(len(rows), np.nan), world
    while np.isnan(slopes).any() and world.time < 10:
        angle = max(0, world.time - 0.3) * TURN
        world.gravity = (9.81 * math.sin(angle), 0, -9.81 * math.cos(angle))
        world.step()
        moved = world.bodies.positions[rows][:, 0] - first[:, 0]
        slopes[np.isnan(slopes) & (moved > 1e-4)] = angle
        if early is world and np.count_nonzero(np.isfinite(slopes)) > len(rows) / 4:
            early = world.copy()
    error = float(np.abs(np.tan(slopes) - frictions).max())
    figure, axes = panels(2)
    plot.picture(early, axes[0], eye=(2.5, -1, 1.5), target=(0.05, 0.1 * len(rows), 0))
    axes[1].plot(frictions, np.degrees(slopes), "o", label="slides by 0.1 mm")
    axes[1].plot(frictions, np.degrees(np.arctan(frictions)), label="arctan μ")
    axes[1].set(xlabel="friction μ", ylabel="slope, degrees")
    axes[1].legend()
    return Result([Row("largest |tan θ - μ|", error, 0, 0.015, "Coulomb: tan θ = μ; the 0.1 mm at 0.1 rad/s add about 0.01")], figure)
