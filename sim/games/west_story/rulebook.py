"""The rulebook of West Story in plain Python objects, in its order and its terms: the table.

The referee judges games with it and worked examples are played on it. It shares no code with the
compiled rules: it is a second reading of the same text, made to be read rather than to be fast.
Here is what lies on the table and how it is set up; `gains` and `phases` hold what is done with
it, `endgame` what it is worth.

A card is known by the number of its kind, a symbol by its place in `symbols.names` (0..3), spots
are 0..5 in the top row and 6..11 in the bottom row. Fields of players and table hold values that
never change in place, so a shallow copy of either is a picture of that moment.
"""

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.games.west_story.components import Components, Rulings, card_kinds
from sim.games.west_story.effects import Effect, Term, parse_effect, parse_end
from sim.games.west_story.events import DECKS, ROW_SPOTS, SLOTS, SPOTS

BUILDING_TYPES, COSTLY = 5, 4
"""Building types in play; two cost so many coins or more, two others so many hats."""
NEUTRAL = -1
"""Who owns the discs that cover symbols in a game of two."""
QUADRUPLE, WILD = "quadruple", "wild"
SOURCES = ("spaces", "effects", "limits", "printed", "wild", "villains")
"""What VP on the score track come from: board spaces and cards executed, hats and cows beyond
their limits, cards bought, bonuses at wild symbols, villains under `villain_vp = "at_once"`."""


# Components


@dataclass(frozen=True)
class Action:
    """What a spot of the player board offers: symbols, wild or not, and an effect."""

    title: str
    symbols: frozenset[int]
    wild: bool
    effect: Effect

    @property
    def alternatives(self) -> tuple[tuple[Term, ...], ...]:
        """The ways to execute it; one without terms if it does nothing."""
        return self.effect.alternatives or ((),)

    def matches(self, other: "Action") -> bool:
        """Tell whether two marked actions make a combo."""
        return self.wild or other.wild or bool(self.symbols & other.symbols)


@dataclass(frozen=True)
class Card(Action):
    """A card as printed; `kind` is its number, `deck` 0 production, 1 scoring, 2 building."""

    kind: int
    slug: str
    deck: int
    copies: int
    coins: int
    hats: int
    vp: int
    end: Term | None


@dataclass(frozen=True)
class Town:
    """A town: the cost of a trade, VP by number of discs, its symbols by name."""

    slug: str
    title: str
    coins: int
    hats: int
    disc_vp: tuple[int, ...]
    spots: tuple[str, ...]
    wild_bonus: Effect


@dataclass(frozen=True)
class Area:
    """A segment of the score track; numbers of its town and villain place, None without."""

    slug: str
    title: str
    first: int
    last: int | None
    town: int | None
    place: int | None
    desert: bool


@dataclass(frozen=True)
class Token:
    """A villain: what a fight costs, its VP, what it asks for. The uncatchable is not fought."""

    title: str
    hats: int
    coins: int
    vp: int
    pay: int
    catchable: bool = True


