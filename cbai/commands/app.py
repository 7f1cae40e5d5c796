"""``cbai app``: the explorer, in the browser."""

from __future__ import annotations

import argparse
import runpy
import sys

from cbai import checks
from cbai.places import shipped

ADDRESS, PORT = "localhost", 8501
LARGEST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--address",
        default=ADDRESS,
        help="who can reach it: localhost for this computer only, 0.0.0.0 for the whole network "
        "(%(default)s)",
    )
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="N", help="the port it listens on (%(default)s)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="start it without opening a browser"
    )


def main(options: argparse.Namespace) -> None:
    """Start the app in this process; it runs until it is stopped.

    Raises
    ------
    ValueError
        If the port is none.
    """
    port = checks.whole("--port", options.port, 1, LARGEST_PORT)
    sys.argv = ["streamlit", "run", str(shipped("app.py"))]
    sys.argv += ["--server.address", options.address, "--server.port", str(port)]
    sys.argv += ["--server.headless", "true"] if options.no_browser else []
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
