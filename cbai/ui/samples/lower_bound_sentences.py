"""How far each algorithm is from the limit, in words; no Streamlit here."""

from __future__ import annotations

from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words, listed
from cbai.results.limit import Limit, binds, split_factor
from cbai.simulation import Algorithm, Trials

LOWER_BOUND_EXPLAINED = """\
The limit is a theorem of Garivier and Kaufmann (2016). An algorithm that is wrong with probability
δ at most on *every* problem must also notice when another arm is slightly better than the best one
here. It can tell such a twin of the problem apart only by evidence, and each sample brings only so
much of it, however the samples are split: so there is a least number on average, and a split that
needs no more.

- Every problem means: any rewards between 0 and the largest possible one, whatever their
  distribution. That is what LUCB, LUCB++ and Racing promise, and so the limit holds for them.
- The algorithms that bet, and those with a range or EB bound, promise it only for rewards between
  the smallest and the largest value in the data. Where one of them is chosen, the limit is the one
  for these problems. It is never higher, and it holds for the other algorithms too.
- It holds for the average over runs, not for every single run.
- It can be approached as δ tends to 0; at a δ like this one nobody knows how close one can get.
- It says nothing about algorithms that use the pseudo-rewards, as these are right only where the
  pseudo-rewards hold. They may go below the line. How far, is an open question.
- Nor does it bind a rule of thumb, such as the stopping rule of lil'UCB.
"""


def lower_bound_answer(trials: Trials, limit: Limit, words: Words, *, void: bool = False) -> str:
    """Say what the limit is, and how many times as many samples each algorithm takes.

    `void` says that pseudo-rewards on a best arm are violated.
    """
    if limit.tied:
        return (
            "How far from the limit? In a tie it is infinite: no algorithm that is wrong with "
            f"probability δ at most on every problem can stop after finitely many {words.samples} "
            "on average."
        )
    least = (
        f"At the very least {count(limit.samples)} {words.samples} on average are needed to be "
        f"{percent(1.0 - limit.delta)} sure without the correlation, by any algorithm that keeps "
        "to δ."
    )
    if trials.max_samples < limit.samples:
        least += f" The budget of {trials.max_samples:,} {words.samples} a run is less than that."
    return f"{least}{_multiples(trials, limit)}{_below(trials, limit, void)}"


def _multiples(trials: Trials, limit: Limit) -> str:
    """Say how far each is; where runs had no answer, their mean is a lower bound."""
    parts: list[str] = []
    for row, samples, answered in zip(
        trials.algorithms, trials.samples, trials.identified, strict=True
    ):
        times = samples.mean() / limit.samples
        if answered.all() or times > 1.0:
            verb, that = ("", "") if parts else (" takes", " that")
            more = "" if answered.all() else " more than"
            parts.append(f"{row.title}{verb}{more} {count(times)} times{that}")
    return f" {listed(parts)}." if parts else ""


def split_answer(trials: Trials, limit: Limit, words: Words) -> str:
    """Say how much of the way to the limit is in whom the cheapest bound algorithm pulls.

    Empty in a tie, or if no algorithm that the limit binds has answered in every run.
    """
    problem = trials.problem
    means = {
        a: samples.mean()
        for a, samples in enumerate(trials.samples)
        if trials.identified[a].all() and binds(trials.algorithms[a], problem.n_arms, trials.delta)
    }
    if limit.tied or not means:
        return ""
    a = min(means, key=means.__getitem__)
    total = means[a] / limit.samples
    split = split_factor(limit, problem, trials.pulls[a].mean(axis=0))
    costs, rest = f"a factor of {count(split)}", "other"
    if split < 1.005:
        costs, rest = "nothing", "whole"
    why = (
        f"as it must hold at every moment, does not know how {words.samples} vary and weighs them "
        "only now and then"
        if trials.algorithms[a].bets or trials.algorithms[a].by_ratio
        else "as its bounds must hold at every moment and for the most variable "
        f"{words.samples} there could be"
    )
    return (
        f"{trials.algorithms[a].title} takes {count(total)} times the limit. Its way of splitting "
        f"the {words.samples} among the {words.arms} costs {costs}; the {rest} factor, "
        f"{count(total / split)}, is more evidence than the limit asks for, {why}."
    )


def _below(trials: Trials, limit: Limit, void: bool) -> str:
    """Say why those that are below the limit may be, whatever may be."""
    under = trials.identified.all(axis=1) & (trials.samples.mean(axis=1) < limit.samples)
    rows = [row for row, is_under in zip(trials.algorithms, under, strict=True) if is_under]
    knowing = [row for row in rows if row.uses_correlation]
    others = [row for row in rows if not row.uses_correlation]
    text = ""
    if knowing:
        text += f" {_are(knowing)} below the limit, " + (
            "as pseudo-rewards are trusted that do not all hold here: nothing is proven of that "
            "answer."
            if void
            else "which is no contradiction: pseudo-rewards say more than the limit allows for."
        )
    if others:
        text += (
            f" {_are(others)} below the limit: by chance over these runs, or by being wrong more "
            "often than δ on some problem."
        )
    return text


def _are(rows: list[Algorithm]) -> str:
    return f"{listed([row.title for row in rows])} {'is' if len(rows) == 1 else 'are'}"
