"""The sentences about a sweep, from finished cells only; no Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words, listed
from cbai.results import Ratio
from cbai.results.sweep import Axis, Cell, change, spread, surely_above
from cbai.simulation import Trials, find
from cbai.ui.parts.answers import left_out
from cbai.ui.whatif.speakers import (
    Verdict,
    candidates,
    cells_of,
    doubt_at,
    kind_of,
    speakers,
    worked_out,
)
from cbai.ui.whatif.sweep_plan import KNOWN_ONLY, Found, Index, Plan, target

NOT_YET = "not computed yet"


def _left_out_at(plan: Plan, index: Index, found: Found, verdict: Verdict) -> str:
    """Say which algorithms are left out at a setting, and why."""
    setup, names = plan.setups[index], plan.algorithms
    why = [doubt_at(setup, name, found.get(plan.job(index, name)), verdict) for name in names]
    return left_out([find(name) for name in names], why, setup.q, verdict(setup))


def runs_of(plan: Plan, own: str) -> str:
    """Say how many runs a cell has; the visitor's own setting, called `own`, may have more."""
    runs = sorted({setup.trials for setup, _ in plan.cells})
    if len(runs) == 1:
        return f"{runs[0]:,} runs"
    if any(axis.name == "trials" for axis in plan.axes):
        return f"{runs[0]:,} to {runs[-1]:,} runs"
    return f"{runs[0]:,} runs ({runs[-1]:,} at {own})"


def answer(plan: Plan, found: Found, words: Words, verdict: Verdict = worked_out) -> str:
    """Say what the finished cells of the sweep show.

    Parameters
    ----------
    plan : Plan
    found : mapping of (Setup, str) to Trials or None
    words : Words
    verdict : callable
        Returns the `Validity` of a setting. No sentence praises an algorithm where its guarantee
        does not hold.
    """
    if {axis.name for axis in plan.axes} <= set(KNOWN_ONLY) and not any(
        find(name).uses_correlation for name in plan.algorithms
    ):
        return (
            "None of the chosen algorithms uses pseudo-rewards, so this parameter changes nothing "
            "for them."
        )
    names = speakers(plan, found, verdict)
    if not names:
        return _left_out_at(plan, plan.own, found, verdict) or _unproven(plan)
    if len(plan.axes) == 2:
        return _two(plan, names, found, words, verdict)
    axis = plan.axes[0]
    if axis.name == "trials":
        return _runs(plan, names, found, words)
    aim = target(axis)
    if aim is None:
        return f"Only one value is possible: {axis.title} = {axis.labels[0]}."
    rest = _left_out_at(plan, (aim,), found, verdict)
    return f"{_one_axis(plan, names, aim, found, words, verdict)} {rest}".strip()


def _unproven(plan: Plan) -> str:
    titles = [find(name).title for name in plan.algorithms]
    return f"No theorem bounds the errors of {listed(titles)}, so no answer is given here."


def _one_axis(
    plan: Plan, names: Sequence[str], aim: int, found: Found, words: Words, verdict: Verdict
) -> str:
    """Say what another value of the one parameter costs the algorithms that may be praised."""
    axis = plan.axes[0]
    parts: list[str] = []
    out: list[str] = []
    silent = False
    rivals = candidates(plan, found, verdict)
    for name in names:
        before, after = (found.get(plan.job((at,), name)) for at in (axis.own, aim))
        if before is None or after is None:
            continue
        if doubt_at(plan.setups[(aim,)], name, after, verdict):
            silent = True
            continue
        if before.identified.all() and after.identified.all():
            among = sum(kind_of(other) == kind_of(name) for other in rivals)
            parts.append(_part(name, before, after, words, first=not parts, among=among))
        else:
            out.append(find(name).title)
    if out:
        have = "has" if len(out) == 1 else "have"
        budget = f"{plan.whole.max_samples:,} {words.samples}"
        parts.append(f"{listed(out)} {have} runs without an answer within {budget}")
    phrase = _phrase(axis, aim, words)
    if not parts:
        return "" if silent else f"{phrase}: not computed yet."
    return f"{phrase}, {'. '.join(parts)}."


def _phrase(axis: Axis, aim: int, words: Words) -> str:
    before, after = axis.labels[axis.own], axis.labels[aim]
    value, own = axis.values[aim], axis.values[axis.own]
    if axis.name == "delta":
        times = "ten times more" if abs(own / value - 10.0) < 0.01 else "more"
        times = times if value < own else "less"
        return f"With {times} certainty (δ = {after} instead of {before})"
    if axis.name == "p":
        which = {0.0: "every pseudo-reward", 1.0: "no pseudo-reward"}[value]
        return f"With {which} known ({after} unknown instead of {before})"
    if axis.name == "q":
        return f"With a safety buffer of q = {after} instead of {before}"
    if axis.name == "epsilon":
        return f"With ε = {after} instead of {before}"
    if axis.name == "top":
        return f"To find the best {after} {words.arms} instead of the best {before}"
    if axis.name == "arms":
        return f"With only the best {after} {words.arms} instead of all {before}"
    return f"With a lead of {after} instead of {before} for the best {words.arm}"


