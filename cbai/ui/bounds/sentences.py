"""The sentences of the page Bounds, computed from its figures; no Streamlit here."""

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
"""Rewards vary little if their standard deviation is below this share of the largest possible."""


def coverage_answer(info: Misses, spread: float, words: Words) -> str:
    """Say how often bounds missed the true mean when they were checked after every reward.

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
    start = f"hecked after every {words.sample}"
    if fixed is None:
        return f"C{start}, {_anytime(rates)}. A{allowed[1:]} miss it."
    missed = f"missed the true mean in {fixed.count:,} of {fixed.total:,} streams"
    others = f" {_anytime(rates, after=True)}." if rates else ""
    if fixed.low > info.promise:
        return f"C{start}, the fixed-n bound {missed}, although {allowed} miss it.{others}"
    why = (
        f"These {words.samples} vary only {percent(spread)} as much as the bound allows for."
        if spread < CALM
        else f"Perhaps {info.n[-1]:,} {words.samples} are too few to see more misses."
    )
    return f"Here even the fixed-n bound, c{start}, {missed}; {allowed} miss it. {why}"


def _anytime(rates: dict[str, Rate], *, after: bool = False) -> str:
    """Say how often the anytime bound with the most misses missed."""
    name, worst = max(rates.items(), key=lambda item: item[1].count)
    one = len(rates) == 1
    who = f"the bound {CONFIDENCE[name].title}" if one else f"the {len(rates)} anytime bounds"
    times = f"{worst.count:,}" if worst.count else "none"
    number = times if one or not worst.count else f"at most {times}"
    rate = f"(rate at most {percent(worst.high)})"
    if after:
        return f"T{who[1:]} missed it in {number} {rate}"
    return f"{who} missed the true mean in {number} of {worst.total:,} streams {rate}"


def price_answer(info: Widths, n: int, words: Words) -> str:
    """Compare the tightest anytime bound with the bound that may be checked only once.

    Parameters
    ----------
    info : cbai.figures.bounds.bound_widths.Info
    n : int
        Number of rewards at which both are compared.
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
    title = CONFIDENCE[name].title
    tightest = f"After {n:,} {words.samples}, {title} is the tightest anytime bound shown here."
    factor = gap / fixed
    if factor >= 1.0:
        return (
            f"{tightest} It is {factor:.2g} times as far from the mean as the fixed-n bound. This "
            "factor is the price of holding at every moment."
        )
    return (
        f"{tightest} It is even nearer to the mean than the fixed-n bound: {factor:.2g} times as "
        "far. The mean is close to an end of its range, so rewards vary little, and this bound "
        "uses that."
    )
