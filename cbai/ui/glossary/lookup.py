"""The glossary: to be searched by words, and found by a link; no Streamlit here."""

from __future__ import annotations

from cbai.ui.glossary.entries import ENTRIES, Entry, slug

__all__ = ["ENTRIES", "Entry", "find", "search", "slug"]


def search(words: str) -> list[Entry]:
    """Return the entries that hold every one of some words, those with it in their name first."""
    wanted = words.split()
    found = [entry for entry in ENTRIES if all(entry.holds(word) for word in wanted)]
    return sorted(found, key=lambda entry: not all(entry.holds(w, in_name=True) for w in wanted))


def find(name: str) -> Entry | None:
    """Return the entry that a link names, by its slug or one of its symbols; None if none is."""
    wanted = slug(name)
    for entry in ENTRIES:
        if name in entry.symbols or (wanted and entry.slug == wanted):
            return entry
    return None
