"""What is summed over the sampled rounds of a shard: standings, wealth, dice, purchases.

Each function returns [group, column, sampled game]; a game that was cut off counts in none.
"""

import numpy as np

from sim.games.west_story.analysis.blocks import BOUGHT, SOURCES, Block
from sim.games.west_story.state import MAX_PLAYERS
from sim.games.west_story.vocabulary import NO_CARD
from sim.metrics.moments import share_scale
from sim.metrics.totals import squares
from sim.metrics.within import centred, styles_but_first, with_ones

STANDING = ("games", "leader", "richest", "first", "lead", "on", "again")
"""After a round: win shares of the seats that lead, are richest, had the dice (ties split); the
lead over the next; games that go `on`, and in how many of these the richest is so `again`."""
RANK = ("seats", "wins")
GROWTH = ("seats", *SOURCES, "vp", "coins", "cows")
BUYING = ("seats", *BOUGHT, "cards", "covering", "price")
TIE = ("got", "standing", "cows", "had")
"""What a seat that ties for richest is known by: whether it gets the dice, how it stands, whether
it had them. With two players whoever had them never gets them: nothing tells the two apart."""


def _ended(block: Block) -> np.ndarray:
    """Return 1.0 for each sampled game that ended by rule, else 0.0."""
    return block.ended[block.sampled]


def _wins(block: Block) -> np.ndarray:
    """Return wins, [sampled game, 1, seat]."""
    return block.wins[block.sampled][:, None]


def _by_round(block: Block, values: np.ndarray) -> np.ndarray:
    """Return [column, sampled game, round] as [round, column, sampled game]."""
    found = np.zeros((block.names.rounds, len(values), values.shape[1]))
    found[: values.shape[2]] = values.transpose(2, 0, 1)
    return found * _ended(block)


def _top(values: np.ndarray) -> np.ndarray:
    """Return the share of each seat in having the most, [..., seat]."""
    best = values == values.max(-1, keepdims=True)
    return best / best.sum(-1, keepdims=True)


def standings(block: Block) -> np.ndarray:
    """Return `STANDING` after each round."""
    played = block.rounds["played"][:, :, 0]
    richest = _top(block.wealth)
    order = np.sort(block.standing, axis=-1)
    later = np.zeros_like(played)
    later[:, :-1] = played[:, 1:]
    again = np.zeros(played.shape)
    again[:, :-1] = (richest[:, :-1] * richest[:, 1:]).sum(-1)
    columns = (
        np.ones_like(played),
        (_top(block.standing) * _wins(block)).sum(-1),
        (richest * _wins(block)).sum(-1),
        (block.rounds["first"] * _wins(block)).sum(-1),
        order[..., -1] - order[..., -2],
        later,
        again * later,
    )
    return _by_round(block, np.stack(columns) * played)


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return ranks from 0, shared by equal seats, [..., seat]."""
    return (values[..., None, :] > values[..., None]).sum(-1)


def _ranked(block: Block, values: np.ndarray) -> np.ndarray:
    """Return `RANK` after each round for each rank, ranks fastest."""
    rank = _ranks(values)
    played = block.rounds["played"]
    parts = []
    for number in range(MAX_PLAYERS):
        those = (rank == number) * played
        parts.append(_by_round(block, np.stack([those.sum(-1), (those * _wins(block)).sum(-1)])))
    groups = block.names.rounds * MAX_PLAYERS
    return np.stack(parts, axis=1).reshape(groups, len(RANK), len(block.sampled))


def ranks(block: Block) -> np.ndarray:
    """Return `RANK` by standing."""
    return _ranked(block, block.standing)


def wealth_ranks(block: Block) -> np.ndarray:
    """Return `RANK` by wealth."""
    return _ranked(block, block.wealth)


def chances(block: Block) -> np.ndarray:
    """Return regressions of win share on standing, wealth and styles but the first, by round."""
    shape = block.standing.shape
    x = np.stack([centred(part) for part in (block.standing, block.wealth, *_styles(block, shape))])
    y = centred(np.broadcast_to(_wins(block), shape) / share_scale(block.players))
    found = np.zeros((block.names.rounds, len(x) ** 2 + len(x) + 1, len(block.sampled)))
    for number in range(x.shape[2]):
        own = with_ones(squares(x[:, :, number], y[:, number]))
        found[number] = own * block.rounds["played"][:, number, 0]
    return found * _ended(block)


def _styles(block: Block, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Return a variable for each style of the unit but the first, [sampled game, round, seat]."""
    known = styles_but_first(block, block.names.styles)
    return [np.broadcast_to(style[block.sampled][:, None], shape) for style in known]


def growth(block: Block) -> np.ndarray:
    """Return `GROWTH` after each round."""
    found = block.rounds
    columns = [np.ones_like(block.standing), *(found[name] for name in SOURCES)]
    columns += [block.standing, found["coins"], found["cows"]]
    return _by_round(block, (np.stack(columns) * found["played"]).sum(-1))


def dice_at_ties(block: Block) -> np.ndarray:
    """Return regressions on `TIE`, and styles but the first, among seats that tie for richest.

    All is centred within the tie; the last column counts ties. Only rounds that another follows.
    """
    played = block.rounds["played"]
    tied = (block.wealth == block.wealth.max(-1, keepdims=True))[:, :-1] & (played[:, 1:] > 0)
    tied &= tied.sum(-1, keepdims=True) > 1
    score = block.seats["score"][block.sampled][:, None]
    dice, cows = block.rounds["first"], block.rounds["cows"][:, :-1]
    x = [dice[:, 1:], block.standing[:, :-1], cows, dice[:, :-1], *_styles(block, tied.shape)]
    y = (_wins(block) / share_scale(block.players), score)
    inner = np.stack([_within_ties(part, tied) for part in x])
    ties = (tied.sum(-1) > 0).sum(-1)
    found = [squares(inner, _within_ties(part, tied)) for part in y]
    sums = np.concatenate([np.stack(found), np.broadcast_to(ties, (len(y), 1, len(ties)))], axis=1)
    return sums * _ended(block)


def _within_ties(values: np.ndarray, tied: np.ndarray) -> np.ndarray:
    """Return values less their mean over the tied seats, 0 elsewhere, [game, round * seat]."""
    values = np.broadcast_to(values, tied.shape).astype(float)
    count = np.maximum(tied.sum(-1, keepdims=True), 1)
    level = (values * tied).sum(-1, keepdims=True) / count
    return ((values - level) * tied).reshape(len(tied), tied.shape[1] * tied.shape[2])


def buying(block: Block) -> np.ndarray:
    """Return `BUYING` in each round."""
    found = block.purchases
    played = np.broadcast_to(block.rounds["played"][..., None], found["card"].shape)
    decks = block.decks[found["card"]]
    bought = decks >= 0
    none = block.names.covers.index(NO_CARD)
    columns = [
        *(decks == number for number in range(len(BOUGHT) - 1)),
        played.astype(bool) & ~bought,
        bought,
        bought & (found["covers"] != none),
        sum(found[name] for name in ("coins", "hats", "cows")),
    ]
    seats = block.rounds["played"].sum(-1)
    counted = np.stack([(part * played).sum((-1, -2)) for part in columns])
    return _by_round(block, np.concatenate([seats[None], counted]))
