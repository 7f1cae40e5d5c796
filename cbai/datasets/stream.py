"""Check a stream while it is read: size, packing ratio, damage, text, number and length of lines.

The unpacked data are measured while they are read, so a header with a wrong size does no harm.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from cbai import checks

MAX_BYTES = 4 * 2**30
"""The most that one member may unpack to; the largest MovieLens file has 0.9 GB."""

MAX_RATIO = 200
"""The most bytes that one packed byte may unpack to; ratings in CSV or JSON take 4 to 15."""

FREE_BYTES = 2**20
"""Below this size the ratio does not matter."""

MAX_LINE = 2**22
"""The longest line, in bytes."""

MAX_LINES = 100_000_000
"""The most lines; MovieLens 32M has 32 million."""

MAX_MEMBERS = 100_000
"""The most gzip members in one file; programs that pack block by block write 64 kB in each."""

CHUNK = 2**14
"""Packed bytes that are unpacked at once."""

DAMAGE = (EOFError, OSError, struct.error, zlib.error, zipfile.BadZipFile)


class FileError(ValueError):
    """A file that cannot be used; the message quotes what was found and what is allowed."""


def told(reason: object) -> str:
    """Return what an error or a file says as part of a sentence: short, printable, no full stop."""
    text = " ".join(str(reason).split())
    printable = "".join(one if one.isprintable() else "\ufffd" for one in text)
    return checks.cut(printable.rstrip("."), checks.LONGEST_QUOTE)


@dataclass(frozen=True)
class Limits:
    """The most that a stream may hold.

    Attributes
    ----------
    total : int
        Bytes after unpacking.
    lines : int
        Lines, empty ones included.
    line : int
        Bytes of one line.
    """

    total: int = MAX_BYTES
    lines: int = MAX_LINES
    line: int = MAX_LINE


class Gunzip(io.RawIOBase):
    """A gzip file, unpacked as it is read.

    Unlike `gzip.GzipFile`, it spends no time on long headers and on many empty members.

    Parameters
    ----------
    file : binary file object
        Closed with this one.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file: Any = file
        self._members = 0
        self._unpacker = zlib.decompressobj(wbits=31)

    def readable(self) -> bool:
        """Return True."""
        return True

    def close(self) -> None:
        """Close the file below as well."""
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` wants it; raises EOFError if the file is cut short."""
        block = b""
        while not block:
            if self._unpacker.eof and not self._next_member():
                return 0
            packed = self._unpacker.unconsumed_tail or self._file.read(CHUNK)
            block = self._unpacker.decompress(packed, len(buffer))
            if not (packed or block or self._unpacker.eof):
                raise EOFError("the end is missing")
        buffer[: len(block)] = block
        return len(block)

    def _next_member(self) -> bool:
        """Begin with the next member, and say whether there is one."""
        rest = self._unpacker.unused_data.lstrip(b"\0")
        while not rest:
            packed = self._file.read(CHUNK)
            if not packed:
                return False
            rest = packed.lstrip(b"\0")
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise zlib.error(f"more than {MAX_MEMBERS:,} packed parts")
        self._unpacker = zlib.decompressobj(wbits=31)
        self._file = _Again(rest, self._file)
        return True


class _Again:
    """A file that first gives some bytes that have already been read."""

    def __init__(self, again: bytes, file: Any) -> None:
        self._again = again
        self._file: Any = file._file if isinstance(file, _Again) else file

    def read(self, size: int) -> bytes:
        again, self._again = self._again, b""
        return again or bytes(self._file.read(size))

    def close(self) -> None:
        self._file.close()


class Borrowed(io.RawIOBase):
    """A file that stays open when its reader is closed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` wants it."""
        block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)


class Guard(io.RawIOBase):
    """A stream of bytes that checks the text that passes through it.

    Parameters
    ----------
    stream : binary file object
        Where the unpacked bytes come from; closed with the guard.
    label : str
        What messages call it.
    packed : int
        The most bytes that the packed stream takes.
    limits : Limits
        The most it may hold.
    digests : dict of str to str
        Receives the SHA-256 under `key` when the stream has been read to its end.
    """

    def __init__(
        self,
        stream: BinaryIO,
        label: str,
        packed: int,
        limits: Limits,
        digests: dict[str, str],
        key: str,
    ) -> None:
        self._stream, self._label, self._digests, self._key = stream, label, digests, key
        self._ratio_bytes = max(FREE_BYTES, MAX_RATIO * packed)
        self._limits = limits
        self._hash = hashlib.sha256()
        self._total = self._line = self._lines = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def close(self) -> None:
        """Close the stream below as well."""
        self._stream.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        """Read as `io.RawIOBase` wants it, and check what was read."""
        try:
            block = self._stream.read(len(buffer))
        except (FileError, MemoryError):
            raise
        except Exception as error:  # whatever zipfile raises on a stranger's bytes
            raise FileError(
                f"{self._label} must be a whole file, got one that is cut short or damaged after "
                f"{self._total:,} bytes ({told(error)})."
            ) from None
        self._total += len(block)
        self._check_size()
        self._check_text(block)
        self._hash.update(block)
        if not block:
            self._digests[self._key] = self._hash.hexdigest()
        buffer[: len(block)] = block
        return len(block)

    def _check_size(self) -> None:
        if self._total == 0:
            raise FileError(f"{self._label} must hold data, got an empty file.")
        if self._total > self._limits.total:
            raise FileError(
                f"{self._label} must unpack to at most {self._limits.total:,} bytes, got more."
            )
        if self._total > self._ratio_bytes:
            raise FileError(
                f"{self._label} must unpack to at most {MAX_RATIO} times its packed size, "
                f"got more than {self._ratio_bytes:,} bytes."
            )

    def _check_text(self, block: bytes) -> None:
        if b"\0" in block:
            at = block.index(b"\0")
            raise FileError(
                f"{self._label} must be text, got binary data: {block[max(0, at - 4) : at + 4]!r}."
            )
        self._lines += max(block.count(b"\n"), block.count(b"\r"))
        if self._lines > self._limits.lines:
            raise FileError(
                f"{self._label} must have at most {self._limits.lines:,} lines, got more."
            )
        if self._longest(block) > self._limits.line:
            raise FileError(
                f"{self._label} must have lines of at most {self._limits.line:,} bytes, got a "
                "longer one."
            )

    def _longest(self, block: bytes) -> int:
        """Return the length of the longest line that ends or goes on in this block."""
        end = block.rfind(b"\n")
        before, self._line = self._line, len(block) - end - 1
        if end < 0:
            self._line += before
            return self._line
        if len(block) <= self._limits.line:
            return max(before + block.index(b"\n"), self._line)
        ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
        longest = int(np.diff(ends).max(initial=1)) - 1
        return max(before + int(ends[0]), longest, self._line)
