"""Check a stream while it is read: size, packing ratio, damage, text, length of lines.

What comes out is measured while it comes, so a header that lies about its size gains nothing.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from typing import Any, BinaryIO

MAX_BYTES = 4 * 2**30
"""The most that one member may unpack to; the largest MovieLens file has 0.9 GB."""

MAX_RATIO = 200
"""The most bytes that one packed byte may unpack to; ratings in CSV or JSON take 4 to 15."""

FREE_BYTES = 2**20
"""Below this size the ratio does not matter."""

MAX_LINE = 2**22
"""The longest line, in bytes."""

DAMAGE = (EOFError, OSError, struct.error, zlib.error, zipfile.BadZipFile)


class FileError(ValueError):
    """A file that cannot be used; the message quotes what was found and what is allowed."""


class Borrowed(io.RawIOBase):
    """A file that is not closed when the reader on top of it is."""

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
    """A stream of text as bytes that checks what passes through it.

    Parameters
    ----------
    stream : binary file object
        Where the unpacked bytes come from; closed with the guard.
    label : str
        What messages call it.
    packed : int
        How many bytes the stream takes packed, at most.
    max_bytes : int
        The most it may unpack to.
    digests : dict of str to str
        Receives the SHA-256 under `key` when the stream has been read to its end.
    """

    def __init__(
        self,
        stream: BinaryIO,
        label: str,
        packed: int,
        max_bytes: int,
        digests: dict[str, str],
        key: str,
    ) -> None:
        self._stream, self._label, self._digests, self._key = stream, label, digests, key
        self._ratio_bytes = max(FREE_BYTES, MAX_RATIO * packed)
        self._max_bytes = max_bytes
        self._hash = hashlib.sha256()
        self._total = self._line = 0

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
        except DAMAGE as error:
            raise FileError(
                f"{self._label} must be a whole file, got one that is cut short or damaged after "
                f"{self._total:,} bytes ({error})."
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
        if self._total > self._max_bytes:
            raise FileError(
                f"{self._label} must unpack to at most {self._max_bytes:,} bytes, got more."
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
        end = block.rfind(b"\n")
        self._line = self._line + len(block) if end < 0 else len(block) - end - 1
        if self._line > MAX_LINE:
            raise FileError(f"{self._label} must have lines of at most {MAX_LINE:,} bytes.")
