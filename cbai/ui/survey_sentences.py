"""What a survey can say, in sentences; no Streamlit here."""

from __future__ import annotations

from cbai.figures.style import MINUS, THIN_SPACE, count, decimal, percent, rounded_up
from cbai.figures.words import Words, listed
from cbai.problem.lead import Lead
from cbai.problem.trust import Trust
from cbai.results.survey_verdict import HOLDS, Need, SurveyVerdict

MOST_NAMED = 4


def headline(lead: Lead) -> str:
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
    if lead.decided:
        return (
            f"**Yes, these data decide.** {lead.arms[lead.leader]} is best for people like these, "
            f"with 95{THIN_SPACE}% certainty."
        )
    return (
        f"**No, these data do not decide.** The interval of the lead holds 0, so another "
        f"{words.arm} may be best."
    )


def needs(found: SurveyVerdict, words: Words) -> str:
    """Say how many ratings it takes, each way, beside how many there are."""
    if found.note:
        return f"**What it takes to decide is not known.** {found.note}"
    have = f"There are {round(found.ratings):,} {words.samples}."
    return (
        f"**Asked one at a time,** finding the best {words.arm} takes {_need(found.without)} "
        f"{words.samples} without the survey and {_need(found.using)} with it, at "
        f"{percent(found.delta)} error. That is if everybody rates like the people held out"
        f"{_unsure(found)}. {have}{_other_best(found)}"
    )


def _unsure(found: SurveyVerdict) -> str:
    return "" if found.lead.decided else ", which is far from sure while the lead is open"


def _need(need: Need | None) -> str:
    if need is None:
        return "an unknown number of"
    if need.mean is None or need.low is None or need.high is None:
        return f"more than {count(need.at_least)} ({need.title})"
    return f"about {count(need.mean)} ({need.title}, {count(need.low)} to {count(need.high)})"


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
        return (
            f"**The survey makes no clear difference.** With it, {words.samples} change by "
            f"{_change(ratio)} {between}."
        )
    if found.helps:
        given = "" if found.trust == HOLDS else ", if its bounds hold"
        saved = percent(1.0 - ratio)
        return f"**The survey helps{given}.** It saves {saved} of the {words.samples} {between}."
    return (
        f"**The survey does not help.** With it, finding the best takes {percent(ratio - 1.0)} "
        f"more {words.samples} {between}."
    )


def _change(ratio: float) -> str:
    if abs(ratio - 1.0) < 0.0005:
        return percent(0.0)
    sign = "+" if ratio >= 1.0 else MINUS
    return f"{sign}{percent(abs(ratio - 1.0))}"


SAYS_NOTHING = (
    "**The survey says nothing about one option from another.** Too few people rated two of them, "
    "so every pseudo-reward is the largest reward."
)


def trusts(found: Trust) -> str:
    """Say whether the pseudo-rewards can be trusted, which is an estimate, too."""
    if not found.held_out:
        return f"**Whether the survey can be trusted is not tested.** {found.words}"
    sure = f"with {percent(found.level)} certainty"
    if found.safe:
        return f"**The survey can be trusted.** No bound that matters is too low, {sure}."
    if found.clearly_unsafe:
        start = f"**The survey needs a safety buffer.** A bound that matters is too low, {sure}."
    else:
        start = "**It is open whether the survey can be trusted.** Too few people test it."
    least = f" At least q = {decimal(found.q_low)} is needed." if found.q_low > 0.0 else ""
    return f"{start} A buffer of q = {rounded_up(found.q_high)} is enough, {sure}.{least}"


def only_estimated(found: Trust) -> str:
    """Say of the pages that take these people's ratings for the truth that they are a sample."""
    if not found.held_out:
        return found.words
    return (
        f"These pages take the ratings of {found.testing:,} held-out people for the truth. They "
        f"are a sample: for everybody else, the smallest safe buffer is between "
        f"{decimal(found.q_low)} and {rounded_up(found.q_high)}."
    )


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
