"""An algorithm's choices in plain words, and what changing one of them means for the others."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

from cbai.figures.base.words import Words, listed
from cbai.simulation import ALGORITHMS, Algorithm
from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.rules.algorithms import Challenger, Elimination, Leader, Share, Stopping

STARTS = {row.name: row.title for row in ALGORITHMS.values() if row.is_composed} | {
    "racing@even_dar": "Succ. Elimination (Even-Dar)",
    "racing@lil": "lil Succ. Elimination",
    "racing@kl_racing": "KL-Racing",
    "lucb@kk_lucb": "LUCB, Kaufmann-Kalyanakrishnan",
    "lucb@lil": "lil LUCB",
    "lucb@kl_lucb": "KL-LUCB",
    "lucb_pp@lil_kl_lucb": "lil-KL-LUCB",
}
"""What one can start from: the table's rows and the pairings of the paper's Table 3."""

SHARES = tuple(Share(divisor, per_arm) for per_arm in (False, True) for divisor in (1, 2, 3, 4))
PER_ARM, HALF_PER_ARM, THIRD_PER_ARM, QUARTER_PER_ARM = SHARES[4:]


class Option(NamedTuple):
    """One option in words: what it is called, and what it means."""

    label: str
    meaning: str


def leaders(words: Words) -> dict[Leader, Option]:
    """Return who can be pulled first in a round."""
    return {
        Leader.ALL: Option(
            "all that are still in the running",
            f"Every {words.arm} not yet ruled out, once a round. Fair, and dear: the hopeless cost "
            "as much as the promising.",
        ),
        Leader.MEAN: Option(
            "the highest average so far", "The one that looks best. Most algorithms do this."
        ),
        Leader.OWN_UCB: Option(
            "the highest upper bound",
            f"The one that could still be best by most: few {words.samples} or a high average.",
        ),
        Leader.PSEUDO_UCB: Option(
            "the highest PseudoUCB",
            f"Each {words.arm}'s {words.samples} cap every other one by the pseudo-rewards, with "
            "some allowance for chance; the lowest cap counts. So who is out of the question by "
            "anyone's word is not pulled.",
        ),
        Leader.MIN_PSEUDO_REWARD: Option(
            "the highest cap without allowance",
            "As PseudoUCB, but chance is not allowed for. The paper calls it maxmin.",
        ),
    }


def challengers(words: Words) -> dict[Challenger, Option]:
    """Return who can be pulled second in a round."""
    return {
        Challenger.NONE: Option(
            "nobody", "One pull a round. Others may then wait for good, so it may never stop."
        ),
        Challenger.OWN_UCB: Option(
            "the highest upper bound", "The rival that could still win by most, as in LUCB."
        ),
        Challenger.OWN_AND_PSEUDO_UCB: Option(
            "the highest of two caps",
            f"A {words.arm}'s cap is the lower of its own upper bound and its PseudoUCB. As in "
            "C-LUCB.",
        ),
        Challenger.CROSS_UCB: Option(
            "the highest CrossUCB",
            f"The lowest upper bound on it by anyone's {words.samples}, its own among them. As in "
            "2-LUCB.",
        ),
    }


def eliminations(words: Words) -> dict[Elimination, Option]:
    """Return who can be ruled out."""
    return {
        Elimination.NONE: Option("nobody", f"All {words.arms} stay in to the end, as in LUCB++."),
        Elimination.OWN_UCB: Option(
            f"by its own {words.samples}",
            "Out once its own upper bound is below the leader's lower bound. No pseudo-reward "
            "plays a part.",
        ),
        Elimination.CROSS_UCB: Option(
            f"by anyone's {words.samples} (CrossUCB)",
            f"Out once any {words.arm}'s {words.samples} cap it below the leader's lower bound. "
            "Right only if the pseudo-rewards on the best one hold.",
        ),
    }


def stoppings(words: Words) -> dict[Stopping, Option]:
    """Return when it can stop."""
    return {
        Stopping.NONE: Option("when one is left", "All others have been ruled out."),
        Stopping.LEADER_ABOVE_ALL: Option(
            "when the first is above all others",
            "Its lower bound is above the upper bound of everyone else, or one is left.",
        ),
        Stopping.PULL_SHARE: Option(
            f"at nine tenths of all {words.samples}",
            f"One {words.arm} has nine times the {words.samples} of all others together. A rule of "
            "thumb, as in lil'UCB.",
        ),
    }


SEQUENCES = {
    "howard": "The paper's choice: holds at all times at once, and grows very slowly.",
    "lil": "Like the one of Howard et al., with more cautious constants: wider.",
    "even_dar": "The oldest here, from 2006: simple and wide.",
    "kk_lucb": "A radius with the caution of KL-LUCB, but blind to where the average lies.",
    "kl_racing": "Kullback-Leibler: tighter for averages near the ends of the scale. With the "
    "paper's factor 2, twice as cautious as it need be.",
    "kl_lucb": "Kullback-Leibler: tighter for averages near the ends of the scale.",
    "lil_kl_lucb": "Kullback-Leibler, with very slow growth.",
    "hoeffding": "Holds at one number of pulls only. Looking every round breaks it: try it.",
    "range": "As the paper's choice, but each pseudo-reward by its own range, which is known.",
    "eb": "Empirical Bernstein: narrows where the rewards are seen to vary little.",
}


def sequences() -> dict[str, Option]:
    """Return which bounds can be used."""
    return {
        name: Option(row.title, SEQUENCES.get(name, row.conditions)) for name, row in BOUNDS.items()
    }


RULES = ("leader", "challenger", "elimination", "stopping")
IN_WORDS = {
    "leader": "who is pulled first",
    "challenger": "who is pulled second",
    "elimination": "who is ruled out",
    "stopping": "when it stops",
    "confidence": "the bounds",
}
SHARE_FIELDS = ("sampling_share", "elimination_share", "leader_share", "challenger_share")


def differences(row: Algorithm, other: Algorithm) -> str:
    """Say in which choices two algorithms differ; empty if in none."""
    parts = [text for name, text in IN_WORDS.items() if getattr(row, name) != getattr(other, name)]
    if any(getattr(row, name) != getattr(other, name) for name in SHARE_FIELDS):
        parts.append("the shares of δ")
    return listed(parts) if parts else ""


def samples_by_bounds(row: Algorithm) -> bool:
    """Return whether the sampling rule uses a bound that takes a share of delta."""
    return row.leader is Leader.OWN_UCB or row.challenger is not Challenger.NONE


def changed(row: Algorithm, field: str, value: IntEnum | Share | str) -> Algorithm:
    """Return the algorithm after one choice, with whatever else must follow from it.

    An algorithm that pulls all has no second pull and stops when one is left; one that rules nobody
    out needs a stopping rule. A rule that comes in brings shares of delta that fit.
    """
    new: dict[str, Any] = {name: getattr(row, name) for name in RULES} | {field: value}
    if new["leader"] is Leader.ALL:
        new |= {"challenger": Challenger.NONE, "stopping": Stopping.NONE}
    elif row.leader is Leader.ALL:
        new |= {"challenger": Challenger.OWN_UCB, "sampling_share": row.elimination_share}
    if new["elimination"] is Elimination.NONE and new["stopping"] is Stopping.NONE:
        if field == "elimination" and new["leader"] is not Leader.ALL:
            new["stopping"] = Stopping.LEADER_ABOVE_ALL
        else:
            new["elimination"] = Elimination.OWN_UCB
    after = replace(row, **new)
    came = [name for name in RULES if getattr(row, name) is not new[name]]
    return fitting(after) if {"elimination", "stopping"} & set(came) else after


def fitting(row: Algorithm) -> Algorithm:
    """Return the algorithm with shares of delta that add up to at most delta."""
    if row.stopping is not Stopping.LEADER_ABOVE_ALL:
        cross = row.elimination is Elimination.CROSS_UCB
        return replace(row, elimination_share=HALF_PER_ARM if cross else PER_ARM)
    if row.elimination is Elimination.CROSS_UCB:
        return replace(
            row,
            elimination_share=THIRD_PER_ARM,
            leader_share=QUARTER_PER_ARM,
            challenger_share=Share(4),
        )
    return replace(
        row, elimination_share=HALF_PER_ARM, leader_share=HALF_PER_ARM, challenger_share=Share(2)
    )
