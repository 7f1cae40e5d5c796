"""Streamlit's own files, made small and early for a first visit; they are read, never changed."""

from __future__ import annotations

import gzip
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import streamlit as st

from cbai.ui.runs.fonts.make import HERE as FONTS
from cbai.ui.runs.fonts.make import SMALL

STATIC = Path(inspect.getfile(st)).parent / "static"
_SCRIPT = re.compile(r"/static/(?:js|css)/[\w.-]+\.(?:js|css)")
_FONT = re.compile(r"/static/media/([\w.-]+\.woff2)")
_FOR_GOOD = "public, immutable, max-age=31536000"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2"}

EARLY = ("BidiComponent", "Html")
"""The parts of Streamlit that draw Home's picture and headline. Streamlit asks for each part only
when it meets it, and the picture would wait for the sidebar's. Naming those, too, delays all."""


def answer(path: str, takes_gzip: bool) -> tuple[dict[str, str], bytes] | None:
    """Return the headers and the body to send for a path; None if Streamlit sends its own file.

    Parameters
    ----------
    path : str
        The path of a request.
    takes_gzip : bool
        Whether the browser takes compressed answers.
    """
    if path == "/":
        return _told(".html", _first_page(), "no-cache", compressed=False)
    font = _FONT.fullmatch(path)
    if font and font[1] in SMALL:
        return _told(".woff2", _small_font(font[1]), _FOR_GOOD, compressed=False)
    if takes_gzip and _SCRIPT.fullmatch(path) and (STATIC / path[1:]).is_file():
        return _told(Path(path).suffix, _compressed(path), _FOR_GOOD, compressed=True)
    return None


def _told(suffix: str, body: bytes, keep: str, *, compressed: bool) -> tuple[dict[str, str], bytes]:
    kind = _KINDS.get(suffix, "text/html")
    headers = {
        "content-type": kind if suffix == ".woff2" else f"{kind}; charset=utf-8",
        "content-length": str(len(body)),
        "cache-control": keep,
    }
    if compressed:
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return headers, body


@cache
def _compressed(path: str) -> bytes:
    """Return a script or a style, compressed: once in a process."""
    return gzip.compress((STATIC / path[1:]).read_bytes(), mtime=0)


@cache
def _small_font(name: str) -> bytes:
    return (FONTS / SMALL[name]).read_bytes()


@cache
def _first_page() -> bytes:
    """Return Streamlit's only HTML page, with links to what Home's first screen needs."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    links = "".join(
        f'<link rel="modulepreload" crossorigin href="./{file}">\n'
        for file in _early()
        if file not in page
    )
    return page.replace("</head>", f"{links}</head>", 1).encode()


def _early() -> list[str]:
    """Return the scripts of the early parts with all that they import, each once, in order."""
    listed = STATIC / "manifest.json"
    if not listed.is_file():
        return []
    parts: dict[str, dict[str, object]] = json.loads(listed.read_text(encoding="utf-8"))
    by_name = {part.get("name"): key for key, part in parts.items() if part.get("isDynamicEntry")}
    starts = [by_name[name] for name in EARLY if name in by_name]
    return list(dict.fromkeys(file for key in starts for file in _with_imports(parts, key)))


def _with_imports(
    parts: dict[str, dict[str, object]], start: str, seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    part = parts[start]
    yield str(part["file"])
    for key in part.get("imports", []):  # type: ignore[attr-defined]
        if key not in seen and not parts[key].get("isEntry"):
            yield from _with_imports(parts, key, seen | {start})
