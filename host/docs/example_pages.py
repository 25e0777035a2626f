#!/usr/bin/python3
"""Runs the examples of the Python package and writes their page: picture, table with published values, and program of each.

Usage: example_pages.py PACKAGE_FOLDER OUTPUT_FOLDER [--small]

Results are kept in build/docs/examples until an example or its setting changes; --small takes seconds instead of minutes."""

import hashlib
import importlib.util
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ROOT / "host/python/scree/examples"
KEPT = ROOT / "build/docs/examples"
HEAD = ["# Examples in Python", "", "Each is a program of less than 60 lines that compares its result with a published or analytic value.", ""]


def results(package, name, options):
    """Returns the folder with picture and printed table of an example."""
    programs = (PROGRAMS / f"{name}.py").read_bytes() + (PROGRAMS / "__main__.py").read_bytes()
    key = hashlib.sha256(programs + repr(options).encode()).hexdigest()[:12]
    kept = KEPT / f"{name}-{key}"
    if not (kept / "printed").exists():
        command = [sys.executable, "-m", "scree.examples", name, "--out", kept, *options]
        printed = subprocess.run(command, cwd=package, check=True, capture_output=True, text=True).stdout
        (kept / "printed").write_text(printed)
    return kept


def entry(name, kept, options):
    title, *table = (kept / "printed").read_text().splitlines()
    rows = [line for line in table if line.startswith("  ")]
    command = " ".join(["python -m scree.examples", name, *options])
    return [f"## {name}", "", title.partition(": ")[2], "", f"![{name}]({name}.png)", "", "```console", f"$ {command}", *rows, "```", "",
            f"```{{literalinclude}} /host/python/scree/examples/{name}.py", ":language: python", "```", ""]


def main():
    package, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    sys.path.insert(0, package)
    folder.mkdir(parents=True, exist_ok=True)
    lines = list(HEAD)
    names = importlib.import_module("scree.examples").NAMES if importlib.util.find_spec("scree.examples") else ()
    for name in names:
        kept = results(package, name, options)
        shutil.copyfile(kept / f"example_{name}.png", folder / f"{name}.png")
        lines += entry(name, kept, options)
    (folder / "index.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
