#!/usr/bin/python3
"""`scree run --trace` writes valid JSON, also after a kill; stages fill their step, commands of the device lie in it or its neighbours, and their
number is that of `--profile`."""

import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SCREE = pathlib.Path(os.environ["SCREE_BUILD_DIR"]) / "scree"
FOLDER = tempfile.TemporaryDirectory()
TRACE = pathlib.Path(FOLDER.name) / "trace.json"
SCENE = pathlib.Path(FOLDER.name) / "heap.json"
STAGES = "bounds pairs contacts rows colours predict solve positions integrate detection commit".split()
STEPS, ROUNDING = 20, 1e-3  # µs
number = failures = 0
SCENE.write_text(json.dumps({
    "run": {"steps": STEPS}, "outputs": {"every": 0}, "bodies": [{"type": "static", "shape": {"kind": "half-space"}}],
    "generators": [{"kind": "lattice", "cells": [4, 4, 4], "spacing": 0.1, "body": {"shape": {"kind": "sphere", "radius": 0.05}}}]}))


def check(name, good, told=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)
    if not good:
        print("\n".join("# " + line for line in str(told).splitlines()[:20]))


def command(*words):
    return [SCREE, "run", SCENE, "--out", FOLDER.name + "/out", "--no-pictures", "--trace", TRACE, *words]


def run(*words):
    return subprocess.run(command(*words), capture_output=True, text=True)


def spans():
    return [event for event in json.loads(TRACE.read_text())["traceEvents"] if event["ph"] == "X"]


def end(event):
    return event["ts"] + event["dur"]


def fills(stages, step):
    """Returns whether stages follow each other from the beginning of a step to its end."""
    times = [step["ts"]] + [t for stage in stages for t in (stage["ts"], end(stage))] + [end(step)]
    return all(abs(a - b) <= 2 * ROUNDING for a, b in zip(times[::2], times[1::2]))


def check_host(name, events):
    steps = [event for event in events if event["name"] == "step"]
    check(f"{name}: a span for each step", [s["args"]["step"] for s in steps] == list(range(1, STEPS + 1)), steps)
    check(f"{name}: steps follow each other", all(end(a) <= b["ts"] + ROUNDING for a, b in zip(steps, steps[1:])), steps)
    for step in steps:
        own = [e for e in events if e["tid"] == 1 and e is not step and e["args"]["step"] == step["args"]["step"]]
        good = fills(own, step) and {e["name"] for e in own} == set(STAGES)
        if not good or step is steps[-1]:
            check(f"{name}: stages fill step {step['args']['step']}", good, own)
    return steps


def check_device(name, events, steps, printed):
    commands = [event for event in events if event["tid"] > 1]
    # The device's clock is set to the host's by the quickest enqueuing of a step, which a busy machine can delay, and a reader, such as the line of
    # progress, brings contacts between steps; so a command may lie in the step before or after its own.
    earliest = [-math.inf] + [step["ts"] for step in steps[:-1]]
    latest = [end(step) for step in steps[1:]] + [math.inf]
    outside = [c for c in commands for k in [c["args"]["step"] - 1] if c["ts"] < earliest[k] or end(c) > latest[k]]
    check(f"{name}: the device works near its step", commands and not outside, outside)
    check(f"{name}: for stages", {c["cat"] for c in commands} <= set(STAGES), {c["cat"] for c in commands})
    kernels = [c for c in commands if c["tid"] == 2]
    total = re.search(r"\n  total +(.*)", printed).group(1).split()
    launches, items, busy = (float(total[i]) for i in (1, 5, 6))
    check(f"{name}: work-items are those of the profile", abs(sum(c["args"]["work_items"] for c in kernels) / STEPS - items) <= 0.5, total)
    check(f"{name}: as is the time in kernels", abs(1e-3 * sum(c["dur"] for c in kernels) / STEPS - busy) <= 1e-3, total)
    check(f"{name}: and the launches, some of which are fills", len(kernels) / STEPS <= launches <= len(commands) / STEPS, total)
    sums = [sum(float(row[i]) for row in rows_of(printed) if len(row) > i) for i in (1, 5)]
    check(f"{name}: stages sum to the total", abs(sums[0] - launches) < 0.6 and abs(sums[1] - items) < 6, printed)


def rows_of(printed):
    table = printed.partition("\n  per step ")[2].splitlines()
    return [line.split()[1:] for line in table if line.split()[:1] and line.split()[0] in STAGES]


done = run("--backend", "native", "--profile")
check("a run with a trace", done.returncode == 0, done.stderr)
check_host("native", spans())
check("native: the profile has every stage", len(rows_of(done.stdout)) == len(STAGES), done.stdout)

for pipeline in "host", "device":
    done = run("--backend", "opencl", "--pipeline", pipeline, "--profile")
    if "no OpenCL" in done.stderr:
        print(f"ok {number} # skip {pipeline}: {done.stderr.strip()}")
        continue
    check(f"{pipeline}: a run with a trace", done.returncode == 0, done.stderr)
    events = spans()
    check_device(pipeline, events, check_host(pipeline, events), done.stdout)



def endless(ended_by, *words):
    """Begins a long run, ends it by a signal once its trace has some steps, and returns its output."""
    TRACE.unlink()
    process = subprocess.Popen(command("--backend", "native", "--steps", "1000000", *words), stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    while process.poll() is None and not (TRACE.exists() and TRACE.stat().st_size >= 1 << 16):
        time.sleep(0.01)
    process.send_signal(ended_by)
    return process.communicate()[0]


endless(signal.SIGKILL, "--quiet")
check("a killed run leaves valid JSON", len(spans()) > 100)
printed = endless(signal.SIGINT, "--profile")
check("an interrupted run prints its profile", len(rows_of(printed)) == len(STAGES), printed)
before = TRACE.read_bytes()
done = run("--resume", FOLDER.name + "/out/checkpoint.h5", "--steps", "1000000")
check("a resumed run keeps the trace", done.returncode == 2 and "must be a new file with --resume" in done.stderr and TRACE.read_bytes() == before,
      done.stderr)

TRACE = pathlib.Path(FOLDER.name) / "missing" / "trace.json"
done = run()
check("a file that cannot be written is refused", done.returncode != 0 and "--trace: cannot write" in done.stderr, done.stderr)
before = SCENE.read_bytes()
done = subprocess.run([SCREE, "run", SCENE, "--out", FOLDER.name + "/out", "--trace", SCENE], capture_output=True, text=True)
check("a file that is no trace is refused and kept", done.returncode == 2 and "is not a trace" in done.stderr and SCENE.read_bytes() == before, done.stderr)
print(f"1..{number}")
sys.exit(failures > 0)
