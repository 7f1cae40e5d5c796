"""Tables as strangers bring them: read rightly, asked about, or refused in one clear sentence."""

from __future__ import annotations

import numpy as np
import pytest

from cbai.datasets.table import inspect, read_survey
from tests import stranger_tables as made
from tests.stranger_tables import IDS, MEANS, RATED, N, cells, csv, likert, lines, long
from tests.test_table_kinds import means_of

WHO = {"who": IDS}
PLAIN = csv({**WHO, **RATED})
LIKED = {name: float((rated >= 4).mean()) for name, rated in RATED.items()}
WORDS = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


def scaled(factor=1.0, add=0.0):
    return {name: factor * mean + add for name, mean in MEANS.items()}


def below(*rows):
    """Return the plain table with further lines below it."""
    return PLAIN + "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


def sums(digits=0):
    return [f"{rated.sum():.{digits}f}" for rated in RATED.values()]


def averages(digits=2):
    return [f"{rated.mean():.{digits}f}" for rated in RATED.values()]


def liked(yes, no):
    return csv({**WHO, **cells(lambda v: yes if v >= 4 else no)})


RIGHT = {
    "SurveyMonkey": (made.survey_monkey(), MEANS),
    "Qualtrics": (made.qualtrics(), MEANS),
    "a grid of Google Forms": (made.google_forms(), MEANS),
    "a pivot with grand totals": (made.with_totals(), MEANS),
    "a mean and a number below": (made.counts_in_a_line(), MEANS),
    "a sum below": (below(["Total", *sums()]), MEANS),
    "a sum without a name below": (below(["", *sums()]), MEANS),
    "a mean below": (below(["Durchschnitt", *averages()]), MEANS),
    "a mean below, nobody named": (
        csv(RATED) + (",".join(averages()) + "\n").encode(), MEANS,
    ),
    "a title above": (b"Survey of fruits 2024\n" + PLAIN, MEANS),
    "a title and an empty line above": (b"Survey of fruits,,,\n,,,\n" + PLAIN, MEANS),
    "two notes above": (b"Survey of fruits\nExported on 3 May, 2024\n\n" + PLAIN, MEANS),
    "the separator above": (b"sep=;\r\n" + csv(long(), sep=";"), MEANS),
    "merged cells above": (
        lines([["", "Fruit", "", ""], *[r.split(",") for r in PLAIN.decode().split()]]), MEANS,
    ),
    "percent": (csv({**WHO, **cells(lambda v: f"{20 * v}%")}), scaled(20)),
    "percent after a space": (csv(long(lambda v: f"{20 * v} %")), scaled(20)),
    "dollars": (csv(long(lambda v: f"${v}.50")), scaled(add=0.5)),
    "euros": (csv(long(lambda v: f"{v},50 €"), sep=";"), scaled(add=0.5)),
    "an apostrophe of a spreadsheet": (csv({**WHO, **cells(lambda v: f"'{v}")}), MEANS),
    "German Excel": (
        csv({"Name": [f"Müller {i}" for i in range(N)], **cells(lambda v: f"{v},0")},
            sep=";", encoding="cp1252"), MEANS,
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + PLAIN, MEANS),
    "UTF-16 with tabs": (csv({**WHO, **RATED}, sep="\t").decode().encode("utf-16"), MEANS),
    "tabs in a CSV": (csv(long(), sep="\t"), MEANS),
    "empty columns at the end": (csv({**WHO, **RATED, "": [""] * N, " ": [""] * N}), MEANS),
    "yes and no in any letters": (
        csv({**WHO, **cells(lambda v: ("No", "no", "NO ", "Yes", "YES")[v - 1])}), LIKED,
    ),
    "Y and N": (liked("Y", "N"), LIKED),
    "sí and no": (liked("Sí", "No"), LIKED),
    "thumbs": (liked("👍", "👎"), LIKED),
    "coloured thumbs": (liked("👍🏽", "👎🏿"), LIKED),
    "marks": (liked("✔️", "✗"), LIKED),
    "stars": (csv({**WHO, **cells(lambda v: "★" * v)}), MEANS),
    "full and empty stars": (csv(long(lambda v: "★" * v + "☆" * (5 - v))), MEANS),
    "half stars": (csv(long(lambda v: "★" * (v - 1) + "½")), scaled(add=-0.5)),
    "stars in colour": (csv(long(lambda v: "⭐" * v)), MEANS),
    "4/5": (csv({**WHO, **cells(lambda v: f"{v}/5")}), MEANS),
    "8 out of 10": (csv(long(lambda v: f"{2 * v} out of 10")), scaled(2)),
    "4 of 5 stars": (csv(long(lambda v: f"{v} of 5 stars")), MEANS),
    "3 Sterne": (csv({**WHO, **cells(lambda v: f"{v} Stern{'e' * (v > 1)}")}), MEANS),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_strangers_table_is_read_rightly(name):
    data, want = RIGHT[name]
    guess = inspect(data, name)
    assert guess.doubts == ()
    assert means_of(read_survey(data, guess)[0]) == pytest.approx(want)


LIKERT = {"French": made.FRENCH, "Spanish": made.SPANISH, "Italian": made.ITALIAN}
ASKED = {
    **{name: (csv({**WHO, **likert(scale)}), "order of words") for name, scale in LIKERT.items()},
    "without accents": (
        csv({**WHO, **likert(tuple(w.replace("à", "a") for w in made.FRENCH))}), "order of words",
    ),
    "words of Google Forms": (made.google_forms(lambda v: WORDS[v - 1]), "order of words"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_words_of_other_languages_are_asked_about_in_their_order(name):
    data, key = ASKED[name]
    guess = inspect(data, name)
    assert [doubt.key for doubt in guess.doubts] == [key]
    assert guess.doubts[0].likely
    assert means_of(read_survey(data, guess)[0]) == pytest.approx(MEANS)


def test_ranks_are_asked_about_and_turned_round():
    noise = np.random.default_rng(2).normal(size=(N, 3))
    order = np.argsort(noise + np.array([0, 0.7, -0.7]), axis=1)
    ranks = dict(zip(RATED, np.argsort(order, axis=1).T + 1, strict=True))
    data = csv({**WHO, **ranks})
    guess = inspect(data, "f.csv")
    assert [doubt.key for doubt in guess.doubts] == ["ranks"]
    want = {name: 4 - rank.mean() for name, rank in ranks.items()}
    survey, report = read_survey(data, guess)
    assert means_of(survey) == pytest.approx(want)
    assert "1 is the best: every rating r counts as 4 - r." in report.notes
    assert guess.corrected(layout="long", arm="who", reward="Mango").turned is None
    no = guess.answered("ranks", guess.doubts[0].answers[1])
    assert means_of(read_survey(data, no)[0]) == pytest.approx(
        {name: rank.mean() for name, rank in ranks.items()}
    )


def test_a_table_on_its_side_is_asked_about():
    data = lines([["Fruit", *IDS], *([name, *rated] for name, rated in RATED.items())])
    guess = inspect(data, "f.csv")
    assert [doubt.key for doubt in guess.doubts] == ["rows or columns"]
    yes, no = (guess.answered("rows or columns", a) for a in guess.doubts[0].answers)
    assert yes.doubts == ()
    with pytest.raises(ValueError, match="exchange rows and columns first"):
        read_survey(data, no)


def test_a_count_of_the_ratings_is_no_option():
    guess = inspect(made.jester(), "jester.csv")
    assert guess.arm_columns == tuple(f"column {i}" for i in range(2, 6))
    assert [doubt.key for doubt in guess.doubts] == ["missing code"]


def test_totals_of_an_analytics_tool_are_refused():
    with pytest.raises(ValueError, match="look like totals"):
        read_survey(made.ga_export(), inspect(made.ga_export(), "ga.csv"))


def test_ratings_on_two_scales_are_not_mixed():
    data = csv(long(lambda v: f"{v}/5" if v > 2 else f"{2 * v}/10"))
    guess = inspect(data, "f.csv")
    assert [doubt.key for doubt in guess.doubts] == ["order of words"]
    with pytest.raises(ValueError, match=r"ratings on one scale, got '\d+/\d+' and '\d+/\d+'"):
        read_survey(data, guess.corrected(order=()))


def test_the_id_of_a_response_is_no_rating():
    data = csv(
        {"response_id": range(1000, 1000 + N), "nps_score": 2 * RATED["Mango"],
         "plan": ["free", "pro"] * (N // 2)}
    )  # fmt: skip
    guess = inspect(data, "f.csv")
    assert (guess.arm, guess.reward) == ("plan", "nps_score")


def test_what_is_left_out_around_a_table_is_in_the_report():
    data = b"Fruits\nof 2024\n" + below(["Sum", *sums()], ["Mean", *averages()])
    guess = inspect(data, "f.csv")
    assert "2 lines above the table are not part of it." in guess.reasons
    _, report = read_survey(data, guess)
    assert report.rows == N + 2
    assert report.dropped == (("a line of totals below the table", 2),)


KEPT = {
    "a last row above all others": below(["p60", 5, 5, 5]),
    "a person called Total": below(["Total", 4, 2, 3]),
    "a mean that may be a row": csv({**WHO, **{n: [2, 4, 3] * (N // 3) for n in RATED}}),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_a_last_row_of_ratings_is_kept(name):
    guess = inspect(KEPT[name], "f.csv")
    _, report = read_survey(KEPT[name], guess)
    assert not any("totals" in reason for reason, _ in report.dropped)


def test_columns_of_one_name_are_told_apart():
    data = PLAIN.replace(b"Papaya", b"Mango")
    guess = inspect(data, "f.csv")
    assert guess.arm_columns == ("Mango", "Mango (column 3)", "Quince")
    both = inspect(
        csv({**WHO, **{f"{q} [{n}]": r for q in ("Taste", "Look") for n, r in RATED.items()}}), "f"
    )
    assert both.arm_columns[0] == "Taste [Mango]"


def test_too_many_people_are_noticed_while_reading(monkeypatch):
    """Half a file is enough, in text and in Parquet; equal names in all parts are one."""
    monkeypatch.setattr("cbai.datasets.table.distinct.MAX_ENTRIES", 50)
    monkeypatch.setattr("cbai.datasets.table.parquet.MAX_ENTRIES", 50)
    frame = long()
    for data, name in ((csv(frame), "f.csv"), (made.parquet(frame), "f.parquet")):
        with pytest.raises(ValueError, match=r"at most 50 different people or options.*'user'"):
            read_survey(data, inspect(data, name))
    monkeypatch.setattr("cbai.datasets.table.distinct.MAX_ENTRIES", N)
    monkeypatch.setattr("cbai.datasets.table.parquet.MAX_ENTRIES", N)
    for data, name in ((csv(frame), "f.csv"), (made.parquet(frame), "f.parquet")):
        assert read_survey(data, inspect(data, name))[1].people == N


def rated(*names, gaps=0.0, values=5):
    """Return a table of people who rated options of these names, and the mean of each."""
    rng = np.random.default_rng(3)
    table = rng.integers(1, values + 1, size=(80, len(names))).astype(object)
    means = dict(zip(names, table.mean(axis=0), strict=True))
    table[rng.random(table.shape) < gaps] = ""
    return lines([list(names), *table.tolist()]), means


OPTIONS_CALLED_LIKE_ROLES = {
    "a genre called Action": ("Comedy", "Action", "Drama", "Horror", "Noir", "War"),
    "years": ("2019", "2020", "2021"),
    "variants": ("Variant A", "Variant B", "Variant C"),
    "scores": ("Score A", "Score B", "Score C"),
    "products": ("Product", "Service", "Brand", "Store"),
}


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize("name", OPTIONS_CALLED_LIKE_ROLES)
def test_options_that_share_a_scale_are_options_whatever_they_are_called(name, gaps):
    data, _ = rated(*OPTIONS_CALLED_LIKE_ROLES[name], gaps=gaps)
    guess = inspect(data, "survey.csv")
    assert guess.doubts == ()
    assert guess.arm_columns == OPTIONS_CALLED_LIKE_ROLES[name]


@pytest.mark.parametrize(
    ("names", "odd"),
    [
        (("Interface", "Price", "Support", "Speed"), "Price"),
        (("Time", "Vogue", "Wired"), "Time"),
        (("Total", "BP", "Shell", "Esso"), "Total"),
        (("Response time", "Clarity", "Tone"), "Response time"),
    ],
)
def test_an_option_called_like_something_else_is_asked_about(names, odd):
    data, means = rated(*names)
    guess = inspect(data, "survey.csv")
    (doubt,) = guess.doubts
    assert doubt.startswith(f"Is {odd!r} an option like ")
    assert means_of(read_survey(data, guess)[0]) == pytest.approx(means)
    left_out = guess.answered("options", doubt.answers[1])
    assert left_out.arm_columns == tuple(name for name in names if name != odd)


def test_a_column_of_yes_and_no_called_price_is_asked_about():
    marks = np.random.default_rng(5).integers(0, 2, size=(80, 4))
    data = lines([["Interface", "Price", "Support", "Speed"], *marks.tolist()])
    (doubt,) = inspect(data, "survey.csv").doubts
    assert doubt.startswith("Is 'Price' an option like ")


def test_two_columns_that_share_a_scale_are_asked_about_even_if_one_is_called_action():
    guess = inspect(rated("Action", "Comedy")[0], "survey.csv")
    (doubt,) = guess.doubts
    assert guess.answered("layout", doubt.answers[1]).arm_columns == ("Action", "Comedy")


def test_a_line_of_numbers_like_the_others_is_no_header():
    data = lines([["5", "3", "4"], *[[1 + i % 5, 1 + i % 3, 1 + i % 4] for i in range(40)]])
    assert not inspect(data, "survey.csv").header
