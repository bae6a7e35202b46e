"""Mistakes in a designer's file, told in one line: where, what was found, what is allowed."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from sim.errors import SimError, listing, suggest

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
LONGEST_VALUE = 60

ALLOWED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "a text in quotes",
    "list_type": "a list in [ ]",
    "tuple_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "too_short": "a length of at least {min_length}",
    "too_long": "a length of at most {max_length}",
    "string_too_short": "a text of at least {min_length} characters",
    "string_too_long": "a text of at most {max_length} characters",
}
"""What is allowed, by pydantic's name for the mistake."""

Key = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Place:
    """A dotted key in a file, for messages."""

    source: str
    key: tuple[str | int, ...] = ()

    def at(self, *more: str | int) -> "Place":
        """Return a place further down."""
        return Place(self.source, self.key + more)

    def error(self, text: str) -> SimError:
        """Return the error of one line that names this place."""
        where = f"{self.source}: {dotted(self.key)}" if self.key else self.source
        return SimError(" ".join(f"{where}: {text}".split()))

    def unknown(self, what: str, name: str, allowed: Iterable[str]) -> SimError:
        """Return the error for a name that is not among the allowed ones."""
        names = list(allowed)
        return self.error(
            f"there is no {what} {show(name)}; allowed: {listing(names) or 'none'}."
            f"{suggest(name, names)}"
        )

    def check_keys(self, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Raise at the first key of the table that is not allowed."""
        names = list(allowed)
        for key in table:
            if key not in names:
                raise self.at(key).error(_unknown_key(key, names))


def show(value: Any) -> str:
    """Return a value as a TOML file would write it; long ones are cut, tables only named."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        text = f"[{', '.join(show(entry) for entry in value)}]"
    elif isinstance(value, str | bool):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def dotted(parts: Iterable[str | int]) -> str:
    """Return a key as TOML writes it: `variants.long.rulings.hearts`, `lineups.fixed[0]`."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + (
                part if BARE_KEY.fullmatch(part) else json.dumps(part, ensure_ascii=False)
            )
    return text


def validate(model: type[Model], data: Any, place: Place, strict: bool | None = None) -> Model:
    """Return the model of the data; raise SimError with the first mistake and how many more."""
    try:
        return model.model_validate(data, strict=strict)
    except ValidationError as error:
        loc, text = first_mistake(error, model)
        raise place.at(*loc).error(text) from None


def first_mistake(
    error: ValidationError, model: type[BaseModel]
) -> tuple[tuple[str | int, ...], str]:
    """Return where the mistake that matters most is, and what to say about it.

    Unknown keys come first: a misspelt key also shows up as a missing one.
    """
    mistakes = _mistakes(error, model)
    unknown = [found for found in mistakes if found[0]["type"] == "extra_forbidden"]
    rest = [found for found in mistakes if found[0]["type"] not in {"extra_forbidden", "missing"}]
    first, *others = [*unknown, *rest] if unknown else mistakes
    more = len(others)
    return first[0]["loc"], _text(first, model) + (f" (and {more} more)" if more else "")


def _mistakes(error: ValidationError, model: type[BaseModel]) -> list[list[dict[str, Any]]]:
    """Return each mistake as what pydantic says of it: one thing, or one for each allowed type.

    Of types that the value comes near to, such as a list with one wrong entry, only that is told.
    """
    together: dict[Any, list[dict[str, Any]]] = {}
    for number, mistake in enumerate(error.errors(include_url=False)):
        key, union = _without_types(model, mistake["loc"])
        at = number if union is None else union
        together.setdefault(at, []).append({**mistake, "loc": key})
    found = []
    for group in together.values():
        deepest = max((mistake["loc"] for mistake in group), key=len)
        found.append([mistake for mistake in group if mistake["loc"] == deepest])
    return found


def _without_types(kind: Any, loc: Key) -> tuple[Key, Key | None]:
    """Return a key as it stands in the file, and the part of it that has a choice of types.

    Where several types are allowed, pydantic puts the name of the one it tried into the key.
    """
    key: Key = ()
    union = None
    tried = False
    for part in loc:
        if not tried and isinstance(part, str) and _is_choice(kind):
            union = key if union is None else union
            tried = True
            continue
        key, kind, tried = (*key, part), _step(kind, part), False
    return key, union


def _is_choice(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return _is_choice(get_args(kind)[0])
    types = [arg for arg in get_args(kind) if arg is not type(None)]
    return get_origin(kind) in {Union, UnionType} and len(types) > 1


def model_at(kind: Any, loc: Iterable[str | int]) -> type[BaseModel] | None:
    """Return the model that describes the table at a place inside a model, if one does."""
    for part in loc:
        kind = _step(kind, part)
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _text(found: list[dict[str, Any]], model: type[BaseModel]) -> str:
    """Return what to say about a mistake, with all that is allowed instead."""
    if len(found) == 1 or not all(mistake["type"] in ALLOWED for mistake in found):
        return _text_of_one(found[0], model)
    allowed = ", or ".join(dict.fromkeys(map(_allowed, found)))
    near = next(filter(None, map(_near, found)), "")
    return f"found {show(found[0]['input'])}; allowed: {allowed}.{near}"


def _text_of_one(mistake: Mapping[str, Any], model: type[BaseModel]) -> str:
    kind, context, loc = mistake["type"], mistake.get("ctx", {}), mistake["loc"]
    parent = model_at(model, loc[:-1])
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), list(parent.model_fields) if parent else [])
    if kind == "missing":
        field = parent.model_fields.get(str(loc[-1])) if parent else None
        needed = field.description if field and field.description else "a value for this key"
        return f"missing; needed: {needed}."
    if kind == "value_error":
        return str(context["error"])
    found = f"found {show(mistake['input'])}"
    if kind not in ALLOWED:
        return f"{found}; {mistake['msg'][:1].lower()}{mistake['msg'][1:]}."
    return f"{found}; allowed: {_allowed(mistake)}.{_near(mistake)}"


def _allowed(mistake: Mapping[str, Any]) -> str:
    text = ALLOWED[mistake["type"]].format(**_plain(mistake.get("ctx", {})))
    return text.replace("'", '"')


def _near(mistake: Mapping[str, Any]) -> str:
    if mistake["type"] not in {"literal_error", "enum"} or not isinstance(mistake["input"], str):
        return ""
    return suggest(mistake["input"], re.findall(r"'([^']*)'", mistake["ctx"]["expected"]))


def _plain(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limits with 0 for 0.0."""
    return {
        key: int(value) if isinstance(value, float) and value.is_integer() else value
        for key, value in context.items()
    }


def _unknown_key(key: str, allowed: list[str]) -> str:
    names = f"; allowed: {listing(allowed)}" if allowed else ""
    return f"unknown key{names}.{suggest(key, allowed)}"


def _step(kind: Any, part: str | int) -> Any:
    """Return the type one step down: a model's field, a table's value, a list's entry."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _step(args[0], part)
    if origin in {Union, UnionType}:
        return next((found for arg in args if (found := _step(arg, part))), None)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        return field.annotation if field else None
    if origin is dict:
        return args[1]
    return args[0] if origin in {list, tuple} else None
