"""The kernel is compiled for one signature only, and anew when any compiled file has changed."""

from __future__ import annotations

import ast
import importlib
import pickle
import pkgutil
import shutil
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import cbai
from cbai import compiled
from cbai.simulation.loops import kernel

FOLDER = Path(cbai.__file__).parent
NAMES = [path.relative_to(FOLDER).as_posix() for path in compiled.sources()]


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_every_data_set_uses_the_kernel_compiled_at_warm_up(name):
    problem = cbai.load_problem(name)
    copy = pickle.loads(pickle.dumps(problem))
    for one in (problem, copy):
        cbai.simulate(one, ["racing", "c_lucb"], 0.1, trials=1, p=0.5, max_samples=200)
        cbai.trace(one, "lucb", 0.1, max_samples=200)
    cbai.replay(copy, "c_lucb_pp", 0.1, [[0] * 200] * problem.n_arms, max_samples=200)
    assert len(kernel.advance_composed.signatures) == 1


def test_numba_still_has_the_option_that_counts_no_references():
    """It is not documented. Where it goes, `compiled.LEAN` must become `compiled.OPTIONS`."""

    @numba.njit(**{**compiled.LEAN, "cache": False})
    def new():
        return np.empty(3)

    with pytest.raises(numba.core.errors.NumbaError, match="empty"):
        new()


def test_a_pickled_problem_is_the_same_and_stays_read_only():
    problem = cbai.load_problem("ad-campaign")
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.fingerprint == problem.fingerprint
    with pytest.raises(ValueError, match="read-only"):
        copy.probabilities[0, 0] = 0.0


def compiled_functions():
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(cbai.__path__, "cbai.")
        if not found.name.endswith("__main__")
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {value.py_func for value in values if isinstance(value, Dispatcher)}


def names_used(code):
    inner = [one for one in code.co_consts if hasattr(one, "co_names")]
    return {*code.co_names}.union(*map(names_used, inner))


def imported_from(path):
    """Return the module that each name of a file was imported from."""
    found = [
        one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.ImportFrom)
    ]
    return {
        name.asname or name.name: f"{one.module}.{name.name}" for one in found for name in one.names
    }


def file_of(dotted):
    """Return the file of a module, or of the module that a name is in."""
    while True:
        path = FOLDER.parent / dotted.replace(".", "/")
        for one in (path.with_suffix(".py"), path / "__init__.py"):
            if one.exists():
                return one
        dotted = dotted.rpartition(".")[0]


@pytest.fixture(scope="module")
def copy_of_sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy") / "cbai"
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / name, folder / name)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_change_in_any_compiled_file_gives_another_digest(copy_of_sources, name):
    before = compiled.digest(copy_of_sources)
    assert before == compiled.digest()
    path = copy_of_sources / name
    text = path.read_bytes()
    path.write_bytes(text + b"#")
    assert compiled.digest(copy_of_sources) != before
    path.write_bytes(text)


def test_a_new_file_and_one_that_moves_to_a_room_below_give_other_digests(copy_of_sources):
    before = compiled.digest(copy_of_sources)
    new = copy_of_sources / "simulation" / "room" / "new.py"
    new.parent.mkdir()
    new.write_text("")
    with_new = compiled.digest(copy_of_sources)
    moved = new.rename(copy_of_sources / "simulation" / "new.py")
    assert len({before, with_new, compiled.digest(copy_of_sources)}) == 3
    moved.unlink()
    new.parent.rmdir()


def test_all_that_is_compiled_and_what_it_takes_from_elsewhere_is_in_the_digest():
    functions, known = compiled_functions(), set(compiled.sources())
    assert len(functions) > 50
    for function in functions:
        path = Path(function.__code__.co_filename)
        assert path in known, f"{path} holds the compiled {function.__name__}"
        origins = imported_from(path)
        for name in names_used(function.__code__) & set(origins):
            if origins[name].startswith("cbai."):
                there = file_of(origins[name])
                assert there in known, f"{function.__name__} takes {name} from {there}"


def test_warming_up_reports_each_part_and_its_end():
    from cbai.simulation.warm_up import warm_up

    seen = []
    warm_up(lambda done, total: seen.append((done, total)))
    total = seen[-1][1]
    assert seen == [(done, total) for done in range(total + 1)]
    assert total > len({row.family for row in cbai.ALGORITHMS.values()})
