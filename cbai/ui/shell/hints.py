"""What each algorithm is, in a sentence to read while pointing at its name; no Streamlit here."""

from __future__ import annotations

from cbai.simulation import ALGORITHMS
from cbai.simulation.rules.names import LAB_TITLE

HINTS = {
    "racing": "Samples all that are left in turn and drops whoever is surely behind.",
    "lil_ucb": "Stops once nearly all samples are of one. A rule of thumb: covered by no theorem "
    "with these settings.",
    "lucb": "Samples the leader and its strongest rival in each round. Uses no correlation.",
    "lucb_pp": "LUCB whose stopping rule asks less certainty of the rivals' bounds. Drops "
    "nobody on the way. Uses no correlation.",
    "c_lucb": "The paper's: LUCB that also rules out by pseudo-rewards, whoever was sampled.",
    "c_lucb_pp": "The paper's: C-LUCB that also stops by the rule of LUCB++.",
    "maxmin_lucb": "A variant of C-LUCB in the paper that samples first whoever has the largest of "
    "the smallest pseudo-rewards.",
    "two_lucb": "A variant of C-LUCB in the paper that samples the two with the largest bounds by "
    "pseudo-rewards.",
    "lucb_pp_bet": "Rules out by bets instead of bounds, from own rewards only.",
    "c_lucb_bet": "Rules out by bets instead of bounds; all pseudo-rewards bet together. Right as "
    "long as they hold.",
    "c_lucb_bet_two": "C-LUCB-bet that also uses what the survey says a mean is at least.",
    "c_lucb_eb": "C-LUCB with bounds that learn how much the rewards vary.",
    "c_lucb_guard": "C-LUCB-EB that stays close to the best even if the pseudo-rewards are false.",
    "track_and_stop": "Splits the samples as the limit would, by what is known so far. Uses no "
    "correlation.",
    "ttucb": "Samples in turn the leader and whoever is hardest to tell from it. Uses no "
    "correlation.",
    "exp_gap": "Works in phases, each twice as fine. Good in theory, dear in practice.",
}


def by_title() -> dict[str, str]:
    """Return the sentences by what is written on the buttons."""
    yours = "What you compose in the Algorithm lab."
    return {ALGORITHMS[name].title: hint for name, hint in HINTS.items()} | {LAB_TITLE: yours}
