"""Restricted play of a style without each thing in turn: an act, a card, an objective.

For each name that a style may forbid, one player who forbids it sits among players of the same
style who do not, in each seat of the same deals. Without the restriction it would win a fair
share of each deal, so what it falls short by is caused by doing without (Jaffe et al. 2012). The
rows are those that a study of these twins would have (`sim.metrics.restricted`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim import games, inference
from sim.audit.journal import identity
from sim.errors import SimError
from sim.files import read_text
from sim.games.data import titles_in
from sim.games.game import Game
from sim.metrics.restricted import Twins
from sim.metrics.tidy import POOLED, SCHEMA
from sim.players import Style
from sim.progress import Progress, silent
from sim.provenance import provenance
from sim.simulate import check_workers, default_folder, make_ready, rules_of
from sim.study import Study, Variant, load
from sim.tuning import asked
from sim.tuning.confirm import Row, above_fair, frame, number
from sim.tuning.seats import OTHERS, SCORE, WIN, Deals, Player, Task, played
from sim.words import Words

FOLDER = "forbid_"
JOURNAL, RECORD = "played.jsonl", "forbid.json"
FORMAT = 1
STRONG = "strong"
WON, SCORED = "without.win", "without.score"
SAME = 1e-9


@dataclass(frozen=True)
class Forbidden:
    """A style without each thing in turn; `content` and `rows` are what forbid.json holds."""

    folder: Path
    content: dict[str, Any]
    rows: pl.DataFrame
    """`without.win` and `without.score` ("STYLE without THING") by number of players."""

    @property
    def title(self) -> str:
        """The study's title."""
        return self.content["study"]["title"]

    @property
    def style(self) -> Style:
        """Who does without."""
        return Style(**self.content["style"])

    @property
    def idle(self) -> list[str]:
        """Things whose lack changes no game."""
        return self.content["idle"]

    @property
    def refused(self) -> dict[str, str]:
        """Things that could not be forbidden, and why."""
        return self.content["refused"]

    @property
    def words(self) -> Words:
        """The names of things."""
        game = games.get(self.content["study"]["game"])
        titles = self.content["titles"]
        return Words(game, (self.content["variant"],), (POOLED,), (self.style.name,), titles)


