"""The sidebar, in the order of a visitor's decisions; every control is bound to the link."""

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

    The very first visit to a fresh server may be a link to a page. Streamlit then treats ``pages/``
    as a folder of independent pages and runs the page without ``app.py``. Running ``app.py`` here
    corrects that for this visit. It calls ``st.navigation``, so later visits are correct, too.
    """
    if SETUP not in st.session_state:
        runpy.run_path(str(APP))
        st.stop()
    setup: Setup = st.session_state[SETUP]
    return setup


def draw() -> None:
    """Draw the sidebar and keep its settings for the page."""
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
            "Allowed error, δ",
            DELTAS,
            value=DEFAULT.delta,
            key=in_link("delta"),
            bind="query-params",
            help="If the guarantee holds, the answer is wrong with at most this probability. A "
            "smaller δ needs more samples.",
        )
        st.caption(f"If the guarantee holds, the answer is {percent(1.0 - delta)} certain.")
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
        help="Which problem to solve. Each page says where its numbers come from.",
    )
    dataset = rows[dataset_id]
    st.caption(dataset.story)
    # In a container of their own: another data set may have other options. If the widgets below
    # then moved, one of them could lose its binding to the link.
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
                help="A choice that this data set offers. The foot of each page says where the "
                "data come from.",
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
        "got. This share of them is replaced by the largest reward, which says nothing. The larger "
        f"p is, the less C-LUCB knows. At {percent(1.0)} it knows nothing.",
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
        help="Added to every pseudo-reward, in units of reward, in case the survey was too low. A "
        "larger buffer makes the answer safer but needs more samples.",
    )
    return p, q


def _algorithms() -> tuple[tuple[str, ...], str]:
    st.subheader("Algorithms", anchor=False)
    paper = [name for name, row in ALGORITHMS.items() if not row.beyond]
    chosen = _pills(
        "From the paper, and yours",
        [*paper, user_algorithm.PILL],
        in_link("algorithms"),
        "Algorithms with C-, maxmin- or 2- in their names use the pseudo-rewards. Yours is the one "
        "that you compose in the Algorithm lab.",
    )
    further = _pills(
        "Beyond the paper",
        [name for name in ALGORITHMS if name not in paper],
        in_link("beyond"),
        "Newer algorithms, and rivals that the paper names. The page Samples says what each of "
        "them assumes.",
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
            help="Changes the random rewards. The same seed repeats them.",
        )
        budget = st.select_slider(
            "Budget of one run",
            BUDGETS,
            value=DEFAULT.max_samples,
            format_func=lambda n: f"{n:,}",
            key=in_link("budget"),
            bind="query-params",
            help="A run that needs more samples than this ends without an answer. The pages say "
            "so.",
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
        ("As in the paper", f"{percent(0.2)} of the pseudo-rewards unknown, {buffer}", 0.2, paper),
        (
            "Safe buffer",
            f"{percent(0.2)} of the pseudo-rewards unknown, q = {decimal(safe)}",
            0.2,
            safe,
        ),
        ("No correlation", "All pseudo-rewards unknown", 1.0, 0.0),
    )
    st.subheader("Presets", anchor=False)
    with st.container(horizontal=True, gap="small", key="presets"):
        for name, meaning, *known in choices:
            st.button(name, key=f"preset {name}", help=meaning, on_click=set_known, args=known)


def _link(setup: Setup) -> None:
    with st.popover("Copy link", width="stretch"):
        if setup.dataset_id == user_problem.OWN:
            st.caption(
                "This link restores the settings but not your own data. Your data stay in this "
                "session."
            )
        else:
            st.caption("Anyone who opens this link sees what you see now.")
        st.code(address(setup), language=None, wrap_lines=True)
