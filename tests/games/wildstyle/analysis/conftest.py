"""The made-up runs that several files look at."""

import pytest

from tests.games.wildstyle.analysis import made_up


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Runs in which every cell is alone, and with round robins of one way at three tempos."""
    with pytest.MonkeyPatch.context() as patch:
        found = {
            name: made_up.play(patch, tmp_path_factory.mktemp(name) / "run", changes)
            for name, changes in (("mirror", {}), ("robin", made_up.ROBIN))
        }
    return found
