"""Files that are whole or not there: written beside, then renamed.

A full disk, a power cut or a process that is killed at any moment leaves the old file as it was.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

SUFFIX = ".part"
"""How the name of a file ends that is being written; one that is left over may be deleted."""


def write(path: Path, content: bytes) -> None:
    """Write a file whole, in place of the old one if there is one.

    Parameters
    ----------
    path : Path
        Where to; its folder must be there.
    content : bytes

    Raises
    ------
    OSError
        If it cannot be written. The old file is then as it was, and nothing else is left behind.

    Notes
    -----
    The content is on the disk before the file gets its name, by `os.replace`. Two programs that
    write to the same path at the same time do not mix; the last one wins.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    number, name = tempfile.mkstemp(
        prefix=f".{target.name[:60]}.", suffix=SUFFIX, dir=target.parent
    )
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(target.parent)


def check_folder(name: str, folder: Path) -> None:
    """Make a folder and try to write to it, so that this is known before anything is computed.

    Parameters
    ----------
    name : str
        What the folder is called in the message.
    folder : Path

    Raises
    ------
    ValueError
        If it is none, or nothing can be written to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try(folder)
    except (OSError, ValueError) as error:
        raise ValueError(f"{name} must be a folder to write to, {_got(folder, error)}") from None


def check_file(name: str, path: Path) -> None:
    """Try to write beside a file, so that this is known before anything is computed.

    Raises
    ------
    ValueError
        If its folder is not there or cannot be written to, or if it is a folder itself.
    """
    try:
        if path.is_dir():
            raise OSError(0, "it is a folder")
        if path.exists() and not path.is_file():
            raise OSError(0, "it is no ordinary file")
        _try(Path(os.path.realpath(path)).parent)
    except (OSError, ValueError) as error:
        raise ValueError(f"{name} must be a file to write, {_got(path, error)}") from None


def reason(error: Exception) -> str:
    """Return why a file could not be written, in a few words."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _got(path: Path, error: Exception) -> str:
    shown = str(path)
    shown = "".join(one if one.isprintable() else "�" for one in shown)
    return f"got {shown if len(shown) <= 200 else '…' + shown[-200:]}: {reason(error)}."


def _try(folder: Path) -> None:
    """Write a few bytes to a folder, and take them away again."""
    with tempfile.NamedTemporaryFile(prefix=".cbai.", suffix=SUFFIX, dir=folder) as file:
        file.write(b"a few bytes")
        file.flush()
        os.fsync(file.fileno())


def _mode(target: Path) -> int:
    """Return the permissions that a file has, or that a new one gets."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Keep the new name too if the power fails now; where folders cannot be synced, do nothing."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
