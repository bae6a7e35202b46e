"""The rulebook of Street Art in plain Python objects, in its order and its terms.

The referee judges games with it and worked examples are played on it. It shares no code with the
compiled rules: it is a second reading of the same text, made to be read rather than to be fast.

    rules = Rules.read(components, rulings)
    table = set_up(rules, players=4, shuffle=in_any_order(random.Random(7)))
    while end_of_the_game(table) is None:
        take_turn(table, legal_actions(table, table.seat)[0])

Whatever happens is announced as an act (`Played`, `Took`, ...) just before it is done.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from sim.games.street_art import events

BEATBOXER, FIREWORKS, BRASS_BAND, RAIN = events.SPECIALS
MIDDLE_EMPTY, TURN_CAP = events.END_REASONS

Occasion = Literal["set-up", "rain", "refill"]
"""Why cards are shuffled."""


# Components


@dataclass(frozen=True)
class Card:
    """A kind of card: `hearts` is the number in the corners of a Street Star, 0 for a Special."""

    name: str
    title: str
    copies: int
    hearts: int
    is_star: bool


@dataclass(frozen=True)
class Rules:
    """The cards by name, Special Cards first, the numbers in the text, and every ruling."""

    cards: Mapping[str, Card]
    hand_size: int
    fireworks_hearts: int
    brass_band_hearts: int
    hearts: int
    steal_shortfall: str
    brass_band: str
    reshuffle: str
    game_end: str
    turn_cap: int

    @classmethod
    def read(cls, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        copies = components["specials"]["copies"]
        specials = [
            Card(name, name.replace("_", " ").title(), copies[name], hearts=0, is_star=False)
            for name in events.SPECIALS
        ]
        stars = [
            Card(name, star["title"], star["copies"], star["hearts"], is_star=True)
            for name, star in components["stars"]["cards"].items()
        ]
        numbers = components["numbers"]
        return cls(
            cards={card.name: card for card in [*specials, *stars]},
            hand_size=numbers["hand_size"],
            fireworks_hearts=numbers["fireworks_hearts"],
            brass_band_hearts=numbers["brass_band_hearts"],
            hearts=rulings["hearts"],
            steal_shortfall=rulings["steal_shortfall"],
            brass_band=rulings["brass_band"],
            reshuffle=rulings["reshuffle"],
            game_end=rulings["game_end"],
            turn_cap=rulings["turn_cap"],
        )

    def title(self, card: str) -> str:
        """Return the card's name as it is printed."""
        return self.cards[card].title


# What happens at the table


@dataclass(frozen=True, slots=True)
class Played:
    """A seat puts `count` copies of a card on its discard pile; Fireworks may name a victim."""

    seat: int
    card: str
    count: int = 1
    victim: int | None = None


@dataclass(frozen=True, slots=True)
class Took:
    """A seat takes hearts from the middle for a card; `due` is what it would get from plenty."""

    seat: int
    amount: int
    card: str
    due: int


@dataclass(frozen=True, slots=True)
class Stole:
    """A seat steals hearts for a card; `due` is what it would get from a rich victim."""

    seat: int
    amount: int
    victim: int
    card: str
    due: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A seat returns hearts to the box because of Rain; `card` is what it shows, if anything."""

    seat: int
    amount: int
    card: str | None
    due: int


@dataclass(frozen=True, slots=True)
class Collected:
    """Piles are shuffled, because of Rain or of an empty draw pile; `cards` from the bottom up."""

    seat: int
    cards: tuple[str, ...]
    by_rain: bool


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat draws the top card of the draw pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat without a card has nothing to play."""

    seat: int


Act = Played | Took | Stole | Returned | Collected | Drew | Passed


# The table


@dataclass
class Player:
    """A seat's hearts, hand and discard pile (last card visible), and when it was last played."""

    hearts: int = 0
    hand: list[str] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    played_on: int = -1

    @property
    def visible(self) -> str | None:
        """The card on top of the discard pile."""
        return self.pile[-1] if self.pile else None


Shuffle = Callable[[list[str], Occasion], list[str]]
Witness = Callable[[Act], None]


@dataclass
class Table:
    """Everything on the table. The draw pile's top is its last card; `turn` counts turns done.

    `shuffle` returns given cards in a new order, bottom first; `witness` is told of every act.
    """

    rules: Rules
    players: list[Player]
    draw_pile: list[str]
    middle: int
    shuffle: Shuffle
    witness: Witness
    box: int = 0
    turn: int = 0

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.turn % len(self.players)

    def others(self, seat: int) -> Iterator[tuple[int, Player]]:
        """Yield every other seat with its player."""
        return ((other, player) for other, player in enumerate(self.players) if other != seat)


def in_any_order(luck: random.Random) -> Shuffle:
    """Return a fair shuffle."""

    def shuffle(cards: list[str], occasion: Occasion) -> list[str]:
        return luck.sample(cards, len(cards))

    return shuffle


