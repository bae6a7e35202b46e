"""Which studies a command is about: files, names, folders of `configs/`, or those affected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim import files
from sim.errors import SimError


@dataclass(frozen=True)
class Chosen:
    """Studies as files by the names that a user knows them by."""

    studies: dict[str, Path]
    several: bool
    """Whether a set was asked for, even if only one is in it."""
    about: str = ""
    """What set it is, in a sentence."""


def choose(
    names: Sequence[str],
    every: bool = False,
    since: str | None = None,
    baselines: Path | None = None,
) -> Chosen:
    """Return the studies that names stand for: a file, a study in `configs/` or a folder of it.

    `every` and `since` choose among these names, or all of `configs/`. `since` leaves those
    affected by what changed since that revision; one is affected by its baseline, too, if
    `baselines` is the folder of these. Raises SimError for a name that is nothing.
    """
    if not (names or every or since is not None):
        raise SimError("STUDY: none is named; name one, or configs for all in it, or use --since.")
    known = files.own_studies()
    found: dict[str, Path] = {}
    folders = False
    for name in names or [""]:
        inside = _inside(name, known)
        folders = folders or bool(inside)
        found |= inside or {name: files.find(name)}
    several = folders or every or since is not None or len(names) > 1
    if since is None:
        return Chosen(found, several)
    from sim.affected import affected

    few = affected(found, since, baselines)
    about = f"{len(few)} of {len(found)} studies affected by what changed since {since}."
    return Chosen(few, several, about)


def _inside(name: str, known: dict[str, Path]) -> dict[str, Path]:
    """Return the studies of a folder of `configs/`, or all of it; none if it is no such folder."""
    if Path(name).is_file() or name in known:
        return {}
    start = "/".join(_parts(name))
    found = {study: path for study, path in known.items() if f"{study}/".startswith(f"{start}/")}
    if not start:
        if not Path("configs").is_dir():
            raise SimError("configs: there is no such folder here; go where it is or name studies.")
        found = known
        if not known:
            raise SimError("configs: there is no study in it; sim new GAME NAME writes one.")
    return found


def _parts(name: str) -> Iterator[str]:
    """Yield the parts of a folder's path below `configs/`."""
    parts = [part for part in Path(name).parts if part != "."]
    yield from parts[1:] if parts[:1] == ["configs"] else parts
