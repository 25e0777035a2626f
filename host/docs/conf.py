"""The site: pages of host/docs, the pages that stand with the code, and reference pages from headers, docstrings and the schema.

host/docs/build makes the source folder: copies of pages at the places that their links name, and pages that it writes."""

import os
import pathlib
import re
import sys

import typing

import latex2mathml.converter
import numpy.typing
import ziamath
from docutils.nodes import SkipNode

SOURCE = pathlib.Path(os.environ["SCREE_DOCS_SOURCE"])
sys.path.insert(0, os.environ["SCREE_DOCS_PYTHON"])

project = "scree"
copyright = "2026, the scree authors"
author = "the scree authors"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
version = release = re.search(r"project\(scree VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe", "sphinx_copybutton"]
root_doc = "host/docs/index"
include_patterns = ["CHANGELOG.md", "CONTRIBUTING.md", "bench/*.md", "bench/experiments/*.md", "host/README.md", "host/*/README.md",
                    "host/docs/**.md", "kernels/README.md", "tests/README.md", "tests/data/README.md", "reference/**.md"]
nitpicky = False
html_theme = "furo"
html_title = f"scree {release}"
html_copy_source = False
html_static_path = ["static", str(pathlib.Path(ziamath.__file__).parent / "fonts")]  # STIX Two Math, without which subscripts stand on the line
html_css_files = ["scree.css"]
html_extra_path = ["extra"]
pygments_style = "friendly"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 6
myst_dmath_double_inline = True
breathe_projects = {"scree": os.environ["SCREE_DOCS_XML"]}
breathe_default_project = "scree"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
add_module_names = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_mock_imports = ["cma", "coacd", "compas", "compas_dem", "k3d", "pyvista", "xarray"]
linkcheck_timeout = 10
copybutton_prompt_text = "$ "
html_math_renderer = "mathml"

class ArrayLike:
    """Stands for numpy's union of ten types in signatures."""


class NDArray(typing.Generic[typing.TypeVar("T")]):
    """Stands for an array of numpy in signatures."""


for each in (ArrayLike, NDArray):
    each.__module__ = "numpy.typing"
    setattr(numpy.typing, each.__name__, each)

LINK = re.compile(r"\[([^\]\[]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def without_links_to_code(app, docname, source):
    """Writes links to folders and source files as the names of these: the site has pages only."""
    folder = (SOURCE / docname).parent

    def named(match):
        path = folder / match[2]
        if "://" in match[2] or match[2].startswith("/") or path.suffix in (".md", ".png"):
            return match[0]
        place = os.path.relpath(os.path.normpath(path), SOURCE)
        return match[1] if match[1].strip("`").strip("/") == place else f"{match[1]} (`{place}`)"

    source[0] = LINK.sub(named, source[0])


def display(self, node):
    self.body.append('<div class="math">' + latex2mathml.converter.convert(node.astext(), display="block") + "</div>")
    raise SkipNode  # a formula has no children to visit


def inline(self, node):
    self.body.append(latex2mathml.converter.convert(node.astext()))
    raise SkipNode  # a formula has no children to visit


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.connect("source-read", without_links_to_code)
