"""A made-up game, as unlike Street Art as the toolkit allows: what is generic must take it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sim.errors import SimError
from sim.games.game import Column, Feature, Ruling
from sim.players import Style
from sim.sheets import Row


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Tile(_Table):
    name: str
    points: float = 1.0


class Board(_Table):
    size: int
    tiles: list[Tile]
    bag: dict[str, int]
    spare: int | None = None


class ToyComponents(_Table):
    board: Board


class ToyRulings(_Table):
    wrap: bool = False
    rounds: int = 9
    start: Literal["oldest", "youngest"] = "oldest"


class ToyGame:
    name = "toy"
    title = "Toy"
    version = "7"
    player_counts = range(1, 4)
    shard_games = 10
    features = (Feature("reach", "fields within reach"),)
    actions: tuple[str, ...] = ()
    sampled_tables: tuple[str, ...] = ()
    game_columns: tuple[Column, ...] = ()
    seat_columns: tuple[Column, ...] = ()
    components_model = ToyComponents
    rulings_model = ToyRulings
    components_source = Path("toy.toml")

    def default_components(self) -> dict[str, Any]:
        tiles = [{"name": "arch"}, {"name": "bow", "points": 2.0}]
        return {"board": {"size": 5, "tiles": tiles, "bag": {"red": 3, "blue": 4}}}

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Take a row for each tile of the board."""
        return {"board": {"tiles": [row.read_as(Tile).model_dump() for row in rows]}}

    def actions_of(self, components: Any) -> tuple[str, ...]:
        return self.actions

    def default_rulings(self) -> dict[str, Any]:
        return ToyRulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        return [
            Ruling("rounds", ("9", "any whole number"), "9", "rounds to play", "assumed"),
            Ruling("wrap", ("false", "true"), "false", "the board wraps", "inferred"),
        ]

    def styles(self) -> dict[str, Style]:
        return {
            "still": Style(name="still"),
            "eager": Style(name="eager", description="goes far", weights={"reach": 1.0}),
        }

    def check(self, components: Any, rulings: Any, players: int) -> None:
        if components["board"]["size"] < players:
            raise SimError(f"components.board.size: too small for {players}")
