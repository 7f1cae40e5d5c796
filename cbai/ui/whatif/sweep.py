"""A sweep on the page: the choice of parameters, the figures as they fill, and all numbers."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from cbai.figures.base.style import THIN_SPACE
from cbai.figures.base.words import Words
from cbai.figures.whatif import sweep_lines, sweep_map
from cbai.problem import Problem
from cbai.results.export import safe_csv
from cbai.results.limit import binds
from cbai.simulation import find
from cbai.ui.parts import chart
from cbai.ui.runs import cache, on_demand, stopping
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.speakers import cells_of
from cbai.ui.whatif.sweep_plan import FEW_RUNS, PARAMETERS, Found, Plan, plan_for, what_was_done
from cbai.ui.whatif.sweep_sentences import runs_of
from cbai.ui.whatif.sweep_table import frame

DEFAULT = "error δ"
MOST_PARAMETERS = 2
FIRST = "varied"
"""The first of the parameters, once more as a short list beside the picture."""
FIRST_SECONDS, REDRAW_SECONDS = 0.3, 1.0
"""For how long runs are made before the picture is drawn: the first time, and then."""
BLANKS = 8
"""How many more elements an earlier sweep may have shown than the sweep that is filling."""
A_ROW = 3
"""Figures side by side on a wide screen."""


def choose(setup: Setup, every: Problem, front: DeltaGenerator) -> Plan:
    """Draw the choice of parameters, and return the sweep over them.

    Parameters
    ----------
    setup : Setup
    every : Problem
        With all arms that there may be.
    front : DeltaGenerator
        Where the first parameter can be chosen, too: it is what the picture varies.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key="sweep_controls"):
        vary = st.multiselect(
            "Parameters to change (one or two)",
            list(PARAMETERS),
            default=[DEFAULT],
            max_selections=MOST_PARAMETERS,
            key=in_link("vary"),
            bind="query-params",
            width=330,
            help="Tries several values of this parameter, or all pairs of values of two. All else "
            "stays as in the sentence and the sidebar.",
        )
        all_runs = st.toggle(
            f"All {setup.trials:,} runs at every value",
            key=in_link("all_runs"),
            bind="query-params",
            disabled=setup.trials <= FEW_RUNS,
            help=f"A first look needs only {FEW_RUNS} runs at each value. All runs give narrower "
            "intervals and take longer. Runs that the page Samples has finished are reused.",
        )
    _choose_first(vary or [DEFAULT], front)
    names = [PARAMETERS[name] for name in vary or [DEFAULT]]
    plan = plan_for(setup, names, cache.get_validity(setup), all_runs=all_runs, every=every)
    said = [f"**{axis.title.capitalize()}.** {text}" for axis in plan.axes
            if (text := what_was_done(axis.name, setup.words))]  # fmt: skip
    # This container is drawn even if it is empty. Without it, what follows would move, and figures
    # of the previous sweep would stay on the page while this sweep fills.
    with st.container():
        if said:
            st.caption("  \n".join(said))
    return plan


def _choose_first(vary: Sequence[str], place: DeltaGenerator) -> None:
    """Draw the choice of what the picture varies; it changes the first entry of the longer list."""
    if st.session_state.get(FIRST) != vary[0]:  # setting it closes an open list
        st.session_state[FIRST] = vary[0]
    with place:
        st.selectbox(
            "Vary",
            list(PARAMETERS),
            key=FIRST,
            on_change=_take_first,
            width=210,
            label_visibility="collapsed",
            filter_mode=None,  # a phone then shows no keyboard
            help="What changes along the picture. All else stays as in the sentence.",
        )


def _take_first() -> None:
    """Vary what was chosen, and the second parameter if there was one, as a callback."""
    first = st.session_state[FIRST]
    rest = [name for name in st.session_state.get("vary", [])[1:] if name != first]
    st.session_state["vary"] = [first, *rest]


def blank(plan: Plan, found: Found) -> None:
    """Draw empty elements over those of an earlier sweep, which would stay while this one fills."""
    if any(found[job] is None for job in plan.jobs):
        for _ in range(BLANKS):
            st.empty()


def status(plan: Plan, found: Found) -> None:
    """Run missing trials for a while and rerun the page, or say that the sweep was stopped.

    Everything else on the page must be drawn before.
    """
    begun = any(trials is not None for trials in found.values())
    if on_demand.work_on(plan.jobs, REDRAW_SECONDS if begun else FIRST_SECONDS):
        return
    cells = [(index, name) for index in plan.setups for name in plan.algorithms]
    done = sum(plan.trials(index, name, found) is not None for index, name in cells)
    stopping.say_stopped(
        f"Stopped. Cells done: {done:,} of {len(cells):,}. Finished cells are shown; the "
        "others are empty."
        if done < len(cells)
        else f"Stopped. All {done:,} cells are done. Only some of the {plan.whole.trials:,} runs "
        "at your own setting are missing.",
        "Go on",
    )


def limit_at(setup: Setup, name: str) -> float | None:
    """Return the lower bound in samples if it applies to an algorithm, else None.

    It applies to algorithms that err with probability delta at most on every problem and look for
    the one best arm. In a tie the lower bound is infinite.
    """
    one_best = setup.epsilon == 0.0 and setup.top == 1
    if not one_best or not binds(find(name), setup.problem.n_arms, setup.delta):
        return None
    limit = cache.get_limit(setup)
    return None if limit.tied else limit.samples


def figures(plan: Plan, found: Found, words: Words) -> None:
    """Draw a figure for each algorithm from the finished cells."""
    if len(plan.axes) == 1:
        _lines(plan, found, words)
    else:
        _maps(plan, found, words)


