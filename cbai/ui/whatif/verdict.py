"""The one sentence of What if: what the best answer costs, and what the survey saves.

No Streamlit here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cbai.figures.base.style import percent
from cbai.figures.base.words import listed
from cbai.problem.validity import VALID, Validity
from cbai.results import cheapest_ratio, error_rates
from cbai.results.price import Price
from cbai.simulation import Trials, find
from cbai.ui.parts.answers import left_out, rate_text, rule_of_thumb
from cbai.ui.shell.validity_sign import is_open
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.amounts import days, money, price, share
from cbai.ui.whatif.speakers import doubt_at
from cbai.ui.whatif.sweep_plan import Found, Plan

UNDER_WAY = "The first runs are under way."
NO_NUMBER = "No cost can be given here."


@dataclass(frozen=True)
class Verdict:
    """What the runs at the sidebar's setting say.

    Attributes
    ----------
    headline : str
        One sentence.
    notes : tuple of str
        What must be said with it: how many runs, what is left out and why.
    copied : str
        The sentence for others: it repeats what was asked.
    known : bool
        Whether the headline is an answer.
    """

    headline: str
    notes: tuple[str, ...]
    copied: str
    known: bool = True


def own_trials(plan: Plan, found: Found) -> dict[str, Trials]:
    """Return the runs of every algorithm at the sidebar's setting; empty if some have none yet.

    All algorithms have the same runs: all of them, or the first few until all are done.
    """
    names = plan.algorithms
    for jobs in (
        {name: (plan.whole, name) for name in names},
        {name: (plan.setups[plan.own], name) for name in names},
        {name: plan.job(plan.own, name) for name in names},
    ):
        runs = {name: found.get(job) for name, job in jobs.items()}
        if all(trials is not None for trials in runs.values()):
            return {name: trials for name, trials in runs.items() if trials is not None}
    return {}


def verdict(
    setup: Setup,
    trials: Mapping[str, Trials],
    price: Price,
    unit: str,
    validity: Validity,
    missing: Sequence[str] = (),
) -> Verdict:
    """Say what the cheapest trustworthy algorithm costs, and what the survey saves.

    Parameters
    ----------
    setup : Setup
    trials : mapping of str to Trials
        The same runs of each algorithm, at the setup; empty if they are not done.
    price : Price
    unit : str
        The currency or unit of the cost; may be empty.
    validity : Validity
        Of the setup's pseudo-rewards.
    missing : sequence of str
        The names of the arms left out on purpose.

    Returns
    -------
    Verdict
        No algorithm is praised whose guarantee does not hold here, that was wrong too often, or
        that had runs without an answer.
    """
    if not trials:
        return Verdict(UNDER_WAY, (), "", known=False)
    why = {name: doubt_at(setup, name, one, lambda _: validity) for name, one in trials.items()}
    done = [
        name
        for name, one in trials.items()
        if not why[name] and not rule_of_thumb(find(name)) and one.identified.all()
    ]
    teller = _Teller(setup, trials, price, unit)
    surveyed, alone = _kinds(done)
    if not setup.problem.has_pseudo_rewards:
        surveyed, alone = [], done
    newer = [name for name in done if find(name).beyond and find(name).uses_correlation]
    if surveyed and alone and newer and not teller.saves(surveyed, alone):
        surveyed = newer  # the paper's use the survey in vain here; do these?
        plain = [name for name in done if find(name).beyond and not find(name).uses_correlation]
        alone = plain or alone
    rest = [*_without_answer(setup, trials, why), *_left_out(setup, why, validity)]
    if not surveyed and not alone:
        return Verdict(NO_NUMBER, tuple(rest), "", known=False)
    speaker = teller.cheapest(surveyed or alone)
    headline = teller.headline(speaker, surveyed, alone)
    notes = [teller.basis(speaker), *teller.beyond(done, speaker), *_holds(setup, done, validity)]
    return Verdict(
        headline,
        (*notes, *rest),
        " ".join([asked(setup, price, unit, missing), headline, teller.source()]),
    )


def asked(setup: Setup, cost: Price, unit: str, missing: Sequence[str] = ()) -> str:
    """Repeat what was asked, for those who only see the sentence."""
    words = setup.words
    without = f" (without {listed(list(missing))})" if missing else ""
    paid = f", {price(cost.cost, unit)} per {words.sample}" if cost.cost else ""
    return (
        f"To find the best of {setup.problem.n_arms} {words.arms}{without} with at most "
        f"{share(setup.delta)} error{paid} and {cost.per_day:,g} {words.samples} a day:"
    )


@dataclass(frozen=True)
class _Teller:
    setup: Setup
    trials: Mapping[str, Trials]
    price: Price
    unit: str

    def mean(self, name: str) -> float:
        return float(self.trials[name].samples.mean())

    def cheapest(self, names: Sequence[str]) -> str:
        return min(names, key=self.mean)

    def amount(self, samples: float) -> str:
        if not self.price.cost:
            return f"{money(samples, '')} {self.setup.words.samples}"
        return money(self.price.cost * samples, self.unit)

    def saves(self, surveyed: Sequence[str], alone: Sequence[str]) -> bool:
        """Return whether the cheapest with the survey costs less than the cheapest without."""
        return self.mean(self.cheapest(surveyed)) < self.mean(self.cheapest(alone))

    def headline(self, speaker: str, surveyed: Sequence[str], alone: Sequence[str]) -> str:
        mean = self.mean(speaker)
        cost = f"About {self.amount(mean)} and {days(mean / self.price.per_day)}"
        title = find(speaker).title
        if not self.setup.problem.has_pseudo_rewards:
            return f"{cost} with {title}."
        if not surveyed:
            return f"{cost} with {title}, without the survey."
        if not alone:
            return f"{cost} with {title}."
        ratio = cheapest_ratio(
            [self.trials[name].samples[0] for name in surveyed],
            [self.trials[name].samples[0] for name in alone],
        )
        other = self.cheapest(alone)
        alike = find(speaker).beyond == find(other).beyond  # else more than the survey differs
        if ratio is None or ratio.low <= 1.0 <= ratio.high:
            what = "The survey" if alike else f"{find(other).title} instead"
            return f"{cost} with {title}. {what} makes no clear difference."
        saved = self.mean(other) - mean
        less = "less" if self.price.cost else "fewer"
        word = less if saved > 0.0 else "more"
        than = "without the survey" if alike else f"with {find(other).title}"
        return f"{cost} with {title}, {self.amount(abs(saved))} {word} than {than}."

    def basis(self, speaker: str) -> str:
        """Say how many runs the sentence stands on, how they scatter, and how many were wrong."""
        one = self.trials[speaker]
        n = one.samples.shape[1]
        first = "the first " if n < self.setup.trials else ""
        within = float(np.quantile(one.samples[0], 0.95))
        return (
            f"Mean of {first}{n:,} simulated runs. {percent(0.95)} of them "
            f"{'cost' if self.price.cost else 'need'} at most {self.amount(within)}. "
            f"{_capital(rate_text(error_rates(one)[0]))}."
        )

    def beyond(self, names: Sequence[str], speaker: str) -> list[str]:
        """Name the cheapest algorithm that goes beyond the paper, if it is cheaper."""
        newer = [name for name in names if find(name).beyond]
        best = self.cheapest(newer) if newer else speaker
        if self.mean(best) >= self.mean(speaker):
            return []
        return [
            f"{find(best).title}, which goes beyond the paper, "
            f"{'costs' if self.price.cost else 'needs'} about "
            f"{self.amount(self.mean(best))}."
        ]

    def source(self) -> str:
        n = next(iter(self.trials.values())).samples.shape[1]
        return f"(Mean of {n:,} simulated runs on {self.setup.dataset.title}.)"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _kinds(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return those that use the survey and those that do not; the paper's first."""
    kinds = []
    for uses in (True, False):
        alike = [name for name in names if find(name).uses_correlation == uses]
        kinds.append([name for name in alike if not find(name).beyond] or alike)
    return kinds[0], kinds[1]


