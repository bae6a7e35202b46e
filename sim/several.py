"""Does the same with one study after another: what fails is told, and the others go on."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from sim.chosen import Chosen
from sim.errors import FAULT, MISTAKE, SimError, listing, tell
from sim.terminal import say

WORST = (0, 3, 1, MISTAKE, FAULT)
"""Exit statuses of a command, the worst last."""


def each(chosen: Chosen, act: Callable[[Any, Path], tuple[int, str]]) -> int:
    """Do something with every study and its folder; return the worst exit status.

    `act` returns an exit status and a sentence, told beside the study's name.
    """
    from sim.simulate import default_folder
    from sim.study import load

    if chosen.about:
        _say(chosen.about)
    owners: dict[Path, str] = {}
    found: dict[str, int] = {}
    for name, path in chosen.studies.items():
        try:
            study = load(path)
            folder = default_folder(study)
            if (owner := owners.setdefault(folder, name)) != name:
                raise SimError(f"{path}: its run would lie in {folder}, as that of {owner} does.")
            found[name], told = act(study, folder)
        except Exception as error:
            found[name] = tell(error, name)
        else:
            _say(f"{name}: {told}")
    broken = [name for name, status in found.items() if status in (MISTAKE, FAULT)]
    if broken:
        _say(f"{len(broken)} of {len(found)} could not be done: {listing(broken)}.")
    return max(found.values(), key=WORST.index, default=0)


def _say(text: str) -> None:
    with suppress(typer.Exit):  # a reader that has gone stops nothing, and makes nothing a pass
        say(text)


def bring(study: Any, folder: Path, fresh: bool, **how: Any) -> Any:
    """Return a study's finished run; one of something else in its folder is set aside."""
    from sim.current import other_run
    from sim.playing import play_study

    return play_study(study, fresh=fresh or bool(other_run(study, folder)), **how)
