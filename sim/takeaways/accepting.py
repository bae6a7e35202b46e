"""Sentences on the study's budgets: what is accepted, and whether it came out so."""

from collections.abc import Iterator
from typing import Any

from sim import check
from sim import words as say
from sim.check import FAILED, PASSED, SKIPPED, UNDECIDED, Checked
from sim.takeaways.telling import Takeaway, grouped

NAMED = 6


def budgets(run: Any) -> Iterator[Takeaway]:
    """Tell how the study's budgets came out."""
    if not run.study.budgets:
        return
    found = check.of(run)
    rows = len(found.rows) - found.count(SKIPPED)
    if not rows:
        yield Takeaway("budgets", "", "All budgets are about a change; `sim check` compares.")
        return
    counts = [f"{found.count(each)} {each}" for each in (PASSED, FAILED, UNDECIDED)]
    told = [_which(found, each) for each in (FAILED, UNDECIDED)]
    text = f"Of {say.counted(rows, 'value')} with an accepted range, {say.listed(counts)}."
    yield Takeaway("budgets", found.verdict, " ".join([text, *filter(None, told)]), _short(found))


def _which(found: Checked, verdict: str) -> str:
    """Return which budgets have rows with a verdict, and how many."""
    by_name = grouped((row for row in found.rows if row.verdict != SKIPPED), lambda row: row.name)
    told = []
    for name, rows in by_name.items():
        count = sum(row.verdict == verdict for row in rows)
        if count:
            told.append(f"{name} ({count} of {len(rows)})")
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"{verdict.capitalize()}: {', '.join(told[:NAMED])}{more}." if told else ""


def _short(found: Checked) -> str:
    if found.verdict == PASSED:
        return "All is within what is accepted."
    if found.verdict == FAILED:
        names = list(dict.fromkeys(row.name for row in found.rows if row.verdict == FAILED))
        rest = len(names) - NAMED
        named = [*names[:NAMED], f"{rest} more"] if rest > 0 else names
        return f"Not within what is accepted: {say.listed(named)}."
    return ""
