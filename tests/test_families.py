"""Every family of algorithms has one record, and every algorithm is played by its own."""

import dataclasses
from functools import partial

import pytest

import cbai
from cbai.simulation import ALGORITHMS, find
from cbai.simulation.families import KINDS, advance, kind_of
from cbai.simulation.game import new_game
from cbai.simulation.guarantee import spending
from cbai.simulation.loops.state import ANSWER, FAMILY, IDENTIFIED, STATUS, new_state
from cbai.simulation.rules.choices import Family

AD = cbai.load_problem("ad-campaign")
OF_FAMILY = {row.family: row for row in ALGORITHMS.values()}


def played(algorithm, top=1):
    game = new_game(AD, algorithm, 0.1, 5_000_000, top=top, seed=3)
    state = new_state(AD.n_arms, AD.n_values)
    advance(game, state)
    return state


def test_every_family_has_a_record_and_no_two_share_a_loop():
    assert set(KINDS) == set(Family)
    assert len({kind.loop for kind in KINDS.values()}) == len(Family)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_is_played_by_the_loop_of_its_family(name, monkeypatch):
    row, called = find(name), []
    for family, kind in KINDS.items():
        loop = partial(lambda family, *_: called.append(family), family)
        monkeypatch.setitem(KINDS, family, dataclasses.replace(kind, loop=loop))
    played(row)
    assert called == [row.family]


@pytest.mark.parametrize("family", sorted(OF_FAMILY))
def test_the_loop_of_a_family_finds_the_best_arm(family):
    state = played(OF_FAMILY[family])
    assert state.clock[STATUS] == IDENTIFIED
    assert state.clock[ANSWER] == AD.means.argmax()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_a_trace_shows_is_ordered_in_every_family(name):
    seen = cbai.trace(AD, name, 0.1, seed=3)
    assert (seen.lower <= seen.own_upper).all()
    assert (seen.cross_upper <= seen.own_upper).all()
    assert all(0 <= one.by < AD.n_arms for one in seen.eliminations)
    if not find(name).trusts_pseudo_rewards:
        assert all(one.by == one.arm for one in seen.eliminations)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_shares_that_decide_and_those_that_are_spent_are_the_familys(name):
    row = find(name)
    kind = kind_of(row)
    assert spending(row, 6) == kind.spending(row, 6)
    assert min(spending(row, 6)) >= 0.0
    for share in kind.deciding_shares(row):
        assert 0.0 < share.of(0.1, 6) <= 0.1


def test_a_family_that_is_unknown_is_not_played():
    game = new_game(AD, find("lucb"), 0.1, 1000)
    game.rules[FAMILY] = len(Family)
    with pytest.raises(ValueError, match="is not a valid Family"):
        advance(game, new_state(AD.n_arms, AD.n_values))
