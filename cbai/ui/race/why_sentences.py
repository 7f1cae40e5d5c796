"""Why an arm was dropped, in words with numbers; no Streamlit here."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from cbai.figures.base.style import count, decimal
from cbai.figures.base.words import Words, capital
from cbai.results.stopped import Stop
from cbai.results.why import Why
from cbai.simulation import Algorithm
from cbai.simulation.loops.rules import PULL_SHARE
from cbai.simulation.rules.algorithms import Elimination, Stopping

MOST_DIGITS = 6
"""So many digits are written at most, to tell two bounds apart."""


MOST_TERMS = 8
"""So many products are written out at most."""

UNDRAWN = "may also stop by bounds at other shares of δ, which are not drawn"


def story(info: Why, words: Words) -> str:
    """Say what happened to the arm, and what decided."""
    if info.out is None:
        return _still_in(info, words)
    trace, names = info.trace, info.trace.problem.arms
    head = (
        f"{trace.algorithm.title} dropped {names[info.arm]} in round {info.out.round:,}, after "
        f"{int(trace.samples[info.index]):,} {words.samples} in all and {_own(info, words)}. "
    )
    if info.bets:
        return head + _by_bets(info, words)
    last = " of the last phase" if trace.algorithm.by_phases else ""
    bound, bar = apart(info.upper, info.bar)
    text = (
        f"{head}By {_whose(info, info.by, words)}{last} its mean is at most {bound}; "
        f"{names[info.leader]} is at least {bar}."
    )
    return text + ("" if info.by == info.arm else f" {_alone(info, words)}")


def _own(info: Why, words: Words) -> str:
    n = info.own_pulls
    return f"{n:,} {words.sample if n == 1 else words.samples} of its own"


def _whose(info: Why, arm: int, words: Words) -> str:
    """Name the samples of an arm, of which the sentence is."""
    if arm == info.arm:
        one = info.own_pulls == 1
        return f"its own {words.sample if one else words.samples}"
    return f"the {words.samples} of {info.trace.problem.arms[arm]}"


def _alone(info: Why, words: Words) -> str:
    """Say what own samples alone would have allowed."""
    bound = float(info.trace.own_upper[info.index, info.arm])
    whose = f"{_whose(info, info.arm, words)} alone"
    if bound >= info.trace.problem.reward_max:
        return f"By {whose} it could still have been anything."
    if bound < info.bar:
        return f"By {whose}, too, it would have been out: at most {apart(bound, info.bar)[0]}."
    return f"By {whose} it could still have been as high as {apart(bound, info.bar)[0]}."


def apart(one: float, other: float, digits: int = 3) -> tuple[str, str]:
    """Write two numbers with as many digits as tell them apart, within reason."""
    while decimal(one, digits) == decimal(other, digits) and digits < MOST_DIGITS:
        digits += 1
    return decimal(one, digits), decimal(other, digits)


def times(log_wealth: float) -> str:
    """Write how many times the stake was won, for people."""
    if log_wealth > math.log(1e9):
        return "over a billion"
    wealth = math.exp(log_wealth)
    return f"{math.floor(10.0 * wealth) / 10.0:g}" if wealth < 10.0 else count(wealth)


def _by_bets(info: Why, words: Words) -> str:
    names, pooled = info.trace.problem.arms, info.trace.algorithm.trusts_pseudo_rewards
    if info.certain:
        source = "its own" if info.by == info.arm else names[info.by]
        return (
            f"No {words.sample} of {source} allows it to be as good as {names[info.leader]}, which "
            f"is at least {decimal(info.bar, 3)}: that alone rules it out."
        )
    text = (
        f"Bets against its being as good as {names[info.leader]}, which is at least "
        f"{decimal(info.bar, 3)}, had won {times(info.total)} times the stake; "
        f"{times(info.needed)} times is enough."
    )
    if not pooled:
        return f"{text} Only {_whose(info, info.arm, words)} bet."
    text += f" {capital(_whose(info, info.by, words))} won most."
    if info.by == info.arm:
        return text
    own = float(info.said[info.arm])
    verdict = "would have been enough, too" if own >= info.needed else "would not have been enough"
    return f"{text} Its own alone {verdict}: {times(own)} times."


def _still_in(info: Why, words: Words) -> str:
    trace, name = info.trace, info.trace.problem.arms[info.arm]
    if info.stop is Stop.BUDGET:
        n = int(trace.samples[-1])
        return (
            f"{trace.algorithm.title} ran out after {n:,} {words.samples}, without an answer. "
            f"{name} was still in, after {_own(info, words)}. {_distance(info, words)}"
        )
    if info.is_answer:
        return f"{name} is the answer, after {_own(info, words)}. {_won(info, words)}"
    return f"{name} was never dropped, after {_own(info, words)}. {_ended(info, words)}"


def habit_of(row: Algorithm, words: Words) -> str:
    """Say when an algorithm drops arms, if not as soon as they are beaten; empty if it does so."""
    if row.by_phases:
        return f"drops {words.arms} at the end of a phase only, by the means of that phase"
    if row.elimination is Elimination.NONE:
        return f"drops no {words.arm} before it stops by a rule of its own"
    return ""


def stops_apart(row: Algorithm) -> bool:
    """Return whether an algorithm that drops arms may also stop by bounds at other shares of δ."""
    drops = row.elimination is not Elimination.NONE
    return drops and row.stopping is Stopping.LEADER_ABOVE_ALL


def line(rows: Sequence[Algorithm], words: Words) -> str:
    """Say what the dashed line of a race means for those who are left of it."""
    habits = [(row.title, habit) for row in rows if (habit := habit_of(row, words))]
    habits += [(row.title, UNDRAWN) for row in rows if stops_apart(row)]
    said = f"The dashed line is the leader's lower bound. {capital(words.an_arm)} "
    if any(not habit_of(row, words) for row in rows):
        said += "is out once its upper bound is left of it."
        return said + "".join(f" But {title} {habit}." for title, habit in habits)
    said += "is beaten once its upper bound is left of it."
    return said + "".join(f" {title} {habit}." for title, habit in habits)


def _distance(info: Why, words: Words) -> str:
    """Say how far the arm's upper bound is from the lower bound that it is compared with."""
    names = info.trace.problem.arms
    if not info.trace.active[info.index, info.leader] or info.leader == info.arm:
        return ""
    gap = info.upper - info.bar
    if info.upper >= info.trace.problem.reward_max:
        return f"It may still be anything; {names[info.leader]} is at least {decimal(info.bar, 3)}."
    bound, bar = apart(info.upper, info.bar)
    both = f"It is at most {bound} and {names[info.leader]} at least {bar}: "
    if gap > 0.0:
        return f"{both}its upper bound would have to fall by {decimal(gap, 3)} to be below that."
    habit = habit_of(info.trace.algorithm, words)
    return f"{both}beaten already, but {info.trace.algorithm.title} {habit}." if habit else ""


