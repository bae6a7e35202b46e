"""What a tuning says in sentences and tables for people."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from sim import words as say
from sim.metrics.tidy import TOGETHER
from sim.tuning.table import WIN
from sim.tuning.tuned import ELEMENT, Found, Row

MOST_NAMED = 14


def amount(found: Found, value: float, *, unit: bool = True) -> str:
    """Return a worth or spread: percentage points of wins, or points."""
    if found.is_wins:
        text = say.number(100 * value, 1)
        return f"{text} points" if unit else text
    name = found.words.game.score_name
    return f"{say.number(value, 2)} {name}" if unit else say.number(value, 2)


def spread_text(found: Found, value: float) -> str:
    """Return a spread without its unit, which `spread_unit` names."""
    if found.is_wins or found.content["groups"][0]["given"] is None:
        return say.number(100 * value, 1)
    return amount(found, value, unit=False)


def spread_unit(found: Found) -> str:
    """Return what spreads are told in."""
    if found.is_wins:
        return "percentage points"
    group = found.content["groups"][0]
    return "% of their mean" if group["given"] is None else found.words.game.score_name


def _spread(found: Found, row: Row) -> str:
    low, high = (spread_text(found, row[end]) for end in ("low", "high"))
    return f"{spread_text(found, row['estimate'])} ({low} to {high})"


def _interval(found: Found, row: Row) -> str:
    low, high = (amount(found, row[end], unit=False) for end in ("low", "high"))
    return f"{amount(found, row['estimate'], unit=False)} ({low} to {high})"


def _ratio(row: Row) -> str:
    if row["estimate"] is None:
        return "unknown"
    return f"{row['estimate']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def about(found: Found) -> str:
    """Return what was tuned, in a line."""
    settings = found.content["settings"]
    games = say.counted(settings["play"], "game")
    return (
        f"tuning of {found.content['study']['game_title']}, {games} a table in each set of games, "
        f"{settings['fresh_sets']} fresh sets"
    )


def findings(found: Found) -> list[tuple[str, list[str]]]:
    """Return a heading and sentences for each group of variants."""
    several = len(found.content["groups"]) > 1
    return [
        (
            say.listed(found.words.variant(name) for name in group["names"]).capitalize()
            if several
            else "What the values should be",
            list(_sentences(found, group)),
        )
        for group in found.content["groups"]
    ]


def sentences(found: Found) -> list[str]:
    """Return all sentences, those of several variants with their names."""
    several = len(found.content["groups"]) > 1
    return [
        f"{heading}: {text}" if several else text
        for heading, texts in findings(found)
        for text in texts
    ]


def _sentences(found: Found, group: Row) -> Iterator[str]:
    rows = found.of(group)
    total = {row["metric"]: row for row in rows if row["lineup"] == TOGETHER}
    changed = [value for value in group["values"] if value["old"] != value["new"]]
    what = "the wins that players owe to each" if group["kind"] == WIN else "mean points"
    before, after = total["tune.spread_before"], total["tune.spread_after"]
    if not changed:
        yield (
            f"No values were found that are better than those there are: their spread in {what} is "
            f"{_spread(found, before)} {spread_unit(found)}."
        )
        return
    ratio = total["tune.ratio"]
    sure = "" if ratio["high"] is None or ratio["high"] < 1 else ", which is not certain"
    yield (
        f"With the new values the spread in {what} falls from {_spread(found, before)} to "
        f"{_spread(found, after)} {spread_unit(found)}, to {_ratio(ratio)} of what it was{sure}: "
        f"on {say.counted(before['n'], 'fresh game')} of each, which no search saw."
    )
    yield from _by_table(found, rows)
    names = [f"{label(found, group, value)} {_change(value)}" for value in changed]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    yield (
        f"{len(changed)} of {say.counted(len(group['values']), 'value')} change: "
        f"{say.listed(names[:MOST_NAMED])}{more}."
    )
    yield from _adapting(found, total)
    yield _how(group)


def _by_table(found: Found, rows: list[Row]) -> Iterator[str]:
    ratios = [row for row in rows if row["metric"] == "tune.ratio" and row["players"]]
    if len(ratios) > 1:
        parts = [f"{table_name(found, row)} {_ratio(row)}" for row in ratios]
        yield f"Table by table: {say.listed(parts)} of the spread before."


def table_name(found: Found, row: Row) -> str:
    """Return what tells a table from the others: its players, and its line-up if need be."""
    series = found.words.series(row["variant"], row["lineup"])
    several = len({row["lineup"] for row in found.rows.to_dicts() if row["players"]}) > 1
    return f"{say.players(row['players'])}{f', {series}' if several and series else ''}"


def _adapting(found: Found, total: dict[str, Row]) -> Iterator[str]:
    rescored = total.get("tune.spread_rescored")
    if rescored is None:
        yield (
            "What players adapting to the new values changed is not known: the old games cannot be "
            "scored again with them."
        )
        return
    after = total["tune.spread_after"]
    lead = (
        f"Had nobody known of the new values (the old games scored again) the spread would be "
        f"{_spread(found, rescored)}; played again it is {_spread(found, after)}"
    )
    if after["low"] > rescored["high"]:
        yield f"{lead}: players adapt, and that undoes a part of the change."
    elif after["high"] < rescored["low"]:
        yield f"{lead}: players adapt, and that evens values out further."
    else:
        yield f"{lead}: that players adapt makes no difference that can be seen."


def _how(group: Row) -> str:
    steps, tried = len(group["steps"]), group["tried"]
    parts = []
    if steps:
        parts.append(
            f"worked out from what each is worth, {say.counted(steps, 'time')}, each time played"
        )
    if tried:
        parts.append(f"searched for by playing {tried} sets of values on the same luck")
    won = {"analytic": "; the best was worked out", "search": "; the best was searched for"}
    return f"The values were {say.listed(parts)}{won[group['way']] if len(parts) > 1 else ''}."


def label(found: Found, group: Row, value: Row) -> str:
    """Return the name of a value: its element's, and its own where an element has several."""
    name = found.words.title(value["element"])
    own = [each for each in group["values"] if each["element"] == value["element"]]
    if len(own) < 2:
        return name
    keys = [each["key"].split(".") for each in own]
    here = value["key"].split(".")
    apart = [
        part
        for at, part in enumerate(here)
        if any(len(key) != len(here) or key[at] != part for key in keys)
    ]
    return f"{name}, {say.plain(' '.join(apart))}"


