"""The command `scree` of the wheel."""

import os
import pathlib
import sys


def main() -> None:
    """Replaces this process by the program."""
    program = str(pathlib.Path(__file__).with_name("scree"))
    os.execv(program, [program, *sys.argv[1:]])
