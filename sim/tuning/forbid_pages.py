"""Sentences, tables and files about a style that does without each thing in turn."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sim import markdown, report
from sim import words as say
from sim.inference import adjusted
from sim.takeaways.judging import beyond
from sim.takeaways.restricted import LITTLE
from sim.takeaways.telling import seatings, span
from sim.tuning.forbid import RECORD, Forbidden, ranked
from sim.verdicts import NORMAL

TEMPLATE = "forbid.ipynb"
PAGE, SHORT, FIGURES = "forbid.html", "forbid.md", "figures"
NAMED = 4
COSTS, HELPS, LEVEL, OPEN = "costs", "better left alone", "no matter", "undecided"


def write(found: Forbidden, progress: report.Listener | None = None) -> Path:
    """Write forbid.html, .json, .md and figures/ into the folder of what was played.

    Returns the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing what it costs to do without ...")
    folder = found.folder
    report.write(folder / RECORD, as_json(found))
    report.write(folder / SHORT, as_markdown(found))
    notebook = report.execute(report.read_notebook(TEMPLATE), folder)
    report.write_figures(notebook, folder / FIGURES)
    title = f"{found.title}: doing without"
    return report.write_page(folder / PAGE, title, report.body(notebook))


def verdicts(found: Forbidden) -> dict[str, str]:
    """Return for each thing whether it costs to do without, most costly first.

    Costly, or better left alone, beyond chance (Holm over all things and numbers of players); of
    no matter if every interval lies within `LITTLE`; else undecided.
    """
    together = dict(ranked(found))
    every = [dict(row) for rows in together.values() for row in rows]
    sure = {(row["group"], row["players"]): row["estimate"] for row in beyond(every)}
    told = {}
    for thing, rows in together.items():
        own = [sure[key] for row in rows if (key := (row["group"], row["players"])) in sure]
        if any(value < 0 for value in own):
            told[thing] = COSTS
        elif own:
            told[thing] = HELPS
        else:
            inside = all(row["low"] >= -LITTLE and row["high"] <= LITTLE for row in rows)
            told[thing] = LEVEL if inside else OPEN
    return told


def findings(found: Forbidden) -> list[str]:
    """Return what a designer should know, most important first."""
    return [*_worth(found), *_left_out(found)]


def _worth(found: Forbidden) -> Iterator[str]:
    words, told, rows = found.words, verdicts(found), dict(ranked(found))
    style = words.style(found.style.name)
    named = {thing: _title(found, thing) for thing in told}
    if not told:
        yield f"{style} without something: too few games to say anything."
        return
    every = [dict(row) for own in rows.values() for row in own]
    where = f"{seatings(every)} (Holm over {len(every)})"
    by = {
        verdict: [thing for thing in told if told[thing] == verdict]
        for verdict in (COSTS, HELPS, LEVEL, OPEN)
    }
    rest = "" if by[HELPS] or by[OPEN] else "; nothing else matters"
    if by[COSTS]:
        first, *more = by[COSTS][:NAMED]
        others = [f"{named[thing]} {_points(rows[thing])}" for thing in more]
        if left := len(by[COSTS]) - NAMED:
            others += [say.counted(left, "other")] * (left > 0)
        yield (
            f"Never using {named[first]} costs {style} {_points(rows[first])} points of win share "
            f"{where}" + (f"; then come {say.listed(others)}" if others else "") + f"{rest}."
        )
    else:
        yield f"Nothing costs {style} anything to do without, beyond chance, {where}."
    if by[HELPS]:
        gains = [f"{named[t]} ({_gain(rows[t])})" for t in by[HELPS][::-1][:NAMED]]
        yield f"Better left alone by {style}: {say.listed(gains)}, in points of win share."
    idle = [thing for thing in by[LEVEL] if thing not in found.idle]
    if idle and (by[OPEN] or by[HELPS] or not by[COSTS]):
        yield f"No loss or gain above {say.points(LITTLE)}: {_some(named, idle)}."
    if by[OPEN]:
        yield f"More games would have to decide on {_some(named, by[OPEN])}."


