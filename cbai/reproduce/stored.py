"""The stored run: what ``python -m cbai reproduce`` found, as CSV files in ``data/paper``."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from cbai.datasets.files import DATA

FOLDER = DATA / "paper"
ASSIGNMENTS = "assignments"
"""Tables 3 and 4 again, for other draws of one genre for each film."""
MASKS = "masks"
"""Table 4 again, for one draw of the unknown pseudo-rewards at a time."""

TEXTS = (
    *("experiment", "dataset", "options", "algorithm", "label"),
    *("best", "printed_in", "explanation"),
)
COUNTS = ("genre_seed", "mask", "trials", "seed", "max_samples", "errors", "budget")
"""The columns of words and of whole numbers; all others are real numbers, empty if unknown."""


def to_csv(frame: pd.DataFrame) -> bytes:
    """Return a table of results as CSV, every number in full."""
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text.encode()


def read_csv(path: Path) -> pd.DataFrame:
    """Return a table of results as it was before it was written."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    for name in frame.columns.difference(list(TEXTS)):
        kind = int if name in COUNTS else float
        frame[name] = [kind(cell or "nan") for cell in frame[name]]
    return frame


def stored(name: str, folder: Path = FOLDER) -> pd.DataFrame:
    """Return one table of the stored run.

    Parameters
    ----------
    name : str
        A key of `cbai.reproduce.EXPERIMENTS`, `ASSIGNMENTS` or `MASKS`.
    folder : Path
        Where the files are.

    Raises
    ------
    ValueError
        If it has not been made yet.
    """
    path = folder / f"{name}.csv"
    if not path.is_file():
        raise ValueError(f"{path.name} must be in {folder}: run `python -m cbai reproduce --csv`.")
    return read_csv(path)
