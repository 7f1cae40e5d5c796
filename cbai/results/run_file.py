"""A run as JSON: everything that is needed to repeat it, and its results.

The file names a built-in data set or holds a problem. ``python -m cbai run FILE`` can repeat it on
any machine that has this library, without the app.

msgspec was tried for the checks. Its messages do not quote the value, and it accepts a key that
occurs twice. 19 of the 38 bad files in the tests would still need the checks of this file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import cbai
from cbai import checks
from cbai.checks import quoted
from cbai.datasets import DATASETS, load_problem
from cbai.problem import Problem
from cbai.results.digest import Given, give
from cbai.results.strict import shape, text, whole_number
from cbai.simulation import Algorithm, Trials, find, simulate
from cbai.simulation.plan import plan_for
from cbai.simulation.rules.names import check_different

SCHEMA = "cbai-run-1"
"""The version of the format; a file with another version is refused."""

LARGEST_FILE = 50_000_000
"""The most characters of a file."""

LARGEST_RUN = 20_000_000
"""The most algorithms times trials times arms; a run keeps this much in memory."""

MOST_ALGORITHMS = 100
LONGEST_COMPLAINT = 300

SETTINGS = ("delta", "p", "q", "epsilon", "top", "trials", "seed", "max_samples", "first_trial")
KEYS = ("schema", "cbai", "problem", "algorithms", *SETTINGS)
OWN = ("arms", "values", "probabilities", "pseudo_rewards", "reward_max", "pseudo_lower")
OPTIONAL = ("pseudo_lower",)
LISTS = ("values", "probabilities", "pseudo_rewards", "pseudo_lower")


@dataclass(frozen=True, eq=False)
class RunFile:
    """A run that can be repeated.

    Attributes
    ----------
    problem : Problem
        Before p and q.
    dataset : str
        The id of the built-in data set; empty if the file holds the problem.
    options : mapping of str to str
        The choices among the data set's own options.
    fingerprint : str
        The fingerprint of the problem when the file was written; empty if the file has none.
    algorithms : tuple of str
        Names that `cbai.simulation.find` knows.
    settings : mapping of str to int or float
        The settings named in `SETTINGS`, as in `cbai.simulate`.
    version : str
        The version of the library that wrote the file.
    given : tuple of Given
        The results, one entry for each algorithm; empty if the file has none.
    """

    problem: Problem
    dataset: str
    options: Mapping[str, str]
    fingerprint: str
    algorithms: tuple[str, ...]
    settings: Mapping[str, Any]
    version: str
    given: tuple[Given, ...] = field(default=())


def to_json(trials: Trials, dataset: str = "", options: Mapping[str, str] | None = None) -> str:
    """Return a run as JSON, with its results.

    Parameters
    ----------
    trials : Trials
        The run.
    dataset : str
        The id of the built-in data set, which the file then names. If it is empty, the file holds
        the problem itself.
    options : mapping of str to str, optional
        The choices among the data set's own options.

    Raises
    ------
    ValueError
        If an algorithm cannot be found by its name, the data set is not the problem of the run, or
        the run is too large.
    """
    for row in trials.algorithms:
        _check_known(row)
    problem: dict[str, Any] = {"fingerprint": trials.problem.fingerprint}
    if dataset:
        known = _built_in(dataset, options or {})
        if known.fingerprint != trials.problem.fingerprint:
            raise ValueError(
                f"dataset must name the data set of the run, got {quoted(dataset)}, which has "
                "another problem."
            )
        problem |= {"dataset": dataset, "options": dict(options or {})}
    else:
        problem |= _written_out(trials.problem)
    content = {
        "schema": SCHEMA,
        "cbai": cbai.__version__,
        "problem": problem,
        "algorithms": [row.name for row in trials.algorithms],
        **{name: getattr(trials, name) for name in SETTINGS if name != "trials"},
        "trials": trials.samples.shape[1],
        "results": [given.to_dict() for given in give(trials)],
    }
    _check_size(len(trials.algorithms), trials.samples.shape[1], trials.problem.n_arms)
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def from_json(source: str) -> RunFile:
    """Read a run from JSON and check all of it.

    Raises
    ------
    ValueError
        If the text is not JSON, a key is missing or unknown, a type is wrong, a value is outside
        its range, the problem is not valid, or the run is too large. The message quotes what is
        wrong and says what is allowed.
    """
    try:
        return _read(source)
    except ValueError as error:
        said = str(error)
        if len(said) > LONGEST_COMPLAINT:
            said = f"{said[: LONGEST_COMPLAINT - 2].rstrip()} …"
        raise ValueError(said) from None


def repeat(
    run: RunFile,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Trials:
    """Play the run again; see `cbai.simulate` for the executor and the progress."""
    trials: Trials = simulate(
        run.problem, run.algorithms, executor=executor, progress=progress, **run.settings
    )
    return trials


def _read(source: str) -> RunFile:
    content = shape("The file", parse(source), KEYS, optional=("cbai", "results"))
    if content["schema"] != SCHEMA:
        raise ValueError(f"schema must be {SCHEMA!r}, got {quoted(content['schema'])}.")
    problem, dataset, options, fingerprint = _read_problem(content["problem"])
    algorithms = _read_algorithms(content["algorithms"])
    settings = _read_settings(content, problem, algorithms)
    _check_size(len(algorithms), settings["trials"], problem.n_arms)
    given = content.get("results", [])
    if not isinstance(given, list):
        raise ValueError(f"results must be a list, got {quoted(given)}.")
    results = tuple(Given.from_dict(entry) for entry in given)
    if results and tuple(entry.algorithm for entry in results) != algorithms:
        names = ", ".join(entry.algorithm for entry in results)
        raise ValueError(f"results must be those of {', '.join(algorithms)}, got {names}.")
    version = text("cbai", content.get("cbai", ""), 50)
    return RunFile(problem, dataset, options, fingerprint, algorithms, settings, version, results)


def parse(source: str) -> Any:
    """Return what a JSON text holds. NaN, infinity and repeated keys are refused.

    Raises
    ------
    ValueError
        If the text is not allowed, or longer than `LARGEST_FILE`.
    """
    if len(source) > LARGEST_FILE:
        raise ValueError(
            f"The file must have at most {LARGEST_FILE:,} characters, got {len(source):,}."
        )
    try:
        return json.loads(
            source,
            parse_constant=_no_constant,
            parse_int=whole_number,
            object_pairs_hook=_no_key_twice,
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            f"The file must be JSON, got a text that is not: {error.msg} in line {error.lineno}."
        ) from None
    except RecursionError:
        raise ValueError("The file must be a run, got lists that are nested too deeply.") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"Numbers must be finite, got {name}.")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"Every key must occur once, got {quoted(key)} more than once.")
        found[key] = value
    return found


def _read_problem(content: Any) -> tuple[Problem, str, dict[str, str], str]:
    named = isinstance(content, dict) and "dataset" in content
    keys, optional = (("dataset",), ("options",)) if named else (OWN, OPTIONAL)
    found = shape("problem", content, keys, optional=("fingerprint", *optional))
    fingerprint = text("fingerprint", found.get("fingerprint", ""), 64)
    if not named:
        return _own(found), "", {}, fingerprint
    options = found.get("options", {})
    if not isinstance(options, dict):
        raise ValueError(f"options must be an object, got {quoted(options)}.")
    return _built_in(found["dataset"], options), found["dataset"], options, fingerprint


def _built_in(dataset: Any, options: Mapping[str, Any]) -> Problem:
    row = DATASETS[checks.one_of("dataset", dataset, DATASETS)]
    for name, value in options.items():
        if name not in row.options:
            allowed = ", ".join(row.options) or "no options"
            raise ValueError(f"options of {dataset} must be {allowed}; got {quoted(name)}.")
        checks.one_of(name, value, row.options[name])
    return load_problem(dataset, **options)


def _own(found: Mapping[str, Any]) -> Problem:
    arms = found["arms"]
    if not isinstance(arms, list) or not all(isinstance(name, str) for name in arms):
        raise ValueError(f"arms must be a list of names, got {quoted(arms)}.")
    for name in LISTS:
        if name in found:
            _only_numbers(name, found[name])
    return Problem(**{name: found[name] for name in OWN if name in found})


def _only_numbers(name: str, value: Any) -> None:
    """Check that lists hold numbers, neither texts nor true and false."""
    waiting = [value]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, list):
            waiting += entry
        elif isinstance(entry, bool) or not isinstance(entry, (int, float)):
            raise ValueError(f"{name} must be lists of numbers, got {quoted(entry)} among them.")


def _written_out(problem: Problem) -> dict[str, Any]:
    lower = problem.pseudo_lower
    return {
        "arms": list(problem.arms),
        "values": problem.values.tolist(),
        "probabilities": problem.probabilities.tolist(),
        "reward_max": problem.reward_max,
        **(
            {"pseudo_rewards": problem.pseudo_rewards.tolist()}
            if problem.has_pseudo_rewards
            else {}
        ),
        **({} if lower is None else {"pseudo_lower": lower.tolist()}),
    }


def _read_algorithms(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_ALGORITHMS:
        raise ValueError(
            f"algorithms must be a list of 1 to {MOST_ALGORITHMS} names, got {quoted(names)}."
        )
    found = tuple(find(text("algorithm", name, 200)).name for name in names)
    check_different(found)
    return found


def _check_known(row: Algorithm) -> None:
    try:
        known = find(row.name)
    except ValueError:
        known = None
    if known != row:
        raise ValueError(
            f"algorithms must be known by their names, got {quoted(row.name)}: a row that is not "
            "in the table can't be repeated from a file."
        )


def _read_settings(
    content: Mapping[str, Any], problem: Problem, algorithms: tuple[str, ...]
) -> dict[str, Any]:
    """Check what `simulate` would check, before anything is played."""
    trials = checks.whole("trials", content["trials"], 1, LARGEST_RUN)
    first = checks.whole("first_trial", content["first_trial"], 0, 2**32 - trials)
    asked = {name: content[name] for name in SETTINGS if name not in ("trials", "first_trial")}
    plans = [plan_for(problem, name, **asked) for name in algorithms]
    plan = plans[0]
    checked = {name: getattr(plan, name) for name in asked if name != "q"}
    return {**checked, "q": float(asked["q"]), "trials": trials, "first_trial": first}


def _check_size(n_algorithms: int, n_trials: int, n_arms: int) -> None:
    size = n_algorithms * n_trials * n_arms
    if size > LARGEST_RUN:
        raise ValueError(
            f"algorithms times trials times arms must be at most {LARGEST_RUN:,}, got {size:,}."
        )
