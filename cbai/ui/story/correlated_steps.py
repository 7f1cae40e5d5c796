"""The last three steps of the story: what one arm says about another. They ignore the sidebar."""

from __future__ import annotations

import numpy as np
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
from cbai.ui.parts.violation import VIOLATION, violation_line
from cbai.ui.race import animation
from cbai.ui.runs import cache
from cbai.ui.shell import present, sidebar
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
ADS, NO_BUFFER, SAFE = "six ads", "no buffer", "safe buffer"
NO_SCORE = "all views"
PAIR = ("c_lucb", "lucb")
SURER = 0.001
"""A smaller allowed error, to show what more certainty costs."""


def _set_people(numbers: tuple[int, ...]) -> None:
    for key, number in zip(PEOPLE, numbers, strict=True):
        st.session_state[key] = number


def _joint(places: Places) -> Said:
    people = []
    with places.controls:
        rows = 1 if present.on() else 2  # a slide has room for all of them in one row
        columns = [one for _ in range(rows) for one in st.columns(4 // rows, gap="small")]
        for at, place in enumerate(columns):
            people.append(
                place.slider(
                    f"Click {PEOPLE[at].removeprefix('people ')}",
                    0,
                    10,
                    TRUTHS["a"][at],
                    key=PEOPLE[at],
                    bind="query-params",
                    help="How many people click in this way. Only the shares matter.",
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
            "There are no people. Move at least one of the four sliders above 0.",
            "What do we know without any people?",
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
        "The pseudo-rewards are the same for People (a) and for People (b). Can they tell which ad "
        "is better?",
        f"No. {better[0]} is better in (a), {better[1]} in (b), and every bound "
        f"{'holds in both' if held else 'does not hold'}. Pseudo-rewards only say how good an ad "
        "is *at most*. They can rule out an ad, but they cannot show that it is the best. For that "
        "you need views.",
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
        help="Added to every pseudo-reward, in points of score. A larger buffer means that less is "
        "known.",
    )
    setup = ads(q=q)
    best = setup.problem.best_arm
    given = setup.problem.probabilities[best] > 0.0
    score = places.controls.select_slider(
        f"One view of {setup.problem.arms[best]}: its score",
        [NO_SCORE, *(f"{value:g}" for value in setup.problem.values[given])],
        key=in_link("story_score"),
        bind="query-params",
        help="Shows what a single view of the best ad says about each other ad.",
    )
    reward = None if score == NO_SCORE else float(score)
    info = story_gaps.gather(setup.problem, q, LARGEST, reward)
    with places.figure:
        chart.show(story_gaps.draw(info, VIEWS), "story gaps", story_gaps.alt_text(info, VIEWS))
    return Said(
        plain(story_gaps.one_view(info, VIEWS)) or story_gaps.answer(info, VIEWS),
        "What do the non-competitive ads cost?",
        lambda: _price(setup),
    )


def _price(setup: Setup) -> str:
    """Say how often the non-competitive ads are shown, and how much more certainty adds."""
    known = add_buffer(setup.problem.pseudo_rewards, setup.q, setup.problem.reward_max)
    lost = ~true_competitive(setup.problem.with_pseudo_rewards(known)).competitive
    runs = [get_trials(PAIR, delta, setup.q) for delta in (DELTA, SURER)]
    ours, theirs = (
        [float(trials.pulls[row][:, lost].sum(axis=1).mean()) for trials in runs] for row in (0, 1)
    )
    total = [count(float(mean)) for mean in runs[0].samples.mean(axis=1)]
    if not lost.any():
        return (
            "There are none. With a buffer this large, the views of the best ad rule out no other "
            f"ad. C-LUCB then takes {total[0]} views on average, LUCB {total[1]}."
        )
    return (
        f"C-LUCB, the next step, shows them {count(ours[0])} times on average, LUCB "
        f"{count(theirs[0])} times. If an error of {percent(SURER)} is allowed instead of "
        f"{percent(DELTA)}, C-LUCB adds {count(ours[1] - ours[0])} views, LUCB "
        f"{count(theirs[1] - theirs[0])}. C-LUCB shows the best ad anyway, and its views rule out "
        "these ads."
    )


def _real(places: Places) -> Said:
    chosen = places.controls.segmented_control(
        "Six ads, or film genres with",
        [ADS, NO_BUFFER, SAFE],
        default=ADS,
        required=True,
        key=in_link("story_buffer"),
        bind="query-params",
        help="The six ads of the steps before, or real ratings of film genres. The pseudo-rewards "
        "of the film genres are too low without a safety buffer. The safe buffer is the smallest "
        "one with which the guarantee holds.",
    )
    if chosen == ADS:
        return _six_ads(places)
    safe = sidebar.safe_buffer(films(0.0))
    setup = films(safe if chosen == SAFE else 0.0)
    words = setup.words
    traces = [cache.get_trace(setup, name) for name in PAIR]
    validity = cache.get_validity(setup)
    with places.figure:
        animation.draw(traces, words, f"story {setup} {PAIR}")
    with places.remarks:
        if validity.verdict == VIOLATED:
            line = violation_line(validity, ["C-LUCB"], words.arm, safe)
            st.markdown(f":red[:material/warning:] **{VIOLATION}** {line}")
        else:
            st.markdown(
                f":material/shield: With q = {decimal(setup.q)} no bound on the best {words.arm} "
                "is too low, so the guarantee holds."
            )
    return Said(
        plain(race_answer(setup.dataset.title, traces, words)),
        "C-LUCB names the right genre even without a buffer. Does that show that the "
        "pseudo-rewards are valid?",
        f"No. {_elsewhere()} A right answer does not show that the assumption is true. If it is "
        f"false, there is no guarantee. With q = {decimal(safe)} the guarantee holds. C-LUCB then "
        f"needs {_spent(safe, words)} in this run instead of {_spent(0.0, words)}.",
    )


def _six_ads(places: Places) -> Said:
    setup = ads()
    traces = [cache.get_trace(setup, name) for name in PAIR]
    with places.figure:
        animation.draw(traces, VIEWS, f"story {setup} {PAIR}")
    names = setup.problem.arms
    ruled_out = [
        (names[out.arm], names[out.by], int(traces[0].pulls[at, out.arm]))
        for out in traces[0].eliminations
        if out.by != out.arm
        for at in [int(np.searchsorted(traces[0].rounds, out.round))]
    ]
    arm, by, own = min(ruled_out, key=lambda one: one[2])
    return Said(
        plain(race_answer(setup.dataset.title, traces, VIEWS)),
        f"{plain(arm)} was ruled out. How often was it shown for that?",
        f"Only {own:,} {'time' if own == 1 else 'times'}. The scores of {plain(by)} ruled it out: "
        f"they say how high the mean of {plain(arm)} can be at most, and {plain(by)} is better "
        "than that. LUCB needs many views of every ad.",
    )


def _spent(q: float, words: Words) -> str:
    trace: Trace = cache.get_trace(films(q), PAIR[0])
    return f"{count(int(trace.samples[-1]))} {words.samples}"


def _elsewhere() -> str:
    """Say how often C-LUCB without a buffer was wrong on other draws of the genres."""
    table = stored_run.get_stored(ASSIGNMENTS)
    rows = table[(table["experiment"] == "table4") & (table["algorithm"] == PAIR[0])]
    bad = rows[rows["error_low"] > rows["delta"]]
    runs = int(rows["trials"].iloc[0])
    wrong = ", ".join(f"{errors} of {runs}" for errors in bad["errors"])
    return (
        f"Of {len(rows)} draws of the films' genres without a buffer, {len(bad)} gave far more "
        f"wrong answers than δ allows: {wrong} runs were wrong."
    )


LAST = (
    Step(
        "One click says something about another",
        "People who click A may rarely click B. A *pseudo-reward* says beforehand how many people "
        "click one ad at most, given whether they clicked the other. Set how many people click "
        "which ad.",
        _joint,
        many_controls=True,
    ),
    Step(
        "Who can still compete?",
        "Back to the six ads: one view of the best ad bounds the scores of all others. The bars "
        "end at the average of these bounds. An ad whose bar ends below the second best is "
        "*non-competitive*; the distance is its *pseudo-gap*.",
        _gaps,
    ),
    Step(
        "C-LUCB at work",
        "*C-LUCB* is LUCB, but the samples of each option also bound the means of all others. "
        "First on the six ads, then on real ratings of film genres, where the pseudo-rewards come "
        "from the people who rate most. Press Play.",
        _real,
        wide=True,
    ),
)
