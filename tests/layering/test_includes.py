#!/usr/bin/python3
"""The house is a stack: a folder of host/ includes itself, folders below it, kernels/ and the public headers; programs and
scenes use the public interface and base/ only; and no files include each other in a circle."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))

# From the bottom up.
STACK = [["host/base"], ["host/geometry"], ["host/model"], ["host/state"], ["host/detect"], ["host/rows"], ["host/solve"], ["host/device"],
         ["host/device/native", "host/device/opencl"], ["host/oracle"], ["host/problem"], ["host/step"], ["host/api"],
         ["host/measure"], ["host/io"], ["host/fclib"], ["host/render"], ["host/scene"], ["host/benchmark"], ["host/cli"]]
HEIGHT = {folder: level for level, folders in enumerate(STACK) for folder in folders}
# The tools use the public headers, base/ and what stands here.
USERS = {"host/measure": {"host/base"}, "host/io": {"host/base"}, "host/fclib": {"host/base", "host/io"}, "host/render": {"host/base", "host/io"},
         "host/scene": {"host/base"}, "host/benchmark": {"host/base"}, "host/cli": {"host/base", "host/benchmark"},
         "bench": {"host/base", "host/cli", "host/benchmark"}}
# Arrows against the order: (file, what it includes). The list may only get shorter.
EXCEPTIONS = {
    ("bench/curves.c", "host/step/world.h"),  # solves one step's problem repeatedly, which has no public call
    ("bench/curves.c", "host/solve/executor.h"),
    ("host/fclib/fclib.h", "host/problem/contact_problem.h"),
    ("host/io/checkpoint_state.c", "host/detect/shape.h"),
    ("host/io/checkpoint_state.c", "host/step/joint.h"),
    ("host/io/checkpoint_state.c", "host/step/periodic_wrap.h"),
    ("host/io/checkpoint_state.h", "host/step/world.h"),
    ("host/io/frame.c", "host/rows/joint_geometry.h"),
    ("host/io/frame.c", "host/step/world.h"),
    ("host/io/frame_file.c", "host/detect/bounds.h"),
    ("host/io/frame_file.c", "host/detect/shape.h"),
    ("host/io/geometry_table.h", "host/geometry/geometry.h"),
    ("host/measure/grid.c", "host/detect/bounds.h"),
    ("host/measure/measure_surface.c", "host/detect/compound_children.h"),
    ("host/measure/measurement.c", "host/model/zone.h"),
    ("host/measure/measurement.h", "host/rows/contact_work.h"),
    ("host/measure/zone_frame.c", "host/detect/bounds.h"),
    ("host/measure/zone_frame.h", "host/detect/cut_volume.h"),
    ("host/measure/zone_frame.h", "host/model/period.h"),
    ("host/measure/zone_images.c", "host/detect/shape.h"),
    ("host/measure/zone_images.h", "host/detect/bounds.h"),
    ("host/model/joints.h", "host/state/bodies.h"),
    ("host/model/kinematic_groups.h", "host/state/bodies.h"),
    ("host/problem/problem_dump.c", "host/step/world.h"),
    ("host/render/camera.c", "host/detect/bounds.h"),
    ("host/render/camera.c", "host/detect/shape.h"),
    ("host/render/snapshot_cut.c", "host/detect/bounds.h"),
    ("host/render/snapshot_cut.h", "host/detect/compound_children.h"),
    ("host/render/snapshot_draw.c", "host/device/opencl/opencl_layout.h"),
    ("host/render/snapshot_scene.c", "host/detect/compound_children.h"),
    ("host/render/snapshot_scene.h", "host/detect/tree.h"),
    ("host/state/hash.c", "host/step/world.h"),
    ("host/step/flow.c", "host/measure/zone_images.h"),
    ("host/step/measurements.c", "host/measure/zone_images.h"),
    ("host/step/measurements.h", "host/measure/measurement.h"),
    ("host/step/step.c", "host/api/kinematic_group.h"),
}
# Where `#include "…"` looks, after the file's own folder, as in CMakeLists.txt.
SEARCHED = ["include", "kernels", "host"]
# Made by the build.
GENERATED = {"commit.h"}

failures = 0


def check(name, wrong):
    global failures
    failures += bool(wrong)
    print("not ok" if wrong else "ok", "-", name)
    for line in sorted(wrong):
        print("#  ", line)


def find(path, name):
    """The repository's file that an #include means, or None for the system's."""
    for folder in [path.parent, *(ROOT / place for place in SEARCHED)]:
        if (folder / name).is_file():
            return (folder / name).resolve().relative_to(ROOT)
    return None


def includes():
    """Every file of the house with the files of the repository that it includes."""
    found, unknown = {}, []
    for place in ("host", "kernels", "include", "bench"):
        for path in sorted((ROOT / place).rglob("*.[chl]*")):
            if path.suffix not in (".c", ".h", ".cl"):
                continue
            found[path.relative_to(ROOT)] = []
            for quote, name in re.findall(r'^\s*#\s*include\s+(["<])([^">]+)[">]', path.read_text(), re.M):
                file = find(path, name)
                if file:
                    found[path.relative_to(ROOT)].append(file)
                elif quote == '"' and name not in GENERATED:
                    unknown.append(f'{path.relative_to(ROOT)}: "{name}" is not there')
    return found, unknown


def folder_of(file):
    """The level that a file belongs to: the longest folder of the stack that holds it, else its first folder."""
    held = [folder for folder in HEIGHT if str(file).startswith(folder + "/")]
    return max(held, key=len) if held else file.parts[0]


def wrong_arrow(source, target):
    one, other = folder_of(source), folder_of(target)
    if one == other or other in ("kernels", "include"):
        return one == "include" and other == "kernels"
    if one in ("kernels", "include"):
        return True
    if one in USERS:
        return other not in USERS[one]
    return other not in HEIGHT or HEIGHT[other] >= HEIGHT[one]


def circles(graph):
    """Each strongly connected set of more than one file, or a file that includes itself (Tarjan 1972)."""
    number, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        on_stack.add(file)
        for other in graph.get(file, ()):
            if other not in number:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in on_stack:
                low[file] = min(low[file], number[other])
        if low[file] == number[file]:
            members = []
            while not members or members[-1] != file:
                members.append(stack.pop())
                on_stack.discard(members[-1])
            if len(members) > 1 or file in graph.get(file, ()):
                found.append(" <-> ".join(sorted(map(str, members))))

    sys.setrecursionlimit(10000)
    for file in graph:
        if file not in number:
            visit(file)
    return found


graph, unknown = includes()
check("every file that is included in quotes is there", unknown)
homeless = [str(file) for file in graph if file.parts[0] == "host" and folder_of(file) not in HEIGHT]
check("every folder of host/ has its place in the stack", homeless)
missing = [folder for folder in HEIGHT if not (ROOT / folder).is_dir()]
check("every folder of the stack is there", missing)
arrows = {(str(source), str(target)) for source, targets in graph.items() for target in targets if wrong_arrow(source, target)}
check("no include runs up", [f"{source} includes {target}" for source, target in arrows - EXCEPTIONS])
check("every exception is still one", [f"{source} no longer includes {target}" for source, target in EXCEPTIONS - arrows])
check("no files include each other in a circle", circles(graph))
check("the graph was read", [] if len(graph) > 150 and sum(map(len, graph.values())) > 400 else [f"{len(graph)} files"])
sys.exit(failures > 0)
