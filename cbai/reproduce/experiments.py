"""THE table of the paper's experiments, and of every number of samples that the paper prints.

Gupta, Joshi and Yağan, *Best-Arm Identification in Correlated Multi-Armed Bandits* (2021). The
paper averages 10 trials and draws error bars of two standard deviations; only its tables print
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cbai.datasets import load_problem
from cbai.figures.base.style import THIN_SPACE
from cbai.problem import Problem
from cbai.simulation import find

TRIALS = 100
SEED = 0
MAX_SAMPLES = 5_000_000
BASELINE = "lucb"
"""The algorithm that all others are compared with, in the paper's numbers and in ours."""


@dataclass(frozen=True)
class Setting:
    """One setting of an experiment.

    Attributes
    ----------
    delta, p, q : float
        As in `cbai.simulate`.
    options : tuple of (str, str)
        Chosen values of the data set's options.

    Examples
    --------
    >>> from cbai.reproduce import Setting
    >>> Setting(delta=0.1, options=(("table", "a"),)).option_text
    'table=a'
    """

    delta: float = 0.01
    p: float = 0.2
    q: float = 0.0
    options: tuple[tuple[str, str], ...] = ()

    @property
    def option_text(self) -> str:
        """The options as ``name=value``, separated by commas."""
        return ",".join(f"{name}={value}" for name, value in self.options)


@dataclass(frozen=True)
class Printed:
    """A number of samples that the paper prints.

    Attributes
    ----------
    source, label : str
        The table and the row of the number.
    algorithm : str
        A name for `cbai.simulate`; ``base@confidence`` is an algorithm with another confidence
        sequence.
    samples : float
        The average of 10 trials.

    Examples
    --------
    >>> from cbai.reproduce import EXPERIMENTS
    >>> row = EXPERIMENTS["table4"]
    >>> row.printed(row.settings[0], "c_lucb").samples
    39277.8
    """

    source: str
    label: str
    algorithm: str
    samples: float


PRINTED = (
    Printed("Table 3", "Succ. Elimination (Even-Dar)", "racing@even_dar", 577209.4),
    Printed("Table 3", "lil Succ. Elimination", "racing@lil", 120498.5),
    Printed("Table 3", "KL-Racing", "racing@kl_racing", 147780.4),
    Printed("Table 3", "Racing (Howard)", "racing", 82504.7),
    Printed("Table 3", "LUCB (Kaufmann)", "lucb@kk_lucb", 219510.2),
    Printed("Table 3", "lil LUCB", "lucb@lil", 90523.0),
    Printed("Table 3", "KL-LUCB", "lucb@kl_lucb", 81154.4),
    Printed("Table 3", "LUCB (Howard)", "lucb", 62533.2),
    Printed("Table 3", "lil'UCB", "lil_ucb", 140987.0),
    Printed("Table 3", "lil-KL-LUCB", "lucb_pp@lil_kl_lucb", 92000.0),
    Printed("Table 3", "LUCB++ (Howard)", "lucb_pp", 55138.8),
    Printed("Table 4", "C-LUCB", "c_lucb", 39277.8),
    Printed("Table 4", "maxmin-LUCB", "maxmin_lucb", 36314.2),
    Printed("Table 4", "2-LUCB", "two_lucb", 39385.8),
    Printed("Table 4", "LUCB", "lucb", 61175.4),
)
"""Every number of samples in the paper: MovieLens genres, delta = 0.01; Table 4 with p = 0.2."""


def _of(source: str) -> tuple[str, ...]:
    return tuple(row.algorithm for row in PRINTED if row.source == source)


SIX = ("racing", "lil_ucb", "lucb", "lucb_pp", "c_lucb", "c_lucb_pp")


