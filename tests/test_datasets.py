"""The data sets that ship: real counts conserved, modelled bounds valid, all of it rebuildable."""

from __future__ import annotations

import json
import os
import random
import re
import zipfile
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from scipy.stats import multivariate_normal, norm

from cbai import philox
from cbai.datasets import DATASETS, load_problem, movielens, movielens_raw, paper, poetry, stories
from cbai.datasets.copula import both_above, conditional_means
from cbai.datasets.files import DATA
from cbai.problem import Problem, estimate, latent

CHOICES = [
    (name, dict(zip(row.options, values, strict=True)))
    for name, row in DATASETS.items()
    for values in product(*row.options.values())
]
VALID = [(name, options) for name, options in CHOICES if DATASETS[name].valid_by_construction]
RAW = Path(
    os.environ.get("CBAI_ML1M")
    or Path(__file__).parents[2] / "shared" / "data" / "ml-1m-users-1-2999.zip"
)


def mean_bounds(problem):
    """phi_{l,k}: the mean of s_{l,k} over the rewards of arm k, shape (K, K)."""
    return np.einsum("kv,lkv->lk", problem.probabilities, problem.pseudo_rewards)


# ---------------------------------------------------------------- the registry


@pytest.mark.parametrize(("name", "options"), CHOICES)
def test_every_choice_loads_once(name, options):
    problem = load_problem(name, **options)
    assert isinstance(problem, Problem)
    assert load_problem(name, **options) is problem
    assert len(problem.best_arms) == 1
    assert not problem.probabilities.flags.writeable


def test_rows_say_what_they_are():
    for name, row in DATASETS.items():
        assert name == row.id
        assert row.title
        assert row.story
        assert row.licence
        assert 1 <= len(re.findall(r"[.?!](?:\s|$)", row.provenance)) <= 4


def test_options_default_to_their_first_value():
    assert load_problem("paper-two-arms") is load_problem("paper-two-arms", table="a")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("netflix", {}, ["name", "movielens-1m", "paper-three-arms", "'netflix'"]),
        ("paper-two-arms", {"tabel": "a"}, ["option", "table", "'tabel'"]),
        ("paper-two-arms", {"table": "c"}, ["table", "a, b", "'c'"]),
        ("drug-trial", {"table": "a"}, ["drug-trial", "no options", "'table'"]),
    ],
)
def test_bad_choices_are_quoted(name, options, words):
    with pytest.raises(ValueError, match="got") as error:
        load_problem(name, **options)
    assert all(word in str(error.value) for word in words)


@pytest.mark.parametrize(("name", "options"), VALID)
def test_bounds_valid_by_construction_hold(name, options):
    problem = load_problem(name, **options)
    assert (mean_bounds(problem) >= problem.means[:, None] - 1e-12).all()


# ---------------------------------------------------------------- MovieLens


@pytest.fixture(scope="module")
def record():
    return json.loads((DATA / "movielens-1m" / "provenance.json").read_text(encoding="utf-8"))


def test_genre_counts_are_conserved(record):
    counts = pd.read_csv(DATA / "movielens-1m" / "test_counts.csv", index_col="genre")
    assert counts.to_numpy().sum() == record["test"]["ratings"]
    for total in ("ratings", "users"):
        assert record["train"][total] + record["test"][total] == record[total]
    assert record["train"]["ratings"] >= record["ratings"] / 2
    assert len(counts) == 18


def test_genres_match_their_record(record):
    problem = load_problem("movielens-1m")
    assert problem.arms[problem.best_arm] == record["best"]
    assert problem.arms[problem.second_arm] == record["second"]
    recorded = [record["mean_test_rating"][arm] for arm in problem.arms]
    np.testing.assert_allclose(problem.means, recorded, atol=1e-6)
    gaps = record["gaps_seen_from_seed_0"]
    assert len(gaps) == record["genre_seed"] + 1
    low, high = record["gap_wanted"]
    assert [low <= gap <= high for gap in gaps] == [False] * record["genre_seed"] + [True]


