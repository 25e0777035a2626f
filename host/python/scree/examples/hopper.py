"""Hopper: the discharge of a silo through round openings of several diameters D.

Beverloo's law: W = C ρ √g (D - k d)^(5/2), with the bulk density ρ, the grains' diameter d, C = 0.58 and k = 1.4.
"""

import math

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

D, MASS = 0.005, math.pi / 6 * 0.005**3 * 2500  # diameter (m) and mass (kg) of a grain


def plate(opening: float, corners: int = 48) -> scree.Shape:
    """Returns a horizontal ring of triangles around a round opening."""
    i, j, angles = np.arange(corners), np.roll(np.arange(corners), -1), np.arange(corners) * 2 * math.pi / corners
    circle = np.stack((np.cos(angles), np.sin(angles), 0 * i), axis=1)
    triangles = np.vstack((np.stack((i, i + corners, j), 1), np.stack((j, i + corners, j + corners), 1)))
    return scree.mesh(np.vstack((opening / 2 * circle, 3 * opening * circle)), triangles)


def discharge(opening: float, width: float, grains: int) -> tuple[scree.World, float, float]:
    """Fills a silo, opens it, and returns it with the flow (kg/s) and the bulk density (kg/m³)."""
    world = scree.World(time_step=0.003, material={"friction": 0.5, "density": 2500})
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        turn = np.array((y, -x, 0, 1)) / math.sqrt(2)
        world.add(scree.half_space(), type="static", position=(x * width / 2, y * width / 2, 0), rotation=turn)
    world.add(plate(opening), type="static")
    plug = world.add(scree.cylinder(opening, 0.002), type="static", position=(0, 0, -0.002))
    cells, random = int(width / (1.1 * D)), np.random.default_rng(1)
    grid = np.stack(np.unravel_index(np.arange(grains), (grains, cells, cells))[::-1], 1) + ((1 - cells) / 2, (1 - cells) / 2, 0.6)
    rows = world.add_all(scree.sphere(D / 2), D * (1.1 * grid + random.uniform(0, 0.04, (grains, 3))))
    world.step(100)
    heights = world.bodies.positions[rows][:, 2].copy()
    low, high = 2 * D, 0.8 * heights.max()
    density = np.count_nonzero((heights > low) & (heights < high)) * MASS / (width**2 * (high - low))
    plug.remove()
    gone: list[tuple[float, int]] = [(0, 0)]  # time, number
    while gone[-1][1] < 0.25 * grains:
        world.step()
        gone.append((world.time, int(np.count_nonzero(world.bodies.positions[rows][:, 2] < -D))))
    steady = np.array([each for each in gone if each[1] > 0.04 * grains])
    return world, float(np.polyfit(steady[:, 0], steady[:, 1], 1)[0]) * MASS, float(density)


def run(small: bool = False) -> Result:
    """Measures the flow through each opening."""
    openings = np.array([5.0] if small else [5.0, 6.0, 7.0, 8.0]) * D
    runs = [discharge(opening, 10 * D if small else 15 * D, 600 if small else 4000) for opening in openings]
    factors = [flow / density / math.sqrt(9.81) / (opening - 1.4 * D) ** 2.5 for opening, (_, flow, density) in zip(openings, runs)]
    figure, axes = panels(2)
    plot.picture(runs[-1][0], axes[0])
    axes[1].plot(openings / D, factors, "o-", (4, 9), (0.58, 0.58), "k--")
    axes[1].set(xlabel="D/d", ylabel="C; dashed: Beverloo et al. 1961", ylim=(0, 1))
    return Result([Row("mean of C", float(np.mean(factors)), 0.5, 0.7, "Beverloo et al. 1961: 0.58")], figure)
