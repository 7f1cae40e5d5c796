"""Home: what does knowing correlations buy you?"""

import streamlit as st

from cbai.ui.parts import page as text
from cbai.ui.parts.answers import race_answer
from cbai.ui.race import animation
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar

setup = sidebar.current()
words = setup.words
pair = ("c_lucb", "lucb")
text.question("What does knowing correlations buy you?")
with st.spinner("Playing two runs ...", show_time=True):
    traces = [cache.get_trace(setup, name) for name in pair]
text.answer(race_answer(setup.dataset.title, traces, words, cache.get_validity(setup)))
st.page_link(
    "pages/samples.py",
    label="That is one run. What many take on average",
    icon=":material/arrow_forward:",
)
text.shout_if_violated(setup, pair)
animation.draw(traces, words, cache.traces_key(setup, pair))
text.how_to_read(
    f"Each row is one {words.arm}: its estimated mean and the range it may still lie in. Once a "
    "range falls left of the dashed line it is out. Press Play."
)

st.markdown(
    "Someone must find the best of several options, from as few noisy trials as possible, and be "
    "right with a probability fixed beforehand. Classical algorithms treat the options as "
    "unrelated. C-LUCB and C-LUCB++ also use *pseudo-rewards*: what an earlier survey says about "
    "one option, given how another was received. So trials of one option rule out others, and "
    "options that cannot compete cost next to nothing."
)
st.subheader("Three ways to begin", anchor=False)
ways = (
    (
        "Understand it",
        "From two ads and a coin to C-LUCB, in seven steps.",
        "story",
        "See the story",
    ),
    (
        "Ask what if",
        "What more certainty or a worse survey costs, in money and days.",
        "whatif",
        "Ask",
    ),
    (
        "Try your own data",
        "Your ratings as a file, or a small table typed in.",
        "data",
        "Bring data",
    ),
)
for column, (name, meaning, page, label) in zip(st.columns(3), ways, strict=True):
    with column, st.container(border=True):
        st.markdown(f"**{name}.** {meaning}")
        st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
text.where_from(setup)
