"""The package: what is built is whole, and works where there is no checkout."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import cbai
from tests import effort

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SHIPPED = ("app.py", "pages", "data", ".streamlit")
BIN = "Scripts" if os.name == "nt" else "bin"

LOADS = """
import importlib, pkgutil, sys
from pathlib import Path
import cbai
from cbai.reproduce import stored

names = [one.name for one in pkgutil.walk_packages(cbai.__path__, "cbai.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
for row in cbai.DATASETS.values():
    choices = [{name: value} for name, allowed in row.options.items() for value in allowed]
    for choice in choices or [{}]:
        assert cbai.load_problem(row.id, **choice).n_arms >= 2
print(len(names), len(cbai.DATASETS))
for module in list(sys.modules.values()):
    print(getattr(module, "__file__", None) or "")
"""

OPENS = """
import sys
from streamlit.testing.v1 import AppTest
from cbai.places import shipped

app = AppTest.from_file(str(shipped("app.py")), default_timeout=300)
app.query_params["data"] = "paper-two-arms"
app.query_params["trials"] = "10"
for page in (None, "pages/race.py"):
    app = app.switch_page(page).run() if page else app.run()
    assert not app.exception, app.exception
    print(app.title[0].value)
"""


def run(*command, **options):
    """Run a program away from the checkout, and return what it prints."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if not effort.full:
        env["NUMBA_DISABLE_JIT"] = "1"  # compiling anew would take longer than all the rest
    ended = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, env=env, **options
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the sdist and the wheel, and the wheel once more from what the sdist holds."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", out, cwd=ROOT)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    with tarfile.open(sdist) as file:
        file.extractall(out / "source", filter="data")
    (source,) = (out / "source").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out / "again", cwd=source)
    (again,) = (out / "again").glob("*.whl")
    return wheel, again


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    """Install the wheel into a new environment; what it needs is taken from this one."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    there = folder / BIN / Path(sys.executable).name
    install = ("install", "--no-deps", "--no-index", "--disable-pip-version-check", "-q", built[1])
    run(sys.executable, "-m", "pip", "--python", there, *install)
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    (Path(run(there, "-c", asked).strip()) / "needs.pth").write_text(
        sysconfig.get_path("purelib"), encoding="utf-8"
    )
    return there


def names_in(wheel):
    with zipfile.ZipFile(wheel) as file:
        return set(file.namelist())


def files_of(folder):
    """Return what a folder of the checkout holds, without what Python leaves there."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (folder.rglob("*") if folder.is_dir() else [folder])
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_and_what_ships_with_it(built):
    names = {name for name in names_in(built[0]) if ".dist-info/" not in name}
    inside = {f"cbai/shipped/{name}" for part in SHIPPED for name in files_of(ROOT / part)}
    assert names == files_of(ROOT / "cbai") | inside
    assert {Path(name).suffix for name in names} >= {".py", ".typed", ".js", ".css", ".csv"}


def test_the_sdist_builds_the_same_wheel(built):
    assert names_in(built[0]) == names_in(built[1])


def test_everything_loads_from_the_package_alone(python, tmp_path):
    counts, *files = run(python, "-c", LOADS, cwd=tmp_path).splitlines()
    n_modules, n_datasets = map(int, counts.split())
    assert n_modules > 100
    assert n_datasets == len(cbai.DATASETS)
    environment = Path(sysconfig.get_path("purelib"))
    of_checkout = [
        name
        for name in files
        if Path(name).is_relative_to(ROOT) and not Path(name).is_relative_to(environment)
    ]
    assert not of_checkout
    ours = [name for name in files if f"{os.sep}cbai{os.sep}" in name]
    assert len(ours) > 100
    assert all(Path(name).is_relative_to(python.parents[1]) for name in ours)


@pytest.mark.parametrize("how", ["cbai", "python -m cbai"])
def test_the_command_is_there(python, how, tmp_path):
    script = python.with_name(f"cbai{python.suffix}")
    command = [script] if how == "cbai" else [python, "-m", "cbai"]
    assert run(*command, "--version", cwd=tmp_path).strip() == cbai.__version__


def test_the_app_starts_and_is_well(python, tmp_path):
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [python, "-m", "cbai", "app", "--no-browser", "--port", str(port)]
    log = (tmp_path / "log").open("w+")
    with subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log) as server:
        try:
            assert get(f"http://localhost:{port}/_stcore/health", server, log) == "ok"
            assert "<title>" in get(f"http://localhost:{port}/", server, log)
        finally:
            server.terminate()


def get(address, server, log, seconds=90):
    for _ in range(4 * seconds):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.25)
    log.seek(0)
    raise AssertionError(f"No answer from {address}: {log.read()}")


def test_pages_open_from_the_package_alone(python, tmp_path):
    home, race = run(python, "-c", OPENS, cwd=tmp_path).splitlines()
    assert "ruled out another" in home  # a sentence computed from the run, not a question
    assert race.endswith("?")


def requirements(lines):
    found = (re.sub(r"\s*#.*", "", line).strip() for line in lines)
    return {(r.name, str(r.specifier)) for line in found if line for r in [Requirement(line)]}


def test_the_apps_requirements_are_those_of_the_package():
    extras = PROJECT["optional-dependencies"]
    declared = requirements([*PROJECT["dependencies"], *extras["app"], *extras["figures"]])
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert requirements(text.splitlines()) == declared


def test_the_core_is_small():
    core = {name for name, _ in requirements(PROJECT["dependencies"])}
    assert core == {"numpy", "scipy", "pandas", "numba", "pooch", "pyarrow"}


def test_the_container_is_built_from_all_that_the_package_is_made_of():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    assert {"cbai", "pyproject.toml", "README.md", "LICENSE", *SHIPPED} <= let_in
    assert "*" in lines


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {cbai.__version__}\n" in citation
