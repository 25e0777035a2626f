"""Direct shear between the two halves of a box under a servo platen: stress ratio and dilation against friction."""

import itertools
import statistics

import experiment

TITLE = "direct shear under 10 kPa"
SCENE = "shear_box"
LAW = "τ/σ at the critical state 0.3 … 0.6 for spheres of μ = 0.5, rising with μ and levelling; dense packings peak and dilate, loose ones contract"
# Friction during the shear, and during the making of the packing.
CASES = {"full": ((0.1, 0), (0.3, 0), (0.5, 0), (0.9, 0), (0.5, 0.9)), "small": ((0.1, 0), (0.5, 0))}
SMALL = {"beads": 330, "depth": 0.018}
SEEDS = {"full": (1,), "small": (1, 2, 3)}  # the dilation of so few beads is random: their results are means
LAST = 0.3  # fraction of the travel over which the critical state is averaged


def smaller(what):
    """Halves the depth and the number of beads."""
    depth = SMALL["depth"]
    what["generators"][0]["count"] = SMALL["beads"]
    what["generators"][0]["region"]["size"][1] = depth
    box, ring = what["containers"]
    box["inner_size"][1] = ring["outlet"][1] = ring["inlet"][1] = depth
    what["bodies"][0]["shape"]["size"][1] = depth - 0.002
    return what


def ratio(rows):
    """Ratio of shear to normal force on ring and platen: the forces through the shear plane, without weight."""
    return sum(float(row["force_x_mean_N"]) for row in rows) / sum(float(row["force_z_mean_N"]) for row in rows)


def sheared(folder):
    upper = experiment.of_stage(folder, "measurement_upper", "shear")
    heights = [float(row["position_z_m"]) for row in experiment.of_stage(folder, "measurement_platen", "shear")]
    curve = [ratio(upper[i:i + 5]) for i in range(0, len(upper) - 4, 5)]
    return {
        "critical": ratio(upper[-round(LAST * len(upper)):]),
        "peak": max(curve),
        "dilation_mm": 1000 * (sum(heights[-5:]) / 5 - heights[0]),
        "curve": curve,
        "heights_mm": [1000 * (height - heights[0]) for height in heights[::5]],
    }


def run(runner, setting):
    lines = []
    for (friction, before), seed in itertools.product(CASES[setting], SEEDS[setting]):
        what = experiment.scene(SCENE)
        what["seed"] = seed
        if setting == "small":
            smaller(what)
        what["materials"]["bead"]["friction"] = before
        last = what["stages"][-1]
        last["materials"]["bead"]["friction"] = last["material_pairs"]["0"]["friction"] = friction
        folder = runner.run(f"{friction}_{before}_{seed}", what)
        lines.append({"friction": friction, "packed": "dense" if before == 0 else "loose", **sheared(folder)})
    return lines


def name_of(line):
    return f"{line['packed']}, μ = {line['friction']}"


def result(lines):
    return {name: {key: statistics.mean(line[key] for line in lines if name_of(line) == name) for key in ("critical", "peak", "dilation_mm")}
            for name in map(name_of, lines)}


def draw(axes, lines):
    axes.axhspan(0.3, 0.6, color="C0", alpha=0.15, linewidth=0, label="critical states of spheres")
    dilation = axes.twinx()
    for index, line in enumerate(lines):
        way = [100 * (i + 0.5) / len(line["curve"]) for i in range(len(line["curve"]))]
        axes.plot(way, line["curve"], color=f"C{index}", label=f"{line['packed']}, μ = {line['friction']}")
        dilation.plot([100 * i / len(line["heights_mm"]) for i in range(len(line["heights_mm"]))], line["heights_mm"], ":", color=f"C{index}")
    axes.set(xlabel="share of the way of 12 mm, %", ylabel="τ/σ", ylim=(0, None))
    dilation.set_ylabel("rise of the platen, mm (dotted)")
