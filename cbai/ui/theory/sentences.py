"""The Theory page in words, computed from results; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words, capital, listed
from cbai.figures.competitive.pseudo_gaps import STATUS
from cbai.figures.theory.theory_bounds import Info, Row
from cbai.figures.theory.theory_certainty import Info as Certainty
from cbai.figures.theory.theory_certainty import signed
from cbai.results import clopper_pearson
from cbai.results.certainty import Cost, Slope
from cbai.results.theory import Theory
from cbai.ui.markdown import plain

LUCB_BOUND = r"N_{\text{LUCB}} \;\le\; 2 \sum_{k=1}^{K} \tau_k"
C_LUCB_BOUND = (
    r"\begin{aligned} &\mathbb{E}[N_{\text{C-LUCB}} \mid \mathcal{E}] \\ &\quad\le\; "
    r"2 \sum_{k \in \mathcal{C}} \tau_k + \frac{3K + 2K t_0}{1-\delta} \\ &\quad+ "
    r"\frac{2}{1-\delta}\Big(\frac{(K+1)^3}{t_0} + \frac{2}{t_0^2}\Big) \end{aligned}"
)


def symbols(theory: Theory, words: Words) -> str:
    """Explain every symbol of the bounds, with its value here, as a list."""
    arm, arms, samples = words.arm, words.arms, words.samples
    sizes = theory.competitive.sum(axis=1)
    size = f"{sizes.min()}" + (f" to {sizes.max()}" if sizes.min() < sizes.max() else "")
    lines = (
        f"**N**: the {samples} until it stops. **K** = {len(theory.arms)}: the number of {arms}.",
        f"**δ** = {theory.delta:g}: the error allowed. **ℰ**: the good event, of probability at "
        f"least {percent(1.0 - theory.delta)}, that no confidence bound the proof uses ever fails.",
        f"**Δₖ**: the gap, by how much the mean of {arm} k is below the best one's; for the best "
        f"one itself the smallest gap, {theory.gap[theory.best]:.3g}.",
        f"**B(n, d)**: the confidence radius, how far a mean of n {samples} may be from the truth; "
        "it fails with probability d at most. LUCB uses d = δ/K, C-LUCB d = δ/2K.",
        f"**τₖ**: the first n with B(n, d) < Δₖ/4. After so many {samples} of {arm} k the proof "
        "blames no further round on it. This is the paper's ζ/Δₖ² log(2K log(1/Δₖ²)/δ), worked out "
        "exactly, as the paper leaves ζ open.",
        f"**2**: a round has two pulls. The sum counts rounds, each blamed on one {arm} not yet "
        f"settled; it is no limit on the pulls of each {arm}.",
        f"**𝒞**: the competitive {arms}, here {size} of {len(theory.arms)}; see the page "
        "Competitive arms.",
        f"**t₀** = {count(theory.t0)}: the round from which on the proof can trust the pseudo-UCB "
        "index, the first t ≥ 2 with Δ/b ≥ 4 √(2K log t / t); Δ is the smallest gap, b the largest "
        "reward.",
    )
    return "\n".join(f"- {line}" for line in lines)


def tie_answer(theory: Theory, words: Words) -> str:
    """Say that several arms are best, so that nothing is promised."""
    equal = listed([name for name, gap in zip(theory.arms, theory.gap, strict=True) if gap == 0.0])
    return (
        f"{equal} are equally good: every bound is infinite, and no theorem promises that an "
        f"algorithm ever stops, as no number of {words.samples} can tell them apart."
    )


def promise_answer(theory: Theory, info: Info, words: Words, *, void: bool) -> str:
    """Compare what the proofs allow with what the runs took."""
    lucb, ours = info.rows
    start = (
        f"The proof lets LUCB spend {count(lucb.allowed)} {words.samples} on "
        f"{_every(theory, words)}; {_took(info, 0)}."
    )
    if void:
        return f"{start} For C-LUCB nothing is promised here; {_took(info, 1)}."
    return (
        f"{start} It lets C-LUCB spend {count(ours.allowed)} on {_competitive(theory, words)}, "
        f"which grow with certainty, and {count(ours.rest)} on top, which hardly do; "
        f"{_took(info, 1)}."
    )


def _every(theory: Theory, words: Words) -> str:
    n = len(theory.arms)
    return f"{'both' if n == 2 else f'all {n}'} {words.arms}"


def _competitive(theory: Theory, words: Words) -> str:
    """Write how many arms are competitive, which may differ from run to run."""
    sizes = theory.competitive.sum(axis=1)
    least, most = int(sizes.min()), int(sizes.max())
    if least == most:
        same = len(theory.arms) == most
        return _every(theory, words) if same else f"the {most} competitive ones"
    return f"the {least} to {most} that are competitive in a run"


def _took(info: Info, which: int) -> str:
    row = info.rows[which]
    if row.ran_out == row.runs:
        return f"its runs had no answer after {count(row.spent)}"
    if row.ran_out:
        return f"its runs took {count(row.spent)} or more, as {row.ran_out:,} had no answer"
    return f"its runs took {count(row.spent)}"


def hardness_text(theory: Theory, words: Words) -> str:
    """Say how hard the problem is, over all arms and over the competitive ones."""
    first, second = theory.arms[theory.best], theory.arms[theory.second]
    text = (
        f"How hard is it? The two best {words.arms}, {first} and {second}, lie "
        f"{theory.gap[theory.best]:.3g} apart. Hardness, the sum of 1 / gap² over {words.arms}, is "
        f"{count(theory.hardness)}"
    )
    if theory.competitive.all():
        return f"{text}."
    some = theory.hardness_competitive
    average = " on average" if some.min() < some.max() else ""
    return f"{text}, and {count(float(some.mean()))} over the competitive ones alone{average}."


def slope_table(infos: Sequence[Certainty], words: Words) -> str:
    """Return a table in Markdown: what a tenfold smaller delta costs, with intervals."""
    kinds = [kind for kind in (True, False) if kind in infos[0].groups]
    head = [f"{capital(words.samples)} for a tenfold smaller δ", *(STATUS[kind] for kind in kinds)]
    rows = [
        [info.algorithm, *(_interval(info.groups[kind].slope) for kind in kinds)] for info in infos
    ]
    lines = [head, ["---"] + ["--:"] * len(kinds), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _interval(slope: Slope) -> str:
    return f"**{signed(slope.estimate)}** ({signed(slope.low)} to {signed(slope.high)})"


def certainty_answer(info: Certainty, allowed: float, words: Words, *, void: bool) -> str:
    """Say what the slopes of C-LUCB mean beside what its proof allows."""
    if void:
        return "The assumption is violated, so that no theorem speaks of C-LUCB's numbers."
    start = f"The proof allows C-LUCB {signed(allowed)} {words.samples} a step."
    if False not in info.groups:
        return f"{start} No {words.arm} is non-competitive here: there is nothing to save."
    if not info.others_grow:
        return (
            f"{start} On non-competitive {words.arms} no growth is seen: being surer costs nothing "
            "there, as Theorem 2 leads one to expect."
        )
    return (
        f"{start} Non-competitive {words.arms} cost more too, the surer one wants to be. That "
        "breaks no theorem: the bound is on all rounds together, not on one kind of "
        f"{words.arm}, and for δ towards 0."
    )


def why_it_grows(theory: Theory, cost: Cost, words: Words) -> str:
    """Say what can be computed of why non-competitive arms still cost more, or nothing."""
    reasons = []
    if theory.contradicted.any():
        reasons.append(
            f"- In {percent(float(theory.contradicted.mean()))} of the runs the pseudo-rewards "
            f"rule out even {plain(theory.arms[theory.second])}, second best in these data: a "
            f"false bound, though not one on the best {words.arm}. As it is then passed over, a "
            "non-competitive one is the second pull of each round that the best one needs."
        )
    if cost.open_share > 0.0:
        reasons.append(
            f"- Of the non-competitive {words.arms}, {percent(cost.open_share)} have so small a "
            f"pseudo-gap that even at the smallest δ a run ends with too few {words.samples} of "
            "the best one for the pseudo-UCB index to see it."
        )
    return "\n".join(reasons)


def kept_text(theory: Theory, info: Info, *, void: bool) -> str:
    """Say in how many runs the samples stayed within the bounds."""
    lucb, ours = (_within(row) for row in info.rows)
    promise = (
        "nothing is promised, as the assumption is violated"
        if void
        else "the theorem itself allows more"
    )
    return (
        f"**Was it kept?** LUCB stayed within its bound in {lucb}, where at least "
        f"{percent(1.0 - theory.delta)} are promised; C-LUCB within the part that grows with "
        f"certainty alone in {ours}, where {promise}. Intervals are exact, of 95{THIN_SPACE}%; a "
        "run without an answer counts as outside."
    )


def _within(row: Row) -> str:
    rate = clopper_pearson(row.within, row.runs)
    return f"{rate.count:,} of {rate.total:,} runs ({percent(rate.low)} to {percent(rate.high)})"
