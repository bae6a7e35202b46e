"""Writes a tuning as a study of its own: every variant as it was and tuned, for `sim compare`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sim import games
from sim.overrides import leaves
from sim.study import Study
from sim.tuning.objectives import Tuned, Work

ALONE = ("original", "tuned")
"""How the two are called where a study has one variant without a name."""
UNNAMED = "base"


def names_of(study: Study, variant: str) -> tuple[str, str]:
    """Return what a variant is called as it was, and tuned."""
    if list(study.variants) == [UNNAMED]:
        return ALONE
    return variant, f"{variant}_tuned"


def as_toml(work: Work) -> str:
    """Return a complete study whose variants are those of the study, as they were and tuned."""
    study = work.study
    lines = [
        f"# {study.title}: as it was and tuned. Written by `sim tune objectives`.",
        "#",
        "#   sim compare tuned.toml",
        "",
        f"title = {_value(study.title + ', tuned')}",
        f"game = {_value(study.game)}",
        f"players = {_value(study.players)}",
        f"games = {study.games}",
        f"seed = {study.seed}",
    ]
    if study.sample is not None:
        lines.append(f"sample = {_value(study.sample)}")
    if study.kingmaking is not None:
        lines.append(f"kingmaking = {_value(study.kingmaking.model_dump())}")
    lines += _lineups(study)
    for part in ("rulings", "components"):
        lines += _table(part, getattr(study, part))
    lines += _styles(study)
    for tuned in work.tuned:
        for variant in tuned.names:
            lines += _variants(study, variant, tuned)
    return "\n".join(lines) + "\n"


def _lineups(study: Study) -> Iterator[str]:
    yield from ("", "[lineups]")
    for kind, value in study.lineups.model_dump().items():
        if value:
            yield f"{kind} = {_value(value)}"


def _table(name: str, changes: Mapping[str, Any]) -> list[str]:
    found = [f"{_key(key)} = {_value(value)}" for key, value in leaves(changes)]
    return ["", f"[{name}]", *found] if found else []


def _styles(study: Study) -> Iterator[str]:
    shipped = games.get(study.game).styles()
    for name, style in study.styles.items():
        if shipped.get(name) == style:
            continue
        plain = style.model_dump(exclude={"name"})
        # weights of a shipped style of this name would stay
        before = shipped[name].weights if name in shipped else {}
        plain["weights"] = dict.fromkeys(before, 0.0) | plain["weights"]
        yield from ("", f"[styles.{name}]")
        for key, value in plain.items():
            if value is not None:
                yield f"{key} = {_value(value)}"


def _variants(study: Study, variant: str, tuned: Tuned) -> Iterator[str]:
    original, better = names_of(study, variant)
    overrides = study.variants[variant].overrides
    changed = {key: new for key, new in tuned.values.items() if new != tuned.setting.now[key]}
    for name, values in ((original, overrides), (better, {**overrides, **changed})):
        yield from ("", f"[variants.{name}]")
        for key, value in values.items():
            yield f"{_key(key.split('.'))} = {_value(value)}"


def _key(parts: Any) -> str:
    """Return a dotted key; parts may hold dots of their own, which a study spells out anyhow."""
    return ".".join(
        part if part.replace("_", "").replace("-", "").isalnum() and part.isascii() else _text(part)
        for part in parts
    )


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key([k])} = {_value(v)}' for k, v in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)
