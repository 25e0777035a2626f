"""Ensembles, interrupted runs, progress bars and frames. test_python.py runs this file."""

import contextlib
import csv
import doctest
import importlib
import importlib.util
import io
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import numpy as np
import scree

PUCK = {
    "seed": 3, "run": {"steps": 60}, "materials": {"ice": {"friction": 0.1}},
    "bodies": [{"type": "static", "shape": {"kind": "half-space"}, "material": "ice"},
               {"shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "material": "ice", "position": [0, 0, 0.05], "linear_velocity": [1, 0, 0]}],
    "measurements": [{"kind": "position", "name": "puck", "bodies": [1], "every": 20}],
}
WORLDS = PUCK | {"worlds": {"repeats": 2, "vary": {"materials.ice.friction": {"kind": "uniform", "minimum": 0.1, "maximum": 0.5}}, "count": 3}}


def without(*names):
    return unittest.skipIf(any(importlib.util.find_spec(name) is None for name in names), f"needs {', '.join(names)}")


class Ensembles(unittest.TestCase):
    def test_are_those_of_the_program(self):
        ensemble = scree.run_all(scree.Scene(WORLDS))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "scene.json")
            path.write_text(json.dumps(WORLDS), encoding="utf-8")
            program = pathlib.Path(os.environ["SCREE_BUILD_DIR"], "scree")
            subprocess.run([program, "run", path, "--out", pathlib.Path(folder, "out")], check=True, capture_output=True)
            with open(pathlib.Path(folder, "out/worlds.csv"), encoding="utf-8") as table:
                rows = {int(row["world"]): row for row in csv.DictReader(table) if row["puck.position_x_m"]}
        for name in ("materials.ice.friction", "puck.position_x_m"):
            self.assertEqual(ensemble.column(name).tolist(), [float(rows[world][name]) for world in range(6)], name)
        self.assertEqual(len(set(ensemble.column("materials.ice.friction").tolist())), 3)

    def test_names_worlds_that_failed(self):
        scene = PUCK | {"backend": {"maximum_contacts": 3}, "worlds": {"vary": {"bodies[1].position[2]": [0.05, 9]}}}
        ensemble = scree.run_all(scree.Scene(scene))
        self.assertRegex(ensemble.failures[0], "contacts")
        self.assertEqual(ensemble.failures[1], "")
        self.assertTrue(np.isnan(ensemble.column("puck.position_x_m")[0]))
        self.assertAlmostEqual(ensemble.column("puck.position_x_m")[1], 0.5, places=5)

    @without("pandas")
    def test_table(self):
        table = scree.run_all(scree.Scene(WORLDS)).table
        self.assertEqual(table.index.name, "world")
        self.assertEqual(len(table), 6)
        self.assertTrue((table["step"] == 60).all())


class Interrupts(unittest.TestCase):
    def interrupt(self, call):
        """Sends SIGINT to the main thread as soon as the call has made steps."""
        threading.Thread(target=lambda: (time.sleep(0.05), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
        return call()

    def test_end_a_run_after_a_whole_step(self):
        scene = scree.Scene(PUCK | {"run": {"steps": 2_000_000}})
        record = self.interrupt(scene.run)
        self.assertTrue(record.interrupted)
        steps = int(record.world.statistics["step"])
        self.assertGreater(steps, 0)
        self.assertLess(steps, 2_000_000)
        other = scene.build()
        other.step(steps)
        self.assertEqual(other.hash, record.world.hash)

    def test_end_an_ensemble(self):
        scene = scree.Scene(WORLDS | {"run": {"steps": 2_000_000}})
        ensemble = self.interrupt(lambda: scree.run_all(scene, workers=2))
        self.assertTrue(ensemble.interrupted)
        done = [record for record in ensemble.records if record is not None]
        self.assertTrue(done and all(record.interrupted for record in done))
        self.assertEqual(set(ensemble.failures), {""})


class Frames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "scene.json").write_text(json.dumps(PUCK | {"outputs": {"every": 20, "pictures": False}}), encoding="utf-8")
        program = pathlib.Path(os.environ["SCREE_BUILD_DIR"], "scree")
        subprocess.run([program, "run", self.folder / "scene.json", "--out", self.folder / "out"], check=True, capture_output=True)

    def test_have_the_places_of_the_run(self):
        frame = scree.Frame(scree.frames(self.folder / "out")[-1])
        world = scree.Scene(PUCK).run().world
        self.assertEqual(frame.centres.tolist(), world.centres.tolist())
        self.assertAlmostEqual(frame.time_step, 1 / 120, places=8)

    @without("pandas")
    def test_are_tables(self):
        frame = scree.Frame(scree.frames(self.folder / "out")[-1])
        self.assertEqual(frame.table.loc[2, "x"], frame.positions[1, 0])
        self.assertEqual(len(frame.contact_table), len(frame.contacts))
        self.assertAlmostEqual(frame.contact_table["impulse_z"].sum(), 1 * 9.81 / 120, places=3)

    @without("xarray")
    def test_are_a_dataset(self):
        data = scree.dataset(self.folder / "out")
        self.assertEqual(data["position"].dims, ("time", "id", "axis"))
        x = data["position"].sel(id=2, axis="x")
        self.assertTrue(np.allclose(x.diff("time"), 20 / 120 * data["velocity"].sel(id=2, axis="x")[:-1], atol=0.02))
        self.assertEqual(data["velocity"].attrs["units"], "m/s")


class Progress(unittest.TestCase):
    @without("tqdm")
    def test_bars_count_steps_and_worlds(self):
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            scree.Scene(PUCK).run(progress=True)
            scree.run_all(scree.Scene(WORLDS), progress=True)
        self.assertIn("60/60", shown.getvalue())
        self.assertIn("6/6", shown.getvalue())

    def test_examples_of_docstrings(self):
        self.assertEqual(doctest.testmod(importlib.import_module("scree.ensemble")).failed, 0)
