"""A user's own data, from the file to the race, and what a bad file meets on the page."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pandas as pd
import pytest

from cbai.datasets.table import inspect, read_survey
from cbai.ui.markdown import plain
from cbai.ui.visit.user_problem import OWN
from cbai.ui.your_data.sources import upload as upload_page
from tests.visit import SMALL, visit

HEAD = "guest,coffee,stars\n"


@pytest.fixture
def app():
    return visit("data", **SMALL)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    taste = rng.normal(size=200)
    rows = []
    for name, level in (("Espresso", 4.2), ("Flat white", 3.0), ("Filter", 2.2)):
        stars = np.clip(np.rint(level + taste + 0.5 * rng.normal(size=200)), 1, 5).astype(int)
        rows += [(f"g{i}", name, star) for i, star in enumerate(stars)]
    return pd.DataFrame(rows, columns=["guest", "coffee", "stars"]).to_csv(index=False).encode()


def upload(app, data, name="coffee.csv"):
    app.file_uploader(key="own_table").upload(name, data, "text/csv")
    return app.run()


def words(app):
    return " ".join(str(e.value) for e in (*app.markdown, *app.caption, *app.error, *app.info))


@pytest.mark.parametrize("layout", upload_page.EXAMPLES)
def test_the_examples_are_read_as_what_they_are_called(app, layout):
    lines = upload_page.EXAMPLES[layout]
    assert lines in [block.value for block in app.code]
    guess = inspect(lines.encode(), "example.csv")
    assert layout.startswith(guess.layout.title())
    survey, report = read_survey(lines.encode(), guess)
    assert not report.dropped
    assert survey.n_arms == len({"tea", "coffee", "water"} & set(re.findall(r"\w+", lines)))


def test_from_a_csv_to_a_race(app, table):
    upload(app, table)
    assert not app.exception
    assert "**600 ratings** of 3 options by 200 people" in words(app)
    app.button(key="use it").click().run()
    assert app.selectbox(key="data").value == OWN
    app.switch_page("pages/race.py").run()
    assert not app.exception
    assert "C-LUCB rightly named Espresso the best option" in words(app)
    for page in ("competitive", "samples", "assumption", "home"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert ("they are only a sample" in words(app)) == (page in ("competitive", "assumption"))
        assert "The guarantee needs no more" not in words(app)


def test_another_way_of_making_pseudo_rewards_changes_the_problem_in_use(app, table):
    upload(app, table)
    app.button(key="use it").click().run()
    before = app.session_state["setup"].fingerprint
    app.selectbox(key="method").set_value("hoeffding").run()
    assert not app.exception
    assert app.session_state["setup"].fingerprint != before


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (HEAD.encode(), "row"),
        (b"\x00\x01\x02\x03" * 50, "text"),
        (gzip.compress(b"a,b\n1,2\n"), "gzip"),
        ((HEAD + "a,Tea,4\nb,Tea,5\n").encode(), "option|arm"),
        ((HEAD + "a,Tea,good\na,Mate,bad\n").encode(), "number"),
        ((HEAD + "a,Tea,-3\nb,Mate,4\n").encode(), "-3"),
    ],
    ids=["empty", "header only", "binary", "gzip", "one arm", "words for numbers", "negative"],
)
def test_a_bad_file_gets_one_sentence_and_no_traceback(app, data, said):
    upload(app, data)
    assert not app.exception
    assert len(app.error) == 1
    message = app.error[0].value
    assert any(part in message for part in said.split("|")), message


def test_a_negative_rating_is_mended_on_the_spot(app):
    upload(app, b"who,what,rating\n1,a,-3\n1,b,2\n2,a,1\n2,b,0\n3,a,2\n3,b,1\n")
    app.button(key="add offset").click().run()
    assert not app.error
    assert "3 is added to every rating" in words(app)


def test_a_scale_of_many_values_is_mended_on_the_spot(app):
    """As sliders from 0 to 100 make."""
    scores = np.random.default_rng(5).integers(0, 101, (80, 3))
    upload(app, pd.DataFrame(scores, columns=["Bus", "Tram", "Ferry"]).to_csv().encode())
    assert "at most 50 different ratings" in app.error[0].value
    app.button(key="sort into bins").click().run()
    assert not app.exception
    assert not app.error
    assert "**240 ratings** of 3 options by 80 people" in words(app)
    app.text_input(key="noun Several options").set_value("lines").run()
    app.segmented_control(key="source").set_value("Latent source").run()
    app.segmented_control(key="source").set_value("A table of yours").run()
    assert not app.error
    assert "**240 ratings** of 3 options by 80 people" in words(app)
    assert app.text_input(key="noun Several options").value == "lines"


def two_ads(people, better):
    """Return a table of people who rate two ads; the first is better by so many points."""
    rng = np.random.default_rng(7)
    taste = rng.normal(4.0, 1.0, people)
    first, second = (
        np.clip(np.rint(taste + lead + rng.normal(size=people)), 1, 7).astype(int)
        for lead in (better, 0.0)
    )
    rows = "".join(f"p{i},{a},{b}\n" for i, (a, b) in enumerate(zip(first, second, strict=True)))
    return f"person,Ad A,Ad B\n{rows}".encode()


def test_people_who_cannot_tell_two_ads_apart_are_said_to_be_so(app):
    upload(app, two_ads(300, 0.0))
    assert "These 300 people cannot tell" in words(app)
    assert "do not decide" in words(app)
    assert "best for people like these" not in words(app)
    upload(app, two_ads(300, 1.0))
    assert "Ad A leads" in words(app)
    assert "these data decide" in words(app)


def test_a_handful_of_people_decides_nothing(app):
    upload(app, two_ads(3, 3.0))
    assert not app.exception
    assert "cannot tell Ad A from Ad B" in words(app)


def test_of_equally_good_options_none_is_called_best(app):
    rows = "".join(f"p{i},{2 + i % 4},{2 + i % 4},{1 + i % 4}\n" for i in range(40))
    upload(app, f"name,tea,milk,water\n{rows}".encode())
    assert "cannot tell tea from milk" in words(app)
    assert "truly" not in words(app)


UNCLEAR = b"ID,tea,coffee,water\n" + b"".join(
    f"{i},{1 + i % 5},{99 if i % 6 == 0 else 1 + (i * 3) % 5},{1 + (i * 7) % 4}\n".encode()
    for i in range(60)
)


def test_nothing_is_called_best_before_a_doubt_is_settled(app):
    upload(app, UNCLEAR)
    assert not app.exception
    assert "99" in app.radio[-1].label or any("99" in one.label for one in app.radio)
    assert not [button for button in app.button if button.key == "use it"]
    assert "leads" not in words(app)
    assert "cannot tell" not in words(app)
    app.button(key="confirm doubt").click().run()
    assert not app.exception
    assert app.button(key="use it")
    assert re.search("leads|cannot tell", words(app))


def test_an_answer_can_be_taken_back_and_chosen_otherwise(app):
    upload(app, UNCLEAR)
    question = next(one for one in app.radio if "99" in one.label)
    question.set_value(1).run()
    app.button(key="confirm doubt").click().run()
    assert not app.exception
    ratings = re.search(r"\*\*(\d+) ratings\*\*", words(app))
    assert ratings[1] == "180"


def test_words_are_put_in_order_by_hand(app):
    grades = ("meh", "fine", "wow")
    rows = "".join(f"p{i},{grades[i % 3]},{grades[(i // 2) % 3]}\n" for i in range(40))
    upload(app, f"who,tea,coffee\n{rows}".encode())
    assert not app.exception
    question = next(one for one in app.radio if one.key.startswith("doubt"))
    question.set_value(-1).run()
    app.multiselect(
        key=next(o.key for o in app.multiselect if o.key.startswith("order "))
    ).set_value(list(grades)).run()
    app.button(key="confirm doubt").click().run()
    assert not app.exception
    assert "80 ratings" in words(app)


def test_names_are_shown_as_they_are(app, table):
    odd = table.replace(b"Espresso", b"**:red[x]** <b>")
    upload(app, odd)
    app.button(key="use it").click().run()
    app.switch_page("pages/race.py").run()
    assert not app.exception
    assert plain("**:red[x]** <b>") in words(app)


@pytest.mark.parametrize("name", [":smile:", "a :material/delete: b", ":+1:"])
def test_no_name_becomes_a_picture(name):
    """Streamlit looks for shortcodes in the text that is left once Markdown was read."""
    shown = re.sub(r"\\(.)", r"\1", plain(name))
    assert not re.search(r":[\w/+-]+:", shown)
    assert shown.replace("\u2060", "") == name


@pytest.mark.parametrize("source", ["MovieLens", "Type it in", "Latent source"])
def test_every_other_source_makes_a_problem(app, source):
    app.segmented_control(key="source").set_value(source).run()
    assert not app.exception
    assert not app.error
    app.button(key="use it").click().run()
    assert app.session_state["setup"].dataset_id == OWN


def test_goodreads_asks_for_its_files(app):
    app.segmented_control(key="source").set_value("Goodreads").run()
    assert not app.exception
    assert "goodreads_interactions_poetry" in words(app)


def test_own_data_stay_in_their_session(app, table):
    upload(app, table)
    app.button(key="use it").click().run()
    other = visit(data="Your own data")
    assert not other.exception
    assert other.session_state["setup"].dataset_id != OWN


def test_the_sweep_over_buffers_says_how_often_it_was_wrong(app):
    app.switch_page("pages/assumption.py").run()
    assert "contradict" in words(app)
    app.button(key="run sweep").click().run()
    assert not app.exception
    assert "exact 95\u202f% interval" in words(app)


@pytest.mark.parametrize("rewards", ["0,0,1", "2,1,0", "0,x,1", "5", "0,inf", "1e400,2", ""])
def test_rewards_that_cannot_be_get_one_sentence(app, rewards):
    app.segmented_control(key="source").set_value("Type it in").run()
    app.text_input[1].set_value(rewards).run()
    assert not app.exception
    assert "Rewards must be" in app.error[0].value
    assert len(app.error) == 1


def test_names_typed_in_are_no_longer_than_those_of_a_file(app):
    app.segmented_control(key="source").set_value("Type it in").run()
    app.text_input[0].set_value(f"{'a' * 201},b").run()
    assert "at most 200 letters, got 201" in app.error[0].value


def test_rewards_that_print_alike_are_told_apart(app):
    app.segmented_control(key="source").set_value("Type it in").run()
    app.text_input[1].set_value("0.1234567,0.1234568").run()
    assert not app.exception
    assert not app.error


def test_the_other_layout_begins_without_an_error(app, table):
    upload(app, table)
    app.radio[0].set_value("wide").run()
    assert not app.exception
    assert not any("more than one" in e.value or "twice" in e.value for e in app.error)


def test_another_file_replaces_the_one_in_use_everywhere(app, table):
    upload(app, table)
    app.button(key="use it").click().run()
    upload(app, table.replace(b"Espresso", b"Mocha"), "other.csv")
    app.switch_page("pages/race.py").run()
    assert app.session_state["setup"].dataset_id == OWN
    assert "C-LUCB rightly named Mocha the best option" in words(app)


@pytest.mark.parametrize("way", ["source", "page"])
def test_a_file_and_its_answers_stay_after_a_look_elsewhere(app, table, way):
    unsure = table.replace(b",1\n", b",99\n")
    upload(app, unsure)
    app.button(key="confirm doubt").click().run()
    read = "**519 ratings** of 3 options by 197 people"
    assert read in words(app)
    if way == "source":
        app.segmented_control(key="source").set_value("Latent source").run()
        assert read not in words(app)
        app.segmented_control(key="source").set_value("A table of yours").run()
    else:
        app.switch_page("pages/race.py").run()
        app.switch_page("pages/data.py").run()
    assert not app.exception
    assert "**coffee.csv** is still here." in words(app)
    assert read in words(app)
    app.button(key="remove table").click().run()
    assert "is still here" not in words(app)
    assert len(app.code) == len(upload_page.EXAMPLES)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("Ad A high", 9.0, "got 9 in row 1, column 'Ad A high'"),
        ("Ad B low", -1.0, "got -1 in row 1, column 'Ad B low'"),
        ("Ad B low", 2.5, "got 2.5 and 2 for 'Ad B' in row 1"),
    ],
)
def test_a_wrong_bound_of_a_latent_source_is_named_by_its_cell(column, value, says):
    from cbai.ui.your_data.sources.latent import START, _problem

    table = START.copy()
    table.loc[0, column] = value
    with pytest.raises(ValueError, match=says):
        _problem(table, ["Ad A", "Ad B", "Ad C"], 4.0, 0.0)
