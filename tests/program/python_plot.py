"""Statistics of contacts and grains, and their plots. test_python.py runs this file."""

import functools
import importlib
import importlib.util
import unittest

import numpy as np
import scree

SHEAR = {
    "seed": 1, "time_step": 0.001, "period": [0.03, 0.03, 0], "backend": {"kind": "native"}, "run": {"duration": 0.2},
    "materials": {"bead": {"friction": 0.5}},
    "kinematic_groups": [{"bodies": [0], "motions": [{"kind": "linear", "velocity": [0.2, 0, 0]}]}],
    "bodies": [{"type": "kinematic", "shape": {"kind": "box", "size": [0.03, 0.03, 0.005]}, "material": "bead", "position": [0, 0, -0.0025]}],
    "generators": [{"kind": "fill", "count": 120, "region": {"kind": "box", "size": [0.03, 0.03], "height": 0.04},
                    "body": {"shape": {"kind": "sphere", "radius": 0.0025}, "material": "bead"}}],
    "measurements": [
        {"kind": "contact_force", "name": "forces", "every": 1, "classes": 10, "range": 4},
        {"kind": "fabric", "name": "fabric", "every": 1},
        {"kind": "profile", "name": "speed", "every": 100, "cells": [1, 1, 5], "zone": {"kind": "box", "size": [0.03, 0.03, 0.02], "position": [0, 0, 0.01]}},
    ],
}


@functools.cache
def sheared():
    return scree.Scene(SHEAR).run()


def lattice(cells, spacing):
    world = scree.World(backend="native")
    places = np.stack(np.meshgrid(*[np.arange(cells) * spacing] * 3), axis=-1).reshape(-1, 3)
    world.add_all(scree.sphere(0.1 * spacing), places)
    return world


class Statistics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.record = sheared()

    def test_forces_are_those_of_the_measurement(self):
        row = self.record.last("forces")
        middle, density = scree.force_density(self.record.world, 10, 4)
        self.assertEqual(len(scree.normal_forces(self.record.world)), row["contacts"])
        self.assertTrue(np.allclose(density, [row[f"density_{i}"] for i in range(10)], atol=1e-12))
        self.assertAlmostEqual(middle[0], 0.2, places=12)

    def test_fabric_is_that_of_the_measurement(self):
        row, own = self.record.last("fabric"), scree.fabric(self.record.world)
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            self.assertAlmostEqual(own[i, j], row[f"fabric_{'xyz'[i]}{'xyz'[j]}"], places=6)

    def test_pair_correlation_counts_neighbours_of_a_lattice(self):
        world = lattice(9, 0.1)
        middle, values = scree.pair_correlation(world, 0.25, 25)
        neighbours = np.cumsum(values * 4 * np.pi * middle**2 * 0.01 / 0.1**3)
        for distance, expected in ((0.095, 0), (0.135, 6), (0.165, 18), (0.195, 26), (0.235, 56)):
            found = neighbours[np.searchsorted(middle, distance) - 1]
            self.assertLess(abs(found - expected), 0.01 * expected + 1e-9, distance)

    def test_pair_correlation_of_random_places_is_one(self):
        world = scree.World(backend="native", period=(1, 1, 1), period_centre=(0.5, 0.5, 0.5))
        world.add_all(scree.sphere(1e-4), np.random.default_rng(1).uniform(0, 1, (2000, 3)))
        _, values = scree.pair_correlation(world, 0.4, 8)
        self.assertTrue(np.allclose(values[2:], 1, atol=0.03))
        with self.assertRaisesRegex(ValueError, "reach: 0.6; must be at most half a period, 0.5 m"):
            scree.pair_correlation(world, 0.6)


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.record = sheared()
        cls.plot = importlib.import_module("scree.plot")

    def test_energy_and_residual(self):
        axes = self.plot.energy(self.record)
        time, kinetic = axes.lines[0].get_data()
        self.assertTrue(np.array_equal(kinetic, self.record.column("kinetic_energy")))
        self.assertAlmostEqual(time[-1], 0.2, places=9)
        self.assertEqual(axes.get_ylabel(), "energy, J")
        axes = self.plot.residual(self.record)
        self.assertEqual(axes.get_yscale(), "log")
        self.assertEqual(len(axes.lines), 2)

    def test_profile(self):
        axes = self.plot.profile(self.record, "speed", "velocity_x")
        speeds, heights = axes.lines[0].get_data()
        self.assertTrue(np.allclose(heights, [0.002, 0.006, 0.01, 0.014, 0.018]))
        self.assertLess(abs(speeds[0] - 0.2), 0.02)  # of the plate
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("velocity x, m/s", "z, m"))

    def test_rose_has_the_density_of_the_contacts(self):
        axes = self.plot.rose(self.record.world, "xz")
        heights = np.array([patch.get_height() for patch in axes.patches])
        widths = np.array([patch.get_width() for patch in axes.patches])
        self.assertAlmostEqual((heights * widths).sum(), 1, places=9)
        turn, density = axes.lines[0].get_data()
        tensor = scree.fabric(self.record.world)
        mean = 2 * np.pi * np.mean((density * np.cos(turn) ** 2)[:-1])
        self.assertAlmostEqual(mean, tensor[0, 0] / (tensor[0, 0] + tensor[2, 2]), places=3)

    def test_draws_on_given_axes(self):
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(1, 2)
        self.assertIs(self.plot.forces(self.record.world, axes[0]), axes[0])
        self.assertIs(self.plot.pair_correlation(self.record.world, 0.006, axes[1], diameter=0.005), axes[1])
        self.assertEqual(axes[1].get_xlabel(), "r / d")
        pyplot.close("all")
