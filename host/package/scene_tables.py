#!/usr/bin/python3
"""Writes the tables of keys of a page from the JSON Schema of scenes.

Usage: scene_tables.py SCREE PAGE [--check]

The page has a line `<!-- keys of NAME -->` before each table and `<!-- end -->` after it; NAME is a definition of the schema,
`scene`, or `stabilisations`. With --check the page stays as it is; exit status 1 if it differs from the schema."""

import json
import pathlib
import re
import subprocess
import sys

WORDS = {2: "two", 3: "three", 4: "four"}
PLURALS = {"number": "numbers", "integer": "whole numbers", "string": "strings"}


def number(value):
    """1e-15, 0.5, 1000, 1e6."""
    return re.sub(r"e\+?(-?)0*", r"e\1", f"{value:g}")


def limits(rule):
    low, high = rule.get("minimum"), rule.get("maximum")
    above, below = rule.get("exclusiveMinimum"), rule.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{number(low)} … {number(high)}"
    if above is not None and below is not None:
        return f"between {number(above)} and {number(below)}, limits excluded"
    if low is not None:
        return f"≥ {number(low)}"
    return f"> {number(above)}" if above is not None else ""


def joined(*parts):
    return ", ".join(part for part in parts if part)


def name_of(reference):
    return reference["$ref"].rsplit("/", 1)[1]


def count(rule):
    least, most = rule.get("minItems", 0), rule.get("maxItems")
    if most is None:
        return ""
    return f" ({most})" if least == most else f" ({least} … {number(most)})" if least else f" (at most {number(most)})"


def type_of(rule):
    """The type and the range of a value, in words."""
    if "$ref" in rule:
        return name_of(rule).replace("-", " ")
    if "enum" in rule:
        return ", ".join(f'`"{name}"`' for name in rule["enum"])
    if "anyOf" in rule:
        return " or ".join(type_of(each) for each in rule["anyOf"])
    kind = rule["type"]
    if kind == "boolean":
        return "true, false"
    if kind == "integer":
        return joined("whole", limits(rule))
    if kind == "number":
        return limits(rule) or "number"
    if kind == "string":
        return f"string of {rule['minLength']} … {rule['maxLength']} bytes" if "maxLength" in rule else "string"
    if kind == "object":
        return f"object: name → {type_of(rule['additionalProperties'])}"
    items = rule["items"]
    if rule.get("minItems") == rule.get("maxItems") == 3 and items["type"] == "number":
        return joined("vector", limits(items))
    if rule.get("minItems") == rule.get("maxItems") in WORDS and items["type"] in PLURALS:
        return joined(f"{WORDS[rule['maxItems']]} {PLURALS[items['type']]}", limits(items))
    return f"array{count(rule)} of {type_of(items)}"


def typed(rule):
    unit = rule.get("unit")
    text = type_of(rule)
    return text + (f" {unit}" if unit and re.search(r"[0-9]$", text) else f", {unit}" if unit else "")


def shown(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(shown(each) for each in value) + "]"
    return f'`"{value}"`' if isinstance(value, str) else number(value)


def meaning(rule):
    text = rule["description"]
    if "fallback" in rule:
        text = text.removesuffix("; default: " + rule["fallback"])
    return text.removesuffix("; " + rule["unit"]) if "unit" in rule else text


def cells(key, rule, required):
    usual = "*required*" if required else rule.get("fallback", shown(rule["default"]) if "default" in rule else "")
    return [f"`{key}`", typed(rule), usual, meaning(rule)]


def table(heads, rows):
    lines = [heads, ["---" for _ in heads], *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def keys(rule, wanted=lambda key: True):
    return [cells(key, value, key in rule["required"]) for key, value in rule["properties"].items()
            if key != "description" and "const" not in value and wanted(key)]


HEADS = ["key", "type, range", "default", "meaning"]


def table_of_kinds(kinds):
    """A table of the kinds, one of the keys of all kinds, and one of the others; equal keys of several kinds share a row."""
    names = [kind["properties"]["kind"]["const"] for kind in kinds]
    rows = {}
    for name, kind in zip(names, kinds):
        for row in keys(kind):
            rows.setdefault(tuple(row), []).append(name)
    out = table(["`kind`", "meaning"], [[f'`"{name}"`', kind.get("description", "")] for name, kind in zip(names, kinds)])
    common = [list(row) for row, where in rows.items() if len(where) == len(kinds)]
    own = [[", ".join(f'`"{name}"`' for name in where)] + list(row) for row, where in rows.items() if len(where) < len(kinds)]
    own.sort(key=lambda row: names.index(row[0].split(", ")[0].strip('`"')))
    out += ["", *table(HEADS, common)] if common else []
    return out + (["", *table(["`kind`", *HEADS], own)] if own else [])


def own_keys(solver):
    """The keys of each stabilisation."""
    return {rule["if"]["properties"]["stabilisation"]["const"]: rule["then"]["propertyNames"]["enum"]
            for rule in solver["allOf"] if "stabilisation" in rule["if"].get("properties", {})}


def table_of_stabilisations(solver):
    names = own_keys(solver)
    common = set.intersection(*map(set, names.values()))
    rows = [[", ".join(f'`"{name}"`' for name in names if row[0].strip("`") in names[name]), *row]
            for row in keys(solver, lambda key: key not in common)]
    return table(["`stabilisation`", *HEADS], rows)


def table_of(schema, name):
    if name == "scene":
        return table(HEADS, keys(schema))
    solver = schema["$defs"]["solver"]
    if name == "stabilisations":
        return table_of_stabilisations(solver)
    if name == "solver":
        return table(HEADS, keys(solver, lambda key: all(key in own for own in own_keys(solver).values())))
    rule = schema["$defs"][name]
    forms = [form for form in rule.get("anyOf", [rule]) if form["type"] == "object"]
    if "const" in forms[0]["properties"].get("kind", {}):
        return table_of_kinds(forms)
    own = {"name", "until", "description"} if name == "stage" else set(forms[0]["properties"])
    return table(HEADS, keys(forms[0], lambda key: key in own))


def rewritten(page, schema):
    def block(match):
        return "\n".join([match[1], *table_of(schema, match[2]), "<!-- end -->"])

    return re.sub(r"(<!-- keys of ([a-z-]+) -->)\n.*?<!-- end -->", block, page, flags=re.S)


def tables_named(page):
    return re.findall(r"<!-- keys of ([a-z-]+) -->", page)


def main():
    program, path = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)
    page = path.read_text()
    new = rewritten(page, schema)
    if "--check" not in sys.argv:
        path.write_text(new)
    sys.exit(new != page and "--check" in sys.argv)


if __name__ == "__main__":
    main()
