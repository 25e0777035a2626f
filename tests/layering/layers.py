"""The order of the folders of host/, and the checks that the tests of this folder share."""

import os
import pathlib
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))

# From the bottom up.
STACK = [["host/base"], ["host/geometry"], ["host/model"], ["host/state"], ["host/detect"], ["host/rows"], ["host/solve"], ["host/device"],
         ["host/device/native", "host/device/opencl"], ["host/oracle"], ["host/problem"], ["host/step"], ["host/api"],
         ["host/measure"], ["host/io"], ["host/fclib"], ["host/render"], ["host/scene"], ["host/view"], ["host/benchmark"], ["host/cli"]]
HEIGHT = {folder: level for level, folders in enumerate(STACK) for folder in folders}
# The tools use the public headers, base/ and what stands here.
USERS = {"host/measure": {"host/base"}, "host/io": {"host/base", "host/measure"}, "host/fclib": {"host/base", "host/io"}, "host/render": {"host/base", "host/io"},
         "host/scene": {"host/base"}, "host/benchmark": {"host/base"}, "host/cli": {"host/base", "host/benchmark", "host/view"},
         "host/view": {"host/base", "host/io", "host/render"},
         "bench": {"host/base", "host/cli", "host/benchmark"}}
# Parts of packages, which stand around the libraries and include none of their files.
APART = ("host/package/", "host/python/")

failures = 0


def check(name, wrong):
    """Prints a line of TAP: the check passes if nothing is wrong."""
    global failures
    failures += bool(wrong)
    print("not ok" if wrong else "ok", "-", name)
    for line in sorted(wrong):
        print("#  ", line)


def finish():
    sys.exit(failures > 0)


def folder_of(file):
    """Returns the level of a file: the longest folder of STACK that contains it, else its first folder."""
    held = [folder for folder in HEIGHT if str(file).startswith(folder + "/")]
    return max(held, key=len) if held else file.parts[0]
