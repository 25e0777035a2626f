"""Shear cell: the friction of beads that are sheared at constant pressure between two plates.

The stress ratio τ/σ of beads with μ = 0.5 is 0.3 to 0.45 in slow steady shear, whatever the pressure.
"""

import scree
from scree import plot

from .result import Result, Row, panels

CELL, HEIGHT = [0.05, 0.03, 0.005], 0.014  # of a plate, of the measured layer, m


def cell(beads: int, seconds: float, time_step: float) -> dict[str, object]:
    """Returns the scene: periodic along the plates, the lower one moves, the upper one presses with 10 kPa."""
    layer = {"kind": "box", "size": [*CELL[:2], HEIGHT], "position": [0, 0, 0.015]}
    return {
        "seed": 1, "time_step": time_step, "period": [*CELL[:2], 0],
        "materials": {"bead": {"friction": 0, "density": 2500}, "plate": {"friction": 1, "rolling_friction": 0.003}},
        "material_pairs": [{"materials": ["bead", "plate"], "friction": 0, "restitution": 0.1}],
        "bodies": [{"type": "kinematic", "shape": {"kind": "box", "size": CELL}, "material": "plate", "position": [0, 0, -0.0025]},
                   {"shape": {"kind": "box", "size": CELL}, "material": "plate", "mass": 0.3, "position": [0, 0, 0.1],
                    "servo": {"direction": [0, 0, -1], "pressure": 10000}}],
        "kinematic_groups": [{"bodies": [0], "motions": []}],
        "generators": [{"kind": "fill", "count": beads, "region": {"kind": "box", "size": CELL[:2], "height": 0.09},
                        "size": {"kind": "uniform", "minimum": 0.0045, "maximum": 0.0055},
                        "body": {"shape": {"kind": "sphere"}, "material": "bead"}}],
        "measurements": [{"kind": "stress", "name": "core", "every_seconds": 0.02, "zone": layer},
                         {"kind": "profile", "name": "speed", "every_seconds": 0.1, "zone": layer, "cells": [1, 1, 5]}],
        "stages": [{"name": "press", "until": {"time": 0.6, "after": 0.1, "rest": 0.01}},
                   {"name": "shear", "until": {"time": seconds}, "gravity": [0, 0, 0], "materials": {"bead": {"friction": 0.5}},
                    "material_pairs": {"0": {"friction": 1, "rolling_friction": 0.003}},
                    "kinematic_groups": {"0": {"motions": [{"kind": "linear", "velocity": [0.1, 0, 0], "ramp": 0.05}]}}}]}


def run(small: bool = False) -> Result:
    """Shears the cell and averages the stresses of the second half."""
    seconds, time_step = (0.16, 0.001) if small else (1.5, 0.0005)
    record = scree.Scene(cell(300 if small else 400, seconds, time_step)).run()
    time = record.row_column("core", "time")
    shear, pressure = (record.row_column("core", f"stress_{name}_mean_Pa") for name in ("xz", "zz"))
    shear, pressure, time = shear[pressure > 0], pressure[pressure > 0], time[pressure > 0]
    late = time > time[-1] - seconds / 2
    ratio = float(abs(shear[late].mean()) / pressure[late].mean())
    figure, axes = panels(3)
    plot.picture(record.world, axes[0])
    axes[1].plot(time, abs(shear / pressure))
    axes[1].set(xlabel="time, s", ylabel="τ/σ", ylim=(0, 0.8))
    plot.profile(record, "speed", "velocity_x", axes[2])
    return Result([Row("τ/σ", ratio, 0.27, 0.5, "Da Cruz et al. 2005; Peyneau & Roux 2008: 0.3 to 0.45"),
                   Row("σ, Pa", float(pressure[late].mean()), 9500, 10500, "pressure of the plate: 10000 Pa")], figure)
