"""The answers in words, computed from results; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cbai.figures.base.style import THIN_SPACE, count, decimal, percent
from cbai.figures.base.words import Words, listed
from cbai.figures.race.frames import outcome
from cbai.problem.validity import Validity
from cbai.results import Rate, cheapest_ratio, error_rates
from cbai.results.paired import paired_difference
from cbai.results.praise import (
    NOT_GUARANTEED,
    TOO_OFTEN_WRONG,
    UNPROVEN,
    doubt,
    doubts,
    validity_of,
)
from cbai.simulation import Algorithm, Trace, Trials, find
from cbai.simulation.rules.choices import Stopping
from cbai.ui.parts.relation import relation


def race_answer(
    title: str, traces: Sequence[Trace], words: Words, validity: Validity | None = None
) -> str:
    """Say what the algorithms of a race found, and after how many samples, on one line.

    With `validity`, an algorithm whose guarantee does not hold is left out.
    """
    if not all(named_best(trace) for trace in traces):
        return " ".join(outcome(trace, words) for trace in traces)
    why = [
        ""
        if validity is None
        else doubt(trace.algorithm, trace.problem.n_arms, trace.delta, validity)
        for trace in traces
    ]
    told = [trace for trace, reason in zip(traces, why, strict=True) if not reason]
    rows = [trace.algorithm for trace in traces]
    rest = "" if validity is None else left_out(rows, why, traces[0].q, validity)
    if not told:
        return rest
    first, *others = told
    name = first.problem.arms[first.best_arm]
    also = "".join(
        f" {other.algorithm.title} needed {count(int(other.samples[-1]))}." for other in others
    )
    return (
        f"{title}: in this run {first.algorithm.title} found {name}, the best {words.arm} in these "
        f"data, after {count(int(first.samples[-1]))} {words.samples}.{also} {rest}"
    ).strip()


def named_best(trace: Trace) -> bool:
    """Return whether a trial identified a best arm."""
    return trace.status == "identified" and trace.best_arm in trace.problem.best_arms


def cost_answer(trials: Trials, words: Words, validity: Validity | None = None) -> str:
    """Compare the cheapest algorithm that uses the correlation with the cheapest that does not.

    This is done first among the paper's algorithms. Those beyond the paper are compared with the
    cheapest of the paper's. An algorithm whose guarantee does not hold here, or that was wrong too
    often, is left out. `validity` is computed if it is not given.
    """
    if not trials.identified.all():
        return _no_answer(trials, words)
    validity = validity_of(trials) if validity is None else validity
    why, means = doubts(trials, validity), trials.samples.mean(axis=1)
    by_cost = [int(a) for a in np.argsort(means, kind="stable") if not why[a]]
    rest = left_out(trials.algorithms, why, trials.q, validity)
    if not by_cost:
        return rest or _nobody(trials)
    paper = [a for a in by_cost if not trials.algorithms[a].beyond]
    beyond = [a for a in by_cost if trials.algorithms[a].beyond]
    if paper and beyond:
        among = [trials.algorithms[a] for a in paper]
        inside = _cheapest(trials, paper, words) if _both_kinds(among) else ""
        text = f"{inside} Beyond the paper: {_compared(trials, beyond, paper, words)}"
    else:
        text = _cheapest(trials, by_cost, words)
    return f"{text} {rest}".strip()


def cost_headline(trials: Trials, words: Words, validity: Validity | None = None) -> str:
    """Say in one number what the correlation is worth; the intervals are in the figure.

    The cheapest algorithm that uses the correlation is compared with the cheapest that does not,
    among those that may be praised: the paper's if both kinds are there, else all.
    """
    if not trials.identified.all():
        return _no_answer(trials, words)
    validity = validity_of(trials) if validity is None else validity
    why, means = doubts(trials, validity), trials.samples.mean(axis=1)
    rows = trials.algorithms
    by_cost = [int(a) for a in np.argsort(means, kind="stable") if not why[a]]
    paper = [a for a in by_cost if not rows[a].beyond]
    kept = paper if _both_kinds([rows[a] for a in paper]) else by_cost
    if not kept:
        return left_out(rows, why, trials.q, validity) or _nobody(trials)
    if not _both_kinds([rows[a] for a in kept]):
        first = kept[0]
        return f"{rows[first].title} needs {count(means[first])} {words.samples} on average."
    us, them = (next(a for a in kept if rows[a].uses_correlation == kind) for kind in (True, False))
    theirs = [trials.samples[a] for a in kept if not rows[a].uses_correlation]
    ours = [trials.samples[a] for a in kept if rows[a].uses_correlation]
    ratio = cheapest_ratio(theirs, ours)
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return f"No clear difference between {rows[us].title} and {rows[them].title}."
    told = relation(ratio, words.samples, rows[them].title).partition(f" (95{THIN_SPACE}%")[0]
    return f"{rows[us].title} needs {told}."


def _nobody(trials: Trials) -> str:
    """Say that no theorem covers any of the algorithms shown."""
    titles = [row.title for row in trials.algorithms]
    return (
        f"No theorem bounds the errors of {listed(titles)}, so no number of samples is given as an "
        "answer here."
    )


def left_out(rows: Sequence[Algorithm], why: Sequence[str], q: float, validity: Validity) -> str:
    """Say which algorithms are left out, why, and which buffer would change that; else empty.

    Parameters
    ----------
    rows : sequence of Algorithm
    why : sequence of str
        The `cbai.results.praise.doubt` of each. A rule of thumb is not mentioned.
    q : float
        The buffer of the runs.
    validity : Validity
    """
    wrong, void, unproven = (
        [row.title for row, reason in zip(rows, why, strict=True) if reason == kind]
        for kind in (TOO_OFTEN_WRONG, NOT_GUARANTEED, UNPROVEN)
    )
    unproven = [row.title for row in rows if row.title in unproven and not rule_of_thumb(row)]
    parts = []
    if wrong:
        was = "it was" if len(wrong) == 1 else "they were"
        parts.append(f"{_left(wrong)}: {was} wrong more often than δ allows.")
    if void:
        its = "its guarantee does" if len(void) == 1 else "their guarantees do"
        safe = validity.smallest_safe_q
        way = f" With q = {decimal(safe)} it would hold." if safe > q else ""
        way = way.replace("it would", "they would") if len(void) > 1 else way
        parts.append(f"{_left(void)}: {its} not hold at q = {q:g}.{way}")
    if unproven:
        whose = "its" if len(unproven) == 1 else "their"
        parts.append(f"{_left(unproven)}: no theorem bounds {whose} errors.")
    return " ".join(parts)


def _left(titles: Sequence[str]) -> str:
    return f"{listed(list(titles))} {'is' if len(titles) == 1 else 'are'} left out"


def rule_of_thumb(algorithm: Algorithm) -> bool:
    """Return whether an algorithm stops by a rule that no theorem covers, as lil'UCB does."""
    return algorithm.stopping is Stopping.PULL_SHARE


