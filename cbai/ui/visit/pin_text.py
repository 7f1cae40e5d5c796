"""Pinned setups as one short text for a link, read strictly; independent of the session.

``data.movielens-1m~p.0.4~~data.movielens-1m~algorithms.lucb.c_lucb`` are two setups. ``~~``
separates setups, ``~`` separates settings, and a dot follows the name of a setting. Settings at
their default are left out, except for the data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cbai import checks
from cbai.checks import quoted
from cbai.datasets import DATASETS, Dataset, load_problem
from cbai.figures.base.words import listed
from cbai.problem import Problem
from cbai.simulation import ALGORITHMS, find
from cbai.simulation.rules.names import LAB
from cbai.ui.visit import link_values
from cbai.ui.visit.link_values import read_number, short
from cbai.ui.visit.setup import BUDGETS, DEFAULT, DELTAS, TRIALS, Setup, largest_buffer
from cbai.ui.visit.user_problem import OWN

MOST = 4
LETTERS = "ABCD"
LONGEST = 4000
"""The longest text that is read. Four setups with every algorithm take about 2,000 characters."""
BETWEEN, WITHIN = "~~", "~"
YOURS = "yours"
LARGEST_SEED = 2**31 - 1
MOST_NAMED = 3


@dataclass(frozen=True)
class Pins:
    """What a text holds.

    Attributes
    ----------
    setups : tuple of Setup
        At most `MOST`, all different, in the order of the text.
    complaint : str
        A sentence that says what was left out and why; empty if nothing was.
    """

    setups: tuple[Setup, ...] = ()
    complaint: str = ""


def as_pinned(setup: Setup) -> Setup:
    """Return a setup as it is pinned: with its composed algorithm only if that is chosen."""
    return setup if setup.lab in setup.algorithms else replace(setup, lab=DEFAULT.lab)


def write(setups: Iterable[Setup]) -> str:
    """Return setups as a text of letters, digits and ``. - _ ~``, which `read` reads."""
    return BETWEEN.join(_write(as_pinned(setup)) for setup in setups)


def own_key(problem: Problem) -> str:
    """Return the name of a user's own problem in a text; it reveals nothing about the data."""
    return f"{OWN}-{problem.fingerprint[:12]}"


def read(text: str, own: Mapping[str, Dataset]) -> Pins:
    """Return the setups of a text, and what of it was left out.

    Parameters
    ----------
    text : str
        From any source.
    own : mapping of str to Dataset
        The user's own problems that are known in this session, by `own_key`.
    """
    if len(text) > LONGEST:
        return Pins(
            complaint=f"The pinned setups of this link cannot be read: they have {len(text):,} "
            f"characters, and at most {LONGEST:,} are allowed."
        )
    setups: list[Setup] = []
    left_out = []
    for number, part in enumerate(text.split(BETWEEN) if text else [], 1):
        try:
            if len(setups) == MOST:
                raise ValueError(f"at most {MOST} are allowed")
            setup = _read(part, own)
            if setup in setups:
                raise ValueError(f"the same as {LETTERS[setups.index(setup)]}")
            setups.append(setup)
        except ValueError as error:
            left_out.append(f"number {number} ({str(error).rstrip('.')})")
    return Pins(tuple(setups), _complaint(left_out))


def _complaint(left_out: Sequence[str]) -> str:
    if not left_out:
        return ""
    named = list(left_out[:MOST_NAMED])
    if len(left_out) > MOST_NAMED:
        named.append(f"{len(left_out) - MOST_NAMED} more")
    return f"Some pinned setups in this link are left out: {listed(named)}."


# ---------------------------------------------------------------- one setup


def _write(setup: Setup) -> str:
    mine = setup.dataset_id == OWN
    chosen = [YOURS if name == setup.lab else name for name in setup.algorithms]
    settings = {
        **{name: value for name, value in setup.options if value != _first(setup.dataset, name)},
        "algorithms": "" if setup.algorithms == DEFAULT.algorithms else ".".join(chosen),
        "lab": "" if setup.lab == DEFAULT.lab else setup.lab.removeprefix(LAB),
    }
    for name, field in NUMBERS.items():
        value = getattr(setup, field)
        if value != getattr(DEFAULT, field):
            settings[name] = link_values.write(value)
    data = own_key(setup.problem) if mine else setup.dataset_id
    return WITHIN.join([f"data.{data}", *(f"{k}.{v}" for k, v in settings.items() if v)])