def _without_answer(
    setup: Setup, trials: Mapping[str, Trials], why: Mapping[str, str]
) -> list[str]:
    """Say which algorithms had runs without an answer."""
    words, problem = setup.words, setup.problem
    out = {
        name: int((~one.identified[0]).sum())
        for name, one in trials.items()
        if not why[name] and not one.identified.all()
    }
    if not out:
        return []
    if len(problem.best_arms) > 1:
        equal = listed([problem.arms[arm] for arm in problem.best_arms])
        return [f"{equal} are equally good, so no number of {words.samples} tells them apart."]
    n = next(iter(trials.values())).samples.shape[1]
    budget = f"{setup.max_samples:,} {words.samples}"
    whose = listed([f"{find(name).title} in {count:,}" for name, count in out.items()])
    its = "its cost is" if len(out) == 1 else "their costs are"
    return [f"Without an answer within {budget}: {whose} of {n:,} runs. So {its} unknown."]


def _left_out(setup: Setup, why: Mapping[str, str], validity: Validity) -> list[str]:
    text = left_out([find(name) for name in why], list(why.values()), setup.q, validity)
    return [text] if text else []


def _holds(setup: Setup, names: Sequence[str], validity: Validity) -> list[str]:
    """Say that the survey's bounds hold, if an algorithm relies on them."""
    if not setup.problem.has_pseudo_rewards:
        return [setup.words.no_survey]
    if not any(find(name).trusts_pseudo_rewards for name in names):
        return []
    if is_open(setup):
        return ["It is open whether the survey's bounds hold."]
    if validity.verdict == VALID:
        return ["The survey's bounds hold here."]
    return [f"The survey's bounds hold for the best {setup.words.arm}, which is enough."]
