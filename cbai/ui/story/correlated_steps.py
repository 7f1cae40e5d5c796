"""The last three steps of the story: what one arm says of another. All keep to their numbers."""

from __future__ import annotations

import streamlit as st

from cbai.datasets.paper import TWO_ARM_JOINTS
from cbai.figures.base.style import count, decimal, percent
from cbai.figures.base.words import Words
from cbai.figures.story import gaps as story_gaps
from cbai.figures.story import joint as story_joint
from cbai.problem.pseudo_rewards import add_buffer
from cbai.problem.validity import VIOLATED
from cbai.reproduce.stored import ASSIGNMENTS
from cbai.results import true_competitive
from cbai.simulation import Trace
from cbai.ui.markdown import plain
from cbai.ui.paper import stored_run
from cbai.ui.parts import chart
from cbai.ui.parts.answers import race_answer
from cbai.ui.parts.violation import VIOLATION, violation_text
from cbai.ui.race import animation
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar
from cbai.ui.story.classical_steps import DELTA, VIEWS, ads, films, get_trials
from cbai.ui.story.frame import Places, Said, Step
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.setup import Setup

PEOPLE = (
    number_in_link("people neither"),
    number_in_link("people A only"),
    number_in_link("people B only"),
    number_in_link("people both"),
)
TRUTHS = {
    name: tuple(round(10 * joint[outcome]) for outcome in story_joint.OUTCOMES)
    for name, joint in TWO_ARM_JOINTS.items()
}
"""The two truths of Table 1 of the paper, as numbers of ten people."""
LARGEST = 0.3
NO_BUFFER, SAFE = "no buffer", "safe buffer"
PAIR = ("c_lucb", "lucb")
SURER = 0.001
"""A smaller error, to see what more certainty costs."""


def _set_people(numbers: tuple[int, ...]) -> None:
    for key, number in zip(PEOPLE, numbers, strict=True):
        st.session_state[key] = number


def _joint(places: Places) -> Said:
    people = []
    with places.controls:
        for row in range(2):
            for column, place in zip(range(2), st.columns(2, gap="small"), strict=True):
                at = 2 * row + column
                people.append(
                    place.slider(
                        f"Click {PEOPLE[at].removeprefix('people ')}",
                        0,
                        10,
                        TRUTHS["a"][at],
                        key=PEOPLE[at],
                        bind="query-params",
                        help="How many people would click just so. Only the shares matter.",
                    )
                )
        with st.container(horizontal=True, key="story truths"):
            for name, numbers in TRUTHS.items():
                st.button(
                    f"People ({name})",
                    key=f"story people {name}",
                    on_click=_set_people,
                    args=(numbers,),
                    help=f"The joint table ({name}) of Table 1 in the paper.",
                )
    if not sum(people):
        return Said(
            "Nobody is there: give at least one of the four more than 0 people.",
            "What can be known of nobody?",
            "Nothing.",
        )
    info = story_joint.gather(people)
    with places.figure:
        chart.show(story_joint.draw(info), "story joint", story_joint.alt_text(info))
    first, second = (story_joint.gather(numbers) for numbers in TRUTHS.values())
    better = [story_joint.NAMES[int(one.rates.argmax())] for one in (first, second)]
    held = not (first.broken.any() or second.broken.any())
    return Said(
        story_joint.answer(info),
        "The pseudo-rewards stay as they are, and hold for People (a) and for People (b). Can "
        "they tell which ad is better?",
        f"No. {better[0]} is better in (a), {better[1]} in (b), and every bound "
        f"{'holds in both' if held else 'does not hold'}. Pseudo-rewards only say how good an ad "
        "is *at most*: they can rule an ad out, never crown one. For that you need views.",
    )


def _gaps(places: Places) -> Said:
    q = places.controls.slider(
        "Safety buffer, q",
        0.0,
        LARGEST,
        0.0,
        0.02,
        key=number_in_link("story_q"),
        bind="query-params",
        help="Added to every pseudo-reward, in points of score: less is then known.",
    )
    setup = ads(q=q)
    info = story_gaps.gather(setup.problem, q, LARGEST)
    with places.figure:
        chart.show(story_gaps.draw(info, VIEWS), "story gaps", story_gaps.alt_text(info, VIEWS))
    return Said(
        story_gaps.answer(info, VIEWS),
        "What do the non-competitive ads cost?",
        lambda: _price(setup),
    )


