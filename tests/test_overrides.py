"""Changes to components and rulings that hold lists, or that allow values of several types."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from sim.errors import SimError
from sim.explain import Place
from sim.overrides import apply, differences


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Board(_Table):
    faces: Annotated[list[str], Field(min_length=2)]
    note: str = ""


class Bought(_Table):
    kind: Literal["bought"]
    price: int


class Found(_Table):
    kind: Literal["found"]
    places: list[str]


class Components(_Table):
    boards: dict[str, Board]
    pairs: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    ends: list[Annotated[tuple[str, int], Field(strict=False)]]
    cards: dict[str, int | list[int]]
    prizes: dict[str, Annotated[Bought | Found, Field(discriminator="kind")]]
    spare: list[int] | None = None


class Rulings(_Table):
    tiles: Literal["random", "even"] | Annotated[list[str], Field(min_length=1)] = "random"
    names: str | list[str] | None = None


SHIPPED = Components(
    boards={"small": {"faces": ["a\nb", "c\nd"]}},
    pairs=[["arch", "bow"], ["cup", "dome"]],
    ends=[("arch", 1)],
    cards={"rail": 5, "park": [1, 2, 3]},
    prizes={"vase": {"kind": "bought", "price": 3}},
).model_dump(mode="json")
HERE = Place("mine.toml", ("components",))


def changed(**changes):
    model = Rulings if changes.keys() & Rulings.model_fields.keys() else Components
    base = Rulings().model_dump() if model is Rulings else SHIPPED
    found = apply(model, base, changes, HERE)
    assert model.model_validate(found).model_dump(mode="json") == found
    assert found.keys() == base.keys()
    assert {key for key in found if found[key] != base[key]} == set(changes)
    return found


@pytest.mark.parametrize(
    "changes",
    [
        {"pairs": [["arch", "dome"]]},
        {"pairs": []},
        {"ends": [["bow", 2], ["cup", 3]]},
        {"spare": [1, 2]},
        {"tiles": "even"},
        {"tiles": ["arch", "dome"]},
        {"names": ["arch"]},
    ],
)
def test_a_list_is_replaced_as_a_whole(changes):
    assert changes.items() <= changed(**changes).items()


def test_lists_inside_tables_leave_the_rest_as_it_was():
    faces = ["e\nf", "g\nh", "i\nj"]
    assert changed(boards={"small": {"faces": faces}})["boards"]["small"]["faces"] == faces
    assert changed(boards={"big": {"faces": faces}})["boards"].keys() == {"small", "big"}
    assert changed(cards={"rail": [2, 3]})["cards"] == {"rail": [2, 3], "park": [1, 2, 3]}
    assert changed(cards={"park": 4})["cards"] == {"rail": 5, "park": 4}


MISTAKES = [
    ({"pairs": [["arch"]]}, 'pairs[0]: found ["arch"]; allowed: a length of at least 2.'),
    ({"pairs": [["a", "b"], ["c", 3]]}, "pairs[1][1]: found 3; allowed: a text in quotes."),
    ({"pairs": ["arch"]}, 'pairs[0]: found "arch"; allowed: a list in [ ].'),
    ({"pairs": {"0": []}}, "pairs: found a table; allowed: a list in [ ]."),
    ({"ends": [["arch", "x"]]}, 'ends[0][1]: found "x"; allowed: a whole number.'),
    ({"ends": [["arch", 1, 2]]}, 'ends[0]: found ["arch", 1, 2]; allowed: a length of at most 2.'),
    ({"spare": [1, "2"]}, 'spare[1]: found "2"; allowed: a whole number.'),
    (
        {"boards": {"small": {"faces": ["a\nb", 4]}}},
        "boards.small.faces[1]: found 4; allowed: a text in quotes.",
    ),
    ({"boards": {"small": ["a", "b"]}}, 'boards.small: found ["a", "b"]; allowed: a table.'),
    (
        {"boards": {"smal": {"note": "x"}}},
        "boards.smal: there is no such entry, and a new one also needs faces; allowed: small. "
        'Did you mean "small"?',
    ),
    (
        {"boards": {"big": {"fces": ["a", "b"]}}},
        'boards.big.fces: unknown key; allowed: faces, note. Did you mean "faces"?',
    ),
    ({"cards": {"rail": [1, "2"]}}, 'cards.rail[1]: found "2"; allowed: a whole number.'),
    (
        {"cards": {"rail": "2"}},
        'cards.rail: found "2"; allowed: a whole number, or a list in [ ].',
    ),
    ({"cards": {"rial": [1]}}, 'cards.rial: unknown key; allowed: rail, park. Did you mean "rail"'),
    ({"prizes": {"vase": {"price": "x"}}}, 'prizes.vase.price: found "x"; allowed: a whole number'),
    (
        {"prizes": {"vase": {"cost": 1}}},
        "prizes.vase.cost: unknown key",
    ),
    (
        {"tiles": "evn"},
        'tiles: found "evn"; allowed: "random" or "even", or a list in [ ]. Did you mean "even"?',
    ),
    ({"tiles": 5}, 'tiles: found 5; allowed: "random" or "even", or a list in [ ].'),
    ({"tiles": []}, 'tiles: found []; allowed: "random" or "even", or a length of at least 1.'),
    ({"tiles": ["arch", 3]}, "tiles[1]: found 3; allowed: a text in quotes."),
    ({"names": 4}, "names: found 4; allowed: a text in quotes, or a list in [ ]."),
    (
        {"names": 4, "tiles": 5},
        'tiles: found 5; allowed: "random" or "even", or a list in [ ]. (and 1 more)',
    ),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES, ids=lambda x: str(x)[:40])
def test_mistakes_in_lists_and_choices_of_types(changes, message):
    with pytest.raises(SimError) as error:
        changed(**changes)
    assert str(error.value).startswith(f"mine.toml: components.{message}")
    assert "\n" not in str(error.value)


def test_differences_of_lists():
    def found(**changes):
        old, new = ({"variants": {"base": tree}} for tree in (SHIPPED, changed(**changes)))
        return differences(old, new)

    assert found(pairs=[["a", "b"]]) == [
        'pairs: [["arch", "bow"], ["cup", "dome"]] -> [["a", "b"]]'
    ]
    assert found(cards={"rail": [2, 3]}) == ["cards.rail: 5 -> [2, 3]"]
    assert found(boards={"small": {"faces": ["a\nb", "c\nx"]}}) == [
        r'boards.small.faces: ["a\nb", "c\nd"] -> ["a\nb", "c\nx"]'
    ]
    long = "\n".join(["hill"] * 20)
    old, new = ({"variants": {"base": {"faces": [long + end, "x"]}}} for end in "ab")
    (only,) = differences(old, new)
    assert only.startswith('faces[0]: "hill')
    assert only.endswith("... changed further on")
