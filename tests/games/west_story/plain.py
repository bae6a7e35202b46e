"""What West Story's features say, in plain Python for the tests.

An action is done on a picture of the referee's table, and its features are read off before and
after. Written from the features' descriptions; shares no code with the compiled game.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sim.games.west_story import endgame, gains, phases
from sim.games.west_story.effects import Term
from sim.games.west_story.events import ROW_SPOTS
from sim.games.west_story.rulebook import Action, Card, Gain, Paid, Player, Table

MARKERS_A_ROUND = 1.3
NEAR_LAKE = 12
FREE_TRADE = 2
NOTHING = Paid(0, 0, 0)


@dataclass
class Done:
    """An action done on a picture of the table: what it gained, what it paid."""

    before: Table
    table: Table
    seat: int
    worths: dict[str, int]
    paid: Paid = NOTHING
    gained: list[Gain] = field(default_factory=list)

    @property
    def player(self) -> Player:
        return self.table.players[self.seat]

    @property
    def was(self) -> Player:
        return self.before.players[self.seat]

    def total(self, what: str, *without: str) -> int:
        return sum(g.amount for g in self.gained if g.what == what and g.why not in without)

    def gain(self, due: Iterable[Term | Gain], why: str = "effect") -> None:
        """Gain what is due, in its order, and all that follows; counts are those before."""
        bonus = False
        for one in due:
            waiting: list = [one]
            while waiting:
                what = waiting.pop(0)
                if isinstance(what, Term):
                    what = Gain(what.what, gains.amount_of(self.before, self.seat, what), why)
                if isinstance(what, Gain) and not (bonus and what.why == "hat_bonus"):
                    shown = gains.what_is_shown(self.table, self.seat, what)
                    bonus |= what.why == "hat_bonus"
                    self.gained += [shown] if shown else []
                    waiting += gains.receive(self.table, self.seat, what)


def picture(table: Table, seat: int) -> Table:
    """Return a picture of the table on which one seat alone may change."""
    players = list(table.players)
    players[seat] = replace(players[seat])
    return replace(table, players=tuple(players))


# What features say


def worth_of_symbols(table: Table, seat: int) -> int:
    """What the certificate of a seat, or else its licence, is worth."""
    if table.players[seat].certificate is None:
        return endgame.licence_vp(table, seat)
    return endgame.certificate_vp(table, seat)


def worth_of_ends(table: Table, seat: int) -> int:
    return sum(endgame.card_vp(table, seat))


def with_card(table: Table, seat: int, card: Card) -> Table:
    """Return a picture of the table on which a seat owns one more card."""
    after = picture(table, seat)
    first, *others = after.players[seat].stacks
    after.players[seat].stacks = ((*first, card.kind), *others)
    return after


def worth_to(table: Table, seat: int, card: Card) -> int:
    """VP of a card to a seat, now and at the end."""
    after = with_card(table, seat, card)
    growth = worth_of_symbols(after, seat) - worth_of_symbols(table, seat)
    return card.vp + growth + worth_of_ends(after, seat) - worth_of_ends(table, seat)


def counting(table: Table, seat: int) -> set[int]:
    """Symbols that the licence or certificate of a seat counts."""
    player = table.players[seat]
    if player.certificate is None:
        return {player.printed}
    return set(table.rules.pairs[player.certificate])


def rounds_left(table: Table) -> int:
    """Rounds after this one: a coin of the pan each, less those that are taken at the lake."""
    lake = table.rules.components.pan.bonus_at
    near = sum(not p.at_lake and p.vp >= lake - NEAR_LAKE for p in table.players)
    last_taken = table.rules.rulings.end_test == "last_taken"
    return max(table.pan - near - last_taken, 0)


def executions(marks: frozenset[int], spot: int, markers: float) -> float:
    """Executions of an unmarked spot to be expected of so many markers to come in its row."""
    row = spot // ROW_SPOTS * ROW_SPOTS
    marked = [row + space in marks for space in range(ROW_SPOTS)]
    run = 0
    while marked[(spot - row - 1 - run) % ROW_SPOTS]:
        run += 1
    chance = (1 + run) / ROW_SPOTS
    if markers < 1:
        return chance * markers
    free = ROW_SPOTS - sum(marked)
    others = min(1.0, (markers - 1) / (free - 1)) if free > 1 else min(1.0, markers - 1)
    return chance + (1 - chance) * others + max(0.0, markers - free) / ROW_SPOTS


def matches(table: Table, seat: int, spot: int, action: Action) -> int:
    """Spots of the other row that an action on a spot would make a combo with."""
    other = ROW_SPOTS if spot < ROW_SPOTS else 0
    row = (table.action(seat, other + space) for space in range(ROW_SPOTS))
    return sum(action.matches(one) for one in row)


def yields(table: Table, seat: int, action: Action) -> list[dict[str, float]]:
    """What an execution gives, for each alternative, as `engine_...` features."""
    found = []
    for terms in action.alternatives:
        by_name = dict.fromkeys(("coins", "hats", "cows", "vp", "ability"), 0)
        for term in terms:
            name = term.what if term.what in by_name else "ability"
            amount = gains.amount_of(table, seat, term)
            by_name[name] += FREE_TRADE if term.what == "free_trade" and amount else amount
        found.append({f"engine_{name}": amount for name, amount in by_name.items()})
    return found


def worths(table: Table, seat: int) -> dict[str, int]:
    """What is worth something to a seat at the end beside its marker."""
    return {
        "licence_vp": worth_of_symbols(table, seat),
        "card_vp": worth_of_ends(table, seat),
        "town_vp": sum(endgame.town_vp(table, seat, town) for town in range(len(table.discs))),
        "villain_vp": endgame.villain_vp(table, seat),
    }


def outcome(done: Done) -> dict[str, float]:
    """What is gained and paid, and how things then stand."""
    table, player, was, seat = done.table, done.player, done.was, done.seat
    lake = table.rules.components.pan.bonus_at
    coins = done.total("coins") - done.paid.coins
    rivals = (rival.coins for rival in table.players if rival is not player)
    after, before = worths(table, seat), done.worths
    return {
        "vp": done.total("vp", "villain"),
        "coins": coins,
        "hats": done.total("hats") - done.paid.hats,
        "cows": done.total("cows") - done.paid.cows,
        "ability": done.total("discount")
        + done.total("fight")
        + FREE_TRADE * (done.total("free_trade") > 0),
        "to_lake": min(player.vp, lake) - min(was.vp, lake),
        "reaches_lake": player.vp >= lake and not was.at_lake and done.before.pan > 0,
        "in_town": can_put_disc(table, seat),
        "in_desert": table.area(seat).desert and player.certificate is None,
        "meets_villain": phases.villain_faced(table, seat) is not None,
        "richest": was.coins + coins > max(rivals),
        **{name: vp - before[name] for name, vp in after.items()},
    }


def can_put_disc(table: Table, seat: int) -> bool:
    """Tell whether a marker lies where its seat can put another disc, once it can pay."""
    town = table.area(seat).town
    symbols = range(len(table.rules.towns[town].spots)) if town is not None else ()
    return any(phases.trade_fault(table, seat, town, symbol) is None for symbol in symbols)
