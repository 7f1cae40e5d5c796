"""Goodreads in the UCSD layout: usual lines, odd lines, broken lines."""

from __future__ import annotations

import gzip
import io
import json
import random
import tracemalloc
import zipfile

import numpy as np
import pytest

from cbai.datasets import goodreads_files
from cbai.datasets.goodreads_files import BOOKS, INTERACTIONS, read_goodreads

DATE = "Fri Apr 19 08:15:15 -0700 2013"


def line(user, book, rating, text="", **more):
    """Return one line as UCSD writes it."""
    record = {
        "user_id": f"{user:032x}",
        "book_id": str(book),
        "review_id": f"{user ^ book:032x}",
        "is_read": rating > 0,
        "rating": rating,
        "review_text_incomplete": text,
        "date_added": DATE,
        "date_updated": DATE,
        "read_at": "",
        "started_at": "",
    }
    return json.dumps(record | more)


def packed(lines):
    return gzip.compress("\n".join([*lines, ""]).encode(), mtime=0)


def triples(ratings):
    return ratings.frame.astype(int).to_numpy().tolist()


LINES = [line(9, 40, 5), line(2, 41, 3), line(9, 41, 0), line(2, 40, 1)]
TITLES = [
    json.dumps({"book_id": "40", "title": "Odes (Poets, #2)", "title_without_series": "Odes"}),
    json.dumps({"title": "Élégies", "book_id": "41", "description": 'a "rating": 3'}),
    "{broken",
    json.dumps({"book_id": "42"}),
]


# ---------------------------------------------------------------- what is read


def test_counts_agree_with_the_json_parser():
    rng = random.Random(5)
    texts = ["", "", 'He said "rating": 3, "book_id": "7"', "\\", '\\"', "é – 詩", "}\n{"]
    lines = [
        line(rng.getrandbits(128), rng.randrange(50), rng.randrange(6), rng.choice(texts))
        for _ in range(3000)
    ]
    records = [json.loads(text) for text in lines]
    rated = [record for record in records if record["rating"]]
    ratings = read_goodreads(packed(lines))
    users = sorted({record["user_id"] for record in rated})
    want = [[users.index(r["user_id"]), int(r["book_id"]), r["rating"]] for r in rated]
    assert triples(ratings) == want
    assert ratings.dropped == ((goodreads_files.NOT_RATED, len(records) - len(rated)),)
    assert ratings.scale == (1.0, 2.0, 3.0, 4.0, 5.0)


def test_usual_lines_never_reach_the_json_parser(monkeypatch):
    monkeypatch.setattr(goodreads_files, "_parse", None)
    assert len(read_goodreads(packed(LINES)).frame) == 3


def test_odd_lines_are_read_all_the_same():
    record = json.loads(LINES[0])
    odd = [
        json.dumps(dict(reversed(record.items()))),
        json.dumps(record | {"book_id": 43}, separators=(",", ":")),
        json.dumps(record | {"user_id": "a reader", "book_id": "44"}, indent=None),
        line(9, 45, 4) + "   ",
        line(9, 46, 2) + "\r",
    ]
    ratings = read_goodreads(packed(odd))
    assert triples(ratings) == [[0, 40, 5], [0, 43, 5], [1, 44, 5], [0, 45, 4], [0, 46, 2]]
    assert ratings.dropped == ()


def test_broken_lines_are_counted():
    broken = [
        LINES[0][:60],
        LINES[0][:-30],
        "not json",
        "[1, 2]",
        "7",
        "[" * 50_000,
        '{"user_id": "x", "book_id": "1"}',
        '{"user_id": 7, "book_id": "1", "rating": 3}',
        '{"user_id": "x", "book_id": "one", "rating": 3}',
        '{"user_id": "x", "book_id": "99999999999", "rating": 3}',
        '{"user_id": "x", "book_id": "1", "rating": "3"}',
        '{"user_id": "x", "book_id": "1", "rating": true}',
        '{"user_id": "x", "book_id": null, "rating": 3}',
    ]
    ratings = read_goodreads(packed([*LINES, *broken, line(9, 40, 6), line(9, 40, -1)]))
    assert triples(ratings) == [[1, 40, 5], [0, 41, 3], [0, 40, 1]]
    assert dict(ratings.dropped) == {
        goodreads_files.NOT_RATED: 1,
        goodreads_files.BROKEN: len(broken),
        goodreads_files.OFF_SCALE: 2,
    }


def test_of_two_ratings_the_last_line_counts():
    ratings = read_goodreads(packed([*LINES, line(9, 40, 2)]))
    assert sorted(triples(ratings)) == [[0, 40, 1], [0, 41, 3], [1, 40, 2]]
    assert dict(ratings.dropped)[goodreads_files.REPEATED] == 1


# ---------------------------------------------------------------- where it is read from


def check_titles(ratings):
    assert ratings.items["item"].tolist() == [40, 41]
    assert ratings.items["title"].tolist() == ["Odes", "Élégies"]
    assert ratings.items["genres"].tolist() == [(), ()]


def test_a_folder_a_zip_file_or_two_files(tmp_path):
    (tmp_path / INTERACTIONS).write_bytes(packed(LINES))
    (tmp_path / BOOKS).write_bytes(packed(TITLES))
    check_titles(read_goodreads(tmp_path))
    check_titles(read_goodreads(tmp_path / INTERACTIONS, tmp_path / BOOKS))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(INTERACTIONS, packed(LINES))
        archive.writestr(BOOKS, packed(TITLES))
    check_titles(read_goodreads(buffer))
    plain = io.BytesIO("\n".join(LINES).encode())
    plain.name = "interactions.json"
    ratings = read_goodreads(plain)
    assert ratings.items["title"].tolist() == ["Book 40", "Book 41"]
    assert ratings.source.endswith("read from interactions.json")


@pytest.mark.parametrize(
    ("source", "books", "words"),
    [
        (packed(TITLES), None, r"at least one rating of 1 to 5, got none: 4 × a line that is no"),
        (packed([line(1, 2, 0)] * 3), None, r"got none: 3 × on a shelf but not rated"),
        (packed(["", ""]), None, r"got none: 2 × a line that is no rating"),
        (packed(LINES)[:-12], None, r"cut short or damaged"),
        (b"", None, r"hold data, got an empty file"),
        (packed(LINES), packed(LINES), r"books with book_id and title, got none"),
        (packed(LINES), packed(TITLES)[:40], r"cut short or damaged"),
    ],
    ids=["books", "unrated", "blank", "cut", "empty", "no titles", "titles cut"],
)
def test_files_of_no_use_are_refused(source, books, words):
    with pytest.raises(ValueError, match=words):
        read_goodreads(source, books)


def test_a_folder_without_the_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=rf"must hold {INTERACTIONS}, got no files"):
        read_goodreads(tmp_path)


def test_lines_pass_one_at_a_time():
    """Memory for a rating is a few numbers, a tenth of its line."""
    rng = np.random.default_rng(1)
    lines = [line(int(u), int(b), 4) for u, b in rng.integers(1, 300, (30_000, 2))]
    data = packed(lines)
    size = sum(map(len, lines))
    del lines
    tracemalloc.start()
    read_goodreads(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 3
