"""The columns of Wildstyle's tables, counted again from a refereed game.

Rows are mappings by column name; coded columns hold their labels.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.games import recounting
from sim.games.game import Replay, RuleBroken
from sim.games.wildstyle import events
from sim.games.wildstyle.logbook import (
    Acted,
    Decided,
    Fumbled,
    GameOver,
    Removed,
    RoundOver,
    Scored,
    SetUp,
    Solo,
    TableState,
)
from sim.games.wildstyle.recount_flow import act_columns, standing_columns
from sim.games.wildstyle.rulebook import MICROSECONDS
from sim.games.wildstyle.scoring_rules import count_objective, standing

Columns = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class About:
    """A number that a table may round: anything closer than `within` is right."""

    value: float
    within: float


@dataclass(frozen=True)
class AtLeast:
    """A bound that a table may set higher."""

    value: int


# What happened


def of_kind(replay: Replay, kind: type) -> list[Any]:
    """Return the events of one kind in their order."""
    return [event for event in replay.events if isinstance(event, kind)]


def tags_placed(replay: Replay) -> list[Acted]:
    """Return the acts that put a tag on the map."""
    return [act for act in of_kind(replay, Acted) if act.deed.hex is not None]


def map_as_played(replay: Replay) -> TableState:
    """Return the table at the end of the last round, before anything comes off the map."""
    ends = [at for at, event in enumerate(replay.events) if isinstance(event, RoundOver)]
    return replay.states[ends[-1]]


def lead_changes(replay: Replay) -> int:
    """Count how often a seat became the sole leader after another seat was the last one.

    Seats stand by the points of tags and objectives as the map lies after each tag placed.
    """
    start: SetUp = replay.events[0]
    tags: list[frozenset[int]] = [frozenset()] * start.rules.players
    stands = [0] * start.rules.players
    track: list[list[int]] = []
    for act in tags_placed(replay):
        tags[act.seat] = tags[act.seat].union([act.deed.hex or 0])
        stands[act.seat] = standing(start.city, start.sides, tags[act.seat])
        track.append(list(stands))
    return recounting.lead_changes(track)


def icons_full(replay: Replay) -> int:
    """Count the icons on the map of which a seat finds no hex left at the end of the last round."""
    city, tags = replay.events[0].city, map_as_played(replay).tags
    occupied = frozenset(hex_ for seat in tags for hex_ in seat)
    full = 0
    for icon, hexes in enumerate(city.hexes):
        taken = map(frozenset, tags) if icon == events.STATION else [occupied]
        full += bool(hexes) and any(there.issuperset(hexes) for there in taken)
    return full


def counts(acts: Sequence[Acted]) -> Columns:
    """Return how often acts drew, shared, took, placed a tag or rushed."""
    kinds = [act.deed.act for act in acts]
    return {
        "acts": len(acts),
        "drawn": kinds.count("draw"),
        "shared": kinds.count("share"),
        "taken": kinds.count("take"),
        "placed": sum(act.deed.hex is not None for act in acts),
        "rushed": kinds.count("rush"),
    }


# Tables


def game_columns(replay: Replay) -> Columns:
    """Return the row of the `games` table, but for cell, game number and tile set."""
    over: GameOver = replay.events[-1]
    rounds: list[RoundOver] = of_kind(replay, RoundOver)
    ends = [ended.reason for ended in rounds]
    scores = sorted((result.score for result in over.results), reverse=True)
    decided: list[Decided] = of_kind(replay, Decided)
    return {
        "players": len(over.results),
        "rounds": len(rounds),
        "turns": len(of_kind(replay, Acted)),
        "decisions": sum(look.options > 1 for look in decided),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": sum(result.rank == 1 for result in over.results) > 1,
        "lead_changes": lead_changes(replay),
        "margin": scores[0] - scores[1],
        "seconds": About(sum(ended.time for ended in rounds) / MICROSECONDS, 1),
        "fumbles": len(of_kind(replay, Fumbled)),
        "waits": sum(look.deed.act == "wait" for look in decided),
        "cop_cars": sum(result.cars for result in over.results),
        "tags_placed": len(tags_placed(replay)),
        "solo_tags": sum(len(off.hexes) for off in of_kind(replay, Solo)),
        "icons_full": icons_full(replay),
        "rounds_piles": ends.count("piles_empty"),
        "rounds_tags": ends.count("tags_out"),
        "rounds_stalemate": ends.count("stalemate"),
    }


def seat_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `seats` table by seat, but for cell, game number and style."""
    over: GameOver = replay.events[-1]
    shares = recounting.win_shares([result.rank for result in over.results], over.truncated)
    rows = []
    for result in over.results:
        seat = result.seat
        acts = counts([act for act in of_kind(replay, Acted) if act.seat == seat])
        looks = [look for look in of_kind(replay, Decided) if look.seat == seat]
        rows.append(
            {
                "seat": seat,
                "score": result.score,
                "rank": result.rank,
                "win_share": shares[result.seat],
                "truncated": over.truncated,
                "tag_points": result.tag_points,
                "objective_points": result.objective_points,
                "tags": len(replay.states[-1].tags[seat]),
                "lost_to_cars": _taken_off(replay, Removed, seat),
                "lost_solo": _taken_off(replay, Solo, seat),
                "cop_cars": result.cars,
                "fumbles": sum(fumble.seat == seat for fumble in of_kind(replay, Fumbled)),
                "waits": sum(look.deed.act == "wait" for look in looks),
                **{name: acts[name] for name in ("acts", "placed", "drawn", "shared", "taken")},
            }
        )
    return rows


