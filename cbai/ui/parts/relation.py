"""A ratio of means in words: about half the ratings, 3 times as many ratings."""

from __future__ import annotations

from cbai.figures.base.style import THIN_SPACE, decimal, percent
from cbai.results import Ratio

FRACTIONS = {
    "three quarters": 3 / 4,
    "two thirds": 2 / 3,
    "half": 1 / 2,
    "a third": 1 / 3,
    "a quarter": 1 / 4,
    "a fifth": 1 / 5,
    "a tenth": 1 / 10,
}
NEAR = 0.04
"""A share this close to a simple fraction is written as that fraction; its interval follows."""


def relation(ratio: Ratio, samples: str, than: str) -> str:
    """Write a ratio of means: about half the ratings of LUCB, 3 times as many ratings as LUCB.

    Parameters
    ----------
    ratio : Ratio
        With an interval that leaves 1 out.
    samples, than : str
        What samples are called, and the algorithm that it is compared with.
    """
    if ratio.estimate > 1.0:
        ends = f"{decimal(ratio.low)} to {decimal(ratio.high)}"
        what = f"{decimal(ratio.estimate)} times as many {samples} as {than}"
        return f"{what} (95{THIN_SPACE}% interval {ends})"
    low = percent(ratio.low).removesuffix(f"{THIN_SPACE}%")
    interval = f"95{THIN_SPACE}% interval {low} to {percent(ratio.high)}"
    for name, share in FRACTIONS.items():
        if abs(ratio.estimate / share - 1.0) < NEAR:
            return f"about {name} of the {samples} of {than} ({interval})".replace(
                "half of the", "half the"
            )
    return f"{percent(ratio.estimate)} of the {samples} of {than} ({interval})"
