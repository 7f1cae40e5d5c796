"""Home's pictures as plain data with their sentences: computed now, or to be stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from cbai.datasets import DATASETS, load_problem
from cbai.figures.base.words import Words
from cbai.figures.home import wrong_survey
from cbai.figures.home.scene import samples_at, scene
from cbai.problem.validity import Validity, check_validity
from cbai.simulation import Trace, trace
from cbai.ui.home import sentences as said
from cbai.ui.home.stored import DATA_SET, DELTA, PAIR
from cbai.ui.parts.answers import race_answer


def hero(
    title: str, traces: Sequence[Trace], words: Words, validity: Validity | None = None
) -> dict[str, Any]:
    """Return the headline, the lead and the picture of two trials.

    Parameters
    ----------
    title : str
        Of the data set.
    traces : sequence of Trace
        Of C-LUCB and LUCB.
    words : Words
    validity : Validity or None
        With it, an algorithm whose guarantee does not hold is left out of the lead.
    """
    shown = scene(traces, words)
    found = race_answer(title, traces, words, validity)
    return {
        "headline": said.headline(traces[0], words),
        "lead": said.lead(
            found.removeprefix(f"{title}: "),
            words,
            surveyed=traces[0].problem.has_pseudo_rewards,
        ),
        "reading": said.how_to_read(words),
        "note": said.few_of_many(len(shown["rows"]), len(shown["arms"]), words),
        "scene": _text(shown | {"texts": said.panel_texts(words)}),
    }


def _text(content: dict[str, Any]) -> str:
    return orjson.dumps(content).decode()


def first_hero(unknown: float) -> dict[str, Any]:
    """Return what a first visit sees, with a share of the pseudo-rewards unknown."""
    problem, row = load_problem(DATA_SET), DATASETS[DATA_SET]
    traces = [trace(problem, name, DELTA, p=unknown) for name in PAIR]
    return hero(row.title, traces, Words.of(row), check_validity(problem, unknown, masks=1))


def second_act(buffer: float) -> dict[str, Any]:
    """Return what is shown of a wrong survey with a buffer."""
    words = Words.of(DATASETS[DATA_SET])
    problem = wrong_survey.misled_problem(load_problem(DATA_SET))
    run = wrong_survey.misled_trace(problem, DELTA, buffer)
    best = problem.best_arm
    fall = next((out for out in run.eliminations if out.arm == best), None)
    pause = int(run.samples[-1]) if fall is None else samples_at(run, fall)
    misled = wrong_survey.count_misled(problem, DELTA, buffer)
    safe = check_validity(problem, masks=1).smallest_safe_q
    shown = scene([run], words, pause, pause, wrong_survey.AXIS)
    return {
        "supposed": said.supposed(problem.arms[best], wrong_survey.POINTS, words),
        "outcome": said.outcome(run, fall, words),
        "rate": said.error_rate(misled, buffer, safe, DELTA, words),
        "scene": _text(shown | {"texts": said.panel_texts(words)}),
    }
