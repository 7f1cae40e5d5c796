"""Ratings with something around the number: 20 %, $3, 4/5, 8 out of 10, 4 stars, or stars alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

_MONEY = r"(?:us\$|\$|€|£|¥|₹|eur|usd|gbp|chf)"
_STARS = (
    r"(?:stars?|sterne?n?|étoiles?|etoiles?|estrellas?|stell[ae]|sterren|estrelas?"
    r"|points?|pts?\.?|punkte?|puntos?|punt[io]|punten|pontos?)"
)
_OF = r"(?:/|out of|of|von|aus|sur|de|su|van)"
_NUMBER = "[+\\-\u2212]?[\\d.,](?:[\\d.,'\u2019\u00a0\u202f ]*[\\d.,])?"

BEFORE = f"^(?:{_MONEY}\\s*|['\u2019])({_NUMBER}.*)$"
AFTER = rf"^({_NUMBER})\s*(?:%|{_MONEY}|{_STARS}|{_OF}\s*\d+(?:\s*{_STARS})?)$"
"""Units before and after a number, in lower case; the number is the first group."""

STARS_ALONE = "^[★⭐✭✮*]{1,20}½?[☆✩]{0,20}$|^½[☆✩]{0,20}$|^[☆✩]{1,20}$"
DECORATION = "[\ufe0f\U0001f3fb-\U0001f3ff]"
"""What only changes how a sign is drawn: its colour, or a picture in place of a letter."""

_DECORATION, _BEFORE, _AFTER = map(re.compile, (DECORATION, BEFORE, AFTER))
_ALONE = re.compile(STARS_ALONE)
_STARTS = frozenset("0123456789+-.,$€£¥₹'\u2019\u2212★⭐✭✮*☆✩½")
_UNIT = re.compile(rf"{_OF}\s*(\d+)|(%)|{_MONEY}")


def bare(small: pa.Array) -> pa.Array:
    """Return texts in small letters without units; stars that stand alone are counted."""
    small = pc.replace_substring_regex(small, DECORATION, "")
    small = pc.replace_substring_regex(small, BEFORE, r"\1")
    small = pc.replace_substring_regex(small, AFTER, r"\1")
    alone = pc.match_substring_regex(small, STARS_ALONE)
    if not pc.any(alone).as_py():
        return small
    stars = pc.cast(pc.count_substring_regex(small, "[★⭐✭✮*]"), pa.string())
    half = pc.if_else(pc.match_substring(small, "½"), ".5", "")
    return pc.if_else(alone, pc.binary_join_element_wise(stars, half, ""), small)


def bare_text(text: str) -> str:
    """Return one text without its unit; see `bare`."""
    small = _small(text)
    if not small:
        return text
    small = _AFTER.sub(r"\1", _BEFORE.sub(r"\1", small))
    if _ALONE.match(small):
        return f"{len(re.findall('[★⭐✭✮*]', small))}{'.5' if '½' in small else ''}"
    return small


def units_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return two texts whose numbers mean different things, such as 4/5 and 8/10, or ()."""
    seen: dict[str, str] = {}
    for text in texts:
        small = _small(text)
        if small and not small.isdigit() and (_AFTER.match(small) or _BEFORE.match(small)):
            unit = _UNIT.search(small)
            if unit:
                seen.setdefault(unit[1] or unit[0], text)
    first, *others = seen.values() if seen else [""]
    return (first, others[0]) if others else ()


def _small(text: str) -> str:
    """Return a text that may hold a number, in small letters; "" if it surely holds none."""
    small = text.strip().lower()
    if small[:1] in _STARTS or small.startswith(("us$", "eur", "usd", "gbp", "chf")):
        return _DECORATION.sub("", small)
    return ""
