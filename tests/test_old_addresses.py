"""Addresses that were given away once restore the same settings for good.

The addresses and the names below were taken from the app as it was on 29 November 2026. They are
only added to: whoever changes one breaks somebody's link.
"""

from __future__ import annotations

import pytest

from cbai.problem.methods import METHODS
from cbai.ui.visit.link_names import known_names, known_numbers
from tests.visit import SMALL, setup_of, visit

TREATMENTS = {"data": "Treatments (a story)"}
TWO = {"algorithms": ["LUCB", "C-LUCB"]}
PINS = (
    "data.drug-trial~p.0.4~trials.10~budget.20000"
    "~~data.drug-trial~trials.10~budget.20000~seed.3~algorithms.lucb.c_lucb"
)
LAB = "mean-own_ucb-2K-cross_ucb-2K-none-1-2-howard"
ADDRESSES = [
    (
        "home",
        {
            "data": "Two arms (the paper's Table 1)",
            "table": "(b) arm 2 is best",
            "p": "0.3",
            "q": "0.1",
            "delta": "0.05",
            "trials": "25",
            "seed": "7",
            "budget": "100,000",
            "algorithms": ["LUCB", "C-LUCB"],
            "beyond": ["Track-and-Stop"],
        },
        {
            "data": "paper-two-arms",
            "table": "b",
            "p": 0.3,
            "q": 0.1,
            "delta": 0.05,
            "trials": 25,
            "seed": 7,
            "budget": 100_000,
            "algorithms": ["lucb", "c_lucb"],
            "beyond": ["track_and_stop"],
        },
    ),
    ("home", {"lab": LAB, "present": "1", **TREATMENTS}, {"lab": LAB, "present": True}),
    (
        "race",
        {
            **TREATMENTS,
            "algorithms": ["Racing", "C-LUCB"],
            "left": "Racing",
            "run_number": "3",
            "at": "100",
            "order": "name",
        },
        {"left": "racing", "right": "c_lucb", "run_number": 3},
    ),
    ("competitive", {**TREATMENTS, "watched": "LUCB"}, {"watched": "lucb"}),
    (
        "whatif",
        {**TREATMENTS, **TWO, "vary": ["unknown p"], "cost": "2.5", "per_day": "50"},
        {"vary": ["unknown p"], "cost": 2.5, "per_day": 50},
    ),
    (
        "bounds",
        {
            **TREATMENTS,
            "coin_mean": "0.3",
            "misses_allowed": "5 %",
            "look_until": "1,000",
            "bounds": ["lil", "KL-LUCB"],
        },
        {
            "coin_mean": 0.3,
            "misses_allowed": 0.05,
            "look_until": 1000,
            "bounds": ["lil", "kl_lucb"],
        },
    ),
    ("theory", {**TREATMENTS, "show": "certainty"}, {"data": "drug-trial"}),
    (
        "assumption",
        {**TREATMENTS, **TWO, "assumption_watched": "C-LUCB"},
        {"assumption_watched": "c_lucb"},
    ),
    ("glossary", {"find": "arm", "term": "arm"}, {"find": "arm"}),
    ("data", {"source": "MovieLens"}, {"source": "MovieLens"}),
    ("story", {"step": "3"}, {"trials": 10}),
    ("lab", {**TREATMENTS, "start": "LUCB"}, {"start": "lucb"}),
    (
        "compare",
        {"pins": PINS, "compare_to": "B", "compare_b": "LUCB"},
        {"pins": PINS, "compare_to": "B", "compare_a": "c_lucb", "compare_b": "lucb"},
    ),
]

NAMES = {
    *("after", "algorithms", "all_runs", "arms", "assignment", "assumption_watched", "at"),
    *("beyond", "bounds", "budget", "coin_mean", "compare_a", "compare_b", "compare_by"),
    *("compare_c", "compare_d", "compare_to", "corridor", "cost", "data", "delta", "find"),
    *("genre_seed", "lab", "least_1", "least_5", "least_people", "left", "look_until", "looks"),
    *("method", "misses_allowed", "order", "p", "pair_bounded", "pair_pulled", "paper"),
    *("people A only", "people B only", "people both", "people neither", "per_day", "pins"),
    *("present", "q", "release", "rewards_of", "right", "run_number", "seed", "selection"),
    *("show", "shown_as", "source", "split", "split_by", "split_seed", "split_share", "start"),
    *("step", "story_buffer", "story_delta", "story_q", "streams", "table", "term", "trials"),
    *("unit", "vary", "views", "watched", "why", "why_by"),
    *("empirical_bernstein_level", "hoeffding_level", "joint_delta_prime"),
    *("mean_plus_deviations_deviations", "soft_mean_d", "soft_quantile_d"),
}
NUMBERS = {
    *("at", "coin_mean", "cost", "genre_seed", "least_1", "least_5", "least_people", "p"),
    *("people A only", "people B only", "people both", "people neither", "per_day", "q"),
    *("run_number", "seed", "split_seed", "split_share", "step", "story_q"),
    *("empirical_bernstein_level", "hoeffding_level", "joint_delta_prime"),
    *("mean_plus_deviations_deviations", "soft_mean_d", "soft_quantile_d"),
}


@pytest.mark.parametrize(("page", "query", "held"), ADDRESSES, ids=lambda one: str(one)[:40])
def test_an_old_address_restores_its_settings_and_stays_as_it_is(page, query, held):
    query = SMALL | query
    app = visit(page, **query)
    assert not app.exception
    assert [toast.value for toast in app.toast] == []
    now = {name: app.session_state[name] for name in held}
    assert now == held
    assert "data" in query or setup_of(app).dataset_id == "movielens-1m"  # the default of then
    usual = {"beyond", "data"} - set(query)  # made by the visit where the algorithms are named
    left = {name: app.query_params[name] for name in app.query_params if name not in usual}
    dropped = {"assumption_watched"} & set(query)  # the first one that uses the correlation anyway
    assert set(left) == set(query) - dropped


def test_no_name_of_a_link_is_forgotten_and_numbers_stay_numbers():
    assert known_names() >= NAMES
    assert known_numbers() >= NUMBERS
    assert not known_numbers() & (NAMES - NUMBERS)


def test_the_names_of_all_parameters_of_methods_are_among_them():
    of_methods = {f"{name}_{one.name}" for name, row in METHODS.items() for one in row.parameters}
    assert of_methods <= known_numbers()
