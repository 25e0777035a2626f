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
    "host/docs/tutorial.md": [("np.array([0.033, 0.036, 0.042, 0.048])", "np.array([0.036, 0.048])"),
                              ("    flow = ", "    scene['generators'][0]['count'] = 250\n"
                               "    scene['stages'][1]['until']['grains_at_most'] = 110\n    flow = ")],
}


def examples():
    """Yields the pages with their Python examples."""
    for page in [ROOT / "README.md", *sorted((ROOT / "host/docs").glob("**/*.md"))]:
        name = page.relative_to(ROOT).as_posix()
        for text in re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.M | re.S):
            for old, new in SMALL.get(name, []):
                if old not in text:
                    raise SystemExit(f"not ok 1 - {name} has no {old!r} to replace")
                text = text.replace(old, new)
            yield name, text


def run(name, text):
    """Returns what an example prints, and its variables."""
    printed, names = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(printed):
        exec(compile(text, name, "exec"), names)  # noqa: S102
    return printed.getvalue(), names


def is_right(name, printed, names):
    """Checks results against values that do not come from scree."""
    if name == "README.md":  # a ball of 0.1 m rests on the ground
        return abs(names["ball"].position[2] - 0.1) < 1e-4
    if name == "host/docs/start.md":  # grains of 8 to 10 mm: the highest lies on others, and no column of eight stands
        return 0.012 < float(re.search(r"highest grain: ([0-9.]+)", printed)[1]) < 0.06 and pathlib.Path("pile.png").exists()
    if name == "host/docs/howto/drum.md":  # less friction, smaller angle
        return names["angles"][0] < names["angles"][1] < 60 and pathlib.Path("drum.png").exists()
    if name == "host/docs/tutorial.md":  # a larger opening flows faster
        return names["rates"][0] < names["rates"][1] and math.isfinite(names["exponent"])
    return True  # it asserts its result itself


def missing():
    for module in ("cffi", "numpy", "scipy", "pandas", "matplotlib"):
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
        shutil.copytree(ROOT / "host/docs/scenes", f"{folder}/host/docs/scenes")
        os.chdir(folder)
        for name, text in examples():
            number += 1
            try:
                right, note = is_right(name, *run(name, text)), ""
            except Exception as error:  # noqa: BLE001
                right, note = False, f": {error!r}"
            failures += not right
            print("ok" if right else "not ok", f"{number} - {name}{note}", flush=True)
        os.chdir("/")
    print(f"1..{number}")
    sys.exit(failures > 0 or number < 5)


if __name__ == "__main__":
    main()
