"""What an audit found as tables for people: ranked changes, faults, what could not be tried."""

from collections.abc import Sequence
from statistics import median
from typing import Any

import pandas as pd

from sim import sidebyside
from sim import words as say
from sim.audit.changes import NUMBER, RULING
from sim.audit.effects import ORDER, Effect
from sim.audit.found import Audit
from sim.audit.naming import SIDES, column_name, names_of, value_text
from sim.audit.onegame import ACT, CONTENT, ROWS, Fault
from sim.audit.screening import CHANCE, FURTHEST, MU_STAR, SIGMA
from sim.matters import UNDECIDED, UNKNOWN
from sim.takeaways.telling import grouped
from sim.watch import command_of
from sim.words import Words

HEADS = {RULING: "Ruling", NUMBER: "Number"}
VERDICTS = {UNKNOWN: sidebyside.VERDICTS[UNKNOWN]}
"""Verdicts that are told otherwise than they are called."""
LARGEST, FLIPS = "Most moved", "Verdicts that flip"
SHORTER = ((), ("Now",), ("Now", "Players"))
"""What of a ranking may be left out in narrow places."""
MOST_ROWS = 400
"""Of all differences, so many are listed; audit.json has the rest."""
Row = dict[str, Any]


def ranking(audit: Audit, part: str, words: Words) -> pd.DataFrame:
    """Return the changes ranked; of a number moved both ways the weightier."""
    effects = audit.of(part)
    names = names_of((each.change.key for each in effects), words)
    if part == NUMBER:
        effects = [own[0] for own in grouped(effects, lambda each: each.change.key).values()]
    flips = any(each.flips for each in effects)
    rows = []
    for each in effects:
        row = {
            HEADS[part]: names[each.change.key],
            "Now": value_text(each.change.now),
            "Instead": value_text(each.change.value),
            LARGEST: difference(each.largest, words),
            "Players": str(each.largest["players"]) if each.largest else "",
            "Verdict": verdict(each),
        }
        if flips:
            row[FLIPS] = _first_of(each.flips)
        rows.append(row)
    return pd.DataFrame(rows)


def _first_of(flips: Sequence[str]) -> str:
    """Return the first verdict that flips, and how many more do."""
    more = f" (and {len(flips) - 1} more)" if len(flips) > 1 else ""
    return f"{flips[0]}{more}" if flips else ""


def verdict(effect: Effect) -> str:
    """Return the weightiest verdict on a change."""
    return VERDICTS.get(effect.verdict, effect.verdict)


def difference(row: Row | None, words: Words) -> str:
    """Return a difference with what it is of: "Turns +18.8 ±0.2"; a share's is in points."""
    if row is None:
        return ""
    if row["estimate"] == 0:
        return "none at all"
    return f"{sidebyside.name_of(row, words)} {sidebyside.difference(row)}"


def differences(audit: Audit, part: str, words: Words) -> pd.DataFrame:
    """Return the differences of all changes, the weightiest first."""
    effects = audit.of(part)
    names = names_of((each.change.key for each in effects), words)
    rows = [row for row in audit.rows.to_dicts() if row["part"] == part]
    known = [row for row in rows if row["estimate"] is not None]
    known.sort(key=lambda row: (ORDER.index(row["verdict"]), -_multiple(row)))
    lineups = len({row["lineup"] for row in known}) > 1
    found = []
    by_name = {each.change.name: each.change for each in effects}
    for row in known[:MOST_ROWS]:
        change = by_name[row["variant"]]
        cells = {
            HEADS[part]: names[row["key"]],
            "Instead": value_text(change.value),
            "Players": str(row["players"]),
            "Who plays": words.lineup(row["lineup"]),
            "What": sidebyside.name_of(row, words),
            "Now": sidebyside.value(row, "base"),
            "Then": sidebyside.value(row, "own"),
            "Difference": sidebyside.bounds(row),
            "Matters from": sidebyside.smallest(row),
            "Verdict": VERDICTS.get(row["verdict"], row["verdict"]),
            "Pairing": sidebyside.times(row["saved"]),
            "p": sidebyside.p_text(row["p_holm"]),
        }
        if not lineups:
            del cells["Who plays"]
        found.append(cells)
    return pd.DataFrame(found)


def _multiple(row: Row) -> float:
    return abs(row["estimate"]) / row["least"] if row["least"] else 0.0


def enough(audit: Audit, part: str) -> float | None:
    """Return about how many games at a table would decide half of the undecided differences."""
    played = {(table["players"], table["lineup"]): table["games"] for table in _tables(audit)}
    needed = []
    for row in audit.rows.filter(part=part, verdict=UNDECIDED).to_dicts():
        half = sidebyside.half_width(row)
        if half:
            # of few games no estimate is a guide: it may be nothing
            certain = abs(row["estimate"]) > half
            gap = abs(row["least"] - abs(row["estimate"])) if certain else row["least"]
            room = max(gap, row["least"] / 4)
            needed.append(played[row["players"], row["lineup"]] * (half / room) ** 2)
    return max(median(needed), 2 * min(played.values())) if needed else None


def _tables(audit: Audit) -> list[Row]:
    return list(audit.settings.get("tables", ()))


# The referee


