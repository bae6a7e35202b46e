"""Sums of games that were played for an audit, kept as they come: a killed audit goes on."""

import hashlib
import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.metrics.clusters import Tally
from sim.metrics.paired import Joint, Pair

FORMAT = 1
FOLDER = "audit"
SIDES = ("own", "base")


def identity(*parts: Any) -> str:
    """Return what tells plain data from any other."""
    text = json.dumps([FORMAT, *parts], separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class Journal:
    """Pairs of sums by key, in a file that is only added to; one for each base of comparison."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / FOLDER / f"{name}.jsonl"
        self.lines: dict[str, Any] = {}
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            text = ""
        for line in text.splitlines():
            try:
                entry = json.loads(line)
                self.lines[entry["key"]] = entry["pair"]
            except (ValueError, KeyError, TypeError):
                continue  # empty, or torn by a kill

    def __contains__(self, key: str) -> bool:
        return key in self.lines

    def add(self, key: str, pair: Pair) -> None:
        """Keep a pair."""
        self.lines[key] = _plain(pair)
        text = json.dumps({"key": key, "pair": self.lines[key]}, allow_nan=False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            # a line torn by a kill must not swallow this one
            file.write(b"\n" + text.encode() + b"\n")

    def pair(self, key: str, own: int, base: int) -> Pair:
        """Return a pair that is kept, as one of two units."""
        known = self.lines[key]
        parts = {name: _joint(joint) for name, joint in known["parts"].items()}
        return Pair(own, base, known["games"], parts)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def _joint(known: dict[str, Any]) -> Joint:
    own, base = (Tally(**_arrays(known[side])) for side in SIDES)
    return Joint(own, base, **_arrays({k: v for k, v in known.items() if k not in SIDES}))


def _arrays(known: dict[str, Any]) -> dict[str, Any]:
    names = ("variables", "groups")
    return {key: value if key in names else np.array(value) for key, value in known.items()}
