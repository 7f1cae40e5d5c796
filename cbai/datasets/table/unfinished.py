"""Answers that were not finished: survey tools keep them, and say so in a column of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.columns import TRUE, codes_of
from cbai.datasets.table.guess import Answer, Doubt
from cbai.datasets.table.names import words_of
from cbai.datasets.table.profile import Column, Columns

_NAMES = """
finished complete completed completion progress status submitted
fertig beendet abgeschlossen vollstaendig fortschritt termine complet avancement statut
terminado completado completo progreso estado finito completato progresso stato
voltooid afgerond voortgang concluido
"""
NAMES = frozenset(_NAMES.split())
"""Words in the names of columns that say whether an answer was finished."""

_DONE = """
complete completed finished done submitted fertig beendet abgeschlossen vollständig komplett
complet terminé complété completo completado terminado finalizado completato finito
voltooid concluído
"""
DONE = frozenset(_DONE.split())
"""Entries that mean: finished."""

_NOT_DONE = """
partial incomplete unfinished started abandoned dropout disqualified teilweise unvollständig
abgebrochen partiel incomplet parcial incompleto parziale gedeeltelijk onvolledig
"""
NOT_DONE = frozenset((*_NOT_DONE.split(), "in progress", "not finished", "not completed"))
"""Entries that mean: not finished."""


def about_unfinished(found: dict[str, Any], columns: list[Column]) -> dict[str, Any]:
    """Return the fields of `Guess` with a doubt if some answers were not finished.

    Parameters
    ----------
    found : dict
        Fields of `Guess`, with the layout and the columns' meaning.
    columns : list of Column
        All columns.
    """
    used = {found["user"], found["arm"], found["reward"], *found["arm_columns"]}
    for column in sorted(columns, key=lambda c: c.kind == "number"):
        done = _done(column) if column.name not in used else ()
        if done:
            doubt = _doubt(column, done)
            likely = {"finished": (column.name, done)}
            return {**found, **likely, "doubts": (*found["doubts"], doubt)}
    return found


def is_finished(table: Columns, name: str, done: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return for each row whether its entry in a column is one of some, in small letters."""
    code, names = codes_of(table.column(name), name)
    known = np.array([text in done for text in pc.utf8_lower(names).to_pylist()] + [False])
    return known[code]


def _done(column: Column) -> tuple[str, ...]:
    """Return the entries that mean finished, or () if the column says nothing of it."""
    words = words_of(column.name)
    entries = {text.strip().lower() for text in column.entries.texts} - {""}
    few = 2 <= column.different <= 101
    if not few or not (NAMES & set(words) or words[-2:] == ["response", "type"]):
        return ()
    if column.kind == "truth":
        return tuple(sorted(entries & set(TRUE)))
    if column.kind == "number":
        is_share = column.low >= 0 and column.values[-1] == 100.0
        is_flag = column.values.tolist() == [0.0, 1.0] and not {"status", "statut"} & set(words)
        most = column.values[-1] if is_share or is_flag else None
        return tuple(sorted(text for text in entries if most and _number(text) == most))
    done = entries & DONE
    return tuple(sorted(done)) if done and entries & NOT_DONE else ()


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("% "))
    except ValueError:
        return None


def _doubt(column: Column, done: tuple[str, ...]) -> Doubt:
    texts, counts = column.entries.texts, column.entries.counts
    here = [text.strip().lower() in done for text in texts]
    number = int(counts.sum() - counts[here].sum())
    name = checks.quoted(column.name)
    return Doubt(
        f"Do unfinished answers count? {name} says that {number:,} answers were not finished.",
        "unfinished",
        (
            Answer("No: unfinished answers are left out.", {"finished": (column.name, done)}),
            Answer("Yes: every rating given counts.", {"finished": None}),
        ),
    )
