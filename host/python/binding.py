"""Writes the C source of the extension module scree._binding, which gives Python the public interface.

    binding.py COMPILER INCLUDE_FOLDER OUTPUT.c

The declarations are those of the headers, and the compiler compares both. The C preprocessor removes comments
and conditions. Headers of the system are empty for it, because cffi knows their types. The extension uses the
limited interface of CPython, so one build serves all versions.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

HEADERS = ("scree/scree.h", "scree/tools/tools.h")
SYSTEM = ("stdbool.h", "stddef.h", "stdint.h", "stdio.h")
ATTRIBUTE = re.compile(r"__attribute__\(\(visibility\(\"default\"\)\)\)")
# A wrapper, and the declaration of its argument that is a world or problem, in the source that cffi writes.
WRAPPER = re.compile(r"^_cffi_f_\w+\(PyObject \*self, PyObject \*\w+\)$.*?^}$", re.DOTALL | re.MULTILINE)
OWNER = re.compile(r"^  scree_(world|problem)(?: const)? \* (x\d+);$", re.MULTILINE)
# Worlds and problems during calls, which release the lock of the interpreter; it guards the list.
USES = """
typedef struct use {
    const void *object;
    struct use *next;
} use;
static use *uses;

static int use_begin(use *own, const char *kind) {
    for (const use *other = uses; other; other = other->next)
        if (other->object == own->object && own->object) {
            PyErr_Format(PyExc_RuntimeError, "%s: in use by another thread; must be used by one at a time", kind);
            return 0;
        }
    own->next = uses;
    uses = own;
    return 1;
}

static void use_end(use *own) {
    use **place = &uses;
    while (*place != own) place = &(*place)->next;
    *place = own->next;
}
"""
CONSTANT = re.compile(r"^#define (SCREE_\w+) (\d+)\b", re.MULTILINE)


def preprocessed(compiler: str, include: pathlib.Path) -> str:
    """Returns the declarations without comments and directives."""
    with tempfile.TemporaryDirectory() as empty:
        for name in SYSTEM:
            (pathlib.Path(empty) / name).touch()
        source = "".join(f"#include <{header}>\n" for header in HEADERS)
        command = [compiler, "-E", "-P", "-nostdinc", "-I", empty, "-I", str(include), "-x", "c", "-"]
        text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    return ATTRIBUTE.sub("", text)


def constants(include: pathlib.Path) -> str:
    """Returns the macros that are whole numbers, as cffi reads them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((include / "scree").rglob("*.h"))]
    return "".join(f"#define {name} {value}\n" for text in texts for name, value in CONSTANT.findall(text))


def guarded(wrapper: re.Match[str]) -> str:
    """Returns a wrapper that raises RuntimeError if another thread is in a call with the same world or problem."""
    owner = OWNER.search(wrapper[0])
    if owner is None:
        return wrapper[0]
    kind, argument = owner.groups()
    begin = (f"  use own = {{{argument}, NULL}};\n"
             f"  if (!use_begin(&own, \"{kind}\")) {{\n"
             "    if (large_args_free != NULL) _cffi_free_array_arguments(large_args_free);\n"
             "    return NULL;\n"
             "  }\n")
    return wrapper[0].replace("  Py_BEGIN_ALLOW_THREADS\n", begin + "  Py_BEGIN_ALLOW_THREADS\n").replace(
        "  Py_END_ALLOW_THREADS\n", "  Py_END_ALLOW_THREADS\n  use_end(&own);\n")


def main() -> None:
    compiler, include, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    builder = cffi.FFI()
    builder.cdef(constants(include) + preprocessed(compiler, include))
    builder.set_source("scree._binding", "".join(f"#include <{header}>\n" for header in HEADERS) + USES)
    builder.emit_c_code(str(output))
    source, count = WRAPPER.subn(guarded, output.read_text(encoding="utf-8"))
    if "use_begin(&own" not in source:
        sys.exit(f"binding.py: none of {count} functions takes a world; must know the source that cffi writes")
    output.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
