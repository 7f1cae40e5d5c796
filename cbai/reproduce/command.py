"""``python -m cbai reproduce``: the paper's tables and figures, computed again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from cbai import files
from cbai.checks import quoted
from cbai.reproduce.assignments import run_assignments
from cbai.reproduce.experiments import EXPERIMENTS, SEED, TRIALS
from cbai.reproduce.masks import masks_verdict, run_masks
from cbai.reproduce.progress import Progress
from cbai.reproduce.run import run
from cbai.reproduce.stored import ASSIGNMENTS, MASKS
from cbai.reproduce.verdict import verdict
from cbai.reproduce.write import write_csv, write_html, write_png

MOST_ASSIGNMENTS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--out", type=Path, default=Path("reproduced"), help="folder to write to (%(default)s)"
    )
    parser.add_argument(
        "--only",
        metavar="IDS",
        help=f"some of {', '.join([*EXPERIMENTS, MASKS, ASSIGNMENTS])}, separated by commas",
    )
    parser.add_argument("--trials", type=int, default=TRIALS, help="runs per number (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the random rewards (%(default)s)"
    )
    parser.add_argument("--csv", action="store_true", help="write only CSV files")
    parser.add_argument(
        "--ratings",
        type=Path,
        metavar="PATH",
        help="raw ratings of MovieLens 1M, to repeat Tables 3 and 4 for other genre assignments",
    )
    parser.add_argument(
        "--assignments",
        type=int,
        default=20,
        metavar="N",
        help="genre seeds 0 to N - 1 (%(default)s); needs --ratings",
    )


def wanted(only: str | None, ratings: Path | None) -> list[str]:
    """Return the ids asked for, in the order of the paper.

    Raises
    ------
    ValueError
        If an id is unknown, or the genre assignments are asked for without ratings.
    """
    allowed = [*EXPERIMENTS, MASKS, ASSIGNMENTS]
    if only is not None and not only.strip(" ,"):
        raise ValueError(f"--only must be among {', '.join(allowed)}, got nothing.")
    ids = [part.strip() for part in (only or "").split(",") if part.strip()]
    for name in ids:
        if name not in allowed:
            raise ValueError(f"--only must be among {', '.join(allowed)}, got {quoted(name)}.")
    if ASSIGNMENTS in ids and ratings is None:
        raise ValueError(f"--only {ASSIGNMENTS} needs --ratings, the raw ratings of MovieLens 1M.")
    if ids and ASSIGNMENTS not in ids and ratings is not None:
        raise ValueError(f"--ratings is used by {ASSIGNMENTS} only, but --only leaves it out.")
    chosen = ids or [name for name in allowed if name != ASSIGNMENTS or ratings is not None]
    return [name for name in allowed if name in chosen]


def main(options: argparse.Namespace) -> None:
    """Run the experiments asked for and write the results.

    Raises
    ------
    ValueError
        If an option is not valid; the message is one sentence.
    """
    ids = wanted(options.only, options.ratings)
    if not 1 <= options.assignments <= MOST_ASSIGNMENTS:
        raise ValueError(
            f"--assignments must be from 1 to {MOST_ASSIGNMENTS}, got {options.assignments}."
        )
    files.check_folder("--out", options.out)
    progress = Progress()
    frames: dict[str, pd.DataFrame] = {}
    for name in ids:
        if name == ASSIGNMENTS:
            frames[name] = run_assignments(
                options.ratings,
                options.assignments,
                options.trials,
                options.seed,
                progress=progress,
            )
        elif name == MASKS:
            frames[name] = run_masks(trials=options.trials, seed=options.seed, progress=progress)
            progress.end(f"Table 4, draw by draw. {masks_verdict(frames[name])}")
        else:
            frames[name] = run(name, options.trials, options.seed, progress=progress)
            progress.end(f"{EXPERIMENTS[name].name}. {verdict(frames[name])}")
    progress.end("")
    try:
        paths, skipped = _write(frames, options.out, csv_only=options.csv)
    except OSError as error:
        raise ValueError(
            f"--out must have room for the results, got {options.out}: {files.reason(error)}. The "
            "files already written are complete."
        ) from None
    for path in paths:
        print(path)
    if skipped:
        print(skipped, file=sys.stderr)


def _write(
    frames: dict[str, pd.DataFrame], folder: Path, *, csv_only: bool
) -> tuple[list[Path], str]:
    """Write all results; return the files, and the reason if pictures were skipped."""
    paths, skipped = write_csv(frames, folder), ""
    if not csv_only:
        paths.append(write_html(frames, folder))
        pictures, skipped = write_png(frames, folder)
        paths += pictures
    return paths, skipped
