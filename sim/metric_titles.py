"""What a metric is called in sentences and figures: `turns.p95` is "Turns (95th percentile)"."""

import re
from collections.abc import Callable

from sim.words import Words, ordinal, plain

SPREAD = "spread."
TITLES = {
    "seat_share": "Win share by seat",
    "style_share": "Win share by style",
    "tie_rate": "Shared wins",
    "truncated_share": "Games cut off",
    "seat_test": "Test of equal seats",
    "end_reason": "How games end",
    "kingmaking.share": "Kingmaking",
    "lead_changes": "Lead changes",
    "winning_score": "Winning score",
    "card.held_per_game": "Cards in hands",
    "card.played_per_game": "Cards played",
    "card.win_held": "Wins when a card is held",
    "card.win_played": "Wins when a card is played",
    "card.held_lift": "Improvement when a card is held",
    "card.played_by_winners": "Cards played by winners",
}
ENDS = {
    "mean": "mean",
    "max": "largest",
    "pmf": "how often each",
    "p": "p-value",
    "p_holm": "p-value, Holm",
}
OWN = ("detail", "score_part", "player")
"""Themes whose metrics are columns of a table."""


def metric_title(name: str, words: Words | None = None) -> str:
    """Return the title of a metric, or of a budget: the second of several has [1] at its end."""
    metric, _, place = name.partition("[")
    subject, end = _parts(metric.removeprefix(SPREAD), words)
    notes = [
        end,
        "spread" if metric.startswith(SPREAD) else "",
        f"{ordinal(int(place.rstrip(']')) + 1)} range" if place else "",
    ]
    said = ", ".join(filter(None, notes))
    return f"{subject} ({said})" if said else subject


def in_sentence(name: str, words: Words | None = None) -> str:
    """Return the title of a metric, or of a budget, as it stands inside a sentence."""
    title = metric_title(name, words)
    return title[:1].lower() + title[1:]


def _parts(metric: str, words: Words | None) -> tuple[str, str]:
    """Return what a metric is about, and what it tells of that; "" for a mean of its own."""
    if metric in TITLES:
        return TITLES[metric], ""
    title: Callable[[str], str] = words.title if words else _capital
    parts = metric.split(".")
    end = _end(parts[-1]) if len(parts) > 1 else ""
    subject = parts[: len(parts) - bool(end)]
    if subject[0] in OWN and len(subject) > 1:
        return title(subject[1]), end
    first = TITLES.get(subject[0]) or _capital(subject[0])
    return plain(" ".join([first, *subject[1:]])), end


def _end(part: str) -> str:
    """Return what the last part of a metric says about a distribution; "" for any other."""
    percentile = re.fullmatch(r"p(\d\d)", part)
    if percentile:
        number = int(percentile[1])
        return "median" if number == 50 else f"{ordinal(number)} percentile"
    return ENDS.get(part, "")


def _capital(code: str) -> str:
    text = plain(code)
    return text[:1].upper() + text[1:]
