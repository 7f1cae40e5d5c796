"""What each algorithm does, in a sentence shown when one points at its name; no Streamlit here."""

from __future__ import annotations

from cbai.simulation import ALGORITHMS
from cbai.simulation.rules.names import LAB_TITLE

HINTS = {
    "racing": "Samples all remaining options in turn. Rules out an option once it is surely worse "
    "than the leader.",
    "lil_ucb": "Stops once nearly all samples are of one option. A rule of thumb: no theorem "
    "covers it with these settings.",
    "lucb": "Samples the leader and its strongest rival in each round. Uses no correlation.",
    "lucb_pp": "LUCB with a stopping rule that asks less certainty of the rivals' bounds. Rules "
    "out no option before it stops. Uses no correlation.",
    "c_lucb": "From the paper. LUCB that also rules out options by pseudo-rewards, whichever "
    "option was sampled.",
    "c_lucb_pp": "From the paper. C-LUCB that can also stop by the rule of LUCB++.",
    "maxmin_lucb": "A variant of C-LUCB in the paper. First samples the option whose smallest "
    "pseudo-reward is the largest.",
    "two_lucb": "A variant of C-LUCB in the paper. Samples the two options with the largest bounds "
    "by pseudo-rewards.",
    "lucb_pp_bet": "Rules out options by bets instead of bounds. Uses "
    "an option's own rewards only.",
    "c_lucb_bet": "Rules out options by bets instead of bounds. All pseudo-rewards bet together. "
    "Proven right if the pseudo-rewards are valid.",
    "c_lucb_bet_two": "C-LUCB-bet that also uses the survey's lower bounds on the means.",
    "c_lucb_claim": "Bets against each option being the best. May rule out options before they are "
    "sampled. Proven right if the pseudo-rewards are valid.",
    "c_lucb_eb": "C-LUCB with bounds that learn how much the rewards vary.",
    "c_lucb_guard": "C-LUCB-EB whose answer is close to the best even if the pseudo-rewards are "
    "too low.",
    "track_and_stop": "Splits the samples as the lower bound asks, by the estimates so far. Uses "
    "no correlation.",
    "ttucb": "Samples the leader and the rival that is hardest to tell from it, in turn. Uses no "
    "correlation.",
    "exp_gap": "Works in phases, each twice as precise as the one before. Good in theory, "
    "expensive in practice.",
}


def by_title() -> dict[str, str]:
    """Return the sentences by the titles on the buttons."""
    yours = "The algorithm that you compose in the Algorithm lab."
    return {ALGORITHMS[name].title: hint for name, hint in HINTS.items()} | {LAB_TITLE: yours}
