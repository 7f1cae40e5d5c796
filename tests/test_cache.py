"""What is known is not worked out again, and long runs can be stopped and shared."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from zlib import crc32

import numpy as np
import pytest

import cbai
from cbai.simulation.rules.names import ADAPTED
from cbai.ui.lab.recipe import STARTS
from cbai.ui.runs import cache, on_demand, stopping
from cbai.ui.runs.cost import SPEEDS, speed
from cbai.ui.visit.setup import DEFAULT, DEFAULT_LAB
from tests.visit import at, said, setup_of, simulated, visit

SECONDS = 60


class Simulate:
    """Counts the calls of `simulate`; can wait for a signal or fail before it answers."""

    def __init__(self):
        self.calls = []
        self.go = threading.Event()
        self.go.set()
        self.failing = 0

    def __call__(self, problem, algorithms, delta, **options):
        self.calls.append(list(algorithms))
        assert self.go.wait(SECONDS)
        if self.failing:
            self.failing -= 1
            raise KeyboardInterrupt
        return cbai.simulate(problem, algorithms, delta, **options)


@pytest.fixture
def simulate(monkeypatch):
    counted = Simulate()
    monkeypatch.setattr(on_demand, "simulate", counted)
    return counted


@pytest.fixture
def setup(request):
    """A small setup that no other test has asked for."""
    seed = crc32(request.node.nodeid.encode()) // 2
    return at("paper-two-arms", trials=10, seed=seed, algorithms=("lucb", "c_lucb"))


def query(setup):
    return {
        "data": setup.dataset.title,
        "trials": str(setup.trials),
        "seed": str(setup.seed),
        "algorithms": [cbai.ALGORITHMS[name].title for name in setup.algorithms],
    }


def assert_same(one, other):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(b, np.ndarray):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b), field.name
        elif field.name != "problem":
            assert a == b, field.name
    assert np.array_equal(one.problem.pseudo_rewards, other.problem.pseudo_rewards)


def test_joined_trials_equal_one_direct_call(setup):
    for chosen in [("c_lucb",), ("lucb", "c_lucb"), tuple(cbai.ALGORITHMS)]:
        asked = replace(setup, algorithms=chosen, p=0.35, q=0.1)
        assert_same(on_demand.get_trials(asked), simulated(asked))


def test_what_is_known_is_not_worked_out_again(setup, simulate):
    first = on_demand.get_trials(setup)
    assert sorted(simulate.calls) == [["c_lucb"], ["lucb"]]
    assert_same(on_demand.get_trials(setup), first)
    assert len(simulate.calls) == 2


def test_another_algorithm_is_all_that_is_added(setup, simulate):
    on_demand.get_trials(setup)
    simulate.calls.clear()
    more = replace(setup, algorithms=("racing", "lucb", "c_lucb"))
    assert_same(on_demand.get_trials(more), simulated(more))
    assert simulate.calls == [["racing"]]
    fewer = replace(setup, algorithms=("racing", "c_lucb"))
    assert_same(on_demand.get_trials(fewer), simulated(fewer))
    assert simulate.calls == [["racing"]]


def test_runs_that_stream_in_are_the_first_ones_and_end_as_one_direct_call(setup, simulate):
    """Each run is simulated once; what is shown meanwhile is the first runs by number."""
    asked = replace(setup, trials=60, p=0.35)
    seen = []
    end = on_demand.stream(asked, seen.append)
    assert_same(end, simulated(asked))
    assert [trials.samples.shape[1] for trials in seen] == [10, 25, 50]
    for trials in seen:
        assert_same(trials, simulated(replace(asked, trials=trials.samples.shape[1])))
    assert len(simulate.calls) == 4 * 2
    simulate.calls.clear()
    more = replace(asked, algorithms=("lucb", "racing", "c_lucb"))
    assert_same(on_demand.stream(more, seen.append), simulated(more))
    assert set(map(tuple, simulate.calls)) == {("racing",)}
    assert on_demand.stream(more, pytest.fail) is not None


@pytest.mark.parametrize(
    "change",
    [{"delta": 0.1}, {"p": 0.5}, {"q": 0.05}, {"seed": 1}, {"trials": 25}, {"max_samples": 20_000}],
    ids=str,
)
def test_another_setup_is_another_run(setup, simulate, change):
    setup = replace(setup, algorithms=("c_lucb",))
    on_demand.get_trials(setup)
    other = replace(setup, **change)
    assert_same(on_demand.get_trials(other), simulated(other))
    assert len(simulate.calls) == 2


def test_sessions_that_ask_for_the_same_share_one_computation(setup, simulate):
    simulate.go.clear()
    with ThreadPoolExecutor(3) as sessions:
        asked = [sessions.submit(on_demand.get_trials, setup) for _ in range(3)]
        simulate.go.set()
        answers = [future.result(SECONDS) for future in asked]
    assert sorted(simulate.calls) == [["c_lucb"], ["lucb"]]
    for answer in answers:
        assert_same(answer, simulated(setup))


def test_a_session_waits_for_one_that_is_at_it(setup, simulate):
    setup = replace(setup, algorithms=("c_lucb",))
    simulate.go.clear()
    with ThreadPoolExecutor(2) as sessions:
        first = sessions.submit(on_demand.get_trials, setup)
        while not simulate.calls:
            first.done()
        second = sessions.submit(on_demand.get_trials, setup)
        assert not second.done()
        simulate.go.set()
        assert_same(first.result(SECONDS), simulated(setup))
        assert_same(second.result(SECONDS), simulated(setup))
    assert simulate.calls == [["c_lucb"]]


def test_an_interrupted_run_is_taken_up_by_the_next_who_asks(setup, simulate):
    simulate.failing = 1
    with pytest.raises(KeyboardInterrupt):
        on_demand.get_trials(setup)
    assert_same(on_demand.get_trials(setup), simulated(setup))
    assert len(simulate.calls) == 3


def test_traces_are_shared_by_setups_that_differ_in_nothing_they_depend_on(setup):
    trace = cache.get_trace(setup, "c_lucb", 3)
    assert cache.get_trace(replace(setup, trials=1000, algorithms=()), "c_lucb", 3) is trace
    for change in ({"delta": 0.1}, {"p": 0.5}, {"q": 0.05}, {"seed": 1}, {"max_samples": 20_000}):
        assert cache.get_trace(replace(setup, **change), "c_lucb", 3) is not trace
    assert cache.get_trace(setup, "c_lucb", 4) is not trace


def test_validity_depends_on_the_problem_and_on_what_is_unknown_in_its_runs_only(setup):
    validity = cache.get_validity(setup)
    same = replace(setup, delta=0.1, max_samples=20_000, algorithms=())
    assert cache.get_validity(same) is validity
    other = {"options": (("table", "b"),)}
    for change in ({"p": 0.5}, {"q": 0.05}, {"seed": 1}, {"trials": 1000}, other):
        assert cache.get_validity(replace(setup, **change)) is not validity


# ---------------------------------------------------------------- on the page


def test_a_stopped_run_shows_nothing_until_it_is_resumed(setup, simulate):
    app = visit("home", **query(setup))
    app.session_state[stopping.STOPPED] = on_demand.name_of(
        [(setup_of(app), name) for name in setup_of(app).algorithms]
    )
    app.switch_page("pages/samples.py").run()
    assert not app.exception
    assert "Stopped" in " ".join(info.value for info in app.info)
    assert simulate.calls == []
    assert "needs" not in said(app.main)

    again = next(button for button in app.button if button.label == "Run again")
    again.click().run()
    assert not app.exception
    assert not app.info
    assert sorted(simulate.calls) == [["c_lucb"], ["lucb"]]


def test_what_was_stopped_is_this_setup_only(setup, simulate):
    app = visit("home", **query(setup))
    app.session_state[stopping.STOPPED] = on_demand.name_of(
        [(setup_of(app), name) for name in setup_of(app).algorithms]
    )
    app.switch_page("pages/samples.py").run()
    app.slider(key="p").set_value(0.5).run()
    assert not app.info
    assert len(simulate.calls) == 2


def test_two_visits_compute_once(setup, simulate):
    first, second = (said(visit("samples", **query(setup)).main) for _ in range(2))
    assert first == second
    assert len(simulate.calls) == 2


def test_a_run_that_takes_too_many_samples_is_refused_in_a_sentence(setup, simulate, monkeypatch):
    """The first algorithm fits, the second does not: nothing is shown as an answer."""
    needed = simulated(replace(setup, algorithms=("lucb",))).samples.sum()
    monkeypatch.setattr(on_demand, "MOST_SAMPLES", int(needed))
    first, second = (visit("samples", **query(setup)) for _ in range(2))
    for app in (first, second):
        assert not app.exception
        assert [warning.value for warning in app.warning] == [on_demand.too_much(setup, "c_lucb")]
        assert f"{needed:,}" in app.warning[0].value
        assert "C-LUCB needs" not in said(app.main)
    assert simulate.calls == [["lucb"], ["c_lucb"]]  # the second visit knows it


def test_a_refused_run_is_worked_out_where_it_is_all_that_is_asked_for(setup, monkeypatch):
    both = simulated(setup).samples.sum()
    monkeypatch.setattr(on_demand, "MOST_SAMPLES", int(both) - 1)
    assert visit("samples", **query(setup)).warning
    app = visit("samples", **query(replace(setup, algorithms=("c_lucb",))))
    assert not app.exception
    assert not app.warning


def test_a_sweep_that_takes_too_many_samples_keeps_the_cells_that_are_done(setup, monkeypatch):
    monkeypatch.setattr(on_demand, "MOST_SAMPLES", 60_000)
    app = visit("whatif", work="true", **query(setup))
    assert not app.exception
    assert [warning.value[:34] for warning in app.warning] == ["These runs take more than 60,000 p"]
    assert len(app.dataframe[0].value)


def test_slow_algorithms_may_take_fewer_samples(setup, simulate, monkeypatch):
    """Both need about as many; in the time of a tenth of C-LUCB's only LUCB could end."""
    needed = simulated(replace(setup, algorithms=("c_lucb",))).samples.sum()
    n_arms = setup.problem.n_arms
    monkeypatch.setitem(SPEEDS, "lucb", 1e12)
    monkeypatch.setattr(on_demand, "MOST_SECONDS", 0.1 * needed / speed("c_lucb", n_arms))
    app = visit("samples", **query(setup))
    assert not app.exception
    assert [warning.value for warning in app.warning] == [on_demand.too_much(setup, "c_lucb")]
    assert "minutes of one processor" in app.warning[0].value
    assert simulate.calls == [["lucb"], ["c_lucb"]]


