"""A user's own file: every dialect is read, a bad one is one sentence or a line of the report."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cbai.datasets.table import inspect, read_survey

LONG = "user,arm,reward\n1,x,3\n1,y,4\n2,x,5\n2,y,1\n10,x,3\n"


def read(data, name="file.csv", **corrections):
    """Look, correct and read."""
    data = data if isinstance(data, bytes) else data.encode()
    return read_survey(data, replace(inspect(data, name), **corrections))


def ratings_of(survey):
    """Return the ratings as a sorted list of (person, arm, value, weight)."""
    return sorted(
        (int(who), survey.arms[arm], float(survey.values[value]), float(weight))
        for who, arm, value, weight in zip(
            survey.person, survey.arm, survey.value, survey.weight, strict=True
        )
    )


EXPECTED = [(0, "x", 3, 1), (0, "y", 4, 1), (1, "x", 5, 1), (1, "y", 1, 1), (2, "x", 3, 1)]

DIALECTS = {
    "comma": LONG,
    "semicolon": LONG.replace(",", ";"),
    "tab": LONG.replace(",", "\t"),
    "windows lines": LONG.replace("\n", "\r\n"),
    "old mac lines": LONG.replace("\n", "\r"),
    "empty lines, none at the end": "\n" + LONG.replace("\n", "\n\n").rstrip(),
    "byte order mark": "\ufeff" + LONG,
    "no header": LONG.partition("\n")[2],
    "quotes": LONG.replace("x", '"x"'),
    "spaces": LONG.replace(",", " , "),
    "other names": LONG.replace("user,arm,reward", "userId,movieId,rating"),
    "unknown names": LONG.replace("user,arm,reward", "foo,bar,baz"),
    "a timestamp": LONG.replace("reward\n", "reward,timestamp\n").replace(",3\n", ",3,964982703\n")
    .replace(",4\n", ",4,964982704\n").replace(",5\n", ",5,7\n").replace(",1\n", ",1,9\n"),
    "wide": "user,x,y\n1,3,4\n2,5,1\n10,3,\n",
    "wide without users": "x,y\n3,4\n5,1\n3,\n",
    "wide with names": "who,x,y\nAda,3,4\nBob,5,1\nCleo,3,NA\n",
}  # fmt: skip


@pytest.mark.parametrize("name", DIALECTS)
def test_the_same_ratings_in_every_dialect(name):
    survey, report = read(DIALECTS[name])
    assert ratings_of(survey) == EXPECTED
    assert (report.ratings, report.people, report.arms, report.dropped) == (5, 3, 2, ())
    assert survey.reward_max == 5.0


def test_decimal_comma_with_semicolons():
    survey, _ = read("user;arm;reward\n1;x;3,5\n1;y;4\n2;x;0,25\n")
    assert survey.values.tolist() == [0.25, 3.5, 4.0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_encodings(encoding):
    name = "café" if encoding != "cp1252" else "café €"
    data = LONG.replace("x", name).encode(encoding)
    guess = inspect(data, "f.csv")
    assert guess.encoding == encoding
    assert name in read_survey(data, guess)[0].arms


def test_a_wrong_encoding_is_one_sentence():
    data = LONG.replace("x", "café").encode("latin-1")
    with pytest.raises(ValueError, match="must be text in utf-8, but"):
        inspect(data, "f.csv", encoding="utf-8")
    with pytest.raises(ValueError, match="UTF-8, as its start says"):
        inspect(b"\xef\xbb\xbf" + data, "f.csv")


@pytest.mark.parametrize("dictionary", [True, False])
def test_parquet_reads_as_csv(dictionary):
    frame = pd.read_csv(io.StringIO(LONG))
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame), buffer, use_dictionary=dictionary, row_group_size=2)
    survey, report = read(buffer.getvalue(), "f.parquet")
    assert ratings_of(survey) == EXPECTED
    assert report.rows == 5
    wide = pa.table({"x": [3.0, 5.0, 3.0], "y": [4, 1, None], "list": [[1], [2], [3]]})
    buffer = io.BytesIO()
    pq.write_table(wide, buffer)
    assert ratings_of(read(buffer.getvalue(), "f.parquet")[0]) == EXPECTED


def test_a_guess_shows_twenty_rows_and_its_reasons():
    rows = "".join(f"{i},{'xyz'[i % 3]},{i % 5}\n" for i in range(500))
    guess = inspect(("user,arm,reward\n" + rows).encode(), "f.csv")
    assert guess.preview.shape == (20, 3)
    assert list(guess.preview.columns) == ["user", "arm", "reward"]
    assert any("comma" in reason for reason in guess.reasons)
    assert all(reason.endswith(".") for reason in guess.reasons)


def test_what_the_user_corrects_counts():
    data = b"a;b;c\n1;2;3\n2;1;3\n1;3;5\n"
    guess = inspect(data, "f.csv", header=False)
    assert guess.columns == ("column 1", "column 2", "column 3")
    survey, report = read_survey(
        data,
        replace(inspect(data, "f.csv"), layout="long", user="b", arm="a", reward="c"),
    )
    assert (survey.arms, report.people) == (("1", "2"), 3)


# ---------------------------------------------------------------- what is dropped is counted


def test_every_row_left_out_is_counted_with_its_reason():
    bad = "1,x\n,x,3\n4,,3\n4,x,\n4,x,NaN\n4,x,good\n4,x,inf\n4,x,-inf\n4,x,9\n1,2,3,4\n"
    survey, report = read(LONG + bad, scale=(1.0, 5.0))
    assert ratings_of(survey) == EXPECTED
    assert dict(report.dropped) == {
        "a row with more or fewer fields than the first": 2,
        "a missing person, option or rating": 4,
        "a rating that is not a number": 1,
        "an infinite rating": 2,
        "a rating outside the scale from 1 to 5": 1,
    }
    assert report.rows == 15


def test_wide_tables_count_cells():
    survey, report = read(
        "user,x,y,z\n1,3,4,\n2,5,oops,\n3,inf,2,\n,1,1,\n",
        layout="wide",
        user="user",
        arm_columns=("x", "y", "z"),
    )
    assert ratings_of(survey) == [(0, "x", 3, 1), (0, "y", 4, 1), (1, "x", 5, 1), (2, "y", 2, 1)]
    assert dict(report.dropped) == {
        "a row without a person": 1, "a cell that is not a number": 1, "an infinite rating": 1,
    }  # fmt: skip
    assert any("options without a rating are left out: 'z'" in note for note in report.notes)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [("2,oops,1", "a cell that is not a number"), ("inf,inf,inf", "an infinite rating")],
)
def test_cells_that_are_no_rewards_leave_a_small_table_wide(cells, reason):
    """Of five cells even one is more than a tenth."""
    column = [4, *cells.split(","), 5]
    rows = [f"{who},3,{x},{1 + i}" for i, (who, x) in enumerate(zip("abcde", column, strict=True))]
    text = "\n".join(["name,Drama,Comedy,Action", *rows])
    guess = inspect(text.encode(), "file.csv")
    assert guess.arm_columns == ("Drama", "Comedy", "Action")
    assert guess.user == "name"
    survey, report = read(text)
    bad = sum(not cell.isdigit() for cell in cells.split(","))
    assert report.dropped == ((reason, bad),)
    assert survey.n_people == 5


@pytest.mark.parametrize("header", ["who,tea,,coffee,", "who,,tea,none,coffee", ",,who,tea,coffee"])
def test_empty_columns_mean_nothing(header):
    names = header.split(",")
    filled = {"who": lambda i: i, "tea": lambda i: 1 + i % 5, "coffee": lambda i: 1 + i % 3}
    rows = [",".join(str(filled[n](i)) if n in filled else "" for n in names) for i in range(40)]
    guess = inspect("\n".join([header, *rows]).encode(), "file.csv")
    assert (guess.layout, guess.user, guess.arm_columns) == ("wide", "who", ("tea", "coffee"))
    long = [",".join([f"a{i // 3}", "", f"b{i % 2}", str(i % 3)]) for i in range(9)]
    guess = inspect("\n".join(["a,b,c,d", *long]).encode(), "file.csv")
    assert (guess.user, guess.arm, guess.reward) == ("a", "c", "d")


def test_the_rule_for_duplicates():
    twice = LONG + "1,x,5\n1,x,4\n"
    survey, report = read(twice)
    assert len(survey.person) == 7
    assert any("2 ratings are of an option that the same person rated" in n for n in report.notes)
    survey, report = read(twice, duplicates="last")
    assert ratings_of(survey)[0] == (0, "x", 4, 1)
    assert report.dropped == (("a later rating of the same option by the same person", 2),)


def test_weights_count_and_bad_ones_are_dropped():
    good = "1,x,3,2\n1,y,4,0.5\n3,y,4,7\n"
    rows = "user,arm,reward,weight\n" + good + "2,x,5,0\n2,y,1,-1\n2,x,1,\n2,y,2,inf\n"
    survey, report = read(rows)
    assert ratings_of(survey) == [(0, "x", 3, 2), (0, "y", 4, 0.5), (1, "y", 4, 7)]
    assert report.dropped == (("a weight that is missing, infinite or not above 0", 4),)


def test_what_is_known_of_people():
    rows = "user,country,arm,reward\n1,DE,x,3\n1,FR,y,4\n2,,x,5\n2,FR,y,1\n10,,y,1\n"
    survey, report = read(rows)
    assert survey.columns["country"].tolist() == ["DE", "FR", ""]
    assert report.notes[-1].startswith("1 people have several entries in 'country'")


def test_negative_rewards_need_an_offset():
    rows = LONG.replace(",3\n", ",-2\n")
    with pytest.raises(ValueError, match="at least 0, got -2: add an offset of 2"):
        read(rows)
    survey, report = read(rows, offset=2.0)
    assert survey.values.tolist() == [0.0, 3.0, 6.0, 7.0]
    assert any(note.startswith("2 is added to every rating") for note in report.notes)
    assert read(rows, offset=3.0, scale=(-3.0, 6.0))[0].reward_max == 9.0


def test_bins_keep_the_mean():
    rng = np.random.default_rng(0)
    rows = [f"{i // 2},{'xy'[i % 2]},{rng.random():.9f}\n" for i in range(400)]
    data = "user,arm,reward\n" + "".join(rows)
    with pytest.raises(ValueError, match="at most 50 different ratings, got 400: choose"):
        read(data)
    survey, report = read(data, bins=8)
    mean = np.mean([float(row.split(",")[2]) for row in rows])
    assert survey.values.size == 8
    assert survey.values[survey.value].mean() == pytest.approx(mean)
    assert any("8 bins of width" in note for note in report.notes)
    wide_apart, _ = read("user,arm,reward\n1,x,0\n1,y,0.1\n2,x,10\n", bins=5)
    np.testing.assert_allclose(wide_apart.values, [0.05, 10.0])


def test_rounding_makes_no_new_values():
    survey, _ = read("user,arm,reward\n1,x,0.3\n1,y,0.30000000000000004\n2,x,1\n")
    assert survey.values.tolist() == [0.3, 1.0]


def test_too_many_arms_are_cut_on_demand():
    rows = "".join(f"{i % 7},arm {i % 150 if i < 300 else i % 3},{i % 5}\n" for i in range(600))
    with pytest.raises(ValueError, match="at most 100 options, got 150: choose"):
        read("user,arm,reward\n" + rows)
    survey, report = read("user,arm,reward\n" + rows, top_arms=3)
    assert survey.arms == ("arm 0", "arm 1", "arm 2")
    assert report.dropped[0][0] == "an option that is not among the 3 most rated of 150"


def test_pairs_that_nobody_rated_both_are_said():
    _, report = read("user,arm,reward\n1,x,3\n1,y,4\n2,z,5\n")
    assert report.notes[-1].startswith("Nobody rated both options of 2 pairs, such as 'x' and 'z'")
