"""The one picture of What if: cost against what is varied."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from cbai.figures.whatif import cost_lines
from cbai.figures.whatif.cost_info import Info, Line, alt_text, cells_in
from cbai.results.price import Price
from cbai.results.sweep import Axis
from cbai.simulation import find
from cbai.ui.parts import chart
from cbai.ui.runs import cache
from cbai.ui.shell import present
from cbai.ui.whatif import amounts
from cbai.ui.whatif.speakers import doubt_at
from cbai.ui.whatif.sweep_plan import Found, Index, Plan
from cbai.ui.whatif.sweep_sentences import runs_of

KEY = "what if"
"""The key of the figure on the page."""
LOW = 290
"""The height in the presenter view before it is enlarged: the picture then fits 1280 x 720."""


def info_of(plan: Plan, found: Found, price: Price, unit: str) -> Info:
    """Return what the picture shows.

    If two parameters are swept, it varies the first; the second stays at the sidebar's value.
    """
    axis = plan.axes[0]
    row: list[Index] = [(at, *plan.own[1:]) for at in range(len(axis.values))]
    lines = []
    for name in plan.algorithms:
        runs = [plan.trials(index, name, found) for index in row]
        hollow = frozenset(
            at
            for at, (index, one) in enumerate(zip(row, runs, strict=True))
            if doubt_at(plan.job(index, name)[0], name, one, cache.get_validity)
        )
        cells = cells_in(runs)
        lines.append(Line(find(name), cells, axis.own in hollow, hollow))
    words, free = plan.whole.words, not price.cost
    return Info(
        in_words(axis),
        tuple(lines),
        tuple(plan.setups[index].delta for index in row),
        price.cost or 1.0,
        lambda value: amounts.money(value, "" if free else unit),
        lambda value: amounts.tick(value, "" if free else unit),
        words.samples if free else "" if amounts.is_symbol(unit) else f"cost, {unit}".rstrip(", "),
    )


def in_words(axis: Axis) -> Axis:
    """Return an axis as the picture names it: errors are percentages."""
    if axis.name != "delta":
        return axis
    labels = tuple(amounts.share(value) for value in axis.values)
    return replace(axis, title="error accepted (more certain →)", labels=labels)


def draw(info: Info) -> None:
    """Show the picture."""
    dark = st.context.theme.type == "dark"
    height = LOW if present.on() else cost_lines.HEIGHT
    chart.show(cost_lines.draw(info, dark=dark, height=height), KEY, alt_text(info))


def how_to_read(plan: Plan, info: Info) -> str:
    """Say how to read the picture."""
    samples = plan.whole.words.samples
    log = " The scale is logarithmic." if info.log else ""
    pale = " Pale: not to be trusted here." if any(line.doubted for line in info.lines) else ""
    if any(line.hollow - {info.axis.own} for line in info.lines):
        pale += " Hollow marks: not to be trusted at that value."
    out = any(cell is not None and not cell.answered for line in info.lines for cell in line.cells)
    ran_out = " Open triangles: runs without an answer, so the cost is higher." if out else ""
    second = f" {plan.axes[1].title.capitalize()} stays as set." if len(plan.axes) > 1 else ""
    return (
        f"A line is the mean cost of one algorithm, over {runs_of(plan, 'your own value')}. Solid "
        f"lines use the survey; dashed lines use only each {plan.whole.words.arm}'s own {samples}. "
        f"The grey line marks your own value.{log}{pale}{ran_out}{second} In the strip below, "
        "a filled mark is a share of wrong answers above 0."
    )
