"""Wildstyle's components and rulings: their schema, their grades, and what can be played."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, PlainValidator, field_validator, model_validator

from sim.errors import SimError, listing, suggest
from sim.explain import show
from sim.games.wildstyle import boards, events
from sim.games.wildstyle.schema import MAX_PLAYERS, MAX_TAGS, Graded, Points, Table
from sim.games.wildstyle.tiles import MAX_SETS, Objectives

MAX_HEXES = MAX_PLAYERS * 37
MAX_DECK = 160
MAX_HAND = 5
MAX_SET = 5
MAX_PILES = 5

Seconds = Annotated[float, Field(ge=0, le=600, strict=True, allow_inf_nan=False)]
Piles = Annotated[int, Field(ge=1, le=MAX_PILES, strict=True)]


class Numbers(Graded):
    """The numbers in the rules' text."""

    tags_each_round: Annotated[int, Field(ge=1, le=MAX_TAGS, strict=True)]
    rounds: Annotated[int, Field(ge=1, le=10, strict=True)]
    cop_cars: Annotated[int, Field(ge=0, le=200, strict=True)]
    hand_size: Annotated[int, Field(ge=1, le=MAX_HAND, strict=True)]
    set_size: Annotated[int, Field(ge=2, le=MAX_SET, strict=True)]

    @model_validator(mode="after")
    def _fits(self) -> "Numbers":
        tags = self.tags_each_round * self.rounds
        if tags > MAX_TAGS:
            raise ValueError(
                f"{self.rounds} rounds of {self.tags_each_round} tags are {tags} tags a player; "
                f"at most {MAX_TAGS} are allowed"
            )
        return self


class Icon(Table):
    """A location icon and what a tag on it gives."""

    title: str
    points: Points


class Icons(Graded):
    """The eight location icons."""

    railway: Icon
    station: Icon
    residential: Icon
    shopping: Icon
    downtown: Icon
    industrial: Icon
    park: Icon
    police: Icon


class Seats(Graded):
    """How many can play."""

    fewest: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]
    most: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]


class PileCounts(Table):
    """How many share piles, draw piles and piles set aside."""

    share: Piles
    draw: Piles
    unused: Annotated[int, Field(ge=0, le=MAX_PILES, strict=True)]


class PileTable(Graded):
    """The piles by number of players (Share & Draw Pile Setup)."""

    players_2: PileCounts
    players_3: PileCounts
    players_4: PileCounts
    players_5: PileCounts

    def of(self, players: int) -> PileCounts:
        """Return the piles for so many players."""
        return getattr(self, f"players_{players}")


class Colours(Graded):
    """The names of the cards' colours."""

    names: list[str]

    @field_validator("names")
    @classmethod
    def _five(cls, names: list[str]) -> list[str]:
        if len(set(names)) != events.COLOURS or len(names) != events.COLOURS:
            raise ValueError(f"found {show(names)}; allowed: {events.COLOURS} names, all different")
        return names


def _copies(found: Any) -> int | list[int]:
    """Return the copies of an icon as they stand, or raise ValueError."""
    by_colour = found if isinstance(found, list) else [found]
    whole = all(type(count) is int and 0 <= count <= MAX_DECK for count in by_colour)
    if isinstance(found, list):
        if not whole or len(found) != events.COLOURS:
            raise ValueError(
                f"found {show(found)}; allowed: a list of {events.COLOURS} whole numbers from 0, "
                "the copies by colour"
            )
    elif not whole or found % events.COLOURS:
        raise ValueError(
            f"found {show(found)}; allowed: a multiple of {events.COLOURS}, spread evenly over "
            f"the colours, or a list of {events.COLOURS} numbers, the copies by colour"
        )
    return found


Copies = Annotated[int | list[int], PlainValidator(_copies)]


class Cards(Table):
    """Copies of each icon: a number spread evenly over the colours, or a list by colour."""

    railway: Copies
    station: Copies
    residential: Copies
    shopping: Copies
    downtown: Copies
    industrial: Copies
    park: Copies
    police: Copies


