"""The first four steps of the story: from one coin to LUCB. All keep to their own numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from cbai.datasets import DATASETS, load_problem
from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words
from cbai.figures.bounds import miss_curves
from cbai.figures.race.frames import outcome
from cbai.figures.samples import costs
from cbai.figures.story import coin as story_coin
from cbai.results import Rate
from cbai.simulation import CONFIDENCE, Trials, simulate
from cbai.simulation.coverage import first_misses
from cbai.ui.markdown import plain
from cbai.ui.parts import chart
from cbai.ui.race import animation
from cbai.ui.runs import cache, fair_pool
from cbai.ui.story.frame import Places, Said, Step
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import DEFAULT, Setup

VIEWS = Words("ad", "ads", "view", "views")
COIN = [1.0 - story_coin.RATES[0], story_coin.RATES[0]]
BANDS = ("howard", "hoeffding")
"""One band for every look, one for a single look."""
LOOKS = (100, 1_000, 10_000)
STREAMS = 1_000
DELTA = 0.05
DELTAS = (0.2, 0.1, 0.05, 0.01, 0.001)
RUNS = 100


def ads(delta: float = DELTA, q: float = 0.0) -> Setup:
    """Return the story of six ad designs, at settings of its own; everything known."""
    return _setup("ad-campaign", delta, 0.0, q)


def films(q: float) -> Setup:
    """Return MovieLens as the first visit has it, with a buffer."""
    return _setup("movielens-1m", DEFAULT.delta, DEFAULT.p, q)


def _setup(name: str, delta: float, p: float, q: float) -> Setup:
    return Setup(
        dataset_id=name,
        options=(),
        algorithms=(),
        delta=delta,
        p=p,
        q=q,
        trials=RUNS,
        seed=DEFAULT.seed,
        max_samples=DEFAULT.max_samples,
        dataset=DATASETS[name],
        problem=load_problem(name),
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def get_misses(looks: int) -> NDArray[np.int64]:
    """Return the first misses of coins like ad A, for both bands, shape (2, streams)."""
    return first_misses(COIN, [0, 1], 1.0, BANDS, story_coin.D, looks, STREAMS)


@st.cache_resource(max_entries=64, show_spinner=False)
def get_trials(names: tuple[str, ...], delta: float, q: float = 0.0) -> Trials:
    """Return some runs of algorithms on the six ad designs."""
    return simulate(ads().problem, names, delta, trials=RUNS, q=q, executor=fair_pool.executor())


def _coin(places: Places) -> Said:
    views = places.controls.select_slider(
        "Views of each ad",
        story_coin.VIEWS,
        100,
        format_func=lambda n: f"{n:,}",
        key=in_link("views"),
        bind="query-params",
        help="How often each ad is shown. More views make the bands narrower.",
    )
    info = story_coin.gather(views)
    with places.figure:
        chart.show(story_coin.draw(info), "story coin", story_coin.alt_text(info))
    width = CONFIDENCE["hoeffding"].radius([views, 4 * views], story_coin.D, 1.0)
    return Said(
        story_coin.answer(info),
        "You want bands half as wide. How many more views does that take?",
        f"Four times as many, as the width falls with 1/√n: give or take "
        f"{story_coin.points(float(width[0]))} after {views:,} views, "
        f"{story_coin.points(float(width[1]))} after {4 * views:,}. Ads that are twice as close "
        "cost four times as much to tell apart.",
    )


def _peeking(places: Places) -> Said:
    looks = places.controls.select_slider(
        "Look after every view, up to",
        LOOKS,
        LOOKS[1],
        format_func=lambda n: f"{n:,}",
        key=in_link("looks"),
        bind="query-params",
        help="The longer one looks, the more chances to be fooled.",
    )
    misses = get_misses(looks)
    info = miss_curves.gather(BANDS, misses, looks, 2 * story_coin.D)
    with places.figure:
        chart.show(miss_curves.draw(info, VIEWS), "story looks", miss_curves.alt_text(info, VIEWS))
    every, once = info.ends
    radius = {name: float(CONFIDENCE[name].radius(looks, story_coin.D, 1.0)) for name in BANDS}
    factor = radius["howard"] / radius["hoeffding"]
    return Said(
        f"Of {STREAMS:,} such ads the one-look band (dashed) was wrong at some look for "
        f"{_rate(once)}, the band for every look (solid) for {_rate(every)}; "
        f"{percent(info.promise)} are allowed.",
        "What does it cost to be allowed to look at any time?",
        f"After {looks:,} views the band for every look is {factor:.2g} times as wide, which takes "
        f"about {factor**2:.2g} times the views. In return you may stop whenever you like. All "
        "that follows uses such bands, called *confidence sequences*; their ends are the *lower* "
        "and the *upper confidence bound*, LCB and UCB.",
    )


def _rate(rate: Rate) -> str:
    return f"{percent(rate.estimate)} ({percent(rate.low)} to {percent(rate.high)})"


def _racing(places: Places) -> Said:
    setup = ads()
    trace = cache.get_trace(setup, "racing")
    with places.figure:
        animation.draw([trace], VIEWS, f"story {setup} racing")
    first = trace.eliminations[0]
    n = trace.problem.n_arms
    return Said(
        plain(outcome(trace, VIEWS)),
        f"The answer shall be right with {percent(1.0 - DELTA)} certainty. Why may each ad's band "
        f"then be wrong on a side for only {percent(DELTA)} / {n}?",
        f"One wrong band can spoil the answer: the best ad's by lying too low, another's by lying "
        f"too high. Those are {n} ways, and at {percent(DELTA / n)} each they come to at most "
        f"{percent(DELTA)} in all: the *union bound*. That {percent(DELTA)} is δ, the error you "
        f"allow. Here {trace.problem.arms[first.arm]} was out first, in round {first.round:,}.",
    )


def _lucb(places: Places) -> Said:
    delta = places.controls.select_slider(
        "Error allowed, δ",
        DELTAS,
        DELTA,
        format_func=percent,
        key=in_link("story_delta"),
        bind="query-params",
        help="The probability with which the answer may be wrong. Smaller takes more views.",
    )
    trials = get_trials(("racing", "lucb"), delta)
    info = costs.gather(trials)
    with places.figure:
        chart.show(costs.draw(info, VIEWS), "story costs", costs.alt_text(info, VIEWS))
    racing, lucb = trials.samples.mean(axis=1)
    share = info.pulls[1] / info.pulls[1].sum()
    return Said(
        f"Racing takes {count(racing)} views on average, LUCB {count(lucb)}: "
        f"{percent(1.0 - lucb / racing)} less, over {RUNS} runs each.",
        f"LUCB saves on the {len(info.arms) - 1} losing ads. What keeps it from saving more?",
        f"{info.arms[0]} gets {percent(share[0])} of LUCB's views, as it is in nearly every pair. "
        f"But the others are almost equally good, and each must be beaten by views of its own: "
        f"together they still cost {count(info.pulls[1, 1:].sum())}. Unless one ad's views can "
        "speak for another.",
    )


FIRST = (
    Step(
        "Two ads, one coin",
        "Each view of an ad is the flip of a coin: click or no click. How many views until you are "
        "sure which ad is better? Each band holds the true rate (dotted) with 95 % certainty, if "
        "you look just once.",
        _coin,
    ),
    Step(
        "A bound that holds at every look",
        "But you look after every view, and stop as soon as the bands part. Every look is one more "
        "chance to be fooled. So the band must hold at all looks at once.",
        _peeking,
    ),
    Step(
        "Many ads: a race",
        "Now six ads, and every viewer gives a score from 3 to 10. *Racing* shows all that are "
        "still in, in turn. An ad is out once its whole band lies below the leader's: press Play.",
        _racing,
    ),
    Step(
        "Spend where it matters",
        "Racing shows all that are left equally often, but only two decide: the leader and its "
        "strongest rival. *LUCB* shows just these: the best mean so far, and of the others the "
        "highest upper bound. Same bands, same certainty.",
        _lucb,
    ),
)
