"""A game whose right values are known: seats gather fruit of three sizes, each worth its points.

Counts of figs, pears and melons are one, two and four times draws from the same distribution, so
all are worth the same, in points and in wins, if values are as 4 to 2 to 1. In a game of `greed`
seats leave the fruit alone that is worth least, as players would who adapt.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from rigged_game import RiggedGame, _random

from sim.games import data
from sim.games.game import Column, Fact, Ruling
from sim.players import Style

FRUIT = ("fig", "pear", "melon")
SIZES = np.array([1, 2, 4])
MOST = 6
RULINGS = (Ruling("greed", ("0", "1"), "0", "whether seats leave the least", "assumed"),)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Fruit(_Table):
    source: Literal["rulebook"] = "rulebook"
    note: str = ""
    points: Annotated[int, Field(ge=0, le=60)] = 4
    ripe: bool = True


class Components(_Table):
    fruit: dict[str, Fruit]


class Rulings(_Table):
    greed: Annotated[int, Field(ge=0, le=1)] = 0


class Setup(_Table):
    values: tuple[int, ...]
    greed: int
    players: int
    rotate: bool


class ValuedGame(RiggedGame):
    name = "valued"
    title = "Valued Fruit"
    summary = "Gather fruit."
    score_name = "points"
    shard_games = 5_000
    features = ()
    game_columns: tuple[Column, ...] = ()
    seat_columns = tuple(
        Column(name, name.capitalize(), f"points of {name}s", "i4", score_part=True)
        for name in FRUIT
    )
    long_tables: Mapping[str, tuple[Column, ...]] = {}
    sampled_tables: tuple[str, ...] = ()
    components_model = Components
    rulings_model = Rulings
    components_source = Path("valued.toml")

    def default_components(self) -> dict[str, Any]:
        return {"fruit": {name: Fruit().model_dump() for name in FRUIT}}

    def default_rulings(self) -> dict[str, Any]:
        return {"greed": 0}

    def rulings_help(self) -> list[Ruling]:
        return list(RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        facts = data.component_facts(components, self.default_components())
        return facts + data.ruling_facts(rulings, RULINGS)

    def styles(self) -> dict[str, Style]:
        return {"plain": Style(name="plain", description="gathers fruit")}

    def check(self, components: Any, rulings: Any, players: int) -> None:
        """Any of them can be played."""

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> Setup:
        return Setup(
            values=tuple(components["fruit"][name]["points"] for name in FRUIT),
            greed=rulings["greed"],
            players=len(styles),
            rotate=rotate,
        )

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        return {"end_reason": self.end_reasons}

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> dict[str, np.ndarray]:
        return {
            "games": np.zeros(games, data.games_dtype(self.game_columns)),
            "seats": np.zeros(games * setup.players, data.seats_dtype(self.seat_columns)),
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
        numbers = np.arange(first, first + count)
        seats = tables["seats"][at * setup.players : (at + count) * setup.players]
        seats = seats.reshape(count, setup.players)
        places = np.arange(setup.players)
        bits = _random(seed, numbers[:, None, None], places[:, None], np.arange(len(FRUIT)))
        values = np.array(setup.values)
        points = (bits % np.uint64(MOST)).astype(np.int64) * SIZES * values
        if setup.greed:
            points[:, :, np.argmin(SIZES * values)] = 0
        for part, name in enumerate(FRUIT):
            seats[name] = points[:, :, part]
        seats["game"], seats["seat"] = numbers[:, None], places
        seats["style"] = places
        seats["score"] = points.sum(2)
        rank = 1 + (seats["score"][:, :, None] < seats["score"][:, None, :]).sum(2)
        seats["rank"] = rank
        seats["win_share"] = (rank == 1) / (rank == 1).sum(1, keepdims=True)
        rows = tables["games"][at : at + count]
        scores = np.sort(seats["score"], axis=1)
        rows["game"], rows["players"] = numbers, setup.players
        rows["rounds"] = rows["turns"] = 1
        rows["tied"] = scores[:, -1] == scores[:, -2]
        rows["margin"] = scores[:, -1] - scores[:, -2]

    def analysis(self) -> None:
        return None


GAME = ValuedGame()
