"""The text of a study to start from, for any game.

Lines that begin with `# ` are for reading. Lines that begin with `#` and no space are examples,
each correct once its `#` is taken away.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.errors import SimError
from sim.explain import dotted
from sim.games.game import Game, Ruling
from sim.games.kingmaking import FEWEST_PLAYERS
from sim.overrides import leaves
from sim.players import Style
from sim.study import SAMPLE

NAME = re.compile(r"[A-Za-z0-9_-]+")
MOST_NUMBERS = 8
"""How many of a game's numbers the template shows; `sim rulings` shows them all."""


def new_study(game: Game, name: str) -> str:
    """Return the TOML text of a commented study of a game; it runs as it is."""
    parts = (
        _opening(game, name),
        _lineups(game),
        _budgets(game),
        _rulings(game),
        _components(game),
        _variants(game),
        _styles(game),
    )
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _opening(game: Game, name: str) -> list[str]:
    title = f"{game.title}: {name.replace('_', ' ')}"
    tables = ", ".join(game.sampled_tables)
    sample = [f"#sample = {SAMPLE}  # the share of games that go into these tables: {tables}"]
    may_look = hasattr(game, "scripted") and game.player_counts[-1] >= FEWEST_PLAYERS
    return [
        f"# A study of {game.title}. Play it with `sim run`, read it with `sim report`.",
        '# Lines that begin with "# " are for reading. Lines that begin with "#" and no space are',
        "# examples: take the # away to use them, from the [table] line above them too.",
        "",
        f"title = {_toml(title)}",
        f"game = {_toml(game.name)}",
        f"players = {_toml(list(game.player_counts))}  # or one of them",
        "games = 10_000  # of each combination of variant, player count and line-up",
        "# Or play until it is known whether seats are fair and shares within budgets; games is",
        '# then the most. Or: until = { metric = "seat_share", half_width = 0.002 }',
        '#until = "decided"',
        "seed = 1  # another seed, other luck; the same seed, the same games",
        *(sample if tables else []),
        *(_kingmaking() if may_look else []),
        "# Styles that several studies share can stand in a file beside this one:",
        '# styles_from = ["my_styles.toml"]',
    ]


def _kingmaking() -> list[str]:
    return [
        "# Do players who can no longer win decide who does? Looks at some decisions of this share",
        "# of games, from each of which hundreds of games are played on.",
        "#kingmaking = { sample = 0.01 }",
    ]


def _lineups(game: Game) -> list[str]:
    styles = list(game.styles().values())
    main = _main_style(styles).name
    other = next((style.name for style in styles if style.name != main), main)
    pair = [style.name for style in styles if style.name in {main, other}]
    seats = next((n for n in game.player_counts if n > 1), 1)
    lines = [
        "# Who sits at the table. The styles of play that come with the game:",
        *_wrapped(f"{style.name}: {style.description}" for style in styles),
        "",
        "[lineups]",
        "# Every seat plays the same style: shows what a seat is worth.",
        f"mirror = {_toml([main])}",
    ]
    if len(pair) > 1 and seats > 1:
        lines += [
            f"# Seat by seat, for {seats} players:",
            f"#fixed = [{_toml([main, *[other] * (seats - 1)])}]",
            "# The same through every seat: `rotated` in place of `fixed`.",
            "# Styles against each other, each in every seat equally often; `tournament` in its",
            "# place plays every mixture of them as well, as `sim tournament` needs it:",
            f'#round_robin = {_toml(pair)}  # or "all"',
        ]
    return lines


def _budgets(game: Game) -> list[str]:
    most = game.player_counts[-1]
    return [
        "# What you accept of the game: `sim check` tells what is within it, what is not, and what",
        "# takes more games to know. Any metric of a report's summary.json can be named.",
        "[budgets]",
        "#seat_share = { within = 0.02 }  # of a fair share, each seat",
        "#tie_rate = { max = 0.05 }  # games with a shared win",
        "#truncated_share = { max = 0.001 }  # games that came to no end and were cut off",
        f"#turns.p95 = {{ max = 60, players = {most} }}  # nineteen games in twenty",
        "#spread.score.mean = { max = 2 }  # points between the best and the worst seat",
    ]


def _rulings(game: Game) -> list[str]:
    helps = game.rulings_help()
    if not helps:
        return []
    values = game.default_rulings()
    lines = ["# What the rulebook leaves open, as it is without a change.", "[rulings]"]
    for ruling in helps:
        value = values[ruling.name]
        lines += _wrapped([f"{ruling.doc} ({ruling.grade})"])
        others = ", ".join(text for text in ruling.values if text != ruling.default)
        if isinstance(value, str | int | float | list):
            lines.append(f"#{dotted([ruling.name])} = {_toml(value)}  # or {others}")
    return lines