@dataclass(frozen=True)
class Rules:
    """Components and rulings for a number of players."""

    players: int
    components: Components
    rulings: Rulings
    symbols: tuple[str, ...]
    cards: tuple[Card, ...]
    spaces: tuple[Action, ...]
    towns: tuple[Town, ...]
    areas: tuple[Area, ...]
    tokens: tuple[Token, ...]
    pairs: tuple[tuple[int, int], ...]
    stacks: tuple[tuple[int, ...], ...]
    """For each area its villain places, the one that is faced first in front."""

    @classmethod
    def read(
        cls, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        model, ruled = Components(**components), Rulings(**rulings)
        names = tuple(model.symbols.names)
        towns = read_towns(model)
        areas = read_areas(model, towns)
        return cls(
            players=players,
            components=model,
            rulings=ruled,
            symbols=names,
            cards=read_cards(model),
            spaces=read_spaces(model, names),
            towns=towns,
            areas=areas,
            tokens=read_tokens(model, ruled.uncatchable_villain),
            pairs=tuple((names.index(a), names.index(b)) for a, b in model.certificates.pairs),
            stacks=tuple(stack_of(areas, area, ruled.dodge_city) for area in areas),
        )

    @property
    def places(self) -> tuple[Area, ...]:
        """The areas with a place for a villain token, by number of the place."""
        return tuple(area for area in self.areas if area.place is not None)

    def area(self, vp: int) -> int:
        """Return the number of the area in which a marker with so many VP lies."""
        return max(number for number, area in enumerate(self.areas) if area.first <= vp)


def read_cards(model: Components) -> tuple[Card, ...]:
    """Return the cards by the number of their kind."""
    cards = []
    for number, kind in enumerate(card_kinds(model)):
        card = model.cards[kind.card]
        cards.append(
            Card(
                title=card.title,
                symbols=frozenset(s for s in range(4) if kind.symbols >> s & 1),
                wild=kind.wild,
                effect=parse_effect(card.effect),
                kind=number,
                slug=kind.card,
                deck=kind.deck,
                copies=kind.copies,
                coins=card.coins,
                hats=card.hats,
                vp=card.vp,
                end=parse_end(card.end),
            )
        )
    return tuple(cards)


def read_spaces(model: Components, names: Sequence[str]) -> tuple[Action, ...]:
    """Return what is printed on the twelve spots of a player board."""
    return tuple(
        Action(
            title=f"{'bottom' if spot >= ROW_SPOTS else 'top'} space {spot % ROW_SPOTS + 1}",
            symbols=frozenset([names.index(space.symbol)]),
            wild=False,
            effect=parse_effect(space.effect),
        )
        for spot, space in enumerate(model.board.spaces())
    )


def read_towns(model: Components) -> tuple[Town, ...]:
    """Return the towns in their order."""
    return tuple(
        Town(
            slug=slug,
            title=town.title,
            coins=town.coins,
            hats=town.hats,
            disc_vp=tuple(town.disc_vp),
            spots=tuple(town.spots),
            wild_bonus=parse_effect(town.wild_bonus),
        )
        for slug, town in model.towns.items()
    )


def read_areas(model: Components, towns: Sequence[Town]) -> tuple[Area, ...]:
    """Return the segments of the score track in their order."""
    slugs = [town.slug for town in towns]
    areas: list[Area] = []
    places = 0
    for slug, area in model.areas.items():
        areas.append(
            Area(
                slug=slug,
                title=area.title,
                first=area.first,
                last=area.last,
                town=slugs.index(area.town) if area.town else None,
                place=places if area.villain else None,
                desert=area.desert,
            )
        )
        places += area.villain
    return tuple(areas)


def read_tokens(model: Components, uncatchable: bool) -> tuple[Token, ...]:
    """Return the villain tokens by code, the uncatchable villain last if it takes part."""
    tokens = [
        Token(token.title, token.hats, token.coins, token.vp, token.pay)
        for token in model.villain_tokens.tokens.values()
    ]
    if uncatchable:
        tokens.append(Token("Uncatchable", 0, 0, 0, model.uncatchable.pay, catchable=False))
    return tuple(tokens)


def stack_of(areas: Sequence[Area], area: Area, dodge_city: str) -> tuple[int, ...]:
    """Return the villain places that are met in an area, in their order.

    `dodge_city = "together"`: those of a town with several segments lie on one stack.
    """
    if area.place is None:
        return ()
    if dodge_city == "per_side" or area.town is None:
        return (area.place,)
    return tuple(a.place for a in areas if a.town == area.town and a.place is not None)


# The table


class Villain(NamedTuple):
    """A place for a villain token and what lies on the token; None when the token is gone."""

    token: int | None
    face_up: bool = False
    coins: int = 0
    cows: int = 0


@dataclass
class Player:
    """A player: board with stacks of cards (top last) and markers, and all that it has.

    `vp` is where the score marker lies, `vp_by` how it came there (by `SOURCES`), `villains` are
    tokens won, `discount`, `fight` and `free_trade` abilities for the turn to come.
    """

    printed: int
    discs: int = 0
    coins: int = 0
    cows: int = 0
    hats: int = 0
    vp: int = 0
    vp_by: tuple[int, ...] = (0,) * len(SOURCES)
    stacks: tuple[tuple[int, ...], ...] = ((),) * SPOTS
    marks: frozenset[int] = frozenset()
    villains: tuple[int, ...] = ()
    certificate: int | None = None
    wild_tokens: int = 0
    wild_tokens_at: frozenset[int] = frozenset()
    at_lake: bool = False
    discount: int = 0
    fight: int = 0
    free_trade: bool = False

    @property
    def cards(self) -> tuple[int, ...]:
        """Kinds of all cards on the board, covered ones too, spot by spot."""
        return tuple(kind for stack in self.stacks for kind in stack)

    @property
    def vp_sources(self) -> dict[str, int]:
        """The VP on the score track by source."""
        return dict(zip(SOURCES, self.vp_by, strict=True))


@dataclass
class Table:
    """Everything on the table.

    `round` counts the rounds completed, `first` has the dice, `turn` is the seat whose turn it is
    (None in production and between rounds). Decks and stacks of certificates list their top
    first; `discs` holds for each town who owns the disc on each symbol (None without,
    `NEUTRAL`). `coins_out` and `cows_out` are what went out of the supply less what came back.
    """

    rules: Rules
    players: tuple[Player, ...]
    buildings: tuple[str, ...] = ()
    in_play: tuple[int, ...] = ()
    """All cards of this game in the order of kinds."""
    round: int = 0
    first: int = 0
    turn: int | None = None
    dice: tuple[int, int] | None = None
    pan: int = 0
    decks: tuple[tuple[int, ...], ...] = ((),) * len(DECKS)
    market: tuple[tuple[int | None, ...], ...] = ((None,) * SLOTS,) * len(DECKS)
    certificates: tuple[tuple[int, ...], ...] = ()
    villains: tuple[Villain, ...] = ()
    left: tuple[int, ...] = ()
    """Tokens that left the game."""
    discs: tuple[tuple[int | None, ...], ...] = ()
    coins_out: int = 0
    cows_out: int = 0
    reached: tuple[int, ...] = ()
    """Seats that reached the lake in this production and have not yet got their coin."""

    def snapshot(self) -> "Table":
        """Return a picture of the table."""
        picture = copy.copy(self)
        picture.players = tuple(copy.copy(player) for player in self.players)
        return picture

    def action(self, seat: int, spot: int) -> Action:
        """Return what a spot of a seat's board offers: its top card, or what is printed."""
        stack = self.players[seat].stacks[spot]
        return self.rules.cards[stack[-1]] if stack else self.rules.spaces[spot]

    def token(self, place: int) -> Token:
        """Return the villain on a place that has one."""
        return self.rules.tokens[self.token_code(place)]

    def token_code(self, place: int) -> int:
        """Return the code of the token on a place that has one."""
        code = self.villains[place].token
        if code is None:
            raise ValueError(f"there is no villain token on place {place}")
        return code

    def offered(self, deck: int, slot: int) -> Card:
        """Return the card on a slot of the market that is not empty."""
        kind = self.market[deck][slot]
        if kind is None:
            raise ValueError(f"there is no card on slot {slot} of deck {deck}")
        return self.rules.cards[kind]

    def area(self, seat: int) -> Area:
        """Return the area in which a seat's score marker lies."""
        return self.rules.areas[self.rules.area(self.players[seat].vp)]

    def discs_of(self, seat: int, town: int) -> int:
        """Count the discs of a seat in a town."""
        return self.discs[town].count(seat)

    def order(self) -> list[int]:
        """Return the seats clockwise from the first player."""
        seats = len(self.players)
        return [(self.first + place) % seats for place in range(seats)]


@dataclass(frozen=True, slots=True)
class Deal:
    """What luck decides in the set-up: see the rows of a log from SET to DRAW."""

    buildings: tuple[str, ...]
    printed: tuple[int, ...]
    certificates: tuple[tuple[int, ...], ...]
    tokens: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...]


