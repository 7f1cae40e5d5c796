"""Why an arm was ruled out: the numbers fit those that decided, and the words say them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.race import eliminations, why_sources
from cbai.results.stopped import Stop, how_stopped
from cbai.results.why import why
from cbai.simulation.bounds import evidence
from cbai.ui.race import why_sentences as said
from tests.visit import SMALL, visit
from tests.visit import said as all_words

WORDS = Words("genre", "genres", "rating", "ratings")
NAMES = [name for name in cbai.ALGORITHMS if name not in ("exp_gap", "lil_ucb")]


@pytest.fixture(scope="module")
def traces():
    problem = cbai.load_problem("movielens-1m")
    return {name: cbai.trace(problem, name, 0.05, seed=3, p=0.2, q=0.2) for name in NAMES}


def test_the_bounds_by_source_are_those_that_decided(traces):
    for name in ("c_lucb", "c_lucb_pp", "maxmin_lucb", "two_lucb", "lucb", "racing"):
        trace = traces[name]
        assert trace.eliminations or name == "c_lucb_pp"
        for out in trace.eliminations:
            info = why(trace, out.arm)
            assert np.nanmin(info.said) == pytest.approx(trace.upper[info.index, out.arm])
            assert int(np.nanargmin(info.said)) == out.by == info.by
            assert np.nanmin(info.said) < info.bar
            assert info.leader != out.arm


def by_hand(trace, info):
    """The log-wealth of all bets at the bar, as the kernel works it out."""
    table = np.ascontiguousarray(trace.problem.pseudo_rewards.transpose(1, 2, 0))
    return evidence.log_wealth(
        info.arm, info.bar + info.slack, trace.counts[info.index], table,
        trace.algorithm.trusts_pseudo_rewards, 1.0,
    )  # fmt: skip


@pytest.mark.parametrize("data", ["movielens-1m", "drug-trial"])
@pytest.mark.parametrize("name", ["lucb_pp_bet", "c_lucb_bet", "c_lucb_bet_two"])
def test_the_evidence_adds_up_and_was_enough(data, name):
    """Against the very bar: one lower than that of the bets would not always be enough."""
    problem = cbai.load_problem(data)
    for seed in range(3):
        trace = cbai.trace(problem, name, 0.05, seed=seed, p=0.2, q=0.2)
        for out in trace.eliminations:
            info = why(trace, out.arm)
            assert info.bets
            assert info.total >= info.needed == pytest.approx(np.log(2 / 0.05))
            if not info.certain:
                assert info.total == pytest.approx(by_hand(trace, info))
            assert int(np.nanargmax(info.said)) == out.by == info.by
            assert trace.upper[info.index, out.arm] <= info.bar + 1e-6


def test_a_bet_that_cannot_lose_is_called_so():
    trace = cbai.trace(cbai.load_problem("movielens-1m"), "c_lucb_bet", 0.01, p=0.2, q=0.2)
    found = [info for info in (why(trace, out.arm) for out in trace.eliminations) if info.certain]
    assert found
    for info in found:
        assert (info.table < info.bar).all()
        assert "That alone rules it out" in said.story(info, WORDS)


STOPS = [
    ("racing", 0.0, Stop.ONE_LEFT), ("racing", 0.1, Stop.NEAR), ("c_lucb", 0.1, Stop.NEAR),
    ("c_lucb_bet", 0.1, Stop.NEAR), ("c_lucb_eb", 0.1, Stop.NEAR),
    ("lil_ucb", 0.0, Stop.PULL_SHARE),
    ("lucb_pp", 0.0, Stop.ABOVE_ALL), ("c_lucb_pp", 0.0, Stop.ABOVE_ALL),
    ("c_lucb_pp", 0.1, Stop.ABOVE_ALL), ("track_and_stop", 0.0, Stop.RATIO),
    ("ttucb", 0.1, Stop.RATIO),
]  # fmt: skip


@pytest.mark.parametrize(("name", "epsilon", "stop"), STOPS)
def test_why_a_run_ended_is_true_of_its_numbers(name, epsilon, stop):
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, name, 0.05, seed=3, p=0.2, q=0.2, epsilon=epsilon)
    assert how_stopped(trace) is stop
    for arm in np.flatnonzero(trace.active[-1]):
        info = why(trace, int(arm))
        text = said.story(info, WORDS)
        if arm == trace.best_arm:
            assert info.is_answer
            assert info.leader != arm
            assert "is the answer" in text
            continue
        assert (info.leader, info.slack) == (trace.best_arm, epsilon)
        if stop is Stop.PULL_SHARE:
            assert "at most" not in text
            most, rest = trace.pulls[-1, trace.best_arm], np.delete(trace.pulls[-1], trace.best_arm)
            assert most >= 9 * rest.sum()
            assert f"{rest.sum():,} of all others" in text
        elif info.bets:
            assert info.total == pytest.approx(by_hand(trace, info))
            assert info.total >= info.needed
        else:
            assert info.upper <= info.bar + epsilon + 1e-9
            one, other = said.apart(info.upper, info.bar)
            assert one != other
            assert f"at most {one}. " in text
            assert f"at least {other}." in text


def test_the_last_step_of_c_lucb_pp_is_by_own_samples_at_its_own_shares():
    """The bounds, worked out anew from means and pulls: spec, section 4."""
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "c_lucb_pp", 0.05, seed=3, p=0.2, q=0.2)
    left = [arm for arm in np.flatnonzero(trace.active[-1]) if arm != trace.best_arm]
    assert left
    for arm in left:
        info = why(trace, int(arm))
        n, best = trace.pulls[-1], trace.best_arm
        assert info.upper == pytest.approx(trace.mean[-1, arm] + radius(n[arm], 0.05 / 4))
        assert info.bar == pytest.approx(trace.mean[-1, best] - radius(n[best], 0.05 / (4 * 18)))
        assert info.upper < info.bar
        assert info.upper != pytest.approx(trace.upper[-1, arm])


def radius(n, d, b=5.0):
    """Howard et al.'s, as in the paper."""
    v = max(b * b * n / 4.0, 1.0)
    return 1.7 * np.sqrt(v * (np.log(np.log(2.0 * v)) + 0.72 * np.log(5.2 / d))) / n


