"""The mean rating of every option in a survey, with its interval."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, decimal
from cbai.figures.base.words import Words
from cbai.problem.lead import Lead

ROW = 30
LABEL = 26


def draw(lead: Lead, words: Words) -> go.Figure:
    """Draw one row for each option, with the highest mean at the top.

    Parameters
    ----------
    lead : Lead
        From `cbai.problem.lead.lead_of`.
    words : Words
        The nouns for arms and samples.

    Returns
    -------
    plotly.graph_objects.Figure
        Filled dots are the leader and the options that the survey cannot tell apart from it.
        Hollow dots are clearly behind.
    """
    order = np.argsort(-lead.means, kind="stable")
    names = [lead.arms[arm] for arm in order]
    fig = layout.figure(54 + ROW * len(order))
    together = np.isin(order, (lead.leader, *lead.tied))
    fig.add_trace(
        go.Scatter(
            x=lead.means[order],
            y=np.arange(order.size),
            mode="markers",
            marker={
                "symbol": ["circle" if one else "circle-open" for one in together],
                "color": GREY,
                "size": 11,
                "line": {"width": 2},
            },
            error_x={
                "type": "data",
                "array": (lead.high - lead.means)[order],
                "arrayminus": (lead.means - lead.low)[order],
                "color": GREY,
                "thickness": 2,
                "width": 5,
            },
            customdata=[
                f"{layout.arm_label(name, 60)}: {decimal(lead.means[arm])}, "
                f"{decimal(lead.low[arm])} to {decimal(lead.high[arm])}"
                for name, arm in zip(names, order, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    fig.layout.xaxis = layout.axis(f"mean {words.sample}")
    fig.layout.yaxis = layout.row_axis([layout.arm_label(name, LABEL) for name in names])
    return fig


def alt_text(lead: Lead, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    last = int(np.argmin(lead.means))
    return (
        f"The mean {words.sample} of {len(lead.arms)} {words.arms} with its interval, from "
        f"{lead.arms[lead.leader]} with {decimal(lead.means[lead.leader])} down to "
        f"{lead.arms[last]} with {decimal(lead.means[last])}."
    )