def test_a_recorded_trial_of_a_slow_algorithm_is_cut_and_has_no_answer(setup, monkeypatch):
    whole = cache.get_trace(setup, "c_lucb")
    monkeypatch.setattr(cache, "TRACE_SECONDS", 0.5 * whole.pulls[-1].sum() / SPEEDS["c_lucb"])
    cut = cache.get_trace(setup, "c_lucb")
    assert (whole.status, cut.status) == ("identified", "budget")


def test_every_algorithm_has_a_speed_that_falls_with_the_arms():
    assert set(SPEEDS) == set(cbai.ALGORITHMS)
    for name in [*cbai.ALGORITHMS, *STARTS, *ADAPTED, DEFAULT_LAB]:
        assert 1e5 < speed(name, 2) == speed(name, 18)
        assert 1e3 < speed(name, 100) < speed(name, 18)


def test_nothing_is_cut_at_the_defaults():
    """The dearest view of the first visit: two parameters swept, all runs in each of 25 cells."""
    trials = simulated(replace(DEFAULT, trials=5))
    needed = dict(zip(DEFAULT.algorithms, trials.samples.mean(axis=1), strict=True))
    seconds = sum(DEFAULT.trials * n / speed(name, 18) for name, n in needed.items())
    assert 25 * seconds < on_demand.MOST_SECONDS
    assert max(trials.samples.max(axis=1) / [speed(n, 18) for n in needed]) < cache.TRACE_SECONDS
