"""Telling what a check found: in a terminal, as Markdown and JUnit XML for CI, as JSON."""

import math
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from xml.etree import ElementTree as Xml

import polars as pl

from sim import markdown as md
from sim import metrics
from sim import words as say
from sim.baseline import FORMAT
from sim.check import (
    CHANGE,
    CHANGED,
    FAILED,
    PASSED,
    RANGE,
    SKIPPED,
    UNDECIDED,
    Checked,
    Judged,
)
from sim.takeaways.telling import grouped
from sim.words import Words

MOST_ROWS = 40
"""Of more rows than this, only the worst are told, budget by budget."""
MOST_ALIKE = 4
"""So many rows of a budget then stand for all of one verdict."""
ACCEPTED, BEFORE = "Accepted", "Before"
ESTIMATE, CHANGE_OF = "Estimate (interval)", "Change (interval)"
WHOLE = (ACCEPTED, BEFORE, ESTIMATE, CHANGE_OF)
"""Heads of columns whose cells are short and better not broken."""
MUCH_MORE = 100
"""Of a need for so many times the games played, the estimate says little."""
NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

STYLES = {PASSED: "green", FAILED: "bold red", UNDECIDED: "yellow", CHANGED: "yellow"}
"""How a terminal shows verdicts."""
STATUS = {PASSED: 0, FAILED: 1, UNDECIDED: 3}
"""Exit status of the command."""

Cells = list[str]


def ranges(found: Checked, words: Words) -> tuple[Cells, list[Cells]]:
    """Return heads and rows of what was judged by its range, failed rows first."""
    rows = [row for row in found.rows if row.kind == RANGE]
    where = place_names(rows, words)
    table = [
        [row.name, where(row) + more, accepted(row), estimate(row), _verdict(row, found)]
        for row, more in _shown(rows)
    ]
    return ["Budget", "Where", ACCEPTED, ESTIMATE, "Verdict"], table


def changes(found: Checked, words: Words) -> tuple[Cells, list[Cells]]:
    """Return heads and rows of what was compared with a baseline, and judged or changed."""
    judged = [row for row in found.rows if row.kind == CHANGE and row.verdict != SKIPPED]
    rows = [*judged, *(row for row in found.moved if row.verdict == CHANGED)]
    where = place_names(rows, words)
    table = [
        [
            *(row.name, where(row) + more, accepted(row)),
            *(_number(row.before, _digits(row)), estimate(row), _verdict(row, found)),
        ]
        for row, more in _shown(rows)
    ]
    return ["Metric", "Where", ACCEPTED, BEFORE, CHANGE_OF, "Verdict"], table


def of_run(found: Checked, run: Any) -> list[tuple[Cells, list[Cells]]]:
    """Return heads and rows of both tables, as a terminal and Markdown show them."""
    words = say.words_of(run)
    return [ranges(found, words), changes(found, words)]


def _verdict(row: Judged, found: Checked) -> str:
    if row.verdict != UNDECIDED or not row.games:
        return row.verdict
    return f"{row.verdict}, {_games(row, found)} games"


def _shown(rows: list[Judged]) -> list[tuple[Judged, str]]:
    """Return rows with what to add to each, the worst first.

    Of very many, each budget shows some with a verdict, those worst off, and one that passed.
    """
    order = [FAILED, UNDECIDED, CHANGED, PASSED]
    ranked = sorted(rows, key=lambda row: order.index(row.verdict))
    if len(rows) <= MOST_ROWS:
        return [(row, _noted(row)) for row in ranked]
    shown: list[tuple[Judged, str]] = []
    for (_, verdict), each in grouped(ranked, lambda row: (row.name, row.verdict)).items():
        worst = sorted(each, key=room_of)[: 1 if verdict == PASSED else MOST_ALIKE]
        shown += [(row, _noted(row)) for row in worst]
        more = len(each) - len(worst)
        if more:
            text = f" (and {more:,} more, further from an edge)" if verdict == PASSED else ""
            shown[-1] = worst[-1], text or f"{shown[-1][1]} (and {more:,} more {verdict})"
    return sorted(shown, key=lambda pair: order.index(pair[0].verdict))


