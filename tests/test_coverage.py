"""Confidence sequences keep their promise at all times, each bound on its own side.

That a bound ever misses on one side has probability at most d. This is tested with a one-sided
exact binomial test on seeded streams; over the whole file a correct library is rejected with
probability at most `FALSE_ALARM` (Bonferroni). The same test must reject the fixed-n bound, and
bounds planted too narrow: so it can see a broken promise.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from scipy import stats

import cbai
from cbai.simulation.bounds.confidence import CONFIDENCE, Form
from cbai.simulation.coverage import first_misses
from tests.effort import quick_or_full

GENRES = cbai.load_problem("movielens-1m")
SOURCES = {
    "a fair coin": ([0.5, 0.5], [0.0, 1.0], 1.0),
    "a coin of 0.05": ([0.95, 0.05], [0.0, 1.0], 1.0),
    "ratings": (GENRES.probabilities[GENRES.best_arm], GENRES.values, GENRES.reward_max),
}
ANYTIME = [name for name, row in CONFIDENCE.items() if row.anytime]
D = 0.05
STREAMS, REWARDS = quick_or_full(600, 2000), quick_or_full(20_000, 100_000)
"""The quick numbers find every bug that this file plants; the full ones find smaller ones too."""
SEED = 2021
FALSE_ALARM = 1e-6
ALPHA = FALSE_ALARM / (2 * len(SOURCES) * len(ANYTIME))


def narrower(name, factor):
    """Return a sequence whose bounds are nearer to the mean by a factor, nearly so for KL."""
    row = CONFIDENCE[name]
    return replace(row, scale=row.scale * (factor**2 if row.form is Form.KL else factor))


def missed(source, sequences, rewards):
    """Return how many streams ever miss, by sequence and side, shape (S, 2)."""
    found = first_misses(*SOURCES[source], sequences, D, rewards, STREAMS, SEED, side="both")
    return (found > 0).sum(axis=2)


@cache
def missed_by(source):
    """Return how many streams ever miss, for the upper and the lower bounds of each sequence."""
    return dict(zip(CONFIDENCE, missed(source, list(CONFIDENCE), REWARDS), strict=True))


def breaks_the_promise(count):
    """Return whether this many misses in `STREAMS` refute a probability of d."""
    return stats.binomtest(int(count), STREAMS, D, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("source", SOURCES)
def test_an_anytime_bound_ever_misses_with_probability_at_most_d(source):
    for name in ANYTIME:
        for count in missed_by(source)[name]:
            assert not breaks_the_promise(count), name


def test_the_fixed_n_bound_breaks_the_promise_by_a_lot():
    """On a fair coin; rewards that vary less than b / 2 leave it so much room that it lasts."""
    for count in missed_by("a fair coin")["hoeffding"]:
        assert breaks_the_promise(count)
        assert count > 3 * D * STREAMS


@pytest.mark.parametrize("name", ANYTIME)
def test_bounds_of_a_quarter_of_the_width_are_found_out(name):
    """On a fair coin again: ratings vary a third as much as the bounds allow for."""
    for count in missed("a fair coin", [narrower(name, 0.25)], rewards=10_000)[0]:
        assert breaks_the_promise(count)


@pytest.mark.parametrize("name", ["howard", "lil", "even_dar", "lil_kl_lucb"])
def test_bounds_of_half_the_width_are_found_out_where_they_are_tight(name):
    """The others are wider by more than twice than they need be, by their union over all n."""
    for count in missed("a fair coin", [narrower(name, 0.5)], rewards=10_000)[0]:
        assert breaks_the_promise(count)
