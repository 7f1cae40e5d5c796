"""The verdict on a survey: which arm leads, whether it can decide, save samples and be trusted.

These are the numbers; the page makes the sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cbai import checks
from cbai.problem import Problem
from cbai.problem.counted import counted
from cbai.problem.lead import Lead
from cbai.problem.survey import Survey
from cbai.problem.trust import Trust
from cbai.results.summary import LEVEL, Rate, Ratio, cheapest_ratio, clopper_pearson
from cbai.simulation import Trials, simulate
from cbai.simulation.guarantee import cover
from cbai.simulation.rules.rows import ALGORITHMS

WITHOUT = ("lucb_pp", "lucb_pp_bet")
WITH = ("c_lucb", "c_lucb_bet")
"""Algorithms that ignore the survey, and algorithms that use it; all have a theorem."""
RUNS = 20
FEWEST_PEOPLE = 10
"""With fewer held-out people there are no runs: their rewards say too little about others."""
MOST_A_RUN = 200_000
MOST_IN_ALL = 1_200_000
"""Samples that one run may take, and that all runs may take approximately."""

HOLDS, UNCERTAIN, VIOLATED, UNTESTED = "holds", "uncertain", "violated", "untested"


@dataclass(frozen=True)
class Need:
    """The samples that an algorithm needs to name the best arm.

    Attributes
    ----------
    name, title : str
        The algorithm.
    mean, low, high : float or None
        The mean samples of a run and its interval, which allows for the choice of the cheapest
        algorithm. None if a run did not finish, because the mean is then unknown.
    at_least : float
        A lower bound of the mean over the runs: the samples they took up to their limit.
    runs, finished : int
        Number of runs, and how many of them had an answer.
    wrong : Rate or None
        Share of runs that named another arm, with its exact interval.
    """

    name: str
    title: str
    mean: float | None
    low: float | None
    high: float | None
    at_least: float
    runs: int
    finished: int
    wrong: Rate | None

    def too_often_wrong(self, delta: float) -> bool:
        """Whether the whole exact interval of the error rate is above `delta`."""
        return self.wrong is not None and self.wrong.low > delta


@dataclass(frozen=True, eq=False)
class SurveyVerdict:
    """The verdict on a survey.

    Attributes
    ----------
    lead : Lead
        Which arm leads, and whether the survey can tell.
    best : str
        The arm that the runs must find: the best one in the test half. It may differ from the
        leader of the whole survey if the survey cannot tell.
    ratings : float
        Number of ratings in the survey, with their weights.
    delta : float
        The allowed error probability in the runs.
    without, using : Need or None
        What the cheapest algorithm needs that ignores the survey, and the cheapest that uses it.
        None if no algorithm could be run or every one was too often wrong.
    ratio : Ratio or None
        The samples of `using` divided by those of `without`, on the same rewards. The interval
        allows for the choice of both. None unless all runs of both finished.
    trust : str
        Whether the bounds on the best arm are valid, by the held-out people: `HOLDS` or `VIOLATED`
        if this is clear, else `UNCERTAIN`; `UNTESTED` if nobody is held out or nothing is known.
    note : str
        One sentence on why there are no runs; empty if there are runs.
    """

    lead: Lead
    best: str
    ratings: float
    delta: float
    without: Need | None
    using: Need | None
    ratio: Ratio | None
    trust: str
    note: str

    @property
    def helps(self) -> bool | None:
        """Whether the survey saves samples; None if the runs cannot tell."""
        if self.ratio is None or self.ratio.low <= 1.0 <= self.ratio.high:
            return None
        return self.ratio.high < 1.0


def verdict_of(
    problem: Problem,
    lead: Lead,
    survey: Survey,
    *,
    delta: float,
    trust: Trust | None = None,
    runs: int = RUNS,
    seed: int = 0,
    q: float = 0.0,
    executor: Executor | None = None,
) -> SurveyVerdict:
    """Return the verdict on a survey.

    Parameters
    ----------
    problem : Problem
        From the survey, before q.
    lead : Lead
        From `cbai.problem.lead.lead_of`.
    survey : Survey
    delta : float
        The allowed error probability in the runs, in (0, 1).
    trust : Trust, optional
        From `cbai.problem.trust.trust_of`. It also says from how many people the rewards are
        drawn: with fewer than `FEWEST_PEOPLE` there are no runs.
    runs : int
        The most runs of each algorithm, at least 2. Hard problems get fewer, down to 2.
    seed : int
    q : float
        The safety buffer of the runs, in [0, b].
    executor : concurrent.futures.Executor, optional
        Plays the runs.

    Returns
    -------
    SurveyVerdict

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Run 0 of each algorithm shows how long runs are, and so how many fit into `MOST_IN_ALL` samples.
    It is used for nothing else, because its length decides the number of runs. An algorithm whose
    run 0 takes more than `MOST_A_RUN` is not run again. The work is limited in samples instead of
    seconds, so the result is the same on every machine.
    """
    checks.whole("runs", runs, 2)
    checks.real("delta", delta, 0.0, 1.0, open_ends=True)
    best = problem.arms[problem.best_arm]
    ratings = float(survey.ratings_per_arm.sum())
    said = _trusted(trust)
    if note := _why_no_runs(problem, trust):
        return SurveyVerdict(lead, best, ratings, delta, None, None, None, said, note)
    rows = [
        name for name in (*WITHOUT, *WITH) if cover(ALGORITHMS[name], problem.n_arms, delta).covered
    ]

    def play(names: Sequence[str], trials: int, first: int) -> Trials:
        return simulate(
            problem, list(names), delta, trials, seed, 0.0, q, MOST_A_RUN, executor,
            first_trial=first,
        )  # fmt: skip

    pilot = play(rows, 1, 0)
    done = [name for name, ok in zip(rows, pilot.identified[:, 0], strict=True) if ok]
    length = float(pilot.samples[pilot.identified].sum())
    number = int(np.clip(MOST_IN_ALL // max(length, 1.0), 2, runs))
    trials = play(done, number, 1) if done else None
    without, using = (_cheapest(kind, pilot, trials, delta) for kind in (WITHOUT, WITH))
    ratio = _ratio(trials, without, using)
    return SurveyVerdict(lead, best, ratings, delta, without, using, ratio, said, "")


def _why_no_runs(problem: Problem, trust: Trust | None) -> str:
    """Say why there are no runs; empty if there are."""
    if trust is not None and trust.testing < FEWEST_PEOPLE:
        found = counted(trust.testing)
        there = f"Only {found} {'is' if trust.testing == 1 else 'are'} held out"
        if not trust.held_out:
            there = f"There {'is' if trust.testing == 1 else 'are'} only {found}"
        return f"{there}. Drawing ratings needs at least {FEWEST_PEOPLE}."
    if problem.best_arms.size > 1:
        names = " and ".join(problem.arms[arm] for arm in problem.best_arms[:2])
        return f"{names} have the same mean among the held-out people, so no run would end."
    return ""


def _cheapest(
    kind: Sequence[str], pilot: Trials, trials: Trials | None, delta: float
) -> Need | None:
    """Return the need of the cheapest algorithm of a kind; an unfinished one if none finished."""
    needs = [need for name in kind if (need := _need(name, len(kind), pilot, trials)) is not None]
    needs = [need for need in needs if not need.too_often_wrong(delta)]
    finished = [need for need in needs if need.mean is not None]
    return min(finished or needs, key=lambda need: need.at_least, default=None)


def _need(name: str, rows: int, pilot: Trials, trials: Trials | None) -> Need | None:
    titles = {row.name: row.title for row in pilot.algorithms}
    if name not in titles:
        return None
    played = [row.name for row in trials.algorithms] if trials is not None else []
    if trials is None or name not in played:
        at = list(titles).index(name)
        return Need(name, titles[name], None, None, None, float(pilot.samples[at, 0]), 1, 0, None)
    at = played.index(name)
    samples, identified = trials.samples[at], trials.identified[at]
    total, finished = samples.size, int(identified.sum())
    wrong = clopper_pearson(int(trials.wrong[at].sum()), total)
    mean = float(samples.mean())
    if finished < total:
        return Need(name, titles[name], None, None, None, mean, total, finished, wrong)
    error = float(samples.std(ddof=1)) / math.sqrt(total)
    half = float(stats.t.isf((1.0 - LEVEL) / 2.0 / rows, total - 1)) * error
    low = max(mean - half, 0.0)
    return Need(name, titles[name], mean, low, mean + half, mean, total, finished, wrong)


def _ratio(trials: Trials | None, without: Need | None, using: Need | None) -> Ratio | None:
    """Return the ratio of the two; its interval allows for the choice among all pairs."""
    if trials is None or without is None or using is None:
        return None
    if without.mean is None or using.mean is None:
        return None
    names = [row.name for row in trials.algorithms]
    whole = {name: trials.samples[i] for i, name in enumerate(names)}
    level = 1.0 - (1.0 - LEVEL) / (len(WITHOUT) * len(WITH))
    return cheapest_ratio([whole[without.name]], [whole[using.name]], level)


def _trusted(trust: Trust | None) -> str:
    if trust is None or not trust.held_out:
        return UNTESTED
    if trust.safe:
        return HOLDS
    return VIOLATED if trust.clearly_unsafe else UNCERTAIN