def _lines(plan: Plan, found: Found, words: Words) -> None:
    axis = plan.axes[0]
    infos = []
    for name in plan.algorithms:
        cells = cells_of(plan, name, found)
        infos.append(
            sweep_lines.Info(
                find(name),
                axis,
                tuple(cells.get(index) for index in plan.setups),
                tuple(limit_at(*plan.job(index, name)) for index in plan.setups),
                tuple(setup.delta for setup in plan.setups.values()),
            )
        )
    ends, top = sweep_lines.ends_of(infos)
    _side_by_side(
        plan.algorithms,
        [
            (sweep_lines.draw(info, words, ends, top), sweep_lines.alt_text(info, words))
            for info in infos
        ],
    )


def _maps(plan: Plan, found: Found, words: Words) -> None:
    across, down = plan.axes
    infos = [
        sweep_map.Info(
            find(name),
            across,
            down,
            {(index[0], index[1]): cell for index, cell in cells_of(plan, name, found).items()},
        )
        for name in plan.algorithms
    ]
    rates = [cell.errors.estimate for info in infos for cell in info.cells.values()]
    worst = max([*rates, *(2.0 * setup.delta for setup in plan.setups.values())])
    _side_by_side(
        plan.algorithms,
        [(sweep_map.draw(info, words, worst), sweep_map.alt_text(info, words)) for info in infos],
    )


def _side_by_side(names: Sequence[str], drawn: Sequence[tuple[go.Figure, str]]) -> None:
    for first in range(0, len(names), A_ROW):
        for i, column in enumerate(st.columns(A_ROW), first):
            if i < len(names):
                with column:
                    st.markdown(f"**{find(names[i]).title}**")
                    chart.show(drawn[i][0], f"sweep {names[i]}", drawn[i][1])


def how_to_read(plan: Plan, found: Found, words: Words) -> str:
    """Say how to read the figures."""
    each = runs_of(plan, "the sidebar's setting")
    if len(plan.axes) == 2:
        return (
            f"Each cell shows {each} at one pair of values. Upper map: the mean {words.samples}. "
            "Lower map: the share of wrong answers, 0 if there was none. Point at a cell for its "
            f"intervals. The sidebar's setting has a frame. A darker cell has more "
            f"{words.samples}, or more wrong answers. Errors have one scale for all algorithms."
        )
    limits = any(limit_at(*job) is not None for job in plan.cells)
    ran_out = any(trials is not None and not trials.identified.all() for trials in found.values())
    return (
        f"Upper panel: the mean {words.samples} of {each} on a logarithmic scale, with its "
        f"95{THIN_SPACE}% interval. Lower panel: the share of wrong answers with its exact "
        f"95{THIN_SPACE}% interval; the dashed line is what δ allows. The dotted line and bold "
        "label mark the sidebar's value."
        + (
            " Open triangles: some runs ran out of budget, so the true mean is higher."
            if ran_out
            else ""
        )
        + (
            " Dashed line in the upper panel: the lower bound. No algorithm that ignores "
            "correlations and errs at most δ of the time on every problem can need fewer "
            f"{words.samples} on average."
            if limits
            else ""
        )
    )


def numbers(plan: Plan, found: Found) -> None:
    """Show the table of all finished cells, and offer it as CSV."""
    table = frame(plan, found, cache.get_validity, limit_at)
    if table.empty:
        return
    st.subheader("All numbers", anchor=False)
    shown = ["algorithm", *(_column(axis.name) for axis in plan.axes)]
    rest = ["runs", "mean", "mean_low", "mean_high", "wrong", "error_low", "error_high", "ran_out"]
    more = ["assumption", "limit"]
    visible = table.assign(mean=table["mean"].where(table["complete"]))
    st.dataframe(
        visible[list(dict.fromkeys([*shown, *rest, *more]))],
        hide_index=True,
        placeholder="–",
        column_config={
            "algorithm": "Algorithm",
            "delta": st.column_config.NumberColumn("δ", format="plain"),
            "p": st.column_config.NumberColumn("p", format="percent"),
            "q": st.column_config.NumberColumn("q", format="%.2f"),
            "arms": plan.whole.words.capital_arms,
            "gap": st.column_config.NumberColumn("Gap", format="%.3f"),
            "runs": st.column_config.NumberColumn("Runs"),
            "mean": st.column_config.NumberColumn("Mean", format="%,.0f"),
            "mean_low": st.column_config.NumberColumn("Mean from", format="%,.0f"),
            "mean_high": st.column_config.NumberColumn("Mean to", format="%,.0f"),
            "wrong": st.column_config.NumberColumn("Wrong"),
            "error_low": st.column_config.NumberColumn("Errors from", format="percent"),
            "error_high": st.column_config.NumberColumn("Errors to", format="percent"),
            "ran_out": st.column_config.NumberColumn("Ran out of budget"),
            "assumption": "Pseudo-rewards",
            "limit": st.column_config.NumberColumn("Lower bound", format="%,.0f"),
        },
    )
    st.caption(
        f"“From” and “to” are the ends of 95{THIN_SPACE}% intervals, of the mean and of the error "
        "rate. If runs ran out of budget, no mean is shown. In the file the mean of these rows is "
        "only a lower bound on the true mean, and “complete” is False."
    )
    st.download_button(
        "Download all cells as CSV",
        lambda: safe_csv(table),
        file_name=f"cbai-{plan.whole.dataset_id}-{'-'.join(axis.name for axis in plan.axes)}.csv",
        mime="text/csv",
        key="sweep_csv",
        help="One row for each cell and algorithm, with seed and parameters.",
        on_click="ignore",
    )


def _column(name: str) -> str:
    return "runs" if name == "trials" else name
