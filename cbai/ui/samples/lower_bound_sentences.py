"""How far each algorithm is from the lower bound, in words; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable

from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words, listed
from cbai.results.limit import Limit, binds, split_factor
from cbai.results.limit.masked import MeanLimit
from cbai.simulation import Algorithm, Trials

LOWER_BOUND_EXPLAINED = """\
The lower bound is a theorem of Garivier and Kaufmann (2016). Take an algorithm that is wrong with
probability δ at most on *every* problem. It must also notice if another arm is slightly better than
the best one here. Only evidence can tell these two problems apart. Each sample brings a limited
amount of evidence. Therefore a certain number of samples is needed on average, even if the samples
are split among the arms in the best possible way. That number is the lower bound.

- *Every problem* means: any rewards between 0 and the largest possible one, whatever their
  distribution. LUCB, LUCB++ and Racing promise to be right on all of these. The lower bound
  therefore holds for them.
- The algorithms that bet, and those with a range or EB bound, promise it only for rewards between
  the smallest and the largest value in the data. If one of them is chosen, the lower bound shown is
  that of these problems. It is never higher, and it holds for the other algorithms too.
- It holds for the average over runs, not for every single run.
- Algorithms can get close to it as δ tends to 0. At a δ like this one, nobody knows how close.
- It does not hold for algorithms that use the pseudo-rewards. They promise to be right only where
  the pseudo-rewards of the best arm are valid, so they may need fewer samples.
- Those algorithms have a lower bound of their own: the *lower bound with correlation*. The argument
  is the same, but there are fewer problems that could be mistaken for this one. If another arm were
  the best, its pseudo-rewards would have to be valid too, whichever arm is sampled. With
  pseudo-rewards that say nothing, both lower bounds are the same.
- The lower bound with correlation holds only if the pseudo-rewards are valid. If some are unknown
  (p), each run knows other ones. The number shown is then the mean over at most 20 runs.
- If an algorithm with bounds on both sides is chosen, and its bounds are valid, the lower bound
  with correlation is the one for algorithms of this kind. It is never higher.
- It does not hold for a rule of thumb either. The stopping rule of lil'UCB is one.
"""

FOR_THOSE = "There is another lower bound, for algorithms that trust the pseudo-rewards."
NO_KNOWN_LIMIT = {
    "": "",
    "pending": "It is being computed. This takes a few seconds.",
    "false": "It holds only for valid pseudo-rewards. Some that bound the best {arm} are too low "
    "here, so it is not shown.",
    "too many": "It is not computed for so many {arms}.",
    "failed": "It could not be computed here.",
}
"""Why there is no lower bound with correlation."""


def lower_bound_answer(
    trials: Trials, limit: Limit, words: Words, *, violated: bool = False
) -> str:
    """Say what the lower bound is, and how many times as many samples each algorithm needs.

    `violated` says that pseudo-rewards of a best arm are too low.
    """
    if limit.tied:
        return (
            f"The best {words.arms} are equally good, so the problem's lower bound is infinite. No "
            "algorithm that is wrong with probability δ at most on every problem can stop after "
            f"finitely many {words.samples} on average."
        )
    least = (
        f"The problem's lower bound is {count(limit.samples)} {words.samples} on average. Any "
        "algorithm that ignores the correlation needs at least that many, if it is right with a "
        f"probability of {percent(1.0 - limit.delta)} on every problem."
    )
    if trials.max_samples < limit.samples:
        least += f" The budget of {trials.max_samples:,} {words.samples} per run is less than that."
    every = range(len(trials.algorithms))
    return f"{least}{_multiples(trials, limit, every)}{_below(trials, limit, violated)}"


def known_limit_answer(
    trials: Trials, known: MeanLimit | None, words: Words, why_not: str = ""
) -> str:
    """Say what the lower bound is for algorithms that trust the pseudo-rewards.

    `why_not` is a key of `NO_KNOWN_LIMIT`, if there is no number. Empty if there is nothing to say.
    """
    if known is None or known.tied:
        text = NO_KNOWN_LIMIT[why_not].format(arm=words.arm, arms=words.arms)
        return f"{FOR_THOSE} {text}" if text else ""
    if known.samples == 0.0:
        return (
            f"For algorithms that trust the pseudo-rewards the lower bound is 0 {words.samples}: "
            f"if the survey's bounds are valid, they alone tell which {words.arm} is the best."
        )
    whose = "all bounds of the survey" if known.two_sided else "the pseudo-rewards"
    mean = (
        f" This is the mean over {known.masks} runs, as each knows other pseudo-rewards."
        if known.masks > 1
        else ""
    )
    relying = [a for a, row in enumerate(trials.algorithms) if row.trusts_pseudo_rewards]
    return (
        f"For algorithms that trust {whose} the lower bound is {count(known.samples)} "
        f"{words.samples} on average, if these are valid.{mean}"
        f"{_multiples(trials, known, relying)}"
    )


def _multiples(trials: Trials, limit: Limit | MeanLimit, which: Iterable[int]) -> str:
    """Say how far each of these is; where runs had no answer, their mean is too low."""
    parts: list[str] = []
    for a in which:
        row, samples, answered = trials.algorithms[a], trials.samples[a], trials.identified[a]
        times = samples.mean() / limit.samples
        if answered.all() or times > 1.0:
            verb, that = ("", "") if parts else (" needs", " as many")
            more = "" if answered.all() else " more than"
            parts.append(f"{row.title}{verb}{more} {count(times)} times{that}")
    return f" {listed(parts)}." if parts else ""


def split_answer(trials: Trials, limit: Limit, words: Words) -> str:
    """Say how much of the cheapest algorithm's distance from the lower bound is in its split.

    Only algorithms for which the lower bound holds are looked at. Empty in a tie, or if none of
    them has answered in every run.
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
        f"The evidence must hold at every moment. The algorithm does not know how {words.samples} "
        "vary, and it weighs them only now and then."
        if trials.algorithms[a].bets
        or trials.algorithms[a].by_claim
        or trials.algorithms[a].by_ratio
        else f"Its bounds must hold at every moment, even if {words.samples} vary as much as they "
        "can."
    )
    return (
        f"{trials.algorithms[a].title} needs {count(total)} times the lower bound. Its way of "
        f"splitting the {words.samples} among the {words.arms} costs {costs}. The {rest} factor, "
        f"{count(total / split)}, comes from evidence beyond what the lower bound asks for. {why}"
    )


def _below(trials: Trials, limit: Limit, violated: bool) -> str:
    """Say how algorithms below the lower bound, if there are any, can be there."""
    under = trials.identified.all(axis=1) & (trials.samples.mean(axis=1) < limit.samples)
    rows = [row for row, is_under in zip(trials.algorithms, under, strict=True) if is_under]
    knowing = [row for row in rows if row.uses_correlation]
    others = [row for row in rows if not row.uses_correlation]
    text = ""
    if knowing:
        text += f" {_are(knowing)} below the lower bound. " + (
            "But some of the pseudo-rewards used are too low here, so nothing is proven about "
            f"{'its' if len(knowing) == 1 else 'their'} answers."
            if violated
            else "This is no contradiction, because the lower bound is for algorithms without "
            "pseudo-rewards."
        )
    if others:
        text += (
            f" {_are(others)} below the lower bound. This is chance in these runs, or the "
            "answers are wrong too often on some other problem."
        )
    return text


def _are(rows: list[Algorithm]) -> str:
    return f"{listed([row.title for row in rows])} {'is' if len(rows) == 1 else 'are'}"
