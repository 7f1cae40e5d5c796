"""The New Yorker's caption contest: which of thousands of captions is the funniest?"""

from __future__ import annotations

import io
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from cbai.checks import quoted
from cbai.datasets.dataset import Dataset, Noun
from cbai.datasets.files import DATA
from cbai.problem import Problem

FOLDER = DATA / "captions"
ANSWERS = ("unfunny", "somewhat_funny", "funny")
"""The columns of counts, from the worst answer to the best."""
REWARDS = np.array([0.0, 0.5, 1.0])
LONGEST_HEAD = 2000
CAPTION, RATING = Noun("caption", "captions"), Noun("rating", "ratings")
SOURCE = "https://github.com/nextml/caption-contest-data"


def read_captions(path: str | Path) -> pd.DataFrame:
    """Read a result table of the caption contest.

    Parameters
    ----------
    path : str or Path
        A CSV file, gzipped or not, with the columns ``caption``, ``unfunny``, ``somewhat_funny``
        and ``funny``. Each of the 199 tables in ``contests/summaries`` of the source has them.

    Returns
    -------
    DataFrame
        The four columns, one row a caption, in the order of the file. Line breaks within a caption
        become spaces. If a text is there several times, its counts are added. Captions that nobody
        rated are left out.

    Raises
    ------
    ValueError
        If the file is not such a table, or holds fewer than two captions with ratings.

    Notes
    -----
    Source: the contests gathered with the NEXT system, <https://github.com/nextml/caption-contest-data>
    (CC BY 4.0); Tanczos, Nowak and Mankoff, *A KL-LUCB Bandit Algorithm for Large-Scale
    Crowdsourcing* (NeurIPS 2017). Captions are by the public, and some are crude.

    Examples
    --------
    >>> from cbai.datasets.captions import FOLDER, read_captions
    >>> table = read_captions(FOLDER / "683.csv.gz")
    >>> len(table), int(table[["unfunny", "somewhat_funny", "funny"]].sum().sum())
    (5664, 1074563)
    """
    return _table_of(Path(path), Path(path).name)


def captions_in(data: bytes, name: str) -> pd.DataFrame:
    """Read a result table from its bytes, not gzipped, as `read_captions` does from a file."""
    return _table_of(io.BytesIO(data), name)


def is_captions(data: bytes) -> bool:
    """Return whether the first line of a CSV file names the columns of such a table."""
    names = data[:LONGEST_HEAD].partition(b"\n")[0].replace(b'"', b"").strip().split(b",")
    return {"caption", *ANSWERS} <= {name.decode("utf-8", "replace").strip() for name in names}


def _table_of(source: Path | io.BytesIO, name: str) -> pd.DataFrame:
    try:
        table = pd.read_csv(source, dtype={"caption": str}, keep_default_na=False)
    except (OSError, ValueError, EOFError) as error:
        raise ValueError(f"{quoted(name)} cannot be read as a CSV table: {error}.") from None
    missing = [column for column in ("caption", *ANSWERS) if column not in table]
    if missing:
        raise ValueError(
            f"{quoted(name)} must have the columns caption, {', '.join(ANSWERS)}; it has no "
            f"{', '.join(missing)}."
        )
    counts = table[list(ANSWERS)].apply(pd.to_numeric, errors="coerce")
    bad = ~((counts >= 0) & (counts % 1 == 0)).all(axis=1)
    if bad.any():
        raise ValueError(
            f"{quoted(name)} must count answers in whole numbers of at least 0; the caption "
            f"{quoted(table['caption'][bad].iloc[0])} has others."
        )
    texts = table["caption"].str.split().str.join(" ")
    summed = counts.astype(np.int64).groupby(texts, sort=False).sum()
    summed = summed[(summed.sum(axis=1) > 0) & (summed.index != "")]
    if len(summed) < 2:
        raise ValueError(f"{quoted(name)} must hold at least 2 captions with ratings.")
    read: pd.DataFrame = summed.rename_axis("caption").reset_index()
    return read


def captions_problem(table: pd.DataFrame, most: int = 0, *, texts: bool = True) -> Problem:
    """Return captions as arms, and their shares of answers as the distributions.

    Parameters
    ----------
    table : DataFrame
        As `read_captions` returns it.
    most : int
        How many captions to keep, those with the highest means; 0 for all.
    texts : bool
        Whether arms have the texts, in quotes, as names, or "Caption 1" and so on, in the order of
        the table.

    Returns
    -------
    Problem
        Rewards 0 (unfunny), ½ (somewhat funny) and 1 (funny). Nothing is known of one caption by
        another, so it has no pseudo-rewards.
    """
    counts = table[list(ANSWERS)].to_numpy(float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    names = [f"“{text}”" for text in table["caption"]]
    if not texts:
        names = [f"Caption {i + 1}" for i in range(len(table))]
    kept = np.arange(len(table))
    if most:
        kept = np.sort(np.argsort(-(shares @ REWARDS), kind="stable")[:most])
    return Problem([names[arm] for arm in kept], REWARDS, shares[kept])


@cache
def _table(contest: int) -> pd.DataFrame:
    return read_captions(FOLDER / f"{contest}.csv.gz")


def _build(contest: int, captions: str, texts: str) -> Problem:
    return captions_problem(_table(contest), int(captions), texts=texts == "shown")


def _dataset(contest: int, n_captions: int, n_ratings: int, remark: str) -> Dataset:
    return Dataset(
        id=f"captions-{contest}",
        title=f"Cartoon captions (contest {contest})",
        story=f"Which of {n_captions:,} captions for a cartoon do readers find funniest?",
        arm=CAPTION,
        sample=RATING,
        provenance=(
            f"Contest {contest} of The New Yorker: {n_captions:,} captions by readers, with "
            f"{n_ratings:,} ratings: unfunny (0), somewhat funny (½) or funny (1). {remark} Each "
            "caption's shares of answers are taken as the truth. There are no pseudo-rewards. "
            "Captions are by the public, and some are crude: *Texts* hides them. "
            f"Source: [caption contest data]({SOURCE})."
        ),
        licence="CC BY 4.0; caption contest data of the NEXT project.",
        build=partial(_build, contest),
        options={
            "captions": {"30": "the best 30", "100": "the best 100"},
            "texts": {"shown": "shown", "hidden": "hidden"},
        },
        valid_by_construction=True,
    )


CLEAR = _dataset(
    683, 5664, 1_074_563,
    "The best has a mean of 0.671, the next one 0.556.",
)  # fmt: skip
CLOSE = _dataset(
    640, 4931, 1_631_425, "Every caption has at least 271 ratings. The best two are hardly apart.",
)  # fmt: skip
