#!/usr/bin/python3
"""Names in the pages for users exist: options of commands, functions of C, members of the Python package, and the words of scree in the tables
of coming_from.md."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SCREE_SOURCE_DIR"])
SCREE = pathlib.Path(os.environ["SCREE_BUILD_DIR"], "scree")
PACKAGE = ROOT / "host/python/scree"
PAGES = [ROOT / "README.md", *sorted((ROOT / "host/docs").glob("**/*.md")), *(ROOT / f"host/{name}/README.md" for name in ("cli", "io", "python", "scene"))]
number = failures = 0


def check(name, wrong):
    """Prints a line of TAP: the check passes if nothing is wrong."""
    global number, failures
    number += 1
    failures += bool(wrong)
    print("not ok" if wrong else "ok", f"{number} - {name}")
    for line in sorted(set(wrong)):
        print("#  ", line)


def printed(*words):
    return subprocess.run([SCREE, *words], capture_output=True, text=True, check=True).stdout


def commands(text):
    """Yields the command lines of scree in code blocks: name of the command, options."""
    for line in re.findall(r"^(?:    |\$ )scree +(.*)$", text, flags=re.M):
        words = line.split("#")[0].split()
        yield words[0], [word for word in words if re.match(r"--[a-z]", word)]


def unknown_options():
    helps = {}
    for page in PAGES:
        for command, options in commands(page.read_text()):
            if command.startswith("-") or not command.isalpha():
                continue
            helps.setdefault(command, set(re.findall(r"--[a-z-]+", printed(command, "--help"))))
            yield from (f"{page.relative_to(ROOT)}: scree {command} {option}" for option in options if option not in helps[command])


def headers():
    return "\n".join(path.read_text() for path in (ROOT / "include").glob("**/*.h"))


def unknown_functions():
    known = set(re.findall(r"\w+", headers()))
    targets = {"scree_static", "scree_tools", "scree_sim", "scree_program", "scree_installed"}  # of CMake, and the distribution's name
    for page in PAGES:
        words = re.findall(r"\b(?:scree|SCREE)_\w+", re.sub(r"\]\([^)]*\)", "", page.read_text()))
        options = set(re.findall(r"\bSCREE_\w+", (ROOT / "CMakeLists.txt").read_text()))
        yield from (f"{page.relative_to(ROOT)}: {word}" for word in words if word not in known | targets | options and not word.endswith("_"))


def members():
    """Returns the names of each class of the Python package, and of the package itself: "" -> names."""
    found = {"": {path.stem for path in PACKAGE.glob("*")}}
    for path in PACKAGE.glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                found[node.name] |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)}
                found[node.name] |= set(re.findall(r"self\.([a-z]\w*)(?:: [^=\n]+)? = ", ast.unparse(node)))
    init = ast.parse((PACKAGE / "__init__.py").read_text()).body
    found[""] |= {alias.name for node in init if isinstance(node, ast.ImportFrom) for alias in node.names} | {"__version__", "plot", "examples"}
    return found


def unknown_members():
    found = members()
    variables = {"world": "World", "record": "Record", "problem": "Problem", "ensemble": "Ensemble"}
    for page in PAGES:
        for owner, name in re.findall(r"(?<![\w./-])(scree|world|record|problem|ensemble|World|Problem|Scene)\.(\w+)\b(?!\.(?:json|h5|csv|png)\b)", page.read_text()):
            if (owner, name) == ("problem", "set_solver"):  # of compas_dem
                continue
            if name in ("json", "h5", "hdf5", "csv", "png", "h", "map", "pc", "cmake", "py", "1", "vtkhdf"):  # a file's name
                continue
            if name not in found["" if owner == "scree" else variables.get(owner, owner)]:
                yield f"{page.relative_to(ROOT)}: {owner}.{name}"


def words_of_scree():
    """Yields the words of scree in the right column of the tables of coming_from.md."""
    for row in re.findall(r"^\|[^|]+\|(.*)\|$", (ROOT / "host/docs/coming_from.md").read_text(), flags=re.M):
        for span in re.findall(r"(?<!\})`([^`]+)`", row):
            for match in re.finditer(r'"([a-z_]+)"|\.([a-z_]+)\b|--([a-z-]+)|\b([a-z_]+)=|^([a-z][a-z_-]+)$', span):
                yield next(word for word in match.groups() if word)


def unknown_words():
    known = set(re.findall(r"\w[\w-]*", json.dumps(json.loads(printed("schema"))) + headers() + printed("run", "--help") + printed("solve", "--help")))
    known |= set().union(*members().values()) | {"stl", "h5", "hdf", "xdmf", "json", "py", "h", "glass"}  # suffixes of files, and a material
    known |= {argument for path in PACKAGE.glob("*.py") for argument in re.findall(r"\b([a-z_]+)[:=]", path.read_text())}
    yield from (word for word in words_of_scree() if word not in known)


check("options of commands exist", list(unknown_options()))
check("functions and constants of C exist", list(unknown_functions()))
check("members of the Python package exist", list(unknown_members()))
check("coming_from.md has many words", [] if len(list(words_of_scree())) > 60 else ["few words were found"])
check("the words of scree in coming_from.md exist", list(unknown_words()))
print(f"1..{number}")
sys.exit(failures > 0)
