"""Conveyor and chute: grains from a belt leave a chute, which is a mesh, at the rate of the feed."""

import numpy

import experiment

TITLE = "conveyor and chute"
SCENE = "conveyor_chute"
LAW = "in the steady state the mass flow off the belt and out of the chute equals the feed, and the belt carries feed/speed per metre"
FEEDS = {"full": (0.1, 0.2), "small": (0.1,)}  # kg/s
STEADY = 2.5  # s
SECONDS = {"full": 4.5, "small": 3.8}
BELT_SPEED = 0.4


def rate(folder, name):
    """Mass flow in the steady state, kg/s: the slope of the running total."""
    time, mass = (numpy.array(experiment.column(folder, f"measurement_{name}", column)) for column in ("time_s", "mass_kg"))
    return float(numpy.polyfit(time[time > STEADY], mass[time > STEADY], 1)[0])


def run(runner, setting):
    lines = []
    for feed in FEEDS[setting]:
        what = experiment.scene(SCENE)
        what["inlets"][0]["mass_rate"] = feed
        what["run"]["duration"] = SECONDS[setting]
        what["outputs"].pop("every_seconds")
        what["outputs"]["every"] = 0
        folder = runner.run(f"feed_{feed}", what)
        density = [float(row["density_0_kg_per_m3"]) for row in experiment.rows(folder, "measurement_load") if float(row["time_s"]) > STEADY]
        time, mass = (experiment.column(folder, "measurement_chute", column) for column in ("time_s", "mass_kg"))
        lines.append({"feed": feed, "belt": rate(folder, "belt"), "chute": rate(folder, "chute"),
                      "load_kg_per_m": float(numpy.mean(density)) * 0.08 * 0.06, "time_s": time[::5], "mass_kg": mass[::5]})
    return lines


def result(lines):
    """Flow off the belt and out of the chute over the feed, and the belt's load over feed/speed."""
    return {"belt": [line["belt"] / line["feed"] for line in lines], "chute": [line["chute"] / line["feed"] for line in lines],
            "load": [line["load_kg_per_m"] * BELT_SPEED / line["feed"] for line in lines]}


def draw(axes, lines):
    for index, line in enumerate(lines):
        axes.plot(line["time_s"], line["mass_kg"], f"C{index}", label=f"feed {line['feed']} kg/s, found {line['chute']:.4f}")
        axes.plot(line["time_s"], numpy.maximum(0, line["mass_kg"][-1] + line["feed"] * (numpy.array(line["time_s"]) - line["time_s"][-1])), f"C{index}:")
    axes.set(xlabel="s", ylabel="out of the chute, kg")
