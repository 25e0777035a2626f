#!/usr/bin/python3
"""The Python package: the extension is compiled from the headers and used as by a researcher.

The tests of this file and those of tests/program/python_*.py."""

import doctest
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", ROOT / "build/release"))
SKIPPED = 77


def build_package(folder):
    """Copies the package to a folder and compiles its extension there."""
    source, package = pathlib.Path(folder, "_binding.c"), pathlib.Path(folder, "scree")
    shutil.copytree(ROOT / "host/python/scree", package)
    subprocess.run([sys.executable, ROOT / "host/python/binding.py", "cc", ROOT / "include", source], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cc", "-O0", "-shared", "-fPIC", "-DPy_LIMITED_API=0x03090000", f"-I{sysconfig.get_paths()['include']}",
                    f"-I{ROOT / 'include'}", source, "-o", package / "_binding.abi3.so", f"-L{BUILD}", "-lscree-tools", "-lscree",
                    f"-Wl,-rpath,{BUILD}"], check=True)
    sys.path.insert(0, str(folder))


def falling(scree, **settings):
    world = scree.World(backend="native", time_step=0.01, threads=1, **settings)
    return world, world.add(scree.sphere(0.1), position=(0, 0, 10))


def pile(scree, np, threads=1):
    world = scree.World(backend="native", threads=threads)
    world.add(scree.half_space(), type="static")
    grid = np.stack(np.meshgrid(*[np.arange(6) * 0.1] * 3), axis=-1).reshape(-1, 3) + (0, 0, 0.06)
    sizes = np.random.default_rng(7).uniform(0.9, 1, len(grid))
    return world, world.add_all(scree.sphere(0.05), grid, scale=sizes)


class Bodies(unittest.TestCase):
    def test_falls_as_the_sum_of_steps(self):
        world, ball = falling(scree)
        world.step(100)
        self.assertAlmostEqual(float(ball.position[2]), 10 - 9.81 * 0.01**2 * 100 * 101 / 2, places=3)
        self.assertAlmostEqual(float(ball.velocity[2]), -9.81, places=4)
        self.assertAlmostEqual(world.time, 1, places=12)

    def test_arrays_show_the_state_without_copies(self):
        world, grains = pile(scree, np)
        before = world.bodies.positions
        address = before.__array_interface__["data"][0]
        self.assertFalse(before.flags.writeable)
        world.step(10)
        after = world.bodies.positions
        self.assertEqual(address, after.__array_interface__["data"][0])
        self.assertTrue(np.array_equal(after[grains[5]], world.bodies[int(grains[5])].position))

    def test_memory_in_use_does_not_move(self):
        world, _ = falling(scree)
        held = world.bodies.velocities[:, 2]
        with self.assertRaises(BufferError):
            world.add(scree.sphere(1))
        del held
        world.add(scree.sphere(1), position=(5, 0, 0))

    def test_adds_all_bodies_or_none(self):
        world = scree.World(backend="native")
        places = np.zeros((1000, 3))
        places[:, 0] = np.arange(1000)
        places[700, 1] = np.nan
        with self.assertRaisesRegex(scree.ArgumentError, r"defs\[700\]: state.position"):
            world.add_all(scree.box(0.1, 0.2, 0.3), places)
        self.assertEqual(len(world.bodies), 0)
        places[700, 1] = 0
        rows = world.add_all(scree.box(0.1, 0.2, 0.3), places, linear_velocity=places, mass=np.full(1000, 3.0))
        self.assertTrue(np.array_equal(world.bodies.velocities[rows], places.astype("f4")))
        self.assertTrue(np.all(world.bodies.masses[rows] == 3))

    def test_sets_all_states(self):
        world, grains = pile(scree, np)
        wanted = np.random.default_rng(1).normal(size=(len(grains), 3)).astype("f4")
        world.bodies.set(grains, linear_velocity=wanted)
        self.assertTrue(np.array_equal(world.bodies.velocities[grains], wanted))

    def test_names_what_is_wrong(self):
        with self.assertRaisesRegex(ValueError, "did you mean 'iterations'"):
            scree.World(solver={"iteration": 10})
        with self.assertRaisesRegex(scree.ArgumentError, "mass: -1; must be > 0 kg"):
            falling(scree)[0].add(scree.sphere(1), mass=-1)
        with self.assertRaisesRegex(scree.ArgumentError, "shape.size.x"):
            scree.sphere(-1)