class Deck(Graded):
    """A deck of location cards."""

    cards: Cards

    def copies(self) -> np.ndarray:
        """Return the copies by icon and colour, int64 [8, 5]."""
        counts = [getattr(self.cards, icon) for icon in events.ICONS]
        return np.array(
            [
                count if isinstance(count, list) else [count // events.COLOURS] * events.COLOURS
                for count in counts
            ],
            np.int64,
        )

    @model_validator(mode="after")
    def _fits(self) -> "Deck":
        cards = int(self.copies().sum())
        if cards > MAX_DECK:
            raise ValueError(f"{cards} cards are too many; at most {MAX_DECK} are allowed")
        return self


def _face_of(radius: int) -> Callable[[str], str]:
    def check_face(drawing: str) -> str:
        boards.read_face(drawing, radius)
        return drawing

    return check_face


def _whole_boards(faces: list[str]) -> list[str]:
    boards.check_count(len(faces))
    return faces


class BoardFaces(Graded):
    """District boards of one size: a drawing for each face, the two sides of a board in turn."""

    faces: list[str]


class Boards3(BoardFaces):
    """District boards of radius 3."""

    faces: Annotated[
        list[Annotated[str, AfterValidator(_face_of(3))]], AfterValidator(_whole_boards)
    ]


class Boards2(BoardFaces):
    """District boards of radius 2."""

    faces: Annotated[
        list[Annotated[str, AfterValidator(_face_of(2))]], AfterValidator(_whole_boards)
    ]


class Boards(Table):
    """The district boards of either size."""

    radius_3: Boards3
    radius_2: Boards2

    def of(self, radius: int) -> BoardFaces:
        """Return the boards of this radius."""
        return self.radius_3 if radius == 3 else self.radius_2

    def faces(self, radius: int) -> list[list[str]]:
        """Return the icons of every face, cell by cell; the two sides of a board in turn."""
        return [
            [events.ICONS[icon] for icon in boards.read_face(drawing, radius)]
            for drawing in self.of(radius).faces
        ]


class Handling(Graded):
    """Seconds that hands need for each act."""

    draw: Seconds
    add: Seconds
    share: Seconds
    take: Seconds
    complete: Seconds
    rush: Seconds


class Clock(Graded):
    """What time an act takes."""

    thinking: Seconds
    sigma: Annotated[float, Field(ge=0, le=2, strict=True, allow_inf_nan=False)]
    reaction: Seconds
    handling: Handling


class Components(Table):
    """Everything in the component file."""

    numbers: Numbers
    icons: Icons
    seats: Seats
    piles: PileTable
    colours: Colours
    decks: Annotated[dict[str, Deck], Field(min_length=1)]
    boards: Boards
    objectives: Objectives
    clock: Clock


def _tiles_ruling(found: Any) -> str | list[str]:
    """Return the ruling `tiles` as it stands, or raise ValueError."""
    names = isinstance(found, list) and all(isinstance(name, str) for name in found)
    if not names and found not in ("random", "even"):
        near = suggest(found, ("random", "even")) if isinstance(found, str) else ""
        raise ValueError(
            f'found {show(found)}; allowed: "random", "even", or a list of sides that show in '
            f"every game.{near}"
        )
    return found


class Rulings(Table):
    """What the rulebook leaves open, and what a study may fix."""

    board_radius: Literal[3, 2] = 3
    deck: str = "d1"
    station_snake: Literal["each_cluster", "best_cluster"] = "each_cluster"
    final_phase_rush: Annotated[bool, Field(strict=True)] = True
    tag_removal: Literal["best", "cheapest"] = "best"
    family_mode: Annotated[bool, Field(strict=True)] = False
    round_cap_s: Annotated[int, Field(ge=1, le=2000, strict=True)] = 1800
    tiles: Annotated[str | list[str], PlainValidator(_tiles_ruling)] = "random"


def check(components: Mapping[str, Any], rulings: Mapping[str, Any], players: int) -> None:
    """Raise SimError when these components cannot be played by so many players."""
    model, ruled = Components(**components), Rulings(**rulings)
    _check_seats(model, players)
    _check_deck(model, ruled, players)
    _check_faces(model, ruled, players)
    _check_tiles(model.objectives, ruled)


def _check_seats(model: Components, players: int) -> None:
    seats = model.seats
    if not seats.fewest <= players <= seats.most:
        raise SimError(
            f"players: {players} is outside components.seats, "
            f"which allows {seats.fewest} to {seats.most}"
        )


def _check_deck(model: Components, ruled: Rulings, players: int) -> None:
    if ruled.deck not in model.decks:
        raise SimError(
            f"rulings.deck: there is no deck {show(ruled.deck)} in components.decks; "
            f"allowed: {listing(model.decks)}.{suggest(ruled.deck, model.decks)}"
        )
    cards = int(model.decks[ruled.deck].copies().sum())
    hand, piles = model.numbers.hand_size, model.piles.of(players)
    needed = players * hand + piles.draw + piles.unused
    if cards < needed:
        raise SimError(
            f"components.decks.{ruled.deck}: {cards} cards are too few for {players} hands of "
            f"{hand} and {piles.draw + piles.unused} piles; at least {needed} are needed"
        )


def _check_faces(model: Components, ruled: Rulings, players: int) -> None:
    faces = len(model.boards.of(ruled.board_radius).faces)
    if faces < 2 * players:
        raise SimError(
            f"components.boards.radius_{ruled.board_radius}.faces: {faces} faces are too few for "
            f"{players} players; at least {2 * players} are needed, two for each board"
        )


def _check_tiles(objectives: Objectives, ruled: Rulings) -> None:
    tiles = objectives.dealt_from(ruled.family_mode)
    shown = objectives.shown(ruled.family_mode)
    where = "family_show" if ruled.family_mode else "show"
    if len(tiles) < len(shown):
        raise SimError(
            f'components.objectives.{where}: "{shown}" needs {len(shown)} of the tiles, '
            f"but only {len(tiles)} can be dealt"
        )
    sets = objectives.sets(ruled.family_mode)
    if sets > MAX_SETS:
        raise SimError(
            f'components.objectives.{where}: "{shown}" from {len(tiles)} tiles makes {sets} sets; '
            f"at most {MAX_SETS} are allowed"
        )
    if isinstance(ruled.tiles, str):
        return
    if len(ruled.tiles) != len(shown):
        raise SimError(
            f"rulings.tiles: found {len(ruled.tiles)} sides; allowed: {len(shown)}, as many as "
            f'components.objectives.{where} = "{shown}" deals'
        )
    _check_fixed_sides(ruled.tiles, tiles)


def _check_fixed_sides(names: list[str], tiles: list[list[str]]) -> None:
    tile_of = {name: number for number, tile in enumerate(tiles) for name in tile}
    seen: dict[int, str] = {}
    for name in names:
        if name not in tile_of:
            raise SimError(
                f"rulings.tiles: there is no side {show(name)} on the tiles that are dealt; "
                f"allowed: {listing(tile_of)}.{suggest(name, tile_of)}"
            )
        if tile_of[name] in seen:
            raise SimError(
                f"rulings.tiles: {show(seen[tile_of[name]])} and {show(name)} cannot both show; "
                "allowed: one side of each tile"
            )
        seen[tile_of[name]] = name


def worded(key: str, value: Any) -> str:
    """Return a value of the components as a list of facts shows it: drawings are only counted."""
    if key.endswith(".faces"):
        return boards.described(value)
    if key.endswith(".tiles"):
        return listing(" / ".join(tile) for tile in value)
    return listing(value) if isinstance(value, list) else str(value)
