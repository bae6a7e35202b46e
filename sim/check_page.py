"""The page of a check: the verdict, a figure of what is accepted and what came out, the tables."""

from pathlib import Path
from typing import Any

import pandas as pd

from sim import checked, report, show, tables
from sim.check import Checked
from sim.plots.accepting import budgets
from sim.words import words_of

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
    for caption, (heads, rows) in (
        ("Budgets, those worst off first", checked.ranges(found, words)),
        ("Changes against the baseline", checked.changes(found, words)),
    ):
        if rows:
            parts.append(show.table_html(pd.DataFrame(rows, columns=heads), caption, fold=False))
    parts.append("<h2>How this was made</h2>")
    parts.append(show.table_html(tables.provenance(run), "Where the numbers come from", False))
    parts.append(f"<p><b>How to read this.</b> {READING}</p>")
    path = Path(run.folder) / PAGE
    return report.write_page(path, title, "\n".join(parts))
