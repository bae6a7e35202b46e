"""The columns of West Story's tables, counted again from a refereed game.

Rows are mappings by column name; coded columns hold their labels.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sim.games.comparing import check_all, check_row
from sim.games.game import Replay
from sim.games.west_story import endgame
from sim.games.west_story.events import DECKS
from sim.games.west_story.gains import counted
from sim.games.west_story.happened import (
    Columns,
    coins_at_lake,
    deeds_of,
    ends_of_rounds,
    lead_changes,
    of_kind,
    own,
    pair_name,
    points_of,
    rules_of,
    win_shares,
)
from sim.games.west_story.logbook import (
    Bought,
    Bribed,
    Certified,
    Cleared,
    ComboCow,
    Deed,
    DicePassed,
    Executed,
    Fought,
    GameOver,
    Marked,
    Reset,
    RoundBegins,
    SetUp,
    Skipped,
    Traded,
    Turn,
)
from sim.games.west_story.recount_flow import act_columns, standing_columns
from sim.games.west_story.recount_long import (
    NONE,
    market_columns,
    purchase_columns,
    round_columns,
    space_columns,
    town_columns,
    villain_columns,
)

Rows = Sequence[Mapping[str, Any]]


# Games and seats


def game_columns(replay: Replay) -> Columns:
    """Return the row of the `games` table, but for cell, game number and decisions."""
    start: SetUp = replay.events[0]
    over: GameOver = replay.events[-1]
    scores = sorted((result.score for result in over.results), reverse=True)
    lake = coins_at_lake(replay)
    deeds = [deed for _, _, deed in deeds_of(replay)]

    def count(kind: type) -> int:
        return sum(isinstance(deed, kind) for deed in deeds)

    return {
        "players": start.players,
        "rounds": over.rounds,
        "turns": len(of_kind(replay, Turn)),
        "end_reason": over.reason,
        "truncated": over.truncated,
        "tied": sum(result.rank == 1 for result in over.results) > 1,
        "lead_changes": lead_changes(replay),
        "margin": scores[0] - scores[1],
        **{f"building_{place}": name for place, name in enumerate(start.deal.buildings)},
        "ties": sum(passed.tied for passed in of_kind(replay, DicePassed)),
        "lake_coins": sum(coin.from_pan for coin in lake),
        "bank_coins": sum(not coin.from_pan for coin in lake),
        "bought": count(Bought),
        "skips": count(Skipped),
        "combos": sum(map(is_combo, deeds)),
        "trades": count(Traded),
        "fights": count(Fought),
        "bribes": count(Bribed),
        "certificates": count(Certified),
        "resets": count(Reset),
    }


def is_combo(deed: Deed) -> bool:
    """Tell whether a deed is the third action of a combo, or the cow for it."""
    return is_third(deed, "combo") or (isinstance(deed, ComboCow) and not deed.by_token)


def is_third(deed: Deed, why: str) -> bool:
    """Tell whether a deed marks a third spot for this reason."""
    return isinstance(deed, Marked) and deed.why == why


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
            **points_of(replay.states[-1], result.seat),
            **_certificate(replay, result.seat),
            **_cards(replay, result.seat),
            **_deeds(replay, result.seat),
            **_rounds(replay, result.seat),
        }
        for result in over.results
    ]


def _certificate(replay: Replay, seat: int) -> Columns:
    """Return what a seat's licence and certificate are about."""
    table = replay.states[-1]
    player, rules = table.players[seat], table.rules
    bought = [
        (number, deed)
        for number, who, deed in deeds_of(replay)
        if who == seat and isinstance(deed, Certified)
    ]
    number, paid = (bought[0][0], bought[0][1].paid) if bought else (0, (0, 0, 0))
    held = player.certificate
    return {
        "symbol": rules.symbols[player.printed],
        "certificate": NONE if held is None else pair_name(rules, held),
        "certificate_round": number,
        "certificate_paid": sum(paid),
        "licence_cards": counted(table, seat, "licence symbol"),
        "certificate_pairs": endgame.certificate_pairs(table, seat),
    }


def _cards(replay: Replay, seat: int) -> Columns:
    """Return how many cards a seat bought."""
    bought = own(replay, seat, Bought)
    cards = [rules_of(replay).cards[deed.card] for deed in bought]
    decks = [DECKS[card.deck] for card in cards]
    return {
        "bought": len(cards),
        "production_cards": decks.count("production"),
        "scoring_cards": decks.count("scoring"),
        "buildings": decks.count("building"),
        "animals": sum(card.wild for card in cards),
        "covered": sum(deed.covers is not None for deed in bought),
    }


def _deeds(replay: Replay, seat: int) -> Columns:
    """Return what else a seat did."""
    bribes = own(replay, seat, Bribed)
    marks = own(replay, seat, Marked)
    cows = own(replay, seat, ComboCow)
    by_token = [mark for mark in marks if mark.why == "token"]
    return {
        "skips": len(own(replay, seat, Skipped)),
        "resets": len(own(replay, seat, Reset)),
        "discs": len(own(replay, seat, Traded)),
        "villains": len(own(replay, seat, Fought)),
        "bribes": len(bribes),
        "bribe_paid": sum(sum(deed.paid) for deed in bribes),
        "executed": len(own(replay, seat, Executed)),
        "combos": sum(mark.why == "combo" for mark in marks),
        "combo_cows": sum(not cow.by_token for cow in cows),
        "clears": len(own(replay, seat, Cleared)),
        "tokens_used": len(by_token) + sum(cow.by_token for cow in cows),
    }


def _rounds(replay: Replay, seat: int) -> Columns:
    """Return in which rounds a seat was first, at the lake, richest."""
    ends = ends_of_rounds(replay)
    at_lake = [number for number, table in enumerate(ends, 1) if table.players[seat].at_lake]
    passed = of_kind(replay, DicePassed)
    return {
        "lake_round": min(at_lake, default=0),
        "rounds_first": sum(begun.first == seat for begun in of_kind(replay, RoundBegins)),
        "pan_coins": sum(one.seat == seat and not one.tied for one in passed),
        "hats_lost": sum(turn.hats_lost for turn in of_kind(replay, Turn) if turn.seat == seat),
    }


# Comparing


def check_rows(
    replay: Replay,
    game_row: Mapping[str, Any],
    seat_rows: Rows,
    market_rows: Rows,
    villain_rows: Rows,
    town_rows: Rows,
    purchase_rows: Rows | None = None,
    round_rows: Rows | None = None,
    standing_rows: Rows | None = None,
    act_rows: Rows | None = None,
) -> None:
    """Compare a game's rows of the tables, by column name, with the replay.

    Coded columns hold their labels; the last four are None for a game that is not sampled.
    Raises `RuleBroken` at the first column that differs or is missing.
    """
    check_row("games", game_row, game_columns(replay))
    check_all("seats", seat_rows, seat_columns(replay))
    check_all("market", market_rows, market_columns(replay))
    check_all("villains", villain_rows, villain_columns(replay))
    check_all("towns", town_rows, town_columns(replay))
    if purchase_rows is not None:
        check_all("purchases", purchase_rows, purchase_columns(replay))
    if round_rows is not None:
        check_all("rounds", round_rows, round_columns(replay))
    if standing_rows is not None:
        check_all("standings", standing_rows, standing_columns(replay))
    if act_rows is not None:
        check_all("acts", act_rows, act_columns(replay))


def check_spaces(replays: Sequence[Replay], space_rows: Rows) -> None:
    """Compare the rows of the `spaces` table, which is summed over games, with their replays."""
    check_all("spaces", space_rows, space_columns(replays))
