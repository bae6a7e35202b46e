"""The long tables of West Story, counted again from a refereed game: cards, villains, towns...

Rows are mappings by column name; coded columns hold their labels.
"""

from collections.abc import Iterable

from sim.games.game import Replay
from sim.games.west_story import endgame
from sim.games.west_story.events import ROW_SPOTS, SPOTS
from sim.games.west_story.happened import (
    Columns,
    deeds_of,
    ends_of_rounds,
    of_kind,
    pair_name,
    points_of,
    rules_of,
    share_of,
)
from sim.games.west_story.logbook import (
    Bought,
    Bribed,
    Deed,
    Executed,
    Fought,
    Marked,
    Reset,
    RoundBegins,
    Skipped,
    Turn,
)
from sim.games.west_story.phases import PURCHASES
from sim.games.west_story.rulebook import QUADRUPLE, WILD, Card, Flip, Paid, Rules, Table

NONE, NOT_PLAYED = "none", "not_played"


# Cards, villains, towns


def market_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `market` table in the order of cards, but for the game number."""
    rules, start = rules_of(replay), replay.events[0]
    seen = [kind for row in start.market for kind in row if kind is not None]
    for event in of_kind(replay, Turn):
        seen += [kind for _, _, kind in event.drawn]
        resets = [deed for deed in event.deeds if isinstance(deed, Reset)]
        seen += [kind for deed in resets for _, _, kind in deed.drawn]
    bought = [(n, seat, deed) for n, seat, deed in deeds_of(replay) if isinstance(deed, Bought)]
    executed = [d.card for _, _, d in deeds_of(replay) if isinstance(d, Executed)]

    def slug(kind: int | None) -> str | None:
        return None if kind is None else rules.cards[kind].slug

    rows = []
    for name, card in rules.components.cards.items():
        copies = [(number, seat, d) for number, seat, d in bought if slug(d.card) == name]
        owners = {seat for _, seat, _ in copies}
        paid = [deed.paid for _, _, deed in copies]
        rows.append(
            {
                "card": name,
                "in_play": card.deck != "building" or name in start.deal.buildings,
                "seen": sum(slug(kind) == name for kind in seen),
                "bought": len(copies),
                "owners": len(owners),
                "win_share": share_of(replay, owners),
                "executed": sum(slug(kind) == name for kind in executed),
                **{good: sum(getattr(one, good) for one in paid) for good in Paid._fields},
                "rounds": sum(number for number, _, _ in copies),
            }
        )
    return rows


def flips_of(replay: Replay) -> dict[int, int]:
    """Return the round (from 1) in which the token of each place turned up."""
    return {
        one.place: number
        for number, _, deed in deeds_of(replay)
        for one in getattr(deed, "outcome", ())
        if isinstance(one, Flip)
    }


def villain_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `villains` table in the order of places, but for the game number."""
    rules, flips = rules_of(replay), flips_of(replay)
    names = [*rules.components.villain_tokens.tokens, "uncatchable"]
    rows = []
    for place, (area, token) in enumerate(
        zip(rules.places, replay.events[0].deal.tokens, strict=True)
    ):
        met = [
            (number, seat, deed)
            for number, seat, deed in deeds_of(replay)
            if isinstance(deed, Fought | Bribed) and deed.place == place
        ]
        bribes = [deed for _, _, deed in met if isinstance(deed, Bribed)]
        fought = [(seat, deed) for _, seat, deed in met if isinstance(deed, Fought)]
        gone = [n for n, _, deed in met if isinstance(deed, Fought) or deed.leaves]
        rows.append(
            {
                "place": area.slug,
                "token": names[token],
                "turned_round": flips.get(place, 0),
                "bribes": len(bribes),
                "paid": sum(sum(deed.paid) for deed in bribes),
                "gone_round": gone[0] if gone else 0,
                "fought": bool(fought),
                "pot": sum(sum(deed.pot) for _, deed in fought),
                "win_share": share_of(replay, [fought[0][0]]) if fought else None,
            }
        )
    return rows


