"""The one sentence of What if: what it says, and whom it does not praise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cbai.figures.base.style import THIN_SPACE
from cbai.problem.validity import check_validity
from cbai.results import cheapest_ratio
from cbai.results.price import Price
from cbai.ui.whatif.amounts import days, money, price, share, tick
from cbai.ui.whatif.verdict import NO_NUMBER, UNDER_WAY, own_trials, verdict
from tests.sweeps import planned, played, spoiled
from tests.visit import at, simulated

ADS = at("ad-campaign", delta=0.05, trials=25, algorithms=("lucb", "lucb_pp", "c_lucb"))


def runs_of(setup):
    return {name: simulated(replace(setup, algorithms=(name,))) for name in setup.algorithms}


def told(setup, trials=None, cost=0.4, unit="€", missing=()):
    validity = check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)
    trials = runs_of(setup) if trials is None else trials
    return verdict(setup, trials, Price(cost, 1000.0), unit, validity, missing)


def scaled(trials, factor):
    return replace(trials, samples=(factor * trials.samples).astype(trials.samples.dtype))


@pytest.fixture(scope="module")
def ads():
    return runs_of(ADS)


def test_the_saving_is_against_the_cheapest_that_ignores_the_survey(ads):
    means = {name: float(one.samples.mean()) for name, one in ads.items()}
    assert means["c_lucb"] < means["lucb_pp"] < means["lucb"]
    said = told(ADS, ads)
    saved = 0.4 * (means["lucb_pp"] - means["c_lucb"])
    assert said.headline == (
        f"About {money(0.4 * means['c_lucb'], '€')} and {days(means['c_lucb'] / 1000.0)} with "
        f"C-LUCB, {money(saved, '€')} less than without the survey."
    )
    assert said.notes[0].startswith("Mean of 25 simulated runs. ")
    assert "0 of 25 wrong (at most 14" in said.notes[0]
    assert "The survey's bounds hold here." in said.notes


def test_what_is_copied_repeats_the_question(ads):
    said = told(ADS, ads, missing=("Trail run", "City café"))
    assert said.copied.startswith(
        f"To find the best of 6 {ADS.words.arms} (without Trail run and City café) with at most "
        f"5{THIN_SPACE}% error, €0.40 per {ADS.words.sample} and 1,000 {ADS.words.samples} a day:"
    )
    assert said.headline in said.copied
    assert said.copied.endswith(f"(Mean of 25 simulated runs on {ADS.dataset.title}.)")


def test_without_a_price_samples_are_counted(ads):
    said = told(ADS, ads, cost=0.0)
    assert f"{ADS.words.samples} and 4 days with C-LUCB, " in said.headline
    assert f"{ADS.words.samples} fewer than without the survey" in said.headline
    assert "€" not in said.headline + said.copied + " ".join(said.notes)


def test_one_that_goes_beyond_the_paper_is_named_below_and_alone_speaks_itself():
    setup = replace(ADS, algorithms=("lucb", "c_lucb", "c_lucb_bet"))
    trials = runs_of(setup)
    said = told(setup, trials)
    bet = money(0.4 * float(trials["c_lucb_bet"].samples.mean()), "€")
    assert "with C-LUCB, " in said.headline
    assert f"C-LUCB-bet, which goes beyond the paper, costs about {bet}." in said.notes
    del trials["c_lucb"]
    assert f"About {bet} and less than a day with C-LUCB-bet, €" in told(setup, trials).headline


def test_a_difference_that_is_not_clear_is_not_given(ads):
    same = {
        "lucb": ads["lucb"],
        "c_lucb": replace(ads["lucb"], algorithms=ads["c_lucb"].algorithms),
    }
    ratio = cheapest_ratio([same["c_lucb"].samples[0]], [same["lucb"].samples[0]])
    assert ratio.low <= 1.0 <= ratio.high
    assert told(ADS, same).headline.endswith("with C-LUCB. The survey makes no clear difference.")


def test_if_the_survey_costs_more_that_is_said(ads):
    dear = {"lucb": ads["lucb"], "c_lucb": scaled(ads["c_lucb"], 3)}
    assert told(ADS, dear).headline.endswith(" more than without the survey.")


def test_where_the_paper_uses_the_survey_in_vain_a_newer_one_that_saves_speaks():
    setup = replace(ADS, algorithms=("lucb", "c_lucb", "c_lucb_bet"))
    trials = runs_of(setup)
    dear = trials | {"c_lucb": scaled(trials["c_lucb"], 3)}
    headline = told(setup, dear).headline
    assert "with C-LUCB-bet, €" in headline
    assert headline.endswith(" less than with LUCB.")


def test_what_betting_saves_is_not_said_to_be_saved_by_the_survey():
    setup = replace(ADS, algorithms=("lucb", "c_lucb", "lucb_pp_bet", "c_lucb_bet"))
    trials = runs_of(setup)
    dear = trials | {"c_lucb": scaled(trials["c_lucb"], 3)}
    headline = told(setup, dear).headline
    saved = 0.4 * float((trials["lucb_pp_bet"].samples - trials["c_lucb_bet"].samples).mean())
    assert f"with C-LUCB-bet, {money(saved, '€')} " in headline
    assert headline.endswith("less than without the survey.")


def test_bounds_are_not_said_to_hold_while_that_is_open(ads, monkeypatch):
    assert "The survey's bounds hold here." in told(ADS, ads).notes
    monkeypatch.setattr("cbai.ui.whatif.verdict.is_open", lambda setup: True)
    notes = told(ADS, ads).notes
    assert "It is open whether the survey's bounds hold." in notes
    assert not any("bounds hold here" in note for note in notes)


def test_only_one_kind():
    only = replace(ADS, algorithms=("lucb",))
    assert told(only).headline.endswith("with LUCB, without the survey.")
    only = replace(ADS, algorithms=("c_lucb",))
    assert told(only).headline.endswith(" days with C-LUCB.")


def test_a_violated_assumption_is_not_praised_and_the_mend_is_named():
    films = at("movielens-small", delta=0.1, trials=10, algorithms=("lucb", "c_lucb"))
    assert check_validity(films.problem, films.p, 0.0).verdict == "violated"
    said = told(films)
    assert said.headline.endswith("with LUCB, without the survey.")
    (left_out,) = [note for note in said.notes if "left out" in note]
    assert left_out.startswith("C-LUCB is left out: its guarantee does not hold at q = 0. With q")
    alone = told(replace(films, algorithms=("c_lucb",)))
    assert (alone.headline, alone.known, alone.copied) == (NO_NUMBER, False, "")


def test_too_many_wrong_answers_are_not_praised(ads):
    other = (ADS.problem.best_arm + 1) % ADS.problem.n_arms
    wrong = replace(ads["c_lucb"], best_arm=np.full_like(ads["c_lucb"].best_arm, other))
    said = told(ADS, ads | {"c_lucb": wrong})
    assert said.headline.endswith("with LUCB++, without the survey.")
    assert "C-LUCB is left out: it was wrong more often than δ allows." in said.notes


def test_runs_without_an_answer_are_neither_priced_nor_compared(ads):
    said = told(ADS, ads | {"c_lucb": spoiled(ads["c_lucb"], 3)})
    assert said.headline.endswith("with LUCB++, without the survey.")
    (out,) = [note for note in said.notes if "Without an answer" in note]
    assert "C-LUCB in 3 of 25 runs. So its cost is unknown." in out
    nobody = told(ADS, {name: spoiled(one, 25) for name, one in ads.items()})
    assert nobody.headline == NO_NUMBER
    assert "So their costs are unknown." in nobody.notes[0]


def test_nothing_is_said_before_every_algorithm_has_its_first_runs():
    plan = planned(replace(ADS, trials=50), "delta")
    found = played(plan)
    assert own_trials(plan, found)["lucb"].samples.shape == (1, 50)
    some = {job: one for job, one in found.items() if job[0].trials < 50}
    assert own_trials(plan, some)["c_lucb"].samples.shape == (1, 25)
    first = told(replace(ADS, trials=50), own_trials(plan, some))
    assert first.notes[0].startswith("Mean of the first 25 simulated runs.")
    one_misses = {job: one for job, one in some.items() if job[1] != "c_lucb"}
    assert own_trials(plan, one_misses) == {}
    assert told(ADS, {}).headline == UNDER_WAY


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (1564.3, "€", "€1,560"), (83.69, "$", "$84"), (0.4, "€", "€0.40"), (3.0, "£", "£3"),
        (1564.3, "EUR", "1,560 EUR"), (83.69, "", "83.7"), (0.0, "€", "€0"),
    ],
)  # fmt: skip
def test_amounts(number, unit, text):
    assert money(number, unit) == text


def test_other_numbers_in_words():
    assert [days(number) for number in (0.2, 1.2, 3.9, 1234.0)] == [
        "less than a day", "1 day", "4 days", "1,230 days",
    ]  # fmt: skip
    assert [price(0.4, "€"), price(0.004, "€"), price(2.5, "CHF")] == ["€0.40", "€0.004", "2.5 CHF"]
    assert [tick(2500.0, "€"), tick(0.5, "€"), tick(20.0, "min")] == ["€2,500", "€0.5", "20"]
    assert [share(0.05), share(0.0001), share(0.005)] == [
        f"{text}{THIN_SPACE}%" for text in ("5", "0.01", "0.5")
    ]
