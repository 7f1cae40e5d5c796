"""What a survey can say, in sentences; no Streamlit here."""

from __future__ import annotations

import math

from cbai.figures.base.style import MINUS, THIN_SPACE, count, decimal, percent, rounded_up
from cbai.figures.base.words import Words, listed
from cbai.problem.counted import counted
from cbai.problem.lead import Lead
from cbai.problem.trust import Trust
from cbai.results.survey_verdict import HOLDS, Need, SurveyVerdict

MOST_NAMED = 5
"""From so many options on, those that may be best are counted, not named."""
MOST_DIGITS = 6
SAME = 0.0005
"""A change that shows as 0."""


def headline(lead: Lead) -> str:
    """Say who leads, or that these people cannot tell who does, however many options there are."""
    first, second = lead.arms[lead.leader], lead.arms[lead.rival]
    by = _by(lead)
    if lead.decided:
        return f"{first} leads: {by} ahead of {second}."
    people = "One person" if lead.asked == 1 else f"These {lead.asked:,} people"
    start = f"{people} cannot tell"
    if len(lead.tied) == 1:
        return f"{start} {first} from {second} (difference {by})."
    open_ = lead.perhaps_best
    if len(open_) < MOST_NAMED:
        return f"{start} {listed([lead.arms[arm] for arm in open_])} apart."
    top = "the" if len(open_) == len(lead.arms) else "the top"
    return f"{start} which of {top} {len(open_)} options is best."


def _by(lead: Lead) -> str:
    """Write the lead with its interval, with digits enough to see whether that holds 0."""
    digits = 2
    while digits < MOST_DIGITS and decimal(lead.difference, digits) == decimal(
        lead.half_width, digits
    ):
        digits += 1
    return f"{decimal(lead.difference, digits)} ± {decimal(lead.half_width, digits)}"


def whose_ratings(lead: Lead) -> str:
    """Say whose ratings the means and the lead come from."""
    everybody = {1: "the one person", 2: "both people"}.get(
        lead.asked, f"all {lead.asked:,} people"
    )
    start = f"Who leads is estimated from the ratings of {everybody}"
    if lead.people == lead.asked:
        return f"{start}."
    rated = f"{lead.arms[lead.leader]} or {lead.arms[lead.rival]}"
    return f"{start}; {lead.people:,} of them rated {rated}."


def how_to_read(words: Words) -> str:
    """Say what dots and bars are."""
    return (
        f"Each dot is the mean of all {words.samples} of {words.an_arm}, each bar its "
        f"95{THIN_SPACE}% interval, with people as units. Filled: perhaps the best. Hollow: "
        "clearly behind the leader. Two overlapping bars can still be told apart where the same "
        "people rated both."
    )


def decides(lead: Lead, words: Words) -> str:
    """Say whether the data can decide."""
    first, second = lead.arms[lead.leader], lead.arms[lead.rival]
    if lead.decided:
        return (
            f"**Yes, these data decide.** {first} is best for people like these, with "
            f"95{THIN_SPACE}% certainty."
        )
    start = "**No, these data do not decide.**"
    if len(lead.tied) == 1:
        return f"{start} The interval of the difference holds 0, so either may be best."
    return (
        f"{start} {first} is ahead of {second} by {_by(lead)}. The interval holds 0, so another "
        f"{words.arm} may be best."
    )


def needs(found: SurveyVerdict, trust: Trust, words: Words) -> str:
    """Say how many ratings it takes, each way, beside how many there are."""
    if found.note:
        return f"**What it takes to decide is not known.** {found.note}"
    whom = f"the {counted(trust.testing)} held out" if trust.held_out else "these people"
    have = f"{found.ratings:,.0f} {words.samples}"
    return (
        f"**Asking for one {words.sample} at a time** finds the best {words.arm} after "
        f"{_need(found.without, words)} without the survey, and after {_need(found.using, words)} "
        f"with it. At most {percent(found.delta)} of the answers are wrong. There are {have} now. "
        f"This assumes that everybody rates like {whom}{_unsure(found)}.{_other_best(found)}"
    )


def _unsure(found: SurveyVerdict) -> str:
    return "" if found.lead.decided else ", which is far from sure while the lead is open"


def _need(need: Need | None, words: Words) -> str:
    if need is None:
        return f"an unknown number of {words.samples}"
    if need.mean is None or need.low is None or need.high is None:
        return f"more than {count(need.at_least)} {words.samples} ({need.title})"
    ends = f"{count(need.low)} to {count(need.high)}"
    return f"about {count(need.mean)} {words.samples} ({need.title}, {ends})"


def _other_best(found: SurveyVerdict) -> str:
    if found.best == found.lead.arms[found.lead.leader]:
        return ""
    return f" Among the people held out, {found.best} is ahead."


