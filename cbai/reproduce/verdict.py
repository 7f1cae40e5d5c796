"""The answer in words for each table and figure, computed from its numbers."""

from __future__ import annotations

import pandas as pd

from cbai.datasets import DATASETS
from cbai.figures.base.style import THIN_SPACE, count, decimal, percent
from cbai.figures.base.words import Words, listed
from cbai.figures.paper.paper_lines import setting_text
from cbai.reproduce.experiments import BASELINE, EXPERIMENTS
from cbai.reproduce.explain import CLOSE, in_proportion, off_by
from cbai.results import clopper_pearson
from cbai.simulation import find


def verdict(frame: pd.DataFrame) -> str:
    """Say in a few sentences whether the results are as in the paper."""
    experiment = EXPERIMENTS[str(frame["experiment"].iloc[0])]
    if frame["budget"].any():
        return "Some runs had no answer within the budget, so there is no fair comparison."
    if experiment.id == "table1":
        return _two_truths(frame)
    if experiment.id == "table3":
        return _proportions(frame)
    if experiment.id == "table4":
        return _variants(frame)
    return _savings(frame)


def wrong_answers(frame: pd.DataFrame) -> str:
    """Say how often each algorithm named a wrong arm, or that none did."""
    words = _words(frame)
    total = int(frame["trials"].iloc[0])
    wrong = frame[frame["errors"] > 0]
    if wrong.empty:
        most = percent(clopper_pearson(0, total).high)
        return (
            f"No run named a wrong {words.arm}: 0 of {total} in each row, so the error rate of a "
            f"row is at most {most}."
        )
    worst = wrong.sort_values("errors", kind="stable").groupby("label", sort=False).tail(1)
    parts = [
        f"{row['label']} up to {row['errors']} of {total} "
        f"(95{THIN_SPACE}% interval {percent(row['error_low'])} to {percent(row['error_high'])})"
        for row in worst.to_dict("records")
    ]
    allowed = percent(float(wrong["delta"].max()))
    return (
        f"Some runs named a wrong {words.arm}: {listed(parts)}. If the bounds hold, δ allows "
        f"{allowed}."
    )


def spread_verdict(frame: pd.DataFrame) -> str:
    """Say where the paper's numbers are among those of many genre assignments.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.assignments.run_assignments`; one experiment only.
    """
    lucb = frame[frame["algorithm"] == BASELINE]
    above = int((lucb["mean"] > lucb["printed"]).sum())
    rows = frame[frame["algorithm"] != BASELINE].groupby("label", sort=False)
    low, high = rows["relative"].min(), rows["relative"].max()
    paper = rows["printed_relative"].first()
    within = (low <= paper) & (paper <= high)
    text = (
        f"LUCB takes more {_words(frame).samples} than in the paper in {above} of {len(lucb)} "
        "draws. Relative to LUCB, the paper's number is within the range of our draws in "
        f"{within.sum()} of {len(within)} rows."
    )
    return text if within.all() else f"{text} Outside: {listed(list(paper.index[~within]))}."


def spread_errors(frame: pd.DataFrame) -> str:
    """Say in which genre assignments an algorithm was often wrong; empty if there are none."""
    bad = frame[frame["error_low"] > frame["delta"]]
    parts = []
    for (seed, gap), rows in bad.groupby(["genre_seed", "gap"], sort=False):
        listing = listed([f"{row['label']} {row['errors']}" for row in rows.to_dict("records")])
        parts.append(f"seed {seed} (lead {gap:.3f}): {listing}")
    if not parts:
        return ""
    total, least = int(frame["trials"].iloc[0]), percent(float(bad["error_low"].min()))
    return (
        f"Some draws give far more wrong answers in {total} runs than δ allows: "
        f"{'; '.join(parts)}. The exact 95{THIN_SPACE}% intervals begin at {least} or higher. In "
        f"these draws the pseudo-rewards rule out the best {_words(frame).arm}."
    )


def _words(frame: pd.DataFrame) -> Words:
    return Words.of(DATASETS[str(frame["dataset"].iloc[0])])


def _two_truths(frame: pd.DataFrame) -> str:
    best = dict(zip(frame["options"], frame["best"], strict=True))
    first, second = best.values()
    more = frame.loc[frame["algorithm"] == "c_lucb", "relative"] - 1.0
    ends = dict.fromkeys(percent(float(end)) for end in (more.min(), more.max()))
    return (
        f"Yes: both truths satisfy every pseudo-reward, but {first} is best in (a) and {second} in "
        f"(b). Only sampling can tell which is true. C-LUCB needs {' to '.join(ends)} more "
        f"{_words(frame).samples} than LUCB, because neither arm rules out the other."
    )


def _proportions(frame: pd.DataFrame) -> str:
    rows = frame[frame["algorithm"] != BASELINE].to_dict("records")
    good = [row for row in rows if in_proportion(row)]
    worst = max((abs(off_by(row)) for row in good), default=CLOSE)
    text = (
        f"Relative to LUCB, {len(good)} of {len(rows)} rows are within {percent(worst)} of the "
        "paper"
    )
    if len(good) == len(rows):
        return f"{text}."
    others = listed([row["label"] for row in rows if not in_proportion(row)])
    return f"{text}. The others: {others}."


def _variants(frame: pd.DataFrame) -> str:
    rows = frame[frame["algorithm"] != BASELINE]
    spread = rows["mean"].max() / rows["mean"].min() - 1.0
    theirs = rows["printed"].max() / rows["printed"].min() - 1.0
    ours, paper = rows["relative"].mean(), rows["printed_relative"].mean()
    return (
        f"The three variants are within {percent(spread)} of each other ({percent(theirs)} in the "
        f"paper). They cost {decimal(ours)} times as much as LUCB ({decimal(paper)} times in the "
        "paper)."
    )


def _savings(frame: pd.DataFrame) -> str:
    """Compare the best algorithm that uses correlations with the best other, at each setting."""
    experiment = EXPERIMENTS[str(frame["experiment"].iloc[0])]
    samples = _words(frame).samples
    uses = frame["algorithm"].map(lambda name: find(name).uses_correlation)
    by = frame[experiment.varies]
    with_it = frame[uses].groupby(by, sort=False)["mean"].min()
    without = frame[~uses].groupby(by, sort=False)["mean"].min()
    factor = without / with_it
    known = factor[factor.index < 1.0] if experiment.varies == "p" else factor
    if (known > 1.0).all():
        ends = dict.fromkeys(decimal(float(end), 1) for end in (known.min(), known.max()))
        text = (
            f"As in the paper, algorithms that use correlations need the fewest {samples}. The "
            f"best of the others needs {' to '.join(ends)} times as many as the best of these"
        )
    else:
        worst = int(known.to_numpy().argmin())
        text = (
            f"Not as in the paper: at {setting_text(experiment.varies, known.index[worst])} the "
            f"best algorithm that uses correlations needs {count(with_it.iloc[worst])} {samples}, "
            f"and the best of the others needs {count(without.iloc[worst])}"
        )
    if len(known) == len(factor):
        return f"{text}."
    more = percent(1.0 / factor.iloc[-1] - 1.0)
    return (
        f"{text}. If no pseudo-reward is known, the best algorithm that uses correlations needs "
        f"{more} more than the best of the others."
    )