def _noted(row: Judged) -> str:
    return f" ({row.note})" if row.note else ""


def room_of(row: Judged) -> float:
    """Return how many of its intervals a row lies inside an edge, or beyond no change."""
    if row.estimate is None:
        return math.inf
    room = min(row.most - row.estimate, row.estimate - row.least)
    room = -abs(row.estimate) if row.verdict == CHANGED else room
    return room / max(row.high - row.low, 1e-12)


def sentences(found: Checked) -> list[str]:
    """Return what to say about all rows together."""
    rows = [row for row in found.rows if row.verdict != SKIPPED]
    skipped = found.count(SKIPPED)
    lines = [_outcome(found, len(rows))]
    if found.intervals:
        lines.append(
            f"{_all_of(found.intervals)} in 95 % of studies: each is one of "
            f"{100 * found.each:.4g} % (Bonferroni)."
        )
    if found.count(UNDECIDED):
        lines.append(_more_games(found))
    if skipped:
        lines.append(f"{_rows(skipped)} not judged: a change needs --baseline FILE.")
    if found.baseline:
        lines += [_moved(found), *found.notes]
    return lines


def _outcome(found: Checked, rows: int) -> str:
    if found.verdict == PASSED:
        return f"Passed: {_rows(rows)} within what is accepted."
    parts = [
        f"{found.count(each)} {each}" for each in (FAILED, UNDECIDED, PASSED) if found.count(each)
    ]
    return f"{found.verdict.capitalize()}: of {_rows(rows)}, {', '.join(parts)}."


def _rows(count: int) -> str:
    return say.counted(count, "row")


def _all_of(intervals: int) -> str:
    return f"All {intervals:,} intervals hold" if intervals > 1 else "The interval holds"


def _more_games(found: Checked) -> str:
    undecided = [row for row in found.rows if row.verdict == UNDECIDED]
    known = sorted((row for row in undecided if row.games), key=lambda row: row.games or 0)
    unknown = len(undecided) - len(known)
    parts = []
    if known:
        span = list(dict.fromkeys(_games(row, found) for row in (known[0], known[-1])))
        parts.append(
            f"About {' to '.join(span)} games in a cell, not {found.games:,}, would decide."
        )
    if unknown:
        parts.append(f"How many would decide {_rows(unknown)} cannot be said yet.")
    return " ".join(parts)


def _moved(found: Checked) -> str:
    changed = sum(row.verdict == CHANGED for row in found.moved)
    compared = len(found.moved)
    if not compared:
        return f"Baseline: {found.baseline}."
    return (
        f"Baseline: {found.baseline}. Of {say.counted(compared, 'other row')} that both have, "
        f"{changed or 'none'} changed beyond chance (all of them together, 95 %)."
    )


def accepted(row: Judged) -> str:
    """Return what is accepted: 0.23 to 0.27, at most 60, +- 0.01."""
    low, high = (f"{edge:.4g}" for edge in (row.least, row.most))
    if row.budget and row.budget.within is not None:
        low, high = (f"{edge:.{_decimals(row) + 1}f}" for edge in (row.least, row.most))
    if row.kind == CHANGE:
        return "" if row.budget is None else f"\N{PLUS-MINUS SIGN} {high}"
    if math.isinf(row.least):
        return f"at most {say.minus(high)}"
    if math.isinf(row.most):
        return f"at least {say.minus(low)}"
    return f"{say.minus(low)} to {say.minus(high)}"


def estimate(row: Judged) -> str:
    """Return a row's estimate with its interval: 0.561 (0.533 to 0.588)."""
    write = _signed if row.kind == CHANGE else _number
    text = write(row.estimate, _digits(row))
    if row.low == row.high and row.note:
        return text  # as it is
    if math.isinf(row.low) and math.isinf(row.high):
        return text
    low, high = (write(end, _digits(row)) for end in (row.low, row.high))
    if math.isinf(row.low):
        return f"{text} (up to {high})"
    return f"{text} (from {low})" if math.isinf(row.high) else f"{text} ({low} to {high})"


