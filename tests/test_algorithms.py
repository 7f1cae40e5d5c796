"""One conformance suite over every row of the algorithm table, and over a row added here.

A new algorithm is one more row: it needs no test of its own to be covered by these.
"""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share
from tests.effort import quick_or_full
from tests.strategies import make_problem

TRIALS = quick_or_full(10, 40)

NINTH = Algorithm(
    name="mean_cross",
    title="Mean leader, cross challenger",
    leader=Leader.MEAN,
    challenger=Challenger.CROSS_UCB,
    sampling_share=Share(2, per_arm=True),
    elimination=Elimination.CROSS_UCB,
    elimination_share=Share(2, per_arm=True),
    guarantee="As C-LUCB: it eliminates by the same bounds.",
    source="Made for this test from known rules.",
)
ROWS = [*cbai.ALGORITHMS.values(), NINTH]

every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@pytest.fixture(scope="module")
def easy():
    """Three arms with gaps of 0.4 and 0.6, and pseudo-rewards that rule nothing out wrongly."""
    pseudo = np.ones((3, 3, 2))
    pseudo[1:, 0] = [0.6, 0.5]
    pseudo[np.arange(3), np.arange(3)] = [0.0, 1.0]
    probabilities = [[0.1, 0.9], [0.5, 0.5], [0.7, 0.3]]
    return cbai.Problem(["good", "middling", "poor"], [0.0, 1.0], probabilities, pseudo)


@pytest.fixture(scope="module")
def trials(easy):
    """All rows on the easy problem."""
    result = cbai.simulate(easy, ROWS, delta=0.05, trials=TRIALS, seed=3, max_samples=2_000_000)
    return {row.name: (result, a) for a, row in enumerate(ROWS)}


@pytest.fixture(scope="module")
def short_trials():
    """All rows on random problems with budgets that end many trials early."""
    result = []
    for seed in range(12):
        kind = ["valid", "random", "nothing known", "ties"][seed % 4]
        problem = make_problem(2 + seed % 6, 3, kind, "ratings", False, seed)
        result.append(cbai.simulate(problem, ROWS, delta=0.1, trials=5, seed=seed, max_samples=900))
    return result


def test_the_table_has_the_papers_eight_algorithms_and_those_beyond_it():
    assert [name for name, row in cbai.ALGORITHMS.items() if not row.beyond] == [
        "racing", "lil_ucb", "lucb", "lucb_pp", "c_lucb", "c_lucb_pp", "maxmin_lucb", "two_lucb",
    ]  # fmt: skip
    assert [name for name, row in cbai.ALGORITHMS.items() if row.beyond] == [
        "lucb_pp_bet", "c_lucb_bet", "c_lucb_bet_two", "c_lucb_claim", "c_lucb_eb",
        "c_lucb_guard", "track_and_stop", "ttucb", "exp_gap",
    ]  # fmt: skip


@every_row
def test_a_row_says_what_it_is_and_what_it_guarantees(row):
    for text in (row.title, row.guarantee, row.source):
        assert text.strip() == text
        assert text


def test_names_are_the_keys_and_titles_differ():
    assert all(name == row.name for name, row in cbai.ALGORITHMS.items())
    assert len({row.title for row in ROWS}) == len(ROWS)


@every_row
def test_it_identifies_the_best_arm_of_an_easy_problem(row, easy, trials):
    result, a = trials[row.name]
    assert (result.status[a] == "identified").all()
    assert (result.best_arm[a] == easy.best_arm).all()


@pytest.mark.parametrize("a", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_the_counts_fit_together(a, short_trials):
    for result in short_trials:
        pulls, rounds = result.pulls[a], result.rounds[a]
        n_arms = pulls.shape[1]
        assert set(np.unique(result.status[a])) <= {"identified", "budget"}
        assert (pulls.sum(axis=1) == result.samples[a]).all()
        claims = ROWS[a].by_claim  # it has no round in which all arms are pulled
        assert (pulls >= (0 if claims else 1)).all()
        assert (result.samples[a] <= 900).all()
        assert (rounds >= 1).all()
        assert (pulls <= rounds[:, None]).all()
        assert (result.samples[a] >= (rounds if claims else n_arms + rounds - 1)).all()
        assert ((result.best_arm[a] >= 0) & (result.best_arm[a] < n_arms)).all()


@pytest.mark.parametrize("a", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_each_round_pulls_what_the_sampling_rule_names(a, short_trials):
    row = ROWS[a]
    for result in short_trials:
        later = result.samples[a] - result.pulls.shape[2]
        if row.by_claim:
            assert (result.samples[a] == result.rounds[a]).all()
        elif row.leader in (Leader.ALL, Leader.PHASES):
            assert (later >= result.rounds[a] - 1).all()
        elif row.two_sided:  # one arm may tell most on both sides
            assert (later <= 2 * (result.rounds[a] - 1)).all()
        else:
            one = row.challenger in (Challenger.NONE, Challenger.TRANSPORT)
            per_round = 1 if one else 2
            assert (later == per_round * (result.rounds[a] - 1)).all()


@pytest.mark.parametrize("a", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_eliminations_are_in_range_and_spare_the_answer(a, short_trials):
    for result in short_trials:
        at, rounds = result.eliminated_at[a], result.rounds[a]
        assert ((at >= 0) & (at <= rounds[:, None])).all()
        assert (at == 0).any(axis=1).all()
        assert (np.take_along_axis(at, result.best_arm[a][:, None], axis=1) == 0).all()
        if ROWS[a].elimination is Elimination.NONE:
            assert (at == 0).all()
        budget = result.status[a] == "budget"
        assert ((at[budget] == 0).sum(axis=1) > 1).all()


@every_row
def test_it_is_deterministic(row, easy, trials):
    result, a = trials[row.name]
    again = cbai.simulate(easy, [row], delta=0.05, trials=TRIALS, seed=3, max_samples=2_000_000)
    assert (again.samples[0] == result.samples[a]).all()
    assert (again.pulls[0] == result.pulls[a]).all()
    assert (again.eliminated_at[0] == result.eliminated_at[a]).all()


@every_row
def test_a_smaller_delta_costs_samples_on_average(row, easy, trials):
    result, a = trials[row.name]
    surer = cbai.simulate(easy, [row], delta=1e-4, trials=TRIALS, seed=3, max_samples=2_000_000)
    assert surer.samples[0].mean() > result.samples[a].mean()


@every_row
def test_correlation_changes_only_the_algorithms_that_use_it(row, easy):
    with_it = cbai.simulate(easy, [row], delta=0.05, trials=TRIALS, seed=3, p=0.0)
    without = cbai.simulate(easy, [row], delta=0.05, trials=TRIALS, seed=3, p=1.0)
    same = (with_it.pulls == without.pulls).all()
    assert same == (not row.uses_correlation)


@every_row
def test_a_name_and_its_row_are_the_same_to_replay(row, easy):
    if row.name not in cbai.ALGORITHMS:
        pytest.skip("has no name in the table")
    rewards = np.random.default_rng(0).integers(0, 2, (3, 500))
    by_row = cbai.replay(easy, row, 0.1, rewards, max_samples=500)
    by_name = cbai.replay(easy, row.name, 0.1, rewards, max_samples=500)
    assert by_row.samples == by_name.samples
    assert list(by_row.pulls) == list(by_name.pulls)
