"""Whether the pseudo-rewards of a survey can be trusted, by the ratings of held-out people.

All of this is an estimate from finitely many people: whether a bound is too low, and the smallest
buffer that fixes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem.counted import counted
from cbai.problem.lead import LEVEL, perhaps_best
from cbai.problem.people import Floats, people_of
from cbai.problem.problem import Problem
from cbai.problem.pseudo_rewards import add_buffer, off_diagonal
from cbai.problem.slack import SlackMoments, slack_moments
from cbai.problem.splits import Split
from cbai.problem.survey import Survey
from cbai.problem.validity import expected_pseudo_rewards

GRID = 25
BISECTIONS = 24
"""Steps of a grid over [0, b], and bisections of the step that matters: precision b / 4e8."""


@dataclass(frozen=True, eq=False)
class Trust:
    """What held-out people show about pseudo-rewards, indexed (arm bounded, arm pulled).

    Attributes
    ----------
    slack : ndarray, shape (K, K)
        The estimate of E[s_{l,k}(R_k)] - mu_l, in units of reward. Below 0 the bound is too low.
    low, high : ndarray, shape (K, K)
        Its interval, which holds for one pair at a time.
    low_all, high_all : ndarray, shape (K, K)
        Its wider interval, which holds for all pairs together.
    violated, holds : ndarray of bool, shape (K, K)
        Whether all of the wider interval is below 0, and whether none of it is. Other pairs are
        uncertain. A bound that is always the largest reward is valid without a test.
    perhaps_best : tuple of int
        The arms that may be best: the leader and the arms not told apart from it.
    q_low, q_estimate, q_high : float
        The smallest safe buffer: the ends of its interval and its estimate. With probability at
        most 1 - level each, `q_low` is too large or `q_high` is too small.
    useful : bool
        Whether the survey can still rule out an arm with a buffer of `q_high`: by the estimates,
        some bound on an arm that is not best is then below the best mean.
    level : float
    held_out : bool
        Whether other people test than those who estimate. If not, nothing is tested: `holds` is
        false for every bound below the largest reward, and `q_high` is b.
    estimating, testing : int
        Number of people who make the pseudo-rewards, and of people who test them.
    words : str
        One or two sentences on who estimates and who tests.
    """

    slack: Floats
    low: Floats
    high: Floats
    low_all: Floats
    high_all: Floats
    violated: NDArray[np.bool_]
    holds: NDArray[np.bool_]
    perhaps_best: tuple[int, ...]
    q_low: float
    q_estimate: float
    q_high: float
    useful: bool
    level: float
    held_out: bool
    estimating: int
    testing: int
    words: str

    @property
    def safe(self) -> bool:
        """Whether no buffer is needed, with probability at least `level`."""
        return self.held_out and self.q_high <= 0.0

    def is_open(self, q: float) -> bool:
        """Whether the data leave open if a buffer q is safe; q in units of reward."""
        return not self.held_out or self.q_low <= q < self.q_high

    @property
    def clearly_unsafe(self) -> bool:
        """Whether some buffer is needed, with probability at least `level`."""
        return self.q_low > 0.0


def trust_of(
    problem: Problem, survey: Survey, split: Split, *, level: float = LEVEL, ways: int = 1
) -> Trust:
    """Estimate from the test half whether the pseudo-rewards are valid, and which buffer is safe.

    Parameters
    ----------
    problem : Problem
        From `cbai.problem.splits.make_problem` with the same survey and split.
    survey, split
        The ratings, and who is in which half.
    level : float
        The confidence level of the statements, in (0, 1).
    ways : int
        Number of ways of making pseudo-rewards that were compared on the same test half, at least
        1. With more than one, the intervals are wider, and the statements hold for any of them.

    Returns
    -------
    Trust

    Raises
    ------
    ValueError
        If the problem's arms or values are not those of the survey, if an arm has no rating in the
        test half, or if `level` or `ways` is outside its range.

    Notes
    -----
    Other people make the pseudo-rewards, so they are fixed here. The slack is a difference of two
    ratio means, with people as units and paired by person if someone rated both arms; see
    `cbai.problem.people`. All pairs together: Bonferroni over the K (K - 1) pairs.

    *The buffer.* The safe q is the largest q_{l,k} over all k for the best arm l, with q_{l,k} the
    smallest q for which E[min(s_{l,k}(R_k) + q, b)] >= mu_l. Half of 1 - level allows for not
    knowing the best arm: with that probability at most it is not among `perhaps_best`. `q_high` is
    the largest, over these arms l and all k, of the upper ends of q_{l,k}: the largest q whose
    slack has a lower end below 0, one-sided at the other half. No union over pairs is needed:
    q_high is too small only if it misses the one pair of the population that needs most. `q_low`
    is the smallest, over these arms, of the largest lower end over all k, which needs a union over
    k. The same half may pick the best arm, because the maximum is over all arms that may be best.

    *Several ways.* If the test half also chose among several sets of pseudo-rewards, all of them
    are covered together: Bonferroni over `ways`. The arms that may be best do not depend on the
    set, so their share of 1 - level is not divided.

    This holds up to the normal limit, and for people like those held out.
    """
    alpha = 1.0 - checks.real("level", level, 0.0, 1.0, open_ends=True)
    ways = checks.whole("ways", ways, 1, 1_000)
    _check_same(problem, survey)
    moments = held_out_moments(survey, split)
    n_arms, pseudo = problem.n_arms, problem.pseudo_rewards
    share = alpha / 2.0 / ways
    one = moments.slack(pseudo, share)
    every = moments.slack(pseudo, share / (n_arms * (n_arms - 1)))
    best = perhaps_best(moments.people, alpha / 2.0)
    largest = (pseudo >= problem.reward_max).all(axis=2)
    holds = (every.low >= -checks.TOLERANCE) | largest
    if not split.held_out:
        holds = (holds & ~off_diagonal(n_arms)) | largest
    search = _Search(moments, pseudo, np.array(best, dtype=np.intp), problem.reward_max)
    leader = _Search(moments, pseudo, search.arms[:1], problem.reward_max)
    top = problem.reward_max
    q_high = float(search.smallest(share, "low").max()) if split.held_out else top
    return Trust(
        one.estimate,
        one.low,
        one.high,
        every.low,
        every.high,
        every.high < -checks.TOLERANCE,
        holds,
        best,
        float(search.smallest(share / (n_arms - 1), "high").max(axis=1).min()),
        float(leader.smallest(share, "estimate").max()),
        q_high,
        rules_out(problem, q_high),
        level,
        split.held_out,
        int(split.train.sum()),
        int(split.test.sum()),
        who_tests(split),
    )


def says_something(problem: Problem) -> bool:
    """Return whether some pseudo-reward of an arm by another is below the largest reward."""
    if not problem.has_pseudo_rewards:
        return False
    known = (problem.pseudo_rewards < problem.reward_max).any(axis=2)
    return bool((known & off_diagonal(problem.n_arms)).any())


def rules_out(problem: Problem, q: float) -> bool:
    """Return whether the survey alone rules out some arm, with a buffer q.

    That is, E[min(s_{l,k}(R_k) + q, b)] < mu_{k*} for some k and some l that is not best.
    """
    raised = add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    phi = expected_pseudo_rewards(problem.with_pseudo_rewards(raised))
    below = (phi < problem.means.max() - checks.TOLERANCE) & off_diagonal(problem.n_arms)
    below[problem.best_arms] = False
    return bool(below.any())


def held_out_moments(survey: Survey, split: Split) -> SlackMoments:
    """Return the moments of the test half.

    Raises
    ------
    ValueError
        If an arm has no rating there.
    """
    people = people_of(survey, split.test)
    if not people.ratings.all():
        empty = survey.arms[int(np.argmin(people.ratings))]
        raise ValueError(
            "Every option needs a rating by the people held out, got none of "
            f"{checks.quoted(empty)}."
        )
    return slack_moments(people)


def who_tests(split: Split) -> str:
    """Say which people estimate and which people test."""
    making, testing = int(split.train.sum()), int(split.test.sum())
    if not split.held_out:
        return (
            f"The same {counted(testing)} {'makes' if testing == 1 else 'make'} the pseudo-rewards "
            "and would have to test them, so nothing is tested. The pseudo-rewards look better "
            "here than they would with new people."
        )
    return (
        f"{counted(making)} {'makes' if making == 1 else 'make'} the pseudo-rewards. "
        f"{counted(testing, 'other person tests', 'other people test')} them."
    )


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the smallest buffer of pairs whose bounded arm is one of `arms`."""

    moments: SlackMoments
    pseudo_rewards: Floats
    arms: NDArray[np.intp]
    reward_max: float

    def smallest(self, alpha: float, end: str) -> Floats:
        """Return for each pair the largest q with an end of its slack below 0, shape (L, K).

        A grid finds the last step with this property, because a lower end need not always rise.
        Bisection does the rest. The result is never below that largest q. A bound that is always b
        is valid without a test, so no q is more than b minus the smallest entry.
        """
        rows = self.pseudo_rewards[self.arms]
        b = self.reward_max

        def below(q: Floats) -> NDArray[np.bool_]:
            raised = np.minimum(rows + q[:, :, None], b)
            found = self.moments.slack(raised, alpha, self.arms)
            value: Floats = getattr(found, end)
            open_: NDArray[np.bool_] = (value < -checks.TOLERANCE) & ~(raised >= b).all(axis=2)
            return open_

        return _largest(below, rows.shape[:2], b)


def _largest(
    below: Callable[[Floats], NDArray[np.bool_]], shape: tuple[int, ...], top: float
) -> Floats:
    low, high = np.full(shape, -1.0), np.zeros(shape)
    for step in range(GRID):
        q = np.full(shape, top * step / GRID)
        short = below(q)
        low = np.where(short, q, low)
        high = np.where(short, top * (step + 1) / GRID, high)
    needed = low >= 0.0
    low = np.where(needed, low, 0.0)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        short = below(middle)
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.where(needed, high, 0.0)


def _check_same(problem: Problem, survey: Survey) -> None:
    same = problem.arms == survey.arms and np.array_equal(problem.values, survey.values)
    if not same:
        raise ValueError(
            "The problem must have the arms and values of the survey, got "
            f"{checks.quoted(list(problem.arms))} and {checks.quoted(list(survey.arms))}."
        )