def _price(setup: Setup) -> str:
    """Say how often the non-competitive ads are shown, and how that grows with certainty."""
    known = add_buffer(setup.problem.pseudo_rewards, setup.q, setup.problem.reward_max)
    lost = ~true_competitive(setup.problem.with_pseudo_rewards(known)).competitive
    runs = [get_trials(PAIR, delta, setup.q) for delta in (DELTA, SURER)]
    ours, theirs = (
        [float(trials.pulls[row][:, lost].sum(axis=1).mean()) for trials in runs] for row in (0, 1)
    )
    total = [count(float(mean)) for mean in runs[0].samples.mean(axis=1)]
    if not lost.any():
        return (
            "There are none: with so large a buffer the best ad's views rule out nobody. C-LUCB "
            f"then takes {total[0]} views on average, LUCB {total[1]}."
        )
    return (
        f"C-LUCB, the next step, shows them {count(ours[0])} times on average, LUCB "
        f"{count(theirs[0])} times. For an error of {percent(SURER)} instead of {percent(DELTA)}, "
        f"C-LUCB adds {count(ours[1] - ours[0])}, LUCB {count(theirs[1] - theirs[0])}. The best ad "
        "is shown anyway, and its views speak for all."
    )


def _films(places: Places) -> Said:
    chosen = places.controls.segmented_control(
        "Safety buffer",
        [NO_BUFFER, SAFE],
        default=NO_BUFFER,
        required=True,
        key=in_link("story_buffer"),
        bind="query-params",
        help="Added to every pseudo-reward: none, or the smallest with which the guarantee stands.",
    )
    safe = sidebar.safe_buffer(films(0.0))
    setup = films(safe if chosen == SAFE else 0.0)
    words = setup.words
    traces = [cache.get_trace(setup, name) for name in PAIR]
    validity = cache.get_validity(setup)
    with places.figure:
        animation.draw(traces, words, f"story {setup} {PAIR}")
    with places.remarks:
        if validity.verdict == VIOLATED:
            text = violation_text(validity, ["C-LUCB"], words.arm, safe)
            st.markdown(f":red[:material/warning:] **{VIOLATION}** {text}")
        else:
            st.markdown(
                f":material/shield: With q = {decimal(setup.q)} no bound on the best {words.arm} "
                "is too low: the guarantee stands."
            )
    return Said(
        plain(race_answer(setup.dataset.title, traces, words)),
        "C-LUCB names the right genre even without a buffer. Does that show that the "
        "pseudo-rewards hold?",
        f"No. {_elsewhere()} A right answer shows nothing of the assumption, and a guarantee "
        f"whose assumption fails is none. With q = {decimal(safe)} it stands, for "
        f"{_spent(safe, words)} in this run instead of {_spent(0.0, words)}.",
    )


def _spent(q: float, words: Words) -> str:
    trace: Trace = cache.get_trace(films(q), PAIR[0])
    return f"{count(int(trace.samples[-1]))} {words.samples}"


def _elsewhere() -> str:
    """Say how C-LUCB without a buffer fared on other draws of the genres."""
    table = stored_run.get_stored(ASSIGNMENTS)
    rows = table[(table["experiment"] == "table4") & (table["algorithm"] == PAIR[0])]
    bad = rows[rows["error_low"] > rows["delta"]]
    runs = int(rows["trials"].iloc[0])
    wrong = ", ".join(f"{errors} of {runs}" for errors in bad["errors"])
    return (
        f"Of {len(rows)} draws of the films' genres, tried without a buffer, {len(bad)} had far "
        f"more wrong answers than δ allows: {wrong} runs."
    )


LAST = (
    Step(
        "One click tells of another",
        "Who clicks A may rarely click B. A *pseudo-reward* says so beforehand: at most how many "
        "click one ad, given what the other got. Slide how many people click what.",
        _joint,
    ),
    Step(
        "Who can still compete?",
        "Back to six ads. The scores of the best one say how good each other is at most: its bar. "
        "An ad whose bar ends below the second best is *non-competitive*, and the distance is its "
        "*pseudo-gap*.",
        _gaps,
    ),
    Step(
        "C-LUCB on real ratings",
        "*C-LUCB* is LUCB that also lets every genre's ratings bound all others. Its "
        "pseudo-rewards come from the people who rate most. Press Play.",
        _films,
        wide=True,
    ),
)
