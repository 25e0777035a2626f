#!/usr/bin/env python3
"""Functions of kernels/ use a macro of dialect.h, never `static`: some compilers miscompile functions that they inline late."""
import os
import pathlib
import re
import sys

kernels = pathlib.Path(os.environ.get("SCREE_SOURCE_DIR", pathlib.Path(__file__).parents[2])) / "kernels"
files = [path for path in sorted(kernels.iterdir()) if path.suffix in (".h", ".cl") and path.name not in ("dialect.h", "wide.h")]
assert files, f"no kernels in {kernels}"
found = [
    f"{path.name}:{number}: {line.strip()}; must begin with SHARED, RARE, SELDOM, LARGE or CALLED"
    for path in files
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if re.match(r"\s*(static|inline)\b(?!.*\[)", line) and "(" in line
]
print("\n".join(found))
sys.exit(bool(found))
