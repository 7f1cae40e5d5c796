"""Files are read in processes of their own, which end when they should and take what they may."""

from __future__ import annotations

import operator
import os
import sys
import threading
import time

import numpy as np
import pytest

from cbai.datasets.goodreads_files import read_goodreads
from cbai.datasets.movielens_files import read_movielens
from cbai.problem.survey import Survey
from cbai.ui.runs import reading
from tests.test_readers_movielens import packed

linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")


class Left(BaseException):
    """Stands for what Streamlit raises when a visitor has left."""


@pytest.fixture(autouse=True)
def nobody_else():
    yield
    for one in list(reading._all):
        one.end()
    reading._ready.clear()
    assert not reading._waiting
    assert not reading._serving


def refused(function, *args, **options):
    with pytest.raises(ValueError, match=r"\.$") as error:
        reading.run(function, *args, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def processes():
    return [one.process for one in reading._all]


def test_a_result_is_that_of_the_function():
    data = packed("csv")
    here, there = read_movielens(data, "a.zip"), reading.run(read_movielens, data, name="a.zip")
    assert there.frame.equals(here.frame)
    assert there.items.equals(here.items)
    assert (there.source, there.digests) == (here.source, here.digests)


def test_arrays_that_must_not_change_stay_so():
    survey = reading.run(Survey, ("a", "b"), [1.0, 2.0], [0, 1], [0, 1], [0, 1])
    assert not survey.values.flags.writeable
    assert not survey.person.flags.writeable


def test_one_worker_reads_one_small_file_after_the_other():
    reading.run(os.getpid)
    assert reading.run(os.getpid) == reading.run(os.getpid) == processes()[0].pid != os.getpid()
    reading.run(len, b"x" * reading.LARGE)
    assert processes() == []


def test_a_prepared_worker_is_the_one_that_reads():
    reading.prepare()
    reading.prepare()
    assert reading.run(os.getpid) == processes()[0].pid
    assert len(processes()) == 1


def test_the_simulation_is_not_loaded_with_the_readers():
    assert reading.run(operator.contains, [], "numba") is False  # the worker is there
    loaded = reading.run(eval, "sorted(__import__('sys').modules)")
    assert "cbai.datasets.table" in loaded
    assert not {"numba", "streamlit", "cbai.simulation"} & set(loaded)


def test_what_a_reader_refuses_is_said_as_it_says_it():
    assert refused(read_goodreads, b"") == "the file must hold data, got an empty file."


def test_an_error_that_is_none_of_a_reader_is_one_sentence(capfd):
    assert refused(operator.truediv, 1, 0) == reading.BROKE_OFF
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert processes() == []


def test_a_worker_that_dies_is_one_sentence_and_the_next_one_reads():
    assert refused(os.abort) == reading.BROKE_OFF
    assert refused(os._exit, 0) == reading.BROKE_OFF
    assert reading.run(len, "abc") == 3


@linux
def test_memory_is_limited():
    assert refused(np.ones, reading.MEMORY_MB * 2**17 + 1) == reading.TOO_MUCH_MEMORY
    assert refused(bytes, reading.MEMORY_MB * 2**20) == reading.TOO_MUCH_MEMORY
    assert reading.run(len, b"x" * 2**20) == 2**20


def test_time_is_limited(monkeypatch):
    reading.prepare()
    (process,) = processes()
    reading.run(len, "")
    monkeypatch.setattr(reading, "SECONDS", 0.2)
    assert refused(time.sleep, 600) == reading.TOO_SLOW.format(0.2)
    assert process.poll() is not None


def test_a_visitor_who_leaves_ends_the_work(monkeypatch):
    reading.run(len, "")
    (process,) = processes()
    asked = iter([None, None])

    def leave():
        try:
            next(asked)
        except StopIteration:
            raise Left from None

    monkeypatch.setattr(reading, "leave_if_unwanted", leave)
    with pytest.raises(Left):
        reading.run(time.sleep, 600)
    assert process.poll() is not None
    assert processes() == []


def test_a_visitor_who_leaves_while_waiting_is_out_of_the_queue(monkeypatch):
    def leave():
        raise Left

    monkeypatch.setattr(reading, "leave_if_unwanted", leave)
    with reading._in_turn(1), reading._in_turn(1), pytest.raises(Left), reading._in_turn(1):
        pass
    assert not reading._waiting


def begun(size):
    """Ask for a turn in a thread; return what is set once it has come, and what ends it."""
    come, go = threading.Event(), threading.Event()

    def ask():
        with reading._in_turn(size):
            come.set()
            go.wait(60)

    before = len(reading._waiting) + len(reading._serving)
    threading.Thread(target=ask, daemon=True).start()
    while len(reading._waiting) + len(reading._serving) == before:
        time.sleep(0.001)
    return come, go


def test_few_are_served_at_a_time_and_in_the_order_in_which_they_came():
    turns = [begun(1) for _ in range(reading.WORKERS + 2)]
    for number, (come, _) in enumerate(turns):
        if number >= reading.WORKERS:
            assert not come.is_set()
            turns[number - reading.WORKERS][1].set()
        assert come.wait(60)
        assert len(reading._serving) <= reading.WORKERS
    for _, go in turns:
        go.set()
    while reading._serving:
        time.sleep(0.001)


def test_large_files_are_read_alone_and_hold_up_none_for_ever():
    first, second, third = (begun(size) for size in (1, 2 * reading.BYTES, 1))
    assert first[0].wait(60)
    time.sleep(3 * reading.POLL_SECONDS)
    assert not second[0].is_set()
    assert not third[0].is_set()
    for come, go in (first, second, third):
        assert come.wait(60)
        go.set()
    while reading._serving:
        time.sleep(0.001)
