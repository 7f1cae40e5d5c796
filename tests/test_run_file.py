"""A run as JSON: there and back, repeated to the sample, and strict about everything else."""

from __future__ import annotations

import copy
import io
import json
import re
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from cbai.__main__ import main
from cbai.results import run_file
from cbai.results.digest import differences, give
from cbai.results.export import parquet
from cbai.results.run_file import from_json, repeat, to_json
from strategies import compositions, problems

TWO_ARMS = "paper-two-arms"
NAMES = ["lucb", "c_lucb", "c_lucb_bet", "lucb@kl_lucb"]


def run(problem=None, algorithms=NAMES, **changes):
    chosen = {"delta": 0.1, "trials": 4, "seed": 3, "p": 0.2, "q": 0.05, "max_samples": 20_000}
    problem = problem or cbai.load_problem(TWO_ARMS)
    return cbai.simulate(problem, algorithms, **(chosen | changes))


@pytest.fixture(scope="module")
def trials():
    return run()


@pytest.fixture(scope="module")
def own(trials):
    return json.loads(to_json(trials))


@pytest.fixture(scope="module")
def named(trials):
    return json.loads(to_json(trials, TWO_ARMS, {"table": "a"}))


def same(one, other):
    names = ("status", "best_arm", "samples", "rounds", "pulls", "eliminated_at")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("dataset", ["", TWO_ARMS])
def test_a_run_is_repeated_to_the_sample(trials, dataset):
    read = from_json(to_json(trials, dataset))
    again = repeat(read)
    assert same(trials, again)
    assert read.problem.fingerprint == read.fingerprint == trials.problem.fingerprint
    assert (read.dataset, read.version) == (dataset, cbai.__version__)
    assert differences(read.given, give(again)) == []
    assert to_json(again, dataset) == to_json(trials, dataset)


def test_epsilon_and_the_first_trial_are_kept():
    before = run(epsilon=0.2, first_trial=7)
    read = from_json(to_json(before))
    assert (read.settings["epsilon"], read.settings["first_trial"]) == (0.2, 7)
    assert same(before, repeat(read))


def test_everything_that_a_run_depends_on_is_in_the_file():
    outcomes = {"status", "best_arm", "samples", "rounds", "pulls", "eliminated_at"}
    parameters = {field.name for field in fields(cbai.Trials)} - outcomes
    assert parameters == {"problem", "algorithms", *run_file.SETTINGS} - {"trials"}
    given = {field.name.replace("_pseudo", "pseudo_rewards") for field in fields(cbai.Problem)}
    assert given == set(run_file.OWN)


def test_both_sides_and_the_best_few_are_kept():
    problem = cbai.load_problem("goodreads-poetry", selection="title")
    assert problem.pseudo_lower is not None
    before = run(problem, ["lucb", "c_lucb"], top=3, trials=2, q=0.1)
    read = from_json(to_json(before))
    assert read.problem.fingerprint == problem.fingerprint
    assert read.settings["top"] == 3
    assert same(before, repeat(read))
    mixed = json.loads(to_json(before)) | {"algorithms": ["racing"], "results": []}
    assert "For top = 3" in complaint(json.dumps(mixed))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    problems,
    st.lists(st.sampled_from([*cbai.ALGORITHMS, "lucb@lil"]), min_size=1, unique=True),
    compositions,
    st.fixed_dictionaries(
        {
            "delta": st.floats(1e-9, 0.999),
            "p": st.floats(0.0, 1.0),
            "seed": st.integers(0, 2**63 - 1),
            "first_trial": st.integers(0, 2**31),
            "max_samples": st.integers(12, 10**15),
        }
    ),
)
def test_any_run_comes_back_as_it_was(problem, names, composed, chosen):
    rows = tuple(cbai.simulation.find(name) for name in [*names, composed.name])
    some = run(problem, ["racing"], trials=1, max_samples=50, q=0.0)
    some = replace(some, algorithms=rows, **chosen, **{
        name: np.repeat(getattr(some, name), len(rows), axis=0)
        for name in ("status", "best_arm", "samples", "rounds", "pulls", "eliminated_at")
    })  # fmt: skip
    read = from_json(to_json(some))
    assert read.problem.fingerprint == problem.fingerprint
    assert read.algorithms == tuple(row.name for row in rows)
    assert {name: read.settings[name] for name in chosen} == chosen
    assert read.given == give(some)


# ---------------------------------------------------------------- what differs


def test_a_single_other_sample_is_noticed(trials):
    samples = trials.samples.copy()
    samples[1, 2] += 1
    samples[1, 3] -= 1
    said = differences(give(trials), give(replace(trials, samples=samples)))
    assert said == ["c_lucb: the same on average, but single runs differ"]


@pytest.mark.parametrize("table", ["status", "best_arm", "rounds", "pulls", "eliminated_at"])
def test_every_table_counts(trials, table):
    other = getattr(trials, table).copy()
    other[0, 0] = "budget" if table == "status" else other[0, 0] + 1
    said = differences(give(trials), give(replace(trials, **{table: other})))
    assert len(said) == 1
    assert said[0].startswith("lucb: ")


