"""Sweeps: which cells there are, and how they are run one after the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.problem.changes import gap_of, keep_best
from cbai.problem.validity import check_validity
from cbai.results.sweep import cell_of
from cbai.ui.runs import on_demand, stopping
from cbai.ui.visit.setup import DEFAULT
from cbai.ui.whatif.speakers import cells_of
from cbai.ui.whatif.sweep import limit_at
from cbai.ui.whatif.sweep_plan import FEW_RUNS, MOST_TWO, plan_for, target
from cbai.ui.whatif.sweep_sentences import answer
from tests.sweeps import NAMES, SMALL, planned, played
from tests.visit import at, simulated

# ---------------------------------------------------------------- the plan


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_arms_and_how_many_best_go_together(name):
    setup = at(name)
    plan = planned(setup, "top", "arms")
    most, arms = plan.axes[0].values[-1], plan.axes[1].values
    assert most < min(arms)
    if setup.problem.n_arms > 3:
        assert len(plan.axes[0].values) > 1
        assert len(arms) > 1
    for one in plan.setups.values():
        assert one.top < one.problem.n_arms


@pytest.mark.parametrize("name", cbai.DATASETS)
@pytest.mark.parametrize("parameter", NAMES)
def test_the_own_value_is_among_the_values(name, parameter):
    setup = at(name, delta=0.02, p=0.35, q=0.03, trials=50)
    plan = planned(setup, parameter)
    (axis,) = plan.axes
    own = {
        "delta": 0.02, "p": 0.35, "q": 0.03, "arms": setup.problem.n_arms,
        "gap": gap_of(setup.problem), "trials": 50, "epsilon": 0.0, "top": 1,
    }[parameter]  # fmt: skip
    assert axis.values[axis.own] == own
    assert len(set(axis.values)) == len(axis.values) == len(set(axis.labels))
    assert list(axis.values) in (sorted(axis.values), sorted(axis.values, reverse=True))
    setups = list(plan.setups.values())
    few = min(50, FEW_RUNS)
    assert plan.setups[plan.own] == replace(
        setup, algorithms=(), trials=50 if parameter == "trials" else few
    )
    if parameter in ("delta", "p", "q", "trials", "epsilon", "top"):
        assert [getattr(one, parameter) for one in setups] == list(axis.values)
    elif parameter == "arms":
        assert [one.problem.n_arms for one in setups] == list(axis.values)
    else:
        assert [gap_of(one.problem) for one in setups] == pytest.approx(list(axis.values))
    assert len({one.fingerprint for one in setups}) == (
        len(axis.values) if parameter in ("arms", "gap") else 1
    )


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_two_parameters_have_few_values_each_with_the_own_ones(first, second):
    if first == second:
        return
    setup = at("drug-trial", delta=0.05, p=0.15, q=0.07, trials=100)
    plan = planned(setup, first, second)
    few = {first, second} == {"arms", "top"}  # of five treatments, no fewer are left to choose from
    assert all(1 - few < len(axis.values) <= MOST_TWO for axis in plan.axes)
    assert len(plan.setups) == len(plan.axes[0].values) * len(plan.axes[1].values)
    one = plan.setups[plan.own]
    assert (one.delta, one.p, one.q, one.fingerprint) == (0.05, 0.15, 0.07, setup.fingerprint)
    assert plan.cells[0] == plan.job(plan.own, setup.algorithms[0])


def test_two_arms_cannot_become_fewer():
    plan = planned(SMALL, "arms")
    assert plan.axes[0].values == (2,)
    assert target(plan.axes[0]) is None
    assert "Only one value is possible" in answer(plan, played(plan), SMALL.words)


def test_the_smallest_safe_buffer_is_looked_at():
    plan = planned(DEFAULT, "q")
    assert 0.13 in plan.axes[0].values


def test_with_all_runs_the_own_cells_are_those_of_the_page_samples():
    jobs = planned(replace(SMALL, trials=100), "delta", all_runs=True).jobs
    assert (replace(SMALL, trials=100, algorithms=()), "lucb") in jobs
    assert len(jobs) == len(set(jobs))
    assert {setup.trials for setup, _ in jobs} == {100}


def test_a_sweep_begins_with_a_few_runs_at_the_own_value_and_the_ends_and_then_refines():
    plan = planned(replace(DEFAULT, algorithms=("lucb",)), "delta")
    deltas = [setup.delta for setup, _ in plan.jobs]
    runs = [setup.trials for setup, _ in plan.jobs]
    assert deltas[:4] == [0.01, 0.2, 0.0001, 0.01]
    assert runs == [FEW_RUNS] * 3 + [100] + [FEW_RUNS] * (len(plan.setups) - 3)
    axis = plan.axes[0]
    order = [index for (index,) in plan.order]
    assert sorted(order) == list(range(len(axis.values)))
    assert order[:3] == [axis.own, 0, len(axis.values) - 1]
    far = [min(abs(at - one) for one in order[:i]) for i, at in enumerate(order) if i > 2]
    assert far == sorted(far, reverse=True)


def test_two_parameters_begin_at_the_own_values_and_the_corners():
    plan = planned(DEFAULT, "delta", "p")
    m, n = (len(axis.values) - 1 for axis in plan.axes)
    assert set(plan.order[:5]) == {plan.own, (0, 0), (0, n), (m, 0), (m, n)}
    assert plan.order[0] == plan.own


def test_a_cell_shows_its_first_runs_until_all_are_done():
    plan = planned(replace(SMALL, trials=50), "delta")
    few, whole = plan.jobs[0], plan.job(plan.own, "lucb")
    some, every = (simulated(replace(one, algorithms=("lucb",))) for one, _ in (few, whole))
    found = dict.fromkeys(plan.jobs)
    assert cells_of(plan, "lucb", found) == {}
    assert cells_of(plan, "lucb", found | {few: some})[plan.own].trials == FEW_RUNS
    both = cells_of(plan, "lucb", found | {few: some, whole: every})
    assert both[plan.own] == cell_of(every)


def test_every_number_of_arms_is_tried_also_those_above_the_own_one():
    films = at("movielens-1m")
    every = keep_best(films.problem, 17)
    mine = replace(films, problem=keep_best(films.problem, 4))
    validity = check_validity(mine.problem, mine.p, mine.q, mine.seed)
    plan = plan_for(mine, ["arms"], validity, all_runs=False, every=every)
    assert plan.axes[0].values == (*range(2, 13), 17)
    assert plan.axes[0].values[plan.axes[0].own] == 4
    assert [one.problem.n_arms for one in plan.setups.values()] == list(plan.axes[0].values)
    assert plan.setups[plan.own].problem is mine.problem


def test_who_ignores_the_correlation_is_played_once_for_all_p_and_q():
    """And that is the same to the sample."""
    plan = planned(replace(SMALL, p=0.2), "p", "q")
    assert len({plan.job(index, "lucb") for index in plan.setups}) == 1
    assert len({plan.job(index, "c_lucb") for index in plan.setups}) == len(plan.setups)
    once = simulated(replace(plan.job((0, 0), "lucb")[0], algorithms=("lucb",)))
    for setup in plan.setups.values():
        direct = simulated(replace(setup, algorithms=("lucb",)))
        np.testing.assert_array_equal(once.samples, direct.samples)
        np.testing.assert_array_equal(once.best_arm, direct.best_arm)


# ---------------------------------------------------------------- one at a time


class Rerun(Exception):
    """What Streamlit does at the end of a turn."""


@pytest.fixture
def turns(monkeypatch):
    """Let `work_on` end its turn as on a page, and count what is simulated."""
    calls, real = [], cbai.simulate

    def rerun():
        raise Rerun

    def counted(problem, algorithms, delta, **options):
        calls.append((algorithms[0], delta))
        return real(problem, algorithms, delta, **options)

    monkeypatch.setattr(on_demand.st, "rerun", rerun)
    monkeypatch.setattr(on_demand, "simulate", counted)
    monkeypatch.setattr(on_demand.st, "session_state", {})
    return calls


def test_cells_come_one_a_turn_stop_stays_stopped_and_goes_on_where_it_was(turns):
    plan = planned(replace(SMALL, seed=987_001), "delta")
    jobs = plan.jobs
    for done in range(3):
        assert [one is not None for one in on_demand.known(jobs)] == [True] * done + [False] * (
            len(jobs) - done
        )
        with pytest.raises(Rerun):
            on_demand.work_on(jobs, 0.0)
    stopping.stop(on_demand.name_of(jobs))
    assert on_demand.work_on(jobs, 0.0) is False
    assert len(turns) == 3
    assert sum(one is not None for one in on_demand.known(jobs)) == 3
    stopping.resume()
    with pytest.raises(Rerun):
        on_demand.work_on(jobs)
    assert len(turns) == len(set(turns)) == len(jobs)
    assert on_demand.work_on(jobs) is True
    for (setup, name), trials in zip(jobs, on_demand.known(jobs), strict=True):
        direct = simulated(replace(setup, algorithms=(name,)))
        np.testing.assert_array_equal(trials.samples, direct.samples)


def test_what_samples_has_run_is_not_run_again_and_the_other_way_round(turns):
    setup = replace(SMALL, seed=987_002)
    with pytest.raises(Rerun):
        on_demand.get_trials(setup)
    plan = planned(setup, "delta")
    assert sum(one is not None for one in on_demand.known(plan.jobs)) == 2
    turns.clear()
    with pytest.raises(Rerun):
        on_demand.work_on(plan.jobs)
    assert len(turns) == len(plan.jobs) - 2
    turns.clear()
    assert on_demand.get_trials(replace(setup, delta=0.01)) is not None
    assert turns == []


def test_a_session_keeps_its_cells_when_others_push_them_out(turns):
    jobs = planned(replace(SMALL, seed=987_003), "delta").jobs
    with pytest.raises(Rerun):
        on_demand.work_on(jobs, 0.0)
    on_demand._slot.clear()
    assert on_demand.known(jobs)[0] is not None


def test_several_best_ones_are_asked_of_those_that_can_be_asked():
    setup = at("movielens-1m", algorithms=("racing", "lucb", "c_lucb_bet"))
    assert planned(setup, "top").algorithms == ("lucb",)
    assert planned(replace(setup, algorithms=("racing",)), "top").algorithms == ("lucb", "c_lucb")
    for one in planned(setup, "top", "arms").setups.values():
        assert one.top < one.problem.n_arms


def test_the_limit_speaks_of_the_one_best_only():
    setup = at("drug-trial", algorithms=("lucb",))
    assert limit_at(setup, "lucb") is not None
    assert limit_at(replace(setup, epsilon=0.1), "lucb") is None
    assert limit_at(replace(setup, top=2), "lucb") is None
