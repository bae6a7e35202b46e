"""Improves a style's weights against a field of styles, and confirms what was found."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from sim import games
from sim.errors import SimError
from sim.files import read_text
from sim.metrics.tidy import SCHEMA
from sim.players import Style
from sim.progress import Progress, silent
from sim.provenance import provenance
from sim.simulate import check_workers, default_folder, make_ready, rules_of
from sim.study import Study, load
from sim.tuning import asked, league
from sim.tuning.confirm import Confirmation, Row, frame
from sim.tuning.seats import seed_of
from sim.words import Words

FOLDER = "tune_"
RECORD = "tune_style.json"
FORMAT = 1
PLAY = (400, 4_000)
CONFIRM = (2_000, 20_000)
"""Games of a candidate in a generation, and of each table of the confirmation: a tenth of what the
game plays in a second or two, and three times that, within these."""


@dataclass(frozen=True)
class Tuned:
    """A style that was tuned, with its record; what tune_style.json holds."""

    folder: Path
    content: dict[str, Any]
    rows: pl.DataFrame
    """What came out on fresh luck (`sim.tuning.confirm.Confirmation`)."""

    @property
    def start(self) -> Style:
        """The style as it was."""
        return Style(**self.content["start"])

    @property
    def tuned(self) -> Style:
        """The style as it is now."""
        return Style(**self.content["tuned"])

    @property
    def history(self) -> list[dict[str, Any]]:
        """What each generation came to."""
        return self.content["history"]

    @property
    def trials(self) -> list[dict[str, Any]]:
        """What the end of each round came to."""
        return self.content["trials"]

    @property
    def title(self) -> str:
        """The study's title."""
        return self.content["study"]["title"]

    @property
    def words(self) -> Words:
        """The names of things."""
        names = (self.start.name, self.tuned.name, *self.content["field"])
        game = games.get(self.content["study"]["game"])
        return Words(game, (self.content["variant"],), ("all",), tuple(dict.fromkeys(names)))


def tune(
    study: Study | str | Path,
    style: str,
    out: str | Path | None = None,
    *,
    free: Sequence[str] = (),
    every: bool = False,
    players: Sequence[int] | None = None,
    variant: str | None = None,
    rounds: int = 3,
    generations: int = 10,
    games_each: int | None = None,
    candidates: int = 0,
    league_size: int = 0,
    step: float = 0.3,
    limit: float = 10.0,
    confirm: int | None = None,
    name: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Tuned:
    """Search for better weights of a style among the styles of a study's line-ups.

    `free` names the weights that may move (those of the style; `every`: all that the game knows).
    `rounds` of `generations` of `candidates` (0: 4 + 3 ln of the number of weights), each with
    `games_each` games; after a round the best so far joins the field, at most `league_size` of
    them. Steps are `step` of a weight's scale at first, and no weight goes further than `limit`
    scales from where it was. `confirm` games of each table are played with what was found. Kept in
    `out` (default reports/GAME/STUDY/tune_STYLE) after each generation, and gone on from there.
    Raises SimError for a mistake in what is asked for.
    """
    loaded = study if isinstance(study, Study) else load(study)
    progress = progress or silent()
    game = games.get(loaded.game)
    check_workers(jobs)
    variant_name, rules = asked.variant_of(loaded, variant)
    start = asked.style_of(loaded, rules, style)
    field = dict(rules.styles)
    name = asked.name_of(name, start, list(field))
    for key, value, least in (
        *(("rounds", rounds, 1), ("generations", generations, 1), ("games", games_each, 1)),
        *(("league", league_size, 0), ("confirm", confirm, 1), ("candidates", candidates, 0)),
        *(("step", step, 1e-6), ("limit", limit, 1e-6), ("seed", seed, 0)),
    ):
        asked.at_least(key, value, least)
    if candidates in (1, 2, 3):
        raise SimError(f"candidates: found {candidates}; allowed: 4 or more, or 0 for the usual")
    moving = asked.free_of(game, start, free, every)
    search = league.Search(
        game=game.name,
        variant=rules,
        players=asked.players_of(loaded, players),
        start=start,
        field=field,
        free=moving,
        scales=asked.scales_of(start, [*field.values(), *game.styles().values()], moving),
        games=games_each or min(max(game.shard_games // 10, PLAY[0]), PLAY[1]),
        generations=generations,
        candidates=candidates,
        league=league_size,
        step=step,
        limit=limit,
        seed=loaded.seed if seed is None else seed,
    )
    folder = Path(out) if out else default_folder(loaded) / f"{FOLDER}{start.name}"
    with asked.locked(folder):
        if fresh:
            asked.set_aside(folder, league.STATE, progress.say)
        folder.mkdir(parents=True, exist_ok=True)
        make_ready(game, progress)
        state = league.run(search, game, folder, rounds, jobs, progress)
    trial = state.trials[rounds - 1]
    point = state.points[trial["best"]]
    tuned = search.style(point[: len(moving)], name).model_copy(
        update={
            "description": f"{start.name} with weights that were searched for",
            "origin": f"sim tune style {loaded.name} {start.name}",
        }
    )
    wanted = confirm or min(max(3 * game.shard_games // 10, CONFIRM[0]), CONFIRM[1])
    luck = seed_of(search.seed, tuned.model_dump(), wanted)
    sure = Confirmation(game, (variant_name, rules), start, tuned, field, wanted, luck)
    content = {
        "format": FORMAT,
        "study": {
            "name": loaded.name,
            "title": loaded.title,
            "game": game.name,
            "source": loaded.source,
        },
        "variant": variant_name,
        "players": list(search.players),
        "field": list(field),
        "start": start.model_dump(),
        "tuned": tuned.model_dump(),
        "free": list(moving),
        "scales": list(search.scales),
        "settings": {
            "rounds": rounds,
            "generations": generations,
            "candidates": int(state.strategy.popsize),
            "games": search.games,
            "league": league_size,
            "step": step,
            "limit": limit,
            "seed": search.seed,
            "confirm": wanted,
            "confirm_seed": luck,
        },
        "history": state.history[: rounds * generations],
        "trials": state.trials[:rounds],
        "league": [at + 1 for at in state.members],
        "rules": rules_of(game),
        "versions": provenance(loaded)["versions"] | {"cma": version("cma")},
    }
    rows = _confirmed(sure, search.players, folder, jobs, progress)
    return Tuned(folder, content, frame(rows))


def _confirmed(
    sure: Confirmation, players: Sequence[int], folder: Path, jobs: int | None, progress: Progress
) -> list[Row]:
    """Return the rows of all numbers of players; those that an earlier call played are kept."""
    path = folder / "confirmed.jsonl"
    known: dict[int, list[Row]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # empty, or torn by a kill
            if entry["seed"] == sure.seed:
                known[entry["players"]] = [tuple(row) for row in entry["rows"]]
    for count in players:
        if count not in known:
            known[count] = sure.play(count, jobs, progress)
            entry = {"seed": sure.seed, "players": count, "rows": known[count]}
            with path.open("ab") as file:
                file.write(b"\n" + json.dumps(entry).encode() + b"\n")
    return [row for count in players for row in known[count]]


def read(folder: str | Path) -> Tuned:
    """Return the tuning that a folder holds; SimError if it holds none."""
    path = Path(folder) / RECORD
    content = json.loads(read_text(path, "the record of a tuned style"))
    rows = pl.DataFrame(content.pop("rows"), schema=SCHEMA, orient="row")
    content.pop("columns")
    return Tuned(Path(folder), content, rows)
