"""What a game must provide to the toolkit, and the small types it is described with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel

from sim.players import Style

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from sim.sheets import Row
    from sim.takeaways import Takeaway
    from sim.words import Words

GRADES = ("rulebook", "published", "inferred", "assumed")
"""How well a fact about a game is supported, best first."""

Tables = dict[str, np.ndarray]
"""Structured arrays by table name, filled by a game's compiled play."""


@dataclass(frozen=True)
class Feature:
    """Something that a player can weigh in an action."""

    name: str
    doc: str


@dataclass(frozen=True)
class Column:
    """A column of a table; a coded column holds codes while playing and names when stored.

    A key says which thing a row is about (a set of tiles, a map): nothing to take a mean of.
    """

    name: str
    title: str
    doc: str
    dtype: str
    coded: bool = False
    score_part: bool = False
    key: bool = False


@dataclass(frozen=True)
class Ruling:
    """A named switch for something that the rulebook leaves open; `default` is a value's text."""

    name: str
    values: tuple[str, ...]
    default: str
    doc: str
    grade: str


@dataclass(frozen=True)
class Fact:
    """A number or rule in use, by dotted key, with its grade (one of `GRADES`)."""

    key: str
    value: str
    grade: str
    note: str


@dataclass(frozen=True)
class Replay:
    """A game as the referee saw it: `states[i]` is the table after `events[i]`."""

    events: Sequence[Any]
    states: Sequence[Any]


def _nothing_to_tell(run: Any, head: Any, words: Any) -> "Iterable[Takeaway]":
    return ()


@dataclass(frozen=True)
class Analysis:
    """What a game finds out about its finished runs, beside what holds for every game.

    Each of `metrics` takes a run and returns tidy rows (`sim.metrics.tidy.finish`), which join
    those of `all_metrics`. `takeaways(run, head, words)` yields findings from the rows that a
    report leads with. `notebook` is a part of the report: a file beside `balance_study.ipynb`, or
    an absolute path. Its cells tagged "parameters" and "setup" let it run alone; a report leaves
    these out and runs the others where run, rows, head, words, sim, metrics, plots, show and
    tables are known already. Code in a folder named `analysis` inside the game's own is no part
    of its rules: runs stay valid when it changes.
    """

    metrics: "tuple[Callable[[Any], pl.DataFrame], ...]" = ()
    takeaways: "Callable[[Any, pl.DataFrame, Words], Iterable[Takeaway]]" = _nothing_to_tell
    notebook: str = ""


@runtime_checkable
class Game(Protocol):
    """A game that the toolkit can study; `sim.games.frame.GameFrame` has most of it ready.

    `setup` packs everything that a cell needs into one object that can be pickled; only the game
    looks inside. `play` fills `tables` (made by `tables_for`) for the games numbered first ..
    first+count-1, starting at row `at` games: the tables' first game is first-at. A game's outcome
    depends on nothing but (setup, seed, game number), and several threads may play from one setup
    at the same time. `shard_games` is how many games one file holds: a second or less of playing.
    `log` plays one of those games again and writes its events.

    `long_tables` are the tables beside games and seats. A table with a column `game` has as many
    rows for each game of a cell; any other is summed over the games of a shard. Those named in
    `sampled_tables` keep the games of one deal in `data.sample_every(sample)` only, the same
    whatever the batches (`sim.games.sampling`).

    A game whose rules follow a script (`sim.games.scripting`) may have a method `scripted(setup)`,
    which returns a `sim.games.searching.Searching`. The study key `kingmaking` needs it.
    """

    name: str
    title: str
    version: str
    summary: str
    score_name: str
    turn_name: str
    """What reports call the turns of a game, for one: turn, or act where there are no turns."""
    player_counts: range
    shard_games: int
    releases_gil: bool
    features: tuple[Feature, ...]
    actions: tuple[str, ...]
    end_reasons: tuple[str, ...]
    game_columns: tuple[Column, ...]
    seat_columns: tuple[Column, ...]
    long_tables: Mapping[str, tuple[Column, ...]]
    sampled_tables: tuple[str, ...]
    components_model: type[BaseModel]
    rulings_model: type[BaseModel]
    components_source: Path

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""

    def read_table(self, rows: "Sequence[Row]") -> dict[str, Any]:
        """Return the changes to the components that the rows of a CSV file stand for.

        Raises SimError at a mistake, by `Row.error` or `Row.read_as`; `data.no_table` for a game
        that reads none.
        """

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""

    def title_of(self, code: str) -> str:
        """Return how a report prints a card, column, style or end reason."""

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> Any:
        """Return a cell ready to be played: one style for each place of the line-up.

        `sample` is the share of its games, 0 to 1, that the sampled tables keep.
        """

    def labels(self, setup: Any) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""

    def tables_for(self, setup: Any, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""

    def play(self, setup: Any, seed: int, first: int, count: int, tables: Tables, at: int) -> None:
        """Play games into the tables."""

    def log(self, setup: Any, seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether `play` (or `log`) is compiled already or waits in the disk cache."""

    def replay(self, setup: Any, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""

    def narrate(self, setup: Any, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game move by move; `styles` names the style at each seat."""

    def picture(
        self, setup: Any, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the table after a turn (the last one when None)."""

    def analysis(self) -> Analysis | None:
        """Return the game's own metrics, findings and part of the report, if it has any."""


class RuleBroken(Exception):
    """The referee met an act or a score that the rulebook does not allow."""
