import subprocess
import sys
import time

import pytest

HEAVY = ("numba", "llvmlite", "pandas", "matplotlib", "polars", "scipy", "statsmodels", "joblib")


def loaded(statement):
    """Return which heavy packages a statement loads, and the seconds it took."""
    code = (
        f"import sys\n{statement}\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split()), time.perf_counter() - start


@pytest.mark.parametrize(
    "statement",
    [
        "import sim",
        "import sim; dir(sim); sim.__version__",
        "import sim; sim.SimError",
        "import sim.cli",
        "import sys\ntry:\n from sim.cli import app; app(['--help'])\nexcept SystemExit: pass",
    ],
)
def test_nothing_heavy_is_loaded(statement):
    found, seconds = loaded(statement)
    print(f"{statement.splitlines()[-1]}: {seconds:.2f} s")
    assert found == set()


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("from sim import games; games.get('street_art').styles()", set()),
        ("import sim; sim.load_study('street_art/seats')", set()),
        ("from sim.plan import plan; import sim; plan(sim.load_study('street_art/hearts'))", set()),
        ("import sim; sim.open_run", {"polars"}),
        ("import sim; sim.run", {"polars"}),
    ],
)
def test_only_what_is_needed_is_loaded(statement, allowed):
    """Reading a study compiles nothing; a run on disk is read without what draws it."""
    found, seconds = loaded(statement)
    print(f"{statement}: {seconds:.2f} s")
    assert found <= allowed


def test_what_the_package_offers():
    import sim

    assert set(sim.__all__) <= set(dir(sim))
    for name in sim.__all__:
        assert getattr(sim, name) is not None
    assert callable(sim.watch.watch)
    with pytest.raises(AttributeError, match="module 'sim' has no attribute 'ran'"):
        _ = sim.ran
