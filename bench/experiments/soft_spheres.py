"""Rigid and soft spheres: the time that scree and LAMMPS (gran/hooke/history, one process) take for the rate of a conical hopper."""

import math
import resource
import shutil
import subprocess
import sys

import numpy

import experiment
import surfaces

TITLE = "rigid and soft spheres"
SCENE = "hopper"
LAW = "the same rate; soft spheres need steps that resolve their springs"
RADIUS, DENSITY, FRICTION = 0.0025, 2500, 0.5
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
OUTLET, SLOPE, TOP = 0.015, math.tan(math.radians(30)), 0.12  # m: half an outlet, radius over height, height
GRAINS = {"full": 1000, "small": 300}
STEPS = {"full": (0.001, 0.002, 0.004), "small": (0.002,)}
REPEATS = {"full": 2, "small": 1}
STIFFNESS = {"full": (5e3, 2e4, 8e4), "small": (5e3,)}  # N/m
DAMPING = 0.5                                      # fraction of critical damping: a restitution of 0.16
SECONDS = {"full": 0.5, "small": 0.3}
PLANE, BELOW = -0.01, -0.05  # m: grains are counted at PLANE and removed at BELOW
SHARES = (0.1, 0.6)          # range of the fraction of discharged grains for the rate

LAMMPS = """units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data grains.data
neighbor {skin} bin
neigh_modify delay 0
pair_style gran/hooke/history {k} {kt} {gamma} {gamma_t} {friction} 1
pair_coeff * *
region hopper cone z 0 0 {outlet} {top_radius} 0 {top} open 1 open 2 units box
fix gravity all gravity 9.81 vector 0 0 -1
fix hopper all wall/gran/region hooke/history {k} {kt} {gamma} {gamma_t} {friction} 1 region hopper
fix move all nve/sphere
region above block EDGE EDGE EDGE EDGE {plane} EDGE units box
variable above equal count(all,above)
timestep {step}
thermo_style custom step time v_above
thermo_modify lost ignore flush no
thermo {every}
dump places all custom {sample} places.txt x y z
dump_modify places format float %.9g
run {steps}
"""


