"""From the cells of a column to codes or numbers, without a Python object for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.guess import MAX_ENTRIES, MAX_NAME
from cbai.datasets.table.scales import same_word
from cbai.datasets.table.units import bare

_MISSING = """
na n/a nan -nan nat null none nil - -- --- . .. ? ?? #n/a #na <na> n.a. n.a k.a. n/v \\n (null)
(none) #value! #div/0! #ref! #name? #num! #null! #wert! #bezug! #zahl! #nv 1.#qnan missing undefined
\u2013 \u2014 \u2212
"""
_SAID = (
    "keine angabe", "keine antwort", "k. a.", "weiß nicht", "weiss nicht", "no answer",
    "don't know", "dont know", "not applicable", "prefer not to say", "prefer not to answer",
)  # fmt: skip
MISSING = frozenset(("", *_MISSING.split(), *_SAID))
"""Texts that stand for a missing number, in lower case."""

NAMELESS = ("", "nan", "null", "<na>", "#n/a", "\\n", "(null)", "n/a", "nat")
"""Texts that stand for a missing name, in lower case: fewer, because people choose odd names."""

TRUE = (
    "true", "yes", "y", "wahr", "ja", "vrai", "oui", "verdadero", "sí", "si", "vero", "sì",
    "verdadeiro", "sim", "waar", "\N{THUMBS UP SIGN}", "\N{CHECK MARK}", "\N{HEAVY CHECK MARK}",
    "\N{WHITE HEAVY CHECK MARK}",
)  # fmt: skip
FALSE = (
    "false", "no", "n", "falsch", "nein", "faux", "non", "falso", "não", "onwaar", "nee",
    "\N{THUMBS DOWN SIGN}", "\N{BALLOT X}", "\N{HEAVY BALLOT X}", "\N{CROSS MARK}",
)  # fmt: skip
"""Texts that stand for yes and for no, in lower case."""

NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$"
LARGE = r"^[+]?(\d+\.?\d*|\.\d+)e\+?\d{3,5}$|^[+]?inf(inity)?$"
TINY = r"^[+-]?(\d+\.?\d*|\.\d+)e-\d{3,5}$"
SPACES = "[\u00a0\u202f\u2009 ]"
LONGEST_NUMBER = 200
"""The most characters of a number; a longer text is not a number."""

PIECE = 200_000
"""Number of cells processed together."""

MOST_LARGE = 1000
"""Different numbers from 1e100 on that are told from infinity."""


class Codes(NamedTuple):
    """A column of names: a code a row, -1 where it is missing, and the name of each code."""

    code: NDArray[np.int32]
    names: pa.Array


class Numbers(NamedTuple):
    """A column of numbers: NaN where there is none, and whether it is missing or no number."""

    number: NDArray[np.float64]
    missing: NDArray[np.bool_]
    text: NDArray[np.bool_]


class Notation(NamedTuple):
    """How numbers are written: see `Guess`."""

    decimal: str = "."
    thousands: str = ""
    missing: tuple[float, ...] = ()
    order: tuple[str, ...] = ()


def codes_of(column: pa.ChunkedArray, name: str = "") -> Codes:
    """Return a column of names as codes, in order of the names: by number if all are whole.

    Names that differ only in a ".0" at the end of a whole number are one.

    Raises
    ------
    ValueError
        If there are more than `MAX_ENTRIES` different ones.
    """
    parts, total, checked = [], 0, False
    for chunk in _pieces(column):
        parts.append(_names_of(chunk))
        total += len(parts[-1][1])
        if total > 1.2 * MAX_ENTRIES and not checked:
            checked = True
            _check_entries([names for _, names in parts], name)
    _check_entries([names for _, names in parts], name)
    together = pa.concat_arrays([names for _, names in parts] or [pa.array([], pa.string())])
    encoded = together.dictionary_encode()
    entries = encoded.dictionary
    place = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    order = _sorted(entries)
    rank = np.empty(len(entries) + 1, dtype=np.int32)
    rank[order] = np.arange(len(entries), dtype=np.int32)
    rank[-1] = -1
    code, start = np.empty(len(column), dtype=np.int32), 0
    row = 0
    for index, names in parts:
        own = np.append(rank[place[start : start + len(names)]], np.int32(-1))
        code[row : row + len(index)] = own[index]
        start, row = start + len(names), row + len(index)
    return Codes(code, entries.take(pa.array(order)))


def numbers_of(column: pa.ChunkedArray, notation: Notation = Notation()) -> Numbers:  # noqa: B008
    """Return a column as numbers."""
    whole = [_numbers(chunk, notation) for chunk in _pieces(column)]
    if not whole:
        return Numbers(np.empty(0), np.empty(0, dtype=bool), np.empty(0, dtype=bool))
    return Numbers(*(np.concatenate(part) for part in zip(*whole, strict=True)))


def texts_of(column: pa.ChunkedArray, rows: int) -> list[str]:
    """Return the first cells as texts, "" where missing, those longer than a name cut."""
    result: list[str] = []
    for chunk in column.slice(0, rows).chunks:
        index, entries = _split(chunk)
        used, index = np.unique(index, return_inverse=True)
        texts = [
            "" if i < 0 else _text(entries[int(i)].as_py())[: MAX_NAME + 1] for i in used.tolist()
        ]
        result += [texts[i] for i in index]
    return result


def some_texts(column: pa.ChunkedArray, most: int) -> Iterator[str]:
    """Return different entries of each part of a column of texts, or none of numbers."""
    for chunk in column.chunks:
        if pa.types.is_dictionary(chunk.type) and pa.types.is_string(chunk.dictionary.type):
            yield from (text for text in chunk.dictionary.slice(0, most).to_pylist() if text)


def first_text(column: pa.ChunkedArray, where: NDArray[np.bool_]) -> str:
    """Return the first entry of some rows in quotation marks, for a message."""
    entry = column[int(np.argmax(where))].as_py()
    return checks.quoted(" ".join(str(entry)[:200].split()))


def entries_of(column: pa.ChunkedArray, most: int) -> tuple[pa.Array, NDArray[np.int64], bool]:
    """Return different entries as texts, how often each occurs, and whether these are all.

    Where they are not all, they are those of the first cells.
    """
    texts, counts, total, rows = [], [], 0, 0
    for chunk in _pieces(column):
        index, entries = _split(chunk)
        if not pa.types.is_string(entries.type):
            entries = pc.cast(entries, pa.string())
        texts.append(entries)
        counts.append(np.bincount(index[index >= 0], minlength=len(entries)))
        total, rows = total + len(entries), rows + len(chunk)
        if total > most:
            break
    encoded = pa.concat_arrays(texts or [pa.array([], pa.string())]).dictionary_encode()
    place = encoded.indices.to_numpy(zero_copy_only=False)
    number = np.concatenate(counts) if counts else np.empty(0, dtype=np.int64)
    summed = np.bincount(place, number, minlength=len(encoded.dictionary)).astype(np.int64)
    return encoded.dictionary, summed, rows == len(column)


def numbers_in(texts: pa.Array, notation: Notation = Notation()) -> Numbers:  # noqa: B008
    """Return texts as numbers, one entry each."""
    small = pc.utf8_lower(pc.utf8_trim_whitespace(_cut(texts)))
    small = pc.replace_substring_regex(small, "^[\u2212\u2013\ufe63\uff0d](.)", r"-\1")
    missing = _is_in(small, MISSING)
    small = bare(small)
    number = _parsed(_pointed(small, notation))
    for words, value in ((TRUE, 1.0), (FALSE, 0.0)):
        number = np.where(np.isnan(number) & _is_in(small, words), value, number)
    if notation.order:
        number = _ranked(texts, notation.order, np.full(len(number), np.nan))
        missing &= np.isnan(number)
    text = np.isnan(number) & ~missing
    for code in notation.missing:
        missing |= number == code
    number[missing] = np.nan
    return Numbers(number, missing, text)


def _numbers(chunk: pa.Array, notation: Notation) -> Numbers:
    index, entries = _split(chunk, numbers=True)
    if pa.types.is_string(entries.type):
        found = numbers_in(entries, notation)
    else:
        number = pc.cast(entries, pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        number = number.astype(np.float64)
        missing = np.isnan(number)
        for code in notation.missing:
            missing |= number == code
        number[missing] = np.nan
        found = Numbers(number, missing, np.zeros_like(missing))
    if index is None:
        return found
    number, missing, text = found
    return Numbers(
        np.append(number, np.nan)[index],
        np.append(missing, True)[index],
        np.append(text, False)[index],
    )


def _pointed(small: pa.Array, notation: Notation) -> pa.Array:
    """Return texts with a decimal point and without separators of thousands."""
    decimal, thousands = notation.decimal, notation.thousands
    if thousands:
        mark = {" ": SPACES, "'": "['\u2019]"}.get(thousands, "\\" + thousands)
        grouped = rf"^[+-]?\d{{1,3}}({mark}\d{{3}})+(\{decimal}\d*)?$"
        fits = pc.match_substring_regex(small, grouped)
        small = pc.if_else(fits, pc.replace_substring_regex(small, mark, ""), small)
    if decimal == ",":
        pointed = pc.match_substring(small, ".")
        small = pc.if_else(pointed, "?", pc.replace_substring(small, ",", "."))
    return small


def _parsed(small: pa.Array) -> NDArray[np.float64]:
    plain = pc.match_substring_regex(small, NUMBER)
    bare = pc.replace_substring_regex(small, r"^\+", "")
    bare = pc.replace_substring_regex(bare, r"^(-?)\.", r"${1}0.".replace("${1}", r"\1"))
    number = pc.cast(pc.if_else(plain, bare, None), pa.float64())
    filled = pc.fill_null(number, np.nan).to_numpy(zero_copy_only=False)
    result: NDArray[np.float64] = filled.astype(np.float64)
    negative = pc.replace_substring_regex(small, "^-", "")
    for sign, texts in ((1.0, small), (-1.0, negative)):
        large = _true(pc.match_substring_regex(texts, LARGE)) & np.isnan(result)
        result[large] = sign * np.inf
    for i in np.flatnonzero(np.isinf(result))[:MOST_LARGE]:  # 1e300 is large, 1e400 infinite
        result[i] = float(small[int(i)].as_py())
    result[_true(pc.match_substring_regex(small, TINY))] = 0.0
    return result


def _ranked(
    texts: pa.Array, order: tuple[str, ...], number: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Put the rank of each word of a scale into an array of numbers, and return it."""
    rank = {same_word(word): i for i, word in enumerate(order, start=1)}
    if len(texts) > MAX_ENTRIES:
        raise ValueError(f"A scale of words has few words, got more than {MAX_ENTRIES:,}.")
    for i, text in enumerate(_cut(texts).to_pylist()):
        if text is not None and same_word(text) in rank:
            number[i] = rank[same_word(text)]
    return number


