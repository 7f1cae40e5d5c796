"""Pinned setups as text: what is written is read again, and nothing else is let in."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cbai
from cbai.datasets import DATASETS, Noun
from cbai.ui.visit import link_values, pin_text, user_problem
from cbai.ui.visit.pin_text import LONGEST, MOST, as_pinned, own_key, read, write
from cbai.ui.visit.pin_words import differing
from cbai.ui.visit.setup import BUDGETS, DEFAULT, DELTAS, TRIALS, largest_buffer, parameters
from tests.visit import at, visit

ONE = "data.movielens-1m"
TWO_ARMS = "data.paper-two-arms"
RECIPE = "lab:mean-own_ucb-1K-own_ucb-1K-none-1-1-kl_lucb"
quick = settings(max_examples=200, derandomize=True, deadline=None)


@st.composite
def setups(draw):
    row = DATASETS[draw(st.sampled_from(sorted(DATASETS)))]
    options = {name: draw(st.sampled_from(list(rows))) for name, rows in row.options.items()}
    lab = draw(st.sampled_from([DEFAULT.lab, RECIPE]))
    chosen = draw(st.sets(st.sampled_from([*cbai.ALGORITHMS, lab]), min_size=1))
    setup = at(
        row.id,
        options,
        algorithms=tuple(name for name in [*cbai.ALGORITHMS, lab] if name in chosen),
        lab=lab,
        delta=draw(st.sampled_from(DELTAS)),
        p=draw(st.floats(0.0, 1.0)),
        trials=draw(st.sampled_from(TRIALS)),
        seed=draw(st.integers(0, 2**31 - 1)),
        max_samples=draw(st.sampled_from(BUDGETS)),
    )
    return replace(setup, q=draw(st.floats(0.0, largest_buffer(setup.problem))))


# ---------------------------------------------------------------- round trip


@quick
@given(st.lists(setups(), max_size=MOST, unique_by=lambda one: repr(as_pinned(one)) + one.lab))
def test_what_is_written_is_read_again(several):
    text = write(several)
    assert re.fullmatch(r"[A-Za-z0-9._~-]*", text)
    assert len(text) <= LONGEST
    pins = read(text, {})
    assert pins.complaint == ""
    assert list(pins.setups) == [as_pinned(one) for one in several]
    assert [one.lab for one in pins.setups] == [as_pinned(one).lab for one in several]
    assert write(pins.setups) == text


def test_four_setups_with_everything_are_not_too_long():
    every = (*cbai.ALGORITHMS, RECIPE)
    full = at("movielens-small", algorithms=every, lab=RECIPE, p=1 / 3, q=2 / 7, trials=1000)
    several = [replace(full, seed=2**31 - 1 - i, delta=0.0001) for i in range(MOST)]
    assert len(read(write(several), {}).setups) == MOST


def test_no_option_of_a_data_set_is_called_like_another_setting():
    fixed = {"data", "algorithms", "lab", *pin_text.NUMBERS}
    assert all(not fixed & set(row.options) for row in DATASETS.values())


def test_the_largest_seed_is_that_of_the_sidebar():
    assert visit().number_input(key="seed").max == pin_text.LARGEST_SEED


def test_a_recipe_that_is_not_chosen_is_not_pinned():
    assert write([replace(DEFAULT, lab=RECIPE)]) == ONE
    chosen = replace(DEFAULT, lab=RECIPE, algorithms=("lucb", RECIPE))
    assert write([chosen]) == f"{ONE}~algorithms.lucb.yours~lab.{RECIPE[4:]}"


# ---------------------------------------------------------------- strictness


WRONG = {
    "data.nobody": "data = nobody is not a data set",
    "p.0.2": "the data set is missing",
    f"{ONE}~p.1.5": "p must be in [0, 1], got 1.5",
    f"{ONE}~p.-1": "p must be in [0, 1], got -1",
    f"{ONE}~p.nan": "p must be a number, got nan",
    f"{ONE}~p.1e999": "p must be a number, got 1e999",
    f"{ONE}~p.٣": "p must be a number, got ٣",
    f"{ONE}~q.1.01": "q must be in [0, 1], got 1.01",
    f"{TWO_ARMS}~q.0.8": "q must be in [0,",
    f"{ONE}~delta.0.5": "delta must be one of 0.2, 0.1, ",
    f"{ONE}~delta.0": "got 0.0",
    f"{ONE}~trials.1001": "trials must be one of 10, 25, ",
    f"{ONE}~trials.10.0": "trials must be a whole number, got 10.0",
    f"{ONE}~seed.{2**31}": "seed must be a whole number from 0 to 2147483647, got 2147483648",
    f"{ONE}~budget.5000001": "budget must be one of 20,000, ",
    f"{ONE}~algorithms.lucb.foo": "foo is not an algorithm",
    f"{ONE}~algorithms.lucb.lucb": "lucb is listed twice",
    f"{ONE}~algorithms.": "algorithms. is not a setting",
    f"{ONE}~algorithms.yours~lab.nope": "its recipe cannot be read: A recipe must spell out 9",
    f"{ONE}~lab.{RECIPE[4:]}": "its recipe is not among its algorithms",
    f"{ONE}~epsilon.0.1": "epsilon is not a setting",
    f"{ONE}~table.b": "table is not a setting",
    f"{TWO_ARMS}~table.z": "table must be one of a, b; got z",
    f"{ONE}~p.0.4~p.0.5": "p is set twice",
    "": "it has an empty setting",
    f"{ONE}~p": "p is not a setting",
    "data.own-0123456789ab": "it is about someone's own data, which no link holds",
    f"{ONE}": "the same as A",
    f"{ONE}~p.0.20": "the same as A",
}


@pytest.mark.parametrize(("part", "why"), WRONG.items(), ids=WRONG)
def test_what_the_sidebar_could_not_hold_is_named_and_left_out(part, why):
    pins = read(f"{ONE}~~{part}~~{ONE}~p.0.4", {})
    assert pins.setups == (DEFAULT, replace(DEFAULT, p=0.4))
    assert pins.complaint.startswith("Some pinned setups in this link are left out: number 2 (")
    assert why in pins.complaint
    assert pins.complaint.endswith(").")


def test_a_fifth_is_named():
    pins = read("~~".join(f"{ONE}~seed.{i + 1}" for i in range(5)), {})
    assert [one.seed for one in pins.setups] == [1, 2, 3, 4]
    assert (
        pins.complaint
        == "Some pinned setups in this link are left out: number 5 (at most 4 are allowed)."
    )


def test_many_wrong_ones_are_cut_and_so_are_long_ones():
    said = read("~~".join(["x" * 100] * 9), {}).complaint
    assert said.endswith("and 6 more.")
    assert "x" * 41 not in said
    assert "4,001 characters" in read("x" * 4001, {}).complaint


@quick
@given(st.text(max_size=60) | st.text("data.movielns-1~pq05", max_size=60))
def test_any_text_is_read_without_an_error(text):
    pins = read(text, {})
    assert bool(pins.complaint) == (len(pins.setups) < len(text.split("~~")) and bool(text))
    assert len(pins.complaint) < 700
    assert read(write(pins.setups), {}).setups == pins.setups


# ---------------------------------------------------------------- data of one's own


def mine():
    problem = cbai.load_problem("paper-three-arms")
    kept = user_problem.OwnProblem(
        problem, "Tea *test*", "Mine.", Noun("tea", "teas"), Noun("sip", "sips")
    )
    row = user_problem.row_of(kept)
    return replace(
        DEFAULT, dataset_id=user_problem.OWN, options=(), dataset=row, problem=problem
    ), row


def test_ones_own_data_are_known_by_their_digest_where_they_are_known():
    setup, row = mine()
    text = write([setup])
    assert text == f"data.{own_key(setup.problem)}"
    assert read(text, {own_key(setup.problem): row}).setups == (setup,)
    assert read(text, {}).setups == ()
    assert "someone's own" in read(text, {}).complaint


# ---------------------------------------------------------------- what tells them apart


def test_only_what_differs_is_said():
    several = [DEFAULT, replace(DEFAULT, p=1.0), replace(DEFAULT, p=0.0, delta=0.0001)]
    assert [one.replace("\u202f", " ") for one in differing(several)] == [
        "p = 20 %, δ = 1 %",
        "p = 100 %, δ = 1 %",
        "p = 0 %, δ = 0.01 %",
    ]
    assert differing([DEFAULT]) == [DEFAULT.dataset.title]
    other = replace(DEFAULT, algorithms=("lucb",))
    assert differing([other, replace(DEFAULT, algorithms=("lucb", "c_lucb"))]) == [
        "LUCB",
        "LUCB and C-LUCB",
    ]


@quick
@given(st.lists(setups(), min_size=2, max_size=MOST, unique_by=lambda one: write([one])))
def test_no_two_setups_are_described_alike(several):
    several = [replace(one, p=round(one.p, 2), q=round(one.q, 2)) for one in several]
    assume(len({write([one]) for one in several}) == len(several))
    assert len(set(differing(several))) == len(several)


def test_two_problems_of_ones_own_with_one_name_are_told_apart():
    setup, _ = mine()
    other = replace(setup, problem=cbai.load_problem("paper-two-arms"))
    one, two = differing([setup, other])
    assert one != two


def test_a_pinned_setup_and_the_sidebar_write_and_read_the_same_numbers():
    setup = replace(DEFAULT, p=1.0, q=0.25, delta=0.0001, trials=1000, seed=7)
    sidebar, pinned = (
        parameters(setup),
        dict(part.split(".", 1) for part in pin_text.write([setup]).split("~")),
    )
    for name in ("p", "q", "delta", "trials", "seed"):
        assert pinned[name] == sidebar[name], name
        usual = getattr(DEFAULT, name)
        assert link_values.read_number(name, pinned[name], usual) == getattr(setup, name)


def test_whole_shares_are_read_as_they_were_once_written():
    once, now = (pin_text.read(f"{ONE}~p.{p}", {}).setups for p in ("1", "1.0"))
    assert once == now == (replace(DEFAULT, p=1.0),)
