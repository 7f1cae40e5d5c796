"""Names from files and from typing are text: no link, picture, colour or markup, wherever shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import pytest
from google.protobuf.message import Message
from markdown_it import MarkdownIt

from cbai.figures.base.layout import arm_label
from cbai.figures.base.words import shown, written
from cbai.reproduce.stored import stored
from cbai.reproduce.write import write_png
from cbai.ui.markdown import JOINER, plain
from cbai.ui.samples.report import report
from cbai.ui.visit.user_problem import OWN, row_of
from tests import hostile
from tests.browser.app_page import find_chromium
from tests.test_share import Reader, content_of
from tests.visit import PAGES, SMALL, at, visit

MARK = r"N\d\d"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])

# What Streamlit's client does besides CommonMark and tables, read off its code (version 1.67).
DIRECTIVE = re.compile(r"(?<!\\):[a-z][a-z-]*\[((?:\\.|[^\[\]\\]|\[[^\]]*\])*)\]")
LATER = (
    re.compile(r"(?:https?://|www(?=\.))[-.\w]+[^ \t\r\n]*", re.IGNORECASE),
    re.compile(r"[-.\w+]+@[-\w]+(?:\.[-\w]+)+"),
    re.compile(r":material_\w+:|:streamlit:|:\+1:|:-1:|:[\w-]+:"),
    re.compile(r"(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S)"),
)
NO_MATH = re.compile(r"(?<!`)(`+)[^`\n]+\1(?!`)|\\[\\$`]")
MATH = re.compile(r"(?<!\$)\$(?![\s$])[^$\n]*?[^\s$]\$(?!\d)")

TEXT_ONLY = {
    "Selectbox.options", "Selectbox.raw_value", "MultiSelect.options", "MultiSelect.raw_values",
    "MultiSelect.default", "TextInput.default", "TextInput.value", "Code.code_text",
    "PlotlyChart.spec", "PlotlyChart.config", "PlotlyChart.alt", "Html.body",
    "DownloadButton.url", "PageLink.page", "BidiComponent.json", "BidiComponent.html_content",
    "BidiComponent.css_content", "BidiComponent.js_content", "Arrow.columns",
}  # fmt: skip
"""What the client shows as text, or not at all."""


def seen(markdown: str) -> str:
    """Return what a reader sees of Markdown, without what became a link, picture or the like."""
    source = markdown.replace(":material/", ":material_")
    if MATH.search(NO_MATH.sub("_", source)):
        source = MATH.sub("", source)
    while (once := DIRECTIVE.sub(r"\1", source)) != source:
        source = once
    parts = []
    for block in MARKDOWN.parse(source):
        for token in block.children or []:
            if token.type in ("text", "code_inline"):
                parts.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                parts.append("\n")
    text = "".join(parts)
    for pattern in LATER:
        text = pattern.sub("", text)
    return text.replace(JOINER, "")


def distorted(markdown: str, names: tuple[str, ...] = hostile.NAMES) -> list[str]:
    """Return those names in a text that a reader does not see as they are."""
    text = seen(markdown)
    marked = {*re.findall(MARK, markdown)}
    return [name for i, name in enumerate(names) if f"N{i:02d}" in marked and name not in text]


TAG = re.compile(r"</?(?:a|b|br|em|extra|i|s|span|sub|sup|u)(?:\s[^<>]*)?>", re.IGNORECASE)
ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "nbsp": "\xa0", "mu": "μ", "times": "×", "deg": "°"}
ENTITY = re.compile(r"&(?:#(\d+)|([a-z]+));")


def drawn(text: str, field: str = "text") -> str:
    """Return what a reader sees of a text on a figure, as Plotly's ``svg_text_utils`` makes it."""
    if field.endswith("template"):
        text = re.sub(r"%\{[^{}]*\}", "", text)
    text = TAG.sub("", re.sub(r"\$+[^$]*\$+", "", text))
    return ENTITY.sub(
        lambda found: chr(int(found[1])) if found[1] else ENTITIES.get(found[2], found[0]), text
    )


def spoilt(text: str, field: str = "text") -> list[str]:
    """Return those names in a text of a figure that are not seen as they are, or their start."""
    whole = drawn(text, field)
    marked = {*re.findall(MARK, text)}
    bad = []
    for i, name in enumerate(hostile.NAMES):
        if f"N{i:02d}" in marked and name not in whole and not cut_short(name, whole):
            bad.append(name)
    return bad


def cut_short(name: str, text: str) -> bool:
    """Return whether a text holds the beginning of a name, up to its mark or beyond, and a "…"."""
    found = re.search(MARK, name)
    return found is not None and any(
        name[:end].rstrip(" ,.:;-") + "…" in text for end in range(found.end(), len(name))
    )


