"""The shipped components of Wildstyle, and ways to change them."""

from pathlib import Path

from sim.games import data, wildstyle
from sim.games.wildstyle import components as parts

COMPONENTS = data.read_toml(Path(wildstyle.__file__).parent / "components.toml")
RULINGS = parts.Rulings().model_dump()


def check(components=COMPONENTS, players=4, **rulings):
    """Check that these components can be played with these rulings beside the defaults."""
    parts.check(components, RULINGS | rulings, players)


def changed(path, value, components=COMPONENTS):
    """Return components with one value changed, by dotted name."""
    first, _, rest = path.partition(".")
    new = changed(rest, value, components[first]) if rest else value
    return {**components, first: new}


def without(path, components=COMPONENTS):
    """Return components without one key, by dotted name."""
    first, _, rest = path.partition(".")
    if rest:
        return {**components, first: without(rest, components[first])}
    return {name: value for name, value in components.items() if name != first}
