"""The paper's tables and figures: its numbers, ours, and that the stored run comes out again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import cbai
from cbai.reproduce import EXPERIMENTS, run
from cbai.reproduce.assignments import TABLES
from cbai.reproduce.charts import SHIPPED_GENRE_SEED
from cbai.reproduce.experiments import MAX_SAMPLES, PRINTED, SEED, TRIALS
from cbai.reproduce.explain import CLOSE, explain
from cbai.reproduce.run import RESULTS, frame
from cbai.reproduce.sections import numbers, reasons, three_digits
from cbai.reproduce.stored import ASSIGNMENTS, read_csv, stored, to_csv
from cbai.reproduce.verdict import spread_errors, spread_verdict, verdict, wrong_answers
from cbai.results import clopper_pearson
from cbai.simulation import find

TABLE_3 = {
    "racing@even_dar": 577209.4, "racing@lil": 120498.5, "racing@kl_racing": 147780.4,
    "racing": 82504.7, "lucb@kk_lucb": 219510.2, "lucb@lil": 90523.0, "lucb@kl_lucb": 81154.4,
    "lucb": 62533.2, "lil_ucb": 140987.0, "lucb_pp@lil_kl_lucb": 92000.0, "lucb_pp": 55138.8,
}  # fmt: skip
TABLE_4 = {"c_lucb": 39277.8, "maxmin_lucb": 36314.2, "two_lucb": 39385.8, "lucb": 61175.4}
"""Copied from the paper's Tables 3 and 4 (arXiv:2109.04941), apart from the code."""


@pytest.fixture(scope="module")
def small():
    """Table 1 with ten trials."""
    return run("table1", trials=10, seed=3)


@pytest.fixture(scope="module")
def table3():
    return stored("table3")


# ---------------------------------------------------------------- the table of experiments


def test_every_number_that_the_paper_prints_is_there_once():
    for source, expected in [("Table 3", TABLE_3), ("Table 4", TABLE_4)]:
        assert {row.algorithm: row.samples for row in PRINTED if row.source == source} == expected
    assert len(PRINTED) == len(TABLE_3) + len(TABLE_4)


def test_the_settings_are_those_of_the_paper():
    def settings(name, field):
        return [getattr(setting, field) for setting in EXPERIMENTS[name].settings]

    assert settings("fig1", "delta") == [0.10, 0.06, 0.02, 0.01]
    assert set(settings("fig1", "p")) == {0.2}
    assert settings("fig4", "p") == [0.10, 0.25, 0.35, 1.0]
    assert settings("fig5", "q") == [0.1, 0.1]
    for name in ("table3", "table4", "fig4", "fig5"):
        assert set(settings(name, "delta")) == {0.01}
    for name in ("fig1", "table4", "fig4"):
        assert set(settings(name, "q")) == {0.0}


