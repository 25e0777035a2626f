#!/usr/bin/python3
"""Writes a page for each public header, and for each module of the Python package.

Usage: header_pages.py FOLDER"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
UMBRELLAS = ("scree.h", "tools.h")


def write(folder, title, text, pages):
    """Writes an index and its pages: name -> content."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pages.items():
        (folder / f"{name}.md").write_text(content)
    (folder / "index.md").write_text("\n".join([f"# {title}", "", text, "", "```{toctree}", *pages, "```", ""]))


def header_page(path):
    name = path.relative_to(ROOT / "include").as_posix()
    short = path.name if "/tools/" not in name else f"tools/{path.name}"
    return f"# {short}\n\n`#include <{name}>`\n\n```{{doxygenfile}} {path.name}\n:sections: briefdescription detaileddescription innerclass public-attrib define enum typedef func var\n```\n"


def headers(folder):
    paths = sorted((ROOT / "include/scree").glob("*.h")) + sorted((ROOT / "include/scree/tools").glob("*.h"))
    pages = {path.relative_to(ROOT / "include/scree").with_suffix("").as_posix().replace("/", "_"): header_page(path)
             for path in paths if path.name not in UMBRELLAS}
    write(folder, "C", "`<scree/scree.h>` includes the headers of the engine, `<scree/tools/tools.h>` those of the tools. [Install](/host/docs/install.md) has the flags of "
          "compilers, and [the C library](/host/docs/c.md) an overview.", pages)


def module_page(name):
    return f"# scree.{name}\n\n```{{eval-rst}}\n.. automodule:: scree.{name}\n   :members:\n   :special-members: __getitem__, __len__, __iter__\n```\n"


def modules(folder):
    names = sorted(path.stem for path in (ROOT / "host/python/scree").glob("*.py") if not path.stem.startswith("_"))
    write(folder, "Python", "All names that a program needs are in the package `scree` itself: `scree.World`, `scree.sphere`, … The pages follow its modules. "
          "[scree for Python](/host/python/README.md) has an overview.", {name: module_page(name) for name in names})


def main():
    headers(pathlib.Path(sys.argv[1], "c"))
    modules(pathlib.Path(sys.argv[1], "python"))


if __name__ == "__main__":
    main()
