"""What a sweep shows, in words, from finished cells only; no Streamlit here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words, listed
from cbai.problem.validity import Validity, check_validity
from cbai.results import Ratio, error_rates
from cbai.results.praise import doubt
from cbai.results.sweep import Axis, Cell, cell_of, change, spread, surely_above
from cbai.simulation import Trials, find
from cbai.ui.parts.answers import left_out, rule_of_thumb
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.sweep_plan import KNOWN_ONLY, Index, Job, Plan, target

Found = Mapping[Job, Trials | None]
Verdict = Callable[[Setup], Validity]


@lru_cache(maxsize=256)
def worked_out(setup: Setup) -> Validity:
    """Return whether the pseudo-rewards hold at a setting, under the masks of all its runs."""
    return check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)


def doubt_at(setup: Setup, name: str, trials: Trials | None, verdict: Verdict) -> str:
    """Return why an algorithm may not be praised at a setting; see `cbai.results.praise.doubt`."""
    problem = setup.problem
    return doubt(
        find(name),
        problem.n_arms,
        setup.delta,
        verdict(setup),
        None if trials is None else error_rates(trials)[0],
        problem.ranking[: setup.top].tolist() if setup.top > 1 else [],
    )


def cells_of(plan: Plan, name: str, found: Found) -> dict[Index, Cell]:
    """Return the finished cells of one algorithm."""
    trials = {index: found.get(plan.job(index, name)) for index in plan.setups}
    return {index: cell_of(one) for index, one in trials.items() if one is not None}


def speakers(plan: Plan, found: Found, verdict: Verdict = worked_out) -> list[str]:
    """Return the algorithms that sentences are about: the cheapest of each kind at the own setting.

    The paper's with and without correlation, and the one beyond the paper. One that may not be
    praised there is not among them, unless what is known is swept: then the setting in question
    decides. Those without a finished own cell, and then those that ran out, come last.
    """

    def cost(name: str) -> tuple[bool, bool, float]:
        trials = found.get(plan.job(plan.own, name))
        if trials is None:
            return True, True, np.inf
        cell = cell_of(trials)
        return False, not cell.answered, cell.mean

    chosen: dict[tuple[bool, bool], str] = {}
    for name in sorted(_candidates(plan, found, verdict), key=cost):
        chosen.setdefault(_kind(name), name)
    return sorted(
        chosen.values(), key=lambda name: (find(name).beyond, plan.algorithms.index(name))
    )


def _kind(name: str) -> tuple[bool, bool]:
    row = find(name)
    return row.beyond, row.beyond or row.uses_correlation


def _candidates(plan: Plan, found: Found, verdict: Verdict) -> list[str]:
    """Return among whom the cheapest are chosen."""
    swept, own = {axis.name for axis in plan.axes}, plan.setups[plan.own]
    names = [name for name in plan.algorithms if not rule_of_thumb(find(name))]
    if swept and swept <= set(KNOWN_ONLY):
        return [name for name in names if find(name).uses_correlation]
    if swept & set(KNOWN_ONLY):
        return names
    return [
        name
        for name in names
        if not doubt_at(own, name, found.get(plan.job(plan.own, name)), verdict)
    ]


def _left_out_at(plan: Plan, index: Index, found: Found, verdict: Verdict) -> str:
    """Say who is not spoken of at a setting, and why."""
    setup, names = plan.setups[index], plan.algorithms
    why = [doubt_at(setup, name, found.get(plan.job(index, name)), verdict) for name in names]
    return left_out([find(name) for name in names], why, setup.q, verdict(setup))


def answer(plan: Plan, found: Found, words: Words, verdict: Verdict = worked_out) -> str:
    """Say what the sweep shows, from what is finished.

    Parameters
    ----------
    plan : Plan
    found : mapping of (Setup, str) to Trials or None
    words : Words
    verdict : callable
        Of a setting: its `Validity`. What may not be praised there is in no sentence.
    """
    if {axis.name for axis in plan.axes} <= set(KNOWN_ONLY) and not any(
        find(name).uses_correlation for name in plan.algorithms
    ):
        return (
            "None of the chosen algorithms uses pseudo-rewards, so this changes nothing for them."
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
        return f"There is only one value to look at: {axis.title} {axis.labels[0]}."
    rest = _left_out_at(plan, (aim,), found, verdict)
    return f"{_one_axis(plan, names, aim, found, words, verdict)} {rest}".strip()


def _unproven(plan: Plan) -> str:
    titles = [find(name).title for name in plan.algorithms]
    return f"No theorem bounds the errors of {listed(titles)}, so nothing stands here as an answer."


def _one_axis(
    plan: Plan, names: Sequence[str], aim: int, found: Found, words: Words, verdict: Verdict
) -> str:
    """Say what another value of the one parameter costs those that may be praised there."""
    axis = plan.axes[0]
    parts: list[str] = []
    out: list[str] = []
    silent = False
    candidates = _candidates(plan, found, verdict)
    for name in names:
        before, after = (found.get(plan.job((at,), name)) for at in (axis.own, aim))
        if before is None or after is None:
            continue
        if doubt_at(plan.setups[(aim,)], name, after, verdict):
            silent = True
            continue
        if before.identified.all() and after.identified.all():
            among = sum(_kind(other) == _kind(name) for other in candidates)
            part = _part(find(name).title, before, after, words, first=not parts, among=among)
            parts.append(part)
        else:
            out.append(find(name).title)
    if out:
        have = "has" if len(out) == 1 else "have"
        budget = f"{plan.whole.max_samples:,} {words.samples}"
        parts.append(f"{listed(out)} {have} runs without an answer within {budget}")
    phrase = _phrase(axis, aim, words)
    if not parts:
        return "" if silent else f"{phrase}: not worked out yet."
    return f"{phrase}: {', '.join(parts)}."


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


def _part(
    title: str, before: Trials, after: Trials, words: Words, *, first: bool, among: int
) -> str:
    """Say what a change costs one algorithm, chosen among so many."""
    ratio = change(before, after, among)
    if ratio is None or ratio.low <= 1.0 <= ratio.high:
        return f"{title} shows no clear change"
    return f"{title}{' needs' if first else ''} {more(ratio, words.samples, named=first)}"


def more(ratio: Ratio, samples: str, *, named: bool = True) -> str:
    """Say how many more or fewer samples: in percent from half to twice as many.

    Beyond that as times as many, or as a share.
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


def _two(plan: Plan, names: Sequence[str], found: Found, words: Words, verdict: Verdict) -> str:
    """Say from where to where the cost goes, and which of the two parameters moves it more.

    Over the cells in which the algorithm may be praised only.
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
                f"{title}: {'no cell has all its answers' if cells else 'not worked out yet'}."
            )
            continue
        low, high = (which(known, key=lambda i: known[i].mean) for which in (min, max))
        so_far = "" if len(every) == len(plan.setups) else " so far"
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
    if doubtful:
        parts.append(
            f"{doubtful:,} cells are left out: a guarantee does not hold there, or too many "
            "answers are wrong."
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
