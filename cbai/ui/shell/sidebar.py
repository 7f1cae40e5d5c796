"""The sidebar, in the order of a visitor's decisions; every control is bound to the link."""

from __future__ import annotations

import runpy

import streamlit as st

from cbai.datasets import DATASETS, Dataset, load_problem
from cbai.figures.base.style import decimal, percent
from cbai.places import shipped
from cbai.problem.validity import check_validity
from cbai.simulation import ALGORITHMS
from cbai.simulation.rules.names import LAB_TITLE
from cbai.ui.runs import cache
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell.validity_sign import draw_sign
from cbai.ui.visit import pins, user_algorithm, user_problem
from cbai.ui.visit.link_names import in_link, known_names, number_in_link
from cbai.ui.visit.setup import BUDGETS, DEFAULT, DELTAS, TRIALS, Setup, largest_buffer, round_up

SETUP = "setup"
PAPER_BUFFERS = {"goodreads-poetry": 0.1}
"""The buffer q of the paper's experiments, where it is not 0."""

FIRST_DATA_SET = "ad-campaign"
"""The data set of a first visit: its pseudo-rewards are valid without a buffer."""

PARTS = ("problem", "known", "sure", "algorithms", "more", "pin")
SHOWN = {
    "": ("problem", "sure"),
    "competitive": ("problem", "known", "sure", "algorithms", "more"),
    "data": ("sure",),
    "theory": ("problem", "known", "sure", "more"),
    **dict.fromkeys(("story", "bounds", "paper", "glossary"), ()),
}
"""The parts of the sidebar that change a page, by its path; all parts for the others."""

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


def draw(page: str) -> None:
    """Draw the sidebar and keep its settings for the page.

    Parameters
    ----------
    page : str
        The path of the page, empty for Home. Settings that do not change it are hidden. They stay
        where they are, so that the visit and its links keep them.
    """
    with st.sidebar:
        st.html(_hide(page))
        dataset, options = _problem()
        problem = (
            dataset.build()
            if dataset.id == user_problem.OWN
            else load_problem(dataset.id, **dict(options))
        )
        largest = largest_buffer(problem)
        known = st.container(key="part-known")
        sure = st.container(key="part-sure")
        sure.subheader("How sure", anchor=False)
        delta = sure.select_slider(
            "Allowed error, δ",
            DELTAS,
            value=DEFAULT.delta,
            key=in_link("delta"),
            bind="query-params",
            help="If the guarantee holds, the answer is wrong with at most this probability. A "
            "smaller δ needs more samples.",
        )
        sure.caption(f"If the guarantee holds, the answer is {percent(1.0 - delta)} certain.")
        chosen = st.container(key="part-algorithms")
        more = st.container(key="part-more").expander("More")
        algorithms, lab = _algorithms(chosen, more)
        with more:
            trials, seed, budget = _runs()
        with known:
            p, q = _what_is_known(largest, disabled=not problem.has_pseudo_rewards)
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
        with more:
            _presets(setup)
        with st.container(key="part-pin"):
            pins.draw(setup)


def _hide(page: str) -> str:
    """Return the style that hides the parts that a page does not use."""
    hidden = [f".st-key-part-{part}" for part in PARTS if part not in SHOWN.get(page, PARTS)]
    # the list of data sets always has a choice, so it need not say that one is required
    required = '.st-key-data [data-testid="stWidgetLabelRequired"]'
    return f"<style>{', '.join([*hidden, required])} {{ display: none; }}</style>"


def _first_data_set() -> str:
    """Return the data set of an address that names none.

    The first visit of all begins with one whose pseudo-rewards are valid. Addresses with other
    settings but no data set are old. They mean the data set that was the default then.
    """
    asked = known_names() & {*st.query_params} - {"present", "data"}
    return DEFAULT.dataset_id if asked else FIRST_DATA_SET


