"""The names that a link may use, and the known name that an unknown one may stand for.

The call that makes a control marks its name: ``key=in_link(...)``. The names are read from the
code. No list of them is needed, and the names of pages that nobody has opened yet are known, too.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import cbai
from cbai.datasets import DATASETS
from cbai.places import shipped
from cbai.problem.methods import METHODS

MARK = re.compile(r'\b(number_)?in_link\(\s*"([^"\\]+)",?\s*\)')
ALIKE = 0.7
FOREIGN = ("embed", "utm_", "fbclid", "gclid", "msclkid")
"""Beginnings of names that others add to links: Streamlit, newsletters, search engines."""


def in_link(name: str) -> str:
    """Mark the name of a control or a view that a link may set.

    Parameters
    ----------
    name : str
        A literal in the call, because `known_names` reads it from the code.

    Returns
    -------
    str
        The name as it is.
    """
    return name


def number_in_link(name: str) -> str:
    """Mark a name as `in_link` does, for a number: a number box, a slider, a round, a step."""
    return name


@cache
def _marked() -> dict[str, bool]:
    """Return all names that the code of the pages marks, and whether each is a number."""
    files = [*(Path(cbai.__file__).parent / "ui").rglob("*.py"), *shipped("pages").glob("*.py")]
    found = [mark for file in files for mark in MARK.findall(file.read_text(encoding="utf-8"))]
    return {name: bool(number) for number, name in found}


_OF_METHODS = {f"{name}_{one.name}" for name, row in METHODS.items() for one in row.parameters}
_OF_DATA_SETS = {name for row in DATASETS.values() for name in row.options}


@cache
def known_names() -> frozenset[str]:
    """Return all names that a link may use, on whichever page."""
    return frozenset({*_marked(), *_OF_METHODS, *_OF_DATA_SETS})


@cache
def known_numbers() -> frozenset[str]:
    """Return the `known_names` whose values are numbers."""
    return frozenset({*(name for name, number in _marked().items() if number), *_OF_METHODS})


def is_strange(name: str) -> bool:
    """Return whether no page has a control or a view of this name."""
    return name not in known_names() and not name.startswith(FOREIGN)


def meant(name: str) -> str:
    """Return the known name that is most similar to a strange one; empty if none is similar."""
    folded = {one.casefold(): one for one in sorted(known_names())}
    like = get_close_matches(name.casefold(), folded, n=1, cutoff=ALIKE)
    return folded[like[0]] if like else ""
