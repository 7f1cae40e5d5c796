"""The names of arms and samples on figures and pages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cbai.datasets import Dataset


@dataclass(frozen=True)
class Words:
    """The nouns of a data set: figures then speak of genres and ratings."""

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
    def no_survey(self) -> str:
        """That there are no pseudo-rewards, as a sentence."""
        return f"Nothing is known here of one {self.arm} by the {self.samples} of another."

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


_SPACES = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PLOTLY = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{"}
_MARKUP = re.compile("%{|[&<>$]")


def shown(text: str) -> str:
    """Return a text on one line in which every character is visible or a space.

    Control characters, and those that change the direction of the text after them, become
    replacement characters. Marks that belong to a script, for example joiners, stay.
    """
    return _CONTROLS.sub("\ufffd", _SPACES.sub(" ", text))


def written(text: str) -> str:
    """Return a text escaped for Plotly, which then shows it literally.

    Plotly reads ``<b>`` as markup, ``$`` as a formula and ``%{`` as a variable. It knows only a few
    named entities: ``&quot;`` would be visible, so quotes are not escaped.
    """
    return _MARKUP.sub(lambda found: _PLOTLY[found[0]], shown(text))
