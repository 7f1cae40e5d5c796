"""Pseudo-rewards from surveys: each method against a plain formula, and against a known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from cbai.problem import estimate
from cbai.problem.methods import METHODS, Evidence, pseudo_rewards
from cbai.problem.splits import evidence_of, make_problem, split
from cbai.problem.survey import Survey, rated_together, tally_of
from tests.strategies import SEEDS, latent_model, support


def random_survey(seed, n_people=7, n_arms=3, n_values=4, repeats=True, weighted=True):
    """Return a small survey with gaps, repeated ratings and weights, some of them 0."""
    rng = np.random.default_rng(seed)
    values = support(rng, "anywhere", n_values)
    n = int(rng.integers(1, 30))
    person, arm = rng.integers(0, n_people, n), rng.integers(0, n_arms, n)
    if not repeats:
        _, kept = np.unique(person * n_arms + arm, return_index=True)
        person, arm = person[kept], arm[kept]
    n = person.size
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], n) if weighted else np.ones(n)
    top = float(values[-1]) * 1.2
    arms = [f"arm {k}" for k in range(n_arms)]
    return Survey(
        arms, values, person, arm, rng.integers(0, n_values, n), weight,
        n_people=n_people, reward_max=top,
    )  # fmt: skip


surveys = st.builds(random_survey, SEEDS, repeats=st.booleans(), weighted=st.booleans())


def behind(survey, bounded, pulled, v):
    """Return the ratings of `bounded`, as (person, value, weight), by who gave `pulled` a v."""
    lines = [
        line
        for line in zip(survey.person, survey.arm, survey.value, survey.weight, strict=True)
        if line[3] > 0
    ]
    givers = {who for who, arm, value, _ in lines if (arm, value) == (pulled, v)}
    return [
        (who, float(survey.values[value]), weight)
        for who, arm, value, weight in lines
        if arm == bounded and who in givers
    ]


def averages(ratings):
    """Return each person's weighted average."""
    result = []
    for who in sorted({who for who, _, _ in ratings}):
        own = [(x, w) for other, x, w in ratings if other == who]
        result.append(sum(x * w for x, w in own) / sum(w for _, w in own))
    return result


def kl_bound(mean, n, low, b, level):
    """Return the largest x with n kl(mean, x) <= log(1 / level), both moved from [low, b]."""
    m = max((mean - low) / (b - low), 0.0)

    def excess(x):
        kl = (m * math.log(m / x) if m else 0.0) + (
            (1 - m) * math.log((1 - m) / (1 - x)) if m < 1 else 0.0
        )
        return n * kl - math.log(1 / level)

    top = 1 - 1e-15
    return b if m >= top or excess(top) <= 0 else low + (b - low) * optimize.brentq(excess, m, top)


def joint_level(survey, least, bounded, pulled, delta_prime):
    """Return the share of delta' of one entry: by the pairs in common, then by those in use."""
    arms, entries = range(survey.n_arms), range(survey.values.size)
    pairs = sum(
        any(behind(survey, one, other, v) for v in entries)
        for one in arms for other in arms if one != other
    )  # fmt: skip
    used = sum(
        0 < sum(w for _, _, w in behind(survey, bounded, pulled, v)) >= least for v in entries
    )
    return delta_prime / (pairs * used)


def plain(method, ratings, b, c=1.0, level=0.05, d=0.1, low=0.0):
    """Return one entry from its formula, without arrays; b where it is above or unknown."""
    total = sum(w for _, _, w in ratings)
    mean = sum(x * w for _, x, w in ratings) / total
    variance = sum(w * (x - mean) ** 2 for _, x, w in ratings) / total
    people = averages(ratings)
    n, centre = len(people), max(mean, sum(people) / len(people))
    if method == "mean":
        bound = mean
    elif method == "mean_plus_deviations":
        bound = mean + c * math.sqrt(variance)
    elif method == "hoeffding":
        bound = centre + b * math.sqrt(math.log(1 / level) / (2 * n))
    elif method == "empirical_bernstein":
        if n == 1:
            return b
        spread = sum((x - sum(people) / n) ** 2 for x in people) / (n - 1)
        log = math.log(2 / level)
        bound = centre + math.sqrt(2 * spread * log / n) + 7 * b * log / (3 * (n - 1))
    elif method == "soft_mean":
        bound = mean * (1 - d) + b * d
    elif method == "soft_quantile":
        u = next(
            x for x in sorted({x for _, x, _ in ratings})
            if sum(w for _, y, w in ratings if y <= x) >= (1 - d) * total * (1 - 1e-9)
        )  # fmt: skip
        bound = u * (1 - d) + b * d
    elif method == "joint":
        bound = kl_bound(centre, n, low, b, level)
    else:
        bound = b
    return min(bound, b)


CHOICES = {
    "mean_plus_deviations": {"deviations": 0.7},
    "hoeffding": {"level": 0.3},
    "empirical_bernstein": {"level": 0.9},
    "joint": {"delta_prime": 0.3},
    "soft_mean": {"d": 0.25},
    "soft_quantile": {"d": 0.25},
}


