"""Printing what a command says: lines, and tables that fit the terminal."""

import io
import os
import sys
from collections.abc import Collection, Mapping
from types import MappingProxyType

import typer

from sim.errors import SimError

NARROWEST = 14
"""Room that a column takes whose cells are broken."""

PLAIN_WIDTH = 110
"""Characters across a table that goes to a file."""


def table(
    heads: list[str],
    rows: list[list[str]],
    numbers: tuple[int, ...] = (),
    whole: Collection[str] = (),
    styles: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Print a table; cells below a head of `whole` are not broken, as far as there is room.

    `styles` tells how cells that begin with such a word look in a terminal, or end in such a mark.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    in_terminal = sys.stdout.isatty()
    width = Console().width if in_terminal else 110
    unbroken = _fitting(heads, rows, whole, width)
    padding = (0, 1, 0, 0) if whole else (0, 1)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=padding)
    for i, head in enumerate(heads):
        grid.add_column(
            head,
            justify="right" if i in numbers else "left",
            no_wrap=i == 0 or head in unbroken,
            overflow="fold",
        )
    for row in rows:
        looks = (styles.get(cell.split(",")[0]) or styles.get(cell[-1:], "") for cell in row)
        grid.add_row(*(Text(cell, look) for cell, look in zip(row, looks, strict=True)))
    text = io.StringIO()
    out = Console(
        file=text, force_terminal=sys.stdout.isatty(), width=line_width(), highlight=False
    )
    out.print(grid)
    say(text.getvalue().rstrip("\n"))


def line_width() -> int:
    """Return how many characters a line may have: the terminal's, or those of a file."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else PLAIN_WIDTH


def _fitting(
    heads: list[str], rows: list[list[str]], whole: Collection[str], width: int
) -> list[str]:
    """Return the heads of `whole` whose cells can stand unbroken, the first before the others."""
    wide = {head: max(len(row[i]) for row in rows) for i, head in enumerate(heads)} if rows else {}
    kept = heads[:1]
    for head in whole:
        others = NARROWEST * (len(heads) - len(kept) - 1)
        if head in wide and sum(wide[h] + 2 for h in (*kept, head)) + others <= width:
            kept = [*kept, head]
    return kept


def say(text: str) -> None:
    """Print a line; end quietly when the reader has gone (sim watch | head)."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SimError(f"the output cannot be written: {error.strerror}") from None
