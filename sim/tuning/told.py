"""Sentences and tables about a style that was tuned."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from sim import words as say
from sim.takeaways.judging import beyond, bounded
from sim.takeaways.telling import grouped, seatings
from sim.tuning.confirm import GAIN, RIVAL, WINS
from sim.tuning.style import Tuned

Row = dict[str, Any]
MOST_MOVED = 4


def rows_of(found: Tuned, metric: str) -> list[Row]:
    """Return the rows of a metric that have an interval."""
    return bounded(row for row in found.rows.to_dicts() if row["metric"] == metric)


def certain(found: Tuned) -> dict[tuple[str, int], int]:
    """Return where the tuned style is certain to win more (1) or less (-1) than a style.

    By style and number of players; 0: undecided. One of it among players of the style has to win
    more than a fair share, and one of the style among players of it less, beyond chance (Holm over
    all). Its own twin, should it be in the field, is left out.
    """
    wins, rivals = rows_of(found, WINS), rows_of(found, RIVAL)
    turned = [
        row | {"estimate": -row["estimate"], "low": -row["high"], "high": -row["low"]}
        for row in rivals
    ]
    sure = beyond([*wins, *turned])
    found_by: dict[tuple[str, int], list[int]] = {}
    for row in (*wins, *turned):
        key = row["group"].removeprefix("style "), row["players"]
        sign = 0 if row not in sure else 1 if row["estimate"] > 0 else -1
        found_by.setdefault(key, []).append(sign)
    return {key: min(signs) for key, signs in found_by.items()}


def beats_all(found: Tuned) -> bool:
    """Tell whether the tuned style beats every style at every number of players."""
    return all(sign > 0 for sign in certain(found).values())


def findings(found: Tuned) -> list[str]:
    """Return what a designer should know, most important first."""
    return [*_beaten(found), *_gain(found), *_moved(found), *_flattered(found)]


def _beaten(found: Tuned) -> Iterator[str]:
    words, name = found.words, found.words.style(found.tuned.name)
    signs = certain(found)
    wins = rows_of(found, WINS)
    if not wins:
        yield f"{name}: too few games to say anything."
        return
    least = min(wins, key=lambda row: row["estimate"] * row["players"])
    how = "it is least ahead of" if least["estimate"] > 0 else "it does worst against"
    lead = (
        f"{how} {words.style(least['group'].removeprefix('style '))} with "
        f"{say.players(least['players'])}, among whom one of it wins "
        f"{say.percent(least['estimate'] + 1 / least['players'])} "
        f"where {say.exactly(1 / least['players'])} is fair"
    )
    open_ = [key for key, sign in signs.items() if sign <= 0]
    if not open_:
        yield (
            f"{name} beats every style of the field and its start {seatings(wins)}, beyond chance "
            f"(Holm over {len(wins) + len(rows_of(found, RIVAL))}); {lead}."
        )
        return
    yield f"{name} beats {_count(signs)}, beyond chance; {lead}."
    for sign, verb in ((-1, "It loses to"), (0, "Undecided is whether it beats")):
        those = grouped((key for key, own in signs.items() if own == sign), lambda key: key[0])
        where = [
            f"{words.style(style)} with {say.players([players for _, players in keys])}"
            for style, keys in those.items()
        ]
        if where:
            yield f"{verb} {say.listed(where)}."


def _count(signs: dict[tuple[str, int], int]) -> str:
    """Return how many styles are beaten, by number of players."""
    by_players = grouped(signs, lambda key: key[1])
    counts = {
        players: (sum(signs[key] > 0 for key in keys), len(keys))
        for players, keys in by_players.items()
    }
    parts = []
    for (beaten, all_), where in grouped(counts, counts.__getitem__).items():
        some = "no style" if not beaten else f"{beaten} of {say.counted(all_, 'style')}"
        parts.append(f"{some} with {say.players(where)}")
    return say.listed(parts)


def _gain(found: Tuned) -> Iterator[str]:
    rows = rows_of(found, GAIN)
    start = found.words.style(found.start.name)
    told = [f"{_points(row)} with {say.players(row['players'])}" for row in rows]
    if told:
        yield (
            f"In the place of {start}, among the styles of the field and on the same deals, it "
            f"wins so many points of win share more: {', '.join(told)}."
        )


def _moved(found: Tuned) -> Iterator[str]:
    moves = sorted(_moves(found), key=lambda move: -abs(move[3]))[:MOST_MOVED]
    told = [
        f"{say.plain(name)} from {say.minus(f'{old:g}')} to {say.minus(f'{new:g}')}"
        for name, old, new, size in moves
        if size
    ]
    if told:
        yield f"Moved most: {say.listed(told)}."


def _moves(found: Tuned) -> list[tuple[str, float, float, float]]:
    """Return each weight that could move: before, now, and by how many of its scale."""
    old, new = found.start.weights, found.tuned.weights
    return [
        (name, old.get(name, 0.0), new.get(name, 0.0), (new.get(name, 0) - old.get(name, 0)) / by)
        for name, by in zip(found.content["free"], found.content["scales"], strict=True)
    ]


def _flattered(found: Tuned) -> Iterator[str]:
    history = found.history
    rows = rows_of(found, GAIN)
    if not rows:
        return
    best = max(each["best"] for each in history)
    fresh = sum(row["estimate"] for row in rows) / len(rows)
    count = len(history) * found.content["settings"]["candidates"]
    yield (
        f"The best of {count:,} candidates seemed to win {say.signed(100 * best)} points more than "
        f"the start: the best of many noisy candidates is flattered. What is written here was "
        f"played anew, with what the search ended with: {say.signed(100 * fresh)}."
    )


def _gained(row: Row) -> str:
    return say.signed(100 * row["estimate"])


def _points(row: Row) -> str:
    low, high = (say.signed(100 * row[key]) for key in ("low", "high"))
    return f"{_gained(row)} ({low} to {high})"


def confirmation(found: Tuned) -> pd.DataFrame:
    """Return what the tuned style wins of each style, by number of players."""
    signs, words = certain(found), found.words
    marks = {1: "beaten", 0: "undecided", -1: "wins"}
    rows: dict[str, dict[str, Any]] = {}
    for row in rows_of(found, WINS):
        name = row["group"].removeprefix("style ")
        cells = rows.setdefault(name, {"Among": words.style(name)})
        verdict = marks[signs[name, row["players"]]]
        cells[say.players(row["players"])] = f"{_points(row)}, {verdict}"
    gain = {say.players(row["players"]): _points(row) for row in rows_of(found, GAIN)}
    last = {"Among": f"the field, more than {words.style(found.start.name)} there"} | gain
    return pd.DataFrame([*rows.values(), last])


def weights(found: Tuned) -> pd.DataFrame:
    """Return the weights before and now."""
    fixed = [name for name in found.tuned.weights if name not in found.content["free"]]
    rows = [
        (name, say.minus(f"{old:g}"), say.minus(f"{new:g}")) for name, old, new, _ in _moves(found)
    ]
    rows += [(name, say.minus(f"{found.tuned.weights[name]:g}"), "not moved") for name in fixed]
    return pd.DataFrame(rows, columns=["Weight", "Before", "Now"])


def settings(found: Tuned) -> pd.DataFrame:
    """Return how it was done."""
    own, content = found.content["settings"], found.content
    per = own["games"]
    rows = [
        ("Study", f"{found.title} ({content['study']['source']})"),
        ("Field", say.listed(found.words.style(name) for name in content["field"])),
        ("Search", f"{say.counted(own['rounds'], 'round')} of {own['generations']} generations, "
         f"{own['candidates']} candidates each, about {per:,} games a candidate"),
        ("League", f"up to {own['league']} earlier bests" if own["league"] else "none"),
        ("Games", f"{sum(each['games'] for each in found.history):,} in generations; "
         f"{own['confirm']:,} for each table of the confirmation"),
        ("Seeds", f"{own['seed']} (search), {own['confirm_seed']} (confirmation)"),
        ("Rules", f"version {content['rules']['version']} ({content['rules']['source']})"),
        ("Versions", ", ".join(f"{k} {v}" for k, v in content["versions"].items())),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["What", "Value"])