def _both_kinds(algorithms: Sequence[Algorithm]) -> bool:
    return len({row.uses_correlation for row in algorithms}) == 2


def _cheapest(trials: Trials, by_cost: Sequence[int], words: Words) -> str:
    """Compare the cheapest of each kind, among some algorithms from the cheapest on."""
    means = trials.samples.mean(axis=1)
    titles = [row.title for row in trials.algorithms]
    correlated = [a for a in by_cost if trials.algorithms[a].uses_correlation]
    classical = [a for a in by_cost if not trials.algorithms[a].uses_correlation]
    if not correlated or not classical:
        return f"{titles[by_cost[0]]} needs {count(means[by_cost[0]])} {words.samples} on average."
    return _compared(trials, correlated, classical, words)


def versus(trials: Trials, words: Words, validity: Validity | None = None) -> str:
    """Compare the first algorithm with the second, if both may be praised."""
    if not trials.identified.all():
        return _no_answer(trials, words)
    validity = validity_of(trials) if validity is None else validity
    why = doubts(trials, validity)
    if any(why):
        rows, titles = trials.algorithms[:2], [row.title for row in trials.algorithms[:2]]
        rest = left_out(rows, why[:2], trials.q, validity)
        return f"No fair comparison of {listed(titles)}. {rest}".strip()
    return _compared(trials, [0], [1], words)


