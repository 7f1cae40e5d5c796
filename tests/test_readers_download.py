"""Downloads from a server on this machine: good files, bad files, no server."""

from __future__ import annotations

import contextlib
import hashlib
import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cbai.datasets import download
from cbai.datasets.download import DownloadError, Release, at_hand, data_folder, fetch
from cbai.datasets.files import DATA
from cbai.datasets.movielens_files import read_movielens


def zipped(folder):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"ml-latest-small/{path.name}")
    return buffer.getvalue()


GOOD = zipped(DATA / "movielens-small")


class Handler(BaseHTTPRequestHandler):
    """Sends what the server holds: a status and a body, the body possibly cut short."""

    def do_GET(self):
        self.server.paths.append(self.path)
        status, body, sent = self.server.answers.pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:sent])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("CBAI_DATA_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "PAUSE", 0.0)
    release = Release("A release", 1.0, hashlib.md5(GOOD).hexdigest())
    monkeypatch.setitem(download.RELEASES, "ml-1m", release)
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.paths, made.answers = [], []
    made.url = f"http://127.0.0.1:{made.server_port}/"
    threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def answer(status=200, body=GOOD, sent=None):
    return status, body, len(body) if sent is None else sent


def left_behind():
    return [path.name for path in data_folder().glob("*")]


# ---------------------------------------------------------------- good files


@pytest.mark.parametrize("name", ["ml-1m", "ml-latest-small"])
def test_a_good_file_is_downloaded_once(server, name):
    server.answers = [answer()]
    told = []
    path = fetch(name, lambda *args: told.append(args), server.url)
    assert path == data_folder() / f"{name}.zip" == at_hand(name)
    assert path.read_bytes() == GOOD
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (len(GOOD), len(GOOD))
    assert fetch(name, None, server.url) == path
    assert server.paths == [f"/{name}.zip"]
    assert len(read_movielens(path).frame) == 100836


def test_a_second_attempt_may_succeed(server):
    server.answers = [answer(sent=1000), answer()]
    assert fetch("ml-1m", None, server.url).read_bytes() == GOOD
    server.answers = [answer(503), answer()]
    assert fetch("ml-latest-small", None, server.url).read_bytes() == GOOD


@pytest.mark.parametrize("layout", ["zip", "folder"])
def test_a_file_put_there_by_hand_is_used(server, layout):
    if layout == "zip":
        data_folder().mkdir(parents=True)
        (data_folder() / "ml-25m.zip").write_bytes(GOOD)
    else:
        (data_folder() / "ml-25m" / "ml-25m").mkdir(parents=True)
        for name in ("ratings.csv", "movies.csv"):
            data = (DATA / "movielens-small" / name).read_bytes()
            (data_folder() / "ml-25m" / "ml-25m" / name).write_bytes(data)
    assert len(read_movielens(fetch("ml-25m", None, server.url)).frame) == 100836
    assert server.paths == []


def test_the_folder_is_the_users(monkeypatch):
    monkeypatch.delenv("CBAI_DATA_DIR", raising=False)
    assert data_folder().name == "cbai"


# ---------------------------------------------------------------- bad files


@pytest.mark.parametrize(
    ("name", "first", "words"),
    [
        ("ml-1m", answer(body=GOOD[:-1] + b"!"), r"checksum is not the one"),
        ("ml-1m", answer(sent=len(GOOD) // 2), r"the connection broke off"),
        ("ml-1m", answer(503, b"later"), r"the server answered 503 Service Unavailable"),
        ("ml-latest-small", answer(body=b"<html>log in</html>"), r"must hold movies\.dat"),
        ("ml-latest-small", answer(body=GOOD[:5000]), r"must be a whole zip file"),
        ("ml-latest-small", answer(body=b""), r"must hold"),
    ],
    ids=["checksum", "broken off", "status", "no zip", "cut zip", "empty"],
)
def test_bad_answers_leave_nothing_behind(server, name, first, words):
    server.answers = [first, first]
    with pytest.raises(DownloadError, match=words) as error:
        fetch(name, None, server.url)
    assert f"{name}.zip could not be downloaded" in str(error.value)
    assert f"{server.url}{name}.zip" in str(error.value)
    assert str(data_folder()) in str(error.value)
    assert len(server.paths) == 2
    assert left_behind() == []
    server.answers = [answer()]
    assert fetch(name, None, server.url).exists()


def test_a_missing_file_is_not_asked_for_twice(server):
    server.answers = [answer(404, b"gone")]
    with pytest.raises(DownloadError, match="the server answered 404 Not Found"):
        fetch("ml-100k", None, server.url)
    assert len(server.paths) == 1
    assert left_behind() == []


def test_without_a_connection_one_sentence_says_what_to_do(server):
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError) as error:
        fetch("ml-100k", None, server.url)
    assert str(error.value) == (
        f"ml-100k.zip could not be downloaded (no connection to the server): get it from "
        f"{server.url}ml-100k.zip in some other way and put it into the folder {data_folder()}."
    )


def test_a_download_can_be_stopped(server):
    class Stopped(Exception):
        pass

    def stop(done, total):
        raise Stopped

    server.answers = [answer()]
    with pytest.raises(Stopped):
        fetch("ml-1m", stop, server.url)
    assert left_behind() == []


class Endless(Handler):
    """Says no length and sends on and on, as long as somebody reads."""

    def do_GET(self):
        self.server.paths.append(self.path)
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            while self.server.sent < 50_000_000:
                self.server.sent += self.wfile.write(bytes(2**16))


@pytest.mark.parametrize("length", ["said", "unsaid"])
def test_what_is_too_large_is_not_kept(server, monkeypatch, length):
    monkeypatch.setitem(download.RELEASES, "ml-1m", Release("A release", 0.1, None))
    server.sent, server.answers = 0, [answer(), answer()]
    if length == "unsaid":
        server.RequestHandlerClass = Endless
    with pytest.raises(DownloadError, match=r"the file must have at most 0\.2 MB, got \d"):
        fetch("ml-1m", None, server.url)
    assert server.sent < 50_000_000
    assert left_behind() == []


def test_two_at_a_time_download_a_file_once(server):
    server.answers = [answer()]
    waited, found = threading.Event(), []
    with download._one_at_a_time:
        told = lambda *news: news == (0, 0) and waited.set()  # noqa: E731
        others = [
            threading.Thread(target=lambda: found.append(fetch("ml-1m", told, server.url)))
            for _ in range(2)
        ]
        for one in others:
            one.start()
        assert waited.wait(timeout=30.0)
        assert server.paths == []
    for one in others:
        one.join(timeout=60.0)
    assert found == [at_hand("ml-1m")] * 2
    assert server.paths == ["/ml-1m.zip"]


def test_who_leaves_while_waiting_is_gone(server):
    class LeftError(Exception):
        pass

    def leave(done, total):
        raise LeftError

    with download._one_at_a_time, pytest.raises(LeftError):
        fetch("ml-1m", leave, server.url)
    assert server.paths == []


def test_a_folder_that_cannot_be_made_is_named(server, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("CBAI_DATA_DIR", str(tmp_path / "file" / "cache"))
    server.answers = [answer()]
    with pytest.raises(DownloadError, match="folder"):
        fetch("ml-1m", None, server.url)


def test_bad_names_and_bad_files_by_hand_are_named(server):
    with pytest.raises(ValueError, match=r"one of ml-latest-small, .*ml-32m; got 'ml-2m'"):
        fetch("ml-2m")
    data_folder().mkdir(parents=True)
    (data_folder() / "ml-1m.zip").write_bytes(GOOD[:4000])
    with pytest.raises(ValueError, match=r"ml-1m\.zip must be a whole zip file"):
        fetch("ml-1m", None, server.url)
    assert server.paths == []
