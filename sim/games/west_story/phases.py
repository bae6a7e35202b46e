"""What is done in a game of West Story, by the rulebook's headings: production, turns, the dice.

Functions named `..._fault` tell in a line why an act is not allowed, None when it is; the others
change the table and return what follows at once.
"""

from collections.abc import Sequence

from sim.games.west_story.events import DECKS, ROW_SPOTS, SLOTS, SPOTS
from sim.games.west_story.gains import met_in, put_villain, room_for, turn_up
from sim.games.west_story.rulebook import (
    QUADRUPLE,
    WILD,
    Gain,
    Outcome,
    Paid,
    Player,
    Table,
    Villain,
)

ALL_SYMBOLS = frozenset(range(4))
PURCHASES = 2
"""Purchases of a turn, those skipped too."""


# Production


def spot_for_die(player: Player, row: int, value: int) -> int:
    """Return the spot that a die marks: its own, or the first one free to the right and around."""
    for step in range(ROW_SPOTS):
        spot = row * ROW_SPOTS + (value - 1 + step) % ROW_SPOTS
        if spot not in player.marks:
            return spot
    raise ValueError("a full row was not cleared")


def combo_spots(table: Table, seat: int, top: int, bottom: int) -> list[int] | None:
    """Return the spots that two marked ones allow as a combo, None when they make none."""
    one, other = table.action(seat, top), table.action(seat, bottom)
    if not one.matches(other):
        return None
    rulings = table.rules.rulings
    if one.wild and other.wild:
        if rulings.double_wild == "cow":
            return []
        symbols = ALL_SYMBOLS
    elif one.wild or other.wild:
        symbols = one.symbols | other.symbols
    else:
        symbols = one.symbols & other.symbols
    return spots_with(table, seat, symbols, rulings.wild_third)


def token_spots(table: Table, seat: int, top: int, bottom: int) -> list[int]:
    """Return the spots that a wild token allows: those with a symbol of the roll."""
    symbols = table.action(seat, top).symbols | table.action(seat, bottom).symbols
    return spots_with(table, seat, symbols, table.rules.rulings.wild_third)


def spots_with(table: Table, seat: int, symbols: frozenset[int], wild: bool) -> list[int]:
    """Return the unmarked spots with one of the symbols, wild ones too if they may be."""
    spots = []
    for spot in range(SPOTS):
        action = table.action(seat, spot)
        fits = wild if action.wild else action.symbols & symbols
        if spot not in table.players[seat].marks and fits:
            spots.append(spot)
    return spots


