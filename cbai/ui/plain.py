"""Text for Markdown that shows every character as it is."""

from __future__ import annotations

import re


def plain(text: str) -> str:
    """Return a text for Markdown that shows every character as it is: names may hold anything."""
    return re.sub(r"([\\`*_\[\]<>$~]|:(?=\w)|^\s*[#+>-])", r"\\\1", text)
