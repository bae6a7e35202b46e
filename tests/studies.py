"""Made-up runs of many shapes, for whatever must take any study."""

import numpy as np
from fakes import Spec, fake_run, let_forbid
from kings import made_up

STYLES = ("alpha", "beta_boy", "gamma")


def shapes(folder):
    """Yield (name, run) for studies as unlike as can be."""
    yield "one cell", fake_run(folder / "1", [Spec(("alpha", "alpha"), 40, lineup="all alpha")])
    mirrors = [
        Spec((style,) * n, 24, variant=variant, lineup=f"all {style}")
        for variant in ("mild", "harsh")
        for n in (2, 3, 4)
        for style in STYLES
    ]
    yield "mirrors in variants", fake_run(folder / "2", mirrors)
    robin = [Spec(pair, 60, rotate=True) for pair in (STYLES[:2], STYLES[1:], STYLES[::2])]
    yield "round robin", fake_run(folder / "3", [*robin, Spec(STYLES, 60, rotate=True)])
    fixed = [Spec(STYLES[:2], 30), Spec(STYLES[1:], 30), Spec(STYLES, 30)]
    yield "fixed line-ups", fake_run(folder / "4", fixed)
    yield "all truncated", fake_run(folder / "5", [Spec(("alpha", "alpha"), 20)], truncated=1)
    yield "no cards", fake_run(folder / "6", [Spec(STYLES, 30, rotate=True)], cards=False)
    yield "one game", fake_run(folder / "7", [Spec(STYLES[:2], 1)], truncated=0)
    yield (
        "all tied",
        fake_run(
            folder / "8",
            [Spec(("alpha",) * 3, 200)],
            scores=lambda rng, styles, game: np.full(3, 4),
            truncated=0,
        ),
    )
    twins = fake_run(folder / "9", [Spec(STYLES[:2], 60, rotate=True)])
    let_forbid(twins, *STYLES[:2], ["hats"])
    yield "twins", twins
    kings = [Spec(STYLES, 60, rotate=True), Spec(("alpha",) * 4, 40, lineup="all alpha")]
    yield "kingmakers", made_up(fake_run(folder / "10", kings))
