# Everything starts from here. `make help` lists the targets.
# Written for GNU make 3.81 and newer: Linux, macOS, and Windows with make on the path.

.DEFAULT_GOAL := help
.PHONY: help run test test-full mutants lint format bench screenshots docs package warm-up clean

VENV := .venv
STREAMLIT_FLAGS := --server.address localhost
WORKERS ?= 2

ifeq ($(OS),Windows_NT)
  PYTHON ?= python
  PY := "$(VENV)/Scripts/python.exe"
else
  # The first Python on the path that is new enough; python3 if there is none, for its error message.
  PYTHON ?= $(or $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
    $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done),python3)
  PY := $(VENV)/bin/python
endif

# Creates the virtual environment. Debian ships Python without ensurepip: pip can then help itself.
define CREATE_VENV
import sys
if sys.version_info < (3, 11):
    sys.exit("cbai needs Python 3.11 or newer, but {} is Python {}.{}. Install a newer one, or name "
             "one: make PYTHON=python3.12 run".format(sys.executable, *sys.version_info[:2]))
import importlib.util, subprocess
def run(*args):
    return subprocess.call([sys.executable, "-m"] + list(args)) == 0
def has(module):
    return importlib.util.find_spec(module) is not None
venv = sys.argv[1]
if has("venv") and has("ensurepip"):
    made = run("venv", "--clear", venv)
elif has("venv") and has("pip"):
    made = run("venv", "--clear", "--without-pip", venv) and run("pip", "--python", venv, "install", "pip")
else:
    made = False
if not made:
    sys.exit("Python could not create a virtual environment in {}. On Debian and Ubuntu install what "
             "is missing with: sudo apt install python3-venv".format(venv))
endef
export CREATE_VENV

# A stamp file is as new as the last successful step, so a second run goes straight to work.
STAMP = $(PY) -c "import pathlib; pathlib.Path('$@').touch()"

$(VENV)/.created:
	$(info Creating the virtual environment in $(VENV))
	@$(PYTHON) -c "import os; exec(os.environ['CREATE_VENV'])" $(VENV)
	@$(STAMP)

$(VENV)/.app: requirements.txt $(VENV)/.created
	$(info Installing what the app needs: a minute or two, only the first time)
	@$(PY) -m pip install --disable-pip-version-check -r requirements.txt
	@$(STAMP)

$(VENV)/.dev: requirements-dev.txt $(VENV)/.app
	$(info Installing what the tests and checks need)
	@$(PY) -m pip install --disable-pip-version-check -r requirements-dev.txt
	@$(STAMP)

$(VENV)/.docs: requirements-docs.txt $(VENV)/.app
	$(info Installing what the docs need)
	@$(PY) -m pip install --disable-pip-version-check -r requirements-docs.txt
	@$(STAMP)

help:  ## this list
	@echo "make run          set up, start the app and open it in the browser"
	@echo "                  (ARGS passes options on: make run ARGS='--server.port 8600')"
	@echo "make test         set up and run the tests (ARGS='-k name' runs some)"
	@echo "make test-full    the same with full numbers and the soak, for a release"
	@echo "make mutants      plant bugs and see that tests find them (ARGS=word picks some)"
	@echo "make lint         style, types and the import contracts"
	@echo "make format       rewrite the code in the project's style"
	@echo "make bench        run the benchmarks"
	@echo "make screenshots  pictures of every page, into screenshots/"
	@echo "make docs         guides and reference as web pages, into docs/_build/html/"
	@echo "make package      wheel and source archive, into dist/"
	@echo "make clean        remove the virtual environment and all caches"

run: warm-up
	$(PY) -m streamlit run app.py $(STREAMLIT_FLAGS) $(ARGS)

warm-up: $(VENV)/.app
	@$(PY) -m cbai warm-up

test: $(VENV)/.dev warm-up
	$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-full: $(VENV)/.dev warm-up
	$(PY) -m pytest -n $(WORKERS) --dist worksteal --full $(ARGS)

mutants: $(VENV)/.dev
	$(PY) -m tests.mutants $(ARGS)

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -c "from importlinter.cli import lint_imports_command as run; run()" --no-logo

format: $(VENV)/.dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(VENV)/.dev warm-up
	$(PY) -m benchmarks $(ARGS)

screenshots: $(VENV)/.dev warm-up
	$(PY) -m tests.browser.screenshots screenshots

docs: $(VENV)/.docs
	$(PY) -m sphinx -W --keep-going -b html docs docs/_build/html

package: $(VENV)/.dev
	$(PY) -m hatchling build -d dist

clean:
	$(PYTHON) -c "import pathlib, shutil; [shutil.rmtree(p, ignore_errors=True) for p in [pathlib.Path('$(VENV)'), *pathlib.Path('.').glob('.*_cache'), pathlib.Path('.hypothesis'), *pathlib.Path('.').rglob('__pycache__')]]"