def _taken_off(replay: Replay, kind: type, seat: int) -> int:
    return sum(len(off.hexes) for off in of_kind(replay, kind) if off.seat == seat)


def round_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `rounds` table, one for each round that a game can have."""
    rows = []
    ends: list[RoundOver] = of_kind(replay, RoundOver)
    for number in range(1, replay.events[0].rules.rounds + 1):
        ended = ends[number - 1] if number <= len(ends) else None
        acts = [act for act in of_kind(replay, Acted) if act.round == number]
        fumbles = [fumble for fumble in of_kind(replay, Fumbled) if fumble.round == number]
        rows.append(
            {
                "round": number,
                "end": "not_played" if ended is None else ended.reason,
                "seconds": About(ended.time / MICROSECONDS if ended else 0.0, 1e-3),
                "fumbles": len(fumbles),
                **counts(acts),
            }
        )
    return rows


def objective_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `objectives` table, tile by tile for each seat, but for the style.

    `possible` is a bound: it must not be below what somebody scores or had before removals.
    """
    start: SetUp = replay.events[0]
    scored = {(event.seat, event.position): event for event in of_kind(replay, Scored)}
    played = [frozenset(tags) for tags in map_as_played(replay).tags]
    rows = []
    for seat, tags in enumerate(played):
        for position, side in enumerate(start.sides):
            found = scored.get((seat, position))
            points = found.points if found else 0
            there = [count_objective(start.city, side, seats).points for seats in played]
            others = [scored[key].points for key in scored if key[1] == position]
            row = {
                "seat": seat,
                "position": position,
                "side": side.name,
                "points": points,
                "completed": points > 0,
                "tags": found.tags if found else 0,
                "possible": AtLeast(max(there + others)),
            }
            if found:  # nothing comes off in a game that was cut off
                row["before"] = count_objective(start.city, side, tags).points
            rows.append(row)
    return rows


def tag_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `tags` table: each seat's tags as they were placed, then the rest."""
    start: SetUp = replay.events[0]
    fates = {(off.seat, hex_): "solo" for off in of_kind(replay, Solo) for hex_ in off.hexes}
    for off in of_kind(replay, Removed):
        fates |= {(off.seat, hex_): "cop_car" for hex_ in off.hexes}
    rows = []
    for seat in range(start.rules.players):
        placed = [act for act in tags_placed(replay) if act.seat == seat]
        for tag, act in enumerate(placed):
            rows.append(_placed_tag(start, act, tag, fates.get((seat, act.deed.hex))))
        unplaced = {"seat": seat, "hex": 0, "round": 0, "second": 0, "fate": "unplaced"}
        tags = start.rules.tags_each_round * start.rules.rounds
        rows += [unplaced | {"tag": tag} for tag in range(len(placed), tags)]
    return rows


def _placed_tag(start: SetUp, act: Acted, tag: int, fate: str | None) -> Columns:
    hex_ = act.deed.hex or 0
    q, r = start.city.ground.cells[hex_]
    return {
        "seat": act.seat,
        "tag": tag,
        "hex": hex_,
        "q": q,
        "r": r,
        "icon": events.ICONS[start.city.icons[hex_]],
        "round": act.round,
        "second": About(act.time / MICROSECONDS, 1),
        "fate": fate or "scored",
    }


# Comparing


def check_rows(
    replay: Replay,
    game_row: Mapping[str, Any] | None = None,
    seat_rows: Rows | None = None,
    objective_rows: Rows | None = None,
    round_rows: Rows | None = None,
    tag_rows: Rows | None = None,
    standing_rows: Rows | None = None,
    act_rows: Rows | None = None,
) -> None:
    """Compare a game's rows of the tables given with the replay.

    Raises `RuleBroken` at the first column that differs or is missing, or row too many or few.
    """
    if game_row is not None:
        _same("games", game_row, game_columns(replay))
        _names_tiles(replay.events[0], game_row)
    tables = {
        "seats": (seat_rows, seat_columns),
        "objectives": (objective_rows, objective_columns),
        "rounds": (round_rows, round_columns),
        "tags": (tag_rows, tag_columns),
        "standings": (standing_rows, standing_columns),
        "acts": (act_rows, act_columns),
    }
    for table, (rows, columns) in tables.items():
        if rows is not None:
            due = columns(replay)
            if len(rows) != len(due):
                raise RuleBroken(f"{table}: {len(rows)} rows, the replay gives {len(due)}")
            for row, expected in zip(rows, due, strict=True):
                place = ", ".join(_keys(expected))
                _same(f"{table}, {place}" if place else table, row, expected)


def _keys(row: Columns) -> Iterator[str]:
    return (f"{key} {row[key]}" for key in ("seat", "position", "tag") if key in row)


def _names_tiles(start: SetUp, game_row: Mapping[str, Any]) -> None:
    label = game_row.get("tile_set", "")
    for side in start.sides:
        if side.name not in label and side.title not in label:
            raise RuleBroken(f"games: tile_set is {label!r}, but {side.name} shows")


def _same(table: str, row: Mapping[str, Any], expected: Columns) -> None:
    for column, due in expected.items():
        if column not in row:
            raise RuleBroken(f"{table}: there is no column {column}")
        found = row[column]
        if isinstance(found, float) and math.isnan(found):
            found = None  # a missing number may come as not-a-number
        if isinstance(due, About):
            right = abs(found - due.value) < due.within
        elif isinstance(due, AtLeast):
            right = found >= due.value
        else:
            right = found == due
        if not right:
            said = getattr(due, "value", due)
            at_least = "at least " if isinstance(due, AtLeast) else ""
            raise RuleBroken(f"{table}: {column} is {found}, the replay gives {at_least}{said}")
