"""Writes the small fonts out of the large ones that come with Streamlit.

``python -m cbai.ui.runs.fonts.make`` needs two packages: ``pip install fonttools brotli``. Run it
again when an icon is missing, or when Streamlit has other fonts. A test says when.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st

from cbai import files
from cbai.places import shipped

HERE = Path(__file__).parent
STREAMLIT = Path(inspect.getfile(st)).parent / "static" / "static"
SMALL = {
    "MaterialSymbols-Rounded.nEdyypZU.woff2": "icons.woff2",
    "SourceSansVF-Upright.ttf.BsWL4Kly.woff2": "letters.woff2",
}
"""Streamlit's files, named by their content, and what is sent instead. Another font has another
name, and is sent as it is."""

LETTERS = (
    "U+0020-017F,U+0192,U+0218-021B,U+02C6-02DD,U+0370-03FF,U+1E9E,U+2000-206F,U+2070-209F,"
    "U+20A0-20BF,U+2100-214F,U+2150-215F,U+2190-21FF,U+2200-22FF,U+25A0-25FF,U+2713,U+2717,U+FFFD"
)
"""Latin with accents, Greek, punctuation, arrows and mathematics. Others, Cyrillic for example, are
drawn with a font of the visitor's system, as Chinese is with Streamlit's own font."""


def icons_needed() -> set[str]:
    """Return the names of the icons in the app's sources and in Streamlit's scripts."""
    ours = [shipped("app.py"), *shipped("pages").glob("*.py"), *HERE.parents[1].rglob("*.py")]
    theirs = (STREAMLIT / "js").glob("*.js")
    return _named(r":material/(\w+):", ours) | _named(r"`:material/(\w+):`", theirs)


def icons_kept() -> set[str]:
    """Return the names of the icons in the small font."""
    return set((HERE / "icons.txt").read_text(encoding="utf-8").split())


def _named(pattern: str, paths: Iterable[Path]) -> set[str]:
    return {name for path in paths for name in re.findall(pattern, path.read_text("utf-8"))}


def main() -> None:
    """Write both fonts, and the list of the icons."""
    whole, small = SMALL
    names = icons_needed()
    glyphs = _icons(whole, names)
    kept = {"glyphs": glyphs, "text": "".join(names), "layout_closure": False}
    _write(whole, SMALL[whole], ["rlig"], **kept)
    files.write(HERE / "icons.txt", ("\n".join(sorted(names)) + "\n").encode())
    unicodes = import_module("fontTools.subset").parse_unicodes(LETTERS)
    _write(small, SMALL[small], ["kern", "liga", "ccmp", "mark", "tnum"], unicodes=unicodes)


def _icons(source: str, names: set[str]) -> list[str]:
    """Return the glyphs that a font draws in place of some words."""
    font = import_module("fontTools.ttLib").TTFont(STREAMLIT / "media" / source)
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    drawn: dict[str, str] = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for part in lookup.SubTable:
            for first, words in getattr(part, "ExtSubTable", part).ligatures.items():
                for word in words:
                    drawn["".join(letters[x] for x in (first, *word.Component))] = word.LigGlyph
    return [drawn[name] for name in sorted(names) if name in drawn]


def _write(source: str, target: str, features: list[str], **kept: Any) -> None:
    """Write a part of a font under a name of its own, as its licence asks."""
    subset = import_module("fontTools.subset")
    closure = kept.pop("layout_closure", True)
    options = subset.Options(flavor="woff2", layout_features=features, layout_closure=closure)
    font = subset.load_font(str(STREAMLIT / "media" / source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(**kept)
    subsetter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16, 25):
            font["name"].setName(f"cbai {target}", record.nameID, 3, 1, 0x409)
    subset.save_font(font, str(HERE / target), options)


if __name__ == "__main__":
    main()
