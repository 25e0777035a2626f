"""Mistakes in contact problems and in calls of worlds. test_python.py runs this file."""

import unittest
import warnings

import numpy as np
import scree
from scipy import sparse

Q = [-1, 0.3, 0, -1, 0.9, 0]


class Matrices(unittest.TestCase):
    def refused(self, message, call, *arguments):
        with self.assertRaisesRegex(ValueError, message):
            call(*arguments)

    def test_have_three_rows_and_columns_a_contact(self):
        for w in (np.ones((4, 2)), np.eye(6)[:4], np.eye(5), sparse.eye(4), np.ones(36), np.ones((6, 6, 1))):
            with self.subTest(shape=w.shape):
                self.refused(r"W: shape \(.*\); must be \(3n, 3n\) for n contacts", scree.solve, w, Q, 0.5)

    def test_give_the_sizes_of_the_vectors(self):
        self.refused("q: 6 numbers; must be 3", scree.solve, np.eye(3), Q, 0.5)
        self.refused("q: 5 numbers; must be 6", scree.solve, np.eye(6), Q[:5], 0.5)
        self.refused("q: 1 numbers; must be 6", scree.solve, np.eye(6), -1, 0.5)
        self.refused("friction: 3 numbers; must be 2", scree.solve, np.eye(6), Q, [0.5, 0.5, 0.5])
        self.assertTrue(np.array_equal(scree.solve(np.eye(6), Q, [0.5]).impulses, scree.solve(np.eye(6), Q, [0.5, 0.5]).impulses))

    def test_of_bodies_fit_each_other(self):
        m, h, f, w = np.eye(4), np.ones((4, 3)), np.zeros(4), np.zeros(3)
        for message, arguments in ((r"H: shape \(4, 2\); must be \(d, 3n\)", (m, h[:, :2], f, w)),
                                   (r"M: shape \(3, 4\); must be \(4, 4\), a row for each row of H", (m[:3], h, f, w)),
                                   ("f: 3 numbers; must be 4", (m, h, f[:3], w)), ("w: 6 numbers; must be 3", (m, h, f, np.zeros(6)))):
            self.refused(message, scree.Problem.bodies, *arguments, 0.5)


class Infeasible(unittest.TestCase):
    def test_problems_warn_at_the_call(self):
        problem = scree.Problem.local(np.zeros((3, 3)), [-1, 0, 0], 0.5)
        for call in (problem.solve, lambda: scree.solve(np.zeros((3, 3)), [-1, 0, 0], 0.5)):
            with self.assertWarnsRegex(scree.InfeasibleWarning, "problem: infeasible; no impulses keep its contacts apart") as caught:
                found = call()
            self.assertEqual(found.report["stop"], "infeasible")
            self.assertEqual(caught.filename, __file__)
        self.assertTrue(issubclass(scree.InfeasibleWarning, UserWarning))

    def test_others_do_not(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(scree.solve(np.eye(6), Q, 0.5).report["stop"], "residual")


class Worlds(unittest.TestCase):
    def setUp(self):
        self.world = scree.World(backend="native")

    def test_refuse_steps_back(self):
        with self.assertRaisesRegex(ValueError, "count: -1; must be >= 0"):
            self.world.step(-1)

    def test_report_strings_as_text(self):
        self.assertEqual(self.world.step()["contacts_barrier"], "")

    def test_name_a_material_that_is_none(self):
        for call in (lambda: self.world.add(scree.sphere(1), material="glass"),
                     lambda: self.world.add_all(scree.sphere(1), np.zeros((1, 3)), material="glass"),
                     lambda: self.world.set_pair(self.world.add_material(), "glass")):
            with self.assertRaisesRegex(TypeError, "(material|b): 'glass'; must be a Material, which World.add_material returns"):
                call()
        self.assertEqual(len(self.world.bodies), 0)

    def test_name_all_fields_of_a_body(self):
        fields = ("linear_velocity", "mass", "position", "rotation", "surface_velocity", "type")
        for call in (lambda: self.world.add(scree.sphere(1), touches=[1]),
                     lambda: self.world.add_all(scree.sphere(1), np.zeros((1, 3)), touches=[1])):
            with self.assertRaisesRegex(ValueError, f"field: 'touches'.*; must be one of .*{'.*'.join(fields)}"):
                call()
