#!/usr/bin/python3
"""`scree schema` accepts every scene of bench/ and rejects the mistakes that `scree run` rejects; the page of scenes has its tables."""

import copy
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["SCREE_SOURCE_DIR"])
SCREE = os.path.join(os.environ["SCREE_BUILD_DIR"], "scree")
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "host/package"))
import scene_tables  # pylint: disable=wrong-import-position
number = failures = 0


def check(name, good, detail=""):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in [] if good else str(detail).splitlines():
        print("#", line)


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


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
        if len(value) > rule.get("maxProperties", len(value)):
            return False
        patterns = rule.get("patternProperties", {})
        matching = {k: [known[k]] if k in known else [r for p, r in patterns.items() if re.search(p, k)] for k in value}
        return all(all(valid(v, r, root) for r in matching[k]) if matching[k] else
                   others is not False and valid(v, others, root) for k, v in value.items())
    if isinstance(value, str):
        return rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", len(value))
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


STAGED = {
    "materials": {"glass": {"friction": 0.4}},
    "bodies": [{"type": "static", "shape": {"kind": "half-space"}},
               {"shape": {"kind": "box", "size": [1, 1, 1]}, "position": [0, 0, 3], "servo": {"direction": [0, 0, -1], "force": 9}}],
    "measurements": [{"name": "e", "kind": "energy", "every": 10}],
    "stages": [
        {"name": "one", "until": {"time": 1, "figure": {"name": "kinetic_energy", "below": 1}}},
        {"name": "two", "until": {"time": 1, "measurement": {"name": "e", "figure": "kinetic_energy_J", "above": 9}},
         "gravity": [0, 0, 0], "materials": {"default": {"friction": 1}}, "outputs": None,
         "bodies": {"1": {"servo": {"force": 5}}, "add": [{"shape": {"kind": "sphere", "radius": 0.1}, "position": [5, 0, 1]}]}},
    ],
}


def mutated(path, value, base=None):
    out = copy.deepcopy(base or BASE)
    at = out
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return out


def reader_message(scene):
    """The message with which `scree run` refuses a scene; empty if it runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "s.json"
        path.write_text(json.dumps(scene))
        run = subprocess.run([SCREE, "run", str(path), "--steps", "1", "--backend", "native", "--no-pictures", "--quiet",
                              "--out", folder + "/out"], capture_output=True, text=True, check=False)
        return run.stderr if run.returncode == 2 else ""


def check_both(name, scene, good):
    check(f"{name}: the schema", accepts(scene) == good, reason(scene))
    message = reader_message(scene)
    check(f"{name}: the reader", good == (not message), message or "it runs")


INLET = {"zone": {"kind": "box", "size": [1, 1, 1], "position": [0, 0, 9]}, "body": {"shape": {"kind": "sphere", "radius": 0.1}}}
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
    "a servo without a direction": (["bodies", 1, "servo"], {"force": 1}),
    "a group beyond the last": (["bodies", 1, "groups"], [32]),
    "two lengths of a run": (["run"], {"steps": 10, "duration": 1}),
    "two intervals": (["outputs"], {"every": 1, "every_seconds": 1}),
    "two rates of an inlet": (["inlets"], [dict(INLET, rate=1, mass_rate=1)]),
    "no rate of an inlet": (["inlets"], [INLET]),
    "a mass of a static body": (["bodies", 1], {"type": "static", "shape": {"kind": "half-space"}, "mass": 1}),
    "a velocity of a static body": (["bodies", 1], {"type": "static", "shape": {"kind": "half-space"}, "linear_velocity": [1, 0, 0]}),
    "a string that is too long": (["backend"], {"device": "x" * 128}),
}
STAGE_MISTAKES = {
    "a run and stages": (["run"], {"steps": 1}),
    "a stage without an end": (["stages", 0], {"name": "one"}),
    "a wrong type in a stage": (["stages", 0, "gravity"], "none"),
    "a value out of range in a stage": (["stages", 0, "materials"], {"glass": {"restitution": 2}}),
    "an unknown key in a stage": (["stages", 0, "bodies"], {"1": {"sevro": 1}}),
    "an end below zero": (["stages", 0, "until", "time"], -1),
    "an unknown statistic": (["stages", 0, "until", "figure", "name"], "energy"),
    "an entry that is no index": (["stages", 0, "bodies"], {"first": {"absent": True}}),
    "a seed in a stage": (["stages", 0, "seed"], 2),
    "a servo with an unknown key": (["bodies", 1, "servo", "power"], 1),
    "a servo with a negative force": (["bodies", 1, "servo", "force"], -1),
    "a servo that is a number": (["bodies", 1, "servo"], 9),
}
check_both("a scene of all kinds of values", BASE, True)
check_both("a scene with stages", STAGED, True)
for name, (path, value) in MISTAKES.items():
    check_both(name, mutated(path, value), False)
for name, (path, value) in STAGE_MISTAKES.items():
    check_both(name, mutated(path, value, STAGED), False)
check("substep has its keys", accepts(mutated(["solver"], {"preset": "realtime", "substeps": 4})))
check("a chosen stabilisation has its keys", accepts(mutated(["solver"], {"stabilisation": "soft", "stiffness": 4})))


def described(rule):
    """All keys of objects, each with its rule."""
    for key, value in rule.get("properties", {}).items():
        if key != "description" and "const" not in value and not key.startswith("changes"):
            yield key, value
    for form in rule.get("anyOf", []):
        yield from described(form)


definitions = {name: rule for name, rule in schema["$defs"].items() if not name.startswith("changes-of-")}
for name, rule in {"scene": schema, **definitions}.items():
    own = {key: value for key, value in described(rule) if name != "stage" or key in ("name", "until")}
    without = [key for key, value in own.items() if not value.get("description")]
    check(f"each key of {name} has its help", own and not without, without)

# The tables of the page are those that host/package/scene_tables.py makes.
page = (ROOT / "host/scene/README.md").read_text()
missing = {*definitions, "scene", "stabilisations"} - {"template", *scene_tables.tables_named(page)}
check("the page has a table of each object", not missing, missing)
check("the tables of the page are those of the schema", scene_tables.rewritten(page, schema) == page,
      "run host/package/scene_tables.py build/release/scree host/scene/README.md")
changed = json.loads(json.dumps(schema).replace("Coulomb's coefficient", "the coefficient"))
check("another help gives another page", scene_tables.rewritten(page, changed) != page)

print(f"1..{number}")
sys.exit(failures > 0)