def _names_of(chunk: pa.Array) -> tuple[NDArray[np.int32], pa.Array]:
    index, entries = _split(chunk)
    return index, names_in(entries)


def names_in(entries: pa.Array) -> pa.Array:
    """Return entries as names: without spaces around them, null where there is none."""
    if not pa.types.is_string(entries.type):
        entries = pc.cast(entries, pa.string())
    names = pc.utf8_trim_whitespace(entries)
    names = pc.replace_substring_regex(names, r"^(-?\d+)\.0+$", r"\1")
    nameless = pc.is_in(pc.utf8_lower(names), value_set=pa.array(NAMELESS))
    return pc.if_else(nameless, pa.scalar(None, pa.string()), names)


def _check_entries(parts: list[pa.Array], name: str) -> None:
    """Raise a ValueError if there are too many different names."""
    if sum(map(len, parts)) <= MAX_ENTRIES:
        return
    if len(pc.unique(pa.chunked_array(parts, pa.string()))) > MAX_ENTRIES:
        where = f" in column {checks.quoted(name)}" if name else ""
        raise ValueError(
            f"There may be at most {MAX_ENTRIES:,} different people or options, got more{where}."
        )


def _sorted(entries: pa.Array) -> NDArray[np.int64]:
    whole = pc.match_substring_regex(entries, r"^\d{1,18}$")
    number = pa.array(np.zeros(len(entries), dtype=np.int64))
    if len(entries) and pc.all(pc.fill_null(whole, True)).as_py():
        number = pc.cast(entries, pa.int64())
    table = pa.table({"number": number, "name": entries})
    order = pc.sort_indices(table, sort_keys=[("number", "ascending"), ("name", "ascending")])
    return np.asarray(order.to_numpy(zero_copy_only=False), dtype=np.int64)


