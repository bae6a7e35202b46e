"""Reads drawings of hexes, so that cases worked by hand can be checked by eye.

A row of a drawing is a row of hexes, a hex every second column, each row shifted by one:

     S w w          a capital letter is the player's tag on that icon, a small one the bare icon;
    # # . .         # and . are a tag and a bare hex where the icon does not matter
     P . .

A bar, as between two district boards, is only there for the eye.
"""

import itertools

from .brute import City, city, districts

LETTERS = {
    "W": "railway",
    "S": "station",
    "R": "residential",
    "H": "shopping",
    "D": "downtown",
    "I": "industrial",
    "G": "park",
    "P": "police",
}
PLAIN = "shopping"


def marks(drawing):
    """Return {(q, r): mark}; the first row is r = 0 and its first column q = 0."""
    found = {}
    rows = [row for row in drawing.replace("|", " ").splitlines() if row.strip()]
    left = min(len(row) - len(row.lstrip()) for row in rows)
    odd = (len(rows[0]) - len(rows[0].lstrip()) - left) % 2
    for r, row in enumerate(rows):
        for column, mark in enumerate(row[left:]):
            if mark != " ":
                q, askew = divmod(column - odd - r, 2)
                assert not askew, f"between two hexes: {row!r}"
                found[q, r] = mark
    return found


def read(found):
    """Return (tags, {hex: icon}) of marks."""
    tags = {hex_ for hex_, mark in found.items() if mark == "#" or mark.isupper()}
    return tags, {hex_: LETTERS.get(mark.upper(), PLAIN) for hex_, mark in found.items()}


def whole(drawing, players, radius):
    """Return (tags, map) of a drawing of every hex of a map."""
    found = marks(drawing)
    bare = districts(players, radius)
    shift = first(bare), first(found)
    moved = {move(hex_, shift[0], shift[1]): mark for hex_, mark in found.items()}
    assert moved.keys() == bare.keys(), "the drawing is not of the shape of the map"
    tags, icon_of = read(moved)
    return tags, City({hex_: icon_of[hex_] for hex_ in bare}, bare)


def part(drawing, players, radius, turn=0, mirrored=False):
    """Return (tags, map) of a drawing somewhere on a map, turned and mirrored; None if too big."""
    found = {turned(hex_, turn, mirrored): mark for hex_, mark in marks(drawing).items()}
    bare = districts(players, radius)
    for place, start in itertools.product(bare, [first(found)]):
        moved = {move(hex_, place, start): mark for hex_, mark in found.items()}
        if moved.keys() <= bare.keys():
            tags, icon_of = read(moved)
            return tags, city(players, radius, [icon_of.get(hex_, PLAIN) for hex_ in bare])
    return None


def first(hexes):
    return min(hexes, key=lambda hex_: (hex_[1], hex_[0]))


def move(hex_, place, start):
    return hex_[0] + place[0] - start[0], hex_[1] + place[1] - start[1]


def turned(hex_, turn, mirrored):
    """Turn a hex about the origin by steps of 60 degrees, after mirroring."""
    q, r = hex_[::-1] if mirrored else hex_
    for _ in range(turn):
        q, r = -r, q + r
    return q, r
