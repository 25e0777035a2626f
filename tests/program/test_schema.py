#!/usr/bin/python3
"""`scree schema` accepts every scene of bench/ and rejects the mistakes that `scree run` rejects."""

import copy
import glob
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SCREE_SOURCE_DIR"])
SCREE = os.path.join(os.environ["SCREE_BUILD_DIR"], "scree")
number = failures = 0


def check(name, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in [] if good else str(detail).splitlines():
        print("#", line)


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def has_type(value, name):
    if name in TYPES:
        return isinstance(value, TYPES[name])
    number_like = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number_like and (name == "number" or value == int(value))


def valid(value, rule, root):
    """The part of draft 2020-12 that the schema uses."""
    if "$ref" in rule and not valid(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root):
        return False
    if "type" in rule and not has_type(value, rule["type"]) or "enum" in rule and value not in rule["enum"]:
        return False
    if "const" in rule and value != rule["const"] or "not" in rule and valid(value, rule["not"], root):
        return False
    if "anyOf" in rule and not any(valid(value, r, root) for r in rule["anyOf"]):
        return False
    if not all(valid(value, r, root) for r in rule.get("allOf", [])):
        return False
    if "if" in rule and valid(value, rule["if"], root) and not valid(value, rule["then"], root):
        return False
    if has_type(value, "number"):
        return (rule.get("minimum", value) <= value <= rule.get("maximum", value)
                and ("exclusiveMinimum" not in rule or value > rule["exclusiveMinimum"])
                and ("exclusiveMaximum" not in rule or value < rule["exclusiveMaximum"]))
    if isinstance(value, list):
        return (rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
                and all(valid(v, rule.get("items", {}), root) for v in value))
    if isinstance(value, dict):
        known, others = rule.get("properties", {}), rule.get("additionalProperties", {})
        if not all(key in value for key in rule.get("required", [])):
            return False
        if "propertyNames" in rule and not all(valid(key, rule["propertyNames"], root) for key in value):
            return False
        return all(valid(v, known[k], root) if k in known else others is not False and valid(v, others, root)
                   for k, v in value.items())
    return True


done = subprocess.run([SCREE, "schema"], capture_output=True, text=True)
check("the schema is printed", done.returncode == 0, done.stderr)
schema = json.loads(done.stdout)
try:
    import jsonschema
    jsonschema.Draft202012Validator.check_schema(schema)
    library = jsonschema.Draft202012Validator(schema)
except ImportError:
    library = None
check("the schema names its draft", schema["$schema"].endswith("2020-12/schema"))


def accepts(scene):
    own = valid(scene, schema, schema)
    if library and library.is_valid(scene) != own:
        check("the checker of this test agrees with jsonschema", False, scene)
    return own


def reason(scene):
    return "\n".join(f"{list(e.path)}: {e.message[:300]}" for e in library.iter_errors(scene)) if library else ""


scenes = sorted(glob.glob(str(ROOT / "bench/scenes/*.json")))
check("there are scenes", len(scenes) > 10)
for path in scenes:
    scene = json.loads(pathlib.Path(path).read_text())
    check(f"{os.path.basename(path)} is valid", accepts(scene), reason(scene))

BASE = {
    "time_step": 0.01, "gravity": [0, 0, -10], "run": {"steps": 10},
    "solver": {"preset": "fast", "iterations": 1e2, "error_reduction": 0.1},
    "materials": {"glass": {"friction": 0.4, "density": 2500}},
    "shapes": {"pair": {"kind": "compound", "parts": [{"shape": {"kind": "sphere", "radius": 1}}]}},
    "containers": [{"kind": "box", "inner_size": [1, 1, 1], "material": "glass"}],
    "bodies": [{"shape": "pair", "rotation": [0, 0, 0, 1]},
               {"shape": {"kind": "sphere", "radius": 0.1}, "rotation": {"axis": [0, 0, 1], "angle_degrees": 9}}],
    "measurements": [{"name": "e", "kind": "energy", "every": 10}],
}
check("a scene of all kinds of values is valid", accepts(BASE), reason(BASE))


def mutated(path, value):
    out = copy.deepcopy(BASE)
    at = out
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return out


MISTAKES = {
    "an unknown key": (["gravty"], [0, 0, -1]),
    "an unknown key of a material": (["materials", "glass", "frction"], 1),
    "an unknown key of a container": (["containers", 0, "radius"], 1),
    "a wrong type": (["time_step"], "fast"),
    "two components of a vector": (["gravity"], [0, 1]),
    "a value out of range": (["materials", "glass", "restitution"], 2),
    "an excluded limit": (["solver", "relaxation"], 2),
    "a fraction of an iteration": (["solver", "iterations"], 1.5),
    "an unknown name": (["solver", "law"], "columb"),
    "a key of another stabilisation": (["solver", "substeps"], 4),
    "a key that a chosen stabilisation does not have": (["solver", "stabilisation"], "soft"),
    "an unknown kind": (["bodies", 1, "shape", "kind"], "ball"),
    "a missing key": (["containers", 0], {"kind": "box"}),
    "a missing kind": (["containers", 0], {"inner_size": [1, 1, 1]}),
    "an array for an object": (["materials"], []),
    "a negative number of steps": (["run", "steps"], -1),
}
for name, (path, value) in MISTAKES.items():
    check(f"{name} is rejected", not accepts(mutated(path, value)))
check("substep has its keys", accepts(mutated(["solver"], {"preset": "realtime", "substeps": 4})))
check("a chosen stabilisation has its keys", accepts(mutated(["solver"], {"stabilisation": "soft", "stiffness": 4})))

# The page of scenes lists the keys of the solver, those of each stabilisation, and their defaults.
solver = schema["$defs"][schema["properties"]["solver"]["$ref"].rsplit("/", 1)[1]]
own_keys = {rule["if"]["properties"]["stabilisation"]["const"]: set(rule["then"]["propertyNames"]["enum"])
            for rule in solver["allOf"] if "stabilisation" in rule["if"].get("properties", {})}
common_keys = set.intersection(*own_keys.values())
page = (ROOT / "host/scene/README.md").read_text().split("**`solver`**")[1].split("**`backend`**")[0]
rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in page.splitlines() if line.startswith("| ")]
rows = [[cell.strip("| ") for cell in row] for row in rows if "`" in row[0]]
common_rows = {row[0].strip("`"): row for row in rows if not row[0].startswith('`"')}
own_rows = {row[1].strip("`"): row for row in rows if row[0].startswith('`"')}
check("the page has the keys of every solver", set(common_rows) == common_keys - {"description"},
      set(common_rows) ^ common_keys)
for kind, keys in own_keys.items():
    listed = {key for key, row in own_rows.items() if f'"{kind}"' in row[0]}
    check(f"the page has the keys of {kind}", listed == keys - common_keys, listed ^ (keys - common_keys))
for key, row in {**common_rows, **own_rows}.items():
    stated = row[3 if key in own_rows else 2].strip('`"')
    default = solver["properties"][key].get("default", stated)
    same = str(default).lower() == stated if isinstance(default, (str, bool)) else default == float(stated)
    check(f"the page states the default of {key}", same, f"{stated} and {default}")

print(f"1..{number}")
sys.exit(failures > 0)
