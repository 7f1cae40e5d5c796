"""One swept parameter: what every algorithm costs at each of its values, and how often it errs."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, colour_of, percent
from cbai.figures.whatif.cost_info import Info, Line
from cbai.figures.whatif.cost_scale import Scale
from cbai.figures.whatif.inks import PAPERS, text_colour
from cbai.results.sweep import Axis

HEIGHT, TOP, BOTTOM = 372, 10, 62
"""The height of the figure and of its margins, in pixels."""
UPPER, STRIP = [0.235, 1.0], [0.0, 0.115]
"""Vertical extent of cost and errors, as shares of what is between the margins."""
LETTER = 8.2
"""The width of a letter of a label, in pixels."""
PALE = 0.4
TICKS = 0.032
"""The width of a letter of a tick label, as a share of the axis on a phone."""


def draw(info: Info, *, dark: bool, height: int = HEIGHT) -> go.Figure:
    """Draw the lines with their names at their ends, and the errors in a strip below."""
    longest = max((len(line.algorithm.title) for line in info.lines), default=0)
    fig = layout.figure(height, top=TOP, right=round(LETTER * longest) + 18)
    fig.layout.margin.b = BOTTOM
    scale = Scale.of(
        info.drawn, log=info.log, pixels=(height - TOP - BOTTOM) * (UPPER[1] - UPPER[0])
    )
    _add_own(fig, info)
    for line in info.lines:
        _add_line(fig, info, line)
    for line in info.lines:
        _add_out(fig, info, line)
    _add_errors(fig, info)
    _name_ends(fig, info, scale, dark=dark)
    _write_own(fig, info, scale, dark=dark)
    ticks = scale.ticks()
    top = max([0.01, *info.deltas, *(rate for line in info.lines for rate in _rates(line))])
    fig.update_layout(
        xaxis=_across(info.axis),
        yaxis=layout.axis(
            info.title,
            type="log" if info.log else "linear",
            range=[scale.low, scale.high],
            tickmode="array",
            tickvals=ticks,
            ticktext=[info.tick(value) for value in ticks],
            domain=UPPER,
        ),
        yaxis2=layout.axis(
            "",
            range=[-0.25 * top, 1.25 * top],
            tickmode="array",
            tickvals=[0.0, top],
            ticktext=["0", percent(top)],
            domain=STRIP,
        ),
    )
    layout.panel_title(fig, "wrong answers (dashed: allowed)", STRIP[1])
    return fig


def _across(axis: Axis) -> dict[str, object]:
    ends = np.log10(axis.values) if axis.log else np.array(axis.values)
    first, last = float(ends[0]), float(ends[-1])
    room = 0.02 * (last - first) if last != first else 0.5
    ticks = apart(axis)
    return layout.axis(
        axis.title,
        type="log" if axis.log else "linear",
        anchor="y2",
        range=[first - room, last + room],
        tickmode="array",
        tickvals=[axis.values[at] for at in ticks],
        ticktext=[
            f"<b>{axis.labels[at]}</b>" if at == axis.own else axis.labels[at] for at in ticks
        ],
        tickangle=0,
        showgrid=False,
    )


def apart(axis: Axis) -> list[int]:
    """Return the values whose labels have room: the marked one, the ends, then others."""
    places = np.log10(axis.values) if axis.log else np.array(axis.values)
    span = abs(float(places[-1] - places[0])) or 1.0
    widths = [TICKS * len(label) for label in axis.labels]

    def free(at: int, other: int) -> bool:
        return bool(abs(places[at] - places[other]) >= 0.5 * (widths[at] + widths[other]) * span)

    chosen: list[int] = []
    for at in dict.fromkeys([axis.own, 0, len(places) - 1, *range(len(places))]):
        if all(free(at, other) for other in chosen):
            chosen.append(at)
    return sorted(chosen)


def _add_own(fig: go.Figure, info: Info) -> None:
    own = info.axis.values[info.axis.own]
    layout.reference_line(fig, "solid", x0=own, x1=own)


def _add_line(fig: go.Figure, info: Info, line: Line) -> None:
    colour = colour_of(line.algorithm)
    done = [at for at, cell in enumerate(line.cells) if cell is not None]
    if not done:
        return
    cells = [line.at(at) for at in done]
    own = info.axis.own
    fig.add_trace(
        go.Scatter(
            name=line.algorithm.title,
            x=[info.axis.values[at] for at in done],
            y=[None if cell is None else info.cost * cell.mean for cell in cells],
            mode="lines+markers",
            opacity=PALE if line.doubted else 1.0,
            line={
                "color": colour,
                "width": 3,
                "dash": "solid" if line.algorithm.uses_correlation else "dash",
            },
            marker={
                "size": [10 if at == own else 7 if at in line.hollow else 5 for at in done],
                "symbol": ["circle-open" if at in line.hollow else "circle" for at in done],
                "color": colour,
                "opacity": 1.0,
            },
            cliponaxis=False,
            customdata=[_hover(info, line, at) for at in done],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _hover(info: Info, line: Line, at: int) -> str:
    cell = line.at(at)
    if cell is None:
        return ""
    text = f"{line.algorithm.title} at {info.axis.labels[at]}: {info.write(info.cost * cell.mean)}"
    if np.isnan(cell.low):
        return f"{text} (one run)"
    low, high = (info.write(info.cost * end) for end in (cell.low, cell.high))
    return f"{text} ({low} to {high}; {cell.trials:,} runs)"


def _add_out(fig: go.Figure, info: Info, line: Line) -> None:
    """Mark the cells in which runs ran out of budget; their costs are higher."""
    out = [
        (at, cell) for at, cell in enumerate(line.cells) if cell is not None and not cell.answered
    ]
    if not out:
        return
    fig.add_trace(
        go.Scatter(
            name=f"{line.algorithm.title} ran out",
            x=[info.axis.values[at] for at, _ in out],
            y=[info.cost * cell.mean for _, cell in out],
            mode="markers",
            cliponaxis=False,
            marker=layout.without_answer(colour_of(line.algorithm)),
            customdata=[
                f"{line.algorithm.title} at {info.axis.labels[at]}: {cell.ran_out:,} of "
                f"{cell.trials:,} runs had no answer, so it costs more than "
                f"{info.write(info.cost * cell.mean)}"
                for at, cell in out
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _rates(line: Line) -> list[float]:
    return [cell.errors.estimate for cell in line.cells if cell is not None and not cell.silent]


def _add_errors(fig: go.Figure, info: Info) -> None:
    """Draw the share of wrong answers as small marks; hollow where no answer was wrong."""
    values = info.axis.values
    fig.add_trace(
        go.Scatter(
            name="allowed",
            x=values,
            y=info.deltas,
            yaxis="y2",
            mode="lines" if len(values) > 1 else "markers",
            line={"color": GREY, "width": 1.5, "dash": "dash"},
            marker={"symbol": "line-ew", "size": 40, "line": {"color": GREY, "width": 1.5}},
            hovertemplate="allowed: %{y:.3~%}<extra></extra>",
        )
    )
    for line in info.lines:
        done = [(at, cell) for at, cell in enumerate(line.cells) if cell and not cell.silent]
        colour = colour_of(line.algorithm)
        symbols = ["circle" if cell.errors.count else "circle-open" for _, cell in done]
        fig.add_trace(
            go.Scatter(
                name=f"{line.algorithm.title} wrong",
                x=[values[at] for at, _ in done],
                y=[cell.errors.estimate for _, cell in done],
                yaxis="y2",
                mode="markers",
                cliponaxis=False,
                marker={
                    "size": 7,
                    "color": colour,
                    "symbol": symbols,
                    "line": {"color": colour, "width": 1.5},
                },
                customdata=[
                    f"{line.algorithm.title} at {info.axis.labels[at]}: {cell.errors.count:,} of "
                    f"{cell.errors.total:,} wrong (at most {percent(cell.errors.high)})"
                    for at, cell in done
                ],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )


def _name_ends(fig: go.Figure, info: Info, scale: Scale, *, dark: bool) -> None:
    """Write each algorithm's name at the end of its line."""
    ends = [(line, line.known[-1]) for line in info.lines if line.known]
    heights = scale.apart([_cost(info, line, at) for line, at in ends])
    for (line, _), height in zip(ends, heights, strict=True):
        layout.note(
            fig,
            f"<b>{line.algorithm.title}</b>",
            x=1.0,
            xref="paper",
            xanchor="left",
            xshift=8,
            y=height,
            yref="y",
            font={
                "size": layout.FONT,
                "color": text_colour(colour_of(line.algorithm), dark=dark),
            },
        )


def _write_own(fig: go.Figure, info: Info, scale: Scale, *, dark: bool) -> None:
    """Write the costs at the marked value beside its line."""
    own, axis = info.axis.own, info.axis
    lines = [line for line in info.lines if line.at(own) is not None]
    heights = scale.apart([_cost(info, line, own) for line in lines])
    x = float(np.log10(axis.values[own])) if axis.log else axis.values[own]
    left = own > 0.7 * (len(axis.values) - 1)
    for line, height in zip(lines, heights, strict=True):
        layout.note(
            fig,
            f"<b>{info.write(_cost(info, line, own))}</b>",
            x=x,
            xref="x",
            xanchor="right" if left else "left",
            xshift=-8 if left else 8,
            y=height,
            yref="y",
            bgcolor=layout.rgba(PAPERS[dark], 0.8),
            borderpad=0,
            font={
                "size": layout.FONT + 1,
                "color": text_colour(colour_of(line.algorithm), dark=dark),
            },
        )


def _cost(info: Info, line: Line, at: int) -> float:
    cell = line.at(at)
    return 0.0 if cell is None else info.cost * cell.mean
