"""Runs without playing: a made-up game, and tables that keep to its rules, written as shards.

The toy: everybody gathers coins and pays fines; most coins win, ties share.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from sim.games.data import FLOW_TABLES, PARTS
from sim.games.game import Analysis, Column, Fact
from sim.plan import Cell
from sim.players import Style
from sim.store import StoredShard, table_file

END_REASONS = ("purse_full", "cap")
CARDS = ("joker", "tax_man", "gold_mine")
CAP = 40
ACTS = ("dig", "rob", "sing")
"""Kinds of act; nobody ever sings."""


class FakeGame:
    name = "coins"
    title = "Coins & Fines"
    version = "3"
    summary = "Gather coins."
    score_name = "coins"
    turn_name = "turn"
    player_counts = range(2, 6)
    shard_games = 12
    sampled_tables = ("standings", "acts")
    end_reasons = END_REASONS
    game_columns = (
        Column("storms", "Storms", "storms that blew", "u2"),
        Column("last_card", "Last card", "card that ended it", "u1", coded=True),
    )
    seat_columns = (
        Column("mined", "Mined", "coins mined", "i4", score_part=True),
        Column("fined", "Fined", "coins paid", "i4", score_part=True),
        Column("smiles", "Smiles", "not part of the score", "i4"),
    )

    def __init__(self, cards: bool = True) -> None:
        columns = ("seat", "style", "card", "games", "held", "played", "games_held")
        columns += ("games_played", "wins", "wins_held", "wins_held_sq", "wins_played")
        columns += ("wins_played_sq", "played_by_winners", "luck")
        table = tuple(Column(name, name.capitalize(), "", "f8") for name in columns)
        self.own_analysis: Analysis | None = None
        self.long_tables = MappingProxyType(({"cards": table} if cards else {}) | FLOW_TABLES)

    def title_of(self, code: str) -> str:
        titles = {"purse_full": "Purse full", "cap": "Stopped by the cap"}
        return titles.get(code, code.replace("_", " ").title())

    def facts(self, components: Any, rulings: Any) -> list[Fact]:
        return [
            Fact("components.deck.jokers", "4", "rulebook", "printed"),
            Fact("rulings.fines", str(rulings.get("fines", "mild")), "assumed", "how hard"),
        ]

    def default_rulings(self) -> dict[str, Any]:
        return {"fines": "mild"}

    def default_components(self) -> dict[str, Any]:
        return {}

    def analysis(self) -> Analysis | None:
        return self.own_analysis


@dataclass(frozen=True)
class Spec:
    """A cell to make up."""

    styles: tuple[str, ...]
    games: int
    rotate: bool = False
    variant: str = "base"
    lineup: str = ""

    @property
    def players(self) -> int:
        return len(self.styles)


class FakeRun:
    """A run in a folder, with what metrics and reports use of a real one."""

    def __init__(self, folder: Path, specs: Sequence[Spec], cards: bool = True) -> None:
        self.folder = folder
        self.game = FakeGame(cards)
        names = dict.fromkeys(style for spec in specs for style in spec.styles)
        self.styles = list(names)
        styles = {
            name: Style(
                name=name, description="plays as well as it can", weights={"coins": float(at)}
            )
            for at, name in enumerate(names)
        }
        self.plan = SimpleNamespace(cells=[self._cell(i, spec) for i, spec in enumerate(specs)])
        self.study = SimpleNamespace(
            name="fake",
            title="A made-up study",
            source="fake.toml",
            game="coins",
            games=max(spec.games for spec in specs),
            seed=1,
            players=sorted({spec.players for spec in specs}),
            matters={},
            budgets=[],
            until=None,
            sample=1.0,
            kingmaking=None,
            styles=styles,
            variants={
                spec.variant: SimpleNamespace(
                    overrides={} if spec.variant == "base" else {"rulings.fines": spec.variant},
                    rulings={"fines": spec.variant},
                    components={},
                    styles=dict(styles),
                )
                for spec in specs
            },
        )
        self.manifest = {
            "complete": True,
            "rules": {"game": "coins", "version": "3"},
            "identity": "0" * 64,
            "timings": {"started": "2026-01-01", "finished": "2026-01-01", "playing_seconds": 1.5},
            "versions": {"python": "3.11", "numpy": "2.0"},
            "machine": {"cores": 2, "cpu": "toy", "system": "Linux"},
            "git": None,
        }
        self.shards: list[StoredShard] = []

    @staticmethod
    def _cell(index: int, spec: Spec) -> Cell:
        lineup = spec.lineup or (" + " if spec.rotate else " | ").join(spec.styles)
        return Cell(
            index, spec.players, spec.variant, lineup, spec.styles, spec.rotate, spec.games, {}, {}
        )

    @property
    def games_played(self) -> int:
        return sum(shard.count for shard in self.shards)

    @property
    def cells(self) -> pl.DataFrame:
        keys = ("index", "players", "variant", "lineup", "rotate", "games")
        types = (pl.UInt16, pl.UInt8, pl.String, pl.String, pl.Boolean, pl.Int64)
        rows = [[getattr(cell, key) for key in keys] for cell in self.plan.cells]
        schema = dict(zip(("cell", *keys[1:]), types, strict=True))
        return pl.DataFrame(rows, schema=schema, orient="row")

    def scan(self, table: str) -> pl.LazyFrame:
        files = [
            table_file(self.folder, table, s.cell, s.number)
            for s in self.shards
            if table in s.files
        ]
        return pl.scan_parquet(files, glob=False)

    def add(
        self,
        cell: int,
        games: pl.DataFrame,
        seats: pl.DataFrame,
        cards: Any = None,
        long: dict[str, pl.DataFrame] | None = None,
    ) -> None:
        """Store a cell's tables in shards of whole deals; `long` are by game."""
        players = self.plan.cells[cell].players
        size = self.game.shard_games // players * players
        for number, first in enumerate(range(0, len(games), size)):
            part = games[first : first + size]
            tables = {"games": part, "seats": seats[first * players : (first + size) * players]}
            if cards is not None and number == 0:
                tables["cards"] = cards
            for table, frame in (long or {}).items():
                tables[table] = frame.filter(pl.col("game").is_between(first, first + size - 1))
            for table, frame in tables.items():
                path = table_file(self.folder, table, cell, number)
                path.parent.mkdir(parents=True, exist_ok=True)
                frame.write_parquet(path)
            self.shards.append(
                StoredShard(cell, number, first, len(part), {table: {} for table in tables})
            )


