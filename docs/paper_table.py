"""The paper's table of algorithms, each rule linked to the code that it names."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import cbai
from cbai.simulation import Algorithm
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping

RULES = {
    "leader": {
        "ALL": "every active arm",
        "MEAN": "m₁: the largest mean μ̂ₖ",
        "OWN_UCB": "the largest upper bound Uₖ",
        "PSEUDO_UCB": "m₁: the largest index Iₖ",
        "MIN_PSEUDO_REWARD": "m₁: the largest minₗ φ̂ₖₗ",
    },
    "challenger": {
        "NONE": "nobody",
        "OWN_UCB": "m₂: the largest Uₖ of the others",
        "OWN_AND_PSEUDO_UCB": "m₂: the largest min(Ũₖₖ, Iₖ) of the others",
        "CROSS_UCB": "m₂: the largest Ũₖ of the others",
    },
    "elimination": {
        "NONE": "never",
        "OWN_UCB": "Uₖ < maxₗ Lₗ",
        "CROSS_UCB": "Ũₖ < maxₗ Lₗ",
    },
    "stopping": {
        "NONE": "one arm is left",
        "LEADER_ABOVE_ALL": "L of m₁ > U of all others",
        "PULL_SHARE": "one arm has nearly all pulls",
    },
}
"""What each rule does, in the symbols of the paper."""

HEAD = """# The paper's algorithms

This is the table of algorithms of Gupta, Joshi and Yağan (2021), as the code has it. Each round
pulls the first arm and the second one. Then arms may be ruled out. Each rule has a link to its name
in the code. "At δ/K" says which share of δ the bounds of a rule use.

Lₖ and Uₖ are the confidence bounds of arm k by its own samples; Ũₖₖ is another name for Uₖ. Ũₖ is
the CrossUCB of arm k: the smallest upper bound by the samples of any arm. Iₖ is its PseudoUCB
index, and φ̂ₖₗ is its empirical pseudo-reward by the samples of arm l. Arms that are ruled out no
longer count. A trial also ends when one arm is left.

| algorithm | pulls first | pulls second | rules out arm k if | stops when |
|---|---|---|---|---|
"""


def page() -> str:
    """Return the page: the table, where the rows and loops are, and the rules."""
    rows = [_row(row) for row in cbai.ALGORITHMS.values() if not row.beyond]
    return "\n".join(
        [
            HEAD + "\n".join(rows),
            "",
            f"The loop that plays them is in `{_loop()}`. `cbai.ALGORITHMS` has all rows; "
            "[Beyond the paper](../beyond.md) and [The lower bound](../lower-bound.md) explain the "
            "others.",
            "",
            "## The rules",
            "",
            "```{eval-rst}",
            *(
                f".. autoclass:: {one.__module__}.{one.__qualname__}\n   :undoc-members:\n"
                for one in (Leader, Challenger, Elimination, Stopping, Share)
            ),
            "```",
            "",
        ]
    )


def _row(row: Algorithm) -> str:
    cells = [f"{row.title} (`{row.name}`)"]
    shares = {
        "leader": f", at {row.sampling_share}" if row.leader.name == "OWN_UCB" else "",
        "challenger": f", at {row.sampling_share}",
        "elimination": f", at {row.elimination_share}",
        "stopping": f", at {row.leader_share} and {row.challenger_share}",
    }
    for kind, words in RULES.items():
        rule = getattr(row, kind)
        share = shares[kind] if rule.name not in ("NONE", "ALL", "PULL_SHARE") else ""
        cells.append(f"{words[rule.name]}{share} ({_link(rule)})")
    return f"| {' | '.join(cells)} |"


def _link(rule: IntEnum) -> str:
    """Return a link to a rule's own entry below."""
    kind = type(rule)
    return f"{{obj}}`~{kind.__module__}.{kind.__qualname__}.{rule.name}`"


def _loop() -> str:
    """Return where the loop over rounds is, from the root of the repository."""
    root = Path(cbai.__file__).parents[1]
    (path,) = root.glob("cbai/simulation/**/kernel.py")
    return path.relative_to(root).as_posix()
