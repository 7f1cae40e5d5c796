"""HTML pages that work offline: without a network, a server or another file."""

from __future__ import annotations

import base64
import gzip
import html
from collections.abc import Mapping
from functools import cache

import plotly.graph_objects as go
from plotly.io import to_json
from plotly.offline import get_plotlyjs

from cbai.figures.base.layout import with_ink
from cbai.figures.base.words import shown

INK = "#1F2A33"
STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2a33; background: #fff; max-width: 960px;
       margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.5rem; }
.figure { min-height: 3rem; }
.note { color: #4d5963; font-size: 14px; }
"""
DRAW = """
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("plotly").textContent),
                                (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
  for (const place of document.querySelectorAll(".figure")) {
    const { data, layout } = JSON.parse(document.getElementById(`${place.id} data`).textContent);
    const alt = place.textContent.trim();
    place.textContent = "";
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", alt);
    await Plotly.newPlot(place, data, layout, {
      displayModeBar: false, responsive: true, typesetMath: false,
    });
  }
  // The scale that fits all on one page of A4, 1030 pixels high, but is never too small to read.
  const fit = Math.max(0.45, Math.min(0.73, 1030 / document.body.scrollHeight));
  if (window.innerWidth >= 960) document.body.style.setProperty("--fit", fit);
  document.body.dataset.drawn = "yes";
})().catch(() => { document.body.dataset.drawn = "no"; });
"""


def place(name: str, alt: str) -> str:
    """Return the place of a figure, which holds its description until the figure is drawn."""
    return f'<div class="figure" id="{html.escape(name)}">{html.escape(shown(alt))}</div>'


def page(title: str, body: str, figures: Mapping[str, go.Figure], style: str = "") -> str:
    """Return a page with figures that draw themselves.

    Parameters
    ----------
    title : str
        Of the browser's tab.
    body : str
        HTML that holds a `place` for every figure.
    figures : mapping of str to plotly.graph_objects.Figure
        By the names of their places.
    style : str
        Style sheets beyond the usual ones.

    Returns
    -------
    str
        About 2 MB: Plotly's code is in it, compressed. Browsers since 2023 can unpack it.
    """
    data = "\n".join(
        f'<script type="application/json" id="{html.escape(name)} data">{_data(figure)}</script>'
        for name, figure in figures.items()
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{STYLE}{style}</style></head><body>\n"
        f'{body}\n{data}\n<script type="text/plain" id="plotly">{_packed_plotly()}</script>\n'
        f"<script>{DRAW}</script>\n</body></html>\n"
    )


def figure_page(figure: go.Figure, title: str, alt: str) -> str:
    """Return a page with one figure and its description."""
    body = f'{place("figure", alt)}<p class="note">{html.escape(shown(alt))}</p>'
    return page(title, body, {"figure": figure})


def on_paper(figure: go.Figure) -> go.Figure:
    """Return a copy of a figure for white paper, whatever the theme of the app."""
    copy = with_ink(go.Figure(figure), INK)
    return copy.update_layout(
        template="plotly_white", font_family="system-ui, sans-serif", autosize=True
    )


def _data(figure: go.Figure) -> str:
    """Return a figure as JSON that cannot end the script element around it."""
    return str(to_json(on_paper(figure), validate=False)).replace("<", "\\u003c")


@cache
def _packed_plotly() -> str:
    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 9)).decode()
