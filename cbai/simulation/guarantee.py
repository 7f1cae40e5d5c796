"""Whether a correctness theorem covers an algorithm, whatever it is composed of.

All proofs of correctness in the paper are one argument. An answer can only be wrong if a bound
fails: an upper bound on the best arm, or a lower bound on another arm. The probability that one
fails is at most the sum of their shares of delta. This sum must be at most delta. Bounds at
different shares around the same mean are nested, so only the largest share of each counts.
"""

from __future__ import annotations

from typing import NamedTuple

from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.families import Spending, kind_of
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Stopping

ROUNDING = 1e-9
LIL_UP_TO = 0.48
"""Up to this error probability the bound `lil` is wider than the bound of Howard et al."""


class Cover(NamedTuple):
    """Whether a theorem covers an algorithm, and why, in a sentence or two."""

    covered: bool
    reason: str


def spent(algorithm: Algorithm, n_arms: int) -> float:
    """Return the largest probability that a bound that matters fails, as a multiple of delta.

    See `spending` for its parts.
    """
    return spending(algorithm, n_arms).total


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return the parts of the union bound that proves the answer right, for K = `n_arms` arms.

    Each family of algorithms has its own argument, see `cbai.simulation.families`.
    """
    return kind_of(algorithm).spending(algorithm, n_arms)


def times_delta(multiple: float) -> str:
    """Write a multiple of delta in three digits: δ, 0.972 δ, 18 δ."""
    digits = f"{multiple:.3g}"
    return "δ" if digits == "1" else f"{digits} δ"


def cover(algorithm: Algorithm, n_arms: int, delta: float) -> Cover:
    """Say whether the answer is proven right with probability at least 1 - `delta`.

    This is about correctness only, and the sampling rule does not matter for it. How many samples
    an algorithm takes is proven for the paper's algorithms alone.
    """
    sequence = BOUNDS[algorithm.confidence]
    if not sequence.anytime:
        return Cover(
            False,
            f"The bound {sequence.title} holds only at one number of pulls that is fixed in "
            "advance, but this algorithm checks it after every round.",
        )
    if algorithm.stopping is Stopping.PULL_SHARE:
        return Cover(
            False,
            "Stopping once one arm has nine times the pulls of all others is a rule of thumb.",
        )
    failing = spent(algorithm, n_arms)
    if failing > 1.0 + ROUNDING:
        return Cover(
            False,
            f"In all, its bounds may fail with probability up to {times_delta(failing)}. That is "
            "more than δ, so smaller shares are needed.",
        )
    if algorithm.confidence == "lil" and delta > LIL_UP_TO:
        return Cover(False, f"The bound {sequence.title} is proven for δ up to {LIL_UP_TO} only.")
    if algorithm.by_claim:
        return Cover(
            True,
            f"The best arm is ruled out with probability at most {times_delta(failing)} if every "
            "pseudo-reward on it is valid.",
        )
    relying = (
        " if every pseudo-reward on the best arm is valid"
        if algorithm.elimination is Elimination.CROSS_UCB
        else ""
    )
    return Cover(
        True,
        "All bounds that matter hold at once with probability at least "
        f"1 − {times_delta(failing)}, and then the answer is right{relying}.",
    )


def may_never_stop(algorithm: Algorithm) -> bool:
    """Return whether a round may pull one arm only, so other arms may never be pulled again.

    For lil'UCB this is intended: its stopping rule waits for it. Tracking is forced to explore, and
    a phase pulls all arms.
    """
    one = algorithm.challenger is Challenger.NONE and algorithm.leader is not Leader.ALL
    return one and algorithm.by_sequence and algorithm.stopping is not Stopping.PULL_SHARE
