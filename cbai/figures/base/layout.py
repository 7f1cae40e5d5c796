"""The layout that all figures share. Text takes the theme's colour, as dark mode needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from cbai.figures.base.style import GREY, THIN_SPACE
from cbai.figures.base.words import written

FONT = 13
CLEAR = "rgba(0, 0, 0, 0)"
GRID = "rgba(138, 143, 152, 0.25)"
BEST = "★ "
"""Stands before the name of the truly best arm."""


def figure(height: int, *, right: int = 12, top: int = 8, **layout: Any) -> go.Figure:
    """Return an empty figure on a transparent background; axis labels get room as needed."""
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 8, "r": right, "t": top, "b": 8},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "font": {"size": FONT},
            "hoverlabel": {"align": "left", "namelength": -1, "font": {"size": FONT}},
            "dragmode": False,
            "showlegend": False,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xref": "container",
                "xanchor": "left",
                "y": 1,
                "yref": "container",
                "yanchor": "top",
                "title": {"text": ""},
                "font": {"size": FONT},
                "bgcolor": CLEAR,
                "itemclick": False,
                "itemdoubleclick": False,
            },
            **layout,
        }
    )


def axis(title: str = "", **extra: Any) -> dict[str, Any]:
    """Return an axis with a pale grid that neither zooms nor pans."""
    return {
        "title": {"text": title, "font": {"size": FONT}, "standoff": 8},
        "tickfont": {"size": FONT},
        "automargin": True,
        "fixedrange": True,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "gridcolor": GRID,
        **extra,
    }


def count_axis(title: str, **extra: Any) -> dict[str, Any]:
    """Return an axis of counts, written out with separators."""
    return axis(title, tickformat=",", **extra)


def share_axis(title: str, low: float, high: float) -> dict[str, Any]:
    """Return an axis of percentages from `low` to `high`, written as in the sentences: 20 %."""
    decade = 10.0 ** np.floor(np.log10(max(high, 1e-6)))
    step = next(decade * n for n in (0.2, 0.5, 1.0, 2.0) if high <= 6.0 * decade * n)
    marks = step * np.arange(int(high / step + 1e-9) + 1)
    labels = [f"{100.0 * mark:.3g}{THIN_SPACE}%" for mark in marks]
    return axis(title, range=[low, high], tickvals=marks.tolist(), ticktext=labels)


def log_range(low: float, high: float, *, after: float = 0.06) -> list[float]:
    """Return the range of a log axis that shows `low` to `high` with margins on both sides."""
    left, right = np.log10(low), np.log10(high)
    span = max(right - left, 0.3)
    return [float(left - 0.04 * span), float(right + after * span)]


def log_count_axis(title: str, low: float, high: float, **extra: Any) -> dict[str, Any]:
    """Return a logarithmic axis of counts, labelled at the powers of ten (1, 2, 5 if few)."""
    step: int | str = 1 if high / low >= 30 else "D2"
    ends = log_range(low, high, after=extra.pop("after", 0.06))
    return count_axis(title, type="log", dtick=step, range=ends, **extra)


def row_axis(labels: list[str], *, above: float = 0.6, **extra: Any) -> dict[str, Any]:
    """Return a vertical axis with one labelled row each, row 0 on top."""
    n = len(labels)
    return axis(
        tickmode="array",
        tickvals=list(range(n)),
        ticktext=labels,
        range=[n - 0.4, -above],
        ticklabelstandoff=4,
        **extra,
    )


def without_answer(colour: str) -> dict[str, Any]:
    """Return the marker of runs that ran out of budget: an open triangle."""
    return {"symbol": "triangle-up-open", "size": 11, "color": colour, "line": {"width": 2}}


def reference_line(fig: go.Figure, dash: str = "dash", **where: Any) -> None:
    """Draw a dashed line at x0 = x1 or y0 = y1, from edge to edge unless `where` says otherwise."""
    line = {"color": GREY, "width": 1.5, "dash": dash}
    spread = {"xref": "paper", "x0": 0, "x1": 1} if "y0" in where else {}
    spread |= {"yref": "paper", "y0": 0, "y1": 1} if "x0" in where else {}
    fig.add_shape(type="line", line=line, **{"layer": "below", **spread, **where})


def note(fig: go.Figure, text: str, **where: Any) -> None:
    """Write on the figure, without an arrow, in the theme's colour."""
    fig.add_annotation(text=text, **{"showarrow": False, "font": {"size": FONT}, **where})


