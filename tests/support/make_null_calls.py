#!/usr/bin/python3
"""Writes null_calls.h, the calls of tests/unit/test_null.c, from the public headers: make_null_calls.py HEADER... >null_calls.h

Each exported function gets one call for each of its pointers, with NULL for this pointer and harmless values for all others.
The description of the function decides what the call must do:

    `NAME` ... may be null              NULL is allowed
    `NAME` ... may be null if ... 0     NULL is allowed if counts and capacities are 0, and an error if they are 1
    Null is allowed, for null and other geometries
                                        NULL is allowed for the only pointer
    anything else                       NULL is an error

There is no list of functions: a declaration that this script cannot read, or a type without a value, stops the build."""

import pathlib
import re
import sys

# Values of parameters that are passed by value, by type; the fixture has those of ids, and enumerations are 0.
VALUES = {"int": "1", "float": "1", "double": "1", "size_t": "1", "uint32_t": "1", "uint64_t": "1", "bool": "false"}
# Whether a returned value is zero, by type, where == 0 cannot tell.
ZERO = {"scree_world_def": "{}.time_step == 0", "scree_run_def": "{}.seed == 0 && {}.length.steps == 0", "scree_worlds_def": "{}.count == 0", "scree_worlds_plot": "!{}.column",
        "scree_device_traffic": "{}.launches == 0",
        "scree_problem_def": "{}.contacts == 0", "scree_zone_frame": "{}.size[0] == 0", "scree_zone_images": "{}.count[0] == 0",
        "scree_pose": "{}.position.x == 0 && {}.rotation.x == 0", "scree_contact_work": "{}.friction == 0", "scree_camera": "{}.automatic && {}.field_of_view == 0"}

def fail(text):
    sys.exit(f"make_null_calls.py: {text}")

class Headers:
    """The declarations of all headers."""

    def __init__(self, text):
        self.functions = []
        self.enums = set(re.findall(r"typedef enum \w+ \{[^}]*\} (\w+);", text))
        self.opaque = set(re.findall(r"typedef struct (\w+) \1;", text))
        pattern = r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?SCREE_API ([^;]*?)\b(scree_\w+)\(([^;]*)\);"
        for comment, result, name, parameters in re.findall(pattern, re.sub(r"#define SCREE_API.*", "", text), re.S):
            words = re.sub(r"\s+\*? ?", " ", comment)
            self.functions.append(Function(name, result.strip(), words, parameters))
        if len(self.functions) != len(re.findall(r"SCREE_API (?!__)", re.sub(r"#define SCREE_API.*", "", text))):
            fail("a declaration with SCREE_API was not understood")
        self.defaults = {f.result: f for f in self.functions
                         if f.name.startswith("scree_default_") and not any(p.pointer for p in f.parameters)}

class Parameter:
    def __init__(self, text, description, only):
        match = re.fullmatch(r"(const )?(\w+) ?((?:\*(?:const )?)*)(\w+)(\[\w+\])?", " ".join(text.split()))
        if not match:
            fail(f"parameter \"{text}\" was not understood")
        constant, self.type, stars, self.name, array = match.groups()
        self.constant = constant is not None
        self.pointer = stars.count("*") + bool(array)
        self.count = not self.pointer and re.search(r"count|capacity|size", self.name) is not None
        self.allowed = self.pointer > 0 and self.reads(description, only, "(?! if)")
        self.allowed_if_empty = self.pointer > 0 and self.reads(description, only, " if")

    def reads(self, description, only, end):
        texts = [rf"`{self.name}`(?:(?:,| and) `\w+`)*[^.`]*? \(?(?:it )?may be null{end}"]
        if only and end != " if":
            texts += [r"Null is allowed", r"\bfor null and other\b"]
        return any(re.search(text, description) for text in texts)

class Function:
    def __init__(self, name, result, description, parameters):
        self.name, self.result = name, result
        texts = [] if parameters.strip() == "void" else parameters.split(",")
        only = sum("*" in text or "[" in text for text in texts) == 1
        self.parameters = [Parameter(text, description, only) for text in texts]

def value(headers, parameter, number):
    """A harmless value for a parameter that is passed by value."""
    if parameter.count:
        return number
    if parameter.type in VALUES:
        return VALUES[parameter.type]
    if parameter.type in headers.enums:
        return f"({parameter.type})0"
    return f"f->{parameter.type}" if parameter.type.endswith("_id") else default(headers, parameter.type)

def default(headers, kind):
    """The value of the scree_default_ function of a type, else zero."""
    made = headers.defaults.get(kind)
    if not made:
        return f"({kind}){{0}}"
    return f"{made.name}({', '.join(value(headers, p, '0') for p in made.parameters)})"

def storage(headers, parameter):
    """The declaration that a pointer parameter points to, and the argument."""
    kind, name = parameter.type, f"{parameter.name}_"
    if parameter.pointer == 2:
        constant = "const " if parameter.constant else ""
        return f"{constant}{kind} *{name} = NULL;", f"&{name}"
    if kind in headers.opaque:
        return "", f"f->{kind}"
    if kind == "char":
        return f"char {name}[64] = \"nowhere/nothing\";", name
    if kind in VALUES:
        return f"{kind} {name}[64] = {{0}};", name
    first = f"f->{kind}" if kind.endswith("_id") else default(headers, kind)
    return f"{kind} {name}[4];\nmemset({name}, 0, sizeof {name});\n{name}[0] = {first};", name

def check(headers, function, parameter, number):
    """One call, with NULL for a parameter and `number` for all counts."""
    lines, arguments = [], []
    for other in function.parameters:
        if not other.pointer:
            arguments.append(value(headers, other, number))
        elif other is parameter:
            arguments.append("NULL")
        else:
            declaration, argument = storage(headers, other)
            lines += declaration.split("\n") if declaration else []
            arguments.append(argument)
    call = f"{function.name}({', '.join(arguments)})"
    what = f"\"{function.name}\", \"{parameter.name}\""
    if parameter.allowed or (parameter.allowed_if_empty and number == "0"):
        lines += ["begin();", f"(void){call};" if function.result != "void" else f"{call};", f"check_allowed({what});"]
    elif function.result == "void":
        lines += ["begin();", f"{call};", f"check_zero({what}, true);"]
    elif function.result == "scree_result":
        lines += ["begin();", f"check_rejected({what}, {call});"]
    else:
        zero = ZERO.get(function.result, "{}.index == 0" if function.result.endswith("_id") else "!{}")
        lines += ["begin();", f"const {function.result} got = {call};" if "*" not in function.result else
                  f"{function.result} got = {call};", f"check_zero({what}, {zero.replace('{}', 'got')});"]
    return "    {\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"

def main():
    headers = Headers("\n".join(pathlib.Path(name).read_text() for name in sys.argv[1:]))
    bodies = []
    for function in headers.functions:
        for parameter in (p for p in function.parameters if p.pointer):
            bodies.append(check(headers, function, parameter, "1"))
            if parameter.allowed_if_empty:
                bodies.append(check(headers, function, parameter, "0"))
    names = "".join(f"    \"{name}\",\n" for name in sorted(f.name for f in headers.functions))
    print("/* Made by tests/support/make_null_calls.py. */")
    print(f"static const char *const declared[] = {{\n{names}}};\n")
    print("static void call_everything(const fixture *f) {\n" + "".join(bodies) + "}")

main()
