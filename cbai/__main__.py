"""The command line: ``python -m cbai warm-up``."""

from __future__ import annotations

import argparse
import time

from cbai.simulation.warm_up import warm_up


def main() -> None:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m cbai", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm-up", help="compile the simulation core ahead of its first use")
    parser.parse_args()
    print("Compiling the simulation core (some ten seconds the first time) ...", flush=True)
    start = time.perf_counter()
    warm_up()
    print(f"Ready after {time.perf_counter() - start:.1f} s.")


if __name__ == "__main__":
    main()
