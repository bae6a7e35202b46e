"""The made-up run that several files look at."""

import pytest

from tests.games.west_story.analysis import made_up


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A run with games cut off, building sets drawn anew, cells alone and pooled."""
    with pytest.MonkeyPatch.context() as patch:
        return made_up.play(patch, tmp_path_factory.mktemp("west_story") / "run")


@pytest.fixture(
    params=[(players, pooled) for players in (2, 3) for pooled in (False, True)],
    ids=lambda case: f"{case[0]} {'pooled' if case[1] else 'alone'}",
)
def case(request):
    """A number of players, and whether cells are pooled."""
    return request.param
