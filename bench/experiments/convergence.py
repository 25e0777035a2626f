"""Convergence: the rate of a silo, the angle in a drum and the fraction of a packing against time step, iterations and tolerance."""

import numpy

import discharge
import drum
import experiment
import packing

TITLE = "convergence"
SCENE = "silo_discharge, rotating_drum, random_packing"
LAW = "results converge as time step, tolerance and residual go to zero"
STEPS = {"full": (0.0005, 0.001, 0.002, 0.004, 0.008), "small": (0.004, 0.008)}
ITERATIONS = {"full": (4, 12, 40, 120), "small": (10,)}
TOLERANCES = {"full": (1e-2, 1e-4, 1e-6), "small": (1e-2,)}
STEP = {"full": 0.004, "small": 0.004}  # s, while the others vary
OPENING = 0.048
PANELS = (3, 3)


def cases(setting):
    """Lists the varied parameter, its value, the time step, and the solver keys; all other keys are the preset's."""
    for step in STEPS[setting]:
        yield "time step, s", step, step, {}
    for iterations in ITERATIONS[setting]:
        yield "iterations", iterations, STEP[setting], {"iterations": iterations, "tolerance": 0}
    for tolerance in TOLERANCES[setting]:
        yield "tolerance", tolerance, STEP[setting], {"iterations": 300, "tolerance": tolerance, "reduction": 1}


class Silo:
    """Pours the small silo once, with the preset."""

    name = "silo, grains a second"

    def __init__(self, runner):
        self.runner = runner
        self.base, self.first = discharge.poured("small")
        self.pour = runner.run("pour", self.base)
        self.grains = int(experiment.rows(self.pour, "measurements")[-1]["dynamic_bodies"])

    def measure(self, name, step, solver):
        what = experiment.varied(self.base)
        gone = {str(self.first + plate): {"absent": True} for plate in range(1 + 4 * discharge.OPENINGS["small"].index(OPENING))}
        what["stages"].append({"name": "discharge", "until": {"time": 4, "grains_at_most": int(0.45 * self.grains)}, "bodies": gone, "time_step": step,
                               "solver": solver, "outputs": {"measurements_every_seconds": 0.024}})
        folder = self.runner.run(f"silo_{name}", what, resume=self.pour)
        return discharge.rate(folder, self.grains)[0], folder


class Drum:
    name = "drum, degrees"

    def __init__(self, runner):
        self.runner = runner

    def measure(self, name, step, solver):
        what = drum.drum(0.5, 0.00024, 0.024)
        drum.smaller(what)
        what["time_step"] = step
        what.setdefault("solver", {}).update(solver)
        folder = self.runner.run(f"drum_{name}", what)
        slopes = [float(row["slope_mean_degrees"]) for row in experiment.rows(folder, "measurement_surface") if float(row["time_s"]) >= drum.STEADY["small"]]
        return float(numpy.mean(slopes)), folder


class Packing:
    name = "packing, solid fraction"

    def __init__(self, runner):
        self.runner = runner

    def measure(self, name, step, solver):
        what = packing.smaller(experiment.scene(packing.SCENE))
        what["time_step"] = step
        what.setdefault("solver", {}).update(solver)
        folder = self.runner.run(f"packing_{name}", what)
        return packing.packed(folder)["solid_fraction"], folder


def run(runner, setting):
    lines = []
    for kind in (Silo, Drum, Packing) if setting == "full" else (Drum,):
        of = kind(runner)
        for varies, value, step, solver in cases(setting):
            found, folder = of.measure(f"{varies.split(',')[0].replace(' ', '_')}_{value:g}", step, solver)
            iterations = experiment.column(folder, "measurements", "interval_iterations_mean")
            lines.append({"experiment": kind.name, "varies": varies, "value": value, "found": found,
                          "iterations": float(numpy.mean(iterations)), "overlap_m": max(experiment.column(folder, "measurements", "penetration_max_m"))})
    return lines


def series(lines, name, varies):
    return [line for line in lines if line["experiment"] == name and line["varies"] == varies]


def result(lines):
    """For each experiment, the result with the largest step over that with the smallest, and the same for iterations and tolerance."""
    found = {}
    for name in dict.fromkeys(line["experiment"] for line in lines):
        for varies in dict.fromkeys(line["varies"] for line in lines):
            of = series(lines, name, varies)
            found[f"{name}: {varies}"] = [line["found"] / of[0]["found"] for line in of]
    return found


def draw(axes, lines):
    for row, name in zip(axes, dict.fromkeys(line["experiment"] for line in lines)):
        for panel, varies in zip(row, dict.fromkeys(line["varies"] for line in lines)):
            of = series(lines, name, varies)
            panel.semilogx([line["value"] for line in of], [line["found"] for line in of], "ko-", markersize=4)
            middle = numpy.median([line["found"] for line in lines if line["experiment"] == name])
            panel.set(ylim=(0.8 * middle, 1.2 * middle), xlabel=varies)
            panel.axhspan(0.98 * middle, 1.02 * middle, color="C0", alpha=0.15, linewidth=0)
            panel.minorticks_off()
            panel.set_xticks([line["value"] for line in of], [f"{line['value']:g}" for line in of])
            panel.tick_params(labelsize=7)
        row[0].set_ylabel(name, fontsize=8)