Scores = Callable[[np.random.Generator, tuple[str, ...], int], np.ndarray]


def let_forbid(run: FakeRun, style: str, twin: str, names: list[str]) -> None:
    """Let a style play as another does, but for what it forbids."""
    for variant in run.study.variants.values():
        own = variant.styles[style]
        variant.styles[twin] = own.model_copy(update={"name": twin, "forbid": names})


def fake_run(
    folder: Path,
    specs: Sequence[Spec],
    seed: int = 1,
    scores: Scores | None = None,
    truncated: float = 0.05,
    cards: bool = True,
) -> FakeRun:
    """Return a run of random games; `scores(rng, styles at the seats, game)` decides them."""
    run = FakeRun(folder, specs, cards)
    rng = np.random.default_rng(seed)
    scores = scores or (lambda rng, styles, game: rng.integers(0, 6, len(styles)))
    for number, spec in enumerate(specs):
        played = [_play(rng, spec, game, scores, truncated) for game in range(spec.games)]
        games = pl.DataFrame(
            [(number, *row) for row, _ in played],
            schema={
                "cell": pl.UInt16,
                "game": pl.UInt32,
                "players": pl.UInt8,
                "rounds": pl.UInt16,
                "turns": pl.UInt16,
                "decisions": pl.UInt32,
                "end_reason": pl.Enum(END_REASONS),
                "truncated": pl.Boolean,
                "tied": pl.Boolean,
                "lead_changes": pl.UInt16,
                "margin": pl.Int32,
                "storms": pl.UInt16,
                "last_card": pl.Enum((*CARDS, "none")),
            },
            orient="row",
        )
        seats = pl.DataFrame(
            [(number, *row) for _, rows in played for row in rows],
            schema={
                "cell": pl.UInt16,
                "game": pl.UInt32,
                "seat": pl.UInt8,
                "style": pl.Enum(run.styles),
                "score": pl.Int32,
                "rank": pl.UInt8,
                "win_share": pl.Float64,
                "truncated": pl.Boolean,
                "mined": pl.Int32,
                "fined": pl.Int32,
                "smiles": pl.Int32,
            },
            orient="row",
        )
        held = _cards(rng, run, number, seats) if cards else None
        flow = np.random.default_rng([seed, number])
        long = {
            "standings": _standings(flow, run, number, played),
            "acts": _acts(flow, run, number, played),
        }
        run.add(number, games, seats, held, long)
    return run


