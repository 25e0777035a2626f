"""Ensembles, interrupted runs, progress bars and frames. test_python.py runs this file."""

import contextlib
import csv
import doctest
import gc
import importlib
import importlib.util
import io
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
from unittest import mock

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

    def test_refuse_values_out_of_range_before_the_first_step(self):
        scene = PUCK | {"worlds": {"repeats": 2, "vary": {"materials.ice.friction": {"kind": "linear", "from": 1, "to": -1}}, "count": 3}}
        with mock.patch.object(scree.Record, "add") as step:
            with self.assertRaisesRegex(scree.FormatError, r"materials\.ice\.friction.*-1.*\(world 4\)"):
                scree.run_all(scene)
        step.assert_not_called()

    def test_have_the_seeds_of_their_worlds(self):
        scene = scree.Scene(WORLDS)
        self.assertEqual(scree.run_all(WORLDS).column("seed").tolist(), [3, 4, 5, 6, 7, 8])
        self.assertEqual([scene.world(world).settings["seed"] for world in range(6)], scene.seeds)
        varied = scree.Scene(PUCK | {"worlds": {"vary": {"seed": [11, 7]}}})
        self.assertEqual([varied.world(world).settings["seed"] for world in range(2)], varied.seeds)

    def test_name_the_columns_that_exist(self):
        ensemble = scree.run_all(PUCK | {"worlds": {"vary": {"bodies[1].position[2]": [0.05, 9]}}})
        with self.assertRaisesRegex(ValueError, "column: 'puck.position_x'.*did you mean 'puck.position_x_m'.*kinetic_energy"):
            ensemble.column("puck.position_x")
        with self.assertRaisesRegex(ValueError, "measurement: 'pick'.*must be one of puck"):
            ensemble.records[0].last("pick")
        with self.assertRaisesRegex(ValueError, "column: 'energy'.*kinetic_energy"):
            ensemble.records[0].column("energy")
        with self.assertRaisesRegex(ValueError, "puck: column: 'x'.*position_x_m"):
            ensemble.records[0].row_column("puck", "x")

    @without("pandas")
    def test_table(self):
        table = scree.run_all(scree.Scene(WORLDS)).table
        self.assertEqual(table.index.name, "world")
        self.assertEqual(table["seed"].tolist(), [3, 4, 5, 6, 7, 8])
        self.assertTrue((table["step"] == 60).all())


class Fits(unittest.TestCase):
    def test_name_what_is_wrong(self):
        with self.assertRaisesRegex(ValueError, r"parameters\['seed'\]: \(2, 1\); must increase"):
            scree.fit(PUCK, {"seed": (2, 1)}, {"puck.position_x_m": 1})
        with self.assertRaisesRegex(ValueError, r"scales\['puck.position_z_m'\]: 0; must be > 0"):
            scree.fit(PUCK, {"seed": (1, 2)}, {"puck.position_z_m": 0})
        with self.assertRaisesRegex(ValueError, "repeats: 1; must be at least 2"):
            scree.fit(PUCK, {"seed": (1, 2)}, {"puck.position_z_m": 1}, repeats=1)

    @without("cma")
    def test_name_the_columns_that_exist(self):
        with self.assertRaisesRegex(ValueError, "column: 'puck.velocity'.*puck.position_x_m"):
            scree.fit(scree.Scene(PUCK), {"materials.ice.friction": (0.05, 0.9)}, {"puck.velocity": 1}, evaluations=2, repeats=2)

    def test_take_a_scene_or_its_source(self):
        text = importlib.import_module("scree.calibration")._text
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "scene.json")
            path.write_text(json.dumps(WORLDS), encoding="utf-8")
            for source in (WORLDS, scree.Scene(WORLDS), path, scree.Scene(path)):
                self.assertEqual(text(source), PUCK)
        with self.assertRaisesRegex(ValueError, "scene: a world of an ensemble; must be a scene from"):
            scree.fit(scree.Scene(WORLDS).world(1), {"seed": (1, 2)}, {"puck.position_x_m": 1})

    @without("cma")
    def test_recover_a_friction(self):
        found = scree.fit(PUCK, {"materials.ice.friction": (0.05, 0.9)}, {"puck.position_x_m": 1 / (2 * 9.81 * 0.3)}, evaluations=36, repeats=2)
        self.assertLess(abs(found.values["materials.ice.friction"] - 0.3), 0.02)  # v²/(2 μ g)
        self.assertTrue(found.contains("materials.ice.friction", found.estimates["materials.ice.friction"].mean()))
        self.assertAlmostEqual(found.found["puck.position_x_m"], 1 / (2 * 9.81 * 0.3), delta=0.01)


