"""``python -m cbai reproduce``: what it writes, and what it says when it cannot."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pandas as pd
import pytest

from cbai.__main__ import main
from cbai.figures.base.layout import with_ink
from cbai.reproduce import EXPERIMENTS
from cbai.reproduce.command import wanted
from cbai.reproduce.run import run
from cbai.reproduce.sections import numbers, reasons, two_arm_tables
from cbai.reproduce.stored import ASSIGNMENTS, MASKS, read_csv, stored
from cbai.reproduce.write import charts_of, write_html, write_png
from tests.browser.app_page import find_chromium

PNG = b"\x89PNG\r\n\x1a\n"
STORED = [*EXPERIMENTS, MASKS, ASSIGNMENTS]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """All stored tables and figures in one file."""
    frames = {name: stored(name) for name in STORED}
    return write_html(frames, tmp_path_factory.mktemp("report")).read_text(encoding="utf-8")


def test_the_report_has_every_table_and_figure(report):
    for name, row in EXPERIMENTS.items():
        assert f"{row.name}: {row.title}" in report
        for label in stored(name)["label"].unique():
            assert label.replace("'", "&#x27;") in report or label in report
    figures = sum(len(charts_of(name, stored(name))) for name in STORED)
    assert report.count("Plotly.newPlot(") == figures == 11
    tables = re.findall(r"<table.*?</table>", report, re.DOTALL)
    expected = [
        table
        for name in EXPERIMENTS
        for table in (
            numbers(stored(name)),
            reasons(stored(name)),
            *(two_arm_tables().values() if name == "table1" else []),
        )
        if len(table)
    ]
    assert [re.findall("<th>(.*?)</th>", table) for table in tables] == [
        [html.escape(name.strip(), quote=False) for name in table.columns] for table in expected
    ]
    assert [table.count("<tr") - 1 for table in tables] == [len(table) for table in expected]
    assert "<td>577,000</td>" in report


def test_the_report_loads_nothing(report):
    page = re.sub(r"<script.*?</script>", "", report, flags=re.DOTALL)
    assert "src=" not in page
    assert "<link" not in page
    assert not re.search(r"<script[^>]+src=", report)


def test_the_command_writes_what_the_library_finds(tmp_path, capsys):
    main(["reproduce", "--only", "table1", "--trials", "4", "--seed", "7", "--csv",
          "--out", str(tmp_path)])  # fmt: skip
    found = read_csv(tmp_path / "table1.csv")
    pd.testing.assert_frame_equal(found, run("table1", 4, 7), check_dtype=False, check_exact=True)
    said = capsys.readouterr()
    assert said.out.split() == [str(tmp_path / "table1.csv")]
    assert "table1: C-LUCB" in said.err
    assert "Table 1." in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "fig9"], "--only must be among fig1, table1, table3.*got 'fig9'"),
        (["--only", "assignments"], "needs --ratings"),
        (["--trials", "0", "--only", "table1"], "trials must be .* got 0"),
        (["--seed", "-1", "--only", "table1"], "seed must be .* got -1"),
        (["--assignments", "0"], "--assignments must be from 1 to 1000, got 0"),
        (["--out", __file__], "--out must be a folder to write to, got .*: File exists"),
        (["--ratings", "/nowhere", "--only", "assignments"], "/?nowhere"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_said_in_a_sentence(arguments, message, tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        main(["reproduce", "--out", str(tmp_path), *arguments])
    assert left.value.code == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert re.search(message, last)


def test_ids_come_in_the_order_of_the_paper():
    assert wanted("table4, fig1", None) == ["fig1", "table4"]
    assert wanted(None, None) == [*EXPERIMENTS, MASKS]
    with pytest.raises(ValueError, match="got nothing"):
        wanted(" , ", None)
    with pytest.raises(ValueError, match="--ratings is used by assignments only"):
        wanted("fig1", Path("ratings"))


def test_pictures_are_drawn_where_there_is_a_browser(tmp_path, monkeypatch):
    browser = find_chromium()
    if browser is None:
        pytest.skip("no Chromium found: install chromium, or set CBAI_CHROMIUM to its path")
    monkeypatch.setenv("BROWSER_PATH", browser)
    paths, reason = write_png({"table1": stored("table1")}, tmp_path)
    assert (paths, reason) == ([tmp_path / "table1.png"], "")
    assert paths[0].read_bytes().startswith(PNG)


def test_without_a_browser_one_sentence_says_why_there_are_no_pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "no-browser"))
    paths, reason = write_png({"table1": stored("table1")}, tmp_path)
    assert paths == []
    assert "no Chrome or Chromium was found" in reason
    assert reason.count(".") == 1


@pytest.mark.parametrize("name", STORED)
def test_every_figure_has_words_for_those_who_cannot_see_it(name):
    for shown in charts_of(name, stored(name)).values():
        assert shown.alt.endswith(".")
        assert shown.reading.endswith(".")
        assert with_ink(shown.figure, "#000000").data
