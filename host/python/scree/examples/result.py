"""The result of an example: numbers with the expected ones, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Row:
    """A found quantity with the range in which a publication or a formula has it."""

    quantity: str
    found: float
    low: float
    high: float
    source: str

    @property
    def agrees(self) -> bool:
        """Whether the found value is in the range."""
        return self.low <= self.found <= self.high


@dataclass(frozen=True)
class Result:
    """Rows of the table, and the picture."""

    rows: Sequence[Row]
    figure: Figure


def panels(count: int) -> tuple[Figure, Any]:
    """Returns a figure with axes side by side."""
    from matplotlib import pyplot

    return pyplot.subplots(1, count, figsize=(5 * count, 4), layout="constrained")


def table(rows: Sequence[Row]) -> str:
    """Returns the rows as text."""
    lines = [("quantity", "found", "expected", "source"),
             *((row.quantity, f"{row.found:.4g}", f"{row.low:.4g} to {row.high:.4g}" + ("" if row.agrees else " (!)"), row.source)
               for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(3)]
    return "\n".join("  " + "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths)) + f"  {line[3]}" for line in lines)
