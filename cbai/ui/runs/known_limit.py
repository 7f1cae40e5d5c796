"""The lower bound for algorithms that trust pseudo-rewards, computed while the page is shown.

It takes up to half a second for each of up to twenty masks. So no page waits for it: a thread of
its own computes it once the page is drawn, and the page runs again when it is there. The thread
gives up when no page has asked for some time. What it has found is kept.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from dataclasses import dataclass, field, replace

import streamlit as st

from cbai.problem.validity import VIOLATED
from cbai.results.limit import Limit
from cbai.results.limit.masked import MeanLimit, distinct_masks, masked_limits, mean_of
from cbai.simulation import find
from cbai.ui.runs import cache
from cbai.ui.visit.setup import Setup

MASKS = 20
"""The most runs over which the bound is a mean."""
MOST_ARMS = 40
"""The time grows with the square of the number of arms; beyond this it is not computed."""
PATIENCE_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""How often a page looks whether the bound is there, and for how long nobody may have looked."""

PENDING, FALSE, TOO_MANY, FAILED = "pending", "false", "too many", "failed"
"""Why there is no number: it is not there yet, the pseudo-rewards are too low, there are too many
arms, or the solver did not succeed."""

_turn = threading.Lock()
_leaving = threading.Event()
_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()


@atexit.register
def _leave() -> None:
    """Let the solver finish what it is at: a process that ends in the middle of it crashes."""
    _leaving.set()
    for thread in list(_threads):
        thread.join(PATIENCE_SECONDS)


@dataclass(eq=False)
class _Job:
    """The bounds of the masks of a setup, as far as they are found."""

    setup: Setup
    two_sided: bool
    limits: list[Limit] = field(default_factory=list)
    failed: bool = False
    asked: float = 0.0
    thread: threading.Thread | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def masks(self) -> int:
        return distinct_masks(self.setup.p, self.setup.trials)

    @property
    def done(self) -> bool:
        return self.failed or len(self.limits) == self.masks

    def start(self) -> None:
        """Compute what is missing, in a thread of its own."""
        with self.lock:
            self.asked = time.monotonic()
            if not self.done and (self.thread is None or not self.thread.is_alive()):
                self.thread = threading.Thread(target=self._work, name="lower bound", daemon=True)
                _threads.add(self.thread)
                self.thread.start()

    def _is_wanted(self) -> bool:
        asked = time.monotonic() - self.asked < PATIENCE_SECONDS
        return asked and not self.done and not _leaving.is_set()

    def _work(self) -> None:
        setup = self.setup
        try:
            with _turn:
                every = masked_limits(
                    setup.problem, cache.ANY_DELTA, setup.p, setup.q, setup.seed, setup.trials,
                    two_sided=self.two_sided, first=len(self.limits),
                )  # fmt: skip
                while self._is_wanted():
                    self.limits.append(next(every))
        except Exception:
            self.failed = True  # the page says so; the classical bound does not depend on it
            raise


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=cache.BY_KEY)
def _job(setup: Setup, two_sided: bool) -> _Job:
    return _Job(setup, two_sided)


def _job_of(setup: Setup) -> _Job:
    rows = [find(name) for name in setup.algorithms]
    two_sided = any(row.two_sided for row in rows) and cache.get_validity(setup).lower_holds
    same = {} if 0.0 < setup.p < 1.0 else {"seed": 0}
    masks = min(MASKS, setup.trials)
    return _job(cache.as_key(setup, trials=masks, max_samples=0, delta=0.0, **same), two_sided)


def get_known_limit(setup: Setup) -> tuple[MeanLimit | None, str]:
    """Return the lower bound for the chosen algorithms that trust pseudo-rewards, or why not.

    The reason is empty if there is a bound, and also if no algorithm trusts pseudo-rewards or
    several arms are best.

    If one of them trusts pseudo-lower bounds, and these are valid, it is that of the smaller class
    of problems on which that one promises to be right. It is never higher, so it holds for all.
    """
    relying = any(find(name).trusts_pseudo_rewards for name in setup.algorithms)
    if not relying or not setup.problem.has_pseudo_rewards or len(setup.problem.best_arms) > 1:
        return None, ""
    if cache.get_validity(setup).verdict == VIOLATED:
        return None, FALSE
    if setup.problem.n_arms > MOST_ARMS:
        return None, TOO_MANY
    job = _job_of(setup)
    if not job.done:
        return None, PENDING
    if job.failed:
        return None, FAILED
    return replace(mean_of(job.limits, two_sided=job.two_sided), delta=setup.delta), ""


def _pending(setup: Setup) -> bool:
    return get_known_limit(setup)[1] == PENDING


def compute_meanwhile(*setups: Setup) -> None:
    """Compute the bounds that are pending, and run the page again when they are there.

    To be called at the end of a page, so that nothing on it waits.
    """
    if not any(_pending(setup) for setup in setups):
        return

    @st.fragment(run_every=LOOK_SECONDS)
    def look() -> None:
        waiting = [setup for setup in setups if _pending(setup)]
        for setup in waiting:
            _job_of(setup).start()
        if not waiting:
            st.rerun()

    look()
