"""Hourglass: sand runs through the neck of a mesh at a rate that does not depend on how much is left; four pictures of it."""

import subprocess

import numpy

import experiment

TITLE = "hourglass"
SCENE = "hourglass"
LAW = "the flow is constant until the upper bulb is nearly empty (Beverloo, Leniger & van de Velde 1961)"
NECK, DIAMETER, MASS = 0.018, 0.003, 2500 * numpy.pi / 6 * 0.003**3
BULK = 0.6 * 2500
GRAINS = {"full": 2400, "small": 900}
PICTURES = (0.02, 0.25, 0.5, 1.0)  # fractions of the running time
SIZE = "360x640"


def flow(folder, grains):
    """Grains per second: in the middle of the flow, and in its thirds."""
    found = experiment.of_stage(folder, "measurement_neck", "run")
    time, out = (numpy.array([float(row[name]) for row in found]) for name in ("time_s", "grains"))
    def between(low, high):
        inside = (out >= low * grains) & (out <= high * grains)
        return float(numpy.polyfit(time[inside], out[inside], 1)[0])
    return time - time[0], out, between(0.1, 0.85), [between(a, a + 0.25) for a in (0.1, 0.35, 0.6)]


def draw_frames(runner, folder):
    """Draws pictures of the run at four times, side by side in the result's plot."""
    frames = sorted((folder / "out").glob("frame_*.vtkhdf"))
    began = float(experiment.of_stage(folder, "measurements", "run")[0]["time_s"])
    running = frames[min(int(began / 0.1), len(frames) - 1):]
    pictures = []
    for index, share in enumerate(PICTURES):
        picture = folder / f"picture_{index}.png"
        subprocess.run([runner.program, "render", running[round(share * (len(running) - 1))], "--out", picture, "--size", SIZE, "--plain",
                        "--eye", "0,-0.4,0.06", "--target", "0,0,0", "--fov", "24"], check=True, capture_output=True)
        pictures.append(str(picture))
    return pictures


def run(runner, setting):
    what = experiment.scene(SCENE)
    grains = what["inlets"][0]["count"] = GRAINS[setting]
    if setting == "small":
        what["time_step"] = 0.003
        what["outputs"] = {"every": 0, "measurements_every_seconds": 0.05}
        what["stages"][0]["until"].update(time=0.6, after=0.2)
        what["stages"][1]["until"].update(time=1.2, after=0.6)
    folder = runner.run("hourglass", what)
    time, out, rate, thirds = flow(folder, grains)
    line = {"grains": grains, "rate": rate, "thirds": thirds, "left": int(grains - out[-1]), "time_s": list(time), "out": list(out)}
    if setting == "full":
        line["pictures"] = draw_frames(runner, folder)
    return [line]


def result(lines):
    """Grains per second, the largest deviation of a third of the flow from it, Beverloo's C (0.58 for flat floors), and the grains that stay above."""
    line = lines[0]
    scale = BULK * 9.81**0.5 * (NECK - 1.5 * DIAMETER) ** 2.5 / MASS
    return {"rate": line["rate"], "change": max(abs(part / line["rate"] - 1) for part in line["thirds"]), "C": line["rate"] / scale, "left": line["left"]}


def draw(axes, lines):
    line = lines[0]
    axes.plot(line["time_s"], line["grains"] - numpy.array(line["out"]), "k", label="scree")
    axes.plot([0, line["grains"] / line["rate"]], [line["grains"], 0], "C3--", label=f"{line['rate']:.0f} grains a second")
    axes.set(xlabel="s", ylabel="grains above the neck", ylim=(0, None))


def draw_pictures(pyplot, lines, file):
    figure, panels = pyplot.subplots(1, len(PICTURES), figsize=(8, 3.6))
    for panel, picture in zip(panels, lines[0]["pictures"]):
        panel.imshow(pyplot.imread(picture))
        panel.set_axis_off()
    figure.tight_layout(pad=0.2)
    figure.savefig(file, dpi=100)
    pyplot.close(figure)
