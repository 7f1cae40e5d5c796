"""About how long a sample of each algorithm takes: a table, as limits must not depend on clocks."""

from __future__ import annotations

from cbai.simulation import BUDGET_ALGORITHMS, find
from cbai.simulation.bounds.adaptive_bounds import ADAPTIVE
from cbai.simulation.bounds.confidence import CONFIDENCE, Form

MEASURED_ARMS = 18
SPEEDS = {
    "racing": 24e6,
    "lil_ucb": 30e6,
    "lucb": 29e6,
    "lucb_pp": 31e6,
    "c_lucb": 11e6,
    "c_lucb_pp": 11e6,
    "maxmin_lucb": 14e6,
    "two_lucb": 9e6,
    "lucb_pp_bet": 6e6,
    "c_lucb_bet": 1.5e6,
    "c_lucb_bet_two": 170e3,
    "c_lucb_claim": 150e3,
    "c_lucb_eb": 2e6,
    "c_lucb_guard": 1e6,
    "track_and_stop": 270e3,
    "ttucb": 360e3,
    "exp_gap": 130e6,
}
"""Samples per second of one core with `MEASURED_ARMS` arms, as in benchmarks/README.md."""

ADAPTIVE_SPEED, KL_SPEED, CROSS_SPEED, PLAIN_SPEED = 900e3, 1e6, 9e6, 24e6
"""The same for algorithms that are not in the table, by the bounds that they use."""

STEEP = 1.25
"""With K arms, adaptive bounds and rivals are slower by (K / 18) to this power, others by K / 18.
Measured with 2, 18 and 100 arms: no row is more than twice as slow as this predicts."""


def speed(algorithm: str, n_arms: int) -> float:
    """Return about how many samples an algorithm draws in a second of one core.

    Parameters
    ----------
    algorithm : str
        A name that `cbai.simulation.find` knows.
    n_arms : int
        K.

    Returns
    -------
    float
        From a table, not from a clock: the same on every machine at all times.
    """
    row = find(algorithm)
    adapts = row.confidence in ADAPTIVE or row.beyond
    if algorithm in SPEEDS:
        base = SPEEDS[algorithm]
    elif row.confidence in ADAPTIVE:
        base = ADAPTIVE_SPEED
    elif CONFIDENCE[row.confidence].form is Form.KL:
        base = KL_SPEED
    else:
        base = CROSS_SPEED if row.uses_correlation else PLAIN_SPEED
    slower: float = max(1.0, n_arms / MEASURED_ARMS) ** (STEEP if adapts else 1.0)
    return base / slower


def budget_seconds(
    algorithm: str, budget: int, n_arms: int, n_values: int, *, masked: bool
) -> float:
    """Return about how many seconds of one core a run with a fixed budget takes.

    Parameters
    ----------
    algorithm : str
        A name in `BUDGET_ALGORITHMS`.
    budget : int
    n_arms, n_values : int
        K and V; V = 0 if there are no pseudo-rewards.
    masked : bool
        Whether each run has its own unknown pseudo-rewards.

    Returns
    -------
    float
        From a table, not from a clock. Measured with 18 to 5,000 arms.
    """
    row = BUDGET_ALGORITHMS[algorithm]
    pull = 4e-8 + 4e-10 * n_arms if row.by_variance else 1e-8
    pair = (1.2e-7 if masked else 3e-9) if row.uses_correlation else 0.0
    return budget * pull + 3e-7 * n_arms + pair * n_arms**2 * n_values
