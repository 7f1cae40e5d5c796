"""Open data files safely: a folder, a zip file or a single file, from disk or uploaded.

Members are found by the last part of their name, and they are only read as streams. Nothing is
extracted, so a path inside an archive can do no harm. `cbai.datasets.stream` checks what they hold.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from cbai import checks
from cbai.datasets.stream import MAX_BYTES, Borrowed, FileError, Guard, Gunzip, Limits, told

Source = str | os.PathLike[str] | bytes | BinaryIO
"""A path, the bytes of a file, or a binary file object that can seek."""

MAX_DIRECTORY = 2**19
"""The largest list of files in a zip file, in bytes; each file takes 46 bytes and its name."""

SHOWN_NAMES, SHOWN_LETTERS = 5, 30
"""How many names of files a message lists, and how many letters of each."""


class Archive:
    """A folder, a zip file or a single file, as a set of named streams.

    Parameters
    ----------
    source : path, bytes or binary file object
        A file object is read from its start and left open.
    name : str, optional
        What messages call it; by default the name of the file.
    max_bytes : int
        The most that one member may unpack to.

    Attributes
    ----------
    members : list of str
        The paths inside. A zip file lists all of them, a folder those down to its direct
        subfolders, and a single file only its name.
    digests : dict of str to str
        SHA-256 of each member read to its end, by the last part of its path, after unpacking.

    Raises
    ------
    FileError
        If there is no such file, or it is a damaged zip file.
    """

    def __init__(self, source: Source, name: str | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.name = told(name or _name(source)) or "the file"
        self.digests: dict[str, str] = {}
        self._max_bytes = max_bytes
        self._folder: Path | None = None
        self._zip: zipfile.ZipFile | None = None
        self._own = not hasattr(source, "read")
        if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
            self._folder = Path(source)
            self.members = _files_below(self._folder)
            return
        self._file, self._size = _opened(source, self.name)
        self.members = [self.name]
        head = self._file.read(4)
        self._packed = head[:2] == b"\x1f\x8b"
        if head in (b"PK\x03\x04", b"PK\x05\x06"):
            self._open_zip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, unless it was given open."""
        if self._zip is not None:
            self._zip.close()
        if self._folder is None and self._own:
            self._file.close()

    def find(self, name: str) -> str | None:
        """Return the path of the least deep member whose last part is `name`, if there is one.

        Raises
        ------
        FileError
            If two members at the same depth have that name.
        """
        paths = [path for path in self.members if _parts(path)[-1] == name]
        paths.sort(key=lambda path: len(_parts(path)))
        if len(paths) > 1 and len(_parts(paths[0])) == len(_parts(paths[1])):
            raise FileError(
                f"{self.name} must hold one {name}, got {_brief(paths[0])} and {_brief(paths[1])}."
            )
        return paths[0] if paths else None

    def open(self, name: str, limits: Limits | None = None) -> io.BufferedReader:
        """Return the member called `name` as a stream of bytes, unpacked if it is a gzip file.

        Parameters
        ----------
        name : str
            The last part of the member's path.
        limits : Limits, optional
            The most it may hold; never more bytes than the archive allows.

        Raises
        ------
        FileError
            If it is missing, encrypted, or too large by its own header. While it is read: if it is
            empty, damaged, cut short or not text, if it unpacks to too much, or if it has too many
            or too long lines.
        """
        path = self.find(name)
        if path is None:
            raise FileError(f"{self.name} must hold {name}, got {self.listing()}.")
        limits = limits or Limits()
        limits = replace(limits, total=min(self._max_bytes, limits.total))
        label = name if self.is_single else f"{name} in {self.name}"
        self._refuse_at_once(path, label, limits.total)
        stream, size = self._stream(path)
        if path.endswith(".gz") or (self.is_single and self._packed):
            stream = cast(BinaryIO, Gunzip(stream))
        return io.BufferedReader(Guard(stream, label, size, limits, self.digests, name), 2**18)

    def lines(self, name: str, encoding: str, limits: Limits | None = None) -> Iterator[str]:
        """Yield the lines of a text file, with their line ends.

        Raises
        ------
        FileError
            As `open`, and if the text is not in the encoding.
        """
        with self.open(name, limits) as stream:
            text = io.TextIOWrapper(stream, encoding, newline="")
            try:
                yield from text
            except UnicodeDecodeError as error:
                found = error.object[error.start : error.start + 4]
                raise FileError(f"{name} must be text in {encoding}, got {found!r}.") from None

    def listing(self) -> str:
        """Return the first few names inside, in words."""
        shown = ", ".join(map(_brief, self.members[:SHOWN_NAMES]))
        more = len(self.members) - SHOWN_NAMES
        return (shown or "no files") + (f" and {more} more" if more > 0 else "")

    @property
    def is_single(self) -> bool:
        """Whether this is one file, not a folder or a zip file."""
        return self._folder is None and self._zip is None

    def _refuse_at_once(self, path: str, label: str, most: int) -> None:
        """Refuse a member of a zip file that is too large by its own header."""
        if self._zip is not None and self._zip.getinfo(path).file_size > most:
            raise FileError(f"{label} must unpack to at most {most:,} bytes, got more.")

    def _stream(self, path: str) -> tuple[BinaryIO, int]:
        if self._folder is not None:
            return _opened(self._folder / path, path)
        if self._zip is None:
            self._file.seek(0)
            return cast(BinaryIO, Borrowed(self._file)), self._size
        info = self._zip.getinfo(path)
        if info.flag_bits & 1:
            raise FileError(
                f"{self.name} must not be encrypted, got {_brief(path)} with a password."
            )
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(
                f"{self.name} must use the usual deflate compression, got method "
                f"{info.compress_type} for {_brief(path)}."
            )
        try:
            return cast(BinaryIO, self._zip.open(info)), min(info.compress_size, self._size)
        except (FileError, MemoryError):
            raise
        except Exception as error:  # whatever zipfile raises on a stranger's bytes
            raise FileError(
                f"{self.name} must be a whole zip file, got one cut short or damaged: "
                f"{told(error)}."
            ) from None

    def _open_zip(self) -> None:
        try:
            self._zip = zipfile.ZipFile(cast(BinaryIO, _Sips(self._file, self.name)))
            self.members = [path for path in self._zip.namelist() if not path.endswith("/")]
            self._refuse_outside()
        except (FileError, MemoryError):
            self.close()
            raise
        except Exception as error:  # whatever zipfile raises on a stranger's bytes
            self.close()
            raise FileError(
                f"{self.name} must be a whole zip file, got {self._size:,} bytes cut short or "
                f"damaged ({told(error)})."
            ) from None

    def _refuse_outside(self) -> None:
        for path in self.members:
            parts = _parts(path)
            if parts[0] == "" or ".." in parts or ":" in parts[0]:
                raise FileError(f"{self.name} must hold paths inside itself, got {_brief(path)}.")


