"""Tables of the same kinds as those in `tests/tables`, with other names, values and languages."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cbai.datasets.table import Answer, Guess, inspect, read_survey
from tests.test_table_kinds import means_of

N = 80
RNG = np.random.default_rng(5)
LEVELS = {"Apfel": 3.2, "Birne": 4.1, "Kirsche": 2.3}
RATED = {
    name: np.clip(np.rint(level + RNG.normal(size=N)), 1, 5).astype(int)
    for name, level in LEVELS.items()
}
MEANS = {name: cells.mean() for name, cells in RATED.items()}


def csv(columns, sep=",", **options):
    """Return columns as the bytes of a CSV file."""
    return pd.DataFrame(columns).to_csv(index=False, sep=sep, **options).encode()


def wide(before=None, after=None, **options):
    """Return the three fruits with other columns before and after them."""
    return csv({**(before or {}), **RATED, **(after or {})}, **options)


def long(
    who="who", what="what", rating="rating", extra=lambda i, name: {}, sep=",", order=None, cell=str
):
    """Return the same ratings, one a row."""
    rows = [
        {who: f"p{i}", what: name, rating: cell(RATED[name][i]), **extra(i, name)}
        for i in range(N) for name in RATED
    ]  # fmt: skip
    return csv(pd.DataFrame(rows)[order] if order else rows, sep=sep)


def numbers(low, step, n=N):
    return [low + step * i for i in range(n)]


TOTAL = sum(RATED.values())
SURE_WIDE = {
    "a row counter and a name": wide({"": range(N), "Teilnehmer": [f"T{i}" for i in range(N)]}),
    "lfd. Nr.": wide({"Lfd. Nr.": numbers(1, 1)}),
    "SurveyMonkey": wide({"RespondentID": numbers(12_345_678, 13), "CollectorID": [98765] * N}),
    "a constant and progress": wide({"ResponseId": [f"R_{i}x" for i in range(N)],
                                     "Progress": [100] * N, "Finished": [1] * N}),
    "age and duration": wide({"Alter": [20 + i % 50 for i in range(N)],
                              "Dauer (Sekunden)": [100 + 7 * i % 500 for i in range(N)]}),
    "an unnamed duration": wide({"zz": [100 + (37 * i) % 500 for i in range(N)]}),
    "a sum": wide({}, {"Summe": TOTAL}),
    "a sum with any name": wide({}, {"xyz": TOTAL}),
    "a mean": wide({}, {"Moyenne": (TOTAL / 3).round(2)}),
    "a comment": wide({}, {"Kommentar": ["gut", "", "zu süß", "na ja"] * (N // 4)}),
    "a text with any name": wide({}, {"qx": ["gut", "", "zu süß", "na ja"] * (N // 4)}),
    "dates": wide({"Zeitstempel": [f"2024-03-{1 + i % 28:02d} 10:00:{i % 60:02d}"
                                   for i in range(N)]}),
    "a postal code": wide({"PLZ": [10_000 + 97 * i for i in range(N)]}),
    "semicolons": wide({"Kunde": numbers(1, 1)}, sep=";"),
    "tabs": wide({"cliente": numbers(1, 1)}, sep="\t"),
    "vertical bars": wide({"cliente": numbers(1, 1)}, sep="|"),
    "a long question": wide({"Wie alt sind Sie? " * 30: ["ja"] * N}),
}  # fmt: skip


@pytest.mark.parametrize("name", SURE_WIDE)
def test_other_wide_tables_are_read_without_a_question(name):
    guess = inspect(SURE_WIDE[name], name)
    assert guess.doubts == ()
    assert guess.arm_columns == tuple(RATED)
    survey, _ = read_survey(SURE_WIDE[name], guess)
    assert means_of(survey) == pytest.approx(MEANS)


CODES = ["#N/A", "<NA>", "\\N", "?", "--", "n.a.", "N/A", "NULL", "nan", "-", "NaN", "None"]
CODES += ["#VALUE!", "#DIV/0!", "#REF!", "#NV"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_codes_for_missing_are_missing(code, shape):
    cells = {name: [code if (i + k) % 5 == 0 else str(v) for i, v in enumerate(RATED[name])]
             for k, name in enumerate(RATED)}  # fmt: skip
    frame = pd.DataFrame({"id": range(N), **cells})
    if shape == "long":
        frame = frame.melt("id", var_name="fruit kind", value_name="score")
        frame = frame.rename(columns={"fruit kind": "product"})
    data = frame.to_csv(index=False).encode()
    guess = inspect(data, "f.csv")
    assert guess.doubts == ()
    survey, report = read_survey(data, guess)
    want = {n: np.mean([int(c) for c in cells[n] if c != code]) for n in RATED}
    assert means_of(survey) == pytest.approx(want)
    assert not any("not a number" in reason for reason, _ in report.dropped)


LONG = {
    "German": long("Kunde", "Produkt", "Bewertung"),
    "French": long("utilisateur", "produit", "note"),
    "Spanish": long("usuario", "película", "puntuación"),
    "Italian": long("utente", "prodotto", "voto"),
    "Dutch": long("klant", "gerecht", "beoordeling"),
    "Portuguese": long("cliente", "livro", "avaliação"),
    "the rating first": long("user_id", "item_id", "stars", order=["stars", "item_id", "user_id"]),
    "the arm first": long("reviewerID", "asin", "overall", order=["asin", "reviewerID", "overall"]),
    "camels": long("userId", "businessId", "starRating"),
    "a review": long("user", "item", "rating", lambda i, name: {"review": f'line\n"{i}", {name}'}),
    "an id of the review": long("user", "item", "rating", lambda i, n: {"review_id": f"{n}{i}"},
                                order=["review_id", "user", "item", "rating"]),
    "useful and funny": long("user", "business", "stars", lambda i, n: {"useful": i % 3,
                                                                      "funny": i % 2}),
    "decimal comma in quotes": long("user", "item", "rating", cell=lambda v: f"{v},0"),
    "decimal comma, semicolon": long("user", "item", "rating", sep=";", cell=lambda v: f"{v},0"),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_other_long_tables_are_read_without_a_question(name):
    guess = inspect(LONG[name], name)
    assert guess.doubts == ()
    survey, report = read_survey(LONG[name], guess)
    assert means_of(survey) == pytest.approx(MEANS)
    assert report.people == N


@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [0, 1, 2, 3], [1, 0, 2, 3]])
@pytest.mark.parametrize("ids", ["numbers", "texts"])
def test_without_a_header_the_arm_is_the_column_with_fewer_entries(order, ids):
    names = {"Apfel": 40, "Birne": 51, "Kirsche": 67} if ids == "numbers" else dict.fromkeys(RATED)
    rows = [
        [1000 + i if ids == "numbers" else f"U{i:03d}", names[name] or name, RATED[name][i],
         1_365_811_200 + i]
        for i in range(N) for name in RATED
    ]  # fmt: skip
    data = pd.DataFrame(rows)[order].to_csv(index=False, header=False).encode()
    guess = inspect(data, "f.csv")
    survey, _ = read_survey(data, guess)
    want = {str(names[name] or name): mean for name, mean in MEANS.items()}
    assert means_of(survey) == pytest.approx(want)
    assert guess.time == ("column 4" if len(order) == 4 else None)


@pytest.mark.parametrize(
    ("code", "scale"),
    [(99, 5), (88, 5), (9, 5), (-1, 5), (-99, 5), (999, 5), (-9, 5), (99, 10), (-1, 10), (0, None)],
)
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_a_number_apart_is_asked_about(code, scale, shape):
    low, high = (1, scale) if scale else (3, 9)  # nothing between 0 and 3
    rng = np.random.default_rng(1)
    cells = rng.integers(low, high + 1, (N, 3))
    cells[rng.random((N, 3)) < 0.2] = code
    frame = pd.DataFrame({"person": range(N), **dict(zip("abc", cells.T, strict=True))})
    if shape == "long":
        frame = frame.melt("person", var_name="item", value_name="rating")
    data = frame.to_csv(index=False).encode()
    guess = inspect(data, "f.csv")
    (doubt,) = guess.doubts
    assert (doubt.key, guess.missing) == ("missing code", (code,))
    survey, report = read_survey(data, guess)
    want = {n: c[c != code].mean() for n, c in zip("abc", cells.T, strict=True)}
    assert means_of(survey) == pytest.approx(want)
    assert report.doubts == (str(doubt),)
    kept = guess.answered(doubt.key, doubt.answers[1])
    assert (kept.missing, kept.doubts) == ((), ())
    if code > 0:
        assert means_of(read_survey(data, kept)[0]) == pytest.approx(
            dict(zip("abc", cells.mean(axis=0), strict=True))
        )


USUAL = [range(1, 6), range(11), (-1, 0, 1), (0, 1), range(-3, 4), range(6), (0.5, 1, 1.5, 2, 4)]


@pytest.mark.parametrize("values", USUAL)
def test_usual_scales_are_not_asked_about(values):
    cells = np.random.default_rng(2).choice(list(values), (N, 3))
    data = csv({"person": range(N), **dict(zip("abc", cells.T, strict=True))})
    assert inspect(data, "f.csv").doubts == ()


def test_a_code_seen_only_in_the_whole_file_is_in_the_report(monkeypatch):
    monkeypatch.setattr("cbai.datasets.table.profile.LOOK_ROWS", 30)
    cells = {name: [*rated[:60], *[99] * 20] for name, rated in RATED.items()}
    data = csv({"person": range(N), **cells})
    monkeypatch.setattr("cbai.datasets.table.LOOK_ROWS", 30)
    guess = inspect(data, "f.csv")
    assert guess.doubts == ()
    assert 'Does 99 mean "not rated"?' in read_survey(data, guess)[1].doubts[0]


def test_a_decimal_comma_first_seen_late():
    cells = ["2,5" if i > 4000 else str(1 + i % 5) for i in range(5000)]
    rows = {"person": [i // 2 for i in range(5000)], "item": ["x", "y"] * 2500, "rating": cells}
    data = csv(rows, sep=";")
    survey, report = read_survey(data, inspect(data, "f.csv"))
    assert report.dropped == ()
    assert survey.values.tolist() == [1, 2, 2.5, 3, 4, 5]


@pytest.mark.parametrize(
    ("cells", "decimal", "want", "doubts"),
    [
        (["1.050", "950", "1.200", "800"], ",", [800, 950, 1050, 1200], 1),
        (["1.050,5", "950", "1.200", "800"], ",", [800, 950, 1050.5, 1200], 0),
        (["1,050", "950", "1,200", "800"], ".", [800, 950, 1050, 1200], 1),
        (["1,050.5", "950.25", "1,200", "800"], ".", [800, 950.25, 1050.5, 1200], 0),
        (["1'050", "950", "1'200", "800"], ".", [800, 950, 1050, 1200], 0),
        (["1 050,5", "950", "1 200", "800"], ",", [800, 950, 1050.5, 1200], 0),
        (["1.050", "0.125", "1.2", "3"], ".", [0.125, 1.05, 1.2, 3], 0),
        (["\u22123", "\u22121", "2", "3"], ".", [-3, -1, 2, 3], 0),
        (["1,5", "2", "3,25", "4"], ",", [1.5, 2, 3.25, 4], 0),
    ],
)
def test_numbers_in_other_notations(cells, decimal, want, doubts):
    data = csv({"person": range(N), "item": ["x", "x", "y", "y"] * 20, "rating": cells * 20}, ";")
    guess = inspect(data, "f.csv")
    assert (guess.decimal, len(guess.doubts)) == (decimal, doubts)
    survey, _ = read_survey(data, replace(guess, offset=max(0, -min(want))))
    assert (survey.values + min(0, *want)).tolist() == want


def test_the_decimal_sign_can_be_chosen():
    cells = ["1.050", "950", "1.200", "800"] * 20
    data = csv({"person": range(N), "item": ["x", "x", "y", "y"] * 20, "rating": cells}, ";")
    guess = inspect(data, "f.csv", decimal=".")
    assert (guess.decimal, guess.thousands, guess.doubts) == (".", "", ())
    assert read_survey(data, guess)[0].values.tolist() == [1.05, 1.2, 800, 950]
    (doubt,) = inspect(data, "f.csv").doubts
    other = inspect(data, "f.csv").answered("thousands", doubt.answers[1])
    assert read_survey(data, other)[0].values.tolist() == [1.05, 1.2, 800, 950]
    with pytest.raises(ValueError, match=r"decimal must be one of"):
        inspect(data, "f.csv", decimal="x")


SCALES = {
    "agree": ["Strongly Disagree", "Disagree", "Neither agree nor disagree", "Agree",
              "Strongly Agree"],
    "zustimmung": ["stimme überhaupt nicht zu", "stimme eher nicht zu", "teils/teils",
                   "stimme eher zu", "stimme voll und ganz zu"],
    "trifft zu": ["trifft nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft zu"],
    "often": ["never", "rarely", "sometimes", "often", "always"],
    "oft": ["nie", "selten", "manchmal", "oft", "immer"],
    "good": ["very poor", "poor", "fair", "good", "very good"],
    "gut": ["sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"],
    "satisfied": ["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"],
    "zufrieden": ["sehr unzufrieden", "unzufrieden", "neutral", "zufrieden", "sehr zufrieden"],
    "likely": ["very unlikely", "unlikely", "neutral", "likely", "very likely"],
    "numbered": ["1 - awful", "2 - meh", "3 - fine", "4 - lovely"],
}  # fmt: skip


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_words_in_order_stand_for_1_to_v(name, shape):
    scale = SCALES[name]
    rng = np.random.default_rng(3)
    cells = {arm: rng.integers(0, len(scale), N) for arm in "abc"}
    words = {arm: [scale[i] for i in place] for arm, place in cells.items()}
    frame = pd.DataFrame({"person": range(N), **words})
    if shape == "long":
        frame = frame.melt("person", var_name="item", value_name="answer")
        frame = frame.rename(columns={"answer": "rating"})
    data = frame.to_csv(index=False).encode()
    guess = inspect(data, "f.csv")
    (doubt,) = guess.doubts
    assert doubt.key == "order of words"
    survey, _ = read_survey(data, guess)
    assert means_of(survey) == pytest.approx({a: 1 + place.mean() for a, place in cells.items()})


def test_other_words_are_put_in_order_by_hand():
    words = ["lecker", "geht so", "bäh", "na ja"]
    cells = {arm: [words[(i * k) % 4] for i in range(N)] for k, arm in ((1, "x"), (3, "y"))}
    data = csv({"name": [f"n{i}" for i in range(N)], **cells})
    guess = inspect(data, "f.csv")
    (doubt,) = guess.doubts
    by_hand = Answer("as I say", {"order": ("bäh", "na ja", "geht so", "Lecker")})
    guess = guess.answered(doubt.key, by_hand)
    assert guess.doubts == ()
    survey, report = read_survey(data, guess)
    assert report.ratings == 2 * N
    assert survey.values.tolist() == [1, 2, 3, 4]
    assert means_of(survey)["x"] == pytest.approx((4 + 3 + 1 + 2) / 4)


@pytest.mark.parametrize("style", ["SurveyMonkey", "Qualtrics", "LimeSurvey"])
def test_two_or_three_header_rows(style):
    heads = {
        "SurveyMonkey": [["Respondent ID", "How do you like", "", ""], ["", *RATED]],
        "Qualtrics": [
            ["ResponseId", "Q1_1", "Q1_2", "Q1_3"],
            ["Response ID", *(f"How do you like - {name}" for name in RATED)],
            ['{"ImportId":"_recordId"}', *(f'{{"ImportId":"QID1_{i}"}}' for i in range(3))],
        ],
        "LimeSurvey": [["id", "G1", "G1", "G1"], ["Antwort ID", *RATED]],
    }[style]
    body = [[f"R{i}", *(RATED[name][i] for name in RATED)] for i in range(N)]
    data = pd.DataFrame(heads + body).to_csv(index=False, header=False).encode()
    guess = inspect(data, "f.csv")
    assert guess.header_rows == len(heads)
    survey, report = read_survey(data, guess)
    assert means_of(survey) == pytest.approx(MEANS)
    assert report.rows == N


@pytest.mark.parametrize("times", ["epoch", "iso", "german"])
def test_the_last_rating_is_that_of_the_latest_time(times):
    def when(day):
        return {"epoch": 1.6e9 + 86400 * day, "iso": f"2024-02-{day + 1:02d}T10:00:00",
                "german": f"{day + 1:02d}.{1 + day % 3:02d}.2024"}[times]  # fmt: skip

    late = 27 if times != "german" else 26  # 27.03.2024
    rows = []
    for i in range(N):
        rows += [(i, "x", 5, when(late)), (i, "y", 2, when(0)), (i, "x", 1, when(3))]
    data = pd.DataFrame(rows, columns=["Nutzer", "Artikel", "Note", "Datum"]).to_csv(index=False)
    guess = inspect(data.encode(), "f.csv")
    assert guess.time == "Datum"
    survey, _ = read_survey(data.encode(), replace(guess, duplicates="last"))
    assert means_of(survey) == {"x": 5, "y": 2}


def test_without_a_person_each_row_is_another():
    rng = np.random.default_rng(4)
    data = csv(
        {"Variante": rng.choice(["A", "B"], 300), "gekauft": rng.choice(["ja", "nein"], 300)}
    )
    guess = inspect(data, "f.csv")
    assert (guess.user, guess.doubts) == (None, ())
    survey, report = read_survey(data, guess)
    assert (report.people, survey.values.tolist()) == (300, [0, 1])
    assert any("each row is another person" in note for note in report.notes)


@pytest.mark.parametrize(
    "columns",
    [
        {"Variante": ["A", "B", "C"], "Besucher": [500, 510, 505], "Käufe": [20, 31, 25]},
        {"ad": ["x", "y"], "impressions": [1000, 2000], "clicks": [10, 30]},
        {"group": ["control", "test"], "users": [900, 910], "conversions": [80, 99]},
        {"arm": ["A", "A", "B", "B"], "reward": [0, 1, 0, 1], "count": [90, 10, 80, 20]},
        {"": [0, 1, 2], "campaign": ["a", "b", "c"], "views": [5000, 4000, 4500],
         "purchases": [50, 60, 70]},
    ],
)  # fmt: skip
def test_totals_are_refused_with_a_doubt(columns):
    data = csv(columns)
    guess = inspect(data, "f.csv")
    assert [doubt.key for doubt in guess.doubts] == ["totals"]
    with pytest.raises(ValueError, match="one row per rating, or one row per person"):
        read_survey(data, guess)


@pytest.mark.parametrize("ids", [("1", "1.0"), ("1.0", "1"), ("7", "7.00")])
def test_1_and_1_point_0_are_one_person_and_one_item(ids):
    rows = [(ids[0], "x", 3), (ids[1], "y", 4), ("2", ids[0], 1), ("2.0", ids[1], 5), ("3", "x", 2)]
    data = csv(pd.DataFrame(rows, columns=["user", "item", "rating"]))
    _, report = read_survey(data, inspect(data, "f.csv"))
    assert (report.people, report.arms) == (3, 3)


@pytest.mark.parametrize("how", ["filtered", "named", "range"])
def test_the_index_of_a_data_frame_is_no_option(how):
    frame = pd.DataFrame(RATED)
    if how == "filtered":
        frame = frame[frame["Apfel"] > 1]
    if how == "named":
        frame.index = pd.Index([1000 + i for i in range(N)], name="Proband")
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    guess = inspect(buffer.getvalue(), "f.parquet")
    assert (guess.arm_columns, guess.doubts) == (tuple(RATED), ())
    survey, _ = read_survey(buffer.getvalue(), guess)
    assert means_of(survey) == pytest.approx(frame.mean().to_dict())


def test_a_column_chosen_by_hand_is_asked_about_too():
    cells = np.where(np.arange(N) % 4 == 0, 99, RATED["Apfel"])
    data = csv({"person": range(N), "item": ["x", "y"] * (N // 2), "rating": RATED["Birne"],
                "other": cells})  # fmt: skip
    guess = inspect(data, "f.csv")
    assert guess.doubts == ()
    again = guess.corrected(reward="other")
    assert [doubt.key for doubt in again.doubts] == ["missing code"]
    assert again.missing == (99,)
    assert isinstance(again, Guess)
    assert again.corrected(reward="rating").doubts == ()
