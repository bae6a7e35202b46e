"""What findings, figures, tables and notebooks of games' own metrics have in common."""

import json
import re

from sim.plots import Picture
from sim.report import compose, template


def reads_well(findings):
    """Hold findings against how sentences are written."""
    for each in findings:
        assert each.text.endswith(".")
        assert "  " not in each.text
        assert not re.search(r"nan|None|_|\{", each.text)


def is_drawn(picture):
    """Hold a figure against what any has: words for it, and texts that fit."""
    assert isinstance(picture, Picture)
    assert picture.alt.startswith(picture.title)
    assert not re.search(r"nan|None", picture.alt)
    picture.figure.draw_without_rendering()
    for text in picture.figure.texts:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= picture.figure.bbox.x1


def is_listed(table):
    """Hold a table against what any has: rows, names told apart, no holes."""
    assert len(table)
    assert table.columns.is_unique
    has_no_holes(table)


def has_no_holes(table):
    """Look for what no person would write into a table."""
    assert not table.astype(str).isin(["nan", "None"]).any(axis=None)


def asks_questions(notebook, game):
    """Hold a part of the report against how parts are written, and look for it in the whole."""
    cells = json.loads(template(notebook).read_text(encoding="utf-8"))["cells"]
    headings = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert headings
    assert all(heading.startswith("## ") and heading.endswith("?") for heading in headings)
    assert all(not cell.get("outputs") for cell in cells)
    assert set(headings) <= {cell.source for cell in compose(game).cells}
