"""Bad files: each is one sentence, never a traceback, and none takes much memory."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cbai.datasets import table
from cbai.datasets.table import guess as limits
from cbai.datasets.table import inspect, read_survey
from tests.test_table import DIALECTS, LONG, read


def parquet_bytes(**columns):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def test_texts_that_are_stored_by_their_differences_are_read():
    """As some writers of Parquet files do by default; Arrow cannot code these while reading."""
    names = ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY")
    for user, arm in (names, names[::-1]):
        buffer = io.BytesIO()
        table = {"user": ["a", "b"] * 6, "arm": ["x", "y", "x"] * 4, "reward": [1, 2] * 6}
        pq.write_table(
            pa.table(table), buffer, use_dictionary=False,
            column_encoding={"user": user, "arm": arm, "reward": "PLAIN"},
        )  # fmt: skip
        data = buffer.getvalue()
        survey, _ = read_survey(data, inspect(data, "f.parquet"))
        assert (survey.arms, survey.n_people) == (("x", "y"), 2)


GOOD_PARQUET = parquet_bytes(
    user=["a", "b"] * 50, arm=["x", "y", "x"] * 33 + ["y"], reward=[1, 2] * 50
)

BAD = {
    "nothing": (b"", "is empty"),
    "blank": (b" \n\n \n", "is empty"),
    "header only": (b"user,arm,reward\n", "a header only"),
    "binary": (bytes(range(256)) * 20, "neither text nor Parquet"),
    "random bytes": (np.random.default_rng(0).bytes(5000), "neither text nor Parquet"),
    "undecodable": (b"a,b,c\n\x81\x8d,2,3\n", "some of its bytes are not"),
    "a zip archive": (b"PK\x03\x04" + bytes(50), "zip archive or an Excel workbook"),
    "damaged utf-16": (b"\xff\xfea\0,\0b\0\n\0\0\xd8", "must be text in UTF-16"),
    "utf-16 of controls": ("a,b\n\0,2\n".encode("utf-16"), "must be text in UTF-16"),
    "json": (b'[{"user": 1, "arm": "x", "reward": 3}]', "looks like JSON"),
    "lines of json": (b'{"user": 1, "arm": "x"}\n{"user": 2, "arm": "y"}\n', "looks like JSON"),
    "a photo": (b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(50), "looks like a picture"),
    "an SPSS file": (b"$FL2@(#) SPSS DATA FILE" + bytes(50), "looks like an SPSS file"),
    "a web page": (b"<!DOCTYPE html><table><tr><td>1,2", "looks like a web page"),
    "one column": (b"reward\n1\n2\n", "one column only"),
    "mixed types": (
        b"user,arm,reward\n1,x,3\n2,y,bad\n3,x,worse\n", "'reward' must hold numbers.*'bad'",
    ),
    "only NaN": (b"user,arm,reward\n1,x,NaN\n2,y,\n", "must hold ratings, but 2 rows were left"),
    "all off the scale": (LONG.encode(), "[35] rows were left out", {"scale": (7.0, 9.0)}),
    "an upside-down scale": (LONG.encode(), "from low to high, got from 5", {"scale": (5.0, 1.0)}),
    "one arm": (b"user,arm,reward\n1,x,3\n2,x,4\n", "at least 2 options"),
    "one arm besides ragged rows": (
        b"user,arm,reward\n1,x,3\n2,x,4\n3,y\n4,x,4\n",
        "at least 2 options with ratings, got 1. Besides, 1 row was left out: a row with more or "
        "fewer",
    ),
    "one user": (b"user,arm,reward\n1,x,3\n1,y,4\n", "at least 2 people"),
    "one reward": (b"user,arm,reward\n1,x,3\n2,y,3\n", "at least 2 different ratings, all are 3"),
    "one reward in bins": (b"user,arm,reward\n1,x,3\n2,y,3\n", "2 different ratings", {"bins": 4}),
    "one bin": (LONG.encode(), "bins must be a whole number from 2 to 50, got 1", {"bins": 1}),
    "huge rewards": (LONG.replace("5", "1e300").encode(), "at most 1e.09 in size"),
    "an infinite offset": (LONG.encode(), "offset", {"offset": np.inf}),
    "mostly ragged": (b"user,arm,reward\n1,x\n2,y\n1,x,3\n", "must have 3 fields.*2 of 3"),
    "an open quote": (b'user,arm,reward\n1,x,"3\n2,y,4\n1,y,4\n', "quotation mark is not closed"),
    "a column too few": (LONG.encode(), "needs a column for the option", {"arm": None}),
    "an unknown column": (LONG.encode(), "column must be one of.*'who'", {"user": "who"}),
    "a column twice": (LONG.encode(), "only one meaning, got 'arm'", {"user": "arm"}),
    "no arm columns": (LONG.encode(), "from 2 to 100 columns", {"layout": "wide"}),
    "an unknown rule": (LONG.encode(), "duplicates must be one of", {"duplicates": "first"}),
    "a long name": (LONG.replace("x", "x" * 300).encode(), "at most 200 letters, got 300"),
    "wide with a million arms": (
        b",".join(b"a%d" % i for i in range(1_000_000)) + b"\n" + b"1," * 999_999 + b"1\n",
        "at most 200 columns",
    ),
    "wide with 300 arms": (
        b",".join(b"a%d" % i for i in range(300)) + b"\n" + b"1," * 299 + b"1\n",
        "at most 200 columns, got 300",
    ),
    "a million arms": (
        b"user,arm,reward\n"
        + b"".join(b"%d,a%d,%d\n" % (i % 9, i, i % 5) for i in range(1_000_000)),
        "at most 100 options, got 1,000,000",
    ),
    "one endless line": (b"x" * 400_000, "at most 200 columns"),
    "a huge cell": (b"user,arm,reward\n1,x,3\n2,y," + b"9" * 400_000 + b"\n", "ratings|2 people"),
    "parquet cut short": (GOOD_PARQUET[:-20], "damaged or was cut short"),
    "parquet, the start only": (GOOD_PARQUET[:60], "damaged or was cut short"),
    "parquet, broken inside": (
        GOOD_PARQUET[:30] + b"\xff" * 200 + GOOD_PARQUET[230:], "damaged|must|Column|at least",
    ),
    "parquet with one column": (parquet_bytes(reward=[1, 2]), "at least 2 columns, got 1"),
    "parquet without rows": (
        parquet_bytes(**dict.fromkeys("abc", pa.array([], pa.int64()))), "rows of data",
    ),
    "parquet of lists": (parquet_bytes(a=[[1], [2]], b=[{"x": 1}] * 2), "2 columns, got 0"),
    "parquet of dates": (
        parquet_bytes(user=[1, 2], arm=["x", "y"], reward=pa.array([1, 2], pa.timestamp("s"))),
        "'reward' must hold numbers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_every_bad_file_is_one_sentence(name):
    data, words, *corrections = BAD[name]
    with pytest.raises(ValueError, match=words) as error:
        read(data, **(corrections[0] if corrections else {}))
    message = str(error.value)
    assert message.endswith((".", "file.")) or name.startswith("parquet")
    assert len(message) < 400
    assert "\n" not in message


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [
        ("MAX_BYTES", 20, "at most 20 bytes, got 47"),
        ("MAX_CELLS", 10, "at most 10 cells, got 18"),
    ],
)
def test_limits_of_the_whole_file(monkeypatch, limit, value, words):
    monkeypatch.setattr(table, limit, value)
    with pytest.raises(ValueError, match=words):
        read(LONG)


def test_too_many_rows(monkeypatch):
    monkeypatch.setattr("cbai.datasets.table.encoding.MAX_ROWS", 4)
    with pytest.raises(ValueError, match="at most 4 rows, got 6 lines"):
        read(LONG)
    monkeypatch.setattr("cbai.datasets.table.survey.MAX_ROWS", 4)
    monkeypatch.setattr("cbai.datasets.table.encoding.MAX_ROWS", 100)
    with pytest.raises(ValueError, match="at most 4 ratings, got 5"):
        read(DIALECTS["wide"])


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("MAX_ROWS", "at most 2 rows, got 100"),
        ("MAX_COLUMNS", "at most 2 columns, got 3"),
        ("MAX_CELLS", "at most 2 cells, got 300"),
        ("MAX_UNPACKED", "at most 2 bytes after unpacking"),
    ],
)
def test_parquet_is_judged_before_it_is_unpacked(monkeypatch, limit, words):
    monkeypatch.setattr(f"cbai.datasets.table.parquet.{limit}", 2)
    with pytest.raises(ValueError, match=words):
        inspect(GOOD_PARQUET, "f.parquet")


def test_a_long_text_repeated_takes_its_space_once():
    """Five megabytes in each of 100,000 rows would be half a terabyte if they were written out."""
    text = "z" * 5_000_000
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000), pa.array([text]))
    rows = np.arange(100_000)
    buffer = io.BytesIO()
    columns = {"user": rows, "arm": rows % 2, "reward": rows % 5, "country": long}
    pq.write_table(pa.table(columns), buffer, compression="zstd")
    data = buffer.getvalue()
    assert len(data) < limits.MAX_BYTES
    guess = inspect(data, "f.parquet")
    assert guess.person_columns == ("country",)
    assert read_survey(data, replace(guess, person_columns=()))[1].ratings == 100_000
    with pytest.raises(ValueError, match="'country' may have at most 200 letters, got 5,000,000"):
        read_survey(data, guess)


@given(st.binary(max_size=300))
@settings(max_examples=150)
def test_any_bytes_are_read_or_refused(data):
    try:
        survey, report = read(data)
    except ValueError:
        return
    assert report.ratings == len(survey.person)


@given(st.text(alphabet="ab01,;\t\n\"' .-é=", max_size=200))
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text):
    try:
        survey, report = read(text)
    except ValueError:
        return
    assert report.ratings == len(survey.person)
    assert survey.n_arms >= 2


def test_a_quoted_cell_may_hold_a_line_break():
    """RFC 4180, section 2, rule 6."""
    data = 'user,arm,reward\n1,"x\nx",3\n2,y,4\n1,y,5\n'
    survey, report = read(data)
    assert survey.arms == ("x x", "y")
    assert report.rows == 3
    assert report.notes[0] == "1 line break is inside quoted cells."


def test_a_long_name_of_a_column_refuses_nothing():
    long = "How much, all in all, do you like it? " * 20
    survey, _ = read(LONG.replace("arm", f'"{long}"'))
    assert survey.arms == ("x", "y")
    guess = inspect(f'who,"{long}","{long}"\n1,2,3\n2,5,1\n3,3,4\n'.encode(), "f.csv")
    assert all(len(name) <= limits.MAX_NAME for name in guess.columns)
    assert len(set(guess.columns)) == 3


def test_names_of_columns_that_look_like_made_ones_stay_apart():
    guess = inspect(b"x (column 3),x,x\n1,3,2\n2,5,1\n3,4,4\n", "f.csv")
    assert len(set(guess.columns)) == 3


@pytest.mark.parametrize(
    ("corrections", "words"),
    [
        ({"decimal": ";"}, "decimal must be one of"),
        ({"decimal": ",", "thousands": ","}, "must differ, both are ','"),
        ({"order": ("a",)}, "from 2 to 50 words, got 1"),
        ({"order": ("a", "A")}, "different words"),
        ({"order": (1, 2)}, "order must be words"),
        ({"missing": (np.inf,)}, "missing must be in"),
        ({"time": "when"}, "column must be one of.*got 'when'"),
        ({"header_rows": 0}, "header_rows must be a whole number from 1 to 10, got 0"),
        ({"user": "x" * 500}, "column must be one of"),
    ],
)
def test_corrections_that_cannot_be_are_one_sentence(corrections, words):
    with pytest.raises(ValueError, match=words) as error:
        read(LONG, **corrections)
    assert len(str(error.value)) < 400
