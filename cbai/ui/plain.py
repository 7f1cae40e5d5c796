"""Text for Markdown that shows every character as it is."""

from __future__ import annotations

import re

JOINER = "\u2060"
"""Takes no room and breaks no line."""


def plain(text: str) -> str:
    """Return a text for Markdown that shows every character as it is: names may hold anything."""
    text = re.sub(r":(?=[\w/+-]+:)", f":{JOINER}", text)  # a shortcode, which no backslash stops
    return re.sub(r"([\\`*_\[\]<>$~]|:(?=\w)|^\s*[#+>-])", r"\\\1", text)