def unheard(act: Act) -> None:
    """Witness that lets everything pass."""


# Setup


def set_up(rules: Rules, players: int, shuffle: Shuffle, witness: Witness = unheard) -> Table:
    """Shuffle, deal a hand to each player from seat 0 on, put all hearts in the middle."""
    deck = [card.name for card in rules.cards.values() for _ in range(card.copies)]
    table = Table(
        rules=rules,
        players=[Player() for _ in range(players)],
        draw_pile=shuffle(deck, "set-up"),
        middle=rules.hearts,
        shuffle=shuffle,
        witness=witness,
    )
    for seat, player in enumerate(table.players):
        while table.draw_pile and len(player.hand) < rules.hand_size:
            draw(table, seat)
    return table


# Gameplay


class Action(NamedTuple):
    """A choice: the other card with `brass` Brass Bands before it, or Brass Bands alone."""

    card: str
    brass: int = 0
    victim: int | None = None


def legal_actions(table: Table, seat: int) -> list[Action]:
    """Return the actions open to a seat, distinct by effect; none with an empty hand."""
    held = Counter(table.players[seat].hand)
    bands = held.pop(BRASS_BAND, 0)
    before = bands if table.rules.brass_band == "in_addition" else 0
    actions = [Action(BRASS_BAND, brass) for brass in range(1, bands + 1)]
    for card in table.rules.cards:
        if card in held:
            victims = fireworks_victims(table, seat) if card == FIREWORKS else [None]
            actions += [
                Action(card, brass, victim) for brass in range(before + 1) for victim in victims
            ]
    return actions


def take_turn(table: Table, action: Action | None) -> None:
    """Play an action (None: nothing to play), draw up, and pass the turn on clockwise."""
    seat = table.seat
    if action is None:
        table.witness(Passed(seat))
    else:
        play(table, seat, action)
    if not is_decided(table):
        draw_up(table, seat)
    table.turn += 1


def play(table: Table, seat: int, action: Action) -> None:
    """Place the action's cards face up, Brass Bands first, and take what they give."""
    if action.brass:
        place(table, seat, BRASS_BAND, count=action.brass)
        brass_band(table, seat, action.brass)
    if action.card == BRASS_BAND:
        return
    place(table, seat, action.card, victim=action.victim)
    if action.card == FIREWORKS:
        fireworks(table, seat, action.victim)
    elif action.card == BEATBOXER:
        beatboxer(table, seat)
    elif action.card == RAIN:
        rain(table, seat)
    else:
        street_star(table, seat, action.card)


def place(table: Table, seat: int, card: str, count: int = 1, victim: int | None = None) -> None:
    """Put copies of a card from the hand on the own discard pile, where the last is visible."""
    table.witness(Played(seat, card, count, victim))
    player = table.players[seat]
    for _ in range(count):
        player.hand.remove(card)
        player.pile.append(card)
    player.played_on = table.turn


def street_star(table: Table, seat: int, card: str) -> None:
    """Steal from the player who shows the same star, most recently played; else from the middle.

    `steal_shortfall = from_middle`: what the victim lacks comes from the middle.
    """
    due = table.rules.cards[card].hearts
    victim = most_recent(table, seat, card)
    if victim is None:
        take(table, seat, due, card)
        return
    stolen = steal(table, seat, victim, due, card)
    if stolen < due and table.rules.steal_shortfall == "from_middle":
        take(table, seat, due - stolen, card)


def most_recent(table: Table, seat: int, card: str) -> int | None:
    """Return which other player played the card last among those who still show it."""
    showing = [other for other, player in table.others(seat) if player.visible == card]
    return max(showing, key=lambda other: table.players[other].played_on, default=None)


def take(table: Table, seat: int, due: int, card: str) -> None:
    """Take hearts from the middle, at most all that remain."""
    amount = min(due, table.middle)
    table.witness(Took(seat, amount, card, due))
    table.middle -= amount
    table.players[seat].hearts += amount


def steal(table: Table, seat: int, victim: int, due: int, card: str) -> int:
    """Steal hearts from another player, at most all that they own; return how many."""
    amount = min(due, table.players[victim].hearts)
    table.witness(Stole(seat, amount, victim, card, due))
    table.players[victim].hearts -= amount
    table.players[seat].hearts += amount
    return amount


def draw_up(table: Table, seat: int) -> None:
    """Draw until the hand is full; with no card anywhere it stays short."""
    while len(table.players[seat].hand) < table.rules.hand_size:
        if not table.draw_pile:
            new_draw_pile(table, seat)
        if not table.draw_pile:
            return
        draw(table, seat)