def helps(found: SurveyVerdict, words: Words) -> str:
    """Say whether the survey helps; empty where nothing was played."""
    if found.note:
        return ""
    if found.ratio is None:
        return "**Whether the survey helps is not known.** The runs take too long here."
    ratio, low, high = found.ratio.estimate, found.ratio.low, found.ratio.high
    between = f"({_change(low)} to {_change(high)})"
    if found.helps is None:
        more = f"{percent(abs(ratio - 1.0))} {'more' if ratio >= 1.0 else 'fewer'}"
        if abs(ratio - 1.0) < SAME:
            more = "about as many"
        return (
            f"**The survey makes no clear difference.** With it, finding the best takes {more} "
            f"{words.samples} {between}."
        )
    if found.helps:
        given = "" if found.trust == HOLDS else ", if its pseudo-rewards hold"
        ends = f"({percent(1.0 - high)} to {percent(1.0 - low)})"
        saved = percent(1.0 - ratio)
        return f"**The survey helps{given}.** It saves {saved} of the {words.samples} {ends}."
    return (
        f"**The survey does not help.** With it, finding the best takes {percent(ratio - 1.0)} "
        f"more {words.samples} {between}."
    )


def _change(ratio: float) -> str:
    if abs(ratio - 1.0) < SAME:
        return percent(0.0)
    sign = "+" if ratio >= 1.0 else MINUS
    return f"{sign}{percent(abs(ratio - 1.0))}"


SAYS_NOTHING = (
    "**The survey says nothing about one option from another.** Too few people rated two of them, "
    "so every pseudo-reward is the largest reward."
)


def trusts(found: Trust, largest: float) -> str:
    """Say whether the pseudo-rewards can be trusted, which is an estimate, too.

    Parameters
    ----------
    found : Trust
    largest : float
        The largest buffer that the sidebar offers.
    """
    if not found.held_out:
        return f"**Whether the survey can be trusted is not tested.** {found.words}"
    sure = f"with {percent(found.level)} certainty"
    if found.safe:
        return (
            "**The survey can be trusted.** No pseudo-reward of an option that may be best is too "
            f"low, {sure}."
        )
    if found.clearly_unsafe:
        start = (
            "**The survey needs a safety buffer.** A pseudo-reward of the best option is too low, "
            f"{sure}."
        )
    else:
        start = "**It is open whether the survey can be trusted.** Too few people test it."
    return f"{start} {buffer(found, largest)}"


def buffer(found: Trust, largest: float = math.inf) -> str:
    """Say which safety buffer is enough, or that none is of use; the survey is not safe as it is.

    Parameters
    ----------
    found : Trust
    largest : float
        The largest buffer that the sidebar offers, if that is to be said.
    """
    if not found.useful:
        return (
            "With these people there is no useful buffer: one that is surely large enough leaves "
            "nothing that rules out an option."
        )
    least = f" At least q = {decimal(found.q_low)} is needed." if found.q_low >= 0.005 else ""
    enough = f"A buffer of q = {rounded_up(found.q_high, 2)} is enough"
    sure = f"with {percent(found.level)} certainty"
    if round_up(found.q_high) > largest:
        return f"{enough}, {sure}, but the sidebar offers at most {decimal(largest)}.{least}"
    return f"{enough}, {sure}.{least}"


def round_up(q: float) -> float:
    """Return a buffer on the steps of the sidebar, 0.01, that is not below q."""
    return math.ceil(q * 100.0 - 1e-9) / 100.0


def only_estimated(found: Trust) -> str:
    """Say of the pages that take these people's ratings for the truth that they are a sample."""
    if not found.held_out:
        return found.words
    ratings = (
        "the ratings of the one person held out"
        if found.testing == 1
        else f"the ratings of the {found.testing:,} people held out"
    )
    start = f"This page takes {ratings} for the truth. They are a sample."
    if found.safe:
        return f"{start} For everybody else no buffer is needed, {percent(found.level)} certain."
    ends = f"{decimal(found.q_low)} and {rounded_up(found.q_high, 2)}"
    between = (
        f"For everybody else the smallest safe buffer is between q\u00a0=\u00a0{ends}, "
        f"{percent(found.level)} certain at each end."
    )
    return f"{start} {between}" if found.useful else f"{start} {between} {buffer(found)}"


def holds_together(delta: float, delta_prime: float, random: bool) -> str:
    """Say what bounds that hold together promise of the whole.

    Parameters
    ----------
    delta, delta_prime : float
        How often the algorithm, and how often the bounds may fail.
    random : bool
        Whether the people who make the bounds were drawn at random.
    """
    right = percent(1.0 - delta - delta_prime)
    if not random:
        return (
            "**The bounds hold together only for people like those who made them.** Split the "
            "people at random, and they do."
        )
    return (
        f"**The whole is right with {right} certainty:** 1 − δ − "
        f"δ′, with δ = {delta:g} for the algorithm and δ′ = {delta_prime:g} for "
        "all bounds together, for people drawn alike."
    )
