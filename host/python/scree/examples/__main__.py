"""Lists and runs the examples."""

import argparse
import importlib
import pathlib
import sys
import time

from . import NAMES, __doc__ as usage
from .result import Result, table


def title(name: str) -> str:
    """Returns the first line of an example's docstring."""
    return (importlib.import_module(f"scree.examples.{name}").__doc__ or "").splitlines()[0]


def run(name: str, small: bool, folder: pathlib.Path) -> Result:
    """Runs an example, prints its table and writes its picture."""
    begin = time.perf_counter()
    result: Result = importlib.import_module(f"scree.examples.{name}").run(small)
    picture = folder / f"example_{name}.png"
    result.figure.savefig(picture, dpi=120)
    print(f"{name}: {title(name)}\n{table(result.rows)}\n{time.perf_counter() - begin:.1f} s; picture: {picture}\n", flush=True)
    return result


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser("python -m scree.examples", description="Lists and runs examples.")
    parser.add_argument("name", nargs="*", help="examples to run, or all; none: list them")
    parser.add_argument("--small", action="store_true", help="a setting that takes a second, for a first look")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(), help="folder of the pictures")
    options = parser.parse_args()
    for name in options.name:
        if name not in (*NAMES, "all"):
            parser.error(f"name: {name}; must be one of {', '.join((*NAMES, 'all'))}")
    if not options.name:
        print(*(f"{name:12} {title(name)}" for name in NAMES), sep="\n")
        print((usage or "").partition("\n\n")[2])
        return
    try:
        import matplotlib
    except ImportError:
        sys.exit("examples draw with matplotlib, which is not installed; pip install 'scree-sim[plot]'")
    matplotlib.use("Agg")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in NAMES if "all" in options.name else options.name:
        run(name, options.small, options.out)


if __name__ == "__main__":
    main()
