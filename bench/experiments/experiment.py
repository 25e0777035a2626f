"""Common parts of the experiments: load a scene of bench/scenes, vary it, run it with `scree run`, and read its rows."""

import copy
import csv
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENES = ROOT / "bench/scenes"


def scene(name):
    """Returns a modifiable copy of bench/scenes/NAME.json with absolute paths of its meshes."""
    what = json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))
    for body in what.get("bodies", []):
        if "file" in body["shape"]:
            body["shape"]["file"] = str(SCENES / body["shape"]["file"])
    return what


def varied(base, **changes):
    """Returns a copy of a scene with some top-level keys replaced."""
    return {**copy.deepcopy(base), **changes}


class Runner:
    """Runs scenes, each in its own folder below `out`, and sums the time that they take."""

    def __init__(self, out, program=ROOT / "build/release/scree", options=()):
        self.out, self.program, self.options = pathlib.Path(out), program, list(options)
        self.seconds = 0.0
        self.residual = 0.0

    def run(self, name, what, resume=None, options=()):
        """Runs the scene and returns its folder; resumes from the last checkpoint of the folder `resume` if given."""
        folder = self.out / name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "scene.json"
        file.write_text(json.dumps(what, indent=2) + "\n", encoding="utf-8")
        command = [self.program, "run", file, "--out", folder / "out", "--quiet", "--no-pictures", *self.options, *options]
        if resume is not None:
            command += ["--resume", resume / "out/checkpoint.h5"]
        began = time.monotonic()
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        self.seconds += time.monotonic() - began
        if done.returncode:
            sys.exit(f"{file}: {done.stderr.strip()}")
        for line in done.stderr.splitlines():
            print(f"  {name}: {line}", file=sys.stderr)
        table = "worlds" if "worlds" in what else "measurements"
        self.residual = max(self.residual, max(column(folder, table, "interval_residual_mean"), default=0))
        return folder


def rows(folder, name):
    """Returns the rows of a run's NAME.csv as dictionaries of text."""
    with open(folder / "out" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def column(folder, name, field):
    """Returns one column of a run's NAME.csv as numbers; empty fields are omitted."""
    return [float(row[field]) for row in rows(folder, name) if row.get(field)]


def positions(folder):
    """Returns the positions of all bodies at the end of a run, in the order of their creation."""
    import h5py  # imported here because other experiments do not need it

    with h5py.File(folder / "out/checkpoint.h5") as file:
        return file["bodies/position"][:]


def of_stage(folder, name, stage):
    """Returns the rows of a run's NAME.csv that were measured in a stage."""
    return [row for row in rows(folder, name) if row["stage"] == stage]
