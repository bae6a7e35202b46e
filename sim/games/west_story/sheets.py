"""Cards as rows of a table, a card a line: those that are shipped, and those of a designer.

A row that has all of title, deck, symbols, copies, coins, hats and vp is a whole card: its empty
cells mean nothing. Any other row changes what stands in its cells; copies = 0 takes a card out.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from pydantic import AfterValidator, create_model

from sim.errors import SimError, listing, suggest
from sim.explain import show
from sim.games import data
from sim.games.west_story.components import Components
from sim.games.west_story.schema import NAME, Card, Table
from sim.sheets import Row, rows_of

FOLDER = Path(__file__).parent
FILES = ("production.csv", "scoring.csv", "buildings.csv")
WHOLE = ("deck", "title", "symbols", "copies", "coins", "hats", "vp")
"""What a whole card has, whatever else."""
COLUMNS = ("deck", "name", *WHOLE[1:], "effect", "end", "base", "source", "note")


def _name(name: str) -> str:
    if not NAME.fullmatch(name):
        near = "_".join(name.lower().split())
        hint = f' Did you mean "{near}"?' if NAME.fullmatch(near) else ""
        raise ValueError(
            f"found {show(name)}; allowed: lower-case letters, digits and underscores, a letter "
            f"first.{hint}"
        )
    return name


_KINDS = get_type_hints(Card, include_extras=True)
_FIELDS: dict[str, Any] = {name: (_KINDS[name], None) for name in Card.model_fields}
_CardRow = create_model(
    "_CardRow", __base__=Table, name=Annotated[str, AfterValidator(_name)], **_FIELDS
)


def shipped_components() -> dict[str, Any]:
    """Return the shipped components as fresh plain data, cards and all."""
    return _shipped().model_dump(mode="json")


@cache
def _shipped() -> Components:
    cards: dict[str, Any] = {}
    for file in FILES:
        cards |= read_table(rows_of((FOLDER / file).read_text(encoding="utf-8")))["cards"]
    return Components(**data.read_toml(FOLDER / "components.toml"), cards=cards)


def read_table(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the changes to the components that a table of cards means.

    Raises SimError, one line, with the row and the column of the first mistake.
    """
    _check_columns(rows)
    cards: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for row in rows:
        card = row.read_as(_CardRow).model_dump(exclude_unset=True)
        name = card.pop("name")
        if name in numbers:
            raise row.error("name", f"row {numbers[name]} has {show(name)} already")
        numbers[name] = row.number
        cards[name] = _emptied(row) | card if all(key in card for key in WHOLE) else card
    return {"cards": cards}


def _check_columns(rows: Sequence[Row]) -> None:
    columns = list(rows[0]) if rows else []
    for column in columns:
        if column not in COLUMNS:
            raise SimError(
                f"row 1, column {show(column)}: unknown column; allowed: {listing(COLUMNS)}."
                f"{suggest(column, COLUMNS)}"
            )
    if "name" not in columns:
        found = listing(columns) or "none"
        raise SimError(f'row 1: no column "name"; found: {found}; allowed: {listing(COLUMNS)}')


def _emptied(row: Row) -> dict[str, Any]:
    """Return what the empty cells of a whole card mean."""
    fields = Card.model_fields
    return {name: fields[name].default for name, cell in row.items() if not cell}