def _problem() -> tuple[Dataset, tuple[tuple[str, str], ...]]:
    box = st.container(key="part-problem")
    box.subheader("Problem", anchor=False)
    rows = user_problem.rows()
    asked = {row.title for row in rows.values()} & {*st.query_params.get_all("data")}
    if st.session_state.get("data") not in rows and not asked:
        first, begins = _first_data_set(), "data" not in st.session_state
        st.session_state["data"] = first
        if begins:  # later the address follows the control
            st.query_params["data"] = rows[first].title
    dataset_id = box.selectbox(
        "Data set",
        list(rows),
        index=None,  # no default: every address then names its data set
        required=True,
        format_func=lambda name: rows[name].title,
        key=in_link("data"),
        bind="query-params",
        on_change=_begin_safely,
        help="Which problem to solve. Each page says where its numbers come from.",
    )
    if dataset_id is None:  # the link named a data set that does not exist
        st.rerun()
    dataset = rows[dataset_id or DEFAULT.dataset_id]
    box.caption(dataset.story)
    # In a container of their own: another data set may have other options. If the widgets below
    # then moved, one of them could lose its binding to the link.
    place = box.container()
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


def _begin_safely() -> None:
    """Set the smallest buffer that keeps the guarantee for the data set just chosen."""
    name = st.session_state["data"]
    if name in DATASETS:
        problem = load_problem(name)
        safe = check_validity(problem, masks=1).smallest_safe_q
        st.session_state["q"] = min(safe, largest_buffer(problem))


def _what_is_known(largest: float, *, disabled: bool) -> tuple[float, float]:
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
        disabled=disabled,
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
        disabled=disabled,
        help="Added to every pseudo-reward, in units of reward, in case the survey was too low. A "
        "larger buffer makes the answer safer but needs more samples.",
    )
    return p, q


def _algorithms(chosen: DeltaGenerator, more: DeltaGenerator) -> tuple[tuple[str, ...], str]:
    paper = [name for name, row in ALGORITHMS.items() if not row.beyond]
    with chosen:
        st.subheader("Algorithms", anchor=False)
        first = _pills(
            "From the paper, and yours",
            [*paper, user_algorithm.PILL],
            in_link("algorithms"),
            "Algorithms with C-, maxmin- or 2- in their names use the pseudo-rewards. Yours is the "
            "one that you compose in the Algorithm lab.",
        )
    with more:
        further = _pills(
            "Algorithms beyond the paper",
            [name for name in ALGORITHMS if name not in paper],
            in_link("beyond"),
            "Newer algorithms, and rivals that the paper names. The page Samples says what each of "
            "them assumes.",
        )
        lab, complaint = user_algorithm.recipe()
    place = chosen.container()  # not where the recipe is, as that is folded away
    if complaint:
        place.warning(complaint)
    names = tuple(name for name in ALGORITHMS if name in (*first, *further))
    return (*names, lab) if user_algorithm.PILL in first else names, lab


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
    trials = st.select_slider(
        "Number of runs",
        TRIALS,
        value=DEFAULT.trials,
        key=in_link("trials"),
        bind="query-params",
        help="How often each algorithm is run. More runs give narrower intervals and take longer.",
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
        "Limit of one run",
        BUDGETS,
        value=DEFAULT.max_samples,
        format_func=lambda n: f"{n:,}",
        key=in_link("budget"),
        bind="query-params",
        help="A run that needs more samples than this ends without an answer. The pages say so.",
    )
    return trials, seed, budget


def set_known(p: float, q: float) -> None:
    """Set p and q, as a button's callback."""
    st.session_state["p"] = p
    st.session_state["q"] = q


def safe_buffer(setup: Setup) -> float:
    """Return the smallest buffer on the slider that keeps the guarantee, whatever is unknown.

    For a visitor's own survey it allows for the few people who test the pseudo-rewards.
    """
    trust = user_problem.trust(setup.dataset_id)
    safe = cache.get_validity(setup).smallest_safe_q
    if trust is not None:
        safe = max(safe, round_up(trust.q_high))
    return min(safe, largest_buffer(setup.problem))


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
    st.caption("Presets of p and q")
    with st.container(horizontal=True, gap="small", key="presets"):
        for name, meaning, *known in choices:
            st.button(name, key=f"preset {name}", help=meaning, on_click=set_known, args=known)
