"""The verdict on a survey."""

from __future__ import annotations

import numpy as np
import pytest

from cbai.problem.lead import lead_of
from cbai.problem.splits import make_problem, split
from cbai.problem.trust import trust_of
from cbai.results import survey_verdict as module
from cbai.results.survey_verdict import verdict_of
from cbai.simulation import simulate
from tests.surveys import Population


def verdict(method="mean", n_people=300, **options):
    survey = Population().survey(np.random.default_rng(1), n_people)
    halves = split(survey, "random", seed=1)
    problem = make_problem(survey, halves, method)
    trust = trust_of(problem, survey, halves)
    return problem, verdict_of(problem, lead_of(survey), survey, delta=0.1, trust=trust, **options)


def test_its_numbers_are_those_of_the_runs():
    problem, found = verdict(runs=6)
    trials = simulate(problem, [found.without.name, found.using.name], 0.1, 6, 0, first_trial=1)
    means = trials.samples.mean(axis=1)
    assert (found.without.mean, found.using.mean) == pytest.approx(tuple(means))
    assert found.ratio.estimate == pytest.approx(means[1] / means[0])
    assert found.without.low < found.without.mean < found.without.high
    assert (found.without.runs, found.without.finished, found.note) == (6, 6, "")
    assert found.best == problem.arms[problem.best_arm]
    assert found.trust in (module.UNCERTAIN, module.VIOLATED, module.HOLDS)


def test_a_survey_that_says_nothing_does_not_help():
    _, found = verdict("maximum")
    assert found.helps in (False, None)
    assert found.ratio.high >= 1.0
    assert found.trust == module.HOLDS


def test_a_survey_that_says_much_helps():
    _, found = verdict()
    assert found.helps
    assert found.ratio.high < 1.0


def test_runs_that_did_not_finish_are_no_answer(monkeypatch):
    monkeypatch.setattr(module, "MOST_A_RUN", 40)
    _, found = verdict()
    for need in (found.without, found.using):
        assert (need.mean, need.low, need.high, need.wrong) == (None, None, None, None)
        assert need.finished == 0
        assert 0 < need.at_least <= 40 * 1.1
    assert found.ratio is None
    assert found.helps is None


def test_the_work_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MOST_IN_ALL", 1)
    _, found = verdict()
    assert found.without.runs == 2


def test_a_row_that_is_too_often_wrong_is_not_shown(monkeypatch):
    """Bounds far too low make the rows that use them name a wrong arm in every run."""
    survey = Population().survey(np.random.default_rng(2), 3000)
    halves = split(survey, "random", seed=1)
    problem = make_problem(survey, halves, "maximum")
    pseudo = problem.pseudo_rewards.copy()
    best = problem.best_arm
    pseudo[best] = np.where(np.arange(5)[:, None] == best, pseudo[best], 1.0)
    false = problem.with_pseudo_rewards(pseudo)
    trust = trust_of(false, survey, halves)
    found = verdict_of(false, lead_of(survey), survey, delta=0.1, trust=trust)
    assert found.using is None or found.using.mean is None
    assert found.ratio is None
    assert found.without.mean > 0.0
    assert found.trust == module.VIOLATED
    monkeypatch.setattr(module.Need, "too_often_wrong", lambda self, delta: False)
    found = verdict_of(false, lead_of(survey), survey, delta=0.1, trust=trust)
    assert found.using.mean is not None
    assert found.using.wrong.low > 0.1


def test_a_tie_has_no_runs():
    survey = Population().survey(np.random.default_rng(3), 100)
    problem = make_problem(survey, split(survey, "random"), "mean")
    shares = np.tile(problem.probabilities[0], (5, 1))
    tied = type(problem)(problem.arms, problem.values, shares, problem.pseudo_rewards, 5.0)
    found = verdict_of(tied, lead_of(survey), survey, delta=0.1)
    assert (found.without, found.using, found.ratio) == (None, None, None)
    assert "same mean" in found.note
    assert found.trust == module.UNTESTED


def test_bad_input_is_quoted():
    with pytest.raises(ValueError, match="runs must be a whole number of at least 2, got 1"):
        verdict(runs=1)