def lay_out(rules: Rules, deal: Deal) -> Table:
    """Game Setup: everything in its place but the cards of the market."""
    parts, players = rules.components, rules.players
    start = parts.start
    table = Table(
        rules,
        tuple(Player(symbol, start.discs, start.coins, start.cows) for symbol in deal.printed),
        buildings=deal.buildings,
        in_play=tuple(sorted(kind for deck in deal.decks for kind in deck)),
        pan=parts.pan.coins,
        decks=deal.decks,
        certificates=deal.certificates,
        villains=tuple(Villain(token, coins=parts.villain_tokens.coins) for token in deal.tokens),
        discs=tuple(covered(town, players) for town in rules.towns),
    )
    on_tokens = parts.villain_tokens.coins * len(deal.tokens)
    table.coins_out = table.pan + on_tokens + start.coins * players
    table.cows_out = start.cows * players
    return table


def covered(town: Town, players: int) -> tuple[int | None, ...]:
    """Return the discs of a town at the start: with two players one covers the first symbol."""
    first = NEUTRAL if players == 2 else None
    return (first, *(None for _ in town.spots[1:]))


def buildings_fault(rules: Rules, names: Sequence[str]) -> str | None:
    """Tell why these types of buildings may not be in play together, None when they may."""
    cards, ruling = rules.components.cards, rules.rulings.buildings
    if len(set(names)) != BUILDING_TYPES:
        return f"{BUILDING_TYPES} different types are in play"
    if any(name not in cards or cards[name].deck != "building" for name in names):
        return "they must be buildings"
    if ruling == "base" and not all(cards[name].base for name in names):
        return "the five of the base game are in play"
    if isinstance(ruling, list) and set(names) != set(ruling):
        return f"{', '.join(ruling)} are in play"
    coins = {name for name in names if cards[name].coins >= COSTLY}
    hats = {name for name in names if cards[name].hats >= COSTLY}
    if len(coins) < 2 or len(hats) < 2 or len(coins | hats) < 4:
        return f"two must cost {COSTLY} coins or more, two others {COSTLY} hats or more"
    return None


def cards_in_play(rules: Rules, buildings: Sequence[str]) -> list[Counter[int]]:
    """Return how many cards of each kind a deck holds, deck by deck."""
    decks: list[Counter[int]] = [Counter() for _ in DECKS]
    for card in rules.cards:
        if card.copies and (DECKS[card.deck] != "building" or card.slug in buildings):
            decks[card.deck][card.kind] = card.copies
    return decks


# What happens


@dataclass(frozen=True, slots=True)
class Gain:
    """Something gained: what (`events.GAINS`), how many, why (`events.REASONS`)."""

    what: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A villain token turns up."""

    place: int
    token: int


@dataclass(frozen=True, slots=True)
class LakeCoin:
    """A coin for reaching the lake, of the gold pan or of the bank."""

    seat: int
    from_pan: bool


@dataclass(frozen=True, slots=True)
class TokenPicked:
    """A wild token is picked up at so many VP."""

    at: int


Outcome = Gain | Flip | LakeCoin | TokenPicked


class Paid(NamedTuple):
    """What is paid."""

    hats: int
    coins: int
    cows: int
