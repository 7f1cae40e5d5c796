"""Whatever a reader raises becomes one ValueError in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cbai import checks

LONGEST = 390
"""Letters of a whole message."""


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn every exception into one ValueError in one printable sentence.

    Raises
    ------
    ValueError
        A ValueError keeps its words; of any other only the kind and the first words are told.
    """
    try:
        yield
    except ValueError as error:
        words = str(error)
        if type(error) is not ValueError:  # such as a UnicodeDecodeError or an ArrowInvalid
            words = _unreadable(error)
        raise ValueError(_tidy(words)) from error
    except MemoryError as error:
        raise ValueError("The file cannot be read: it needs too much memory.") from error
    except Exception as error:  # strangers' bytes reach other people's code
        raise ValueError(_tidy(_unreadable(error))) from error


def _unreadable(error: Exception) -> str:
    first = (str(error).splitlines() or [""])[0]
    said = checks.quoted(first)[1:-1].rstrip(".") or type(error).__name__
    return f"The file cannot be read: {said}."


def _tidy(words: str) -> str:
    plain = "".join(one if one.isprintable() else " " for one in words)
    plain = " ".join(plain.split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 2]}…."