def full_rows(player: Player) -> list[int]:
    """Return the rows in which all spots are marked."""
    rows = [range(row * ROW_SPOTS, (row + 1) * ROW_SPOTS) for row in range(SPOTS // ROW_SPOTS)]
    return [number for number, row in enumerate(rows) if player.marks.issuperset(row)]


def clear_row(player: Player, row: int) -> None:
    """Remove the markers from a row."""
    player.marks = frozenset(spot for spot in player.marks if spot // ROW_SPOTS != row)


# Paying


def payment_fault(player: Player, hats: int, coins: int, free: int, paid: Paid) -> str | None:
    """Tell why a cost of hats and coins, `free` of which may be left out, is not paid like this.

    Cows replace either.
    """
    if min(paid) < 0:
        return "nobody pays less than nothing"
    for name, owned, spent in zip(
        Paid._fields, (player.hats, player.coins, player.cows), paid, strict=True
    ):
        if spent > owned:
            return f"it has {owned} {name}"
    missing = hats + coins - sum(paid)
    if paid.hats > hats or paid.coins > coins or not 0 <= missing <= free:
        less = f", {free} of these free" if free else ""
        return f"the cost is {hats} hats and {coins} coins{less}, cows for either"
    return None


def pay(table: Table, seat: int, paid: Paid) -> None:
    """Pay to the supply."""
    player = table.players[seat]
    player.hats -= paid.hats
    player.coins -= paid.coins
    player.cows -= paid.cows
    table.coins_out -= paid.coins
    table.cows_out -= paid.cows


# 1. Face a villain!


def villain_faced(table: Table, seat: int) -> int | None:
    """Return the place of the villain that a seat has to face, None without one."""
    return met_in(table, table.rules.area(table.players[seat].vp))


def can_fight(table: Table, seat: int, place: int) -> bool:
    """Tell whether a seat can pay the whole cost of a fight."""
    player, token = table.players[seat], table.token(place)
    missing = max(0, token.hats - player.hats) + max(0, token.coins - player.coins)
    return token.catchable and missing <= player.cows + player.fight


def fight_fault(table: Table, seat: int, place: int, paid: Paid) -> str | None:
    """Tell why a seat may not remove the token like this."""
    player, token = table.players[seat], table.token(place)
    if not token.catchable:
        return "this villain cannot be fought"
    return payment_fault(player, token.hats, token.coins, player.fight, paid)


def fight(table: Table, seat: int, place: int) -> list[Outcome]:
    """Take the token and what lies on it."""
    villain, token = table.villains[place], table.token(place)
    table.players[seat].villains += (table.token_code(place),)
    following = take_token_away(table, place)
    if villain.coins:
        following.append(Gain("coins", villain.coins, "pot"))
    if villain.cows:
        following.append(Gain("cows", villain.cows, "pot"))
    if table.rules.rulings.villain_vp == "at_once" and token.vp:
        following.append(Gain("vp", token.vp, "villain"))
    return following


def take_token_away(table: Table, place: int) -> list[Outcome]:
    """Empty a place by way of the supply; the next token of a stack turns up if it is met."""
    villain = table.villains[place]
    table.coins_out -= villain.coins
    table.cows_out -= villain.cows
    put_villain(table, place, Villain(None))
    stacked = {
        area
        for area in map(table.rules.area, (player.vp for player in table.players))
        if place in table.rules.stacks[area]
    }
    return [flip for area in sorted(stacked) for flip in turn_up(table, area)]


def bribe_fault(table: Table, seat: int, place: int, paid: Paid) -> str | None:
    """Tell why a seat may not pay a villain like this; who can do nothing else pays all it has."""
    player, token = table.players[seat], table.token(place)
    owned = player.coins + player.cows
    if owned >= token.pay:
        return payment_fault(player, 0, token.pay, 0, paid)
    if can_fight(table, seat, place):
        return "who cannot pay in full and can fight has to fight"
    if paid != (0, player.coins, player.cows):
        return f"it pays all it has, {player.coins} coins and {player.cows} cows, of {token.pay}"
    return None


def bribe(table: Table, seat: int, place: int, paid: Paid) -> None:
    """Put what is paid on the token; cows as coins by `paid_cows = become_coins`."""
    pay(table, seat, paid)
    villain = table.villains[place]
    cows = paid.cows if table.rules.rulings.paid_cows == "stay_cows" else 0
    coins = paid.coins + paid.cows - cows
    table.coins_out += coins
    table.cows_out += cows
    put_villain(
        table, place, villain._replace(coins=villain.coins + coins, cows=villain.cows + cows)
    )


def has_enough(table: Table, place: int) -> bool:
    """Tell whether an uncatchable villain has got all that it takes to leave."""
    villain, leaves_at = table.villains[place], table.rules.components.uncatchable.leaves_at
    return not table.token(place).catchable and villain.coins + villain.cows >= leaves_at


def discard_villain(table: Table, place: int) -> list[Outcome]:
    """Discard an uncatchable villain; what lies on it goes back to the supply."""
    table.left += (table.token_code(place),)
    return take_token_away(table, place)


# 2. Trade with a town


def trade_fault(table: Table, seat: int, town: int, symbol: int) -> str | None:
    """Tell why a seat may not put a disc on a symbol of a town."""
    area, player = table.area(seat), table.players[seat]
    if area.town is None or area.town != town:
        return f"its marker lies in {area.title}"
    if player.discs == 0:
        return "it has no disc left"
    most = len(table.rules.towns[town].disc_vp)
    if table.discs_of(seat, town) == most:
        return f"it has traded {most} times with {table.rules.towns[town].title}"
    if table.discs[town][symbol] is not None:
        return "a disc lies on that symbol"
    return None


def trade_spots(table: Table, seat: int, town: int, symbol: int) -> list[int]:
    """Return the unmarked spots that a symbol of a town allows."""
    name = table.rules.towns[town].spots[symbol]
    if name == WILD:
        unmarked = (spot for spot in range(SPOTS) if spot not in table.players[seat].marks)
        return [spot for spot in unmarked if table.action(seat, spot).wild]
    symbols = ALL_SYMBOLS if name == QUADRUPLE else {table.rules.symbols.index(name)}
    return spots_with(table, seat, frozenset(symbols), wild=False)


def trade_cost(table: Table, seat: int, town: int) -> tuple[int, int]:
    """Return the hats and coins that a trade costs."""
    if table.players[seat].free_trade:
        return 0, 0
    return table.rules.towns[town].hats, table.rules.towns[town].coins


def put_disc(table: Table, seat: int, town: int, symbol: int) -> None:
    """Put a disc; a free trade is used up."""
    player = table.players[seat]
    player.discs -= 1
    player.free_trade = False
    discs = [list(symbols) for symbols in table.discs]
    discs[town][symbol] = seat
    table.discs = tuple(map(tuple, discs))


# 3. Purchase cards


def unmarked_fault(table: Table, seat: int, spot: int) -> str | None:
    """Tell why a card may not be put on a spot."""
    if not 0 <= spot < SPOTS:
        return f"there are spots 0 to {SPOTS - 1}"
    return "a marker lies there" if spot in table.players[seat].marks else None


def buy(table: Table, seat: int, deck: int, slot: int, spot: int, paid: Paid) -> list[Outcome]:
    """Pay for a card of the market and put it on a spot."""
    player, card = table.players[seat], table.offered(deck, slot)
    player.discount -= card.hats + card.coins - sum(paid)
    pay(table, seat, paid)
    put_in_market(table, deck, slot, None)
    stacks = list(player.stacks)
    stacks[spot] += (card.kind,)
    player.stacks = tuple(stacks)
    return [Gain("vp", card.vp, "card")] if card.vp else []


def skip(table: Table, seat: int) -> list[Outcome]:
    """Skip a purchase for a cow; with a full herd VP or, by `skip_cow_overflow`, nothing."""
    full = room_for(table, seat, "cows") == 0
    if full and table.rules.rulings.skip_cow_overflow == "nothing":
        return []
    return [Gain("cows", 1, "skip")]


def put_in_market(table: Table, deck: int, slot: int, kind: int | None) -> None:
    """Change what lies on a slot of the market."""
    rows = [list(row) for row in table.market]
    rows[deck][slot] = kind
    table.market = tuple(map(tuple, rows))


def refill(table: Table, decks: Sequence[int] = range(len(DECKS))) -> list[tuple[int, int, int]]:
    """Refill rows of the market as far as their decks reach; return (deck, slot, kind) drawn."""
    drawn = []
    for deck in decks:
        for slot in range(SLOTS):
            if table.market[deck][slot] is None and table.decks[deck]:
                kind, *rest = table.decks[deck]
                change_deck(table, deck, rest)
                put_in_market(table, deck, slot, kind)
                drawn.append((deck, slot, kind))
    return drawn


def change_deck(table: Table, deck: int, cards: Sequence[int]) -> None:
    """Change a deck, top first."""
    decks = list(table.decks)
    decks[deck] = tuple(cards)
    table.decks = tuple(decks)


# 4. Reset your hat track to "0"!


def end_turn(table: Table, seat: int) -> None:
    """Let the hats ride away; abilities that were not used end too."""
    player = table.players[seat]
    player.hats = player.discount = player.fight = 0
    player.free_trade = False
    table.turn = None


# Railroad Certificates


def certificate_at(table: Table, stack: int, end: int) -> int | None:
    """Return the certificate on top (end 0) or at the bottom (1) of a stack, None without."""
    if not (0 <= stack < len(table.certificates) and 0 <= end <= 1 and table.certificates[stack]):
        return None
    return table.certificates[stack][-end]


def certificate_cost(table: Table, stack: int, end: int) -> int:
    """Return the coins for the top or the bottom one; a single one is on top."""
    costs = table.rules.components.certificates
    return costs.cost_bottom if end and len(table.certificates[stack]) > 1 else costs.cost_top


def certificate_fault(table: Table, seat: int) -> str | None:
    """Tell why a seat may not buy a certificate."""
    area = table.area(seat)
    if not area.desert:
        return f"its marker lies in {area.title}, where no certificates are sold"
    return None if table.players[seat].certificate is None else "it has a certificate"


def take_certificate(table: Table, seat: int, stack: int, end: int) -> None:
    """Put a certificate on the player board."""
    stacks = [list(pile) for pile in table.certificates]
    table.players[seat].certificate = stacks[stack].pop(-end)
    table.certificates = tuple(map(tuple, stacks))


# D. Pass the Dice


def pass_the_dice(table: Table) -> tuple[int, bool]:
    """Give the dice to the richest, with a coin of the pan; return the seat and whether tied.

    In a tie the coin is discarded, and the tied player closest to the first one's left gets the
    dice.
    """
    with_cows = table.rules.rulings.richest == "coins_and_cows"
    wealth = [player.coins + player.cows * with_cows for player in table.players]
    order = table.order()
    richest = [seat for seat in (*order[1:], order[0]) if wealth[seat] == max(wealth)]
    table.pan -= 1
    tied = len(richest) > 1
    if tied:
        table.coins_out -= 1
    else:
        table.players[richest[0]].coins += 1
    table.first = richest[0]
    return richest[0], tied
