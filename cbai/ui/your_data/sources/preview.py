"""The first rows of a table as they were understood."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from cbai.datasets.table import Guess
from cbai.datasets.table.columns import Notation, numbers_of

ROWS = 5
MOST_COLUMNS = 12
NOT_RATED = "not rated"


def understood(guess: Guess) -> pd.DataFrame:
    """Return the first rows: who rated what and how, or one column for each option."""
    rows = guess.preview.head(ROWS)
    if guess.layout == "long":
        named = {"who": guess.user, "what": guess.arm, "rating": guess.reward}
        found = {role: rows[name].tolist() for role, name in named.items() if name in rows}
        if "rating" in found:
            found["rating"] = _ratings(found["rating"], guess)
    else:
        options = guess.arm_columns[:MOST_COLUMNS]
        found = {"who": rows[guess.user].tolist()} if guess.user in rows else {}
        found |= {name: _ratings(rows[name].tolist(), guess) for name in options}
    if "who" not in found:
        found = {"who": [f"person {i + 1}" for i in range(len(rows))], **found}
    return pd.DataFrame(found, dtype=object)


def _ratings(cells: list[str], guess: Guess) -> list[str]:
    notation = Notation(guess.decimal, guess.thousands, guess.missing, guess.order)
    number = numbers_of(pa.chunked_array([pa.array(cells, pa.string())]), notation).number
    number = number if guess.turned is None else guess.turned - number
    return [NOT_RATED if np.isnan(one) else f"{one:g}" for one in number]
