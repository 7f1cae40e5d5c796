"""Releases of MovieLens on this computer: read apart from the server, unless they are too large."""

from __future__ import annotations

import pytest

from cbai.ui.runs import reading
from cbai.ui.your_data.sources import movielens
from tests.test_readers_download import GOOD


@pytest.mark.parametrize(
    ("name", "apart"), [("ml-latest-small", True), ("ml-1m", True), ("ml-25m", False)]
)
def test_a_download_is_read_in_a_process_with_limits(tmp_path, monkeypatch, name, apart):
    (tmp_path / f"{name}.zip").write_bytes(GOOD)
    monkeypatch.setenv("CBAI_DATA_DIR", str(tmp_path))
    run, asked = reading.run, []
    monkeypatch.setattr(reading, "run", lambda *job, **how: asked.append(job) or run(*job, **how))
    key, ratings = movielens._ratings(name)
    assert key.startswith(name)
    assert len(ratings.frame) == 100836
    assert bool(asked) == apart


def test_a_download_with_too_many_rows_is_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "ml-1m.zip").write_bytes(GOOD)
    monkeypatch.setenv("CBAI_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(movielens, "UPLOADED_ROWS", 100)
    with pytest.raises(ValueError, match=r"must .*, got more\.") as error:
        movielens._ratings("ml-1m")
    assert "\n" not in str(error.value)
