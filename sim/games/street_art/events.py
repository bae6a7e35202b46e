"""The event log of Street Art: int32 rows (event, turn, seat, a, b, c), -1 where unused.

`turn` counts the turns completed before; the deal has turn -1. Codes that rules and referee share.
"""

ORDER = 0
"""The draw pile after the first shuffle, a row a card: a = position (0 is the bottom), b = kind."""
DRAW = 1
"""A card from the top of the draw pile into the hand of `seat`: a = kind."""
PLAY = 2
"""The action: a = kind, b = copies (Brass Bands) or 1, c = victim of Fireworks or -1."""
TAKE = 3
"""Hearts from the middle: a = amount."""
STEAL = 4
"""Hearts from another player: a = amount, b = victim."""
RETURN = 5
"""Hearts that `seat` returns to the box because of Rain: a = amount."""
COLLECT = 6
"""A card that goes under the draw pile: a = position (0 is bottom), b = kind, c = 1 if by Rain."""
PASS = 7
"""An empty hand: nothing to play."""
END = 8
"""a = code of the end reason."""
SCORE = 9
"""a = hearts, b = rank (1 is best, ties share it, 0 in a truncated game)."""

END_REASONS = ("middle_empty", "turn_cap")

BEATBOXER = 0
FIREWORKS = 1
BRASS_BAND = 2
RAIN = 3
SPECIALS = ("beatboxer", "fireworks", "brass_band", "rain")
FIRST_STAR = 4
"""Kinds from here on are the Street Stars, in the order of the component file."""
