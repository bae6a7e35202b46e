"""Sentences on how a variant differs from another, by number of players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sim import words as say
from sim.matters import MATTERS, UNKNOWN
from sim.sidebyside import name_of, unsure
from sim.takeaways.telling import grouped, span
from sim.words import Words

Row = dict[str, Any]
Key = tuple[str, str]
"""A metric and its group."""
LENGTHS = ("turns.mean", "rounds.mean", "decisions.mean")
"""Whichever comes first of those that matter speaks for the others."""
WINS = ("seat_share", "style_share")
ONCE = ("tie_rate", "score.mean", "margin.mean", "lead_changes.mean")
MOST_WINS = 3
MOST_NAMED = 3
MOST_CHANGED = 8
"""What changed enough to matter is marked in the tables, too, and looked for in the sentence."""
COUNTED = {"decisions.mean": "decisions", "lead_changes.mean": "lead changes"}
SIMPLE = {
    "truncated_share": ("games cut off {} more often", "games cut off {} less often"),
    "seat_share": ("{} better off", "{} worse off"),
    "style_share": ("{} better off", "{} worse off"),
    "rounds.mean": ("{} longer", "{} shorter"),
    "turns.mean": ("{} longer", "{} shorter"),
    "decisions.mean": ("{} more", "{} fewer"),
    "tie_rate": ("shared wins {} more common", "shared wins {} rarer"),
    "score.mean": ("scores {} higher", "scores {} lower"),
    "margin.mean": ("margins {} wider", "margins {} narrower"),
    "lead_changes.mean": ("{} more", "{} fewer"),
}
"""How a difference up, and one down, is told of a metric."""


@dataclass(frozen=True)
class Difference:
    """What a variant changes against another, at one line-up, with some numbers of players."""

    variant: str
    against: str
    lineup: str
    players: tuple[int, ...]
    text: str

    @property
    def who(self) -> str:
        """The numbers of players: "2 to 6 players"."""
        first, last = self.players[0], self.players[-1]
        if len(self.players) > 2 and list(self.players) == list(range(first, last + 1)):
            return f"{first} to {last} players"
        return say.players(self.players)


class _Table:
    """What is to be told of the differences at one line-up with one number of players."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.players: int = rows[0]["players"]
        enough = {_key(row): row for row in rows if row["verdict"] == MATTERS}
        self.told = _told(enough)
        told = {_key(row) for row in self.told}
        left = [row for key, row in enough.items() if key not in told and not _implied(key, told)]
        self.more_wins = sum(row["metric"] in WINS for row in left)
        self.shifts = any(map(_in_part, left)) and not any(key[0] in WINS for key in told)
        self.named = [row for row in left if row["metric"] not in WINS and not _in_part(row)]
        self.unsure = [
            row for row in rows if unsure(row) and not (_implied(_key(row), told) or _in_part(row))
        ]
        self.unknown = all(row["verdict"] == UNKNOWN for row in rows)
        self.ended = any(
            row["metric"] == "seat_share" and row["own"] is not None and row["base"] is not None
            for row in rows
        )
        self.same = all(row["method"] == "same games" for row in rows)

    @property
    def kind(self) -> tuple:
        """What tables must share to be told in one sentence."""
        pieces = tuple((_key(row), row["estimate"] > 0) for row in self.told)
        told = (self.named, self.more_wins, self.shifts, self.unknown, self.same, self.ended)
        return pieces, *map(bool, told)


def _key(row: Row) -> Key:
    return row["metric"], row["group"]


def _in_part(row: Row) -> bool:
    """Tell whether a row is about what one seat or style scores."""
    return row["metric"].startswith("score") and row["group"] != "all"


def _told(enough: dict[Key, Row]) -> list[Row]:
    """Return the rows that a sentence tells with numbers, the most important first."""
    wins = [row for (metric, _), row in enough.items() if metric in WINS]
    wins = sorted(wins, key=lambda row: -abs(row["estimate"]))[:MOST_WINS]
    length = [name for name in LENGTHS if (name, "all") in enough][:1]
    first = [(name, "all") for name in ("truncated_share", *length)]
    last = [(name, "all") for name in ONCE]
    seats = [_key(row) for row in enough.values() if row in wins]
    return [enough[key] for key in (*first, *seats, *last) if key in enough]


