"""Games are compiled ahead of those that are played."""

import pytest

from sim import ahead, games


@pytest.fixture
def uncompiled(monkeypatch):
    """Let no game be compiled, and any machine have two cores."""
    for name in ("street_art", "tag_city"):
        monkeypatch.setattr(type(games.get(name)), "compiled", lambda self, logging=False: False)
    monkeypatch.setattr(ahead, "FEWEST_CORES", 1)


def test_what_is_compiled_is_waited_for(uncompiled):
    with ahead.compiling(["tag_city", "street_art", "tag_city"]) as found:
        assert found.missing == ["street_art"]
        found.wait_for("tag_city")
        assert found.missing == ["street_art"]
        found.wait_for("street_art")
        assert found.missing == []
        found.wait_for("street_art")
    assert found.process.returncode is not None


def test_a_process_that_ends_early_keeps_nobody_waiting(uncompiled, monkeypatch):
    monkeypatch.setattr(ahead.sys, "executable", "false")
    with ahead.compiling(["tag_city", "street_art"]) as found:
        found.wait_for("street_art")
        assert found.missing == []


def test_no_process_where_there_is_nothing_to_do(uncompiled, monkeypatch):
    with ahead.compiling([]) as found:
        assert found is None
    with ahead.compiling(["street_art", "street_art"]) as found:
        assert found is None
    monkeypatch.setattr(ahead, "FEWEST_CORES", 10_000)
    with ahead.compiling(["tag_city", "street_art"]) as found:
        assert found is None


def test_a_process_that_is_not_needed_any_more_is_ended(uncompiled):
    with ahead.compiling(["tag_city", "street_art"]) as found:
        assert found.process.poll() is None
    assert found.process.returncode is not None
