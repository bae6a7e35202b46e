"""Sentences on the study's budgets: what is accepted, and whether it came out so."""

from collections.abc import Iterator
from typing import Any

from sim import check
from sim import words as say
from sim.check import FAILED, PASSED, SKIPPED, UNDECIDED, Checked
from sim.metric_titles import in_sentence
from sim.takeaways.telling import Takeaway, grouped
from sim.words import Words

NAMED = 6


def budgets(run: Any, words: Words) -> Iterator[Takeaway]:
    """Tell how the study's budgets came out."""
    if not run.study.budgets:
        return
    found = check.of(run)
    rows = len(found.rows) - found.count(SKIPPED)
    if not rows:
        yield Takeaway("budgets", "", "All budgets are about a change; `sim check` compares.")
        return
    counts = [f"{found.count(each)} {each}" for each in (PASSED, FAILED, UNDECIDED)]
    told = [_which(found, each, words) for each in (FAILED, UNDECIDED)]
    text = f"Of {say.counted(rows, 'value')} with an accepted range, {say.listed(counts)}."
    yield Takeaway(
        "budgets", found.verdict, " ".join([text, *filter(None, told)]), _short(found, words)
    )


def _which(found: Checked, verdict: str, words: Words) -> str:
    """Return which budgets have rows with a verdict, and how many."""
    by_name = grouped((row for row in found.rows if row.verdict != SKIPPED), lambda row: row.name)
    told = []
    for name, rows in by_name.items():
        count = sum(row.verdict == verdict for row in rows)
        if count:
            told.append(f"{in_sentence(name, words)} in {count} of {len(rows)}")
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"{verdict.capitalize()}: {', '.join(told[:NAMED])}{more}." if told else ""


def _short(found: Checked, words: Words) -> str:
    if found.verdict == PASSED:
        return "All is within what is accepted."
    if found.verdict == FAILED:
        failed = [row.name for row in found.rows if row.verdict == FAILED]
        names = list(dict.fromkeys(in_sentence(name, words) for name in failed))
        rest = len(names) - NAMED
        named = [*names[:NAMED], f"{rest} more"] if rest > 0 else names
        return f"Not within what is accepted: {say.listed(named)}."
    return ""
