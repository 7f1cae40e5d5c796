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
with st.spinner("Simulating two runs ...", show_time=True):
    traces = [cache.get_trace(setup, name) for name in pair]
text.answer(race_answer(setup.dataset.title, traces, words, cache.get_validity(setup)))
st.page_link(
    "pages/samples.py",
    label="That was one run. See the average of many.",
    icon=":material/arrow_forward:",
)
text.shout_if_violated(setup, pair)
animation.draw(traces, words, cache.traces_key(setup, pair))
text.how_to_read(
    f"Each row is one {words.arm}. The dot is its estimated mean. The bar is the range in which "
    f"the mean may still lie. Once a bar is left of the dashed line, its {words.arm} is ruled out. "
    "Press Play."
)

st.markdown(
    "The task is to find the best of several options from as few noisy samples as possible. The "
    "answer must be right with a probability that is fixed beforehand. Classical algorithms treat "
    "the options as unrelated. C-LUCB and C-LUCB++ also use *pseudo-rewards* from an earlier "
    "survey. A pseudo-reward says how good one option is at most, given how another one was "
    "received. Samples of one option can therefore rule out other options. Options that cannot "
    "compete cost almost nothing."
)
st.subheader("Three ways to begin", anchor=False)
ways = (
    (
        "Understand it",
        "Seven steps lead from two ads and a coin to C-LUCB.",
        "story",
        "See the story",
    ),
    (
        "Ask what if",
        "See what more certainty or a worse survey costs, in money and days.",
        "whatif",
        "Ask what if",
    ),
    (
        "Try your own data",
        "Upload your ratings as a file, or type in a small table.",
        "data",
        "Add your data",
    ),
)
for column, (name, meaning, page, label) in zip(st.columns(3), ways, strict=True):
    with column, st.container(border=True):
        st.markdown(f"**{name}.** {meaning}")
        st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
text.where_from(setup)
