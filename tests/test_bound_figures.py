"""The figures of the page on bounds: their numbers against direct computation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cbai.figures.base.spacing import spread
from cbai.figures.base.words import Words
from cbai.figures.bounds import bound_widths, corridor, miss_curves
from cbai.figures.bounds.bound_lines import COLOURS
from cbai.results import clopper_pearson
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.coverage import first_misses
from cbai.simulation.streams import paths

WORDS = Words("coin", "coins", "toss", "tosses")
COIN = ([0.5, 0.5], [0.0, 1.0], 1.0)
NAMES = list(CONFIDENCE)
FIXED = NAMES.index("hoeffding")


@pytest.fixture(scope="module")
def misses():
    return first_misses(*COIN, NAMES, 0.05, 1000, 200)


def test_labels_are_spread_in_order_and_stay_inside():
    placed = spread(np.array([0.0, 0.0, 5.0, 0.1]), 1.0, 0.0, 10.0)
    assert placed.tolist() == [0.0, 1.0, 5.0, 2.0]
    assert spread(np.array([9.9, 10.0]), 1.0, 0.0, 10.0).tolist() == [9.0, 10.0]
    assert spread(np.array([]), 1.0, 0.0, 1.0).size == 0


def test_every_sequence_has_its_own_colour():
    assert set(COLOURS) == set(CONFIDENCE)
    assert len(set(COLOURS.values())) == len(CONFIDENCE)


def test_curves_count_the_streams_that_have_missed_so_far(misses):
    info = miss_curves.gather(NAMES, misses, 1000, 0.1)
    for row, share in zip(misses, info.share, strict=True):
        for n, value in zip(info.n[::20], share[::20], strict=True):
            assert value == np.mean((row > 0) & (row <= n))
    assert info.ends == tuple(clopper_pearson(int((row > 0).sum()), 200) for row in misses)
    assert info.one_look is None
    fig = miss_curves.draw(info, WORDS)
    dashed = [t.name for t in fig.data if t.mode == "lines" and t.line.dash]
    assert dashed == ["Hoeffding, fixed n"]
    low, high = fig.layout.yaxis.range
    assert low < 0.0 < max(rate.high for rate in info.ends) < high


@pytest.mark.parametrize("coin", [0.5, 0.05])
def test_one_look_is_the_exact_probability(coin):
    n = np.array([1, 10, 57])
    found = miss_curves.misses_at(n, coin, 0.05)
    for size, probability in zip(n, found, strict=True):
        heads = np.arange(size + 1)
        radius = np.sqrt(np.log(1 / 0.05) / (2 * size))
        outside = np.abs(heads / size - coin) > radius
        assert probability == pytest.approx(stats.binom.pmf(heads, size, coin)[outside].sum())
        assert probability <= 0.1


def test_the_corridor_shows_exits_where_they_happen(misses):
    info = corridor.gather("hoeffding", *COIN, 0.05, 1000, 0, misses[FIXED])
    means = paths(*COIN[:2], info.n, corridor.STREAMS, 0)
    np.testing.assert_allclose(info.distance, (means - 0.5) * 2.0 * np.sqrt(info.n))
    outside = (info.distance > info.high) | (info.distance < info.low)
    first = np.where(outside.any(axis=1), info.n[outside.argmax(axis=1)], 0)
    np.testing.assert_array_equal(first, misses[FIXED, : corridor.STREAMS])
    fig = corridor.draw(info, WORDS)
    crosses = next(t for t in fig.data if t.name == "first outside")
    assert sorted(crosses.x) == sorted(first[first > 0])
    assert f"{(first > 0).sum()} ever leave" in corridor.alt_text(info, WORDS)


@pytest.mark.parametrize(("mean", "top"), [(0.5, 1.0), (0.05, 1.0), (4.2, 5.0)])
def test_widths_are_those_of_the_sequences(mean, top):
    info = bound_widths.gather(NAMES, mean, 0.05, top)
    assert (info.n[0], info.n[-1]) == (1, 1_000_000)
    for i, row in enumerate(CONFIDENCE.values()):
        np.testing.assert_allclose(info.distance[i], row.upper(mean, info.n, 0.05, top) - mean)
        np.testing.assert_allclose(info.relative[i], info.distance[i] / info.distance[0])
        assert row.title in bound_widths.alt_text(info, WORDS)
    for relative in (False, True):
        fig = bound_widths.draw(info, WORDS, relative=relative)
        shown = info.relative if relative else info.distance
        np.testing.assert_allclose(fig.data[3].y, shown[3], rtol=6e-4)


@pytest.mark.parametrize("chances", [[1.0, 0.0], [0.0, 1.0], [0.999, 0.001]])
@pytest.mark.parametrize("name", NAMES)
def test_figures_can_be_drawn_at_the_edge(chances, name):
    found = first_misses(chances, [0.0, 1.0], 1.0, NAMES, 0.25, 100, 3)
    row = [NAMES.index(name)]
    drawn = [
        bound_widths.draw(bound_widths.gather([name], chances[1], 0.25, 1.0), WORDS, relative=r)
        for r in (False, True)
    ]
    drawn.append(miss_curves.draw(miss_curves.gather([name], found[row], 100, 0.5), WORDS))
    info = corridor.gather(name, chances, [0.0, 1.0], 1.0, 0.25, 100, 0, found[row[0]])
    drawn.append(corridor.draw(info, WORDS))
    for fig in drawn:
        text = fig.to_json()
        assert "NaN" not in text
        assert "Infinity" not in text
        assert len(text) < 1_000_000
