"""Glossary: what does it mean?"""

import streamlit as st

from cbai.ui.glossary import lookup
from cbai.ui.glossary.lookup import ENTRIES, Entry
from cbai.ui.parts import page
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link

TERM = in_link("term")
STYLE = """
<style>
@media (max-width: 640px) {
  .stMain .katex-display { margin: 0 0 0.9rem; }
  .stMain [data-testid="stHorizontalBlock"] { gap: 0; }
}
</style>
"""
MOST_QUOTED = 80

sidebar.current()
page.question("What does it mean?")
st.html(STYLE)
sought = st.text_input(
    "Search",
    key=in_link("find"),
    bind="query-params",
    placeholder="pseudo-gap, δ, certainty, ...",
    help="Searches terms, symbols and explanations. If empty, all terms are shown.",
)


def show(entry: Entry) -> None:
    """Show one term with its mathematics; the name of the term is its link."""
    words, mathematics = st.columns([3, 2], gap="medium", vertical_alignment="center")
    symbols = "".join(f" · {page.plain(symbol)}" for symbol in entry.symbols)
    words.markdown(f"**[{entry.term}](?{TERM}={entry.slug})**{symbols}  \n{entry.meaning}")
    if entry.latex:
        mathematics.latex(entry.latex)


linked = lookup.find(st.query_params.get(TERM, ""))
if linked is None:
    st.query_params.pop(TERM, None)
else:
    with st.container(border=True, key="glossary linked"):
        show(linked)
found = lookup.search(sought)
if not found:
    st.info(
        f"No entry contains all of “{page.plain(sought[:MOST_QUOTED])}”. Try fewer letters.",
        icon=":material/search_off:",
    )
st.caption(f"{len(found)} of {len(ENTRIES)} terms. Each term is a link to itself.")
for entry in found:
    show(entry)
