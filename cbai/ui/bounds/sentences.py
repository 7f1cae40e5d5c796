"""What the page on bounds says in words, computed from its figures; no Streamlit here."""

from __future__ import annotations

import numpy as np

from cbai.figures.base.style import percent
from cbai.figures.base.words import Words
from cbai.figures.bounds.bound_widths import Info as Widths
from cbai.figures.bounds.miss_curves import FIXED
from cbai.figures.bounds.miss_curves import Info as Misses
from cbai.results import Rate
from cbai.simulation import CONFIDENCE

CALM = 0.75
"""Below this share of the largest standard deviation, rewards count as varying little."""


def coverage_answer(info: Misses, spread: float, words: Words) -> str:
    """Say how often bounds missed the truth that were looked at after every reward.

    Parameters
    ----------
    info : cbai.figures.bounds.miss_curves.Info
    spread : float
        The standard deviation of a reward, as a share of the largest possible, b / 2.
    words : Words
    """
    rates = dict(zip(info.names, info.ends, strict=True))
    fixed = rates.pop(FIXED, None)
    allowed = f"at most {percent(info.promise)} may"
    start = f"ooked at after every {words.sample}"
    if fixed is None:
        return f"L{start}, {_anytime(rates)}, where {allowed}."
    missed = f"missed the truth in {fixed.count:,} of {fixed.total:,} streams"
    others = f" {_anytime(rates, after=True)}." if rates else ""
    if fixed.low > info.promise:
        return f"L{start}, the fixed-n bound {missed}, though {allowed}.{others}"
    why = (
        f"These {words.samples} vary only {percent(spread)} as much as a bound must allow for."
        if spread < CALM
        else f"Or is {info.n[-1]:,} too short a look?"
    )
    return f"Here even the fixed-n bound, l{start}, {missed}, where {allowed}. {why}"


def _anytime(rates: dict[str, Rate], *, after: bool = False) -> str:
    """Say how often the anytime bounds missed, by the worst of them."""
    name, worst = max(rates.items(), key=lambda item: item[1].count)
    one = len(rates) == 1
    who = f"the bound {CONFIDENCE[name].title}" if one else f"the {len(rates)} anytime bounds"
    times = f"{worst.count:,}" if worst.count else "none"
    number = times if one or not worst.count else f"at most {times}"
    rate = f"(rate at most {percent(worst.high)})"
    if after:
        return f"T{who[1:]} missed it in {number} {rate}"
    return f"{who} missed the truth in {number} of {worst.total:,} streams {rate}"


def price_answer(info: Widths, n: int, words: Words) -> str:
    """Say how much wider the tightest anytime bound is than one that may be looked at once.

    Parameters
    ----------
    info : cbai.figures.bounds.bound_widths.Info
    n : int
        After how many rewards.
    words : Words
    """
    fixed = float(CONFIDENCE[FIXED].radius(n, info.d, info.reward_max))
    gaps = {
        name: float(CONFIDENCE[name].upper(info.mean, n, info.d, info.reward_max)) - info.mean
        for name in info.names
        if CONFIDENCE[name].anytime
    }
    gaps = {name: gap for name, gap in gaps.items() if gap > 0.0}
    if not gaps or not np.isfinite(fixed):
        return "Choose an anytime bound to see its price."
    name, gap = min(gaps.items(), key=lambda item: item[1])
    tightest = f"After {n:,} {words.samples} the tightest anytime bound here, "
    factor = gap / fixed
    if factor >= 1.0:
        return (
            f"{tightest}{CONFIDENCE[name].title}, is {factor:.2g} times as far from the mean as "
            "the fixed-n bound: the price of holding at every moment."
        )
    return (
        f"{tightest}{CONFIDENCE[name].title}, is even nearer than the fixed-n bound, "
        f"{factor:.2g} times as far from the mean: it sees that a mean so near the edge varies "
        "little."
    )
