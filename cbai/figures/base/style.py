"""One look for every figure: colours, fonts, numbers."""

from __future__ import annotations

import math

from cbai.simulation import Algorithm
from cbai.simulation.rules.names import LAB, WITH

ORANGE, SKY, GREEN, BLUE, VERMILION, PURPLE = (
    "#B97B00",
    "#3A96D0",
    "#009E73",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
"""The colour-blind-safe set of Okabe and Ito (2008), orange and sky blue darker: each colour
is at least 3 : 1 on both backgrounds."""

GREY = "#8A8F98"
INK, PALE_INK = "#5F6B77", "#8A8F98"
"""Marks that stand for no algorithm: the first where only one is needed."""
WARNING = "#D32F2F"
"""What is wrong, and nothing else."""

ALGORITHM_COLOURS = {
    "racing": GREY,
    "lil_ucb": PURPLE,
    "lucb": ORANGE,
    "lucb_pp": VERMILION,
    "c_lucb": BLUE,
    "c_lucb_pp": SKY,
    "maxmin_lucb": GREEN,
    "two_lucb": "#6A5ACD",
    "lucb_pp_bet": "#9A7D0A",
    "c_lucb_bet": "#C2185B",
    "c_lucb_bet_two": "#7E57C2",
    "c_lucb_claim": "#B3451F",
    "c_lucb_eb": "#00838F",
    "c_lucb_guard": "#6D8B00",
    "track_and_stop": "#3B7A57",
    "ttucb": "#A0522D",
    "exp_gap": "#5F6B8A",
}
"""The same on every page, and at least 3 : 1 on both backgrounds."""

BUDGET_COLOURS = {
    "uniform": "#857A66",
    "sequential_halving": "#B5651D",
    "sequential_halving_fresh": "#C2559D",
    "sh_ada_var": "#4F8A2B",
    "bracketing_halving": "#7A63C0",
    "c_halving": "#1976C5",
}
"""The colours of the algorithms that spend a fixed budget; they never stand beside the others."""

LAB_COLOUR = "#935D52"
"""The colour of the algorithm that a user has composed."""

MINUS = "\N{MINUS SIGN}"
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def colour_of(algorithm: Algorithm) -> str:
    """Return the colour of an algorithm; a row of the table with other bounds keeps its colour."""
    if algorithm.name.startswith(LAB):
        return LAB_COLOUR
    return ALGORITHM_COLOURS.get(algorithm.name.partition(WITH)[0], GREY)


def count(number: float) -> str:
    """Write a count with three significant digits and separators of thousands (33,200)."""
    if not math.isfinite(number):
        return "unknown"
    if abs(number) < 999.5:
        return f"{number:.3g}"
    digits = math.floor(math.log10(abs(number)))
    return f"{round(number, 2 - digits):,.0f}"


def percent(share: float) -> str:
    """Write a share as a percentage of few digits; only a share of 1 is written as 100 %."""
    value = 100.0 * share
    digits = 0 if value >= 10 or value == round(value) else 1 if value >= 1 else 2
    if 99.0 < value < 100.0:
        digits = max(1, math.ceil(-math.log10(100.0 - value) - 1e-9))
    return f"{value:.{digits}f}{THIN_SPACE}%"


def rounded_up(number: float, digits: int = 3) -> str:
    """Write a number rounded up, for one that must not be too small: a safe buffer."""
    return decimal(math.ceil(number * 10**digits - 1e-9) / 10**digits, digits)


def decimal(number: float, digits: int = 2) -> str:
    """Write a number with a true minus sign."""
    return f"{number:.{digits}f}".replace("-", MINUS)
