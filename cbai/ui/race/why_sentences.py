"""Why an arm was ruled out, in words with numbers; no Streamlit here."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from cbai.figures.base.digits import apart
from cbai.figures.base.style import decimal
from cbai.figures.base.words import Words, capital
from cbai.results.stopped import Stop
from cbai.results.why import Why
from cbai.simulation import Algorithm
from cbai.simulation.loops.rules import PULL_SHARE
from cbai.simulation.rules.choices import Elimination, Stopping
from cbai.ui.race import claim_sentences
from cbai.ui.race.claim_sentences import times

MOST_TERMS = 8
"""The most products that are written out."""

UNDRAWN = "may also stop by bounds with other shares of δ; these are not drawn"


def story(info: Why, words: Words) -> str:
    """Say what happened to the arm, and what decided about it."""
    if info.out is None:
        return _still_in(info, words)
    trace, names = info.trace, info.trace.problem.arms
    name = names[info.arm]
    head = (
        f"{trace.algorithm.title} ruled out {name} in round {info.out.round:,}. By then there were "
        f"{int(trace.samples[info.index]):,} {words.samples}, {info.own_pulls:,} of them of "
        f"{name}. "
    )
    if info.bets:
        return head + _by_bets(info, words)
    if trace.algorithm.by_claim:
        return head + claim_sentences.refuted(info, _whose(info, info.by, words), words)
    last = " of the last phase" if trace.algorithm.by_phases else ""
    bound, bar = apart(info.upper, info.bar)
    text = (
        f"{head}By {_whose(info, info.by, words)}{last}, the mean of {name} is at most {bound}. "
        f"The mean of {names[info.leader]} is at least {bar}."
    )
    return text + ("" if info.by == info.arm else f" {_alone(info, words)}")


def heading(info: Why) -> str:
    """Ask the question that the story answers."""
    name = info.trace.problem.arms[info.arm]
    if info.is_answer:
        return f"Why is {name} the answer?"
    return f"Why was {name} {'ruled out' if info.out else 'not ruled out'}?"


def _own(info: Why, words: Words) -> str:
    n = info.own_pulls
    return f"{n:,} {words.sample if n == 1 else words.samples} of its own"


def _whose(info: Why, arm: int, words: Words) -> str:
    """Name the samples of an arm; those of the arm to be explained are its own."""
    if arm == info.arm:
        one = info.own_pulls == 1
        return f"its own {words.sample if one else words.samples}"
    return f"the {words.samples} of {info.trace.problem.arms[arm]}"


def _alone(info: Why, words: Words) -> str:
    """Say what the arm's own samples alone would have allowed."""
    bound = float(info.trace.own_upper[info.index, info.arm])
    whose = f"{_whose(info, info.arm, words)} alone"
    if bound >= info.trace.problem.reward_max:
        return f"By {whose}, its mean could still have been anything."
    most = apart(bound, info.bar)[0]
    if bound < info.bar:
        return f"By {whose}, its mean is at most {most}, so they would have ruled it out, too."
    return f"By {whose}, its mean could still have been as high as {most}."


def _by_bets(info: Why, words: Words) -> str:
    names, pooled = info.trace.problem.arms, info.trace.algorithm.trusts_pseudo_rewards
    name, leader, bar = names[info.arm], names[info.leader], decimal(info.bar, 3)
    if info.certain:
        source = "its own" if info.by == info.arm else names[info.by]
        return (
            f"Whatever a {words.sample} of {source} is, it does not allow {name} to be as good as "
            f"{leader}, whose mean is at least {bar}. That alone rules it out."
        )
    text = (
        f"The bets were against {name} being as good as {leader}, whose mean is at least {bar}. "
        f"They had multiplied the stake by {times(info.total)}. A factor of {times(info.needed)} "
        "is enough."
    )
    if not pooled:
        return f"{text} Only bets on {_whose(info, info.arm, words)} count."
    text += f" Bets on {_whose(info, info.by, words)} won most."
    if info.by == info.arm:
        return text
    own = float(info.said[info.arm])
    enough = "enough, too" if own >= info.needed else "not enough"
    return (
        f"{text} Bets on {_whose(info, info.arm, words)} alone had multiplied it by {times(own)}: "
        f"{enough}."
    )


