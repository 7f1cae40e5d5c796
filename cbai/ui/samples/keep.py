"""Keep and share a run: by a link, a file that repeats it, a table of its numbers, a report."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from cbai.results.export import parquet, safe_csv
from cbai.results.limit import Limit
from cbai.results.run_file import to_json
from cbai.simulation import Trials, find
from cbai.ui.runs import cache, known_limit
from cbai.ui.samples.report import Content, report
from cbai.ui.shell import sidebar
from cbai.ui.shell.validity_sign import sign_of
from cbai.ui.visit import user_problem
from cbai.ui.visit.address import address
from cbai.ui.visit.setup import Setup


def run_json(setup: Setup, trials: Trials) -> str:
    """Return a run as JSON: by the name of its data set, or with the user's own problem in it."""
    if setup.dataset_id == user_problem.OWN:
        return to_json(trials)
    return to_json(trials, setup.dataset_id, dict(setup.options))


@dataclass(frozen=True)
class _Maker:
    """Makes the report when it is asked for, in a thread of its own."""

    setup: Setup
    trials: Trials
    limit: Limit
    link: str
    run_file: str

    def __call__(self) -> str:
        setup = self.setup
        watched = min(setup.algorithms, key=lambda name: not find(name).uses_correlation)
        validity = cache.get_validity(setup)
        known, why_not = known_limit.get_known_limit(setup)
        return report(
            Content(
                setup,
                self.trials,
                self.limit,
                validity,
                sign_of(setup),
                sidebar.safe_buffer(setup),
                cache.get_trace(setup, watched),
                self.link,
                self.run_file,
                known,
                "" if why_not == known_limit.PENDING else why_not,
            )
        )


def draw(setup: Setup, trials: Trials, limit: Limit) -> None:
    """Draw the popover with all that can be kept of a run."""
    name = f"cbai-{setup.dataset_id}-delta{setup.delta:g}-p{setup.p:g}-q{setup.q:g}"
    here, mine = address(setup), setup.dataset_id == user_problem.OWN
    run_file = f"{name}.json"
    with st.popover("Keep this run", icon=":material/bookmark:", key="keep run"):
        st.download_button(
            "Report, one page",
            _Maker(setup, trials, limit, "" if mine else here, run_file),
            file_name=f"{name}.html",
            mime="text/html",
            key="keep report",
            icon=":material/description:",
            on_click="ignore",
            help="One HTML page that works offline. Print it to get a PDF.",
        )
        st.download_button(
            "Run as JSON",
            lambda: run_json(setup, trials),
            file_name=run_file,
            mime="application/json",
            key="keep json",
            icon=":material/replay:",
            on_click="ignore",
            help="`python -m cbai run FILE` repeats it and says whether the results are the same.",
        )
        with st.container(horizontal=True):
            st.download_button(
                "Every run as CSV",
                lambda: safe_csv(trials.to_frame()),
                file_name=f"{name}.csv",
                mime="text/csv",
                key="keep csv",
                help="One row per run and algorithm, with all parameters. Spreadsheets open it.",
                on_click="ignore",
            )
            st.download_button(
                "as Parquet",
                lambda: parquet(trials.to_frame()),
                file_name=f"{name}.parquet",
                mime="application/vnd.apache.parquet",
                key="keep parquet",
                help="The same table in a format that keeps types, for pandas, R or Arrow.",
                on_click="ignore",
            )
        st.caption(
            "This link restores the settings but not your own data. The JSON file also holds the "
            "data."
            if mine
            else "Anyone who opens this link sees what you see now:"
        )
        st.code(here, language=None, wrap_lines=True)
