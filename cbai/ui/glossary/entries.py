"""Every term and symbol of the pages, each in one or two plain sentences; no Streamlit here."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One term.

    Attributes
    ----------
    term : str
    meaning : str
        One or two plain sentences, which may use Markdown.
    latex : str
        The mathematics; may be empty.
    symbols : tuple of str
        Other names and symbols for the term on the pages.
    former : tuple of str
        Earlier names of the term, which old links may use.
    """

    term: str
    meaning: str
    latex: str = ""
    symbols: tuple[str, ...] = ()
    former: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The term as written in a link: ``?term=pseudo-gap``."""
        return slug(self.term)

    @property
    def text(self) -> str:
        """All words that a search looks at."""
        return " ".join([self.term, *self.symbols, self.meaning])

    def holds(self, word: str, *, in_name: bool = False) -> bool:
        """Return whether the entry contains a word; a single letter must be a symbol."""
        if len(word) == 1:
            also = not (in_name or word.isascii())
            return word in self.symbols or (also and word in self.text)
        text = " ".join([self.term, *self.symbols]) if in_name else self.text
        return word.casefold() in text.casefold()


def slug(term: str) -> str:
    """Return a term in lower case, with hyphens for everything but letters and digits."""
    bare = unicodedata.normalize("NFKD", term).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", bare.casefold()).strip("-")


_UNSORTED = (
    Entry(
        "Valid for the best arm",
        "Some pseudo-rewards are too low, but none that bounds the best arm. Only those that "
        "bound the best arm can make the answer wrong, so the guarantee holds.",
    ),
    Entry(
        "C-LUCB-EB",
        "C-LUCB with confidence bounds that adapt to how much the rewards vary.",
    ),
    Entry(
        "C-LUCB-guard",
        "A variant of C-LUCB-EB whose answer stays close to the best arm even if pseudo-rewards "
        "are too low.",
    ),
    Entry(
        "Exponential-Gap Elimination",
        "An algorithm that works in phases, each twice as precise as the one before. It rules out "
        "arms only at the end of a phase.",
    ),
    Entry(
        "Fixed n",
        "Bounds for one number of samples, chosen in advance, such as Hoeffding's. They fail too "
        "often if you check them after every sample.",
    ),
    Entry(
        "Howard, Even-Dar, Kaufmann, lil, KL-LUCB",
        "Five confidence bounds that hold at all times, named after their authors or their method. "
        "The page *Bounds* compares them.",
    ),
    Entry(
        "lil'UCB",
        "An algorithm that stops once nearly all samples are of one arm. No theorem covers its "
        "usual settings.",
    ),
    Entry(
        "maxmin-LUCB, 2-LUCB",
        "Two variants of C-LUCB, which choose other arms to pull.",
    ),
    Entry(
        "Paired",
        "Two results are compared run by run, because both met the same random rewards. The luck "
        "that both share cancels out.",
    ),
    Entry(
        "Preset",
        "A button that sets several controls at once.",
    ),
    Entry(
        "Student's t-interval",
        "A 95\u202f% interval for a mean, which is wider if there are few runs.",
    ),
    Entry(
        "Track-and-Stop",
        "An algorithm that pulls arms in the proportions that would be optimal for its estimates "
        "so far.",
    ),
    Entry(
        "TTUCB",
        "An algorithm that alternates between the arm with the highest upper bound and the rival "
        "that is hardest to tell from it.",
    ),
    Entry(
        "Two-sided",
        "A two-sided algorithm also uses lower bounds on the means from the survey.",
    ),
    Entry(
        "Algorithm",
        "A rule for which arm to pull next, which to rule out, and when to stop and name the best.",
    ),
    Entry(
        "Anytime",
        "An anytime bound holds at all moments together, however often you check it and whenever "
        "you stop.",
        r"P(\exists n: |\hat\mu_n-\mu|>B(n,d))\le 2d",
    ),
    Entry(
        "Arm",
        "One of the options among which an algorithm looks for the best: a genre, a book, an ad.",
        r"k=1,\dots,K",
        ("K", "k"),
    ),
    Entry(
        "Best arm",
        "The arm with the largest true mean, marked with a star on the figures.",
        r"k^*=\arg\max_k \mu_k",
        ("k*", "★"),
    ),
    Entry(
        "Betting",
        "A way to rule out arms without confidence bounds. A stake is bet against the claim that "
        "an arm is as good as the leader; once the bets have multiplied it by 2/δ, the arm is "
        "ruled out.",
        r"\text{ruled out once } W\ge 2/\delta",
        ("-bet",),
    ),
    Entry(
        "Claim",
        "The statement that an arm is the best. C-LUCB-claim bets against this and rules the arm "
        "out once the bets have multiplied the stake by 1/δ, whatever the arm's mean may be.",
        r"\text{ruled out once } \inf_x M_l(x)\ge 1/\delta",
        ("-claim",),
    ),
    Entry(
        "Fixed budget",
        "A number of samples that is spent in any case; then the best arm so far is named. There "
        "is always an answer, but no δ.",
        r"\sum_k n_k\le n",
    ),
    Entry(
        "Limit of one run",
        "The most samples that a run may take until it is sure. A run that needs more ends without "
        "an answer; it counts as neither right nor wrong.",
        r"\sum_k n_k\le \text{limit}",
        former=("Budget",),
    ),
    Entry(
        "Sequential Halving",
        "Spends a fixed budget in rounds. Each round pulls its arms equally often and keeps the "
        "better half.",
        r"t_r=\left\lfloor\frac{n}{m_r\lceil\log_2 K\rceil}\right\rfloor",
    ),
    Entry(
        "C-Halving",
        "Sequential Halving that compares arms by the smaller of their mean and the pseudo-rewards "
        "on them. New here.",
        r"\min\Bigl(\hat\mu_l,\min_k\hat\varphi_{l,k}\Bigr)",
    ),
    Entry(
        "Expected loss",
        "How far the mean of the arm named is below the best mean, on average over runs. It is "
        "also called simple regret.",
        r"\mathbb{E}[\mu_{k^*}-\mu_{\text{named}}]",
        ("simple regret",),
    ),
    Entry(
        "Certainty",
        "The probability with which the answer is right, if the guarantee holds.",
        r"1-\delta",
    ),
    Entry(
        "Common random numbers",
        "All algorithms in a comparison meet the same rewards: the j-th pull of an arm gives each "
        "algorithm the same reward. So differences come from the algorithms, not from luck.",
        r"R_{k,j}=f(\text{seed},\text{run},k,j)",
    ),
    Entry(
        "Competitive",
        "A competitive arm must be sampled, because the samples of the best arm alone cannot rule "
        "it out. The two best arms are competitive by definition.",
        r"\mathcal C=\{l:\tilde\Delta_l\le 0\}\cup\{k^*,k^{(2)}\}",
        ("𝒞",),
    ),
    Entry(
        "Confidence bound",
        "A number that the true mean stays below (upper) or above (lower), except with a small "
        "probability d.",
        r"U_k,\,L_k=\hat\mu_k\pm B(n_k,d)",
        ("UCB", "LCB", "d", "2d"),
    ),
    Entry(
        "Confidence radius",
        "How far a confidence bound is from the mean of n samples.",
        r"B(n,d)",
        ("B(n, d)",),
    ),
    Entry(
        "Confidence sequence",
        "Confidence bounds that hold for all numbers of samples together. You may check them and "
        "stop at any time.",
        r"P(\forall n:\ \mu\le\hat\mu_n+B(n,d))\ge 1-d",
    ),
    Entry(
        "Correlation",
        "Arms are correlated if the reward of one arm tells something about the reward of another: "
        "for example, because one person likes both.",
        r"E[R_l\mid R_k=r]\ne E[R_l]",
    ),
    Entry(
        "CrossUCB",
        "The smallest of the upper bounds on an arm: the samples of each arm, its own included, "
        "give one. If it is below the leader's lower bound, the arm is ruled out.",
        r"U_l=\min_k\left(\hat\phi_{l,k}+B(n_k,d)\right)",
    ),
    Entry(
        "Elimination",
        "Ruling out an arm for good, because its upper bound is below the leader's lower bound.",
        r"U_l<\max_k L_k",
        ("ruled out",),
    ),
    Entry(
        "Epsilon",
        "How far the mean of the answer may be below the best mean. 0 asks for the very best arm.",
        r"\mu_{\text{answer}}\ge\mu_{k^*}-\varepsilon",
        ("ε",),
    ),
    Entry(
        "Allowed error",
        "The largest probability of a wrong answer, if the guarantee holds.",
        r"P(\text{answer}\ne k^*)\le\delta",
        ("δ", "delta"),
        ("Error allowed",),
    ),
    Entry(
        "Error rate",
        "The share of runs that named a wrong arm. It is always shown with its exact interval.",
        r"\text{wrong}/\text{runs}",
    ),
    Entry(
        "Exact interval",
        "The Clopper-Pearson interval of a rate. It contains the true rate with at least 95\u202f% "
        "certainty, even if no run was wrong.",
        r"\begin{aligned}&[B_{0.025}(x,n-x+1),\\&\ B_{0.975}(x+1,n-x)]\end{aligned}",
        ("at least", "at most"),
    ),
    Entry(
        "Gap",
        "How far an arm's mean is below the best mean. A smaller gap needs more samples.",
        r"\Delta_k=\mu_{k^*}-\mu_k",
        ("Δ", "Δₖ"),
    ),
    Entry(
        "Good event",
        "The event that no confidence bound ever misses its mean in a run. The answer is then "
        "right, if the assumption holds.",
        r"P(\mathcal E)\ge 1-\delta",
        ("ℰ",),
    ),
    Entry(
        "Guarantee",
        "The promise of a theorem: the answer is wrong with probability at most δ, if the "
        "assumptions of the theorem hold.",
        r"P(\text{wrong})\le\delta",
    ),
    Entry(
        "Kullback-Leibler divergence",
        "A measure of how well samples can tell two distributions of rewards apart. Bounds based "
        "on it are tight if rewards vary little.",
        r"\mathrm{kl}(p,x)=p\log\tfrac px+(1-p)\log\tfrac{1-p}{1-x}",
        ("KL", "kl"),
    ),
    Entry(
        "Largest reward",
        "The most that one sample can give; it stands for unknown pseudo-rewards. If it is below "
        "2, the paper's bounds depend on the unit of the rewards: smaller numbers need more "
        "samples.",
        r"0\le R\le b",
        ("b",),
    ),
    Entry(
        "Latent source",
        "Something hidden that decides the reward of every arm, such as the kind of person who "
        "looks at an ad.",
        r"R_k=Y_k(X)",
    ),
    Entry(
        "Leader",
        "The arm that looks best in a round. Another arm is ruled out when its upper bound is "
        "below the leader's lower bound, the dashed line.",
        r"\max_k L_k",
    ),
    Entry(
        "Lower bound of the problem",
        "No algorithm that ignores correlations and errs at most δ of the time on every problem "
        "can need fewer samples on average.",
        r"E[N]\ge T^*\,\mathrm{kl}(\delta,1-\delta)",
        ("T*", "optimal split"),
        ("Limit",),
    ),
    Entry(
        "LUCB",
        "An algorithm that pulls two arms a round: the arm with the best mean, and the other arm "
        "with the largest upper bound. C-LUCB also uses pseudo-rewards.",
        r"\begin{aligned}m_1&=\arg\max_k\hat\mu_k\\m_2&=\arg\max_{l\ne m_1}U_l\end{aligned}",
        ("C-LUCB", "LUCB++", "C-LUCB++"),
    ),
    Entry(
        "Mask",
        "The choice of which pseudo-rewards are unknown in a run. Each run draws a new mask.",
        r"s_{l,k}(r)\to b",
    ),
    Entry(
        "Mean",
        "The average reward of an arm: either the true mean, which nobody knows, or the mean of "
        "the samples so far, written with a hat.",
        r"\mu_k=E[R_k],\quad \hat\mu_k=\tfrac1{n_k}\sum_j R_{k,j}",
        ("μ", "μ̂"),
    ),
    Entry(
        "Proof constant",
        "A constant in the paper's bound. The paper does not give its value, so the bound is "
        "computed without it here.",
        r"\tau_k\le\tfrac{\zeta}{\Delta_k^2}\log\tfrac{2K\log(1/\Delta_k^2)}{\delta}",
        ("ζ",),
    ),
    Entry(
        "Pseudo-gap",
        "The second best mean minus the upper bound that the best arm's samples give on an arm. "
        "If it is above 0, the arm is non-competitive.",
        r"\tilde\Delta_l=\mu_{k^{(2)}}-\phi_{l,k^*}",
        ("φ",),
    ),
    Entry(
        "Pseudo-reward",
        "An upper bound known in advance: the largest mean reward that one arm can have, given the "
        "reward of another arm.",
        r"s_{l,k}(r)\ge E[R_l\mid R_k=r]",
        ("s",),
    ),
    Entry(
        "Pseudo-rewards unknown",
        "The share of all pseudo-rewards that are unknown. The largest reward, which says nothing, "
        "stands for them.",
        r"\text{a share } p \text{ of all } s_{l,k}(r) \text{ is } b",
        ("p",),
    ),
    Entry(
        "PseudoUCB",
        "An optimistic estimate of an arm's mean from the samples of all arms. It chooses what to "
        "pull, but rules nothing out.",
        r"I_l=\min_k\left(\hat\phi_{l,k}+b\sqrt{2\log(t+1)/n_k}\right)",
    ),
    Entry(
        "Pull",
        "Taking one sample of an arm: showing a film, an ad or a treatment to one person.",
        r"n_k=\text{pulls of arm } k",
        ("n", "nₖ"),
    ),
    Entry(
        "Racing",
        "An algorithm that pulls all arms in turn, except those that are ruled out.",
    ),
    Entry(
        "Replay",
        "One run repeated exactly, from its seed and its number.",
    ),
    Entry(
        "Reward",
        "What one pull gives: stars, a click, a score.",
        r"R_k\in\{v_1,\dots,v_V\}\subset[0,b]",
        ("R", "r"),
    ),
    Entry(
        "Round",
        "One step of an algorithm: it pulls the chosen arms, rules out arms that are clearly "
        "worse, and chooses the next arms.",
        r"t=1,2,\dots",
        ("t",),
    ),
    Entry(
        "Run",
        "One trial of an algorithm from its first sample to its answer. Each run has its own "
        "random rewards.",
    ),
    Entry(
        "Safety buffer",
        "A number added to every pseudo-reward, in case the survey is too low. The answer is then "
        "safer but needs more samples.",
        r"s_{l,k}(r)\to\min(s_{l,k}(r)+q,\ b)",
        ("q",),
    ),
    Entry(
        "Sample",
        "The result of one pull. Depending on the data it is called a rating, an impression or a "
        "patient.",
        r"N=\sum_k n_k",
    ),
    Entry(
        "Seed",
        "The number from which all random rewards are made. The same seed gives the same results.",
    ),
    Entry(
        "Settled",
        "An arm is settled once it has so many pulls that the proof charges no more rounds to it.",
        r"\tau_k=\min\{n: B(n,d)<\Delta_k/4\}",
        ("τ", "τₖ"),
    ),
    Entry(
        "Share of δ",
        "The part of the allowed error that one bound may use. All shares together must be at most "
        "δ.",
        r"\delta/K,\ \delta/2K,\dots",
    ),
    Entry(
        "Soft bound",
        "A bound that may fail with a small probability. The pseudo-reward allows for this.",
        r"P(R_l\le u\mid R_k=r)\ge 1-\kappa",
        ("κ",),
    ),
    Entry(
        "Two sigma",
        "Twice the standard deviation over runs. It shows how much single runs differ, like the "
        "paper's error bars.",
        r"2\sigma=2\sqrt{\tfrac1{n-1}\sum_i(N_i-\bar N)^2}",
        ("σ", "2 σ"),
    ),
    Entry(
        "Union bound",
        "The probability that any of several things goes wrong is at most the sum of their "
        "probabilities.",
        r"P(A_1\cup\dots\cup A_m)\le\sum_i P(A_i)",
    ),
    Entry(
        "Valid",
        "A pseudo-reward is valid if, on average, it is at least the mean that it bounds.",
        r"\phi_{l,k}=E[s_{l,k}(R_k)]\ge\mu_l",
    ),
    Entry(
        "Violated",
        "The assumption is violated if a pseudo-reward that bounds the best arm is too low. The "
        "guarantee then does not hold.",
        r"\phi_{k^*,k}<\mu_{k^*}",
    ),
    Entry(
        "Wealth",
        "The current value of a stake of 1 after all bets against an arm. It rarely becomes large "
        "if the arm is as good as the leader.",
        r"P(\sup_n W_n\ge 1/d)\le d",
        ("W",),
    ),
)
ENTRIES = tuple(sorted(_UNSORTED, key=lambda entry: entry.term.casefold()))
"""All entries by their terms, from A to Z."""