def _won(info: Why, words: Words) -> str:
    trace, names = info.trace, info.trace.problem.arms
    last = trace.eliminations[-1] if trace.eliminations else None
    beaten = ""
    if last is not None:
        beaten = f"{names[last.arm]} was the last to be dropped, in round {last.round:,}."
    if info.stop is Stop.ONE_LEFT:
        return beaten
    n = int(np.count_nonzero(trace.active[-1])) - 1
    still = (
        f"One other {words.arm} was still in" if n == 1 else f"{n} other {words.arms} were still in"
    )
    return " ".join(filter(None, (beaten, f"{still}.", _rule(info, words))))


def _rule(info: Why, words: Words) -> str:
    """Say which rule ended a run whose last step was no elimination."""
    trace, title = info.trace, info.trace.algorithm.title
    samples = int(trace.samples[-1])
    top = int(trace.pulls[-1, trace.best_arm])
    loose = f", or {trace.epsilon:g} short of it" if trace.epsilon > 0.0 else ""
    return {
        Stop.NEAR: f"{title} stopped as none of them may be better by more than {trace.epsilon:g}.",
        Stop.ABOVE_ALL: f"{title} stopped by its own rule: the answer is at least as good as "
        f"any other may be{loose}.",
        Stop.PULL_SHARE: f"{title} stopped by its own rule: the answer had {top:,} {words.samples},"
        f" at least {PULL_SHARE} times the {samples - top:,} of all others together.",
        Stop.RATIO: f"{title} stopped by its own rule: for each other {words.arm} its "
        f"{words.samples} and the answer's together speak against its being better"
        f"{f' by more than {trace.epsilon:g}' if trace.epsilon > 0.0 else ''}.",
    }.get(info.stop, "")


