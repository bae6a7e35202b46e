"""The referee over a sample of a run's games: every act, and every column of what was stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from sim import store
from sim.audit import recounts
from sim.audit.onegame import CONTENT, FILE, Fault, Setting, Stored, faults_of
from sim.audit.sample import drawn
from sim.plan import Cell
from sim.progress import Progress, silent
from sim.store import StoredShard

CONFIDENCE = 0.95
MOST_FAULTS = 1000
"""How many faults are kept; those beyond are counted."""


@dataclass
class Refereed:
    """What the referee saw, and what was wrong."""

    seed: int
    games: int = 0
    truncated: int = 0
    cells: dict[int, int] = field(default_factory=dict)
    """How many games of each cell were refereed."""
    faulty: dict[int, int] = field(default_factory=dict)
    """How many games of each cell have a fault."""
    damaged: int = 0
    """Files that are not what the run wrote."""
    faults: list[Fault] = field(default_factory=list)
    beyond: int = 0
    """Faults that were found after `MOST_FAULTS`."""
    counted: int = 0
    """Columns that were counted again from the referee's replay."""
    again: list[tuple[str, str]] = field(default_factory=list)
    """Tables and columns that were held against playing again alone."""
    summed: list[str] = field(default_factory=list)
    """Tables that hold sums over games, which no sample checks."""
    least: float = 0.0
    most: float = 1.0
    """Bounds of the share of games with a fault, each with 95 % confidence."""

    @property
    def has_fault(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.faults)

    def add(self, fault: Fault) -> None:
        """Keep a fault, or count it if there are too many."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
        else:
            self.beyond += 1


def referee(run: Any, games: int, seed: int, progress: Progress | None = None) -> Refereed:
    """Referee a sample of a run's games, as many of each cell, and look at all of its files."""
    chosen = drawn(run.plan.cells, games, seed)
    court = _Court(run)
    found = Refereed(seed=seed, summed=court.summed)
    progress = progress or silent()
    if not run.game.compiled(logging=True):
        progress.say(f"Compiling {run.game.title} for telling games, once ...")
    run.game.log(court.setting(run.plan.cells[0]).setup, run.study.seed, 0)
    with progress.playing(f"{run.study.title}, refereed", sum(map(len, chosen.values()))):
        for fault in _damaged(run):
            found.damaged += 1
            found.add(fault)
        for number, wanted in chosen.items():
            found.cells[number], found.faulty[number] = len(wanted), 0
            for faults, cut in court.games(run.plan.cells[number], wanted):
                found.games += 1
                found.truncated += cut
                found.faulty[number] += bool(faults)
                for fault in faults:
                    found.add(fault)
                progress.advance(1)
    found.counted, found.again = len(court.counted), court.again
    found.least, found.most = bounds(sum(found.faulty.values()), found.games)
    return found


def bounds(faulty: int, games: int) -> tuple[float, float]:
    """Return what share of games has a fault: at least and at most, each with 95 % confidence.

    One-sided bounds of Clopper and Pearson (1934, Biometrika 26, 404-413).
    """
    from scipy.stats import binomtest

    if games == 0:
        return 0.0, 1.0
    least, most = (
        binomtest(faulty, games, alternative=side).proportion_ci(CONFIDENCE, method="exact")
        for side in ("greater", "less")
    )
    return float(least.low), float(most.high)


def _damaged(run: Any) -> Iterator[Fault]:
    """Yield a fault for each file that is not what the manifest says that the run wrote."""
    for shard in run.shards:
        for table in store.damaged(run.folder, shard):
            path = store.table_file(run.folder, table, shard.cell, shard.number)
            name = path.relative_to(run.folder).as_posix()
            said = "changed or missing", "what the run wrote"
            yield Fault(shard.cell, None, table, name, CONTENT, *said, FILE)


class _Court:
    """Looks at games of one run."""

    def __init__(self, run: Any) -> None:
        self.run, self.game = run, run.game
        tables = self.game.long_tables
        by_game = [name for name in tables if any(c.name == "game" for c in tables[name])]
        self.tables = ("games", "seats", *by_game)
        self.summed = [name for name in tables if name not in by_game]
        self.recounts = recounts.tables_of(self.game, self.tables)
        self.labels = store.Labels(run.plan)
        self.counted: set[tuple[str, str]] = set()
        self.written: dict[tuple[str, str], None] = {}

    @property
    def again(self) -> list[tuple[str, str]]:
        """The columns that were seen, and that no replay gave."""
        left = [key for key in self.written if key not in self.counted]
        return [(table, column) for table, column in left if column not in ("cell", "game")]

    def setting(self, cell: Cell) -> Setting:
        """Return a cell ready to be looked at."""
        return Setting(
            game=self.game,
            cell=cell,
            setup=self.run.plan.setup(cell),
            seed=self.run.study.seed,
            labels=self.labels,
            tables=self.tables,
            recounts=self.recounts,
            counted=self.counted,
        )

    def games(self, cell: Cell, wanted: Sequence[int]) -> Iterator[tuple[list[Fault], bool]]:
        """Yield what is wrong with each of some games of a cell, and whether it was cut off."""
        setting = self.setting(cell)
        for shard in self.run.shards:
            inside = [game for game in wanted if 0 <= game - shard.first < shard.count]
            if shard.cell != cell.index or not inside:
                continue
            stored = self._stored(shard, inside)
            for game in inside:
                rows: Stored = {table: found.get(game, []) for table, found in stored.items()}
                cut = any(row.get("truncated") for row in rows.get("games", ()))
                yield faults_of(setting, game, rows), cut

    def _stored(self, shard: StoredShard, wanted: list[int]) -> dict[str, dict[int, list[dict]]]:
        """Return the rows of some games by table and game; of files that can be read."""
        found: dict[str, dict[int, list[dict]]] = {}
        for table in self.tables:
            path = store.table_file(self.run.folder, table, shard.cell, shard.number)
            try:
                scan = pl.scan_parquet(path, glob=False)
                rows = scan.filter(pl.col("game").is_in(wanted)).collect()
            except (pl.exceptions.PolarsError, OSError):
                continue  # a damaged file is told of once, not for each game
            found[table] = {}
            if len(rows):
                self.written |= dict.fromkeys((table, column) for column in rows.columns)
            for row in rows.to_dicts():
                found[table].setdefault(row["game"], []).append(row)
        return found
