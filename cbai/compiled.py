"""How everything in the simulation is compiled, and where the result is kept.

numba stores compiled code beside its source and looks only at the file of the function itself: a
change in a function that it calls, in another file, would go unnoticed. So the code is kept under
a digest of all compiled sources together.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numba

OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
"""Threads run at once, and it is compiled once a machine."""

_HERE = Path(__file__).parent
_SOURCES = (
    "compiled.py",
    "philox.py",
    "simulation/algorithms.py",
    "simulation/bounds.py",
    "simulation/confidence.py",
    "simulation/adaptive_bounds.py",
    "simulation/coverage.py",
    "simulation/streams.py",
    "simulation/record.py",
    "simulation/state.py",
    "simulation/draw.py",
    "simulation/evidence.py",
    "simulation/divergence.py",
    "simulation/transport.py",
    "simulation/proportions.py",
    "simulation/track_and_stop.py",
    "simulation/top_two.py",
    "simulation/exponential_gap.py",
    "simulation/betting.py",
    "simulation/two_sided.py",
    "simulation/top.py",
    "simulation/rules.py",
    "simulation/pairs.py",
    "simulation/adaptive.py",
    "simulation/kernel.py",
)


def _cache_folder() -> Path:
    digest = hashlib.sha256(b"".join((_HERE / name).read_bytes() for name in _SOURCES))
    name = f"numba-{digest.hexdigest()[:16]}"
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"]) / name
    beside = _HERE / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        if os.access(beside, os.W_OK):
            return beside / name
    except OSError:
        pass
    return Path.home() / ".cache" / "cbai" / name


numba.config.CACHE_DIR = str(_cache_folder())
