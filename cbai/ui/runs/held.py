"""Memory for visitors' own files, bounded for all visitors together.

Two things would otherwise grow with every visitor: the uploaded files, which Streamlit keeps, and
the results read from them. Each has a maximum. Beyond it the oldest entries are removed, whichever
visitor they belong to. A visitor whose file was removed is asked for it again. A result that was
removed is made again.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

import numpy as np
import pandas as pd
import streamlit as st

from cbai.ui.runs.streamlit_patches import Uploads, after_each_upload

MOST_UPLOADED = 500_000_000
"""Most bytes of all uploaded files; one file has at most 50 MB (``maxUploadSize``)."""

MOST_RESULTS = 500_000_000
"""Most bytes of all results; the results of one file take up to about 150 MB."""

MOST_FILES = 10
"""Most uploaded files of one visitor; the pages have three upload fields, one takes two files."""

P = ParamSpec("P")
T = TypeVar("T")

# ---------------------------------------------------------------- results

_STATE = "results held"
_lock = threading.RLock()


@dataclass
class _Entry:
    value: Any
    size: int
    since: float


class _Held(OrderedDict[Any, _Entry]):
    """Results of one session; they are removed when it ends."""

    __hash__ = object.__hash__  # type: ignore[assignment]


_sessions: WeakSet[_Held] = WeakSet()


def per_session(max_entries: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep a function's last results in a session, within the limit for all sessions together.

    Parameters
    ----------
    max_entries : int
        How many results a session keeps.

    Returns
    -------
    callable
        A decorator. As with `streamlit.cache_resource`, arguments whose names begin with an
        underscore are not part of the key. The others must be hashable and positional.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        names = list(signature(function).parameters)
        place = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def kept(*args: P.args, **options: P.kwargs) -> T:
            known = (one for name, one in zip(names, args, strict=False) if name[0] != "_")
            key = place, *known, *options.items()
            mine = _of_session()
            with _lock:
                if key in mine:
                    mine[key].since = time.monotonic()
                    mine.move_to_end(key)
                    return mine[key].value  # type: ignore[no-any-return]
            value = function(*args, **options)
            _keep(mine, key, _Entry(value, size_of(value), time.monotonic()), max_entries)
            return value

        return kept

    return decorate


def _of_session() -> _Held:
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _Held()
    mine: _Held = st.session_state[_STATE]
    with _lock:
        _sessions.add(mine)
    return mine


def _keep(mine: _Held, key: tuple[Any, ...], entry: _Entry, max_entries: int) -> None:
    """Add a result; while there are too many bytes, remove the oldest ones of all sessions."""
    with _lock:
        mine[key] = entry
        alike = [other for other in mine if other[0] == key[0]]
        for other in alike[:-max_entries]:
            del mine[other]
        total = sum(one.size for held in _sessions for one in held.values())
        oldest = sorted(
            ((one.since, held, at) for held in _sessions for at, one in held.items()),
            key=lambda found: found[0],
        )
        for _, held, at in oldest:
            if total <= MOST_RESULTS or held[at] is entry:
                break
            total -= held.pop(at).size


def size_of(value: Any) -> int:
    """Return about how many bytes a value takes by its arrays, tables and texts."""
    seen: set[int] = set()

    def size(one: Any) -> int:
        if id(one) in seen:
            return 0
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            return one.nbytes
        if isinstance(one, pd.DataFrame):
            return int(one.memory_usage(deep=True).sum())
        if isinstance(one, (str, bytes)):
            return len(one)
        if isinstance(one, Mapping):
            return sum(map(size, one.values()))
        if isinstance(one, (tuple, list)):
            return sum(map(size, one))
        if is_dataclass(one):
            return sum(size(getattr(one, field.name)) for field in fields(one))
        return 8

    return size(value)


# ---------------------------------------------------------------- uploaded files

_arrived: OrderedDict[tuple[str, str], None] = OrderedDict()
"""Session and id of each file, in the order of arrival."""


def _drop_oldest(uploads: Uploads, session_id: str, file_id: str) -> None:
    """Keep a new file; while there are too many bytes or files, remove the oldest ones."""
    with _lock:
        _arrived.pop((session_id, file_id), None)
        _arrived[session_id, file_id] = None
        there = uploads.sizes()
        for gone in [one for one in _arrived if one not in there]:
            del _arrived[gone]
        own = [one for one in _arrived if one[0] == session_id]
        drop = own[:-MOST_FILES]
        total = sum(there.values()) - sum(there.get(one, 0) for one in drop)
        for one in list(_arrived)[:-1]:
            if total <= MOST_UPLOADED:
                break
            if one not in drop:
                drop.append(one)
                total -= there.get(one, 0)
        for session, file in drop:
            uploads.remove(session, file)


def bound_uploads() -> None:
    """Bound the uploaded files that Streamlit keeps; to be called once, before there are any."""
    after_each_upload(_drop_oldest)
