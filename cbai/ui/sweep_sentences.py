"""What a sweep shows, in words, from finished cells only; no Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cbai.figures.style import THIN_SPACE, count, percent
from cbai.figures.words import Words, listed
from cbai.results import Ratio
from cbai.results.sweep import Axis, Cell, cell_of, change, spread, surely_above
from cbai.simulation import Trials, find
from cbai.ui.sentences import rule_of_thumb
from cbai.ui.sweep_plan import KNOWN_ONLY, Index, Job, Plan, target

Found = Mapping[Job, Trials | None]


def cells_of(plan: Plan, name: str, found: Found) -> dict[Index, Cell]:
    """Return the finished cells of one algorithm."""
    trials = {index: found.get(plan.job(index, name)) for index in plan.setups}
    return {index: cell_of(one) for index, one in trials.items() if one is not None}


def speakers(plan: Plan, found: Found) -> list[str]:
    """Return the algorithms that sentences are about: the cheapest of each kind at the own setting.

    The paper's with and without correlation, and the one beyond the paper; a rule of thumb only if
    there is nothing else. Those without a finished own cell, and then those that ran out, come
    last.
    """
    swept = {axis.name for axis in plan.axes}

    def cost(name: str) -> tuple[bool, bool, float]:
        trials = found.get(plan.job(plan.own, name))
        if trials is None:
            return True, True, np.inf
        cell = cell_of(trials)
        return False, not cell.answered, cell.mean

    names = [name for name in plan.algorithms if not rule_of_thumb(find(name))] or [
        *plan.algorithms
    ]
    if swept and swept <= set(KNOWN_ONLY):
        names = [name for name in names if find(name).uses_correlation]
    chosen: dict[tuple[bool, bool], str] = {}
    for name in sorted(names, key=cost):
        row = find(name)
        chosen.setdefault((row.beyond, row.beyond or row.uses_correlation), name)
    return sorted(
        chosen.values(), key=lambda name: (find(name).beyond, plan.algorithms.index(name))
    )


def answer(plan: Plan, found: Found, words: Words) -> str:
    """Say what the sweep shows, from what is finished."""
    names = speakers(plan, found)
    if not names:
        return (
            "None of the chosen algorithms uses pseudo-rewards, so this changes nothing for them."
        )
    if len(plan.axes) == 2:
        return _two(plan, names, found, words)
    axis = plan.axes[0]
    if axis.name == "trials":
        return _runs(plan, names, found, words)
    aim = target(axis)
    if aim is None:
        return f"There is only one value to look at: {axis.title} {axis.labels[0]}."
    parts: list[str] = []
    out: list[str] = []
    for name in names:
        before, after = (found.get(plan.job((at,), name)) for at in (axis.own, aim))
        if before is None or after is None:
            continue
        if before.identified.all() and after.identified.all():
            parts.append(_part(find(name).title, before, after, words, first=not parts))
        else:
            out.append(find(name).title)
    if out:
        have = "has" if len(out) == 1 else "have"
        budget = f"{plan.whole.max_samples:,} {words.samples}"
        parts.append(f"{listed(out)} {have} runs without an answer within {budget}")
    phrase = _phrase(axis, aim, words)
    return f"{phrase}: {', '.join(parts)}." if parts else f"{phrase}: not worked out yet."


def _phrase(axis: Axis, aim: int, words: Words) -> str:
    before, after = axis.labels[axis.own], axis.labels[aim]
    value, own = axis.values[aim], axis.values[axis.own]
    if axis.name == "delta":
        times = "Ten times more" if abs(own / value - 10.0) < 0.01 else "More"
        times = times if value < own else "Less"
        return f"{times} certain (δ = {after} instead of {before})"
    if axis.name == "p":
        how = {0.0: "everything", 1.0: "nothing"}[value]
        return f"If {how} were known, with {after} unknown instead of {before}"
    if axis.name == "q":
        return f"With a safety buffer of q = {after} instead of {before}"
    if axis.name == "epsilon":
        return f"If {after} below the best were good enough, instead of {before}"
    if axis.name == "top":
        return f"To find the best {after}, instead of {before}"
    if axis.name == "arms":
        return f"With the best {after} {words.arms} only, instead of all {before}"
    return f"If the best {words.arm} led by {after} instead of {before}"


def _part(title: str, before: Trials, after: Trials, words: Words, *, first: bool) -> str:
    """Say what a change costs one algorithm."""
    ratio = change(before, after)
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return f"{title} shows no clear change"
    return f"{title}{' needs' if first else ''} {more(ratio, words.samples, named=first)}"


def more(ratio: Ratio, samples: str, *, named: bool = True) -> str:
    """Say how many more or fewer samples: in percent up to twice or half as many, then as times."""
    noun = f" {samples}" if named else ""
    interval = f"95{THIN_SPACE}% interval " if named else ""
    low, high, r = ratio.low, ratio.high, ratio.estimate
    if 0.5 < r < 2.0:
        ends = sorted(abs(end - 1.0) for end in (low, high))
        word = "more" if r > 1.0 else "fewer"
        return (
            f"{percent(abs(r - 1.0))} {word}{noun} ({interval}"
            f"{percent(ends[0]).removesuffix(f'{THIN_SPACE}%')} to {percent(ends[1])})"
        )
    if r >= 2.0:
        return f"{count(r)} times as many{noun} ({interval}{count(low)} to {count(high)})"
    return f"{count(1 / r)} times fewer{noun} ({interval}{count(1 / high)} to {count(1 / low)})"


def _runs(plan: Plan, names: Sequence[str], found: Found, words: Words) -> str:
    """Say how much surer more runs make the mean of the first algorithm."""
    done = cells_of(plan, names[0], found)
    known = [cell for _, cell in sorted(done.items()) if cell.answered and cell.trials > 1]
    title = find(names[0]).title
    if len(known) < 2:
        ran_out = any(not cell.answered for cell in done.values())
        return f"{title} {'has runs without an answer' if ran_out else 'is not worked out yet'}."
    few, many = known[0], known[-1]

    def within(cell: Cell) -> str:
        return f"{percent((cell.high - cell.mean) / cell.mean)} with {cell.trials:,} runs"

    return (
        f"More runs make the numbers surer, not the algorithms cheaper: the mean of {title}, "
        f"{count(many.mean)} {words.samples}, is known to within {within(few)} and "
        f"{within(many)}; its error rate is at most {percent(few.errors.high)} and "
        f"{percent(many.errors.high)}."
    )


def _two(plan: Plan, names: Sequence[str], found: Found, words: Words) -> str:
    """Say from where to where the cost goes, and which of the two parameters moves it more."""
    parts: list[str] = []
    for name in names[:2]:
        cells = cells_of(plan, name, found)
        known = {index: cell for index, cell in cells.items() if cell.answered}
        title = find(name).title
        if not known:
            parts.append(
                f"{title}: {'no cell has all its answers' if cells else 'not worked out yet'}."
            )
            continue
        low, high = (which(known, key=lambda i: known[i].mean) for which in (min, max))
        so_far = "" if len(cells) == len(plan.setups) else " so far"
        out = len(cells) - len(known)
        if out:
            parts.append(
                f"{title} needs {count(known[low].mean)} {words.samples} where it is cheapest "
                f"({_at(plan, low, name)}), and has runs without an answer in {out} of "
                f"{len(cells)} cells{so_far}."
            )
            continue
        if low == high:
            parts.append(
                f"{title} needs {count(known[low].mean)} {words.samples} "
                f"({_at(plan, low, name)}){so_far}."
            )
            continue
        parts.append(
            f"{title} needs from {count(known[low].mean)} {words.samples} "
            f"({_at(plan, low, name)}) to {count(known[high].mean)} ({_at(plan, high, name)})"
            f"{so_far}.{_moves(plan, name, known)}"
        )
    return " ".join(parts)


def _at(plan: Plan, index: Index, name: str) -> str:
    """Write the values of a cell, without those that the algorithm takes no notice of."""
    knows = find(name).uses_correlation
    return ", ".join(
        f"{axis.short} = {axis.labels[at]}"
        for axis, at in zip(plan.axes, index, strict=True)
        if knows or axis.name not in KNOWN_ONLY
    )


def _moves(plan: Plan, name: str, known: Mapping[Index, Cell]) -> str:
    """Say by which factor each parameter alone changes the cost, the other being as it is.

    Nothing of one that the algorithm takes no notice of.
    """
    factors = []
    for which, axis in enumerate(plan.axes):
        other = 1 - which
        if axis.name in KNOWN_ONLY and not find(name).uses_correlation:
            continue
        line = [cell for index, cell in known.items() if index[other] == plan.own[other]]
        if len(line) < len(axis.values):
            return ""
        factors.append((axis.short, spread(line)))
    told = [
        f"{short} alone {'moves it by a factor of ' if i == 0 else 'by '}{count(factor)}"
        for i, (short, factor) in enumerate((short, factor) for short, factor in factors if factor)
    ]
    return f" Away from the sidebar's setting {listed(told)}." if told else ""


def warnings(plan: Plan, found: Found, words: Words) -> list[str]:
    """Say where errors are surely more frequent than allowed, and where runs ran out."""
    cells = [
        (name, index, cell)
        for name in plan.algorithms
        for index, cell in cells_of(plan, name, found).items()
    ]
    total = len(plan.setups) * len(plan.algorithms)
    said = []
    bad = [(name, index, cell) for name, index, cell in cells if surely_above(cell, total)]
    if bad:
        name, index, cell = max(bad, key=lambda one: one[2].errors.estimate)
        rate = cell.errors
        said.append(
            f"Wrong more often than δ allows in {len(bad)} of {len(cells)} cells; most often "
            f"{find(name).title} at {_at(plan, index, name)}: {rate.count} of {rate.total} runs "
            f"named a wrong {words.arm} ({percent(rate.low)} to {percent(rate.high)})."
        )
    out = [cell for _, _, cell in cells if not cell.answered]
    if out:
        said.append(
            f"In {len(out)} of {len(cells)} cells runs ran out of the budget of "
            f"{out[0].max_samples:,} {words.samples}: they are marked, and no mean is shown as an "
            "answer there."
        )
    return said
