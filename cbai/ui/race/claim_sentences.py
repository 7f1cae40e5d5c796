"""What is said of an algorithm that bets against claims; no Streamlit here."""

from __future__ import annotations

import math

from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.results.why import Why


def times(log_wealth: float) -> str:
    """Write by how much bets have multiplied the stake, for people."""
    if log_wealth > math.log(1e9):
        return "over a billion"
    wealth = math.exp(log_wealth)
    return f"{math.floor(10.0 * wealth) / 10.0:g}" if wealth < 10.0 else count(wealth)


def refuted(info: Why, whose: str, words: Words) -> str:
    """Say which claim was refuted, and whose samples won most."""
    trace = info.trace
    name, enough = trace.problem.arms[info.arm], times(-math.log(trace.delta))
    return (
        f"The bets were against the claim that {name} is the best {words.arm}. Whatever the mean "
        f"of {name} may be, they had multiplied the stake by at least {enough}. That is enough. "
        f"Bets on {whose} won most."
    )


def habit(words: Words) -> str:
    """Say when such an algorithm rules an arm out."""
    return f"bets against each {words.arm} being the best; it shows bounds, but they do not decide"


def bet(a_sample: str) -> str:
    """Say which samples win such a bet."""
    return (
        f"{a_sample} of the leader wins more, the higher it is above its entry in the last column, "
        "or above the mean that the claim allows."
    )
