"""Where the app, its pages and the data are.

In a checkout they are beside the package. In an installed package they are inside it, in the folder
``shipped``. The build puts them there (see ``pyproject.toml``).
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
