#!/usr/bin/python3
"""Writes a page for each object of a scene: its keys from the JSON Schema of scenes, and examples from the scenes that exist.

Usage: scene_pages.py SCREE FOLDER"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "host/package"))
import scene_tables  # noqa: E402

GUIDE = ROOT / "host/scene/README.md"
EXAMPLES_MAX = 900  # characters; a longer object is cut to its own keys


def references(rule):
    """Yields the names of the objects that a rule refers to."""
    if isinstance(rule, dict):
        if "$ref" in rule:
            yield scene_tables.name_of(rule)
        for value in rule.values():
            yield from references(value)
    elif isinstance(rule, list):
        for value in rule:
            yield from references(value)


def own_references(schema):
    """The objects of a scene that its stages do not change, with the objects that each refers to."""
    wanted = {name for name in schema["$defs"] if not name.startswith("changes-of-")}
    found = {name: set(references(schema["$defs"][name])) & wanted - {name} for name in wanted}
    found["scene"] = set(references(schema["properties"])) & wanted
    return found


def fits(instance, rule):
    """Whether a form of an object is that of an instance: type and kind agree."""
    if rule.get("type") == "object":
        kind = rule["properties"].get("kind", {}).get("const") if "properties" in rule else None
        return isinstance(instance, dict) and (kind is None or kind == instance.get("kind"))
    types = {"array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool, "null": type(None)}
    return "type" not in rule or isinstance(instance, types[rule["type"]])


def walk(instance, rule, schema, found):
    """Adds the objects of an instance to `found`: name -> list of (kind, object)."""
    if "$ref" in rule:
        name = scene_tables.name_of(rule)
        if isinstance(instance, dict):
            found.setdefault(name, []).append((instance.get("kind"), instance))
        rule = schema["$defs"][name]
    for form in rule.get("anyOf", [rule]):
        if not fits(instance, form):
            continue
        if "$ref" in form:
            walk(instance, form, schema, found)
        elif isinstance(instance, dict):
            for key, value in instance.items():
                walk(value, form.get("properties", {}).get(key, form.get("additionalProperties") or {}), schema, found)
        elif isinstance(instance, list):
            for value in instance:
                walk(value, form.get("items", {}), schema, found)


def scenes():
    """Yields name and content of the scenes of the repository and of the guide's examples."""
    for path in sorted((ROOT / "bench/scenes").glob("*.json")):
        yield f"bench/scenes/{path.name}", json.loads(path.read_text())
    for text in re.findall(r"^```json\n(.*?)^```", GUIDE.read_text(), flags=re.M | re.S):
        yield "host/scene/README.md", json.loads(text)
    for path in sorted((ROOT / "host/docs/scenes").glob("*.json")):
        yield f"host/docs/scenes/{path.name}", json.loads(path.read_text())


def laid_out(value, indent=""):
    """JSON with an entry a line where it does not fit one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) < 100 or not isinstance(value, (dict, list)):
        return flat
    inner = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + laid_out(each, inner) for each in value) + f"\n{indent}]"
    rows = (f"{inner}{json.dumps(key, ensure_ascii=False)}: {laid_out(each, inner)}" for key, each in value.items())
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def examples(schema):
    """The example of each kind of each object: the one with most keys that is short, and the scene that it is of."""
    best = {}
    for source, scene in scenes():
        found = {}
        walk(scene, {key: schema[key] for key in ("type", "properties")}, schema, found)
        found["scene"] = [(None, scene)]
        for name, instances in found.items():
            for kind, instance in instances:
                size = len(laid_out(instance))
                rank = (size > EXAMPLES_MAX, -len(instance) if size <= EXAMPLES_MAX else size, size)
                if (name, kind) not in best or rank < best[name, kind][0]:
                    best[name, kind] = (rank, source, instance)
    return best


def kinds_of(name, schema):
    """The kinds of an object; empty if it has one form."""
    forms = schema["$defs"].get(name, {}).get("anyOf", [])
    return {form["properties"]["kind"]["const"] for form in forms if "const" in form.get("properties", {}).get("kind", {})}


def guide_heading(name):
    """The anchor of the guide's section that has the table of an object."""
    before = GUIDE.read_text().partition(f"<!-- keys of {name} -->")[0]
    heading = re.findall(r"^#+ +(.*)$", before, flags=re.M)[-1]
    return heading, re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(names):
    return ", ".join(f"[{name}]({name}.md)" for name in sorted(names))


def page(name, schema, refers, best):
    heading, anchor = guide_heading(name)
    users = {user for user, used in refers.items() if name in used}
    lines = [f"# {name}", ""]
    lines += [f"Used by {links(users)}." if users else "The whole file.", ""]
    lines += [f"Objects in it: {links(refers[name])}." if refers[name] else "It has no objects of its own.", ""]
    lines += [f"The guide explains it under [{heading}](/host/scene/README.md#{anchor}).", ""]
    lines += ["## Keys", "", *scene_tables.table_of(schema, name), ""]
    if name == "solver":
        lines += ["### Keys of a stabilisation", "", *scene_tables.table_of(schema, "stabilisations"), ""]
    own = sorted((str(kind or ""), source, instance) for (each, kind), (_, source, instance) in best.items() if each == name)
    for kind in kinds_of(name, schema) - {kind for kind, _, _ in own} or ({""} if not own else ()):
        raise SystemExit(f"scene_pages.py: no scene has an example of {name} {kind}; add one to host/docs/scenes")
    lines += ["## Example" if len(own) == 1 else "## Examples", ""]
    for kind, source, instance in own:
        lines += [f"`{source}`" + (f", kind `{kind}`:" if kind else ":"), "", "```json", laid_out(instance), "```", ""]
    return "\n".join(lines)


def index(refers):
    names = sorted(refers, key=lambda name: (name != "scene", name))
    return "\n".join(["# Keys of a scene", "", "A page for each object of a [scene](/host/scene/README.md), from the tables by which the reader works. "
                      "`scree schema` prints the same as a JSON Schema.", "", "```{toctree}", *names, "```", ""])


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)
    refers, best = own_references(schema), examples(schema)
    folder.mkdir(parents=True, exist_ok=True)
    for name in refers:
        (folder / f"{name}.md").write_text(page(name, schema, refers, best))
    (folder / "index.md").write_text(index(refers))


if __name__ == "__main__":
    main()
