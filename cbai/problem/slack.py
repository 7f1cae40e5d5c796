"""The slack of pseudo-rewards, estimated from people, with its error.

The slack of the pair (l, k) is E[s_{l,k}(R_k)] - mu_l. If it is below 0, the bound is too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai.problem.people import Floats, People, half_widths


class Slack(NamedTuple):
    """The slack of pairs and the ends of its interval, each of shape (L, K)."""

    estimate: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class SlackMoments:
    """All moments of the people that are needed to estimate the slack of any pseudo-rewards.

    Attributes
    ----------
    people : People
    shares : ndarray, shape (K, V)
        The share of each value in the ratings of arm k.
    spread : ndarray, shape (K, V, V)
        The covariance of the shares of arm k.
    shared : ndarray, shape (K, V, K)
        The covariance of the shares of arm k with the mean of arm l, indexed (k, v, l). It comes
        from people who rated both arms, and is 0 where nobody did.
    """

    people: People
    shares: Floats
    spread: Floats
    shared: Floats

    def slack(
        self, pseudo_rewards: Floats, alpha: float, bounded: NDArray[np.intp] | None = None
    ) -> Slack:
        """Estimate the slack of pairs, each with its interval.

        Parameters
        ----------
        pseudo_rewards : ndarray, shape (L, K, V)
            The bounds on L arms.
        alpha : float
            Each end fails with this probability, up to the normal limit, see
            `cbai.problem.lead.lead_of`.
        bounded : ndarray of int, shape (L,), optional
            The L arms; by default all K.

        Returns
        -------
        Slack
            The slack of an arm with itself is 0.
        """
        people = self.people
        arms = np.arange(people.n_arms) if bounded is None else bounded
        by_pulled = np.ascontiguousarray(pseudo_rewards.swapaxes(0, 1))  # (K, L, V)
        phi = np.einsum("klv,kv->lk", by_pulled, self.shares)
        square = np.einsum("klv,klv->lk", by_pulled @ self.spread, by_pulled)
        cross = np.einsum("klv,kvl->lk", by_pulled, self.shared[:, :, arms])
        own = np.diag(people.covariance)[arms]
        error = np.sqrt(np.maximum(square - 2.0 * cross + own[:, None], 0.0))
        fewest = np.minimum(people.effective[arms][:, None], people.effective[None, :])
        few = np.where(people.few_others, people.unseen(alpha / 2.0), 0.0)
        half = half_widths(error, fewest, alpha) + few[arms][:, None] * people.range
        half = half + few[None, :] * np.ptp(pseudo_rewards, axis=2)
        estimate = phi - people.means[arms][:, None]
        for part in (estimate, half):
            part[np.arange(arms.size), arms] = 0.0
        return Slack(estimate, estimate - half, estimate + half)


def slack_moments(people: People) -> SlackMoments:
    """Compute the moments; every arm needs a rating."""
    n_arms, n_values = people.n_arms, people.values.size
    counts, influence = people.counts.tocsc(), people.influence.tocsr()
    copies = people.copies
    shares = np.empty((n_arms, n_values))
    spread = np.empty((n_arms, n_values, n_values))
    shared = np.empty((n_arms, n_values, n_arms))
    for k in range(n_arms):
        here = people.arm == k
        who, number = people.person[here], people.number[here]
        given = counts[:, k * n_values : (k + 1) * n_values].tocsr()[who].toarray()
        shares[k] = (given * copies[who][:, None]).sum(axis=0) / people.ratings[k]
        residual = (given - shares[k] * number[:, None]) * people.scale[here][:, None]
        spread[k] = residual.T @ residual
        shared[k] = (influence[who].T @ residual).T
    return SlackMoments(people, shares, spread, shared)
