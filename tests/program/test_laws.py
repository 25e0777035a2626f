#!/usr/bin/python3
"""Differences of the friction laws, as in README.md's table: scree-laws on one sliding body and on a box's corner.

For each law: lift-off speed of a sliding body, angle of friction from opposing the motion (a body that cannot rotate, and a
box on a corner), and friction over μ r_N."""

import json
import os
import pathlib
import subprocess
import sys

build = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", pathlib.Path(__file__).resolve().parent.parent.parent / "build/release"))
program = build / "scree-laws"
rows = json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
failures = 0


def check(name, good, detail=""):
    global failures
    failures += not good
    print(("ok" if good else "not ok"), "-", name, detail, flush=True)


def of(kind, law):
    found = [row for row in rows if row["kind"] == kind and row["law"] == law]
    check(f"{law}, {kind}: measured", len(found) >= 20, f"({len(found)})")
    return found


def most(values):
    return max(values, default=float("nan"))


# law: largest direction error in degrees, for a body that cannot rotate and on a corner; friction over μ r_N, smallest and largest.
STATED = {
    "coulomb": (0.0015, 7.5e-15, 1, 1),
    "associated": (1.5e-5, 2.5e-14, 1, 1),
    "radial": (0.0015, 34.5, 1, 1),
    "pyramid": (42.5, 44.5, 1, 1.4145),
}
for law, (straight, corner, least, largest) in STATED.items():
    for row in of("lift", law):
        expected = row["friction"] * abs(row["along"]) if law == "associated" else 0
        if abs(row["up"] - expected) > 2.5e-7:
            check(f"{law} lifts off at {expected:g} m/s", False, f"({row['up']:g})")
    check(f"{law}: lift-off as stated", True)
    blocks, corners = of("block", law), of("corner", law)
    error = most(row["error"] for row in blocks)
    check(f"{law}: direction of a body that cannot turn", error <= straight, f"({error:.2g} degrees)")
    error = most(row["error"] for row in corners)
    check(f"{law}: direction on a corner", error <= corner, f"({error:.2g} degrees)")
    shares = [row["share"] for row in blocks + corners]
    check(f"{law}: friction over mu r_N", least - 5e-4 <= min(shares) and max(shares) <= largest + 5e-4,
          f"({min(shares):.4f} to {max(shares):.4f})")
# The errors are as large as stated: of the radial law on a corner, and of the pyramid between its axes.
check("radial is up to 34 degrees wrong on a corner", most(row["error"] for row in of("corner", "radial")) >= 33.5)
check("pyramid is up to 42 degrees wrong", most(row["error"] for row in of("block", "pyramid")) >= 41.5)
check("pyramid is up to 44 degrees wrong on a corner", most(row["error"] for row in of("corner", "pyramid")) >= 43.5)
check("pyramid holds up to 1.414 mu r_N", most(row["share"] for row in of("block", "pyramid")) >= 1.4135)
sys.exit(failures > 0)
