"""The MovieLens layouts: counts checked against one-line readings of the same files."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cbai.datasets.files import DATA
from cbai.datasets.genre_assignment import STANDARD_GENRES, assign_genres, genre_survey
from cbai.datasets.movielens_files import HALF_STARS, WHOLE_STARS, read_movielens
from cbai.datasets.stream import FileError

SMALL = DATA / "movielens-small"
SHARED = Path(__file__).parents[2] / "shared" / "data"

MOVIES_1M = "1::Amélie: a::b (2001)::Drama|Comedy\n3::Éva (1999)::Drama\n7::X::War\n"
RATINGS_1M = "1::1::5::97\n1::3::3::97\n2::3::4::97\n"
GENRES_100K = "unknown|0\nDrama|1\nWar|2\n\n"
ITEMS_100K = "1|Amélie|01-Jan-1995||http://x|0|1|1\n2|Y||||1|0|0\n3|Z||||0|0|0\n"
RATINGS_100K = "5\t1\t4\t88\n5\t2\t1\t88\n9\t3\t5\t88\n"
MOVIES_CSV = (
    "movieId,title,genres\n"
    '1,"Amélie, or (2001)",Comedy|IMAX\n2,"The ""B""",(no genres listed)\n9,C,War|Drama\n'
)
RATINGS_CSV = "userId,movieId,rating,timestamp\n1,1,0.5,9\n1,9,4.5,9\n4,2,5.0,9\n4,9,3.5,9\n"
LAYOUTS = {
    "1m": {"movies.dat": MOVIES_1M, "ratings.dat": RATINGS_1M},
    "100k": {"u.genre": GENRES_100K, "u.item": ITEMS_100K, "u.data": RATINGS_100K},
    "csv": {"movies.csv": MOVIES_CSV, "ratings.csv": RATINGS_CSV},
}


def packed(layout, **changes):
    """Return a zip file of a small world, with some text of it replaced."""
    encoding = "utf-8" if layout == "csv" else "latin-1"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in LAYOUTS[layout].items():
            archive.writestr(f"ml/{name}", changes.get(name, text).encode(encoding))
    return buffer.getvalue()


def shared(name):
    if not (SHARED / name).exists():
        pytest.skip(f"the raw files ../shared/data/{name} are not here")
    return SHARED / name


# ---------------------------------------------------------------- real files


def check_conserved(ratings, users, movies, stars):
    """Compare with plain columns of the same file, row by row."""
    np.testing.assert_array_equal(ratings.frame["user"], users)
    np.testing.assert_array_equal(ratings.frame["item"], movies)
    np.testing.assert_array_equal(ratings.frame["rating"], stars)
    assert ratings.n_users == len(set(users))
    assert ratings.dropped == ()
    assert ratings.frame["rating"].isin(ratings.scale).all()


def test_the_small_release_that_ships():
    ratings = read_movielens(SMALL)
    lines = (SMALL / "ratings.csv").read_text(encoding="utf-8").splitlines()[1:]
    check_conserved(ratings, *np.array([line.split(",")[:3] for line in lines], float).T)
    assert len(ratings.frame) == 100836
    assert ratings.n_users == 610
    assert ratings.scale == HALF_STARS
    movies = pd.read_csv(SMALL / "movies.csv")
    assert ratings.items["title"].tolist() == movies["title"].tolist()
    none = movies["genres"] == "(no genres listed)"
    assert none.sum() == 34
    assert [len(listed) == 0 for listed in ratings.items["genres"]] == none.tolist()
    rest = movies.loc[~none, "genres"].str.split("|").map(tuple)
    assert ratings.items.loc[~none, "genres"].tolist() == rest.tolist()
    assert "small" in ratings.source


def test_movielens_100k():
    ratings = read_movielens(shared("ml-100k"))
    table = np.loadtxt(SHARED / "ml-100k" / "u.data", int)
    check_conserved(ratings, *table[:, :3].T)
    assert len(table) == 100_000
    assert ratings.scale == WHOLE_STARS
    lines = (SHARED / "ml-100k" / "u.item").read_text(encoding="latin-1").splitlines()
    flags = np.array([line.split("|")[5:] for line in lines], int)
    listed = ratings.items["genres"]
    assert listed.map(len).sum() == flags[:, 1:].sum()
    assert sum("Western" in genres for genres in listed) == flags[:, 18].sum() == 27
    assert (listed.map(len) == 0).sum() == flags[:, 0].sum() == 2


