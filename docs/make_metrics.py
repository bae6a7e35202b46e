"""Writes docs/metric_names.md: every metric that a small study of each game has, from the code."""

import inspect
import tempfile
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

from sim import games, metrics, simulate
from sim.study import from_dict

HERE = Path(__file__).parent
HEAD = """# Metrics by name

Made from the code by `python docs/make_metrics.py`: the metrics that a small study of each game
has, by the function that works them out. What they mean, and their intervals, is told in
[metrics](metrics.md). Any of these names can stand in `[budgets]` and `[matters]`.
"""
GAMES = 60
FEW = 3
"""Examples of groups."""
Theme = Callable[[Any], pl.DataFrame]


def study(name: str) -> dict[str, Any]:
    """Return a small study of a game in which every metric has something to say."""
    game = games.get(name)
    first, second, third = [style for style in game.styles() if style != "random"][:3]
    counts = game.player_counts
    return {
        "game": name,
        "players": [counts[0], counts[0] + 1],
        "games": GAMES,
        "sample": 1.0,
        "lineups": {
            "mirror": [first, "without"],
            "round_robin": [first, second, third, "without"],
        },
        "styles": {"without": {"base": first, "forbid": [game.actions[0]]}},
    }


def played(name: str, folder: Path) -> Any:
    """Return the run of a small study of a game."""
    return simulate.run(from_dict(study(name), name=name), folder / name)


def rows(run: Any, theme: Theme) -> Iterator[str]:
    """Yield a line for the metrics of a theme that have the same groups, one after the other."""
    frame = theme(run)
    metrics_of = frame["metric"].unique(maintain_order=True)
    for shown, names in groupby(metrics_of, lambda metric: _groups(frame, metric)):
        yield f"| {', '.join(f'`{name}`' for name in names)} | {shown} |"


def _groups(frame: pl.DataFrame, metric: str) -> str:
    groups = frame.filter(metric=metric)["group"].unique(maintain_order=True)
    shown = ", ".join(f"`{group}`" for group in groups[:FEW])
    return shown + " ..." * (len(groups) > FEW)


def part(run: Any, theme: Theme) -> list[str]:
    """Return the lines of a theme: what its function says of itself, and its metrics."""
    found = list(rows(run, theme))
    if not found:
        return []
    said = " ".join((inspect.getdoc(theme) or "").split("\n\n")[0].split())
    said = said.removeprefix("Return ").rstrip(".:")
    return [f"\n### {said[:1].upper()}{said[1:]}\n", "| metrics | groups |", "|---|---|", *found]


def page(names: list[str] | None = None) -> str:
    """Return the text of docs/metric_names.md; with names, of some games alone."""
    own = [name for name in games.names() if type(games.get(name)).__module__.startswith("sim.")]
    chosen = own if names is None else names
    lines = [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(chosen):
            run = played(name, Path(folder))
            analysis = games.get(name).analysis()
            special = list(analysis.metrics) if analysis else []
            if number == 0:
                lines.append("\n## Of every game\n")
                lines.append(f"Groups are those of {run.game.title}.")
                for theme in metrics.makers(run):
                    lines += part(run, theme) if theme not in special else []
            if special:
                lines.append(f"\n## {run.game.title}")
                for theme in special:
                    lines += part(run, theme)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "metric_names.md").write_text(page(), encoding="utf-8")
