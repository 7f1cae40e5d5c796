"""Paper: does it match the paper?"""

import streamlit as st

from cbai.figures.base.style import decimal
from cbai.figures.paper import paper_truths
from cbai.reproduce import sections
from cbai.reproduce.charts import Chart, chart, masks_chart, spread_chart
from cbai.reproduce.experiments import EXPERIMENTS
from cbai.reproduce.masks import masks_verdict
from cbai.reproduce.stored import ASSIGNMENTS, MASKS
from cbai.reproduce.verdict import spread_errors, spread_verdict, verdict, wrong_answers
from cbai.results.export import safe_csv
from cbai.ui.paper import stored_run
from cbai.ui.parts import chart as drawn
from cbai.ui.parts import page as text
from cbai.ui.runs import ask, on_demand
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link

sidebar.current()
text.question("Does it match the paper?")
answer = st.container()
with st.container(horizontal=True, vertical_alignment="bottom", key="paper_controls"):
    chosen = st.segmented_control(
        "Table or figure",
        list(EXPERIMENTS),
        default="table3",
        required=True,
        format_func=lambda name: EXPERIMENTS[name].name,
        key=in_link("paper"),
        bind="query-params",
        help="Which part of the paper to compare with.",
        wrap=True,
    )
    ask.button(
        "Run it again here",
        "run",
        chosen or "table3",
        key="run paper",
        help="Repeats every run of this table or figure on this machine, with the same seed.",
    )
experiment = EXPERIMENTS[chosen or "table3"]
stored = stored_run.get_stored(experiment.id)
trials, seed = int(stored["trials"].iloc[0]), int(stored["seed"].iloc[0])
asked = ask.asked("run", experiment.id)
jobs = stored_run.jobs_of(experiment, trials, seed) if asked else []
here = stored_run.known_here(experiment, jobs) if asked else None
frame = stored if here is None else here


def show(shown: Chart, key: str) -> None:
    """Show a figure of the paper, and how to read it."""
    drawn.show(shown.figure, key, shown.alt)
    text.how_to_read(shown.reading)


run = st.container()
if here is not None and stored_run.same(here, stored):
    run.success("Run again here: the results are exactly the same as the stored run.")
elif here is not None:
    run.warning(
        "Run again here: the results are not the same as the stored run. This page shows the new "
        "results."
    )
with answer:
    text.answer(verdict(frame))
setup = stored_run.setup_of(experiment, experiment.settings[0], trials, seed)
st.markdown(
    f"**{experiment.name}: {experiment.title}.** {experiment.remark} This page always uses the "
    f"paper's settings, not those of the sidebar. Each number is from {trials} runs with seed "
    f"{seed}."
)
if experiment.varies:
    left, right = st.container(), st.container()
else:
    left, right = st.columns(2)
with left:
    show(chart(frame), "paper figure")
with right:
    table = sections.numbers(frame)
    columns = {
        str(name): st.column_config.NumberColumn(
            format="%.2f" if name in sections.RATIOS else "%,.0f"
        )
        for name in table.select_dtypes("number")
    }
    st.dataframe(table, hide_index=True, width="content", height="content", column_config=columns)
    st.caption(f"Mean {setup.words.samples} until the algorithm stops, to three digits.")
    st.markdown(wrong_answers(frame))
if experiment.id == "table1":
    truths = paper_truths.gather()
    means = ["", *(f"Means {decimal(a)} and {decimal(b)}: " for a, b in truths.means.values())]
    held = [
        "",
        *("all bounds hold." if ok else "a bound fails." for ok in truths.satisfied.values()),
    ]
    places = st.columns(3, gap="medium")
    for place, (heading, content), *says in zip(
        places, sections.two_arm_tables().items(), means, held, strict=True
    ):
        place.markdown(f"**{heading}**")
        place.table(content, hide_index=True, border="horizontal")
        place.caption("".join(says))
text.shout_if_violated(setup, experiment.algorithms, settings_apply=False)

reasons = sections.reasons(frame)
if len(reasons):
    at = sections.setting_name(frame.dropna(subset=["printed"]).iloc[0])
    st.subheader(f"Row by row, at {at}" if at else "Row by row", anchor=False)
    st.table(
        reasons.style.format("{:.2f}", subset=["Ours / LUCB", "Paper / LUCB"]),
        hide_index=True,
        border="horizontal",
    )
if experiment.id == "table4":
    st.subheader("Would one draw of the unknown pseudo-rewards explain the gap?", anchor=False)
    masks = stored_run.get_stored(MASKS)
    st.markdown(
        "Above, the unknown pseudo-rewards are drawn again for each run. The paper does not say "
        f"whether it did the same. {masks_verdict(masks)}"
    )
    with st.expander(f"All {masks['mask'].nunique()} draws as dots"):
        show(masks_chart(masks), "masks")
if experiment.id in ("table3", "table4"):
    spread = stored_run.get_stored(ASSIGNMENTS)
    spread = spread[spread["experiment"] == experiment.id]
    st.subheader("Would another draw of the genres be closer to the paper?", anchor=False)
    st.markdown(
        "The paper draws one genre for each film at random. Here are "
        f"{spread['genre_seed'].nunique()} draws: seeds 0, 1, 2, … with none left out, and "
        f"{spread['trials'].iloc[0]} runs for each dot. The best genre leads by "
        f"{decimal(spread['gap'].min(), 3)} to {decimal(spread['gap'].max(), 3)} stars. "
        f"{spread_verdict(spread)}"
    )
    if spread_errors(spread):
        st.markdown(f":red[:material/warning:] {spread_errors(spread)}")
    shown = [spread_chart(spread, relative=relative) for relative in (False, True)]
    for number, column in enumerate(st.columns(2, gap="medium")):
        with column:
            drawn.show(shown[number].figure, f"spread {number}", shown[number].alt)
    text.how_to_read(shown[0].reading)

st.download_button(
    "Download these numbers as CSV",
    lambda: safe_csv(frame),
    file_name=f"cbai-paper-{experiment.id}.csv",
    mime="text/csv",
    on_click="ignore",
    help="Each row contains the seed and the parameters.",
)
text.where_from(setup)
if asked and here is None:
    with run:
        if not on_demand.work_on(jobs):
            st.info("Stopped before all runs were done. This page shows the stored run.")
