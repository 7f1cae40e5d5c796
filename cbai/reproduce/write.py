"""Write results as CSV files, as one self-contained HTML file, and as PNG pictures."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path

import kaleido
import pandas as pd
import plotly.graph_objects as go
from kaleido.errors import ChromeNotFoundError, KaleidoError

from cbai import files
from cbai.figures.base.layout import with_ink
from cbai.reproduce import sections
from cbai.reproduce.charts import Chart, chart, masks_chart, spread_chart
from cbai.reproduce.experiments import EXPERIMENTS
from cbai.reproduce.masks import masks_verdict
from cbai.reproduce.stored import ASSIGNMENTS, MASKS, to_csv
from cbai.reproduce.verdict import spread_errors, spread_verdict, verdict, wrong_answers

REPORT = "report.html"
INK, PAPER = "#1F2A33", "#FFFFFF"
WIDTH, SCALE = 900, 2
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2a33; background: #fff;
       max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 14px; display: block;
        overflow-x: auto; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid #d5dce1;
         vertical-align: top; }
.note { color: #5b6670; font-size: 14px; }
"""


def write_csv(frames: Mapping[str, pd.DataFrame], folder: Path) -> list[Path]:
    """Write one CSV file per experiment, with the parameters in every row."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, frame in frames.items():
        paths.append(folder / f"{name}.csv")
        files.write(paths[-1], to_csv(frame))
    return paths


def charts_of(name: str, frame: pd.DataFrame) -> dict[str, Chart]:
    """Return the figures of an experiment or of many draws, by their file names."""
    if name == MASKS:
        return {name: masks_chart(frame)}
    if name != ASSIGNMENTS:
        return {name: chart(frame)}
    return {
        f"{name}-{table}{'-relative' if relative else ''}": spread_chart(part, relative=relative)
        for table, part in frame.groupby("experiment")
        for relative in (False, True)
    }


def write_html(frames: Mapping[str, pd.DataFrame], folder: Path) -> Path:
    """Write all figures and tables into one file that loads nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: list[str] = []
    for name, frame in frames.items():
        parts += _heading(name, frame)
        for shown in charts_of(name, frame).values():
            if name == ASSIGNMENTS:
                parts.append(f"<h3>{html.escape(shown.title)}</h3>")
            first = not any("<script" in part for part in parts)
            figure = with_ink(go.Figure(shown.figure), INK)
            parts.append(
                figure.to_html(
                    full_html=False, include_plotlyjs=first, config={"displayModeBar": False}
                )
            )
            parts.append(f'<p class="note"><b>How to read it.</b> {html.escape(shown.reading)}</p>')
        if name not in (ASSIGNMENTS, MASKS):
            tables = [sections.numbers(frame), sections.reasons(frame)]
            tables += sections.two_arm_tables().values() if name == "table1" else []
            parts += [_table(table) for table in tables if len(table)]
    path = folder / REPORT
    files.write(path, _page(parts).encode())
    return path


def _heading(name: str, frame: pd.DataFrame) -> list[str]:
    trials, seed = int(frame["trials"].iloc[0]), int(frame["seed"].iloc[0])
    if name == ASSIGNMENTS:
        count = frame["genre_seed"].nunique()
        return [
            f"<h2>Tables 3 and 4 over {count} genre assignments</h2>",
            f'<p class="note">Genre seeds 0 to {count - 1}, none left out. Each dot is from '
            f"{trials} runs with seed {seed}.</p>",
            *(
                f"<p>{EXPERIMENTS[str(table)].name}. "
                f"{html.escape(f'{spread_verdict(part)} {spread_errors(part)}')}</p>"
                for table, part in frame.groupby("experiment")
            ),
        ]
    if name == MASKS:
        return [
            f"<h2>Table 4 over {frame['mask'].nunique()} draws of the unknown pseudo-rewards</h2>",
            f"<p>{html.escape(masks_verdict(frame))}</p>",
        ]
    row = EXPERIMENTS[name]
    title = f"{row.name}: {row.title}"
    says = f"{verdict(frame)} {wrong_answers(frame)}"
    return [
        f"<h2>{html.escape(title)}</h2>",
        f"<p>{html.escape(says)}</p>",
        f'<p class="note">{html.escape(row.remark)} Each number is from {trials} runs with seed '
        f"{seed}.</p>",
    ]


def _table(frame: pd.DataFrame) -> str:
    """Write a table: counts with separators of thousands, ratios with two decimals."""
    formats = {
        name: "{:.2f}".format if name in sections.RATIOS else "{:,.0f}".format
        for name in frame.select_dtypes("number")
    }
    text: str = frame.to_html(index=False, border=0, na_rep="", formatters=formats)
    return text


def _page(parts: list[str]) -> str:
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The paper's tables and figures</title><style>{STYLE}</style></head><body>"
        "<h1>Does it match the paper?</h1><p>Gupta, Joshi and Yağan, <i>Best-Arm Identification in "
        "Correlated Multi-Armed Bandits</i> (2021). Its tables and figures are computed again and "
        f"compared with its own numbers.</p>\n{body}\n</body></html>\n"
    )


def write_png(frames: Mapping[str, pd.DataFrame], folder: Path) -> tuple[list[Path], str]:
    """Write each figure as a picture, if there is a browser that can draw it.

    Returns
    -------
    list of Path
        The files written.
    str
        One sentence on why pictures were skipped; empty if none were.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for name, frame in frames.items():
        for file, shown in charts_of(name, frame).items():
            figure = with_ink(go.Figure(shown.figure), INK)
            figure.update_layout(paper_bgcolor=PAPER, width=WIDTH, margin_pad=4)
            path = folder / f"{file}.png"
            try:
                files.write(path, _png(figure))
            except (RuntimeError, ValueError, KaleidoError) as error:
                return paths, _no_picture(error)
            paths.append(path)
    return paths, ""


def _png(figure: go.Figure) -> bytes:
    """Return a figure as PNG, drawn without the script for formulas.

    No figure contains formulas, and by default Kaleido loads that script from another host.
    """
    size = {"width": figure.layout.width, "height": figure.layout.height, "scale": SCALE}
    picture: bytes = kaleido.calc_fig_sync(
        figure.to_dict(), opts={"format": "png", **size}, kopts={"mathjax": False}
    )
    return picture


def _no_picture(error: Exception) -> str:
    """Say why no picture could be drawn."""
    if isinstance(error, ChromeNotFoundError) or "Chrome" in str(error):
        return (
            "PNG pictures were skipped because no Chrome or Chromium was found; install one, or "
            "set BROWSER_PATH to its path."
        )
    return f"PNG pictures were skipped because the browser failed: {str(error).splitlines()[0]}"
