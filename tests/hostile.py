"""Names that somebody may type or bring in a file, and that must be seen as they are."""

from __future__ import annotations

import numpy as np

from cbai.datasets import Noun
from cbai.problem import Problem
from cbai.ui.visit.user_problem import OwnProblem

MARKED = "N{:02d}"
"""Stands in every name, so that a name is found wherever it is shown."""

SHAPES = (
    "<img src=http://evil.example/{}.png>",
    "[{}](http://evil.example)",
    "![{}](http://evil.example/a.png)",
    "http://evil.example/{}",
    "{} www.evil.example",
    "{}@evil.example",
    ":red[{}]",
    ":material/home: {}",
    ":smile: {}",
    "$x^2$ {}",
    "`code` {}",
    "**bold** {}",
    '<b>{}</b> <a href="http://evil.example">x</a>',
    '&quot; &amp; "{}"',
    "{}<br>a & b <sup>c</sup>",
    ":streamlit: {} -> a -- b",
    "# {} | ~~b~~ _c_",
    "1. {} %{{x}} %{{y:.2f}}",
    '=HYPERLINK("http://evil.example/{}")',
    "../../etc/*{}*\\",
)
NAMES = tuple(shape.format(MARKED.format(i)) for i, shape in enumerate(SHAPES))
CONTROLS = ("line {}\n\n# break", "turned \u202e {}", "bell \x07\x00 {}")
"""Names with what cannot be seen: they are shown on one line, with replacement characters."""

HOST = "evil.example"
FILE = f"![f](http://{HOST}/f.png) <img src=http://{HOST}/f.png> www.{HOST} $y$ :smile:.csv"
"""The name of a file."""


def problem(names: tuple[str, ...] = NAMES) -> Problem:
    """Return a problem with such names in which some pseudo-rewards are too low."""
    rng = np.random.default_rng(3)
    n = len(names)
    high = np.linspace(0.75, 0.2, n)
    pseudo = np.clip(high[:, None, None] + rng.uniform(-0.05, 0.25, (n, n, 2)), 0.0, 1.0)
    pseudo[np.arange(n), np.arange(n)] = (0.0, 1.0)
    return Problem(names, [0.0, 1.0], np.column_stack([1.0 - high, high]), pseudo)


def own(names: tuple[str, ...] = NAMES) -> OwnProblem:
    """Return the problem as a user would have brought it."""
    noun = f"<b>[x](http://{HOST})</b>"
    return OwnProblem(
        problem(names), FILE, f"Ratings from the file {FILE}.", Noun(noun, f"{noun}s"),
        Noun(":red[rating] $a$", "**ratings** & www.evil.example"),
    )  # fmt: skip
