"""The answers in words, computed from results; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.figures.race import outcome
from cbai.figures.style import count, percent
from cbai.figures.words import Words
from cbai.results import Rate, error_rates, sample_ratio
from cbai.simulation import Trace, Trials


def race_answer(title: str, traces: Sequence[Trace], words: Words) -> str:
    """Say what two algorithms found, and after how many samples, on one line."""
    first, *others = traces
    if all(named_best(trace) for trace in traces):
        name = first.problem.arms[first.best_arm]
        rest = " ".join(
            f"{trace.algorithm.title} needed {count(int(trace.samples[-1]))}." for trace in others
        )
        return (
            f"{title}: {first.algorithm.title} found {name} after "
            f"{count(int(first.samples[-1]))} {words.samples}; {rest}"
        )
    return " ".join(outcome(trace, words) for trace in traces)


def named_best(trace: Trace) -> bool:
    """Return whether a trial identified a best arm."""
    return trace.status == "identified" and trace.best_arm in trace.problem.best_arms


def cost_answer(trials: Trials, words: Words) -> str:
    """Compare the cheapest algorithm that uses the correlation with the cheapest that does not."""
    means = trials.samples.mean(axis=1)
    rows = range(len(trials.algorithms))
    correlated = [a for a in rows if trials.algorithms[a].uses_correlation]
    classical = [a for a in rows if not trials.algorithms[a].uses_correlation]
    titles = [row.title for row in trials.algorithms]
    if not correlated or not classical:
        best = min(rows, key=lambda a: means[a])
        return f"{titles[best]} needs {count(means[best])} {words.samples} on average." + _out(
            trials
        )
    ours = min(correlated, key=lambda a: means[a])
    theirs = min(classical, key=lambda a: means[a])
    ratio = sample_ratio(trials.samples[theirs], trials.samples[ours])
    if not trials.identified[[ours, theirs]].all():
        return f"No fair comparison: some runs had no answer yet.{_out(trials)}"
    if ratio is None:
        return (
            f"{titles[ours]} needed {count(means[ours])} {words.samples}, "
            f"{titles[theirs]} {count(means[theirs])}, in one run."
        )
    if ratio.low <= 1.0 <= ratio.high:
        return (
            f"No clear difference: {titles[ours]} needs {count(means[ours])} {words.samples} on "
            f"average, {titles[theirs]} {count(means[theirs])}."
        )
    if ratio.estimate > 1.0:
        factor, low, high, few = ratio.estimate, ratio.low, ratio.high, "fewer"
    else:
        factor, low, high = 1.0 / ratio.estimate, 1.0 / ratio.high, 1.0 / ratio.low
        few = "more"
    return (
        f"{titles[ours]} needs {factor:.2g} times {few} {words.samples} than {titles[theirs]} "
        f"(95 % interval {low:.3g} to {high:.3g})."
    )


def _out(trials: Trials) -> str:
    out = {
        row.title: int((status == "budget").sum())
        for row, status in zip(trials.algorithms, trials.status, strict=True)
    }
    listed = ", ".join(f"{title} in {n}" for title, n in out.items() if n)
    if not listed:
        return ""
    reason = (
        " Two options are equally good, so no number of samples can tell them apart."
        if len(trials.problem.best_arms) > 1
        else ""
    )
    return f" Of {trials.samples.shape[1]:,} runs each, these ran out of budget: {listed}.{reason}"


def rate_text(rate: Rate) -> str:
    """Say how many runs were wrong, with the exact interval of the rate."""
    if rate.count == 0:
        return f"0 of {rate.total:,} wrong (at most {percent(rate.high)})"
    return f"{rate.count:,} of {rate.total:,} wrong ({percent(rate.low)} to {percent(rate.high)})"


def error_answer(trials: Trials, words: Words) -> str:
    """Say how often each algorithm named a wrong arm, beside what delta allows."""
    listed = "; ".join(
        f"**{row.title}** {rate_text(rate)}"
        for row, rate in zip(trials.algorithms, error_rates(trials), strict=True)
    )
    return (
        f"Wrong {words.arms} named, with exact 95 % intervals, where δ allows "
        f"{percent(trials.delta)}: {listed}.{_out(trials)}"
    )


def effort_answer(competitive: int, total: int, share: float, words: Words) -> str:
    """Say how many arms need real work, and what the others cost."""
    rest = total - competitive
    if rest == 0:
        return (
            f"All {total} {words.arms} are competitive: none is ruled out by another's "
            f"{words.samples}."
        )
    return (
        f"{competitive} of {total} {words.arms} are competitive. The other {rest} cost "
        f"{percent(share)} of all {words.samples}."
    )