@pytest.mark.parametrize("method", METHODS)
@given(surveys, st.sampled_from([1, 2.5]))
@settings(max_examples=25)
@example(random_survey(1828, repeats=False, weighted=False), 1)  # an arm without ratings
def test_each_method_is_its_formula(method, survey, least):
    chosen = CHOICES.get(method, {})
    everyone = Evidence(tally_of(survey, np.ones(survey.n_people, dtype=bool)), survey.reward_max)
    found = pseudo_rewards(everyone, method, least, **chosen)
    short = {"deviations": "c"}
    options = {short.get(name, name): value for name, value in chosen.items()}
    for bounded, pulled, v in np.ndindex(found.shape):
        ratings = behind(survey, bounded, pulled, v)
        if bounded == pulled:
            want = survey.values[v]
        elif sum(w for _, _, w in ratings) < least:
            want = survey.reward_max
        elif method == "joint":
            level = joint_level(survey, least, bounded, pulled, options["delta_prime"])
            low = survey.values[0]
            want = plain(method, ratings, survey.reward_max, level=level, low=low)
        else:
            want = plain(method, ratings, survey.reward_max, **options)
        assert found[bounded, pulled, v] == pytest.approx(want, rel=1e-6, abs=1e-6)


@given(surveys)
@settings(max_examples=40)
def test_support_and_person_moments_are_those_of_the_plain_version(survey):
    found = estimate.moments(tally_of(survey, np.ones(survey.n_people, dtype=bool)))
    for place in np.ndindex(found.mean.shape):
        ratings = behind(survey, *place)
        people = averages(ratings)
        assert found.ratings[place] == pytest.approx(sum(w for _, _, w in ratings))
        assert found.people[place] == len(people)
        if people:
            assert found.person_mean[place] == pytest.approx(np.mean(people))
        else:
            assert np.isnan([found.mean[place], found.person_mean[place]]).all()
        if len(people) > 1:
            assert found.person_deviation[place] == pytest.approx(np.std(people, ddof=1), abs=1e-6)
        else:
            assert np.isnan(found.person_deviation[place])


@given(surveys)
@settings(max_examples=30)
def test_a_weight_counts_like_that_many_ratings(survey):
    copies = np.rint(2 * survey.weight).astype(int)
    columns = (np.repeat(column, copies) for column in (survey.person, survey.arm, survey.value))
    again = Survey(
        survey.arms, survey.values, *columns, n_people=survey.n_people,
        reward_max=survey.reward_max,
    )  # fmt: skip
    everyone = np.ones(survey.n_people, dtype=bool)
    one, two = (estimate.moments(tally_of(s, everyone)) for s in (survey, again))
    for name in ("mean", "deviation", "people", "person_mean", "person_deviation"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), atol=1e-6)
    np.testing.assert_allclose(2 * one.ratings, two.ratings)


@given(surveys)
@settings(max_examples=30)
def test_cautious_methods_are_never_below_the_mean(survey):
    evidence = Evidence(tally_of(survey, np.ones(survey.n_people, dtype=bool)), survey.reward_max)
    low = pseudo_rewards(evidence, "mean")
    for method in METHODS:
        assert (pseudo_rewards(evidence, method) >= low - 1e-9).all()


def test_the_dense_and_the_sparse_tally_agree():
    survey = random_survey(3, weighted=False)
    shape = (survey.n_people, survey.n_arms, survey.values.size)
    dense = estimate.tally(survey.person, survey.arm, survey.value, shape)
    one = estimate.conditional_moments(dense, survey.values)
    two = estimate.moments(tally_of(survey, np.ones(survey.n_people, dtype=bool)))
    np.testing.assert_allclose(one.mean, two.mean)
    np.testing.assert_allclose(one.deviation, two.deviation, atol=1e-7)


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("median", {}, "method.*mean.*'median'"),
        ("mean", {"level": 0.1}, "mean takes no parameters.*'level'"),
        ("hoeffding", {"d": 0.1}, "parameter of hoeffding.*level.*'d'"),
        ("hoeffding", {"level": 0.0}, r"level.*\(0, 1\).*got 0"),
        ("soft_mean", {"d": 1.5}, r"d must be in \[0, 1\].*1.5"),
        ("mean", {"min_ratings": -1}, r"min_ratings.*\[0, inf\].*-1"),
    ],
)
def test_bad_choices_are_quoted(method, options, words):
    survey = random_survey(1)
    evidence = Evidence(tally_of(survey, np.ones(survey.n_people, dtype=bool)), survey.reward_max)
    with pytest.raises(ValueError, match=words):
        pseudo_rewards(evidence, method, **options)


# ---------------------------------------------------------------- against a known truth

FALSE_ALARM = 1e-6
"""A correct library fails the test below with at most this probability, up to the normal limit of
means of at least `ENOUGH` ratings."""
ENOUGH = 200


