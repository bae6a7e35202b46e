"""What a tournament of styles says: who beats whom, what is played in the long run, cycles.

Needs a study whose line-ups are every mixture of some styles (`[lineups] tournament`), each
rotated through the seats. All line-ups meet the same deals, so intervals come from drawing deals
again, with replacement, for all line-ups at once (bootstrap over clusters).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl

from sim.errors import SimError
from sim.level import level
from sim.tuning.metagame import (
    ALPHAS,
    SUPPORT,
    Counts,
    Equilibrium,
    MetaGame,
    alpha_rank,
    cyclic_share,
    equilibrium,
)

DRAWS = 200
"""How often deals are drawn again."""
SEED = 20_191
CLEAR = 0.5


@dataclass(frozen=True)
class Table:
    """A tournament of one variant and number of players.

    `wins` and `seats` hold for each line-up, deal by deal, the wins and the seats of each style in
    games that ended by rule: [deal, style].
    """

    variant: str
    players: int
    styles: tuple[str, ...]
    wins: dict[Counts, np.ndarray]
    seats: dict[Counts, np.ndarray]

    @property
    def deals(self) -> int:
        """How many deals each line-up meets."""
        return max(len(values) for values in self.wins.values())

    @property
    def games(self) -> int:
        """How many games ended by rule."""
        return round(sum(float(seats.sum()) for seats in self.seats.values()) / self.players)

    def game(self, weights: np.ndarray | None = None) -> MetaGame:
        """Return the game of styles, each deal counted by its weight (once, if there are none)."""
        shares = {}
        for profile, wins in self.wins.items():
            own = np.ones(len(wins)) if weights is None else weights[: len(wins)]
            total, count = own @ wins, own @ self.seats[profile]
            fair = np.where(np.array(profile) > 0, 1 / self.players, 0.0)
            shares[profile] = np.divide(total, count, out=fair, where=count > 0)
        return MetaGame(self.styles, self.players, shares)

    @cached_property
    def whole(self) -> MetaGame:
        """The game of styles as all deals have it."""
        return self.game()

    @cached_property
    def drawn(self) -> list[MetaGame]:
        """The same from deals drawn again, `DRAWS` times."""
        rng = np.random.default_rng([SEED, self.players])
        even = np.full(self.deals, 1 / self.deals)
        return [self.game(rng.multinomial(self.deals, even)) for _ in range(DRAWS)]

    def interval(self, value: Callable[[MetaGame], Any]) -> tuple[np.ndarray, np.ndarray]:
        """Return the bounds of a function of the game (percentile bootstrap)."""
        if self.deals < 2:
            missing = np.full_like(np.asarray(value(self.whole), float), np.nan)
            return missing, missing
        found = np.array([value(game) for game in self.drawn])
        tail = (1 - level()) / 2
        low, high = np.quantile(found, [tail, 1 - tail], axis=0)
        return low, high

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """What is played when nobody wants to change."""
        return equilibrium(self.whole)

    @cached_property
    def mixtures(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of how often each style is played in equilibrium, [style]."""
        return self.interval(lambda game: equilibrium(game).mixture)

    @cached_property
    def unsure(self) -> list[int]:
        """The styles of which the deals do not settle whether they are played in equilibrium."""
        low, high = self.mixtures
        return [
            style
            for style in range(len(self.styles))
            if not (low[style] > SUPPORT or high[style] <= SUPPORT)  # NaN: one deal settles nothing
        ]

    @cached_property
    def circle(self) -> tuple[int, int, int] | None:
        """Three styles each of which beats the next, and the last the first, beyond chance."""
        low = np.nan_to_num(self.pairs[1])
        return next(
            (
                (a, b, c)
                for a, b, c in permutations(range(len(self.styles)), 3)
                if min(low[a, b], low[b, c], low[c, a]) > CLEAR
            ),
            None,
        )

    @cached_property
    def alpha_ranks(self) -> np.ndarray:
        """How much of the time each style is played, by intensity of selection, [alpha, style]."""
        return np.array([alpha_rank(self.whole, alpha) for alpha in ALPHAS])

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One of a style against all others of another: its part, low, high; [style, style]."""
        return self.whole.pairs, *self.interval(lambda game: game.pairs)

    @cached_property
    def cyclic(self) -> tuple[float, float, float]:
        """The share of who beats whom that no ratings explain, low, high."""
        low, high = self.interval(lambda game: cyclic_share(game.pairs))
        return cyclic_share(self.whole.pairs), float(low), float(high)

    @cached_property
    def edges(self) -> dict[tuple[int, int], list[tuple[float, float, float]]]:
        """By how much the first wins more than the second in each line-up of both, per seat.

        With bounds that hold for all line-ups and pairs at once (Bonferroni over line-ups of a
        pair), from the deals' own spread.
        """
        found: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        for one in range(len(self.styles)):
            for other in range(len(self.styles)):
                if one != other:
                    found[one, other] = list(self._edges(one, other))
        return found

    def _edges(self, one: int, other: int) -> Iterator[tuple[float, float, float]]:
        from scipy.stats import t

        both = [profile for profile in self.wins if profile[one] and profile[other]]
        for profile in both:
            wins, seats = self.wins[profile], self.seats[profile]
            n = len(wins)
            means = [wins[:, at].sum() / max(seats[:, at].sum(), 1) for at in (one, other)]
            gap = wins[:, one] / profile[one] - wins[:, other] / profile[other]
            gap = gap / self.players
            spread = gap.std(ddof=1) / np.sqrt(n) if n > 1 else np.inf
            wide = t.ppf(1 - (1 - level()) / 2 / len(both), max(n - 1, 1)) * spread
            middle = means[0] - means[1]
            yield middle, middle - wide, middle + wide

    def beats(self, one: int, other: int) -> bool:
        """Tell whether a style wins more than another in every line-up of both, beyond chance."""
        return all(low > 0 for _, low, _ in self.edges[one, other])

    @cached_property
    def dominant(self) -> int | None:
        """The style that beats every other, if there is one."""
        count = range(len(self.styles))
        return next(
            (
                one
                for one in count
                if all(self.beats(one, other) for other in count if other != one)
            ),
            None,
        )

    @cached_property
    def beaten_by(self) -> dict[int, list[int]]:
        """For each style those that win more than it in every line-up of both, beyond chance."""
        count = range(len(self.styles))
        return {at: [by for by in count if by != at and self.beats(by, at)] for at in count}

    @cached_property
    def viable(self) -> list[int]:
        """The styles of the equilibrium."""
        return self.equilibrium.support


def check(study: Any) -> None:
    """Raise SimError if a study has no tournament."""
    if not study.lineups.tournament:
        raise SimError(
            f"{study.source}: lineups: there is no tournament; "
            'add tournament = "all" (or a list of styles) in place of round_robin'
        )


def tables(run: Any) -> list[Table]:
    """Return the tournaments of a run, by variant and players; SimError if it has none."""
    check(run.study)
    styles = tuple(run.study.lineups.tournament)
    together: dict[tuple[str, int], list[Any]] = {}
    for cell in run.plan.cells:
        if cell.rotate:
            together.setdefault((cell.variant, cell.players), []).append(cell)
    return [_table(run, key, cells, styles) for key, cells in together.items()]


def _table(run: Any, key: tuple[str, int], cells: list[Any], styles: tuple[str, ...]) -> Table:
    variant, players = key
    wins, seats = {}, {}
    found = _by_deal(run, [cell.index for cell in cells], players)
    for cell in cells:
        profile = tuple(cell.styles.count(style) for style in styles)
        own = found.filter(pl.col("cell") == cell.index)
        deals = -(-cell.games // players)
        wins[profile] = np.zeros((deals, len(styles)))
        seats[profile] = np.zeros((deals, len(styles)))
        at = own["deal"].to_numpy(), [styles.index(name) for name in own["style"]]
        wins[profile][at], seats[profile][at] = own["wins"].to_numpy(), own["seats"].to_numpy()
    return Table(variant, players, styles, wins, seats)


def _by_deal(run: Any, cells: list[int], players: int) -> pl.DataFrame:
    """Return wins and seats by cell, deal and style, of games that ended by rule."""
    return (
        run.scan("seats")
        .filter(pl.col("cell").is_in(cells), ~pl.col("truncated"))
        .group_by(
            "cell", (pl.col("game") // players).alias("deal"), pl.col("style").cast(pl.String)
        )
        .agg(pl.col("win_share").sum().alias("wins"), pl.len().alias("seats"))
        .collect()
    )