def _change(value: Row) -> str:
    return f"{_shown(value['old'])} to {_shown(value['new'])}"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "/".join(_shown(each) for each in value)
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def values_table(found: Found, group: Row) -> pd.DataFrame:
    """Return old and new values, with what their elements are worth before and after."""
    rows = found.of(group)
    tables = list(
        dict.fromkeys(
            (row["variant"], row["players"], row["lineup"]) for row in rows if row["players"]
        )
    )
    known = {
        (row["metric"], row["group"], (row["variant"], row["players"], row["lineup"])): row
        for row in rows
    }
    listed = []
    fixed = [name for name in group["elements"] if name not in _moved(group)]
    for value in [*group["values"], *({"element": name} for name in fixed)]:
        name = value["element"]
        about = {
            "What": label(found, group, value) if "key" in value else found.words.title(name),
            "Old": _shown(value["old"]) if "key" in value else "",
            "New": _shown(value["new"]) if "key" in value else "",
        }
        for table in tables:
            for when in ("before", "after"):
                row = known[f"tune.{when}", f"{ELEMENT}{name}", table]
                about[f"{when.capitalize()}, {table_name(found, row)}"] = _interval(found, row)
        listed.append(about)
    return pd.DataFrame(listed)


def _moved(group: Row) -> set[str]:
    return {value["element"] for value in group["values"]}


def short_table(found: Found, group: Row) -> pd.DataFrame:
    """Return what fits a terminal: old and new values, with estimates alone."""
    table = values_table(found, group)
    return table.map(lambda cell: cell.partition(" (")[0])


def changes_table(found: Found, group: Row) -> pd.DataFrame:
    """Return by how much each element's worth changed, game by game on the same luck."""
    rows = [row for row in found.of(group) if row["metric"] == "tune.change"]
    listed: dict[str, dict[str, str]] = {}
    for row in rows:
        name = found.words.title(row["group"].removeprefix(ELEMENT))
        cells = listed.setdefault(name, {"What": name})
        cells[f"Change, {table_name(found, row)}"] = _interval(found, row)
    return pd.DataFrame(list(listed.values()))


def steps_table(found: Found, group: Row) -> pd.DataFrame:
    """Return the steps in which values were worked out: what was promised, what came out."""
    return pd.DataFrame(
        [
            {
                "Step": number,
                "Values": ", ".join(
                    f"{label(found, group, value)} {_shown(step['values'][value['key']])}"
                    for value in group["values"]
                ),
                "Spread promised": spread_text(found, step["promised"]),
                "Spread when played": spread_text(found, step["played"]),
            }
            for number, step in enumerate(group["steps"], 1)
        ]
    )


def spreads_table(found: Found, group: Row) -> pd.DataFrame:
    """Return the spreads of each table and all together."""
    heads = {
        "tune.spread_before": "Before",
        "tune.spread_after": "After",
        "tune.spread_rescored": "Old games scored again",
    }
    listed: dict[str, dict[str, str]] = {}
    for row in found.of(group):
        where = "all together" if row["players"] is None else table_name(found, row)
        cells = listed.setdefault(where, {"Table": where})
        if row["metric"] in heads:
            cells[heads[row["metric"]]] = _spread(found, row)
        elif row["metric"] == "tune.ratio":
            cells["After / before"] = _ratio(row)
    return pd.DataFrame(list(listed.values())).fillna("")


def provenance(found: Found) -> pd.DataFrame:
    """Return where the numbers come from."""
    content = found.content
    settings, made = content["settings"], content["provenance"]
    git = made["git"]
    revision = "not in a git repository"
    if git:
        revision = git["revision"][:12] + (" with uncommitted changes" if git["changed"] else "")
    limits = [
        f"{label(found, group, value)} {value['lowest']:g} to {value['highest']:g}"
        for group in content["groups"][:1]
        for value in group["values"]
    ]
    return pd.DataFrame(
        [
            ("Study", f"{content['study']['title']} ({content['study']['source']})"),
            ("Game", f"{content['study']['game_title']}, version {made['rules']['version']}"),
            ("Way", settings["way"]),
            ("Games of a set, each table", f"{settings['play']:,}"),
            ("Fresh sets", str(settings["fresh_sets"])),
            ("Seed", str(settings["seed"])),
            ("Weight of change", f"{content['groups'][0]['least_change']:g}"),
            ("Limits", ", ".join(limits)),
            ("Git revision", revision),
            ("Versions", ", ".join(f"{name} {v}" for name, v in made["versions"].items())),
        ],
        columns=["What", "Value"],
    )
