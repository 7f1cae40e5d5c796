"""The choices that make up an algorithm, in plain words, and how they depend on each other."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

from cbai.figures.base.words import Words, capital, listed
from cbai.simulation import ALGORITHMS, Algorithm
from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping

STARTS = {row.name: row.title for row in ALGORITHMS.values() if row.is_composed} | {
    "racing@even_dar": "Succ. Elimination (Even-Dar)",
    "racing@lil": "lil Succ. Elimination",
    "racing@kl_racing": "KL-Racing",
    "lucb@kk_lucb": "LUCB, Kaufmann-Kalyanakrishnan",
    "lucb@lil": "lil LUCB",
    "lucb@kl_lucb": "KL-LUCB",
    "lucb_pp@lil_kl_lucb": "lil-KL-LUCB",
}
"""The algorithms to start from: the library's table and the pairings of the paper's Table 3."""

SHARES = tuple(Share(divisor, per_arm) for per_arm in (False, True) for divisor in (1, 2, 3, 4))
PER_ARM, HALF_PER_ARM, THIRD_PER_ARM, QUARTER_PER_ARM = SHARES[4:]


class Option(NamedTuple):
    """The name of a choice and its meaning."""

    label: str
    meaning: str


def leaders(words: Words) -> dict[Leader, Option]:
    """Return the rules for the first pull of a round."""
    return {
        Leader.ALL: Option(
            "all that are not ruled out",
            f"Each round pulls every {words.arm} that is not ruled out. This is fair but "
            f"expensive: hopeless {words.arms} cost as much as promising ones.",
        ),
        Leader.MEAN: Option(
            "the highest average so far",
            f"Pulls the {words.arm} that looks best. Most algorithms do this.",
        ),
        Leader.OWN_UCB: Option(
            "the highest upper bound",
            f"Pulls the {words.arm} whose mean may still be the highest. It has few "
            f"{words.samples} or a high average.",
        ),
        Leader.PSEUDO_UCB: Option(
            "the highest PseudoUCB",
            f"By the pseudo-rewards, the {words.samples} of each {words.arm} give an upper bound "
            f"on every other {words.arm}, with some allowance for chance. PseudoUCB is the lowest "
            f"of these bounds. {capital(words.an_arm)} with a low PseudoUCB is not pulled.",
        ),
        Leader.MIN_PSEUDO_REWARD: Option(
            "the highest PseudoUCB without allowance",
            "As PseudoUCB, but without an allowance for chance. The paper calls it maxmin.",
        ),
    }


def challengers(words: Words) -> dict[Challenger, Option]:
    """Return the rules for the second pull of a round."""
    return {
        Challenger.NONE: Option(
            "no second pull",
            f"Each round has one pull. Some {words.arms} may then never be pulled again, so the "
            "algorithm may never stop.",
        ),
        Challenger.OWN_UCB: Option(
            "the highest upper bound",
            "Pulls the rival whose mean may still be the highest, as in LUCB.",
        ),
        Challenger.OWN_AND_PSEUDO_UCB: Option(
            "the highest combined upper bound",
            f"The combined bound of {words.an_arm} is the lower of its own upper bound and its "
            "PseudoUCB, as in C-LUCB.",
        ),
        Challenger.CROSS_UCB: Option(
            "the highest CrossUCB",
            f"CrossUCB is the lowest of the upper bounds on {words.an_arm}: the {words.samples} "
            f"of each {words.arm}, its own included, give one. As in 2-LUCB.",
        ),
    }


def eliminations(words: Words) -> dict[Elimination, Option]:
    """Return the rules for ruling out an arm."""
    return {
        Elimination.NONE: Option("never", f"No {words.arm} is ruled out, as in LUCB++."),
        Elimination.OWN_UCB: Option(
            f"by its own {words.samples}",
            f"{capital(words.an_arm)} is ruled out once its own upper bound is below the leader's "
            "lower bound. Pseudo-rewards are not used.",
        ),
        Elimination.CROSS_UCB: Option(
            f"by all {words.samples} (CrossUCB)",
            f"{capital(words.an_arm)} is ruled out once the {words.samples} of any {words.arm} "
            "give an upper bound on it that is below the leader's lower bound. This is right only "
            f"if the pseudo-rewards that bound the best {words.arm} are valid.",
        ),
    }


def stoppings(words: Words) -> dict[Stopping, Option]:
    """Return the rules for stopping."""
    return {
        Stopping.NONE: Option("when one is left", "All others have been ruled out."),
        Stopping.LEADER_ABOVE_ALL: Option(
            "when the leader is above all others",
            "The leader's lower bound is above the upper bounds of all others, or only one is "
            "left.",
        ),
        Stopping.PULL_SHARE: Option(
            f"at nine tenths of all {words.samples}",
            f"One {words.arm} has nine times as many {words.samples} as all others together. This "
            "is a rule of thumb, as in lil'UCB.",
        ),
    }


SEQUENCES = {
    "howard": "The paper's choice. It holds at all times and grows very slowly.",
    "lil": "Like Howard et al., but with more cautious constants, so it is wider.",
    "even_dar": "The oldest one here, from 2006. It is simple and wide.",
    "kk_lucb": "As cautious as KL-LUCB, but its width does not depend on the average.",
    "kl_racing": "Kullback-Leibler: tighter if the average is near an end of the scale. The "
    "paper's factor 2 makes it twice as cautious as necessary.",
    "kl_lucb": "Kullback-Leibler: tighter if the average is near an end of the scale.",
    "lil_kl_lucb": "Kullback-Leibler, with very slow growth.",
    "hoeffding": "It holds at one number of pulls only. It fails if it is checked every round; try "
    "it.",
    "range": "Like the paper's choice, but each pseudo-reward uses its own known range.",
    "eb": "Empirical Bernstein: narrower if the observed rewards vary little.",
}


def sequences() -> dict[str, Option]:
    """Return the confidence bounds that can be used."""
    return {
        name: Option(row.title, SEQUENCES.get(name, row.conditions)) for name, row in BOUNDS.items()
    }


RULES = ("leader", "challenger", "elimination", "stopping")
IN_WORDS = {
    "leader": "the first pull",
    "challenger": "the second pull",
    "elimination": "the ruling out",
    "stopping": "the stopping rule",
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
    """Return the algorithm after one choice, with the other choices that must follow.

    An algorithm that pulls all arms has no second pull and stops when one is left. An algorithm
    that never rules out needs a stopping rule. A new rule brings shares of delta that fit.
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
