"""Theory: what do the theorems promise?"""

from dataclasses import replace

import pandas as pd
import streamlit as st

from cbai.figures.base.style import THIN_SPACE, percent
from cbai.figures.base.words import capital
from cbai.figures.theory import theory_arms, theory_bounds, theory_certainty
from cbai.problem.validity import VIOLATED
from cbai.results.certainty import DELTAS, allowed_slope, cost_of_certainty
from cbai.ui.parts import chart, page
from cbai.ui.runs import ask, cache, on_demand, stopping
from cbai.ui.shell import sidebar
from cbai.ui.theory import sentences

BOTH = ("lucb", "c_lucb")
MOST_RUNS, MOST_SWEEP_RUNS = 200, 50

chosen = sidebar.current()
setup = replace(chosen, trials=min(chosen.trials, MOST_RUNS))
words = setup.words
violated = cache.get_validity(setup).verdict == VIOLATED
page.question("What do the theorems promise?")

theory = cache.get_theory(setup)
if theory.tied:
    page.answer(sentences.tie_answer(theory, words))
    page.where_from(setup)
    st.stop()

both = on_demand.get_many([(setup, name) for name in BOTH])
if both is None:
    stopping.say_stopped()
    st.stop()

lucb, c_lucb = both
bounds = theory_bounds.gather(theory, lucb, c_lucb)
page.answer(sentences.promise_answer(theory, bounds, words, violated=violated))
page.shout_if_violated(setup, ["c_lucb"])
chart.show(
    theory_bounds.draw(bounds, words, violated=violated),
    "bounds",
    theory_bounds.alt_text(bounds, words),
)
page.how_to_read(
    f"Marks: means of {setup.trials:,} runs. Vertical lines: what the proofs allow, on a "
    f"logarithmic scale. LUCB stays below its line in at least {percent(1.0 - setup.delta)} of "
    "runs. "
    + (
        ""
        if violated
        else "C-LUCB has two lines: the part that grows with certainty, and all that Theorem 2 of "
        f"the paper allows for its mean. {sentences.parts_of(theory, bounds, words)} "
    )
    + "Proofs cover the worst case, so their constants say little about a typical run."
)
if any(row.ran_out for row in bounds.rows):
    st.caption(
        f"Runs without an answer count with the {words.samples} they took. So the true means are "
        "higher than the means shown."
    )

st.subheader(f"{words.capital_arm} by {words.arm}", anchor=False)
arms = theory_arms.gather(theory, lucb, c_lucb)
chart.show(theory_arms.draw(arms, words), "arms", theory_arms.alt_text(arms, words))
differ = (
    f"  The set of competitive {words.arms} differs from run to run. Each mark shows the more "
    "frequent case."
)
page.how_to_read(
    f"Vertical line: the number of {words.samples} after which the proof counts {words.an_arm} as "
    f"settled and charges no more rounds to it. LUCB's bound adds up these numbers over all "
    f"{words.arms}, C-LUCB's over the competitive ones.{differ if arms.mixed else ''}"
)
st.markdown(page.plain(sentences.hardness_text(theory, words)))

st.subheader("What does more certainty cost?", anchor=False)
few = replace(setup, trials=min(setup.trials, MOST_SWEEP_RUNS))
steps = [replace(few, delta=delta) for delta in DELTAS]
total = len(BOTH) * len(DELTAS) * few.trials


def _show_certainty() -> None:
    runs = on_demand.get_many([(step, name) for name in BOTH for step in steps])
    if runs is None:
        st.info("Stopped before all runs were done.")
        return
    theories = [cache.get_theory(step) for step in steps]
    costs = [cost_of_certainty(runs[at : at + len(DELTAS)], theories[0]) for at in (0, len(DELTAS))]
    lost = sum(cost.no_answer for cost in costs)
    if lost:
        st.warning(
            f"{lost:,} of {total:,} runs had no answer within {setup.max_samples:,} "
            f"{words.samples}. They can't show what certainty costs. Raise the budget under Runs "
            "in the sidebar."
        )
        return
    infos = [theory_certainty.gather(cost) for cost in costs]
    top = max(info.top for info in infos)
    for column, info in zip(st.columns(2), reversed(infos), strict=True):
        with column:
            st.markdown(f"**{info.algorithm}**")
            chart.show(
                theory_certainty.draw(info, words, top),
                f"certainty {info.algorithm}",
                theory_certainty.alt_text(info, words),
            )
    page.how_to_read(
        f"Total {words.samples} of all competitive and of all non-competitive {words.arms}, with "
        f"95{THIN_SPACE}% intervals. Each run has its own set of competitive {words.arms}. Each "
        "step to the right means a tenfold smaller δ."
    )
    ours = infos[1]
    st.markdown(sentences.slope_table([ours, infos[0]], words))
    st.markdown(sentences.certainty_answer(ours, allowed_slope(theories), words, violated=violated))
    if ours.others_grow and not violated:
        st.markdown(sentences.why_it_grows(theories[0], costs[1], words))


ask.button(
    f"Run both at {len(DELTAS)} values of δ from 0.1 to 10⁻⁸, {few.trials:,} times each",
    "certainty",
    str(few),
    key="run certainty",
    help=f"Shows how the cost grows with certainty, and for which {words.arms}.",
)
if ask.asked("certainty", str(few)):
    _show_certainty()

with st.expander("The theorems and their symbols"):
    st.markdown("**LUCB.** With probability at least 1 − δ,")
    st.latex(sentences.LUCB_BOUND)
    st.markdown(
        "This holds for any pseudo-rewards, because LUCB does not use them.\n\n**C-LUCB** "
        f"(Theorem 2). If all pseudo-rewards that bound the best {words.arm} are valid,"
    )
    st.latex(sentences.C_LUCB_BOUND)
    st.markdown(sentences.symbols(theory, words))
    st.markdown(sentences.kept_text(theory, bounds, violated=violated))

with st.expander("All numbers"):
    st.dataframe(
        pd.DataFrame(
            {
                words.capital_arm: theory.arms,
                "Gap": theory.gap,
                "Pseudo-gap": theory.pseudo_gap.mean(axis=0),
                "Competitive": theory.competitive.mean(axis=0),
                "τ of LUCB": theory.settled_lucb,
                "τ of C-LUCB": theory.settled_c_lucb,
                "LUCB's pulls": lucb.pulls[0].mean(axis=0),
                "C-LUCB's pulls": c_lucb.pulls[0].mean(axis=0),
            }
        ).iloc[lucb.problem.ranking],
        hide_index=True,
        column_config={
            "Gap": st.column_config.NumberColumn(format="%.3f"),
            "Pseudo-gap": st.column_config.NumberColumn(format="%.3f"),
            "Competitive": st.column_config.NumberColumn(format="percent"),
            **{
                name: st.column_config.NumberColumn(format="%,.0f")
                for name in ("τ of LUCB", "τ of C-LUCB", "LUCB's pulls", "C-LUCB's pulls")
            },
        },
    )
    st.caption(
        "The pseudo-gap and the share “Competitive” are averages over the runs, because each run "
        f"has its own unknown pseudo-rewards. {capital(words.an_arm)} with a pseudo-gap above 0 is "
        "non-competitive. Pulls are means over the runs."
    )
page.where_from(setup)
