"""Confidence sequences: against independent formulas, their equations, and what they must be."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from cbai.simulation.bounds.confidence import CONFIDENCE, KAPPA, Form
from tests.effort import examples
from tests.reference import bounds

GRID = [
    (n, d, b)
    for n in (1, 2, 3, 7, 10, 100, 12_345, 10**6, 10**9)
    for d in (0.3, 0.05, 0.01 / 36, 1e-12)
    for b in (0.5, 1.0, 2.0, 5.0, 100.0)
]
KL = [name for name, row in CONFIDENCE.items() if row.form is Form.KL]
RADIUS = [name for name, row in CONFIDENCE.items() if row.form is Form.RADIUS]

CONFSEQ = [
    (1, 0.1, 2.6608203254657723),
    (1, 0.01, 3.4387221751224017),
    (1, 0.0001, 4.616763041808847),
    (1, 1e-08, 6.347746258104458),
    (10, 0.1, 10.63138424266931),
    (10, 0.01, 12.667864257559161),
    (10, 0.0001, 15.980353335057401),
    (10, 1e-08, 21.098945671382513),
    (100, 0.1, 35.98279950293824),
    (100, 0.01, 42.06241076537731),
    (100, 0.0001, 52.13650811138661),
    (100, 1e-08, 67.94228164666968),
    (10000, 0.1, 384.08504296533295),
    (10000, 0.01, 441.55381796826225),
    (10000, 0.0001, 538.3926838541593),
    (10000, 1e-08, 692.5752650494784),
    (1000000, 0.1, 3981.678679526995),
    (1000000, 0.01, 4538.569212898114),
    (1000000, 0.0001, 5485.28042006971),
    (1000000, 1e-08, 7004.832821692978),
]
"""Intrinsic time, error probability and boundary with s = 1.4, eta = 2, minimal time 1, computed by
`poly_stitching_bound` of the package confseq 0.0.11, the C++ code of the boundary's authors."""

names = st.sampled_from(sorted(CONFIDENCE))
levels = st.floats(1e-12, 0.5)
pulls = st.integers(1, 10**9)
ranges = st.floats(0.01, 1000.0)
shares = st.floats(0.0, 1.0)
EXAMPLES = examples(300)


def test_the_rows_are_those_of_the_reference():
    assert tuple(CONFIDENCE) == ("howard", "lil", "even_dar", "kk_lucb", *KL, "hoeffding")
    assert sorted(CONFIDENCE) == sorted(bounds.NAMES)


@pytest.mark.parametrize("name", RADIUS)
def test_a_radius_is_the_printed_formula(name):
    for n, d, b in GRID:
        want = bounds.RADII[name](n, d, b)
        assert float(CONFIDENCE[name].radius(n, d, b)) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("name", KL)
def test_a_divergence_bound_is_the_one_found_by_bisection_and_by_scipy(name):
    row = CONFIDENCE[name]
    for n, d, b in GRID:
        allowed = bounds.ALLOWED[name](n, d) / n
        for share in (0.0, 1e-9, 0.03, 0.25, 0.5, 0.9, 1.0):
            upper, lower = (
                float(row.upper(share * b, n, d, b)),
                float(row.lower(share * b, n, d, b)),
            )
            assert upper == pytest.approx(bounds.upper(name, share * b, n, d, b), abs=2e-12 * b)
            assert lower == pytest.approx(bounds.lower(name, share * b, n, d, b), abs=2e-12 * b)
            end = 1.0 - 1e-12
            if share < end and divergence(share, end) > allowed:
                root = optimize.brentq(
                    lambda x, share=share, allowed=allowed: divergence(share, x) - allowed,
                    share, end, xtol=1e-15, rtol=1e-14, maxiter=500,
                )  # fmt: skip
                assert upper / b == pytest.approx(root, abs=2e-11)


def divergence(x, y):
    """Return kl(x, y) by SciPy's relative entropy."""
    return special.rel_entr(x, y) + special.rel_entr(1.0 - x, 1.0 - y)


@pytest.mark.parametrize("name", KL)
@EXAMPLES
@given(share=shares, n=pulls, d=levels)
def test_divergence_bounds_satisfy_their_equation(name, share, n, d):
    """Up to 1e-10, or up to one rounding of the bound where that makes more."""
    row = CONFIDENCE[name]
    allowed = bounds.ALLOWED[name](n, d) / n
    for mean, bound in (
        (share, float(row.upper(share, n, d, 1.0))),
        (1.0 - share, 1.0 - float(row.lower(share, n, d, 1.0))),
    ):
        assert mean <= bound <= 1.0
        if bound == 1.0:
            assert mean == 1.0 or divergence(mean, 1.0 - 2e-12) <= allowed + 1e-10
            continue
        slope = (bound - mean) / (bound * (1.0 - bound))
        rounding = 4.0 * np.finfo(float).eps * slope
        assert abs(divergence(mean, bound) - allowed) <= 1e-10 + rounding


