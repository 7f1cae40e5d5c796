"""The glossary: search by words, and look-up by a link; no Streamlit here."""

from __future__ import annotations

from cbai.ui.glossary.entries import ENTRIES, Entry, slug

__all__ = ["ENTRIES", "Entry", "find", "search", "slug"]


def search(words: str) -> list[Entry]:
    """Return the entries that contain all words; entries with all words in the name come first."""
    wanted = words.split()
    found = [entry for entry in ENTRIES if all(entry.holds(word) for word in wanted)]
    return sorted(found, key=lambda entry: not all(entry.holds(w, in_name=True) for w in wanted))


def find(name: str) -> Entry | None:
    """Return the entry of a link, by its slug, a former name or a symbol; None if there is none."""
    wanted = slug(name)
    for entry in ENTRIES:
        slugs = [entry.slug, *map(slug, entry.former)]
        if name in entry.symbols or (wanted and wanted in slugs):
            return entry
    return None
