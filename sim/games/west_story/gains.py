"""What players gain in West Story and what follows at once: limits, bonuses, the score track.

Functions change the table and return what follows.
"""

from collections import Counter
from collections.abc import Iterable

from sim.games.west_story.effects import Term
from sim.games.west_story.events import DECKS
from sim.games.west_story.rulebook import (
    SOURCES,
    Card,
    Flip,
    Gain,
    LakeCoin,
    Outcome,
    Player,
    Table,
    TokenPicked,
    Villain,
)

LIMITED = ("hats", "cows")


# Gains


def what_is_shown(table: Table, seat: int, gain: Gain) -> Gain | None:
    """Return a gain as a log writes it: what finds room, VP if nothing does, None for no gain."""
    if gain.amount == 0:
        return None
    if gain.what in LIMITED:
        free = room_for(table, seat, gain.what)
        if free == 0:
            return Gain("vp", gain.amount, f"too_many_{gain.what}")
        return Gain(gain.what, min(free, gain.amount), gain.why)
    return gain


def room_for(table: Table, seat: int, what: str) -> int:
    """Return how many more hats or cows a seat can take."""
    player, limits = table.players[seat], table.rules.components.limits
    return limits.hats - player.hats if what == "hats" else limits.cows - player.cows


def receive(table: Table, seat: int, gain: Gain, source: str = "") -> list[Outcome]:
    """Give what `what_is_shown` says; return what follows: VP for the rest, bonuses, tokens...

    `source` is where VP of an effect come from, one of `SOURCES`.
    """
    shown = what_is_shown(table, seat, gain)
    player = table.players[seat]
    if shown is None:
        return []
    if shown.what == "vp":
        following = move_marker(table, seat, shown.amount, source_of(shown, source))
    elif shown.what == "hats":
        following = take_hats(table, seat, shown.amount)
    elif shown.what == "cows":
        following = take_cows(table, seat, shown.amount)
    else:
        following = []
        if shown.what == "coins":
            coins_from_supply(table, player, shown.amount)
        else:
            prepare(player, shown)
    if gain.what == "hats" and is_bonus_each_execution(table, player):
        following.append(hat_bonus(table))
    if gain.what in LIMITED and shown.what == gain.what and shown.amount < gain.amount:
        following.append(Gain("vp", gain.amount - shown.amount, f"too_many_{gain.what}"))
    return following


def source_of(gain: Gain, source: str) -> str:
    """Return which of `SOURCES` VP come from."""
    fixed = {"card": "printed", "wild_bonus": "wild", "villain": "villains"}
    if gain.why.startswith("too_many"):
        return "limits"
    return fixed.get(gain.why, source)


def coins_from_supply(table: Table, player: Player, amount: int) -> None:
    """Take coins from the supply."""
    player.coins += amount
    table.coins_out += amount


def take_hats(table: Table, seat: int, amount: int) -> list[Outcome]:
    """Move the hat marker: a coin when it comes to the bonus (`hat_bonus = on_reaching_four`)."""
    player, bonus = table.players[seat], table.rules.components.hat_bonus
    before = player.hats
    player.hats += amount
    reaches = before < bonus.at <= player.hats
    if reaches and table.rules.rulings.hat_bonus == "on_reaching_four":
        return [hat_bonus(table)]
    return []


def is_bonus_each_execution(table: Table, player: Player) -> bool:
    """Tell whether an execution that gave hats earns a coin (`hat_bonus = each_execution`)."""
    at = table.rules.components.hat_bonus.at
    return table.rules.rulings.hat_bonus == "each_execution" and player.hats >= at


def hat_bonus(table: Table) -> Gain:
    """Return the bonus for hats."""
    return Gain("coins", table.rules.components.hat_bonus.coins, "hat_bonus")


def take_cows(table: Table, seat: int, amount: int) -> list[Outcome]:
    """Add cows to the herd; some places of it give coins."""
    player = table.players[seat]
    first = player.cows
    player.cows += amount
    table.cows_out += amount
    coins = sum(table.rules.components.herd_bonus.first[first : player.cows])
    return [Gain("coins", coins, "herd_bonus")] if coins else []


