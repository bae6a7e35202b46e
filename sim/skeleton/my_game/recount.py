"""The columns of My Game's tables, counted again from a refereed game."""

from typing import Any

from my_game import events
from sim.games import recounting
from sim.games.flowcount import Rows, act_rows, standing_rows
from sim.games.game import Replay


def game_columns(replay: Replay) -> dict[str, Any]:
    """Return the row of `games`, but for the game's number."""
    turns, over, steps = replay.events[1:-1], replay.events[-1], replay.states[-1]
    best, second = sorted(steps, reverse=True)[:2]
    return {
        "players": len(steps),
        "rounds": -(-len(turns) // len(steps)),
        "turns": len(turns),
        "decisions": len(turns),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": over.ranks.count(1) > 1,
        "lead_changes": recounting.lead_changes(replay.states[1:-1]),
        "margin": best - second,
        "falls": sum(turn.die == 1 for turn in turns),
    }


def seat_columns(replay: Replay) -> Rows:
    """Return the rows of `seats` in seat order, but for the game's number and the style."""
    turns, over = replay.events[1:-1], replay.events[-1]
    shares, rows = recounting.win_shares(over.ranks, over.truncated), []
    for seat, (steps, rank) in enumerate(zip(replay.states[-1], over.ranks, strict=True)):
        gone = {"walk": 0, "run": 0}
        for turn in turns:
            gone[turn.act] += turn.steps if turn.seat == seat else 0
        rows.append(
            {
                "seat": seat,
                "score": steps,
                "rank": rank,
                "win_share": shares[seat],
                "truncated": over.truncated,
                "walked": gone["walk"],
                "ran": gone["run"],
            }
        )
    return rows


def standing_columns(replay: Replay) -> Rows:
    """Return the rows of `standings`, but for game, style and logarithms."""
    asked = [(turn.number - 1, turn.seat, len(events.ACTS)) for turn in replay.events[1:-1]]
    return standing_rows(replay.states[:-1], asked)


def act_columns(replay: Replay) -> Rows:
    """Return the rows of `acts`, but for game and style."""
    turns = replay.events[1:-1]
    acts = [(turn.number - 1, turn.seat, turn.act) for turn in turns]
    return act_rows(acts, len(turns), len(replay.states[0]), events.ACTS)
