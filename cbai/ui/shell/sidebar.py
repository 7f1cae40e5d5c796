"""The sidebar: from top to bottom as one thinks; every control is bound to the link."""

from __future__ import annotations

import runpy

import streamlit as st

from cbai.datasets import Dataset, load_problem
from cbai.figures.base.style import decimal, percent
from cbai.places import shipped
from cbai.simulation import ALGORITHMS
from cbai.simulation.rules.names import LAB_TITLE
from cbai.ui.runs import cache
from cbai.ui.shell.validity_sign import draw_sign
from cbai.ui.visit import pins, user_algorithm, user_problem
from cbai.ui.visit.address import address
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.setup import BUDGETS, DEFAULT, DELTAS, TRIALS, Setup, largest_buffer

SETUP = "setup"
PAPER_BUFFERS = {"goodreads-poetry": 0.1}
"""The buffer q of the paper's experiments, where it is not 0."""

APP = shipped("app.py")


def current() -> Setup:
    """Return what the sidebar holds in this run of the page.

    The very first visit to a fresh server may be a link to a page. Streamlit then takes ``pages/``
    for a folder of pages that stand alone and runs the page without ``app.py``; running that here
    puts it right, for this visit and, as it calls ``st.navigation``, for all later ones.
    """
    if SETUP not in st.session_state:
        runpy.run_path(str(APP))
        st.stop()
    setup: Setup = st.session_state[SETUP]
    return setup


def draw() -> None:
    """Draw the sidebar and keep what it holds for the page."""
    with st.sidebar:
        dataset, options = _problem()
        problem = (
            dataset.build()
            if dataset.id == user_problem.OWN
            else load_problem(dataset.id, **dict(options))
        )
        largest = largest_buffer(problem)
        known = st.container()
        st.subheader("How sure", anchor=False)
        delta = st.select_slider(
            "Error allowed, δ",
            DELTAS,
            value=DEFAULT.delta,
            key=in_link("delta"),
            bind="query-params",
            help="With a guarantee that stands, the answer is wrong with at most this probability. "
            "Smaller takes longer.",
        )
        st.caption(f"That is, {percent(1.0 - delta)} certain, where the guarantee stands.")
        algorithms, lab = _algorithms()
        trials, seed, budget = _runs()
        with known:
            p, q = _what_is_known(largest)
            setup = Setup(
                dataset.id,
                options,
                algorithms,
                delta,
                p,
                q,
                trials,
                seed,
                budget,
                dataset,
                problem,
                lab=lab,
            )
            st.session_state[SETUP] = setup
            draw_sign(setup)
        _presets(setup)
        pins.draw(setup)  # before the link, which holds what is pinned
        _link(setup)


def _problem() -> tuple[Dataset, tuple[tuple[str, str], ...]]:
    st.subheader("Problem", anchor=False)
    rows = user_problem.rows()
    ids = list(rows)
    dataset_id = st.selectbox(
        "Data set",
        ids,
        index=ids.index(DEFAULT.dataset_id),
        format_func=lambda name: rows[name].title,
        key=in_link("data"),
        bind="query-params",
        help="Who is looking for the best of what. Each page says where the numbers come from.",
    )
    dataset = rows[dataset_id]
    st.caption(dataset.story)
    # In a place of their own: if what stands below moved up or down when another data set has other
    # options, a widget could lose its binding to the link.
    place = st.container()
    options = tuple(
        (
            name,
            place.selectbox(
                name.replace("_", " ").capitalize(),
                list(allowed),
                format_func=allowed.__getitem__,
                key=name,
                bind="query-params",
                help="What this data set lets you choose. The foot of a page says where it comes "
                "from.",
            ),
        )
        for name, allowed in dataset.options.items()
    )
    return dataset, options


