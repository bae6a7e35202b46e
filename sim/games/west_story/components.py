"""West Story's components and rulings: the whole file, the cards as printed, what can be played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator, ValidationError, model_validator

from sim.errors import SimError, listing, suggest
from sim.explain import show
from sim.games.west_story.events import ACTIONS, DECKS, SLOTS
from sim.games.west_story.schema import (
    EACH,
    ENDLESS,
    NAME,
    PAIRS,
    QUADRUPLE,
    SYMBOLS,
    WILD,
    Area,
    Board,
    Card,
    Certificates,
    Flag,
    HatBonus,
    HerdBonus,
    Limits,
    Pan,
    Start,
    Symbols,
    Table,
    Town,
    Uncatchable,
    VillainTokens,
    WildTokens,
)

PLAYERS = range(2, 5)
SET_SIZE = 5
"""Building types in a game."""
LEAST_COST = 4
"""Two types of a set cost so many coins or more, two others so many hats."""
MAX_CARDS = 64
"""Cards by name."""
MAX_KINDS = 240
"""Cards by name and symbols."""
MAX_DECK = 128
MAX_BUILDINGS = 15
"""Building types: 3003 sets of five."""
MAX_TOWNS = 8
MAX_AREAS = 16
TAKEN_NAMES = (*ACTIONS, "none", "not_played", "uncatchable")
"""What a style may forbid beside cards, towns and villains, and labels of the tables."""

Key = tuple[str | int, ...]


def _along_the_track(areas: dict[str, Area]) -> dict[str, Area]:
    """Return the areas in order, so that one which a study adds comes to its place."""
    return dict(sorted(areas.items(), key=lambda named: named[1].first))


class Components(Table):
    """Everything in the component files."""

    symbols: Symbols
    limits: Limits
    hat_bonus: HatBonus
    herd_bonus: HerdBonus
    pan: Pan
    start: Start
    certificates: Certificates
    wild_tokens: WildTokens
    uncatchable: Uncatchable
    villain_tokens: VillainTokens
    board: Board
    towns: Annotated[dict[str, Town], Field(min_length=1, max_length=MAX_TOWNS)]
    areas: Annotated[
        dict[str, Area], Field(min_length=1, max_length=MAX_AREAS), AfterValidator(_along_the_track)
    ]
    cards: Annotated[dict[str, Card], Field(max_length=MAX_CARDS)]

    @model_validator(mode="after")
    def _fits(self) -> "Components":
        _check_names(self)
        _check_numbers(self)
        _check_pairs(self)
        _check_symbols(self)
        _check_areas(self)
        _check_cards(self)
        return self

    def villain_areas(self) -> list[str]:
        """Return the areas with a place for a villain token, in order."""
        return [name for name, area in self.areas.items() if area.villain]


@dataclass(frozen=True)
class Kind:
    """A card as printed: its name, deck (0..2), bit mask of its symbols, whether wild, copies."""

    card: str
    deck: int
    symbols: int
    wild: bool
    copies: int


def card_kinds(components: Components) -> tuple[Kind, ...]:
    """Return every card as printed, by name, then by symbol or pair; those with copies only."""
    return tuple(
        Kind(name, DECKS.index(card.deck), mask, card.animal, card.copies)
        for name, card in components.cards.items()
        if card.copies
        for mask in _masks(card.symbols, components)
    )


def _masks(symbols: str, components: Components) -> list[int]:
    names = components.symbols.names
    if symbols == WILD:
        return [0]
    if symbols == EACH:
        return [1 << code for code in range(SYMBOLS)]
    if symbols == PAIRS:
        return [_mask(pair, names) for pair in components.certificates.pairs]
    return [_mask(symbols.split(" + "), names)]


def _mask(symbols: Sequence[str], names: list[str]) -> int:
    return sum(1 << names.index(symbol) for symbol in symbols)


# Checks of the components


def _mistake(key: Key, text: str) -> ValidationError:
    """Return the mistake at a key below the whole, as pydantic would tell it."""
    details = {"type": "value_error", "loc": key, "input": None, "ctx": {"error": ValueError(text)}}
    return ValidationError.from_exception_data("components", [details])  # type: ignore[list-item]


def _check_names(model: Components) -> None:
    seen: dict[str, str | int] = {}
    named: tuple[tuple[Key, Mapping[str, Any]], ...] = (
        (("cards",), model.cards),
        (("towns",), model.towns),
        (("villain_tokens", "tokens"), model.villain_tokens.tokens),
    )
    for key, table in (*named, (("areas",), model.areas)):
        for name in table:
            if not NAME.fullmatch(name):
                raise _mistake(
                    (*key, name),
                    "not a name; allowed: lower-case letters, digits and underscores, a letter "
                    "first",
                )
    for key, table in named:
        for name in table:
            if name in TAKEN_NAMES:
                raise _mistake((*key, name), f'"{name}" means something else; use another name.')
            if name in seen:
                raise _mistake((*key, name), f"{seen[name]} has this name; names must differ.")
            seen[name] = key[0]


def _check_numbers(model: Components) -> None:
    cows, first = model.limits.cows, model.herd_bonus.first
    if len(first) != cows:
        raise _mistake(
            ("herd_bonus", "first"),
            f"found {len(first)} numbers; allowed: {cows}, as many as limits.cows",
        )
    if model.start.cows > cows:
        raise _mistake(
            ("start", "cows"), f"found {model.start.cows}; allowed: at most limits.cows, {cows}"
        )
    at = model.wild_tokens.at
    if at != sorted(set(at)):
        raise _mistake(("wild_tokens", "at"), f"found {show(at)}; allowed: ascending numbers")


def _check_pairs(model: Components) -> None:
    names, pairs = model.symbols.names, model.certificates.pairs
    for number, pair in enumerate(pairs):
        key = ("certificates", "pairs", number)
        for symbol in pair:
            _check_known(key, symbol, names)
        if len(pair) != 2 or len(set(pair)) != 2:
            raise _mistake(key, f"found {show(pair)}; allowed: two different symbols")
        for before, other in enumerate(pairs[:number]):
            if set(pair) == set(other):
                raise _mistake(key, f"found {show(pair)}, which is pairs[{before}] already")
    if len(pairs) != SYMBOLS * (SYMBOLS - 1) // 2:
        raise _mistake(
            ("certificates", "pairs"), f"found {len(pairs)} pairs; allowed: the six of four symbols"
        )


def _check_known(key: Key, name: str, allowed: Sequence[str], what: str = "symbol") -> None:
    if name not in allowed:
        near = suggest(name, allowed)
        raise _mistake(key, f"there is no {what} {show(name)}; allowed: {listing(allowed)}.{near}")


def _check_symbols(model: Components) -> None:
    names = model.symbols.names
    for name, space in model.board.named().items():
        _check_known(("board", name, "symbol"), space.symbol, names)
    for name, town in model.towns.items():
        for number, spot in enumerate(town.spots):
            _check_known(("towns", name, "spots", number), spot, (*names, QUADRUPLE, WILD))
    for name, card in model.cards.items():
        key, parts = ("cards", name, "symbols"), card.symbols.split(" + ")
        if len(parts) == 1:
            _check_known(key, parts[0], (EACH, PAIRS, WILD, *names))
            continue
        for symbol in parts:
            _check_known(key, symbol, names)
        if len(parts) != 2 or parts[0] == parts[1]:
            raise _mistake(key, f"found {show(card.symbols)}; allowed: two different symbols")


def _check_areas(model: Components) -> None:
    expected, towns = 0, list(model.towns)
    places: dict[str, int] = {}
    *_, end = model.areas
    for name, area in model.areas.items():
        key = ("areas", name)
        if area.first != expected:
            why = "right after the area before it" if expected else "where the track begins"
            raise _mistake((*key, "first"), f"found {area.first}; allowed: {expected}, {why}")
        if name == end and area.last != ENDLESS:
            raise _mistake(
                (*key, "last"), f"found {area.last}; allowed: nothing, the last area has no end"
            )
        if name != end and not area.first <= area.last < ENDLESS:
            raise _mistake(
                (*key, "last"),
                f"found {area.last}; allowed: {area.first} to {ENDLESS - 1}, since areas follow",
            )
        if area.villain and not area.first:
            raise _mistake(
                (*key, "villain"),
                "found true; allowed: false, all start here and no marker would turn the token up",
            )
        expected = area.last + 1
        if area.town:
            _check_known((*key, "town"), area.town, towns, "town")
            places[area.town] = places.get(area.town, 0) + area.villain
            if places[area.town] > 2:
                raise _mistake(
                    (*key, "villain"), f"a third villain of the town {area.town}; allowed: two"
                )
    found = len(model.villain_areas())
    if found != model.villain_tokens.places:
        raise _mistake(
            ("villain_tokens", "places"),
            f"found {model.villain_tokens.places}; allowed: {found}, the areas with villain = true",
        )


def _check_cards(model: Components) -> None:
    for name, card in model.cards.items():
        if card.base and card.deck != "building":
            raise _mistake(("cards", name, "base"), "found true; allowed: for buildings only")
    kinds = card_kinds(model)
    if len(kinds) > MAX_KINDS:
        raise _mistake(
            ("cards",),
            f"{len(kinds)} cards differ in name or symbols; allowed: at most {MAX_KINDS}",
        )
    types = building_types(model)
    if not SET_SIZE <= len(types) <= MAX_BUILDINGS:
        raise _mistake(
            ("cards",),
            f"found {len(types)} building types with copies; allowed: {SET_SIZE} to "
            f"{MAX_BUILDINGS}",
        )
    sizes = {name: sum(kind.copies for kind in kinds if kind.card == name) for name in model.cards}
    for deck in DECKS:
        cards = [sizes[name] for name, card in model.cards.items() if card.deck == deck]
        largest = sum(sorted(cards)[-SET_SIZE:]) if deck == "building" else sum(cards)
        if not SLOTS <= largest <= MAX_DECK:
            raise _mistake(
                ("cards",),
                f"the {deck} deck has {largest} cards; allowed: {SLOTS} to {MAX_DECK}",
            )


# Building types in play


def building_types(components: Components) -> list[str]:
    """Return the building types that have copies, in order."""
    cards = components.cards.items()
    return [name for name, card in cards if card.deck == "building" and card.copies]


def building_sets(components: Components) -> list[tuple[str, ...]]:
    """Return the legal sets of five building types, lexicographic in the order of the cards."""
    sets = combinations(building_types(components), SET_SIZE)
    return [names for names in sets if _costs_enough(components, names)]


def _costs_enough(components: Components, names: Sequence[str]) -> bool:
    """Tell whether two types cost four coins or more and two others four hats or more."""
    costs = [(components.cards[name].coins, components.cards[name].hats) for name in names]
    coins = sum(coins >= LEAST_COST for coins, _ in costs)
    hats = sum(hats >= LEAST_COST for _, hats in costs)
    either = sum(max(cost) >= LEAST_COST for cost in costs)
    return coins >= 2 and hats >= 2 and either >= 4


def check_buildings(
    components: Components, names: Sequence[str], key: str = "rulings.buildings"
) -> None:
    """Raise SimError with the rule that these building types break, if they break one.

    `key` says where they are named. Setup, step 3.
    """
    types = building_types(components)
    for number, name in enumerate(names):
        if name not in types:
            raise SimError(
                f"{key}: there is no building type {show(name)}; allowed: {listing(types)}."
                f"{suggest(name, types)}"
            )
        if name in names[:number]:
            raise SimError(f"{key}: found {show(name)} twice; allowed: five different types")
    if len(names) != SET_SIZE:
        raise SimError(f"{key}: found {len(names)} types; allowed: five ({listing(types)})")
    if not _costs_enough(components, names):
        raise SimError(
            f"{key}: found {listing(names)}; allowed: sets with two types that cost "
            f"{LEAST_COST} coins or more and two others that cost {LEAST_COST} hats or more"
        )


def chosen_buildings(components: Components, rulings: "Rulings") -> tuple[str, ...]:
    """Return the five types of "base" or of a list in the ruling `buildings`, types in order.

    Raises SimError if they are no legal set.
    """
    types = building_types(components)
    if rulings.buildings == "base":
        names = [name for name in types if components.cards[name].base]
        check_buildings(components, names, 'rulings.buildings = "base" (cards with base = true)')
    else:
        names = list(rulings.buildings)
        check_buildings(components, names)
    return tuple(sorted(names, key=types.index))


def sets_in_play(components: Components, rulings: "Rulings") -> list[tuple[str, ...]]:
    """Return the sets of building types that games are played with; SimError if there is none."""
    if rulings.buildings not in ("random", "even"):
        return [chosen_buildings(components, rulings)]
    sets = building_sets(components)
    if not sets:
        raise SimError(
            f"rulings.buildings: no five of {listing(building_types(components))} are a legal "
            f"set: two types that cost {LEAST_COST} coins or more and two others that cost "
            f"{LEAST_COST} hats or more"
        )
    return sets


# Rulings


def _buildings_ruling(found: Any) -> str | list[str]:
    """Return the ruling `buildings` as it stands, or raise ValueError."""
    names = isinstance(found, list) and all(isinstance(name, str) for name in found)
    modes = ("base", "random", "even")
    if not names and found not in modes:
        near = suggest(found, modes) if isinstance(found, str) else ""
        raise ValueError(
            f'found {show(found)}; allowed: "base", "random", "even", or a list of five building '
            f"types.{near}"
        )
    return found


class Rulings(Table):
    """What the rulebook leaves open, and what a study may fix."""

    end_test: Literal["cannot_take", "last_taken"] = "cannot_take"
    hat_bonus: Literal["on_reaching_four", "each_execution"] = "on_reaching_four"
    richest: Literal["coins", "coins_and_cows"] = "coins"
    licence_vp: Annotated[int, Field(ge=0, le=10, strict=True)] = 2
    villain_vp: Literal["end", "at_once"] = "end"
    double_wild: Literal["free_choice", "cow"] = "free_choice"
    wild_third: Flag = False
    skip_cow_overflow: Literal["vp", "nothing"] = "vp"
    paid_cows: Literal["stay_cows", "become_coins"] = "stay_cows"
    dodge_city: Literal["per_side", "together"] = "per_side"
    wild_tokens: Flag = False
    uncatchable_villain: Flag = False
    buildings: Annotated[str | list[str], PlainValidator(_buildings_ruling)] = "base"
    round_cap: Annotated[int, Field(ge=1, le=60, strict=True)] = 40


def check(components: Mapping[str, Any], rulings: Mapping[str, Any], players: int) -> None:
    """Raise SimError when these components cannot be played by so many players."""
    model, ruled = Components(**components), Rulings(**rulings)
    if players not in PLAYERS:
        raise SimError(f"players: found {players}; allowed: {PLAYERS[0]} to {PLAYERS[-1]}")
    tokens = len(model.villain_tokens.tokens) + ruled.uncatchable_villain
    if tokens < model.villain_tokens.places:
        raise SimError(
            f"components.villain_tokens.tokens: {tokens} tokens are too few for "
            f"{model.villain_tokens.places} places"
        )
    sets_in_play(model, ruled)


def worded(key: str, value: Any) -> str:
    """Return a value of the components as a list of facts shows it."""
    if key.endswith(".pairs"):
        return listing(" + ".join(pair) for pair in value)
    return listing(value) if isinstance(value, list) else str(value) or "none"
