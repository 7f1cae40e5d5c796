"""Sweeps: what is kept of each cell, what is said of them, and prices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words
from cbai.problem.validity import check_validity
from cbai.results import clopper_pearson
from cbai.results.price import Price
from cbai.results.sweep import Cell, cell_of, change, surely_above
from cbai.ui.visit.setup import DEFAULT
from cbai.ui.whatif.money_sentences import summary
from cbai.ui.whatif.speakers import cells_of, speakers
from cbai.ui.whatif.sweep_plan import target
from cbai.ui.whatif.sweep_sentences import answer, more, warnings
from cbai.ui.whatif.sweep_table import frame
from tests.sweeps import NAMES, SMALL, planned, played, spoiled
from tests.visit import at

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
