"""Files are written whole or not at all: under another name first, which is then changed.

After a full disk, a power cut or the end of the process at any moment, the old file is unchanged.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

SUFFIX = ".part"
"""The end of the name of a file that is being written. A file left with it may be deleted."""


def write(path: Path, content: bytes) -> None:
    """Write a file whole. It replaces the old one, if there is one.

    Parameters
    ----------
    path : Path
        The file; its folder must exist.
    content : bytes

    Raises
    ------
    OSError
        If it cannot be written. The old file is then unchanged, and nothing else is left behind.

    Notes
    -----
    The content is on the disk before `os.replace` gives the file its name. If two programs write to
    the same path at the same time, their contents do not mix. The last one wins.
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
    """Make a folder and try to write to it, before anything is computed.

    Parameters
    ----------
    name : str
        What the folder is called in the message.
    folder : Path

    Raises
    ------
    ValueError
        If it is not a folder, or nothing can be written to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try(folder)
    except (OSError, ValueError) as error:
        raise ValueError(f"{name} must be a folder to write to, {_got(folder, error)}") from None


def check_file(name: str, path: Path) -> None:
    """Try to write to the folder of a file, before anything is computed.

    Raises
    ------
    ValueError
        If its folder does not exist or cannot be written to, or if the file is a folder itself.
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
    """Write a few bytes to a folder, and delete them again."""
    with tempfile.NamedTemporaryFile(prefix=".cbai.", suffix=SUFFIX, dir=folder) as file:
        file.write(b"a few bytes")
        file.flush()
        os.fsync(file.fileno())


def _mode(target: Path) -> int:
    """Return the permissions of a file, or those of a new one."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Write the new name to the disk too, where folders can be synced."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
