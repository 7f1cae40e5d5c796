"""A report of a run: one HTML page that works offline and prints on one page of A4.

No Streamlit here: a report depends on its `Content` only.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import cbai
from cbai.figures.base.style import THIN_SPACE, count, percent
from cbai.figures.base.words import Words, shown
from cbai.figures.competitive import pseudo_gaps
from cbai.figures.competitive.pseudo_gaps_at import alt_text_at, draw_at
from cbai.figures.samples import sample_counts, sample_rows
from cbai.problem.validity import VIOLATED, Validity
from cbai.results import error_rates, true_competitive
from cbai.results.limit import Limit
from cbai.results.limit.masked import MeanLimit
from cbai.results.praise import doubts
from cbai.simulation import Trace, Trials
from cbai.ui.markdown import JOINER
from cbai.ui.parts import standalone
from cbai.ui.parts.answers import cost_answer, effort_answer, rate_text
from cbai.ui.parts.violation import VIOLATION, violation_text
from cbai.ui.samples.lower_bound_sentences import known_limit_answer, lower_bound_answer
from cbai.ui.visit.setup import Setup

STYLE = """
.answer { font-size: 1.1rem; font-weight: 600; margin: 0.2rem 0; }
p { margin: 0.4rem 0; }
.shout { border: 1px solid #d55e00; border-left-width: 8px; padding: 0.4rem 0.8rem; }
.shout b { color: #b34700; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 0 1.2rem; align-items: start; }
.pair > * { min-width: 0; }
h2 { font-size: 1.05rem; margin: 0.7rem 0 0.2rem; }
table { border-collapse: collapse; width: 100%; font-size: 14px; margin: 0.3rem 0; }
th, td { text-align: left; vertical-align: top; padding: 2px 12px 2px 0;
         border-bottom: 1px solid #d5dce1; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.small { font-size: 14px; }
code, .link { overflow-wrap: anywhere; }
@page { size: A4; margin: 12mm; }
@media print {
  body { width: 960px; max-width: none; margin: 0; padding: 0; zoom: var(--fit, 0.73); }
  .shout, .figure, table { break-inside: avoid; }
  .screen { display: none; }
}
"""


@dataclass(frozen=True, eq=False)
class Content:
    """What a report is made from.

    Attributes
    ----------
    setup : Setup
    trials : Trials
        Of all chosen algorithms.
    limit : Limit
    validity : Validity
    sign : str
        What the validity means, in a sentence.
    safe : float
        The smallest buffer q with which the guarantee holds; the largest one if none is enough.
    trace : Trace
        One run, for the figure of competitive arms.
    link : str
        The address that restores the page; empty for the user's own data, which no link holds.
    run_file : str
        The name of the file that repeats the run.
    known : MeanLimit or None
        The lower bound for algorithms that trust pseudo-rewards.
    why_not : str
        Why there is no such number, see `known_limit_answer`.
    """

    setup: Setup
    trials: Trials
    limit: Limit
    validity: Validity
    sign: str
    safe: float
    trace: Trace
    link: str
    run_file: str
    known: MeanLimit | None = None
    why_not: str = ""


def report(content: Content) -> str:
    """Return the report as HTML; texts of the user's data are not read as markup."""
    words = content.setup.words
    rows = sample_rows.gather(
        content.trials,
        content.limit,
        doubts(content.trials, content.validity),
        content.known,
    )
    gaps = pseudo_gaps.gather(content.trace)
    last = len(gaps.samples) - 1
    figures = {
        "samples": sample_counts.draw(rows, words),
        "competitive": draw_at(gaps, last, words),
    }
    places = {
        "samples": sample_counts.alt_text(rows, words),
        "competitive": alt_text_at(gaps, last, words),
    }
    one = f"run {content.trace.trial} of {content.trace.algorithm.title}"
    titles = {
        "samples": f"{words.capital_samples} until each algorithm stops",
        "competitive": f"{words.capital_arms} that need real work, {one}",
    }
    notes = {"samples": "", "competitive": _effort(content.trace, words)}
    drawn = "".join(
        f"<div><h2>{_text(titles[name])}</h2>{standalone.place(name, places[name])}"
        f'<p class="note">{_text(notes[name])}</p></div>'
        for name in figures
    )
    body = (
        f"<h1>What does each algorithm cost?</h1>{_answers(content)}"
        f'<div class="pair">{drawn}</div>{_numbers(content.trials)}'
        f'<div class="pair small">{_settings(content)}{_origin(content)}</div>'
        '<p class="note screen">To get a PDF, print this page and choose PDF. The report fits on '
        "one page of A4.</p>"
    )
    return standalone.page(f"cbai: {content.setup.dataset.title}", body, figures, STYLE)


def _text(text: str) -> str:
    return html.escape(shown(text))


def _marked(markdown: str) -> str:
    """Return a Markdown text of the app as HTML: only emphasis is used, and names are `plain`."""
    escaped = re.sub(r"\\(.)", lambda found: f"&#{ord(found[1])};", markdown.replace(JOINER, ""))
    escaped = re.sub(r"&(?!#\d+;)|[<>\"]", lambda found: html.escape(found[0]), escaped)
    escaped = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escaped)
    escaped = re.sub(r"`(.+?)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*(\S.*?)\*", r"<i>\1</i>", escaped)


def _answers(content: Content) -> str:
    trials, words, validity = content.trials, content.setup.words, content.validity
    violated = validity.verdict == VIOLATED
    relying = [row.title for row in trials.algorithms if row.trusts_pseudo_rewards]
    if violated and relying:
        said = violation_text(validity, relying, words.arm, content.safe)
        verdict = f'<p class="shout"><b>⚠ {VIOLATION}</b> {_text(said)}</p>'
    else:
        verdict = f"<p><b>Is the assumption true?</b> {_text(content.sign)}</p>"
    return (
        f'<p class="answer">{_text(cost_answer(trials, words, validity))}</p>{verdict}'
        f"<p>{_text(lower_bound_answer(trials, content.limit, words, violated=violated))}</p>"
        f"<p>{_text(known_limit_answer(trials, content.known, words, content.why_not))}</p>"
    )


def _effort(trace: Trace, words: Words) -> str:
    truth = true_competitive(trace.problem)
    share = trace.pulls[-1][~truth.competitive].sum() / trace.samples[-1]
    text = effort_answer(int(truth.competitive.sum()), trace.problem.n_arms, share, words)
    unknown = f"In this run {percent(trace.p)} of the pseudo-rewards are unknown (p)."
    return f"{text} {unknown}" if trace.p else text


def _numbers(trials: Trials) -> str:
    rows = [
        [
            row.title,
            f"{'≥ ' if ran_out else ''}{count(spent.mean())}",
            f"± {count(2.0 * spent.std(ddof=1))}" if rate.total > max(1, ran_out) else "",
            "no answer" if ran_out == rate.total else rate_text(rate),
            f"{ran_out:,} of {rate.total:,}",
        ]
        for row, spent, ran_out, rate in zip(
            trials.algorithms,
            trials.samples,
            (~trials.identified).sum(axis=1).tolist(),
            error_rates(trials),
            strict=True,
        )
    ]
    heads = [
        "Algorithm",
        "Mean",
        "2 σ",
        f"Wrong answers, exact 95{THIN_SPACE}% interval",
        "Without an answer",
    ]
    return _table(heads, rows, numbers=(1, 2))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    def line(tag: str, cells: Sequence[str]) -> str:
        kinds = [' class="number"' if i in numbers else "" for i in range(len(cells))]
        inside = [
            f"<{tag}{kind}>{_text(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)
        ]
        return f"<tr>{''.join(inside)}</tr>"

    head = f"<thead>{line('th', heads)}</thead>" if heads else ""
    return f"<table>{head}<tbody>{''.join(line('td', row) for row in rows)}</tbody></table>"


def _settings(content: Content) -> str:
    setup, trials = content.setup, content.trials
    options = [setup.dataset.options[name][value] for name, value in setup.options]
    rows = [
        ["Data set", ", ".join([setup.dataset.title, *options])],
        [setup.words.capital_arms, f"{trials.problem.n_arms}"],
        [setup.words.capital_samples, f"from {trials.problem.values[0]:g} to "
         f"{trials.problem.reward_max:g}"],
        ["Allowed error", f"δ = {trials.delta:g}, certainty {percent(1.0 - trials.delta)}"],
        ["Known", f"p = {percent(trials.p)} unknown, buffer q = {trials.q:g}"],
        ["Good enough", f"within ε = {trials.epsilon:g} of the best" if trials.epsilon else ""],
        ["Asked for", f"the best {trials.top}" if trials.top > 1 else ""],
        ["Runs", f"{trials.samples.shape[1]:,} each, seed {trials.seed}, at most "
         f"{trials.max_samples:,} {setup.words.samples} per run"],
        ["Your algorithm", setup.lab if setup.lab in setup.algorithms else ""],
        ["Made by", f"cbai {cbai.__version__}, problem {trials.problem.fingerprint[:12]}"],
    ]  # fmt: skip
    return f"<div><h2>Settings</h2>{_table([], [row for row in rows if row[1]])}</div>"


def only_here(link: str) -> bool:
    """Return whether a link opens only on the computer that made it."""
    host = urlsplit(link).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _origin(content: Content) -> str:
    setup = content.setup
    here = (
        " The link opens only on the computer on which the app was running. Elsewhere, put the "
        "address of your own app in its place."
        if only_here(content.link)
        else ""
    )
    link = (
        f'Open <a class="link" href="{_text(content.link)}">{_text(content.link)}</a>, or run '
        if content.link
        else "Run "
    )
    return (
        f"<div><h2>How to repeat it</h2><p>{link}<code>python -m cbai run "
        f"{_text(content.run_file)}</code>. It says whether the results are the same.{here}</p>"
        f"<h2>Where the numbers come from</h2><p>{_marked(setup.dataset.provenance)} Licence: "
        f"{_marked(setup.dataset.licence)}</p></div>"
    )
