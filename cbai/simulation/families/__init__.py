"""Families of algorithms: one record each, in a file of its own, and the table of all.

A new family is a file with its record, one line in `KINDS` and a name in
`cbai.simulation.rules.choices.Family`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cbai.simulation.families.adaptive import ADAPTIVE
from cbai.simulation.families.betting import BETTING, TWO_SIDED
from cbai.simulation.families.claims import CLAIMS
from cbai.simulation.families.composed import COMPOSED
from cbai.simulation.families.kind import FromState, Kind, Spending
from cbai.simulation.families.phases import PHASES
from cbai.simulation.families.ratios import TOP_TWO, TRACKING
from cbai.simulation.loops.state import FAMILY, Game, State
from cbai.simulation.loops.top import advance_top
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Family

__all__ = ["FOREVER", "KINDS", "FromState", "Kind", "Spending", "advance", "kind_of"]

FOREVER = np.iinfo(np.int64).max

KINDS = {
    Family.COMPOSED: COMPOSED,
    Family.ADAPTIVE: ADAPTIVE,
    Family.BETTING: BETTING,
    Family.TWO_SIDED: TWO_SIDED,
    Family.TOP: replace(COMPOSED, loop=advance_top),
    Family.TRACKING: TRACKING,
    Family.TOP_TWO: TOP_TWO,
    Family.PHASES: PHASES,
    Family.CLAIMS: CLAIMS,
}
"""Every family's record."""


def kind_of(algorithm: Algorithm) -> Kind:
    """Return the record of an algorithm's family."""
    return KINDS[algorithm.family]


def advance(game: Game, state: State, last_round: int = FOREVER) -> None:
    """Play rounds until the trial ends or `last_round` is complete; changes `state` in place."""
    KINDS[Family(int(game.rules[FAMILY]))].loop(game, state, last_round)
