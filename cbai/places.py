"""Where the files are that ship with the code but are no part of it: the app, its pages, the data.

In a checkout they stand beside the package. In an installed package they are inside it, in
``shipped``, where the build puts them (see ``pyproject.toml``).
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def shipped(name: str, package: Path = _PACKAGE) -> Path:
    """Return the path of a file or folder that ships with the package.

    Parameters
    ----------
    name : str
        ``"app.py"``, ``"pages"``, ``"data"`` or ``".streamlit"``.
    package : Path
        The folder of the package.
    """
    installed = package / "shipped"
    return (installed if installed.is_dir() else package.parent) / name
