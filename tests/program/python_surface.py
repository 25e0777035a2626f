"""Triangulated surfaces of bodies and their display. test_python.py runs this file."""

import importlib.util
import unittest

import numpy as np
import scree
from scree import surface


def volume(vertices, triangles):
    a, b, c = (vertices[triangles[:, i]].astype("f8") for i in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


class Surfaces(unittest.TestCase):
    def test_hold_the_volumes_of_their_shapes(self):
        points = np.random.default_rng(0).normal(size=(20, 3))
        shapes = [scree.sphere(0.1), scree.box(0.1, 0.2, 0.3), scree.capsule(0.1, 0.2), scree.cone(0.1, 0.3), scree.cylinder(0.1, 0.2),
                  scree.ellipsoid(0.1, 0.2, 0.3), scree.hull(points)]
        for shape in shapes:
            share = volume(*surface.surface_of_shape(shape._struct)) / shape.volume
            self.assertTrue(0.93 < share < 1.0001, (shape, share))

    def test_stand_where_the_bodies_are(self):
        world = scree.World(backend="native")
        world.add(scree.half_space(), type="static")
        half = np.sqrt(0.5)
        bodies = [world.add(scree.box(0.1, 0.2, 0.3), position=(1, 2, 3), rotation=(0, 0, half, half)),
                  world.add(scree.clump([(0, 0, 0), (1, 0, 0)], [0.1, 0.1]), position=(5, 0, 1))]
        vertices, triangles, owners = surface.surface_of(world)
        for body, low, high in ((bodies[0], (0.8, 1.9, 2.7), (1.2, 2.1, 3.3)), (bodies[1], (4.4, -0.1, 0.9), (5.6, 0.1, 1.1))):
            own = vertices[owners == body.index]
            self.assertTrue(np.allclose(own.min(axis=0), low, atol=5e-3), own.min(axis=0))
            self.assertTrue(np.allclose(own.max(axis=0), high, atol=5e-3), own.max(axis=0))
        self.assertEqual(triangles.max(), len(vertices) - 1)

    @unittest.skipIf(importlib.util.find_spec("pyvista") is None, "pyvista is not installed")
    def test_are_drawn(self):
        world = scree.World(backend="native")
        world.add(scree.box(1, 1, 0.05), type="static")
        world.add(scree.sphere(0.3), position=(0, 0, 0.35), linear_velocity=(1, 0, 0))
        picture = surface.show(world, off_screen=True, window_size=(200, 150)).screenshot(None, return_img=True)
        self.assertEqual(picture.shape[:2], (150, 200))
        self.assertGreater(len(np.unique(picture.reshape(-1, 3), axis=0)), 20)
        with self.assertRaisesRegex(ValueError, "colour: 'sped'; must be one of height, speed"):
            surface.show(world, "sped", off_screen=True)
        with self.assertRaisesRegex(ValueError, r"colour: shape \(3,\); must be \(2,\)"):
            surface.show(world, [1, 2, 3], off_screen=True)
