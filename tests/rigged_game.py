"""A complete little game in plain numpy whose rulings rig it, so that the right answer is known.

Every seat draws stones by luck, one handful a turn; a style that weighs `push` adds a thousand.
`winner` puts one seat above all others, or makes all equal; `truncate_every` cuts games short.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.errors import SimError
from sim.games import data
from sim.games.game import Analysis, Column, Fact, Feature, Replay, RuleBroken, Ruling
from sim.players import Style
from sim.sheets import Row

MAX_PLAYERS = 5
WEATHER = ("sun", "rain")
TABLES = ("inside", "outside")
HANDFUL, SCORE = 0, 1
RULINGS = (
    Ruling("winner", ("fair", "all_tie", "seat0"), "fair", "who wins", "assumed"),
    Ruling("truncate_every", ("0", "1"), "0", "every so many games one is cut short", "assumed"),
    Ruling("rounds", ("3", "any whole number"), "3", "rounds to play", "rulebook"),
    Ruling("nap", ("0.0",), "0.0", "seconds that a game takes", "rulebook"),
)
GAME_COLUMNS = (
    Column("weather", "Weather", "what the sky did", "u1", coded=True),
    Column("bag", "Bag", "which bag was drawn from", "u2", key=True),
    Column("table", "Table", "which table was played at", "u1", coded=True, key=True),
)
SEAT_COLUMNS = (
    Column("luck", "Luck", "stones drawn", "i4", score_part=True),
    Column("pushed", "Pushed", "stones that the style added", "i4", score_part=True),
    Column("rigged", "Rigged", "stones that the rulings added or took", "i4", score_part=True),
)

HANDFUL_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0 in turn order", "u1"),
    Column("round", "Round", "round, from 0", "u2"),
    Column("stones", "Stones", "stones drawn", "u1"),
)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Bag(_Table):
    source: str
    note: str
    largest_handful: Annotated[int, Field(ge=1, le=100)]


class Components(_Table):
    bag: Bag


class Rulings(_Table):
    winner: Literal["fair", "all_tie", "seat0", "seat1", "seat2", "seat3", "seat4"] = "fair"
    truncate_every: Annotated[int, Field(ge=0)] = 0
    rounds: Annotated[int, Field(ge=1, le=1000)] = 3
    nap: Annotated[float, Field(ge=0)] = 0.0


class Setup(_Table):
    components: Components
    rulings: Rulings
    pushes: tuple[float, ...]
    rotate: bool
    sample: float

    @property
    def every(self) -> int:
        return data.sample_every(self.sample)

    @property
    def games_a_deal(self) -> int:
        return self.players if self.rotate else 1

    @property
    def players(self) -> int:
        return len(self.pushes)


class RiggedGame:
    name = "rigged"
    title = "Rigged Stones"
    version = "1"
    summary = "Draw stones; the rulings say who has the most."
    score_name = "stones"
    turn_name = "turn"
    player_counts = range(2, MAX_PLAYERS + 1)
    shard_games = 100
    releases_gil = True
    features = (Feature("push", "a thousand stones more"),)
    actions = ("draw",)
    end_reasons = ("rounds_played", "cut_short")
    game_columns = GAME_COLUMNS
    seat_columns = SEAT_COLUMNS
    long_tables: Mapping[str, tuple[Column, ...]] = {"handfuls": HANDFUL_COLUMNS}
    sampled_tables = ("handfuls",)
    components_model = Components
    rulings_model = Rulings
    components_source = Path("rigged.toml")

    def default_components(self) -> dict[str, Any]:
        bag = {"source": "rulebook", "note": "as printed", "largest_handful": 9}
        return {"bag": bag}

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        data.no_table(self.title)

    def actions_of(self, components: Any) -> tuple[str, ...]:
        return self.actions

    def default_rulings(self) -> dict[str, Any]:
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        return list(RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        facts = data.component_facts(components, self.default_components())
        return facts + data.ruling_facts(rulings, RULINGS)

    def styles(self) -> dict[str, Style]:
        plain = Style(name="plain", description="draws stones")
        pushy = Style(name="pushy", description="draws a thousand more", weights={"push": 1.0})
        return {"plain": plain, "pushy": pushy}

    def title_of(self, code: str) -> str:
        return data.title_of(code, {}, {"cut_short": "Cut short"})

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        winner = rulings["winner"]
        if winner.startswith("seat") and int(winner[4:]) >= players:
            raise SimError(f"rulings.winner: there is no {winner} with {players} players")

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> Setup:
        self.check(components, rulings, len(styles))
        return Setup(
            components=Components(**components),
            rulings=Rulings(**rulings),
            pushes=tuple(style.weights.get("push", 0.0) for style in styles),
            rotate=rotate,
            sample=sample,
        )

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        return {"end_reason": self.end_reasons, "weather": WEATHER, "table": TABLES}

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> dict[str, np.ndarray]:
        sampled = data.sampled_games(setup.every, setup.games_a_deal, first, games)
        handfuls = sampled * setup.players * setup.rulings.rounds
        return {
            "handfuls": np.zeros(handfuls, data.dtype_of(HANDFUL_COLUMNS)),
            "games": np.zeros(games, data.games_dtype(GAME_COLUMNS)),
            "seats": np.zeros(games * setup.players, data.seats_dtype(SEAT_COLUMNS)),
        }

    def play(
        self,
        setup: Setup,
        seed: int,
        first: int,
        count: int,
        tables: dict[str, np.ndarray],
        at: int,
    ) -> None:
        time.sleep(setup.rulings.nap * count)
        games = np.arange(first, first + count)
        seats = tables["seats"][at * setup.players : (at + count) * setup.players]
        seats = seats.reshape(count, setup.players)
        cut = _write_seats(setup, seed, games, seats)
        _write_games(setup, seed, games, seats, cut, tables["games"][at : at + count])
        _write_handfuls(setup, seed, games, first - at, tables["handfuls"])

    def log(self, setup: Setup, seed: int, game: int) -> np.ndarray:
        tables = self.tables_for(setup, 1, game)
        self.play(setup, seed, game, 1, tables, 0)
        handfuls = _handfuls(setup, seed, np.array([game]))[0]
        rows = [
            (HANDFUL, r * setup.players + seat, seat, handfuls[seat, r], -1, -1)
            for r in range(setup.rulings.rounds)
            for seat in range(setup.players)
        ]
        rows += [(SCORE, -1, s["seat"], s["score"], s["rank"], -1) for s in tables["seats"]]
        return np.array(rows, np.int32)

    def compiled(self, logging: bool = False) -> bool:
        return True

    def replay(self, setup: Setup, log: np.ndarray) -> Replay:
        states = np.zeros((len(log), setup.players), np.int64)
        for i, (event, _, seat, stones, *_rest) in enumerate(log):
            if event == HANDFUL and stones > setup.components.bag.largest_handful:
                raise RuleBroken(f"row {i}: seat {seat} draws {stones} stones")
            states[i] = states[i - 1] if i else 0
            states[i, seat] = states[i, seat] + stones if event == HANDFUL else stones
        return Replay(list(log), list(states))

    def narrate(self, setup: Setup, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        for event, _, seat, stones, *_rest in self.replay(setup, log).events:
            who = f"Seat {seat} ({styles[seat]})"
            yield f"{who} draws {stones}." if event == HANDFUL else f"{who}: {stones} stones."

    def picture(
        self, setup: Setup, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> Any:
        from matplotlib.figure import Figure

        states = self.replay(setup, log).states
        last = setup.players * setup.rulings.rounds
        if turn is not None and not 0 <= turn <= last:
            raise SimError(f"turn: found {turn}; allowed: 0 to {last}")
        figure = Figure(figsize=(3, 2))
        shown = states[-1 if turn is None else max(turn - 1, 0)]
        figure.subplots().bar(range(setup.players), shown)
        return figure

    def analysis(self) -> Analysis:
        from rigged_analysis import ANALYSIS

        return ANALYSIS


def _write_handfuls(
    setup: Setup, seed: int, games: np.ndarray, table_first: int, rows: np.ndarray
) -> None:
    """Fill the rows of the sampled games; `table_first` is the first game of the table."""
    each, every = setup.games_a_deal, setup.every
    kept = [game for game in games.tolist() if data.is_sampled(every, game // each)]
    if not kept:
        return
    shape = (len(kept), setup.players, setup.rulings.rounds)
    start = data.sampled_games(every, each, table_first, kept[0] - table_first)
    size = shape[1] * shape[2]
    part = rows[start * size : (start + len(kept)) * size].reshape(shape)
    part["game"] = np.array(kept)[:, None, None]
    part["seat"] = np.arange(shape[1])[:, None]
    part["round"] = np.arange(shape[2])
    part["stones"] = _handfuls(setup, seed, np.array(kept))


def _random(*words: Any) -> np.ndarray:
    """Return 64 bits that depend on the words alone (splitmix64, folded over the words)."""
    state = np.zeros(np.broadcast_shapes(*(np.shape(w) for w in words)), np.uint64)
    for word in words:
        state = state ^ np.asarray(word).astype(np.uint64)
        state = state + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(31))
    return state


def _handfuls(setup: Setup, seed: int, games: np.ndarray) -> np.ndarray:
    """Return the stones drawn, int64 [game, seat, round]; rotations of a deal draw the same."""
    deals = games // setup.players if setup.rotate else games
    seats, rounds = np.arange(setup.players), np.arange(setup.rulings.rounds)
    bits = _random(seed, deals[:, None, None], seats[:, None], rounds)
    return (bits % np.uint64(setup.components.bag.largest_handful)).astype(np.int64) + 1


def _write_seats(setup: Setup, seed: int, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Fill seats [game, seat]; return which games are cut short."""
    places = np.arange(setup.players)
    shift = games % setup.players if setup.rotate else np.zeros_like(games)
    seats["game"] = games[:, None]
    seats["seat"] = places
    seats["style"] = (places + shift[:, None]) % setup.players
    seats["luck"] = _handfuls(setup, seed, games).sum(axis=2)
    seats["pushed"] = 1000 * np.array(setup.pushes)[seats["style"]]
    natural = seats["luck"] + seats["pushed"]
    winner = setup.rulings.winner
    if winner == "all_tie":
        seats["rigged"] = 10 - natural
    elif winner != "fair":
        seats["rigged"][:, int(winner[4:])] = 100_000
    seats["score"] = natural + seats["rigged"]
    every = setup.rulings.truncate_every
    cut = games % every == every - 1 if every else np.zeros(len(games), bool)
    above = seats["score"][:, :, None] < seats["score"][:, None, :]
    rank = 1 + above.sum(axis=2)
    winners = (rank == 1).sum(axis=1, keepdims=True)
    seats["truncated"] = cut[:, None]
    seats["rank"] = np.where(cut[:, None], 0, rank)
    seats["win_share"] = np.where(cut[:, None], np.nan, (rank == 1) / winners)
    return cut


def _write_games(
    setup: Setup,
    seed: int,
    games: np.ndarray,
    seats: np.ndarray,
    cut: np.ndarray,
    rows: np.ndarray,
) -> None:
    scores = np.sort(seats["score"], axis=1)
    rows["game"] = games
    rows["players"] = setup.players
    rows["rounds"] = setup.rulings.rounds
    rows["turns"] = rows["decisions"] = setup.rulings.rounds * setup.players
    rows["end_reason"] = cut
    rows["truncated"] = cut
    rows["tied"] = ~cut & (scores[:, -1] == scores[:, -2])
    rows["lead_changes"] = _random(seed, games, 1) % np.uint64(setup.players)
    rows["margin"] = scores[:, -1] - scores[:, -2]
    rows["weather"] = _random(seed, games, 2) % np.uint64(len(WEATHER))
    rows["bag"] = games % 7
    rows["table"] = games % 2


GAME = RiggedGame()
