"""Rotating drum: the dynamic angle of repose against friction, rolling friction and the drum's length, and the segregation of two sizes."""

import numpy

import experiment

TITLE = "rotating drum"
SCENE = "rotating_drum"
LAW = "the angle rises with friction and with rolling friction, and does not depend on the length of a long drum; two sizes separate"
STEADY = {"full": 2.0, "small": 1.2}  # s
SMALL_SECONDS = 2.0
RADIUS = 0.0024  # m, of a bead
LENGTHS = (0.06, 0.09, 0.12)
VARIED = {
    "full": [{"friction": f, "rolling": 0, "length": 0.06} for f in (0.1, 0.2, 0.4, 0.8)]
            + [{"friction": 0.5, "rolling": r, "length": 0.06} for r in (0, 0.00012, 0.00024, 0.00048)]
            + [{"friction": 0.5, "rolling": 0.00012, "length": length} for length in LENGTHS[1:]],
    "small": [{"friction": 0.1, "rolling": 0, "length": 0.024}, {"friction": 0.5, "rolling": 0.00024, "length": 0.024}],
}


def drum(friction, rolling, length):
    what = experiment.scene(SCENE)
    what["materials"]["glass"].update(friction=friction, rolling_friction=rolling)
    what["containers"][0]["length"] = length
    what["generators"][0]["cells"][1] = int((length - 0.0005) / 0.00535)
    what["measurements"][0]["zone"]["size"][1] = length
    what["measurements"][0]["cells"][1] = max(2, round(length / 0.0075))
    return what


def smaller(what):
    """Halves the diameter and shortens the drum."""
    what["time_step"] = 0.004
    what["run"]["duration"] = SMALL_SECONDS
    what["containers"][0]["radius"] = 0.03
    what["generators"][0].update(cells=[8, 4, 7], position=[0, 0, -0.018])
    what["measurements"][0]["zone"]["size"][:1] = [0.03]


def two_sizes(seconds):
    """Replaces a fifth of the volume by beads twice as large."""
    what = drum(0.5, 0.00012, 0.03)
    what["run"]["duration"] = seconds
    what["generators"][0]["cells"] = [14, 4, 10]
    what["generators"][0]["spacing"] = [0.0069, 0.0069, 0.0069]
    what["generators"][0]["size"] = {"kind": "sieve", "openings": [0.0032, 0.0035, 0.0065, 0.0068], "fractions": [0.5, 0, 0.5], "by": "mass"}
    what["measurements"].append({"kind": "mixing", "name": "mixing", "every_seconds": 0.2, "size_above": 0.005,
                                 "zone": {"kind": "box", "size": [0.12, 0.03, 0.12]}, "cells": [12, 1, 12]})
    return what


def run(runner, setting):
    lines = []
    for index, case in enumerate(VARIED[setting]):
        what = drum(**case)
        if setting == "small":
            smaller(what)
        folder = runner.run(f"drum_{index}", what)
        slopes = [float(row["slope_mean_degrees"]) for row in experiment.rows(folder, "measurement_surface") if float(row["time_s"]) >= STEADY[setting]]
        lines.append({**case, "angle": numpy.mean(slopes), "deviation": numpy.std(slopes)})
    if setting == "full":
        found = experiment.rows(runner.run("two_sizes", two_sizes(30)), "measurement_mixing")
        early = numpy.mean([float(row["lacey"]) for row in found if 0.4 < float(row["time_s"]) <= 1.4])
        late = numpy.mean([float(row["lacey"]) for row in found[-25:]])
        lines.append({"lacey_before": early, "lacey_after": late})
    return lines


def result(lines):
    def angle(**case):
        return next((line["angle"] for line in lines if all(line.get(key) == value for key, value in case.items())), float("nan"))
    if len(lines) < 5:
        return {"rise": lines[1]["angle"] - lines[0]["angle"]}
    lengths = [angle(friction=0.5, rolling=0.00012, length=length) for length in LENGTHS]
    return {"rise with friction": angle(friction=0.8, rolling=0) - angle(friction=0.1, rolling=0),
            "rise with rolling friction": angle(friction=0.5, rolling=0.00048) - angle(friction=0.5, rolling=0, length=0.06),
            "spread over lengths": max(lengths) - min(lengths), "lacey": (lines[-1]["lacey_before"], lines[-1]["lacey_after"])}


def draw(axes, lines):
    by_friction = [line for line in lines if line.get("rolling") == 0 and line["length"] == 0.06 and line["friction"] != 0.5]
    by_rolling = [line for line in lines if line.get("friction") == 0.5 and line["length"] == 0.06]
    axes.errorbar([line["friction"] for line in by_friction], [line["angle"] for line in by_friction], [line["deviation"] for line in by_friction],
                  fmt="o-", label="friction μ, no rolling friction")
    axes.errorbar([line["rolling"] / RADIUS for line in by_rolling], [line["angle"] for line in by_rolling], [line["deviation"] for line in by_rolling],
                  fmt="s-", label="rolling friction l_r/R, μ = 0.5")
    axes.set(xlabel="μ, l_r/R", ylabel="dynamic angle of repose, degrees", ylim=(0, None))
