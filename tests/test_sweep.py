"""Sweeps: which cells, what is kept of them, what is said of them, and prices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words
from cbai.figures.whatif import sweep_lines, sweep_map
from cbai.problem.changes import gap_of
from cbai.problem.validity import check_validity
from cbai.results import clopper_pearson
from cbai.results.price import Price
from cbai.results.sweep import Cell, cell_of, change, surely_above
from cbai.simulation import find
from cbai.ui.runs import on_demand, stopping
from cbai.ui.visit.setup import DEFAULT
from cbai.ui.whatif.money_sentences import summary
from cbai.ui.whatif.speakers import cells_of, speakers
from cbai.ui.whatif.sweep import limit_at
from cbai.ui.whatif.sweep_plan import FEW_RUNS, MOST_TWO, PARAMETERS, plan_for, target
from cbai.ui.whatif.sweep_sentences import answer, more, warnings
from cbai.ui.whatif.sweep_table import frame
from tests.visit import at, simulated

NAMES = list(PARAMETERS.values())
SMALL = at("paper-two-arms", algorithms=("lucb", "c_lucb"), trials=10, delta=0.1)


def planned(setup, *names, all_runs=False):
    validity = check_validity(setup.problem, setup.p, setup.q, setup.seed)
    return plan_for(setup, names, validity, all_runs=all_runs)


def played(plan, which=None):
    """Return the trials of the cells, or of some of them, as the page finds them."""
    jobs = plan.jobs
    wanted = jobs if which is None else [plan.job(index, name) for index, name in which]
    return {
        job: simulated(replace(job[0], algorithms=(job[1],))) if job in wanted else None
        for job in jobs
    }


def spoiled(trials, out):
    status = trials.status.copy()
    status[0, :out] = "budget"
    return replace(trials, status=status)


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


def test_the_own_cells_and_then_the_ones_of_the_answer_come_first():
    plan = planned(DEFAULT, "delta")
    n = len(DEFAULT.algorithms)
    deltas = [setup.delta for setup, _ in plan.cells]
    assert deltas[: 2 * n] == [0.01] * n + [0.001] * n


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


# ---------------------------------------------------------------- numbers


@pytest.fixture(scope="module")
def trials():
    return cbai.simulate(SMALL.problem, ["lucb"], 0.1, trials=25, seed=7)


def test_a_cell_sums_up_its_trials(trials):
    cell = cell_of(trials)
    samples = trials.samples[0]
    assert cell.mean == samples.mean()
    # t with 24 degrees of freedom, 97.5 %: 2.0639 (any table)
    half = 2.0639 * samples.std(ddof=1) / 5.0
    assert (cell.low, cell.high) == pytest.approx((cell.mean - half, cell.mean + half), rel=1e-4)
    assert cell.two_sigma == pytest.approx(2.0 * samples.std(ddof=1))
    assert cell.errors == clopper_pearson(int(trials.wrong.sum()), 25)
    assert cell.answered
    assert not cell.silent


def test_trials_that_ran_out_leave_no_interval_and_no_comparison(trials):
    some, all_out = cell_of(spoiled(trials, 3)), cell_of(spoiled(trials, 25))
    assert (some.ran_out, some.answered, some.silent) == (3, False, False)
    assert (all_out.answered, all_out.silent) == (False, True)
    assert np.isnan(some.low)
    assert np.isnan(some.high)
    assert change(trials, spoiled(trials, 1)) is None
    assert change(spoiled(trials, 1), trials) is None


def test_a_change_is_paired():
    before = cbai.simulate(SMALL.problem, ["lucb"], 0.1, trials=25, seed=7)
    double = replace(before, samples=2 * before.samples)
    ratio = change(before, double)
    assert (ratio.estimate, ratio.low, ratio.high) == pytest.approx((2.0, 2.0, 2.0))
    fewer = cbai.simulate(SMALL.problem, ["lucb"], 0.1, trials=24, seed=7)
    shared = change(replace(fewer, samples=2 * fewer.samples), before)
    assert (shared.estimate, shared.low, shared.high) == pytest.approx((0.5, 0.5, 0.5))


def test_one_trial_has_no_interval():
    cell = cell_of(cbai.simulate(SMALL.problem, ["lucb"], 0.1, trials=1))
    assert np.isnan(cell.low)
    assert np.isnan(cell.two_sigma)


def with_errors(count, total=25, delta=0.01):
    rate = clopper_pearson(count, total)
    return Cell(total, 0, 100.0, 90.0, 110.0, 50.0, 150.0, rate, delta, 1000)


def test_errors_are_called_too_many_only_after_allowing_for_all_the_looks():
    assert surely_above(with_errors(25), 100)
    assert not surely_above(with_errors(0), 1)
    # P(3 or more of 25 wrong at rate 0.01) = 0.0019: enough for one look, not for a hundred
    assert surely_above(with_errors(3), 1)
    assert not surely_above(with_errors(3), 100)


# ---------------------------------------------------------------- words


def test_ten_times_more_certain():
    plan = planned(SMALL, "delta")
    found = played(plan)
    said = answer(plan, found, SMALL.words)
    (axis,) = plan.axes
    assert axis.values[target(axis)] == pytest.approx(0.01)
    assert said.startswith("With ten times more certainty (δ = 0.01 instead of 0.1), ")
    for name in ("lucb", "c_lucb"):
        before, after = (found[plan.job((i,), name)] for i in (axis.own, target(axis)))
        ratio = change(before, after)
        assert ratio.low > 1.0
        assert f"{percent(ratio.estimate - 1.0)} more" in said
    assert said.index("C-LUCB") > said.index("LUCB needs")


def test_only_finished_cells_are_spoken_of():
    plan = planned(SMALL, "delta")
    aim = target(plan.axes[0])
    nothing = played(plan, [])
    assert answer(plan, nothing, SMALL.words).endswith("not computed yet.")
    assert cells_of(plan, "lucb", nothing) == {}
    half = played(plan, [(plan.own, "lucb"), ((aim,), "lucb"), (plan.own, "c_lucb")])
    said = answer(plan, half, SMALL.words)
    assert "LUCB needs" in said
    assert "C-LUCB" not in said
    assert len(frame(plan, half, lambda _: check_validity(SMALL.problem), lambda *_: None)) == 3


def test_budget_stops_are_said_and_never_compared():
    setup = replace(SMALL, max_samples=300)
    for names in (["delta"], ["delta", "gap"]):
        plan = planned(setup, *names)
        found = played(plan)
        said = answer(plan, found, setup.words)
        assert "more" not in said.replace("more certainty", "")
        assert "ran out of the budget of 300 pulls" in " ".join(warnings(plan, found, setup.words))
        table = frame(plan, found, lambda _: check_validity(setup.problem), lambda *_: None)
        out = table[~table["complete"]]
        assert len(out)
        assert out[["mean_low", "mean_high", "two_sigma"]].isna().all(axis=None)
    plan = planned(setup, "delta")
    assert "LUCB and C-LUCB have runs without an answer" in answer(plan, played(plan), setup.words)


@pytest.mark.parametrize("parameter", NAMES)
def test_every_parameter_has_an_answer(parameter):
    setup = at("drug-trial", algorithms=("lucb", "c_lucb", "c_lucb_bet"), trials=10, delta=0.1)
    plan = planned(setup, parameter)
    said = answer(plan, played(plan), setup.words)
    assert said.endswith(".")
    assert "nan" not in said
    starts = {
        "delta": "With ten times more certainty", "p": "With every pseudo-reward known",
        "q": "With a safety buffer of q = 2", "arms": "With only the best 3 treatments",
        "gap": "With a lead of", "trials": "More runs make the estimates more precise",
        "epsilon": "With ε = 1 instead of 0", "top": "To find the best 4",
    }  # fmt: skip
    assert said.startswith(starts[parameter])
    if parameter in ("p", "q"):
        assert " LUCB " not in said


def test_p_changes_nothing_for_those_that_use_no_pseudo_rewards():
    plan = planned(replace(SMALL, algorithms=("lucb", "racing")), "p")
    assert answer(plan, played(plan, []), SMALL.words).startswith("None of the chosen")


def test_two_parameters_are_compared():
    plan = planned(SMALL, "delta", "p")
    found = played(plan)
    said = answer(plan, found, SMALL.words)
    cells = cells_of(plan, "c_lucb", found)
    assert count(max(cell.mean for cell in cells.values())) in said
    assert count(min(cell.mean for cell in cells.values())) in said
    row = [cells[i, plan.own[1]].mean for i in range(len(plan.axes[0].values))]
    assert f"δ alone changes it by a factor of {max(row) / min(row):.3g}" in said
    assert "so far" not in said
    lucb, c_lucb = said.split("C-LUCB")
    assert "p alone" not in lucb  # which takes no notice of p
    assert "p alone" in c_lucb
    some = {job: found[job] if job in plan.cells[:9] else None for job in found}
    assert "so far" in answer(plan, some, SMALL.words)
    one = {job: found[job] if job == plan.cells[0] else None for job in found}
    first = answer(plan, one, SMALL.words).partition("C-LUCB")[0]
    assert "so far." in first
    assert " from " not in first


def test_a_range_over_two_parameters_is_not_given_where_runs_ran_out():
    plan = planned(SMALL, "delta", "p")
    found = played(plan)
    job = plan.job((0, 0), "c_lucb")
    said = answer(plan, found | {job: spoiled(found[job], 1)}, SMALL.words)
    rest = [cell.mean for at, cell in cells_of(plan, "c_lucb", found).items() if at != (0, 0)]
    assert f"C-LUCB needs {count(min(rest))} pulls where it is cheapest" in said
    assert f"has runs without an answer in 1 of {len(plan.setups)} cells." in said
    assert "C-LUCB needs from" not in said


def test_percent_and_times():
    def ratio(*numbers):
        return cbai.results.Ratio(*numbers)

    assert more(ratio(1.14, 1.10, 1.18), "ratings").replace("\u202f", "") == (
        "14% more ratings (95% interval 10 to 18%)"
    )
    assert more(ratio(0.75, 0.7, 0.8), "ratings", named=False).replace("\u202f", "") == (
        "25% fewer (20 to 30%)"
    )
    assert more(ratio(3.0, 2.5, 3.5), "ratings").startswith("3 times as many ratings")
    assert more(ratio(0.25, 0.2, 0.5), "r", named=False).replace("\u202f", "") == (
        "25% (20 to 50%)"
    )


def test_a_rule_of_thumb_never_speaks():
    for names, chosen in [(("lil_ucb", "lucb"), ["lucb"]), (("lil_ucb",), [])]:
        plan = planned(replace(SMALL, algorithms=names), "delta")
        assert speakers(plan, played(plan, [])) == chosen
    assert "No theorem bounds the errors of lil'UCB" in answer(
        plan, played(plan, []), Words("genre", "genres", "rating", "ratings")
    )


def test_too_many_errors_are_said():
    plan = planned(SMALL, "delta")
    found = played(plan)
    assert warnings(plan, found, SMALL.words) == []
    job = plan.job(plan.own, "c_lucb")
    wrong = replace(found[job], best_arm=1 - found[job].best_arm)
    (said,) = warnings(plan, found | {job: wrong}, SMALL.words)
    assert "More answers are wrong than δ allows in 1 of" in said
    assert "C-LUCB at δ = 0.1: 10 of 10 runs" in said


# ---------------------------------------------------------------- money


def test_prices_are_products(trials):
    cell, price = cell_of(trials), Price(0.5, 100.0)
    bill, days = price.money(cell), price.days(cell)
    assert (bill.mean, bill.low, bill.high) == pytest.approx(
        (0.5 * cell.mean, 0.5 * cell.low, 0.5 * cell.high)
    )
    assert days.q95 == pytest.approx(np.quantile(trials.samples[0], 0.95) / 100.0)
    out = cell_of(spoiled(trials, 1))
    assert price.money(out) is None
    assert price.days(out) is None


@pytest.mark.parametrize(
    ("cost", "per_day", "message"),
    [(-1.0, 1.0, r"cost must be in \[0"), (1.0, 0.0, "per_day"), (float("nan"), 1.0, "cost")],
)
def test_impossible_prices_are_refused(cost, per_day, message):
    with pytest.raises(ValueError, match=message):
        Price(cost, per_day)


def test_the_paragraph_says_all_that_matters(trials):
    setup = replace(SMALL, trials=25)
    cell = cell_of(trials)
    validity = check_validity(setup.problem, setup.p)
    text = summary(setup, ["lucb"], {"lucb": cell}, Price(0.5, 100.0), "EUR", validity)
    for part in (
        setup.dataset.title, "δ = 0.1", "25 runs", count(cell.mean), count(cell.low),
        f"{count(0.5 * cell.mean)} EUR", f"{count(cell.mean / 100.0)} days", "wrong (",
        "No algorithm here relies on pseudo-rewards",
    ):  # fmt: skip
        assert part in text
    assert "\n" not in text


def test_the_paragraph_leaves_out_what_fails_and_never_prices_what_ran_out(trials):
    setup = replace(DEFAULT, trials=25)
    validity = check_validity(setup.problem, setup.p)
    out, price = cell_of(spoiled(trials, 2)), Price(1.0, 100.0)
    failing = summary(setup, ["c_lucb"], {"c_lucb": out}, price, "", validity)
    assert "C-LUCB is left out: its guarantee does not hold at q = 0. With q = 0.13" in failing
    assert "runs had" not in failing
    text = summary(setup, ["lucb"], {"lucb": out}, price, "", validity)
    assert "left out" not in text
    assert "2 of 25 runs had no answer" in text
    assert "cost is unknown" in text
    assert "days" not in text
    assert "lil'UCB:" not in summary(setup, ["lil_ucb"], {"lil_ucb": out}, price, "", validity)


# ---------------------------------------------------------------- figures


def trace_of(fig, name):
    return next(trace for trace in fig.data if trace.name == name)


def test_lines_show_the_finished_cells_and_mark_those_that_ran_out():
    plan = planned(SMALL, "delta")
    found = played(plan)
    (axis,) = plan.axes
    cells = list(cells_of(plan, "lucb", found).values())
    out = cell_of(spoiled(found[plan.job((1,), "lucb")], 2))
    limits = (50.0, None, 70.0, 80.0)[: len(axis.values)]
    info = sweep_lines.Info(
        find("lucb"), axis, (cells[0], out, None, *cells[3:]), limits, tuple(axis.values)
    )
    ends, top = sweep_lines.ends_of([info])
    fig = sweep_lines.draw(info, SMALL.words, ends, top)
    shown = trace_of(fig, "samples")
    assert list(shown.x) == [axis.values[0], axis.values[1], *axis.values[3:]]
    assert list(shown.y) == [cells[0].mean, None, *(cell.mean for cell in cells[3:])]
    assert list(trace_of(fig, "ran out").x) == [axis.values[1]]
    assert list(trace_of(fig, "lower bound").y) == list(limits)
    assert list(trace_of(fig, "δ").y) == list(axis.values)
    errors = trace_of(fig, "wrong")
    assert errors.error_y.array[0] == pytest.approx(cells[0].errors.high - errors.y[0])
    assert [line.x0 for line in fig.layout.shapes] == [axis.values[axis.own]]
    assert "ran out of budget at" in sweep_lines.alt_text(info, SMALL.words)
    assert 10.0 ** ends[0] <= 50.0
    assert 10.0 ** ends[1] >= max(cell.high for cell in cells)


def test_the_limit_and_the_error_allowed_are_seen_at_a_single_value():
    several = planned(SMALL, "delta").axes[0]
    one = replace(several, values=(0.1,), labels=("0.1",), own=0)
    for axis, mode in ((several, "lines+text"), (one, "markers+text")):
        n = len(axis.values)
        info = sweep_lines.Info(find("lucb"), axis, (None,) * n, (50.0,) * n, axis.values)
        fig = sweep_lines.draw(info, SMALL.words, *sweep_lines.ends_of([info]))
        assert trace_of(fig, "lower bound").mode == mode
        assert trace_of(fig, "δ").mode == mode


def test_lines_without_any_cell_can_be_drawn():
    plan = planned(SMALL, "p")
    nothing = (None,) * len(plan.axes[0].values)
    info = sweep_lines.Info(find("c_lucb"), plan.axes[0], nothing, nothing, (0.1,) * len(nothing))
    fig = sweep_lines.draw(info, SMALL.words, *sweep_lines.ends_of([info]))
    assert "limit" not in [trace.name for trace in fig.data]
    assert "none known" in sweep_lines.alt_text(info, SMALL.words)


def test_maps_show_numbers_only_where_every_run_had_an_answer():
    plan = planned(SMALL, "delta", "p")
    found = played(plan)
    cells = cells_of(plan, "c_lucb", found)
    job = plan.job((0, 1), "c_lucb")
    cells[0, 1] = cell_of(spoiled(found[job], 2))
    cells[0, 2] = cell_of(spoiled(found[job], 10))
    del cells[1, 0]
    across, down = plan.axes
    info = sweep_map.Info(find("c_lucb"), across, down, cells)
    fig = sweep_map.draw(info, SMALL.words, 0.2)
    samples, errors = np.array(trace_of(fig, "samples").z), np.array(trace_of(fig, "errors").z)
    assert samples[0, 0] == pytest.approx(np.log10(cells[0, 0].mean))
    assert np.isnan(samples[1, 0])
    assert np.isnan(samples[2, 0])
    assert np.isnan(samples[0, 1])
    assert errors[1, 0] == cells[0, 1].errors.estimate
    assert np.isnan(errors[2, 0])
    written = trace_of(fig, "samples in words")
    assert dict(zip(zip(written.x, written.y, strict=True), written.text, strict=True))[0, 1] == (
        "ran out"
    )
    own = [(shape.x0 + 0.5, shape.y0 + 0.5) for shape in fig.layout.shapes]
    assert own == [(across.own, down.own)] * 2
    assert "not yet run" in sweep_map.sentence(info, (1, 0), SMALL.words)
    assert "2 of 10 runs ran out of budget" in sweep_map.sentence(info, (0, 1), SMALL.words)
    assert percent(cells[0, 0].errors.high) in sweep_map.sentence(info, (0, 0), SMALL.words)
    assert "in 2 cells runs ran out of budget" in sweep_map.alt_text(info, SMALL.words)


@pytest.mark.parametrize(
    ("number", "text"), [(7.0, "7"), (942.0, "942"), (27_441, "27.4k"), (999_999, "1M")]
)
def test_counts_in_small_cells(number, text):
    assert sweep_map.short(number) == text


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
