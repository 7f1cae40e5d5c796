"""The Stop button of runs at work, and what the page says and offers once it was pressed."""

from __future__ import annotations

import streamlit as st

STOPPED = "stopped run"
NOTHING_SHOWN = "Stopped before all runs were done. Partial results can mislead, so none are shown."


def is_stopped(run: str) -> bool:
    """Return whether this run was stopped, and has not been resumed."""
    return bool(st.session_state.get(STOPPED) == run)


def resume() -> None:
    """Allow a stopped run to start again."""
    st.session_state.pop(STOPPED, None)


def stop(run: str) -> None:
    """Keep a run from starting again until it is resumed."""
    st.session_state[STOPPED] = run


def say_stopped(words: str = NOTHING_SHOWN, label: str = "Run again") -> None:
    """Say that a run was stopped, and draw the button that goes on with it.

    Both are in one place, that of the run, which takes it back: else the button would stay on the
    page, and could be pressed, while the run is at work again.
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
    """Draw the button that ends a run at work."""
    st.button(
        "Stop",
        key="stop",
        on_click=stop,
        args=(run,),
        help="Ends the runs. Finished runs are kept; unfinished ones are not.",
    )