NUMBERS = {"delta": "delta", "p": "p", "q": "q", "trials": "trials", "seed": "seed"} | {
    "budget": "max_samples"
}
"""The numbers of a setup: what a link calls them, and the attribute."""


def _first(dataset: Dataset, option: str) -> str:
    return next(iter(dataset.options[option]))


def _read(part: str, own: Mapping[str, Dataset]) -> Setup:
    settings = _settings(part)
    dataset_id, dataset, problem, options = _problem(settings, own)
    lab = LAB + settings.pop("lab") if "lab" in settings else DEFAULT.lab
    algorithms = DEFAULT.algorithms
    if "algorithms" in settings:
        algorithms = _algorithms(settings.pop("algorithms").split("."), lab)
    values = {}
    for name, field in NUMBERS.items():
        usual = getattr(DEFAULT, field)
        values[field] = read_number(name, settings.pop(name), usual) if name in settings else usual
    if settings:
        raise ValueError(f"{short(next(iter(settings)))} is not a setting")
    checks.real("p", values["p"], 0.0, 1.0)
    checks.real("q", values["q"], 0.0, largest_buffer(problem))
    checks.whole("seed", values["seed"], 0, LARGEST_SEED)
    for name, allowed in (("delta", DELTAS), ("trials", TRIALS), ("budget", BUDGETS)):
        if values[NUMBERS[name]] not in allowed:
            several = ", ".join(f"{one:g}" if one < 1 else f"{one:,}" for one in allowed)
            got = quoted(values[NUMBERS[name]])
            raise ValueError(f"{name} must be one of {several}; got {got}")
    setup = Setup(
        dataset_id,
        options,
        algorithms,
        dataset=dataset,
        problem=problem,
        lab=lab,
        **values,  # type: ignore[arg-type]
    )
    if as_pinned(setup) != setup:
        raise ValueError("its recipe is not among its algorithms")
    return setup


def _settings(part: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for text in part.split(WITHIN):
        name, _, value = text.partition(".")
        if not name or not value:
            raise ValueError(
                f"{short(text)} is not a setting" if text else "it has an empty setting"
            )
        if name in settings:
            raise ValueError(f"{short(name)} is set twice")
        settings[name] = value
    return settings


def _problem(
    settings: dict[str, str], own: Mapping[str, Dataset]
) -> tuple[str, Dataset, Problem, tuple[tuple[str, str], ...]]:
    """Take the data set and its options out of the settings."""
    if "data" not in settings:
        raise ValueError("the data set is missing")
    name = settings.pop("data")
    if name in own:
        return OWN, own[name], own[name].build(), ()
    if name.startswith(f"{OWN}-"):
        raise ValueError("it is about someone's own data, which no link holds")
    if name not in DATASETS:
        raise ValueError(f"data = {short(name)} is not a data set")
    dataset = DATASETS[name]
    options = {}
    for option, allowed in dataset.options.items():
        value = settings.pop(option, _first(dataset, option))
        if value not in allowed:
            raise ValueError(f"{option} must be one of {', '.join(allowed)}; got {short(value)}")
        options[option] = value
    return name, dataset, load_problem(name, **options), tuple(options.items())


def _algorithms(chosen: list[str], lab: str) -> tuple[str, ...]:
    for name in chosen:
        if name not in ALGORITHMS and name != YOURS:
            raise ValueError(f"{short(name)} is not an algorithm")
        if chosen.count(name) > 1:
            raise ValueError(f"{name} is listed twice")
    names = tuple(name for name in ALGORITHMS if name in chosen)
    if YOURS not in chosen:
        return names
    try:
        return (*names, find(lab).name)
    except ValueError as error:
        raise ValueError(f"its recipe cannot be read: {short(str(error), 120)}") from None
