"""Money and days as a text to forward; no Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cbai.figures.base.style import THIN_SPACE, count, decimal, percent
from cbai.figures.base.words import listed
from cbai.problem.validity import VALID, Validity
from cbai.results.praise import doubt
from cbai.results.price import Price
from cbai.results.sweep import Cell
from cbai.simulation import find
from cbai.ui.parts.answers import left_out, rate_text
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.amounts import money
from cbai.ui.whatif.amounts import price as priced


def summary(
    setup: Setup,
    names: Sequence[str],
    cells: Mapping[str, Cell],
    price: Price,
    unit: str,
    validity: Validity,
    among: Sequence[str] = (),
) -> str:
    """Write the text for those who decide.

    Parameters
    ----------
    setup : Setup
    names : sequence of str
        The algorithms that the text is about.
    cells : mapping of str to Cell
        The runs of each algorithm at the setup; algorithms without finished runs are missing.
    price : Price
    unit : str
        The unit of the cost; may be empty.
    validity : Validity
        Of the setup's pseudo-rewards.
    among : sequence of str
        The algorithms among which `names` were chosen as the cheapest of each kind.

    Returns
    -------
    str
        One paragraph. It only says of an algorithm that may not be praised that it is left out;
        see `cbai.results.praise`.
    """
    words = setup.words
    asked = (
        f"Simulated on {setup.dataset.title}: find the best of {setup.problem.n_arms} "
        f"{words.arms}, with a probability of at most {percent(setup.delta)} for a wrong answer "
        f"(δ = {setup.delta:g}). {percent(setup.p)} of the pseudo-rewards are unknown; the safety "
        f"buffer is {decimal(setup.q)}. Each algorithm had {setup.trials:,} runs."
    )
    every = [name for name in cells if name in names or name in among]
    why = {name: _doubt(name, cells[name], setup, validity) for name in every}
    told = [name for name in names if not why[name]]
    parts = [_one(find(name).title, cells[name], price, unit, setup) for name in told]
    if told and len([name for name in every if not why[name]]) > len(told):
        parts.append(
            "These algorithms were chosen as the cheapest of each kind by the same runs, so the "
            "means may be slightly too low."
        )
    rest = left_out(
        [find(name) for name in every], [why[name] for name in every], setup.q, validity
    )
    holds = _assumption(told, validity, setup) if told else ""
    return " ".join(part for part in [asked, *parts, holds, rest] if part)


def _doubt(name: str, cell: Cell, setup: Setup, validity: Validity) -> str:
    problem = setup.problem
    named = problem.ranking[: setup.top].tolist() if setup.top > 1 else []
    return doubt(find(name), problem.n_arms, setup.delta, validity, cell.errors, named)


def _one(title: str, cell: Cell, price: Price, unit: str, setup: Setup) -> str:
    words = setup.words
    wrong = f"Observed: {rate_text(cell.errors)}."
    budget = f"{cell.max_samples:,} {words.samples}"
    if cell.silent:
        return f"{title}: no run had an answer within {budget}, so its cost is unknown."
    days, bill = price.days(cell), price.money(cell)
    if days is None or bill is None:
        return (
            f"{title}: {cell.ran_out:,} of {cell.trials:,} runs had no answer within {budget}, so "
            f"its cost is unknown. {wrong}"
        )
    one = cell.trials == 1
    interval = "one run only" if one else f"95{THIN_SPACE}% interval {_ends(cell.low, cell.high)}"
    return (
        f"{title} needs {count(cell.mean)} {words.samples} on average ({interval}). At "
        f"{priced(price.cost, unit)} per {words.sample} this costs {money(bill.mean, unit)}"
        f"{'' if one else f' ({_ends(bill.low, bill.high)})'}. At {count(price.per_day)} "
        f"{words.samples} per day it takes {count(days.mean)} days"
        f"{'' if one else f' ({_ends(days.low, days.high)})'}. 95{THIN_SPACE}% of runs cost "
        f"at most {money(bill.q95, unit)} and took at most {count(days.q95)} days. {wrong}"
    )


def _ends(low: float, high: float) -> str:
    return f"{count(low)} to {count(high)}"


def _assumption(names: Sequence[str], validity: Validity, setup: Setup) -> str:
    """Say that the pseudo-rewards are valid; algorithms for which they are not are left out."""
    relying = [find(name).title for name in names if find(name).trusts_pseudo_rewards]
    if not relying:
        return "No algorithm here relies on pseudo-rewards."
    rely = "relies" if len(relying) == 1 else "rely"
    which = (
        "pseudo-rewards"
        if validity.verdict == VALID
        else f"pseudo-rewards of the best {setup.words.arm}"
    )
    return f"The {which} that {listed(relying)} {rely} on are valid here."
