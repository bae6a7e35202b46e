"""Writes what a tournament found: a page, its figures, rows for programs, a page for a CI job."""

from pathlib import Path
from typing import Any

import pandas as pd

from sim import markdown, report
from sim import words as say
from sim.tuning.ranking import Tournament
from sim.words import Words

TEMPLATE = "tournament.ipynb"
PAGE, ROWS, SHORT = "tournament.html", "tournament.json", "tournament.md"
FIGURES = "figures/tournament"
FORMAT = 1


def write_tournament(found: Tournament, progress: report.Listener | None = None) -> Path:
    """Write tournament.html, .json, .md and figures/tournament/ into the run's folder.

    Returns the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing the tournament ...")
    run, folder = found.run, Path(found.run.folder)
    notebook = report.execute(report.read_notebook(TEMPLATE), folder)
    report.write(folder / ROWS, as_json(found))
    report.write(folder / SHORT, as_markdown(found))
    report.write_figures(notebook, folder / FIGURES)
    title = f"{run.study.title}: tournament"
    return report.write_page(folder / PAGE, title, report.body(notebook))


def as_json(found: Tournament) -> str:
    """Return tournament.json: sentences and all rows."""
    run = found.run
    content = {
        "format": FORMAT,
        "study": {"name": run.study.name, "title": run.study.title, "game": run.game.name},
        "sentences": found.findings(),
        "provenance": {
            "identity": run.manifest["identity"],
            "rules": run.manifest["rules"],
            "versions": run.manifest["versions"],
        },
    }
    return report.with_rows(content, found.rows)


def as_markdown(found: Tournament) -> str:
    """Return tournament.md: sentences and the table of styles."""
    parts = [f"# {markdown.escaped(found.run.study.title)}: tournament"]
    parts.append(markdown.items(found.findings()))
    parts.append(markdown.table(standings(found)))
    return "\n\n".join(parts) + "\n"


def standings(found: Tournament) -> pd.DataFrame:
    """Return how each style fares with each number of players."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    several = len(found.words.variants) > 1
    for table in found.tables:
        for at, name in enumerate(table.styles):
            cells = {"Style": found.words.style(name)}
            if several:
                cells["Variant"] = found.words.variant(table.variant)
            row = rows.setdefault((table.variant, name), cells)
            row[say.players(table.players)] = _told(table, at, found.words)
    return pd.DataFrame(list(rows.values()))


def _told(table: Any, at: int, words: Words) -> str:
    """Return a style's part of the equilibrium, or what it loses against it, and its standing."""
    share, rating = table.equilibrium.mixture[at], table.equilibrium.payoffs[at]
    text = f"{100 * share:.0f} %" if at in table.viable else f"{say.signed(100 * rating, 1)} points"
    if table.dominant == at:
        return f"{text}, dominant"
    return f"{text}, dominated" if table.beaten_by[at] else text
