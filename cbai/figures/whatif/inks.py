"""Colours of algorithms that can be read as text: dark enough on white, light enough on black."""

from __future__ import annotations

CONTRAST = 4.6
"""At least 4.5:1, as WCAG AA asks of text."""
PAPERS = {False: "#FFFFFF", True: "#14191E"}
"""The backgrounds of the light and of the dark theme, as in .streamlit/config.toml."""


def text_colour(colour: str, *, dark: bool) -> str:
    """Return the colour itself if it can be read as text, else the nearest shade that can.

    Parameters
    ----------
    colour : str
        Of the form #RRGGBB.
    dark : bool
        Whether the background is that of the dark theme.
    """
    paper = luminance(PAPERS[dark])
    towards = 255 if dark else 0
    parts = _parts(colour)
    for step in range(21):
        mixed = [round(part + (towards - part) * step / 20.0) for part in parts]
        shade = "#" + "".join(f"{part:02X}" for part in mixed)
        if contrast(luminance(shade), paper) >= CONTRAST:
            return shade
    return shade


def contrast(one: float, other: float) -> float:
    """Return the contrast of two luminances, from 1 to 21."""
    high, low = max(one, other), min(one, other)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1, as WCAG defines it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255.0 for value in _parts(colour))
    ]
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


def _parts(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
