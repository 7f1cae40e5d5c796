"""The frame of the story: the current step, the moves, and a question with its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.link_names import number_in_link

STEP = number_in_link("step")
"""The query parameter of the step."""
_KEPT, _AWAY, _TURNED = "story step", "away from the story", "story moves"

STYLE = """
<style>
.st-key-story-page h2 { font-size: 1.75rem; }
.st-key-story-moves { align-items: center; margin-bottom: 0.4rem; }
.st-key-story-dots {
  position: relative; top: -0.35rem; width: auto; gap: 0; flex-wrap: nowrap; align-items: center;
}
.st-key-story-dots * { line-height: 1; }
[class*="st-key-story-dot-"] button {
  width: 1.75rem; height: 1.75rem; min-height: 1.75rem; padding: 0; margin: 0;
  display: flex; align-items: center; justify-content: center;
}
[class*="st-key-story-dot-"] button p { font-size: 0 !important; }
[class*="st-key-story-dot-"] button p::after {
  content: ""; display: block; width: 0.7rem; height: 0.7rem; border-radius: 50%;
  border: 2px solid currentColor; box-sizing: border-box;
}
[class*="st-key-story-dot-done"] button p::after { background: currentColor; }
[class*="st-key-story-dot-here"] button p::after {
  background: currentColor; width: 1.05rem; height: 1.05rem;
}
@media (max-width: 640px) {
  .st-key-story-moves { flex-wrap: nowrap; gap: 0.4rem; justify-content: space-between; }
  :is(.st-key-story-back, .st-key-story-next) button p {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  [class*="st-key-story-dot-"] button { width: 1.5rem; }
}
</style>
"""


@dataclass(frozen=True)
class Step:
    """One unit of the story.

    Attributes
    ----------
    title : str
    words : str
        At most three short sentences.
    show : callable
        Draws the controls and the figure in their places, and returns what the step says.
    wide : bool
        Whether the figure needs the page's full width.
    many_controls : bool
        Whether the controls stand below the figure on a slide, in one row.
    """

    title: str
    words: str
    show: Callable[[Places], Said]
    wide: bool = False
    many_controls: bool = False


@dataclass(frozen=True)
class Places:
    """The containers into which a step draws.

    Attributes
    ----------
    controls, figure : DeltaGenerator
    remarks : DeltaGenerator
        Above the question, for a warning.
    """

    controls: DeltaGenerator
    figure: DeltaGenerator
    remarks: DeltaGenerator


@dataclass(frozen=True)
class Said:
    """What a step says, all computed: a finding from its figure, a question, and its answer.

    If an answer takes a moment to compute, it is a function that is called when it is asked for.
    """

    finding: str
    question: str
    answer: str | Callable[[], str]


def current(total: int) -> int:
    """Return the step to show, counted from 1: that of the link, else the first.

    A visitor who comes back from another page continues at the step where they left. Otherwise an
    address without a step means that the browser's Back button has led to the first step.
    """
    asked = st.query_params.get(STEP)
    away = st.session_state.pop(_AWAY, False)
    if asked is not None and asked.isdecimal() and 1 <= int(asked) <= total:
        here = int(asked)
    else:
        here = int(st.session_state.get(_KEPT, 1)) if away else 1
        _note(here)
    st.session_state[_KEPT] = here
    return here


def leave() -> None:
    """Note that another page is shown."""
    st.session_state[_AWAY] = True


def go(step: int) -> None:
    """Go to a step, as a callback."""
    st.session_state[_KEPT] = step
    _note(step)


def _move(by: int, total: int) -> None:
    """Go forward or back from the current step, as a callback; keys may be faster than the page."""
    st.session_state[_TURNED] = turned() + 1
    go(min(max(int(st.session_state.get(_KEPT, 1)) + by, 1), total))


def turned() -> int:
    """Return how often Back and Next were pressed, to show the browser that a press counted."""
    return int(st.session_state.get(_TURNED, 0))


def _note(step: int) -> None:
    if step == 1:
        st.query_params.pop(STEP, None)
    else:
        st.query_params[STEP] = str(step)


def moves(here: int, titles: Sequence[str]) -> None:
    """Draw one dot for each step, between the buttons Back and Next."""
    total = len(titles)
    st.html(STYLE)
    with st.container(horizontal=True, key="story moves", vertical_alignment="center"):
        st.button(
            "Back",
            key="story back",
            icon=":material/chevron_left:",
            disabled=here == 1,
            on_click=_move,
            args=(-1, total),
            help="Goes to the previous step. The left arrow key does the same.",
        )
        with st.container(horizontal=True, key="story dots", width="content"):
            for number, title in enumerate(titles, start=1):
                state = "here" if number == here else "done" if number < here else "next"
                st.button(
                    f"Step {number}: {title}",
                    key=f"story dot {state} {number}",
                    type="tertiary",
                    on_click=go,
                    args=(number,),
                    help=f"Step {number} of {total}: {title}",
                )
        st.button(
            "Next",
            key="story next",
            icon=":material/chevron_right:",
            icon_position="right",
            type="primary" if here < total else "secondary",
            disabled=here == total,
            on_click=_move,
            args=(1, total),
            help="Goes to the next step. The right arrow key does the same.",
        )


def ask(step: int, said: Said) -> None:
    """Draw a question, and its answer when it is asked for."""
    key = f"story shown {step}"
    shown = bool(st.session_state.get(key, False))
    with st.container(border=True, key="story question"):
        st.markdown(f"**Question.** {said.question}")
        st.button(
            "Hide the answer" if shown else "Show the answer",
            key="story answer",
            on_click=_turn,
            args=(key,),
            help="Think first. In the presenter view the key A does the same.",
        )
        if shown:
            with st.container(key="story told"):
                st.markdown(said.answer if isinstance(said.answer, str) else said.answer())


def _turn(key: str) -> None:
    st.session_state[key] = not st.session_state.get(key, False)