def sampled(n_people=30_000, n_arms=4, seed=12):
    """Return a survey in which everyone rates every arm once, and the true conditional means."""
    rng = np.random.default_rng(seed)
    values = np.array([1.0, 2.0, 3.0, 4.0])
    _, means, joint = latent_model(rng, values, n_arms)
    state = joint[:, 0].sum(axis=1)
    given_state = joint / state[:, None, None]
    who = rng.choice(state.size, n_people, p=state)
    cuts = np.cumsum(given_state, axis=2)[who][:, :, :-1]
    value = (rng.random((n_people, n_arms, 1)) >= cuts).sum(axis=2)
    person, arm = np.indices(value.shape)
    arms = [f"arm {k}" for k in range(n_arms)]
    return Survey(arms, values, person.ravel(), arm.ravel(), value.ravel()), means


def within_errors(found, truth):
    """Return whether every mean is as near to the truth as its standard error lets expect."""
    seen = (found.people >= ENOUGH) & ~np.eye(len(truth), dtype=bool)[:, :, None]
    limit = stats.norm.isf(FALSE_ALARM / 2 / seen.sum())
    error = np.maximum(found.deviation / np.sqrt(np.maximum(found.people, 1)), 1e-9)
    return bool((np.abs(found.mean - truth)[seen] <= limit * error[seen]).all())


def test_a_sampled_survey_gives_back_the_conditional_means():
    survey, truth = sampled()
    found = estimate.moments(tally_of(survey, np.ones(survey.n_people, dtype=bool)))
    assert ((found.people >= ENOUGH).sum()) > 30
    assert within_errors(found, truth)
    swapped = estimate.ConditionalMoments(
        *(np.swapaxes(getattr(found, name), 0, 1) for name in found.__dataclass_fields__)
    )
    assert not within_errors(swapped, truth), "arm bounded and arm pulled swapped must be seen"


@pytest.mark.parametrize("method", ["hoeffding", "empirical_bernstein"])
def test_confidence_bounds_hold_as_often_as_they_say(method):
    """2000 independent arms, each rated by 60 people; an entry fails with at most the level, 0.2.

    Rejected if the failures have p-value below 1e-6 (one-sided binomial): the false-alarm rate.
    The plain mean must be rejected by the same test, so that the test can see.
    """
    rng = np.random.default_rng(4)
    truth, failures, plain_failures = 0.7, 0, 0
    for _ in range(4):
        value = (rng.random((60, 501)) < np.append(1.0, np.full(500, truth))).astype(int)
        person, arm = np.indices(value.shape)
        survey = Survey(range(501), [0.0, 1.0], person.ravel(), arm.ravel(), value.ravel())
        evidence = evidence_of(survey, split(survey, "none"))
        found = pseudo_rewards(evidence, method, level=0.2)[1:, 0, 1]
        failures += (found < truth).sum()
        plain_failures += (pseudo_rewards(evidence, "mean")[1:, 0, 1] < truth).sum()

    def rejected(count):
        return stats.binomtest(int(count), 2000, 0.2, alternative="greater").pvalue < 1e-6

    assert not rejected(failures)
    assert rejected(plain_failures)


# ---------------------------------------------------------------- problems


def test_a_problem_has_its_probabilities_from_the_test_half():
    survey = Survey(
        ["a", "b"], [1.0, 2.0], [0, 0, 0, 1, 1, 2], [0, 1, 1, 0, 1, 1], [0, 1, 1, 1, 0, 1]
    )
    halves = split(survey, "heaviest")
    assert halves.train.tolist() == [True, False, False]
    problem = make_problem(survey, halves, "mean")
    assert problem.probabilities.tolist() == [[0.0, 1.0], [0.5, 0.5]]
    assert problem.pseudo_rewards[1, 0].tolist() == [2.0, 2.0]
    assert problem.pseudo_rewards[0, 1].tolist() == [2.0, 1.0]


def test_pairs_that_nobody_rated_together_are_b():
    survey = Survey(
        ["a", "b", "c"], [0.0, 1.0, 2.0], [0, 0, 1, 2, 2], [0, 1, 2, 0, 1], [0, 1, 1, 0, 0],
        reward_max=3.0,
    )  # fmt: skip
    everyone = split(survey, "none")
    assert rated_together(tally_of(survey, everyone.train)).tolist() == [
        [2, 2, 0], [2, 2, 0], [0, 0, 1],
    ]  # fmt: skip
    problem = make_problem(survey, everyone, "mean")
    assert (problem.pseudo_rewards[2, :2] == 3.0).all()
    assert (problem.pseudo_rewards[:2, 2] == 3.0).all()


def test_an_arm_without_test_ratings_is_named():
    survey = Survey(["a", "b"], [1.0, 2.0], [0, 0, 1], [0, 1, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="people held out, got none of 'a'"):
        make_problem(survey, split(survey, "heaviest"), "mean")
