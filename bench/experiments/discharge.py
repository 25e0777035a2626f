"""Silo discharge: mass flow through square openings of a flat floor against Beverloo's law, W = C ρ_b √g (D − k d)^2.5."""

import numpy

import experiment

TITLE = "silo discharge"
SCENE = "silo_discharge"
LAW = "mass flow ∝ (D − k d)^2.5 (Beverloo, Leniger & van de Velde 1961), k = 1.5; independent of the height above the opening while it is twice the opening"
OPENINGS = {"full": (0.033, 0.039, 0.045, 0.054, 0.063), "small": (0.036, 0.048)}
DIAMETER = 0.006
K = 1.5
PLATE = 0.003
SMALL = {"grains": 1400, "width": 0.072, "time_step": 0.004}


def floor(width, openings):
    """Boxes of a floor of the given width: a plug over the smallest opening, and rings of four boxes around it up to each larger opening."""
    def plate(x0, x1, y0, y1):
        return {"type": "static", "material": "glass", "shape": {"kind": "box", "size": [x1 - x0, y1 - y0, PLATE]},
                "position": [(x0 + x1) / 2, (y0 + y1) / 2, -PLATE / 2]}
    edges = [side / 2 for side in openings] + [width / 2]
    plates = [plate(-edges[0], edges[0], -edges[0], edges[0])]
    for inner, outer in zip(edges, edges[1:]):
        plates += [plate(-outer, -inner, -outer, outer), plate(inner, outer, -outer, outer),
                   plate(-inner, inner, -outer, -inner), plate(-inner, inner, inner, outer)]
    return plates


def poured(setting):
    base = experiment.scene(SCENE)
    openings = OPENINGS[setting]
    if setting == "small":
        narrow(base)
    first = len(base["bodies"])
    base["bodies"] += floor(2 * abs(base["bodies"][0]["position"][0]), openings)
    return base, first


def narrow(base):
    """Moves the walls closer and reduces the number of grains for the small setting."""
    base["time_step"] = SMALL["time_step"]
    base["generators"][0]["count"] = SMALL["grains"]
    base["generators"][0]["region"]["size"] = [SMALL["width"]] * 2
    for wall in base["bodies"]:
        wall["position"] = [numpy.sign(x) * SMALL["width"] / 2 for x in wall["position"]]


def rate(folder, grains):
    """Grains per second: in the middle of the flow, in its first half and in its second half."""
    time = numpy.array(experiment.column(folder, "measurement_flow", "time_s"))
    out = numpy.array(experiment.column(folder, "measurement_flow", "grains"))
    def between(low, high):
        inside = (out >= low * grains) & (out <= high * grains)
        return numpy.polyfit(time[inside], out[inside], 1)[0] if inside.sum() > 2 else float("nan")
    return between(0.1, 0.5), between(0.1, 0.3), between(0.3, 0.5)


def run(runner, setting):
    base, first = poured(setting)
    pour = runner.run("pour", base)
    grains = int(experiment.rows(pour, "measurements")[-1]["dynamic_bodies"])
    lines = []
    for index, opening in enumerate(OPENINGS[setting]):
        what = experiment.varied(base)
        gone = {str(first + plate): {"absent": True} for plate in range(1 + 4 * index)}
        what["stages"].append({"name": "discharge", "until": {"time": 4, "grains_at_most": int(0.45 * grains)}, "bodies": gone})
        folder = runner.run(f"opening_{1e3 * opening:.0f}", what, resume=pour)
        lines.append({"opening_m": opening, "grains": grains, **dict(zip(("rate", "rate_early", "rate_late"), rate(folder, grains)))})
    return lines


def result(lines):
    """Exponent n and factor c of rate = c (D − k d)^n, and the largest change of the rate with the height."""
    width = numpy.array([line["opening_m"] for line in lines]) - K * DIAMETER
    rates = numpy.array([line["rate"] for line in lines])
    exponent, factor = numpy.polyfit(numpy.log(width), numpy.log(rates), 1)
    change = max(abs(line["rate_late"] / line["rate_early"] - 1) for line in lines)
    return {"exponent": exponent, "factor": numpy.exp(factor), "height_change": change}


def draw(axes, lines):
    found = result(lines)
    width = numpy.array([line["opening_m"] for line in lines])
    fine = numpy.linspace(width.min(), width.max(), 50) - K * DIAMETER
    axes.loglog((width - K * DIAMETER) / DIAMETER, [line["rate"] for line in lines], "ko", label="scree")
    axes.loglog(fine / DIAMETER, found["factor"] * fine ** found["exponent"], "C0", label=f"exponent {found['exponent']:.2f}")
    middle = len(lines) // 2
    axes.loglog(fine / DIAMETER, lines[middle]["rate"] * (fine / (width[middle] - K * DIAMETER)) ** 2.5, "C3--", label="exponent 2.5")
    axes.set(xlabel="(D − 1.5 d)/d", ylabel="grains a second")
