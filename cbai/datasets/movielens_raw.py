"""Read the raw MovieLens 1M files."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Ratings:
    """The raw file in memory.

    Attributes
    ----------
    movies : dict of int to list of str
        The genres of each movie, by its id, in the order of the file.
    ratings : DataFrame
        One row a rating; columns ``user``, ``movie`` (ids) and ``stars`` (1 to 5).
    digests : dict of str to str
        SHA-256 of the two files read.
    """

    movies: dict[int, list[str]]
    ratings: pd.DataFrame
    digests: dict[str, str]


def read(path: Path) -> Ratings:
    """Read a zip file or folder in the MovieLens 1M layout.

    Raises
    ------
    ValueError
        If a file is missing, a rating is not 1 to 5 stars, or a rated movie is not listed.
    """
    movie_bytes, rating_bytes = (_content(path, name) for name in ("movies.dat", "ratings.dat"))
    movies = {}
    for line in movie_bytes.decode("latin-1").splitlines():
        movies[int(line.split("::")[0])] = line.rsplit("::", 1)[1].split("|")
    ratings = pd.read_csv(
        io.BytesIO(rating_bytes), sep=":", header=None, usecols=[0, 2, 4], dtype=np.int64
    ).set_axis(["user", "movie", "stars"], axis=1)
    wrong = ratings.loc[~ratings["stars"].between(1, 5), "stars"]
    if len(wrong):
        raise ValueError(f"ratings.dat must hold ratings from 1 to 5, got {wrong.iloc[0]}.")
    unlisted = ratings.loc[~ratings["movie"].isin(movies), "movie"]
    if len(unlisted):
        raise ValueError(f"movies.dat must list every rated movie, got no {unlisted.iloc[0]}.")
    digests = {
        "movies.dat": hashlib.sha256(movie_bytes).hexdigest(),
        "ratings.dat": hashlib.sha256(rating_bytes).hexdigest(),
    }
    return Ratings(movies, ratings, digests)


def _content(path: Path, name: str) -> bytes:
    if path.is_dir():
        for folder in (path, path / "ml-1m"):
            if (folder / name).is_file():
                return (folder / name).read_bytes()
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                if member.rsplit("/", 1)[-1] == name:
                    return archive.read(member)
    raise ValueError(f"FILE must be a zip file or folder with {name}, got {path.name!r}.")