def _number(value: float | None, digits: int) -> str:
    if value is None:
        return "unknown"
    return say.minus(f"{value:,.{digits}f}") if value else "0"


def _signed(value: float | None, digits: int) -> str:
    return "unknown" if value is None else say.signed(value, digits)


def _digits(row: Judged) -> int:
    """Return how many decimals say something, from the width of the interval."""
    known = [value for value in (row.estimate, row.low, row.high, row.before) if value is not None]
    finite = [value for value in known if math.isfinite(value)]
    if all(float(value).is_integer() for value in finite):
        return 0
    ends = [abs(end - row.estimate) for end in (row.low, row.high) if row.estimate is not None]
    size = max((end for end in ends if 0 < end < math.inf), default=0.0)
    size = size or abs(row.estimate or 0.0) / 100
    if not size:
        return 4
    # one figure more than the accepted range has, where the interval bears it
    least, most = (-math.floor(math.log10(size / part)) for part in (2, 10))
    return min(max(least, min(_decimals(row) + 1, most), 0), 6)


def _decimals(row: Judged) -> int:
    """Return how many decimals the budget itself is written with."""
    own = row.budget
    edges = [own.min, own.max, own.within, own.change] if own else []
    texts = [f"{edge:.6f}".rstrip("0") for edge in edges if edge is not None]
    return max((len(text) - text.index(".") - 1 for text in texts), default=0)


def _games(row: Judged, found: Checked) -> str:
    """Return about how many games in a cell would decide a row."""
    most = MUCH_MORE * found.games
    games = row.games or math.inf
    return say.about(games) if games < most else f"over {say.about(most)}"


def place_names(rows: Iterable[Judged], words: Words) -> Callable[[Judged], str]:
    """Return how to name a row's place: by what differs between the rows, and its group."""
    known = list(rows)
    several = [
        key
        for key in ("players", "variant", "lineup")
        if len({getattr(row, key) for row in known}) > 1
    ]

    def where(row: Judged) -> str:
        parts = [say.players(row.players)] if "players" in several else []
        if "variant" in several:
            parts.append(words.variant(row.variant))
        if "lineup" in several:
            parts.append(words.lineup(row.lineup))
        if row.ends:
            parts.append(" over ".join(map(words.group, row.ends)))
        elif row.group != "all":
            parts.append(words.group(row.group))
        return ", ".join(parts) or say.players(row.players)

    return where


def markdown(found: Checked, run: Any) -> str:
    """Return the check as Markdown, for the page of a CI job."""
    lead, *rest = sentences(found)
    grids = [_grid(*cells) for cells in of_run(found, run) if cells[1]]
    title = f"# {md.escaped(run.study.title)}: budgets"
    parts = [title, f"**{md.prose(lead)}**", *grids, *map(md.prose, rest)]
    parts.append(
        f"{run.games_played:,} games of {run.game.title}, seed {run.study.seed}, "
        f"rules {run.manifest['rules']['version']}."
    )
    return "\n\n".join(parts) + "\n"


def _grid(heads: Cells, rows: list[Cells]) -> str:
    lines = [_line(heads), "|" + " --- |" * len(heads), *map(_line, rows)]
    return "\n".join(lines)


def _line(cells: Cells) -> str:
    return "| " + " | ".join(md.escaped(cell) for cell in cells) + " |"


