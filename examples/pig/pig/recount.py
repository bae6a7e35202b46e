"""The columns of Pig's tables, counted again from a refereed game."""

from typing import Any

from pig import events
from sim.games import recounting
from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay


def game_columns(replay: Replay) -> dict[str, Any]:
    """Return the row of `games`, but for the game's number."""
    turns, over, points = replay.events[1:-1], replay.events[-1], replay.states[-1]
    best, second = sorted(points, reverse=True)[:2]
    return {
        "players": len(points),
        "rounds": -(-len(turns) // len(points)),
        "turns": len(turns),
        "decisions": sum(len(turn.acts) for turn in turns),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": over.ranks.count(1) > 1,
        "lead_changes": recounting.lead_changes(replay.states[1:-1]),
        "margin": best - second,
        "busts": sum(not turn.held for turn in turns),
    }


def seat_columns(replay: Replay) -> Rows:
    """Return the rows of `seats` in seat order, but for the game's number and the style."""
    turns, over = replay.events[1:-1], replay.events[-1]
    shares, rows = recounting.win_shares(over.ranks, over.truncated), []
    for seat, (points, rank) in enumerate(zip(replay.states[-1], over.ranks, strict=True)):
        own = [turn for turn in turns if turn.seat == seat]
        rows.append(
            {
                "seat": seat,
                "score": points,
                "rank": rank,
                "win_share": shares[seat],
                "truncated": over.truncated,
                "own_turns": len(own),
                "rolls": sum(len(turn.dice) for turn in own),
                "own_busts": sum(not turn.held for turn in own),
            }
        )
    return rows


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and logarithms."""
    asked = [(before, seat, len(events.ACTS)) for before, seat, _ in acts_of(replay)]
    return standing_rows(replay.states[:-1], asked)


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style."""
    turns = len(replay.events) - 2
    return act_rows(acts_of(replay), turns, len(replay.states[0]), events.ACTS)


def acts_of(replay: Replay) -> list[tuple[int, int, str]]:
    """Return what was chosen as (turns before, seat, act)."""
    return [(turn.number - 1, turn.seat, act) for turn in replay.events[1:-1] for act in turn.acts]
