"""Tells which studies are affected by what changed since a revision, through git."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from sim import files, games
from sim.compiled import source_files
from sim.errors import SimError

DATA = (".toml", ".csv")


def affected(
    studies: Mapping[str, Path], since: str, baselines: Path | None = None
) -> dict[str, Path]:
    """Return those of the studies of which a file changed since a git revision.

    What counts is the state of the working tree against where this branch left the revision's:
    the study's own file, files that it refers to (`styles_from`, `components_from`), the rules and
    components of its game, and its baseline, GAME/STUDY.json in the folder of baselines. Raises
    SimError outside a repository, or for a revision that git does not know.
    """
    changed = changed_files(since)
    return {
        name: path
        for name, path in studies.items()
        if any(each.resolve() in changed for each in _files(path, baselines))
    }


def changed_files(since: str) -> set[Path]:
    """Return the files that changed since the merge base with a revision, untracked ones, too."""
    top = Path(_git("rev-parse", "--show-toplevel").rstrip("\n"))
    known = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{since}^{{commit}}")
    base = _git("merge-base", known.strip(), "HEAD").strip()
    listed = _git("diff", "--name-only", "--no-renames", "-z", base)
    fresh = _git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", str(top))
    return {(top / name).resolve() for name in f"{listed}{fresh}".split("\0") if name}


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], capture_output=True, text=True, check=True, encoding="utf-8"
        )
    except FileNotFoundError:
        raise SimError("since: git is needed to tell what changed, and is not here.") from None
    except subprocess.CalledProcessError as error:
        raise SimError(f"since: {_why(words, error.stderr)}") from None
    return done.stdout


def _why(words: tuple[str, ...], said: str) -> str:
    if "--verify" in words:
        return (
            f'found "{words[-1].removesuffix("^{commit}")}", which git does not know here; '
            "allowed: a branch, tag or commit (in CI, fetch the whole history)."
        )
    if words[0] == "merge-base":
        return "this branch and that revision have nothing in common; fetch the whole history."
    if words[0] == "rev-parse":
        return f"{Path.cwd()} is in no git repository, so nothing tells what changed."
    return f"git says: {(said.strip().splitlines() or ['nothing'])[-1]}"


def _files(path: Path, baselines: Path | None) -> Iterator[Path]:
    """Yield the files that decide what comes of a study."""
    yield path
    yield from files.referred(path)
    game = files.plain(path).get("game")
    if game in games.names():
        yield from _rules(game)
    if baselines is not None and isinstance(game, str):
        yield baselines / game / f"{path.stem}.json"


def _rules(game: str) -> Iterator[Path]:
    """Yield the files behind a game's rules, and the data beside them."""
    known = games.get(game)
    yield from source_files(type(known).__module__)
    if known.components_source.is_file():
        beside = known.components_source.parent
        yield from (file for file in beside.iterdir() if file.suffix in DATA)
