"""``cbai app``: the explorer, in the browser."""

from __future__ import annotations

import argparse
import errno
import os
import runpy
import socket
import sys
from typing import Any

from cbai import checks
from cbai.places import shipped

ADDRESS, PORT = "localhost", 8501
LARGEST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--address",
        default=ADDRESS,
        help="the address to listen on: localhost for this computer only, 0.0.0.0 for the whole "
        "network (%(default)s)",
    )
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="N", help="the port to listen on (%(default)s)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def main(options: argparse.Namespace) -> None:
    """Start the app in this process. It runs until it is stopped.

    Raises
    ------
    ValueError
        If the address is not one of this computer, or the port is not valid or not free.
    """
    port = checks.whole("--port", options.port, 1, LARGEST_PORT)
    _check_free(options.address, port)
    sys.argv = ["streamlit", "run", str(shipped("app.py"))]
    sys.argv += ["--server.address", options.address, "--server.port", str(port)]
    sys.argv += ["--server.headless", "true"] if options.no_browser else []
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _check_free(address: str, port: int) -> None:
    """Try to listen, so a problem is reported in one sentence."""
    try:
        places = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        places = []
    numbers = [_try_to_listen(family, place) for family, _, _, _, place in places]
    if errno.EADDRINUSE in numbers or errno.EACCES in numbers:
        raise ValueError(f"--port must be a free port, got {port}, which is in use or not allowed.")
    if 0 not in numbers:
        raise ValueError(
            "--address must be an address of this computer, such as localhost or 0.0.0.0, got "
            f"{checks.quoted(address)}."
        )


def _try_to_listen(family: int, place: Any) -> int:
    """Return 0, or the number of the error; a name may have addresses of several kinds."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name != "nt":  # on Windows this would let us take another program's port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        return error.errno or -1
    return 0