@pytest.mark.parametrize("row", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_every_experiment_can_be_played_and_has_lucb_to_compare_with(row):
    assert "lucb" in row.algorithms
    for name in row.algorithms:
        assert find(name).name == name
    for setting in row.settings:
        assert row.problem(setting).n_arms >= 2


def test_a_figure_takes_numbers_only_from_tables_with_its_setting():
    row = EXPERIMENTS["fig1"]
    printed = {
        (setting.delta, name): row.printed(setting, name).samples
        for setting, name in row.jobs()
        if row.printed(setting, name)
    }
    expected = {name: TABLE_3[name] for name in ("racing", "lil_ucb", "lucb_pp")}
    expected |= {name: TABLE_4[name] for name in ("lucb", "c_lucb")}
    assert printed == {(0.01, name): samples for name, samples in expected.items()}


# ---------------------------------------------------------------- a run


def test_a_run_is_what_the_library_simulates(small):
    row = EXPERIMENTS["table1"]
    for line, (setting, name) in zip(small.to_dict("records"), row.jobs(), strict=True):
        problem = cbai.load_problem("paper-two-arms", **dict(setting.options))
        trials = cbai.simulate(
            problem, [name], 0.01, trials=10, seed=3, p=0.0, q=0.0, max_samples=MAX_SAMPLES
        )
        assert line["mean"] == np.mean(trials.samples)
        assert line["two_sigma"] == pytest.approx(2.0 * np.std(trials.samples, ddof=1))
        assert line["errors"] == trials.wrong.sum()
        rate = clopper_pearson(int(trials.wrong.sum()), 10)
        assert (line["error_low"], line["error_high"]) == (rate.low, rate.high)
        assert line["best"] == problem.arms[problem.best_arm]
    assert list(small["relative"][small["algorithm"] == "lucb"]) == [1.0, 1.0]


def test_progress_counts_every_trial():
    seen = []
    run("table1", trials=5, progress=lambda what, done, total: seen.append((done, total)))
    assert seen[-1] == (20, 20)
    assert seen == sorted(seen)


def test_trials_that_ran_out_have_no_proportion():
    row = replace(EXPERIMENTS["table1"], settings=EXPERIMENTS["table1"].settings[:1])
    problem = cbai.load_problem("paper-two-arms")
    runs = [
        cbai.simulate(problem, [name], 0.01, trials=3, max_samples=50) for name in row.algorithms
    ]
    found = frame(row, runs)
    assert found["relative"].isna().all()
    assert all("lower bound" in text for text in found["explanation"])
    assert "no fair comparison" in verdict(found)


# ---------------------------------------------------------------- the stored run


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_stored_run_has_the_parameters_of_the_table(name):
    row, found = EXPERIMENTS[name], stored(name)
    assert list(zip(found["delta"], found["p"], found["q"], found["algorithm"], strict=True)) == [
        (setting.delta, setting.p, setting.q, algorithm) for setting, algorithm in row.jobs()
    ]
    assert set(found["trials"]) == {TRIALS}
    assert set(found["seed"]) == {SEED}
    assert set(found["max_samples"]) == {MAX_SAMPLES}
    assert list(found["explanation"]) == [explain(line) for line in found.to_dict("records")]
    assert not found["budget"].any()


@pytest.mark.parametrize("name", ["table1", "table4"])
def test_the_stored_run_comes_out_again_to_the_sample(name):
    pd.testing.assert_frame_equal(run(name), stored(name), check_dtype=False, check_exact=True)


def test_the_genre_assignment_that_ships_comes_out_again_without_the_raw_ratings():
    found = stored(ASSIGNMENTS)
    trials = int(found["trials"].iloc[0])
    ours = found[found["genre_seed"] == SHIPPED_GENRE_SEED].set_index(["experiment", "algorithm"])
    for table in TABLES:
        again = run(table, trials=trials).set_index("algorithm")
        for name, line in again.iterrows():
            assert list(ours.loc[(table, name), RESULTS]) == list(line[RESULTS])


def test_no_genre_assignment_is_left_out():
    found = stored(ASSIGNMENTS)
    for table in TABLES:
        part = found[found["experiment"] == table]
        assert list(part["genre_seed"].unique()) == list(range(20))
        assert len(part) == 20 * len(EXPERIMENTS[table].algorithms)
        for _, rows in part.groupby("genre_seed"):
            assert list(rows["algorithm"]) == list(EXPERIMENTS[table].algorithms)
    budget = found[found["budget"] > 0]
    assert budget["relative"].isna().all()


# ---------------------------------------------------------------- words


def test_the_answer_counts_the_rows_in_proportion(table3):
    rows = table3[table3["algorithm"] != "lucb"]
    off = (rows["relative"] / rows["printed_relative"] - 1.0).abs()
    text = verdict(table3)
    assert f"{(off <= CLOSE).sum()} of {len(rows)} rows" in text
    for label in rows["label"][off > CLOSE]:
        assert label in text


def test_explanations_name_the_reason(table3):
    texts = table3.set_index("algorithm")["explanation"]
    lucb = table3.set_index("algorithm").loc["lucb"]
    implied = lucb["gap"] * np.sqrt(lucb["mean"] / TABLE_3["lucb"])
    assert f"{implied:.3f}" in texts["lucb"]
    assert "factor 2" in texts["lucb@kl_lucb"]
    assert "κ" in texts["lucb_pp@lil_kl_lucb"]
    assert texts["racing@even_dar"].startswith("Out of proportion")
    assert texts["racing"].startswith("In proportion")


def test_other_draws_of_the_genres_are_summed_up():
    found = stored(ASSIGNMENTS)
    variants = found[found["experiment"] == "table4"]
    others = variants[variants["algorithm"] != "lucb"]
    # what the explanations of Table 4 say: in nearly every draw more is ruled out
    assert (others["relative"] < others["printed_relative"]).mean() > 0.9
    lucb = variants.loc[variants["algorithm"] == "lucb", "mean"]
    text = spread_verdict(variants)
    assert f"in {(lucb > TABLE_4['lucb']).sum()} of 20" in text
    by = others.groupby("label")["relative"]
    paper = others.groupby("label")["printed_relative"].first()
    outside = (by.max() < paper) | (by.min() > paper)
    assert f"{(~outside).sum()} of 3 rows" in text
    assert all(label in text for label in paper.index[outside])


def test_draws_with_many_wrong_answers_are_named():
    found = stored(ASSIGNMENTS)
    bad = found[found["error_low"] > 0.01]
    text = spread_errors(found)
    assert len(bad)
    for row in bad.to_dict("records"):
        assert f"seed {row['genre_seed']} " in text
        assert f"{row['label']} {row['errors']}" in text
    assert spread_errors(found.assign(error_low=0.0)) == ""


def test_wrong_answers_are_told_with_their_interval(small):
    assert "0 of 10" in wrong_answers(small)
    spoiled = small.assign(errors=[0, 0, 3, 0])
    assert "3 of 10" in wrong_answers(spoiled)


def test_tables_for_readers(table3):
    table = numbers(table3)
    assert list(table["Paper"]) == sorted(three_digits(x) for x in TABLE_3.values())
    assert len(reasons(table3)) == len(TABLE_3)
    assert reasons(stored("fig4")).empty
    wide = numbers(stored("fig1"))
    assert list(wide["Algorithm"])[:2] == ["Racing", "lil'UCB"]
    assert wide.shape == (6, 6)
    assert [three_digits(x) for x in (0.0, 98511.25, 1234.0)] == [0.0, 98500.0, 1230.0]


# ---------------------------------------------------------------- files


def test_a_table_comes_back_from_its_file_as_it_was(small, tmp_path):
    path = tmp_path / "table1.csv"
    path.write_bytes(to_csv(small))
    pd.testing.assert_frame_equal(read_csv(path), small, check_dtype=False, check_exact=True)


def test_a_missing_stored_run_is_said(tmp_path):
    with pytest.raises(ValueError, match=r"table3\.csv must be in"):
        stored("table3", tmp_path)
