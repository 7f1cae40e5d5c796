"""Best-arm identification in correlated multi-armed bandits.

The algorithms and definitions are those of Gupta, Joshi and Yağan, *Best-Arm Identification in
Correlated Multi-Armed Bandits* (IEEE Journal on Selected Areas in Information Theory, 2021).
"""

# ruff: noqa: E402 (Ctrl-C is to be quiet while the imports below take seconds)

import os
import signal
import sys
from types import FrameType

__version__ = "0.1.0"


def _stop_at_once(number: int, frame: FrameType | None) -> None:
    """End the process on Ctrl-C, with nothing to tidy up and no traceback."""
    os.write(2, b"\nStopped.\n")
    os._exit(128 + number)


_COMMANDS = ("-m", "cbai", "cbai.exe")
"""The names in ``sys.argv[0]`` when ``python -m cbai`` or the command ``cbai`` loads this file.
Nothing changes for those who import the library."""

_is_command = os.path.basename((sys.argv or [""])[0]) in _COMMANDS
if _is_command and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _stop_at_once)  # as what follows takes seconds

from cbai.datasets import DATASETS, load_problem
from cbai.problem import Problem
from cbai.simulation import (
    ALGORITHMS,
    BUDGET_ALGORITHMS,
    BudgetCurve,
    BudgetTrials,
    Trace,
    Trial,
    Trials,
    budget_curve,
    replay,
    simulate,
    trace,
)

__all__ = [
    "ALGORITHMS",
    "BUDGET_ALGORITHMS",
    "DATASETS",
    "BudgetCurve",
    "BudgetTrials",
    "Problem",
    "Trace",
    "Trial",
    "Trials",
    "budget_curve",
    "load_problem",
    "replay",
    "simulate",
    "trace",
]
