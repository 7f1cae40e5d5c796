"""Every public name has an example in its docstring, and the example gives what it says."""

from __future__ import annotations

import doctest
import importlib

import pytest

PACKAGES = (
    "cbai",
    "cbai.problem",
    "cbai.simulation",
    "cbai.datasets",
    "cbai.datasets.table",
    "cbai.results",
    "cbai.results.limit",
    "cbai.reproduce",
)


def public_names():
    """Return what is public, each once; tables and numbers have no docstring of their own."""
    found = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value):
                found.setdefault(id(value), pytest.param(value, id=f"{package}.{name}"))
    return list(found.values())


def test_there_are_public_names():
    assert len(public_names()) >= 30


@pytest.mark.parametrize("value", public_names())
def test_it_has_an_example_that_is_true(value):
    finder = doctest.DocTestFinder(recurse=True)
    tests = finder.find(value, value.__name__, globs={})
    own = next(test for test in tests if test.name == value.__name__)
    assert own.examples, f"{value.__name__} has no example in its docstring."
    said = []
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)


def test_a_wrong_example_is_found():
    def wrong():
        """Add.

        >>> 1 + 1
        3
        """

    with pytest.raises(AssertionError, match=r"Expected:\s+3\s+Got:\s+2"):
        test_it_has_an_example_that_is_true(wrong)
