"""What is summed over the games of a shard: one function a theme, columns named in order.

Each returns [group, column, game]; a game that was cut off counts in none.
"""

import numpy as np

from sim.games.west_story.analysis.blocks import Block
from sim.games.west_story.state import MAX_PLAYERS
from sim.games.west_story.vocabulary import NO_CARD
from sim.metrics.drawn import drawn_sums
from sim.metrics.moments import share_scale
from sim.metrics.within import held, of_styles, regressed, seats_but_first, styles_but_first

MOST_FIRST = 20
"""So many rounds as first player, or more, are told together; so are later certificates."""
SEAT = ("seats", "first", "rounds", "score")
COUNTED = (
    *("bought", "production_cards", "scoring_cards", "buildings", "animals", "covered", "skips"),
    *("resets", "discs", "villains", "bribes", "bribe_paid", "executed", "combos", "combo_cows"),
    *("clears", "tokens_used", "pan_coins", "hats_lost", "coins", "cows", "marker"),
)
PLAYER = ("seats", *COUNTED, "lake", "lake_round", "certificate")
"""Of all seats, then of each style; `lake` reached it, `certificate` hold one."""
HOLDER = ("seats", "round", "paid", "pairs", "vp", "cards", "instead", "better")
"""Of seats with a certificate: `instead` is what the printed symbol would have paid, `better` is
how many the certificate paid more."""
MARKET = (
    *("games", "seats", "seen", "bought", "owners", "wins", "others", "other_wins", "executed"),
    *("coins", "hats", "cows", "price", "rounds"),
)
"""Of a card, over the games with it in play."""
BUILDING = ("score", "rounds", "margin", "spread")
"""What building types are held against; `spread` is the standard deviation between the seats."""
SET = ("games", "seats", "score", "rounds", "margin", "spread", "tied")
VILLAIN = (
    *("games", "turned", "turned_round", "bribes", "paid", "fought", "stayed", "pot", "vp"),
    *("wins", "left"),
)
"""Of a token in play, or of a place; `stayed` are rounds from turning up to a fight, `left` those
that went unfought."""
TOWN = ("games", "seats", "discs", "owners", "full", "quadruples", "wilds", "vp", "wins")


def games(block: Block) -> np.ndarray:
    """Return one group whose only column counts games."""
    return np.ones((1, 1, len(block.ended))) * block.ended


def seats(block: Block) -> np.ndarray:
    """Return `SEAT` for each of `MAX_PLAYERS` seats."""
    found = block.seats
    rounds = np.broadcast_to(block.games["rounds"][:, None], block.wins.shape)
    columns = np.stack(
        [np.ones_like(block.wins), found["rounds_first"], rounds, found["score"]]
    ).transpose(2, 0, 1)
    values = np.zeros((MAX_PLAYERS, *columns.shape[1:]))
    values[: block.players] = columns
    return values * block.ended


def times_first(block: Block) -> np.ndarray:
    """Return `HELD` by rounds as first player."""
    return held(block, np.minimum(block.seats["rounds_first"], MOST_FIRST), MOST_FIRST + 1)


def _earned(block: Block) -> np.ndarray:
    """Return rounds as first player but for the round that seat 0 begins with, [game, seat]."""
    return block.seats["rounds_first"] - (np.arange(block.players) == 0)


def first(block: Block) -> np.ndarray:
    """Return regressions on rounds earned as first player, seats and styles but the first."""
    x = [_earned(block), *seats_but_first(block)]
    return regressed(block, [*x, *styles_but_first(block, block.names.styles)])


def first_and_coins(block: Block) -> np.ndarray:
    """Return the same with pan coins taken as richest as second variable."""
    x = [_earned(block), block.seats["pan_coins"], *seats_but_first(block)]
    return regressed(block, [*x, *styles_but_first(block, block.names.styles)])


def first_alone(block: Block) -> np.ndarray:
    """Return regressions on rounds as first player alone."""
    return regressed(block, [block.seats["rounds_first"]])


def players(block: Block) -> np.ndarray:
    """Return `PLAYER` for all seats, then for each style."""
    found = block.seats
    columns = (
        np.ones_like(block.wins),
        *(found[name] for name in COUNTED),
        found["lake_round"] > 0,
        found["lake_round"],
        _holds(block),
    )
    return of_styles(block, np.stack(columns).astype(float), len(block.names.styles))


def by_lake(block: Block) -> np.ndarray:
    """Return `HELD` of seats that did not reach the lake, and that did."""
    return held(block, (block.seats["lake_round"] > 0).astype(int), 2)


def _holds(block: Block) -> np.ndarray:
    return block.seats["certificate"] != block.names.pairs.index(NO_CARD)


