"""The stored run: the results of ``python -m cbai reproduce`` as CSV files in ``data/paper``."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from cbai.datasets.files import DATA

FOLDER = DATA / "paper"
ASSIGNMENTS = "assignments"
"""Tables 3 and 4 for other random draws of one genre for each film."""
MASKS = "masks"
"""Table 4 for one draw of the unknown pseudo-rewards at a time."""

TEXTS = (
    *("experiment", "dataset", "options", "algorithm", "label"),
    *("best", "printed_in", "explanation"),
)
COUNTS = ("genre_seed", "mask", "trials", "seed", "max_samples", "errors", "budget")
"""The columns of whole numbers. Other columns but `TEXTS` are real numbers or empty."""


def to_csv(frame: pd.DataFrame) -> bytes:
    """Return a table of results as CSV, with all digits of every number."""
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text.encode()


def read_csv(path: Path) -> pd.DataFrame:
    """Return a table of results exactly as it was before it was written."""
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
        The folder with the files.

    Raises
    ------
    ValueError
        If the file does not exist yet.
    """
    path = folder / f"{name}.csv"
    if not path.is_file():
        raise ValueError(f"{path.name} must be in {folder}: run `python -m cbai reproduce --csv`.")
    return read_csv(path)
