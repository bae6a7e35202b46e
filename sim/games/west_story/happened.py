"""What happened in a refereed game of West Story, gathered for the columns of its tables."""

from collections.abc import Iterable
from typing import Any

from sim.games import recounting
from sim.games.game import Replay
from sim.games.west_story import endgame
from sim.games.west_story.logbook import AtTheLake, Deed, GameOver, Production, Turn
from sim.games.west_story.rulebook import LakeCoin, Rules, Table

Columns = dict[str, Any]
"""A row of a table by column name; coded columns hold their labels."""


def rules_of(replay: Replay) -> Rules:
    """Return the rules of a game."""
    return replay.events[0].rules


def of_kind(replay: Replay, kind: type) -> list[Any]:
    """Return the events of one kind in their order."""
    return [event for event in replay.events if isinstance(event, kind)]


def deeds_of(replay: Replay) -> list[tuple[int, int, Deed]]:
    """Return all deeds as (round from 1, seat, deed), in their order."""
    return [
        (event.round + 1, event.seat, deed)
        for event in replay.events
        if isinstance(event, Production | Turn)
        for deed in event.deeds
    ]


def own(replay: Replay, seat: int, *kinds: type) -> list[Any]:
    """Return the deeds of a seat that are of some kinds."""
    return [deed for _, who, deed in deeds_of(replay) if who == seat and isinstance(deed, kinds)]


def coins_at_lake(replay: Replay) -> list[LakeCoin]:
    """Return all coins given at the lake."""
    coins = [coin for event in of_kind(replay, AtTheLake) for coin in event.coins]
    for _, _, deed in deeds_of(replay):
        coins += [one for one in getattr(deed, "outcome", ()) if isinstance(one, LakeCoin)]
    return coins


def lead_changes(replay: Replay) -> int:
    """Count how often a seat became sole leader on the track after another was the last one.

    Looked at after the production of all and after every turn.
    """
    track: list[list[int]] = []
    producing = 0
    for event, state in zip(replay.events, replay.states, strict=True):
        producing = producing + 1 if isinstance(event, Production) else 0
        if isinstance(event, Turn) or producing == len(state.players):
            track.append([player.vp for player in state.players])
    return recounting.lead_changes(track)


def win_shares(replay: Replay) -> list[float | None]:
    """Return what part of the win each seat has, None for a game that was cut off."""
    over: GameOver = replay.events[-1]
    return recounting.win_shares([result.rank for result in over.results], over.truncated)


def share_of(replay: Replay, seats: Iterable[int]) -> float | None:
    """Return the sum of the win shares of some seats, None for a game that was cut off."""
    shares = win_shares(replay)
    return None if None in shares else sum(shares[seat] or 0.0 for seat in seats)


def ends_of_rounds(replay: Replay) -> list[Table]:
    """Return the table at the end of each round."""
    last: dict[int, Table] = {}
    for event, state in zip(replay.events[1:-1], replay.states[1:-1], strict=True):
        last[event.round] = state
    return [last[number] for number in sorted(last)]


def points_of(table: Table, seat: int) -> Columns:
    """Return the parts of a seat's score."""
    player, parts = table.players[seat], endgame.final_parts(table, seat)
    sources = player.vp_sources
    return {
        **{f"vp_{source}": sources[source] for source in sources if source != "villains"},
        "vp_villains": endgame.villain_vp(table, seat),
        "vp_towns": parts["towns"],
        "vp_licence": parts["licence"],
        "vp_certificate": parts["certificate"],
        "vp_end": parts["cards"],
        "marker": player.vp,
        "coins": player.coins,
        "cows": player.cows,
    }


def pair_name(rules: Rules, certificate: int) -> str:
    """Return `star + wheel`."""
    return " + ".join(rules.symbols[symbol] for symbol in rules.pairs[certificate])
