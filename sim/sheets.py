"""Rows of a CSV file, as a spreadsheet saves it; mistakes name the row and the column."""

import csv
import io
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from sim.errors import SimError
from sim.explain import first_mistake, show

DELIMITERS = ",;\t"
Model = TypeVar("Model", bound=BaseModel)


class Row(dict[str, str]):
    """The cells of a row by column; `number` is the row in a spreadsheet, the header being 1."""

    def __init__(self, cells: dict[str, str], number: int) -> None:
        super().__init__(cells)
        self.number = number

    def error(self, column: str, text: str) -> SimError:
        """Return the error of one line that names a cell of this row."""
        return SimError(f"row {self.number}, column {show(column)}: {text}")

    def read_as(self, model: type[Model]) -> Model:
        """Return the row as a model with a field for each column; an empty cell is left out.

        Raises SimError at the first cell that the model does not take.
        """
        try:
            return model.model_validate_strings({name: cell for name, cell in self.items() if cell})
        except ValidationError as error:
            key, text = first_mistake(error, model)
            if error.errors()[0]["type"] == "missing":
                text = "there is nothing in it; a value is needed."
            raise self.error(str(key[0]) if key else next(iter(self)), text) from None


def rows_of(text: str) -> list[Row]:
    """Return the rows below the header, empty ones left out; cells are stripped of blanks.

    Columns are told apart by the comma, semicolon or tab, whichever the header has most of.
    Raises SimError, which does not name the file, if it cannot be read as that.
    """
    columns, *rest = _lines(text) or [[]]
    if not any(columns):
        raise SimError("there is no header; the first row names the columns.")
    while not columns[-1]:
        columns.pop()
    for index, name in enumerate(columns):
        if not name:
            raise SimError(f"row 1: column {index + 1} has no name; each column needs one.")
        if name in columns[:index]:
            raise SimError(f"row 1, column {show(name)}: found twice; allowed: each column once.")
    return [_row(columns, cells, number) for number, cells in enumerate(rest, 2) if any(cells)]


def _lines(text: str) -> list[list[str]]:
    """Return the cells of every row."""
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend([cell.strip() for cell in cells] for cells in reader)
    except csv.Error as error:
        raise SimError(f"row {len(rows) + 1}: not valid CSV: {error}.") from None
    return rows


def _row(columns: list[str], cells: list[str], number: int) -> Row:
    if any(cells[len(columns) :]):
        raise SimError(
            f"row {number}: found {len(cells)} cells; allowed: {len(columns)}, one a column. "
            "A cell with a comma in it needs quotes."
        )
    cells += [""] * (len(columns) - len(cells))
    return Row(dict(zip(columns, cells, strict=False)), number)
