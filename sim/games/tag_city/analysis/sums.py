"""The sums of Tag City's head units by theme; see `sim.metrics.themes`."""

from typing import Any

from sim.games.tag_city.analysis import gather
from sim.games.tag_city.analysis.blocks import Block, names_of
from sim.metrics.themes import Found, Theme, gathered
from sim.metrics.tidy import sums_per_run

THEMES: dict[str, Theme] = {
    "seats": gather.seats,
    "games": gather.games,
    "times_led": gather.times_led,
    "led_against": gather.led_against,
    "places": gather.places,
    "leading": gather.leading,
    "leading_alone": gather.leading_alone,
    "using": gather.using,
    "layers": gather.layers,
    "elements": gather.elements,
    "ends": gather.ends,
    "used": gather.used,
    "by_drones": gather.by_drones,
    "by_checks": gather.by_checks,
    "ties": gather.ties,
}


@sums_per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    joint = {"joint": lambda values: gather.joint(values["layers"])}
    return gathered(run, names_of(run), Block, _themes, joint)


def _themes(block: Block) -> dict[str, Theme]:
    """Return the themes that a block has."""
    found = dict(THEMES)
    if gather.ring_is_drawn(block):
        found["rings"] = gather.rings
    if block.run.study.sample:
        found["map"] = gather.map_squares
    return found
