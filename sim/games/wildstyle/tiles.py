"""Objective tiles: their kinds, their sides, and how they are dealt."""

from math import comb
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from sim.errors import listing, suggest
from sim.explain import show
from sim.games.wildstyle.schema import MAX_PLAYERS, MAX_TAGS, Graded, Points

MAX_TILES = 16
MAX_SIDES = 2 * MAX_TILES
MAX_SHOWN = 4
MAX_SETS = 4096
MAX_FIGURE_SIDES = 12
"""Sides that look for figures (triangles, hexagons, lines) on all tiles together."""
FIGURES = ("triangles", "hexagons", "lines")

KINDS: dict[str, tuple[str, int, int] | None] = {
    "triangles": ("side", 2, 5),
    "hexagons": ("radius", 1, 1),
    "lines": ("length", 2, 10),
    "longest_line": ("least", 1, MAX_TAGS),
    "borders": None,
    "police": None,
    "matching": ("size", 1, MAX_TAGS),
    "most_icon": None,
    "districts": ("tags", 1, MAX_TAGS),
    "clusters": ("tags", 1, MAX_TAGS),
    "railways": ("stations", 0, MAX_PLAYERS),
    "station_path": ("stations", 2, MAX_PLAYERS),
}
"""The kinds of objective, and the number that each needs beside its points: name, least, most."""
NUMBERS_OF_KINDS = tuple(dict.fromkeys(number[0] for number in KINDS.values() if number))


class Side(Graded):
    """A side of an objective tile: its kind, its points, and the one number of its kind."""

    title: str
    kind: Literal[
        "triangles",
        "hexagons",
        "lines",
        "longest_line",
        "borders",
        "police",
        "matching",
        "most_icon",
        "districts",
        "clusters",
        "railways",
        "station_path",
    ]
    points: Points
    side: Annotated[int | None, Field(strict=True)] = None
    radius: Annotated[int | None, Field(strict=True)] = None
    length: Annotated[int | None, Field(strict=True)] = None
    least: Annotated[int | None, Field(strict=True)] = None
    size: Annotated[int | None, Field(strict=True)] = None
    tags: Annotated[int | None, Field(strict=True)] = None
    stations: Annotated[int | None, Field(strict=True)] = None

    @property
    def number(self) -> int:
        """The number that belongs to the kind; 0 for a kind that has none."""
        needed = KINDS[self.kind]
        return getattr(self, needed[0]) if needed else 0

    @model_validator(mode="after")
    def _number_of_the_kind(self) -> "Side":
        needed = KINDS[self.kind]
        for name in NUMBERS_OF_KINDS:
            found = getattr(self, name)
            if needed and name == needed[0]:
                if found is None or not needed[1] <= found <= needed[2]:
                    raise ValueError(
                        f"{name}: found {'nothing' if found is None else found}; the kind "
                        f'"{self.kind}" needs {_span(needed[1], needed[2])}'
                    )
            elif found is not None:
                takes = needed[0] if needed else "none but points"
                raise ValueError(
                    f'{name}: the kind "{self.kind}" has no such number; it takes {takes}'
                )
        return self

    @model_serializer(mode="wrap")
    def _without_blanks(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"a whole number from {least} to {most}"


class Objectives(Graded):
    """The objective tiles: their sides, which are back to back, and how they are dealt."""

    tiles: Annotated[list[list[str]], Field(min_length=1, max_length=MAX_TILES)]
    show: str
    family_show: str
    family_without: list[str]
    sides: Annotated[dict[str, Side], Field(min_length=2, max_length=MAX_SIDES)]

    @field_validator("show", "family_show")
    @classmethod
    def _letters(cls, shown: str) -> str:
        if not 1 <= len(shown) <= MAX_SHOWN or set(shown) - {"A", "B"}:
            raise ValueError(
                f"found {show(shown)}; allowed: A or B for each tile dealt, 1 to {MAX_SHOWN} tiles"
            )
        return shown

    @model_validator(mode="after")
    def _complete(self) -> "Objectives":
        seen: dict[str, int] = {}
        for number, tile in enumerate(self.tiles):
            if len(tile) != 2:
                raise ValueError(
                    f"tiles[{number}]: found {show(tile)}; a tile has two sides, A and B"
                )
            for name in tile:
                self._check_side(f"tiles[{number}]", name)
                if name in seen:
                    raise ValueError(
                        f'tiles[{number}]: the side "{name}" is on tiles[{seen[name]}] already'
                    )
                seen[name] = number
        for name in self.family_without:
            self._check_side("family_without", name)
        figures = [name for name in seen if self.sides[name].kind in FIGURES]
        if len(figures) > MAX_FIGURE_SIDES:
            raise ValueError(
                f"tiles: {len(figures)} sides look for {listing(FIGURES)}; "
                f"at most {MAX_FIGURE_SIDES} are allowed"
            )
        return self

    def _check_side(self, where: str, name: str) -> None:
        if name not in self.sides:
            raise ValueError(
                f'{where}: there is no side "{name}"; allowed: {listing(self.sides)}.'
                f"{suggest(name, self.sides)}"
            )

    def dealt_from(self, family_mode: bool) -> list[list[str]]:
        """Return the tiles that are dealt from: all, or those of family mode."""
        without = set(self.family_without) if family_mode else set()
        return [tile for tile in self.tiles if not without & set(tile)]

    def sets(self, family_mode: bool) -> int:
        """Return how many sets of sides can be dealt."""
        tiles, shown = len(self.dealt_from(family_mode)), self.shown(family_mode)
        a, b = shown.count("A"), shown.count("B")
        return comb(tiles, a) * comb(tiles - a, b) if tiles >= a else 0

    def shown(self, family_mode: bool) -> str:
        """Return which side of each dealt tile shows, `A` or `B`."""
        return self.family_show if family_mode else self.show
