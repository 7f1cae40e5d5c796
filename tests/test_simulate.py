"""Many trials at once: reproducible in any order, observable, and stoppable."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import cbai
from cbai.simulation.chunks import TooManySamples
from tests.reference import philox
from tests.strategies import make_problem

NAMES = list(cbai.ALGORITHMS)
FIELDS = ("samples", "rounds", "best_arm", "status", "pulls", "eliminated_at")
SETUP = {"delta": 0.1, "seed": 17, "p": 0.2, "q": 0.05, "max_samples": 3000}


@pytest.fixture(scope="module")
def problem():
    return make_problem(5, 4, "valid", "ratings", False, seed=2)


@pytest.fixture(scope="module")
def equal_arms():
    """Two arms that are equally good, so that no algorithm should ever name one."""
    pseudo = np.ones((2, 2, 2))
    pseudo[[0, 1], [0, 1]] = [0.0, 1.0]
    return cbai.Problem(["a", "b"], [0.0, 1.0], [[0.5, 0.5], [0.5, 0.5]], pseudo)


def assert_same(one, other):
    for field in FIELDS:
        assert np.array_equal(getattr(one, field), getattr(other, field)), field


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_number_of_threads_changes_nothing(problem, workers):
    default = cbai.simulate(problem, NAMES, trials=13, **SETUP)
    with ThreadPoolExecutor(workers) as pool:
        assert_same(cbai.simulate(problem, NAMES, trials=13, executor=pool, **SETUP), default)


class OverTheWire(Executor):
    """Runs a task here, but sends it and its result through pickle, as processes must."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        task, args, kwargs = pickle.loads(pickle.dumps((fn, args, kwargs)))
        future.set_result(pickle.loads(pickle.dumps(task(*args, **kwargs))))
        return future


def test_tasks_can_travel_to_other_processes(problem):
    default = cbai.simulate(problem, NAMES, trials=6, **SETUP)
    assert_same(cbai.simulate(problem, NAMES, trials=6, executor=OverTheWire(), **SETUP), default)


def test_a_worker_process_changes_nothing(problem):
    default = cbai.simulate(problem, NAMES, trials=3, **SETUP)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        assert_same(cbai.simulate(problem, NAMES, trials=3, executor=pool, **SETUP), default)


def test_an_executor_passed_in_stays_usable(problem):
    with ThreadPoolExecutor(2) as pool:
        cbai.simulate(problem, ["lucb"], trials=2, executor=pool, **SETUP)
        assert pool.submit(lambda: "still here").result() == "still here"


@pytest.mark.parametrize("i", [0, 5, 12])
def test_a_trial_played_alone_is_the_same_trial(problem, i):
    together = cbai.simulate(problem, NAMES, trials=13, **SETUP)
    alone = cbai.simulate(problem, NAMES, trials=1, first_trial=i, **SETUP)
    for field in FIELDS:
        assert np.array_equal(getattr(alone, field)[:, 0], getattr(together, field)[:, i]), field


def test_more_trials_begin_with_the_same_trials(problem):
    few = cbai.simulate(problem, ["c_lucb"], trials=4, **SETUP)
    many = cbai.simulate(problem, ["c_lucb"], trials=9, **SETUP)
    assert np.array_equal(many.pulls[:, :4], few.pulls)


def test_seeds_and_trials_differ(problem):
    trials = cbai.simulate(problem, ["lucb"], trials=10, **SETUP)
    other = cbai.simulate(problem, ["lucb"], trials=10, **(SETUP | {"seed": 18}))
    assert len({tuple(row) for row in trials.pulls[0].tolist()}) > 1
    assert not np.array_equal(trials.pulls, other.pulls)


def test_algorithms_meet_the_same_rewards_whatever_their_company(problem):
    together = cbai.simulate(problem, NAMES, trials=5, **SETUP)
    for a, name in enumerate(NAMES):
        alone = cbai.simulate(problem, [name], trials=5, **SETUP)
        assert np.array_equal(alone.pulls[0], together.pulls[a]), name


@pytest.mark.parametrize("name", NAMES)
def test_a_trial_is_the_replay_of_its_rewards(problem, name):
    """Common random numbers: one reward table per trial, whichever algorithm reads it."""
    setup = SETUP | {"p": 0.0, "q": 0.0, "max_samples": 400}
    trials = cbai.simulate(problem, [name], trials=1, first_trial=3, **setup)
    draw = philox.drawer(problem.probabilities.tolist(), setup["seed"], 3)
    rewards = [[draw(k, j) for j in range(400)] for k in range(problem.n_arms)]
    replay = cbai.replay(problem, name, setup["delta"], rewards, max_samples=400)
    assert replay.samples == trials.samples[0, 0]
    assert list(replay.pulls) == trials.pulls[0, 0].tolist()
    assert replay.best_arm == trials.best_arm[0, 0]


def test_arrays_are_indexed_by_algorithm_trial_and_arm(problem):
    trials = cbai.simulate(problem, NAMES, trials=3, **SETUP)
    for field in FIELDS[:4]:
        assert getattr(trials, field).shape == (len(NAMES), 3), field
    for field in FIELDS[4:]:
        assert getattr(trials, field).shape == (len(NAMES), 3, problem.n_arms), field


