"""The columns of Tag City's tables, counted again from a refereed game.

Rows are mappings by column name; coded columns hold their labels.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.games import recounting
from sim.games.comparing import check_all, check_row
from sim.games.game import Replay
from sim.games.tag_city.boards import Rules, Squares, drawings_left
from sim.games.tag_city.logbook import GameOver, LastDie, RoundBegins, SetUp, TableState, Turn
from sim.games.tag_city.recount_flow import act_columns, standing_columns
from sim.games.tag_city.rulebook import Check, Circled, Die, Drone, Use

Columns = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

NOBODY, SHARED, FREE = "nobody", "shared", "none"


# What happened


def rules_of(replay: Replay) -> Rules:
    """Return the rules of a game."""
    return replay.events[0].rules


def of_kind(replay: Replay, kind: type) -> list[Any]:
    """Return the events of one kind in their order."""
    return [event for event in replay.events if isinstance(event, kind)]


def uses_of(replay: Replay) -> Iterator[tuple[Use, Die, TableState, Sequence[Circled]]]:
    """Yield every use of a die with the table before it and what its seat circled then."""
    for before, event in zip(replay.states, replay.events[1:], strict=False):
        if isinstance(event, Turn):
            yield event.use, event.die, before, event.circled
        elif isinstance(event, LastDie):
            for use in event.uses:
                own = [prize for prize in event.circled if prize.seat == use.seat]
                yield use, event.die, before, own


def lead_changes(replay: Replay) -> int:
    """Count how often a seat became the sole leader after another seat was the last one."""
    rules = rules_of(replay)
    return recounting.lead_changes(
        [player.score(rules) for player in state.players]
        for event, state in zip(replay.events, replay.states, strict=True)
        if isinstance(event, Turn | LastDie)
    )


def holes(rules: Rules, ring: Sequence[str], painted: set[tuple[int, int]]) -> int:
    """Count the free squares that no drawing of a shape of the ring can cover."""
    coverable: set[tuple[int, int]] = set()
    for shape in ring:
        coverable.update(*drawings_left(rules, shape, painted))
    return sum(square not in coverable | painted for square in rules.squares)


def win_shares(replay: Replay) -> list[float | None]:
    """Return what part of the win each seat has, None for a game that was cut off."""
    over: GameOver = replay.events[-1]
    return recounting.win_shares([result.rank for result in over.results], over.truncated)


# Tables


def game_columns(replay: Replay) -> Columns:
    """Return the row of the `games` table, but for cell, game number and decisions."""
    start: SetUp = replay.events[0]
    over: GameOver = replay.events[-1]
    rules, end = start.rules, replay.states[-1]
    uses = [use for use, _, _, _ in uses_of(replay)]
    scores = sorted((result.score for result in over.results), reverse=True)
    takers = [large_takers(replay, element.number) for element in rules.elements]
    return {
        "players": start.players,
        "rounds": over.rounds,
        "turns": len(uses),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": sum(result.rank == 1 for result in over.results) > 1,
        "lead_changes": lead_changes(replay),
        "margin": scores[0] - scores[1],
        **{f"ring_{space}": shape for space, shape in enumerate(start.ring)},
        "large_left": len(rules.elements) - len(end.checked_off),
        "bubbles_left": len(rules.bubble_values) - len(end.bubbles),
        "drawings": sum(not isinstance(use, Check) for use in uses),
        "drones": sum(isinstance(use, Drone) for use in uses),
        "checks": sum(isinstance(use, Check) for use in uses),
        "shared_larges": sum(len(seats) > 1 for seats in takers),
    }


def seat_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `seats` table in seat order, but for cell, game number and style."""
    over: GameOver = replay.events[-1]
    shares = win_shares(replay)
    return [
        {
            "seat": result.seat,
            "score": result.score,
            "rank": result.rank,
            "win_share": shares[result.seat],
            "truncated": over.truncated,
            **_points(replay, result.seat),
            **_deeds(replay, result.seat),
            **_places(replay, result.seat),
        }
        for result in over.results
    ]


def _points(replay: Replay, seat: int) -> Columns:
    """Return the parts of a seat's score and the elements that it completed."""
    rules, board = rules_of(replay), replay.states[-1].players[seat]
    parts: Columns = {}
    for layer in ("row", "column", "neighborhood"):
        of_layer = [prize for prize in board.circled if prize.element.layer == layer]
        for size, is_large in (("large", True), ("small", False)):
            parts[f"{layer}_{size}"] = sum(p.points for p in of_layer if p.is_large == is_large)
        parts[f"{layer}s"] = len(of_layer)
    with_last_dice = [prize for event in of_kind(replay, LastDie) for prize in event.circled]
    return {
        **parts,
        "drone_points": sum(rules.drone_values[: board.slots]),
        "bubble_points": sum(rules.bubble_values[bubble] for bubble in board.bubbles),
        "larges": sum(prize.is_large for prize in board.circled),
        "last_points": sum(prize.points for prize in with_last_dice if prize.seat == seat),
    }


def _deeds(replay: Replay, seat: int) -> Columns:
    """Return what a seat painted and how it used its dice."""
    start: SetUp = replay.events[0]
    board = replay.states[-1].players[seat]
    painted = board.painted
    own = [use for use, _, _, _ in uses_of(replay) if use.seat == seat]
    return {
        "squares": len(painted),
        "holes": holes(start.rules, start.ring, painted),
        "drawings": len(board.drawings),
        "drones": sum(isinstance(use, Drone) for use in own),
        "bubbles": len(board.bubbles),
        "checks": sum(isinstance(use, Check) for use in own),
    }


