"""Bounds: how wide must a confidence bound be to hold at every moment?"""

import streamlit as st

from cbai.figures.base.style import THIN_SPACE, decimal, percent
from cbai.figures.base.words import Words
from cbai.figures.bounds import bound_widths, corridor, miss_curves
from cbai.simulation import CONFIDENCE
from cbai.ui.bounds import coverage
from cbai.ui.bounds.sentences import coverage_answer, price_answer
from cbai.ui.parts import chart, page
from cbai.ui.runs import stopping
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link, number_in_link

CHOSEN = ("howard", "lil", "kl_lucb", "hoeffding")
ALLOWED = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001)
LOOKS = (1_000, 10_000, 100_000)
STREAMS = (200, 1_000, 5_000)
DISTANCE, FACTOR = "distance", "times Howard's"

setup = sidebar.current()
problem = setup.problem
page.question("How wide must a confidence bound be to hold at every moment?")
st.markdown(
    "The mean of a few rewards is uncertain. *Confidence bounds* around it give a range for the "
    "true mean. If you check the bounds after every reward, you have many chances to be fooled. "
    "A bound for a fixed number of rewards may be wrong 1 time in 10 at any one check. It is wrong "
    "at *some* check far more often."
)
answer = st.container()


def arm_title(arm: int) -> str:
    """Return the name of a source of rewards: the coin, or an arm."""
    return "A coin" if arm == coverage.COIN else str(problem.arms[arm])


arms = [coverage.COIN, *(int(arm) for arm in problem.ranking)]
if st.session_state.get("rewards_of") not in arms:
    st.session_state.pop("rewards_of", None)
with st.container(horizontal=True, key="bound_source"):
    arm = st.selectbox(
        "Rewards of",
        arms,
        format_func=arm_title,
        key=in_link("rewards_of"),
        bind="query-params",
        width=176,
        help=f"A coin gives 1 or 0; no other rewards vary more. The {setup.words.arms} are those "
        "of the data set, from best to worst.",
    )
    is_coin = arm == coverage.COIN
    coin_mean = st.slider(
        "Mean of the coin",
        0.01,
        0.99,
        0.5,
        0.01,
        key=number_in_link("coin_mean"),
        bind="query-params",
        disabled=not is_coin,
        width=176,
        help="Probability of a 1. Near 0 or 1 the rewards vary less, and Kullback-Leibler (KL) "
        "bounds are then tighter.",
    )
    allowed = st.select_slider(
        "Allowed misses, 2d",
        ALLOWED,
        0.1,
        format_func=lambda share: f"{100 * share:g} %",
        key=in_link("misses_allowed"),
        bind="query-params",
        width=176,
        help="Share of streams that may ever miss the true mean (half above, half below). A "
        "smaller share needs wider bounds.",
    )
chosen = st.pills(
    "Bounds",
    list(CONFIDENCE),
    selection_mode="multi",
    default=CHOSEN,
    format_func=lambda name: CONFIDENCE[name].title,
    key=in_link("bounds"),
    bind="query-params",
    help="All bounds but Hoeffding's are anytime bounds: they hold at every moment. KL bounds "
    "adapt to the mean.",
)
names = [name for name in CONFIDENCE if name in chosen]
if not names:
    st.info("Choose at least one bound.", icon=":material/tune:")
    st.stop()
words = Words("coin", "coins", "toss", "tosses") if is_coin else setup.words
figures = st.container()
if st.session_state.get("corridor") not in names:
    st.session_state.pop("corridor", None)
with st.container(horizontal=True, key="bound_lab"):
    n_max = st.select_slider(
        "Rewards per stream",
        LOOKS,
        10_000,
        format_func=lambda n: f"{n:,}",
        key=in_link("look_until"),
        bind="query-params",
        width=176,
        help="Number of rewards in each stream. A longer stream gives more chances to miss the "
        "true mean.",
    )
    n_streams = st.select_slider(
        "Streams",
        STREAMS,
        1_000,
        format_func=lambda n: f"{n:,}",
        key=in_link("streams"),
        bind="query-params",
        width=176,
        help="Number of repetitions with new random rewards. More streams give narrower intervals "
        "and take longer.",
    )
    watched = st.selectbox(
        "Corridor of",
        names,
        index=names.index("hoeffding") if "hoeffding" in names else 0,
        format_func=lambda name: CONFIDENCE[name].title,
        key=in_link("corridor"),
        bind="query-params",
        width=240,
        help="The corridor of one bound. While an observed mean is inside it, the bounds around "
        "that mean contain the true mean.",
    )
