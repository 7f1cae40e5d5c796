"""Why an arm was dropped, in words with numbers; no Streamlit here."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cbai.figures.style import decimal
from cbai.figures.words import Words
from cbai.results.why import Why


def story(info: Why, words: Words) -> str:
    """Say what happened to the arm, and what decided."""
    trace, names = info.trace, info.trace.problem.arms
    name, leader, title = names[info.arm], names[info.leader], trace.algorithm.title
    samples = int(trace.samples[info.index])
    own = f"{info.own_pulls:,} {words.sample if info.own_pulls == 1 else words.samples} of its own"
    if info.out is None:
        return _still_in(info, words, own)
    head = (
        f"{title} dropped {name} in round {info.out.round:,}, after {samples:,} {words.samples} in "
        f"all and {own}. "
    )
    whose = "its own" if info.by == info.arm else f"those of {names[info.by]}"
    if info.bets:
        return (
            f"{head}Bets that it is less good than {leader}, which is at least "
            f"{decimal(info.bar, 4)}, had won {np.exp(info.needed):,.0f} times the stake, the "
            f"exponential of {info.needed:.1f}. Of all {words.samples}, {whose} say most."
        )
    bound = float(trace.upper[info.index, info.arm])
    alone = float(trace.own_upper[info.index, info.arm])
    text = (
        f"{head}By {whose} its mean is at most {decimal(bound, 4)}, and {leader} is at least "
        f"{decimal(info.bar, 4)}."
    )
    if info.by != info.arm:
        text += f" Its own {words.samples} alone would still allow {decimal(alone, 4)}."
    return text


def _still_in(info: Why, words: Words, own: str) -> str:
    trace, names = info.trace, info.trace.problem.arms
    name = names[info.arm]
    if trace.status != "identified":
        return f"The run ended without an answer; {name} was still in, after {own}."
    if info.arm == trace.best_arm:
        last = trace.eliminations[-1].arm if trace.eliminations else None
        beaten = f" {names[last]} was the last to go." if last is not None else ""
        return f"{name} is the answer, after {own}.{beaten}"
    return (
        f"{name} was never dropped, after {own}: {trace.algorithm.title} stopped because its upper "
        f"bound, {decimal(float(trace.upper[info.index, info.arm]), 3)}, was below what "
        f"{names[trace.best_arm]} is at least."
    )


def warning(info: Why, words: Words) -> str:
    """Say so if what decided is false in truth; empty if not."""
    if info.out is None or info.by == info.arm or not info.false_bound:
        return ""
    names = info.trace.problem.arms
    return (
        f"What {names[info.by]} says of {names[info.arm]} is, on average, below the truth: the "
        f"bound was false, whether or not the {words.arm} deserved to go."
    )


def arithmetic(info: Why, words: Words) -> str:
    """Say how the average came about, as a formula with numbers."""
    average = float(info.averages[info.by])
    terms = [
        rf"{int(n):,} \cdot {s:.3f}".replace(",", r"\,")
        for n, s in zip(info.seen, info.table, strict=True)
        if n
    ]
    shown = " + ".join(terms if len(terms) <= 5 else [*terms[:2], r"\dots", terms[-1]])
    total = f"{int(info.seen.sum()):,}".replace(",", r"\,")
    return rf"\frac{{{shown}}}{{{total}}} = {average:.3f}"


def table(info: Why, words: Words) -> pd.DataFrame:
    """Return the pseudo-rewards of the pair that decided, and how often each reward was seen."""
    problem = info.trace.problem
    name, source = problem.arms[info.arm], problem.arms[info.by]
    own = info.by == info.arm
    unknown = (info.table >= problem.reward_max) & (not own)
    return pd.DataFrame(
        {
            f"{words.capital_sample} of {source}": problem.values,
            "Seen": info.seen,
            f"{name} is then at most": [
                "unknown, so anything" if hidden else decimal(float(s), 3)
                for s, hidden in zip(info.table, unknown, strict=True)
            ],
        }
    )
