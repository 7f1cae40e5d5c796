"""How a table writes its numbers: the decimal sign and the separator of thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from cbai.datasets.table.guess import Answer, Doubt
from cbai.datasets.table.units import bare_text

ANY_NUMBER = re.compile(
    r"[+\-\u2212]?((\d{1,3}([.,'\u2019\u00a0\u202f ]\d{3})+|\d+)([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?"
    r"|[+-]?inf(inity)?",
    re.IGNORECASE,
)
SIGNS = re.compile(r"^[+\-\u2212\u2013]")
GROUP = {"'": "['\u2019]", " ": "[ \u00a0\u202f]", ".": r"\.", ",": ","}


class Evidence(NamedTuple):
    """Different entries of columns of numbers by how they are written, in numbers of entries.

    ``grouped`` are those such as 1.050 that may be thousands, by their sign; ``sure`` those such
    as 1.050,5 or 1.050.000 that must be; ``decimals`` those such as 3.5 that cannot be; ``large``
    and ``small`` the whole numbers without a sign, from 100 on and below.
    """

    decimals: dict[str, int]
    grouped: dict[str, int]
    sure: dict[str, int]
    large: int
    small: int
    example: dict[str, str]


def is_number(text: str) -> bool:
    """Return whether a text is a number in some notation."""
    return ANY_NUMBER.fullmatch(text.strip()) is not None


def is_quantity(text: str) -> bool:
    """Return whether a text is a number in some notation, perhaps with a unit such as %."""
    return is_number(text) or is_number(bare_text(text))


def evidence(texts: Iterable[str]) -> Evidence:
    """Return how the numbers among some texts are written."""
    found = Evidence({".": 0, ",": 0}, dict.fromkeys(GROUP, 0), dict.fromkeys(GROUP, 0), 0, 0, {})
    large = small = 0
    for text in texts:
        text = text if is_number(text) else bare_text(text)
        bare = SIGNS.sub("", text.strip())
        if bare.isdigit():
            large, small = large + (len(bare) >= 3), small + (len(bare) < 3)
        elif is_number(text):
            _look_at(bare, found)
    return found._replace(large=large, small=small)


SEPARATED = "Numbers are written with a separator of thousands."


def guess_notation(found: Evidence) -> tuple[str, str, str, Doubt | None]:
    """Return the decimal sign, the sign of thousands, the reason, and a doubt.

    Parameters
    ----------
    found : Evidence
        Of the columns of numbers, or of the ratings alone.
    """
    for sign in GROUP:
        other = _other(sign, found)
        if found.sure[sign] and found.sure[sign] >= found.decimals.get(sign, 0):
            return (
                other,
                sign,
                _separated(found, sign),
                None,
            )
    for sign in ("'", " "):
        if found.grouped[sign]:
            return (
                _other(sign, found),
                sign,
                SEPARATED,
                None,
            )
    point, comma = found.decimals["."], found.decimals[","]
    for sign, other in ((".", ","), (",", ".")):
        if not found.grouped[sign] or found.decimals[sign]:
            continue
        if found.decimals[other]:  # 1.050 beside 3,5
            return (
                other,
                sign,
                _separated(found, sign),
                None,
            )
        if found.large and found.large > found.small:
            return (
                other,
                sign,
                SEPARATED,
                _thousands_doubt(sign, found),
            )
    if comma + found.grouped[","] > point + found.grouped["."]:
        return ",", "", "Numbers such as 3,5 are written with a decimal comma.", None
    return ".", "", "", None


def _separated(found: Evidence, sign: str) -> str:
    return f"{found.example[sign]} is written with a separator of thousands."


def _look_at(bare: str, found: Evidence) -> None:
    for sign, group in GROUP.items():
        if re.fullmatch(rf"[1-9]\d{{0,2}}({group}\d{{3}}){{2,}}([.,]\d*)?", bare) or (
            re.fullmatch(rf"[1-9]\d{{0,2}}{group}\d{{3}}[.,]\d*", bare) and _two_signs(bare, sign)
        ):
            found.sure[sign] += 1
            if sign not in ".," and bare[-1].isdigit():
                for other in (".", ","):
                    found.decimals[other] += other in bare
            found.example[sign] = bare[:20]
            return
        if re.fullmatch(rf"[1-9]\d{{0,2}}{group}\d{{3}}", bare):
            found.grouped[sign] += 1
            found.example.setdefault(sign, bare[:20])
            return
    for sign in (".", ","):
        if bare.count(sign) == 1 and (sign == "." or "." not in bare):
            tail = bare.partition(sign)[2]
            if sign == "." or tail.isdigit():
                found.decimals[sign] += 1


def _two_signs(bare: str, sign: str) -> bool:
    return sign not in ".," or bare.rfind("," if sign == "." else ".") > bare.find(sign)


def _other(sign: str, found: Evidence) -> str:
    if sign in ".,":
        return "," if sign == "." else "."
    return "," if found.decimals[","] > found.decimals["."] else "."


def _thousands_doubt(sign: str, found: Evidence) -> Doubt:
    example = found.example[sign]
    other = "," if sign == "." else "."
    whole = re.sub(r"\D", "", example)
    return Doubt(
        f"Is {example} a whole number, {whole}? Other numbers are written without the sign.",
        "thousands",
        (
            Answer(
                f"Yes: {example} is {int(whole):d}.",
                {"decimal": other, "thousands": sign},
            ),
            Answer(
                f"No: {example} is {float(example.replace(',', '.')):g}.",
                {"decimal": sign, "thousands": ""},
            ),
        ),
    )
