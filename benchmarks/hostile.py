"""Files made to do harm, for a soak: small to send, and long or large to read."""

from __future__ import annotations

import gzip
import io
import zipfile
from functools import cache

Link = dict[str, str]
TABLE: Link = {}
GOODREADS = {"source": "Goodreads"}
MOVIELENS = {"source": "MovieLens", "release": "A file of yours, in the layout of any release"}
UPLOADS = {"table": "own_table", "movielens": "movielens file", "goodreads": "goodreads files"}


@cache
def files() -> tuple[tuple[Link, str, str, bytes], ...]:
    """Return the link of the page, the key of the place for the file, its name and its bytes."""
    people = "".join(
        f'{{"user_id":"{i:x}","book_id":{i % 50},"rating":4}}\n' for i in range(600_000)
    )
    ids = "".join(f"{i},{i % 7},{1 + i % 5}\n" for i in range(900_000))
    rows = "".join(f"{i % 97},{1 + i % 2},4\n" for i in range(100_000)).encode()
    return (
        (MOVIELENS, UPLOADS["movielens"], "rows.zip", _zipped([rows] * 600)),
        (MOVIELENS, UPLOADS["movielens"], "twenty.zip", _zipped([rows] * 19)),
        (MOVIELENS, UPLOADS["movielens"], "empty.zip", _zipped([b"\n" * 20_000_000])),
        (TABLE, UPLOADS["table"], "empty.csv", b"a,b,c\n" + b"\n" * 19_000_000),
        (TABLE, UPLOADS["table"], "ids.csv", f"who,what,rating\n{ids}".encode()[:19_900_000]),
        (TABLE, UPLOADS["table"], "quote.csv", b'a,b,c\n"' + b"1,2,3\n" * 2_000_000),
        (TABLE, UPLOADS["table"], "field.csv", b"a,b,c\n1,2," + b"9" * 10_000_000),
        (GOODREADS, UPLOADS["goodreads"], "people.json.gz", gzip.compress(people.encode(), 1)),
        (GOODREADS, UPLOADS["goodreads"], "lines.json", b"{\n" * 10_000_000),
        (GOODREADS, UPLOADS["goodreads"], "parts.json.gz", gzip.compress(b"") * 1_000_000),
    )


def _zipped(blocks: list[bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("movies.csv", "movieId,title,genres\n1,A,War\n2,B,Drama\n")
        with archive.open("ratings.csv", "w") as member:
            member.write(b"userId,movieId,rating\n")
            for block in blocks:
                member.write(block)
    return buffer.getvalue()
