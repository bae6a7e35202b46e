"""How pictures, tables and sentences name the groups of Wildstyle's rows."""

import re
from typing import Any

from sim.words import Words


def name_of(group: str, words: Words) -> str:
    """Return a group as a report prints it: a side, a set or pair of tiles, an icon, a round."""
    for joint, told in (("+", " + "), (" against ", " against "), (", ", ", ")):
        if joint in group:
            return told.join(name_of(part, words) for part in group.split(joint))
    kind, _, name = group.partition(" ")
    if kind == "objective":
        return words.title(name)
    if kind == "style":
        return words.style(name)
    return words.title(group) if kind == group else group[:1].upper() + group[1:]


def radii(run: Any) -> dict[str, int]:
    """Return the radius of the district boards in each variant."""
    return {cell.variant: int(cell.rulings["board_radius"]) for cell in run.plan.cells}


def table_name(variant: str, lineup: str, words: Words, sizes: dict[str, int]) -> str:
    """Return what tells a variant and line-up from the others, with the boards if they differ."""
    name = words.series(variant, lineup)
    said = re.search(rf"radius ?{sizes[variant]}\b", name)
    if len(set(sizes.values())) > 1 and not said:
        name = f"{name} (boards of radius {sizes[variant]})"
    return name