def _places(replay: Replay, seat: int) -> Columns:
    """Return how often a seat led and when it chose in the draft."""
    places = [turn.place for turn in of_kind(replay, Turn) if turn.seat == seat]
    return {
        "turns_led": sum(begun.leader == seat for begun in of_kind(replay, RoundBegins)),
        "drafted_first": places.count(1),
        "draft_place": sum(places) / len(places),
    }


def large_takers(replay: Replay, element: int) -> list[int]:
    """Return the seats that circled the large value of an element."""
    return _takers(replay, element, is_large=True)


def _takers(replay: Replay, element: int, is_large: bool) -> list[int]:
    return [
        seat
        for seat, board in enumerate(replay.states[-1].players)
        for prize in board.circled
        if prize.element.number == element and prize.is_large == is_large
    ]


def element_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `elements` table in their order, but for cell and game number."""
    shares = win_shares(replay)
    first: dict[int, Turn | LastDie] = {}
    for event in replay.events[1:-1]:
        if not isinstance(event, RoundBegins):
            for prize in event.circled:
                first.setdefault(prize.element.number, event)
    rows = []
    for element in rules_of(replay).elements:
        takers, event = large_takers(replay, element.number), first.get(element.number)
        taker = f"seat_{takers[0]}" if takers else NOBODY
        wins = [shares[seat] for seat in takers]
        rows.append(
            {
                "element": element.name,
                "layer": element.layer,
                "squares": len(element.squares),
                "large": element.large,
                "small": element.small,
                "large_taker": SHARED if len(takers) > 1 else taker,
                "large_takers": len(takers),
                "large_round": 0 if event is None else event.round + 1,
                "large_last_die": isinstance(event, LastDie),
                "small_takers": len(_takers(replay, element.number, is_large=False)),
                "large_win_share": None if None in shares else sum(w for w in wins if w),
            }
        )
    return rows


def square_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `squares` table, seat by seat, but for game number and style."""
    rules = rules_of(replay)
    rows = []
    for seat, board in enumerate(replay.states[-1].players):
        covers = {
            square: (drawing.round + 1, drawing.shape, number)
            for number, drawing in enumerate(board.drawings, start=1)
            for square in drawing.squares
        }
        for number, square in enumerate(rules.squares):
            painted_in, shape, drawing = covers.get(square, (0, FREE, 0))
            rows.append(
                {
                    "seat": seat,
                    "square": number,
                    "row": square[0],
                    "column": square[1],
                    "round": painted_in,
                    "shape": shape,
                    "drawing": drawing,
                }
            )
    return rows


def shape_columns(replays: Iterable[Replay], rules: Rules) -> list[Columns]:
    """Return the rows of the `shapes` table, summed over those games that ended by rule."""
    counted = ("games", "dice", "drafted", "last", "uses", "no_room", "painted", "flown", "points")
    rows: dict[str, Columns] = {shape: dict.fromkeys(counted, 0) for shape in rules.shapes}
    for replay in replays:
        if not replay.events[-1].truncated:
            _add_shapes(rows, replay)
    return [{"shape": shape, **row} for shape, row in rows.items()]


def _add_shapes(rows: dict[str, Columns], replay: Replay) -> None:
    """Add what a game says of each shape."""
    start: SetUp = replay.events[0]
    for shape in (*start.rules.small, *start.ring):
        rows[shape]["games"] += 1
    for event in replay.events[1:-1]:
        if isinstance(event, RoundBegins):
            for die in event.dice:
                rows[start.ring[die.space]]["dice"] += 1
        else:
            taken = "drafted" if isinstance(event, Turn) else "last"
            rows[start.ring[event.die.space]][taken] += 1
    for use, die, before, circled in uses_of(replay):
        held = rows[start.ring[die.space]]
        held["uses"] += 1
        held["no_room"] += _no_room(start, die, before.players[use.seat].painted)
        if not isinstance(use, Check):
            drawn = rows[use.shape]
            drawn["flown" if isinstance(use, Drone) else "painted"] += 1
            drawn["points"] += sum(prize.points for prize in circled)


def _no_room(start: SetUp, die: Die, painted: set[tuple[int, int]]) -> bool:
    found: Squares | None = next(drawings_left(start.rules, start.ring[die.space], painted), None)
    return found is None


# Comparing


def check_rows(
    replay: Replay,
    game_row: Mapping[str, Any],
    seat_rows: Rows,
    element_rows: Rows,
    square_rows: Rows | None = None,
    standing_rows: Rows | None = None,
    act_rows: Rows | None = None,
) -> None:
    """Compare a game's rows of the tables, by column name, with the replay.

    Coded columns hold their labels; the last three are None for a game that is not sampled.
    Raises `RuleBroken` at the first column that differs or is missing.
    """
    check_row("games", game_row, game_columns(replay))
    check_all("seats", seat_rows, seat_columns(replay))
    check_all("elements", element_rows, element_columns(replay))
    if square_rows is not None:
        check_all("squares", square_rows, square_columns(replay))
    if standing_rows is not None:
        check_all("standings", standing_rows, standing_columns(replay))
    if act_rows is not None:
        check_all("acts", act_rows, act_columns(replay))
