"""Every term and symbol that the pages use, in one plain sentence each; no Streamlit here."""

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
        One plain sentence, which may use Markdown.
    latex : str
        The mathematics; empty where there is none.
    symbols : tuple of str
        How the pages write it, besides the term.
    """

    term: str
    meaning: str
    latex: str = ""
    symbols: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The term as a link writes it: ``?term=pseudo-gap``."""
        return slug(self.term)

    @property
    def text(self) -> str:
        """All words in which to search."""
        return " ".join([self.term, *self.symbols, self.meaning])

    def holds(self, word: str, *, in_name: bool = False) -> bool:
        """Return whether a word is in it; a single letter must be a symbol, as p is not P."""
        if len(word) == 1:
            also = not (in_name or word.isascii())
            return word in self.symbols or (also and word in self.text)
        text = " ".join([self.term, *self.symbols]) if in_name else self.text
        return word.casefold() in text.casefold()


def slug(term: str) -> str:
    """Return a term in lower case, with hyphens for whatever is no letter or digit."""
    bare = unicodedata.normalize("NFKD", term).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", bare.casefold()).strip("-")


_UNSORTED = (
    Entry(
        "Valid for the best arm",
        "Some pseudo-rewards are too low, but none that bounds the best arm: the guarantee stands, "
        "as only those can make the answer wrong.",
    ),
    Entry(
        "C-LUCB-EB",
        "C-LUCB with bounds that learn from the rewards how much they vary.",
    ),
    Entry(
        "C-LUCB-guard",
        "C-LUCB-EB that stays close to the best arm even if the pseudo-rewards are false.",
    ),
    Entry(
        "Exponential-Gap Elimination",
        "An algorithm that works in phases, each twice as fine, and drops arms at the end of a "
        "phase only.",
    ),
    Entry(
        "Fixed n",
        "Bounds for a number of samples chosen beforehand, such as Hoeffding's: they fail if one "
        "looks all the time.",
    ),
    Entry(
        "Howard, Even-Dar, Kaufmann, lil, KL-LUCB",
        "Five confidence bounds that hold at all times, named after their authors or what they "
        "are built on; the page *Bounds* compares them.",
    ),
    Entry(
        "lil'UCB",
        "An algorithm that stops once nearly all samples are of one arm; its usual settings are "
        "covered by no theorem.",
    ),
    Entry(
        "maxmin-LUCB, 2-LUCB",
        "Two variants of C-LUCB, which differ in whom they pull.",
    ),
    Entry(
        "Paired",
        "Two results are compared run by run, as both met the same random rewards: luck that both "
        "share drops out.",
    ),
    Entry(
        "Preset",
        "A button that sets several controls at once.",
    ),
    Entry(
        "Student's t-interval",
        "A 95 % interval for a mean that allows for how few the runs are.",
    ),
    Entry(
        "Track-and-Stop",
        "An algorithm that pulls in the proportions that are best for what it has seen so far.",
    ),
    Entry(
        "TTUCB",
        "An algorithm that pulls the arm with the highest upper bound and its hardest rival by "
        "turns.",
    ),
    Entry(
        "Two-sided",
        "Said of an algorithm that also uses what a survey says a mean is at least.",
    ),
    Entry(
        "Algorithm",
        "A rule for which arm to pull next, which to drop, and when to stop and name the best.",
    ),
    Entry(
        "Anytime",
        "Holding at every moment at once, however often one looks and whenever one stops.",
        r"P(\exists n: |\hat\mu_n-\mu|>B(n,d))\le 2d",
    ),
    Entry(
        "Arm",
        "One of the options among which the best is wanted: a genre, a book, an ad, a treatment.",
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
        "A way to be sure without a confidence bound: fair bets are placed against an arm being as "
        "good as the leader, and once they have won enough, it is out.",
        r"\text{out once } W\ge 2/\delta",
        ("-bet",),
    ),
    Entry(
        "Budget",
        "The most samples that one run may take; a run that would need more ends without an "
        "answer, which counts as neither right nor wrong.",
        r"\sum_k n_k\le \text{budget}",
    ),
    Entry(
        "Certainty",
        "The probability with which the answer is right where the guarantee stands.",
        r"1-\delta",
    ),
    Entry(
        "Common random numbers",
        "All algorithms of a comparison meet the same rewards: the j-th pull of an arm gives every "
        "one of them the same, so differences are theirs and not luck.",
        r"R_{k,j}=f(\text{seed},\text{run},k,j)",
    ),
    Entry(
        "Competitive",
        "An arm that the best arm's samples alone do not rule out, so that it needs real work; the "
        "two best are competitive by definition.",
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
        "Confidence bounds that hold at all numbers of samples at once, so that one may look and "
        "stop whenever one likes.",
        r"P(\forall n:\ \mu\le\hat\mu_n+B(n,d))\ge 1-d",
    ),
    Entry(
        "Correlation",
        "That what one arm gives tells something of what another would have given at that moment, "
        "as when one person likes both.",
        r"E[R_l\mid R_k=r]\ne E[R_l]",
    ),
    Entry(
        "CrossUCB",
        "The smallest upper bound on an arm, by its own samples or by what those of any other arm "
        "say of it; below the leader's lower bound, it is out.",
        r"U_l=\min_k\left(\hat\phi_{l,k}+B(n_k,d)\right)",
    ),
    Entry(
        "Elimination",
        "Dropping an arm for good, because its upper bound is below the leader's lower bound.",
        r"U_l<\max_k L_k",
    ),
    Entry(
        "Epsilon",
        "How much worse than the best an answer may be; 0 asks for the very best.",
        r"\mu_{\text{answer}}\ge\mu_{k^*}-\varepsilon",
        ("ε",),
    ),
    Entry(
        "Error allowed",
        "The probability with which the answer may be wrong where the guarantee stands.",
        r"P(\text{answer}\ne k^*)\le\delta",
        ("δ", "delta"),
    ),
    Entry(
        "Error rate",
        "The share of runs that named a wrong arm, always shown with its exact interval.",
        r"\text{wrong}/\text{runs}",
    ),
    Entry(
        "Exact interval",
        "The Clopper-Pearson interval of a rate: it holds the true rate with at least 95 % "
        "certainty, even where no run was wrong.",
        r"\begin{aligned}&[B_{0.025}(x,n-x+1),\\&\ B_{0.975}(x+1,n-x)]\end{aligned}",
        ("at least", "at most"),
    ),
    Entry(
        "Gap",
        "By how much an arm's mean is below the best one's; the smaller, the more samples it "
        "takes.",
        r"\Delta_k=\mu_{k^*}-\mu_k",
        ("Δ", "Δₖ"),
    ),
    Entry(
        "Good event",
        "That no confidence bound ever misses its mean in a run: then the answer is right, if the "
        "assumption holds.",
        r"P(\mathcal E)\ge 1-\delta",
        ("ℰ",),
    ),
    Entry(
        "Guarantee",
        "What a theorem promises: an answer that is wrong with probability at most δ, as long as "
        "its assumptions hold.",
        r"P(\text{wrong})\le\delta",
    ),
    Entry(
        "Kullback-Leibler divergence",
        "How hard it is to tell one distribution of rewards from another by samples; bounds made "
        "of it are tight where rewards vary little.",
        r"\mathrm{kl}(p,x)=p\log\tfrac px+(1-p)\log\tfrac{1-p}{1-x}",
        ("KL", "kl"),
    ),
    Entry(
        "Largest reward",
        "The most that one sample can give, five for stars, and the pseudo-reward where nothing is "
        "known. Below 2, the paper's bounds depend on its unit: smaller numbers need more samples.",
        r"0\le R\le b",
        ("b",),
    ),
    Entry(
        "Latent source",
        "Something hidden that decides what every arm gives, such as which kind of person looks at "
        "an ad.",
        r"R_k=Y_k(X)",
    ),
    Entry(
        "Leader",
        "The arm that a round takes for the best so far; its lower bound is the dashed line that "
        "others must stay above.",
        r"\max_k L_k",
    ),
    Entry(
        "Limit",
        "The fewest samples on average of any algorithm that knows nothing of the correlation and "
        "keeps to δ on every problem.",
        r"E[N]\ge T^*\,\mathrm{kl}(\delta,1-\delta)",
        ("T*", "optimal split"),
    ),
    Entry(
        "LUCB",
        "An algorithm that pulls two arms a round: the one with the best mean, and of the others "
        "the one with the largest upper bound. C-LUCB uses pseudo-rewards too.",
        r"\begin{aligned}m_1&=\arg\max_k\hat\mu_k\\m_2&=\arg\max_{l\ne m_1}U_l\end{aligned}",
        ("C-LUCB", "LUCB++", "C-LUCB++"),
    ),
    Entry(
        "Mask",
        "Which pseudo-rewards are unknown in a run; each run draws its own.",
        r"s_{l,k}(r)\to b",
    ),
    Entry(
        "Mean",
        "The average reward of an arm: the true one, which nobody knows, or that of the samples so "
        "far, written with a hat.",
        r"\mu_k=E[R_k],\quad \hat\mu_k=\tfrac1{n_k}\sum_j R_{k,j}",
        ("μ", "μ̂"),
    ),
    Entry(
        "Proof constant",
        "A constant in the paper's bound that it leaves open; here the count itself is worked out "
        "instead.",
        r"\tau_k\le\tfrac{\zeta}{\Delta_k^2}\log\tfrac{2K\log(1/\Delta_k^2)}{\delta}",
        ("ζ",),
    ),
    Entry(
        "Pseudo-gap",
        "By how much the second best beats what the best arm's samples say of an arm; above 0, the "
        "arm is non-competitive.",
        r"\tilde\Delta_l=\mu_{k^{(2)}}-\phi_{l,k^*}",
        ("φ",),
    ),
    Entry(
        "Pseudo-reward",
        "A bound known beforehand: how good one arm can be at most, on average, given what another "
        "one gave.",
        r"s_{l,k}(r)\ge E[R_l\mid R_k=r]",
        ("s",),
    ),
    Entry(
        "Pseudo-rewards unknown",
        "The share of all pseudo-rewards that is replaced by the largest reward, which says "
        "nothing.",
        r"\text{a share } p \text{ of all } s_{l,k}(r) \text{ is } b",
        ("p",),
    ),
    Entry(
        "PseudoUCB",
        "An optimistic guess of how good an arm may be by all arms' samples; it chooses what to "
        "pull, and rules nothing out.",
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
        "An algorithm that pulls all arms still in the running, in turn, and drops those that are "
        "beaten.",
    ),
    Entry(
        "Replay",
        "One run played again from its seed and number, to the sample.",
    ),
    Entry(
        "Reward",
        "What one pull gives: stars, a click, a score.",
        r"R_k\in\{v_1,\dots,v_V\}\subset[0,b]",
        ("R", "r"),
    ),
    Entry(
        "Round",
        "One step of an algorithm: it pulls the arms it named, drops who is beaten, and names the "
        "next.",
        r"t=1,2,\dots",
        ("t",),
    ),
    Entry(
        "Run",
        "One trial of an algorithm from its first sample to its answer, with random rewards of its "
        "own.",
    ),
    Entry(
        "Safety buffer",
        "What is added to every pseudo-reward, in case the survey was too low: the answer is "
        "safer, and takes longer.",
        r"s_{l,k}(r)\to\min(s_{l,k}(r)+q,\ b)",
        ("q",),
    ),
    Entry(
        "Sample",
        "The result of one pull; called a rating, an impression or a patient where that is what it "
        "is.",
        r"N=\sum_k n_k",
    ),
    Entry(
        "Seed",
        "The number from which all random rewards are made: the same seed gives the same results.",
    ),
    Entry(
        "Settled",
        "When the proof counts an arm as done: from so many pulls on it blames no further round on "
        "it.",
        r"\tau_k=\min\{n: B(n,d)<\Delta_k/4\}",
        ("τ", "τₖ"),
    ),
    Entry(
        "Share of δ",
        "How much of the allowed error one bound may use up; all shares together must stay within "
        "δ.",
        r"\delta/K,\ \delta/2K,\dots",
    ),
    Entry(
        "Soft bound",
        "A bound that may fail with a small probability, which is then allowed for.",
        r"P(R_l\le u\mid R_k=r)\ge 1-\kappa",
        ("κ",),
    ),
    Entry(
        "Two sigma",
        "Twice the standard deviation over runs: how much single runs differ, as the paper's error "
        "bars show it.",
        r"2\sigma=2\sqrt{\tfrac1{n-1}\sum_i(N_i-\bar N)^2}",
        ("σ", "2 σ"),
    ),
    Entry(
        "Union bound",
        "Several things that can go wrong, together do so with at most the sum of their "
        "probabilities.",
        r"P(A_1\cup\dots\cup A_m)\le\sum_i P(A_i)",
    ),
    Entry(
        "Valid",
        "Said of pseudo-rewards that are, on average, at least as high as the mean they bound.",
        r"\phi_{l,k}=E[s_{l,k}(R_k)]\ge\mu_l",
    ),
    Entry(
        "Violated",
        "Said of pseudo-rewards that are too low: where one on the best arm is, the guarantee is "
        "void.",
        r"\phi_{k^*,k}<\mu_{k^*}",
    ),
    Entry(
        "Wealth",
        "What the bets against an arm have made of a stake of 1; if the arm were as good as the "
        "leader, it would rarely become large.",
        r"P(\sup_n W_n\ge 1/d)\le d",
        ("W",),
    ),
)
ENTRIES = tuple(sorted(_UNSORTED, key=lambda entry: entry.term.casefold()))
"""All entries by their terms, from A to Z."""