def town_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `towns` table in the order of towns, but for the game number."""
    table = replay.states[-1]
    seats = range(len(table.players))
    rows = []
    for number, town in enumerate(table.rules.towns):
        discs = [table.discs_of(seat, number) for seat in seats]
        there = [seat for seat in seats if discs[seat]]
        used = [
            town.spots[symbol]
            for symbol, owner in enumerate(table.discs[number])
            if owner is not None and owner in seats
        ]
        rows.append(
            {
                "town": town.slug,
                "discs": sum(discs),
                "seats": len(there),
                "full": sum(count == len(town.disc_vp) for count in discs),
                "quadruples": QUADRUPLE in used,
                "wilds": WILD in used,
                "vp": sum(endgame.town_vp(table, seat, number) for seat in seats),
                "win_share": share_of(replay, there),
            }
        )
    return rows


# Spots, purchases, rounds


def spot_label(spot: int) -> str:
    """Return `top_1` to `bottom_6`."""
    return f"{'bottom' if spot >= ROW_SPOTS else 'top'}_{spot % ROW_SPOTS + 1}"


def space_columns(replays: Iterable[Replay]) -> list[Columns]:
    """Return the rows of the `spaces` table, summed over those games that ended by rule."""
    counts = ("by_die", "moved", "by_combo", "by_token", "by_trade", "as_space", "cards")
    rows: list[Columns] = [
        {"spot": spot_label(spot), "seats": 0, **dict.fromkeys(counts, 0)} for spot in range(SPOTS)
    ]
    for replay in replays:
        if replay.events[-1].truncated:
            continue
        for row in rows:
            row["seats"] += len(replay.events[-1].results)
        for _, _, deed in deeds_of(replay):
            if isinstance(deed, Marked):
                rows[deed.spot][_why(deed)] += 1
            elif isinstance(deed, Executed):
                rows[deed.spot]["as_space"] += deed.card is None
            elif isinstance(deed, Bought):
                rows[deed.spot]["cards"] += 1
    return rows


def _why(mark: Marked) -> str:
    if mark.why in ("yellow", "green"):
        return "moved" if mark.moved else "by_die"
    return f"by_{mark.why}"


def symbols_label(rules: Rules, card: Card) -> str:
    """Return `wild`, `star` or `star + wheel`, in the order of the certificates."""
    if card.wild:
        return WILD
    if len(card.symbols) == 1:
        return rules.symbols[min(card.symbols)]
    pairs = [frozenset(pair) for pair in rules.pairs]
    return pair_name(rules, pairs.index(card.symbols))


def most_rounds(rules: Rules) -> int:
    """Return how many rounds a game can have: each takes a coin of the pan, but for the last."""
    by_pan = rules.components.pan.coins + (rules.rulings.end_test == "cannot_take")
    return min(by_pan, rules.rulings.round_cap)


def purchase_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `purchases` table, but for game and style.

    By round, seat and purchase, for as many rounds as a game can have.
    """
    rules = rules_of(replay)
    made: dict[tuple[int, int], list[Deed]] = {}
    for number, seat, deed in deeds_of(replay):
        if isinstance(deed, Bought | Skipped):
            made.setdefault((number, seat), []).append(deed)
    rows = []
    for number in range(1, most_rounds(rules) + 1):
        for seat in range(rules.players):
            for which in range(PURCHASES):
                deeds = made.get((number, seat))
                rows.append(
                    {
                        "seat": seat,
                        "round": number,
                        "purchase": which + 1,
                        **_purchase(rules, deeds[which] if deeds else None),
                    }
                )
    return rows


def _purchase(rules: Rules, deed: Deed | None) -> Columns:
    """Return what was bought for what; None in a round that the game did not reach."""
    if not isinstance(deed, Bought):
        label = NOT_PLAYED if deed is None else NONE
        nothing = dict.fromkeys(("symbols", "spot", "covers"), NONE)
        return {"card": label, **nothing, **dict.fromkeys(Paid._fields, 0)}
    card = rules.cards[deed.card]
    return {
        "card": card.slug,
        "symbols": symbols_label(rules, card),
        "spot": spot_label(deed.spot),
        "covers": NONE if deed.covers is None else rules.cards[deed.covers].slug,
        **deed.paid._asdict(),
    }


def round_columns(replay: Replay) -> list[Columns]:
    """Return the rows of the `rounds` table, by round and seat, but for game and style."""
    rules, ends = rules_of(replay), ends_of_rounds(replay)
    firsts = [begun.first for begun in of_kind(replay, RoundBegins)]
    rows = []
    for number in range(most_rounds(rules)):
        for seat in range(rules.players):
            row = {"seat": seat, "round": number + 1, "played": number < len(ends)}
            if number < len(ends):
                row |= {"first": firsts[number] == seat, **_standing(ends[number], seat)}
            else:
                row |= {"first": False, **dict.fromkeys(_standing(ends[0], seat), 0)}
            rows.append(row)
    return rows


def _standing(table: Table, seat: int) -> Columns:
    """Return what a seat has and what it is worth at the end of a round."""
    standing = points_of(table, seat)
    standing["vp_licence"] += standing.pop("vp_certificate")
    del standing["marker"]
    return standing