def _still_in(info: Why, words: Words) -> str:
    trace, name = info.trace, info.trace.problem.arms[info.arm]
    if info.stop is Stop.BUDGET:
        n = int(trace.samples[-1])
        return (
            f"{trace.algorithm.title} used up its budget after {n:,} {words.samples}, without an "
            f"answer. {name} was not ruled out. It had {_own(info, words)}. "
            f"{_distance(info, words)}"
        )
    if info.is_answer:
        return f"{name} is the answer. It had {_own(info, words)}. {_won(info, words)}"
    return f"{name} was never ruled out. It had {_own(info, words)}. {_ended(info, words)}"


def habit_of(row: Algorithm, words: Words) -> str:
    """Say when an algorithm rules arms out; empty if it does so as soon as they are beaten."""
    if row.by_phases:
        return f"rules out {words.arms} at the end of a phase only, by the means of that phase"
    if row.elimination is Elimination.NONE:
        return f"rules out no {words.arm} before it stops by its own stopping rule"
    if row.by_claim:
        return claim_sentences.habit(words)
    return ""


def stops_apart(row: Algorithm) -> bool:
    """Return whether an algorithm rules arms out and may also stop by bounds at other shares."""
    rules_out = row.elimination is not Elimination.NONE
    return rules_out and row.stopping is Stopping.LEADER_ABOVE_ALL


def line(rows: Sequence[Algorithm], words: Words) -> str:
    """Say what the dashed line of a race means for an arm whose bar is left of it."""
    habits = [(row.title, habit) for row in rows if (habit := habit_of(row, words))]
    habits += [(row.title, UNDRAWN) for row in rows if stops_apart(row)]
    said = f"The dashed line is the leader's lower bound. {capital(words.an_arm)} "
    if any(not habit_of(row, words) for row in rows):
        said += "is ruled out once its upper bound is left of that line."
        return said + "".join(f" But {title} {habit}." for title, habit in habits)
    said += "is beaten once its upper bound is left of that line."
    return said + "".join(f" {title} {habit}." for title, habit in habits)


def _distance(info: Why, words: Words) -> str:
    """Say how far the arm's upper bound is from the lower bound that it is compared with."""
    names = info.trace.problem.arms
    if not info.trace.active[info.index, info.leader] or info.leader == info.arm:
        return ""
    gap = info.upper - info.bar
    if info.upper >= info.trace.problem.reward_max:
        bar = decimal(info.bar, 3)
        return (
            f"Its mean may still be anything. The mean of {names[info.leader]} is at least {bar}."
        )
    bound, bar = apart(info.upper, info.bar)
    both = f"Its mean is at most {bound}. The mean of {names[info.leader]} is at least {bar}."
    if gap > 0.0:
        fall = apart(gap, 0.0)[0]
        return f"{both} To be below that, its upper bound would have to fall by {fall}."
    habit = habit_of(info.trace.algorithm, words)
    beaten = f"{names[info.arm]} is beaten already, but {info.trace.algorithm.title} {habit}."
    return f"{both} {beaten}" if habit else ""


def _won(info: Why, words: Words) -> str:
    trace, names = info.trace, info.trace.problem.arms
    last = trace.eliminations[-1] if trace.eliminations else None
    beaten = ""
    if last is not None:
        beaten = f"{names[last.arm]} was the last to be ruled out, in round {last.round:,}."
    if info.stop is Stop.ONE_LEFT:
        return beaten
    n = int(np.count_nonzero(trace.active[-1])) - 1
    still = (
        f"One other {words.arm} was not ruled out"
        if n == 1
        else f"{n} other {words.arms} were not ruled out"
    )
    return " ".join(filter(None, (beaten, f"{still}.", _rule(info, words))))


def _rule(info: Why, words: Words) -> str:
    """Say which rule ended a run whose last step was no elimination."""
    trace, title = info.trace, info.trace.algorithm.title
    samples = int(trace.samples[-1])
    top = int(trace.pulls[-1, trace.best_arm])
    loose = f" minus {trace.epsilon:g}" if trace.epsilon > 0.0 else ""
    more = f" by more than {trace.epsilon:g}" if trace.epsilon > 0.0 else ""
    own_rule = f"{title} stopped by its own stopping rule"
    return {
        Stop.NEAR: f"{title} stopped because no other {words.arm} may be better{more}.",
        Stop.ABOVE_ALL: f"{own_rule}: the lower bound of the answer was as high as every other "
        f"upper bound{loose}.",
        Stop.PULL_SHARE: f"{own_rule}: the answer had {top:,} {words.samples}. That is at least "
        f"{PULL_SHARE} times the {samples - top:,} of all others together.",
        Stop.RATIO: f"{own_rule}: the {words.samples} are evidence enough that no other "
        f"{words.arm} is better{more}.",
    }.get(info.stop, "")