def test_another_seed_is_another_run(trials):
    assert len(differences(give(trials), give(run(seed=4)))) == len(NAMES)


# ---------------------------------------------------------------- strict

MISSING = object()
BAD = {
    "another layout": (["schema"], "cbai-run-9", "schema.*cbai-run-1.*cbai-run-9"),
    "no layout": (["schema"], MISSING, "key 'schema'"),
    "unknown key": (["speed"], 1, "keys.*'speed'"),
    "delta 0": (["delta"], 0, r"delta.*\[1e-100, 1\).*0"),
    "delta as text": (["delta"], "0.1", "delta.*number.*'0.1'"),
    "delta true": (["delta"], True, "delta.*number.*True"),
    "p": (["p"], 1.5, r"p must.*\[0, 1\].*1.5"),
    "q": (["q"], 7, r"q must.*\[0, 1\].*7"),
    "epsilon": (["epsilon"], -0.1, r"epsilon.*\[0, 1\].*-0.1"),
    "top": (["top"], 2, "top.*from 1 to 1.*2"),
    "half a trial": (["trials"], 10.0, "trials.*whole.*10.0"),
    "no trial": (["trials"], 0, "trials.*from 1"),
    "huge": (["trials"], 20_000_000, "at most 20,000,000, got"),
    "seed": (["seed"], -1, "seed.*-1"),
    "budget": (["max_samples"], 1, "max_samples.*from 2"),
    "first trial": (["first_trial"], 2**32, "first_trial.*from 0"),
    "algorithms a text": (["algorithms"], "lucb", "algorithms.*list.*'lucb'"),
    "no algorithm": (["algorithms"], [], "algorithms.*list of 1"),
    "unknown algorithm": (["algorithms", 0], "best", "algorithm.*one of.*'best'"),
    "algorithm a number": (["algorithms", 0], 5, "algorithm.*text.*5"),
    "recipe": (["algorithms", 0], "lab:mean", "9 choices.*'mean'"),
    "twice": (["algorithms", 0], "c_lucb", "different names"),
    "results of another": (["results", 0, "algorithm"], "racing", "results.*racing"),
    "results a number": (["results"], 3, "results.*list.*3"),
    "result a number": (["results", 0], 3, "results.*object.*3"),
    "result without digest": (["results", 0, "digest"], MISSING, "key 'digest'"),
    "wrong above all": (["results", 0, "wrong"], 99, "wrong.*0 to 4.*99"),
    "problem a text": (["problem"], "movielens", "problem.*object.*'movielens'"),
    "arms numbers": (["problem", "arms"], [1, 2], "arms.*names"),
    "one arm": (["problem", "arms"], ["a"], "arms.*at least 2"),
    "probabilities": (["problem", "probabilities", 0, 0], 0.9, "probabilities.*sum to 1"),
    "true among numbers": (["problem", "values", 0], False, "values.*numbers.*False"),
    "text among numbers": (["problem", "values", 0], "0", "values.*numbers.*'0'"),
    "null": (["problem", "pseudo_rewards", 0, 1, 0], None, "pseudo_rewards.*None"),
    "ragged": (["problem", "probabilities", 0], [1.0], "probabilities.*shape"),
    "own bound": (["problem", "pseudo_rewards", 0, 0, 0], 0.5, "pseudo_rewards.*equal values"),
    "reward_max": (["problem", "reward_max"], 0, "reward_max.*0"),
    "fingerprint": (["problem", "fingerprint"], 5, "fingerprint.*text.*5"),
}  # fmt: skip


def changed(content, path, value):
    content = copy.deepcopy(content)
    place = content
    for key in path[:-1]:
        place = place[key]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return content


def complaint(source):
    with pytest.raises(ValueError, match=r"\S") as caught:
        from_json(source)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) <= run_file.LONGEST_COMPLAINT
    return said


@pytest.mark.parametrize(("path", "value", "said"), BAD.values(), ids=BAD)
def test_a_bad_file_gets_one_sentence(own, path, value, said):
    assert re.search(said, complaint(json.dumps(changed(own, path, value))), re.DOTALL)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["problem", "dataset"], "movielens-9m", "dataset must be one of"),
        (["problem", "dataset"], ["movielens-1m"], "dataset must be one of"),
        (["problem", "options"], {"name": "x"}, "options of paper-two-arms must be table; got"),
        (["problem", "options"], {"table": "z"}, "table must be one of"),
        (["problem", "options"], {"table": ["a"]}, "table must be one of"),
        (["problem", "options"], [], "options must be an object"),
        (["problem", "arms"], ["a", "b"], "got 'arms'"),
    ],
)
def test_a_data_set_that_is_none_gets_one_sentence(named, path, value, said):
    assert said in complaint(json.dumps(changed(named, path, value)))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "object"),
        ("null", "object"),
        ("NaN", "finite"),
        ('{"p": Infinity}', "finite"),
        ('{"p": 1, "p": 2}', "'p' more than once"),
        ("[" * 100_000, "nested too deeply"),
        ('{"seed": ' + "9" * 5_000 + "}", "digits"),
        ('{"schema": "' + "x" * 5_000 + '"}', "must have the key|must be"),
    ],
    ids=["empty", "torn", "list", "null", "NaN", "infinity", "twice", "deep", "long", "text"],
)
def test_what_is_no_run_gets_one_sentence(source, said):
    assert any(part in complaint(source) for part in said.split("|"))


