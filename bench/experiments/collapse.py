"""Axisymmetric column collapse: run-out of a column of beads against its aspect ratio."""

import numpy

import experiment

TITLE = "column collapse"
SCENE = "column_collapse"
LAW = "(r∞ − r₀)/r₀ = 1.24 a for a < 1.7, 1.6 √a above (Lube, Huppert, Sparks & Hallworth 2004), a = height over radius"
BEADS = {"full": (900, 1800, 2700, 5000, 8000, 12000), "small": (900,)}
RADIUS = 0.04
CELL = 0.5 / 80
LAYER = 0.0025  # minimum height of a covered place: half a bead


def law(aspect):
    aspect = numpy.asarray(aspect, dtype=float)
    return numpy.where(aspect < 1.7, 1.24 * aspect, 1.6 * numpy.sqrt(aspect))


def run_out(folder):
    """Radius of the circle with the area that beads cover, including single beads that rolled away."""
    last = experiment.rows(folder, "measurement_deposit")[-1]
    cells = numpy.array([float(last[f"height_{x}_{y}_m"] or 0) for x in range(80) for y in range(80)])
    return CELL * numpy.sqrt((cells > LAYER).sum() / numpy.pi)


def run(runner, setting):
    lines = []
    for beads in BEADS[setting]:
        what = experiment.scene(SCENE)
        what["generators"][0]["count"] = beads
        folder = runner.run(f"beads_{beads}", what)
        before = experiment.of_stage(folder, "measurement_column", "pour")[-1]
        lines.append({"beads": beads, "aspect": float(before["height_m"]) / RADIUS, "run_out": run_out(folder) / RADIUS - 1})
    return lines


def result(lines):
    """Largest deviation of the run-out from the law."""
    return {"worst": max(abs(line["run_out"] / float(law(line["aspect"])) - 1) for line in lines)}


def draw(axes, lines):
    aspect = numpy.linspace(0.2, max(line["aspect"] for line in lines) * 1.1, 100)
    axes.loglog([line["aspect"] for line in lines], [line["run_out"] for line in lines], "ko", label="scree")
    axes.loglog(aspect, law(aspect), "C3--", label="1.24 a, 1.6 √a")
    axes.set(xlabel="height over radius, a", ylabel="run-out over radius")
