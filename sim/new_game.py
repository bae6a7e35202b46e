"""The command `sim new-game`: writes a small working game, a package of its own, to start from.

The files of `skeleton/` are that game, under the name `my_game`; a new one has another name.
"""

import importlib.util
import keyword
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sim.errors import SimError
from sim.terminal import say

SKELETON = Path(__file__).parent / "skeleton"
NAME, TITLE, CLASS = "my_game", "My Game", "MyGame"
"""How the skeleton's files call their game: in code, in words, as a class."""
ALLOWED = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST = 40
LEFT_OUT = {"__pycache__"}


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the game: small letters, digits and _.")
    ],
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to make the folder NAME.")
    ] = Path(),
) -> None:
    """Write a small working game with tests to start from, a package of its own.

    It plays, is refereed, told, drawn and reported on as it is written; then replace its rules.
    """
    folder = write_game(name, into)
    say(f"Wrote {folder}. Try it, then replace its rules (README.md says where they are):")
    say(f"  pip install -e '{folder}[test]'")
    say(f"  cd {folder} && pytest && sim report {name}/first")


def write_game(name: str, into: Path = Path()) -> Path:
    """Write the skeleton under a name into a new folder, and return that.

    Raises SimError for a name that cannot be used, and where there is such a folder already.
    """
    check_name(name)
    folder = into / name
    try:
        into.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except FileExistsError:
        where = folder if folder.exists() else into
        raise SimError(f"{where}: there is one already; choose another name or folder") from None
    try:
        for path in _files():
            target = folder / renamed(path.relative_to(SKELETON).as_posix(), name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(renamed(path.read_text(encoding="utf-8"), name), encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def check_name(name: str) -> None:
    """Raise SimError for a name that no new game can have."""
    if not ALLOWED.fullmatch(name) or len(name) > LONGEST:
        hint = _near(name)
        raise SimError(
            f'name: found "{name}"; allowed: a small letter first, then small letters, digits '
            f"and single _ between them, at most {LONGEST}.{hint}"
        )
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise SimError(f'name: "{name}" is a word of Python; choose another, like {name}_game')
    from sim import games

    if name in games.names():
        raise SimError(f'name: there is a game "{name}" already; choose another')
    if name in sys.stdlib_module_names or name in ("tests", "sim") or _is_module(name):
        raise SimError(
            f'name: "{name}" is a Python module already; choose another, like {name}_game'
        )


def _near(name: str) -> str:
    """Return the nearest name that is allowed as a question, '' if there is none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain).lower())
    near = "_".join(words)
    usable = ALLOWED.fullmatch(near) and len(near) <= LONGEST
    return f' Did you mean "{near}"?' if usable else ""


def _is_module(name: str) -> bool:
    """Tell whether a module of this name can be imported, other than from a plain folder here."""
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None


def title_of(name: str) -> str:
    """Return the title of a game by its name: `river_race` is River Race."""
    return " ".join(word.capitalize() for word in name.split("_"))


def renamed(text: str, name: str) -> str:
    """Return a text of the skeleton for a game of this name."""
    title = title_of(name)
    new = {NAME: name, TITLE: title, CLASS: title.replace(" ", "")}
    return re.sub("|".join(new), lambda found: new[found[0]], text)


def _files() -> Iterator[Path]:
    """Yield the files of the skeleton."""
    for path in sorted(SKELETON.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.parts) and path.suffix != ".pyc":
            yield path
