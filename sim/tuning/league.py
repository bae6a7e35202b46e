"""Searches for a better player: CMA-ES over a style's weights, among a field of styles.

Covariance matrix adaptation (Hansen and Ostermeier 2001, through the package cma) draws candidates
around a mean, plays them all on the same deals, and moves to where the better ones lie. Deals are
new in each generation, so luck of the deal is not learnt. The mean, not the best candidate of a
noisy generation, is what a round ends with.
"""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sim import games
from sim.errors import SimError
from sim.games.game import Game
from sim.players import Style
from sim.progress import Progress
from sim.simulate import rules_of
from sim.store import write_atomically
from sim.study import Variant
from sim.tuning.seats import WIN, Player, Table, Task, play, seed_of, tables_of

STATE = "state.pickle"
DIGITS = 3
"""Significant digits of a weight in the end."""
AT_A_TABLE = 100
"""Games of a candidate at a table, at least: a generation meets fewer tables rather than less."""
TRIAL = 4
"""Games of a trial are so many times those of a candidate in a generation."""


@dataclass(frozen=True)
class Search:
    """What is searched: all that decides how a search goes, but for how long."""

    game: str
    variant: Variant
    players: tuple[int, ...]
    start: Style
    field: dict[str, Style]
    free: tuple[str, ...]
    scales: tuple[float, ...]
    """A step of one, weight by weight."""
    games: int
    """Games of a candidate in a generation."""
    generations: int
    """Generations of a round."""
    candidates: int
    """Candidates of a generation; 0 for the number that CMA-ES takes by itself."""
    league: int
    """How many earlier bests the field takes in at most."""
    step: float
    limit: float
    """A weight stays within so many of its scale from the start."""
    seed: int

    def style(self, point: Sequence[float], name: str = "candidate") -> Style:
        """Return the start moved to a point, whose unit is the scale of each weight."""
        moved = {
            key: float(f"{self.start.weights.get(key, 0.0) + scale * value:.{DIGITS}g}")
            for key, scale, value in zip(self.free, self.scales, point, strict=True)
        }
        weights = {**self.start.weights, **moved}
        return self.start.model_copy(update={"name": name, "weights": weights})

    def identity(self) -> Any:
        """Return what tells this search from any other, as plain data."""
        styles = {name: style.model_dump() for name, style in self.field.items()}
        variant = self.variant.model_dump(exclude={"styles", "overrides"})
        told = {"start": self.start.model_dump(), "field": styles, "variant": variant}
        told["rules"] = rules_of(games.get(self.game))
        return asdict(self) | told


@dataclass
class State:
    """How far a search is; kept after each generation."""

    identity: Any
    strategy: Any
    history: list[dict[str, Any]] = field(default_factory=list)
    """For each generation: round, games, the start's share; best, median, worst gain over it."""
    points: list[list[float]] = field(default_factory=list)
    """Where the rounds ended."""
    trials: list[dict[str, Any]] = field(default_factory=list)
    """After each round: which point was best, and by how much it won more than the start."""
    members: list[int] = field(default_factory=list)
    """The points that have joined the field."""


def keep(state: State, folder: Path) -> None:
    """Write a state so that a killed search goes on from it."""
    write_atomically(folder / STATE, pickle.dumps(state))


def begin(search: Search, folder: Path) -> State:
    """Return the state to go on from: the one in the folder, or a new one.

    Raises SimError if the folder's state is of another search.
    """
    path = folder / STATE
    if not path.exists():
        return State(search.identity(), _strategy(search))
    try:
        state = pickle.loads(path.read_bytes())
        same = state.identity == search.identity()
    except Exception as error:  # whatever other versions of what is in it may raise
        raise SimError(f"{path}: cannot be read ({error}); use --fresh to start anew") from None
    if not same:
        changed = [
            key for key, value in search.identity().items() if state.identity.get(key) != value
        ]
        raise SimError(
            f"{folder}: holds a search for something else (changed: {', '.join(changed)}); "
            "use --fresh to set it aside, or --out for another folder"
        )
    return state


def _strategy(search: Search) -> Any:
    """Return CMA-ES at the start, with luck of its own."""
    import cma

    luck = np.random.RandomState(seed_of(search.seed, "candidates") % 2**32)
    options: dict[str, Any] = {
        "seed": np.nan,
        "randn": luck.randn,
        "bounds": [-search.limit, search.limit],
        "verbose": -9,
        "verb_log": 0,
    }
    if search.candidates:
        options["popsize"] = search.candidates
    # one weight alone: a second that nothing hangs on, as CMA-ES needs two
    size = max(len(search.free), 2)
    return cma.CMAEvolutionStrategy([0.0] * size, search.step, options)