def interrupted(step):
    """Sends SIGINT, as Ctrl-C does, while a run records this step; nothing depends on clocks."""
    add = scree.Record.add

    def send(record):
        if int(record.world.statistics["step"]) == step:
            os.kill(os.getpid(), signal.SIGINT)
        add(record)

    return mock.patch.object(scree.Record, "add", send)


class Interrupts(unittest.TestCase):
    ENDLESS = 1_000_000

    def test_end_a_run_after_a_whole_step(self):
        scene = scree.Scene(PUCK | {"run": {"steps": self.ENDLESS}})
        with interrupted(30), self.assertRaisesRegex(KeyboardInterrupt, "run: interrupted after step 30") as caught:
            scene.run()
        record = caught.exception.record
        self.assertEqual(record.column("step").tolist(), list(range(1, 31)))
        other = scene.build()
        other.step(30)
        self.assertEqual(other.hash, record.world.hash)
        with self.assertRaisesRegex(AttributeError, "table: an interrupted run has a record"):
            caught.exception.table
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_end_a_run_of_stages_that_goes_on(self):
        scene = scree.Scene({key: value for key, value in PUCK.items() if key != "run"} | {
            "time_step": 0.01, "stages": [{"name": name, "until": {"time": 0.2}} for name in ("slide", "stop")]})
        with interrupted(25), self.assertRaises(scree.Interrupted) as caught:
            scene.run()
        record = caught.exception.record
        rest = scene.run(record.world)
        self.assertEqual(rest.column("step").tolist(), list(range(26, 41)))
        self.assertEqual(rest.world.hash, scene.run().world.hash)

    def test_end_a_loop(self):
        runs = []
        with interrupted(5), self.assertRaises(KeyboardInterrupt):
            for _ in range(3):
                runs.append(None)
                scree.Scene(PUCK).run()
        self.assertEqual(len(runs), 1)

    def ensemble(self, **options):
        scene = PUCK | {"worlds": {"vary": {"run.steps": [20, self.ENDLESS, self.ENDLESS]}}}
        with interrupted(60), self.assertRaisesRegex(scree.Interrupted, "run_all: interrupted; 1 of 3 worlds ended") as caught:
            scree.run_all(scene, workers=1, **options)
        return caught.exception

    def test_end_an_ensemble(self):
        ensemble = self.ensemble().ensemble
        self.assertEqual(ensemble.failures, ["", "interrupted", "interrupted"])
        self.assertIsNone(ensemble.records[2])
        steps = ensemble.column("step")
        self.assertEqual(steps[0], 20)
        self.assertTrue(60 <= steps[1] < self.ENDLESS)
        self.assertTrue(np.isnan(steps[2]))
        self.assertEqual(len(ensemble.records[1].column("step")), steps[1])

    @without("tqdm")
    def test_bars_count_no_worlds_that_did_not_end(self):
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            self.ensemble(progress=True)
            gc.collect()
        self.assertNotIn("2/3", shown.getvalue())
        self.assertNotIn("3/3", shown.getvalue())

    @without("pandas")
    def test_leave_a_table(self):
        self.assertEqual(self.ensemble().table["failure"].tolist(), ["", "interrupted", "interrupted"])

    def test_a_handler_of_the_program_stays(self):
        def leave(*_):
            raise KeyboardInterrupt

        kept = signal.signal(signal.SIGINT, leave)
        try:
            with interrupted(5), self.assertRaises(scree.Interrupted):
                scree.Scene(PUCK).run()
            self.assertIs(signal.getsignal(signal.SIGINT), leave)
        finally:
            signal.signal(signal.SIGINT, kept)


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
