"""The answers in words, computed from results; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cbai.figures.race import outcome
from cbai.figures.style import THIN_SPACE, count, percent
from cbai.figures.words import Words, listed
from cbai.results import Rate, error_rates, sample_ratio
from cbai.results.paired import paired_difference
from cbai.simulation import Algorithm, Trace, Trials, find
from cbai.simulation.algorithms import Stopping


def race_answer(title: str, traces: Sequence[Trace], words: Words) -> str:
    """Say what two algorithms found, and after how many samples, on one line."""
    if not all(named_best(trace) for trace in traces):
        return " ".join(outcome(trace, words) for trace in traces)
    first, *others = (
        f"{trace.algorithm.title} after {count(int(trace.samples[-1]))}" for trace in traces
    )
    name = traces[0].problem.arms[traces[0].best_arm]
    rest = "".join(f", {other}" for other in others)
    return f"{title}, one run: {name} is found by {first} {words.samples}{rest}."


def named_best(trace: Trace) -> bool:
    """Return whether a trial identified a best arm."""
    return trace.status == "identified" and trace.best_arm in trace.problem.best_arms


def cost_answer(trials: Trials, words: Words) -> str:
    """Compare the cheapest algorithm that uses the correlation with the cheapest that does not.

    The paper's first; what goes beyond it is compared with the cheapest of the paper's. A rule of
    thumb, which keeps to no δ, is compared with nothing unless alone.
    """
    if not trials.identified.all():
        return _no_answer(trials, words)
    means = trials.samples.mean(axis=1)
    by_cost = [int(a) for a in np.argsort(means, kind="stable")]
    by_cost = [a for a in by_cost if not rule_of_thumb(trials.algorithms[a])] or by_cost
    paper = [a for a in by_cost if not trials.algorithms[a].beyond]
    beyond = [a for a in by_cost if trials.algorithms[a].beyond]
    if paper and beyond:
        among = [trials.algorithms[a] for a in paper]
        inside = _cheapest(trials, paper, words) if _both_kinds(among) else ""
        return f"{inside} Beyond the paper: {_compared(trials, beyond[0], paper[0], words)}".strip()
    return _cheapest(trials, by_cost, words)


def rule_of_thumb(algorithm: Algorithm) -> bool:
    """Return whether an algorithm stops by a rule that no theorem covers, as lil'UCB does."""
    return algorithm.stopping is Stopping.PULL_SHARE


def _both_kinds(algorithms: Sequence[Algorithm]) -> bool:
    return len({row.uses_correlation for row in algorithms}) == 2


def _cheapest(trials: Trials, by_cost: Sequence[int], words: Words) -> str:
    """Compare the cheapest of either kind, among some algorithms from cheap to dear."""
    means = trials.samples.mean(axis=1)
    titles = [row.title for row in trials.algorithms]
    correlated = [a for a in by_cost if trials.algorithms[a].uses_correlation]
    classical = [a for a in by_cost if not trials.algorithms[a].uses_correlation]
    if not correlated or not classical:
        return f"{titles[by_cost[0]]} needs {count(means[by_cost[0]])} {words.samples} on average."
    return _compared(trials, correlated[0], classical[0], words)


def versus(trials: Trials, words: Words) -> str:
    """Compare the first algorithm with the second."""
    if not trials.identified.all():
        return _no_answer(trials, words)
    return _compared(trials, 0, 1, words)


def _compared(trials: Trials, ours: int, theirs: int, words: Words) -> str:
    """Say how many times fewer samples one algorithm needs than another, with its interval."""
    means, titles = trials.samples.mean(axis=1), [row.title for row in trials.algorithms]
    ratio = sample_ratio(trials.samples[theirs], trials.samples[ours])
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return (
            f"No clear difference: {titles[ours]} needs {count(means[ours])} {words.samples} on "
            f"average, {titles[theirs]} {count(means[theirs])}."
        )
    if ratio.estimate > 1.0:
        factor, low, high, few, than = ratio.estimate, ratio.low, ratio.high, "fewer", "than"
    else:
        factor, low, high = 1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low
        few, than = "as many", "as"
    digits = 2 if factor < 10 else 1
    return (
        f"{titles[ours]} needs {factor:.{digits}f} times {few} {words.samples} {than} "
        f"{titles[theirs]} (95{THIN_SPACE}% interval {low:.{digits}f} to {high:.{digits}f})."
    )


