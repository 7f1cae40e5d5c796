"""Large uploads are read, or refused in one sentence, in the memory that one upload may take."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cbai.datasets.table import read_survey
from cbai.datasets.table.guess import MAX_ROWS, Guess
from cbai.ui.runs import reading


@pytest.fixture(autouse=True)
def _workers_end():
    yield
    for one in list(reading._all):
        one.end()
    reading._ready.clear()


def test_two_million_people_in_one_part_of_a_parquet_file_are_one_sentence():
    """With the memory of an upload, which all names with their codes would exceed."""
    names = [f"{i:08x}-0000-4000-a000-{i * 7919 % 2**48:012x}" for i in range(MAX_ROWS)]
    rows = {
        "user": names,
        "item": pa.array(["A", "B"] * (MAX_ROWS // 2)).dictionary_encode(),
        "rating": pa.array([1, 2, 3, 4, 5] * (MAX_ROWS // 5), pa.int8()),
    }
    file = pa.BufferOutputStream()
    pq.write_table(pa.table(rows), file, row_group_size=MAX_ROWS)
    guess = Guess("f.parquet", "parquet", tuple(rows), pd.DataFrame(), user="user", arm="item",
                  reward="rating")  # fmt: skip
    with pytest.raises(ValueError, match=r"^There may be at most 1,000,000 different people"):
        reading.run(read_survey, file.getvalue().to_pybytes(), guess)