class League:
    """Plays the candidates of a search among its field."""

    def __init__(
        self, search: Search, game: Game, state: State, jobs: int | None, progress: Progress
    ) -> None:
        self.search, self.state = search, state
        self.game, self.jobs, self.progress = game, jobs, progress
        self.player = Player(game, search.variant)

    @property
    def field(self) -> dict[str, Style]:
        """The styles of the study, and the earlier bests that have joined them."""
        joined = {
            f"round {at + 1}": self.search.style(self.state.points[at][: len(self.search.free)])
            for at in self.state.members
        }
        return {**self.search.field, **joined}

    @property
    def size(self) -> int:
        """How many candidates a generation has."""
        return int(self.state.strategy.popsize)

    def games_of(self, tables: Sequence[Table], times: int = 1) -> int:
        """Return how many games a candidate plays, `times` those of a generation."""
        return sum(self._deals(tables, times) * table.players for table in tables)

    def tables(self, generation: int | None = None) -> list[Table]:
        """Return all tables that candidates can meet, or those of a generation.

        These are drawn anew, as many for each number of players.
        """
        every = tables_of(list(self.field), self.search.players)
        if generation is None:
            return every
        counts = self.search.players
        wanted = max(self.search.games // (len(counts) * AT_A_TABLE), 1)
        luck = np.random.default_rng(seed_of(self.search.seed, "tables", generation))
        chosen: list[Table] = []
        for count in counts:
            own = [table for table in every if table.players == count]
            drawn = luck.choice(len(own), min(wanted, len(own)), replace=False)
            chosen += [own[at] for at in sorted(drawn)]
        return chosen

    def _deals(self, tables: Sequence[Table], times: int) -> int:
        seats = sum(table.players for table in tables)
        return max(round(times * self.search.games / seats), 2)

    def shares(
        self, styles: Sequence[Style], tables: Sequence[Table], purpose: str, times: int = 1
    ) -> np.ndarray:
        """Return each style's mean win share over player counts, all on the same deals.

        Tables of one number of players count alike; deals are those of the purpose.
        """
        field_now = self.field
        deals = self._deals(tables, times)
        tasks: list[Task] = []
        for at, table in enumerate(tables):
            seed = seed_of(self.search.seed, purpose, at)
            others = [field_now[name] for name in table.others]
            tasks += [
                self.player.task((number, at), style, others, seed, deals)
                for number, style in enumerate(styles)
            ]
        found = play(self.game, tasks, self.jobs, self.progress.advance)
        return mean_shares(found, tables, len(styles))

    def generation(self, round_number: int) -> None:
        """Play a generation of candidates and the start, and let CMA-ES learn from it."""
        state, search = self.state, self.search
        points = state.strategy.ask()
        styles = [search.style(point[: len(search.free)]) for point in points]
        number = len(state.history)
        tables = self.tables(number)
        shares = self.shares([*styles, search.start], tables, f"generation {number}")
        own, start = shares[:-1], float(shares[-1])
        state.strategy.tell(points, [-float(share) for share in own])
        gains = own - start
        state.history.append(
            {
                "round": round_number + 1,
                "generation": number + 1,
                "games": self.games_of(tables) * (len(styles) + 1),
                "start": start,
                "best": float(gains.max()),
                "median": float(np.median(gains)),
                "worst": float(gains.min()),
                "step": float(state.strategy.sigma),
            }
        )

    def end_round(self) -> None:
        """Hold the means of all rounds against the start on new deals; the best joins the league.

        A point that wins no more than the start does not join.
        """
        state, search = self.state, self.search
        state.points.append([float(value) for value in state.strategy.mean])
        styles = [search.style(point[: len(search.free)]) for point in state.points]
        purpose = f"trial {len(state.points)}"
        shares = self.shares([*styles, search.start], self.tables(), purpose, TRIAL)
        best = int(np.argmax(shares[:-1]))
        gain = float(shares[best] - shares[-1])
        state.trials.append({"best": best, "gain": gain, "start": float(shares[-1])})
        if search.league and gain > 0 and best not in state.members:
            state.members = [*state.members, best][-search.league :]


def mean_shares(
    found: Mapping[Any, np.ndarray], tables: Sequence[Table], styles: int
) -> np.ndarray:
    """Return the mean win share of each style: over deals, tables, then numbers of players."""
    by_table = np.array(
        [[np.nanmean(found[at, t][:, WIN]) for t in range(len(tables))] for at in range(styles)]
    )
    counts = sorted({table.players for table in tables})
    of = np.array([table.players for table in tables])
    return np.mean([by_table[:, of == count].mean(1) for count in counts], axis=0)


def run(
    search: Search,
    game: Game,
    folder: Path,
    rounds: int,
    jobs: int | None,
    progress: Progress,
) -> State:
    """Search for so many rounds, from the last finished generation of an earlier call on."""
    state = begin(search, folder)
    league = League(search, game, state, jobs, progress)
    done = len(state.history)
    if 0 < done < rounds * search.generations:
        progress.say(f"Going on: {done:,} generations are there already.")
    for number in range(len(state.points), rounds):
        _round(league, number, rounds, folder)
    return state


def _round(league: League, number: int, rounds: int, folder: Path) -> None:
    state, search, progress = league.state, league.search, league.progress
    ahead = range(len(state.history), (number + 1) * search.generations)
    total = sum(league.games_of(league.tables(each)) for each in ahead) * (league.size + 1)
    total += league.games_of(league.tables(), TRIAL) * (number + 2)
    with progress.playing(f"{search.start.name}, round {number + 1} of {rounds}", total):
        for _ in ahead:
            league.generation(number)
            keep(state, folder)
        league.end_round()
        keep(state, folder)
    trial = state.trials[-1]
    progress.say(
        f"Round {number + 1}: the best so far wins {100 * trial['gain']:+.1f} points "
        f"on new deals against the start."
    )
