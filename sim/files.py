"""Finding and reading the files of studies."""

import os.path
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sim.errors import SimError, listing, suggest
from sim.explain import Place

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
SHIPPED = CHECKOUT / "configs" if (CHECKOUT / "pyproject.toml").is_file() else PACKAGE / "_configs"
"""Where the project's own studies lie: in a checkout, or in an installed package."""


def studies() -> dict[str, Path]:
    """Return the studies in `configs/` by name, such as `street_art/seats`.

    The `configs/` of the working directory goes before the project's own.
    """
    return _studies(SHIPPED) | _studies(Path("configs"))


def own_studies() -> dict[str, Path]:
    """Return the studies of the working directory's `configs/`; without one, the project's."""
    folder = Path("configs") if Path("configs").is_dir() else SHIPPED
    return _studies(folder)


def _studies(folder: Path) -> dict[str, Path]:
    paths = sorted(folder.glob("**/*.toml"))
    parts = {os.path.abspath(part) for path in paths for part in referred(path)}
    paths = [path for path in paths if os.path.abspath(path) not in parts]
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}


def referred(path: Path) -> list[Path]:
    """Return the files beside a study from which it takes styles and numbers."""
    study = plain(path)
    named = [study.get(key) for key in ("styles_from", "components_from")]
    return [path.parent / str(name) for names in named if isinstance(names, list) for name in names]


def plain(path: Path) -> dict[str, Any]:
    """Return a study as plain data, or nothing: its mistakes are told where it is played."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}


def find(path_or_name: str | Path) -> Path:
    """Return the file of a study: a path, or a name in `configs/`, short if only one has it.

    The ending `.toml` can be left out.
    """
    wanted = Path(path_or_name)
    for path in (wanted, Path(f"{path_or_name}.toml")):
        if os.path.isfile(path):
            return path
    known = studies()
    name = wanted.as_posix().removesuffix(".toml").removeprefix("configs/")
    same = [known[name]] if name in known else [p for p in known.values() if p.stem == name]
    if len(same) == 1:
        return same[0]
    if same:
        names = [full for full, path in known.items() if path in same]
        raise SimError(f"{name}: more than one study has this name; allowed: {listing(names)}.")
    if os.path.isdir(wanted):
        inside = listing(sorted(path.name for path in wanted.glob("*.toml"))) or "none"
        raise SimError(f"{wanted}: this is a folder; allowed: a TOML file. In it: {inside}.")
    raise SimError(_not_found(wanted, known))


def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file as plain data; raise SimError if it cannot be read as that."""
    text = read_text(path, "a TOML file")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Place(str(path)).error(f"not valid TOML: {error}.") from None


def read_text(path: Path, kind: str = "a file") -> str:
    """Return a file's text; raise SimError if it cannot be read as UTF-8."""
    place = Place(str(path))
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise place.error(f"there is no such file.{_beside(path)}") from None
    except IsADirectoryError:
        raise place.error(f"this is a folder; {kind} is needed.") from None
    except UnicodeDecodeError as error:
        raise place.error(
            f"byte {error.start} is not UTF-8; save the file as UTF-8 text."
        ) from None
    except (OSError, ValueError) as error:
        raise place.error(f"cannot be read: {error}.") from None


def check_written(paths: Iterable[Path | None]) -> None:
    """Raise SimError, before hours of play, if a folder, or nothing, can be in a file's place."""
    for path in filter(None, paths):
        if path.is_dir():
            raise Place(str(path)).error("this is a folder; allowed: a file to write.")
        check_above(path)


def check_above(path: Path) -> None:
    """Raise SimError if a file stands where a folder above this path would be."""
    for above in path.parents:
        if above.is_file():
            raise Place(str(path)).error(f"{above} is a file, so nothing can be in it.")


def _not_found(wanted: Path, known: dict[str, Path]) -> str:
    hint = _beside(wanted) or suggest(str(wanted), known)
    hint = hint or _suggest(wanted.stem, {name.rpartition("/")[2]: name for name in known})
    own = own_studies()
    more = len(known) - len(own)
    shipped = f", and {more} that come with sim" if more else ""
    return (
        f"{wanted}: there is no such file, and no study of that name in configs/; "
        f"there are: {listing(own) or 'none'}{shipped}.{hint}"
    )


def _beside(wanted: Path) -> str:
    """Suggest a file in the folder of one that is not there."""
    kind = ".csv" if wanted.suffix == ".csv" else ".toml"
    near = sorted(wanted.parent.glob(f"*{kind}"))
    return _suggest(wanted.stem, {path.stem: str(path) for path in near})


def _suggest(word: str, full: dict[str, str]) -> str:
    """Suggest the full name of the short name nearest to `word`."""
    near = suggest(word, full)
    return f' Did you mean "{full[near.split(chr(34))[1]]}"?' if near else ""