class Steps(unittest.TestCase):
    def test_contacts_carry_the_weight(self):
        world, grains = pile(scree, np)
        world.step(400)
        contacts = world.contacts
        down = contacts[contacts["a"]["index"] == 1]["impulse"].sum(axis=0)
        weight = world.bodies.masses[grains].sum() * 9.81 * world.time_step
        self.assertLess(abs(down[2] - weight), 0.01 * weight)

    def test_two_worlds_in_two_threads_give_the_same_bits(self):
        worlds = [pile(scree, np)[0] for _ in range(3)]
        worlds[0].step(60)
        threads = [threading.Thread(target=world.step, args=(60,)) for world in worlds[1:]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({world.hash for world in worlds}, {worlds[0].hash})

    def test_other_threads_run_during_a_call(self):
        world, _ = pile(scree, np)
        world.step(60)
        problem = scree.Problem.of(world)
        seen, done = [], threading.Event()

        def count():
            while not done.wait(0.001):
                seen.append(0)

        counter = threading.Thread(target=count)
        counter.start()
        before = len(seen)
        problem.solve(tolerance=0, iterations=5000)  # one call of the library
        grown = len(seen) - before
        done.set()
        counter.join()
        self.assertGreater(grown, 3)

    def test_a_joint_holds(self):
        world = scree.World(backend="native")
        rod = world.add(scree.box(0.5, 0.05, 0.05), position=(0.5, 0, 0))
        joint = world.add_joint("hinge", rod, None, (0, 0, 0), x=(0, 1, 0))
        report = world.step(30)
        self.assertLess(joint.state["error"], 1e-4)
        fallen = -report["potential_energy"]
        self.assertGreater(fallen, 0.1 * rod.mass * 9.81)
        self.assertLess(abs(report["kinetic_energy"] - fallen), 0.05 * fallen)

    def test_checkpoints_and_copies_go_on_alike(self):
        world, _ = pile(scree, np)
        world.step(20)
        with tempfile.TemporaryDirectory() as folder:
            world.save(pathlib.Path(folder, "state"))
            loaded = scree.load_checkpoint(pathlib.Path(folder, "state"), backend="native")
        others = [loaded, world.copy()]
        for each in (world, *others):
            each.step(20)
        self.assertEqual({each.hash for each in others}, {world.hash})


class Scenes(unittest.TestCase):
    def test_runs_as_the_program(self):
        path = ROOT / "bench/scenes/D10.json"
        record = scree.Scene(path).run()
        with tempfile.TemporaryDirectory() as folder:
            shown = subprocess.run([BUILD / "scree", "run", path, "--out", folder], capture_output=True, text=True)
            rows = pathlib.Path(folder, "measurements.csv").read_text(encoding="utf-8").splitlines() if shown.returncode == 0 else []
        self.assertEqual(len(record.column("time")), 600)
        self.assertTrue(rows, shown.stderr)
        energy = dict(zip(rows[0].split(","), rows[-1].split(",")))
        self.assertAlmostEqual(float(energy["kinetic_energy_J"]), record.column("kinetic_energy")[-1], places=9)

    def test_stages_follow_each_other(self):
        body = {"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 1]}
        scene = scree.Scene({"bodies": [body],
                             "stages": [{"name": "fall", "until": {"time": 0.1}},
                                        {"name": "float", "gravity": [0, 0, 0], "until": {"time": 0.1}}]})
        record = scene.run()
        self.assertEqual(scene.stages, ["fall", "float"])
        speeds = record.column("kinetic_energy")
        self.assertEqual(speeds[-1], speeds[len(speeds) // 2])
        self.assertGreater(speeds[len(speeds) // 2], 0)

    def test_a_wrong_key_is_named(self):
        with self.assertRaisesRegex(scree.FormatError, 'unknown key "bodys"'):
            scree.Scene({"bodys": []})


class Problems(unittest.TestCase):
    def test_one_contact_sticks_or_slides(self):
        for drive, friction in ((0.3, 0.5), (0.9, 0.5)):
            found = scree.solve(np.eye(3), [-1, drive, 0], friction)
            self.assertTrue(np.allclose(found.impulses[0], [1, -min(drive, friction), 0], atol=1e-7))
            self.assertLess(found.residual["scaled"], 1e-8)

    def test_bodies_and_their_matrix_agree(self):
        random = np.random.default_rng(3)
        m, h = np.diag(random.uniform(1, 2, 12)), random.normal(size=(12, 9))
        f, w = random.normal(size=12), random.normal(size=9)
        whole = scree.Problem.bodies(m, h, f, w, 0.4).solve()
        inverse = np.linalg.inv(m)
        local = scree.solve(h.T @ inverse @ h, h.T @ inverse @ f + w, 0.4)
        self.assertTrue(np.allclose(whole.impulses, local.impulses, atol=1e-6))
        velocities = h.T @ inverse @ (h @ whole.impulses.ravel() + f) + w
        self.assertTrue(np.allclose(velocities.reshape(-1, 3), whole.velocities, atol=1e-9))

    def test_the_problem_of_a_step_has_its_residual(self):
        world, _ = pile(scree, np)
        world.step(100)
        problem = scree.Problem.of(world)
        found = problem.solve(tolerance=1e-5)
        self.assertLess(found.residual["scaled"], 1e-5)
        again = problem.residual(found.impulses)
        self.assertAlmostEqual(again["scaled"], found.residual["scaled"], places=12)


class Documentation(unittest.TestCase):
    def test_examples_of_docstrings(self):
        for name in ("world", "scene", "problem"):
            with self.subTest(name):
                self.assertEqual(doctest.testmod(importlib.import_module(f"scree.{name}")).failed, 0)


class Lines(unittest.TextTestResult):
    """Results as lines that tests/count reads."""

    number = 0

    def _line(self, mark, test, note=""):
        self.number += 1
        name = "" if note else f" - {test.id().removeprefix('__main__.')}"
        print(f"{mark} {self.number}{name}{note}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line("ok", test, f" # SKIP {test.id()}: {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._line("not ok", test)

    def addError(self, test, err):
        super().addError(test, err)
        self._line("not ok", test)


def missing():
    for module in ("cffi", "numpy", "scipy"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    if not pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "Python.h is not installed"
    return None


if __name__ == "__main__":
    reason = missing()
    if reason:
        print(f"1..0 # SKIP {reason}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as place:
        build_package(place)
        import numpy as np
        import scree

        os.environ |= {"MPLBACKEND": "Agg", "SCREE_BUILD_DIR": str(BUILD)}
        sys.path.append(str(pathlib.Path(__file__).parent))
        loader = unittest.defaultTestLoader
        modules = [sys.modules["__main__"], *(importlib.import_module(path.stem)
                                              for path in sorted(pathlib.Path(__file__).parent.glob("python_*.py")))]
        result = unittest.TextTestRunner(stream=sys.stdout, resultclass=Lines, verbosity=0).run(
            unittest.TestSuite(loader.loadTestsFromModule(module) for module in modules))
        print(f"1..{result.testsRun}")
        sys.exit(not result.wasSuccessful())