def _what_is_known(largest: float) -> tuple[float, float]:
    st.subheader("What is known", anchor=False)
    p = st.slider(
        "Pseudo-rewards unknown, p",
        0.0,
        1.0,
        value=DEFAULT.p,
        step=0.05,
        format="percent",
        key=number_in_link("p"),
        bind="query-params",
        help="A pseudo-reward says how good one option can be at most, given what another one "
        "got. This share of them is replaced by the largest reward, which says nothing. Raise it "
        "and C-LUCB knows less; at 100 % nothing.",
    )
    if st.session_state.get("q", 0.0) > largest:
        st.session_state["q"] = largest
    q = st.slider(
        "Safety buffer, q",
        0.0,
        largest,
        value=DEFAULT.q,
        step=0.01,
        key=number_in_link("q"),
        bind="query-params",
        help="Added to every pseudo-reward, in units of reward, in case the survey was too low. "
        "Raise it and the answer is safer but takes longer.",
    )
    return p, q


def _algorithms() -> tuple[tuple[str, ...], str]:
    st.subheader("Algorithms", anchor=False)
    paper = [name for name, row in ALGORITHMS.items() if not row.beyond]
    chosen = _pills(
        "The paper's, and yours",
        [*paper, user_algorithm.PILL],
        in_link("algorithms"),
        "Those with C-, maxmin- and 2- use the pseudo-rewards. Yours is what you compose in the "
        "Algorithm lab.",
    )
    further = _pills(
        "Beyond the paper",
        [name for name in ALGORITHMS if name not in paper],
        in_link("beyond"),
        "Newer ones, and rivals that the paper names. Each says on Samples what it assumes.",
    )
    lab = user_algorithm.recipe()
    names = tuple(name for name in ALGORITHMS if name in (*chosen, *further))
    return (*names, lab) if user_algorithm.PILL in chosen else names, lab


def _pills(label: str, options: list[str], key: str, explained: str) -> list[str]:
    chosen: list[str] = st.pills(
        label,
        options,
        selection_mode="multi",
        default=[name for name in DEFAULT.algorithms if name in options],
        format_func=lambda name: (
            LAB_TITLE if name == user_algorithm.PILL else ALGORITHMS[name].title
        ),
        key=key,
        bind="query-params",
        help=explained,
    )
    return chosen


def _runs() -> tuple[int, int, int]:
    with st.expander("Runs"):
        trials = st.select_slider(
            "Number of runs",
            TRIALS,
            value=DEFAULT.trials,
            key=in_link("trials"),
            bind="query-params",
            help="How often each algorithm is run. More runs give narrower intervals and take "
            "longer.",
        )
        seed = st.number_input(
            "Seed",
            0,
            2**31 - 1,
            value=DEFAULT.seed,
            key=number_in_link("seed"),
            bind="query-params",
            help="Another seed, other random rewards. The same seed gives the same results.",
        )
        budget = st.select_slider(
            "Budget of one run",
            BUDGETS,
            value=DEFAULT.max_samples,
            format_func=lambda n: f"{n:,}",
            key=in_link("budget"),
            bind="query-params",
            help="A run that needs more samples than this ends without an answer, and is shown "
            "as such.",
        )
    return trials, seed, budget


def set_known(p: float, q: float) -> None:
    """Set p and q, as a button's callback."""
    st.session_state["p"] = p
    st.session_state["q"] = q


def safe_buffer(setup: Setup) -> float:
    """Return the smallest buffer on the slider that keeps the guarantee, whatever is unknown."""
    return min(cache.get_validity(setup).smallest_safe_q, largest_buffer(setup.problem))


def _presets(setup: Setup) -> None:
    safe = safe_buffer(setup)
    paper = PAPER_BUFFERS.get(setup.dataset_id, 0.0)
    buffer = f"q = {paper:g}" if paper else "no buffer"
    choices = (
        ("As in the paper", f"20 % unknown, {buffer}", 0.2, paper),
        ("Safe buffer", f"20 % unknown, q = {decimal(safe)}", 0.2, safe),
        ("No correlation", "nothing is known", 1.0, 0.0),
    )
    st.subheader("Presets", anchor=False)
    with st.container(horizontal=True, gap="small", key="presets"):
        for name, meaning, *known in choices:
            st.button(name, key=f"preset {name}", help=meaning, on_click=set_known, args=known)


def _link(setup: Setup) -> None:
    with st.popover("Copy link", width="stretch"):
        if setup.dataset_id == user_problem.OWN:
            st.caption("Restores the settings, not your own data: those stay in this session.")
        else:
            st.caption("Restores what you see, for anyone who opens it.")
        st.code(address(setup), language=None, wrap_lines=True)