def forbid(
    study: Study | str | Path,
    style: str | None = None,
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Forbidden:
    """Play a style of a study without each thing in turn, against players who do not do without.

    `style` is `strong` if the study has it, else its first. The study's games are played for each
    thing and number of players, on the study's deals, in its first variant. Kept in `out` (default
    reports/GAME/STUDY) below forbid_STYLE, thing by thing, and gone on from there.
    Raises SimError for a style that is not there, or where nothing can be forbidden.
    """
    loaded = study if isinstance(study, Study) else load(study)
    progress = progress or silent()
    check_workers(jobs)
    game = games.get(loaded.game)
    name, variant = asked.variant_of(loaded, None)
    usual = STRONG if STRONG in variant.styles else next(iter(variant.styles))
    chosen = asked.style_of(loaded, variant, style or usual)
    things, refused = things_of(game, variant, chosen, loaded.players)
    folder = (Path(out) if out else default_folder(loaded)) / f"{FOLDER}{chosen.name}"
    plan = _Plan(game, loaded, name, variant, chosen)
    with asked.locked(folder):
        if fresh:
            asked.set_aside(folder, JOURNAL, progress.say)
        known = _known(folder)
        _play(plan, things, known, folder, jobs, progress)
    cells = {(thing, n): known[plan.key(thing, n)] for thing in things for n in loaded.players}
    content = {
        "format": FORMAT,
        "study": {
            key: getattr(loaded, key)
            for key in ("name", "title", "game", "source", "games", "seed")
        },
        "variant": name,
        "style": chosen.model_dump(),
        "titles": titles_in(variant.components),
        "idle": [thing for thing in things if all(cells[thing, n]["idle"] for n in loaded.players)],
        "refused": refused,
        "rules": rules_of(game),
        "versions": provenance(loaded)["versions"],
    }
    rows = [tuple(row) for cell in cells.values() for row in cell["rows"]]
    return Forbidden(folder, content, frame(rows))


def read(folder: str | Path) -> Forbidden:
    """Return what a folder holds; SimError if it holds none."""
    path = Path(folder) / RECORD
    content = json.loads(read_text(path, "a record of restricted play"))
    rows = pl.DataFrame(content.pop("rows"), schema=SCHEMA, orient="row")
    content.pop("columns")
    return Forbidden(Path(folder), content, rows)


def things_of(
    game: Game, variant: Variant, style: Style, players: Sequence[int]
) -> tuple[list[str], dict[str, str]]:
    """Return what a style can be made to do without, and what cannot be forbidden and why."""
    names = game.actions_of(variant.components)
    if not names:
        raise SimError(f"forbid: {game.title} has nothing that a style may forbid")
    things, refused = [], {}
    for thing in names:
        if thing in style.forbid:
            refused[thing] = f"{style.name} does without it already"
            continue
        try:
            for count in players:
                twins = [*[style] * (count - 1), without(style, thing)]
                game.setup(variant.components, variant.rulings, twins, True)
        except SimError as error:
            refused[thing] = str(error)
        else:
            things.append(thing)
    return things, refused


def without(style: Style, thing: str) -> Style:
    """Return the twin of a style that forbids a thing, too."""
    forbids = [*style.forbid, thing]
    return style.model_copy(update={"name": f"{style.name}_without_{thing}", "forbid": forbids})


@dataclass(frozen=True)
class _Plan:
    game: Game
    study: Study
    variant_name: str
    variant: Variant
    style: Style

    def key(self, thing: str, players: int) -> str:
        """Return what tells these games from any other."""
        rules = self.variant.model_dump(mode="json", exclude={"overrides", "styles"})
        style = self.style.model_dump(mode="json", exclude={"description", "origin"})
        about = thing, players, self.study.games, self.study.seed
        return identity(rules_of(self.game), rules, style, self.variant_name, *about)

    def task(self, thing: str, players: int) -> Task:
        """Return the games of one who does without among others who do not."""
        deals = -(-self.study.games // players)
        others = [self.style] * (players - 1)
        player = Player(self.game, self.variant)
        twin = without(self.style, thing)
        return player.task((thing, players), twin, others, self.study.seed, deals)

    def cell(self, thing: str, players: int, deals: Deals) -> dict[str, Any]:
        """Return what came out: rows, and whether doing without changed nothing."""
        won = above_fair(deals[:, WIN], players)
        if won[1] is None and won[3] == 0:
            return {"key": self.key(thing, players), "rows": [], "idle": False}
        group = Twins(self.style.name, "", (thing,)).group
        keys = (None, players, self.variant_name, POOLED)
        rows: list[Row] = [
            (*keys, WON, group, *won),
            (*keys, SCORED, group, *_score(deals, players)),
        ]
        return {
            "key": self.key(thing, players),
            "rows": rows,
            "idle": bool(_is_same(deals, players)),
        }


def _score(deals: Deals, players: int) -> tuple[float, float | None, float | None, int, str]:
    gap = deals[:, SCORE] - deals[:, OTHERS]
    gap = gap[np.isfinite(gap)]
    n = len(gap)
    variance = float(gap.var(ddof=1)) / n if n > 1 else np.nan
    found = inference.mean_interval(float(gap.mean()), variance, n, True)
    bounds = number(float(found.low)), number(float(found.high))
    return float(gap.mean()), *bounds, n * players, f"difference, {found.method}"


def _is_same(deals: Deals, players: int) -> bool:
    """Tell whether every deal went the same way whichever seat did without."""
    even = np.abs(deals[:, WIN] - 1 / players) < SAME
    return bool(even.all() and (np.abs(deals[:, SCORE] - deals[:, OTHERS]) < SAME).all())


def _known(folder: Path) -> dict[str, Any]:
    """Return what earlier calls played, by key."""
    path = folder / JOURNAL
    known = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                entry = json.loads(line)
                known[entry["key"]] = entry
            except (ValueError, KeyError, TypeError):
                continue  # empty, or torn by a kill
    return known


def _play(
    plan: _Plan,
    things: Sequence[str],
    known: dict[str, Any],
    folder: Path,
    jobs: int | None,
    progress: Progress,
) -> None:
    """Play what is not known yet, and keep it as it comes."""
    pairs = [(thing, n) for n in plan.study.players for thing in things]
    missing = [pair for pair in pairs if plan.key(*pair) not in known]
    if not missing:
        return
    if len(missing) < len(pairs):
        progress.say(f"Going on: {len(pairs) - len(missing)} of {len(pairs)} are there already.")
    make_ready(plan.game, progress)
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [plan.task(*pair) for pair in missing]
    title = f"{plan.style.name} without each of {len(things)} things"
    with (
        progress.playing(title, sum(task.games for task in tasks)),
        (folder / JOURNAL).open("ab") as file,
    ):
        for key, deals in played(plan.game, tasks, jobs, progress.advance):
            entry = plan.cell(key[0], key[1], deals)
            known[entry["key"]] = entry
            file.write(b"\n" + json.dumps(entry, allow_nan=False).encode() + b"\n")
            file.flush()


def by_thing(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return rows by the thing that they do without."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["group"].partition(" without ")[2], []).append(row)
    return found


def ranked(found: Forbidden) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Yield things with their win share rows, what costs most to do without first."""
    rows = found.rows.filter(pl.col("metric") == WON, pl.col("low").is_not_null()).to_dicts()
    together = by_thing(rows)
    yield from sorted(
        together.items(),
        key=lambda item: sum(row["estimate"] * row["players"] for row in item[1]) / len(item[1]),
    )