def test_progress_counts_up_to_the_total(problem):
    calls = []
    cbai.simulate(problem, NAMES, trials=7, progress=lambda *counts: calls.append(counts), **SETUP)
    done = [count for count, _ in calls]
    assert done == sorted(done)
    assert {total for _, total in calls} == {7 * len(NAMES)}
    assert done[-1] == 7 * len(NAMES)


class Stopped(Exception):
    """Raised by the progress callback."""


@pytest.mark.parametrize("own_executor", [False, True])
def test_an_exception_in_progress_stops_the_run(equal_arms, own_executor):
    """All 10,000 trials would take hours: that this test ends at all is the proof."""
    calls = []

    def stop(done, total):
        calls.append((done, total))
        raise Stopped

    setup = {"delta": 0.01, "trials": 10_000, "max_samples": 300_000, "progress": stop}
    with ThreadPoolExecutor(2) as pool:
        executor = pool if own_executor else None
        with pytest.raises(Stopped):
            cbai.simulate(equal_arms, ["lucb", "c_lucb"], executor=executor, **setup)
        assert pool.submit(lambda: "still here").result() == "still here"
    assert len(calls) == 1
    assert calls[0][0] < calls[0][1]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "lil_ucb"])
def test_equal_best_arms_run_to_the_budget(equal_arms, name):
    """With delta = 0.01, each of 3 trials names an arm anyway with probability below 0.02.

    lil'UCB stops by shares of pulls and makes no claim where no arm is best.
    """
    trials = cbai.simulate(equal_arms, [name], delta=0.01, trials=3, seed=1, max_samples=5001)
    assert (trials.status == "budget").all()
    assert (trials.samples >= 5000).all()
    assert (trials.samples <= 5001).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_trial_answers_with_the_active_arm_of_largest_mean(problem, name):
    rng = np.random.default_rng(5)
    for _ in range(20):
        rewards = rng.integers(0, problem.n_values, (problem.n_arms, 60))
        trial = cbai.replay(problem, name, 0.1, rewards, max_samples=60)
        assert trial.status == "budget"
        means = [
            problem.values[row[:n]].mean() for row, n in zip(rewards, trial.pulls, strict=True)
        ]
        active = np.flatnonzero(np.asarray(trial.eliminated_at) == 0)
        assert means[trial.best_arm] == pytest.approx(max(means[k] for k in active))
        assert trial.best_arm in active


def test_a_frame_has_one_row_per_algorithm_and_trial_with_its_parameters(problem):
    trials = cbai.simulate(problem, ["lucb", "c_lucb"], trials=3, first_trial=4, **SETUP)
    frame = trials.to_frame()
    assert len(frame) == 6
    assert frame.groupby(["algorithm", "trial"]).size().eq(1).all()
    assert set(frame["algorithm"]) == {"lucb", "c_lucb"}
    assert set(frame["trial"]) == {4, 5, 6}
    for name, value in SETUP.items():
        assert (frame[name] == value).all(), name
    for a, name in enumerate(["lucb", "c_lucb"]):
        rows = frame[frame["algorithm"] == name].sort_values("trial")
        for field in ("samples", "rounds", "status"):
            assert rows[field].tolist() == getattr(trials, field)[a].tolist(), field
        named = [problem.arms[k] for k in trials.best_arm[a][trials.identified[a]]]
        assert rows["best_arm"].dropna().tolist() == named


def test_a_run_that_ran_out_has_no_answer_in_a_frame(problem):
    trials = cbai.simulate(problem, ["lucb", "c_lucb_bet"], trials=20, **SETUP)
    answered = trials.identified.ravel()
    assert answered.any()
    assert not answered.all()
    frame = trials.to_frame()
    assert frame["best_arm"].notna().tolist() == answered.tolist()
    assert frame["correct"].notna().tolist() == answered.tolist()
    assert frame["correct"].mean() == 1.0 - trials.wrong.sum() / answered.sum()


def test_a_frame_is_enough_to_make_the_result_again(problem):
    row = cbai.simulate(problem, ["c_lucb"], trials=3, **SETUP).to_frame().iloc[2]
    again = cbai.simulate(
        problem, [row["algorithm"]], delta=row["delta"], trials=1, seed=int(row["seed"]),
        p=row["p"], q=row["q"], max_samples=int(row["max_samples"]),
        first_trial=int(row["trial"]),
    )  # fmt: skip
    assert again.samples[0, 0] == row["samples"]


def test_a_run_takes_no_more_samples_in_all_than_allowed(problem):
    trials = cbai.simulate(problem, NAMES[:2], trials=9, **SETUP)
    most = int(trials.samples.sum())
    again = cbai.simulate(problem, NAMES[:2], trials=9, total_samples=most, **SETUP)
    assert np.array_equal(again.samples, trials.samples)
    with pytest.raises(TooManySamples, match=f"at most {most - 1:,} samples in all"):
        cbai.simulate(problem, NAMES[:2], trials=9, total_samples=most - 1, **SETUP)
