#!/usr/bin/python3
"""The Python examples of the pages run and give their results, at small settings."""

import contextlib
import importlib.util
import io
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
BUILD = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", ROOT / "build/release"))
SKIPPED = 77

# page -> texts to replace
SMALL = {
    "host/docs/howto/drum.md": [("SECONDS = 3.0", "SECONDS = 0.5"), ("[0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1]", "[0.05, 0.5]"),
                                ("SEEDS = [1, 2, 3, 4]", "SEEDS = [1, 2]"), ('"cells": [13, 4, 9]', '"cells": [10, 3, 5]')],
    "host/python/README.md": [("world.step(400)", "world.step(200)")],
    "host/docs/tutorial.md": [("np.array([0.033, 0.036, 0.042, 0.048])", "np.array([0.036, 0.048])"),
                              ("    flow = ", "    scene['generators'][0]['count'] = 250\n"
                               "    scene['stages'][1]['until']['grains_at_most'] = 110\n    flow = ")],
}


def examples():
    """Yields the pages with their Python examples."""
    for page in [ROOT / "README.md", ROOT / "host/python/README.md", *sorted((ROOT / "host/docs").glob("**/*.md"))]:
        name, content, names = page.relative_to(ROOT).as_posix(), page.read_text(), {"__name__": "__main__"}
        for old, new in SMALL.get(name, []):
            if old not in content:
                raise SystemExit(f"not ok 1 - {name} has no {old!r} to replace")
            content = content.replace(old, new)
        for text in re.findall(r"^```python\n(.*?)^```", content, flags=re.M | re.S):
            if "problem.set_solver" not in text:  # of compas_dem, which python_masonry.py tests
                yield name, text, names


def write_scenes():
    """Writes the scenes that examples read: the first pile's, and a small one with worlds."""
    shutil.copytree(ROOT / "host/docs/scenes", "host/docs/scenes")
    pile = re.search(r"^```json\n(.*?)^```", (ROOT / "host/docs/start.md").read_text(), flags=re.M | re.S)[1]
    pathlib.Path("pile.json").write_text(pile.replace('"duration": 1.5', '"duration": 0.02'))
    shutil.copyfile("host/docs/scenes/keys_worlds.json", "column_frictions.json")


def run(name, text, names):
    """Runs an example, which finds and leaves variables of its page. Returns what it prints, and the variables."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, name, "exec"), names)  # noqa: S102
    return printed.getvalue(), names


def is_right(name, printed, names):
    """Checks results against values that do not come from scree."""
    if name == "README.md":  # a ball of 0.1 m rests on the ground
        return abs(names["ball"].position[2] - 0.1) < 1e-4
    if name == "host/python/README.md":  # grains of 8 to 10 cm lie on each other; a row for each world
        lie = 0.12 < names["world"].bodies.positions[names["grains"]][:, 2].max() < 0.6
        return lie and len(names.get("table", "1234")) == 4 and ("record" not in names or len(names["record"].statistics) == 10)
    if name == "host/docs/start.md":  # grains of 8 to 10 mm: the highest lies on others, and no column of eight stands
        return 0.012 < float(re.search(r"highest grain: ([0-9.]+)", printed)[1]) < 0.06 and pathlib.Path("pile.png").exists()
    if name == "host/docs/howto/drum.md":  # less friction, smaller angle
        return names["angles"][0] < names["angles"][1] < 60 and pathlib.Path("drum.png").exists()
    if name == "host/docs/tutorial.md":  # a larger opening flows faster
        return names["rates"][0] < names["rates"][1] and math.isfinite(names["exponent"])
    return True  # it asserts its result itself


def missing():
    for module in ("cffi", "numpy", "scipy", "pandas", "matplotlib", "tqdm"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    return None if pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists() else "Python.h is not installed"


def main():
    reason = missing()
    if reason:
        print(f"1..0 # SKIP {reason}")
        sys.exit(SKIPPED)
    package = BUILD / "python"
    subprocess.run([ROOT / "host/docs/python_package", sys.executable, BUILD, package], check=True)
    sys.path.insert(0, str(package))
    os.environ["MPLBACKEND"] = "Agg"
    number = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_scenes()
        for name, text, names in examples():
            number += 1
            try:
                right, note = is_right(name, *run(name, text, names)), ""
            except Exception as error:  # noqa: BLE001
                right, note = False, f": {error!r}"
            failures += not right
            print("ok" if right else "not ok", f"{number} - {name}{note}", flush=True)
        os.chdir("/")
    print(f"1..{number}")
    sys.exit(failures > 0 or number < 10)


if __name__ == "__main__":
    main()
