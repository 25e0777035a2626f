#!/usr/bin/python3
"""Calls: an object of host/ uses symbols of its own folder, of folders below it and of base/; the tools and the program use
public names (scree_…) and base/ alone. The order of the folders is in layers.py."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from layers import APART, HEIGHT, ROOT, USERS, check, finish, folder_of

BUILD = pathlib.Path(os.environ.get("SCREE_BUILD_DIR", ROOT / "build/release"))


def objects():
    """Returns the objects of host/ by their source file; compile_commands.json names those of this build."""
    found = {}
    for command in json.loads((BUILD / "compile_commands.json").read_text()):
        source = pathlib.Path(command["file"])
        output = re.search(r" -o (CMakeFiles/scree_\S+)", command["command"])
        if source.is_relative_to(ROOT / "host") and output:
            found[source.relative_to(ROOT)] = BUILD / output[1]
    return found


def symbols(paths):
    """Returns the external symbols that each object defines and those that it uses. One nm reads all: its start takes longer than an object."""
    found = {str(path): (set(), set()) for path in paths}
    for line in subprocess.run(["nm", "-A", "--extern-only", *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        path, _, symbol = line.partition(":")
        *_, kind, name = symbol.split()
        found[path][kind in "Uw"].add(name)
    return found


def wrong_call(user, owner, name):
    one, other = folder_of(user), folder_of(owner)
    if one == other or other == "host/base":
        return False
    if one in USERS:
        return not name.startswith("scree_") and other not in USERS[one]
    return HEIGHT[other] >= HEIGHT[one]


files = objects()
read = symbols(files.values())
# Loaders of host/package/ stand for libraries of others.
table = {file: read[str(path)] for file, path in files.items() if not str(file).startswith(APART)}
owners = collections.defaultdict(list)
for file, (defined, _) in table.items():
    for name in defined:
        owners[name].append(file)
calls = {(str(file), name) for file, (_, used) in table.items() for name in used for owner in owners.get(name, []) if wrong_call(file, owner, name)}
check("no call runs up", [f"{file} uses {name} of {owners[name][0]}" for file, name in calls])
sources = {path.relative_to(ROOT) for path in (ROOT / "host").rglob("*.c")}
sources = {file for file in sources if not str(file).startswith(APART)}
check("every object has its source", [str(file) for file in table if file not in sources])
unread = sources - table.keys() - {file for file in sources if str(file).endswith(("_8.c", "_16.c"))}
check("every source was built", [str(file) for file in unread])
check("the objects were read", [] if len(owners) > 800 else [f"{len(owners)} symbols"])
finish()
