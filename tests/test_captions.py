"""Caption contests: all ratings are there, tables of the source are read, thousands are played."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import cbai
from cbai.datasets.captions import ANSWERS, FOLDER, captions_problem, read_captions
from cbai.results import error_rates
from tests.visit import said, visit

HEAD = "target_id,rank,funny,somewhat_funny,unfunny,count,score,precision,contest,caption\n"
ROWS = (
    '7,1,3,2,1,6,2.3,0.1,9,"Two\nlines, and a ""word""."\n'
    "8,2,1,0,0,1,3,0,9,NA\n"
    "9,3,0,0,4,4,1,0,9,NA\n"
    "5,4,0,0,0,0,1,0,9,Nobody rated it\n"
)
TOLD = "Nothing is known here of one caption by the ratings of another."


@pytest.mark.parametrize(
    ("contest", "captions", "ratings", "fewest"),
    [(683, 5664, 1_074_563, 37), (640, 4931, 1_631_425, 271)],
)
def test_all_ratings_of_a_contest_are_there(contest, captions, ratings, fewest):
    table = read_captions(FOLDER / f"{contest}.csv.gz")
    counts = table[list(ANSWERS)].sum(axis=1)
    assert (len(table), int(counts.sum()), int(counts.min())) == (captions, ratings, fewest)
    assert table["caption"].is_unique
    row = cbai.DATASETS[f"captions-{contest}"]
    assert f"{captions:,} captions" in row.provenance
    assert f"{ratings:,} ratings" in row.provenance


def test_the_order_of_the_arms_does_not_tell_the_best():
    problem = captions_problem(read_captions(FOLDER / "683.csv.gz"))
    assert problem.best_arm > 100
    few = cbai.load_problem("captions-683", texts="hidden")
    assert few.best_arm != 0
    assert all(name.startswith("Caption ") for name in few.arms)
    shown = cbai.load_problem("captions-683")
    assert shown.arms[shown.best_arm] == (
        "“Publicly, we're still saying there are no side effects.”"
    )
    assert shown.means.tolist() == few.means.tolist()
    assert sorted(shown.means)[0] >= np.sort(problem.means)[-30]


@pytest.mark.parametrize("packed", [False, True])
def test_a_table_of_the_source_is_read(tmp_path, packed):
    path = tmp_path / ("9_summary.csv.gz" if packed else "9_summary.csv")
    content = (HEAD + ROWS).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    table = read_captions(path)
    assert table["caption"].tolist() == ['Two lines, and a "word".', "NA"]
    assert table[list(ANSWERS)].to_numpy().tolist() == [[1, 2, 3], [4, 0, 1]]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"caption,funny\nA,1\n", "has no unfunny, somewhat_funny"),
        (b"", "cannot be read as a CSV table"),
        (b"\x1f\x8bnot really packed", "cannot be read as a CSV table"),
        (b"caption,unfunny,somewhat_funny,funny\nA,1,-2,3\nB,1,1,1\n", "'A' has others"),
        (b"caption,unfunny,somewhat_funny,funny\nA,1,2.5,3\nB,1,1,1\n", "whole numbers"),
        (b"caption,unfunny,somewhat_funny,funny\nA,1,2,3\nB,0,0,0\n", "at least 2 captions"),
    ],
)
def test_what_is_no_such_table_gets_one_sentence(tmp_path, content, says):
    path = tmp_path / "odd.csv.gz" if content[:2] == b"\x1f\x8b" else tmp_path / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=says) as told:
        read_captions(path)
    assert str(told.value).count("\n") == 0
    assert "odd.csv" in str(told.value)


def test_thousands_of_captions_need_a_fraction_of_the_ratings_that_were_spent():
    """LUCB++ is right within δ: 0 of 20 wrong would be odd (1 in 10^6) at an error rate of 0.5."""
    table = read_captions(FOLDER / "683.csv.gz")
    found = cbai.simulate(captions_problem(table), ["lucb", "lucb_pp"], delta=0.01, trials=20)
    assert [rate.count for rate in error_rates(found)] == [0, 0]
    assert found.identified.all()
    spent = table[list(ANSWERS)].to_numpy().sum()
    assert (found.samples.mean(axis=1) < spent / np.array([3, 6])).all()


def test_a_table_of_the_source_can_be_uploaded_and_used():
    app = visit("data")
    with gzip.open(FOLDER / "640.csv.gz") as packed:
        lines = packed.read().decode().splitlines()[:400]
    app.file_uploader(key="own_table").upload("640.csv", "\n".join(lines).encode(), "text/csv")
    app.run()
    assert "Read the result of a caption contest" in said(app.main)
    assert "The pages play the 100 with the highest means" in said(app.main)
    app.button(key="use it").click().run()
    app.switch_page("pages/race.py").run()
    assert not app.exception
    assert "“" in app.markdown[0].value


def test_a_wrong_table_of_a_contest_gets_one_sentence_on_the_page():
    app = visit("data")
    bad = b"caption,unfunny,somewhat_funny,funny\nA,1,-2,3\nB,1,1,1\n"
    app.file_uploader(key="own_table").upload("odd.csv", bad, "text/csv")
    app.run()
    assert not app.exception
    assert "whole numbers of at least 0" in app.error[0].value


@pytest.mark.parametrize("page", ["home", "competitive", "assumption", "whatif"])
def test_pages_say_that_nothing_is_known(page):
    title = cbai.DATASETS["captions-683"].title
    app = visit(page, data=title, trials="10")
    assert not app.exception
    texts = [part.value for kind in (app.markdown, app.caption, app.subheader) for part in kind]
    assert any(TOLD in text for text in texts), texts
    wrong = ("survey's bounds", "than without the survey", "survey makes no", "an earlier survey")
    assert not any(word in text for text in texts for word in wrong)
