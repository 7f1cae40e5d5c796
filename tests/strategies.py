"""Hypothesis strategies for random problems and random rewards.

Hypothesis draws the sizes, the kind and a seed; the numbers come from NumPy, so that large
problems stay cheap and a failing example still shrinks to few arms and few values.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import cbai
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping
from cbai.simulation.rules.combinations import COMPOSABLE

KINDS = ("valid", "random", "nothing known", "ties")
SUPPORTS = ("ratings", "halves", "from zero", "anywhere")


def support(rng: np.random.Generator, kind: str, n_values: int) -> np.ndarray:
    """Draw strictly increasing reward values of at least 0, shape (V,)."""
    if kind == "ratings":
        return 1.0 + np.arange(n_values)
    if kind == "halves":
        return 0.5 * np.sort(rng.choice(3 * n_values, n_values, replace=False))
    steps = rng.uniform(0.05, 1.5, n_values)
    if kind == "from zero":
        steps[0] = 0.0
    return np.cumsum(steps)


def distributions(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw probabilities that sum to 1 along the last axis, some of them 0."""
    weights = rng.gamma(rng.choice([0.3, 1.0, 5.0]), size=shape) * (rng.random(shape) < 0.9)
    weights[..., 0] += 1e-3
    return weights / weights.sum(axis=-1, keepdims=True)


def latent_model(
    rng: np.random.Generator, values: np.ndarray, n_arms: int, n_states: int = 3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw arms that depend on each other through a hidden state.

    Returns
    -------
    probabilities : ndarray, shape (K, V)
    conditional_means : ndarray, shape (K, K, V)
        E[R_l | R_k = values[v]] indexed (l, k, v), the tightest valid pseudo-rewards; the largest
        value where arm k never gives ``values[v]``, and ``values[v]`` itself on the diagonal.
    joint : ndarray, shape (states, K, V)
        P(state) P(R_k = values[v] | state).
    """
    state = rng.dirichlet(np.ones(n_states))
    given_state = distributions(rng, (n_states, n_arms, values.size))
    joint = state[:, None, None] * given_state
    probabilities = joint.sum(axis=0)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    means_given_state = given_state @ values
    total = np.einsum("xl,xkv->lkv", means_given_state, joint)
    mass = joint.sum(axis=0)
    means = np.where(mass > 0, total / np.where(mass > 0, mass, 1.0), values[-1])
    means[np.arange(n_arms), np.arange(n_arms)] = values
    return probabilities, means, joint


def make_problem(
    n_arms: int, n_values: int, kind: str, support_kind: str, room: bool, seed: int
) -> cbai.Problem:
    """Build one random problem; `room` puts reward_max above the largest value."""
    rng = np.random.default_rng(seed)
    values = support(rng, support_kind, n_values)
    top = float(values[-1]) * (1.25 if room else 1.0)
    probabilities, pseudo, _ = latent_model(rng, values, n_arms)
    if kind == "valid":
        pseudo = np.clip(pseudo, 0.0, top)
    elif kind == "random":
        pseudo = rng.uniform(0.0, top, pseudo.shape)
    elif kind == "nothing known":
        pseudo = np.full(pseudo.shape, top)
    else:
        levels = np.concatenate([values[:2], [top]])
        pseudo = rng.choice(levels, pseudo.shape)
        probabilities[1::2] = probabilities[0]
    pseudo[np.arange(n_arms), np.arange(n_arms)] = values
    return cbai.Problem([f"arm {k}" for k in range(n_arms)], values, probabilities, pseudo, top)


def draw_rewards(problem: cbai.Problem, length: int, seed: int, twins: bool) -> np.ndarray:
    """Draw value indices, shape (K, length); `twins` gives odd arms the rewards of arm 0."""
    rng = np.random.default_rng(seed)
    uniform = rng.random((problem.n_arms, length, 1))
    cuts = np.cumsum(problem.probabilities, axis=1)[:, None, :-1]
    rewards = (uniform >= cuts).sum(axis=2)
    if twins:
        rewards[1::2] = rewards[0]
    return rewards


SEEDS = st.integers(0, 2**32 - 1)

problems = st.builds(
    make_problem,
    n_arms=st.integers(2, 12),
    n_values=st.integers(2, 10),
    kind=st.sampled_from(KINDS),
    support_kind=st.sampled_from(SUPPORTS),
    room=st.booleans(),
    seed=SEEDS,
)
"""Random problems of 2 to 12 arms and 2 to 10 values, of all kinds of pseudo-rewards."""

deltas = st.sampled_from([0.3, 0.1, 0.05, 0.01, 1e-4])
"""Error probabilities as users set them, and beyond."""


def compose(
    leader: Leader,
    challenger: Challenger,
    elimination: Elimination,
    stopping: Stopping,
    shares: tuple[Share, Share, Share, Share],
    confidence: str,
) -> cbai.simulation.Algorithm:
    """Compose an algorithm, with the rules mended that could not go together."""
    if leader is Leader.ALL:
        challenger, stopping = Challenger.NONE, Stopping.NONE
    if elimination is Elimination.NONE and stopping is Stopping.NONE:
        elimination = Elimination.OWN_UCB
    words = [leader, challenger, shares[0], elimination, shares[1], stopping, *shares[2:]]
    spelled = [
        f"{word.divisor}{'K' * word.per_arm}" if isinstance(word, Share) else word.name.lower()
        for word in words
    ]
    return cbai.simulation.find("lab:" + "-".join([*spelled, confidence]))


shares = st.builds(Share, st.integers(1, 99), st.booleans())

compositions = st.builds(
    compose,
    *(st.sampled_from(rules) for _, rules in COMPOSABLE),
    st.tuples(shares, shares, shares, shares),
    st.sampled_from(sorted(CONFIDENCE)),
)
"""Random algorithms of all rules that can be combined, confidence sequences and shares of delta."""
