"""Boards and decks as rows of a table that a designer keeps in a spreadsheet.

Boards have the columns face, q, r, icon (and radius, if they are of both sizes), a row for each
hex; decks have icon, colour, copies (and deck, its name), a row for each kind of card.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.errors import SimError, listing, suggest
from sim.explain import show
from sim.games.wildstyle import boards, events
from sim.games.wildstyle.components import MAX_DECK
from sim.games.wildstyle.hexmap import Cell, district_cells

Rows = Sequence[Mapping[str, Any]]

BOARD_COLUMNS = ("face", "q", "r", "icon")
DECK_COLUMNS = ("icon", "colour", "copies")
COLOURS = ("red", "yellow", "green", "blue", "purple")
ICON_NAMES = {
    **{icon: code for code, icon in enumerate(events.ICONS)},
    **{letter.lower(): events.ICONS.index(icon) for letter, icon in boards.LETTERS.items()},
    "train_station": events.STATION,
    "police_station": events.POLICE,
}
"""What an icon may be called: its name, its letter in drawings, or its title."""
FIRST_ROW = 2
"""A spreadsheet has the names of the columns in row 1; a row may know better (`number`)."""


@dataclass(frozen=True)
class _Row:
    """A row by its number in the spreadsheet; entries are texts without blanks around them."""

    number: int
    entries: Mapping[str, str]

    def error(self, text: str, *columns: str) -> SimError:
        where = f"column{'s' * (len(columns) > 1)} {listing(map(show, columns))}"
        return SimError(f"row {self.number}, {where}: {text}")

    def text(self, column: str) -> str:
        found = self.entries.get(column, "")
        if not found:
            raise self.error("nothing found; an entry is needed", column)
        return found

    def whole(self, column: str, least: int, most: int) -> int:
        found = self.text(column)
        if not re.fullmatch(r"[+-]?\d+", found) or not least <= int(found) <= most:
            raise self.error(
                f"found {show(found)}; allowed: a whole number from {least} to {most}", column
            )
        return int(found)

    def icon(self) -> int:
        found = self.text("icon")
        name = "_".join(found.lower().split())
        if name not in ICON_NAMES:
            raise self.error(
                f"unknown icon {show(found)}; allowed: {listing(events.ICONS)}."
                f"{suggest(name, events.ICONS)}",
                "icon",
            )
        return ICON_NAMES[name]


def read_table(rows: Rows) -> dict[str, Any]:
    """Return the changes to the components that a table means, boards or a deck by its columns.

    Raises SimError, one line, at a column or an entry that cannot be.
    """
    columns = _columns(rows)
    if "face" in columns:
        return boards_from_rows(rows)
    if "copies" in columns:
        return deck_from_rows(rows)
    raise SimError(
        f"columns: found {listing(columns) or 'none'}; allowed: {listing(BOARD_COLUMNS)} (and "
        f"radius) for boards, or {listing(DECK_COLUMNS)} (and deck) for decks"
    )


# Boards


def boards_from_rows(rows: Rows) -> dict[str, Any]:
    """Return the changes to the components for the faces in the rows, in order of their numbers.

    Faces are numbered from 0 or from 1; the two sides of a board follow each other. Without a
    column `radius` the hexes of a face tell its size.
    """
    found: dict[tuple[int, int], dict[Cell, int]] = {}
    first_rows: dict[tuple[int, int], _Row] = {}
    read = _read(rows, BOARD_COLUMNS, ("radius",))
    sizes = _sizes(read)
    for row in read:
        face = row.whole("face", 0, boards.MAX_FACES)
        radius = sizes[face, row.entries.get("radius", "")]
        cell = _cell(row, radius)
        hexes = found.setdefault((radius, face), {})
        first_rows.setdefault((radius, face), row)
        if cell in hexes:
            raise row.error(f"face {face} has the hex {cell} already", "q", "r")
        hexes[cell] = row.icon()
    drawings: dict[int, dict[int, str]] = {}
    for (radius, face), hexes in sorted(found.items()):
        drawing = _drawing(hexes, radius, face, first_rows[radius, face])
        drawings.setdefault(radius, {})[face] = drawing
    return {
        "boards": {
            f"radius_{radius}": {"faces": _in_order(faces, radius)}
            for radius, faces in drawings.items()
        }
    }


def faces_to_rows(faces: Sequence[str], radius: int) -> list[dict[str, str]]:
    """Return drawings as rows with the columns face (from 0), q, r, icon and radius."""
    rows = []
    for face, drawing in enumerate(faces):
        icons = boards.read_face(drawing, radius)
        for (q, r), icon in zip(district_cells(radius), icons, strict=True):
            entries = {"face": face, "q": q, "r": r, "icon": events.ICONS[icon], "radius": radius}
            rows.append({column: str(entry) for column, entry in entries.items()})
    return rows


def _sizes(rows: Sequence[_Row]) -> dict[tuple[int, str], int]:
    """Return the radius of each face by (face, entry in the column radius)."""
    sizes: dict[tuple[int, str], int] = {}
    widest = max(boards.RADII)
    for row in rows:
        face, given = row.whole("face", 0, boards.MAX_FACES), row.entries.get("radius", "")
        if given:
            radius = row.whole("radius", min(boards.RADII), widest)
        else:
            q, r = row.whole("q", -widest, widest), row.whole("r", -widest, widest)
            radius = max(abs(q), abs(r), abs(q + r), min(boards.RADII))
            radius = max(radius, sizes.get((face, given), 0))
        sizes[face, given] = radius
    return sizes


def _cell(row: _Row, radius: int) -> Cell:
    q, r = row.whole("q", -radius, radius), row.whole("r", -radius, radius)
    if abs(q + r) > radius:
        raise row.error(f"({q}, {r}) is outside a hexagon of radius {radius}", "q", "r")
    return q, r


def _drawing(hexes: Mapping[Cell, int], radius: int, face: int, first: _Row) -> str:
    cells = district_cells(radius)
    missing = [cell for cell in cells if cell not in hexes]
    if missing:
        raise first.error(
            f"face {face} has {len(hexes)} of the {len(cells)} hexes of radius {radius}; "
            f"{missing[0]} is missing",
            "face",
        )
    icons = [hexes[cell] for cell in cells]
    try:
        boards.check_station(icons)
    except ValueError as error:
        raise first.error(f"face {face} has {error}", "face") from None
    return boards.draw_face(icons, radius)


def _in_order(faces: Mapping[int, str], radius: int) -> list[str]:
    numbers = sorted(faces)
    for expected, number in enumerate(numbers, numbers[0]):
        if number != expected or numbers[0] > 1:
            wanted = 0 if numbers[0] > 1 else expected
            raise SimError(
                f'column "face": there is no face {wanted} of radius {radius}; '
                "faces are numbered from 0 or 1 without a gap"
            )
    try:
        boards.check_count(len(faces))
    except ValueError as error:
        raise SimError(f'column "face", radius {radius}: {error}') from None
    return [faces[number] for number in numbers]


# Decks


def deck_from_rows(rows: Rows) -> dict[str, Any]:
    """Return the changes to the components for the decks in the rows; without a name it is `csv`.

    A card that no row names has no copies. Five colours that are not the shipped ones become the
    names of the colours.
    """
    read = _read(rows, DECK_COLUMNS, ("deck",))
    colours = _colours(read)
    decks: dict[str, dict[str, list[int]]] = {}
    seen: dict[tuple[str, int, int], int] = {}
    for row in read:
        name = row.entries.get("deck", "") or "csv"
        icon, colour = row.icon(), colours.index(row.text("colour").lower())
        if (name, icon, colour) in seen:
            raise row.error(
                f"row {seen[name, icon, colour]} has this card already", "icon", "colour"
            )
        seen[name, icon, colour] = row.number
        cards = decks.setdefault(name, {each: [0] * events.COLOURS for each in events.ICONS})
        cards[events.ICONS[icon]][colour] = row.whole("copies", 0, MAX_DECK)
    changes: dict[str, Any] = {
        "decks": {
            name: {"source": "assumed", "note": "From a table of cards.", "cards": cards}
            for name, cards in decks.items()
        }
    }
    if colours != list(COLOURS):
        changes["colours"] = {"names": colours}
    return changes


def _colours(rows: Sequence[_Row]) -> list[str]:
    """Return the five colours of the cards: the shipped ones, or five others."""
    used = list(dict.fromkeys(row.text("colour").lower() for row in rows))
    if set(used) <= set(COLOURS):
        return list(COLOURS)
    if len(used) == events.COLOURS:
        return used
    row = next(row for row in rows if row.text("colour").lower() not in COLOURS)
    found = row.text("colour")
    raise row.error(
        f"unknown colour {show(found)}; allowed: {listing(COLOURS)}, or five other colours."
        f"{suggest(found, COLOURS)}",
        "colour",
    )


# Rows


def _columns(rows: Rows) -> list[str]:
    return list(
        dict.fromkeys(_name(column) for row in rows for column in row if column is not None)
    )


def _name(column: Any) -> str:
    return str(column).strip().lower()


def _read(rows: Rows, needed: Sequence[str], optional: Sequence[str]) -> list[_Row]:
    """Return the rows that are not empty; raise SimError if the columns are not these."""
    allowed = (*needed, *optional)
    columns = _columns(rows)
    for column in columns:
        if column not in allowed:
            raise SimError(
                f"columns: unknown column {show(column)}; allowed: {listing(allowed)}."
                f"{suggest(column, allowed)}"
            )
    missing = [column for column in needed if column not in columns]
    if missing:
        raise SimError(
            f"columns: {listing(missing)} missing; found {listing(columns) or 'none'}; "
            f"needed: {listing(needed)}"
        )
    read = [
        _texts(getattr(row, "number", number), row) for number, row in enumerate(rows, FIRST_ROW)
    ]
    return [row for row in read if any(row.entries.values())]


def _texts(number: int, row: Mapping[str, Any]) -> _Row:
    if None in row:  # where csv.DictReader puts what has no column
        raise SimError(f"row {number}: more entries than columns")
    entries = {
        _name(column): "" if entry is None else str(entry).strip() for column, entry in row.items()
    }
    return _Row(number, entries)