def _compared(trials: Trials, ours: Sequence[int], theirs: Sequence[int], words: Words) -> str:
    """Say what share of the samples of the cheapest of `theirs` the cheapest of `ours` needs.

    The interval allows for the fact that the same runs decide which ones are the cheapest.
    """
    means, titles = trials.samples.mean(axis=1), [row.title for row in trials.algorithms]
    us, them = (min(kind, key=means.__getitem__) for kind in (ours, theirs))
    ratio = cheapest_ratio([trials.samples[a] for a in theirs], [trials.samples[a] for a in ours])
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return (
            f"No clear difference: {titles[us]} needs {count(means[us])} {words.samples} on "
            f"average, {titles[them]} {count(means[them])}."
        )
    return f"{titles[us]} needs {relation(ratio, words.samples, titles[them])}."


SAME_BUT_FOR_CORRELATION = (("c_lucb", "lucb"), ("c_lucb_pp", "lucb_pp"))


def savings(trials: Trials, words: Words, validity: Validity | None = None) -> str:
    """Say how many samples the correlation saves, for algorithms that differ in nothing else.

    Empty if that is not clear, if a run had no answer, and if one of the two may not be praised
    (see `cbai.results.praise`).
    """
    at = {row.name: a for a, row in enumerate(trials.algorithms)}
    why = doubts(trials, validity)
    told = []
    for ours, theirs in SAME_BUT_FOR_CORRELATION:
        if not (ours in at and theirs in at and trials.identified[[at[ours], at[theirs]]].all()):
            continue
        if why[at[ours]] or why[at[theirs]]:
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
    """Say that some trials had no answer, so there is nothing to compare."""
    budget = f"{trials.max_samples:,} {words.samples}"
    if len(trials.problem.best_arms) > 1:
        equal = listed([trials.problem.arms[arm] for arm in trials.problem.best_arms])
        return (
            f"{equal} are equally good, so no number of {words.samples} can tell them apart. Runs "
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
        f"How often each algorithm named a wrong {words.arm}, with exact 95{THIN_SPACE}% intervals "
        f"(δ allows {percent(trials.delta)}):\n\n" + "\n".join(parts)
    )


def competitive_answer(competitive: int, all_known: int, total: int, p: float, words: Words) -> str:
    """Say how many arms are competitive, and how that depends on the pseudo-rewards known.

    Parameters
    ----------
    competitive, all_known : int
        The number with the pseudo-rewards known in a run, and with all of them.
    total : int
    p : float
        The share of pseudo-rewards that the run does not know.
    words : Words
    """
    if p == 0.0:
        return f"{competitive} of {total} {words.arms} are competitive."
    text = (
        f"{competitive} of {total} {words.arms} are competitive with {percent(p)} of the "
        "pseudo-rewards unknown (p)."
    )
    many = "as many" if all_known == competitive else str(all_known)
    return f"{text} With all known, {many}."


def effort_answer(competitive: int, total: int, share: float, words: Words) -> str:
    """Say how many arms need real work in a run, and what the others cost."""
    rest = total - competitive
    if rest == 0:
        every = "Both" if total == 2 else f"All {total}"
        return (
            f"{every} {words.arms} are competitive: the {words.samples} of one {words.arm} rule "
            "out no other."
        )
    others = "other one" if rest == 1 else f"other {rest}"
    return (
        f"In this run {competitive} of {total} {words.arms} are competitive. The {others} cost "
        f"{percent(share)} of all {words.samples}."
    )


def hardly_pulled(trials: Trials, words: Words) -> str:
    """Say how few of an answer's samples are its own, for algorithms with bounds on both sides.

    Empty if none of these algorithms was played, or if it had no answer.
    """
    parts = []
    for a, row in enumerate(trials.algorithms):
        if row.two_sided and trials.identified[a].all():
            own = np.take_along_axis(trials.pulls[a], trials.best_arm[a][:, None], axis=1).mean()
            parts.append(
                f"{row.title} uses all {words.samples} to bound every {words.arm} from both sides. "
                f"It needs {count(trials.samples[a].mean())} {words.samples} on average, and "
                f"{count(own)} of these are of the {words.arm} that it names."
            )
    return " ".join(parts)
