"""Small tables as strangers bring them: exports of survey tools, spreadsheets, logs and dumps.

Each is made from the same ratings, so that its right reading is known.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

N = 60
RNG = np.random.default_rng(17)
LEVELS = {"Mango": 3.4, "Papaya": 4.0, "Quince": 2.5}
RATED = {
    name: np.clip(np.rint(level + RNG.normal(size=N)), 1, 5).astype(int)
    for name, level in LEVELS.items()
}
MEANS = {name: float(cells.mean()) for name, cells in RATED.items()}
WHEN = [f"{1 + i % 12}/{1 + i % 28}/2024 {8 + i % 12}:{i % 60:02d}:00" for i in range(N)]


def csv(columns: Any, sep: str = ",", encoding: str = "utf-8", **options: Any) -> bytes:
    """Return columns as the bytes of a CSV file."""
    return pd.DataFrame(columns).to_csv(index=False, sep=sep, **options).encode(encoding)


def lines(rows: Sequence[Sequence[Any]], sep: str = ",") -> bytes:
    """Return rows of cells as the bytes of a CSV file, without a header."""
    return pd.DataFrame(rows).to_csv(index=False, header=False, sep=sep).encode()


def cells(write: Callable[[int], Any]) -> dict[str, list[Any]]:
    """Return the ratings, each written in some way."""
    return {name: [write(int(v)) for v in rated] for name, rated in RATED.items()}


def long(write: Callable[[int], Any] = int, **columns: Callable[[int, str], Any]) -> pd.DataFrame:
    """Return the ratings one a row, with further columns."""
    return pd.DataFrame(
        [
            {
                "user": f"u{i}", "product": name, "rating": write(int(RATED[name][i])),
                **{key: make(i, name) for key, make in columns.items()},
            }
            for i in range(N) for name in RATED
        ]
    )  # fmt: skip


def likert(scale: Sequence[str]) -> dict[str, list[str]]:
    """Return the ratings as the words of a scale of five."""
    return cells(lambda v: scale[v - 1])


def with_totals() -> bytes:
    """Return a pivot of Excel: a column and a line of grand totals."""
    rows: list[list[Any]] = [["Row Labels", *RATED, "Grand Total"]]
    rows += [[f"P{i:02d}", *(r[i] for r in RATED.values()), sum(r[i] for r in RATED.values())]
             for i in range(N)]  # fmt: skip
    sums = [int(r.sum()) for r in RATED.values()]
    return lines([*rows, ["Grand Total", *sums, sum(sums)]])


def counts_in_a_line() -> bytes:
    """Return a wide table with a line of means and one of counts below."""
    rows: list[list[Any]] = [["name", *RATED]]
    rows += [[f"P{i:02d}", *(r[i] for r in RATED.values())] for i in range(N)]
    rows += [["Mean", *(f"{r.mean():.2f}" for r in RATED.values())], ["n", *[N] * 3]]
    return lines(rows)


def jester() -> bytes:
    """Return ratings from -10 to 10, with 99 for none and their number first."""
    rng = np.random.default_rng(4)
    rated = np.round(rng.uniform(-9.9, 9.9, (N, 4)), 0) + 0.0
    rated[rng.random((N, 4)) < 0.3] = 99
    return lines([[int((row != 99).sum()), *map(int, row)] for row in rated])


def survey_monkey() -> bytes:
    """Return two lines of header, ids and dates as SurveyMonkey writes them."""
    head = ["Respondent ID", "Collector ID", "Start Date", "End Date", "IP Address",
            "Email Address", "How do you like these fruits?", "", "", "Anything else?"]  # fmt: skip
    second = ["", "", "", "", "", "", *RATED, "Open-Ended Response"]
    body = [
        [11800000000 + 37 * i, 432100001, WHEN[i], WHEN[i], f"10.0.0.{i}", "",
         *(r[i] for r in RATED.values()), "fine" if i % 9 == 0 else ""]
        for i in range(N)
    ]  # fmt: skip
    return lines([head, second, *body])


def google_forms(write: Callable[[int], Any] = int) -> bytes:
    """Return a grid question as Google Forms writes it."""
    return csv(
        {
            "Timestamp": [f"2024/03/{1 + i % 28:02d} 9:{i % 60:02d}:00 AM GMT+1" for i in range(N)],
            "Email address": [f"p{i}@example.org" for i in range(N)],
            **{f"How do you like these? [{name}]": v for name, v in cells(write).items()},
            "Comments": ["", "nice", ""] * (N // 3),
        }
    )


def typeform() -> bytes:
    """Return what Typeform writes: a random id, questions, two dates, a network id."""
    return csv(
        {
            "#": [f"{7919 * (i + 1):032x}" for i in range(N)],
            **{f"How much do you like {name}?": r for name, r in RATED.items()},
            "Response Type": ["completed"] * N,
            "Start Date (UTC)": [f"2024-05-{1 + i % 28:02d} 10:00:00" for i in range(N)],
            "Submit Date (UTC)": [f"2024-05-{1 + i % 28:02d} 10:04:00" for i in range(N)],
            "Network ID": [f"{104729 * (i + 1):010x}" for i in range(N)],
            "Tags": [""] * N,
        }
    )


def qualtrics() -> bytes:
    """Return three lines of header and the columns that Qualtrics puts before the answers."""
    head = ["StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)",
            "Finished", "RecordedDate", "ResponseId", "LocationLatitude", "LocationLongitude",
            "DistributionChannel", "UserLanguage", "Q1_1", "Q1_2", "Q1_3"]  # fmt: skip
    second = ["Start Date", "End Date", "Response Type", "IP Address", "Progress",
              "Duration (in seconds)", "Finished", "Recorded Date", "Response ID",
              "Location Latitude", "Location Longitude", "Distribution Channel", "User Language",
              *(f"Rate these fruits - {name}" for name in RATED)]  # fmt: skip
    third = [f'{{"ImportId":"q{i}"}}' for i in range(len(head))]
    body = [
        ["2024-01-02 10:00:00", "2024-01-02 10:05:00", 0, f"10.0.0.{i}", 100, 60 + 7 * i % 300, 1,
         "2024-01-02 10:05:01", f"R_{i:05d}", 48.1 + i % 7 / 10, 11.5 + i % 5 / 10, "anonymous",
         "EN", *(r[i] for r in RATED.values())]
        for i in range(N)
    ]  # fmt: skip
    return lines([head, second, third, *body])


def unfinished(progress: bool = True) -> bytes:
    """Return a survey of which a third was not finished."""
    is_done = [i % 3 != 0 for i in range(N)]
    return csv(
        {
            "ResponseId": [f"R_{i}" for i in range(N)],
            **({"Progress": [100 if d else 40 + i % 5 * 10 for i, d in enumerate(is_done)]}
               if progress else {}),
            "Finished": ["True" if d else "False" for d in is_done],
            **RATED,
        }
    )  # fmt: skip


def finished_means() -> Mapping[str, float]:
    """Return the means of those who finished."""
    done = np.arange(N) % 3 != 0
    return {name: float(r[done].mean()) for name, r in RATED.items()}


def json_lines() -> bytes:
    """Return the ratings as JSON, one a line."""
    records = long().to_dict("records")
    return "\n".join(map(json.dumps, records)).encode()


def parquet(frame: pd.DataFrame) -> bytes:
    """Return a frame as Parquet."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def ga_export() -> bytes:
    """Return what Google Analytics writes: lines of notes above, totals only."""
    text = (
        "# ----------------------------------------\n# Pages\n# 20240101-20240131\n"
        "# ----------------------------------------\n"
        "Landing page,Sessions,Conversions,Conversion rate\n"
        "/a,1200,60,5.00%\n/b,1300,52,4.00%\n/c,900,27,3.00%\n"
    )
    return text.encode()


def ab_log() -> bytes:
    """Return a log of an A/B test in which two columns may be the option."""
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(
        {
            "session": [f"s{i}" for i in range(300)],
            "variant": rng.choice(["A", "B"], 300),
            "device": rng.choice(["mobile", "desktop", "tablet"], 300),
            "clicked": rng.integers(0, 2, 300),
        }
    )
    return csv(frame)


FRENCH = ("pas du tout d'accord", "pas d'accord", "neutre", "d'accord", "tout à fait d'accord")
SPANISH = ("totalmente en desacuerdo", "en desacuerdo", "ni de acuerdo ni en desacuerdo",
           "de acuerdo", "totalmente de acuerdo")  # fmt: skip
ITALIAN = ("per niente d'accordo", "poco d'accordo", "abbastanza d'accordo", "molto d'accordo",
           "del tutto d'accordo")  # fmt: skip
IDS = [f"p{i}" for i in range(N)]
