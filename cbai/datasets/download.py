"""Download MovieLens from GroupLens once, into a folder of the user."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pooch
import requests

from cbai import checks
from cbai.datasets.archive import Archive
from cbai.datasets.movielens_files import recognise
from cbai.datasets.stream import FileError

GROUPLENS = "https://files.grouplens.org/datasets/movielens/"
ATTEMPTS = 2
PAUSE = 1.0
"""Seconds between two attempts."""

LARGER = 2.0
"""A download may be this many times as large as expected; more is not written to the disk."""

TIMEOUT = 30.0
"""The longest wait for an answer of the server, in seconds."""

Progress = Callable[[int, int], None]
"""``progress(done, total)`` in bytes; total is 0 if the server does not say. May raise to stop."""


class DownloadError(OSError):
    """A download that failed; the message says what to do by hand."""


@dataclass(frozen=True)
class Release:
    """One file that GroupLens offers.

    Attributes
    ----------
    title : str
        What it is called.
    megabytes : float
        About how much there is to download.
    md5 : str or None
        The checksum GroupLens publishes. None where the file may change over time; then only
        its structure is checked, and the checksums inside the zip file when it is read.
    """

    title: str
    megabytes: float
    md5: str | None


RELEASES = {
    "ml-latest-small": Release("MovieLens latest, small: 100 thousand ratings", 1.0, None),
    "ml-100k": Release("MovieLens 100K", 4.9, "0e33842e24a9c977be4e0107933c0723"),
    "ml-1m": Release("MovieLens 1M", 5.9, "c4d9eecfca2ab87c1945afe126590906"),
    "ml-25m": Release("MovieLens 25M", 262.0, "6b51fb2759a8657d3bfcbfc42b592ada"),
    "ml-32m": Release("MovieLens 32M", 239.0, "d472be332d4daa821edc399621853b57"),
}
"""All releases, by name."""


def data_folder() -> Path:
    """Return the folder of downloads: CBAI_DATA_DIR, or the usual place for caches."""
    return Path(os.environ.get("CBAI_DATA_DIR") or pooch.os_cache("cbai"))


def at_hand(name: str) -> Path | None:
    """Return a release that is already in the folder, downloaded or put there by hand.

    Parameters
    ----------
    name : str
        A key of `RELEASES`.

    Returns
    -------
    Path or None
        The zip file, or a folder with what was in it.
    """
    checks.one_of("name", name, RELEASES)
    for path in (data_folder() / f"{name}.zip", data_folder() / name):
        if path.exists():
            return path
    return None


def fetch(name: str, progress: Progress | None = None, base_url: str = GROUPLENS) -> Path:
    """Return the path of a release; download it if it is not in the folder.

    Parameters
    ----------
    name : str
        A key of `RELEASES`.
    progress : callable, optional
        Called during the download, also while it waits for another one. If it raises, no part of a
        file is left behind.
    base_url : str
        The address before the name of the file.

    Returns
    -------
    Path
        To be read by `cbai.datasets.movielens_files.read_movielens`. A file put there by hand
        is used if it has one of the layouts of MovieLens, whatever its checksum.

    Raises
    ------
    DownloadError
        If it cannot be downloaded whole, or the folder cannot be written to.
    ValueError
        If the name is unknown, or a file put there by hand is not MovieLens.
    """
    path = at_hand(name)
    if path is None:
        with _in_turn(progress):
            path = at_hand(name) or _download(name, progress, base_url)
    with Archive(path) as archive:
        recognise(archive)
    return path


_one_at_a_time = threading.Lock()
POLL_SECONDS = 0.2


@contextmanager
def _in_turn(progress: Progress | None) -> Iterator[None]:
    """Wait until other downloads are over, perhaps of the same file; `progress` may end it."""
    while not _one_at_a_time.acquire(timeout=POLL_SECONDS):
        if progress is not None:
            progress(0, 0)
    try:
        yield
    finally:
        _one_at_a_time.release()


def _download(
    name: str, progress: Progress | None, base_url: str, attempts: int = ATTEMPTS
) -> Path:
    """Download a release; the file gets its name only after it has passed the checks."""
    release, folder = RELEASES[name], data_folder()
    url = f"{base_url}{name}.zip"
    known = f"md5:{release.md5}" if release.md5 else None
    get = _Downloader(progress, int(LARGER * release.megabytes * 1e6))
    try:
        return Path(pooch.retrieve(url, known, f"{name}.zip", folder, downloader=get))
    except (requests.RequestException, ValueError, OSError) as error:
        if attempts <= 1 or _is_final(error):
            raise DownloadError(
                f"{name}.zip could not be downloaded ({_reason(error)}): get it from {url} in "
                f"some other way and put it into the folder {folder}."
            ) from error
    time.sleep(PAUSE)
    return _download(name, progress, base_url, attempts - 1)


class _Downloader:
    """Downloads to a temporary file and checks that it holds what it should."""

    def __init__(self, progress: Progress | None, most: int) -> None:
        bar = _Bar(progress, most)
        self._http = pooch.HTTPDownloader(progressbar=bar, chunk_size=2**18, timeout=TIMEOUT)

    def __call__(self, url: str, output_file: str, owner: pooch.Pooch | None) -> None:
        self._http(url, output_file, owner)
        with Archive(output_file, url.rsplit("/", 1)[-1]) as archive:
            recognise(archive)


class _Bar:
    """Passes the progress that pooch reports to a function; ends a download that is too large."""

    total = 0

    def __init__(self, progress: Progress | None, most: int) -> None:
        self._progress, self._most, self._done = progress, most, 0

    def update(self, size: int) -> None:
        self._done += size
        size = max(self._done, self.total)
        if size > self._most:
            raise FileError(
                f"the file must have at most {self._most / 1e6:,.1f} MB, got {size / 1e6:,.1f} MB."
            )
        if self._progress is not None:
            done = min(self._done, self.total) if self.total else self._done
            self._progress(done, self.total)

    def reset(self) -> None:
        self._done = 0

    def close(self) -> None:
        """Do nothing: the last update has reported everything."""


def _is_final(error: Exception) -> bool:
    """Whether another attempt is pointless, because the server or the folder refuses."""
    if isinstance(error, requests.HTTPError):
        return error.response is not None and error.response.status_code < 500
    return not isinstance(error, (requests.RequestException, ValueError))


def _reason(error: Exception) -> str:
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return f"no answer within {TIMEOUT:g} seconds"
    if isinstance(error, requests.exceptions.SSLError):
        return "no secure connection to the server"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke off"
    if isinstance(error, requests.RequestException):
        return "no connection to the server"
    if isinstance(error, OSError):
        return f"the folder cannot be written to: {error.strerror or error}"
    if isinstance(error, FileError):
        return str(error).rstrip(".")
    return "its checksum is not the one that GroupLens publishes"
