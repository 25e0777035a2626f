"""Calibration: friction and rolling friction of beads from the heap that they form.

The "experiment" is a simulation with known values; the calibration must recover them within its confidence interval.
"""

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

KNOWN = {"materials.bead.friction": 0.45, "materials.bead.rolling_friction": 0.0004}
RANGES = {"materials.bead.friction": (0.1, 0.9), "materials.bead.rolling_friction": (0.0, 0.001)}  # –; m
COLUMNS = ("heap.repose_degrees", "heap.covered_radius_m")


def heap(beads: int) -> dict[str, object]:
    """Returns the scene: a column of beads collapses on a plane."""
    return {
        "seed": 1, "time_step": 0.004, "run": {"duration": 0.8}, "backend": {"kind": "native"},
        "materials": {"bead": {"friction": 0.45, "rolling_friction": 0.0004, "density": 2500}},
        "bodies": [{"type": "static", "material": "bead", "shape": {"kind": "half-space"}}],
        "generators": [{"kind": "fill", "count": beads, "solid_fraction": 0.28, "region": {"kind": "cylinder", "radius": 0.02},
                        "body": {"shape": {"kind": "sphere", "radius": 0.0025}, "material": "bead"}}],
        "measurements": [{"kind": "surface", "name": "heap", "every_seconds": 0.1, "cells": [60, 60],
                          "zone": {"kind": "box", "size": [0.3, 0.3, 0.2], "position": [0, 0, 0.1]}}]}


def run(small: bool = False) -> Result:
    """Makes the experiment, calibrates, and draws the estimates."""
    scene = heap(60 if small else 200)
    seeds, evaluations, repeats = (1, 12, 3) if small else (2, 40, 5)
    measured = scree.run_all(scree.Scene(scene | {"worlds": {"count": 1, "repeats": seeds}}))
    data = {name: measured.column(name) for name in COLUMNS}
    found = scree.fit(scene, RANGES, data, seeds=seeds, evaluations=evaluations, repeats=repeats)
    figure, axes = panels(2)
    plot.picture(scree.Scene(scene).run().world, axes[0])
    for (path, known), color in zip(KNOWN.items(), ("C0", "C1")):
        axes[1].plot(np.arange(repeats), found.estimates[path] / known, "o", color=color, label=path.rpartition(".")[2])
        axes[1].errorbar(repeats, found.values[path] / known, found.intervals[path] / known, color=color, marker="s", capsize=4)
    axes[1].axhline(1, color="black", linestyle="--", label="known")
    axes[1].set(xlabel="calibration; last: mean with its confidence interval", ylabel="estimate / known value")
    axes[1].legend()
    return Result([Row(path.rpartition(".")[2], known, found.values[path] - found.intervals[path],
                       found.values[path] + found.intervals[path], "known value (found) and confidence interval")
                   for path, known in KNOWN.items()], figure)
