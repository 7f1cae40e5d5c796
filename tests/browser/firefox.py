"""Drive Firefox by WebDriver BiDi, the standard protocol: open an address and run scripts in it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

START_SECONDS = 60
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


def find_firefox() -> str | None:
    """Return the path of the Firefox to use: CBAI_FIREFOX if set, else the first on the path."""
    named = os.environ.get("CBAI_FIREFOX")
    names = (named,) if named else ("firefox", "firefox-esr")
    return next(filter(None, map(shutil.which, names)), None)


class Firefox:
    """One tab of Firefox, with all errors that its pages have reported."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.errors: list[str] = []
        self._send("session.new", {"capabilities": {}})
        self._send("session.subscribe", {"events": ["log.entryAdded"]})
        tree = self._send("browsingContext.getTree", {})
        self._tab = tree["contexts"][0]["context"]

    def _send(self, method: str, parameters: dict[str, Any]) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=120))
            if answer.get("method") == "log.entryAdded":
                entry = answer["params"]
                if entry["level"] == "error":
                    self.errors.append(str(entry["text"]))
            elif answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def size(self, width: int, height: int) -> None:
        """Set the size of the window, in pixels."""
        viewport = {"width": width, "height": height}
        self._send("browsingContext.setViewport", {"context": self._tab, "viewport": viewport})

    def open(self, address: str) -> None:
        """Go to an address."""
        where = {"context": self._tab, "url": address, "wait": "interactive"}
        self._send("browsingContext.navigate", where)

    def run(self, script: str) -> Any:
        """Return the value of an expression: a text, a number or a truth."""
        target = {"context": self._tab}
        found = self._send(
            "script.evaluate", {"expression": script, "target": target, "awaitPromise": True}
        )
        if found["type"] != "success":
            raise RuntimeError(f"{script}: {found['exceptionDetails']['text']}")
        return found["result"].get("value")

    def wait_for(self, script: str, seconds: float = 90.0) -> None:
        """Wait until an expression is true."""
        deadline = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < deadline, f"not true after {seconds:g} s: {script}"
            time.sleep(0.2)

    def picture(self, path: Path) -> None:
        """Write a picture of the window, as a PNG file."""
        found = self._send("browsingContext.captureScreenshot", {"context": self._tab})
        path.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def running_firefox(executable: str, profile: Path) -> Iterator[Firefox]:
    """Run Firefox without a window, with a new profile; end it afterwards."""
    command = [
        executable, "--headless", "--no-remote", "--profile", str(profile),
        "--remote-debugging-port", "0",
    ]  # fmt: skip
    log = profile / "firefox.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        with connect(f"{_address(process, log)}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = LISTENING.search(log.read_text(errors="replace"))
        if found:
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"Firefox did not start. It printed:\n{log.read_text(errors='replace')}")
