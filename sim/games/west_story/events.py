"""The event log of West Story: int32 rows (event, round, seat, a, b, c), -1 where unused.

`round` counts the rounds completed before; the set-up has round -1. Codes that rules and referee
share. Spots are 0..5 in the top row and 6..11 in the bottom row.
"""

SET = 0
"""A building type in play: a = its place in the set (0..4), b = the card's number in the file."""
BOARD = 1
"""`seat` takes the board on which symbol a is printed."""
CERTIFICATE_AT = 2
"""A certificate on a stack: a = stack, b = 0 on top or 1 at the bottom, c = certificate."""
TOKEN_AT = 3
"""A villain token, face down: a = place, b = 0; c = token."""
ORDER = 4
"""A card of a shuffled deck: a = deck, b = position from the top (0..), c = kind."""
DRAW = 5
"""A card comes to the market: a = deck, b = slot, c = kind."""
ROLL = 6
"""The first player, `seat`, rolls: a = yellow die, b = green die (1..6)."""
MARK = 7
"""`seat` marks a spot: a = spot, b = why (MARKED_BY), c = wild tokens spent for it (0 or 1)."""
COMBO_COW = 8
"""`seat` has a combo and nothing to mark: a cow. a = wild tokens spent for it (0 or 1)."""
EXECUTE = 9
"""`seat` executes a marked spot: a = spot, b = the alternative chosen (0..)."""
GAIN = 10
"""`seat` gains: a = what (GAINS), b = how many, c = why (REASONS)."""
FLIP = 11
"""A villain token turns up: a = place, b = token; `seat` entered the area."""
PAN_COIN = 12
"""`seat` has reached the lake: a = 1 with a coin from the pan, 0 with one from the bank."""
WILD_TOKEN = 13
"""`seat` picks up a wild token: a = the number of VP on which it lay."""
CLEAR = 14
"""A full row of `seat` loses its markers: a = row (0 top, 1 bottom)."""
TURN = 15
"""The turn of `seat` begins."""
FIGHT = 16
"""`seat` removes a villain token: a = place, b = token. A PAY row follows."""
BRIBE = 17
"""`seat` pays a villain: a = place, b = token. A PAY row follows."""
LEAVE = 18
"""An uncatchable villain is discarded with what lies on it: a = place, b = token."""
TRADE = 19
"""`seat` puts a disc: a = town, b = symbol of the town (0..5). A PAY row follows, then the MARK."""
CERTIFICATE = 20
"""`seat` buys a certificate: a = stack, b = 0 top or 1 bottom, c = certificate. Then PAY."""
RESET = 21
"""`seat` resets a row of the market: a = deck, b = how many cards. A PAY row follows."""
RETURN = 22
"""A card of a reset leaves the market: a = deck, b = slot, c = kind; in the order of slots."""
UNDER = 23
"""A card of a reset goes under its deck: a = deck, b = order (0 is the first put), c = kind."""
BUY = 24
"""`seat` buys a card: a = 4 * deck + slot, b = spot, c = kind. A PAY row follows."""
SKIP = 25
"""`seat` skips a purchase."""
PAY = 26
"""What `seat` pays for the act before: a = hats, b = coins, c = cows."""
RICHEST = 27
"""The end of a round: `seat` gets the dice; a = 1 with a coin of the pan, 0 if it is discarded."""
END = 28
"""The game is over: a = code of the end reason."""
FINAL = 29
"""`seat` scores at the end: a = part (PARTS), b = VP."""
SCORE = 30
"""a = score, b = rank (1 is best, ties share it, 0 in a truncated game), c = villain VP."""

MARKED_BY = ("yellow", "green", "combo", "token", "trade")
YELLOW, GREEN, COMBO, TOKEN, TRADED = range(5)

GAINS = ("coins", "hats", "cows", "vp", "discount", "fight", "free_trade")
COINS, HATS, COWS, VP, DISCOUNT, FREE_FIGHT, FREE_TRADE = range(7)

REASONS = (
    "effect",
    "hat_bonus",
    "herd_bonus",
    "too_many_hats",
    "too_many_cows",
    "skip",
    "combo",
    "pot",
    "villain",
    "card",
    "wild_bonus",
)
(
    BY_EFFECT,
    BY_HAT_BONUS,
    BY_HERD_BONUS,
    BY_HATS,
    BY_COWS,
    BY_SKIP,
    BY_COMBO,
    BY_POT,
    BY_VILLAIN,
    BY_CARD,
    BY_WILD_BONUS,
) = range(11)
"""GAIN rows of hats and cows hold what found room; what did not is a row of VP after them."""

PARTS = ("villains", "towns", "licence", "certificate", "cards")
"""What scores at the end, a row for each that is not 0; villains under `villain_vp = "end"`."""

END_REASONS = ("gold_pan", "round_cap")
GOLD_PAN, ROUND_CAP = range(2)

SPOTS = 12
ROW_SPOTS = 6
SLOTS = 4
DECKS = ("production", "scoring", "building")

ACTIONS = ("fight", "trade", "certificate", "reset", "skip", "token")
"""Kinds of action that a style may forbid, beside cards, towns and villains."""