def test_movielens_1m():
    path = shared("ml-1m-users-1-2999.zip")
    ratings = read_movielens(path)
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("ml-1m/ratings.dat").decode("latin-1").splitlines()
        movies = archive.read("ml-1m/movies.dat").decode("latin-1").splitlines()
    check_conserved(ratings, *np.array([line.split("::")[:3] for line in lines], int).T)
    titles = [line.split("::")[1] for line in movies]
    assert ratings.items["title"].tolist() == titles
    assert any("é" in title for title in titles)


# ---------------------------------------------------------------- small worlds


def test_every_layout_is_recognised():
    found = {layout: read_movielens(packed(layout)) for layout in LAYOUTS}
    titles = {layout: ratings.items["title"].tolist() for layout, ratings in found.items()}
    assert titles["1m"] == ["Amélie: a::b (2001)", "Éva (1999)", "X"]
    assert titles["100k"] == ["Amélie", "Y", "Z"]
    assert titles["csv"] == ["Amélie, or (2001)", 'The "B"', "C"]
    genres = {layout: ratings.items["genres"].tolist() for layout, ratings in found.items()}
    assert genres["1m"] == [("Drama", "Comedy"), ("Drama",), ("War",)]
    assert genres["100k"] == [("Drama", "War"), (), ()]
    assert genres["csv"] == [("Comedy", "IMAX"), (), ("War", "Drama")]
    assert [len(ratings.frame) for ratings in found.values()] == [3, 3, 4]
    assert found["csv"].frame["rating"].tolist() == [0.5, 4.5, 5.0, 3.5]


def test_an_uploaded_file_will_do():
    upload = io.BytesIO(packed("csv"))
    upload.name = "ml-25m.zip"
    assert read_movielens(upload).source.endswith("read from ml-25m.zip")
    assert len(read_movielens(upload).frame) == 4


@pytest.mark.parametrize("text", ["\ufeff" + MOVIES_CSV, MOVIES_CSV.replace("\n", "\r\n")])
def test_marks_and_line_ends_of_other_systems(text):
    ratings = read_movielens(
        packed("csv", **{"movies.csv": text, "ratings.csv": RATINGS_CSV.replace("\n", "\r\n")})
    )
    assert ratings.items["genres"].tolist()[0] == ("Comedy", "IMAX")
    assert len(ratings.frame) == 4


def test_of_two_ratings_the_last_line_counts():
    ratings = read_movielens(packed("1m", **{"ratings.dat": RATINGS_1M + "1::1::2::9\n"}))
    rows = ratings.frame.astype(int).to_numpy().tolist()
    assert sorted(rows) == [[1, 1, 2], [1, 3, 3], [2, 3, 4]]
    assert ratings.dropped == (("an earlier rating of the same movie by the same user", 1),)


@pytest.mark.parametrize(
    ("layout", "name", "old", "new", "words"),
    [
        ("1m", "ratings.dat", "::5::", "::6::", r"ratings from 1 to 5, got 6\."),
        ("1m", "ratings.dat", "::5::", "::3.5::", r"ratings from 1 to 5, got 3\.5"),
        ("1m", "ratings.dat", "::5::", "::x::", r"numbers on every line, .* after line 0: .*x"),
        ("1m", "ratings.dat", "1::1::5::97", "1::1", r"got nan|numbers on every line"),
        ("1m", "ratings.dat", "2::3", "9999999999::3", r"numbers on every line"),
        ("1m", "ratings.dat", "2::3", "-2::3", r"ids of at least 0, got -2"),
        ("1m", "ratings.dat", "2::3", "2::999", r"every rated movie, got no 999"),
        ("1m", "movies.dat", "7::X::War", "7,X,War", r"id::title::genres, got '7,X,War' in line 3"),
        ("1m", "movies.dat", "7::X", "3::X", r"every item once, got 3 twice"),
        ("1m", "movies.dat", MOVIES_1M, "\n", r"id::title::genres, got '' in line 1"),
        ("100k", "u.item", "1|0|0", "1|0", r"5 fields and 3 flags 0 or 1, got '2\|Y"),
        ("100k", "u.item", "1|0|0", "1|0|2", r"flags 0 or 1, got '2\|Y"),
        ("100k", "u.data", "\t", ",", r"numbers on every line|columns expected"),
        ("csv", "ratings.csv", "0.5", "0.7", r"from 0\.5 to 5 in steps of 0\.5, got 0\.7"),
        ("csv", "ratings.csv", "0.5", "0.0", r"in steps of 0\.5, got 0\."),
        ("csv", "ratings.csv", "0.5", "", r"in steps of 0\.5, got nan"),
        ("csv", "ratings.csv", "rating,", "stars,", r"numbers on every line, .*rating"),
        ("csv", "ratings.csv", "1,1,", "one,1,", r"numbers on every line, .*one"),
        ("csv", "ratings.csv", RATINGS_CSV, RATINGS_CSV[:32], r"at least one rating, got none"),
        ("csv", "movies.csv", "movieId", "id", r"movieId,title,genres, got 'id,title,genres'"),
        ("csv", "movies.csv", "9,C,", "9,C,D,", r"three fields, got '9,C,D,War\|Drama' in line 4"),
        ("csv", "movies.csv", "9,C", "IX,C", r"at most 9 digits first, got 'IX' in line 4"),
        ("csv", "movies.csv", MOVIES_CSV, MOVIES_CSV[:21], r"at least one item, got none"),
    ],
)
def test_bad_lines_are_quoted(layout, name, old, new, words):
    text = LAYOUTS[layout][name]
    assert old in text
    with pytest.raises(ValueError, match=words) as error:
        read_movielens(packed(layout, **{name: text.replace(old, new)}))
    assert "must" in str(error.value)


