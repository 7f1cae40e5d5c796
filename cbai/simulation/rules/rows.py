"""THE table of algorithms: one row each, made of shared rules.

To add an algorithm made of known rules, add one row.
"""

from __future__ import annotations

from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import (
    FULL,
    HALF,
    PER_ARM,
    Challenger,
    Elimination,
    Leader,
    Share,
    Stopping,
)

CLASSICAL = (
    "Names the best arm with probability at least 1 − δ for independent rewards in [0, b]. It "
    "uses no pseudo-rewards."
)
OWN_VALUES = (
    "Names the best arm with probability at least 1 − δ for independent rewards between the "
    "smallest and the largest value of the problem. It uses no pseudo-rewards."
)
VALUES = " Rewards must lie between the smallest and the largest value of the problem."
CORRELATED = (
    "Names the best arm with probability at least 1 − δ as long as no pseudo-reward that bounds "
    "the best arm is, on average, below its mean. If one is, the guarantee does not hold."
)
PAPER = "Gupta, Joshi and Yağan, IEEE JSAIT 2021"
BETTING = (
    "Beyond the paper: pooled betting, after Waudby-Smith and Ramdas, Estimating means of bounded "
    "random variables by betting, JRSS B 2024"
)
RATIO = (
    "Names the best arm with probability at least 1 − δ for independent rewards in [0, b], "
    "whatever their distributions. It uses no pseudo-rewards. (Theorem in docs/lower-bound.md.) "
)
ADAPTED = (
    "Beyond the paper: C-LUCB with the empirical Bernstein bounds of Howard, Ramdas, McAuliffe and "
    "Sekhon, Annals of Statistics 2021"
)
PER_RIVAL = Share(1, per_rival=True)
HALF_PER_ARM = Share(2, per_arm=True)