def by_certificate(block: Block) -> np.ndarray:
    """Return `HELD` of seats with the printed licence, and with a certificate."""
    return held(block, _holds(block).astype(int), 2)


def certificate_fit(block: Block) -> np.ndarray:
    """Return regressions on holding a certificate and styles but the first."""
    return regressed(block, [_holds(block), *styles_but_first(block, block.names.styles)])


def holders(block: Block) -> np.ndarray:
    """Return `HOLDER` of all certificates, of each, and by the round in which they were bought."""
    found, holds = block.seats, _holds(block)
    instead = found["licence_cards"] * int(block.cell.rulings["licence_vp"])
    columns = np.stack(
        [
            np.ones_like(instead),
            found["certificate_round"],
            found["certificate_paid"],
            found["certificate_pairs"],
            found["vp_certificate"],
            found["licence_cards"],
            instead,
            found["vp_certificate"] > instead,
        ]
    ).astype(float)
    rounds = np.minimum(found["certificate_round"], MOST_FIRST)
    groups = [
        holds,
        *(holds & (found["certificate"] == code) for code in range(len(block.names.pairs))),
        *(holds & (rounds == number) for number in range(1, MOST_FIRST + 1)),
    ]
    return np.stack([(columns * group).sum(-1) for group in groups]) * block.ended


def market(block: Block) -> np.ndarray:
    """Return `MARKET` for each card."""
    found, scale = block.market, share_scale(block.players)
    there = found["in_play"]
    wins = np.rint(found["win_share"] * scale)
    paid = [found[name] for name in ("coins", "hats", "cows")]
    columns = (
        there,
        there * block.players,
        found["seen"],
        found["bought"],
        found["owners"],
        wins,
        there * block.players - found["owners"],
        there * scale - wins,
        found["executed"],
        *paid,
        sum(paid),
        found["rounds"],
    )
    values = np.zeros((len(block.names.cards), len(MARKET), len(there)))
    values[found["card"][0]] = np.stack([part.T for part in columns], axis=1)
    return values * block.ended


def _spread(block: Block) -> np.ndarray:
    return block.seats["score"].std(1, ddof=1)


def buildings(block: Block) -> np.ndarray:
    """Return what regressions on the building types in play need, a group for each `BUILDING`."""
    cards = np.array(block.names.sets)[block.building_set]
    there = (cards[:, :, None] == np.arange(len(block.names.cards))).any(1)
    score, spread = block.seats["score"].mean(1), _spread(block)
    outcomes = [score, block.games["rounds"], block.games["margin"], spread]
    return drawn_sums(there, outcomes) * block.ended


def sets(block: Block) -> np.ndarray:
    """Return `SET` of each game, [column, game]."""
    columns = (
        np.ones(len(block.ended)),
        np.full(len(block.ended), block.players),
        block.seats["score"].sum(1),
        block.games["rounds"],
        block.games["margin"],
        _spread(block),
        block.games["tied"],
    )
    return np.stack(columns) * block.ended


def villains(block: Block) -> np.ndarray:
    """Return `VILLAIN` of each token in play, then of each place."""
    found = block.villains
    fought = found["fought"]
    known = block.cell.components["villain_tokens"]["tokens"]
    worth = np.array([known[t]["vp"] if t in known else 0 for t in block.names.tokens])
    columns = np.stack(
        [
            np.ones_like(fought),
            found["turned_round"] > 0,
            found["turned_round"],
            found["bribes"],
            found["paid"],
            fought,
            fought * (found["gone_round"] - found["turned_round"]),
            found["pot"],
            fought * worth[found["token"]],
            np.rint(found["win_share"] * share_scale(block.players)),
            (found["gone_round"] > 0) & (fought == 0),
        ]
    ).astype(float)
    tokens = [found["token"] == code for code in range(len(block.names.tokens))]
    places = [found["place"] == code for code in range(len(block.names.places))]
    return np.stack([(columns * group).sum(-1) for group in (*tokens, *places)]) * block.ended


def towns(block: Block) -> np.ndarray:
    """Return `TOWN` for each town."""
    found = block.towns
    ones = np.ones_like(found["discs"])
    columns = (
        ones,
        ones * block.players,
        found["discs"],
        found["seats"],
        found["full"],
        found["quadruples"],
        found["wilds"],
        found["vp"],
        np.rint(found["win_share"] * share_scale(block.players)),
    )
    values = np.zeros((len(block.names.towns), len(TOWN), len(ones)))
    values[found["town"][0]] = np.stack([part.T for part in columns], axis=1)
    return values * block.ended