def test_unknown_layouts_and_damaged_members_are_named():
    with pytest.raises(ValueError, match=r"movies\.dat.*u\.item.*movies\.csv.*got 'the file'"):
        read_movielens(b"nothing of the kind")
    data = bytearray(packed("csv", **{"ratings.csv": RATINGS_CSV * 50}))
    data[data.index(b"ratings.csv") + 40] ^= 0xFF
    with pytest.raises(ValueError, match=r"^ratings\.csv in the file must be a whole file"):
        read_movielens(bytes(data))
    bomb = RATINGS_CSV + "4,9,3.5,9\n" * 500_000
    with pytest.raises(ValueError, match=r"^ratings\.csv in the file must unpack to at most 200"):
        read_movielens(packed("csv", **{"ratings.csv": bomb}))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_random_damage_is_noticed_or_harmless(layout):
    rng, whole = random.Random(6), packed(layout)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 3])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            frame = read_movielens(bytes(data)).frame
        except FileError:
            continue
        pd.testing.assert_frame_equal(frame, read_movielens(whole).frame)


# ---------------------------------------------------------------- genres as arms


def test_survey_follows_the_assignment_row_by_row():
    ratings = read_movielens(SMALL)
    survey = genre_survey(ratings, seed=3)
    assert set(survey.arms) <= STANDARD_GENRES
    assert len(survey.arms) == 18
    movies = pd.read_csv(SMALL / "movies.csv", index_col="movieId")["genres"].str.split("|")
    own = {m: [g for g in listed if g in survey.arms] for m, listed in movies.items()}
    genre_of = assign_genres({m: listed for m, listed in own.items() if listed}, seed=3)
    rows = [row for row in ratings.frame.itertuples() if row.item in genre_of]
    assert survey.person.size == len(rows) < len(ratings.frame)
    assert [survey.arms[k] for k in survey.arm] == [genre_of[row.item] for row in rows]
    assert survey.values[survey.value].tolist() == [row.rating for row in rows]
    users = sorted({row.user for row in rows})
    assert [users[i] for i in survey.person] == [row.user for row in rows]


def test_other_genres_and_movies_in_none():
    ratings = read_movielens(packed("csv"))
    survey = genre_survey(ratings, seed=0)
    assert survey.arms == ["Comedy", "Drama", "War"]
    assert survey.person.tolist() == [0, 0, 1]
    assert genre_survey(ratings, 0, ["War", "IMAX"]).arms == ["IMAX", "War"]
    assert genre_survey(ratings, 0, ["War", "IMAX"]).arm.tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match=r"one of Comedy, Drama, IMAX, War; got 'Opera'"):
        genre_survey(ratings, 0, ["War", "Opera"])
    with pytest.raises(ValueError, match=r"at least two genres to compare, got 1"):
        genre_survey(ratings, 0, ["War"])
    with pytest.raises(ValueError, match="seed must be a whole number"):
        genre_survey(ratings, -1)
