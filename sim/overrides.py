"""Changes by dotted name: spelling them out, merging them in, naming what differs."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from sim.errors import listing, suggest
from sim.explain import LONGEST_VALUE, Place, dotted, first_mistake, show

Tree = dict[str, Any]
Key = tuple[str | int, ...]
Change = tuple[Key, str]


def expand(table: Mapping[str, Any], place: Place) -> Tree:
    """Return the table with quoted dotted keys spelt out: `"a.b" = 1` becomes `a = {b = 1}`."""
    tree: Tree = {}
    for key, value in table.items():
        parts = str(key).split(".")
        below = expand(value, place.at(*parts)) if isinstance(value, Mapping) else value
        for part in reversed(parts[1:]):
            below = {part: below}
        _join(tree, parts[0], below, place)
    return tree


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> Tree:
    """Return a copy of `base` with the changes: tables are merged, anything else is replaced."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(old, value)
        else:
            merged[key] = value
    return merged


def apply(
    model: type[BaseModel], base: Mapping[str, Any], changes: Mapping[str, Any], place: Place
) -> Tree:
    """Return `base` with the changes as the model's plain data; raise SimError at a mistake.

    A change gives an entry that is there a new value, or adds a table that is complete.
    """
    try:
        changed = model.model_validate(merge(base, changes))
    except ValidationError as error:
        key, text = first_mistake(error, model)
        if error.errors()[0]["type"] == "missing":
            _check_new_table(base, key, error, place)
        raise place.at(*key).error(text) from None
    for key, value in leaves(changes):
        siblings, parent = _walk(base, key[:-1]), _walk(changed, key[:-1])
        free_names = isinstance(parent, Mapping) and isinstance(siblings, Mapping)
        if free_names and key[-1] not in siblings and not isinstance(value, Mapping):
            place.at(*key[:-1]).check_keys({key[-1]: value}, siblings)
    return changed.model_dump(mode="json", by_alias=True)


def leaves(
    tree: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (key, value) for everything that is not a table, and for empty tables."""
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Name what changed between two resolved studies: `rulings.hearts: 36 -> 48`.

    A change that all variants share is named once, without the variants. The order of keys counts:
    it decides how cards and cells are numbered.
    """
    before, after = old.get("variants", {}), new.get("variants", {})
    kept = [name for name in before if name in after]
    inside = {name: list(_changes(before[name], after[name])) for name in kept}
    shared = [c for c in inside[kept[0]] if all(c in inside[v] for v in kept)] if kept else []
    found = [*_changes(_without_variants(old), _without_variants(new)), *shared]
    for name in kept:
        found += [_below(("variants", name), c) for c in inside[name] if c not in shared]
    found += [(("variants", name), "removed") for name in before if name not in after]
    found += [(("variants", name), "added") for name in after if name not in before]
    found += [_below(("variants",), change) for change in _order(before, after)]
    return [f"{dotted(key)}: {what}" for key, what in found]


def _check_new_table(
    base: Mapping[str, Any], key: Key, error: ValidationError, place: Place
) -> None:
    """Raise if what is missing belongs to a table that is new: most likely a misspelt name."""
    table = key[:-1]
    siblings = _walk(base, table[:-1]) if table else None
    inside = [mistake for mistake in error.errors() if mistake["loc"][:-1] == table]
    if any(mistake["type"] == "extra_forbidden" for mistake in inside):
        return  # the misspelt name is that of a key
    if isinstance(siblings, Mapping) and table[-1] not in siblings:
        lacking = [str(mistake["loc"][-1]) for mistake in inside]
        raise place.at(*table).error(
            f"there is no such entry, and a new one also needs {listing(lacking)}; "
            f"allowed: {listing(siblings)}.{suggest(str(table[-1]), siblings)}"
        ) from None


def _walk(tree: Any, key: Key) -> Any:
    """Return what a model or table holds at a key, None if nothing."""
    for part in key:
        if isinstance(tree, BaseModel):
            tree = getattr(tree, str(part), None)
        else:
            tree = tree.get(part) if isinstance(tree, Mapping) else None
    return tree


def _without_variants(tree: Mapping[str, Any]) -> Tree:
    return {key: value for key, value in tree.items() if key != "variants"}


def _below(above: Key, change: Change) -> Change:
    return (*above, *change[0]), change[1]


def _changes(old: Any, new: Any) -> Iterator[Change]:
    """Yield every change from `old` to `new`, tables and lists of one length entry by entry."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in new:
                yield (key,), f"{show(old[key])} -> nothing"
            elif key not in old:
                yield (key,), f"nothing -> {show(new[key])}"
            else:
                yield from (_below((key,), change) for change in _changes(old[key], new[key]))
        yield from _order(old, new)
    elif (_has_parts(old) or _has_parts(new)) and _same_length(old, new):
        for index, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from (_below((index,), change) for change in _changes(a, b))
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        before, after = show(old), show(new)
        yield (), f"{before} -> {after}" if before != after else f"{before} changed further on"


def _has_parts(value: Any) -> bool:
    """Tell whether this is a list that `show` would cut or not print at all."""
    return isinstance(value, list) and (
        len(show(value)) == LONGEST_VALUE or any(isinstance(part, Mapping) for part in value)
    )


def _same_length(old: Any, new: Any) -> bool:
    return isinstance(old, list) and isinstance(new, list) and len(old) == len(new)


def _order(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    before, after = [k for k in old if k in new], [k for k in new if k in old]
    if before != after:
        yield (), f"order {show(before)} -> {show(after)}"


def _join(tree: Tree, key: str, value: Any, place: Place) -> None:
    if key not in tree:
        tree[key] = value
    elif isinstance(tree[key], dict) and isinstance(value, dict):
        for below, entry in value.items():
            _join(tree[key], below, entry, place.at(key))
    else:
        raise place.at(key).error("this key is given twice; give it once.")