@EXAMPLES
@given(name=names, share=shares, n=pulls, d=levels, b=ranges)
def test_bounds_are_finite_and_around_the_mean(name, share, n, d, b):
    row, mean = CONFIDENCE[name], share * b
    radius = float(row.radius(n, d, b))
    upper, lower = float(row.upper(mean, n, d, b)), float(row.lower(mean, n, d, b))
    assert math.isfinite(radius)
    assert radius > 0.0
    assert lower <= mean * (1 + 1e-12)
    assert mean <= upper * (1 + 1e-12)
    assert max(upper - mean, mean - lower) <= radius * (1 + 1e-9) + 1e-12 * b
    if row.form is Form.KL:
        assert lower >= 0.0
        assert upper <= b * (1 + 1e-15)


@EXAMPLES
@given(name=names, share=shares, n=pulls, more=pulls, d=levels, smaller=st.floats(1e-3, 1.0))
def test_bounds_tighten_with_pulls_and_widen_with_certainty(name, share, n, more, d, smaller):
    row, tiny = CONFIDENCE[name], 1e-12
    for bound, sign in ((row.upper, 1.0), (row.lower, -1.0)):
        now = sign * float(bound(share, n, d, 1.0))
        assert sign * float(bound(share, n + more, d, 1.0)) <= now + tiny
        assert sign * float(bound(share, n, d * smaller, 1.0)) >= now - tiny


@EXAMPLES
@given(name=names, low=shares, high=shares, n=pulls, d=levels)
def test_bounds_grow_with_the_mean_and_mirror_each_other(name, low, high, n, d):
    row = CONFIDENCE[name]
    low, high = sorted((low, high))
    assert float(row.upper(low, n, d, 1.0)) <= float(row.upper(high, n, d, 1.0)) + 1e-12
    mirrored = 1.0 - float(row.lower(1.0 - low, n, d, 1.0))
    assert float(row.upper(low, n, d, 1.0)) == pytest.approx(mirrored, abs=1e-10)


def test_bounds_come_in_the_shape_asked_for():
    row = CONFIDENCE["kl_lucb"]
    means, n = np.array([[0.1], [0.7]]), np.array([1, 10, 100])
    table = row.upper(means, n, 0.1, 1.0)
    assert table.shape == (2, 3)
    assert table[1, 2] == row.upper(0.7, 100, 0.1, 1.0)


@pytest.mark.parametrize(("time", "d", "boundary"), CONFSEQ)
def test_howard_is_the_authors_boundary_with_constants_rounded_up(time, d, boundary):
    """With b = 2 the intrinsic time is the number of pulls."""
    ours = float(CONFIDENCE["howard"].radius(time, d, 2.0)) * time
    assert boundary <= ours <= 1.01 * boundary


@EXAMPLES
@given(n=pulls, d=st.floats(1e-300, 0.48), b=ranges)
def test_lil_is_wider_than_howard_up_to_the_level_it_says(n, d, b):
    assert CONFIDENCE["lil"].radius(n, d, b) >= CONFIDENCE["howard"].radius(n, d, b)


def test_kappa_is_large_enough_for_the_union_over_blocks():
    """The sum of docs/confidence.md, for blocks that grow by 1.16, and its tail as an integral.

    With a constant 1 % smaller than needed it is above 1: the sum is no idle bound.
    """
    growth, factor = 1.16, CONFIDENCE["lil_kl_lucb"].scale
    first, blocks = 1, []
    while first < 10**9:
        last = max(math.floor(growth * first), first)
        blocks.append((first, last))
        first = last + 1
    start, end = np.array(blocks, dtype=float).T
    power = factor / growth

    def union(kappa):
        terms = (kappa * np.log2(2.0 * start)) ** (-factor * start / end)
        # Later blocks: log2(2 start) grows by at least log2(growth) from one to the next.
        step, done = math.log2(growth), math.log2(2.0 * end[-1])
        tail = kappa**-power * (done**-power + done ** (1.0 - power) / (step * (power - 1.0)))
        return terms.sum() + tail

    assert union(KAPPA) <= 1.0
    assert union(0.98 * KAPPA) > 1.0


@pytest.mark.parametrize("method", ["radius", "upper"])
@pytest.mark.parametrize(
    ("n", "d", "b", "message"),
    [
        (0, 0.1, 1.0, "n must be at least 1, got 0."),
        (1, 0.0, 1.0, r"d must be in \(0, 1\), got 0.0."),
        (1, 1.5, 1.0, r"d must be in \(0, 1\), got 1.5."),
        (1, 0.1, -1.0, r"reward_max must be in \(0, inf\), got -1.0."),
    ],
)
def test_bad_arguments_are_named(method, n, d, b, message):
    row = CONFIDENCE["kl_lucb"]
    arguments = (n, d, b) if method == "radius" else (0.5, n, d, b)
    with pytest.raises(ValueError, match=message):
        getattr(row, method)(*arguments)


def test_a_mean_outside_the_range_is_named():
    with pytest.raises(ValueError, match=r"mean must lie in \[0, 1\], got 1.5"):
        CONFIDENCE["kl_lucb"].upper([0.5, 1.5], 10, 0.1, 1.0)