def _play(
    rng: np.random.Generator, spec: Spec, game: int, scores: Scores, truncated: float
) -> tuple[tuple, list[tuple]]:
    n = spec.players
    turn = game % n if spec.rotate else 0
    styles = tuple(spec.styles[(seat + turn) % n] for seat in range(n))
    points = np.asarray(scores(rng, styles, game))
    cut = bool(rng.random() < truncated)
    winners = points == points.max()
    order = np.sort(points)[::-1]
    tied = bool(winners.sum() > 1) and not cut
    turns = CAP if cut else int(rng.integers(5, 30))
    row = (
        *(game, n, -(-turns // n), turns, turns - int(rng.integers(0, 3))),
        *("cap" if cut else "purse_full", cut, tied, int(rng.poisson(2))),
        int(order[0] - order[1]),
        *(int(rng.poisson(1)), "none" if cut else CARDS[rng.integers(len(CARDS))]),
    )
    seats = []
    for seat in range(n):
        score = int(points[seat])
        fined = -int(rng.integers(0, 4))
        rank = 0 if cut else 1 + int((points > score).sum())
        share = None if cut else float(winners[seat]) / float(winners.sum())
        seats.append(
            (game, seat, styles[seat], score, rank, share, cut, score - fined, fined, seat)
        )
    return row, seats


def _cards(rng: np.random.Generator, run: FakeRun, cell: int, seats: pl.DataFrame) -> pl.DataFrame:
    """Return a cards table in which a card is held with one chance and always played."""
    rows = []
    ended = seats.filter(~pl.col("truncated"))
    for (seat, style), part in ended.group_by(["seat", "style"], maintain_order=True):
        share = part["win_share"].to_numpy()
        for number, card in enumerate(CARDS):
            held = rng.random(len(part)) < 0.3 + 0.2 * number
            won = share * held
            games, wins = int(held.sum()), float(won.sum())
            squares = float((won**2).sum())
            counted = (len(part), games, games, games, games)
            won_with = (wins, squares, wins, squares)
            luck = (int(((share > 0) & held).sum()), 2 * games)
            rows.append((cell, seat, style, card, *counted, float(share.sum()), *won_with, *luck))
    counted = ("games", "held", "played", "games_held", "games_played")
    wins = ("wins", "wins_held", "wins_held_sq", "wins_played", "wins_played_sq")
    return pl.DataFrame(
        rows,
        schema={
            "cell": pl.UInt16,
            "seat": pl.UInt8,
            "style": pl.Enum(run.styles),
            "card": pl.Enum(CARDS),
            **dict.fromkeys(counted, pl.UInt32),
            **dict.fromkeys(wins, pl.Float64),
            "played_by_winners": pl.UInt32,
            "luck": pl.Int64,
        },
        orient="row",
    )


def _standings(
    rng: np.random.Generator, run: FakeRun, cell: int, played: list[tuple[tuple, list[tuple]]]
) -> pl.DataFrame:
    """Return standings that end at the scores, with two to four legal actions a turn."""
    rows = []
    for game, seats in played:
        for seat in seats:
            for part in range(PARTS + 1):
                moment = part * game[3] // PARTS
                points = round(seat[3] * part / PARTS + (part % PARTS > 0) * rng.normal())
                asked = moment // len(seats)
                options = 2 * asked + int(rng.binomial(2 * asked, 0.5))
                logs = asked * np.log(options / asked) if asked else 0.0
                counts = (asked, asked, options, logs)
                rows.append((cell, *seat[:3], part, moment, points, *counts))
    types = (pl.UInt8, pl.UInt32, pl.Int32, pl.UInt32, pl.UInt32, pl.UInt32, pl.Float32)
    names = ("part", "moment", "points", "asked", "choices", "options", "log_options")
    return pl.DataFrame(
        rows, schema=_seat_keys(run) | dict(zip(names, types, strict=True)), orient="row"
    )


def _acts(
    rng: np.random.Generator, run: FakeRun, cell: int, played: list[tuple[tuple, list[tuple]]]
) -> pl.DataFrame:
    """Return acts of two kinds out of three."""
    rows = [
        (cell, *seat[:3], act, *(int(rng.poisson(3 - 2 * at)) if at < 2 else 0 for _ in range(3)))
        for _, seats in played
        for seat in seats
        for at, act in enumerate(ACTS)
    ]
    counts = dict.fromkeys(("early", "middle", "late"), pl.UInt16)
    schema = _seat_keys(run) | {"act": pl.Enum(ACTS)} | counts
    return pl.DataFrame(rows, schema=schema, orient="row")


def _seat_keys(run: FakeRun) -> dict[str, Any]:
    style = pl.Enum(run.styles)
    return {"cell": pl.UInt16, "game": pl.UInt32, "seat": pl.UInt8, "style": style}
