"""Sections of the pages that bench/figures writes: what each measures, and how its result becomes a table."""

import csv
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import typing


class Skipped(Exception):
    """A section cannot be measured on this machine; the text is the reason."""


class Failed(Exception):
    """A command of a section failed; the text is its output."""


class Context:
    """The means of a section: paths, options, commands, and the pictures that it leaves."""

    def __init__(self, root, build, folder, results, options):
        self.root, self.build, self.folder, self.results = root, build, folder, results
        self.quick, self.full, self.also = options.quick, options.all, options.also
        self.pictures = []

    def pick(self, quick, usual):
        return quick if self.quick else usual

    def run(self, *command, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.root, capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        if done.returncode:
            raise Failed(f"{' '.join(map(str, command))}: exit status {done.returncode}:\n{done.stderr.strip()}")
        skipped = re.search(r"skipped: (.*)", done.stdout)
        if skipped:
            raise Skipped(skipped[1].strip())
        return done.stdout

    def scree_bench(self, name, *words, **environment):
        """Returns the result of `scree bench` as JSON."""
        path = self.folder / f"{name}.json"
        self.run(self.build / "scree", "bench", *words, "--json", path, **environment)
        return json.loads(path.read_text(encoding="utf-8"))

    def keep(self, picture):
        """Moves a picture to the results, if it was drawn."""
        if pathlib.Path(picture).exists():
            shutil.move(picture, self.results / pathlib.Path(picture).name)
            self.pictures.append(pathlib.Path(picture).name)

    def lanes(self):
        """Lists the widths of at least 8 lanes that this processor has, the widest first, or the only one (host/base/width.c)."""
        flags = set(re.search(r"^(?:flags|Features)\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
        most = int(os.environ.get("SCREE_WIDTH") or 16)
        there = [16] * ({"avx512f", "avx512dq"} <= flags) + [8] * ("avx2" in flags)
        return [width for width in there if width <= most] or [4 if most >= 4 else 1]


def table(heads, rows):
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *(f"| {' | '.join(map(str, row))} |" for row in rows)]


def table_of(text):
    """Returns the lines of text from the first table on."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("|")), 0)
    return [line.rstrip() for line in lines[first:]]


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


# --- performance ------------------------------------------------------------------------------------------------------------


def stand(m):
    if "stands" not in m:
        return ""
    return f"drift {1e3 * m['drift_m']:.3f} mm" if m["stands"] else f"falls at {m['falls_at_s']:.1f} s"


def step_rows(result, lanes):
    for m in result["measurements"]:
        ms, solver = m["ms_per_step"], m["solver"]
        yield (m["scene"], lanes, m["contacts"], f"{solver['iterations_median']:.0f}", number(ms["total"]), number(ms["solve"]),
               f"{solver['residual_median']:.1e}", f"{1e3 * m['penetration_rms_m']:.4f}, {1e3 * m['penetration_max_m']:.3f}", stand(m))


def cost_cells(rate):
    for start in ("cold", "warm"):
        for cost in rate[start]:
            yield f"{cost['iterations']}, {number(1e3 * cost['seconds'])}" if cost["reached"] else "–"


def rate_rows(result, lanes):
    for m in result["measurements"]:
        if "rate" in m:
            r = m["rate"]
            yield (m["scene"], lanes, r["contacts"], f"{1e-6 * r['updates_per_second']:.1f}", f"{r['bytes_per_update']:.0f}",
                   f"{r['share_of_bandwidth']:.2f}", *cost_cells(r))


def headline(result):
    """Returns the sentence with the one number of a machine, if spheres100000 was measured."""
    for m in result["measurements"]:
        if m["scene"] != "spheres100000" or "rate" not in m:
            continue
        cost = m["rate"]["cold"][1]
        if cost["reached"]:
            rate = 1e-6 * m["rate"]["contacts"] * cost["iterations"] / cost["seconds"]
            return [f"100 000 spheres to a residual of {cost['residual']:g}: {rate:.1f} million contact updates a second, {cost['seconds']:.3f} s.", ""]
    return []


def measure_steps(context):
    steps, rates, heads = [], [], []
    for lanes in context.lanes():
        result = context.scree_bench(f"lanes{lanes}", "--backend", "native", *context.pick(["--quick"], []), SCREE_WIDTH=str(lanes))
        heads = heads or [f"Triad {1e-9 * result['machine']['triad_bytes_per_second']:.1f} GB/s; {result['compiler']}, {result['build']} build.", "", *headline(result)]
        steps += step_rows(result, lanes)
        rates += rate_rows(result, lanes)
    return heads + table(("scene", "lanes", "contacts", "iterations", "ms a step", "of it solve", "scaled residual", "RMS, largest overlap, mm", ""), steps) + [
        "", "The solver alone, on the step after the timed ones:", ""] + table(
        ("scene", "lanes", "contacts", "million updates/s", "bytes/update", "share of the triad", "cold: iterations, ms to 1e-2", "1e-3", "1e-4", "warm: 1e-2", "1e-3", "1e-4"), rates)


def measure_backends(context):
    result = {"measurements": []}
    for backend in ("native", "opencl"):
        result["measurements"] += context.scree_bench(backend, "--backend", backend, "--repeats", "1", *context.pick(["D10"], ["A1000", "A8000", "B1000", "C20"]))["measurements"]
    return table(("scene", "backend", "contacts", "iterations", "ms a step", "of it solve", "scaled residual"), (
        (m["scene"], m["backend"].split(",")[0], m["contacts"], f"{m['solver']['iterations_median']:.0f}", number(m["ms_per_step"]["total"]),
         number(m["ms_per_step"]["solve"]), f"{m['solver']['residual_median']:.1e}") for m in sorted(result["measurements"], key=lambda m: m["scene"])))


def measure_presets(context):
    stacks, piles = context.pick((["D10"], []), (["D10", "D100", "D1000", "C20", "C30"], ["A1000", "A8000", "B1000"]))
    cells = {}
    for preset in ("fast", "balanced", "accurate"):
        scenes = stacks + (piles if preset != "accurate" else [])
        for m in context.scree_bench(preset, *scenes, "--backend", "native", "--preset", preset, "--repeats", "1")["measurements"]:
            cells[m["scene"], preset] = f"{m['solver']['iterations_median']:.0f}, {number(m['ms_per_step']['total'])} ms, {stand(m) or format(m['solver']['residual_median'], '.1e')}"
    return table(("scene", "`fast`", "`balanced`", "`accurate`"),
                 ((scene, *(cells.get((scene, preset), "") for preset in ("fast", "balanced", "accurate"))) for scene in stacks + piles))


def measure_race(context):
    words = [word for pair in context.also for word in ("--also", pair)]
    text = context.run("bench/peers/race", *context.pick(["D10"], ["A1000", "A8000", "B1000", "B8000", "C20"]), "--repeats", context.pick("1", "5"), *words)
    return table_of(text)


def measure_growth(context):
    result = context.scree_bench("growth", "--full", "--backend", "native")
    context.run("bench/growth", context.folder / "growth.json", context.folder / "growth.png")
    context.keep(context.folder / "growth.png")
    return table(("spheres", "contacts", "iterations", "ms a step", "µs a body", "scaled residual"), (
        (m["dynamic_bodies"], m["contacts"], f"{m['solver']['iterations_median']:.0f}", number(m["ms_per_step"]["total"]),
         number(1e3 * m["ms_per_step"]["total"] / m["dynamic_bodies"]), f"{m['solver']['residual_median']:.1e}") for m in result["growth"]))


def peak(context, scene, steps):
    """Runs a scene and returns its peak of resident memory in bytes, its bodies and the most contacts of a row."""
    out = context.folder / scene
    command = [context.build / "scree", "run", context.root / f"bench/scenes/{scene}.json", "--steps", steps, "--every", "0", "--no-pictures", "--quiet", "--plain",
               "--backend", "native", "--out", out]
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise Failed(f"{' '.join(map(str, command))}: exit status {os.waitstatus_to_exitcode(status)}")
    with open(out / "measurements.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return 1024 * usage.ru_maxrss, max(int(row["bodies"]) for row in rows), max(int(row["contacts"]) for row in rows)


def measure_memory(context):
    rows = []
    for scene, steps in context.pick((("A1000", "20"),), (("A1000", "60"), ("A8000", "60"), ("beads", "100"), ("spheres100000", "20"))):
        size, bodies, contacts = peak(context, scene, steps)
        rows.append((scene, steps, bodies, contacts, f"{1e-6 * size:.0f}", f"{1e-3 * size / bodies:.2f}"))
    return table(("scene", "steps", "bodies", "most contacts", "peak resident memory, MB", "kB a body"), rows)


def measure_convergence(context):
    context.run("bench/convergence", "--out", context.folder, *context.pick(["--problems", "D10", "--repeats", "1", "--limit", "1"], ["--repeats", "3", "--limit", "4"]))
    context.keep(context.folder / "convergence.png")
    return table_of((context.folder / "convergence.md").read_text(encoding="utf-8"))


def measure_budget(context):
    context.run("bench/budget", "--out", context.folder, *context.pick(["--scenes", "stack10", "--limit", "0.2"], []))
    context.keep(context.folder / "budget.png")
    return table_of((context.folder / "budget.md").read_text(encoding="utf-8"))


def measure_joints(context):
    return table_of(context.run("bench/factor", *context.pick(["hanging"], [])))


def problem_files(context):
    """Lists the FCLIB problems in tests/data/problems and, if there are any, in SCREE_FCLIB_DIR, the local form of each."""
    found = sorted((context.root / "tests/data/problems").glob("*.hdf5"))
    other = os.environ.get("SCREE_FCLIB_DIR")
    found += sorted(pathlib.Path(other).glob("*.hdf5")) if other else []
    found = [path for path in found if not path.name.endswith(".ref.hdf5") and not path.with_suffix(".local.hdf5").exists()]
    return found[:1] if context.quick else found


def measure_siconos(context):
    context.run("bench/comparison", "--out", context.folder, "--repeats", context.pick("1", "3"), "--limit", "2",
                *context.pick(["--solvers", "NSGS,host"], []), *problem_files(context))
    return table_of((context.folder / "comparison.md").read_text(encoding="utf-8"))


# --- accuracy ---------------------------------------------------------------------------------------------------------------


def measure_laws(context):
    text = context.run("bench/laws", context.folder / "laws.png")
    context.keep(context.folder / "laws.png")
    return table_of(text)


SOLVERS = {"`host`, 1e-8": ("host", "double", "1e-8"), "`native` in double, 1e-8": ("native", "double", "1e-8"), "`native` in float, 1e-4": ("native", "float", "1e-4")}


def iterations(context, path, backend, precision, tolerance):
    """Returns the iterations that `scree solve` needs from zero, or the error that it ends with."""
    command = [context.build / "scree", "solve", path, "--backend", backend, "--measure", "siconos", "--tolerance", tolerance, "--start", "zero", "--max-iterations", "20000"]
    command += ["--precision", precision] if backend != "host" else []
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    found = re.search(r"^iterations\s+(\d+)(?: \((\d+) sweeps)?", done.stdout, re.MULTILINE)
    error = re.search(r"siconos\s+([0-9.e+-]+)", done.stdout)
    if not found or done.returncode not in (0, 1):
        return "–"
    return (found[2] or found[1]) + ("" if done.returncode == 0 else f", error {error[1] if error else '?'}")


def measure_problems(context):
    return table(("problem", *SOLVERS), ((path.name.split(".")[0], *(iterations(context, path, *words) for words in SOLVERS.values())) for path in problem_files(context)))


def measure_mechanisms(context):
    return table_of(context.run("bench/mechanisms"))


def measure_hanging(context):
    return table_of(context.run("bench/hanging", *context.pick(["500"], [])))


# --- experiments ------------------------------------------------------------------------------------------------------------

EXPERIMENTS = ("discharge", "floor_pressure", "collapse", "frictions", "packing", "tray", "shear", "simple_shear", "masonry", "drum", "heap", "conveyor", "hourglass", "soft_spheres", "convergence")


def experiment(name):
    def measure(context):
        words = [] if context.full else ["--small"]
        text = context.run("bench/experiments/run", name, "--out", context.folder, *words)
        for picture in (f"{name}.png", f"{name}_pictures.png"):
            context.keep(context.folder / picture)
        lines = [line for line in text.splitlines() if line]
        law = lines[0].partition(": ")[2]
        rows = [line for line in lines if line.startswith("|")]
        return [f"Published: {law}.", "", *rows, "", *(f"- {line}" for line in lines[1:] if not line.startswith("|"))]

    return measure


@dataclasses.dataclass(frozen=True)
class Section:
    page: str
    title: str
    text: str
    duration: str
    measure: typing.Callable
    long: bool = False


PAGES = {
    "performance": ("Performance", "Times are wall times of an idle machine unless a section says otherwise; compare ratios, since machines are noisy."),
    "accuracy": ("Accuracy", "[tests/README.md](../tests/README.md#physics) lists the closed forms that the tests hold the library to."),
    "experiments": ("Experiments", "[bench/experiments/README.md](experiments/README.md) describes them. The usual setting has few grains (seconds each); `--all` runs the full one."),
}

SECTIONS = {
    "steps": Section("performance", "Time of a step", "`scree bench`: preset of the scene, `native`, all processors; medians over the timed steps, then of three repeats. Overlap is that of the "
                     "positions at the end, over all overlapping pairs. An update is one contact in one sweep; [bytes an update](../host/solve/sweep_bytes.h) counts each array once.", "3 minutes", measure_steps),
    "backends": Section("performance", "OpenCL on a processor", "Spheres and cubes by `native` and by the preferred OpenCL device.", "2 minutes", measure_backends),
    "presets": Section("performance", "Presets", "Median iterations of a step, its time, and the drift of a stack or the scaled residual of a pile. C30 and D1000 need `accurate`.", "3 minutes", measure_presets),
    "race": Section("performance", "Other engines", "`bench/peers/race`: the same scenes in turns, two threads where the engine has them; medians (least … most). An engine that is not installed is left out; "
                    "`--also NAME=PROGRAM` adds one, such as a harness for Jolt.", "10 minutes", measure_race),
    "growth": Section("performance", "From 1000 bodies to a million", "Spheres on a lattice, 1.5 mm apart, that fall and settle in a box: the last 10 of 40 steps.", "10 minutes, 2 GB", measure_growth, long=True),
    "memory": Section("performance", "Memory", "Peak resident memory of `scree run`, without frames and pictures.", "1 minute", measure_memory),
    "convergence": Section("performance", "Residual against time", "`bench/convergence`: every method from zero on one thread, on the step after a scene has come to rest; seconds to a scaled residual, "
                           "and the speed-up over `pgs` on the same backend.", "10 minutes", measure_convergence),
    "budget": Section("performance", "Error against cost", "`bench/budget`: scenes that must stay at rest for 5 s at 60 steps a second, one thread. Least processor time of a step at which no body moves "
                      "farther than 0.1 and 0.01 of a side, with n and the scaled residual; for presets time and distance.", "10 minutes", measure_budget),
    "joints": Section("performance", "Joints solved directly", "`bench/factor`: iterations of a step, time of its solves, residual and largest joint error, by sweeps and along trees (`direct_joints`); "
                      "then the last problem from zero to 1e-6, and with its joints eliminated by a sparse factor.", "5 minutes", measure_joints),
    "siconos": Section("performance", "Siconos", "`bench/comparison`: FCLIB problems from zero to 1e-8 in Siconos's measure, one thread each, at most 2 s a run. `SCREE_FCLIB_DIR` adds a folder of public problems.", "10 minutes", measure_siconos),
    "laws": Section("accuracy", "Friction laws", "`bench/laws`: random sliding bodies under each law.", "10 s", measure_laws),
    "problems": Section("accuracy", "FCLIB problems", "Sweeps over all contacts from zero, `accelerated-pgs`, to an error in Siconos's measure; the kernels test every 10 iterations.", "1 minute", measure_problems),
    "mechanisms": Section("accuracy", "Joints against ODE", "`bench/mechanisms`: three mechanisms from the same start with the same time step in scree (`accurate`) and in the Open Dynamics Engine (`dWorldStep`). "
                          "Both are of first order, and most of their error is the same one.", "1 minute", measure_mechanisms),
    "hanging": Section("accuracy", "A heavy load on light links", "`bench/hanging`: 50 000 kg on ten links of 1 kg, 0.2 m each, at 5000 steps a second: the largest error of a joint within 0.1 s, in per cent of a link. "
                       "Far from convergence the digits depend on details such as the order of bodies.", "3 minutes", measure_hanging),
    **{f"experiment-{name}": Section("experiments", name.replace("_", " ").capitalize(), "", "a minute; with `--all` up to 20 minutes", experiment(name)) for name in EXPERIMENTS},
}