def _left_out(found: Forbidden) -> Iterator[str]:
    if found.idle:
        names = say.listed(_title(found, thing) for thing in found.idle)
        yield (
            f"Forbidding {names} changed no game: "
            f"{found.words.style(found.style.name)} never uses it, or has no other choice."
        )
    for thing, why in found.refused.items():
        yield f"{_title(found, thing)} was not tried: {why}."


def _title(found: Forbidden, thing: str) -> str:
    return found.words.without(f"{found.style.name} without {thing}")


def _some(named: Mapping[str, str], things: list[str]) -> str:
    more = len(things) - 2 * NAMED
    names = [named[thing] for thing in things[: 2 * NAMED]]
    return say.listed([*names, say.counted(more, "other")] if more > 0 else names)


def _points(rows: Any) -> str:
    """Return a loss in points: 3.1, or 2.0 to 3.1."""
    text = span([-row["estimate"] for row in rows], lambda value: say.signed(100 * value))
    return text.replace("+", "")


def _gain(rows: Any) -> str:
    return span([row["estimate"] for row in rows], lambda value: say.signed(100 * value))


def table(found: Forbidden) -> pd.DataFrame:
    """Return things by what it costs to do without them, in points of win share."""
    told = verdicts(found)
    rows = dict(ranked(found))
    p = _corrected([row for own in rows.values() for row in own])
    listed = []
    for thing, own in rows.items():
        cells = {"Without": _title(found, thing)}
        for row in own:
            low, high = (say.signed(100 * row[key]) for key in ("low", "high"))
            cells[say.players(row["players"])] = (
                f"{say.signed(100 * row['estimate'])} ({low} to {high})"
            )
        least = min(p[row["group"], row["players"]] for row in own)
        cells["p (Holm)"] = "< 0.001" if least < 0.001 else f"{least:.3f}"
        cells["Verdict"] = "changes nothing" if thing in found.idle else told[thing]
        listed.append(cells)
    return pd.DataFrame(listed)


def _corrected(rows: list[Mapping[str, Any]]) -> dict[tuple[str, int], float]:
    """Return p-values by group and players, corrected for so many rows."""
    from scipy.stats import norm

    errors = [(row["high"] - row["low"]) / 2 / NORMAL for row in rows]
    p = [
        min(1.0, 2 * float(norm.sf(abs(row["estimate"]) / error))) if error > 0 else 1.0
        for row, error in zip(rows, errors, strict=True)
    ]
    keys = [(row["group"], row["players"]) for row in rows]
    return dict(zip(keys, map(float, adjusted(p)), strict=True))


def as_json(found: Forbidden) -> str:
    """Return forbid.json: sentences and all rows."""
    told = {"sentences": findings(found), "verdicts": verdicts(found)}
    content = found.content | told
    return report.with_rows(content, found.rows)


def as_markdown(found: Forbidden) -> str:
    """Return forbid.md: sentences and the ranking."""
    name = found.words.style(found.style.name)
    parts = [f"# {markdown.escaped(f'{found.title}: {name}')} without each thing in turn"]
    parts.append(markdown.items(findings(found)))
    parts.append(markdown.table(table(found)))
    return "\n\n".join(parts) + "\n"


def settings(found: Forbidden) -> pd.DataFrame:
    """Return how it was done."""
    content, study = found.content, found.content["study"]
    rows = [
        ("Study", f"{found.title} ({study['source']})"),
        ("Games", f"{study['games']:,} for each thing and number of players, seed {study['seed']}"),
        ("Rules", f"version {content['rules']['version']} ({content['rules']['source']})"),
        ("Versions", ", ".join(f"{k} {v}" for k, v in content["versions"].items())),
    ]
    return pd.DataFrame(rows, columns=["What", "Value"])
