"""The Stop button while runs are simulated, and what the page offers after it was pressed."""

from __future__ import annotations

import streamlit as st

STOPPED = "stopped run"
NOTHING_SHOWN = "Stopped before all runs were done. Partial results can mislead, so none are shown."


def is_stopped(run: str) -> bool:
    """Return whether these runs were stopped and not resumed."""
    return bool(st.session_state.get(STOPPED) == run)


def resume() -> None:
    """Allow stopped runs to start again."""
    st.session_state.pop(STOPPED, None)


def stop(run: str) -> None:
    """Keep runs from starting again until they are resumed."""
    st.session_state[STOPPED] = run


def say_stopped(words: str = NOTHING_SHOWN, label: str = "Run again") -> None:
    """Say that runs were stopped, and draw the button that resumes them.

    Both are in the container that the progress bar replaces. Otherwise the button would stay on the
    page, and could be pressed, while the runs continue.
    """
    with st.container():
        st.info(words)
        st.button(
            label,
            key="again",
            on_click=resume,
            help="Continues. Finished runs are kept; unfinished ones start over.",
        )


def offer_stop(run: str) -> None:
    """Draw the button that stops the runs."""
    st.button(
        "Stop",
        key="stop",
        on_click=stop,
        args=(run,),
        help="Ends the runs. Finished runs are kept; unfinished ones are not.",
    )
