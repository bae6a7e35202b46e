"""What a seat of West Story may do and how it pays, listed in plain Python for the tests.

Read off the referee's table; shares no code with the compiled game.
"""

from typing import NamedTuple

from sim.games.west_story import phases
from sim.games.west_story.events import SLOTS, SPOTS
from sim.games.west_story.rulebook import Action, Paid, Player, Table


class Act(NamedTuple):
    """Something that a seat may do; what `a` and `b` are hangs on the kind."""

    kind: str
    a: int = -1
    b: int = -1


PASS, SKIP, COW = Act("pass"), Act("skip"), Act("cow")


# Paying


def payment(player: Player, hats: int, coins: int, free: int, cows_first: bool) -> Paid | None:
    """Return how a player pays by its rule, None if it cannot."""
    for _ in range(free):
        if hats > player.hats:
            hats -= 1
        elif coins:
            coins -= 1
        elif hats:
            hats -= 1
    own_hats = min(hats, player.hats)
    left = player.cows - (hats - own_hats)
    for_coins = min(coins, max(left, 0)) if cows_first else max(coins - player.coins, 0)
    if left < for_coins or coins - for_coins > player.coins:
        return None
    return Paid(own_hats, coins - for_coins, hats - own_hats + for_coins)


def bribe(player: Player, asked: int, cows_first: bool) -> Paid:
    """Return what a villain gets of what it asks for."""
    asked = min(asked, player.coins + player.cows)
    first = min(asked, player.cows if cows_first else player.coins)
    return Paid(0, asked - first, first) if cows_first else Paid(0, first, asked - first)


# What is legal


def third(table: Table, seat: int, top: int, bottom: int) -> list[Act]:
    """Return what may be done after the dice have marked two spots, nothing if no choice is due."""
    spots, acts = phases.combo_spots(table, seat, top, bottom), []
    if spots is None:
        if not table.players[seat].wild_tokens:
            return []
        spots, acts = phases.token_spots(table, seat, top, bottom), [PASS]
    return acts + ([Act("spot", spot) for spot in spots] or [COW])


def alternatives(action: Action) -> list[Act]:
    """Return the ways to execute a spot."""
    return [Act("alternative", number) for number in range(len(action.alternatives))]


def certificates(table: Table, seat: int) -> list[Act]:
    """Return the certificates that a seat may buy and can pay."""
    if phases.certificate_fault(table, seat):
        return []
    player = table.players[seat]
    return [
        Act("certificate", stack, end)
        for stack, pile in enumerate(table.certificates)
        for end in range(min(len(pile), 2))
        if phases.certificate_cost(table, stack, end) <= player.coins + player.cows
    ]


def facing(table: Table, seat: int, place: int) -> list[Act]:
    """Return what may be done before a villain."""
    player, token = table.players[seat], table.rules.tokens[table.villains[place].token]
    fights = phases.can_fight(table, seat, place)
    pays = player.coins + player.cows >= token.pay or not fights
    acts = [Act("fight", place)] * fights + [Act("bribe", place)] * pays
    return acts + certificates(table, seat)


def trades(table: Table, seat: int) -> list[Act]:
    """Return what may be done about a trade."""
    acts, town = [PASS], table.area(seat).town
    if town is not None and can_pay(table, seat, *phases.trade_cost(table, seat, town)):
        acts += [
            Act("trade", symbol, spot)
            for symbol in range(len(table.rules.towns[town].spots))
            if phases.trade_fault(table, seat, town, symbol) is None
            for spot in phases.trade_spots(table, seat, town, symbol)
        ]
    return acts + certificates(table, seat)


def can_pay(table: Table, seat: int, hats: int, coins: int, free: int = 0) -> bool:
    return payment(table.players[seat], hats, coins, free, False) is not None


def resets(table: Table, seat: int) -> list[Act]:
    """Return the rows and slots, as a mask, that may be replaced; nothing if it cannot be paid."""
    if not can_pay(table, seat, 1, 0):
        return []
    acts = [PASS]
    for deck, row in enumerate(table.market):
        there = {slot for slot in range(SLOTS) if row[slot] is not None}
        masks = range(1, 1 << SLOTS)
        acts += [Act("reset", deck, mask) for mask in masks if set(slots_of(mask)) <= there]
    return acts


def slots_of(mask: int) -> list[int]:
    return [slot for slot in range(SLOTS) if mask >> slot & 1]


def purchases(table: Table, seat: int) -> list[Act]:
    """Return what may be done about a purchase."""
    player = table.players[seat]
    acts = [
        Act("buy", SLOTS * deck + slot, spot)
        for deck, row in enumerate(table.market)
        for slot, kind in enumerate(row)
        if kind is not None and affordable(table, seat, kind)
        for spot in range(SPOTS)
        if spot not in player.marks
    ]
    return [*acts, SKIP, *certificates(table, seat)]


def affordable(table: Table, seat: int, kind: int) -> bool:
    card = table.rules.cards[kind]
    return can_pay(table, seat, card.hats, card.coins, table.players[seat].discount)
