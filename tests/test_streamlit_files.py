"""A first visit is sent small fonts, and is told at once what Home's first screen needs."""

from __future__ import annotations

import re

import pytest
import streamlit

from cbai.ui.runs import streamlit_files
from cbai.ui.runs.fonts import make

AGAIN = "run `python -m cbai.ui.runs.fonts.make`"


def test_every_icon_is_in_the_small_font():
    missing = make.icons_needed() - make.icons_kept()
    assert not missing, f"{AGAIN}, as these icons are missing: {missing}"


def test_an_icon_that_is_missing_is_noticed(monkeypatch):
    monkeypatch.setattr(make, "icons_kept", lambda: {"home"})
    assert {"warning", "chevron_right"} <= make.icons_needed() - make.icons_kept()


@pytest.mark.parametrize("large", make.SMALL)
def test_a_font_is_sent_small(large):
    whole = make.STREAMLIT / "media" / large
    assert whole.is_file(), f"Streamlit {streamlit.__version__} has other fonts: {AGAIN}"
    headers, body = streamlit_files.answer(f"/static/media/{large}", takes_gzip=False)
    assert headers["content-type"] == "font/woff2"
    assert body[:4] == b"wOF2"
    assert int(headers["content-length"]) == len(body) < whole.stat().st_size / 3


def test_other_fonts_are_left_as_they_are():
    others = {path.name for path in (make.STREAMLIT / "media").glob("*.woff2")} - set(make.SMALL)
    assert len(others) > 10
    assert {streamlit_files.answer(f"/static/media/{x}", takes_gzip=True) for x in others} == {None}


def test_the_first_page_names_what_the_first_screen_is_made_of():
    headers, body = streamlit_files.answer("/", takes_gzip=True)
    page = body.decode()
    assert headers["cache-control"] == "no-cache"
    assert headers["content-type"] == "text/html; charset=utf-8"
    whole = (streamlit_files.STATIC / "index.html").read_text()
    links = re.findall(r'<link rel="modulepreload" crossorigin href="[.]/([^"]+)">', page)
    assert len(links) == len(set(links))
    assert all((streamlit_files.STATIC / link).is_file() for link in links)
    for part in streamlit_files.EARLY:
        assert any(f"/{part}." in link for link in links), part
    assert re.sub(r"\s", "", page.split("</head>")[1]) == re.sub(
        r"\s", "", whole.split("</head>")[1]
    )


def test_without_a_list_of_its_parts_the_first_page_is_streamlits(monkeypatch, tmp_path):
    (tmp_path / "index.html").write_text("<html><head></head><body></body></html>")
    monkeypatch.setattr(streamlit_files, "STATIC", tmp_path)
    streamlit_files._first_page.cache_clear()
    assert streamlit_files.answer("/", takes_gzip=True)[1] == (tmp_path / "index.html").read_bytes()
    streamlit_files._first_page.cache_clear()
