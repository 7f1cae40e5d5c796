"""The sentences of the page Theory, computed from results; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words, listed
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
        f"**N**: the number of {samples} until the algorithm stops. **K** = {len(theory.arms)}: "
        f"the number of {arms}.",
        f"**δ** = {theory.delta:g}: the allowed error. **ℰ**: the good event that no confidence "
        "bound in the proof ever fails. Its probability is at least "
        f"{percent(1.0 - theory.delta)}.",
        f"**Δₖ**: the gap, which is how far the mean of {arm} k is below the mean of the best "
        f"{arm}. For the best {arm} itself it is the smallest gap, {theory.gap[theory.best]:.3g}.",
        f"**B(n, d)**: the confidence radius, which is how far a mean of n {samples} may be from "
        "the true mean. It fails with probability d at most. LUCB uses d = δ/K, and C-LUCB uses "
        "d = δ/2K.",
        f"**τₖ**: the first n with B(n, d) < Δₖ/4. After τₖ {samples} of {arm} k the proof charges "
        "no more rounds to it. This is the paper's ζ/Δₖ² log(2K log(1/Δₖ²)/δ). Here it is computed "
        "exactly, because the paper does not give ζ.",
        "**2**: a round has two pulls. The sum counts rounds, and each round is charged to one "
        f"{arm} that is not settled yet. So the sum does not bound the pulls of any single {arm}.",
        f"**𝒞**: the competitive {arms}, here {size} of {len(theory.arms)}; see the page "
        "Competitive arms.",
        f"**t₀** = {count(theory.t0)}: the round from which the proof can rely on the PseudoUCB. "
        "It is the first t ≥ 2 with Δ/b ≥ 4 √(2K log t / t), where Δ is the smallest gap and b "
        "the largest reward.",
    )
    return "\n".join(f"- {line}" for line in lines)


def tie_answer(theory: Theory, words: Words) -> str:
    """Say that several arms are best, so nothing is promised."""
    equal = listed([name for name, gap in zip(theory.arms, theory.gap, strict=True) if gap == 0.0])
    return (
        f"{equal} are equally good, and no number of {words.samples} can tell them apart. Every "
        "bound is infinite, and no theorem promises that an algorithm ever stops."
    )


def promise_answer(theory: Theory, info: Info, words: Words, *, violated: bool) -> str:
    """Compare the samples that the proofs allow with the samples that the runs took."""
    lucb, ours = info.rows
    start = f"The proof allows LUCB {count(lucb.allowed)} {words.samples}; {_took(info, 0)}."
    if violated:
        return f"{start} The theorem promises nothing for C-LUCB here; {_took(info, 1)}."
    return f"{start} It allows C-LUCB {count(ours.allowed + ours.rest)}; {_took(info, 1)}."


def parts_of(theory: Theory, info: Info, words: Words) -> str:
    """Say which part of what the proof allows C-LUCB grows with certainty."""
    ours = info.rows[1]
    return (
        f"Of what the proof allows C-LUCB, {count(ours.allowed)} {words.samples} are for "
        f"{_competitive(theory, words)}. This part grows with certainty. The other "
        f"{count(ours.rest)} hardly do."
    )


def _every(theory: Theory, words: Words) -> str:
    n = len(theory.arms)
    return f"{'both' if n == 2 else f'all {n}'} {words.arms}"


def _competitive(theory: Theory, words: Words) -> str:
    """Write how many arms are competitive; the number may differ from run to run."""
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
        return f"its runs took {count(row.spent)} or more, because {row.ran_out:,} had no answer"
    return f"its runs took {count(row.spent)}"


def hardness_text(theory: Theory, words: Words) -> str:
    """Say how hard the problem is, over all arms and over the competitive ones."""
    first, second = theory.arms[theory.best], theory.arms[theory.second]
    text = (
        f"How hard is this problem? The means of the two best {words.arms}, {first} and {second}, "
        f"are {theory.gap[theory.best]:.3g} apart. The hardness, the sum of 1 / gap² over "
        f"{words.arms}, is {count(theory.hardness)}"
    )
    if theory.competitive.all():
        return f"{text}."
    some = theory.hardness_competitive
    average = " on average" if some.min() < some.max() else ""
    return f"{text}. Over the competitive ones alone it is {count(float(some.mean()))}{average}."


def slope_table(infos: Sequence[Certainty], words: Words) -> str:
    """Return a Markdown table of the samples that a tenfold smaller delta costs, with intervals."""
    kinds = [kind for kind in (True, False) if kind in infos[0].groups]
    head = [
        f"Additional {words.samples} for a tenfold smaller δ",
        *(STATUS[kind] for kind in kinds),
    ]
    rows = [
        [info.algorithm, *(_interval(info.groups[kind].slope) for kind in kinds)] for info in infos
    ]
    lines = [head, ["---"] + ["--:"] * len(kinds), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _interval(slope: Slope) -> str:
    return f"**{signed(slope.estimate)}** ({signed(slope.low)} to {signed(slope.high)})"


def certainty_answer(info: Certainty, allowed: float, words: Words, *, violated: bool) -> str:
    """Compare the slopes of C-LUCB with the slope that its proof allows."""
    if violated:
        return "The assumption is violated, so no theorem covers C-LUCB's numbers."
    start = f"For each step the proof allows C-LUCB {signed(allowed)} {words.samples}."
    if False not in info.groups:
        return f"{start} No {words.arm} is non-competitive here, so there is nothing to save."
    if not info.others_grow:
        return (
            f"{start} Non-competitive {words.arms} show no growth. More certainty costs nothing "
            "there, as Theorem 2 suggests."
        )
    return (
        f"{start} Non-competitive {words.arms} also cost more if more certainty is asked for. This "
        "breaks no theorem: the bound is on all rounds together, not on one kind of "
        f"{words.arm}, and it is for δ towards 0."
    )


def why_it_grows(theory: Theory, cost: Cost, words: Words) -> str:
    """Say why non-competitive arms still cost more, as far as it can be computed; may be empty."""
    reasons = []
    if theory.contradicted.any():
        second = plain(theory.arms[theory.second])
        reasons.append(
            f"- In {percent(float(theory.contradicted.mean()))} of the runs the pseudo-rewards "
            f"rule out even {second}, the second best in these data. This bound is wrong, but it "
            f"does not bound the best {words.arm}. {second} is then not pulled. Each round that "
            f"the best {words.arm} needs then pulls a non-competitive {words.arm} instead."
        )
    if cost.open_share > 0.0:
        reasons.append(
            f"- {percent(cost.open_share)} of the non-competitive {words.arms} have a very small "
            f"pseudo-gap. Even at the smallest δ, a run ends with too few {words.samples} of the "
            f"best {words.arm} for the PseudoUCB to detect this gap."
        )
    return "\n".join(reasons)


def kept_text(theory: Theory, info: Info, *, violated: bool) -> str:
    """Say in how many runs the number of samples stayed within the bounds."""
    lucb, ours = (_within(row) for row in info.rows)
    promise = (
        "Nothing is promised here, because the assumption is violated."
        if violated
        else "The theorem itself allows more."
    )
    return (
        f"**Do the runs stay within the bounds?** LUCB stayed within its bound in {lucb}; at least "
        f"{percent(1.0 - theory.delta)} are promised. C-LUCB stayed within the part that grows "
        f"with certainty in {ours}. {promise} Intervals are exact 95{THIN_SPACE}% intervals. A run "
        "without an answer counts as outside the bound."
    )


def _within(row: Row) -> str:
    rate = clopper_pearson(row.within, row.runs)
    return f"{rate.count:,} of {rate.total:,} runs ({percent(rate.low)} to {percent(rate.high)})"
