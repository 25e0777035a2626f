"""Silo floor pressure: the fraction of a column's weight that its floor carries, compared with Janssen's law."""

import math

import numpy

import experiment

TITLE = "silo floor pressure"
SCENE = "floor_pressure"
LAW = "σ = ρ g D/(4 μ K) (1 − exp(−4 μ K z/D)) (Janssen 1895), one K for all heights and along the depth"
GRAINS = {"full": (700, 1500, 3000, 4500, 6000), "small": (250, 600)}
WIDTH, FRICTION = 0.06, 0.5
SOLID, VOLUME = 0.58, 1.13e-7  # approximate solid fraction; volume of a grain, m³; used to place the stress slices
SLICE = 0.02                   # m
SETTLED = 0.3                  # s after the floor began to sink


def depth(grains):
    return VOLUME * grains / (SOLID * WIDTH**2)


def slices(grains):
    """Returns stress measurements for slices between two heights, from one slice above the floor to one below the top."""
    return [{"kind": "stress", "name": f"slice_{index}", "every_seconds": 0.05,
             "zone": {"kind": "box", "size": [WIDTH, WIDTH, SLICE], "position": [0, 0, (index + 1.5) * SLICE]}}
            for index in range(int(depth(grains) / SLICE) - 2)]


def mean(folder, name, field):
    found = experiment.of_stage(folder, f"measurement_{name}", "sink")
    begin = float(found[0]["time_s"])
    return float(numpy.mean([float(row[field]) for row in found if float(row["time_s"]) > begin + SETTLED]))


def share(x):
    """Fraction of the weight on the floor: (1 − exp(−x))/x, x = 4 μ K z/D."""
    return -math.expm1(-x) / x


def k_of(found, grains):
    """Returns the K for which Janssen's law gives that fraction."""
    low, high = 1e-6, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) > found else (low, middle)
    return low * WIDTH / (4 * FRICTION * depth(grains))


def k_along(folder, grains):
    """Ratio of horizontal to vertical stress in each slice."""
    names = [entry["name"] for entry in slices(grains)]
    return [(mean(folder, name, "stress_xx_mean_Pa") + mean(folder, name, "stress_yy_mean_Pa")) / 2 / mean(folder, name, "stress_zz_mean_Pa")
            for name in names]


def run(runner, setting):
    lines = []
    for grains in GRAINS[setting]:
        what = experiment.scene(SCENE)
        what["generators"][0]["count"] = grains
        if setting == "small":
            what["time_step"] = 0.004
        what["measurements"] += slices(grains)
        folder = runner.run(f"grains_{grains}", what)
        floor, silo = (-mean(folder, name, "force_z_mean_N") for name in ("floor", "silo"))
        lines.append({"grains": grains, "depth_m": depth(grains), "floor_N": floor, "weight_N": silo, "share": floor / silo,
                      "k": k_of(floor / silo, grains), "k_along": k_along(folder, grains)})
    return lines


def result(lines):
    """Smallest and largest K over heights (of columns more than two widths high), and along the depth of the highest."""
    high = [line["k"] for line in lines if line["depth_m"] > 2 * WIDTH] or [lines[-1]["k"]]
    return {"K": (min(high), max(high)), "K along the depth": (min(lines[-1]["k_along"], default=0), max(lines[-1]["k_along"], default=0)),
            "share of the weight": [line["share"] for line in lines]}


def draw(axes, lines):
    k = numpy.mean(result(lines)["K"])
    fine = numpy.linspace(0.01, lines[-1]["depth_m"] / WIDTH, 100)
    axes.plot([line["depth_m"] / WIDTH for line in lines], [line["floor_N"] for line in lines], "ko", label="scree")
    weight = lines[-1]["weight_N"] / lines[-1]["depth_m"] * WIDTH
    axes.plot(fine, [weight * z * share(4 * FRICTION * k * z) for z in fine], "C3--", label=f"Janssen, K = {k:.2f}")
    axes.plot(fine, weight * fine, "C7:", label="weight")
    axes.set(xlabel="depth over width", ylabel="force on the floor, N", ylim=(0, 2 * max(line["floor_N"] for line in lines)))
