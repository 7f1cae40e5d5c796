"""What runs with a fixed budget say, in sentences; no Streamlit here."""

from __future__ import annotations

from collections.abc import Collection

from cbai.figures.base.style import THIN_SPACE, count, decimal, percent
from cbai.figures.base.words import Words
from cbai.results import Rate, budget_error, budget_loss
from cbai.simulation import BudgetCurve

INTERVAL = f"95{THIN_SPACE}% interval"


def right_text(rate: Rate) -> str:
    """Say how often an answer is right, with its exact interval."""
    if not rate.count:
        return (
            f"right in all {rate.total:,} runs ({INTERVAL}: at least {percent(1.0 - rate.high)} of "
            "the time)"
        )
    return (
        f"right {percent(1.0 - rate.estimate)} of the time ({INTERVAL} "
        f"{percent(1.0 - rate.high)} to {percent(1.0 - rate.low)})"
    )


def loss_text(loss: float) -> str:
    """Write a loss with few digits."""
    return "0" if loss < 5e-5 else decimal(loss, 4 if loss < 0.01 else 3 if loss < 1.0 else 2)


def best_at(curve: BudgetCurve, own: int, doubted: Collection[str] = ()) -> int | None:
    """Return the place of the algorithm that errs least with a budget, among those not doubted."""
    i = curve.budgets.index(own)
    able = [
        a
        for a, row in enumerate(curve.algorithms)
        if curve.played[a, i] and row.name not in doubted
    ]
    return min(able, key=lambda a: budget_error(curve, a, i).count, default=None)


def budget_answer(curve: BudgetCurve, own: int, words: Words, doubted: Collection[str] = ()) -> str:
    """Say in one sentence how sure the best of the algorithms is with a budget.

    Parameters
    ----------
    curve : BudgetCurve
    own : int
        One of its budgets.
    words : Words
    doubted : collection of str
        Names of algorithms that may not be praised, as the pseudo-rewards are too low.
    """
    best = best_at(curve, own, doubted)
    if best is None:
        least = min(row.least(curve.problem.n_arms) for row in curve.algorithms)
        if own < least:
            return (
                f"{own:,} {words.samples} are too few here: these algorithms need at least "
                f"{least:,}."
            )
        return "No answer can be trusted here: the algorithms shown rely on bounds that are false."
    rate = budget_error(curve, best, curve.budgets.index(own))
    return f"With {own:,} {words.samples} {curve.algorithms[best].title} is {right_text(rate)}."


def others_answer(curve: BudgetCurve, own: int, words: Words, doubted: Collection[str] = ()) -> str:
    """Say how often the other algorithms are right with this budget; empty if there are none."""
    best, i = best_at(curve, own, doubted), curve.budgets.index(own)
    if not curve.played[:, i].any():
        return ""
    parts = []
    for a, row in enumerate(curve.algorithms):
        if a == best:
            continue
        if not curve.played[a, i]:
            parts.append(f"{row.title} needs at least {row.least(curve.problem.n_arms):,}")
        else:
            parts.append(f"{row.title} is {right_text(budget_error(curve, a, i))}")
    if not parts:
        return ""
    return f"With as many {words.samples}, " + "; ".join(parts) + "."


def loss_answer(curve: BudgetCurve, own: int, words: Words, doubted: Collection[str] = ()) -> str:
    """Say how far the answer is below the best arm on average; empty if no answer is praised."""
    best = best_at(curve, own, doubted)
    if best is None:
        return ""
    loss = budget_loss(curve, best, curve.budgets.index(own))
    return (
        f"A wrong answer may still be a good one. On average the {words.arm} that "
        f"{curve.algorithms[best].title} names is {loss_text(loss.estimate)} below the best "
        f"({INTERVAL} {loss_text(loss.low)} to {loss_text(loss.high)}, in units of reward)."
    )


def needed_answer(curve: BudgetCurve, own: int, words: Words, doubted: Collection[str] = ()) -> str:
    """Say how many samples uniform allocation needs to be as sure; empty if the curve is short."""
    best, names = best_at(curve, own, doubted), [row.name for row in curve.algorithms]
    if best is None or "uniform" not in names or names[best] == "uniform":
        return ""
    i, uniform = curve.budgets.index(own), names.index("uniform")
    goal = budget_error(curve, best, i)
    if not goal.count:
        return ""
    as_sure = (
        n
        for j, n in enumerate(curve.budgets)
        if curve.played[uniform, j] and budget_error(curve, uniform, j).count <= goal.count
    )
    n = next(as_sure, None)
    if n is None:
        return (
            f"Even with {curve.budgets[-1]:,} {words.samples}, an equal number for each "
            f"{words.arm} is less sure."
        )
    if n <= own:
        return ""
    return (
        f"With an equal number for each {words.arm}, it takes up to {count(n)} {words.samples} to "
        "be as sure."
    )


NO_PROMISE = (
    "These rates are for these data, whose means are known here. With a fixed budget there is no "
    "δ: on other data the same budget may be enough or far too small, and nobody can tell before."
)
