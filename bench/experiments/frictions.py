"""Column collapse against friction: one scene whose worlds differ in their coefficient of friction and their seed."""

import numpy

import experiment
from collapse import law

TITLE = "column collapse against friction"
SCENE = "column_frictions"
LAW = "(r∞ − r₀)/r₀ = 1.24 a for a < 1.7 (Lube, Huppert, Sparks & Hallworth 2004), for materials of μ ≥ 0.4"
RADIUS = 0.04
SMALL = {"count": 2, "repeats": 2}
LEAST = 0.4  # friction from which the law holds


def run(runner, setting):
    what = experiment.scene(SCENE)
    if setting == "small":
        what["worlds"] |= SMALL
    folder = runner.run("worlds", what)
    lines = []
    for row in experiment.rows(folder, "worlds_summary"):
        if row["set"] != "all":
            lines.append({"friction": float(row["materials.glass.friction"]), "worlds": int(row["worlds"]),
                          "aspect": float(row["column.height_m.mean"]) / RADIUS,
                          "run_out": float(row["deposit.covered_radius_m.mean"]) / RADIUS - 1,
                          "confidence": float(row["deposit.covered_radius_m.confidence"]) / RADIUS})
    return lines


def result(lines):
    """Run-out over the law, mean from LEAST on, and the run-outs of the least and the largest friction with the half widths of their intervals."""
    ratios = [line["run_out"] / float(law(line["aspect"])) for line in lines if line["friction"] >= LEAST]
    return {"over the law": float(numpy.mean(ratios)), "least friction": [lines[0]["run_out"], lines[0]["confidence"]],
            "largest friction": [lines[-1]["run_out"], lines[-1]["confidence"]]}


def draw(axes, lines):
    friction = [line["friction"] for line in lines]
    axes.errorbar(friction, [line["run_out"] for line in lines], yerr=[line["confidence"] for line in lines], fmt="ko", markersize=3, capsize=2,
                  linewidth=1, label="scree, 95 % confidence")
    axes.plot(friction, [float(law(line["aspect"])) for line in lines], "C3--", label="1.24 a of these columns")
    axes.set(xlabel="coefficient of friction", ylabel="run-out over radius, (r∞ − r₀)/r₀", ylim=(0, None))
