"""Two runs set against each other: what they share, what is drawn and what is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import cbai
from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.figures.compare import differences
from cbai.figures.samples import sample_counts, sample_rows
from cbai.results.compare import INDEPENDENT, SAME_REWARDS, SAME_SEED, compare
from cbai.results.paired import paired_difference, welch_difference
from cbai.ui.compare.sentences import Pair, Side, answer, how, words_of
from cbai.ui.compare.table import every_difference, every_run
from cbai.ui.visit.pin_words import named
from tests.visit import at

WORDS = Words("genre", "genres", "rating", "ratings")


def side(letter="A", name="paper-three-arms", algorithm="c_lucb", **changes):
    """One side, run by the library."""
    setup = at(name, **({"trials": 40, "delta": 0.05} | changes), algorithms=(algorithm,))
    trials = cbai.simulate(
        setup.problem, [algorithm], setup.delta, trials=setup.trials, seed=setup.seed, p=setup.p,
        q=setup.q, max_samples=setup.max_samples,
    )  # fmt: skip
    return Side(letter, letter, setup, trials)


def made_up(letter, numbers, like, **changes):
    """A side with other samples."""
    trials = replace(
        like.trials,
        samples=np.array([numbers]),
        **{
            name: getattr(like.trials, name)[:, : len(numbers)]
            for name in ("status", "best_arm", "rounds", "pulls", "eliminated_at")
        },
        **changes,
    )
    return Side(letter, letter, like.setup, trials)


@pytest.fixture(scope="module")
def a():
    return side()


@pytest.fixture(scope="module")
def b():
    return side("B", p=1.0, delta=0.01)


def spoiled(one, runs):
    """The same side, with so many of its runs out of samples."""
    status = one.trials.status.copy()
    status[0, :runs] = "budget"
    return replace(one, trials=replace(one.trials, status=status))


# ---------------------------------------------------------------- what they share


def test_same_problem_and_seed_are_paired_run_by_run(a, b):
    found = compare(b.trials, a.trials)
    of, to = b.trials.samples[0], a.trials.samples[0]
    assert found.kind == SAME_REWARDS
    assert list(found.differences) == list(of - to)
    theirs = stats.ttest_rel(of, to).confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx(tuple(theirs))
    assert found.unpaired == welch_difference(of, to)
    assert found.narrowing == pytest.approx(found.unpaired.width / found.difference.width)


def test_another_delta_or_buffer_meets_the_same_rewards(a):
    stricter = side("B", delta=0.001, q=0.05)
    found = compare(stricter.trials, a.trials)
    assert found.kind == SAME_REWARDS
    assert (found.differences > 0).mean() > 0.9
    assert found.narrowing > 1.2


def test_more_runs_on_one_side_are_left_out_of_the_pairs(a):
    more = side("B", trials=100, p=1.0)
    found = compare(more.trials, a.trials)
    assert found.runs == (40, 40)
    assert found.difference == paired_difference(more.trials.samples[0, :40], a.trials.samples[0])


def test_another_seed_is_independent(a):
    other = side("B", seed=7, trials=25)
    found = compare(other.trials, a.trials)
    assert (found.kind, found.runs) == (INDEPENDENT, (25, 40))
    assert found.difference == found.unpaired
    assert not found.difference.paired
    assert not found.differences.size


def test_other_data_with_the_same_seed_are_paired_but_not_shown_run_by_run(a):
    other = side("B", "paper-two-arms")
    found = compare(other.trials, a.trials)
    assert found.kind == SAME_SEED
    assert found.difference.paired
    assert not found.differences.size
    assert "meet different rewards" in how(Pair(other, a, found))


def test_runs_without_an_answer_are_no_numbers_to_compare(a, b):
    found = compare(spoiled(b, 3).trials, a.trials)
    assert (found.ran_out, found.difference, found.unpaired) == ((3, 0), None, None)
    assert found.narrowing is None


# ---------------------------------------------------------------- in words


def test_a_clear_difference_is_said_with_its_interval(a, b):
    pair = Pair.make(b, a)
    found = pair.result.difference
    assert found.clear
    said = answer(pair, WORDS).replace("\u202f", " ")
    kind = "more" if found.estimate > 0 else "fewer"
    low, high = sorted([abs(found.low), abs(found.high)])
    assert f"B needs {count(abs(found.estimate))} {kind} ratings than A" in said
    assert f"95 % interval {count(low)} to {count(high)}" in said
    times = f"{max(found.ratio.estimate, 1 / found.ratio.estimate):.2f} times"
    assert f"{times} {'as many' if kind == 'more' else kind}" in said
    back = answer(Pair.make(a, b), WORDS)
    assert ("fewer" if kind == "more" else "more") in back


def test_no_difference_says_why_and_how_many_runs_it_would_take(a):
    rng = np.random.default_rng(1)
    numbers = rng.integers(900, 1100, 40)
    unclear = Pair.make(made_up("B", numbers + 1 + rng.integers(-40, 41, 40), a),
                        made_up("A", numbers, a))  # fmt: skip
    said = answer(unclear, WORDS)
    assert said.startswith("No clear difference between B and A: ")
    assert "40 runs are too few" in said
    needed = int(said.partition("about ")[2].partition(" runs would")[0].replace(",", ""))
    assert needed > 80
    tiny = np.tile([-500, 500], 20)
    tiny[0] += 1
    said = answer(Pair.make(made_up("B", 1000 + tiny, a), made_up("A", [1000] * 40, a)), WORDS)
    assert "so are 1,000,000" in said


def test_no_difference_at_all_is_said_as_such(a):
    pair = Pair.make(replace(a, letter="B", name="B"), a)
    assert answer(pair, WORDS) == "B needs exactly as many ratings as A, in each of the 40 runs."
    gathered = differences.gather("A", [("B", a.trials.algorithms[0], pair.result)])
    assert "none, in every run" in differences.alt_text(gathered, WORDS)


def test_runs_without_an_answer_are_counted_not_compared(a, b):
    some = answer(Pair.make(spoiled(b, 3), a), WORDS)
    assert some == (
        "No fair comparison of B with A: 3 of 40 runs of B had no answer within 5,000,000 ratings."
    )
    none = answer(Pair.make(spoiled(b, 40), spoiled(a, 1)), WORDS)
    assert "no run of B had an answer within" in none
    assert "1 of 40 runs of A had no answer" in none


def test_the_answer_says_over_which_runs_it_is_if_one_side_has_more(a, b):
    longer = Pair.make(side("B", delta=0.4, trials=100), a)
    assert answer(longer, WORDS).endswith("% as many, over the 40 runs that both have.")
    assert "both have" not in answer(Pair.make(b, a), WORDS)


def test_how_the_interval_was_made(a, b):
    paired = how(Pair.make(b, a))
    assert "same random rewards" in paired
    assert "Student's t-interval of the differences over 40 runs" in paired
    assert "Welch's" in how(Pair.make(side("B", seed=7), a))
    assert "the first 40 runs, which both have" in how(Pair.make(side("B", trials=100), a))
    rising, falling = np.arange(1000, 1040), np.arange(2040, 2000, -1)
    apart = Pair.make(made_up("B", falling, a), made_up("A", rising, a))
    assert "1.4 times wider than without pairing" in how(apart)
    together = Pair.make(made_up("B", 2 * rising, a), made_up("A", rising, a))
    assert "2.2 times narrower than without pairing. That is worth about 4.9 times" in how(together)


def test_names_and_nouns(a):
    assert named("B", "C-LUCB", "q = 0.13", all_alike=True) == "B (q = 0.13)"
    assert named("B", "C-LUCB", "q" * 40, all_alike=False) == "B (C-LUCB)"
    assert named("B", "C-LUCB", "q" * 40, all_alike=True) == "B"
    movies = replace(a, setup=at("movielens-1m"))
    assert words_of([movies]).samples == "ratings"
    assert words_of([movies, a]).samples == "samples"


# ---------------------------------------------------------------- figures and tables


def test_the_figure_shows_runs_and_both_intervals(a, b):
    pair = Pair.make(b, a)
    gathered = differences.gather("A", [("B − A", b.trials.algorithms[0], pair.result)])
    found = pair.result.difference
    assert gathered.low < min(0.0, found.low) <= max(0.0, found.high) < gathered.high
    fig = differences.draw(gathered, WORDS)
    runs, unpaired, paired = fig.data
    assert list(runs.x) == list(pair.result.differences)
    assert paired.x[0] == found.estimate
    assert paired.x[0] - paired.error_x.arrayminus[0] == pytest.approx(found.low)
    assert paired.x[0] + paired.error_x.array[0] == pytest.approx(found.high)
    assert unpaired.error_x.array[0] == pytest.approx(0.5 * pair.result.unpaired.width)
    assert {line.x0 for line in fig.layout.shapes} == {0}
    assert count(abs(found.estimate)) in differences.alt_text(gathered, WORDS)


def test_the_figure_shows_no_runs_where_they_met_other_rewards(a):
    other = side("B", seed=7)
    pair = Pair.make(other, a)
    gathered = differences.gather("A", [("B − A", other.trials.algorithms[0], pair.result)])
    assert len(differences.draw(gathered, WORDS).data) == 1


def test_the_figure_marks_nothing_where_there_is_no_fair_comparison(a, b):
    result = compare(spoiled(b, 1).trials, a.trials)
    gathered = differences.gather("A", [("B − A", b.trials.algorithms[0], result)])
    assert not differences.draw(gathered, WORDS).data
    assert "no fair comparison" in differences.alt_text(gathered, WORDS)


def test_setups_share_one_axis_and_keep_their_own_budgets(a):
    short = side("B", max_samples=20_000)
    short = replace(spoiled(short, 40), name="B")
    info = sample_rows.gather_several([("A (x)", a.trials), ("B", short.trials)])
    assert [row.algorithm.title for row in info.rows] == ["A (x)", "B"]
    assert [row.mean for row in info.rows] == [a.trials.samples.mean(), short.trials.samples.mean()]
    assert [row.budget for row in info.rows] == [5_000_000, 20_000]
    assert "B ≥ 20,000, no answer" in sample_counts.alt_text(info, WORDS)
    assert info.reach > info.rows[0].mean + info.rows[0].two_sigma


def test_a_budget_is_drawn_in_its_own_row_where_budgets_differ(a):
    short = spoiled(side("B", max_samples=20_000), 3)
    info = sample_rows.gather_several([("A", a.trials), ("B", short.trials)])
    (line,) = sample_counts.draw(replace(info, cut=False), WORDS).layout.shapes
    assert (line.x0, line.x1) == (20_000, 20_000)
    assert 0.5 < line.y0 < 1.0 < line.y1
    info = sample_rows.gather_several([("A", short.trials), ("B", short.trials)])
    (line,) = sample_counts.draw(replace(info, cut=False), WORDS).layout.shapes
    assert line.yref == "paper"


def test_tables_hold_every_run_and_every_number(a, b):
    table = every_run([a, b], {"A": "p = 20 %", "B": "p = 100 %"})
    assert len(table) == 80
    assert list(table.loc[table.setup == "B", "samples"]) == list(b.trials.samples[0])
    assert list(table.loc[table.setup == "B", "p"].unique()) == [1.0]
    pairs = [Pair.make(b, a), Pair.make(spoiled(b, 2), a)]
    rows = every_difference(pairs)
    found = pairs[0].result.difference
    assert list(rows.loc[0, ["difference", "low", "high"]]) == [
        found.estimate, found.low, found.high,
    ]  # fmt: skip
    assert rows.loc[1, ["difference", "low", "unpaired_low", "ratio"]].isna().all()
    assert list(rows["without_answer"]) == [0, 2]
