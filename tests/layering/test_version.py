#!/usr/bin/python3
"""The version is the same in CMakeLists.txt, scree/core.h, the man page and CHANGELOG.md, and the newest section's renames exist.

A heading is "## VERSION (unreleased)" or "## VERSION - DATE". The right columns of a section's tables name public
identifiers and headers between backquotes."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
number = failures = 0


def check(name, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("" if good else f"\n#   {detail}"))


def version_in(path, pattern):
    found = re.search(pattern, (ROOT / path).read_text(), re.MULTILINE)
    return found[1] if found else None


def renamed(section):
    """Yields the names between backquotes in the last cell of each table row."""
    for cell in re.findall(r"^\|.*\|([^|]*)\|$", section, re.MULTILINE):
        yield from re.findall(r"`((?:scree|SCREE)[\w./]*)`", cell)


version = version_in("CMakeLists.txt", r"^project\(scree VERSION ([0-9.]+)")
check("CMakeLists.txt has a version", version)
for path, pattern in (("host/cli/scree.1", r'^\.TH .*"scree ([0-9.]+)"'), ("CHANGELOG.md", r"^## ([0-9.]+) (?:\(unreleased\)|- \d{4}-\d\d-\d\d)$")):
    there = version_in(path, pattern)
    check(f"{path} has the version of CMakeLists.txt", there == version, f"{there}; expected {version}")

parts = [version_in("include/scree/core.h", rf"^#define SCREE_VERSION_{part} (\d+)$") for part in ("MAJOR", "MINOR", "PATCH")]
check("include/scree/core.h has the version of CMakeLists.txt", None not in parts and ".".join(parts) == version, f"{parts}; expected {version}")

newest = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1]
headers = {str(path.relative_to(ROOT / "include")): path.read_text() for path in (ROOT / "include/scree").rglob("*.h")}
known = set(headers) | set(re.findall(r"\w+", "\n".join(headers.values())))
missing = [name for name in renamed(newest) if name not in known and name.split(".")[0] not in known]
check("every new name of the newest section is public", not missing, ", ".join(missing))
print(f"1..{number}")
sys.exit(failures > 0)
