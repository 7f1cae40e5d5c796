"""The runs behind the page Compare, and everything below its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from cbai.figures.base.style import THIN_SPACE, percent
from cbai.problem.validity import VIOLATED
from cbai.results import error_rates
from cbai.results.export import safe_csv
from cbai.simulation import Trials
from cbai.ui.compare.sentences import Pair, Side
from cbai.ui.compare.table import every_difference, every_run
from cbai.ui.markdown import plain
from cbai.ui.parts.answers import rate_text
from cbai.ui.parts.violation import VIOLATION, violation_text
from cbai.ui.runs import cache, on_demand
from cbai.ui.shell import sidebar
from cbai.ui.visit.pin_text import LETTERS
from cbai.ui.visit.pin_words import SHORT, differing, named
from cbai.ui.visit.setup import Setup


def get_sides(setups: Sequence[Setup], chosen: Sequence[str]) -> list[Side] | None:
    """Return what is compared, computed if need be; None if the user stopped the run.

    Parameters
    ----------
    setups : sequence of Setup
    chosen : sequence of str
        The algorithm of each setup. Empty for all algorithms; they are then sorted by algorithm.
    """
    names = [[name] for name in chosen] or [list(setup.algorithms) for setup in setups]
    jobs = [(at, name) for at, mine in enumerate(names) for name in mine]
    parts = on_demand.get_many([(setups[at], name) for at, name in jobs])
    if parts is None:
        return None
    what = differing(setups)
    titles = list(dict.fromkeys(trials.algorithms[0].title for trials in parts))
    sides = []
    for (at, _), trials in zip(jobs, parts, strict=True):
        title = trials.algorithms[0].title
        name = named(LETTERS[at], title, what[at], all_alike=len(titles) == 1)
        sides.append(Side(LETTERS[at], name, setups[at], trials))
    return sides if chosen else sorted(sides, key=lambda side: titles.index(side.title))


def in_short(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs for the answer: one algorithm only, if possible one using correlations."""
    uses = [pair for pair in pairs if pair.of.trials.algorithms[0].uses_correlation]
    several = len({pair.of.letter for pair in pairs}) < len(pairs)
    title = next(iter(uses or pairs)).of.title if several else ""
    return [pair for pair in pairs if not several or pair.of.title == title]


def describe(setups: Sequence[Setup]) -> None:
    """Describe the setups, if the descriptions are too long to show beside their letters."""
    what = differing(setups)
    if max(map(len, what)) > SHORT:
        each = zip(LETTERS, what, strict=False)
        st.caption(" · ".join(f"**{letter}** {plain(one)}" for letter, one in each))


def shout(sides: Sequence[Side]) -> None:
    """Warn of setups whose pseudo-rewards are too low, if an algorithm shown relies on them."""
    said = [text for letter in LETTERS for text in _shouts(letter, sides)]
    if said:
        with st.container(border=True, key="shout"):
            st.markdown("\n\n".join(f":red[:material/warning:] {text}" for text in said))


def without_guarantee(sides: Sequence[Side]) -> list[str]:
    """Return the letters of setups whose guarantee does not hold for an algorithm shown."""
    return [letter for letter in LETTERS if _shouts(letter, sides)]


def _shouts(letter: str, sides: Sequence[Side]) -> list[str]:
    mine = [side for side in sides if side.letter == letter]
    if not mine:
        return []
    setup = mine[0].setup
    validity, arm = cache.get_validity(setup), setup.words.arm
    rows = [side.trials.algorithms[0] for side in mine]
    relying = [row.title for row in rows if row.trusts_pseudo_rewards]
    two_sided = [row.title for row in rows if row.two_sided]
    said = []
    if validity.verdict == VIOLATED and relying:
        text = violation_text(validity, relying, arm, sidebar.safe_buffer(setup))
        said.append(f"**{letter}: {VIOLATION}** {text}")
    if two_sided and not validity.lower_holds:
        said.append(
            f"**{letter}: A lower bound from the survey is too high.** {', '.join(two_sided)} may "
            f"name a wrong {arm} more often than δ allows. A larger safety buffer q lowers these "
            "bounds."
        )
    return said


def errors(sides: Sequence[Side]) -> None:
    """Show how often each side named a wrong arm, with exact intervals, and what δ allows."""
    st.dataframe(
        pd.DataFrame(
            {
                "Setup": [side.letter for side in sides],
                "Algorithm": [side.title for side in sides],
                f"Wrong answers (exact 95{THIN_SPACE}% interval)": [
                    _rate(side.trials) for side in sides
                ],
                "δ allows": [percent(side.setup.delta) for side in sides],
            }
        ),
        hide_index=True,
        height="content",
    )


def _rate(trials: Trials) -> str:
    rate, out = error_rates(trials)[0], int((trials.status[0] == "budget").sum())
    if out == rate.total:
        return f"{out:,} of {rate.total:,} without an answer"
    return rate_text(rate) + (f", {out:,} without an answer" if out else "")


def downloads(sides: Sequence[Side], what: Mapping[str, str], pairs: Sequence[Pair]) -> None:
    """Offer all runs and all comparisons as CSV; `what` describes each setup, by its letter."""
    with st.container(horizontal=True):
        for label, make, name, rows in (
            ("Every run as CSV", partial(every_run, sides, what), "runs", "run of each setup"),
            (
                "Differences as CSV",
                partial(every_difference, pairs),
                "differences",
                "comparison, with its mean difference and interval",
            ),
        ):
            st.download_button(
                label,
                partial(_csv, make),
                file_name=f"cbai-compare-{name}.csv",
                mime="text/csv",
                key=f"compare {name}",
                icon=":material/download:",
                on_click="ignore",
                help=f"One row for each {rows}.",
            )
    st.caption("The link in the sidebar restores this comparison for anyone who opens it.")


def _csv(make: Callable[[], pd.DataFrame]) -> bytes:
    return safe_csv(make())