def prepare(player: Player, gain: Gain) -> None:
    """Keep an ability for the turn to come."""
    if gain.what == "discount":
        player.discount += gain.amount
    elif gain.what == "fight":
        player.fight += gain.amount
    else:
        player.free_trade = True


def move_marker(table: Table, seat: int, vp: int, source: str) -> list[Outcome]:
    """Move the score marker: wild tokens, the lake, and a villain in the area where it lies."""
    rules, player = table.rules, table.players[seat]
    player.vp += vp
    player.vp_by = tuple(
        points + vp * (name == source) for name, points in zip(SOURCES, player.vp_by, strict=True)
    )
    following: list[Outcome] = []
    for at in rules.components.wild_tokens.at if rules.rulings.wild_tokens else ():
        if player.vp >= at and at not in player.wild_tokens_at:
            player.wild_tokens_at |= {at}
            player.wild_tokens += 1
            following.append(TokenPicked(at))
    if player.vp >= rules.components.pan.bonus_at and not player.at_lake:
        player.at_lake = True
        following += reach_lake(table, seat)
    return following + turn_up(table, rules.area(player.vp))


def turn_up(table: Table, area: int) -> list[Outcome]:
    """Flip the villain token that is met in an area face up."""
    place = met_in(table, area)
    if place is None or table.villains[place].face_up:
        return []
    put_villain(table, place, table.villains[place]._replace(face_up=True))
    return [Flip(place, table.token_code(place))]


def met_in(table: Table, area: int) -> int | None:
    """Return the place of the villain that is met in an area, None without one."""
    with_token = (p for p in table.rules.stacks[area] if table.villains[p].token is not None)
    return next(with_token, None)


def put_villain(table: Table, place: int, villain: Villain) -> None:
    """Change what lies on a villain place."""
    villains = list(table.villains)
    villains[place] = villain
    table.villains = tuple(villains)


# What effects count


def amount_of(table: Table, seat: int, term: Term) -> int:
    """Return how much a term gives now."""
    if not term.count:
        return term.worth()
    return term.worth(counted(table, seat, term.count))


def counted(table: Table, seat: int, what: str) -> int:
    """Count things of a seat; covered cards count too."""
    player, rules = table.players[seat], table.rules
    cards = [rules.cards[kind] for kind in player.cards]
    if what in ("production card", "scoring card", "building"):
        return sum(DECKS[card.deck] == what.removesuffix(" card") for card in cards)
    if what == "most frequent symbol":
        return max(symbol_counts(cards))
    if what == "symbol set":
        return min(symbol_counts(cards))
    if what == "licence symbol":
        return symbol_counts(cards)[player.printed]
    return {
        "animal": sum(card.wild for card in cards),
        "card": len(cards),
        "villain": len(player.villains),
        "disc": sum(table.discs_of(seat, town) for town in range(len(table.discs))),
        "cow": player.cows,
    }[what]


def symbol_counts(cards: Iterable[Card]) -> list[int]:
    """Return how many cards carry each symbol; wild is none of them."""
    carried = Counter(symbol for card in cards for symbol in card.symbols)
    return [carried[symbol] for symbol in range(4)]


# Gold Panning


def reach_lake(table: Table, seat: int) -> list[Outcome]:
    """Take a coin from the gold pan unless it is empty; in production later, see `at_the_lake`."""
    if table.turn is None:
        table.reached += (seat,)
        return []
    return [lake_coin(table, seat, from_pan=True)] if table.pan else []


def lake_coin(table: Table, seat: int, from_pan: bool) -> LakeCoin:
    """Give a coin for reaching the lake."""
    table.players[seat].coins += 1
    table.pan -= from_pan
    table.coins_out += not from_pan
    return LakeCoin(seat, from_pan)


def at_the_lake(table: Table) -> list[LakeCoin]:
    """Give coins to the seats that reached the lake in this production.

    Two or more of them get the coins that the pan lacks from the bank.
    """
    seats = [seat for seat in table.order() if seat in table.reached]
    if len(seats) == 1 and table.pan == 0:
        seats = []
    table.reached = ()
    return [lake_coin(table, seat, from_pan=table.pan > 0) for seat in seats]
