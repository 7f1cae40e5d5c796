"""Whatever a reader of tables raises is one ValueError in one sentence: seeded bytes and types."""

from __future__ import annotations

import datetime
import decimal
import io
import uuid
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cbai.datasets.table import inspect, read_survey
from tests.test_table_kinds import TABLES

N = 40
EPOCH = datetime.datetime(2020, 1, 1)


def parquet(table, **options):
    """Return a table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def is_one_sentence(message):
    """Return whether a message may be shown: short, on one line, without control characters."""
    return 0 < len(message) < 400 and message.isprintable()


def read_or_refuse(data, **corrections):
    """Read a table as guessed; return the message if it is refused, rightly in one sentence."""
    try:
        guess = inspect(data, "file")
        survey, report = read_survey(data, replace(guess, **corrections))
    except ValueError as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert type(refused) is ValueError
        assert is_one_sentence(str(refused)), str(refused)[:500]
        return str(refused)
    assert report.ratings == len(survey.person)
    assert all(name.isprintable() for name in survey.arms)
    assert all(map(is_one_sentence, map(str, guess.doubts)))
    return None


def columns():
    """Return a column of N cells of every type that a Parquet file may hold."""
    whole = list(range(N))
    dates = [EPOCH + datetime.timedelta(days=i) for i in whole]
    storage = pa.array([uuid.UUID(int=i).bytes for i in whole], pa.binary(16))
    far = pa.array([2**62 + i for i in whole])
    return {
        "int8": pa.array([i % 5 for i in whole], pa.int8()),
        "uint64": pa.array([2**63 + i for i in whole], pa.uint64()),
        "half": pa.array(np.arange(N, dtype=np.float16) % 5),
        "float": pa.array([None if i % 7 == 0 else i % 5 for i in whole], pa.float32()),
        "infinite": pa.array([float("inf"), float("nan"), -1e308, 5.0] * (N // 4)),
        "bool": pa.array([i % 2 == 0 for i in whole]),
        "null": pa.nulls(N),
        "text": pa.array([f"t{i % 3}" for i in whole]),
        "large text": pa.array([f"t{i % 3}" for i in whole], pa.large_string()),
        "view": pa.array([f"t{i % 3}" for i in whole], pa.string_view()),
        "bytes": pa.array([bytes([255, i, 0]) for i in whole]),
        "few bytes": pa.array([b"xy"] * N, pa.binary(2)),
        "controls": pa.array(["\x00\x1b[31m\u202ea\nb"] * (N // 2) + ["\u2028x\r\ty"] * (N // 2)),
        "numbers as text": pa.array([f"{i % 5},5" for i in whole]),
        "dictionary": pa.array([f"t{i % 3}" for i in whole]).dictionary_encode(),
        "number dictionary": pa.array([i % 3 for i in whole]).dictionary_encode(),
        "date": pa.array([day.date() for day in dates]),
        "date64": pa.array([day.date() for day in dates], pa.date64()),
        "far date": pa.array([2**31 - 1 - i for i in whole], pa.int32()).cast(pa.date32()),
        "timestamp": pa.array(dates, pa.timestamp("us")),
        "zoned": pa.array(dates, pa.timestamp("us", "Europe/Berlin")),
        "far timestamp": pa.array(far).view(pa.timestamp("ms")),
        "time": pa.array([datetime.time(i % 24) for i in whole]),
        "time32": pa.array(whole, pa.int32()).cast(pa.time32("s")),
        "duration": pa.array([datetime.timedelta(i) for i in whole]),
        "decimal": pa.array([decimal.Decimal(i) / 4 for i in whole], pa.decimal128(12, 2)),
        "decimal256": pa.array([decimal.Decimal(10) ** 60] * N, pa.decimal256(70, 2)),
        "list": pa.array([[i] for i in whole]),
        "struct": pa.array([{"a": i} for i in whole]),
        "map": pa.array([[("a", i)] for i in whole], pa.map_(pa.string(), pa.int64())),
        "uuid": pa.ExtensionArray.from_storage(pa.uuid(), storage),
        "json": pa.ExtensionArray.from_storage(
            pa.json_(), pa.array(['{"a": 1e400}', "[1]"] * (N // 2))
        ),
        "bool8": pa.ExtensionArray.from_storage(
            pa.bool8(), pa.array([i % 2 for i in whole], pa.int8())
        ),
        "wide": pa.array([i % 4 + 1 for i in whole]),
    }


COLUMNS = columns()


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("role", ["user", "arm", "reward", "weight", "country", "time"])
def test_every_type_in_every_role(kind, role):
    table = {
        "user": pa.array([i // 4 for i in range(N)]),
        "arm": pa.array([f"a{i % 4}" for i in range(N)]),
        "reward": pa.array([i % 5 for i in range(N)]),
    }
    table[role] = COLUMNS[kind]
    data = parquet(pa.table(table))
    read_or_refuse(data)
    fields = {"user": "user", "arm": "arm", "reward": "reward", "layout": "long", "doubts": ()}
    if role in ("user", "arm", "reward", "weight"):
        fields[role] = role
    if role == "country":
        fields["person_columns"] = ("country",)
    if role == "time":
        fields |= {"time": "time", "duplicates": "last"}
    read_or_refuse(data, **fields)


@pytest.mark.parametrize("seed", range(20))
def test_types_thrown_together(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        kinds = rng.choice(list(COLUMNS), rng.integers(2, 7), replace=False)
        table = pa.table({str(kind): COLUMNS[str(kind)] for kind in kinds})
        read_or_refuse(parquet(table))


def test_what_can_be_read_of_odd_types_is_read():
    table = pa.table({"user": COLUMNS["uuid"], "arm": COLUMNS["json"], "reward": COLUMNS["bool8"]})
    rows = [0, 3, 5, 6]  # both arms have both rewards
    data = parquet(table.take(pa.array(rows * 5)))
    survey, report = read_survey(data, inspect(data, "f"))
    assert (report.people, survey.arms) == (4, ("[1]", '{"a": 1e400}'))
    assert survey.values.tolist() == [0.0, 1.0]


def flipped(data, rng):
    """Return bytes with some of them changed, cut out, put in or doubled."""
    changed = bytearray(data)
    for _ in range(rng.integers(1, 6)):
        place, long = int(rng.integers(0, len(changed) + 1)), int(rng.integers(1, 9))
        kind = rng.integers(0, 4)
        if kind == 0:
            changed[place : place + long] = rng.bytes(len(changed[place : place + long]))
        elif kind == 1:
            del changed[place : place + long]
        elif kind == 2:
            changed[place:place] = rng.choice([b'"', b"\n", b",", b";", b"\xff", b"1e400", b"\x00"])
        else:
            changed[place:place] = changed[place : place + 50 * long]
    return bytes(changed)


SMALL_TEXT = [
    b"user,arm,reward\n1,x,3\n1,y,4\n2,x,5\n2,y,1\n10,x,3\n",
    b'who;tea;"coffee\nhot";water\n1;3,5;4;2\n2;1;#N/A;-1\n3;5;3;99\n',
    b"Q1\tQ2\nagree\tdisagree\nneutral\tagree\nagree\tagree\n",
    b",a b,a b,a (column 3)\n1,TRUE,1.050,\xe2\x88\x923\n2,FALSE,950,4\n",
]


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bytes_of_texts(seed):
    """30 seeds with 40 files each: 1,200 cases."""
    rng = np.random.default_rng(seed)
    whole = [path.read_bytes()[:2000] for path in sorted(TABLES.glob("*.*sv"))]
    for case in range(40):
        start = SMALL_TEXT[case % 4] if case % 3 else whole[int(rng.integers(len(whole)))]
        read_or_refuse(flipped(start, rng))


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bytes_of_parquet(seed):
    """30 seeds with 30 files each: 900 cases, half of them in the footer, the rest anywhere."""
    rng = np.random.default_rng(seed)
    names = ["text", "int8", "dictionary", "float", "timestamp", "bool", "uuid"]
    table = pa.table({name: COLUMNS[name] for name in names})
    files = [
        parquet(table, compression=how, use_dictionary=coded)
        for how in ("snappy", "zstd", "none") for coded in (True, False)
    ]  # fmt: skip
    for case in range(30):
        data = bytearray(files[case % 6])
        foot = max(len(data) - 1500, 4)
        for _ in range(rng.integers(1, 5)):
            place = int(rng.integers(foot if case % 2 else 4, len(data) - 8))
            data[place] ^= 1 << int(rng.integers(0, 8))
        read_or_refuse(bytes(data))


ODD = {
    "headers that look like made ones": (b"x (column 3),x,x\n1,3,2\n2,5,1\n3,4,4\n", None),
    "a field of 200 kB": (b"user,arm,reward\n1,x,3\n1,y,4\n2,x,1\n2," + b"z" * 200_000, None),
    "a first field of 200 kB": (
        b"user,arm,reward,n\n1,x,3," + b"z" * 200_000 + b"\n1,y,4,a\n2,x,1,b\n2,y,5,c\n",
        None,
    ),
    "20 MB of empty lines": (b"\n" * 20_000_000, "is empty"),
    "10 MB of blank lines": (b" \n" * 5_000_000, "is empty"),
    "a million rows too many": (b"a,b\n" + b"1,2\n" * 3_000_000, "at most 2,000,000 rows"),
    "very many ragged lines": (b"a,b,c\n" + b"1,2\n" * 200_000, "more than 100,000 have not"),
    "a row of 20 MB": (b"a,b,c\n1,2," + b"z" * 20_000_000 + b"\n1,2,3\n", "A row may have at most"),
    "1e400": (b"user,arm,reward\n1,x,1e400\n1,y,4\n2,x,1\n2,y,2\n", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_read_or_refused_in_one_sentence(name):
    data, words = ODD[name]
    message = read_or_refuse(data)
    assert (message is None) == (words is None), message
    assert words is None or words in message


def test_more_than_a_million_people_are_refused():
    n = 1_100_000
    rows = np.arange(n)
    data = parquet(pa.table({"user": rows, "arm": rows % 3, "reward": rows % 5}))
    assert "at most 1,000,000 different people or options" in read_or_refuse(data)


def test_a_message_quotes_little_and_no_control_characters():
    evil = "\x1b[31m" + "x" * 5000
    table = pa.table({"user": [1, 1, 2], "arm": ["a", "b", "a"], "reward": [evil] * 3})
    assert "'reward' must hold numbers" in read_or_refuse(parquet(table))
