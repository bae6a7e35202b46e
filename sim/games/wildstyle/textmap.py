"""The city map in text: a letter for each icon, the seats' tags, and the borders of districts."""

from collections.abc import Iterable, Mapping, Sequence

from sim.games.wildstyle.city import Cell, City, Ground
from sim.games.wildstyle.rulebook import LETTERS

SEVERAL = "*"
"""Stands for the tags of several seats."""
MARGIN = 3


def row_names(cells: Iterable[Cell]) -> dict[int, str]:
    """Return the letter of each row of hexes by its r, A on top."""
    rows = sorted({int(r) for _, r in cells})
    return {r: chr(ord("A") + number) for number, r in enumerate(rows)}


def hex_names(cells: Sequence[Cell]) -> list[str]:
    """Return the name of each hex: the letter of its row and its number in it from the left."""
    letters = row_names(cells)
    in_row = dict.fromkeys(letters, 0)
    names = [""] * len(cells)
    for hex_ in sorted(range(len(cells)), key=lambda hex_: cells[hex_][0]):
        r = int(cells[hex_][1])
        in_row[r] += 1
        names[hex_] = f"{letters[r]}{in_row[r]}"
    return names


def owners(tags: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """Return the seats that have a tag on a hex, by hex, from each seat's tags."""
    found: dict[int, list[int]] = {}
    for seat, hexes in enumerate(tags):
        for hex_ in hexes:
            found.setdefault(hex_, []).append(seat)
    return found


def text_map(city: City, tags: Sequence[Sequence[int]]) -> list[str]:
    """Return the map row by row, two characters a hex: `p` is a free park, `P2` one of seat 2.

    A hex with several tags shows `*`; `|` and `-` are the borders of districts. Rows start with
    their letter.
    """
    ground, by_hex = city.ground, owners(tags)
    letters = row_names(ground.cells)
    rows: dict[int, list[int]] = {r: [] for r in letters}
    for hex_, (_, r) in enumerate(ground.cells):
        rows[r].append(hex_)
    left = min(2 * q + r for q, r in ground.cells)
    lines = []
    for r, hexes in rows.items():
        lines.append(_row(city, by_hex, hexes, letters[r], left))
        if below := _border_below(ground, hexes, left):
            lines.append(below)
    return lines


def _column(cell: Cell, left: int) -> int:
    """Return where the letter of a hex stands."""
    return MARGIN + 1 + 2 * (2 * cell[0] + cell[1] - left)


def _row(
    city: City, by_hex: Mapping[int, Sequence[int]], hexes: Iterable[int], letter: str, left: int
) -> str:
    """Return a row of the map."""
    ground = city.ground
    line = _blank(ground, left)
    line[0] = letter
    for hex_ in hexes:
        q, r = ground.cells[hex_]
        at = _column((q, r), left)
        seats = by_hex.get(hex_, ())
        icon = LETTERS[city.icons[hex_]]
        line[at] = icon if seats else icon.lower()
        if seats:
            line[at + 1] = str(seats[0]) if len(seats) == 1 else SEVERAL
        for step, place in ((-1, at - 2), (1, at + 2)):
            beside = ground.number.get((q + step, r))
            if beside is None or ground.district[beside] != ground.district[hex_]:
                line[place] = "|"
    return "".join(line).rstrip()


def _border_below(ground: Ground, hexes: Iterable[int], left: int) -> str:
    """Return a line for the hexes with nothing but another district below, empty without any."""
    line = _blank(ground, left)
    for hex_ in hexes:
        q, r = ground.cells[hex_]
        below = [ground.number.get(cell) for cell in ((q - 1, r + 1), (q, r + 1))]
        if all(
            other is not None and ground.district[other] != ground.district[hex_] for other in below
        ):
            at = _column((q, r), left)
            line[at - 1 : at + 3] = "----"
    return "".join(line).rstrip()


def _blank(ground: Ground, left: int) -> list[str]:
    return [" "] * (max(_column(cell, left) for cell in ground.cells) + 4)


def shared_hexes(city: City, tags: Sequence[Sequence[int]]) -> str:
    """Return whose tags lie where the map shows `*`, as `T* F8: 0 1 4; T* G6: 0 2`."""
    names = hex_names(city.ground.cells)
    shared = {hex_: seats for hex_, seats in sorted(owners(tags).items()) if len(seats) > 1}
    return "; ".join(
        f"{LETTERS[city.icons[hex_]]}{SEVERAL} {names[hex_]}: {' '.join(map(str, seats))}"
        for hex_, seats in shared.items()
    )
