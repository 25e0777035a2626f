"""Heap from a funnel: the angle of repose of spheres without and with rolling friction, and of clumps."""

import experiment

TITLE = "heap from a funnel"
SCENE = "heap"
LAW = "spheres without rolling friction < spheres with it, clumps > spheres; rising with rolling friction (Zhou, Xu, Yu & Zulli 2001, 2002)"
RADIUS = 0.0025
SMALL = {"time_step": 0.004, "beads": 320, "glued": 50, "plate": 0.03, "scale": 0.95, "seconds": 1.4}


def clump(radius, offset, corners):
    return {"kind": "clump", "spheres": [{"position": [offset * c for c in corner], "radius": radius} for corner in corners]}


# Clumps have the volume of the sphere: two spheres a radius apart, four at the corners of a tetrahedron.
SHAPES = {
    "spheres": {"kind": "sphere", "radius": RADIUS},
    "pairs": clump(0.0021, 0.00105, [(0, 0, 1), (0, 0, -1)]),
    "tetrahedra": clump(0.0016, 0.00096, [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]),
}
CASES = {
    "full": [("spheres", 0), ("spheres", 0.05), ("spheres", 0.1), ("pairs", 0)],
    "small": [("spheres", 0), ("spheres", 0.1), ("pairs", 0)],
}


def smaller(what):
    """Reduces the beads, the funnel and the plate."""
    what["time_step"] = SMALL["time_step"]
    plug, funnel, plate = what["bodies"]
    funnel["shape"]["scale"] = SMALL["scale"]
    plate["shape"]["radius"] = SMALL["plate"]
    glued, beads = what["generators"]
    glued["count"], beads["count"] = SMALL["glued"], SMALL["beads"]
    glued["region"]["radius"] = SMALL["plate"] - 0.0005
    beads["region"]["radius"] *= SMALL["scale"]
    what["measurements"][0]["zone"]["size"][:2] = [0.042, 0.042]
    what["stages"][-1]["until"] = {"time": SMALL["seconds"]}


def run(runner, setting):
    lines = []
    for shape, rolling in CASES[setting]:
        what = experiment.scene(SCENE)
        what["materials"]["glass"]["rolling_friction"] = rolling * RADIUS
        what["generators"][1]["body"]["shape"] = SHAPES[shape]
        if setting == "small":
            smaller(what)
        folder = runner.run(f"{shape}_{rolling}", what)
        last = experiment.rows(folder, "measurement_heap")[-1]
        kept = int(experiment.rows(folder, "measurements")[-1]["dynamic_bodies"])
        lines.append({"grains": shape, "rolling": rolling, "angle": float(last["repose_degrees"]), "height_m": float(last["height_highest_m"]), "kept": kept})
    return lines


def angle(lines, grains, rolling):
    return next((line["angle"] for line in lines if line["grains"] == grains and line["rolling"] == rolling), float("nan"))


def result(lines):
    """Returns the angle in degrees."""
    return {f"{line['grains']}, l_r = {line['rolling']} R": line["angle"] for line in lines}


def draw(axes, lines):
    rolling = [line for line in lines if line["grains"] == "spheres"]
    axes.plot([line["rolling"] for line in rolling], [line["angle"] for line in rolling], "ko-", label="spheres")
    for line, colour in zip((line for line in lines if line["grains"] != "spheres"), ("C0", "C1", "C2")):
        axes.axhline(line["angle"], color=colour, linestyle="--", label=f"{line['grains']}, l_r = 0")
    axes.set(xlabel="rolling friction l_r/R", ylabel="angle of repose, degrees", ylim=(0, None))