lab = coverage.lab_of(problem, arm, coin_mean, allowed / 2, n_max, n_streams, setup.seed)
misses = coverage.get_misses(lab)
if misses is None:
    stopping.say_stopped("Stopped before all streams were done.")
    st.stop()

rows = list(CONFIDENCE)
selected = misses[[rows.index(name) for name in names]]
curves = miss_curves.gather(names, selected, n_max, allowed, coin_mean if is_coin else None)
once = (
    f"Dotted: the bounds are checked only once, after exactly n {words.samples}. "
    if curves.one_look is not None
    else ""
)
with answer:
    page.answer(coverage_answer(curves, lab.spread, words))
left, right = figures.columns(2, gap="medium")
with left:
    st.markdown("**How many streams ever missed the true mean**")
    chart.show(miss_curves.draw(curves, words), "misses", miss_curves.alt_text(curves, words))
with right:
    st.markdown(f"**{min(corridor.STREAMS, n_streams)} streams in the corridor of one bound**")
    first = misses[rows.index(watched)]
    inside = corridor.gather(
        watched,
        lab.distribution,
        lab.values,
        lab.reward_max,
        lab.d,
        n_max,
        lab.seed,
        first,
    )
    chart.show(corridor.draw(inside, words), "paths", corridor.alt_text(inside, words))
page.how_to_read(
    f"Left: the share of {n_streams:,} streams in which the true mean was outside the bounds at "
    f"any of the first n {words.samples}. The bar at the end is the exact 95{THIN_SPACE}% "
    f"interval. {once}Right: each line is the mean of one stream. Where a line leaves the corridor "
    f"(×), its bounds miss the true mean. The unit is the largest standard error that a mean of n "
    f"{words.samples} can have: b/(2√n) with b = {lab.reward_max:g}."
)

st.subheader("What does holding at every moment cost?", anchor=False)
widths = bound_widths.gather(names, lab.mean, lab.d, lab.reward_max)
st.markdown(page.plain(price_answer(widths, n_max, words)))
shown_as = st.segmented_control(
    "Show",
    [DISTANCE, FACTOR],
    default=DISTANCE,
    required=True,
    key=in_link("shown_as"),
    bind="query-params",
    help="Distance of the bounds from the mean, in units of reward or relative to the paper's "
    "bounds.",
)
chart.show(
    bound_widths.draw(widths, words, relative=shown_as == FACTOR),
    "widths",
    bound_widths.alt_text(widths, words),
)
where = (
    ""
    if shown_as == FACTOR
    else f"Above the grey line a bound says nothing, because no reward exceeds {lab.reward_max:g}. "
)
page.how_to_read(
    f"Each line shows how far the upper bound is above a mean of {decimal(lab.mean)}, if "
    f"{percent(lab.d)} of the streams may miss on that side. {where}Dashed: valid only at one n "
    "that is fixed in advance. KL bounds depend on the mean and are not symmetric. Near 0 or b "
    "they are tightest on the side with little room."
)

with st.expander("Formulas, sources, and what is proven"):
    st.markdown(
        "After n rewards between 0 and b with mean μ̂, the true mean is at most μ̂ + B(n, d), or at "
        "most the largest x for which the inequality holds. The probability of ever missing on "
        "that side is d. All rewards are divided by b, and "
        "kl(p, q) = p log(p/q) + (1−p) log((1−p)/(1−q))."
    )
    for row in CONFIDENCE.values():
        kind = "anytime" if row.anytime else "at one n only"
        st.markdown(f"**{row.title}** ({kind})")
        st.latex(row.formula)
        st.caption(page.plain(f"{row.conditions} Source: {row.source}"))
page.where_from(setup)
