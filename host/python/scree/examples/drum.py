"""Drum with a mesh: the torque that turns a ribbed drum a quarter full of beads.

In steady motion the torque about the axis balances the weight: M = -m g x, with the centre of mass x in front of the axis.
"""

import math

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

RADIUS, LENGTH, SPEED = 0.06, 0.02, 1.5  # m, m, rad/s


def shell(sides: int = 48, rib: float = 0.006) -> scree.Shape:
    """Returns a tube about y as a mesh, with a rib at every eighth corner."""
    angles = 2 * math.pi * np.arange(sides) / sides
    radii = np.where(np.arange(sides) % 8 == 0, RADIUS - rib, RADIUS)
    ring = np.stack((radii * np.cos(angles), np.full(sides, LENGTH / 2), radii * np.sin(angles)), axis=1)
    vertices = np.vstack((ring * (1, -1, 1), ring))
    i, j = np.arange(sides), np.roll(np.arange(sides), -1)
    return scree.mesh(vertices, np.concatenate([np.stack(corners, 1) for corners in ((i, j, i + sides), (j, j + sides, i + sides))]))


def torque(world: scree.World) -> float:
    """Returns the torque of the drum, the first body, on the beads about its axis in the last step, N m."""
    own = world.contacts[world.contacts["a"]["index"] == 1]
    return float(np.cross(own["point"], own["impulse"])[:, 1].sum() / world.time_step)


def run(small: bool = False) -> Result:
    """Turns the drum and averages torque and centre of mass."""
    size = 0.006 if small else 0.0025
    world = scree.World(time_step=0.004 if small else 0.002, material={"density": 2500})  # friction: 0.5
    world.add(shell(), type="kinematic", angular_velocity=(0, -SPEED, 0))
    smooth, turn = world.add_material(friction=0), math.sqrt(0.5)
    for side in (-1, 1):  # front and back
        world.add(scree.half_space(), type="static", material=smooth, position=(0, side * LENGTH / 2, 0), rotation=(side * turn, 0, 0, turn))
    across, along = np.arange(-RADIUS, RADIUS, 2.1 * size), np.arange(1.05 * size, LENGTH - 0.9 * size, 2.1 * size) - LENGTH / 2
    places = np.stack(np.meshgrid(across, along, across), -1).reshape(-1, 3)
    places = places[(np.hypot(places[:, 0], places[:, 2]) < RADIUS - 0.006 - size) & (places[:, 2] < 0.1 * RADIUS)]
    beads = world.add_all(scree.sphere(size), places)
    times, torques, weights = np.arange(1, (375 if small else 2000) + 1) * world.time_step, [], []
    for _ in times:
        world.step()
        torques.append(torque(world))
        weights.append(-float((world.bodies.masses[beads] * world.bodies.positions[beads][:, 0]).sum() * 9.81))
    steady = times > (0.5 if small else 1.5)
    ratio = float(np.array(torques)[steady].sum() / np.array(weights)[steady].sum())
    figure, axes = panels(2)
    plot.picture(world, axes[0], eye=(0, -0.3, 0), target=(0, 0, 0))
    for values, name in ((torques, "torque on the beads"), (weights, "-m g x")):
        axes[1].plot(times, np.abs(values), linewidth=0.7, label=name)
    axes[1].set(xlabel="time, s", ylabel="torque, N m", ylim=(0, 3 * np.mean(np.abs(weights))))
    axes[1].legend()
    return Result([Row("mean torque / (-m g x)", ratio, 0.95, 1.05, "balance of angular momentum: 1")], figure)