@dataclass(frozen=True)
class Experiment:
    """One table or figure of the paper.

    Attributes
    ----------
    id, name, title : str
        For example ``"fig1"``, "Figure 1", and what the figure shows.
    dataset : str
        A key of `cbai.DATASETS`.
    algorithms : tuple of str
        Names for `cbai.simulate`.
    settings : tuple of Setting
    varies : str
        What differs between the settings: ``"delta"``, ``"p"``, an option of the data set, or "".
    numbers_at : mapping of Setting to tuple of str
        The settings for which the paper prints numbers, and the tables that print them. The first
        table with the algorithm counts.
    remark : str
        What readers must know before they compare our numbers with the paper's.

    Examples
    --------
    >>> from cbai.reproduce import EXPERIMENTS
    >>> row = EXPERIMENTS["table4"]
    >>> row.title, len(row.jobs())
    ('Variants of C-LUCB', 4)
    """

    id: str
    name: str
    title: str
    dataset: str
    algorithms: tuple[str, ...]
    settings: tuple[Setting, ...]
    varies: str = ""
    numbers_at: dict[Setting, tuple[str, ...]] = field(default_factory=dict, hash=False)
    remark: str = ""

    def problem(self, setting: Setting) -> Problem:
        """Return the problem of a setting, before p and q."""
        return load_problem(self.dataset, **dict(setting.options))

    def jobs(self) -> list[tuple[Setting, str]]:
        """Return all pairs of a setting and an algorithm to run, in the order of the rows."""
        return [(setting, name) for setting in self.settings for name in self.algorithms]

    def printed(self, setting: Setting, algorithm: str) -> Printed | None:
        """Return the number that the paper prints for an algorithm, or None."""
        for source in self.numbers_at.get(setting, ()):
            for row in PRINTED:
                if row.source == source and row.algorithm == algorithm:
                    return row
        return None

    def label(self, algorithm: str) -> str:
        """Return the paper's name of an algorithm in this table or figure."""
        for row in PRINTED:
            if row.source == self.name and row.algorithm == algorithm:
                return row.label
        return find(algorithm).title


HALF = (
    "Our data have half of the paper's users and another random draw of the genres. Expect our "
    "numbers to differ from the paper's by a common factor."
)
MODELLED = (
    f"The paper does not print its two values of p. 10{THIN_SPACE}% and 30{THIN_SPACE}% are our "
    "choice. Only the star counts are real here. How one reader's ratings of two books depend on "
    "each other is modelled."
)
AS_IN_TABLES = Setting(0.01, 0.2, 0.0)

EXPERIMENTS = {
    row.id: row
    for row in (
        Experiment(
            id="fig1",
            name="Figure 1",
            title="Samples at four levels of certainty",
            dataset="movielens-1m",
            algorithms=SIX,
            settings=tuple(Setting(delta, 0.2, 0.0) for delta in (0.10, 0.06, 0.02, 0.01)),
            varies="delta",
            numbers_at={AS_IN_TABLES: ("Table 4", "Table 3")},
            remark=HALF + " The figure prints no numbers. The diamonds are from Tables 3 and 4, "
            "which have the same setting.",
        ),
        Experiment(
            id="table1",
            name="Table 1",
            title="Two truths that fit the same pseudo-rewards",
            dataset="paper-two-arms",
            algorithms=("lucb", "c_lucb"),
            settings=tuple(Setting(0.01, 0.0, 0.0, (("table", name),)) for name in ("a", "b")),
            varies="table",
            remark="The paper prints these tables but runs no algorithm on them. δ = 0.01 is our "
            "choice.",
        ),
        Experiment(
            id="table3",
            name="Table 3",
            title="Classical algorithms and their confidence bounds",
            dataset="movielens-1m",
            algorithms=_of("Table 3"),
            settings=(AS_IN_TABLES,),
            numbers_at={AS_IN_TABLES: ("Table 3",)},
            remark=HALF + " None of these algorithms uses pseudo-rewards.",
        ),
        Experiment(
            id="table4",
            name="Table 4",
            title="Variants of C-LUCB",
            dataset="movielens-1m",
            algorithms=_of("Table 4"),
            settings=(AS_IN_TABLES,),
            numbers_at={AS_IN_TABLES: ("Table 4",)},
            remark=HALF,
        ),
        Experiment(
            id="fig4",
            name="Figure 4",
            title="Samples when more pseudo-rewards are unknown",
            dataset="movielens-1m",
            algorithms=SIX,
            settings=tuple(Setting(0.01, p, 0.0) for p in (0.10, 0.25, 0.35, 1.0)),
            varies="p",
            remark=HALF + " The figure prints no numbers.",
        ),
        Experiment(
            id="fig5",
            name="Figure 5",
            title="Poetry books, with a safety buffer",
            dataset="goodreads-poetry",
            algorithms=SIX,
            settings=tuple(Setting(0.01, p, 0.1) for p in (0.1, 0.3)),
            varies="p",
            remark=MODELLED,
        ),
    )
}
"""Id to experiment, in the order of the paper."""
