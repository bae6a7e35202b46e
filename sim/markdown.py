"""Markdown for the pages of CI jobs: what a designer wrote reads as written."""

import re
from collections.abc import Iterable
from typing import Any

MOST_ROWS = 30
"""Rows of a table."""
SPECIAL = re.compile(r"([\\`*_~<>\[\]|#&])")
CODE = re.compile("(`[^`]+`)")


def escaped(text: str) -> str:
    """Return a name or title on one line, with no character that Markdown takes for its own."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def prose(sentences: str) -> str:
    """Return sentences; what stands between backticks stays code."""
    return "".join(
        part if CODE.fullmatch(part) else SPECIAL.sub(r"\\\1", part)
        for part in CODE.split(sentences)
    )


def items(sentences: Iterable[str]) -> str:
    """Return sentences as a list."""
    return "\n".join(f"- {prose(sentence)}" for sentence in sentences)


def findings(found: Iterable[Any]) -> str:
    """Return takeaways as a list, each led by its topic."""
    return "\n".join(f"- **{escaped(e.topic.capitalize())}.** {prose(e.text)}" for e in found)


def table(found: Any) -> str:
    """Return the first rows of a data frame."""
    rows = [found.columns, *found.head(MOST_ROWS).itertuples(index=False)]
    head, *lines = ["| " + " | ".join(prose(str(cell)) for cell in row) + " |" for row in rows]
    text = "\n".join([head, "|" + " --- |" * len(found.columns), *lines])
    more = len(found) - MOST_ROWS
    return f"{text}\n\n{more:,} more rows are in the report." if more > 0 else text
