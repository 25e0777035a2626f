"""The examples of the package at their small settings. test_python.py runs this file."""

import contextlib
import importlib
import importlib.util
import io
import pathlib
import struct
import tempfile
import unittest
from unittest import mock

import scree.examples
from scree.examples import __main__ as program

LINES_MOST = 60


def missing(*names):
    return [name for name in names if importlib.util.find_spec(name) is None]


class Examples(unittest.TestCase):
    def run_small(self, name):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as shown:
            result = program.run(name, True, pathlib.Path(folder))
            head = pathlib.Path(folder, f"example_{name}.png").read_bytes()[:24]
        self.assertTrue(all(row.agrees for row in result.rows), shown.getvalue())
        self.assertGreater(min(struct.unpack(">2I", head[16:24])), 300, "picture's width and height")

    def test_are_short_and_listed(self):
        folder = pathlib.Path(scree.examples.__file__).parent
        for name in scree.examples.NAMES:
            self.assertLess(len((folder / f"{name}.py").read_text(encoding="utf-8").splitlines()), LINES_MOST, name)
        self.assertEqual({path.stem for path in folder.glob("*.py")}, {*scree.examples.NAMES, "__init__", "__main__", "result"})
        with contextlib.redirect_stdout(io.StringIO()) as shown, mock.patch("sys.argv", ["examples"]):
            program.main()
        self.assertIn("arch         Masonry arch", shown.getvalue())

    def test_unknown_ones_are_named_with_the_others(self):
        with contextlib.redirect_stderr(io.StringIO()) as shown, mock.patch("sys.argv", ["examples", "arch", "nosuch"]):
            self.assertRaises(SystemExit, program.main)
        self.assertIn(f"name: nosuch; must be one of {', '.join(scree.examples.NAMES)}, all\n", shown.getvalue())


def case(name):
    needed = ("matplotlib", *(("cma",) if name == "calibration" else ()))

    @unittest.skipIf(missing(*needed), f"not installed: {', '.join(missing(*needed))}")
    # Circles instead of ray-cast pictures, for which the device would compile its kernels.
    @mock.patch("scree.plot.picture", new=lambda world, axes, **view: importlib.import_module("scree.plot").grains(world, axes))
    def test(self):
        self.run_small(name)

    return test


for each in scree.examples.NAMES:
    setattr(Examples, f"test_{each}", case(each))
