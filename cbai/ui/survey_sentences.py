"""What a survey can say, in sentences; no Streamlit here."""

from __future__ import annotations

from cbai.figures.style import THIN_SPACE, count, decimal, percent, rounded_up
from cbai.figures.words import Words, listed
from cbai.problem.lead import Lead
from cbai.problem.trust import Trust
from cbai.results.survey_need import Need, Needs

MOST_NAMED = 4


def headline(lead: Lead, words: Words) -> str:
    """Say who leads, or that these people cannot tell who does."""
    first, second = lead.arms[lead.leader], lead.arms[lead.rival]
    by = f"{decimal(lead.difference)} ± {decimal(lead.half_width)}"
    if lead.decided:
        return f"{first} leads: {by} ahead of {second}."
    if len(lead.tied) == 1:
        return f"These {lead.people:,} people cannot tell {first} from {second} (difference {by})."
    others = len(lead.tied) + 1 - MOST_NAMED
    names = [lead.arms[arm] for arm in lead.perhaps_best[:MOST_NAMED]]
    named = listed(names) if others <= 0 else f"{', '.join(names)} and {others} more"
    return (
        f"These {lead.people:,} people cannot tell {named} apart. "
        f"{first} is ahead of {second} by {by}."
    )


def how_to_read(lead: Lead, words: Words) -> str:
    """Say what dots and bars are."""
    return (
        f"Each dot is the mean of all {words.samples} of {words.an_arm}, each bar its "
        f"95{THIN_SPACE}% interval, with people as units. Filled: perhaps the best. Hollow: "
        "clearly behind the leader. Two overlapping bars can still be told apart where the same "
        "people rated both."
    )


def decides(lead: Lead, words: Words) -> str:
    """Say whether the data can decide."""
    if lead.decided:
        return (
            f"**Yes, these data decide.** {lead.arms[lead.leader]} is best for people like these, "
            f"with 95{THIN_SPACE}% certainty."
        )
    return (
        f"**No, these data do not decide.** The interval of the lead holds 0, so another "
        f"{words.arm} may be best."
    )


def needs(found: Needs | None, delta: float, ratings: int, words: Words) -> str:
    """Say how many ratings it takes, each way, beside how many there are."""
    have = f"There are {ratings:,} {words.samples}."
    if found is None:
        return f"**No number of {words.samples} would do:** the best ones are equal in these data."
    return (
        f"**Asked one at a time,** it takes {_need(found.without)} {words.samples} to find the "
        f"best {words.arm} without the survey and {_need(found.with_survey)} with it, at "
        f"{percent(delta)} error. {have}"
    )


def _need(need: Need) -> str:
    if need.more:
        return f"more than {count(need.mean)}"
    return f"about {count(need.mean)} ({count(max(need.low, 0.0))} to {count(need.high)})"


def helps(found: Needs | None, words: Words) -> str:
    """Say whether the survey helps."""
    if found is None:
        return ""
    if found.ratio is None:
        return "**Whether the survey helps is not known:** the runs take too long here."
    ratio, low, high = found.ratio.estimate, found.ratio.low, found.ratio.high
    between = f"({_change(low)} to {_change(high)})"
    if high < 1.0:
        return (
            f"**The survey helps.** It saves {percent(1.0 - ratio)} of the {words.samples} "
            f"{between}."
        )
    if low > 1.0:
        return (
            f"**The survey does not help.** With it, finding the best takes "
            f"{percent(ratio - 1.0)} more {words.samples} {between}."
        )
    return (
        f"**The survey makes no clear difference:** {_change(low)} to {_change(high)} "
        f"{words.samples}."
    )


def _change(ratio: float) -> str:
    sign = "+" if ratio >= 1.0 else "\N{MINUS SIGN}"
    return f"{sign}{percent(abs(ratio - 1.0))}"


def trusts(found: Trust, words: Words) -> str:
    """Say whether the pseudo-rewards can be trusted, which is an estimate, too."""
    if not found.held_out:
        return f"**Whether the survey can be trusted is not tested.** {found.words}"
    sure = f"with {percent(found.level)} certainty"
    if found.safe:
        return (
            f"**The survey can be trusted.** No bound that matters is too low, {sure}. "
            f"{found.words}"
        )
    if found.clearly_unsafe:
        start = f"**The survey needs a safety buffer.** A bound that matters is too low, {sure}."
    else:
        start = (
            "**It is open whether the survey can be trusted.** The people held out are too few to "
            "tell."
        )
    return (
        f"{start} The smallest safe buffer q is between {decimal(found.q_low)} and "
        f"{rounded_up(found.q_high)}, most likely {decimal(found.q_estimate)}; q = "
        f"{rounded_up(found.q_high)} is on the safe side. {found.words}"
    )
