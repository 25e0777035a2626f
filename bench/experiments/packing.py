"""Random packing: the solid fraction of equal spheres, poured with and without friction, and compressed without."""

import experiment

TITLE = "random packing"
SCENE = "random_packing"
LAW = "0.63 … 0.65 without friction (random close packing; poured and pressed), 0.58 … 0.61 with μ = 0.5"
FRICTION = {"full": (0, 0.1, 0.3, 0.5), "small": (0, 0.5)}
SMALL = {"spheres": 700, "width": 0.04, "zone": {"kind": "box", "size": [0.024, 0.024, 0.018], "position": [0, 0, 0.018]}}


def smaller(what):
    """Reduces the spheres and the box, and moves the measured zone to its middle."""
    width = SMALL["width"]
    what["generators"][0]["count"] = SMALL["spheres"]
    what["generators"][0]["region"]["size"] = [width, width]
    what["containers"][0]["inner_size"] = [width, width, 1]
    for measurement in what["measurements"]:
        measurement["zone"] = SMALL["zone"]
    return what


def packed(folder):
    last = experiment.rows(folder, "measurement_core")[-1]
    contacts = experiment.rows(folder, "measurement_contacts")[-1]
    return {"solid_fraction": float(last["solid_fraction"]), "coordination": float(contacts["coordination_without_rattlers"])}


def run(runner, setting):
    lines = []
    for friction in FRICTION[setting]:
        what = experiment.scene(SCENE)
        if setting == "small":
            smaller(what)
        what["materials"]["glass"]["friction"] = friction
        lines.append({"how": "poured", "friction": friction, **packed(runner.run(f"poured_{friction}", what))})
    if setting == "full":
        pressed = runner.run("pressed", experiment.scene("compressed_packing"))
        lines.append({"how": "pressed", "friction": 0, **packed(pressed)})
    return lines


def result(lines):
    return {f"{line['how']}, μ = {line['friction']}": line["solid_fraction"] for line in lines}


def draw(axes, lines):
    poured = [line for line in lines if line["how"] == "poured"]
    pressed = [line for line in lines if line["how"] == "pressed"]
    axes.axhspan(0.63, 0.65, color="C3", alpha=0.2, linewidth=0, label="random close packing")
    axes.axhspan(0.58, 0.61, color="C0", alpha=0.2, linewidth=0, label="with μ = 0.5")
    axes.plot([line["friction"] for line in poured], [line["solid_fraction"] for line in poured], "ko-", label="poured")
    axes.plot([line["friction"] for line in pressed], [line["solid_fraction"] for line in pressed], "r^", label="pressed")
    axes.set(xlabel="friction μ", ylabel="solid fraction")
