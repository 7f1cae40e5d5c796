"""What algorithms are called: rows of the table, rows with other bounds, compositions.

- ``"lucb"`` is a row of `ALGORITHMS`;
- ``"lucb@kl_lucb"`` is that row with another confidence sequence. If the sequence adapts,
  ``"lucb_eb"`` is a short form of ``"lucb@eb"``;
- ``"lab:mean-own_ucb-1K-own_ucb-1K-none-1-1-howard"`` spells out every choice: leader, challenger,
  its share of delta, elimination, its share, stopping rule, its two shares, confidence sequence. A
  share is a divisor, followed by K where it is divided by the number of arms too.

A name is enough to play an algorithm, so it can be kept in a link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, TypeVar

from cbai import checks
from cbai.checks import quoted
from cbai.simulation.bounds.adaptive_bounds import ADAPTIVE, BOUNDS
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping
from cbai.simulation.rules.combinations import INDIVISIBLE
from cbai.simulation.rules.rows import ALGORITHMS

WITH = "@"
LAB = "lab:"
LAB_TITLE = "Yours"
LARGEST_DIVISOR = 99
COMPOSED = (
    "Composed of known rules; whether a theorem covers it depends on the shares and the bounds."
)

WHOLE = tuple(rule for whole in INDIVISIBLE.values() for rule in whole.own_rules)
"""Rules of fixed combinations. They cannot be composed, and they use no confidence sequence."""

ADAPTED = {
    f"{base}_{confidence}": (base, confidence)
    for base in ("lucb", "lucb_pp", "c_lucb", "c_lucb_pp")
    for confidence in ADAPTIVE
    if f"{base}_{confidence}" not in ALGORITHMS
}
"""Short names of rows with bounds that adapt."""

Rule = TypeVar("Rule", bound=IntEnum)


def find(algorithm: str | Algorithm) -> Algorithm:
    """Return the algorithm of a name; a row is returned unchanged.

    Raises
    ------
    ValueError
        If the name is none of the three kinds, or the algorithm could never stop.

    Examples
    --------
    >>> from cbai.simulation import find
    >>> find("lucb@kl_lucb").title
    'LUCB · KL-LUCB'
    >>> find("lab:mean-own_ucb-1K-own_ucb-1K-none-1-1-howard").leader.name
    'MEAN'
    """
    if isinstance(algorithm, Algorithm):
        return algorithm
    if isinstance(algorithm, str) and algorithm.startswith(LAB):
        return _composition(algorithm)
    if isinstance(algorithm, str) and WITH in algorithm:
        base, _, confidence = algorithm.partition(WITH)
        return pair(base, confidence)
    if isinstance(algorithm, str) and algorithm in ADAPTED:
        return pair(*ADAPTED[algorithm])
    return ALGORITHMS[checks.one_of("algorithm", algorithm, ALGORITHMS)]


def listed(algorithms: object) -> list[Any]:
    """Return the names or rows of a call, or refuse what is no list of at least one."""
    if not isinstance(algorithms, (list, tuple)) or not algorithms:
        raise ValueError(f"algorithms must be a list of at least 1 name, got {quoted(algorithms)}.")
    return list(algorithms)


def check_different(names: Sequence[str]) -> None:
    """Refuse two algorithms of the same name."""
    if len(set(names)) < len(names):
        raise ValueError(f"algorithms must have different names, got {', '.join(names)}.")


def pair(base: str, confidence: str) -> Algorithm:
    """Return a row of the table with another confidence sequence.

    Raises
    ------
    ValueError
        If either name is unknown.
    """
    row = ALGORITHMS[checks.one_of("algorithm", base, ALGORITHMS)]
    if not row.by_sequence or row.guarded:
        raise ValueError(f"algorithm {quoted(base)} has no confidence sequence to exchange.")
    sequence = BOUNDS[checks.one_of("confidence", confidence, BOUNDS)]
    return replace(
        row,
        name=f"{base}{WITH}{confidence}",
        title=f"{row.title} · {sequence.title}",
        confidence=confidence,
        guarantee=f"{row.guarantee} With the bounds of {sequence.title}: {sequence.conditions}",
        source=f"{row.source}; bounds: {sequence.source}",
    )


def code(algorithm: Algorithm) -> str:
    """Return the name that spells out every choice of a composed algorithm."""
    parts = (
        algorithm.leader,
        algorithm.challenger,
        algorithm.sampling_share,
        algorithm.elimination,
        algorithm.elimination_share,
        algorithm.stopping,
        algorithm.leader_share,
        algorithm.challenger_share,
        algorithm.confidence,
    )
    return LAB + "-".join(_word(part) for part in parts)


def _word(part: IntEnum | Share | str) -> str:
    if isinstance(part, Share):
        return f"{part.divisor}{'K' if part.per_arm else ''}"
    return part.name.lower() if isinstance(part, IntEnum) else part


def _composition(name: str) -> Algorithm:
    words = name.removeprefix(LAB).split("-")
    if len(words) != 9:
        raise ValueError(
            "A recipe must spell out 9 choices with dashes between them, got "
            f"{quoted(name.removeprefix(LAB))}."
        )
    return Algorithm(
        name=name,
        title=LAB_TITLE,
        leader=_rule("leader", words[0], Leader),
        challenger=_rule("challenger", words[1], Challenger),
        sampling_share=_share("sampling share", words[2]),
        elimination=_rule("elimination", words[3], Elimination),
        elimination_share=_share("elimination share", words[4]),
        stopping=_rule("stopping", words[5], Stopping),
        leader_share=_share("leader share", words[6]),
        challenger_share=_share("challenger share", words[7]),
        confidence=words[8],
        guarantee=COMPOSED,
        source="Composed in the algorithm lab",
    )


def _rule(name: str, word: str, kind: type[Rule]) -> Rule:
    rules = (member for member in kind if not any(member is one for one in WHOLE))
    members = {member.name.lower(): member for member in rules}
    return members[checks.one_of(name, word, members)]


def _share(name: str, word: str) -> Share:
    match = re.fullmatch(r"([1-9]\d?)(K?)", word)
    if match is None:
        raise ValueError(
            f"{name} must be a divisor from 1 to {LARGEST_DIVISOR}, with K or without, "
            f"got {quoted(word)}."
        )
    return Share(int(match[1]), per_arm=bool(match[2]))
