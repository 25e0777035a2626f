#!/usr/bin/python3
"""`scree bench --model` predicts a step from the program's own counts: sums are those of the stages, more bodies take longer, and wrong requests are refused."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCREE = pathlib.Path(os.environ["SCREE_BUILD_DIR"]) / "scree"
FOLDER = tempfile.TemporaryDirectory()
SCENE = pathlib.Path(FOLDER.name) / "heap.json"
STAGES = "bounds pairs contacts rows colours predict solve positions integrate detection commit".split()
number = failures = 0
SCENE.write_text(json.dumps({
    "run": {"steps": 20}, "bodies": [{"type": "static", "shape": {"kind": "half-space"}}],
    "generators": [{"kind": "lattice", "cells": [5, 5, 5], "spacing": 0.1, "body": {"shape": {"kind": "sphere", "radius": 0.05}}}]}))


def check(name, good, told=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)
    if not good:
        print("\n".join("# " + line for line in str(told).splitlines()[:30]))


def model(*words):
    return subprocess.run([SCREE, "bench", SCENE, *words], capture_output=True, text=True)


def table(done):
    """Returns the numbers of each row, and whether it is planned."""
    rows = {}
    for line in done.stdout.splitlines():
        words = line.replace("|", " ").split()
        if words and words[0] in (*STAGES, "total") and len(words) > 6:
            rows[words[0]] = [float(w) for w in words[1:7]], "planned" in words
    return rows


wrong = model("--model", "abacus")
check("an unknown device is refused, with those that there are", wrong.returncode == 2 and "h100" in wrong.stderr and "this" in wrong.stderr, wrong.stderr)
wrong = model("--bodies", "1000")
check("--bodies without --model is refused", wrong.returncode == 2 and "--model" in wrong.stderr, wrong.stderr)
wrong = model("--model", "h100", "--backend", "native")
check("--backend with --model is refused", wrong.returncode == 2 and "--backend" in wrong.stderr, wrong.stderr)

done = model("--model", "h100")
if "no OpenCL" in done.stderr:
    print(f"ok {number} # skip: {done.stderr.strip()}\n1..{number}")
    sys.exit(failures > 0)
rows = table(done)
check("a prediction says that it is one", done.returncode == 0 and "Prediction for h100, not a measurement" in done.stdout, done.stdout + done.stderr)
check("a row for each stage", [*rows] == [*STAGES, "total"], done.stdout)
sums = [sum(rows[s][0][i] for s in STAGES) for i in range(6)]
check("which sum to the total", all(abs(a - b) < 0.01 * max(1, b) for a, b in zip(sums, rows["total"][0])), (sums, rows["total"]))
check("starts and kernels are the time", all(abs(r[3] + r[4] - r[5]) < 0.0021 for r, _ in rows.values()), rows)
check("a launch starts in 4.7 µs on an H100", all(abs(r[3] - 4.7e-3 * r[0]) < 1e-3 for r, _ in rows.values()), rows)
check("the boxes, which the host makes, are planned, and other stages counted", [s for s in STAGES if rows[s][1]] == ["bounds"], rows)
check("all stages have launches", all(rows[s][0][0] > 0 for s in STAGES), rows)
check("no stage is said to be missing", "Missing" not in done.stdout, done.stdout)

done = model("--model", "h100", "--bodies", "10000000")
many = table(done)
check("ten million bodies take longer, not fewer launches", many["total"][0][5] > 10 * rows["total"][0][5] and many["total"][0][0] >= rows["total"][0][0], many)
# 10⁷ bodies × (208 + 300) bytes, and contacts × 64 bytes of impulses that are read, at 2.8e12 B/s
contacts = float(re.search(r"with 10000000 bodies, (\d+) contacts", done.stdout).group(1))
expected = 1e3 * (1e7 * (208 + 300) + contacts * 64) / 2.8e12
body = many["predict"][0][4] + many["integrate"][0][4]
check("and are bound by the bandwidth", abs(body - expected) < 0.1, (body, expected))

here = model("--model", "this")
if "must be one of" in here.stderr:  # the device is a GPU
    check("a GPU has a name of its own", here.returncode == 2, here.stderr)
else:
    check("this machine is compared with what was measured", here.returncode == 0 and "ratio" in here.stdout, here.stdout + here.stderr)
print(f"1..{number}")
sys.exit(failures > 0)