SAME_BUT_FOR_CORRELATION = (("c_lucb", "lucb"), ("c_lucb_pp", "lucb_pp"))


def savings(trials: Trials, words: Words) -> str:
    """Say how many samples each algorithm saves that differs from another by the correlation only.

    Empty where that is not clear, or where a run had no answer.
    """
    at = {row.name: a for a, row in enumerate(trials.algorithms)}
    told = []
    for ours, theirs in SAME_BUT_FOR_CORRELATION:
        if not (ours in at and theirs in at and trials.identified[[at[ours], at[theirs]]].all()):
            continue
        saved = paired_difference(trials.samples[at[theirs]], trials.samples[at[ours]])
        if saved is None or not saved.clear:
            continue
        whole = (
            f"{count(trials.samples[at[theirs]].mean())} {words.samples} of {find(theirs).title}"
        )
        less = saved.estimate > 0.0
        ends = (saved.low, saved.high) if less else (-saved.high, -saved.low)
        told.append(
            f"{find(ours).title} {'saves' if less else 'takes'} {count(abs(saved.estimate))} "
            f"{'of' if less else 'more than'} the {whole} "
            f"(95{THIN_SPACE}% interval {count(ends[0])} to {count(ends[1])})"
        )
    return f"On average, at q = {trials.q:g}, {', and '.join(told)}." if told else ""


def _no_answer(trials: Trials, words: Words) -> str:
    """Say that some trials ran out, so that there is nothing to compare."""
    budget = f"{trials.max_samples:,} {words.samples}"
    if len(trials.problem.best_arms) > 1:
        equal = listed([trials.problem.arms[arm] for arm in trials.problem.best_arms])
        return (
            f"{equal} are equally good, so no number of {words.samples} can tell them apart: runs "
            f"end at the budget of {budget}, without an answer."
        )
    if not trials.identified.any():
        return f"No run of any algorithm had an answer within {budget}."
    return f"No fair comparison: some runs had no answer within {budget}."


def rate_text(rate: Rate) -> str:
    """Say how many runs were wrong, with the exact interval of the rate."""
    if rate.count == 0:
        return f"0 of {rate.total:,} wrong (at most {percent(rate.high)})"
    return f"{rate.count:,} of {rate.total:,} wrong ({percent(rate.low)} to {percent(rate.high)})"


def error_answer(trials: Trials, words: Words) -> str:
    """Say how often each algorithm named a wrong arm, beside what delta allows."""
    parts = []
    for row, rate, status in zip(
        trials.algorithms, error_rates(trials), trials.status, strict=True
    ):
        out = int((status == "budget").sum())
        if out == rate.total:
            parts.append(f"- **{row.title}**: {out:,} of {rate.total:,} without an answer")
            continue
        without = f", {out:,} without an answer" if out else ""
        parts.append(f"- **{row.title}**: {rate_text(rate)}{without}")
    return (
        f"How often a wrong {words.arm} was named, with exact 95{THIN_SPACE}% intervals, where δ "
        f"allows {percent(trials.delta)}:\n\n" + "\n".join(parts)
    )


def effort_answer(competitive: int, total: int, share: float, words: Words) -> str:
    """Say how many arms need real work in a run, and what the others cost."""
    rest = total - competitive
    if rest == 0:
        every = "Both" if total == 2 else f"All {total}"
        return (
            f"{every} {words.arms} are competitive: none is ruled out by another's {words.samples}."
        )
    others = "other one" if rest == 1 else f"other {rest}"
    return (
        f"In this run {competitive} of {total} {words.arms} are competitive. The {others} cost "
        f"{percent(share)} of all {words.samples}."
    )


def hardly_pulled(trials: Trials, words: Words) -> str:
    """Say how few samples of its own an answer rests on, where bounds hold on both sides.

    Empty where no such algorithm was played, or where it had no answer.
    """
    parts = []
    for a, row in enumerate(trials.algorithms):
        if row.two_sided and trials.identified[a].all():
            own = np.take_along_axis(trials.pulls[a], trials.best_arm[a][:, None], axis=1).mean()
            parts.append(
                f"{row.title} bounds every {words.arm} from both sides by all {words.samples}: of "
                f"the {count(trials.samples[a].mean())} {words.samples} it takes, {count(own)} are "
                f"of the {words.arm} that it names."
            )
    return " ".join(parts)
