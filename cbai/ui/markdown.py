"""Text for Markdown that shows every character as it is."""

from __future__ import annotations

import re

from cbai.figures.base.words import shown

JOINER = "\u2060"
"""An invisible character that breaks no line. Streamlit reads the backslashes first, and then looks
for shortcodes, arrows, links and addresses. So no backslash can hide these, but this character
can."""

_JOINED = re.compile(
    r"""
    :(?=[\w+/-])                    # :smile: and :material/home: and :red[x], the // of an address
    | (?i:www)(?=\.)                # www.example.com
    | @(?=[\w-])                    # someone@example.com
    | \\                            # at the end of a cell it would be the bar's
    | (?<!\S)[<>~-](?=[>=-]>?(?!\S)) # a lone ->, <-, <->, --, >=, <= or ~=
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r"[\\`*_\[\]<>$~&|]")
_FIRST = re.compile(r"^( {0,3})([#+=-]|\d{1,9}(?=[.)](?: |$)))")
"""The first characters that turn a text into a heading, a list or a line. 0.5 makes no list."""


def plain(text: str) -> str:
    """Return a text for Markdown that shows every character as it is: names may hold anything.

    Parameters
    ----------
    text : str
        A name, or a sentence of one line with names in it.

    Returns
    -------
    str
        Markdown without links, images, colours, icons, formulas and HTML. It can be used within
        other Markdown, also in a table or in the label of a control. Line breaks become spaces.
        Invisible characters that change how others are shown become replacement characters.
    """
    text = _JOINED.sub(lambda found: found[0] + JOINER, re.sub("^ {4,}", "   ", shown(text)))
    text = _ESCAPED.sub(lambda found: "\\" + found[0], text)
    return _FIRST.sub(_harmless, text)


def _harmless(found: re.Match[str]) -> str:
    space, mark = found.groups()
    return f"{space}{mark}{JOINER}" if mark.isdigit() else f"{space}\\{mark}"
