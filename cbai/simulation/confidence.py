"""Confidence sequences: how far an empirical mean may be from the true one, at every time.

All have the form ``scale * sqrt(V * (log(log(inner * V)) + weight * log(level / d))) / n`` with
the intrinsic time V = max(b**2 n / 4, 1): n pulls of rewards in [0, b], error probability d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks, compiled


@dataclass(frozen=True)
class ConfidenceSequence:
    """One confidence sequence of the iterated-logarithm form.

    Attributes
    ----------
    title, source : str
        What it is called and where it is proven.
    scale, inner, weight, level : float
        The constants of the form above.
    """

    title: str
    source: str
    scale: float
    inner: float
    weight: float
    level: float

    def radius(self, n: ArrayLike, d: float, reward_max: float) -> NDArray[np.float64]:
        """Return the radius B(n, d) around the mean of n rewards in [0, `reward_max`].

        Parameters
        ----------
        n : array_like of int
            The number of pulls, at least 1; any shape, which is that of the result.
        d : float
            The probability, in (0, 1), that the mean is ever outside on one side.
        reward_max : float
            The largest possible reward b.

        Raises
        ------
        ValueError
            If n or d is outside its range.
        """
        pulls = np.asarray(n, dtype=np.float64)
        if not (pulls >= 1.0).all():
            raise ValueError(f"n must be at least 1, got {pulls.min():g}.")
        checks.real("d", d, 0.0, 1.0, open_ends=True)
        time = np.maximum(reward_max**2 / 4.0 * pulls, 1.0)
        term = np.log(np.log(self.inner * time)) + self.level_term(d)
        return np.asarray(self.scale * np.sqrt(time * term) / pulls)

    def shape(self, reward_max: float) -> NDArray[np.float64]:
        """Return what the compiled `radius` needs besides n and d, shape (3,)."""
        return np.array([self.scale, self.inner, reward_max**2 / 4.0])

    def level_term(self, d: float) -> float:
        """Return the part of the radius that depends on the error probability d."""
        return self.weight * math.log(self.level / d)


CONFIDENCE = {
    "howard": ConfidenceSequence(
        title="Polynomial stitched boundary",
        source="Howard, Ramdas, McAuliffe and Sekhon, Time-uniform, nonparametric, nonasymptotic "
        "confidence sequences, Annals of Statistics 49 (2021), equation 2; sub-Gaussian with "
        "variance proxy b**2/4.",
        scale=1.7,
        inner=2.0,
        weight=0.72,
        level=5.2,
    ),
    "lil": ConfidenceSequence(
        title="lil'UCB boundary",
        source="Gupta, Joshi and Yağan 2021 for lil'UCB, after Jamieson, Malloy, Nowak and "
        "Bubeck, lil' UCB, COLT 2014.",
        scale=1.7,
        inner=1.034,
        weight=0.96,
        level=67.59,
    ),
}
"""Name to confidence sequence."""


TABLE_SIZE = 2**17
"""Up to how many pulls log(log(.)) is looked up rather than computed (1 MiB of memory)."""


@numba.njit(**compiled.OPTIONS)
def intrinsic_time(n, shape):  # type: ignore[no-untyped-def]
    """Return V = max(b**2 n / 4, 1): the boundary is proven for V >= 1."""
    return max(shape[2] * n, 1.0)


@numba.njit(**compiled.OPTIONS)
def log_log(n, shape):  # type: ignore[no-untyped-def]
    """Return log(log(inner * V)), the part of the radius that depends on n alone."""
    return math.log(math.log(shape[1] * intrinsic_time(n, shape)))


@numba.njit(**compiled.OPTIONS)
def radius(n, log_log_n, shape, level_term):  # type: ignore[no-untyped-def]
    """Return B(n, d), given log(log(inner * V)) and the level term of d."""
    return shape[0] * math.sqrt(intrinsic_time(n, shape) * (log_log_n + level_term)) / n


@numba.njit(**compiled.OPTIONS)
def _tabulate_log_log(shape, size):  # type: ignore[no-untyped-def]
    table = np.empty(size)
    table[0] = math.nan
    for n in range(1, size):
        table[n] = log_log(n, shape)
    return table


@lru_cache(maxsize=16)
def log_log_table(*shape: float) -> NDArray[np.float64]:
    """Return log(log(inner V)) for 0, 1, ... pulls, shape (TABLE_SIZE,); entry 0 is unused."""
    table: NDArray[np.float64] = _tabulate_log_log(np.array(shape), TABLE_SIZE)
    table.setflags(write=False)
    return table