def test_bounds_that_nearly_meet_are_told_apart_wherever_they_are_written(traces):
    """Shift a bound to 3e-10 below the bar: six digits would print the two alike."""
    trace = traces["c_lucb"]
    info = why(trace, next(out.arm for out in trace.eliminations if out.by != out.arm))
    bound = info.bar - 3e-10
    info.said[info.by] = bound
    near = replace(info, upper=bound)
    one, other = said.apart(bound, info.bar)
    assert one != other
    assert f"at most {one}. " in said.story(near, WORDS)
    assert f"at least {other}." in said.story(near, WORDS)
    assert f"{one}. " in why_sources.alt_text(near, WORDS)
    assert f"at least {other}." in why_sources.alt_text(near, WORDS)
    assert f"the bound, {one}." in said.after_the_sum(near, WORDS)
    still = replace(near, out=None, stop=Stop.BUDGET, upper=info.bar + 3e-10)
    assert "would have to fall by 0.0000000003." in said.story(still, WORDS)
    assert said.apart(1.0, 1.0 + 4e-14) == ("1.000000000000",) * 2


def test_adaptive_bounds_show_the_one_that_decided(traces):
    for name in ("c_lucb_eb", "c_lucb_guard"):
        for out in traces[name].eliminations:
            info = why(traces[name], out.arm)
            assert info.said[out.by] == pytest.approx(traces[name].upper[info.index, out.arm])
            assert info.upper < info.bar


def test_the_sum_can_be_done_by_hand(traces):
    for name in NAMES:
        for arm in range(18):
            info = why(traces[name], arm)
            average = float(info.seen @ info.table) / info.seen.sum()
            assert average == pytest.approx(info.averages[info.by])
            assert f"{average:.3f}" in said.arithmetic(info, WORDS)
            table = said.table(info, WORDS)
            assert table["Seen"].sum() == traces[name].pulls[info.index, info.by]


def test_words_name_the_round_the_arm_and_both_numbers(traces):
    trace = traces["c_lucb"]
    out = next(out for out in trace.eliminations if out.by != out.arm)
    info = why(trace, out.arm)
    text = said.story(info, WORDS)
    for part in (
        f"round {out.round:,}", trace.problem.arms[out.arm], trace.problem.arms[out.by],
        *said.apart(trace.upper[info.index, out.arm], info.bar),
        "alone, its mean could still have been",
    ):  # fmt: skip
        assert part in text


def test_the_winner_and_those_never_ruled_out_have_words_too(traces):
    for name in NAMES:
        trace = traces[name]
        assert "is the answer" in said.story(why(trace, trace.best_arm), WORDS)
    trace = traces["lucb_pp"]
    other = next(arm for arm in range(18) if arm != trace.best_arm)
    assert "was never ruled out" in said.story(why(trace, other), WORDS)


def test_a_run_out_of_budget_is_no_answer():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "lucb", 0.01, max_samples=500)
    assert trace.status == "budget"
    for arm in range(18):
        info = why(trace, arm)
        assert not info.is_answer
        assert info.leader != arm
        assert "without an answer" in said.story(info, WORDS)