def _pieces(column: pa.ChunkedArray) -> Iterator[pa.Array]:
    """Return the chunks of a column, cut so that the entries of one take little memory."""
    for chunk in column.chunks:
        step = max(len(chunk), 1) if pa.types.is_dictionary(chunk.type) else PIECE
        for start in range(0, len(chunk), step):
            yield chunk.slice(start, step)


def _split(chunk: pa.Array, numbers: bool = False) -> Any:
    """Return the index of each cell's entry, -1 for null, and the different entries.

    Numbers stay as they are if wanted so: no index then.
    """
    if not pa.types.is_dictionary(chunk.type):
        if numbers and not pa.types.is_string(chunk.type):
            return None, chunk
        chunk = chunk.dictionary_encode()
    index = pc.fill_null(pc.cast(chunk.indices, pa.int32()), -1).to_numpy(zero_copy_only=False)
    return index, chunk.dictionary


def _cut(texts: pa.Array) -> pa.Array:
    long = pc.greater(pc.binary_length(texts), 4 * LONGEST_NUMBER)
    return pc.if_else(long, "too long", texts)


def _is_in(texts: pa.Array, words: Any) -> NDArray[np.bool_]:
    return _true(pc.is_in(texts, value_set=pa.array(sorted(words))))


def _true(found: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(pc.fill_null(found, False).to_numpy(zero_copy_only=False), dtype=bool)


def _text(entry: Any) -> str:
    return str(entry)
