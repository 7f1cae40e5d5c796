"""Small tables and figures as HTML, which is how results show themselves in a notebook.

They need no plotting library and take the colour of the notebook's own text.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

MOST_ROWS = 40
"""A longer table is cut off, and says so."""

MOST_VALUES = 12
"""How many reward values are spelled out."""

WIDTH, HEIGHT = 160, 12
"""The size of a figure in a row, in pixels."""


class Drawn(str):
    """HTML that goes into a cell as it is; any other cell is text."""


def table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
    best: int | None = None,
) -> str:
    """Return a table.

    Parameters
    ----------
    caption : str
    head : sequence of str
        The names of the columns.
    rows : sequence of sequence
        A cell for each column: `Drawn`, or something that is shown as text.
    best : int, optional
        The row set in bold.
    """
    lines = [f"<caption style='text-align:left'>{html.escape(caption)}</caption>"]
    lines.append(_row("th", head))
    for number, row in enumerate(rows[:MOST_ROWS]):
        lines.append(_row("td", row, style="font-weight:bold" if number == best else ""))
    if len(rows) > MOST_ROWS:
        lines.append(_row("td", [f"and {len(rows) - MOST_ROWS} more"]))
    return f"<table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[object], style: str = "") -> str:
    shown = (cell if isinstance(cell, Drawn) else html.escape(str(cell)) for cell in cells)
    inside = "".join(f"<{tag} style='text-align:left'>{cell}</{tag}>" for cell in shown)
    return f"<tr style='{style}'>{inside}</tr>"


def bar(share: float) -> Drawn:
    """Return a bar; `share` of the whole width is filled."""
    return _svg(f"<rect width='{_x(share)}' height='{HEIGHT}' fill-opacity='0.5'/>")


def interval(low: float, middle: float, high: float) -> Drawn:
    """Return a line from `low` to `high` with a dot at `middle`; all are shares of the width."""
    left, dot, right, centre = _x(low), _x(middle), _x(high), HEIGHT / 2
    return _svg(
        f"<line x1='{left}' x2='{right}' y1='{centre}' y2='{centre}' stroke='currentColor'/>"
        f"<circle cx='{dot}' cy='{centre}' r='3'/>"
    )


def _x(share: float) -> str:
    """Return where a share of the width is, in pixels; bounds beyond an end stop there."""
    inside = min(max(share, 0.0), 1.0) if not math.isnan(share) else 0.0
    return f"{inside * WIDTH:.1f}"


def _svg(inside: str) -> Drawn:
    return Drawn(
        f"<svg width='{WIDTH}' height='{HEIGHT}' fill='currentColor' aria-hidden='true'>"
        f"{inside}</svg>"
    )
