"""The problem: arms, their reward distributions, and what is known about their correlation."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks, notebook
from cbai.checks import quoted

LARGEST_REWARD = 1e100
MOST_BYTES = 2**28
"""The most memory that the pseudo-rewards of a problem may take if none are known. Beyond it they
are not written out."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A correlated multi-armed bandit with finitely many reward values.

    Parameters
    ----------
    arms : sequence of str
        The K arm names, all different; K >= 2.
    values : array_like, shape (V,)
        The possible rewards, strictly increasing, in [0, `reward_max`].
    probabilities : array_like, shape (K, V)
        ``probabilities[k, v]`` is the probability that arm k gives ``values[v]``. Used only to
        draw rewards and to compute the truth; no algorithm sees it.
    pseudo_rewards : array_like, shape (K, K, V), optional
        ``pseudo_rewards[l, k, v]`` is s_{l,k}(values[v]), the known upper bound on
        E[R_l | R_k = values[v]]: index order arm bounded, arm pulled, value. The diagonal
        s_{l,l}(r) must equal r. By default nothing is known: b off the diagonal. This takes no
        memory, so a problem can have many thousands of arms.
    reward_max : float, optional
        The largest possible reward b; default the largest of `values`.
    pseudo_lower : array_like, shape (K, K, V), optional
        ``pseudo_lower[l, k, v]`` is w_{l,k}(values[v]), a known lower bound on
        E[R_l | R_k = values[v]], for algorithms that use both sides; the diagonal must equal r.
        By default nothing is known: ``values[0]`` off the diagonal.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is not finite, the values are not strictly increasing, a row
        of probabilities does not sum to 1, or a pseudo-reward or lower bound lies outside [0, b].

    Notes
    -----
    Section II of Gupta, Joshi and Yağan, *Best-Arm Identification in Correlated Multi-Armed
    Bandits* (IEEE JSAIT 2021). A problem alone does not show whether the pseudo-rewards are upper
    bounds. `cbai.problem.validity` checks what can be checked. The arrays are read-only, so threads
    can share a problem.

    Examples
    --------
    There are two ads, A and B. A viewer clicks (1) or does not click (0). A survey says: of the
    viewers who click on A, at most half click on B. Of those who do not, at most 90% click on B.

    >>> import cbai
    >>> problem = cbai.Problem(
    ...     arms=["A", "B"],
    ...     values=[0, 1],
    ...     probabilities=[[0.4, 0.6], [0.7, 0.3]],
    ...     pseudo_rewards=[[[0, 1], [0.9, 0.7]], [[0.9, 0.5], [0, 1]]],
    ... )
    >>> problem.means.tolist()
    [0.6, 0.3]
    >>> problem.arms[problem.best_arm]
    'A'
    """

    arms: tuple[str, ...]
    values: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    reward_max: float
    pseudo_lower: NDArray[np.float64] | None
    _pseudo: NDArray[np.float64] | None = field(repr=False)

    def __init__(
        self,
        arms: Sequence[str],
        values: ArrayLike,
        probabilities: ArrayLike,
        pseudo_rewards: ArrayLike | None = None,
        reward_max: float | None = None,
        pseudo_lower: ArrayLike | None = None,
    ) -> None:
        names = _arm_names(arms)
        support = checks.array("values", values, (None,))
        if not support.size:
            raise ValueError("values must hold at least 1 reward value, got none.")
        checks.strictly_increasing("values", support)
        what, top = "reward_max", reward_max
        if reward_max is None:
            what, top = "the largest of values", float(support[-1])
        b = checks.real(what, top, 0.0, LARGEST_REWARD, open_ends=True)
        checks.entries_between("values", support, 0.0, b)

        n_arms, n_values = len(names), support.size
        prob = checks.array("probabilities", probabilities, (n_arms, n_values))
        checks.entries_between("probabilities", prob, 0.0, 1.0)
        checks.rows_sum_to_one("probabilities", prob)
        pseudo = pseudo_rewards
        if pseudo is not None:
            pseudo = _bounds("pseudo_rewards", pseudo, n_arms, support, b)
        lower = pseudo_lower
        if lower is not None:
            lower = _bounds("pseudo_lower", lower, n_arms, support, b)

        np.clip(prob, 0.0, 1.0, out=prob)
        for value in (support, prob):
            value.setflags(write=False)
        set_field = object.__setattr__
        set_field(self, "arms", names)
        set_field(self, "values", support)
        set_field(self, "probabilities", prob)
        set_field(self, "_pseudo", pseudo)
        set_field(self, "reward_max", b)
        set_field(self, "pseudo_lower", lower)

    def __reduce__(self) -> tuple[type[Problem], tuple[object, ...]]:
        """Pickle the arguments, because NumPy's own pickles lose the read-only flag."""
        parts = (
            self.arms,
            self.values,
            self.probabilities,
            self._pseudo,
            self.reward_max,
            self.pseudo_lower,
        )
        return Problem, parts

    @property
    def has_pseudo_rewards(self) -> bool:
        """Whether pseudo-rewards were given; if not, nothing is known of any arm by another."""
        return self._pseudo is not None

    @property
    def pseudo_rewards(self) -> NDArray[np.float64]:
        """The pseudo-rewards s, or b where none are known, shape (K, K, V); read-only.

        Raises
        ------
        ValueError
            If none are known and there are so many arms that they would take more than 256 MB.
        """
        return self._nothing_known if self._pseudo is None else self._pseudo

    @cached_property
    def _nothing_known(self) -> NDArray[np.float64]:
        return self._spread("pseudo-rewards", self.reward_max)

    def _spread(self, what: str, value: float) -> NDArray[np.float64]:
        """Return bounds that say nothing: one value off the diagonal, shape (K, K, V)."""
        size = 8 * self.n_arms**2 * self.n_values
        if size > MOST_BYTES:
            raise ValueError(
                f"No {what} are known for these {self.n_arms:,} arms, and to write them out would "
                f"take {size / 2**20:,.0f} MB, more than {MOST_BYTES >> 20} MB. Use an algorithm "
                "that looks at each arm alone, such as 'lucb'."
            )
        bounds = np.full((self.n_arms, self.n_arms, self.n_values), value)
        bounds[np.arange(self.n_arms), np.arange(self.n_arms)] = self.values
        bounds.setflags(write=False)
        return bounds

    @property
    def n_arms(self) -> int:
        """The number of arms K."""
        return len(self.arms)

    @property
    def n_values(self) -> int:
        """The number of reward values V."""
        return self.values.size

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The true mean reward of each arm, shape (K,)."""
        return self.probabilities @ self.values

    @cached_property
    def ranking(self) -> NDArray[np.intp]:
        """The arms from best to worst true mean, lowest index first among ties, shape (K,)."""
        return np.argsort(-self.means, kind="stable")

    @property
    def best_arm(self) -> int:
        """The arm k* with the largest true mean."""
        return int(self.ranking[0])

    @property
    def second_arm(self) -> int:
        """The arm k(2) with the second largest true mean."""
        return int(self.ranking[1])

    @cached_property
    def best_arms(self) -> NDArray[np.intp]:
        """All arms whose mean equals the largest, up to rounding; more than one is a tie."""
        return self.arms_within(0.0)

    def arms_within(self, epsilon: float, top: int = 1) -> NDArray[np.intp]:
        """Return the arms with a mean at most `epsilon` below the `top`-th, up to rounding."""
        least = np.sort(self.means)[-top] - epsilon - checks.TOLERANCE
        return np.flatnonzero(self.means >= least)

    @cached_property
    def fingerprint(self) -> str:
        """A SHA-256 digest of everything that defines the problem, for caches."""
        digest = hashlib.sha256(repr((self.arms, self.reward_max)).encode())
        known = (self.values, self.probabilities, self._pseudo, self.pseudo_lower)
        for value in (one for one in known if one is not None):
            digest.update(repr(value.shape).encode())
            digest.update(value.tobytes())
        return digest.hexdigest()

    @cached_property
    def lower_bounds(self) -> NDArray[np.float64]:
        """The pseudo-lower bounds w, or the smallest value where none are known, (K, K, V)."""
        if self.pseudo_lower is not None:
            return self.pseudo_lower
        return self._spread("lower bounds", float(self.values[0]))

    def _repr_html_(self) -> str:
        """Show the arms and their true means in a notebook."""
        values = ", ".join(f"{value:g}" for value in self.values[: notebook.MOST_VALUES])
        more = ", …" if self.n_values > notebook.MOST_VALUES else ""
        caption = f"Problem with {self.n_arms} arms. Rewards: {values}{more}."
        rows = [
            (arm, name, f"{mean:.4g}", notebook.bar(mean / self.reward_max))
            for arm, (name, mean) in enumerate(zip(self.arms, self.means.tolist(), strict=True))
        ]
        return notebook.table(caption, ("", "arm", "true mean", ""), rows, best=self.best_arm)

    def with_pseudo_rewards(
        self, pseudo_rewards: ArrayLike | None, pseudo_lower: ArrayLike | None = None
    ) -> Problem:
        """Return the same problem with other pseudo-rewards, shape (K, K, V).

        The lower bounds do not change unless they are given.
        """
        return Problem(
            self.arms,
            self.values,
            self.probabilities,
            pseudo_rewards,
            self.reward_max,
            self.pseudo_lower if pseudo_lower is None else pseudo_lower,
        )


def _arm_names(arms: Sequence[str]) -> tuple[str, ...]:
    if isinstance(arms, str) or not isinstance(arms, Iterable):
        raise ValueError(f"arms must be a list of at least 2 names, got {quoted(arms)}.")
    try:
        names = tuple(str(arm) for arm in arms)
    except Exception:  # the object's own code may raise anything
        raise ValueError(f"arms must be a list of names, got {quoted(arms)}.") from None
    if not all(arm.strip() for arm in names):
        raise ValueError(f"arms must be names that are not empty, got {quoted(list(names))}.")
    if len(names) < 2:
        raise ValueError(f"arms must name at least 2 arms, got {len(names)}.")
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"arms must have different names, got {quoted(twice[0])} more than once.")
    return names


def _bounds(
    name: str, bounds: ArrayLike, n_arms: int, support: NDArray[np.float64], b: float
) -> NDArray[np.float64]:
    """Check bounds on conditional means, and return them read-only with an exact diagonal."""
    checked = checks.array(name, bounds, (n_arms, n_arms, support.size))
    checks.entries_between(name, checked, 0.0, b)
    _check_diagonal(name, checked, support)
    np.clip(checked, 0.0, b, out=checked)
    checked[np.arange(n_arms), np.arange(n_arms)] = support
    checked.setflags(write=False)
    return checked


def _check_diagonal(name: str, bounds: NDArray[np.float64], support: NDArray[np.float64]) -> None:
    own = bounds[np.arange(len(bounds)), np.arange(len(bounds))]
    bad = np.abs(own - support) > checks.TOLERANCE
    if bad.any():
        arm, v = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}[l, l] must equal values, got {own[arm, v]:g} instead of "
            f"{support[v]:g} for arm {arm} at value index {v}."
        )