def test_movielens_is_rebuilt_byte_for_byte(tmp_path, record):
    if not RAW.exists():
        pytest.skip("the raw MovieLens 1M file is not here: set CBAI_ML1M to its path")
    if movielens_raw.read(RAW).digests != record["sha256_of_raw_files"]:
        pytest.skip("CBAI_ML1M holds other ratings than the tables were built from")
    movielens.main([str(RAW), "--to", str(tmp_path)])
    for path in sorted((DATA / "movielens-1m").iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def synthetic_files(n_users=14, n_movies=30):
    """Return movies.dat and ratings.dat of a made-up world in the MovieLens layout."""
    rng = random.Random(4)
    genres = ["Drama", "Comedy", "Film-Noir", "War"]
    movies = [
        f"{3 * m + 1}::Amélie: part {m} (2001)::{'|'.join(rng.sample(genres, rng.randint(1, 3)))}"
        for m in range(n_movies)
    ]
    ratings = [
        f"{u}::{3 * m + 1}::{rng.randint(1, 5)}::{978300000 + m}"
        for u in range(1, n_users + 1)
        for m in rng.sample(range(n_movies), rng.choice([6, 6, 9, 20]))
    ]
    return "\n".join(movies) + "\n", "\n".join(ratings) + "\n"


def write_zip(path, movies, ratings):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-1m/README", "not read")
        archive.writestr("ml-1m/movies.dat", movies.encode("latin-1"))
        archive.writestr("ml-1m/ratings.dat", ratings.encode("latin-1"))
    return path


def slow_tables(movies, ratings, seed):
    """The whole build in plain Python: test counts, pseudo-rewards and their support."""
    genre_of = {}
    words = np.empty(4, np.uint64)
    for line in movies.splitlines():
        movie, _, listed = line.split("::")
        philox.block(int(movie), 0, 0, 2, seed, words)
        names = listed.split("|")
        genre_of[int(movie)] = names[int(words[0]) * len(names) // 2**32]
    by_user = defaultdict(list)
    for line in ratings.splitlines():
        user, movie, stars, _ = map(int, line.split("::"))
        by_user[user].append((genre_of[movie], stars))
    train, covered = [], 0
    for user in sorted(by_user, key=lambda u: (-len(by_user[u]), u)):
        if 2 * covered >= len(ratings.splitlines()):
            break
        train.append(user)
        covered += len(by_user[user])
    counts = defaultdict(int)
    for user in set(by_user) - set(train):
        for rating in by_user[user]:
            counts[rating] += 1
    genres = sorted(set(genre_of.values()))
    pseudo = {}
    for bounded, pulled, stars in product(genres, genres, range(1, 6)):
        givers = [user for user in train if (pulled, stars) in by_user[user]]
        seen = [[r for g, r in by_user[user] if g == bounded] for user in givers]
        flat = [r for own in seen for r in own]
        mean = sum(flat) / len(flat) if flat else 5.0
        pseudo[bounded, pulled, stars] = (round(mean, 6), len(flat), sum(map(bool, seen)))
    return counts, pseudo


@pytest.mark.parametrize("layout", ["zip", "folder", "inner folder"])
def test_build_agrees_with_plain_python(tmp_path, layout):
    movies, ratings = synthetic_files()
    source = tmp_path / "raw"
    if layout == "zip":
        write_zip(source, movies, ratings)
    else:
        inner = source if layout == "folder" else source / "ml-1m"
        inner.mkdir(parents=True)
        (inner / "movies.dat").write_bytes(movies.encode("latin-1"))
        (inner / "ratings.dat").write_bytes(ratings.encode("latin-1"))
    made = movielens.build(source, tmp_path / "out", gap=(0.0, 5.0))
    counts, pseudo = slow_tables(movies, ratings, made["genre_seed"])
    table = pd.read_csv(tmp_path / "out" / "test_counts.csv", index_col="genre")
    for genre, stars in product(table.index, range(1, 6)):
        assert table.loc[genre, f"ratings_{stars}"] == counts[genre, stars]
    rows = pd.read_csv(tmp_path / "out" / "pseudo_rewards.csv")
    assert len(rows) == 4 * 3 * 5
    for row in rows.itertuples(index=False):
        want = pseudo[row.genre_bounded, row.genre_pulled, row.rating]
        assert (row.ratings_behind, row.users_behind) == want[1:]
        assert row.pseudo_reward == pytest.approx(want[0], abs=1.1e-6)


def test_genres_are_drawn_uniformly():
    movies = {movie: ["a", "b", "c"] for movie in range(6000)}
    drawn = list(movielens.assign_genres(movies, seed=1).values())
    assert all(abs(drawn.count(name) - 2000) < 5 * np.sqrt(6000 * 2 / 9) for name in "abc")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("::3::97", "::6::97", r"from 1 to 5, got 6"),
        ("::4::97", "::0::97", r"from 1 to 5, got 0"),
        ("::978300000\n", "::978300000\n3::999::4::978300000\n", r"rated movie, got no 999"),
    ],
)
def test_bad_raw_files_are_named(tmp_path, old, new, message):
    movies, ratings = synthetic_files()
    assert old in ratings
    path = write_zip(tmp_path / "raw.zip", movies, ratings.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        movielens_raw.read(path)


def test_missing_files_and_empty_genres_are_named(tmp_path):
    movies, ratings = synthetic_files()
    with pytest.raises(ValueError, match=r"movies\.dat, got 'nowhere\.zip'"):
        movielens_raw.read(tmp_path / "nowhere.zip")
    path = write_zip(tmp_path / "raw.zip", movies + "9999::Unseen (1999)::Western\n", ratings)
    with pytest.raises(ValueError, match=r"test half, got none of 'Western'"):
        movielens.build(path, tmp_path / "out", gap=(0.0, 5.0))
    with pytest.raises(SystemExit):
        movielens.main([str(tmp_path / "nowhere.zip")])


# ---------------------------------------------------------------- surveys and latent sources


def test_survey_choices():
    values = np.array([1.0, 3.0])
    person, arm, value = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]]).T
    moments = estimate.conditional_moments(estimate.tally(person, arm, value, (3, 2, 2)), values)
    assert moments.mean[1, 0].tolist() == [2.0, 3.0]
    assert moments.deviation[1, 0].tolist() == [1.0, 0.0]
    assert moments.ratings[1, 0].tolist() == [2, 1]
    assert moments.people[1, 0].tolist() == [1, 1]
    assert moments.mean[0, 1].tolist() == [1.0, 2.0]
    plain = estimate.survey_pseudo_rewards(moments, values, 3.0)
    assert plain[1, 0].tolist() == [2.0, 3.0]
    assert plain[0, 0].tolist() == [1.0, 3.0]
    assert estimate.survey_pseudo_rewards(moments, values, 3.0, min_ratings=2)[1, 0, 1] == 3.0
    assert estimate.survey_pseudo_rewards(moments, values, 4.0, deviations=0.5)[1, 0, 0] == 2.5
    assert estimate.soft_bound(2.0, 0.1, 5.0) == pytest.approx(2.0 * 0.9 + 0.5)
    with pytest.raises(ValueError, match="min_ratings"):
        estimate.survey_pseudo_rewards(moments, values, 3.0, min_ratings=0)


