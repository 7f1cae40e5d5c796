"""What an arm and a sample are called on a figure."""

from __future__ import annotations

from dataclasses import dataclass

from cbai.datasets import Dataset


@dataclass(frozen=True)
class Words:
    """The nouns of a data set, so that figures speak of genres and ratings."""

    arm: str = "arm"
    arms: str = "arms"
    sample: str = "sample"
    samples: str = "samples"

    @classmethod
    def of(cls, dataset: Dataset) -> Words:
        """Return the nouns of a data set."""
        return cls(dataset.arm.one, dataset.arm.many, dataset.sample.one, dataset.sample.many)

    @property
    def an_arm(self) -> str:
        """One arm, with its article."""
        return f"{'an' if self.arm[:1].lower() in 'aeiou' else 'a'} {self.arm}"

    @property
    def capital_arm(self) -> str:
        """An arm at the start of a sentence."""
        return capital(self.arm)

    @property
    def capital_arms(self) -> str:
        """Arms at the start of a sentence."""
        return capital(self.arms)

    @property
    def capital_sample(self) -> str:
        """A sample at the start of a sentence."""
        return capital(self.sample)

    @property
    def capital_samples(self) -> str:
        """Samples at the start of a sentence."""
        return capital(self.samples)


def capital(text: str) -> str:
    """Return the text with its first letter capitalised and the others as they are."""
    return text[:1].upper() + text[1:]


def listed(names: list[str]) -> str:
    """Write names as in a sentence: "a, b and c"."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
