"""Variance components of games in which seats and styles are crossed on the same deals.

Deals are random; seats and styles are all there are (Cornfield and Tukey 1956, Annals of
Mathematical Statistics 27, 907-949). A slot is a seat in one of the games of a deal.

1. The means of slots over deals give what is fixed: seat, style, both together, and company (who
   else sits there), as sums of squares less what chance adds to them.
2. What is left of two slots of one deal, in different games, has the covariance of what they
   share: products of such pairs, averaged by whether seat and style are the same, give the
   components of the deal (symmetric sums: Koch 1967, Technometrics 9; Searle, Casella and
   McCulloch, Variance Components, 1992).

Everything is added up deal by deal first. Shares are ratios of such sums, with the linearised
variance over deals; a sum of squares near 0 also has the variance that chance gives its square.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.metrics.seatings import Games
from sim.metrics.totals import Estimate, ratio_of

BLOCKS = 256
"""Parts that the deals are cut into, to see what chance does to the means of slots."""
MOST_CLUSTERS = 1 << 15
"""With more deals, so many blocks of them are kept."""
SAME, SEAT, STYLE, OTHER = "same", "seat", "style", "other"
"""Two slots share seat and style, the seat alone, the style alone, or neither."""
PAIRS = (SAME, SEAT, STYLE, OTHER)
COLUMNS = ("seen", "squares", *(f"{name}{end}" for name in PAIRS for end in ("_pairs", "")))
"""Of each deal: slots, their squares, and for each kind of pairs their number and products."""
Vector = np.ndarray
Part = Callable[[Vector], Vector]
"""Takes from values of slots [..., slot] what one source says of them."""


@dataclass(frozen=True)
class Component:
    """A part of the variance; `extra` is what chance adds to the variance of a sum of squares.

    `raw` is that sum of squares with what chance adds to it, NaN for a component of the deal.
    """

    name: str
    found: Estimate
    extra: float = 0.0
    raw: float = np.nan


@dataclass(frozen=True)
class Slots:
    """What is known of the slots that were seen: seat, style, mean and games of each, [slot].

    `there` [slot of all] tells which these are; `blocks` [block, slot] what the deals of each
    block add to the means; they sum to 0.
    """

    players: int
    styles: int
    seat: Vector
    style: Vector
    mean: Vector
    count: Vector
    blocks: Vector
    there: Vector

    @cached_property
    def table(self) -> np.ndarray:
        """How many slots there are for each seat and style."""
        size = self.players * self.styles
        return np.bincount(self._places, minlength=size).reshape(self.players, -1)

    @property
    def crossed(self) -> bool:
        """Whether every style sits in every seat equally often."""
        rows, columns = self.table.sum(1, keepdims=True), self.table.sum(0, keepdims=True)
        return bool(np.allclose(self.table * len(self.seat), rows * columns))

    @cached_property
    def parts(self) -> dict[str, Part]:
        """What the means of slots consist of, by name; parts have nothing in common."""
        styles, pairs = (self.table.sum(0) > 0).sum(), (self.table > 0).sum()
        if not len(self.seat):
            return {}
        if not self.crossed:
            return {"seating": lambda x: x - _mean(x)}
        found: dict[str, Part] = {}
        if self.players > 1:
            found["seat"] = lambda x: self._by(x, self.seat) - _mean(x)
        if styles > 1:
            found["style"] = lambda x: self._by(x, self.style) - _mean(x)
        if self.players > 1 and styles > 1:
            found["seat_x_style"] = self._both
        if len(self.seat) > pairs:
            found["company"] = lambda x: x - self._by(x, self._places)
        return found

    def _both(self, x: Vector) -> Vector:
        alone = self._by(x, self.seat) + self._by(x, self.style)
        return self._by(x, self._places) - alone + _mean(x)

    @cached_property
    def _places(self) -> Vector:
        return self.seat * self.styles + self.style

    def _by(self, x: Vector, labels: Vector) -> Vector:
        """Return for each slot the mean of all with its label."""
        flat = x.reshape(-1, x.shape[-1])
        sums = np.stack([np.bincount(labels, row) for row in flat])
        means = sums / np.maximum(np.bincount(labels), 1)
        return means[:, labels].reshape(x.shape)

    def alike(self, seats: Callable[[int, int], bool]) -> float:
        """Return how often two games seat one style at two seats, on average over such seats."""
        shares = self.table / np.maximum(self.table.sum(1, keepdims=True), 1)
        every = [
            float(shares[a] @ shares[b])
            for a in range(self.players)
            for b in range(self.players)
            if seats(a, b)
        ]
        return float(np.mean(every)) if every else 0.0


def _mean(x: Vector) -> Vector:
    return x.mean(-1, keepdims=True)


class Seen:
    """Adds up the slots of some cells over their deals, block by block; whole numbers, so exact."""

    def __init__(self, styles: Sequence[np.ndarray], deals: int) -> None:
        """Take who sits where in each cell, [turn, seat], and the most deals of any."""
        self.styles, self.deals = styles, deals
        self.number = min(BLOCKS, max(deals, 1))
        self.sums = [np.zeros((self.number, *who.shape)) for who in styles]
        self.counts = [np.zeros((self.number, *who.shape)) for who in styles]

    def add(self, cell: int, games: Games) -> None:
        """Add games of the cell at this place."""
        if not games.deals:
            return
        block = np.arange(games.first, games.first + games.deals) * self.number // self.deals
        starts = np.flatnonzero(np.diff(block, prepend=-1))
        there = np.broadcast_to(games.ended[..., None], games.values.shape).astype(float)
        self.sums[cell][block[starts]] += np.add.reduceat(games.values, starts, axis=0)
        self.counts[cell][block[starts]] += np.add.reduceat(there, starts, axis=0)

    def merge(self, other: "Seen") -> None:
        """Add what was seen of other games of the same cells."""
        self.sums = [a + b for a, b in zip(self.sums, other.sums, strict=True)]
        self.counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]

    def slots(self) -> Slots:
        """Return what was seen."""
        sums, counts = (
            np.concatenate([part.reshape(self.number, -1) for part in parts], axis=1)
            for parts in (self.sums, self.counts)
        )
        players = self.styles[0].shape[1]
        seat = np.concatenate([np.tile(np.arange(players), len(who)) for who in self.styles])
        style = np.concatenate([who.ravel() for who in self.styles])
        count = counts.sum(0)
        there = count > 0
        mean = sums[:, there].sum(0) / count[there]
        known = counts.sum(1) > 0
        blocks = (sums - mean_at(mean, there) * counts)[known][:, there] / count[there]
        return Slots(
            players,
            int(style.max()) + 1,
            seat[there],
            style[there],
            mean,
            count[there],
            blocks,
            there,
        )


def mean_at(values: Vector, there: Vector) -> Vector:
    """Return values of slots that were seen among all, 0 for the others."""
    found = np.zeros(len(there))
    found[there] = values
    return found


class _Products:
    """Adds up values by what slots of a deal share, to get the products of all pairs of games."""

    def __init__(self, players: int, styles: int, deals: int) -> None:
        self.sums = np.zeros((players, styles, deals))
        self.squares, self.games, self.styles = np.zeros((3, deals))

    def add(self, values: np.ndarray, who: np.ndarray) -> None:
        """Add the games of a cell; values are [turn, seat, deal]."""
        deals = values.shape[-1]
        for turn, codes in zip(values, who, strict=True):
            by_style: dict[int, Vector] = {}
            for seat, code in enumerate(codes):
                self.sums[seat, code, :deals] += turn[seat]
                self.squares[:deals] += turn[seat] ** 2
                by_style[code] = by_style.get(code, 0.0) + turn[seat]
            self.games[:deals] += sum(by_style.values()) ** 2
            for own in by_style.values():
                self.styles[:deals] += own**2

    def pairs(self) -> dict[str, Vector]:
        """Return the products of pairs of slots in different games by what they share."""
        seats = [_added(row) for row in self.sums]
        styles = [_added(row) for row in self.sums.transpose(1, 0, 2)]
        same = _added(cell**2 for row in self.sums for cell in row) - self.squares
        seat = _added(row**2 for row in seats) - self.squares
        style = _added(row**2 for row in styles) - self.styles
        every = _added(seats) ** 2 - self.games
        apart = every - seat - style + same
        return {SAME: same, SEAT: seat - same, STYLE: style - same, OTHER: apart}


def _added(rows: Iterable[Vector]) -> Vector:
    """Add rows one after the other, whatever their length: to the last digit, as `sum` may not."""
    total: Vector | float = 0.0
    for row in rows:
        total = total + row
    return np.asarray(total)


class Columns:
    """Adds up `COLUMNS` and the parts of the means deal by deal, over cells that meet these deals.

    What a deal adds to a part of the means, to first order, follows `COLUMNS`.
    """

    def __init__(self, slots: Slots, starts: Sequence[int], deals: int) -> None:
        """Take where the slots of each cell begin among all, and the most deals that come."""
        self.players, self.starts = slots.players, starts
        self.mean = mean_at(slots.mean, slots.there)
        self.lever = [
            mean_at(2 * part(slots.mean) / len(slots.mean) / slots.count, slots.there)
            for part in slots.parts.values()
        ]
        size = slots.players, slots.styles, deals
        self.values, self.seen = _Products(*size), _Products(*size)
        self.fixed = np.zeros((len(self.lever), deals))

    def add(self, cell: int, games: Games) -> None:
        """Add games of the cell at this place; they begin with the first of the deals."""
        shape = games.styles.shape
        own = slice(self.starts[cell], self.starts[cell] + games.styles.size)
        there = np.repeat(games.ended.T[:, None], self.players, axis=1)
        rest = games.values.transpose(1, 2, 0) - self.mean[own].reshape(*shape, 1)
        rest *= there
        self.values.add(rest, games.styles)
        self.seen.add(there.astype(float), games.styles)
        for row, weights in zip(self.fixed, self.lever, strict=True):
            for weight, slot in zip(weights[own], rest.reshape(-1, games.deals), strict=True):
                row[: games.deals] += weight * slot

    def table(self) -> np.ndarray:
        """Return the sums, [column, deal]."""
        products, numbers = self.values.pairs(), self.seen.pairs()
        pairs = [each for name in PAIRS for each in (numbers[name], products[name])]
        return np.stack([self.seen.squares, self.values.squares, *pairs, *self.fixed])


def starts_of(styles: Sequence[np.ndarray]) -> list[int]:
    """Return where the slots of each cell begin among those of all."""
    return [0, *np.cumsum([who.size for who in styles]).tolist()]


def components(slots: Slots, sums: Vector, deals: int) -> list[Component]:
    """Return the components from the sums of `Columns` over all deals, and `total` at the end.

    `rest` is what they leave. Where no two games share a deal, nothing is said of the deal; where
    no two share seat and style, the deal's part that styles have for themselves is in `rest`.
    """
    found = [*_fixed(slots, len(sums))]
    once = deals / (deals - 1)

    def of(name: str) -> Estimate | None:
        at = COLUMNS.index(name)
        return ratio_of(sums, at, at - 1).times(once) if sums[at - 1] > 0.5 else None

    random = of("squares")
    if random is None:
        return []
    total = random
    for each in found:
        total = total + each.found
    of_deal = _of_deal(slots, *(of(name) for name in PAIRS))
    rest = random
    for name in ("deal", "deal_x_style"):
        rest = rest - of_deal[name] if name in of_deal else rest
    found += [Component(name, each) for name, each in of_deal.items()]
    return [*found, Component("rest", rest), Component("total", total)]


def _fixed(slots: Slots, size: int) -> Iterable[Component]:
    """Yield the parts of the means of slots, less what chance adds to their squares.

    The slope of a part lies on its column behind `COLUMNS`.
    """
    number, many = len(slots.blocks), len(slots.mean)
    more = number / (number - 1) if number > 1 else np.nan
    for at, (name, part) in enumerate(slots.parts.items(), len(COLUMNS)):
        own = part(slots.blocks)
        between = own @ own.T / many
        chance = np.trace(between) * more
        extra = 2 * (np.square(between).sum() - np.square(np.diag(between)).sum()) * more
        raw = float(np.square(part(slots.mean)).mean())
        slope = np.zeros(size)
        slope[at] = 1
        yield Component(name, Estimate(raw - chance, slope), float(extra), raw)


def _of_deal(
    slots: Slots,
    same: Estimate | None,
    seat: Estimate | None,
    style: Estimate | None,
    other: Estimate | None,
) -> dict[str, Estimate]:
    """Return the components of the deal from the covariances of pairs, as far as there are such.

    `deal` is what it does for a seat, whoever sits there: the same for all seats
    (`deal_common`), and for one more than for others (`deal_x_seat`).
    """
    one_seat = slots.alike(lambda a, b: a == b)
    deal = _mixed(same, seat, one_seat)
    if deal is None:
        return {}
    found = {"deal": deal}
    apart = _mixed(style, other, slots.alike(lambda a, b: a != b))
    if apart is not None:
        by_seat = (deal - apart).times(1 - 1 / slots.players)
        found |= {"deal_common": deal - by_seat, "deal_x_seat": by_seat}
    if same is not None and seat is not None:
        found["deal_x_style"] = (same - seat).times(1 - one_seat)
    return found


def _mixed(alike: Estimate | None, unlike: Estimate | None, share: float) -> Estimate | None:
    """Return the mean of two covariances of which the first counts for a share."""
    if alike is None or unlike is None:
        return alike or unlike
    return alike.times(share) + unlike.times(1 - share)
