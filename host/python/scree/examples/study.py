"""Parameter study: the run-out of a collapsing column against friction, as an ensemble of worlds.

A column of aspect ratio a < 1.7 spreads by (r - r₀)/r₀ = 1.24 a whatever its friction above about 0.4.
"""

import numpy as np

import scree
from scree import plot

from .result import Result, Row, panels

BEAD = 0.005  # diameter, m


def column(radius: float, beads: int, frictions: int, repeats: int) -> scree.Scene:
    """Returns the worlds: a tube is filled with beads and removed."""
    tube = {"kind": "drum", "radius": radius, "length": 1, "sides": 32, "ends": False, "wall_thickness": 0.01, "material": "glass",
            "position": [0, 0, 0.499], "rotation": {"axis": [1, 0, 0], "angle_degrees": 90}}
    return scree.Scene({
        "seed": 1, "time_step": 0.002, "materials": {"glass": {"friction": 0.5, "rolling_friction": 0.000125, "density": 2500}},
        "bodies": [{"type": "static", "material": "glass", "shape": {"kind": "half-space"}}],
        "containers": [tube],
        "generators": [{"kind": "fill", "count": beads, "solid_fraction": 0.2, "region": {"kind": "cylinder", "radius": radius - 0.0005},
                        "body": {"shape": {"kind": "sphere", "radius": BEAD / 2}, "material": "glass"}}],
        "measurements": [{"kind": "surface", "name": "column", "every_seconds": 0.1, "cells": [4, 4],
                          "zone": {"kind": "box", "size": [radius, radius, 1], "position": [0, 0, 0.5]}},
                         {"kind": "surface", "name": "deposit", "every_seconds": 0.1, "cells": [60, 60],
                          "zone": {"kind": "box", "size": [0.6, 0.6, 1], "position": [0, 0, 0.5025]}}],
        "stages": [{"name": "pour", "until": {"time": 1, "after": 0.3, "rest": 1e-3}},
                   {"name": "collapse", "until": {"time": 1, "after": 0.2, "rest": 1e-3}, "containers": {"0": {"absent": True}},
                    "measurements": {"0": {"absent": True}}}],
        "worlds": {"count": frictions, "repeats": repeats, "vary": {"materials.glass.friction": {"kind": "linear", "from": 0.05, "to": 1}}}})


def run(small: bool = False) -> Result:
    """Runs all worlds and compares the run-out with the law."""
    radius = 0.02 if small else 0.04
    ensemble = scree.run_all(column(radius, 250, 2, 1) if small else column(radius, 1000, 10, 3))
    friction = ensemble.column("materials.glass.friction")
    aspect = ensemble.column("column.height_m") / radius
    runout = ensemble.column("deposit.covered_radius_m") / radius - 1
    over = runout / (1.24 * aspect)
    figure, axes = panels(2)
    plot.picture(next(record for record in reversed(ensemble.records) if record is not None).world, axes[0])
    axes[1].plot(friction, over, "o")
    axes[1].axhline(1, color="black", linestyle="--", label="Lube et al. 2004")
    axes[1].set(xlabel="friction μ", ylabel="run-out / (1.24 a)", ylim=(0, None))
    axes[1].legend()
    rough = friction > 0.4
    return Result([Row("run-out over the law, μ > 0.4", float(over[rough].mean()), 0.45 if small else 0.6, 1.2, "Lube et al. 2004: 1"),
                   Row("run-out, least over largest μ", float(np.mean(runout[~rough]) / np.mean(runout[rough])), 1.02, 4, "falls with μ below 0.4")],
                  figure)
