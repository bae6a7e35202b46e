"""What a run says, in plain words: sentences made from tidy rows, with verdicts that are earned."""

import textwrap
from collections.abc import Iterable
from typing import Any

import polars as pl

from sim import metrics
from sim.takeaways.accepting import budgets
from sim.takeaways.going import going, kingmaking
from sim.takeaways.merging import merged
from sim.takeaways.playing import cards, endings, lead_changes, lengths, ties
from sim.takeaways.restricted import restricted
from sim.takeaways.setting import assumed, assumed_facts, variants
from sim.takeaways.skill import luck, skill
from sim.takeaways.stopping import few, stops
from sim.takeaways.telling import Takeaway
from sim.takeaways.winning import seats, styles
from sim.words import words_of

__all__ = ["Takeaway", "assumed_facts", "headline", "plain_lines", "takeaways"]


def takeaways(run: Any, frame: pl.DataFrame | None = None) -> list[Takeaway]:
    """Return the findings of a run, the most important first; `frame` is `all_metrics(run)`."""
    frame = metrics.all_metrics(run) if frame is None else frame
    words, head = words_of(run), metrics.headline(run, frame)
    ended = list(endings(head, words))
    alarm = [found for found in ended if found.short]
    several = len(words.variants) > 1
    analysis = run.game.analysis()
    found = [
        *alarm,
        *few(run, head),
        *budgets(run, words),
        *variants(head, words),
        *styles(frame, head, words),
        *skill(head, words),
        *seats(head, words, _games(run)),
        *luck(head, words),
        *stops(run, words),
        # the comparison of variants has told these
        *(() if several else lengths(head, words)),
        *(() if several else ties(head, words)),
        *(() if several else lead_changes(head, words)),
        *(() if several else going(head, words)),
        *(() if several else kingmaking(head, words)),
        *(found for found in ended if not found.short),
        *cards(head, words),
        *restricted(head, words),
        *(analysis.takeaways(run, head, words) if analysis else ()),
        *assumed(run),
    ]
    return merged(found, words)


def _games(run: Any) -> int:
    """Return how many games a cell has, or the most where some stopped early."""
    return min(run.study.games, max(cell.games for cell in run.plan.cells))


def headline(found: Iterable[Takeaway]) -> str:
    """Return the finding of a run in a line or two."""
    return " ".join(takeaway.short for takeaway in found if takeaway.short)


def plain_lines(run: Any, width: int = 98) -> list[str]:
    """Return the findings of a run as lines for a terminal."""
    lines = []
    for found in takeaways(run):
        verdict = f" [{found.verdict}]" if found.verdict else ""
        text = f"{found.topic.capitalize()}{verdict}: {found.text}"
        lines += textwrap.wrap(text, width, initial_indent="- ", subsequent_indent="  ")
    return lines
