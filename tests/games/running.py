"""Compiled rules run as plain Python too (`NUMBA_DISABLE_JIT=1`): what tests need for both."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest

from sim.games.game import Tables
from sim.players import Style


def uncompiled(test):
    """Mark a test as light enough to run without the compiler (`NUMBA_DISABLE_JIT=1`)."""
    return pytest.mark.uncompiled(test)


class Named(np.record):
    """A record whose fields come before the methods of numpy's records, such as `round`."""

    def __getattribute__(self, name):
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)


def running(array: np.ndarray) -> np.ndarray:
    """Return a structured array as the rules want it when they run uncompiled."""
    if numba.config.DISABLE_JIT and array.dtype.names:
        return array.view(np.dtype((Named, array.dtype)))
    return array


class Running:
    """Stands before a game's class: plays compiled or not, and makes cells of a few words."""

    def setup(self, *args: Any, **options: Any) -> Any:
        made = super().setup(*args, **options)
        return replace(made, record=running(made.record))

    def tables_for(self, *args: Any) -> Tables:
        return {name: running(table) for name, table in super().tables_for(*args).items()}

    def _play(self, *args: Any) -> int:
        with np.errstate(over="ignore"):  # 64-bit random words wrap around on purpose
            return super()._play(*args)

    def _tell(self, *args: Any) -> int:
        with np.errstate(over="ignore"):
            return super()._tell(*args)

    def cell(
        self,
        players: int,
        *styles: Style,
        rotate: bool = False,
        sample: float = 0.0,
        components: Mapping[str, Any] | None = None,
        **rulings: Any,
    ) -> Any:
        """Return a setup; one style alone, or the random player, plays every seat."""
        line_up = [*(styles or (Style(name="random"),))]
        line_up = line_up * players if len(line_up) == 1 else line_up
        assert len(line_up) == players
        components = self.default_components() if components is None else components
        return self.setup(components, self.default_rulings() | rulings, line_up, rotate, sample)

    def played(self, cell: Any, count: int, seed: int = 1, first: int = 0) -> Tables:
        """Play games and return their tables."""
        tables = self.tables_for(cell, count, first)
        self.play(cell, seed, first, count, tables, 0)
        return tables

    def log_of(self, cell: Any, game: int, seed: int = 1) -> np.ndarray:
        """Return the log of a game."""
        return self.log(cell, seed, game)

    def changed(
        self, path: str, value: Any, components: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return components with one value changed or added, by dotted name."""
        components = self.default_components() if components is None else components
        first, _, rest = path.partition(".")
        new = self.changed(rest, value, components[first]) if rest else value
        return {**components, first: new}