def test_soft_latent_bounds_follow_equation_2():
    low, high = [[0.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [2.0, 0.5]]
    bound = latent.soft_pseudo_rewards(low, high, [0.0, 1.0, 2.0, 3.0], 0.1, 3.0)
    # r = 0 on arm 0 fits state 0 only, r = 1 both, r = 2 state 1, and r = 3 none.
    want = 0.81 * np.array([2.0, 2.0, 0.5, 3.0]) + 0.19 * 3.0
    np.testing.assert_allclose(bound[1, 0], want)
    assert bound[0, 0].tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("story", [stories.AD_CAMPAIGN, stories.DRUG_TRIAL])
def test_story_bounds_hold_for_every_population(story):
    problem = story.build()
    behaviour = story.behaviour
    means = behaviour @ problem.values
    assert story.shares.sum() == pytest.approx(1.0)
    rng = np.random.default_rng(8)
    for shares in rng.dirichlet(np.full(len(story.shares), 0.4), size=200):
        weight = shares[:, None, None] * behaviour
        given = np.einsum("xkv,xl->lkv", weight, means) / np.maximum(weight.sum(axis=0), 1e-300)
        seen = (weight.sum(axis=0) > 1e-12) & ~np.eye(problem.n_arms, dtype=bool)[:, :, None]
        assert (given <= problem.pseudo_rewards + 1e-9)[seen].all()


@pytest.mark.parametrize(("name", "arms"), [("ad-campaign", 3), ("drug-trial", 2)])
def test_stories_have_arms_of_both_kinds(name, arms):
    problem = load_problem(name)
    pseudo_gap = problem.means[problem.second_arm] - mean_bounds(problem)[:, problem.best_arm]
    assert (pseudo_gap > 0.01 * problem.reward_max).sum() == arms
    assert (pseudo_gap < -0.01 * problem.reward_max).sum() >= 2
    assert pseudo_gap[problem.second_arm] < 0


# ---------------------------------------------------------------- the poetry copula


def test_both_above_agrees_with_another_method():
    rng = np.random.default_rng(2)
    for h, k, rho in zip(*rng.normal(size=(2, 40)) * 1.5, rng.uniform(0, 0.9, 40), strict=True):
        other = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([-h, -k])
        got = both_above(np.array(h), np.array(k), np.array(rho))
        assert float(got) == pytest.approx(other, abs=1e-10)


def rectangle_mean(rows, values, rho, v):
    """E[R_0 | R_1 = values[v]] by integrating the other normal's conditional distribution."""
    upper = [norm.ppf(np.clip(np.cumsum(row), 0, 1 - 1e-15)) for row in rows]
    edges = np.concatenate([[-9.0], upper[1][:-1], [9.0]])
    nodes, weights = np.polynomial.legendre.leggauss(200)
    half = (edges[v + 1] - edges[v]) / 2
    z = edges[v] + half * (nodes + 1)
    above = norm.sf((upper[0][:-1, None] - rho * z) / np.sqrt(1 - rho**2))
    expected = values[0] + np.diff(values) @ above
    density = norm.pdf(z) * weights * half
    return (density @ expected) / rows[1][v]


@pytest.mark.parametrize("selection", ["author", "title"])
def test_copula_means_agree_with_direct_integration(selection):
    problem = load_problem("goodreads-poetry", selection=selection)
    rho = poetry.correlation(poetry.books(selection)["kind"].to_numpy(str))
    means = conditional_means(problem.probabilities, problem.values, rho)
    for bounded, pulled in [(0, 1), (1, 0), (3, 17), (24, 2), (11, 12), (5, 20)]:
        rows = problem.probabilities[[bounded, pulled]]
        for v in range(5):
            want = rectangle_mean(rows, problem.values, rho[bounded, pulled], v)
            assert means[bounded, pulled, v] == pytest.approx(want, abs=1e-8)


def test_copula_reproduces_the_means_and_leaves_the_bounds_tight():
    problem = load_problem("goodreads-poetry")
    rho = poetry.correlation(poetry.books("author")["kind"].to_numpy(str))
    means = conditional_means(problem.probabilities, problem.values, rho)
    back = np.einsum("kv,lkv->lk", problem.probabilities, means)
    np.testing.assert_allclose(back, np.repeat(problem.means[:, None], 25, axis=1), atol=1e-12)
    assert (np.diff(means, axis=2) > 0).all()
    off = ~np.eye(25, dtype=bool)
    assert (problem.pseudo_rewards >= means)[off].all()
    assert np.abs(problem.pseudo_rewards - means)[off].max() <= 1e-6


@pytest.mark.parametrize("selection", ["author", "title"])
def test_books_are_the_most_rated(selection):
    table = poetry.books(selection)
    problem = load_problem("goodreads-poetry", selection=selection)
    assert len(table) == 25
    assert table["ratings"].is_monotonic_decreasing
    assert max(map(len, problem.arms)) <= 28
    counts = poetry.star_counts(table)
    np.testing.assert_allclose(problem.probabilities * table["ratings"].to_numpy()[:, None], counts)
    named = table.loc[~table["author"].isin(["Unknown", "Anonymous"]), "author"]
    assert named.is_unique == (selection == "author")


# ---------------------------------------------------------------- the paper's tables


JOINTS = [
    (paper.TWO_ARM_BOUNDS, paper.TWO_ARM_JOINTS["a"]),
    (paper.TWO_ARM_BOUNDS, paper.TWO_ARM_JOINTS["b"]),
    (paper.THREE_ARM_BOUNDS, paper.THREE_ARM_JOINT),
]


@pytest.mark.parametrize(("bounds", "joint"), JOINTS)
def test_joint_distributions_meet_the_papers_bounds(bounds, joint):
    assert sum(joint.values()) == pytest.approx(1.0)
    for (bounded, pulled), bound in bounds.items():
        for r, limit in enumerate(bound):
            given = {outcome: p for outcome, p in joint.items() if outcome[pulled] == r}
            mean = sum(outcome[bounded] * p for outcome, p in given.items()) / sum(given.values())
            assert mean <= limit + 1e-12


def test_two_tables_have_different_best_arms():
    a, b = (load_problem("paper-two-arms", table=table) for table in "ab")
    assert (a.best_arm, b.best_arm) == (0, 1)
    np.testing.assert_array_equal(a.pseudo_rewards, b.pseudo_rewards)


def test_three_arms_come_close_to_the_linear_programme():
    """In whole percentages 0.19 is reached; the programme over all distributions says 0.2003."""
    problem = load_problem("paper-three-arms")
    assert problem.probabilities.min() >= 0.1 - 1e-12
    best, second, third = problem.ranking
    lead = problem.means[best] - problem.means[second]
    pseudo_gap = problem.means[second] - mean_bounds(problem)[third, best]
    reached = min(lead, pseudo_gap)
    assert reached == pytest.approx(0.19)

    outcomes = np.array(list(product(range(3), repeat=3)))
    below = [
        np.append((outcomes[:, bounded] - limit) * (outcomes[:, pulled] == r), 0)
        for (bounded, pulled), bound in paper.THREE_ARM_BOUNDS.items()
        for r, limit in enumerate(bound)
    ]
    floors = [np.append(-1.0 * (outcomes[:, k] == r), 0) for k in range(3) for r in range(3)]
    bound = np.array(paper.THREE_ARM_BOUNDS[third, best])
    goals = [
        np.append(outcomes[:, second] - outcomes[:, best], 1),
        np.append(bound[outcomes[:, best]] - outcomes[:, second], 1),
    ]
    solution = linprog(
        np.append(np.zeros(27), -1.0),
        A_ub=np.vstack([*below, *floors, *goals]),
        b_ub=[0.0] * len(below) + [-0.1] * len(floors) + [0.0] * 2,
        A_eq=[np.append(np.ones(27), 0)],
        b_eq=[1.0],
        bounds=[(0, None)] * 27 + [(None, None)],
    )
    assert reached <= -solution.fun + 1e-9
    assert -solution.fun - reached < 0.0104
