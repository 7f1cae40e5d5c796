"""Confidence sequences that adapt: to the range of what is averaged, or to how much it varies.

The sequences of `cbai.simulation.bounds.confidence` treat every reward, and every pseudo-reward, as
if it were spread over all of [0, b]. But its values are known beforehand. So is its *span* c, the
distance between the largest and the smallest value. And the rewards show how much it varies. A
bound here is for one pair (l, k), around the mean phi_{l,k} of s_{l,k} over the rewards of arm k.
For k = l that is arm l's own mean. See docs/beyond.md for the theorems.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math
from collections import ChainMap
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks, compiled
from cbai.simulation.bounds.confidence import CONFIDENCE, ConfidenceSequence

BY_VARIANCE, TOLERANCE = 7, 8
"""The places in `Game.shape` after those of `cbai.simulation.bounds.mean_bounds`."""

STITCH, ETA = 1.4, 2.04
"""The exponent s and the growth of epochs in the stitched boundary."""

ZETA = 3.10555
"""The Riemann zeta function at s, rounded up."""

ROOT_FACTOR = (math.sqrt(ETA) + 1.0 / math.sqrt(ETA) + 2.0) / 2.0
"""k1 squared, k1 = (eta^(1/4) + eta^(-1/4)) / sqrt 2."""

LINEAR_FACTOR = (math.sqrt(ETA) + 1.0) / 2.0
"""k2."""

RANGE_FACTOR = 0.85
"""Half the factor 1.7 of Howard et al. 2021, equation 2: that one is for a span of 2."""


@numba.njit(**compiled.LEAN)
def variance_growth(squares, span):
    """Return s log log(eta v / m), the part of the exploration that grows with the variance."""
    least = 0.25 * span * span
    return STITCH * math.log(math.log(ETA * (max(squares, least) / least)))


@numba.njit(**compiled.LEAN)
def radius(n, growth, squares, span, level_term, by_variance):
    """Return the radius around the mean of n values, given the growth; 0 for a span of 0."""
    if span == 0.0:
        return 0.0
    exploration = growth + level_term
    if not by_variance:
        return RANGE_FACTOR * span * math.sqrt(exploration / n)
    variance = max(squares, 0.25 * span * span)
    linear = LINEAR_FACTOR * span * exploration
    return (math.sqrt(ROOT_FACTOR * variance * exploration + linear * linear) + linear) / n


@dataclass(frozen=True)
class AdaptiveSequence:
    """One confidence sequence for the mean of values of a known span.

    Attributes
    ----------
    title, formula, source, conditions : str
        As in `cbai.simulation.bounds.confidence.ConfidenceSequence`.
    by_variance : bool
        Whether it adapts to how much the values vary. If not, it adapts to their span alone.
    level, weight : float
        The constants of ``level_term``.
    anytime : bool
        Whether the bound holds at all times at once.
    """

    title: str
    formula: str
    source: str
    conditions: str
    by_variance: bool
    level: float
    weight: float
    anytime: bool = True

    def level_term(self, d: float) -> float:
        """Return the part of the exploration that depends on the error probability d."""
        return self.weight * math.log(self.level / d)

    def shape(self, reward_max: float) -> NDArray[np.float64]:
        """Return what the compiled loop needs besides spans, squares and d, shape (8,).

        The first seven are those of the growth log log(2 n), see
        `cbai.simulation.bounds.mean_bounds`. The largest possible reward plays no part.
        """
        del reward_max
        return np.array([0.0, 0.0, 0.0, 0.0, 2.0, 1.0, 1.0, self.by_variance])

    def radius(
        self, n: ArrayLike, d: float, span: ArrayLike, squares: ArrayLike = 0.0
    ) -> NDArray[np.float64]:
        """Return the radius around the mean of n values.

        Parameters
        ----------
        n : array_like of int
            The number of values, at least 1; any shape, which is that of the result.
        d : float
            The probability, in (0, 1), that the mean is ever outside on one side.
        span : array_like
            The largest possible value minus the smallest, at least 0.
        squares : array_like
            The sum of (value - mean of the earlier ones)², the first of them with the middle of the
            range in place of a mean. Used only where `by_variance`.

        Raises
        ------
        ValueError
            If an argument is outside its range.
        """
        checks.real("d", d, 0.0, 1.0, open_ends=True)
        pulls, spans, sums = np.broadcast_arrays(
            np.asarray(n, dtype=np.float64),
            np.asarray(span, dtype=np.float64),
            np.asarray(squares, dtype=np.float64),
        )
        if not (pulls >= 1.0).all():
            raise ValueError(f"n must be at least 1, got {pulls.min():g}.")
        for name, values in (("span", spans), ("squares", sums)):
            if not (values >= 0.0).all():
                raise ValueError(f"{name} must be at least 0, got {values.min():g}.")
        level = self.level_term(d)
        result = [
            radius(one, self._growth(one, c, v), v, c, level, self.by_variance)
            for one, c, v in zip(pulls.ravel(), spans.ravel(), sums.ravel(), strict=True)
        ]
        return np.array(result).reshape(pulls.shape)

    def _growth(self, n: float, span: float, squares: float) -> float:
        if span == 0.0:
            return 0.0
        growth = variance_growth(squares, span) if self.by_variance else math.log(math.log(2 * n))
        return float(growth)


HOWARD = (
    "Howard, Ramdas, McAuliffe and Sekhon, Time-uniform, nonparametric, nonasymptotic confidence "
    "sequences, Annals of Statistics 49 (2021)"
)

ADAPTIVE = {
    "range": AdaptiveSequence(
        title="Howard et al., known range",
        formula=r"B(n,d)=0.85\,c\,\sqrt{\frac{\log\log 2n+0.72\log\frac{5.2}{d}}{n}}",
        source=HOWARD + ", equation 2, scaled to the span c of the values.",
        conditions="Proven for values between two known numbers c apart, at all n from 1 on.",
        by_variance=False,
        level=5.2,
        weight=0.72,
    ),
    "eb": AdaptiveSequence(
        title="Empirical Bernstein",
        formula=r"B=\frac1n\left(\sqrt{k_1^2 v\ell+k_2^2c^2\ell^2}+k_2c\,\ell\right),\quad "
        r"\ell=1.4\log\log\frac{2.04\,v}{c^2/4}+\log\frac{\zeta(1.4)}{d\,(\log 2.04)^{1.4}},\quad "
        r"v=\max\left(\sum_{i\le n}(x_i-\bar x_{i-1})^2,\tfrac{c^2}{4}\right)",
        source=HOWARD + ", Theorem 4 with the polynomial stitched boundary of Theorem 1.",
        conditions="Proven for values between two known numbers c apart. It is narrower if the "
        "observed values vary less.",
        by_variance=True,
        level=ZETA / math.log(ETA) ** STITCH,
        weight=1.0,
    ),
}
"""Name to confidence sequence that adapts."""

BOUNDS: ChainMap[str, ConfidenceSequence | AdaptiveSequence] = ChainMap(
    ADAPTIVE,  # type: ignore[arg-type]
    CONFIDENCE,  # type: ignore[arg-type]
)
"""All confidence sequences by name, those of `CONFIDENCE` first."""
