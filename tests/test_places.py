"""Where files are found, and where machine code is stored: in a checkout, installed, read-only."""

from __future__ import annotations

from pathlib import Path

import pytest

from cbai import compiled
from cbai.places import shipped

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["app.py", "pages", "data", ".streamlit"])
def test_in_a_checkout_files_stand_beside_the_package(name):
    assert shipped(name) == ROOT / name
    assert shipped(name).exists()


def test_installed_files_are_inside_the_package(tmp_path):
    (tmp_path / "cbai" / "shipped").mkdir(parents=True)
    assert shipped("data", tmp_path / "cbai") == tmp_path / "cbai" / "shipped" / "data"


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Return a place where no folder can be made, not even by an administrator: inside a file."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    file = tmp_path / "file"
    file.write_text("no folder")
    return file / "inside"


def home(monkeypatch, path):
    monkeypatch.setattr(Path, "home", lambda: path)


def test_machine_code_stands_beside_its_source_where_that_can_be_written(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compiled._cache_folder(tmp_path).parent == tmp_path / "__pycache__"


def test_a_read_only_package_uses_the_users_cache_folder(nowhere, tmp_path, monkeypatch):
    home(monkeypatch, tmp_path)
    assert compiled._cache_folder(nowhere).parent == tmp_path / ".cache" / "cbai"


def test_without_a_home_machine_code_is_kept_for_this_process(nowhere, monkeypatch):
    home(monkeypatch, nowhere)
    first, second = (compiled._cache_folder(nowhere).parent for _ in range(2))
    assert first != second  # nobody else can have put code there
    assert first.stat().st_mode & 0o077 == 0
    assert not list(first.iterdir())


def test_an_unknown_home_is_no_home(nowhere, monkeypatch):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    assert compiled._cache_folder(nowhere).parent.is_dir()
