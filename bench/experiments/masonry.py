"""Masonry: a wall of bricks in running bond and a tower of crossed blocks under a heavy one must stay where they are built; a semicircular arch stands
if its thickness exceeds 0.1075 of its radius (Milankovitch 1907; Cocchetti, Colasante and Rizzi 2011)."""

import math

import numpy

import experiment

TITLE = "masonry"
SCENE = "masonry"
LAW = "a wall of 500 bricks and a tower of 54 blocks whose top layer weighs a hundred times the others stand; a semicircular arch stands for t/R > 0.1075"
BRICK = (0.24, 0.115, 0.07)
BLOCK = (0.075, 0.025, 0.015)
WALL = {"full": (25, 20), "small": (5, 4)}  # bricks per course, courses
SECONDS = {"full": 5, "small": 0.2}
ARCH = {"full": (0.12, 0.11, 0.105, 0.09), "small": (0.12, 0.09)}  # t/R
ARCH_SECONDS = {"full": 4, "small": 2}
VOUSSOIRS = 27
LAYERS = 18
HEAVY = 100


def brick(lengths, position, **more):
    return {"material": "brick", "shape": {"kind": "box", "size": list(lengths)}, "position": [round(float(x), 7) for x in position], **more}


def wall(bricks, courses):
    """Every other course begins and ends with half a brick."""
    length, width, height = BRICK
    bodies = []
    for course in range(courses):
        z = (course + 0.5) * height
        if course % 2 == 0:
            bodies += [brick(BRICK, ((i + 0.5) * length, 0, z)) for i in range(bricks)]
        else:
            bodies += [brick(BRICK, ((i + 1) * length, 0, z)) for i in range(bricks - 1)]
            bodies += [brick((length / 2, width, height), (x, 0, z)) for x in (length / 4, (bricks - 0.25) * length)]
    return bodies


def tower():
    """Layers of three blocks, each across the one below; those of the last are heavy."""
    length, width, height = BLOCK
    bodies = []
    for layer in range(LAYERS):
        for i in (-1, 0, 1):
            place = (0, i * width, (layer + 0.5) * height) if layer % 2 == 0 else (i * width, 0, (layer + 0.5) * height)
            size = BLOCK if layer % 2 == 0 else (width, length, height)
            more = {"mass": HEAVY * 1900 * length * width * height} if layer == LAYERS - 1 else {}
            bodies.append(brick(size, place, **more))
    return bodies


def arch(ratio):
    """Wedges about the y axis through the origin with the middle of their thickness at 1 m: their common shape, and the pose of each. A wedge's cross-section
    is a trapezoid with its centre of mass h (b + 2 B)/(3 (b + B)) above the shorter side b."""
    half = math.pi / 2 / VOUSSOIRS
    points, sides = [], []
    for radius in (1 - ratio / 2, 1 + ratio / 2):
        points += [[x * radius * math.sin(half), y, radius * math.cos(half)] for x in (-1, 1) for y in (-0.1, 0.1)]
        sides.append(radius * math.sin(half))
    height = math.cos(half) * (1 - ratio / 2 + ratio * (sides[0] + 2 * sides[1]) / (3 * (sides[0] + sides[1])))
    bodies = []
    for i in range(VOUSSOIRS):
        angle = half * (2 * i + 1) - math.pi / 2
        bodies.append({"material": "brick", "shape": "voussoir", "position": [height * math.sin(angle), 0, height * math.cos(angle)],
                       "rotation": {"axis": [0, 1, 0], "angle_degrees": math.degrees(angle)}})
    return {"kind": "hull", "points": points}, bodies


def drift(folder, bodies):
    """Largest distance of a block from its initial position, m."""
    first = numpy.array([body["position"] for body in bodies])
    return float(numpy.linalg.norm(experiment.positions(folder)[-len(first):] - first, axis=1).max())


def run(runner, setting):
    lines = []
    for ratio in ARCH[setting]:
        what = experiment.scene(SCENE)
        shape, bodies = arch(ratio)
        what["shapes"] = {"voussoir": shape}
        what["materials"]["brick"]["friction"] = 0.9
        what["bodies"] += bodies
        what["run"]["duration"] = ARCH_SECONDS[setting]
        folder = runner.run(f"arch_{ratio}", what)
        last = experiment.rows(folder, "measurements")[-1]
        lines.append({"what": f"arch, t/R = {ratio}", "preset": "accurate", "drift_m": drift(folder, bodies),
                      "iterations": float(last["interval_iterations_mean"]), "residual": float(last["interval_residual_mean"])})
    for name, bodies in (("wall", wall(*WALL[setting])), ("tower", tower())):
        for preset in ("balanced", "accurate"):
            what = experiment.scene(SCENE)
            what["bodies"] += bodies
            what["run"]["duration"] = SECONDS[setting]
            what["solver"]["preset"] = preset
            folder = runner.run(f"{name}_{preset}", what)
            last = experiment.rows(folder, "measurements")[-1]
            lines.append({"what": f"{name} of {len(bodies)}", "preset": preset, "drift_m": drift(folder, bodies),
                          "iterations": float(last["interval_iterations_mean"]), "residual": float(last["interval_residual_mean"])})
    return lines


def result(lines):
    """Largest displacement of each structure, m."""
    return {f"{line['what']}, {line['preset']}": line["drift_m"] for line in lines}


def draw(axes, lines):
    axes.bar([f"{line['what']}\n{line['preset']}" for line in lines], [1e3 * line["drift_m"] for line in lines])
    axes.set(ylabel="drift, mm", yscale="log")
    axes.tick_params(axis="x", labelsize=7)
