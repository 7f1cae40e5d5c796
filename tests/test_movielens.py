"""The MovieLens tables: counts conserved, rebuilt byte for byte, built as plain Python would."""

from __future__ import annotations

import json
import os
import random
import zipfile
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cbai import philox
from cbai.datasets import load_problem, movielens
from cbai.datasets.files import DATA
from cbai.datasets.genre_assignment import assign_genres
from cbai.datasets.movielens_files import read_movielens

RAW = Path(
    os.environ.get("CBAI_ML1M")
    or Path(__file__).parents[2] / "shared" / "data" / "ml-1m-users-1-2999.zip"
)


@pytest.fixture(scope="module")
def record():
    return json.loads((DATA / "movielens-1m" / "provenance.json").read_text(encoding="utf-8"))


def test_genre_counts_are_conserved(record):
    counts = pd.read_csv(DATA / "movielens-1m" / "test_counts.csv", index_col="genre")
    assert counts.to_numpy().sum() == record["test"]["ratings"]
    for total in ("ratings", "users"):
        assert record["train"][total] + record["test"][total] == record[total]
    assert record["train"]["ratings"] >= record["ratings"] / 2
    assert len(counts) == 18


def test_genres_match_their_record(record):
    problem = load_problem("movielens-1m")
    assert problem.arms[problem.best_arm] == record["best"]
    assert problem.arms[problem.second_arm] == record["second"]
    recorded = [record["mean_test_rating"][arm] for arm in problem.arms]
    np.testing.assert_allclose(problem.means, recorded, atol=1e-6)
    gaps = record["gaps_seen_from_seed_0"]
    assert len(gaps) == record["genre_seed"] + 1
    low, high = record["gap_wanted"]
    assert [low <= gap <= high for gap in gaps] == [False] * record["genre_seed"] + [True]


def test_movielens_is_rebuilt_byte_for_byte(tmp_path, record):
    if not RAW.exists():
        pytest.skip("the raw MovieLens 1M file is not here: set CBAI_ML1M to its path")
    if read_movielens(RAW).digests != record["sha256_of_raw_files"]:
        pytest.skip("CBAI_ML1M holds other ratings than the tables were built from")
    movielens.main([str(RAW), "--to", str(tmp_path)])
    for path in sorted((DATA / "movielens-1m").iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def synthetic_files(n_users=14, n_movies=30):
    """Return movies.dat and ratings.dat of a made-up world in the MovieLens layout."""
    rng = random.Random(4)
    genres = ["Drama", "Comedy", "Film-Noir", "War"]
    movies = [
        f"{3 * m + 1}::Amélie: part {m} (2001)::{'|'.join(rng.sample(genres, rng.randint(1, 3)))}"
        for m in range(n_movies)
    ]
    ratings = [
        f"{u}::{3 * m + 1}::{rng.randint(1, 5)}::{978300000 + m}"
        for u in range(1, n_users + 1)
        for m in rng.sample(range(n_movies), rng.choice([6, 6, 9, 20]))
    ]
    return "\n".join(movies) + "\n", "\n".join(ratings) + "\n"


def write_zip(path, movies, ratings):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-1m/README", "not read")
        archive.writestr("ml-1m/movies.dat", movies.encode("latin-1"))
        archive.writestr("ml-1m/ratings.dat", ratings.encode("latin-1"))
    return path


def slow_tables(movies, ratings, seed):
    """The whole build in plain Python: test counts, pseudo-rewards and their support."""
    genre_of = {}
    words = np.empty(4, np.uint64)
    for line in movies.splitlines():
        movie, _, listed = line.split("::")
        philox.block(int(movie), 0, 0, 2, seed, words)
        names = listed.split("|")
        genre_of[int(movie)] = names[int(words[0]) * len(names) // 2**32]
    by_user = defaultdict(list)
    for line in ratings.splitlines():
        user, movie, stars, _ = map(int, line.split("::"))
        by_user[user].append((genre_of[movie], stars))
    train, covered = [], 0
    for user in sorted(by_user, key=lambda u: (-len(by_user[u]), u)):
        if 2 * covered >= len(ratings.splitlines()):
            break
        train.append(user)
        covered += len(by_user[user])
    counts = defaultdict(int)
    for user in set(by_user) - set(train):
        for rating in by_user[user]:
            counts[rating] += 1
    genres = sorted(set(genre_of.values()))
    pseudo = {}
    for bounded, pulled, stars in product(genres, genres, range(1, 6)):
        givers = [user for user in train if (pulled, stars) in by_user[user]]
        seen = [[r for g, r in by_user[user] if g == bounded] for user in givers]
        flat = [r for own in seen for r in own]
        mean = sum(flat) / len(flat) if flat else 5.0
        pseudo[bounded, pulled, stars] = (round(mean, 6), len(flat), sum(map(bool, seen)))
    return counts, pseudo


@pytest.mark.parametrize("layout", ["zip", "folder", "inner folder"])
def test_build_agrees_with_plain_python(tmp_path, layout):
    movies, ratings = synthetic_files()
    source = tmp_path / "raw"
    if layout == "zip":
        write_zip(source, movies, ratings)
    else:
        inner = source if layout == "folder" else source / "ml-1m"
        inner.mkdir(parents=True)
        (inner / "movies.dat").write_bytes(movies.encode("latin-1"))
        (inner / "ratings.dat").write_bytes(ratings.encode("latin-1"))
    made = movielens.build(source, tmp_path / "out", gap=(0.0, 5.0))
    counts, pseudo = slow_tables(movies, ratings, made["genre_seed"])
    table = pd.read_csv(tmp_path / "out" / "test_counts.csv", index_col="genre")
    for genre, stars in product(table.index, range(1, 6)):
        assert table.loc[genre, f"ratings_{stars}"] == counts[genre, stars]
    rows = pd.read_csv(tmp_path / "out" / "pseudo_rewards.csv")
    assert len(rows) == 4 * 3 * 5
    for row in rows.itertuples(index=False):
        want = pseudo[row.genre_bounded, row.genre_pulled, row.rating]
        assert (row.ratings_behind, row.users_behind) == want[1:]
        assert row.pseudo_reward == pytest.approx(want[0], abs=1.1e-6)


def test_genres_are_drawn_uniformly():
    movies = {movie: ["a", "b", "c"] for movie in range(6000)}
    drawn = list(assign_genres(movies, seed=1).values())
    assert all(abs(drawn.count(name) - 2000) < 5 * np.sqrt(6000 * 2 / 9) for name in "abc")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("::3::97", "::6::97", r"from 1 to 5, got 6"),
        ("::4::97", "::0::97", r"from 1 to 5, got 0"),
        ("::978300000\n", "::978300000\n3::999::4::978300000\n", r"rated movie, got no 999"),
    ],
)
def test_bad_raw_files_are_named(tmp_path, old, new, message):
    movies, ratings = synthetic_files()
    assert old in ratings
    path = write_zip(tmp_path / "raw.zip", movies, ratings.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        read_movielens(path)


def test_missing_files_and_empty_genres_are_named(tmp_path):
    movies, ratings = synthetic_files()
    with pytest.raises(ValueError, match=r"'nowhere\.zip' must be a file or folder"):
        read_movielens(tmp_path / "nowhere.zip")
    path = write_zip(tmp_path / "raw.zip", movies + "9999::Unseen (1999)::Western\n", ratings)
    with pytest.raises(ValueError, match=r"test half, got none of 'Western'"):
        movielens.build(path, tmp_path / "out", gap=(0.0, 5.0))
    with pytest.raises(SystemExit):
        movielens.main([str(tmp_path / "nowhere.zip")])
