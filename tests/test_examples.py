"""The games in examples/ pass their own tests, and work with `sim` as they are."""

import re
from pathlib import Path

import pytest
from plugged import Plugged

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def pig(tmp_path_factory):
    return Plugged(EXAMPLES / "pig", tmp_path_factory.mktemp("site"))


def test_pig_passes_its_own_tests(pig):
    """The conformance suite and the published figures among them."""
    assert re.search(r"\d\d passed", pig.pytest())


@pytest.mark.slow
def test_pig_passes_its_slow_tests(pig):
    assert re.search(r"\d passed", pig.pytest("-m", "slow"))
