"""Convex parts of shapes that are not convex, from Python and in scenes. test_python.py runs this file."""

import importlib.util
import pathlib
import tempfile
import unittest

import numpy as np
import scree

OUTLINE = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)], float)  # an L of 4 m² in a hull of 5 m²


def prism():
    """Returns an L of 1 m depth as a closed surface."""
    n = len(OUTLINE)
    vertices = np.vstack((np.c_[OUTLINE, np.zeros(n)], np.c_[OUTLINE, np.ones(n)]))
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles = [(a, c, b) for a, b, c in caps] + [(a + n, b + n, c + n) for a, b, c in caps]
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, j + n), (i, j + n, i + n)]
    return vertices, np.array(triangles)


PARTS = """# two boxes that form an L
o long
v 0 0 0
v 1 0 0
v 1 3 0
v 0 3 0
v 0 0 1
v 1 0 1
v 1 3 1
v 0 3 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
o short
v 1 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 0 1
v 2 0 1
v 2 1 1
v 1 1 1
f 12 11 10 9
f 13 14 15 16
"""


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "part.obj")

    def shape(self, text):
        self.path.write_text(text, encoding="ascii")
        return scree.load(str(self.path), "compound")

    def test_objects_are_parts(self):
        shape = self.shape(PARTS)
        self.assertEqual(shape.kind, "compound")
        self.assertAlmostEqual(shape.volume, 4, places=5)
        centre = (3 * np.array((0.5, 1.5, 0.5)) + 1 * np.array((1.5, 0.5, 0.5))) / 4  # of the two boxes by volume
        self.assertTrue(np.allclose(shape.frame[0], centre, atol=1e-6))

    def test_a_scene_names_the_file(self):
        self.shape(PARTS)
        scene = scree.Scene({"run": {"steps": 1}, "bodies": [
            {"shape": {"kind": "compound", "file": str(self.path), "scale": 0.1}, "position": [0, 0, 1]}]})
        self.assertAlmostEqual(float(scene.build().bodies.masses[0]), 1000 * 4e-3, places=4)

    def test_names_what_is_wrong(self):
        flat = "".join(PARTS.splitlines(keepends=True)[2:6]) + "o flat\nf 1 2 3\n"
        with self.assertRaisesRegex(scree.FormatError, r"part.obj':5: object 0: .*\bhull\b"):
            self.shape(flat)
        with self.assertRaisesRegex(scree.FormatError, "no triangles"):
            self.shape("o empty\n")
        part = {"shape": {"kind": "sphere", "radius": 1}}
        for wrong in ({"kind": "compound"}, {"kind": "compound", "file": "a.obj", "parts": [part]}):
            with self.assertRaisesRegex(scree.FormatError, '"parts"'):
                scree.Scene({"bodies": [{"shape": wrong}]})


@unittest.skipIf(importlib.util.find_spec("coacd") is None, "coacd is not installed")
class Decompositions(unittest.TestCase):
    def test_an_l_has_two_parts(self):
        found = scree.decompose(*prism())
        self.assertEqual(len(found.parts), 2)
        self.assertLess(abs(found.volume_error), 0.01)
        self.assertLess(found.distance, 0.02)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "l.obj")
            found.save(path)
            self.assertAlmostEqual(scree.load(str(path), "compound").volume, found.shape.volume, places=4)

    def test_states_the_error_of_a_hull(self):
        found = scree.decompose(*prism(), concavity=1, parts=1)
        self.assertAlmostEqual(found.volume_error, 0.25, places=3)
        self.assertLess(abs(found.distance - 2 / 3), 0.02)  # of the slope from the faces x = 1 and y = 1

    def test_refuses_open_surfaces(self):
        vertices, triangles = prism()
        with self.assertRaisesRegex(ValueError, "3 open edges; must be a closed surface"):
            scree.decompose(vertices, triangles[1:])
