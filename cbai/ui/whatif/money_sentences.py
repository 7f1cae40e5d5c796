"""Money and days in words that can be forwarded; no Streamlit here."""

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


def money(number: float, unit: str) -> str:
    """Write an amount, with its unit if it has one."""
    return f"{count(number)} {unit}".strip()


def summary(
    setup: Setup,
    names: Sequence[str],
    cells: Mapping[str, Cell],
    price: Price,
    unit: str,
    validity: Validity,
    among: Sequence[str] = (),
) -> str:
    """Write the paragraph for those who decide.

    Parameters
    ----------
    setup : Setup
    names : sequence of str
        The algorithms that it is about.
    cells : mapping of str to Cell
        The runs of each at the setup's own settings; what is not done yet is left out.
    price : Price
    unit : str
        Of money; may be empty.
    validity : Validity
        Of the setup's pseudo-rewards.
    among : sequence of str
        The algorithms that `names` were chosen among, as the cheapest of each kind.

    Returns
    -------
    str
        Nothing but that they are left out of those that may not be praised; see
        `cbai.results.praise`.
    """
    words = setup.words
    asked = (
        f"Simulated on {setup.dataset.title}: finding the best of {setup.problem.n_arms} "
        f"{words.arms}, wrong with probability {percent(setup.delta)} at most (δ = "
        f"{setup.delta:g}), {percent(setup.p)} of the pseudo-rewards unknown, safety buffer "
        f"{decimal(setup.q)}; {setup.trials:,} runs of each algorithm."
    )
    every = [name for name in cells if name in names or name in among]
    why = {name: _doubt(name, cells[name], setup, validity) for name in every}
    told = [name for name in names if not why[name]]
    parts = [_one(find(name).title, cells[name], price, unit, setup) for name in told]
    if told and len([name for name in every if not why[name]]) > len(told):
        parts.append(
            "They are the cheapest of each kind, chosen by these same runs, so the means may be "
            "slightly too low."
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
        f"{title} needs {count(cell.mean)} {words.samples} on average ({interval}), a "
        f"cost of {money(bill.mean, unit)}{'' if one else f' ({_ends(bill.low, bill.high)})'} at "
        f"{money(price.cost, unit)} per {words.sample}, and {count(days.mean)} days"
        f"{'' if one else f' ({_ends(days.low, days.high)})'} at "
        f"{count(price.per_day)} {words.samples} a day; 95{THIN_SPACE}% of runs ended within "
        f"{money(bill.q95, unit)} and {count(days.q95)} days. {wrong}"
    )


def _ends(low: float, high: float) -> str:
    return f"{count(low)} to {count(high)}"


def _assumption(names: Sequence[str], validity: Validity, setup: Setup) -> str:
    """Say that what the algorithms rely on holds: those for which it does not are left out."""
    relying = [find(name).title for name in names if find(name).trusts_pseudo_rewards]
    if not relying:
        return "No pseudo-rewards are relied on."
    rely = "relies" if len(relying) == 1 else "rely"
    which = (
        "pseudo-rewards"
        if validity.verdict == VALID
        else f"pseudo-rewards of the best {setup.words.arm}"
    )
    return f"The {which} that {listed(relying)} {rely} on hold here."
