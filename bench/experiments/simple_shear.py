"""Simple shear at constant pressure in a world that is periodic in both directions of the plates: stress ratio and velocity profile."""

import experiment

TITLE = "simple shear at 10 kPa, periodic"
SCENE = "simple_shear"
LAW = "τ/σ of the steady state 0.3 … 0.45 for spheres of μ = 0.5, rising with μ (Da Cruz et al. 2005; Peyneau & Roux 2008: 0.10 without friction); the velocity profile is linear, the stress equals the platen's pressure"
CASES = {"full": ((0, 2), (0.1, 2), (0.3, 2), (0.5, 2), (0.9, 2)), "small": ((0, 0.6), (0.5, 0.6))}  # friction, and duration
LAST = 0.5  # fraction of the shear over which the steady state is averaged


def mean(rows, key):
    return sum(float(row[key]) for row in rows) / len(rows)


def sheared(folder):
    core = experiment.of_stage(folder, "measurement_core", "shear")
    late = core[-round(LAST * len(core)):]
    profile = experiment.of_stage(folder, "measurement_speed", "shear")[-1]
    speeds = [float(profile[f"velocity_x_{i}_mean_m_per_s"]) for i in range(8)]
    line = [speeds[0] + (speeds[-1] - speeds[0]) * i / 7 for i in range(8)]
    share = experiment.of_stage(folder, "measurement_share", "shear")
    return {
        "steady": mean(late, "stress_xz_mean_Pa") / mean(late, "stress_zz_mean_Pa"),
        "pressure": mean(late, "stress_zz_mean_Pa"),
        "solid_fraction": mean(share[-round(LAST * len(share)):], "solid_fraction"),
        "off_line": max(abs(speed - at) for speed, at in zip(speeds, line)) / abs(speeds[0] - speeds[-1]),
        "curve": [mean(core[i:i + 5], "stress_xz_mean_Pa") / mean(core[i:i + 5], "stress_zz_mean_Pa") for i in range(0, len(core) - 4, 5)],
        "speeds": speeds,
    }


def run(runner, setting):
    lines = []
    for friction, seconds in CASES[setting]:
        what = experiment.scene(SCENE)
        last = what["stages"][-1]
        last["materials"]["bead"]["friction"] = friction
        last["until"]["time"] = seconds
        lines.append({"friction": friction, **sheared(runner.run(f"{friction}", what))})
    return lines


def result(lines):
    return {f"μ = {line['friction']}": {key: line[key] for key in ("steady", "pressure", "solid_fraction", "off_line")} for line in lines}


def draw(axes, lines):
    axes.axhspan(0.3, 0.45, color="C0", alpha=0.15, linewidth=0, label="published, μ = 0.5")
    for index, line in enumerate(lines):
        axes.plot([100 * (i + 0.5) / len(line["curve"]) for i in range(len(line["curve"]))], line["curve"], color=f"C{index}", label=f"μ = {line['friction']}")
    axes.set(xlabel="share of the shear, %", ylabel="τ/σ in the middle", ylim=(0, None))