def _part(
    name: str, before: Trials, after: Trials, words: Words, *, first: bool, among: int
) -> str:
    """Say what a change costs one algorithm, which was chosen among this many."""
    title = find(name).title
    ratio = change(before, after, among)
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return f"{title} shows no clear change"
    return f"{title} needs {more(ratio, words.samples, named=first)}"


def more(ratio: Ratio, samples: str, *, named: bool = True) -> str:
    """Write a ratio of mean samples.

    Between half and twice as many it is a percentage more or fewer. Outside that range it is a
    multiple, or a share.
    """
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
    of = f" of the {samples}" if named else ""
    least = percent(low).removesuffix(f"{THIN_SPACE}%")
    return f"{percent(r)}{of} ({interval}{least} to {percent(high)})"


def _runs(plan: Plan, names: Sequence[str], found: Found, words: Words) -> str:
    """Say how much more precise more runs make the mean of the first algorithm."""
    done = cells_of(plan, names[0], found)
    known = [cell for _, cell in sorted(done.items()) if cell.answered and cell.trials > 1]
    title = find(names[0]).title
    if len(known) < 2:
        ran_out = any(not cell.answered for cell in done.values())
        return f"{title} {'has runs without an answer' if ran_out else 'is not computed yet'}."
    few, many = known[0], known[-1]

    def within(cell: Cell) -> str:
        return f"{percent((cell.high - cell.mean) / cell.mean)} with {cell.trials:,} runs"

    return (
        "More runs make the estimates more precise; the algorithms need no more "
        f"{words.samples}. The mean of {title} is {count(many.mean)} {words.samples}: it is known "
        f"to within {within(few)}, and to within {within(many)}. The upper end of the interval "
        f"for its error rate is {percent(few.errors.high)} and {percent(many.errors.high)}."
    )


def _two(plan: Plan, names: Sequence[str], found: Found, words: Words, verdict: Verdict) -> str:
    """Say how far the mean samples range, and which of the two parameters changes them more.

    Only the cells in which the algorithm may be praised count.
    """
    parts: list[str] = []
    doubtful = 0
    for name in names[:2]:
        every = cells_of(plan, name, found)
        cells = {
            index: cell
            for index, cell in every.items()
            if not doubt_at(plan.setups[index], name, found.get(plan.job(index, name)), verdict)
        }
        doubtful += len(every) - len(cells)
        if every and not cells:
            continue
        known = {index: cell for index, cell in cells.items() if cell.answered}
        title = find(name).title
        if not known:
            parts.append(
                f"{title}: {'every cell has runs without an answer' if cells else NOT_YET}."
            )
            continue
        low, high = (which(known, key=lambda i: known[i].mean) for which in (min, max))
        so_far = "" if len(every) == len(plan.setups) else " so far"
        out = len(cells) - len(known)
        if out:
            parts.append(
                f"{title} needs {count(known[low].mean)} {words.samples} where it is cheapest "
                f"({_at(plan, low, name)}). It has runs without an answer in {out} of "
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
    if doubtful:
        parts.append(
            f"{doubtful:,} {'cell is' if doubtful == 1 else 'cells are'} left out: either a "
            "guarantee does not hold there, or too many answers are wrong."
        )
    return " ".join(parts)


def _at(plan: Plan, index: Index, name: str) -> str:
    """Write the values of a cell, without parameters that the algorithm ignores."""
    knows = find(name).uses_correlation
    return ", ".join(
        f"{axis.short} = {axis.labels[at]}"
        for axis, at in zip(plan.axes, index, strict=True)
        if knows or axis.name not in KNOWN_ONLY
    )


def _moves(plan: Plan, name: str, known: Mapping[Index, Cell]) -> str:
    """Say by which factor each parameter alone changes the mean samples.

    The other parameter stays at the sidebar's value. A parameter that the algorithm ignores is
    left out.
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
        f"{short} alone{' changes it' if i == 0 else ''} by a factor of {count(factor)}"
        for i, (short, factor) in enumerate((short, factor) for short, factor in factors if factor)
    ]
    return f" With all else as in the sidebar, {listed(told)}." if told else ""


def warnings(plan: Plan, found: Found, words: Words) -> list[str]:
    """Say where more answers are wrong than delta allows, and where runs have no answer."""
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
            f"More answers are wrong than δ allows in {len(bad)} of {len(cells)} cells. The worst "
            f"is {find(name).title} at {_at(plan, index, name)}: {rate.count} of {rate.total} runs "
            f"named a wrong {words.arm} (95{THIN_SPACE}% interval {percent(rate.low)} to "
            f"{percent(rate.high)})."
        )
    out = [cell for _, _, cell in cells if not cell.answered]
    if out:
        said.append(
            f"In {len(out)} of {len(cells)} cells some runs ran out of the budget of "
            f"{out[0].max_samples:,} {words.samples}. These cells are marked, and no mean is shown "
            "for them."
        )
    return said
