"""``cbai warm-up``: compile the simulation ahead of its first use."""

from __future__ import annotations

import argparse
import time

from cbai.simulation.warm_up import warm_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options: there are none."""


def main(options: argparse.Namespace) -> None:
    """Compile, and say how long it took."""
    print("Compiling the simulation core (25 to 80 seconds the first time) ...", flush=True)
    start = time.perf_counter()
    warm_up()
    print(f"Ready after {time.perf_counter() - start:.1f} s.")
