"""The event log of Wildstyle: int32 rows (event, seat, time, a, b, c), -1 where unused.

`time` is in microseconds since the round began; the set-up of the game and of a round has time 0.
A card is icon * COLOURS + colour. Codes that rules and referee share.
"""

ICONS = (
    "railway",
    "station",
    "residential",
    "shopping",
    "downtown",
    "industrial",
    "park",
    "police",
)
RAILWAY, STATION, RESIDENTIAL, SHOPPING, DOWNTOWN, INDUSTRIAL, PARK, POLICE = range(8)
COLOURS = 5

ACTS = ("draw", "add", "share", "take", "complete", "rush", "wait", "stop")
DRAW, ADD, SHARE, TAKE, COMPLETE, RUSH, WAIT, STOP = range(8)
"""What a seat can decide. `target` packs up to three small numbers, see `target`:

draw      x = draw pile
add       x = set (0 or 1), y = card from the hand
share     x = share pile, y = card from the hand
take      x = share pile, y = its top card, z = set
complete  x = set, y = hex or NO_HEX
rush      x = set, y = hex or NO_HEX
wait, stop: -1
"""
NO_HEX = 255

TILE = 0
"""An objective tile of the game: a = its position, b = code of the side that shows."""
DISTRICT = 1
"""A district board: a = its position, b = face (board * 2 + side), c = turns of 60 degrees."""
ROUND = 2
"""A round begins: a = its number from 1."""
DEAL = 3
"""A card dealt to `seat`: a = card."""
PILE = 4
"""A card of the deck after the deal, bottom first: a = draw pile or SET_ASIDE, b = card."""
DECIDE = 5
"""`seat` looks at the table and decides: a = act, b = target, c = when the act will land.

-1 for wait and stop; NEVER if it will land after the longest time that a round can last.
"""
ACT = 6
"""What `seat` decided happens: a = act, b = target, c = the card drawn (draw) or -1."""
FUMBLE = 7
"""What `seat` decided can no longer be done, and the time is lost: a = act, b = target."""
TRIGGER = 8
"""The final phase of the round begins: a = code of the reason, PILES_EMPTY or TAGS_OUT."""
ROUND_END = 9
"""The round is over: a = code of the reason (`END_REASONS`)."""
REMOVE = 10
"""`seat` takes a tag off the map for a cop car: a = hex."""
SOLO = 11
"""A tag of `seat` that touches no other of its tags comes off: a = hex."""
OBJECTIVE = 12
"""What `seat` scores with a tile: a = position of the tile, b = points, c = tags that count."""
SCORE = 13
"""a = score, b = rank (1 is best, ties share it, 0 in a truncated game), c = cop cars taken."""
END = 14
"""The game is over: a = 1 if it was cut off by `round_cap_s`, else 0."""

SEAT = 15
"""Who sits where, the first rows of a log: a = the place in the line-up of the style at `seat`."""

SET_ASIDE = -1
NEVER = 2**31 - 1

END_REASONS = ("piles_empty", "tags_out", "stalemate", "time_cap")
PILES_EMPTY, TAGS_OUT, STALEMATE, TIME_CAP = range(4)

X, Y, Z = 1, 256, 65536
"""target = x * X + y * Y + z * Z."""
