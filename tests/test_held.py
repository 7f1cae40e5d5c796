"""What visitors' files hold in memory is bounded for all of them together."""

from __future__ import annotations

import gc
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from cbai.datasets.movielens_files import read_movielens
from cbai.ui.runs import held
from tests.test_readers_movielens import packed


class Visitors:
    """Sessions, of which one is at work at a time."""

    def __init__(self):
        self.states = {}
        self.made = []

    def call(self, who, key):
        state = self.states.setdefault(who, {})
        with patch.object(held.st, "session_state", state):
            return self.result(key, object())

    def has(self, who, key):
        before = len(self.made)
        self.call(who, key)
        return len(self.made) == before


@pytest.fixture
def visitors(monkeypatch):
    monkeypatch.setattr(held, "MOST_RESULTS", 10_000)
    found = Visitors()

    @held.per_session(max_entries=3)
    def result(key, _data):
        found.made.append(key)
        return np.zeros(250)  # 2,000 bytes

    found.result = result
    return found


def total():
    gc.collect()
    return sum(one.size for session in held._sessions for one in session.values())


def test_a_session_has_its_last_results(visitors):
    first = visitors.call("a", 1)
    assert visitors.call("a", 1) is first
    for key in (2, 3, 1, 4):
        visitors.call("a", key)
    assert visitors.made == [1, 2, 3, 4]
    assert visitors.has("a", 1)
    assert not visitors.has("a", 2)
    assert not visitors.has("b", 1)


def test_of_all_sessions_the_oldest_results_go(visitors):
    for who in "abcde":
        visitors.call(who, 1)
    assert total() == 10_000
    visitors.call("a", 1)  # asked for again, so that b's is the oldest
    visitors.call("f", 1)
    assert total() == 10_000
    assert visitors.has("a", 1)
    assert not visitors.has("b", 1)


def test_a_session_that_has_ended_holds_nothing(visitors):
    visitors.call("a", 1)
    before = total()
    visitors.states.clear()
    assert total() == before - 2_000


def test_a_result_larger_than_all_may_be_is_kept_until_the_next(visitors, monkeypatch):
    monkeypatch.setattr(held, "MOST_RESULTS", 100)
    visitors.call("a", 1)
    assert visitors.has("a", 1)
    visitors.call("b", 1)
    assert total() == 2_000


def test_sizes_are_those_of_arrays_tables_and_texts():
    assert held.size_of((np.zeros(10), {"a": "xyz"}, [b"12"])) == 80 + 3 + 2
    array = np.zeros(10)
    assert held.size_of((array, array)) == 80
    ratings = read_movielens(packed("csv"))
    assert held.size_of(ratings) > ratings.frame.memory_usage().sum()
    assert held.size_of(pd.DataFrame({"a": np.zeros(1000)})) >= 8000


def upload(manager, session, name, size):
    record = UploadedFileRec(file_id=name, name=name, type="", data=b"x" * size)
    manager.add_file(session, record)


def names(manager, session):
    return list(manager.file_storage.get(session, {}))


@pytest.fixture
def manager(monkeypatch):
    monkeypatch.setattr(held, "MOST_UPLOADED", 100)
    monkeypatch.setattr(held, "MOST_FILES", 3)
    monkeypatch.setattr(MemoryUploadedFileManager, "add_file", MemoryUploadedFileManager.add_file)
    held.bound_uploads()
    held._arrived.clear()
    return MemoryUploadedFileManager("/upload")


def test_of_all_uploaded_files_the_oldest_go(manager):
    for session in "abc":
        upload(manager, session, "1", 40)
    assert [names(manager, session) for session in "abc"] == [[], ["1"], ["1"]]
    manager.remove_session_files("b")
    upload(manager, "d", "1", 60)
    assert [names(manager, session) for session in "bcd"] == [[], ["1"], ["1"]]
    upload(manager, "e", "1", 200)
    assert [names(manager, session) for session in "cde"] == [[], [], ["1"]]


def test_one_visitor_has_few_files_whatever_their_size(manager):
    upload(manager, "b", "1", 1)
    for number in range(9):
        upload(manager, "a", str(number), 0)
    upload(manager, "a", "7", 1)  # once more
    assert names(manager, "b") == ["1"]
    assert sorted(names(manager, "a")) == ["6", "7", "8"]
