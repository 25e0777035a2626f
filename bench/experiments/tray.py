"""Shaken tray: the energy that a shaker supplies to a layer of balls against the losses by friction and impacts, in the steady state."""

import experiment

TITLE = "shaken tray"
SCENE = "shaken_tray"
LAW = "energy supplied = energy dissipated in the steady state, within 2 %"
SECONDS = {"full": 10, "small": 4.0}
STEADY = 1.0  # s after which energy supply and loss balance


def run(runner, setting):
    what = experiment.scene(SCENE)
    what["run"]["duration"] = SECONDS[setting]
    if setting == "small":
        what["generators"][0]["cells"] = [7, 7, 1]
    folder = runner.run("tray", what)
    found = [row for row in experiment.rows(folder, "measurement_energy") if float(row["time_s"]) >= STEADY - 1e-9]
    def gained(name):
        return float(found[-1][name]) - float(found[0][name])
    lost = {name: gained(f"{name}_J") for name in ("friction", "impact", "rolling")}
    return [{"seconds": float(found[-1]["time_s"]) - float(found[0]["time_s"]), "drive_J": gained("drive_J"), **lost,
             "stored_J": gained("kinetic_energy_J") + gained("potential_energy_J"), "residue_J": gained("residue_J")}]


def result(lines):
    """Losses by friction and impacts, and losses plus the balls' gain of energy, over the energy that the tray supplies."""
    line = lines[0]
    lost = line["friction"] + line["impact"] + line["rolling"]
    return {"lost over given": lost / line["drive_J"], "lost and stored over given": (lost + line["stored_J"]) / line["drive_J"]}


def draw(axes, lines):
    line = lines[0]
    axes.bar(["given", "friction", "impacts", "stored", "residue"],
             [line["drive_J"], line["friction"], line["impact"], line["stored_J"], line["residue_J"]], color=["C3", "C0", "C0", "C7", "C7"])
    axes.set(ylabel=f"J in {line['seconds']:.1f} s")
