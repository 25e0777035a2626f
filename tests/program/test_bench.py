#!/usr/bin/python3
"""`scree bench` writes complete, consistent results that match the scene, and rejects invalid requests before it measures; bench/compare reads its
results."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SCREE_SOURCE_DIR"])
SCREE = pathlib.Path(os.environ["SCREE_BUILD_DIR"]) / "scree"
FOLDER = tempfile.TemporaryDirectory()
RESULT = pathlib.Path(FOLDER.name) / "result.json"
SCENE = pathlib.Path(FOLDER.name) / "two.json"
CRATE = pathlib.Path(FOLDER.name) / "crate.json"
number = failures = 0


def check(name, good, told=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    if not good:
        print("\n".join("# " + line for line in str(told).splitlines()))


def run(*words, **environment):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, env={**os.environ, **environment})


def bench(*words, **environment):
    return run(SCREE, "bench", *words, **environment)


# Two spheres of 0.1 m radius on the ground, far apart, 0.01 m deep in it: one contact each, at rest except for the correction by split.
SCENE.write_text(json.dumps({
    "time_step": 0.01, "run": {"steps": 8}, "solver": {"error_reduction": 0, "slop": 0.02},
    "bodies": [{"type": "static", "shape": {"kind": "half-space"}},
               {"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 0.09]},
               {"shape": {"kind": "sphere", "radius": 0.1}, "position": [1, 0, 0.09]}]}))
done = bench(SCENE, "D10", "--repeats", "2", "--backend", "native", "--json", RESULT)
check("two scenes are measured", done.returncode == 0, done.stdout + done.stderr)
check("without spheres100000 there is no headline number, as reported", "No headline" in done.stdout and "spheres100000" in done.stdout, done.stdout)
result = json.loads(RESULT.read_text()) if done.returncode == 0 else {"measurements": [{}, {}], "machine": {}}
two, tower = result["measurements"]
check("their names, steps and repeats", (two.get("scene"), two.get("settle_steps"), two.get("timed_steps"), two.get("repeats")) == ("two", 6, 2, 2)
      and (tower.get("scene"), tower.get("timed_steps")) == ("D10", 600), two)
check("penetration is that of the positions", abs(two.get("penetration_rms_m", 0) - 0.01) < 1e-5 and two.get("overlapping_pairs") == 2, two)
check("two contacts, and at least forty in a tower of eleven", two.get("contacts") == 2 and tower.get("contacts", 0) >= 40, (two, tower))
check("the tower stands", tower.get("stands") is True and tower.get("drift_m", 1) < 0.005, tower)
check("the same bits in every repeat", two.get("repeatable") is True and tower.get("repeatable") is True, result)
stages = tower.get("ms_per_step", {})
check("the solve time is within the total", stages and all(stages[s] >= 0 for s in stages) and stages["solve"] <= stages["total"], stages)
check("the solver was measured separately", all(m.get("rate", {}).get("updates_per_second", 0) > 0 and
      [c["residual"] for c in m["rate"]["cold"]] == [1e-2, 1e-3, 1e-4] for m in (two, tower)), result)
check("a stricter goal takes no fewer iterations", all(a["iterations"] <= b["iterations"] for a, b in
      zip(tower.get("rate", {}).get("cold", ()), tower.get("rate", {}).get("cold", ())[1:]) if b["reached"]), tower.get("rate"))
# Ten cubes next to a heavy moving crate: they do not affect the residual, but a step iterates until they converge too.
CRATE.write_text(json.dumps({
    "run": {"steps": 8},
    "bodies": [{"type": "static", "shape": {"kind": "half-space"}},
               {"shape": {"kind": "box", "half_extents": [0.1, 0.1, 0.1]}, "mass": 10000, "position": [0, 3, 0.1], "linear_velocity": [5, 0, 0]}],
    "generators": [{"kind": "lattice", "cells": [1, 1, 10], "spacing": 0.101, "position": [0, 0, 0.0005],
                    "body": {"shape": {"kind": "box", "half_extents": [0.05, 0.05, 0.05]}, "mass": 1}}]}))
done = bench(CRATE, "--repeats", "1", "--backend", "native", "--json", RESULT)
hidden = json.loads(RESULT.read_text())["measurements"][0].get("rate", {}) if done.returncode == 0 else {}
check("only the residual ends a measured solve", hidden.get("cold", [{}])[0].get("iterations") == 4, hidden)
check("the memory's bandwidth", result["machine"].get("triad_bytes_per_second", 0) > 0, result["machine"])

# Bytes of structs (kernels/layout.h): a pair group, two mobilities and velocities, and a velocity for each moving body; per contact its block,
# A_cc and the impulse twice.
GROUP, MOBILITY, VELOCITY, BLOCK, DIAGONAL, IMPULSE = 16, 48, 32, 96, 32, 16


def swept(pairs, moving, contacts):
    return pairs * (GROUP + 2 * MOBILITY + 2 * VELOCITY) + moving * VELOCITY + contacts * (BLOCK + DIAGONAL + 2 * IMPULSE)


def agrees(measurement, bandwidth):
    rate = measurement["rate"]
    used = rate["bytes_per_update"] * rate["updates_per_second"]
    return abs(rate["bytes_per_second"] / used - 1) < 1e-6 and abs(rate["share_of_bandwidth"] / (used / bandwidth) - 1) < 1e-6


triad = result["machine"].get("triad_bytes_per_second", 1)
check("bytes per second and the fraction of the triad follow from bytes per update", all("rate" in m and agrees(m, triad) for m in (two, tower)), result)
# Perhaps only two of 16 lanes are used, so 16 contacts' bytes are the upper bound. Each of four points in a lane has its impulse twice, and a fraction of the velocities.
check("bytes of batches are within the bounds from the structs", 2 * IMPULSE + VELOCITY / 2 < tower["rate"]["bytes_per_update"] and
      all(m["rate"]["bytes_per_update"] * m["contacts"] < 16 * swept(m["contacts"], 2 * m["contacts"], m["contacts"]) for m in (two, tower)), result)
narrow = bench(SCENE, "D10", "--repeats", "1", "--backend", "native", "--json", RESULT, SCREE_WIDTH="1")
one, ten = json.loads(RESULT.read_text())["measurements"]
check("without lanes a sphere on the ground takes the bytes of its structs", one["rate"]["bytes_per_update"] == swept(1, 1, 1), one)
check("and a tower those of eleven pairs, one with the ground", ten["contacts"] == 4 * ten["touching_pairs"] and
      abs(ten["rate"]["bytes_per_update"] * ten["contacts"] - swept(ten["touching_pairs"], 2 * ten["touching_pairs"] - 1, ten["contacts"])) < 1, ten)
if "device" in result["machine"]:
    there = bench(SCENE, "--repeats", "1", "--backend", "opencl", "--json", RESULT)
    found = json.loads(RESULT.read_text())
    check("on a device as well, relative to its copy bandwidth", found["measurements"][0]["rate"]["bytes_per_update"] == swept(1, 1, 1) and
          agrees(found["measurements"][0], found["machine"]["device"]["copy_bytes_per_second"]), there.stdout + there.stderr)
    small = bench(SCENE, "--backend", "opencl", SCREE_DEVICE_MEMORY_LIMIT="1500")
    check("a scene that exceeds the device's memory is refused before it starts", small.returncode == 1 and
          "memory: 3 bodies with 6 contacts need about" in small.stderr and "which has 1.5e-06 GB" in small.stderr, small.stderr)
RESULT.write_text(json.dumps(result))

compared = run(sys.executable, SOURCE / "bench/compare", RESULT, RESULT, "--limit", "1.01")
check("compared with itself: 1", compared.returncode == 0 and compared.stdout.count("  1.00") >= 10, compared.stdout + compared.stderr)
SCENE.write_text(RESULT.read_text().replace(result["machine"].get("processor", "?"), "another one"))
other = run(sys.executable, SOURCE / "bench/compare", SCENE, RESULT)
wrong = bench("D10", "--backend", "native", "--pipeline", "device")
check("a pipeline that the backend lacks is wrong usage", wrong.returncode == 2 and "only opencl has a device" in wrong.stderr, wrong.stderr)
check("results of another machine are rejected", other.returncode == 2 and "another one" in other.stderr, other.stdout + other.stderr)


# Results with another preset or thread count are not comparable.
RESULT.write_text(json.dumps(result))
OTHER = pathlib.Path(FOLDER.name) / "other.json"
done = bench("D10", "--repeats", "1", "--backend", "native", "--preset", "fast", "--threads", "1", "--json", OTHER)
words = (sys.executable, SOURCE / "bench/compare", RESULT, OTHER)
refused, anyway = run(*words), run(*words, "--anyway")
now = json.loads(OTHER.read_text())["measurements"][0]["solver"] if done.returncode == 0 else {"iterations": "?"}
told = f"iterations {tower['solver']['iterations']} -> {now['iterations']}"
check("another preset is rejected, and named", refused.returncode == 2 and told in refused.stderr and "--anyway" in refused.stderr, refused.stderr)
check("and compared with --anyway, and named", anyway.returncode == 0 and told in anyway.stdout and "D10" in anyway.stdout, anyway.stdout)
changed = json.loads(RESULT.read_text())
for m in changed["measurements"]:
    m["threads"] += 1
OTHER.write_text(json.dumps(changed))
refused = run(*words)
check("and other threads", refused.returncode == 2 and "threads" in refused.stderr, refused.stdout + refused.stderr)
OTHER.write_text(json.dumps({**result, "measurements": result["measurements"][1:]}))
fewer = run(*words)
check("a scene in only one file is named", fewer.returncode == 0 and f"only in {RESULT}: {result['measurements'][0]['scene']}" in fewer.stdout and
      f"only in {OTHER}" not in fewer.stdout, fewer.stdout + fewer.stderr)
for m, before in zip(changed["measurements"], result["measurements"]):
    m.update(threads=before["threads"], backend="opencl: a device", device="a device", driver="1")
OTHER.write_text(json.dumps(changed))
refused, across = run(*words), run(*words, "--across-backends")
check("results of another backend are rejected", refused.returncode == 2 and "--across-backends" in refused.stderr, refused.stdout + refused.stderr)
check("unless scenes are paired by name", across.returncode == 0 and across.stdout.count("  1.00") >= 10 and "opencl: a device" in across.stdout,
      across.stdout + across.stderr)

OTHER.write_text("[1]")
for path, told in (("missing.json", "missing.json"), (SOURCE / "bench/compare", "compare"), (OTHER, "not a result"), (RESULT, "holds no growth")):
    refused = run(sys.executable, SOURCE / "bench/growth", path, pathlib.Path(FOLDER.name) / "growth.png")
    check(f"bench/growth rejects {pathlib.Path(path).name} with an error message", refused.returncode == 2 and told in refused.stderr and
          refused.stderr.count("\n") == 1, refused.stdout + refused.stderr)

for words, told in ((["nosuch"], "A8000"), (["A1000", "nosuch"], "nosuch"), (["--quick", "--full"], "exclude"),
                    ([SCENE], "two.json"), (["--device", "nosuch"], "nosuch"), (["--json", "/nowhere/x.json", "D10"], "/nowhere")):
    refused = bench(*words)
    check(f"rejected: {' '.join(map(str, words))[:40]}", refused.returncode == 2 and told in refused.stderr and
          not refused.stdout, refused.stdout + refused.stderr)
print(f"1..{number}")
sys.exit(failures > 0)
