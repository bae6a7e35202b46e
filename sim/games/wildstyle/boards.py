"""The faces of district boards as drawings: a letter a hex, rows from the top."""

from collections.abc import Sequence

from sim.errors import listing
from sim.games.wildstyle import events
from sim.games.wildstyle.hexmap import district_cells, hexes_in

LETTERS = dict(zip("RTHSDIPC", events.ICONS, strict=True))
"""Icon by the letter that stands for it in a drawing."""

RADII = (3, 2)
MAX_FACES = 32


def read_face(drawing: str, radius: int) -> list[int]:
    """Return the icon code of each cell of a drawing, in the order of `district_cells`.

    Blanks do not count, nor does the case of letters. Raises ValueError, one line, for a drawing
    that is no face of this radius.
    """
    rows = ["".join(line.split()).upper() for line in drawing.splitlines() if line.strip()]
    _check_shape([len(row) for row in rows], radius)
    codes = {letter: events.ICONS.index(icon) for letter, icon in LETTERS.items()}
    for number, row in enumerate(rows, 1):
        for letter in row:
            if letter not in codes:
                names = listing(f"{known} ({icon})" for known, icon in LETTERS.items())
                raise ValueError(f'row {number}: unknown letter "{letter}"; allowed: {names}')
    icons = [codes[letter] for row in rows for letter in row]
    check_station(icons)
    return icons


def draw_face(icons: Sequence[int], radius: int) -> str:
    """Return the drawing of a face from its icon codes in the order of `district_cells`."""
    letters = dict(zip(events.ICONS, LETTERS, strict=True))
    rows: dict[int, list[str]] = {}
    for (_, r), icon in zip(district_cells(radius), icons, strict=True):
        rows.setdefault(r, []).append(letters[events.ICONS[icon]])
    return "".join(f"{' ' * abs(r)}{' '.join(row)}\n" for r, row in rows.items())


def check_station(icons: Sequence[int]) -> None:
    """Raise ValueError if a face has no train station, or several."""
    stations = sum(icon == events.STATION for icon in icons)
    if stations != 1:
        raise ValueError(
            f"{stations or 'no'} train station{'s' if stations > 1 else ''} (T); "
            "exactly one is needed, since boards are turned by it"
        )


def check_count(faces: int) -> None:
    """Raise ValueError if so many faces are no whole boards, or too many."""
    if not faces or faces % 2:
        raise ValueError(
            f"{faces} faces; an even number is needed, the two sides of each board in turn"
        )
    if faces > MAX_FACES:
        raise ValueError(f"{faces} faces; at most {MAX_FACES} are allowed")


def described(faces: Sequence[str]) -> str:
    """Return a few words for the drawings of all faces of a radius."""
    hexes = sum(not letter.isspace() for letter in faces[0]) if faces else 0
    return f"{len(faces)} faces of {hexes} hexes"


def _check_shape(found: Sequence[int], radius: int) -> None:
    """Raise ValueError if rows of so many letters are no hexagon of this radius."""
    expected = _row_lengths(radius)
    other = next((r for r in RADII if r != radius and _row_lengths(r) == list(found)), None)
    if other is not None:
        raise ValueError(f"a hexagon of radius {other}; one of radius {radius} is needed")
    if len(found) != len(expected):
        raise ValueError(
            f"{len(found)} rows; {len(expected)} are needed, with {listing(expected)} letters"
        )
    for number, (length, needed) in enumerate(zip(found, expected, strict=True), 1):
        if length != needed:
            raise ValueError(
                f"row {number} has {length} letter{'s' * (length != 1)}; {needed} are needed "
                f"({hexes_in(radius)} hexes in rows of {listing(expected)})"
            )


def _row_lengths(radius: int) -> list[int]:
    return [2 * radius + 1 - abs(r) for r in range(-radius, radius + 1)]
