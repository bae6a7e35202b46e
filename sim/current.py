"""Tells whether a study's run and report are up to date."""

import hashlib
import inspect
import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sim import report, simulate, store
from sim.errors import SimError
from sim.games.game import Game
from sim.study import Study

DRAWN_BY = ("polars", "pandas", "scipy", "matplotlib", "seaborn", "nbconvert")
"""Whose version may change how a report looks, or its last digit."""
SOURCES = (".py", ".css", ".js", ".toml", ".html")


def other_run(study: Study, folder: Path) -> str:
    """Return why a study cannot go on with the run in a folder; "" if it can, or none is there."""
    if not (folder / store.MANIFEST).exists():
        return ""
    try:
        run = store.Run(folder, store.read_manifest(folder))
    except SimError:
        return "a run of another version of sim"
    if changed := simulate.changed_since(run, study):
        return f"changed: {changed}"
    if study.games < run.study.games:
        return f"changed: games: {run.study.games:,} -> {study.games:,}"
    return ""


def stale(study: Study, folder: Path) -> str:
    """Return why a study's report has to be written; "" if run and report are up to date."""
    if not (folder / store.MANIFEST).exists():
        return "never played"
    if changed := other_run(study, folder):
        return changed
    manifest = store.read_manifest(folder)
    if not manifest["complete"]:
        return "not played to its end"
    known, now = (_told(each) for each in (manifest["study"], study.model_dump(mode="json")))
    if moved := [key for key in now if known.get(key) != now[key]]:
        return f"changed: {', '.join(moved)}"
    if not report.is_written_by(folder, stamp(store.Run(folder, manifest))):
        return "no report of this run by this version of the code"
    return ""


def stamp(run: Any) -> str:
    """Return a hash of all that a run's report is made of: the run, and the code that writes it."""
    keys = ("identity", "rules", "shards", "until")
    made_of = {key: run.manifest.get(key) for key in keys} | {"study": _told(run.manifest["study"])}
    text = json.dumps(made_of, sort_keys=True) + _code(run.game.name)
    return hashlib.sha256(text.encode()).hexdigest()


def _told(study: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in study.items() if key != "source"}


@cache
def _code(game: str) -> str:
    """Return a hash of the code that writes reports of a game, and of its notebooks."""
    from sim import games

    digest = hashlib.sha256(" ".join(map(version, DRAWN_BY)).encode())
    for path in sorted(set(_files(games.get(game)))):
        digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _files(game: Game) -> Iterator[Path]:
    """Yield what may have a part in a game's report: all but the folders of other games."""
    own = Path(inspect.getfile(type(game)))
    roots, others = [report.PACKAGE], set()
    if own.is_relative_to(report.PACKAGE):
        others = set((report.PACKAGE / "games").iterdir()) - {own.parent}
    else:
        yield own
        roots += [own.parent] if (own.parent / "__init__.py").is_file() else []
    for root in roots:
        for path in root.rglob("*"):
            if path.suffix in SOURCES and not others & set(path.parents):
                yield path
    analysis = game.analysis()
    for name in (report.TEMPLATE, analysis.notebook if analysis else ""):
        if name:
            yield report.template(name)
