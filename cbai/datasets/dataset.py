"""What a data set is: a row of the registry, with everything the pages say about it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cbai.problem import Problem


@dataclass(frozen=True)
class Noun:
    """A noun in singular and plural: pages speak of genres and ratings, not of arms and pulls.

    Only letters, digits, and single spaces, hyphens and apostrophes between them are kept. So a
    noun is a plain word in Markdown, in HTML and on a figure, even if a stranger typed it.

    Attributes
    ----------
    one, many : str
        "item" and "items" if nothing is kept.

    Examples
    --------
    >>> from cbai.datasets import Noun
    >>> Noun("film genre", "film genres").many
    'film genres'
    >>> Noun("<b>", "").one
    'b'
    """

    one: str
    many: str

    def __post_init__(self) -> None:
        """Keep only the characters of words."""
        object.__setattr__(self, "one", _word(self.one) or "item")
        object.__setattr__(self, "many", _word(self.many) or "items")


def _word(text: str) -> str:
    """Return the letters and digits of a text, with single spaces, hyphens and apostrophes."""
    kept = "".join(
        letter if unicodedata.category(letter)[0] in "LMN" or letter in "-'’" else " "
        for letter in text
    )
    return " ".join(part for word in kept.split() if (part := word.strip("-'’")))


@dataclass(frozen=True)
class Dataset:
    """A data set that ships.

    Attributes
    ----------
    id : str
        The name used by `cbai.load_problem`, in links and in results.
    title : str
        A short title for the sidebar.
    story : str
        The question of the data set in one line.
    arm, sample : Noun
        The nouns for an arm and a sample ("genre", "rating").
    provenance : str
        Where the numbers come from, what is real and what is modelled (Markdown, a few sentences).
    licence : str
        The terms under which the data may be used.
    build : callable
        ``build(**options)`` returns the `Problem`.
    options : mapping of str to mapping of str to str
        What the user may choose: option name to {value: label}; the first value is the default.
    valid_by_construction : bool
        Whether the pseudo-rewards are upper bounds by construction.

    Examples
    --------
    >>> import cbai
    >>> row = cbai.DATASETS["movielens-1m"]
    >>> row.arm.many, row.sample.many
    ('genres', 'ratings')
    >>> row.build().n_arms
    18
    """

    id: str
    title: str
    story: str
    arm: Noun
    sample: Noun
    provenance: str
    licence: str
    build: Callable[..., Problem]
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    valid_by_construction: bool = False
