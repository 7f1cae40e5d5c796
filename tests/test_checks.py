"""Whatever value is passed in, a message quotes it in a few printable letters."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from cbai import checks


class Failing:
    """An object that cannot be shown, compared, hashed or turned into an array."""

    __hash__ = None

    def __repr__(self):
        raise OSError("no")

    def __eq__(self, other):
        raise OSError("no")

    def __array__(self, *_, **__):
        raise OSError("no")


class Shouting:
    """An object with colours and line breaks in its text."""

    def __repr__(self):
        return "a\nb\x1b[31m\u202e" * 1000


class Lying:
    """An object whose text is none."""

    def __repr__(self):
        return 5


ENDLESS = []
ENDLESS.append(ENDLESS)
HOSTILE = [
    "x" * 10**6,
    "a\nb\x1b[31m\u202e\ud800\x00",
    b"\xff" * 10**6,
    10**400,
    -(10**6000),
    [10**6000],
    Fraction(10**6000, 7),
    Failing(),
    Shouting(),
    Lying(),
    [Failing()],
    ENDLESS,
    [["a" * 60] * 60] * 60,
    np.arange(10**6),
    pd.DataFrame({"a\nb": ["x\x1b"]}),
    pd.NA,
    pd.NaT,
    1j,
    float("nan"),
    np.void(b"1"),
    object,
    None,
]


def is_short_and_printable(text):
    return 0 < len(text) <= checks.LONGEST_QUOTE and text.isprintable()


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: type(value).__name__)
def test_every_quote_is_short_and_printable(value):
    assert is_short_and_printable(checks.quoted(value))


@hypothesis_settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text() | st.binary() | st.integers() | st.floats() | st.lists(st.text()))
def test_every_quote_of_a_plain_value_is_short_and_printable(value):
    assert is_short_and_printable(checks.quoted(value))


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("war", "'war'"),
        ("a\nb", r"'a\nb'"),
        (np.float64(0.5), "0.5"),
        (np.int64(7), "7"),
        (["a", 1], "['a', 1]"),
        (10**400, "a whole number of about 400 digits"),
        ("x" * 100, "'" + "x" * 77 + "…'"),
    ],
)
def test_a_short_value_is_quoted_as_it_is(value, quote):
    assert checks.quoted(value) == quote


def refusal(check, *arguments):
    with pytest.raises(ValueError, match="must be") as caught:
        check(*arguments)
    return str(caught.value)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: type(value).__name__)
def test_every_check_refuses_it_in_one_short_sentence(value):
    said = [
        refusal(checks.real, "delta", value, 0.0, 1.0),
        refusal(checks.whole, "trials", value, 1, 9),
        refusal(checks.one_of, "name", value, ["a", "b"]),
    ]
    if not isinstance(value, np.ndarray):
        said.append(refusal(checks.array, "values", [value], (None,)))
    for sentence in said:
        assert len(sentence) < 200
        assert sentence.isprintable()


@pytest.mark.parametrize(
    "value",
    [
        [1, 2j],
        np.array([1j]),
        np.array(["2020"], dtype="M8[Y]"),
        np.array([1, "2"], dtype=object),
        ["1"],
        [b"1"],
        [None, pd.NA],
        [[1], [1, 2]],
    ],
    ids=str,
)
def test_nothing_but_numbers_makes_an_array_of_numbers(value):
    assert "not numbers" in refusal(checks.array, "values", value, (None,))


def test_a_number_too_large_for_a_float_is_outside_and_not_an_error():
    assert "10^" not in refusal(checks.real, "q", 10**400, 0.0, 1.0)
    assert checks.to_float(-(10**400)) == -np.inf
    assert checks.real("q", Fraction(1, 3), 0.0, 1.0) == 1 / 3
