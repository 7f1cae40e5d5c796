"""The tables of many draws: none is left out, and who waits hears of each."""

from __future__ import annotations

import pandas as pd

from cbai.reproduce.draws import over_draws


def test_each_draw_has_its_table_and_its_own_news():
    heard = []

    def play(number, tell):
        tell("Table 4", 1, 2)
        return pd.DataFrame({"mean": [10 * number, 10 * number + 1]})

    found = over_draws("draw", "draw of genres", 3, play, lambda *told: heard.append(told))
    assert found.to_dict("list") == {"draw": [0, 0, 1, 1, 2, 2], "mean": [0, 1, 10, 11, 20, 21]}
    assert list(found.index) == list(range(6))
    assert heard == [(f"draw of genres {number}, Table 4", 1, 2) for number in range(3)]
    quiet = over_draws("draw", "draw of genres", 3, play)
    pd.testing.assert_frame_equal(found, quiet)
