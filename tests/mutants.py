"""Plant a bug, see a test fail: ``python -m tests.mutants``, or ``make mutants``.

Each mutant is one change of one file, in a copy of the repository. The test file named with it must
fail there. A mutant that survives, or whose text is no longer in the file, makes the command fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = {".git", ".venv", "venv", "data", "dist", "build", "screenshots"}
LONGEST_SECONDS = 900
"""When a run is given up as hanging, on however busy a machine; one takes less than a minute."""
TESTS_FAILED = 1
"""The exit code of pytest if all could be collected, and some failed."""


class Mutant(NamedTuple):
    """One planted bug.

    Attributes
    ----------
    name : str
        What it is, in a few words.
    file : str
        The name of a file somewhere in `cbai`, without its folder.
    text, instead : str
        What stands there, once, and what is planted in its place.
    test : str
        The file in `tests` that must fail.
    only : str
        Which tests of it to run, as for the option -k; all if empty.
    """

    name: str
    file: str
    text: str
    instead: str
    test: str
    only: str = ""


MUTANTS = (
    Mutant(
        "with a fixed budget, the worse half is kept",
        "halving.py",
        "keys[i] = -ledger.scores[arms[i]]",
        "keys[i] = ledger.scores[arms[i]]",
        "test_budget.py",
        "large_budget",
    ),
    Mutant(
        "with a fixed budget, ties go to the lowest index",
        "halving.py",
        "in_order = np.sort(ledger.place[arms[:n_active]])",
        "ledger.place[:] = np.arange(ledger.place.size)\n"
        "    in_order = np.sort(ledger.place[arms[:n_active]])",
        "test_budget.py",
        "prefers",
    ),
    Mutant(
        "with a fixed budget, each group may spend all of it",
        "halving.py",
        "arm = _halve(size, game.budget // n, game, ledger)",
        "arm = _halve(size, game.budget, game, ledger)",
        "test_budget.py",
        "never_exceeded",
    ),
    Mutant(
        "the last round of C-Halving compares by pseudo-rewards too",
        "halving.py",
        "last = n_active == 2",
        "last = False",
        "test_budget.py",
        "twin",
    ),
    Mutant(
        "a loss interval without Bonferroni",
        "budget.py",
        "part = 1.0 - (1.0 - level) / max(steps.size, 1)",
        "part = 0.1",
        "test_budget_results.py",
        "covers",
    ),
    Mutant(
        "the first of several equal arms, in a tree",
        "many.py",
        "node += tops[row, node] < tops[row, node + 1]",
        "node += tops[row, node] <= tops[row, node + 1]",
        "test_many.py",
    ),
    Mutant(
        "a leader that is put back once another leads",
        "many.py",
        "            return held\n        note(held, rows, state)",
        "            return held",
        "test_many.py",
    ),
    Mutant(
        "how far an average can rise in some rounds",
        "follow_pairs.py",
        "max(lowest[MOST, arm, k] - now, 0.0)",
        "max(lowest[LEAST, arm, k] - now, 0.0)",
        "test_follow.py",
        "judged",
    ),
    Mutant(
        "arms judged for one round too few",
        "kernel.py",
        "left >= 0",
        "left >= -1",
        "test_follow.py",
        "looked_at_once",
    ),
    Mutant(
        "the constant of a confidence radius",
        "confidence.py",
        "scale=1.7,\n        inner=2.0,",
        "scale=1.6,\n        inner=2.0,",
        "test_confidence.py",
    ),
    Mutant(
        "a share of delta that is not divided by the arms",
        "rows.py",
        "\nHALF_PER_ARM = Share(2, per_arm=True)",
        "\nHALF_PER_ARM = Share(2)",
        "test_golden.py",
    ),
    Mutant(
        "a mask that hides what an arm says of itself",
        "pseudo_rewards.py",
        "free = np.flatnonzero(np.repeat(off_diagonal(n_arms), n_values))",
        "free = np.arange(n_arms * n_arms * n_values)",
        "test_philox.py",
    ),
    Mutant(
        "a tie that goes to the last arm",
        "rules.py",
        "if index[arm] > best:",
        "if index[arm] >= best:",
        "test_ties.py",
        "equal_arms",
    ),
    Mutant(
        "a buffer that raises beyond b",
        "pseudo_rewards.py",
        "np.minimum(pseudo_rewards + q, reward_max)",
        "pseudo_rewards + q",
        "test_ties.py",
        "buffer",
    ),
    Mutant(
        "runs kept without their seed in the key",
        "setup.py",
        "    seed: int\n    max_samples: int\n",
        "    seed: int = field(repr=False, compare=False)\n    max_samples: int\n",
        "test_cache.py",
        "another_setup",
    ),
    Mutant(
        "a warning that is never shown",
        "page.py",
        "if validity.verdict != VIOLATED or not relying:",
        "if True:",
        "test_pages.py",
        "violated_assumption_is_said_aloud",
    ),
    Mutant(
        "stored machine code that does not notice a change",
        "compiled.py",
        "whole.update(hashlib.sha256(path.read_bytes()).digest())",
        "pass",
        "test_compiled.py",
        "digest",
    ),
    Mutant(
        "an arm ruled out at the bar, not only below it",
        "rules.py",
        "if upper[arm] < bar and arm != leader:",
        "if upper[arm] <= bar and arm != leader:",
        "test_ties.py",
        "ruled_out or where_another",
    ),
    Mutant(
        "one round too few counted",
        "kernel.py",
        "clock[ROUND] += 1\n",
        "clock[ROUND] += 1 if clock[SAMPLES] > 0 else 0\n",
        "test_golden.py",
    ),
    Mutant(
        "an interval whose ends are each as sure as both should be",
        "summary.py",
        "tail = (1.0 - level) / 2.0",
        "tail = 1.0 - level",
        "test_results.py",
        "clopper_pearson",
    ),
    Mutant(
        "a link that forgets the buffer",
        "setup.py",
        "if value != usual.get(name)}",
        'if value != usual.get(name) and name != "q"}',
        "test_sentences.py",
        "link",
    ),
    Mutant(
        "a rule that no loop knows is played as another",
        "algorithms.py",
        "        if rule not in known:",
        "        if False:",
        "test_ties.py",
        "no_loop_knows",
    ),
)


def planted(mutant: Mutant, package: Path) -> tuple[Path, str]:
    """Return a file of a package, and its text with the bug in it.

    Raises
    ------
    LookupError
        If not just one file of the mutant's name holds the text to change, just once.
    """
    found = sorted(package.rglob(mutant.file))
    texts = {path: path.read_text("utf-8") for path in found}
    counts = {path: text.count(mutant.text) for path, text in texts.items()}
    if sum(counts.values()) != 1:
        raise LookupError(
            f"{mutant.file} ({len(found)} of this name) holds the text to change "
            f"{sum(counts.values())} times, not once: {mutant.text.strip()!r}. Change the mutant "
            "with the code."
        )
    path = next(path for path in found if counts[path])
    return path, texts[path].replace(mutant.text, mutant.instead)


def copy_repository(target: Path) -> None:
    """Copy all that the tests need; data is only linked."""

    def skipped(folder: str, names: list[str]) -> set[str]:
        top = Path(folder) == ROOT
        return {name for name in names if name == "__pycache__" or (top and name in LEFT_OUT)}

    shutil.copytree(ROOT, target, ignore=skipped)
    (target / "data").symlink_to(ROOT / "data", target_is_directory=True)


def verdict(mutant: Mutant, folder: Path) -> str:
    """Return how a mutant survived; empty if its test file found it.

    The copy always lies in the same place, so that machine code which no mutant touches is kept.
    """
    copy = folder / "cbai"
    shutil.rmtree(copy, ignore_errors=True)
    copy_repository(copy)
    try:
        path, text = planted(mutant, copy / "cbai")
    except LookupError as error:
        return str(error)
    path.write_text(text, "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, f"tests/{mutant.test}", *(["-k", mutant.only] if mutant.only else [])],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(folder / "numba")},
        timeout=LONGEST_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == TESTS_FAILED:
        return ""
    if run.returncode == 0:
        return f"{mutant.test} passes"
    return f"{mutant.test} could not be run:\n{run.stdout[-2000:]}{run.stderr[-2000:]}"


def main(asked: Sequence[str]) -> int:
    """Try all mutants, or those whose name or file holds a word asked for."""
    chosen = [
        one for one in MUTANTS if not asked or any(word in one.name + one.file for word in asked)
    ]
    survived = 0
    with tempfile.TemporaryDirectory(prefix="cbai-mutants-") as folder:
        for mutant in chosen:
            start = time.perf_counter()
            said = verdict(mutant, Path(folder))
            seconds = time.perf_counter() - start
            survived += bool(said)
            state = f"SURVIVES: {said}" if said else f"found by {mutant.test}"
            print(f"{mutant.file}: {mutant.name}: {state} ({seconds:.0f} s)", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} mutants found")
    return 1 if survived or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