def refereed(audit: Audit, run: Any, words: Words) -> pd.DataFrame:
    """Return how many games of each cell were refereed, and how many have a fault."""
    seen = audit.refereed
    if seen is None:
        return pd.DataFrame()
    rows = []
    for number, games in seen.cells.items():
        cell = run.plan.cells[number]
        rows.append(
            {
                "Players": str(cell.players),
                "Variant": words.variant(cell.variant),
                "Who plays": words.lineup(cell.lineup),
                "Games": f"{cell.games:,}",
                "Refereed": f"{games:,}",
                "With a fault": f"{seen.faulty[number]:,}",
            }
        )
    table = pd.DataFrame(rows)
    return table if len(run.study.variants) > 1 else table.drop(columns="Variant")


def faults(audit: Audit, run: Any, words: Words) -> pd.DataFrame:
    """Return every fault with the command that shows its game."""
    found = audit.refereed.faults if audit.refereed else []
    return pd.DataFrame(
        [
            {
                "Where": where(fault, run, words),
                "Game": "" if fault.game is None else str(fault.game),
                "What": what(fault, words),
                "The run says": fault.run,
                "Due": fault.due,
                "Who says so": fault.who,
                "See it": watch(fault, audit.said),
            }
            for fault in found
        ]
    )


def where(fault: Fault, run: Any, words: Words) -> str:
    """Return a fault's cell in words."""
    cell = run.plan.cells[fault.cell]
    several = len(run.study.variants) > 1
    variant = f", {words.variant(cell.variant)}" if several else ""
    return f"{say.players(cell.players)}, {words.lineup(cell.lineup)}{variant}"


def what(fault: Fault, words: Words) -> str:
    """Return what is wrong, and in which row."""
    if fault.column == CONTENT:
        return f"File {fault.row}"
    if fault.column == ROWS:
        return f"Rows of {fault.table}"
    name = "Act" if fault.column == ACT else column_name(fault, words)
    return f"{name}, {fault.row}" if fault.row else name


def watch(fault: Fault, said: str) -> str:
    """Return the command that shows a fault's game."""
    if fault.game is None:
        return ""
    return command_of(said, fault.cell, fault.game)


def sentence(fault: Fault, run: Any, words: Words) -> str:
    """Return a fault as a sentence."""
    game = "" if fault.game is None else f", game {fault.game}"
    if fault.column == ACT:
        return f"{where(fault, run, words)}{game}: {fault.who}: {fault.due}"
    return (
        f"{where(fault, run, words)}{game}: {what(fault, words)}: the run says {fault.run}, "
        f"{fault.who}: {fault.due}"
    )


# What could not be tried


def untried(audit: Audit, words: Words, part: str) -> pd.DataFrame:
    """Return the values and sides that could not be tried, and why."""
    found = [each for each in audit.untried if each.part == part]
    names = names_of((each.key for each in audit.untried), words)
    return pd.DataFrame(
        [
            {
                HEADS[part]: names[each.key],
                "Not tried": SIDES.get(each.what, say.plain(each.what)),
                "Why": each.why,
            }
            for each in found
        ]
    )


# Screening


def screened(audit: Audit, words: Words) -> list[Row]:
    """Return each number with what moves most when it does, the weightiest first.

    `beyond` tells whether its mu* lies beyond that of any number that does nothing.
    """
    rows = audit.screening.to_dicts()
    names = names_of((row["key"] for row in rows), words)
    several = len({(row["players"], row["lineup"]) for row in rows}) > 1
    found = []
    for key, own in grouped(rows, lambda row: row["key"]).items():
        by_metric = grouped(own, lambda row: (row["players"], row["lineup"], *_metric(row)))
        best = max(by_metric.values(), key=lambda three: _size(three[0]))
        three = {row["what"]: row for row in best}
        star = three[MU_STAR]
        found.append(
            {
                "name": names[key],
                "row": star,
                "sigma": three[SIGMA],
                "chance": three[CHANCE]["estimate"],
                "size": _size(star),
                "beyond": star["estimate"] > three[CHANCE]["estimate"],
                "text": f"{metric_name(star, words)} {_amount(star, 'estimate')}"
                + (f", {say.players(star['players'])}" if several else ""),
            }
        )
    return sorted(found, key=lambda row: (not row["beyond"], -row["size"]))


def _metric(row: Row) -> tuple[str, str]:
    return row["metric"], row["group"]


def _size(row: Row) -> float:
    return row["estimate"] / row["least"] if row["least"] else 0.0


def metric_name(row: Row, words: Words) -> str:
    """Return the name of a metric, or of the seat furthest from fair."""
    return "Seat furthest from fair" if row["group"] == FURTHEST else sidebyside.name_of(row, words)


def _amount(row: Row, end: str) -> str:
    share = sidebyside.is_share(row)
    value = row[end] * (100 if share else 1)
    return f"{value:.2g}{' points' if share else ''}"


def screening(audit: Audit, words: Words) -> pd.DataFrame:
    """Return the numbers as Morris' method ranks them."""
    found = []
    for each in screened(audit, words):
        star = each["row"]
        low, high = (_amount(star, end).removesuffix(" points") for end in ("low", "high"))
        found.append(
            {
                "Number": each["name"],
                "From": star["from"],
                "To": star["to"],
                "Moves most": metric_name(star, words),
                "Players": str(star["players"]),
                "\N{GREEK SMALL LETTER MU}*": f"{_amount(star, 'estimate')} ({low} to {high})",
                "\N{GREEK SMALL LETTER SIGMA}": _amount(each["sigma"], "estimate"),
                "By chance, up to": _amount(star | {"chance": each["chance"]}, "chance"),
            }
        )
    return pd.DataFrame(found)


def first(table: pd.DataFrame, rows: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the first rows of a table."""
    return list(table.columns), table.head(rows).to_numpy().tolist()
