"""Compare: what difference does it make?"""

import html

import streamlit as st

from cbai.figures.base.style import THIN_SPACE
from cbai.figures.base.words import listed
from cbai.figures.compare import differences
from cbai.figures.samples import sample_counts, sample_rows
from cbai.ui.compare import begin as compare_begin
from cbai.ui.compare import cards as compare_cards
from cbai.ui.compare import comparison, lower_bounds
from cbai.ui.compare.sentences import Pair, answer, how, words_of
from cbai.ui.parts import chart, page
from cbai.ui.runs import known_limit, stopping
from cbai.ui.shell import sidebar
from cbai.ui.visit import pins
from cbai.ui.visit.pin_text import LETTERS
from cbai.ui.visit.pin_words import differing

setup, pinned = sidebar.current(), pins.current()
setups = pinned.setups
page.question("What difference does it make?")
if pinned.complaint:  # here too, as the sidebar is out of sight on a phone
    st.warning(page.plain(pinned.complaint))
if len(setups) < 2:
    compare_begin.begin(setup, setups)
    st.stop()

top, figure = st.container(), st.container()
every, at = compare_cards.choose_sides(len(setups))
chosen = compare_cards.cards(setups, choose=not every)
reference = LETTERS[at]
with figure:
    sides = comparison.get_sides(setups, chosen)
    if sides is None:
        stopping.say_stopped()
        st.stop()

words = words_of(sides)
to = {side.title if every else "": side for side in sides if side.letter == reference}
others = [side for side in sides if side.letter != reference]
pairs = [
    Pair.make(side, to[side.title if every else ""])
    for side in others
    if not every or side.title in to
]
alone = [f"{side.title} ({side.letter})" for side in others if every and side.title not in to]
shown = comparison.in_short(pairs)

with top:
    said = [answer(pair, words, again=i > 0) for i, pair in enumerate(shown)] or [
        f"{reference} shares no algorithm with the other setups. Choose one algorithm for each "
        "setup instead."
    ]
    failing = comparison.without_guarantee(sides)
    if failing:
        one = len(failing) == 1
        said.append(
            f"The guarantee{'' if one else 's'} of {listed(failing)} {'does' if one else 'do'} not "
            "hold; see below."
        )
    page.answer(" ".join(said))
    comparison.describe(setups)
    comparison.shout(sides)
with figure:
    info = sample_rows.gather_several([(html.escape(side.name), side.trials) for side in sides])
    chart.show(
        sample_counts.draw(info, words),
        key="compare samples",
        alt=sample_counts.alt_text(info, words),
    )
    page.how_to_read(
        "Bars: means over the runs. Error bars: two standard deviations. Points: single runs. "
        "Hatched bars: algorithms that ignore correlations."
    )

if pairs:
    st.subheader("The differences", anchor=False)
    name = reference if every else pairs[0].to.name
    rows = [
        (
            " · ".join([f"{pair.of.letter} − {reference}", *[pair.of.title] * every]),
            pair.of.trials.algorithms[0],
            pair.result,
        )
        for pair in pairs
    ]
    gathered = differences.gather(html.escape(name), rows)
    chart.show(
        differences.draw(gathered, words),
        key="differences",
        alt=differences.alt_text(gathered, words),
    )
    page.how_to_read(
        f"Left of the line at 0: fewer {words.samples} than {page.plain(name)}. Thick line: the "
        f"mean difference and its 95{THIN_SPACE}% interval. Thin grey line: the interval without "
        "pairing. Dots: single runs, if both setups met the same rewards."
        + (
            " Each interval alone misses the true difference once in 20 times. With several "
            "intervals, it is more likely that one of them misses."
            if len(pairs) > 1
            else ""
        )
    )
    for pair in (pair for pair in shown if pair.result.difference is not None):
        st.markdown(f"**{pair.of.letter} and {reference}.** {page.plain(how(pair))}")
if alone:
    st.caption(f"Not compared, because {reference} does not have them: {listed(alone)}.")

st.subheader("How often was the answer wrong?", anchor=False)
comparison.errors(sides)
lower_bounds.draw(sides, words)
comparison.downloads(sides, dict(zip(LETTERS, differing(setups), strict=False)), pairs)
known_limit.compute_meanwhile(*lower_bounds.shown_of(sides).values())
