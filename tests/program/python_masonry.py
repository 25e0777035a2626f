"""The backend for compas_dem, with models of its examples. test_python.py runs this file; it needs packages from PyPI."""

import importlib
import importlib.util
import random
import unittest

import numpy as np

MISSING = [name for name in ("compas_dem", "compas_cgal") if importlib.util.find_spec(name) is None]


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class Masonry(unittest.TestCase):
    def problem(self, model, supports, mu=0.5, **settings):
        from compas_dem.material import Stone
        from compas_dem.problem import Problem

        stone = Stone(density=2000)
        model.add_material(stone)
        model.assign_material(stone, elements=list(model.elements()))
        for block in supports:
            block.is_support = True
        problem = Problem(model)
        problem.set_contact_model("MohrCoulomb", mu=mu, c=0.0)
        problem.set_solver(importlib.import_module("scree.compas").solver(**settings))
        return problem

    def arch(self, thickness, rise=3, n=50, **settings):
        """The arch of scripts/DEM_Analysis_Examples/dem_arch_cra.py with a thickness, m."""
        from compas_dem.models import BlockModel
        from compas_dem.templates import ArchTemplate

        model = BlockModel.from_template(ArchTemplate(rise=rise, span=10, thickness=thickness, depth=0.5, n=n))
        model.compute_contacts(tolerance=0.001)
        return model, self.problem(model, [block for block in model.elements() if model.graph.degree(block.graphnode) == 1], **settings)

    def thrusts(self, thickness, n=27, radius=5, friction=0.9):
        """Returns the least and the largest horizontal thrust of a semicircular arch over its weight without the first and
        last of its n wedges, by linear programming; None if no thrust line lies in it (Heyman 1966)."""
        from scipy.optimize import linprog

        angles = np.pi * np.arange(n + 1) / n
        outwards = np.stack((-np.cos(angles), np.sin(angles)), 1)
        along = np.stack((np.sin(angles), np.cos(angles)), 1)  # of a force on the wedge after a joint
        corners = np.stack((radius * outwards, (radius + thickness) * outwards), 1)
        count = n - 1  # joints between wedges, each with a force at both corners and a shear force
        balance, loads = np.zeros((n - 2, 3, count, 3)), np.zeros((n - 2, 3))
        for w in range(1, n - 1):
            x, y = np.array([corners[w, 0], corners[w + 1, 0], corners[w + 1, 1], corners[w, 1]]).T
            part = x * np.roll(y, -1) - np.roll(x, -1) * y
            centre = np.array([(part * (x + np.roll(x, -1))).sum(), (part * (y + np.roll(y, -1))).sum()]) / (3 * part.sum())
            loads[w - 1, 1] = abs(part.sum()) / 2
            for joint, sign in ((w, 1), (w + 1, -1)):
                points = (*corners[joint], corners[joint].mean(axis=0))
                for kind, (point, force) in enumerate(zip(points, (along[joint], along[joint], outwards[joint]))):
                    arm = point - centre
                    balance[w - 1, :, joint - 1, kind] = sign * np.array([*force, arm[0] * force[1] - arm[1] * force[0]])
        slip = np.concatenate([np.kron(np.eye(count), [[-friction, -friction, sign]]) for sign in (1, -1)])
        crown = np.zeros((count, 3))
        crown[count // 2] = along[n // 2, 0], along[n // 2, 0], outwards[n // 2, 0]
        found = [linprog(sign * crown.ravel(), slip, np.zeros(2 * count), balance.reshape(-1, 3 * count), loads.ravel(),
                         [(0, None), (0, None), (None, None)] * count) for sign in (1, -1)]
        return None if found[0].status else [sign * each.fun / loads.sum() for sign, each in zip((1, -1), found)]

    def test_limit_of_an_arch_is_that_of_limit_analysis(self):
        low, high = 0.3, 0.5
        while high - low > 1e-4:
            middle = (low + high) / 2
            low, high = (low, middle) if self.thrusts(middle) else (middle, high)
        for factor in (0.98, 1.02):
            model, problem = self.arch(factor * high, duration=2, rise=5, n=27, mu=0.9)
            results = problem.solve()
            self.assertEqual(results.metadata["travel"] < 1e-4, factor > 1)
        least, most = self.thrusts(1.02 * high)
        self.assertLess(most - least, 0.003)
        for edge in results.edges():
            self.assertTrue(least < abs(results.resultant_global(edge)[0]) / self.weight(model) < most)

    def weight(self, model):
        return sum(2000 * 9.81 * block.modelgeometry.volume() for block in model.elements() if not block.is_support)

    def force_on_supports(self, model, results):
        supports = {block.graphnode for block in model.elements() if block.is_support}
        return sum(np.array(results.resultant_global(edge)) * ((edge[0] in supports) - (edge[1] in supports))
                   for edge in results.edges() if (edge[0] in supports) != (edge[1] in supports))

    def test_arch_stands_and_rests_on_its_supports(self):
        model, problem = self.arch(0.25, duration=0.5)
        results = problem.solve()
        self.assertLess(results.metadata["travel"], 1e-3)
        force = self.force_on_supports(model, results)
        self.assertLess(np.abs(force - (0, 0, -self.weight(model))).max(), 1e-3 * self.weight(model))
        for edge in results.edges():  # compression within the friction cone, and local forces as the global one
            u, v, n = results.resultant_local(edge)
            self.assertGreater(n, 0)
            self.assertLessEqual(np.hypot(u, v), 0.5 * n * 1.001)
            self.assertAlmostEqual(np.linalg.norm((u, v, n)), results.force_magnitude(edge), places=6)
            contact = results.contact_data(edge)
            self.assertAlmostEqual(sum(force["c_np"] for force in contact.forces), n, places=6)

    def test_thin_arch_falls(self):
        _, problem = self.arch(0.03, duration=0.7)
        self.assertGreater(problem.solve().metadata["travel"], 0.1)

    def test_stack_carries_its_weight(self):
        """The boxes of scripts/DEM_Analysis_Examples/dem_stack_cra.py."""
        from compas.geometry import Box
        from compas_dem.models import BlockModel

        choose, box = random.Random(4), Box.from_corner_corner_height([0, 0, 0], [1, 1, 0], 1)
        boxes = []
        for i in range(10):
            own = box.copy()
            own.translate([choose.choice([-0.1, 0.1]) * choose.random(), choose.choice([-0.1, 0.1]) * choose.random(), i * box.zsize])
            own.rotate(np.radians(choose.choice([-5, 5])), box.frame.zaxis, box.frame.point)
            boxes.append(own)
        model = BlockModel.from_boxes(boxes)
        model.compute_contacts()
        blocks = sorted(model.elements(), key=lambda block: block.point[2])
        results = self.problem(model, blocks[:1], duration=0.5).solve()
        self.assertLess(results.metadata["travel"], 1e-3)
        for level in range(9):  # each contact carries the blocks above it
            edge = blocks[level].graphnode, blocks[level + 1].graphnode
            self.assertAlmostEqual(results.force_magnitude(edge) / ((9 - level) * 2000 * 9.81), 1, places=2)
            self.assertEqual(len(results.contact_point(edge)), 4)

    def test_loads_and_prescribed_displacements(self):
        model, problem = self.arch(0.5, duration=0.5)
        crown = next(block.graphnode for block in model.elements() if abs(block.point[0]) < 0.2)
        condition = problem.add_boundary_condition("test")
        problem.add_point_load_at_centroid(crown, [0, 0, -5000.0], boundary_condition=condition)
        results = problem.solve()
        self.assertLess(abs(self.force_on_supports(model, results)[2] + self.weight(model) + 5000), 0.01 * self.weight(model))
        support = next(block.graphnode for block in model.elements() if block.is_support)
        problem.add_displacement(support, [-0.02, 0, 0], boundary_condition=condition)
        self.assertAlmostEqual(problem.solve().displacement(support)[0], -0.02, places=5)

    def test_refuses_what_it_cannot_solve(self):
        _, problem = self.arch(0.25)
        problem.set_contact_model("MohrCoulomb", mu=0.5, c=10.0)
        with self.assertRaisesRegex(ValueError, "c 10.0, .* cohesion is not supported"):
            problem.solve()
