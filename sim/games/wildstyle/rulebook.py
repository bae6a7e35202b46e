"""The rulebook of Wildstyle in plain Python objects, in its order and its terms.

The referee judges games with it. It shares no code with the compiled rules: it is a second
reading of the same text, made to be read rather than to be fast. Time is the referee's affair;
here is what a seat may do at a moment and what then changes on the table.

A card is icon * COLOURS + colour; what a seat may do is a pair (act, target), see `events`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sim.games.wildstyle import events
from sim.games.wildstyle.city import City, Ground, district_board, ground, nearest_turns
from sim.games.wildstyle.events import (
    ADD,
    COLOURS,
    COMPLETE,
    DRAW,
    ICONS,
    NO_HEX,
    PILES_EMPTY,
    RUSH,
    SHARE,
    STATION,
    STOP,
    TAGS_OUT,
    TAKE,
    WAIT,
)
from sim.games.wildstyle.scoring_rules import Side

SETS = 2
"""Marked spaces for set piles on a crew mat."""
MICROSECONDS = 1_000_000
LETTERS = "RTHSDIPC"
"""What stands for each icon in a drawing of a face, by code."""

Act = tuple[int, int]
"""(act, target), codes of `events`."""
Cards = tuple[int, ...]


# Components


@dataclass(frozen=True)
class Clock:
    """Seconds that a decision and its handling take; `handling` by code of the act."""

    thinking: float
    sigma: float
    reaction: float
    handling: tuple[float, ...]


@dataclass(frozen=True)
class Rules:
    """Components and rulings for a number of players; `deck` counts copies by card."""

    players: int
    icon_titles: tuple[str, ...]
    icon_points: tuple[int, ...]
    colours: tuple[str, ...]
    deck: Mapping[int, int]
    tags_each_round: int
    rounds: int
    cop_cars: int
    hand_size: int
    set_size: int
    share_piles: int
    draw_piles: int
    unused_piles: int
    radius: int
    faces: tuple[tuple[int, ...], ...]
    tiles: tuple[tuple[str, str], ...]
    show: str
    sides: Mapping[str, Side]
    chosen_sides: tuple[str, ...] | None
    final_phase_rush: bool
    tag_removal: str
    round_cap: int
    clock: Clock

    @classmethod
    def read(
        cls, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> "Rules":
        """Read data in the shape of components.toml, and rulings by name."""
        numbers, piles = components["numbers"], components["piles"][f"players_{players}"]
        icons = [components["icons"][name] for name in ICONS]
        objectives, radius = components["objectives"], rulings["board_radius"]
        family, tiles = rulings["family_mode"], rulings["tiles"]
        gone = set(objectives["family_without"]) if family else set()
        return cls(
            players=players,
            icon_titles=tuple(icon["title"] for icon in icons),
            icon_points=tuple(icon["points"] for icon in icons),
            colours=tuple(components["colours"]["names"]),
            deck=read_deck(components["decks"][rulings["deck"]]["cards"]),
            tags_each_round=numbers["tags_each_round"],
            rounds=numbers["rounds"],
            cop_cars=numbers["cop_cars"],
            hand_size=numbers["hand_size"],
            set_size=numbers["set_size"],
            share_piles=piles["share"],
            draw_piles=piles["draw"],
            unused_piles=piles["unused"],
            radius=radius,
            faces=read_faces(components, radius),
            tiles=tuple((a, b) for a, b in objectives["tiles"] if not gone & {a, b}),
            show=objectives["family_show"] if family else objectives["show"],
            sides={
                name: Side.read(name, side, rulings) for name, side in objectives["sides"].items()
            },
            chosen_sides=None if isinstance(tiles, str) else tuple(tiles),
            final_phase_rush=rulings["final_phase_rush"],
            tag_removal=rulings["tag_removal"],
            round_cap=rulings["round_cap_s"] * MICROSECONDS,
            clock=read_clock(components["clock"]),
        )

    def card_title(self, card: int) -> str:
        """Return `Park (Red)`."""
        icon, colour = divmod(card, COLOURS)
        if not 0 <= icon < len(ICONS):
            return f"card code {card} (there is none)"
        return f"{self.icon_titles[icon]} ({self.colours[colour]})"


def read_deck(cards: Mapping[str, int | Sequence[int]]) -> dict[int, int]:
    """Return copies by card: a number is spread evenly over the colours."""
    copies: dict[int, int] = {}
    for icon, name in enumerate(ICONS):
        count = cards[name]
        spread = [count // COLOURS] * COLOURS if isinstance(count, int) else count
        copies |= {icon * COLOURS + colour: number for colour, number in enumerate(spread)}
    return {card: number for card, number in copies.items() if number}


def read_faces(components: Mapping[str, Any], radius: int) -> tuple[tuple[int, ...], ...]:
    """Return the icons of each face by hex of a board that is not turned."""
    drawings = components["boards"][f"radius_{radius}"]["faces"]
    return tuple(
        tuple(LETTERS.index(letter) for letter in "".join(drawing.upper().split()))
        for drawing in drawings
    )


def read_clock(clock: Mapping[str, Any]) -> Clock:
    """Return the clock; waiting and stopping need no handling."""
    handling = tuple(clock["handling"].get(act, 0.0) for act in events.ACTS)
    return Clock(clock["thinking"], clock["sigma"], clock["reaction"], handling)


# The table


@dataclass
class Table:
    """Everything on the table. The top of a pile is its last card; seats index the lists."""

    rules: Rules
    city: City
    sides: tuple[Side, ...]
    cars_left: int
    supply: list[int]
    hands: list[Cards] = field(default_factory=list)
    mats: list[tuple[Cards, ...]] = field(default_factory=list)
    tags_left: list[int] = field(default_factory=list)
    tags: list[tuple[int, ...]] = field(default_factory=list)
    cars: list[int] = field(default_factory=list)
    draw_piles: list[list[int]] = field(default_factory=list)
    share_piles: list[Cards] = field(default_factory=list)
    set_aside: Cards = ()
    discarded: list[int] = field(default_factory=list)
    occupied: set[int] = field(default_factory=set)
    round: int = 0
    final_phase: int | None = None
    finished: list[bool] = field(default_factory=list)


# Setup


def tiles_fault(rules: Rules, names: Sequence[str]) -> str | None:
    """City Map Setup: tell what is wrong with the sides that show, None if nothing."""
    if rules.chosen_sides is not None:
        same = sorted(names) == sorted(rules.chosen_sides)
        return None if same else f"the sides must be {', '.join(rules.chosen_sides)}"
    place = {name: tile for tile, pair in enumerate(rules.tiles) for name in pair}
    if len({place.get(name) for name in names}) < len(names):
        return "the tiles must be different"
    for name, letter in zip(names, rules.show, strict=True):
        if name not in place or rules.tiles[place[name]]["AB".index(letter)] != name:
            return f"{name} is not on side {letter} of a tile in the game"
    return None


def districts_fault(rules: Rules, faces: Sequence[int], turns: Sequence[int]) -> str | None:
    """City Map Setup: tell what is wrong with the district boards, None if nothing."""
    if not all(0 <= face < len(rules.faces) for face in faces):
        return f"there are {len(rules.faces)} faces"
    if len({face // 2 for face in faces}) < len(faces):
        return "the boards must be different"
    for position, (face, turn) in enumerate(zip(faces, turns, strict=True)):
        allowed = station_turns(rules, position, face)
        if turn not in allowed:
            return (
                f"the station of district {position} is nearest to the middle of the map after "
                f"{' or '.join(map(str, allowed))} turns, not {turn}"
            )
    return None


def station_turns(rules: Rules, position: int, face: int) -> list[int]:
    """Return the turns that a board may have; any if it has not exactly one station."""
    return _station_turns(rules.players, rules.radius, position, rules.faces[face])


@cache
def _station_turns(players: int, radius: int, position: int, icons: tuple[int, ...]) -> list[int]:
    if icons.count(STATION) != 1:
        return list(range(6))
    station = district_board(radius)[icons.index(STATION)]
    return nearest_turns(players, radius, position, station)


def empty_map(rules: Rules) -> Ground:
    """Return the map for these players before anything is printed on it."""
    return ground(rules.players, rules.radius)


def lay_out(rules: Rules, city: City, sides: Sequence[Side]) -> Table:
    """Player Setup: mats, tags in the supply, all cop cars beside the draw piles."""
    seats = range(rules.players)
    return Table(
        rules=rules,
        city=city,
        sides=tuple(sides),
        cars_left=rules.cop_cars,
        supply=[rules.tags_each_round * rules.rounds for _ in seats],
        tags_left=[0 for _ in seats],
        tags=[() for _ in seats],
        cars=[0 for _ in seats],
    )


def piles_fault(rules: Rules, draw_piles: Sequence[Cards], set_aside: Cards) -> str | None:
    """Share & Draw Pile Setup: tell what is wrong with the sizes of piles, None if nothing."""
    piles = rules.draw_piles + rules.unused_piles
    cards = sum(map(len, draw_piles)) + len(set_aside)
    small, larger = divmod(cards, piles)
    extra = [len(pile) - small for pile in draw_piles]
    unused = larger - sum(extra)
    if set(extra) <= {0, 1} and 0 <= unused <= rules.unused_piles:
        return None
    sizes = ", ".join(str(len(pile)) for pile in draw_piles)
    return (
        f"draw piles of {sizes} and {len(set_aside)} set aside are not "
        f"{cards} cards in {piles} piles of about the same size"
    )


def start_round(
    table: Table, hands: Sequence[Cards], draw_piles: Sequence[Cards], set_aside: Cards
) -> None:
    """Starting a New Round: more tags on the mats, a new deal of all cards."""
    rules = table.rules
    table.round += 1
    for seat in range(rules.players):
        table.supply[seat] -= rules.tags_each_round
        table.tags_left[seat] += rules.tags_each_round
    table.hands = list(hands)
    table.mats = [((),) * SETS for _ in hands]
    table.draw_piles = [list(pile) for pile in draw_piles]
    table.share_piles = [() for _ in range(rules.share_piles)]
    table.set_aside = set_aside
    table.discarded = []
    table.final_phase = None
    table.finished = [tags == 0 for tags in table.tags_left]


# Actions


def legal_acts(table: Table, seat: int) -> list[Act]:
    """Return what a seat that still plays may decide, each effect once, waiting included."""
    acts: list[Act] = []
    hand, mat = table.hands[seat], table.mats[seat]
    spaces = open_spaces(table, mat)
    if len(hand) < table.rules.hand_size:
        acts += [(DRAW, pile) for pile, cards in enumerate(table.draw_piles) if cards]
    for card in dict.fromkeys(hand):
        for space, icon in spaces:
            if icon is None or icon == card // COLOURS:
                acts.append((ADD, space | card << 8))
        acts += [(SHARE, pile | card << 8) for pile in piles_that_match(table, card)]
    for pile, cards in enumerate(table.share_piles):
        for space, icon in spaces:
            if cards and (icon is None or icon == cards[-1] // COLOURS):
                acts.append((TAKE, pile | cards[-1] << 8 | space << 16))
    for space, act in sets_to_clear(table, mat):
        hexes = hexes_to_tag(table, seat, mat[space][0] // COLOURS)
        acts += [(act, space | hex_ << 8) for hex_ in hexes]
        acts.append((act, space | NO_HEX << 8))
    acts.append((WAIT, -1))
    if table.final_phase is not None:
        acts.append((STOP, -1))
    return acts


def piles_that_match(table: Table, card: int) -> list[int]:
    """Share a Card: piles with its icon or colour on top, and the first empty one."""
    piles = table.share_piles
    match = [pile for pile, cards in enumerate(piles) if cards and matches(card, cards[-1])]
    return [*match, piles.index(())] if () in piles else match


def matches(card: int, top: int) -> bool:
    """Tell whether a card has the icon or the colour of the top of a share pile."""
    return card // COLOURS == top // COLOURS or card % COLOURS == top % COLOURS


def open_spaces(table: Table, mat: tuple[Cards, ...]) -> list[tuple[int, int | None]]:
    """Add to a Set: (space, icon that it takes, None for any), of two like spaces the first."""
    spaces, seen = [], []
    for space, cards in enumerate(mat):
        icon = cards[0] // COLOURS if cards else None
        is_open = len(cards) < table.rules.set_size if cards else table.final_phase is None
        if is_open and (icon, len(cards)) not in seen:
            seen.append((icon, len(cards)))
            spaces.append((space, icon))
    return spaces


def fits(table: Table, cards: Cards, card: int) -> bool:
    """Tell whether a set can take a card; an empty space not in the final phase."""
    if not cards:
        return table.final_phase is None
    return len(cards) < table.rules.set_size and cards[0] // COLOURS == card // COLOURS


def sets_to_clear(table: Table, mat: tuple[Cards, ...]) -> Iterator[tuple[int, int]]:
    """Complete a Set, Rush a Set: (space, act); of two like sets the first."""
    kinds = []
    for space, cards in enumerate(mat):
        kind = (cards[0] // COLOURS, len(cards)) if cards else None
        if kind is None or kind in kinds:
            continue
        kinds.append(kind)
        if len(cards) == table.rules.set_size:
            yield space, COMPLETE
        elif no_rush(table) is None:
            yield space, RUSH


def no_rush(table: Table) -> str | None:
    """Rush a Set: tell why nobody can rush now, None if one can."""
    if table.cars_left == 0:
        return "no cop car is left"
    if table.final_phase is not None and not table.rules.final_phase_rush:
        return "nothing is rushed in the final phase"
    return None


def hexes_to_tag(table: Table, seat: int, icon: int) -> list[int]:
    """Return the hexes with an icon that a seat may tag; of stations all without its own tag."""
    taken = table.tags[seat] if icon == STATION else table.occupied
    return [hex_ for hex_ in table.city.hexes[icon] if hex_ not in taken]


# What happens when an act lands


def obstacle(table: Table, seat: int, act: int, target: int) -> str | None:
    """Tell why what a seat decided earlier cannot be done any more, None if it can."""
    x, y, z = target & 255, target >> 8 & 255, target >> 16
    mat = table.mats[seat]
    if act == DRAW:
        return None if table.draw_piles[x] else f"draw pile {x} is empty"
    if act == SHARE:
        top = table.share_piles[x][-1:]
        return None if not top or matches(y, top[0]) else f"share pile {x} does not match"
    if act == TAKE and table.share_piles[x][-1:] != (y,):
        return f"the card is not on top of share pile {x}"
    if act in (ADD, TAKE):
        space = x if act == ADD else z
        return None if fits(table, mat[space], y) else f"set {space} cannot take the card"
    reason = no_rush(table) if act == RUSH else None
    if reason is None and y != NO_HEX:
        free = hexes_to_tag(table, seat, mat[x][0] // COLOURS)
        reason = None if y in free else f"hex {y} is taken"
    return reason


def do(table: Table, seat: int, act: int, target: int) -> int:
    """Do what can be done; return the card drawn, -1 if none was."""
    x, y, z = target & 255, target >> 8 & 255, target >> 16
    if act == DRAW:
        card = table.draw_piles[x].pop()
        table.hands[seat] += (card,)
        return card
    if act in (ADD, SHARE):
        play_from_hand(table, seat, y)
    if act == SHARE:
        table.share_piles[x] += (y,)
    elif act == ADD:
        put_on_set(table, seat, x, y)
    elif act == TAKE:
        table.share_piles[x] = table.share_piles[x][:-1]
        put_on_set(table, seat, z, y)
    else:
        if act == RUSH:
            table.cars_left -= 1
            table.cars[seat] += 1
        if y != NO_HEX:
            place_tag(table, seat, y)
        clear_set(table, seat, x)
    return -1


def play_from_hand(table: Table, seat: int, card: int) -> None:
    """Take a card out of the hand."""
    hand = table.hands[seat]
    at = hand.index(card)
    table.hands[seat] = hand[:at] + hand[at + 1 :]


def put_on_set(table: Table, seat: int, space: int, card: int) -> None:
    """Add to a Set."""
    mat = table.mats[seat]
    table.mats[seat] = (*mat[:space], (*mat[space], card), *mat[space + 1 :])


def place_tag(table: Table, seat: int, hex_: int) -> None:
    """Put a tag from the mat on a hex."""
    table.tags_left[seat] -= 1
    table.tags[seat] += (hex_,)
    table.occupied.add(hex_)


def clear_set(table: Table, seat: int, space: int) -> None:
    """Discarded Cards: a set leaves the mat for the rest of the round."""
    mat = table.mats[seat]
    table.discarded += mat[space]
    table.mats[seat] = (*mat[:space], (), *mat[space + 1 :])


# Running Out of Tags, End of the Round


def trigger(table: Table) -> int | None:
    """Return why the final phase begins after an act, None if it does not."""
    if table.final_phase is not None:
        return None
    if not any(table.draw_piles):
        return PILES_EMPTY
    return TAGS_OUT if sum(tags > 0 for tags in table.tags_left) <= 1 else None


def finish_seats(table: Table) -> None:
    """Finish seats without tags on the mat, and in the final phase those without a set."""
    for seat, tags in enumerate(table.tags_left):
        if tags == 0 or (table.final_phase is not None and not any(table.mats[seat])):
            table.finished[seat] = True


# What never changes


def conservation(table: Table) -> str | None:
    """Tell which cards, tags or cop cars came from nowhere or got lost, None if all are there."""
    rules = table.rules
    piles = [*table.hands, *table.draw_piles, *table.share_piles, table.set_aside]
    piles += [cards for mat in table.mats for cards in mat]
    there = Counter(table.discarded)
    for cards in piles:
        there.update(cards)
    for card in sorted(there | Counter(rules.deck)):
        if there[card] != rules.deck.get(card, 0):
            return f"{there[card]} x {rules.card_title(card)}, not {rules.deck.get(card, 0)}"
    if table.cars_left + sum(table.cars) != rules.cop_cars:
        return f"{table.cars_left + sum(table.cars)} cop cars, not {rules.cop_cars}"
    for seat, placed in enumerate(table.tags):
        tags = len(placed) + table.tags_left[seat] + table.supply[seat]
        if tags != rules.tags_each_round * rules.rounds:
            return f"seat {seat} has {tags} tags"
    return None
