"""The sums of Wildstyle's head units by theme; see `sim.metrics.themes`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.games.wildstyle.analysis import gather
from sim.games.wildstyle.analysis.blocks import Block, names_of
from sim.metrics import themes
from sim.metrics.themes import Labelled, Theme
from sim.metrics.tidy import sums_per_run

THEMES: dict[str, Theme] = {
    "sides": gather.sides,
    "style_sides": gather.style_sides,
    "gains": gather.gains,
    "games": gather.games,
    "seats": gather.seats,
    "cars": gather.cars,
    "rounds": gather.rounds,
}
SAMPLED: dict[str, Theme] = {
    "hexes": gather.hexes,
    "icons": gather.icons,
    "occupied": gather.occupied,
    "price": gather.price,
}


@dataclass(frozen=True)
class Found(themes.Found):
    """The sums of a run, and the tempos that its players meet."""

    tempos: list[float]
    alone: list[tuple[float, float]]


@sums_per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    names = names_of(run)
    met = [gather.tempos(run, cell) for cell in run.plan.cells]
    tempos = sorted({tempo for tempos, _ in met for tempo in tempos})
    alone = sorted({pair for _, pairs in met for pair in pairs})
    found = themes.gathered(
        *(run, names, Block, _themes(run, tempos, alone)),
        joint={"joint": lambda values: gather.joint(values["sides"])},
        labelled={
            "sets": Labelled(gather.sets, lambda block: block.games["tile_set"], len(names.sets))
        },
    )
    return Found(found.names, found.units, found.totals, tempos, alone)


def _themes(
    run: Any, tempos: list[float], alone: list[tuple[float, float]]
) -> Callable[[Block], dict[str, Theme]]:
    """Return what names the themes of a block."""
    found = THEMES | (SAMPLED if run.study.sample else {})
    if tempos:
        found["alone"] = lambda block: gather.alone(block, alone)
        found["tempos"] = lambda block: gather.by_tempo(block, tempos)
    return lambda block: found