def _implied(key: Key, told: set[Key]) -> bool:
    """Tell whether a difference goes without saying once others are told."""
    in_part = key[0] == "score.mean" or (key[0].startswith("score") and key[1] != "all")
    if in_part and ("score.mean", "all") in told:
        return key not in told
    return key[0] in LENGTHS and any((name, "all") in told for name in LENGTHS) and key not in told


def differences(rows: Iterable[Row], words: Words) -> list[Difference]:
    """Return a sentence for each variant, line-up and number of players.

    Numbers of players with which the same things change the same way share a sentence.
    """
    found = []
    together = grouped(rows, lambda row: (row["variant"], row["against"], row["lineup"]))
    for (variant, against, lineup), own in together.items():
        tables = [_Table(part) for _, part in sorted(grouped(own, _players).items())]
        for alike in grouped(tables, lambda table: table.kind).values():
            counts = tuple(table.players for table in alike)
            found.append(Difference(variant, against, lineup, counts, _sentence(alike, words)))
    return found


def _players(row: Row) -> int:
    return row["players"]


def _sentence(tables: Sequence[_Table], words: Words) -> str:
    if tables[0].same:
        return "the same rules and the same luck: nothing differs."
    if tables[0].unknown:
        return "too few games to tell."
    pieces = [piece(rows, words) for rows in zip(*(table.told for table in tables), strict=True)]
    if more := max(table.more_wins for table in tables):
        pieces.append(f"{say.counted(more, 'other share')} of wins changed")
    if tables[0].shifts:
        pieces.append("points pass from some seats or styles to others")
    if named := _names((row for table in tables for row in table.named), words):
        pieces.append(f"{'also changed' if pieces else 'changed'}: {named}")
    if not tables[0].ended:
        pieces.append("no game of one of them ended by the rules, so wins and scores are unknown")
    else_ = "else " if pieces else ""
    if unsure := _unsure(tables, words):
        pieces.append(f"nothing {else_}for certain" if not pieces else "")
        pieces.append(f"undecided: {unsure}")
    else:
        pieces.append(f"nothing {else_}changed enough to matter")
    return "; ".join(filter(None, pieces)) + "."


def piece(rows: Sequence[Row], words: Words) -> str:
    """Return a difference with the range of its size: "13 to 19 turns longer"."""
    metric, group = _key(rows[0])
    size = _size(rows, words)
    text = SIMPLE[metric][rows[0]["estimate"] < 0].format(size)
    if metric in WINS:
        return f"{words.group(group)} {text}"
    if metric in COUNTED:
        return f"{text} {say.amount(size, COUNTED[metric]).removeprefix(size).strip()}"
    return text


def _size(rows: Sequence[Row], words: Words) -> str:
    """Return how large a difference is, with its unit."""
    units = {
        "turns.mean": words.turns,
        "rounds.mean": "rounds",
        "score.mean": words.game.score_name,
        "margin.mean": words.game.score_name,
    }
    metric = rows[0]["metric"]
    if metric in units:
        return say.amount(_span(rows, 1), units[metric])
    if metric in COUNTED:
        return _span(rows, 1)
    return say.amount(_span(rows, 100), "points")


def _span(rows: Sequence[Row], times: float) -> str:
    return span([times * abs(row["estimate"]) for row in rows], _two_figures)


def _two_figures(value: float) -> str:
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.2g}"


def _names(rows: Iterable[Row], words: Words) -> str:
    """Return the names of what rows are about, some of too many; parts of the score together."""
    named = {name_of(row, words): row["metric"].startswith("score_part.") for row in rows}
    names = [name for name, of_score in named.items() if not of_score]
    if parts := [name for name, of_score in named.items() if of_score]:
        names.insert(0, f"parts of the score ({say.listed(parts)})")
    more = len(names) - MOST_CHANGED
    shown = [*names[:MOST_CHANGED], *([f"{more} more"] if more > 0 else [])]
    return say.listed(shown) if shown else ""


def _unsure(tables: Sequence[_Table], words: Words) -> str:
    """Return what is undecided, and with which numbers of players if not with all."""
    where: dict[str, list[int]] = {}
    for table in tables:
        for row in table.unsure:
            where.setdefault(name_of(row, words), []).append(table.players)
    names = [
        name if len(counts) == len(tables) else f"{name} ({say.players(sorted(set(counts)))})"
        for name, counts in where.items()
    ]
    more = len(names) - MOST_NAMED
    shown = [*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return say.listed(shown) if shown else ""