def draw(table: Table, seat: int) -> None:
    """Draw the top card of the draw pile."""
    table.witness(Drew(seat, table.draw_pile[-1]))
    table.players[seat].hand.append(table.draw_pile.pop())


# Special Cards


def fireworks(table: Table, seat: int, victim: int | None) -> None:
    """Steal from any one player."""
    if victim is not None:
        steal(table, seat, victim, table.rules.fireworks_hearts, FIREWORKS)


def fireworks_victims(table: Table, seat: int) -> list[int | None]:
    """Return every other player who owns a heart, or only None when nobody does."""
    return [other for other, player in table.others(seat) if player.hearts > 0] or [None]


def beatboxer(table: Table, seat: int) -> None:
    """Take a heart for each Beatboxer visible, one's own counted."""
    take(table, seat, beatboxers_visible(table), BEATBOXER)


def beatboxers_visible(table: Table) -> int:
    """Count the Beatboxers on top of the discard piles."""
    return sum(player.visible == BEATBOXER for player in table.players)


def brass_band(table: Table, seat: int, count: int) -> None:
    """Take hearts from the middle for each Brass Band."""
    take(table, seat, count * table.rules.brass_band_hearts, BRASS_BAND)


def rain(table: Table, seat: int) -> None:
    """Let the others return hearts to the box, then put every pile under the draw pile."""
    costs = [(other, rain_cost(table, player)) for other, player in table.others(seat)]
    for other, due in costs:
        give_up(table, other, due)
    collected = shuffle_piles(table, seat, by_rain=True)
    table.draw_pile[:0] = collected


def rain_cost(table: Table, player: Player) -> int:
    """Return the hearts that Rain costs a player for the card that they show."""
    card = player.visible
    if card is None:
        return 0
    if card == FIREWORKS:
        return table.rules.fireworks_hearts
    if card == BRASS_BAND:
        return table.rules.brass_band_hearts
    if card == BEATBOXER:
        return beatboxers_visible(table)
    return table.rules.cards[card].hearts


def give_up(table: Table, seat: int, due: int) -> None:
    """Return hearts to the box, at most all that the player owns."""
    player = table.players[seat]
    amount = min(due, player.hearts)
    table.witness(Returned(seat, amount, player.visible, due))
    player.hearts -= amount
    table.box += amount


def new_draw_pile(table: Table, seat: int) -> None:
    """Shuffle the discard piles into a new draw pile.

    `reshuffle = keep_tops`: the visible card of each pile stays where it is.
    """
    table.draw_pile = shuffle_piles(table, seat, by_rain=False)


def shuffle_piles(table: Table, seat: int, by_rain: bool) -> list[str]:
    """Collect the discard piles and return their cards shuffled, bottom first."""
    stay = 1 if table.rules.reshuffle == "keep_tops" and not by_rain else 0
    cards = [card for player in table.players for card in player.pile[: len(player.pile) - stay]]
    if not cards:
        return []
    shuffled = table.shuffle(cards, "rain" if by_rain else "refill")
    table.witness(Collected(seat, tuple(shuffled), by_rain))
    for player in table.players:
        player.pile = player.pile[len(player.pile) - stay :]
    return shuffled


# End of the Game


def is_decided(table: Table) -> bool:
    """Tell whether the action just played ends the game, so that nothing is drawn any more.

    A turn's cards are resolved as a whole, Brass Bands and the card that they accompany.
    `game_end = finish_round`: everyone gets the same number of turns, so the last seat ends it.
    """
    last_seat = table.seat == len(table.players) - 1
    return table.middle == 0 and (table.rules.game_end == "immediate" or last_seat)


def end_of_the_game(table: Table) -> str | None:
    """Return why the game is over between two turns, or None when it goes on."""
    round_complete = table.seat == 0
    if table.middle == 0 and (table.rules.game_end == "immediate" or round_complete):
        return MIDDLE_EMPTY
    return TURN_CAP if table.turn >= table.rules.turn_cap else None


def ranking(table: Table) -> list[int]:
    """Return each seat's rank: 1 owns the most hearts, ties share the better rank."""
    hearts = [player.hearts for player in table.players]
    return [1 + sum(other > own for other in hearts) for own in hearts]


# What never changes


def conservation(table: Table) -> str | None:
    """Tell which hearts or cards came from nowhere or got lost, None when all are there."""
    hearts = [table.middle, table.box, *(player.hearts for player in table.players)]
    if sum(hearts) != table.rules.hearts or min(hearts) < 0:
        return f"there are {sum(hearts)} hearts (fewest {min(hearts)}), not {table.rules.hearts}"
    cards = list(table.draw_pile)
    for player in table.players:
        cards += player.hand
        cards += player.pile
    there = Counter(cards)
    for card in table.rules.cards.values():
        if there[card.name] != card.copies:
            return f"there are {there[card.name]} x {card.title}, not {card.copies}"
    return None
