"""The names that a link may use, and what a stranger among them may have meant."""

from __future__ import annotations

import re
from difflib import get_close_matches

from cbai.datasets import DATASETS
from cbai.problem.methods import METHODS
from cbai.ui.setup import DEFAULT, parameters

SIDEBAR = {*parameters(DEFAULT), *(name for row in DATASETS.values() for name in row.options)}
PAGES = {
    "after", "all_runs", "arms", "assumption_watched", "at", "bounds", "coin_mean", "compare_a",
    "compare_b", "compare_by", "compare_c", "compare_d", "compare_to", "corridor", "cost", "find",
    "genre_seed", "least_1", "least_5", "least_people", "left", "look_until", "looks", "method",
    "misses_allowed",
    "order", "pair_bounded", "pair_pulled", "paper", "people A only", "people B only",
    "people both", "people neither", "per_day", "pins", "present", "release", "rewards_of",
    "right", "run_number", "show", "shown_as", "source", "split", "split_seed", "split_share",
    "start", "step", "story_buffer", "story_delta", "story_q", "streams", "term", "unit", "vary",
    "views", "watched", "why", "why_by",
    *(f"{name}_{one.name}" for name, method in METHODS.items() for one in method.parameters),
}  # fmt: skip
NUMBERS = {
    "at", "coin_mean", "cost", "genre_seed", "least_1", "least_5", "least_people", "p", "per_day",
    "q", "run_number", "seed", "split_seed", "split_share", "step", "story_q",
    "people A only", "people B only", "people both", "people neither",
    *(f"{name}_{one.name}" for name, method in METHODS.items() for one in method.parameters),
}  # fmt: skip
"""What is a number in a link: a box or a slider of numbers, a round, a step."""
NUMBER = re.compile(r"[+-]?\d{1,20}(\.\d{0,20})?([eE][+-]?\d{1,3})?", re.ASCII)
LARGEST = 1e15
"""More than any number that can be set on a page."""
ALIKE = 0.7
FOREIGN = ("embed", "utm_", "fbclid", "gclid", "msclkid")
"""How names begin that others add to links: Streamlit, letters sent to many, search engines."""


def is_strange(name: str) -> bool:
    """Return whether no page has a control or a view of this name."""
    return name not in SIDEBAR | PAGES and not name.startswith(FOREIGN)


def meant(name: str) -> str:
    """Return the known name that is most like a strange one; empty if none is like it."""
    folded = {one.casefold(): one for one in sorted(PAGES | SIDEBAR)}
    like = get_close_matches(name.casefold(), folded, n=1, cutoff=ALIKE)
    return folded[like[0]] if like else ""


def is_number(text: str) -> bool:
    """Return whether a text is a number as people and pages write it.

    Infinities, thousands of digits, underscores and digits of other scripts are none, though Python
    reads some of them, and Streamlit fails on others.
    """
    return NUMBER.fullmatch(text) is not None and abs(float(text)) <= LARGEST
