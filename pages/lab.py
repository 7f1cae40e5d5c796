"""Algorithm lab: what is an algorithm made of?"""

from dataclasses import replace

import streamlit as st

from cbai.figures.base import style
from cbai.figures.lab import argument
from cbai.figures.samples import sample_counts, sample_rows
from cbai.problem.validity import VIOLATED
from cbai.simulation import find
from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.guarantee import cover
from cbai.simulation.rules.names import code
from cbai.ui.lab import recipe, verdict, workbench
from cbai.ui.parts import answers, chart
from cbai.ui.parts import page as text
from cbai.ui.runs import ask, cache, on_demand, stopping
from cbai.ui.shell import sidebar
from cbai.ui.visit import user_algorithm

# The budget of a run on this page: enough for sensible algorithms, and soon used up by others.
LAB_BUDGET = 250_000
COLOUR = {
    verdict.COVERED: style.INK,
    verdict.ASSUMPTION_FAILS: style.WARNING,
    verdict.UNCOVERED: style.WARNING,
}
BORDER = ".st-key-verdict-%s { border-left: 6px solid %s; }"
ICON = {
    verdict.COVERED: ":green[:material/verified:]",
    verdict.ASSUMPTION_FAILS: ":orange[:material/gpp_maybe:]",
    verdict.UNCOVERED: ":red[:material/gpp_bad:]",
}

setup = sidebar.current()
words, n_arms = setup.words, setup.problem.n_arms
mine = find(setup.lab)
covered = cover(mine, n_arms, setup.delta)
violated = cache.get_validity(setup).verdict == VIOLATED
found = verdict.verdict(mine, covered, violated=violated)


def _verdict() -> None:
    with st.container(border=True, key=f"verdict {found}"):
        st.markdown(f"{ICON[found]} **{verdict.title(found)}** {covered.reason}")
        st.markdown(f"{verdict.trust(mine)} {verdict.stopping(mine)}")
        fitting = recipe.fitting(mine)
        if not covered.covered and cover(fitting, n_arms, setup.delta).covered:
            st.button(
                "Use shares that add up to at most δ",
                key="fitting shares",
                on_click=user_algorithm.compose,
                args=(code(fitting),),
                help="Sets the shares of δ to the largest values for which the proof holds.",
            )


def _everywhere() -> None:
    shown = setup.lab in setup.algorithms
    st.button(
        "Remove it from the other pages" if shown else "Compare it on every page",
        key="everywhere",
        on_click=user_algorithm.show,
        args=(not shown,),
        help="Adds your algorithm to those in the sidebar, or removes it.",
    )


def _rivals(start: str) -> list[str]:
    """Return what is run: the user's algorithm, its starting point and LUCB, each only once."""
    different = {code(find(name)): name for name in ("lucb", start, setup.lab)}
    names = dict.fromkeys([setup.lab, start, "lucb"])
    return [name for name in names if name in different.values()]


def _argument() -> None:
    with st.expander("Why: how the shares of δ add up"):
        st.markdown(
            "The answer can be wrong only if a bound fails: a lower bound of "
            f"{words.an_arm} that is not the best, or an upper bound of the best {words.arm}. Each "
            "bound fails with a probability of at most its share of δ. The probability that any of "
            "them fails is at most the sum of the shares. If the sum is at most δ, the answer is "
            "right with probability at least 1 − δ, for any order of pulls."
        )
        info = argument.gather(mine, n_arms)
        if info.kinds:
            chart.show(argument.draw(info, words), "argument", argument.alt_text(info, words))
        else:
            st.markdown("No bound decides in this algorithm, so there are no shares to add up.")
        bounds = BOUNDS[mine.confidence]
        name = bounds.title.rstrip(".")
        st.markdown(f"**Bounds of {name}.** {bounds.conditions} Source: {bounds.source}")
        st.latex(bounds.formula)


def _run(names: list[str], full: str) -> None:
    budget = setup.max_samples
    if not ask.asked("full", full):
        budget = min(budget, LAB_BUDGET)
    job = replace(setup, algorithms=tuple(names), max_samples=budget)
    trials = on_demand.get_trials(job)
    if trials is None:
        stopping.say_stopped("Stopped before all runs were done.")
        return
    two = on_demand.get_trials(replace(job, algorithms=(names[0], names[-1])))
    if two is not None and len(names) > 1:
        said = answers.versus(two, words)
        if not two.identified.all() and budget < setup.max_samples:
            said += f" On this page, runs end after {budget:,} {words.samples}."
        with top:
            text.answer(_answer(said))
    named = [
        replace(row, title=recipe.STARTS.get(row.name, row.title)) for row in trials.algorithms
    ]
    trials = replace(trials, algorithms=tuple(named))
    info = sample_rows.gather(trials)
    chart.show(
        sample_counts.draw(info, words), key="lab samples", alt=sample_counts.alt_text(info, words)
    )
    text.how_to_read(
        f"Bars: means over {setup.trials:,} runs. Error bars: two standard deviations. Points: "
        "single runs. Hatched bars: algorithms that ignore correlations. All algorithms meet the "
        "same random rewards."
    )
    st.markdown(answers.error_answer(trials, words))
    if budget < setup.max_samples and not trials.identified.all():
        st.caption(
            f"On this page, runs end after {budget:,} {words.samples}, because some algorithms "
            "would take minutes."
        )
        ask.button(
            f"Run with the full budget of {setup.max_samples:,}",
            "full",
            full,
            key="full",
            help="Repeats all runs with the budget that is set in the sidebar.",
        )


def _answer(cost: str = "") -> str:
    return f"{cost} {verdict.in_short(found, setup.delta)}".strip()


text.question("What is an algorithm made of?")
st.html(f"<style>{''.join(map(BORDER.__mod__, COLOUR.items()))}</style>")
top = st.empty()
with top:
    text.answer(_answer())
complaint = user_algorithm.read(st.session_state[user_algorithm.RECIPE])[1]
if complaint:  # here too, as the sidebar is out of sight on a phone
    st.warning(complaint)
left, right = st.columns([5, 6], gap="large")
with left:
    begun = workbench.start(mine)
    workbench.draw(mine, words)
with right:
    _verdict()
    _everywhere()
    text.shout_if_violated(setup, [setup.lab])
    rivals = _rivals(begun)
    _run(rivals, f"{replace(setup, algorithms=())} {rivals}")
_argument()
text.where_from(setup)
