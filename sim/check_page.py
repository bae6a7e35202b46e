"""The page of a check: the verdict, a figure of what is accepted and what came out, the tables."""

from pathlib import Path
from typing import Any

import pandas as pd

from sim import checked, report, show, tables
from sim.check import Checked
from sim.metric_titles import metric_title
from sim.plots.accepting import budgets
from sim.words import Words, words_of

PAGE = "check.html"
READING = (
    "A budget is passed if the whole interval lies within what is accepted, failed if the whole "
    "interval lies outside, and undecided otherwise: more games would tell. Intervals are wide "
    "enough to hold all at once, so that among many budgets none fails by chance alone."
)


def write_page(found: Checked, run: Any) -> Path:
    """Write check.html into the run's folder; it stands alone."""
    words = words_of(run)
    title = f"{run.study.title}: budgets"
    about = f"{run.games_played:,} games of {run.game.title}, seed {run.study.seed}"
    parts = [show.opening_html(title, about)]
    parts.append(show.verdict_html(found.verdict, checked.sentences(found)))
    if picture := budgets(found, words):
        parts.append(show.picture_html(picture))
    for caption, cells in (
        ("Budgets, those worst off first", checked.ranges(found, words)),
        ("Changes against the baseline", checked.changes(found, words)),
    ):
        if cells[1]:
            parts.append(show.table_html(table(cells, words), caption, fold=False))
    parts.append("<h2>How this was made</h2>")
    parts.append(show.table_html(tables.provenance(run), "Where the numbers come from", False))
    parts.append(f"<p><b>How to read this.</b> {READING}</p>")
    path = Path(run.folder) / PAGE
    return report.write_page(path, title, "\n".join(parts))


def table(cells: tuple[list[str], list[list[str]]], words: Words) -> pd.DataFrame:
    """Return heads and rows of a check, the verdict first, what is judged by title and key."""
    heads, rows = cells
    found = pd.DataFrame(rows, columns=heads)
    found[heads[0]] = [f"{metric_title(name, words)} `{name}`" for name in found[heads[0]]]
    return found[["Verdict", *(head for head in heads if head != "Verdict")]]
