"""Players as data: a style is weights by feature name, a temperature, a tempo, what it avoids."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.errors import SimError, listing, suggest


class Search(BaseModel):
    """One-step look-ahead: each of the `width` best actions is tried in `playouts` games.

    They go on from the moment of the decision, all seats by their styles without search, with what
    the player cannot see dealt anew (rollouts, Tesauro and Galperin 1996; determinization, Ginsberg
    2001). The action that wins most is taken, if it wins more than the style's own choice by twice
    the standard error of their paired difference.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    playouts: Annotated[int, Field(ge=1, le=100_000)]
    width: Annotated[int, Field(ge=2, le=512)] = 8


class Style(BaseModel):
    """A way of playing.

    `value(action) = weights . features(action)`. At temperature 0 the best action is taken, ties
    at random; above 0 an action is drawn with probability proportional to
    exp(value / temperature). No weights at all is the random player.
    `forbid` names actions that this player avoids while it has any other (restricted play, Jaffe
    et al. 2012). `tempo` multiplies every time in a real-time game: 0.7 is quick, 1.5 is slow.
    `search` looks a step ahead; it is slow.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = ""
    origin: str = ""
    weights: dict[str, Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]] = {}
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    tempo: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    forbid: list[str] = []
    search: Search | None = None


def check_names(
    found: Sequence[str] | Mapping[str, object], allowed: Sequence[str], key: str, what: str
) -> None:
    """Raise SimError at the first name in `found` that is not in `allowed`."""
    for name in found:
        if name not in allowed:
            raise SimError(
                f'{key}: there is no {what} "{name}".{suggest(name, allowed)} '
                f"Allowed: {listing(allowed)}."
            )


def weight_rows(styles: Sequence[Style], features: Sequence[str]) -> np.ndarray:
    """Return weights as float64 [style, feature], 0 where a style names no weight."""
    rows = np.zeros((len(styles), len(features)))
    for row, style in zip(rows, styles, strict=True):
        for name, weight in style.weights.items():
            row[features.index(name)] = weight
    return rows


def forbidden_rows(styles: Sequence[Style], actions: Sequence[str]) -> np.ndarray:
    """Return which actions each style avoids, as bool [style, action]."""
    return np.array([[name in style.forbid for name in actions] for style in styles])
