#!/usr/bin/python3
"""bench/peers/race builds a program for another engine, which loads a scene of scree and steps it."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))

if subprocess.run(["pkg-config", "--exists", "ode"], check=False).returncode or not (ROOT / "build/release/scree").exists():
    print("1..0 # SKIP needs ODE (Debian: libode-dev) and the release build")
    sys.exit(77)
done = subprocess.run([ROOT / "bench/peers/race", "D10", "--repeats", "1"], capture_output=True, text=True, check=False)
rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines() if line.startswith("| D10")]
contacts = {row[2]: int(row[5]) for row in rows}
good = {"scree", "ODE"} <= contacts.keys() and contacts["scree"] == 44 and contacts["ODE"] > 0
print(f"{'ok' if good else 'not ok'} 1 - eleven stacked cubes touch in 11 faces of four points, and ODE steps them\n1..1")
if not good:
    print(f"#   {done.returncode} {rows} {done.stderr}")
sys.exit(not good)
