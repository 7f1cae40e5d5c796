"""Comparisons as tables, for other programs; no Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from cbai.ui.compare.sentences import Pair, Side


def every_run(sides: Sequence[Side], what: Mapping[str, str]) -> pd.DataFrame:
    """Return one row per setup, algorithm and run, with parameters but without pulls per arm.

    Parameters
    ----------
    sides : sequence of Side
    what : mapping of str to str
        Describes how each setup differs from the others, by its letter.
    """
    frames = []
    for side in sides:
        frame = side.trials.to_frame()
        frame = frame[[name for name in frame if not str(name).startswith("pulls: ")]]
        frame.insert(0, "setup", side.letter)
        frame.insert(1, "what_differs", what[side.letter])
        frame.insert(2, "data", side.setup.dataset.title)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def every_difference(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return one row per comparison; its numbers are missing if the comparison is not fair."""
    return pd.DataFrame([_row(pair) for pair in pairs])


def _row(pair: Pair) -> dict[str, object]:
    result = pair.result
    row: dict[str, object] = {
        "setup": pair.of.letter,
        "algorithm": pair.of.title,
        "reference": pair.to.letter,
        "reference_algorithm": pair.to.title,
        "runs": result.runs[0],
        "reference_runs": result.runs[1],
        "without_answer": result.ran_out[0],
        "reference_without_answer": result.ran_out[1],
        "shared": result.kind,
    }
    found, unpaired = result.difference, result.unpaired
    return row | {
        "difference": None if found is None else found.estimate,
        "low": None if found is None else found.low,
        "high": None if found is None else found.high,
        "ratio": None if found is None else found.ratio.estimate,
        "ratio_low": None if found is None else found.ratio.low,
        "ratio_high": None if found is None else found.ratio.high,
        "unpaired_low": None if unpaired is None else unpaired.low,
        "unpaired_high": None if unpaired is None else unpaired.high,
        "times_narrower": result.narrowing,
    }
