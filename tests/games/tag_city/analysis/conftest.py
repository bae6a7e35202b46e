"""The run that several files look at."""

import pytest

from tests.games.tag_city.analysis import runs


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A run with games cut off, rings drawn anew, cells alone and pooled."""
    with pytest.MonkeyPatch.context() as patch:
        return runs.play(patch, tmp_path_factory.mktemp("tag_city") / "run")
