"""What Home says about its picture; no Streamlit here."""

from __future__ import annotations

from cbai.figures.base.moments import own_samples
from cbai.figures.base.style import count, decimal, percent
from cbai.figures.base.words import Words, capital
from cbai.figures.home.scene import telling_fall
from cbai.figures.home.wrong_survey import BUDGET, Misled
from cbai.results import clopper_pearson
from cbai.simulation import Trace
from cbai.simulation.trace import Elimination

WATCHED = "showing"
"""What a sample is called where sampling an arm is watching it."""


def headline(trace: Trace, words: Words) -> str:
    """Say what the picture shows at its pause, in one line."""
    out = telling_fall(trace)
    if out is None:
        without = "Without the survey, no" if trace.p == 1.0 else "No"
        return f"{without} {words.arm} ruled out another"
    own = own_samples(trace, out)
    if words.sample == WATCHED:
        return f"Watching one {words.arm} ruled out another after {spent(own, words)}"
    return (
        f"One {words.arm}’s {words.samples} ruled out another {words.arm} after {own:,} of its own"
    )


def spent(n: int, words: Words) -> str:
    """Write a number of samples with their noun."""
    return f"{n:,} {words.sample if n == 1 else words.samples}"


def lead(found: str, words: Words, *, surveyed: bool = True) -> str:
    """Say in what the two algorithms differ, and then what they found."""
    if not surveyed:
        return f"{words.no_survey} So C-LUCB knows no more than LUCB. {capital(found)}"
    return (
        f"C-LUCB uses what an earlier survey says about the other {words.arms}. "
        f"LUCB looks at each {words.arm} alone. {capital(found)}"
    )


def few_of_many(rows: int, arms: int, words: Words) -> str:
    """Say which arms are drawn if not all are; else empty."""
    if rows == arms:
        return ""
    return (
        f"{rows} of {arms} {words.arms} are shown: those with the most {words.samples}, the best "
        "one, and the one just ruled out."
    )


def how_to_read(words: Words) -> str:
    """Say how to read the picture."""
    return (
        f"The dot is the mean of {words.an_arm} so far. The line is the range in which the true "
        f"mean may still lie. Its upper end is thick where another {words.arm}’s {words.samples} "
        f"set it. {capital(words.an_arm)} whose line ends left of the dashed line is ruled out. "
        f"The star marks the best {words.arm}. Press a row to see why."
    )


def panel_texts(words: Words) -> dict[str, str]:
    """Return the sentences beside the picture; the browser puts names and numbers into them."""
    return {
        "reason": "The reason",
        "why": "Why is {arm} ruled out?",
        "whether": "Is {arm} ruled out?",
        "leads": "Why is {arm} ahead?",
        "best": "Why is {arm} the answer?",
        "by": f"The survey says how good {{arm}} can be at most, given each {words.sample} of "
        "{by}. After {n} of {by}, the mean of {arm} is at most",
        "own": "By its own {n}, the mean of {arm} is at most",
        "upper": "its upper bound",
        "bar": "the leader’s lower bound",
        "spent": "{arm} had {own} of its own.",
        "ahead": "Its lower bound, {bar}, is the highest. Every other "
        f"{words.arm} is ruled out once its upper bound is below that.",
        "early": f"No {words.arm} can be ruled out yet: there are too few {words.samples}.",
        "answer": f"All other {words.arms} are ruled out. That took {{n}}.",
        "later": "Go to the moment when it is ruled out ›",
        "do": "Do the sum yourself ›",
        "close": "Close the sum",
        "head": f"{words.capital_sample} of {{by}}|Seen|{{arm}} at most",
        "head own": f"{words.capital_sample} of {{by}}|Seen|Counts as",
        "average": "Average of the last column, each row as often as seen",
        "radius": "Allowance for chance after {n}",
        "total": "Upper bound",
        "verdict": "{upper} is below {leader}’s lower bound, {bar}. So {arm} is ruled out.",
        "called": "ruled out|after {own} of its own",
        "alone": "ruled out|by its own {own}",
        "none": "none ruled out",
        "some": "{k} of {all} ruled out",
        "done": "{arm} is the answer",
        "axis": "mean, and where it may still lie",
        "so far": f"{words.samples} so far",
        "tag": "by {by}",
        "hint": "Enter explains a row",
        "clock": "{n} of {all}",
        "place": f"{words.samples} so far",
    }


# ---------------------------------------------------------------- the second act


def supposed(best: str, points: float, words: Words) -> str:
    """Say in what way the survey is wrong."""
    return (
        f"Suppose people have come to like {best} since the survey was taken. What the survey says "
        f"about it is now {points:g} points too low. The other {words.arms} are as they were."
    )


def outcome(trace: Trace, fall: Elimination | None, words: Words) -> str:
    """Say whether the best arm survived."""
    best = trace.problem.arms[trace.problem.best_arm]
    if fall is not None:
        own = own_samples(trace, fall)
        return (
            f"C-LUCB trusted the survey. It ruled out {best}, the best {words.arm}, after "
            f"{spent(own, words)} of its own."
        )
    return (
        f"With this buffer C-LUCB finds {best}, the best {words.arm}, after "
        f"{count(int(trace.samples[-1]))} {words.samples}."
    )


def error_rate(misled: Misled, buffer: float, safe: float, delta: float, words: Words) -> str:
    """Say how often the best arm was ruled out, with an interval, and what is promised."""
    rate = clopper_pearson(misled.wrong, misled.runs)
    within = f"In {misled.runs} runs of at most {BUDGET:,} {words.samples}, C-LUCB"
    if misled.wrong:
        said = (
            f"{within} ruled out the best {words.arm} in {misled.wrong} "
            f"({percent(rate.low)} to {percent(rate.high)}). Its promise is {percent(delta)} at "
            "most."
        )
    else:
        said = f"{within} ruled out the best {words.arm} in none (at most {percent(rate.high)})."
    if buffer >= safe:
        return f"{said} All bounds on it are true again, so the guarantee holds."
    return f"{said} The guarantee holds from a buffer of {decimal(safe, 1)} on."