def _ended(info: Why, words: Words) -> str:
    """Say why the run ended although this arm was still in, with both bounds."""
    names, rule = info.trace.problem.arms, _rule(info, words)
    if info.stop is Stop.PULL_SHARE or math.isnan(info.upper):
        return rule
    best = names[info.leader]
    if info.bets:
        return (
            f"{rule} Bets against its being better than {best} by that much had won "
            f"{times(info.total)} times the stake; {times(info.needed)} times is enough."
        )
    bound, bar = apart(info.upper, info.bar)
    return f"{rule} It is at most {bound}; {best} is at least {bar}."


def reading(info: Why, words: Words) -> str:
    """Say how to read the figure."""
    name = info.trace.problem.arms[info.arm]
    habit = habit_of(info.trace.algorithm, words)
    if info.bets:
        text = f"How much bets on {words.samples} say against {name}, as logarithms: 1 nat is 2.7 "
        text += "times the stake. Past the dashed line is out."
        if info.trace.algorithm.trusts_pseudo_rewards:
            text += (
                f" Hatched: whose {words.samples} say most. Together they say what the others do "
                "and its own, less a little, as part of the stake is on its own alone."
            )
        return text
    known = np.flatnonzero(np.isfinite(info.said))
    whose = f"each {words.arm}'s {words.samples}"
    if known.tolist() == [info.arm]:
        whose = f"its own {words.samples}"
    elif len(known) < len(info.said):
        whose = f"the {words.samples} of each {words.arm} that counts"
    return (
        f"What {whose} say of {name} then: the tick is the average, the dot the upper bound. "
        f"The diamond {'decided' if info.out else 'says most'}; left of the dashed line is "
        f"{'beaten' if habit else 'out'}. Hollow dots say nothing yet."
    )


def warning(info: Why, words: Words) -> str:
    """Say so if what decided is false in truth; empty if not."""
    if info.out is None or info.by == info.arm or not info.false_bound:
        return ""
    names = info.trace.problem.arms
    what = "bets on it were not fair" if info.bets else "nothing made the bound hold"
    return (
        f"What the {words.samples} of {names[info.by]} say of {names[info.arm]} is, on average, "
        f"below the truth: {what}, whether or not the {words.arm} deserved to go."
    )


def arithmetic(info: Why, words: Words) -> str:
    """Say how the average came about, as a formula with numbers, two products a line."""
    terms = [
        rf"{int(n):,} \cdot {s:.3f}".replace(",", r"\,")
        for n, s in zip(info.seen, info.table, strict=True)
        if n
    ]
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 2], r"\dots", terms[-1]]
    lines = [" + ".join(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    total = f"{int(info.seen.sum()):,}".replace(",", r"\,")
    equals = rf"= {float(info.averages[info.by]):.3f}"
    if len(lines) == 1:
        return rf"\frac{{{lines[0]}}}{{{total}}} {equals}"
    body = r"\\ &+ ".join(lines)
    return rf"\begin{{aligned}} \bigl( & {body} \bigr) \big/ {total} \\ & {equals} \end{{aligned}}"


def _a(noun: str) -> str:
    return f"{'An' if noun[:1].lower() in 'aeiou' else 'A'} {noun}"


def after_the_sum(info: Why, words: Words) -> str:
    """Say how the average leads to what decided."""
    trace = info.trace
    if info.certain:
        return f"Every entry of the last column is below {decimal(info.bar, 3)}."
    if info.bets:
        return (
            f"{_a(words.sample)} wins its bet when what it says is below "
            f"{decimal(info.bar + info.slack, 3)}, and "
            "loses it when above: the lower this average, and the more of them, the more is won."
        )
    if trace.algorithm.by_phases:
        return f"The bound is made from the {words.samples} of the last phase only."
    if trace.algorithm.family.name != "COMPOSED":
        return "The bound is the lowest so far of such an average and an allowance for chance."
    if math.isnan(info.said[info.by]):
        return ""
    average, bound = float(info.averages[info.by]), float(info.said[info.by])
    return (
        f"With an allowance for chance of {decimal(bound - average, 3)}, which shrinks with the "
        f"number of {words.samples}, that makes {decimal(bound, 3)}."
    )


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
            f"{name} {'counts' if own else 'at most'}": [
                f"unknown, so {s:g}" if hidden else decimal(float(s), 3)
                for s, hidden in zip(info.table, unknown, strict=True)
            ],
        }
    )
