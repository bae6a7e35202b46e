"""Writes an audit: audit.html beside the report, audit.json, audit.md, figures; tells it."""

import textwrap
from pathlib import Path
from typing import Any

from sim import markdown, report, sidebyside, terminal
from sim.audit import listing
from sim.audit.changes import NUMBER, RULING
from sim.audit.found import ROWS, Audit, as_json
from sim.takeaways import headline
from sim.takeaways.auditing import how, takeaways
from sim.takeaways.telling import Takeaway, grouped
from sim.words import Words, words_of

TEMPLATE = "audit.ipynb"
PAGE, SHORT = "audit.html", "audit.md"
FIGURES = "figures/audit"
WIDEST_TEXT = 98
MOST_ROWS = 8
"""Rows of a table in a terminal."""
MOST_GAMES = 5
"""Games with a fault that are told in a terminal."""
MARKS = {True: " *", False: ""}
STYLES = {"matters": "bold", "undecided": "yellow", "*": "bold"}
MARKDOWN = {RULING: "Rulings", NUMBER: "Numbers"}


def write(audit: Audit, run: Any, progress: report.Listener | None = None) -> Path:
    """Write audit.html, audit.json, audit.md and figures/audit/ into the run's folder.

    Returns the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing the audit ...")
    folder, words = Path(run.folder), words_of(run)
    found = takeaways(audit, run, words)
    report.write(folder / ROWS, as_json(audit, _about(run), _lines(found)))
    report.write(folder / SHORT, as_markdown(audit, run, words, found))
    notebook = report.execute(report.read_notebook(TEMPLATE), folder)
    report.write_figures(notebook, folder / FIGURES)
    return report.write_page(folder / PAGE, f"{run.study.title}: audit", report.body(notebook))


def _about(run: Any) -> dict[str, Any]:
    manifest = run.manifest
    return {
        "study": {"name": run.study.name, "title": run.study.title, "game": run.game.name},
        "provenance": {key: manifest[key] for key in ("identity", "rules", "versions")},
    }


def _lines(found: list[Takeaway]) -> dict[str, Any]:
    return {
        "headline": headline(found),
        "takeaways": [
            {"topic": each.topic, "verdict": each.verdict, "text": each.text} for each in found
        ],
    }


def as_markdown(audit: Audit, run: Any, words: Words, found: list[Takeaway]) -> str:
    """Return audit.md: findings and small tables, short enough for a CI job's page."""
    parts = [f"# {markdown.escaped(run.study.title)}: audit"]
    parts += [f"**{markdown.prose(headline(found))}**", markdown.findings(found)]
    tables = [("Faults", listing.faults(audit, run, words))]
    tables += [(name, listing.ranking(audit, part, words)) for part, name in MARKDOWN.items()]
    tables += [("Screening", listing.screening(audit, words))]
    parts += [f"## {name}\n\n{markdown.table(table)}" for name, table in tables if len(table)]
    return "\n\n".join([*parts, *map(markdown.prose, notes(audit, run, words))]) + "\n"


def notes(audit: Audit, run: Any, words: Words) -> list[str]:
    """Return how it was done, and what was left out."""
    return [*how(audit, run, words), *audit.notes]


def tell(audit: Audit, run: Any) -> None:
    """Print what a designer reads first, then ranked tables that fit the terminal."""
    words = words_of(run)
    width = terminal.line_width()
    text = textwrap.TextWrapper(min(width, WIDEST_TEXT))
    item = textwrap.TextWrapper(text.width, initial_indent="- ", subsequent_indent="  ")
    lines = [item.fill(f"{e.topic.capitalize()}: {e.text}") for e in takeaways(audit, run, words)]
    terminal.say("\n".join(["", *lines]))
    _tell_faults(audit, run, words, item)
    for part in MARKDOWN:
        _tell_table(_flips_marked(listing.ranking(audit, part, words)))
    _tell_table(listing.screening(audit, words))


def _tell_faults(audit: Audit, run: Any, words: Words, item: textwrap.TextWrapper) -> None:
    """Print the first games with a fault, each with the command that shows it."""
    faults = audit.refereed.faults if audit.refereed else []
    games = grouped(faults, lambda fault: (fault.cell, fault.game))
    for own in list(games.values())[:MOST_GAMES]:
        terminal.say("")
        for fault in own[:MOST_GAMES]:
            terminal.say(item.fill(listing.sentence(fault, run, words)))
        if len(own) > MOST_GAMES:
            terminal.say(f"  and {len(own) - MOST_GAMES} more in this game")
        if command := listing.watch(own[0], audit.said):
            terminal.say(f"  {command}")
    if len(games) > MOST_GAMES:
        terminal.say(f"\n{len(games) - MOST_GAMES} more games with a fault are in {PAGE}.")


def _flips_marked(table: Any) -> Any:
    """Return a ranking with a mark for what flips a verdict, instead of all of that."""
    if listing.FLIPS not in table.columns:
        return table
    marked = table.assign(Verdict=table["Verdict"] + (table[listing.FLIPS] != "").map(MARKS))
    return marked.drop(columns=listing.FLIPS)


def _tell_table(table: Any) -> None:
    if not len(table):
        return
    narrower = [table.drop(columns=list(left), errors="ignore") for left in listing.SHORTER]
    width = terminal.line_width()
    fitting = [each for each in narrower if sidebyside.width_of(each.head(MOST_ROWS)) <= width]
    heads, rows = listing.first((fitting or narrower[-1:])[0], MOST_ROWS)
    terminal.say("")
    terminal.table(heads, rows, whole=("Verdict",), styles=STYLES)
    legend = ["Differences of shares are in points."] if listing.LARGEST in heads else []
    if any(row[-1].endswith(MARKS[True]) for row in rows):
        legend.append(f"{MARKS[True].strip()} flips a verdict: see {PAGE}.")
    if len(table) > MOST_ROWS:
        legend.append(f"{len(table) - MOST_ROWS} more are in {PAGE}.")
    terminal.say("\n".join(textwrap.wrap(" ".join(legend), width)))
