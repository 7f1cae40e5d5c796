"""Confidence sequences: how far an empirical mean may be from the true one, at every time.

Every row is one *exploration* E(n, d). It grows slowly with the number of pulls n and as the error
probability d falls. It is used in one of two ways:

- a radius, ``scale * sqrt(V * E) / n`` with the intrinsic time V = max(b**2 n / 4, least_time);
- Kullback-Leibler bounds, the farthest x with ``n * kl(mean / b, x / b) <= scale * E``.

With `twice`, E = x + log(x). Without it, E = x. In both, x = power * log(n) + log(log(inner * V)) +
weight * log(level / d). A term whose constant is 0 is left out. For Kullback-Leibler bounds, V = n.
To add a sequence of this form, add one row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks
from cbai.simulation.bounds import mean_bounds


class Form(IntEnum):
    """How the exploration becomes a bound."""

    RADIUS = 0
    KL = 1


@dataclass(frozen=True)
class ConfidenceSequence:
    """One confidence sequence for the mean of rewards in [0, b].

    Attributes
    ----------
    title, formula, source : str
        What it is called, in LaTeX, and where it is from.
    conditions : str
        What is proven, under which conditions, and what is used without proof.
    scale, weight, level, power, inner, twice, least_time, form
        The constants of the module's formulas.
    anytime : bool
        Whether the bound holds at all times at once. If not, it may be used only once, at a number
        of pulls that is fixed beforehand.
    """

    title: str
    formula: str
    source: str
    conditions: str
    scale: float
    level: float
    weight: float = 1.0
    power: float = 0.0
    inner: float = 0.0
    twice: bool = False
    least_time: float = 0.0
    form: Form = Form.RADIUS
    anytime: bool = True

    def radius(self, n: ArrayLike, d: float, reward_max: float) -> NDArray[np.float64]:
        """Return the radius B(n, d) around the mean of n rewards in [0, `reward_max`].

        A Kullback-Leibler bound has no fixed radius: it is tighter near 0 and b. Its result is the
        largest distance for any mean, b sqrt(scale E / 2n) by Pinsker's inequality.

        Parameters
        ----------
        n : array_like of int
            The number of pulls, at least 1; any shape, which is that of the result.
        d : float
            The probability, in (0, 1), that the mean is ever outside on one side.
        reward_max : float
            The largest possible reward b, above 0.

        Raises
        ------
        ValueError
            If n, d or `reward_max` is outside its range.
        """
        width = self._width(n, d, reward_max)
        return width if self.form is Form.RADIUS else reward_max * np.sqrt(width / 2.0)

    def upper(
        self, mean: ArrayLike, n: ArrayLike, d: float, reward_max: float
    ) -> NDArray[np.float64]:
        """Return the upper bounds on the true means, given means of n rewards each.

        Parameters
        ----------
        mean : array_like
            Empirical means in [0, `reward_max`], of a shape that broadcasts with that of n.
        n, d, reward_max
            As in `radius`.

        Raises
        ------
        ValueError
            If an argument is outside its range.
        """
        return self._bounds(mean, n, d, reward_max, 1)

    def lower(
        self, mean: ArrayLike, n: ArrayLike, d: float, reward_max: float
    ) -> NDArray[np.float64]:
        """Return the lower bounds on the true means; the mirror image of `upper`."""
        return self._bounds(mean, n, d, reward_max, -1)

    def shape(self, reward_max: float) -> NDArray[np.float64]:
        """Return what the compiled bounds need besides n and d, shape (7,)."""
        rate = reward_max**2 / 4.0 if self.form is Form.RADIUS else 1.0
        constants = (
            self.form,
            self.scale,
            self.twice,
            self.power,
            self.inner,
            rate,
            self.least_time,
        )
        return np.array(constants, dtype=np.float64)

    def level_term(self, d: float) -> float:
        """Return the part of the exploration that depends on the error probability d."""
        return self.weight * math.log(self.level / d)

    def _width(self, n: ArrayLike, d: float, reward_max: float) -> NDArray[np.float64]:
        pulls = np.asarray(n, dtype=np.float64)
        if not (pulls >= 1.0).all():
            raise ValueError(f"n must be at least 1, got {pulls.min():g}.")
        checks.real("d", d, 0.0, 1.0, open_ends=True)
        checks.real("reward_max", reward_max, 0.0, math.inf, open_ends=True)
        shape = self.shape(reward_max)
        time = np.maximum(shape[mean_bounds.RATE] * pulls, self.least_time)
        exploration = np.full_like(pulls, self.level_term(d))
        if self.power:
            exploration += self.power * np.log(pulls)
        if self.inner:
            exploration += np.log(np.log(self.inner * time))
        if self.twice:
            exploration += np.log(exploration)
        if self.form is Form.KL:
            return np.asarray(self.scale * exploration / pulls)
        return np.asarray(self.scale * np.sqrt(time * exploration) / pulls)

    def _bounds(
        self, mean: ArrayLike, n: ArrayLike, d: float, reward_max: float, sign: int
    ) -> NDArray[np.float64]:
        means, widths = np.broadcast_arrays(
            np.asarray(mean, dtype=np.float64), self._width(n, d, reward_max)
        )
        checks.entries_between("mean", means, 0.0, reward_max)
        top = reward_max if self.form is Form.KL else 0.0
        flat = mean_bounds.all_bounds(
            np.ascontiguousarray(means).ravel(), np.ascontiguousarray(widths).ravel(), top, sign
        )
        return np.asarray(flat).reshape(means.shape)


KAUFMANN = (
    "Kaufmann and Kalyanakrishnan, Information complexity in bandit subset selection, COLT 2013"
)
PER_ARM = (
    "Proven by Chernoff's bound at each n and a union over n. Here n counts the arm's own pulls. "
    "The source has the round t instead."
)
KAPPA = 2.6
"""The smallest constant, rounded up, for which the union bound over blocks of the row
`lil_kl_lucb` is at most d; see docs/confidence.md."""

CONFIDENCE = {
    "howard": ConfidenceSequence(
        title="Howard et al.",
        formula=r"B(n,d)=\frac{1.7}{n}\sqrt{V\left(\log\log 2V+0.72\log\frac{5.2}{d}\right)},"
        r"\quad V=\max\left(\tfrac{b^2n}{4},1\right)",
        source="Howard, Ramdas, McAuliffe and Sekhon, Time-uniform, nonparametric, nonasymptotic "
        "confidence sequences, Annals of Statistics 49 (2021), equation 2 (polynomial stitched "
        "boundary).",
        conditions="Proven for rewards in [0, b], which are sub-Gaussian with variance proxy "
        "b²/4, from V = 1 on. The paper prints it without the maximum.",
        scale=1.7,
        inner=2.0,
        weight=0.72,
        level=5.2,
        least_time=1.0,
    ),
    "lil": ConfidenceSequence(
        title="lil",
        formula=r"B(n,d)=\frac{1.7}{n}\sqrt{V\left(\log\log 1.034V+0.96\log\frac{67.59}{d}\right)},"
        r"\quad V=\max\left(\tfrac{b^2n}{4},1\right)",
        source="Gupta, Joshi and Yağan 2021, Table 3, after Jamieson, Malloy, Nowak and Bubeck, "
        "lil' UCB, COLT 2014.",
        conditions="For d up to 0.48 it is wider than the bound of Howard et al. at every n, and "
        "so it is proven too.",
        scale=1.7,
        inner=1.034,
        weight=0.96,
        level=67.59,
        least_time=1.0,
    ),
    "even_dar": ConfidenceSequence(
        title="Even-Dar",
        formula=r"B(n,d)=b\sqrt{\frac{1}{2n}\log\frac{\pi^2n^2}{3d}}",
        source="Even-Dar, Mannor and Mansour, Action elimination and stopping conditions, JMLR 7 "
        "(2006); constants as in Gupta, Joshi and Yağan 2021, Table 3.",
        conditions="Proven by Hoeffding's inequality at each n and a union over n, on both sides "
        "together.",
        scale=math.sqrt(2.0),
        power=2.0,
        level=math.pi**2 / 3.0,
    ),
    "kk_lucb": ConfidenceSequence(
        title="Kaufmann-Kalyanakrishnan",
        formula=r"B(n,d)=b\sqrt{\frac{1}{2n}\left(x+\log x\right)},\quad "
        r"x=\log\frac{405\,n^{1.1}}{d}",
        source=KAUFMANN + ", with the radius of LUCB.",
        conditions=PER_ARM,
        scale=math.sqrt(2.0),
        power=1.1,
        level=405.0,
        twice=True,
    ),
    "kl_racing": ConfidenceSequence(
        title="KL-Racing",
        formula=r"n\,\mathrm{kl}\left(\hat\mu,x\right)\le 2\log\frac{11.1\,n^{1.1}}{d}",
        source=KAUFMANN + "; with the factor 2 of Gupta, Joshi and Yağan 2021, Table 3.",
        conditions=PER_ARM + " It also holds without the factor 2.",
        scale=2.0,
        power=1.1,
        level=11.1,
        form=Form.KL,
    ),
    "kl_lucb": ConfidenceSequence(
        title="KL-LUCB",
        formula=r"n\,\mathrm{kl}\left(\hat\mu,x\right)\le x_n+\log x_n,\quad "
        r"x_n=\log\frac{405.5\,n^{1.1}}{d}",
        source=KAUFMANN + "; without the factor 2 that Gupta, Joshi and Yağan 2021 print in Table "
        "3. With this factor, the printed number of samples cannot be reached.",
        conditions=PER_ARM,
        scale=1.0,
        power=1.1,
        level=405.5,
        twice=True,
        form=Form.KL,
    ),
    "lil_kl_lucb": ConfidenceSequence(
        title="lil-KL-LUCB",
        formula=r"n\,\mathrm{kl}\left(\hat\mu,x\right)\le "
        r"1.86\,\log\frac{\kappa\log_2 2n}{d},\quad \kappa=2.6",
        source="Tánczos, Nowak and Mankoff, A KL-LUCB algorithm for large-scale crowdsourcing, "
        "NeurIPS 2017; factor as in Gupta, Joshi and Yağan 2021, Table 3.",
        conditions="Proven for this κ, which we chose, by a union over blocks of n. The paper "
        "leaves κ open. It prints d inside the double logarithm, which would not be a bound.",
        scale=1.86,
        inner=2.0,
        level=KAPPA / math.log(2.0),
        form=Form.KL,
    ),
    "hoeffding": ConfidenceSequence(
        title="Hoeffding, fixed n",
        formula=r"B(n,d)=b\sqrt{\frac{1}{2n}\log\frac{1}{d}}",
        source="Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 "
        "(1963).",
        conditions="Proven at one n fixed beforehand, NOT at all times. If it is checked again and "
        "again, it fails sooner or later. It is here to show that.",
        scale=math.sqrt(2.0),
        level=1.0,
        anytime=False,
    ),
}
"""Name to confidence sequence."""