_ROWS = (
    Algorithm(
        name="racing",
        title="Racing",
        leader=Leader.ALL,
        elimination=Elimination.OWN_UCB,
        elimination_share=PER_ARM,
        guarantee=CLASSICAL,
        source="Even-Dar, Mannor and Mansour, JMLR 2006; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="lil_ucb",
        title="lil'UCB",
        leader=Leader.OWN_UCB,
        sampling_share=FULL,
        stopping=Stopping.PULL_SHARE,
        confidence="lil",
        guarantee="Nothing is proven for the constants used here, which are those of its authors' "
        "experiments. It stops once one arm has nine times the pulls of all others. The variant of "
        "the theorem is far more cautious.",
        source="Jamieson, Malloy, Nowak and Bubeck, COLT 2014",
    ),
    Algorithm(
        name="lucb",
        title="LUCB",
        leader=Leader.MEAN,
        challenger=Challenger.OWN_UCB,
        sampling_share=PER_ARM,
        elimination=Elimination.OWN_UCB,
        elimination_share=PER_ARM,
        guarantee=CLASSICAL,
        source="Kalyanakrishnan, Tewari, Auer and Stone, ICML 2012; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="lucb_pp",
        title="LUCB++",
        leader=Leader.MEAN,
        challenger=Challenger.OWN_UCB,
        sampling_share=HALF,
        stopping=Stopping.LEADER_ABOVE_ALL,
        leader_share=HALF_PER_ARM,
        challenger_share=HALF,
        guarantee=CLASSICAL,
        source="Simchowitz, Jamieson and Recht, COLT 2017; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="c_lucb",
        title="C-LUCB",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.OWN_AND_PSEUDO_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED + " (Theorem 1.)",
        source=PAPER,
    ),
    Algorithm(
        name="c_lucb_pp",
        title="C-LUCB++",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.OWN_AND_PSEUDO_UCB,
        sampling_share=HALF,
        elimination=Elimination.CROSS_UCB,
        elimination_share=Share(3, per_arm=True),
        stopping=Stopping.LEADER_ABOVE_ALL,
        leader_share=Share(4, per_arm=True),
        challenger_share=Share(4),
        guarantee=CORRELATED + " (The proof needs a stopping rule that compares with every "
        "remaining arm. This is done here. The paper prints a comparison with the challenger "
        "alone.)",
        source=PAPER,
    ),
    Algorithm(
        name="maxmin_lucb",
        title="maxmin-LUCB",
        leader=Leader.MIN_PSEUDO_REWARD,
        challenger=Challenger.CROSS_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED,
        source=PAPER + ", Table 4",
    ),
    Algorithm(
        name="two_lucb",
        title="2-LUCB",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.CROSS_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED,
        source=PAPER + ", Table 4",
    ),
    Algorithm(
        name="lucb_pp_bet",
        title="LUCB++-bet",
        leader=Leader.MEAN,
        challenger=Challenger.BETTING_INDEX,
        elimination=Elimination.OWN_WEALTH,
        elimination_share=HALF,
        leader_share=HALF_PER_ARM,
        guarantee=OWN_VALUES + " (Ville's inequality; docs/beyond.md.)",
        source=BETTING,
        beyond=True,
    ),
    Algorithm(
        name="c_lucb_bet",
        title="C-LUCB-bet",
        leader=Leader.MEAN,
        challenger=Challenger.BETTING_INDEX,
        elimination=Elimination.POOLED_WEALTH,
        elimination_share=HALF,
        leader_share=HALF_PER_ARM,
        guarantee=CORRELATED + VALUES + " (Theorem in docs/beyond.md.)",
        source=BETTING,
        beyond=True,
    ),
    Algorithm(
        name="c_lucb_bet_two",
        title="C-LUCB-bet, two-sided",
        leader=Leader.MEAN,
        challenger=Challenger.BETTING_INDEX,
        elimination=Elimination.POOLED_WEALTH,
        elimination_share=HALF,
        leader_share=HALF_PER_ARM,
        guarantee="Names the best arm with probability at least 1 − δ as long as, on average, no "
        "pseudo-reward of the best arm is below its mean and no pseudo-lower bound of another arm "
        "is above that arm's mean." + VALUES + " (Theorem in docs/beyond.md.)",
        source=BETTING,
        beyond=True,
        two_sided=True,
    ),
    Algorithm(
        name="c_lucb_claim",
        title="C-LUCB-claim",
        leader=Leader.MEAN,
        challenger=Challenger.LEAST_REFUTED,
        elimination=Elimination.CLAIM,
        elimination_share=FULL,
        guarantee=CORRELATED + VALUES + " (Theorem in docs/beyond.md.)",
        source="Beyond the paper: one game for each arm, against the claim that it is the best; "
        "new here, with bets after Waudby-Smith and Ramdas, JRSS B 2024",
        beyond=True,
    ),
    Algorithm(
        name="c_lucb_eb",
        title="C-LUCB-EB",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.OWN_AND_PSEUDO_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        confidence="eb",
        guarantee=CORRELATED + VALUES + " (As Theorem 1, with other bounds; docs/beyond.md.)",
        source=ADAPTED,
        beyond=True,
    ),
    Algorithm(
        name="c_lucb_guard",
        title="C-LUCB-guard",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.CROSS_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        confidence="eb",
        guarantee=CORRELATED
        + VALUES
        + " However wrong the pseudo-rewards are, its answer is less than a twentieth of "
        "the reward scale below the best, with probability at least 1 − δ. (Theorem in "
        "docs/beyond.md.)",
        source=ADAPTED + "; the guard is new here",
        beyond=True,
        guarded=True,
        tolerance=0.05,
    ),
    Algorithm(
        name="track_and_stop",
        title="Track-and-Stop",
        leader=Leader.TRACKING,
        stopping=Stopping.GLR,
        leader_share=PER_RIVAL,
        challenger_share=PER_RIVAL,
        guarantee=RATIO
        + "As δ tends to 0, samples / log(1/δ) tends to the lower bound's T*. This is proven for "
        "one-parameter families, and with KL_inf for other classes, but not for this variant.",
        source="Garivier and Kaufmann, COLT 2016; with KL_inf: Agrawal, Juneja and Glynn, ALT 2020",
        beyond=True,
    ),
    Algorithm(
        name="ttucb",
        title="TTUCB",
        leader=Leader.KL_INF_UCB,
        challenger=Challenger.TRANSPORT,
        stopping=Stopping.GLR,
        leader_share=PER_RIVAL,
        challenger_share=PER_RIVAL,
        guarantee=RATIO
        + "As δ tends to 0, samples / log(1/δ) tends to at most twice the lower bound's T*. This "
        "is proven for Gaussian rewards, and for rewards in [0, b] with other leaders.",
        source="Jourdan and Degenne, NeurIPS 2023; rewards in [0, b]: Jourdan, Degenne, Baudry, de "
        "Heide and Kaufmann, NeurIPS 2022",
        beyond=True,
    ),
    Algorithm(
        name="exp_gap",
        title="Exponential-Gap Elimination",
        leader=Leader.PHASES,
        elimination=Elimination.PHASE_MEANS,
        guarantee=CLASSICAL + " Up to a constant factor, no algorithm needs fewer samples to tell "
        "two arms with a small gap apart. That factor is huge.",
        source="Karnin, Koren and Somekh, ICML 2013; Even-Dar, Mannor and Mansour, COLT 2002",
        beyond=True,
    ),
)

ALGORITHMS = {row.name: row for row in _ROWS}
"""Name to row; the sidebar and the documentation read it."""
