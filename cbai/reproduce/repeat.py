"""``python -m cbai run``: repeat a run from a file and compare the results."""

from __future__ import annotations

import argparse
from pathlib import Path

import cbai
from cbai import files
from cbai.figures.base.style import count
from cbai.reproduce.progress import Progress
from cbai.results.digest import differences, give
from cbai.results.export import parquet, safe_csv
from cbai.results.run_file import LARGEST_FILE, RunFile, from_json, repeat
from cbai.simulation import Trials, find

WRITERS = {".csv": safe_csv, ".parquet": parquet}
SHORT = 12
SAME, DIFFERENT = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("file", type=Path, help="a run as JSON, downloaded from the page Samples")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="RESULT",
        help="write all runs as a table to this file, which must end in .csv or .parquet",
    )


def main(options: argparse.Namespace) -> int:
    """Repeat the run of a file and say whether the results are the same.

    Returns
    -------
    int
        0 if they are, or if the file contains no results; 1 if not.

    Raises
    ------
    ValueError
        If the file is not a run or the result can't be written; the message is one sentence.
    """
    run = read(options.file)
    if options.out is not None:
        _check_out(options.out)
    progress = Progress()
    print(_settings(run), flush=True)
    try:
        trials = repeat(run, progress=lambda done, total: progress("Playing", done, total))
    finally:
        progress.end("")
    for given in give(trials):
        print(
            f"{find(given.algorithm).title}: {given.mean_samples:,.1f} samples on average, "
            f"{given.wrong:,} of {given.trials:,} wrong, {given.without_answer:,} without an answer"
        )
    if options.out is not None:
        _write(options.out, trials)
    said = verdict(run, trials)
    print("\n".join(said))
    return DIFFERENT if len(said) > 1 else SAME


def read(path: Path) -> RunFile:
    """Return the run of a file.

    Raises
    ------
    ValueError
        If the file can't be read or is not a run.
    """
    try:
        if path.stat().st_size > 4 * LARGEST_FILE:
            raise ValueError(
                f"{path} must have at most {4 * LARGEST_FILE:,} bytes, got {path.stat().st_size:,}."
            )
        source = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"{path} must be a file to read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be a run as JSON, got bytes that are not text.") from None
    return from_json(source)


def verdict(run: RunFile, trials: Trials) -> list[str]:
    """Say whether the results are those of the file: one line if so, several if not."""
    if not run.given:
        return ["The file contains no results, so there is nothing to compare."]
    found = differences(run.given, give(trials))
    here = trials.problem.fingerprint
    if run.fingerprint and run.fingerprint != here:
        found.insert(
            0,
            f"the problem: fingerprint {run.fingerprint[:SHORT]} then, {here[:SHORT]} now",
        )
    if not found:
        return ["The same, sample by sample."]
    if run.version != cbai.__version__:
        found.append(f"the library: {run.version or 'unknown'} then, {cbai.__version__} now")
    return ["Not the same as when the file was written:", *(f"- {line}" for line in found)]


def _settings(run: RunFile) -> str:
    names = ", ".join(find(name).title for name in run.algorithms)
    options = "".join(f", {name} {value}" for name, value in run.options.items())
    about = f"{run.dataset}{options}" if run.dataset else f"{run.problem.n_arms} arms of the file"
    chosen = run.settings
    settings = [f"{name} {chosen[name]:g}" for name in ("delta", "p", "q", "epsilon")]
    settings += [f"the best {chosen['top']}"] if chosen["top"] > 1 else []
    settings += [
        f"{chosen['trials']:,} runs from {chosen['first_trial']:,} on",
        f"seed {chosen['seed']}",
        f"at most {count(chosen['max_samples'])} samples a run",
    ]
    return f"{about}: {names}; {', '.join(settings)}"


def _check_out(path: Path) -> None:
    if path.suffix.lower() not in WRITERS:
        raise ValueError(f"--out must end in {' or '.join(WRITERS)}, got {path}.")
    if not path.parent.is_dir():
        raise ValueError(f"--out must be in an existing folder, got {path}.")
    files.check_file("--out", path)


def _write(path: Path, trials: Trials) -> None:
    try:
        files.write(path, WRITERS[path.suffix.lower()](trials.to_frame()))
    except OSError as error:
        raise ValueError(
            f"--out must be a file to write, got {path}: {files.reason(error)}."
        ) from None
    print(path)
