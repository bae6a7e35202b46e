"""The columns of Street Art's tables, counted again from a refereed game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.games import recounting
from sim.games.comparing import check_all, check_row
from sim.games.game import Replay
from sim.games.street_art.recount_flow import act_columns, standing_columns
from sim.games.street_art.rulebook import RAIN, Collected, Drew, Played, Returned, Stole, Took

Rows = Sequence[Mapping[str, Any]]


@dataclass
class CardCount:
    """What a seat did with a kind of card: copies held and played, hearts that playing gained."""

    held: int = 0
    played: int = 0
    hearts: int = 0


def acts_of(replay: Replay) -> Iterable[Any]:
    """Yield every act of a game, the deal included."""
    return (act for event in replay.events[:-1] for act in event.acts)


def card_counts(replay: Replay) -> dict[tuple[int, str], CardCount]:
    """Return the counts by (seat, card name), for every seat and kind of card."""
    start = replay.events[0]
    seats = range(len(replay.states[0].players))
    counts = {(seat, card): CardCount() for seat in seats for card in start.rules.cards}
    for act in acts_of(replay):
        if isinstance(act, Drew):
            counts[act.seat, act.card].held += 1
        elif isinstance(act, Played):
            counts[act.seat, act.card].played += act.count
        elif isinstance(act, Took | Stole):
            counts[act.seat, act.card].hearts += act.amount
    return counts


def game_columns(replay: Replay) -> dict[str, Any]:
    """Return the row of the `games` table, but for cell and game number."""
    turns, over = replay.events[1:-1], replay.events[-1]
    acts = list(acts_of(replay))
    players = len(replay.states[0].players)
    scores = sorted((score.hearts for score in over.scores), reverse=True)
    return {
        "players": players,
        "rounds": -(-len(turns) // players),
        "turns": len(turns),
        "decisions": sum(turn.options > 1 for turn in turns),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": sum(score.rank == 1 for score in over.scores) > 1,
        "lead_changes": lead_changes(replay),
        "margin": scores[0] - scores[1],
        "rains": sum(isinstance(act, Played) and act.card == RAIN for act in acts),
        "thefts": sum(_is_theft(act, replay) for act in acts),
        "reshuffles": sum(isinstance(act, Collected) and not act.by_rain for act in acts),
        "box_hearts": sum(act.amount for act in acts if isinstance(act, Returned)),
        "final_card": final_card(replay),
    }


def _is_theft(act: Any, replay: Replay) -> bool:
    """Tell whether a Street Star stole at least one heart."""
    cards = replay.events[0].rules.cards
    return isinstance(act, Stole) and act.amount > 0 and cards[act.card].is_star


def lead_changes(replay: Replay) -> int:
    """Count how often a seat became the sole leader after another seat was the last one."""
    return recounting.lead_changes(
        [player.hearts for player in state.players] for state in replay.states[1:-1]
    )


def final_card(replay: Replay) -> str:
    """Return the card that emptied the middle, "none" for a game that was cut off."""
    if replay.events[-1].truncated:
        return "none"
    takings = [act for act in acts_of(replay) if isinstance(act, Took) and act.amount > 0]
    return takings[-1].card


def seat_columns(replay: Replay) -> list[dict[str, Any]]:
    """Return the rows of the `seats` table in seat order, but for cell, game number and style."""
    over = replay.events[-1]
    shares = recounting.win_shares([score.rank for score in over.scores], over.truncated)
    rows: list[dict[str, Any]] = [
        {
            "seat": score.seat,
            "score": score.hearts,
            "rank": score.rank,
            "win_share": shares[score.seat],
            "truncated": over.truncated,
            "from_middle": 0,
            "stolen": 0,
            "lost_to_theft": 0,
            "lost_to_rain": 0,
        }
        for score in over.scores
    ]
    for act in acts_of(replay):
        if isinstance(act, Took):
            rows[act.seat]["from_middle"] += act.amount
        elif isinstance(act, Stole):
            rows[act.seat]["stolen"] += act.amount
            rows[act.victim]["lost_to_theft"] -= act.amount
        elif isinstance(act, Returned):
            rows[act.seat]["lost_to_rain"] -= act.amount
    return rows


def check_rows(
    replay: Replay,
    game_row: Mapping[str, Any],
    seat_rows: Rows,
    standing_rows: Rows | None = None,
    act_rows: Rows | None = None,
) -> None:
    """Compare a game's rows of the tables, by column name, with the replay.

    Coded columns hold their labels; standings and acts are None for a game that is not sampled.
    Raises `RuleBroken` at the first column that differs or is missing.
    """
    check_row("games", game_row, game_columns(replay))
    check_all("seats", seat_rows, seat_columns(replay))
    if standing_rows is not None:
        check_all("standings", standing_rows, standing_columns(replay))
    if act_rows is not None:
        check_all("acts", act_rows, act_columns(replay))