def junit(found: Checked, run: Any) -> str:
    """Return the check as JUnit XML: a test case for each row, undecided ones skipped."""
    timings = run.manifest["timings"]
    counts = {
        "tests": str(len(found.rows)),
        "failures": str(found.count(FAILED)),
        "errors": "0",
        "skipped": str(found.count(UNDECIDED) + found.count(SKIPPED)),
        "time": f"{timings['playing_seconds']:.3f}",
    }
    root = Xml.Element("testsuites", {"name": "sim check"} | counts)
    about = {"name": _clean(run.study.title)} | counts | _timestamp(timings["finished"])
    suite = Xml.SubElement(root, "testsuite", about)
    properties = Xml.SubElement(suite, "properties")
    for name, value in (
        ("games", run.games_played),
        ("seed", run.study.seed),
        ("identity", run.manifest["identity"]),
        ("intervals", found.intervals),
        ("level of each", found.each),
        ("baseline", found.baseline or "none"),
    ):
        Xml.SubElement(properties, "property", {"name": name, "value": _clean(str(value))})
    for row in found.rows:
        _case(suite, row, found, f"{run.study.game}.{run.study.name}")
    Xml.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _timestamp(finished: str | None) -> dict[str, str]:
    try:
        # the schema knows no time zone
        return {
            "timestamp": datetime.fromisoformat(finished or "").replace(tzinfo=None).isoformat()
        }
    except ValueError:
        return {}


def _case(suite: Xml.Element, row: Judged, found: Checked, classname: str) -> None:
    place = f"{say.players(row.players)}, {row.variant}, {row.lineup}, {row.group}"
    name = f"{row.name}{' change' * (row.kind == CHANGE)}: {place}"
    about = {"classname": _clean(classname), "name": _clean(name), "time": "0"}
    case = Xml.SubElement(suite, "testcase", about)
    text = _clean(sentence(row, found))
    if row.verdict == FAILED:
        Xml.SubElement(case, "failure", {"message": text, "type": FAILED}).text = text
    elif row.verdict in (UNDECIDED, SKIPPED):
        Xml.SubElement(case, "skipped", {"message": text})
    else:
        Xml.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    return NOT_IN_XML.sub("?", text)


def sentence(row: Judged, found: Checked) -> str:
    """Return a row's verdict with its numbers in a line."""
    what = "estimate"
    if row.kind == CHANGE and row.before is not None:
        what = f"change from {_number(row.before, _digits(row))}"
    parts = [f"{row.verdict}: {what} {estimate(row)}", f"accepted {accepted(row)}"]
    if row.verdict == UNDECIDED and row.games:
        parts.append(f"about {_games(row, found)} games in a cell would decide")
    if row.ends:
        parts.append(" over ".join(row.ends))
    return "; ".join([*parts, *([row.note] if row.note else [])])


def as_json(found: Checked, run: Any) -> str:
    """Return the check for programs, with headline rows that make it a baseline for later runs."""
    from sim.report import with_rows

    manifest = run.manifest
    head = metrics.headline(run, metrics.all_metrics(run))
    kept = head.filter(~pl.col("metric").str.ends_with(".pmf"))
    content = {
        "format": FORMAT,
        "study": {
            "name": run.study.name,
            "title": run.study.title,
            "game": run.study.game,
            "games": run.games_played,
            "seed": run.study.seed,
        },
        "provenance": {key: manifest[key] for key in ("identity", "rules", "versions")},
    } | summary(found)
    return with_rows(content, kept)


def summary(found: Checked) -> dict[str, Any]:
    """Return the check as plain data."""
    return {
        "verdict": found.verdict,
        "counts": {each: found.count(each) for each in (PASSED, FAILED, UNDECIDED, SKIPPED)},
        "intervals": found.intervals,
        "level_of_each": _rounded(found.each),
        "baseline": found.baseline or None,
        "notes": found.notes,
        "budgets": [_plain(row) for row in found.rows],
        "changed": [_plain(row) for row in found.moved if row.verdict == CHANGED],
    }


def _plain(row: Judged) -> dict[str, Any]:
    names = ("kind", "metric", "players", "variant", "lineup", "group", "verdict", "note")
    numbers = ("estimate", "low", "high", "least", "most", "n", "games", "before")
    return (
        {"budget": row.budget.name if row.budget else None}
        | {name: getattr(row, name) for name in names}
        | {name: _rounded(getattr(row, name)) for name in numbers}
        | {"method": row.method, "ends": list(row.ends)}
    )


def _rounded(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return float(f"{value:.10g}") if math.isfinite(value) else None