def test_a_file_beyond_all_measure_is_not_read(monkeypatch):
    monkeypatch.setattr(run_file, "LARGEST_FILE", 100)
    assert "at most 100 characters, got 101" in complaint("x" * 101)


def test_numbers_beyond_a_float_are_refused(own):
    for number in ("1e999", "-1e999"):
        text = json.dumps(changed(own, ["problem", "values", 0], "HERE"))
        assert "finite" in complaint(text.replace('"HERE"', number))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def paths(content, at=()):
    entries = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in entries:
        yield [*at, key]
        if isinstance(value, (dict, list)):
            yield from paths(value, (*at, key))


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.data())
def test_any_change_is_a_run_or_one_sentence(own, named, data):
    content = data.draw(st.sampled_from([own, named]))
    path = data.draw(st.sampled_from(list(paths(content))))
    source = json.dumps(changed(content, path, data.draw(json_values)))
    try:
        read = from_json(source)
    except ValueError:
        complaint(source)
    else:
        assert set(read.settings) == set(run_file.SETTINGS)


def test_a_row_of_ones_own_and_another_data_set_can_not_be_written(trials):
    row = replace(cbai.ALGORITHMS["lucb"], name="mine")
    with pytest.raises(ValueError, match="'mine'"):
        to_json(replace(trials, algorithms=(row, *trials.algorithms[1:])))
    with pytest.raises(ValueError, match="dataset must name the data set of the run"):
        to_json(trials, "paper-three-arms")


# ---------------------------------------------------------------- the command


@pytest.fixture
def file(trials, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(to_json(trials, TWO_ARMS), encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_command_repeats_a_run(trials, file, tmp_path, capsys, ending):
    out = tmp_path / f"result.{ending}"
    main(["run", str(file), "--out", str(out)])
    said = capsys.readouterr().out
    assert "The same, sample by sample." in said
    assert f"C-LUCB: {trials.samples[1].mean():,.1f} samples on average" in said
    read = pd.read_csv if ending == "csv" else pd.read_parquet
    pd.testing.assert_frame_equal(read(out), trials.to_frame(), check_dtype=False)


def test_the_command_says_what_differs(file, capsys):
    content = json.loads(file.read_text())
    content["seed"] += 1
    file.write_text(json.dumps(content))
    with pytest.raises(SystemExit) as left:
        main(["run", str(file)])
    assert left.value.code == 1
    said = capsys.readouterr().out
    assert "Not the same" in said
    assert "c_lucb: mean samples" in said


@pytest.mark.parametrize(("key", "value"), [("wrong", 1), ("mean_samples", 12345.0)])
def test_the_command_says_that_what_a_file_states_is_not_what_came_out(file, capsys, key, value):
    content = json.loads(file.read_text())
    content["results"][1][key] = value
    file.write_text(json.dumps(content))
    with pytest.raises(SystemExit) as left:
        main(["run", str(file)])
    assert left.value.code == 1
    assert f"{key.replace('_', ' ')} {value:,} then" in capsys.readouterr().out


def test_the_command_says_that_the_problem_is_another(trials, tmp_path, capsys):
    path = tmp_path / "own.json"
    content = json.loads(to_json(trials))
    content["problem"]["pseudo_rewards"][0][1][0] -= 0.05
    path.write_text(json.dumps(content))
    with pytest.raises(SystemExit):
        main(["run", str(path)])
    assert "the problem: fingerprint" in capsys.readouterr().out


def test_a_file_without_results_is_played_all_the_same(file, capsys):
    content = json.loads(file.read_text())
    del content["results"]
    file.write_text(json.dumps(content))
    main(["run", str(file)])
    assert "nothing to compare" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "out", "said"),
    [
        (None, None, "must be a file to read"),
        (b"\xff\xfe\x00", None, "bytes that are not text"),
        (b'{"schema": "other"}', None, "must have the key"),
        ("good", "result.xlsx", "must end in .csv or .parquet"),
        ("good", "nowhere/result.csv", "an existing folder"),
    ],
    ids=["missing", "binary", "no run", "ending", "folder"],
)
def test_the_command_meets_bad_input_with_a_sentence(file, capsys, content, out, said):
    if content is None:
        file.unlink()
    elif content != "good":
        file.write_bytes(content)
    more = [] if out is None else ["--out", str(file.parent / out)]
    with pytest.raises(SystemExit) as left:
        main(["run", str(file), *more])
    assert left.value.code == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert "Traceback" not in errors


def test_parquet_keeps_types_and_names(trials):
    frame = trials.to_frame().rename(columns={"pulls: arm 1": "=SUM(A1)"})
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(parquet(frame))), frame)
