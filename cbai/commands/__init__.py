"""The commands of ``cbai``: start the app, repeat a run, compute the paper again, warm up.

The modules that a command needs take seconds to import, and some are optional. So a command imports
its modules only when it is chosen.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import cbai
from cbai import checks

ABOUT = "Simulate how algorithms find the best of several options, with as few samples as possible."

Main = Callable[[argparse.Namespace], int | None]
"""Does the work of a command and returns its exit code, or nothing if all went well."""


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes
    ----------
    about : str
        What it does, for ``cbai --help``.
    module : str
        The module of the command. It has ``add_arguments(parser)`` and a `Main`, called ``main``.
        If an option makes no sense, ``main`` raises a ValueError of one sentence.
    needs : tuple of str
        Modules that it needs beyond those of the core.
    extra : str
        The extra of the package that installs these.
    """

    about: str
    module: str
    needs: tuple[str, ...] = ()
    extra: str = ""

    @property
    def lacks(self) -> list[str]:
        """The modules that are not installed."""
        return [name for name in self.needs if find_spec(name) is None]


COMMANDS = {
    "app": Command(
        "open the explorer in the browser",
        "cbai.commands.app",
        ("streamlit", "plotly", "orjson"),
        "app",
    ),
    "run": Command(
        "repeat a run that was saved as JSON, and say whether the results are the same",
        "cbai.reproduce.repeat",
    ),
    "reproduce": Command(
        "compute the paper's tables and figures again, and compare them with the printed numbers",
        "cbai.reproduce.command",
        ("plotly", "kaleido"),
        "figures",
    ),
    "warm-up": Command(
        "compile the simulation now; otherwise the first run waits for it",
        "cbai.commands.warm_up",
    ),
}


def prepare(arguments: Sequence[str] | None = None) -> Callable[[], None]:
    """Understand the arguments and load what the command needs.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    callable
        Does the work.

    Raises
    ------
    SystemExit
        If the arguments make no sense (after a message), or if only help was wanted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="cbai", description=ABOUT)
    parser.add_argument(
        "--version", action="version", version=cbai.__version__, help="print the version"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    parsers = {
        name: commands.add_parser(name, help=row.about, description=_sentence(row.about))
        for name, row in COMMANDS.items()
    }
    chosen = given[0] if given else ""
    if not given:
        parser.error(f"A command is needed: one of {', '.join(COMMANDS)}.")
    if not chosen.startswith("-"):
        try:
            checks.one_of("The command", chosen, COMMANDS)
        except ValueError as error:
            parser.error(str(error))
        main = _load(COMMANDS[chosen], parsers[chosen])
    options = parser.parse_args(given)
    return lambda: _work(main, options, parsers[chosen])


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _load(command: Command, parser: argparse.ArgumentParser) -> Main:
    """Import a command and describe its options; return the function that does its work."""
    if command.lacks:
        parser.error(
            f"This command needs {' and '.join(command.lacks)}. Install what is missing with: "
            f"pip install 'cbai[{command.extra}]'"
        )
    module = import_module(command.module)
    module.add_arguments(parser)
    main: Main = module.main
    return main


def _work(main: Main, options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    try:
        code = main(options)
    except ValueError as error:
        parser.error(str(error))
    if code:
        sys.exit(code)
