"""What the samples cost in money and days, on the page."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cbai.figures.base.style import THIN_SPACE
from cbai.results.price import Price
from cbai.results.sweep import Cell, cell_of
from cbai.simulation import find
from cbai.ui.runs import cache
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.money_sentences import summary
from cbai.ui.whatif.speakers import speakers
from cbai.ui.whatif.sweep_plan import Found, Plan


def draw(plan: Plan, setup: Setup, found: Found, price: Price, unit: str) -> None:
    """Show what each algorithm costs at the sidebar's setting, and a text to forward."""
    cells = {
        name: cell_of(trials)
        for name in plan.algorithms
        if (trials := found.get((plan.whole, name))) is not None
    }
    if not cells:
        st.caption("Not computed yet.")
        return
    _table(cells, price, unit, setup)
    names = [name for name in speakers_at(plan, found) if name in cells]
    if names:
        kinds = "" if len(names) == len(cells) else ", about the cheapest algorithm of each kind"
        st.markdown(f"Text to forward{kinds}:")
        text = summary(
            setup, names, cells, price, unit, cache.get_validity(setup), among=plan.algorithms
        )
        st.code(text, language=None, wrap_lines=True)


def speakers_at(plan: Plan, found: Found) -> list[str]:
    """Return the algorithms that the text is about, chosen by all runs of the sidebar's setting."""
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
            "cost from": number("Cost from", format=whole if large else "%,.2f"),
            "cost to": number("Cost to", format=whole if large else "%,.2f"),
            "days": number("Days", format=tenths),
            "days from": number("Days from", format=tenths),
            "days to": number("Days to", format=tenths),
            "days q95": number(f"95{THIN_SPACE}% of runs within", format=tenths),
            "ran out": number("Ran out of budget"),
        },
    )
    st.caption(
        f"Means over {setup.trials:,} runs at the sidebar's setting. “From” and “to” are the ends "
        f"of the mean's 95{THIN_SPACE}% interval. “95{THIN_SPACE}% of runs within” is the number "
        f"of days within which 95{THIN_SPACE}% of single runs end. If a run ran out of budget, "
        "its cost is unknown, so no number is shown."
    )
