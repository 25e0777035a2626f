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


def main() -> None:
    compiler, include, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    builder = cffi.FFI()
    builder.cdef(constants(include) + preprocessed(compiler, include))
    builder.set_source("scree._binding", "".join(f"#include <{header}>\n" for header in HEADERS))
    builder.emit_c_code(str(output))


if __name__ == "__main__":
    main()
