"""Runs that spend a fixed budget: the compiled loop against its twin, and what must always hold.

The statistical tests are seeded. Over the whole file a correct library fails one of them with
probability at most `FALSE_ALARM` (Bonferroni). Each of them is seen to fail on a planted bug.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.problem import pseudo_rewards as pr
from cbai.results.budget import halving_bound
from cbai.simulation.loops import halving as loop
from cbai.simulation.rules.budget_rows import Allocation, BudgetAlgorithm, halvings
from tests.effort import examples, quick_or_full
from tests.reference import halving
from tests.reference import philox as reference_philox
from tests.strategies import SEEDS, make_problem, problems

NAMES = list(cbai.BUDGET_ALGORITHMS)
ROWS = list(cbai.BUDGET_ALGORITHMS.values())
TRIALS = quick_or_full(20_000, 100_000)
"""So many find ties that always go to the first arm."""
FALSE_ALARM = 1e-6
N_TESTS = 2 * len(NAMES) + 4
ALPHA = FALSE_ALARM / N_TESTS


def coins(*chances):
    """Return arms that give 1 with these chances and else 0; nothing is known of one another."""
    n = len(chances)
    unknown = np.ones((n, n, 2))
    unknown[np.arange(n), np.arange(n)] = [0.0, 1.0]
    arms = [f"arm {k}" for k in range(n)]
    return cbai.Problem(arms, [0, 1], [[1 - c, c] for c in chances], unknown)


def least_of_all(n_arms):
    return max(row.least(n_arms) for row in ROWS)


@settings(examples(120), suppress_health_check=[HealthCheck.too_slow])
@given(
    problem=problems,
    more=st.integers(0, 700),
    p=st.sampled_from([0.0, 0.3, 1.0]),
    share_q=st.sampled_from([0.0, 0.1]),
    seed=SEEDS,
    first_trial=st.integers(0, 1000),
)
def test_every_row_agrees_with_its_twin(problem, more, p, share_q, seed, first_trial):
    budget = least_of_all(problem.n_arms) + more
    q = share_q * problem.reward_max
    trials = cbai.simulate(
        problem, NAMES, budget=budget, trials=2, seed=seed, p=p, q=q, first_trial=first_trial
    )
    buffered = pr.add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    for i in range(2):
        trial = first_trial + i
        unknown = pr.mask(problem.n_arms, problem.n_values, p, seed, trial)
        known = pr.apply_mask(buffered, unknown, problem.reward_max)
        draw = reference_philox.drawer(problem.probabilities.tolist(), seed, trial)
        for a, name in enumerate(NAMES):
            arm, pulls = halving.play(
                problem.values.tolist(), known.tolist(), problem.reward_max, draw, problem.n_arms,
                name, budget, seed, trial,
            )  # fmt: skip
            assert (int(trials.best_arm[a, i]), trials.pulls[a, i].tolist()) == (arm, pulls), name


@given(n_arms=st.integers(2, 40), more=st.integers(0, 3000), seed=SEEDS)
@examples(60)
def test_the_budget_is_never_exceeded_and_every_arm_is_pulled(n_arms, more, seed):
    problem = make_problem(n_arms, 3, "random", "ratings", False, seed)
    budget = least_of_all(n_arms) + more
    trials = cbai.simulate(problem, NAMES, budget=budget, trials=3, seed=seed)
    assert (trials.samples <= budget).all()
    for row, pulls, named in zip(ROWS, trials.pulls, trials.best_arm, strict=True):
        if row.allocation is not Allocation.BRACKETS:
            assert pulls.min() >= 1, row.name
        assert (np.take_along_axis(pulls, named[:, None], axis=1) >= 1).all(), row.name


def test_what_is_left_of_the_budget_is_less_than_a_round():
    problem = make_problem(11, 3, "valid", "ratings", False, 4)
    trials = cbai.simulate(problem, NAMES, budget=1003, trials=5)
    left = {row.name: int((1003 - trials.samples[a]).max()) for a, row in enumerate(ROWS)}
    assert left["uniform"] == 1003 % 11
    assert left["sh_ada_var"] == 1003 % halvings(11)
    assert left["sequential_halving"] <= halvings(11) * 11


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_smallest_budget_is_played_and_one_less_is_refused(row):
    for n_arms in (2, 3, 8, 9, 33):
        problem, least = coins(*np.linspace(0.1, 0.9, n_arms)), row.least(n_arms)
        trials = cbai.simulate(problem, [row], budget=least, trials=20)
        assert (trials.samples <= least).all()
        with pytest.raises(ValueError, match=rf"budget must be .*{least:,}.*, got {least - 1}"):
            cbai.simulate(problem, [row], budget=least - 1, trials=1)


@pytest.mark.parametrize("name", NAMES)
def test_with_a_large_budget_the_answer_is_right(name):
    problem = coins(0.35, 0.3, 0.55, 0.4, 0.2, 0.4)
    curve = cbai.budget_curve(problem, [name], [50, 500, 20_000], trials=200)
    right = curve.answers[0, :, problem.best_arm]
    assert right[0] < right[2] == 200


def test_no_row_prefers_an_arm_for_its_place():
    """Among equal arms each is named equally often: a test of goodness of fit."""
    problem = coins(*[0.3] * 6)
    curve = cbai.budget_curve(problem, NAMES, [60], trials=TRIALS)
    for name, answers in zip(NAMES, curve.answers[:, 0], strict=True):
        assert stats.chisquare(answers).pvalue > ALPHA, name
    assert not cbai.simulate(problem, NAMES, budget=60, trials=50).wrong.any()
    first_wins = np.zeros(6, np.int64)  # planted: ties go to the lowest index
    for sums in np.random.default_rng(0).binomial(10, 0.3, (TRIALS, 6)):
        first_wins[sums.argmax()] += 1
    assert stats.chisquare(first_wins).pvalue < ALPHA


def errors_of_two(first, second, n):
    """Return how likely n rewards of the worse of two coins sum to more, and to the same."""
    ways = np.outer(*(stats.binom.pmf(np.arange(n + 1), n, c) for c in (first, second)))
    return float(np.triu(ways, 1).sum()), float(np.trace(ways))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "sh_ada_var"])
def test_two_arms_err_as_often_as_computed(name):
    """All of these pull both arms n / 2 times; the error is a sum of binomial probabilities."""
    problem = coins(0.45, 0.6)
    more, same = errors_of_two(0.6, 0.45, 20)
    trials = cbai.simulate(problem, [name], budget=40, trials=TRIALS, seed=5)
    wrong = int(trials.wrong.sum())
    assert (trials.pulls == 20).all()
    assert stats.binomtest(wrong, TRIALS, more + same / 2).pvalue > ALPHA
    for planted in (more + same, more, errors_of_two(0.6, 0.45, 14)[0] + same / 2):
        assert stats.binomtest(wrong, TRIALS, planted).pvalue < ALPHA


def test_the_error_is_below_its_proven_bound():
    problem = coins(0.9, 0.2, 0.15, 0.1, 0.1)
    budget = 60
    bound = halving_bound(problem.means, 1.0, budget)
    assert 0.01 < bound < 0.3
    curve = cbai.budget_curve(problem, ["sequential_halving"], [budget], trials=2000)
    wrong = 2000 - int(curve.answers[0, 0, 0])
    assert stats.binomtest(wrong, 2000, bound, alternative="greater").pvalue > ALPHA
    planted = coins(0.9, 0.85, 0.8, 0.1, 0.1)  # the bound of other arms
    curve = cbai.budget_curve(planted, ["sequential_halving"], [budget], trials=2000)
    wrong = 2000 - int(curve.answers[0, 0, 0])
    assert stats.binomtest(wrong, 2000, bound, alternative="greater").pvalue < ALPHA


def test_nothing_known_makes_c_halving_sequential_halving():
    problem = make_problem(9, 4, "valid", "ratings", False, 3)
    trials = cbai.simulate(
        problem, ["c_halving", "sequential_halving"], budget=400, trials=50, p=1.0
    )
    assert (trials.pulls[0] == trials.pulls[1]).all()
    assert (trials.best_arm[0] == trials.best_arm[1]).all()


def test_without_pseudo_rewards_c_halving_is_sequential_halving():
    known = coins(*np.linspace(0.3, 0.6, 7))
    bare = known.with_pseudo_rewards(None)
    rows = ["c_halving", "sequential_halving"]
    trials = cbai.simulate(bare, rows, budget=200, trials=50, p=0.3, q=0.1)
    assert (trials.pulls[0] == trials.pulls[1]).all()
    assert (trials.best_arm[0] == trials.best_arm[1]).all()
    other = cbai.simulate(known, rows, budget=200, trials=50)
    assert (trials.best_arm == other.best_arm).all()


def test_valid_bounds_help_and_false_ones_hurt_for_ever():
    """The best of five coins is bounded from above by 0.3, though its mean is 0.6."""
    honest = coins(0.6, 0.5, 0.45, 0.4, 0.35)
    rows = ["sequential_halving", "c_halving"]
    low = honest.pseudo_rewards.copy()
    low[0, 1:] = 0.3
    false = honest.with_pseudo_rewards(low)
    trials = cbai.simulate(false, rows, budget=20_000, trials=50)
    assert trials.wrong.sum(axis=1).tolist() == [0, 50]
    sharp = honest.pseudo_rewards.copy()
    sharp[2:, 0] = 0.5
    true = honest.with_pseudo_rewards(sharp)
    trials = cbai.simulate(true, rows, budget=200, trials=2000)
    plain, ours = trials.wrong.sum(axis=1)
    assert ours < plain


def test_more_goes_to_arms_whose_rewards_vary_more():
    values = [0, 1, 2]
    unknown = np.full((4, 4, 3), 2.0)
    unknown[np.arange(4), np.arange(4)] = values
    chances = [[0.0, 1.0, 0.0], [0.02, 0.96, 0.02], [0.5, 0.02, 0.48], [0.5, 0.01, 0.49]]
    problem = cbai.Problem(list("abcd"), values, chances, unknown)
    pulls = cbai.simulate(problem, ["sh_ada_var"], budget=800, trials=200).pulls[0].mean(axis=0)
    assert pulls[2:].min() > 2 * pulls[:2].max()


def test_thousands_of_arms_with_fewer_samples_than_arms():
    n_arms = 400
    chances = np.linspace(0.05, 0.95, n_arms)
    problem = cbai.Problem(
        [f"arm {k}" for k in range(n_arms)], [0, 1], np.column_stack([1 - chances, chances])
    )
    trials = cbai.simulate(problem, ["bracketing_halving"], budget=300, trials=200)
    assert (trials.pulls > 0).sum(axis=2).max() < n_arms
    assert trials.loss.mean() < 0.15  # an arm at random loses 0.45
    sizes = [min(1 << b, n_arms) for b in range(1, loop.n_brackets(300, n_arms) + 1)]
    assert sizes == [2, 4, 8, 16]


def test_the_number_of_groups_is_the_largest_that_the_budget_affords():
    for n_arms in (2, 3, 5, 16, 1000):
        for budget in (2, 3, 7, 50, 999, 40_000):
            n = loop.n_brackets(budget, n_arms)
            assert n == 1 or budget // n >= n * min(2**n, n_arms)
            assert n <= halvings(n_arms)


def test_results_do_not_depend_on_threads_or_on_where_a_run_begins():
    problem = make_problem(7, 4, "random", "halves", True, 8)
    whole = cbai.simulate(problem, NAMES, budget=200, trials=70, seed=3, p=0.4)
    with ThreadPoolExecutor(3) as pool:
        part = cbai.simulate(
            problem, NAMES, budget=200, trials=30, seed=3, p=0.4, first_trial=40, executor=pool
        )
    assert (part.pulls == whole.pulls[:, 40:]).all()
    assert (part.best_arm == whole.best_arm[:, 40:]).all()
    curve = cbai.budget_curve(problem, NAMES, [150, 200], trials=70, seed=3, p=0.4)
    for a in range(len(NAMES)):
        assert (curve.answers[a, 1] == np.bincount(whole.best_arm[a], minlength=7)).all()


def test_rewards_are_those_of_the_other_algorithms():
    """The first reward of each arm decides both, so both draw the same."""
    problem = coins(0.5, 0.5, 0.5)
    own = cbai.simulate(problem, ["uniform"], budget=3, trials=40, seed=9)
    other = cbai.simulate(problem, ["lucb"], delta=0.1, trials=40, seed=9, max_samples=3)
    draw = [reference_philox.drawer(problem.probabilities.tolist(), 9, i) for i in range(40)]
    for i in range(40):
        named = int(own.best_arm[0, i]), int(other.best_arm[0, i])
        best = max(draw[i](arm, 0) for arm in range(3))
        assert [draw[i](arm, 0) for arm in named] == [best, best]


def test_a_run_can_be_stopped_by_its_progress():
    problem = make_problem(7, 4, "random", "halves", True, 8)
    seen = []

    def stop(done, total):
        seen.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cbai.budget_curve(problem, NAMES, [200, 400], trials=5000, progress=stop)
    assert [total for _, total in seen] == [2 * len(NAMES) * 5000]


def test_a_row_of_your_own_is_played():
    mine = BudgetAlgorithm("mine", "Mine", Allocation.UNIFORM, "Nothing.", "Here.")
    problem = coins(0.2, 0.8)
    trials = cbai.simulate(problem, [mine, "uniform"], budget=50, trials=30)
    assert (trials.best_arm[0] == trials.best_arm[1]).all()
    assert trials.to_frame().groupby("algorithm")["correct"].mean().to_dict().keys() == {
        "mine", "uniform",
    }  # fmt: skip
    assert "Mine" in trials._repr_html_()
