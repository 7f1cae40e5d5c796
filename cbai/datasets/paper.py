"""The small examples of the paper: Tables 1 and 2 of Gupta, Joshi and Yağan (2021)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cbai.datasets.dataset import Dataset, Noun
from cbai.problem import Problem

Bounds = Mapping[tuple[int, int], tuple[float, ...]]
Joint = Mapping[tuple[int, ...], float]

UNKNOWN = 2.0
"""The largest reward of Table 2; unknown entries have this value."""

TWO_ARM_BOUNDS: Bounds = {(1, 0): (0.7, 0.4), (0, 1): (0.8, 0.5)}
"""Pseudo-rewards by (arm bounded, arm pulled), for each reward of the arm pulled."""

THREE_ARM_BOUNDS: Bounds = {
    (1, 0): (0.7, 0.8, UNKNOWN),
    (2, 0): (UNKNOWN, 1.2, 1.0),
    (0, 1): (0.5, 1.3, UNKNOWN),
    (2, 1): (1.5, UNKNOWN, 0.8),
    (0, 2): (1.5, UNKNOWN, 0.7),
    (1, 2): (UNKNOWN, 1.3, 0.75),
}

TWO_ARM_JOINTS: Mapping[str, Joint] = {
    "a": {(0, 0): 0.2, (1, 0): 0.4, (0, 1): 0.2, (1, 1): 0.2},
    "b": {(0, 0): 0.2, (1, 0): 0.3, (0, 1): 0.4, (1, 1): 0.1},
}
"""Probabilities by (reward of arm 1, reward of arm 2)."""

THREE_ARM_JOINT: Joint = {
    (0, 0, 0): 0.11,
    (0, 0, 1): 0.04,
    (0, 1, 0): 0.04,
    (0, 1, 2): 0.07,
    (0, 2, 0): 0.02,
    (0, 2, 1): 0.03,
    (1, 0, 1): 0.03,
    (1, 0, 2): 0.03,
    (1, 2, 0): 0.04,
    (2, 2, 0): 0.54,
    (2, 2, 1): 0.05,
}
"""Our own probabilities, found by an integer linear programme. They are whole percentages that meet
every bound and give each reward of each arm at least 0.1. The programme looks at two numbers: the
lead of the best arm over the second, and the pseudo-gap of the third. It makes the smaller one as
large as possible, so the third arm is non-competitive. This is the one of the six orders of the
arms with the largest result, 0.19."""


def marginals(joint: Joint, n_values: int) -> NDArray[np.float64]:
    """Return P(R_k = v) of each arm under a joint distribution of rewards 0, 1, ..., V - 1.

    Parameters
    ----------
    joint : mapping of tuple of int to float
        Probability of each outcome: one reward an arm.
    n_values : int
        V.

    Returns
    -------
    ndarray, shape (K, V)
    """
    table = np.zeros((len(next(iter(joint))), n_values))
    for outcome, probability in joint.items():
        table[np.arange(len(outcome)), outcome] += probability
    return table


def _problem(bounds: Bounds, joint: Joint) -> Problem:
    n_values = len(next(iter(bounds.values())))
    probabilities = marginals(joint, n_values)
    n_arms = len(probabilities)
    pseudo = np.broadcast_to(np.arange(float(n_values)), (n_arms, n_arms, n_values)).copy()
    for (bounded, pulled), bound in bounds.items():
        pseudo[bounded, pulled] = bound
    arms = [f"Arm {k + 1}" for k in range(n_arms)]
    return Problem(arms, np.arange(n_values), probabilities, pseudo)


def two_arms(table: str) -> Problem:
    """Return Table 1 with its joint distribution "a" (arm 1 is best) or "b" (arm 2 is best)."""
    return _problem(TWO_ARM_BOUNDS, TWO_ARM_JOINTS[table])


def three_arms() -> Problem:
    """Return Table 2 with a joint distribution of ours."""
    return _problem(THREE_ARM_BOUNDS, THREE_ARM_JOINT)


LICENCE = "Numbers from S. Gupta, G. Joshi and O. Yağan (2021), arXiv:2109.04941."

TWO_ARMS = Dataset(
    id="paper-two-arms",
    title="Two arms (the paper's Table 1)",
    story="Which of two arms is better, when both answers fit what is known?",
    arm=Noun("arm", "arms"),
    sample=Noun("pull", "pulls"),
    provenance=(
        "Table 1 of the paper has one set of pseudo-rewards and two joint distributions that both "
        "satisfy them. The first arm is best in one, the second arm in the other. So "
        "pseudo-rewards alone cannot tell which arm is best."
    ),
    licence=LICENCE,
    build=two_arms,
    options={"table": {"a": "(a) arm 1 is best", "b": "(b) arm 2 is best"}},
    valid_by_construction=True,
)

THREE_ARMS = Dataset(
    id="paper-three-arms",
    title="Three arms (the paper's Table 2)",
    story="Which of three arms is best, when some bounds are unknown?",
    arm=Noun("arm", "arms"),
    sample=Noun("pull", "pulls"),
    provenance=(
        "The pseudo-rewards are Table 2 of the paper. Its unknown entries are set to the largest "
        "reward. The paper gives no probabilities, so the joint distribution is ours. An integer "
        "linear programme found it; it satisfies every bound. Arm 2 is best by 0.19, and arm 3 is "
        "non-competitive by the same amount."
    ),
    licence=LICENCE + " The joint distribution is ours.",
    build=three_arms,
    valid_by_construction=True,
)