def processor_seconds(work):
    """Returns the processor time of the processes that `work` starts, and its result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, found


def rate(time, out, grains):
    inside = (out >= SHARES[0] * grains) & (out <= SHARES[1] * grains)
    return float(numpy.polyfit(time[inside], out[inside], 1)[0]) if inside.sum() > 2 else float("nan")


def rigid(runner, base, filled, step, grains, seconds):
    what = experiment.varied(base, time_step=step)
    what["stages"].append({"name": "flow", "until": {"time": seconds}, "bodies": {"0": {"absent": True}}})
    spent, folder = processor_seconds(lambda: runner.run(f"rigid_{1e3 * step:g}_ms", what, resume=filled))
    found = experiment.of_stage(folder, "measurement_flow", "flow")
    time, out = (numpy.array([float(row[name]) for row in found]) for name in ("time_s", "grains"))
    overlap = max(float(row["penetration_max_m"]) for row in experiment.of_stage(folder, "measurements", "flow"))
    return {"who": f"scree, {1e3 * step:g} ms", "step_s": step, "cpu_s": spent, "rate": rate(time, out, grains), "overlap": overlap / RADIUS}


def overlap_of(file):
    """Largest overlap of two grains in any written frame, in radii."""
    worst, text = 0.0, file.read_text(encoding="ascii").split("ITEM: ATOMS x y z\n")[1:]
    for block in text:
        x = numpy.array([line.split() for line in block.split("ITEM:")[0].splitlines()], dtype=float)
        for i in range(len(x) - 1):
            worst = max(worst, 2 * RADIUS - numpy.sqrt(((x[i + 1:] - x[i]) ** 2).sum(axis=1).min()))
    return worst / RADIUS


def soft(runner, places, stiffness, grains, seconds):
    """Runs LAMMPS. A step is a tenth of π √(m/k): a collision of two grains, π √(m/2k), takes seven."""
    folder = runner.out / f"soft_{stiffness:g}"
    folder.mkdir(parents=True, exist_ok=True)
    step = 0.1 * math.pi * math.sqrt(MASS / stiffness)
    gamma = 2 * DAMPING * math.sqrt(2 * stiffness / MASS)  # for the pair's reduced mass, m/2
    steps = round(seconds / step)
    far = 2 * RADIUS + numpy.abs(places).max(axis=0)  # a larger box would cost time for its empty cells
    bounds = f"{-far[0]} {far[0]} xlo xhi\n{-far[1]} {far[1]} ylo yhi\n{BELOW} {far[2]} zlo zhi"
    lines = [f"{i + 1} 1 {2 * RADIUS} {DENSITY} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(places)]
    (folder / "grains.data").write_text(f"grains\n\n{len(places)} atoms\n1 atom types\n{bounds}\n\nAtoms # sphere\n\n" + "\n".join(lines) + "\n", encoding="ascii")
    (folder / "in.hopper").write_text(LAMMPS.format(k=stiffness, kt=2 / 7 * stiffness, gamma=gamma, gamma_t=gamma / 2, friction=FRICTION, skin=0.4 * RADIUS,
                                                    outlet=OUTLET, top_radius=OUTLET + SLOPE * TOP, top=TOP, plane=PLANE, step=step, steps=steps,
                                                    every=max(1, round(0.005 / step)), sample=max(1, steps // 10)), encoding="ascii")
    command = ["lmp", "-in", "in.hopper", "-log", "log.txt", "-screen", "none"]
    spent, done = processor_seconds(lambda: subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False))
    if done.returncode:
        sys.exit(f"{folder}: {done.stdout[-2000:]}{done.stderr}")
    table = (folder / "log.txt").read_text(encoding="ascii").split("v_above")[-1].split("Loop time")[0]
    found = numpy.array([line.split() for line in table.splitlines() if len(line.split()) == 3 and line.split()[0].isdigit()], dtype=float)
    return {"who": f"LAMMPS, k = {stiffness:g} N/m", "step_s": step, "cpu_s": spent, "rate": rate(found[:, 1], grains - found[:, 2], grains),
            "overlap": overlap_of(folder / "places.txt")}


def run(runner, setting):
    there = shutil.which("lmp")
    if not there:
        print("soft_spheres: no soft spheres, as LAMMPS is not installed (apt install lammps)", file=sys.stderr)
    grains, seconds = GRAINS[setting], SECONDS[setting]
    runner.out.mkdir(parents=True, exist_ok=True)
    mesh = runner.out / "cone.obj"
    surfaces.write(mesh, "A cone", surfaces.between([surfaces.circle(OUTLET + SLOPE * z, z, 64) for z in (0, TOP)], closed=True))
    base = experiment.scene(SCENE)
    base["bodies"][1]["shape"]["file"] = str(mesh.resolve())
    base["generators"][0]["count"] = grains
    filled = runner.run("fill", base)
    places = experiment.positions(filled)[-grains:]
    tries = []
    for _ in range(REPEATS[setting]):  # in turns, so that other load on the machine affects all alike
        tries += [rigid(runner, base, filled, step, grains, seconds) for step in STEPS[setting]]
        tries += [soft(runner, places, stiffness, grains, seconds) for stiffness in STIFFNESS[setting] if there]
    lines = []
    for who in dict.fromkeys(line["who"] for line in tries):
        same = [line for line in tries if line["who"] == who]
        spent = [line["cpu_s"] for line in same]
        lines.append({**same[0], "cpu_s": float(numpy.median(spent)), "least_s": min(spent), "most_s": max(spent)})
    return lines


def result(lines):
    """Ratios of soft spheres to rigid ones with steps of 2 ms: processor time, steps, rate; and the overlaps."""
    ours = next(line for line in lines if line["who"] == "scree, 2 ms")
    theirs = [line for line in lines if line["who"].startswith("LAMMPS")]
    return {"grains a second": ours["rate"], "time": [line["cpu_s"] / ours["cpu_s"] for line in theirs], "steps": [ours["step_s"] / line["step_s"] for line in theirs],
            "rate": [line["rate"] / ours["rate"] for line in theirs], "overlap": [line["overlap"] for line in theirs]}


def draw(axes, lines):
    for who, mark in (("scree", "ko"), ("LAMMPS", "C3s")):
        ours = [line for line in lines if line["who"].startswith(who)]
        axes.semilogx([line["cpu_s"] for line in ours], [line["rate"] for line in ours], mark, label=who)
        for line in ours:
            axes.annotate(line["who"].split(", ")[1], (line["cpu_s"], line["rate"]), xytext=(0, 8), textcoords="offset points", fontsize=7, rotation=90, ha="center")
    axes.set(xlabel="processor seconds", ylabel="grains a second", ylim=(0, 1.6 * max(line["rate"] for line in lines)))