def panel_title(fig: go.Figure, text: str, top: float) -> None:
    """Write above one of several panels of a figure, whose upper edge is at `top`, from 0 to 1."""
    edge = {"x": 0, "xref": "paper", "xanchor": "left", "yref": "paper", "yanchor": "bottom"}
    note(fig, text, y=top, yshift=2, **edge)


def arm_label(name: str, limit: int, *, best: bool = False) -> str:
    """Return the name of an arm for an axis: shortened, and starred and bold for the best."""
    text = written(name if len(name) <= limit else name[: limit - 1].rstrip(" ,.:;-") + "…")
    return f"<b>{BEST}{text}</b>" if best else text


def with_ink(fig: go.Figure, colour: str) -> go.Figure:
    """Give all text one colour, as the theme's own is too pale."""
    fig.layout.font.color = fig.layout.legend.font.color = colour
    for name in fig.layout:
        if name.startswith(("xaxis", "yaxis")):
            fig.layout[name].tickfont.color = fig.layout[name].title.font.color = colour
    return fig


ENLARGED = 1.5
"""How much larger the type of a figure is in the presenter view: 13 becomes 19.5."""
THICK = 3.0
"""The least width of a line in the presenter view, in pixels; lines below 1.5 stay thinner."""


def enlarged(fig: go.Figure) -> go.Figure:
    """Return a copy of a figure for the presenter view: with larger type and thicker lines."""
    return go.Figure(_enlarge(fig.to_plotly_json(), ""))


def _enlarge(part: Any, name: str) -> Any:
    """Enlarge a part of a figure; `name` is its key in the part that holds it."""
    if isinstance(part, list | tuple):
        return [_enlarge(one, name) for one in part]
    if not isinstance(part, dict):
        return part
    grown = {key: _enlarge(value, key) for key, value in part.items()}
    if "font" in name or name == "marker":
        grown = _times(grown, "size")
    if name == "line" and part.get("width"):
        width = ENLARGED * np.asarray(part["width"], dtype=np.float64)
        grown["width"] = np.where(width < ENLARGED * 1.5, width, np.maximum(width, THICK)).tolist()
    if name == "margin":
        for side in "lrtb":
            grown = _times(grown, side)
    for key in ("height", "thickness", "xshift", "yshift", "standoff", "ticklabelstandoff"):
        grown = _times(grown, key)
    return grown


def _times(part: dict[str, Any], key: str) -> dict[str, Any]:
    """Enlarge one number or a whole array, if it is there; a whole number stays whole."""
    value = part.get(key)
    if value is None or isinstance(value, dict):
        return part
    if isinstance(value, int):
        return {**part, key: round(ENLARGED * value)}
    return {**part, key: (ENLARGED * np.asarray(value, dtype=np.float64)).tolist()}


def rgba(colour: str, alpha: float) -> str:
    """Return a colour of the form #RRGGBB with an opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha:g})"


def four_digits(numbers: ArrayLike) -> NDArray[np.float64]:
    """Round to four significant digits; no screen can show more."""
    values = np.asarray(numbers, dtype=np.float64)
    size = np.where(np.isfinite(values) & (values != 0.0), np.abs(values), 1.0)
    scale = 10.0 ** (3.0 - np.floor(np.log10(size)))
    return np.asarray(np.round(values * scale) / scale)