class _Sips:
    """A file of which `zipfile` can read only a little at a time. That limits the list of files."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        few = size if 0 <= size <= MAX_DIRECTORY else MAX_DIRECTORY + 1
        block = self._file.read(few)
        if len(block) > MAX_DIRECTORY:
            raise FileError(
                f"{self._name} must have a list of files of at most {MAX_DIRECTORY:,} bytes, got "
                "a longer one."
            )
        return block


def _brief(path: str) -> str:
    return checks.cut(checks.quoted(path), SHOWN_LETTERS)


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").split("/")


def _name(source: Source) -> str:
    if isinstance(source, (str, os.PathLike)):
        return Path(source).name or str(source)
    named = getattr(source, "name", None)
    return Path(named).name if isinstance(named, str) else "the file"


def _opened(source: Source, name: str) -> tuple[BinaryIO, int]:
    if isinstance(source, bytes):
        return io.BytesIO(source), len(source)
    if isinstance(source, (str, os.PathLike)):
        try:
            file: BinaryIO = Path(source).open("rb")  # noqa: SIM115 - the archive closes it
        except OSError as error:
            reason = error.strerror or str(error)
            raise FileError(
                f"{checks.quoted(name)} must be a file or folder to read, got: {told(reason)}."
            ) from None
    else:
        file = source
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return file, size


def _files_below(folder: Path) -> list[str]:
    paths = [path for pattern in ("*", "*/*") for path in sorted(folder.glob(pattern))]
    return [path.relative_to(folder).as_posix() for path in paths if path.is_file()]
