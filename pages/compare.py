"""Compare: what difference does it make?"""

import html

import streamlit as st

from cbai.figures import differences, sample_rows, samples
from cbai.figures.words import listed
from cbai.ui import chart, compare, compare_begin, compare_cards, pins, sidebar, stopping, text
from cbai.ui.compare_sentences import Pair, answer, how, words_of
from cbai.ui.pin_text import LETTERS
from cbai.ui.pin_words import differing

setup, pinned = sidebar.current(), pins.current()
setups = pinned.setups
text.question("What difference does it make?")
if pinned.complaint:  # here too, as the sidebar is out of sight on a phone
    st.warning(text.plain(pinned.complaint))
if len(setups) < 2:
    compare_begin.begin(setup, setups)
    st.stop()

top, figure = st.container(), st.container()
every, at = compare_cards.choose_sides(len(setups))
chosen = compare_cards.cards(setups, choose=not every)
reference = LETTERS[at]
with figure:
    sides = compare.get_sides(setups, chosen)
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
shown = compare.in_short(pairs)

with top:
    said = [answer(pair, words, again=i > 0) for i, pair in enumerate(shown)] or [
        f"{reference} shares no algorithm with the others: choose one for each instead."
    ]
    void = compare.void(sides)
    if void:
        said.append(f"The guarantee of {listed(void)} is void: see below.")
    text.answer(" ".join(said))
    compare.describe(setups)
    compare.shout(sides)
with figure:
    info = sample_rows.gather_several([(html.escape(side.name), side.trials) for side in sides])
    chart.show(samples.draw(info, words), key="compare samples", alt=samples.alt_text(info, words))
    text.how_to_read(
        "Bars are means, error bars two standard deviations, points single runs, all on one axis; "
        "hatched bars use no correlation."
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
    text.how_to_read(
        f"Left of the line at 0: fewer {words.samples} than {text.plain(name)}. Thick: the mean "
        "difference and its 95 % interval. Thin and grey: what the interval would be without "
        "pairing. Dots: single runs, where both met the same rewards."
        + (
            " Each interval misses once in 20 by itself, so of several one misses more often."
            if len(pairs) > 1
            else ""
        )
    )
    for pair in (pair for pair in shown if pair.result.difference is not None):
        st.markdown(f"**{pair.of.letter} and {reference}.** {text.plain(how(pair))}")
if alone:
    st.caption(f"Not compared, as {reference} lacks them: {listed(alone)}.")

st.subheader("How often a wrong answer was given", anchor=False)
compare.errors(sides)
compare.downloads(sides, dict(zip(LETTERS, differing(setups), strict=False)), pairs)
