"""What strangers send on purpose: one sentence each, after little work and in little memory."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import zipfile
import zlib

import pandas as pd
import pytest

from cbai.checks import LONGEST_QUOTE
from cbai.datasets import archive, goodreads_files, stream
from cbai.datasets.archive import Archive
from cbai.datasets.goodreads_files import BOOKS, INTERACTIONS, read_goodreads
from cbai.datasets.movielens_files import read_movielens
from cbai.datasets.stream import FileError, Gunzip
from cbai.datasets.table import Guess, read_survey
from cbai.ui.runs import reading
from tests.test_readers_goodreads import LINES, TITLES, line
from tests.test_readers_goodreads import packed as lines_packed
from tests.test_readers_movielens import LAYOUTS, MOVIES_CSV, RATINGS_CSV, packed

MOST_MB = 300
"""The most memory of a worker in all, of which 125 MB are the readers themselves."""

UPLOADED_ROWS = 2_000_000
CASES = 1000
FUZZED = {
    "1m": (read_movielens, packed("1m")),
    "100k": (read_movielens, packed("100k")),
    "csv": (read_movielens, packed("csv")),
    "interactions": (read_goodreads, "\n".join(LINES * 3).encode()),
    "packed interactions": (read_goodreads, lines_packed(LINES)),
}


def sentence(error):
    """Return the text of an error, which is one sentence whose quotes are short."""
    text = str(error)
    assert text.endswith(".")
    assert text.isprintable()
    assert len(text) < 500
    return text


def zipped(members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in members.items():
            with file.open(name, "w") as member:
                for block in [content] if isinstance(content, (str, bytes)) else content:
                    member.write(block.encode() if isinstance(block, str) else block)
    return buffer.getvalue()


def ratings(text):
    return zipped({"movies.csv": MOVIES_CSV, "ratings.csv": text})


def blocks(make, number, size=100_000):
    """Yield texts of `size` lines each, `number` in all."""
    for start in range(0, number, size):
        yield "".join(map(make, range(start, start + size)))


def sixty_million_rows():
    block = "".join(f"{i % 97},{1 + i % 2},4\n" for i in range(100_000))
    return ratings(["userId,movieId,rating\n", *[block] * 600])


def many_people(i):
    return f'{{"user_id":"{i:x}","book_id":{i % 50},"rating":4}}\n'


def many_books(i):
    return f'{{"user_id":"a","book_id":{i},"rating":4}}\n'


def gzipped(texts):
    packer = zlib.compressobj(1, wbits=31)
    return b"".join([*(packer.compress(text.encode()) for text in texts), packer.flush()])


HOSTILE = {
    "60 million rows": (read_movielens, sixty_million_rows, r"at most 80,000,000 bytes"),
    "20 MB of empty lines": (
        read_movielens,
        lambda: ratings([RATINGS_CSV, *[b"\n" * 2**20] * 20]),
        r"at most 2,000,001 lines|at most 200 times",
    ),
    "20 MB of empty lines, stored": (
        read_movielens,
        lambda: zipped({"movies.csv": MOVIES_CSV, "ratings.csv": b"\n" * 20_000_000}, 0),
        r"at most 2,000,001 lines",
    ),
    "20 MB of empty movies": (
        read_movielens,
        lambda: zipped({"movies.csv": b"\n" * 20_000_000, "ratings.csv": RATINGS_CSV}, 0),
        r"at most 500,000 lines|movieId,title,genres",
    ),
    "8 million movies": (
        read_movielens,
        lambda: zipped(
            {"movies.dat": "".join(f"{i}::::\n" for i in range(2_000_000)), "ratings.dat": "1"}, 0
        ),
        r"at most 500,000 lines",
    ),
    "a header of a million columns": (
        read_movielens,
        lambda: ratings("," * 1_000_000),
        r"at most 256 bytes, got a longer one",
    ),
    "many columns": (
        read_movielens,
        lambda: ratings("userId,movieId,rating" + "," * 200 + "\n"),
        r"at most 20 columns, got 203",
    ),
    "a number of 200 kB": (
        read_movielens,
        lambda: ratings(RATINGS_CSV + "1" * 200_000 + ",1,1,1\n"),
        r"at most 256 bytes, got a longer one",
    ),
    "a quotation that never ends": (
        read_movielens,
        lambda: ratings(RATINGS_CSV + '"1,1,1,1\n' * 500_000),
        r"numbers on every line|at most 200 times",
    ),
    "a title of 200 kB": (
        read_movielens,
        lambda: zipped({"movies.csv": MOVIES_CSV + f"8,{'x' * 200_000},War\n", "ratings.csv": "1"}),
        r"at most 16,384 bytes, got a longer one",
    ),
    "a title of many lines": (
        read_movielens,
        lambda: zipped(
            {"movies.csv": MOVIES_CSV + '8,"' + "x\n" * 200_000 + '",War\n', "ratings.csv": "1"}
        ),
        r"a table in CSV, .* larger than field limit",
    ),
    "a movie of 8,000 genres": (
        read_movielens,
        lambda: zipped({"movies.csv": MOVIES_CSV + f"8,x,{'|' * 8000}\n", "ratings.csv": "1"}),
        r"at most 100 genres of a movie, got 8,001 in line 5",
    ),
    "a zip file in a zip file": (
        read_movielens,
        lambda: ratings(ratings([b"1,1,1\n" * 2**20] * 20)),
        r"be text, got binary data",
    ),
    "100,000 files": (
        read_movielens,
        lambda: zipped({f"{i:06}": b"" for i in range(20_000)}),
        r"list of files of at most 524,288 bytes",
    ),
    "5 million people": (
        read_goodreads,
        lambda: gzipped(blocks(many_people, 600_000)),
        r"at most 500,000 readers",
    ),
    "5 million books": (
        read_goodreads,
        lambda: gzipped(blocks(many_books, 600_000)),
        r"at most 500,000 books",
    ),
    "20 MB of empty lines of JSON": (
        read_goodreads,
        lambda: b"\n" * 20_000_000,
        r"at most 4,000,000 lines|at most 100,000 lines that are no rating",
    ),
    "5 million lines that are no JSON": (
        read_goodreads,
        lambda: b"{\n" * 3_000_000,
        r"at most 100,000 lines that are no rating",
    ),
    "a name of a reader of 1 MB": (
        read_goodreads,
        lambda: json.dumps({"user_id": "x" * 2**20, "book_id": 1, "rating": 3}).encode() * 2,
        r"got none: .* a line that is no rating",
    ),
    "a gzip file with a name of 20 MB": (
        read_goodreads,
        lambda: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"x" * 20_000_000,
        r"cut short or damaged",
    ),
    "a million empty gzip files": (
        read_goodreads,
        lambda: gzip.compress(b"") * 1_000_000,
        r"more than 100,000 packed parts",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def workers_end():
    yield
    for one in list(reading._all):
        one.end()
    reading._ready.clear()


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_one_sentence_in_little_memory(monkeypatch, what):
    """Under a limit of memory that is itself the assertion, where there is one."""
    function, make, words = HOSTILE[what]
    monkeypatch.setattr(reading, "MEMORY_MB", MOST_MB - 125)
    for one in list(reading._all):  # begun with another limit
        one.end()
    reading._ready.clear()
    options = {"max_rows": UPLOADED_ROWS} if function is read_movielens else {}
    with pytest.raises(ValueError, match=words) as error:
        reading.run(function, make(), **options)
    sentence(error.value)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_two_million_people_are_one_sentence_in_little_memory(monkeypatch, encoding):
    """With less memory than all names take: reading ends where there are too many."""
    monkeypatch.setattr(reading, "MEMORY_MB", MOST_MB - 125)
    for one in list(reading._all):
        one.end()
    reading._ready.clear()
    rows = "".join(f"ü{i:07},{'AB'[i % 2]},{1 + i % 5}\n" for i in range(UPLOADED_ROWS - 1))
    columns = ("user", "item", "rating")
    guess = Guess("f.csv", "csv", columns, pd.DataFrame(), user="user", arm="item",
                  reward="rating", encoding=encoding)  # fmt: skip
    data = (",".join(columns) + "\n" + rows).encode(encoding)
    with pytest.raises(ValueError, match=r"at most 1,000,000 different people or options") as error:
        reading.run(read_survey, data, guess)
    sentence(error.value)


@pytest.fixture
def unpacked(monkeypatch):
    """Count the bytes that come out of any file."""
    count = [0]
    read = stream.Guard.readinto

    def readinto(self, buffer):
        done = read(self, buffer)
        count[0] += done
        return done

    monkeypatch.setattr(stream.Guard, "readinto", readinto)
    return count


def test_what_a_zip_file_says_is_too_large_is_not_unpacked(unpacked):
    with pytest.raises(FileError, match="at most 80,000,000 bytes"):
        read_movielens(sixty_million_rows(), max_rows=UPLOADED_ROWS)
    assert unpacked[0] == len(MOVIES_CSV.encode())


def test_reading_ends_with_the_last_line_that_may_be(unpacked):
    text = "userId,movieId,rating\n" + "1,1,4\n" * 900_000
    data = zipped({"movies.csv": MOVIES_CSV, "ratings.csv": text}, 0)
    with pytest.raises(FileError, match="at most 200,001 lines"):
        read_movielens(data, max_rows=200_000)
    assert unpacked[0] < 200_000 * 6 + 2**19
    assert len(read_movielens(data, max_rows=900_000).frame) == 1


def test_lines_that_are_of_no_use_end_the_reading(monkeypatch):
    monkeypatch.setattr(goodreads_files, "MAX_BROKEN", 2)
    assert dict(read_goodreads("\n".join([*LINES, "{", "{"]).encode()).dropped)
    for many in (["{"] * 3, ["{", "{", "[]"]):
        with pytest.raises(FileError, match="at most 2 lines that are no rating"):
            read_goodreads("\n".join([*LINES, *many]).encode())
    with pytest.raises(FileError, match="at most 2 lines without a book_id"):
        read_goodreads(lines_packed(LINES), lines_packed([*TITLES, "{", "{"]))


@pytest.mark.parametrize("limit", ["MAX_PEOPLE", "MAX_BOOKS"])
def test_readers_and_books_are_counted(monkeypatch, limit):
    lines = [line(1 + i, 5 if limit == "MAX_PEOPLE" else i, 4) for i in range(4)]
    monkeypatch.setattr(goodreads_files, limit, 3)
    assert len(read_goodreads(lines_packed(lines[:3])).frame) == 3
    with pytest.raises(FileError, match=r"at most 3 (readers|books), got more"):
        read_goodreads(lines_packed(lines))


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "1.5", "true", "[[]]"])
def test_odd_numbers_in_json_are_broken_lines(number):
    odd = f'{{"user_id": "x", "book_id": {number}, "rating": 4, "title": "T"}}'
    rating = f'{{"user_id": "x", "book_id": 4, "rating": {number}}}'
    read = read_goodreads(lines_packed([*LINES, odd, rating]), lines_packed([*TITLES, odd]))
    assert dict(read.dropped)[goodreads_files.BROKEN] == 2
    assert read.items["title"].tolist() == ["Odes", "Élégies"]


def test_many_packed_parts_are_unpacked_as_one():
    parts = [b"abc\n" * i for i in (1, 0, 50_000, 2)]
    data = b"".join(gzip.compress(part) + b"\0" * (3 * i) for i, part in enumerate(parts))
    for whole in (data, data + b"\0" * 70_000):
        assert Gunzip(io.BytesIO(whole)).read() == b"".join(parts)
    with pytest.raises((EOFError, zlib.error)):
        Gunzip(io.BytesIO(data + b"abc")).read()
    for end in (5, 15, len(data) - 20):
        with pytest.raises((EOFError, zlib.error)):
            Gunzip(io.BytesIO(data[:end])).read()


# ---------------------------------------------------------------- bytes at random


def spoiled(chance, data):
    """Return bytes with some flipped, cut out, doubled, or replaced by what breaks readers."""
    spoils = (b"\0", b"\n", b'"', b"1e400", b"\xff", b"::", b"9" * 30, b"-", b"{", b"\x1f\x8b")
    for _ in range(chance.choice((1, 1, 2, 5))):
        at, other = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        kind = chance.randrange(5)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[min(other, at + 40) :]
        elif kind == 2:
            data = data[:other] + data[at:other] + data[other:]
        elif kind == 3:
            data = data[:at] + chance.choice(spoils) + data[at:]
        elif chance.random() < 0.2:
            data = data[:at]
    return data


@pytest.mark.parametrize("what", FUZZED)
def test_bytes_at_random_are_read_or_one_sentence(what):
    function, data = FUZZED[what]
    chance, refused = random.Random(f"bytes {what}"), 0
    for _ in range(CASES):
        try:
            function(spoiled(chance, data))
        except FileError as error:
            sentence(error)
            refused += 1
    assert refused > CASES / 20


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_at_random_inside_a_zip_file_is_read_or_one_sentence(layout):
    chance, refused = random.Random(f"text {layout}"), 0
    for _ in range(CASES):
        members = {
            name: text.encode("latin-1", "replace") for name, text in LAYOUTS[layout].items()
        }
        which = chance.choice(list(members))
        members[which] = spoiled(chance, members[which])
        try:
            read_movielens(zipped(members, chance.choice((0, 8))))
        except FileError as error:
            sentence(error)
            refused += 1
    assert refused > CASES / 20


def test_books_at_random_are_read_or_one_sentence():
    chance = random.Random("books")
    for _ in range(CASES):
        try:
            read_goodreads(
                zipped(
                    {
                        INTERACTIONS: lines_packed(LINES),
                        BOOKS: gzip.compress(spoiled(chance, "\n".join(TITLES).encode())),
                    },
                    0,
                )
            )
        except FileError as error:
            sentence(error)


HARD = (None, True, 0, -1, 1e400, 10**30, "x", "1" * 5000, "\ud800", "\0", [], {}, [[1]], {"a": {}})


def test_values_of_any_type_are_read_or_one_sentence():
    chance = random.Random("types")
    for _ in range(CASES):
        record = {key: chance.choice(HARD) for key in ("user_id", "book_id", "rating", "title")}
        record |= {} if chance.random() < 0.5 else {"user_id": "u", "book_id": "7", "rating": 3}
        odd = [record, *([] if chance.random() < 0.5 else [chance.choice(HARD)])]
        texts = [*LINES, *map(json.dumps, odd)]
        try:
            read_goodreads(lines_packed(texts), lines_packed([*TITLES, *map(json.dumps, odd)]))
        except FileError as error:
            sentence(error)


@pytest.mark.parametrize("name", ["x" * 300, "a\nb\x1b[31m\u202e", "", "\0"])
def test_names_of_files_are_short_and_printable_in_messages(name):
    for source in (b"", b"x", b"PK\x05\x06", zipped({"n\n" * 30_000: b""}), ratings("")):
        with pytest.raises(FileError) as error:
            read_movielens(source, name)
        assert len(sentence(error.value).partition(" must ")[0]) <= LONGEST_QUOTE + 20


def test_a_list_of_names_quotes_little_of_each():
    data = zipped({f"{i}{'x' * 60_000}": b"" for i in range(7)})
    with pytest.raises(FileError, match=r"and 2 more\.$") as error:
        Archive(data, "a.zip").open("ratings.csv")
    assert len(sentence(error.value)) < 5 * archive.SHOWN_LETTERS + 80


if sys.platform != "linux":
    MOST_MB = 10**6  # limited nowhere else
