"""The shipped components of West Story, and ways to change them."""

import pytest

from sim.errors import SimError
from sim.explain import Place
from sim.games.west_story import components as parts
from sim.games.west_story.components import Components
from sim.games.west_story.sheets import shipped_components
from sim.overrides import apply, expand

COMPONENTS = shipped_components()
RULINGS = parts.Rulings().model_dump()
MODEL = Components(**COMPONENTS)
STUDY = Place("study.toml", ("components",))


def with_changes(changes):
    """Return the shipped components with the changes of a study, by dotted name."""
    return apply(Components, COMPONENTS, expand(changes, STUDY), STUDY)


def changed(changes):
    """Return the model of the shipped components with the changes of a study."""
    return Components(**with_changes(changes))


def said_of(changes):
    """Return what a study that makes these changes is told."""
    with pytest.raises(SimError) as caught:
        with_changes(changes)
    text = str(caught.value)
    assert "\n" not in text
    return text.removeprefix("study.toml: components.")


def check(components=COMPONENTS, players=4, **rulings):
    """Check that these components can be played with these rulings beside the defaults."""
    parts.check(components, RULINGS | rulings, players)


def refused(components=COMPONENTS, players=4, **rulings):
    """Return why these components cannot be played with these rulings."""
    with pytest.raises(SimError) as caught:
        check(components, players, **rulings)
    assert "\n" not in str(caught.value)
    return str(caught.value)
