"""What a first visit to Home shows, stored so that it is there before anything is computed.

``python -m cbai.ui.home.stored`` computes it again, and writes it. A test compares it with what the
library computes.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from cbai import files

FOLDER = Path(__file__).parent / "first_visit"
DATA_SET, DELTA, PAIR = "ad-campaign", 0.01, ("c_lucb", "lucb")
"""What is stored: these two algorithms on this data set, with the defaults for all else."""

KNOWS = {
    "nothing": 1.0,
    "a quarter": 0.75,
    "half": 0.5,
    "three quarters": 0.25,
    "everything": 0.0,
}
"""How much the survey knows, and the share of its pseudo-rewards that is then unknown: p."""
BUFFERS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5)
"""The buffers of the second act."""


def name_of(knows: str) -> str:
    """Return the name under which the picture of a stop of the slider is stored."""
    return f"knows-{knows.replace(' ', '-')}"


def name_with(buffer: float) -> str:
    """Return the name under which the picture of a wrong survey with a buffer is stored."""
    return f"buffer-{buffer:g}"


@cache
def read(name: str) -> dict[str, Any]:
    """Return a stored picture with its sentences; to be read only, as all visitors share it."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def computed() -> dict[str, dict[str, Any]]:
    """Return everything that is stored, computed now, by name."""
    from cbai.ui.home import picture  # it loads the simulation, and reading must not wait for that

    return {
        **{name_of(knows): picture.first_hero(unknown) for knows, unknown in KNOWS.items()},
        **{name_with(buffer): picture.second_act(buffer) for buffer in BUFFERS},
    }


def main() -> None:
    """Compute everything that is stored, and write it."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in computed().items():
        text = json.dumps(content, ensure_ascii=False, indent=1)
        files.write(FOLDER / f"{name}.json", (text + "\n").encode())


if __name__ == "__main__":
    main()
