#!/usr/bin/python3
"""The experiments of bench/experiments in their small settings, against published results."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77


def within(value, low, high):
    return low <= value <= high


# Bounds of each result. Few grains fluctuate more than the full setting, which bench/experiments.md reports.
EXPECTED = {
    "discharge": lambda found: within(found["exponent"], 2.0, 3.0),
    "floor_pressure": lambda found: found["share of the weight"][0] > found["share of the weight"][1] and within(found["K"][1], 0.2, 0.8),
    "collapse": lambda found: found["worst"] <= 0.25,
    "frictions": lambda found: found["least friction"][0] - found["largest friction"][0] > 0.2 and within(found["over the law"], 0.6, 1.2),
    "drum": lambda found: found["rise"] > 10,
    "heap": lambda found: found["spheres, l_r = 0 R"] + 2 < found["spheres, l_r = 0.1 R"] and found["spheres, l_r = 0 R"] + 2 < found["pairs, l_r = 0 R"],
    "conveyor": lambda found: all(within(value[0], 0.95, 1.05) for value in found.values()),
    "hourglass": lambda found: found["change"] < 0.15 and found["left"] < 10,
    "packing": lambda found: within(found["poured, μ = 0"], 0.58, 0.66) and found["poured, μ = 0"] - found["poured, μ = 0.5"] > 0.02,
    "tray": lambda found: within(found["lost and stored over given"], 0.97, 1.03),
    "shear": lambda found: within(found["dense, μ = 0.5"]["critical"], 0.3, 0.65)
    and found["dense, μ = 0.5"]["critical"] - found["dense, μ = 0.1"]["critical"] > 0.05
    and found["dense, μ = 0.5"]["dilation_mm"] - found["dense, μ = 0.1"]["dilation_mm"] > 0.3,
    "simple_shear": lambda found: within(found["μ = 0.5"]["steady"], 0.27, 0.5) and found["μ = 0.5"]["steady"] - found["μ = 0"]["steady"] > 0.05
    and all(within(case["pressure"], 9500, 10500) for case in found.values()),
    "masonry": lambda found: found["wall of 22, accurate"] < 1e-5 and found["tower of 54, accurate"] < 1e-3
        and found["arch, t/R = 0.12, accurate"] < 1e-3 and found["arch, t/R = 0.09, accurate"] > 0.3,
    "soft_spheres": lambda found: within(found["grains a second"], 1200, 1800) and all(within(rate, 0.85, 1.15) for rate in found["rate"]),
    "convergence": lambda found: all(within(share, 0.93, 1.07) for shares in found.values() for share in shares),
}


def main():
    program = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", ROOT / "build/release")) / "scree"
    try:
        import h5py  # noqa: F401
        import numpy  # noqa: F401
    except ImportError:
        print("1..0 # SKIP numpy or h5py is not installed")
        return SKIPPED
    failed = 0
    print(f"1..{len(EXPECTED)}")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, holds) in enumerate(EXPECTED.items(), 1):
            done = subprocess.run([ROOT / "bench/experiments/run", name, "--small", "--threads", "1", "--out", folder, "--program", program],
                                  capture_output=True, text=True)
            found = json.loads(pathlib.Path(folder, f"{name}.json").read_text(encoding="utf-8"))["result"] if done.returncode == 0 else done.stderr
            good = done.returncode == 0 and holds(found)
            failed += not good
            print(f"{'ok' if good else 'not ok'} {number} - {name}\n# {found}", flush=True)
    return failed > 0


sys.exit(main())
