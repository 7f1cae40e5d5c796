"""What it costs in money and days, on the page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cbai.results.price import Price
from cbai.results.sweep import Cell, cell_of
from cbai.simulation import find
from cbai.ui.runs import cache
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.money_sentences import summary
from cbai.ui.whatif.sweep_plan import Plan
from cbai.ui.whatif.sweep_sentences import Found, speakers

LONGEST_UNIT = 12


def prices(setup: Setup) -> tuple[Price, str]:
    """Draw what a sample costs and how many there are a day; return these and the unit."""
    words = setup.words
    with st.container(horizontal=True, vertical_alignment="bottom", key="price_controls"):
        cost = st.number_input(
            f"Cost of one {words.sample}",
            0.0,
            1e6,
            value=1.0,
            key=number_in_link("cost"),
            bind="query-params",
            width=180,
            help="In whatever you count: money, minutes, patients' visits.",
        )
        unit = st.text_input(
            "Counted in",
            max_chars=LONGEST_UNIT,
            placeholder="EUR, minutes",
            key=in_link("unit"),
            bind="query-params",
            width=160,
            help="The unit of that cost, as it shall stand in the table and the paragraph.",
        )
        per_day = st.number_input(
            f"{words.capital_samples} a day",
            1,
            10**9,
            value=1000,
            key=number_in_link("per_day"),
            bind="query-params",
            width=180,
            help=f"How many {words.samples} can be had in a day, one after the other.",
        )
    return Price(float(cost), float(per_day)), " ".join(unit.split())


def draw(plan: Plan, setup: Setup, found: Found) -> None:
    """Show what each algorithm costs at the sidebar's settings, and a paragraph to forward."""
    price, unit = prices(setup)
    cells = {
        name: cell_of(trials)
        for name in plan.algorithms
        if (trials := found.get((plan.whole, name))) is not None
    }
    if not cells:
        st.caption("Not worked out yet.")
        return
    _table(cells, price, unit, setup)
    names = [name for name in speakers_at(plan, found) if name in cells]
    if names:
        kinds = "" if len(names) == len(cells) else " (the cheapest of each kind)"
        st.markdown(f"To forward{kinds}:")
        text = summary(
            setup, names, cells, price, unit, cache.get_validity(setup), among=plan.algorithms
        )
        st.code(text, language=None, wrap_lines=True)


def speakers_at(plan: Plan, found: Found) -> list[str]:
    """Return the algorithms that the paragraph is about, chosen by all the sidebar's runs."""
    whole = Plan((), {(): plan.whole}, plan.algorithms, plan.whole)
    return speakers(whole, found, cache.get_validity)


def _table(cells: dict[str, Cell], price: Price, unit: str, setup: Setup) -> None:
    words = setup.words
    rows = []
    for name, cell in cells.items():
        bill, days = price.money(cell), price.days(cell)
        rows.append(
            {
                "Algorithm": find(name).title,
                words.capital_samples: None if bill is None else cell.mean,
                "cost": None if bill is None else bill.mean,
                "cost from": None if bill is None else bill.low,
                "cost to": None if bill is None else bill.high,
                "days": None if days is None else days.mean,
                "days from": None if days is None else days.low,
                "days to": None if days is None else days.high,
                "days q95": None if days is None else days.q95,
                "ran out": cell.ran_out,
            }
        )
    whole, tenths = "%,.0f", "%,.1f"
    large = price.cost * max(cell.mean for cell in cells.values()) >= 1000.0
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows).astype({"cost": float, "days": float}),
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={
            words.capital_samples: number(format=whole),
            "cost": number(f"Cost, {unit}" if unit else "Cost", format=whole if large else "%,.2f"),
            "cost from": number("from", format=whole if large else "%,.2f"),
            "cost to": number("to", format=whole if large else "%,.2f"),
            "days": number("Days", format=tenths),
            "days from": number("from", format=tenths),
            "days to": number("to", format=tenths),
            "days q95": number("95 % within", format=tenths),
            "ran out": number("Ran out"),
        },
    )
    st.caption(
        f"Means over {setup.trials:,} runs at the sidebar's own settings, with 95 % intervals of "
        "the mean; 95 % of single runs end within the last number of days. Where a run ran out of "
        "the budget nobody knows what it would have cost, so there is no number."
    )