def _components(game: Game) -> list[str]:
    numbers = _numbers(game)
    if not numbers:
        return []
    lines = ["# Numbers of cards, boards and pieces, by dotted name, as they are without a change."]
    if len(numbers) > MOST_NUMBERS:
        more = len(numbers) - MOST_NUMBERS
        lines.append(f"# {more} more: `sim rulings {game.name}` lists all.")
    lines.append("[components]")
    return lines + [f"#{dotted(key)} = {value}" for key, value in numbers[:MOST_NUMBERS]]


def _variants(game: Game) -> list[str]:
    main = _main_style(list(game.styles().values())).name
    change = _other_ruling(game) or f"styles.{main}.temperature = 0.5"
    return [
        "# Variants: versions of the game that meet the same luck. Each has a name and changes by",
        "# dotted name: rulings.NAME, components.NAME or styles.NAME.weights.FEATURE.",
        "# [variants.base] without changes keeps the game as it is beside the others.",
        "#[variants.base]",
        "",
        "#[variants.changed]",
        f"#{change}",
        "",
        "# From which difference on a change matters to `sim compare`, by metric; without a word",
        "# here, from 2 points of a share and 5 % of anything else.",
        "#[matters]",
        "#seat_share = 0.01",
        "#turns.mean = 3",
    ]


def _styles(game: Game) -> list[str]:
    main = _main_style(list(game.styles().values())).name
    name = next(
        f"my_{main}{n}" for n in ("", *range(2, 99)) if f"my_{main}{n}" not in game.styles()
    )
    lines = [
        "# A style of your own: the weights are added to those of its base, or replace them.",
        "# Name it in [lineups] to let it play. What a player can weigh:",
        *_wrapped(f"{feature.name}: {feature.doc}" for feature in game.features),
        f"#[styles.{name}]",
        f"#base = {_toml(main)}",
        f'#description = "like {main}, but less steady"',
        "# 0 always takes the best action; the higher, the more a player strays from it.",
        "#temperature = 0.5",
    ]
    if game.features:
        lines.append(f"#weights = {{ {dotted([game.features[0].name])} = 1.0 }}")
    if game.actions:
        lines += _wrapped([f"Actions to avoid while there is any other: {', '.join(game.actions)}"])
        lines.append(f"#forbid = {_toml([game.actions[0]])}")
    return lines


def _main_style(styles: list[Style]) -> Style:
    """Return the first style that weighs anything: random play says little about a game."""
    return next((style for style in styles if style.weights), styles[0])


def _other_ruling(game: Game) -> str:
    """Return an override of a ruling by another of its values, '' if no ruling has another."""
    for ruling in game.rulings_help():
        for value in _other_values(game, ruling):
            return f"rulings.{dotted([ruling.name])} = {_toml(value)}"
    return ""


def _other_values(game: Game, ruling: Ruling) -> Iterator[Any]:
    """Yield the values of a ruling's help that the game accepts and does not have already."""
    defaults = game.default_rulings()
    for text in ruling.values:
        value = _parsed(text, defaults[ruling.name])
        if value is None or value == defaults[ruling.name]:
            continue
        try:
            game.rulings_model.model_validate({**defaults, ruling.name: value})
        except ValidationError:
            continue
        yield value


def _parsed(text: str, like: Any) -> Any:
    """Return the text as a value of the same kind as `like`, None if it is no such value."""
    if isinstance(like, str):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if type(value) is type(like) else None


def _numbers(game: Game) -> list[tuple[tuple[str, ...], int | float]]:
    found = leaves(game.default_components())
    return [(k, v) for k, v in found if isinstance(v, int | float) and not isinstance(v, bool)]


def _toml(value: Any) -> str:
    """Return a text, number, truth value or list as TOML, which writes them as JSON does."""
    return json.dumps(value, ensure_ascii=False)


def _wrapped(texts: Iterable[str]) -> list[str]:
    """Return each text as comment lines of at most 100 characters, continuations indented."""
    lines: list[str] = []
    for text in texts:
        lines += textwrap.wrap(
            " ".join(text.split()), 100, initial_indent="#   ", subsequent_indent="#     "
        )
    return lines


def write_study(game: Game, name: str, out: Path | None = None) -> Path:
    """Write the study to start from into a new file and return its path."""
    if not NAME.fullmatch(name):
        raise SimError(f'name: found "{name}"; allowed: letters, digits, _ and -')
    path = out or Path("configs") / game.name / f"{name}.toml"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(new_study(game, name))
    except FileExistsError:
        raise SimError(f"{path}: this file exists already; choose another name") from None
    except OSError as error:
        raise SimError(f"{path}: cannot be written: {error.strerror}") from None
    return path