def strings(part: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield the field and the text of all strings of a figure."""
    if isinstance(part, str) and field != "bdata":  # which are numbers
        yield field, part
    elif isinstance(part, dict):
        for name, one in part.items():
            yield from strings(one, name)
    elif isinstance(part, list):
        for one in part:
            yield from strings(one, field)


def texts(message: Message) -> Iterator[tuple[str, str]]:
    """Yield where and what all strings of a message are that the client may read as Markdown."""
    for field, value in message.ListFields():
        where = f"{message.DESCRIPTOR.name}.{field.name}"
        if where in TEXT_ONLY or field.name.endswith("id"):
            continue
        for one in value if field.is_repeated else [value]:
            if isinstance(one, str):
                yield where, one
            elif isinstance(one, Message):
                yield from texts(one)


def messages(node: Any) -> Iterator[Message]:
    """Yield the messages of all that a page shows."""
    proto = getattr(node, "proto", None)
    if isinstance(proto, Message):
        yield proto
    for child in getattr(node, "children", {}).values():
        yield from messages(child)


@pytest.fixture(scope="module")
def app():
    app = visit("home", **SMALL)
    app.session_state["own problem"] = hostile.own()
    app.run()
    app.selectbox(key="data").set_value(OWN).run()
    return app


# ---------------------------------------------------------------- one text


@pytest.mark.parametrize("name", hostile.NAMES)
def test_a_name_is_seen_as_it_is(name):
    assert distorted(name), "harmless: it proves nothing"
    for text in (name, f"{name} is best, before {name}.", f"Best: {name}", f"**Best.** {name}:"):
        assert plain(text).count("\n") == 0
    assert seen(plain(name)) == name
    assert seen(f"**{plain(name)}** is best") == f"{name} is best"
    assert seen(f"- {plain(name)}: 3") == f"{name}: 3"
    assert seen(f"{plain(name)}: at most: 3") == f"{name}: at most: 3"
    assert seen(f"|a|b|\n|-|-|\n|{plain(name)}|c|").endswith(f"{name}c")


@pytest.mark.parametrize("name", hostile.CONTROLS)
def test_what_cannot_be_seen_changes_nothing(name):
    assert re.search(r"[\n\x00\u202e]", name)
    assert not re.search(r"[\n\x00-\x1f\u202a-\u202e]", shown(name))
    assert seen(plain(name)) == shown(name)


def test_marks_of_scripts_stay():
    for name in ("Ναί", "חומוס", "क्‍ष", "👩‍🔬", "می‌خواهم"):
        assert shown(name) == name


# ---------------------------------------------------------------- pages


def problems(app: Any) -> list[tuple[str, str]]:
    """Return all texts of a page in which a name, or the file's, is not seen as it is."""
    return [
        (where, text)
        for message in messages(app._tree)
        for where, text in texts(message)
        if distorted(text) or ("f.png" in text and hostile.FILE not in seen(text))
    ]


@pytest.mark.parametrize("name", hostile.NAMES)
def test_a_figure_shows_a_name_as_it_is(name):
    for field in ("ticktext", "hovertemplate"):
        assert drawn(written(name), field) == name
        assert drawn(f"<b>{written(name)}</b>: 3", field) == f"{name}: 3"
    assert arm_label(name, 200) == written(name)


def spoilt_figures(app: Any) -> list[tuple[str, str]]:
    """Return all texts of figures on a page in which a name is not seen as it is."""
    return [
        (field, text)
        for message in messages(app._tree)
        if message.DESCRIPTOR.name == "PlotlyChart"
        for field, text in strings(json.loads(message.spec))
        if spoilt(text, field)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_no_name_on_a_page_becomes_anything_else(app, page):
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert not problems(app)
    assert not spoilt_figures(app)


# ---------------------------------------------------------------- files


def test_the_report_shows_names_as_they_are():
    own = hostile.own()
    setup = replace(
        at("paper-two-arms"), dataset_id=OWN, dataset=row_of(own), problem=own.problem,
        options=(), trials=10, max_samples=20_000,
    )  # fmt: skip
    page = report(content_of(setup, link=""))
    for form in ("<img", "<a ", "<sup", "&amp;quot;N", JOINER):
        assert form not in re.sub("<script.*?</script>", "", page, flags=re.DOTALL)
    assert hostile.FILE in Reader(page).text
    drawings = re.findall(r'<script type="application/json" [^>]*>(.*?)</script>', page)
    assert len(drawings) == 2
    for drawing in drawings:
        found = list(strings(json.loads(drawing)))
        assert any("N00" in text for _, text in found)
        assert not [text for field, text in found if spoilt(text, field)]


class Recorder(StreamRequestHandler):
    """A proxy that notes what is asked of it, and answers nothing."""

    def handle(self) -> None:
        self.server.asked.append(self.rfile.readline().decode("latin-1"))


@pytest.fixture
def browser_of_a_recorder(tmp_path, monkeypatch) -> Iterator[list[str]]:
    """Let all that the browser of the picture export asks of other hosts be written down."""
    browser = find_chromium()
    if browser is None:
        pytest.skip("no Chromium found: install chromium, or set CBAI_CHROMIUM to its path")
    with ThreadingTCPServer(("127.0.0.1", 0), Recorder) as proxy:
        proxy.asked = []
        Thread(target=proxy.serve_forever, daemon=True).start()
        script = tmp_path / "browser.sh"
        address = f"http://127.0.0.1:{proxy.server_address[1]}"
        script.write_text(
            f'#!/bin/sh\nexec "{browser}" --disable-background-networking '
            f'--disable-component-update --disable-sync "$@" --proxy-server={address}\n'
        )
        script.chmod(0o755)
        monkeypatch.setenv("BROWSER_PATH", str(script))
        yield proxy.asked
        proxy.shutdown()


def test_pictures_are_drawn_without_asking_another_host(browser_of_a_recorder, tmp_path):
    paths, reason = write_png({"table1": stored("table1")}, tmp_path)
    assert (len(paths), reason) == (1, "")
    assert not [line for line in browser_of_a_recorder if "cdn" in line or "mathjax" in line]
