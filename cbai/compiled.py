"""How the simulation is compiled, and where the machine code is kept.

numba stores machine code beside its source. It checks only the file of the function itself. It
would not notice a change in a function of another file that the first one calls. So the machine
code is kept under a digest of all compiled sources together.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import numba

OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
"""Threads run at the same time, and code is compiled once on each machine."""

LEAN = {**OPTIONS, "_nrt": False}
"""The same for functions that make no new array. Numba then does not count the references to the
arrays that they are given. Counting takes longer than the work of a short function, and threads
that share an array wait for each other. The option is not documented: a test says so if it goes."""

PATTERNS = ("compiled.py", "philox.py", "simulation/**/*.py")
"""Which files may hold compiled functions, or values that these use. Some are not compiled. A
change in one of those costs an unnecessary compilation."""

_HERE = Path(__file__).parent


def sources(folder: Path = _HERE) -> list[Path]:
    """Return the files that stored machine code depends on, in a fixed order."""
    found = {path for pattern in PATTERNS for path in folder.glob(pattern)}
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def digest(folder: Path = _HERE) -> str:
    """Return 16 letters that change with the name or the text of any of the `sources`."""
    whole = hashlib.sha256()
    for path in sources(folder):
        whole.update(path.relative_to(folder).as_posix().encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


def _cache_folder(package: Path = _HERE) -> Path:
    """Return where to store machine code: beside the source, else in the user's cache folder.

    An installed package may be read-only, and a server's user may have no home folder. The machine
    code is then kept for this process only.
    """
    name = f"numba-{digest()}"
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"]) / name
    beside = package / "__pycache__"
    if _is_writable(beside):
        return beside / name
    with contextlib.suppress(RuntimeError):  # no home is known
        users = Path.home() / ".cache" / "cbai"
        if _is_writable(users):
            return users / name
    own = tempfile.mkdtemp(prefix="cbai-")  # new and private: stored code is run when it is read
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return Path(own) / name


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


numba.config.CACHE_DIR = str(_cache_folder())