def _ended(info: Why, words: Words) -> str:
    """Say why the run ended although this arm was still in, with both bounds."""
    names, rule = info.trace.problem.arms, _rule(info, words)
    if info.stop is Stop.PULL_SHARE or math.isnan(info.upper):
        return rule
    best = names[info.leader]
    if info.bets:
        return (
            f"{rule} Bets against {names[info.arm]} being better than {best} by that much had "
            f"multiplied the stake by {times(info.total)}. A factor of {times(info.needed)} is "
            "enough."
        )
    bound, bar = apart(info.upper, info.bar)
    return f"{rule} Its mean is at most {bound}. The mean of {best} is at least {bar}."


def reading(info: Why, words: Words) -> str:
    """Say how to read the figure."""
    name = info.trace.problem.arms[info.arm]
    habit = habit_of(info.trace.algorithm, words)
    if info.bets:
        text = (
            f"Bars show how much the bets say against {name}, as the logarithm of the factor by "
            "which they multiplied the stake. 1 nat is a factor of 2.7. Evidence beyond the dashed "
            f"line rules {name} out."
        )
        if info.trace.algorithm.trusts_pseudo_rewards:
            text += (
                f" The hatched bar belongs to the {words.samples} that say most. “All together” is "
                "slightly less than the sum of the other bars, because part of the stake is on "
                f"the own {words.samples} of {name} alone."
            )
        return text
    known = np.flatnonzero(np.isfinite(info.said))
    whose = f"each {words.arm}'s {words.samples}"
    if known.tolist() == [info.arm]:
        whose = f"its own {words.samples}"
    elif len(known) < len(info.said):
        whose = f"the {words.samples} of each {words.arm} that counts"
    return (
        f"The figure shows what {whose} say about {name} at that moment. The tick is the average. "
        f"The dot is the upper bound. The diamond is the bound that "
        f"{'decided' if info.out else 'says most'}. A bound left of the dashed line "
        f"{'beats' if habit else 'rules out'} {name}. Hollow dots say nothing yet."
    )


def warning(info: Why, words: Words) -> str:
    """Say so if the pseudo-rewards that decided are too low; empty if they are not."""
    if info.out is None or info.by == info.arm or not info.false_bound:
        return ""
    names = info.trace.problem.arms
    what = "these bets were not fair" if info.bets else "the bound is not guaranteed to hold"
    return (
        f"What the {words.samples} of {names[info.by]} say about {names[info.arm]} is, on average, "
        f"below the true mean. So {what}, whether or not it was right to rule "
        f"{names[info.arm]} out."
    )


def arithmetic(info: Why, words: Words) -> str:
    """Write how the average is calculated, as a formula with numbers, two products a line."""
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
    """Say how the average leads to the bound, or to the bets, that decided."""
    trace = info.trace
    if info.certain:
        return f"Every entry of the last column is below {decimal(info.bar, 3)}."
    if info.bets:
        return (
            f"{_a(words.sample)} wins its bet if its entry in the last column is below "
            f"{decimal(info.bar + info.slack, 3)}, and loses it if the entry is above. A lower "
            f"average and more {words.samples} win more."
        )
    if trace.algorithm.by_phases:
        return f"Only the {words.samples} of the last phase count for the bound."
    if trace.algorithm.by_claim:
        return claim_sentences.bet(_a(words.sample))
    if trace.algorithm.family.name != "COMPOSED":
        return (
            "At every moment the average plus an allowance for chance is a bound. The lowest of "
            "these bounds so far counts."
        )
    if math.isnan(info.said[info.by]):
        return ""
    average, bound = float(info.averages[info.by]), float(info.said[info.by])
    written = decimal(bound, 3) if math.isnan(info.bar) else apart(bound, info.bar)[0]
    digits = len(written.partition(".")[2])
    allowance = decimal(round(bound, digits) - round(average, digits), digits)
    return (
        f"The allowance for chance is {allowance}; it shrinks as there are more {words.samples}. "
        f"The average, {decimal(average, digits)}, plus this allowance is the bound, {written}."
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
            f"{name} {'counts as' if own else 'at most'}": [
                f"unknown, so {s:g}" if hidden else decimal(float(s), 3)
                for s, hidden in zip(info.table, unknown, strict=True)
            ],
        }
    )
