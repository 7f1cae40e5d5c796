"""The sentences about comparisons of pinned setups; no Streamlit here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words
from cbai.figures.compare.differences import ends, signed
from cbai.results.compare import INDEPENDENT, SAME_REWARDS, Comparison, compare
from cbai.results.paired import POWER, Difference, times_more_runs
from cbai.results.praise import NOT_GUARANTEED, TOO_OFTEN_WRONG, UNPROVEN, doubts
from cbai.simulation import Trials
from cbai.ui.visit.pin_words import interval
from cbai.ui.visit.setup import Setup

REASONS = {
    TOO_OFTEN_WRONG: "{letter} is wrong more often than δ allows",
    NOT_GUARANTEED: "the guarantee of {letter} does not hold at q = {q:g}",
    UNPROVEN: "no theorem bounds the errors of {letter}",
}
"""Why the cheaper side may not be praised for its savings."""
MANY_RUNS = 1_000_000
"""The largest number of runs that is suggested to make a difference clear."""


@dataclass(frozen=True, eq=False)
class Side:
    """One setup with one algorithm.

    Attributes
    ----------
    letter, name : str
        The setup's letter, and its name in a sentence.
    setup : Setup
    trials : Trials
        Trials of this algorithm alone.
    """

    letter: str
    name: str
    setup: Setup
    trials: Trials

    @property
    def title(self) -> str:
        """The title of the algorithm."""
        return self.trials.algorithms[0].title


@dataclass(frozen=True, eq=False)
class Pair:
    """A side, the side that it is compared with, and the result."""

    of: Side
    to: Side
    result: Comparison

    @classmethod
    def make(cls, of: Side, to: Side) -> Pair:
        """Compare two sides."""
        return cls(of, to, compare(of.trials, to.trials))


def words_of(sides: Sequence[Side]) -> Words:
    """Return the nouns that all setups share, or the general ones (arm, sample)."""
    words = {side.setup.words for side in sides}
    return words.pop() if len(words) == 1 else Words()


def answer(pair: Pair, words: Words, *, again: bool = False) -> str:
    """Say how many more or fewer samples a side needs, with the interval, or why this is unknown.

    Parameters
    ----------
    pair : Pair
    words : Words
    again : bool
        Whether an earlier sentence has described the reference.
    """
    if again:
        pair = replace(pair, to=replace(pair.to, name=pair.to.letter))
    found = pair.result.difference
    if found is None:
        return _no_answer(pair, words)
    if not found.clear:
        return _unclear(pair, found, words)
    cheap = pair.of if found.estimate < 0.0 else pair.to
    if why := doubts(cheap.trials)[0]:
        reason = REASONS[why].format(letter=cheap.letter, q=cheap.setup.q)
        return f"No fair comparison of {pair.of.name} with {pair.to.name}: {reason}."
    kind, times = _kind(found), _times(found)
    low, high = sorted((abs(found.low), abs(found.high)))
    return (
        f"{pair.of.name} needs {count(abs(found.estimate))} {kind} {words.samples} than "
        f"{pair.to.name} ({interval(count(low), count(high))}): {times}"
        f"{_over_which(pair)}."
    )


def _over_which(pair: Pair) -> str:
    """Say which runs are compared, if one side has more; the figure shows all of them."""
    if pair.result.kind == INDEPENDENT or len(set(_lengths(pair))) == 1:
        return ""
    return f", over the {pair.result.runs[0]:,} runs that both have"


def _kind(found: Difference) -> str:
    return "more" if found.estimate > 0.0 else "fewer"


def _times(found: Difference) -> str:
    """Write a ratio of means as a multiple or as a share."""
    ratio = found.ratio.estimate
    if found.estimate < 0.0:
        return f"{percent(ratio)} as many"
    return f"{ratio:.{2 if ratio < 10 else 1}f} times as many"


def _unclear(pair: Pair, found: Difference, words: Words) -> str:
    runs = pair.result.runs[0]
    if found.width == 0.0:
        return (
            f"{pair.of.name} needs exactly as many {words.samples} as {pair.to.name}, in each of "
            f"the {runs:,} runs."
        )
    return (
        f"No clear difference between {pair.of.name} and {pair.to.name}: "
        f"{signed(found.estimate)} {words.samples} on average, but the 95{THIN_SPACE}% interval, "
        f"{ends(found)}, includes 0. {_needed(pair, found)}"
    )


def _needed(pair: Pair, found: Difference) -> str:
    """Say that the runs are too few, and roughly how many runs would show the difference."""
    times, runs = times_more_runs(found), pair.result.runs
    few = f"{min(runs):,} runs are too few to tell this difference from chance"
    if not math.isfinite(times) or times * max(runs) > MANY_RUNS:
        return f"{few}, and so are {MANY_RUNS:,}. If there is a difference, it is small."
    often = f"{10 * POWER:.0f} times in 10"
    needed = (
        f"about {count(times * runs[0])}" if runs[0] == runs[1] else f"{count(times)} times as many"
    )
    return f"{few}. If it is real, {needed} runs would show it {often}."


def _no_answer(pair: Pair, words: Words) -> str:
    said = []
    for side, out, runs in zip(
        (pair.of, pair.to), pair.result.ran_out, pair.result.runs, strict=True
    ):
        if out:
            within = f"within {side.setup.max_samples:,} {words.samples}"
            few = "no run" if out == runs else f"{out:,} of {runs:,} runs"
            had = "had an answer" if out == runs else "had no answer"
            said.append(f"{few} of {side.letter} {had} {within}")
    if not said:
        return f"No comparison of {pair.of.name} with {pair.to.name}: one run gives no interval."
    return f"No fair comparison of {pair.of.name} with {pair.to.name}: {', and '.join(said)}."


def how(pair: Pair) -> str:
    """Say how the interval was computed and why, and how pairing changed its width."""
    of, to, result = pair.of, pair.to, pair.result
    if result.kind == INDEPENDENT:
        return (
            f"Not paired: {of.letter} has seed {of.setup.seed} and {to.letter} has seed "
            f"{to.setup.seed}, so their runs are independent. This is Welch's interval. With the "
            "same seed for both, the runs could be paired."
        )
    both = f"the first {result.runs[0]:,} runs, which both have"
    over = both if len(set(_lengths(pair))) > 1 else f"{result.runs[0]:,} runs"
    if result.kind != SAME_REWARDS:
        return (
            f"Their problems differ, so runs of {of.letter} and runs of {to.letter} meet "
            "different rewards. Luck does not cancel out. Both have the same seed, so their runs "
            "are made from the same random numbers and are not independent either. Student's "
            f"t-interval of the differences over {over} allows for "
            f"this.{_width(result.narrowing, 'than for independent runs')}"
        )
    return (
        "Paired: run by run, both meet the same random rewards. This is Student's t-interval of "
        f"the differences over {over}."
        f"{_width(result.narrowing, 'than without pairing')}"
    )


def _lengths(pair: Pair) -> tuple[int, int]:
    return pair.of.trials.samples.shape[1], pair.to.trials.samples.shape[1]


def _width(narrowing: float | None, than: str) -> str:
    if narrowing is None:
        return ""
    if narrowing >= 1.05:
        return (
            f" It is {narrowing:.1f} times narrower {than}. That is worth about "
            f"{narrowing**2:.1f} times as many runs."
        )
    if narrowing <= 0.95:
        return (
            f" It is {1.0 / narrowing:.1f} times wider {than}: runs that are long in one tend to "
            "be short in the other."
        )
    return f" It is about as wide as {than.removeprefix('than ')}."
