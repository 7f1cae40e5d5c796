"""The first four steps of the story, from one coin to LUCB. They ignore the sidebar."""

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
"""A band that holds at every look, and one that holds at a single look."""
LOOKS = (100, 1_000, 10_000)
STREAMS = 1_000
DELTA = 0.05
DELTAS = (0.2, 0.1, 0.05, 0.01, 0.001)
RUNS = 100


def ads(delta: float = DELTA, q: float = 0.0) -> Setup:
    """Return the setup of the six ad designs, with everything known."""
    return _setup("ad-campaign", delta, 0.0, q)


def films(q: float) -> Setup:
    """Return MovieLens with the settings of a first visit and a buffer."""
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
        "You want bands that are half as wide. How many times as many views does that take?",
        f"Four times as many, because the width falls with 1/√n. It is "
        f"± {story_coin.points(float(width[0]))} after {views:,} views and "
        f"± {story_coin.points(float(width[1]))} after {4 * views:,}. If two ads are twice as "
        "close, it takes four times as many views to tell them apart.",
    )


def _peeking(places: Places) -> Said:
    looks = places.controls.select_slider(
        "Look after every view, up to",
        LOOKS,
        LOOKS[1],
        format_func=lambda n: f"{n:,}",
        key=in_link("looks"),
        bind="query-params",
        help="More looks give more chances to be fooled.",
    )
    misses = get_misses(looks)
    info = miss_curves.gather(BANDS, misses, looks, 2 * story_coin.D)
    with places.figure:
        chart.show(miss_curves.draw(info, VIEWS), "story looks", miss_curves.alt_text(info, VIEWS))
    every, once = info.ends
    radius = {name: float(CONFIDENCE[name].radius(looks, story_coin.D, 1.0)) for name in BANDS}
    factor = radius["howard"] / radius["hoeffding"]
    return Said(
        f"In {STREAMS:,} simulations of one ad, the one-look band (dashed) was wrong at some look "
        f"in {_rate(once)}. The band for every look (solid) was wrong in {_rate(every)}. "
        f"{percent(info.promise)} is allowed.",
        "What does it cost to be allowed to look at any time?",
        f"After {looks:,} views the band for every look is {factor:.2g} times as wide as the "
        f"other. To make up for this, you need about {factor**2:.2g} times as many views. In "
        "return you may stop whenever you like. Bands for every look are called *confidence "
        "sequences*. All later steps use them. Their ends are the *lower* and the *upper "
        "confidence bound*, LCB and UCB.",
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
        f"The answer must be right with {percent(1.0 - DELTA)} certainty. Why may the band of each "
        f"ad be wrong on one side with a probability of only {percent(DELTA)} / {n}?",
        f"One wrong band can spoil the answer: the band of the best ad if it is too low, or that "
        f"of another ad if it is too high. These are {n} ways to be wrong. At {percent(DELTA / n)} "
        f"each they add up to at most {percent(DELTA)}: this is called the *union bound*. The "
        f"{percent(DELTA)} is δ, the error that you allow. Here "
        f"{trace.problem.arms[first.arm]} was the first to be ruled out, in round {first.round:,}.",
    )


def _lucb(places: Places) -> Said:
    delta = places.controls.select_slider(
        "Allowed error, δ",
        DELTAS,
        DELTA,
        format_func=percent,
        key=in_link("story_delta"),
        bind="query-params",
        help="The probability with which the answer may be wrong. A smaller δ needs more views.",
    )
    trials = get_trials(("racing", "lucb"), delta)
    info = costs.gather(trials)
    with places.figure:
        chart.show(costs.draw(info, VIEWS), "story costs", costs.alt_text(info, VIEWS))
    racing, lucb = trials.samples.mean(axis=1)
    share = info.pulls[1] / info.pulls[1].sum()
    return Said(
        f"Racing takes {count(racing)} views on average, LUCB {count(lucb)}. That is "
        f"{percent(1.0 - lucb / racing)} less, over {RUNS} runs each.",
        f"LUCB saves views on the {len(info.arms) - 1} losing ads. Why does it not save more?",
        f"{info.arms[0]} gets {percent(share[0])} of LUCB's views, because it is in nearly every "
        "pair. But the other ads are almost as good, and each must be beaten by its own views. "
        f"Together they still cost {count(info.pulls[1, 1:].sum())} views. It would help if the "
        "views of one ad said something about another.",
    )


FIRST = (
    Step(
        "Two ads, one coin",
        "Each view of an ad is like the flip of a coin: click or no click. How many views do you "
        "need to be sure which ad is better? If you look only once, each band contains the true "
        "rate (dotted) with 95 % certainty.",
        _coin,
    ),
    Step(
        "A bound that holds at every look",
        "In practice you look after every view, and you stop once the bands no longer overlap. "
        "Every look is one more chance to be fooled. So a band must hold at all looks at once.",
        _peeking,
    ),
    Step(
        "Many ads: a race",
        "Now there are six ads, and every viewer gives a score from 3 to 10. *Racing* shows all "
        "remaining ads in turn, and rules out an ad once its band lies below that of the leader. "
        "Press Play.",
        _racing,
    ),
    Step(
        "Spend where it matters",
        "Racing shows all remaining ads equally often, but only two of them decide. *LUCB* shows "
        "only these two: the leader, with the best mean so far, and its strongest rival, with the "
        "highest upper bound of all others. The bands and the certainty stay the same.",
        _lucb,
    ),
)
