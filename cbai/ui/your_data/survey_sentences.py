"""The sentences about a survey; no Streamlit here."""

from __future__ import annotations

import math

from cbai.figures.base.style import MINUS, THIN_SPACE, count, decimal, percent, rounded_up
from cbai.figures.base.words import Words, listed
from cbai.problem.counted import counted
from cbai.problem.lead import Lead
from cbai.problem.trust import Trust
from cbai.results.survey_verdict import HOLDS, Need, SurveyVerdict
from cbai.ui.visit.setup import round_up

MOST_NAMED = 5
"""From this number on, the options that may be best are counted instead of named."""
MOST_DIGITS = 6
SAME = 0.0005
"""A change below this is shown as 0."""

MOST_DOUBT = 0.5
"""From here on a percentage would say nothing."""


def headline(lead: Lead) -> str:
    """Say which option leads, or that these people cannot tell which one does."""
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
    """Write the lead with its interval, with enough digits to see whether it includes 0."""
    digits = 2
    while digits < MOST_DIGITS and decimal(lead.difference, digits) == decimal(
        lead.half_width, digits
    ):
        digits += 1
    return f"{decimal(lead.difference, digits)} ± {decimal(lead.half_width, digits)}"


def whose_ratings(lead: Lead) -> str:
    """Say which people's ratings the means and the lead come from."""
    everybody = {1: "the one person", 2: "both people"}.get(
        lead.asked, f"all {lead.asked:,} people"
    )
    start = f"The leader is estimated from the ratings of {everybody}."
    if lead.people == lead.asked:
        return start
    rated = f"{lead.arms[lead.leader]} or {lead.arms[lead.rival]}"
    return f"{start} Of these, {lead.people:,} rated {rated}."


def how_to_read(words: Words) -> str:
    """Say what dots and bars mean."""
    return (
        f"Each dot is the mean of all {words.samples} of {words.an_arm}. Each bar is its "
        f"95{THIN_SPACE}% interval, with people as units. Filled dots may be the best. Hollow dots "
        f"are clearly behind the leader. If the same people rated two {words.arms}, the data may "
        "tell them apart although their bars overlap."
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
        return f"{start} The interval of the difference includes 0, so either may be best."
    if round(abs(lead.difference), 2) == 0.0:
        return f"{start} {first} and {second} are level ({_by(lead)}), so either may be best."
    return (
        f"{start} {first} is ahead of {second} by {_by(lead)}. The interval includes 0, so another "
        f"{words.arm} may be best."
    )


def sure(lead: Lead, words: Words) -> str:
    """Say how sure the leader is: a survey that exists is a fixed budget already spent."""
    start = "**How sure is the leader?** These answers are a budget already spent."
    if lead.doubt >= MOST_DOUBT:
        return f"{start} So small a lead may well be chance."
    share = "1 in 10,000" if lead.doubt < 1e-4 else f"{percent(lead.doubt)} of"
    return f"{start} At most {share} such surveys would put a wrong {words.arm} so clearly ahead."


def needs(found: SurveyVerdict, trust: Trust, words: Words) -> str:
    """Say how many ratings are needed with and without the survey, and how many there are."""
    if found.note:
        return f"**How many {words.samples} it takes to decide is not known.** {found.note}"
    whom = f"the {counted(trust.testing)} held out" if trust.held_out else "these people"
    have = f"{found.ratings:,.0f} {words.samples}"
    return (
        f"**Asking for one {words.sample} at a time** finds the best {words.arm} after "
        f"{_need(found.without, words)} without the survey, and after {_need(found.using, words)} "
        f"with it. At most {percent(found.delta)} of the answers are wrong. The survey has {have}. "
        f"This assumes that everybody rates like {whom}{_unsure(found)}.{_other_best(found)}"
    )


def _unsure(found: SurveyVerdict) -> str:
    return "" if found.lead.decided else ", which is far from sure while the leader is open"


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
    """Say whether the survey helps; empty if there are no runs."""
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
        given = "" if found.trust == HOLDS else ", if its pseudo-rewards are valid"
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
    "**The ratings of one option say nothing about another.** Too few people rated two of them, so "
    "every pseudo-reward is the largest reward."
)


def trusts(found: Trust, largest: float) -> str:
    """Say whether the pseudo-rewards can be trusted; this is an estimate, too.

    Parameters
    ----------
    found : Trust
    largest : float
        The largest buffer in the sidebar.
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
    """Say which safety buffer is enough, or that none is useful; without one it is not safe.

    Parameters
    ----------
    found : Trust
    largest : float
        The largest buffer in the sidebar, if this is to be mentioned.
    """
    if not found.useful:
        return (
            "With these people there is no useful buffer. A buffer that is surely large enough "
            "makes the pseudo-rewards too high to rule out any option."
        )
    least = f" At least q = {decimal(found.q_low)} is needed." if found.q_low >= 0.005 else ""
    enough = f"A buffer of q = {rounded_up(found.q_high, 2)} is enough"
    sure = f"with {percent(found.level)} certainty"
    if round_up(found.q_high) > largest:
        return (
            f"{enough}, {sure}, but the largest buffer in the sidebar is {decimal(largest)}.{least}"
        )
    return f"{enough}, {sure}.{least}"


def only_estimated(found: Trust) -> str:
    """Say that these people's ratings, which the pages treat as the truth, are only a sample."""
    if not found.held_out:
        return found.words
    ratings = (
        "the ratings of the one person held out"
        if found.testing == 1
        else f"the ratings of the {found.testing:,} people held out"
    )
    start = f"This page treats {ratings} as the truth, but they are only a sample."
    sure = f"with {percent(found.level)} certainty"
    if found.safe:
        return f"{start} For everybody else no buffer is needed, {sure}."
    ends = f"{decimal(found.q_low)} and {rounded_up(found.q_high, 2)}"
    between = (
        f"For everybody else the smallest safe buffer is between q\u00a0=\u00a0{ends}, {sure} at "
        "each end."
    )
    return f"{start} {between}" if found.useful else f"{start} {between} {buffer(found)}"


def holds_together(delta: float, delta_prime: float, random: bool) -> str:
    """Say what is proven about the answer if bounds hold together.

    Parameters
    ----------
    delta, delta_prime : float
        The error probability of the algorithm, and that of all bounds together.
    random : bool
        Whether the people who make the bounds were drawn at random.
    """
    right = percent(1.0 - delta - delta_prime)
    if not random:
        return (
            "**The bounds hold together only for people like those who made them.** A random split "
            "of the people ensures this."
        )
    return (
        f"**The answer is right with {right} certainty** for people who are drawn alike. This is "
        f"1 − δ − δ′, with δ = {delta:g} for the algorithm and δ′ = {delta_prime:g} for all bounds "
        "together."
    )
