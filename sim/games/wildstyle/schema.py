"""What the tables of Wildstyle's component file have in common."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_PLAYERS = 5
MAX_TAGS = 30
"""Tags of a player in a whole game."""

Grade = Literal["rulebook", "published", "inferred", "assumed"]
Points = Annotated[int, Field(ge=0, le=100, strict=True)]


class Table(BaseModel):
    """A table of the file: no keys but its own, and it cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Graded(Table):
    """A table that says where its numbers come from."""

    source: Grade
    note: str = ""