@pytest.mark.parametrize(
    ("name", "budget", "habit"),
    [("lucb_pp", 60_000, "before it stops"), ("exp_gap", 20_000, "at the end of a phase only")],
)
def test_who_is_beaten_but_not_ruled_out_is_not_said_to_need_more(name, budget, habit):
    problem = cbai.load_problem("movielens-1m" if name == "lucb_pp" else "drug-trial")
    trace = cbai.trace(problem, name, 0.01, max_samples=budget)
    assert trace.status == "budget"
    infos = [why(trace, arm) for arm in range(problem.n_arms) if arm != trace.best_arm]
    beaten = [info for info in infos if info.upper <= info.bar]
    assert beaten
    for info in beaten:
        story = said.story(info, WORDS)
        assert f"beaten already, but {trace.algorithm.title} rules out" in story
        assert habit in story
        assert "would have to fall" not in story
    assert habit in said.line([trace.algorithm], WORDS)
    both = said.line([cbai.ALGORITHMS["c_lucb"], trace.algorithm], WORDS)
    assert "is ruled out once" in both
    assert f"But {trace.algorithm.title} rules out" in both


def test_the_line_says_who_stops_by_bounds_that_are_not_drawn():
    rows = [cbai.ALGORITHMS[name] for name in ("lucb_pp", "c_lucb", "c_lucb_pp")]
    assert [said.stops_apart(row) for row in rows] == [False, False, True]
    told = said.line(rows, WORDS)
    assert "C-LUCB++ may also stop by bounds" in told
    assert "LUCB++ rules out no" in told
    assert said.UNDRAWN not in said.line(rows[:2], WORDS)


def test_a_false_bound_is_called_so():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "c_lucb", 0.01, seed=1, p=0.0, q=0.0)
    found = [why(trace, out.arm) for out in trace.eliminations if out.by != out.arm]
    assert any(info.false_bound for info in found)
    for info in found:
        truth = problem.probabilities[info.by] @ trace.problem.pseudo_rewards[info.arm, info.by]
        assert bool(said.warning(info, WORDS)) == (truth < problem.means[info.arm] - 1e-9)


def test_how_to_read_it_names_the_sources_that_are_drawn(traces):
    for name, whose in (
        ("c_lucb", "what each genre's ratings say about"),
        ("lucb", "what its own ratings say about"),
    ):
        assert whose in said.reading(why(traces[name], traces[name].eliminations[0].arm), WORDS)
    guard = [why(traces["c_lucb_guard"], out.arm) for out in traces["c_lucb_guard"].eliminations]
    some = [info for info in guard if 1 < np.isfinite(info.said).sum() < len(info.said)]
    assert some
    for info in some:
        assert "what the ratings of each genre that counts say about" in said.reading(info, WORDS)


def test_figures_show_every_source_and_every_arrow(traces):
    trace = traces["c_lucb"]
    out = next(out for out in trace.eliminations if out.by != out.arm)
    figure = why_sources.draw(why(trace, out.arm), WORDS)
    assert len(figure.data[-1].x) == 18
    symbols = figure.data[-1].marker.symbol
    assert why_sources.rows_of(why(trace, out.arm))[symbols.index("diamond")] == out.by
    assert trace.problem.arms[out.by] in why_sources.alt_text(why(trace, out.arm), WORDS)
    arrows = [note for note in eliminations.draw(trace, WORDS).layout.annotations if note.showarrow]
    assert len(arrows) == sum(one.by != one.arm for one in trace.eliminations)
    assert "ruled out" in eliminations.alt_text(trace, WORDS)
    assert "no genre" in eliminations.alt_text(traces["lucb_pp"], WORDS)


def test_bars_of_evidence_have_their_sum_on_top(traces):
    trace = traces["c_lucb_bet"]
    info = why(trace, trace.eliminations[-1].arm)
    bars = why_sources.draw(info, WORDS).data[0]
    assert len(bars.x) == 19
    assert bars.x[0] >= info.needed
    assert "all together" in why_sources.alt_text(info, WORDS)
    alone = why(traces["lucb_pp_bet"], traces["lucb_pp_bet"].eliminations[-1].arm)
    assert len(why_sources.draw(alone, WORDS).data[0].x) == 1


def test_an_arm_outside_the_range_is_named(traces):
    with pytest.raises(ValueError, match="arm must be a whole number from 0 to 17, got 18"):
        why(traces["lucb"], 18)


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_the_page_explains_every_arm(name):
    problem = cbai.load_problem(name)
    for arm in (problem.arms[problem.best_arm], problem.arms[problem.ranking[-1]]):
        app = visit("race", data=cbai.DATASETS[name].title, why=arm, q="0.1", **SMALL)
        assert not app.exception
        assert arm in all_words(app.main)
        app.segmented_control(key="why_by").set_value(
            app.segmented_control(key="why_by").options[-1]
        ).run()
        assert not app.exception


@pytest.mark.parametrize("title", [row.title for row in cbai.ALGORITHMS.values()])
def test_the_page_explains_every_algorithm(title):
    app = visit("race", data=cbai.DATASETS["drug-trial"].title, algorithms=[title], **SMALL)
    assert not app.exception
    assert any(f"Why {verb} " in all_words(app.main) for verb in ("was", "is"))
