"""A folder holds one run: what differs is refused, and nothing is written."""

import json
from pathlib import Path

import pytest
from rigged_study import refused, unfinish
from runs import everything, manifest

from sim import open_run
from sim.errors import SimError

CHANGED = {
    "seed": ({"seed": 4}, "seed: 3 -> 4"),
    "players": ({"players": [2]}, "players: [2, 3] -> [2]"),
    "ruling": ({"rulings": {"rounds": 4}}, "rulings.rounds: 3 -> 4"),
    "component": (
        {"components": {"bag": {"largest_handful": 7}}},
        "components.bag.largest_handful: 9 -> 7",
    ),
    "weight": (
        {"styles": {"pushy": {"weights": {"push": 2.0}}}},
        "styles.pushy.weights.push: 1.0 -> 2.0",
    ),
    "variant's ruling": (
        {"variants": {"base": {}, "long": {"rulings": {"rounds": 6}}}},
        "variants.long.rulings.rounds: 5 -> 6",
    ),
    "variants": ({"variants": {"base": {}}}, "variants.long"),
    "line-ups": ({"lineups": {"mirror": ["pushy"]}}, "lineups.mirror"),
    "fewer games": ({"games": 249}, "games: 250 -> 249"),
    "another game": ({"game": "street_art"}, 'game: "rigged" -> "street_art"'),
}


@pytest.mark.parametrize("kind", CHANGED)
def test_a_changed_study_is_refused(play, folder, kind):
    play()
    changes, told = CHANGED[kind]
    if kind == "another game":
        changes = changes | {"lineups": {"mirror": ["greedy"]}, "variants": {}}
    message = refused(play, folder, changes)
    assert message.startswith(f"{folder}: holds a run of something else: ")
    assert told in message
    assert message.endswith("Use --fresh to set that run aside, or --out for another folder.")


def test_changed_rules_are_refused(play, folder, monkeypatch):
    play()
    before = manifest(folder)["rules"]["source"]
    monkeypatch.setattr("sim.compiled.source_fingerprint", lambda module: "0123456789abcdef")
    message = refused(play, folder)
    assert f"rules source: {before} -> 0123456789abcdef" in message


def test_a_changed_version_is_refused(play, folder, rigged, monkeypatch):
    play()
    monkeypatch.setattr(type(rigged), "version", "2")
    assert "rules version: 1 -> 2" in refused(play, folder)


def test_an_unfinished_run_is_not_mixed_either(play, folder):
    play()
    unfinish(folder, 5)
    assert "seed: 3 -> 4" in refused(play, folder, {"seed": 4})


def test_fresh_sets_the_old_run_aside(play, folder):
    play()
    first = everything(folder)
    _, said = play({"seed": 4}, fresh=True)
    assert said.lines[0] == f"The earlier run is kept in {folder}.old1."
    assert manifest(folder)["study"]["seed"] == 4
    play({"seed": 5}, fresh=True)
    aside = Path(f"{folder}.old1")
    assert {path.relative_to(aside): c for path, c in everything(aside).items()} == {
        path.relative_to(folder): c for path, c in first.items()
    }
    assert open_run(f"{folder}.old2").study.seed == 4
    assert open_run(folder).study.seed == 5


def test_fresh_in_the_working_folder(play, folder, monkeypatch):
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    play(out=Path())
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "data"}
    play({"seed": 4}, out=Path("."), fresh=True)
    assert open_run(folder.with_name("run.old1")).study.seed == 3


def test_fresh_without_an_earlier_run(play):
    _, said = play(fresh=True)
    assert not any("earlier run" in line for line in said.lines)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_with_other_things_in_it_is_left_alone(play, folder, fresh):
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("ten years of work")
    message = refused(play, folder.parent, fresh=fresh)
    assert message == f"{folder}: this folder is not empty and holds no run; choose another"


def test_an_empty_folder_will_do(play, folder):
    folder.mkdir(parents=True)
    play()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "cannot be read"),
        (b'{"format": 1, "compl', "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[1]", "not a manifest of this version of sim"),
        (b"{}", "not a manifest of this version of sim"),
        (b'{"format": 2}', "not a manifest of this version of sim"),
        (b'{"format": 1}', "not a manifest of this version of sim"),
    ],
)
def test_a_manifest_that_cannot_be_read(play, folder, content, told):
    play()
    (folder / "manifest.json").write_bytes(content)
    assert told in refused(play, folder)
    with pytest.raises(SimError, match=f"{told}.*move the folder aside"):
        open_run(folder)
    play(fresh=True)


@pytest.mark.parametrize("change", ["study", "shards", "style"])
def test_a_manifest_of_another_time(play, folder, change):
    """Written by a version of sim whose studies or shards look different."""
    play()
    found = manifest(folder)
    if change == "study":
        found["study"] |= {"unheard_of": "decided"}
    elif change == "style":
        del found["study"]["styles"]["plain"]["name"]
    else:
        found["shards"][0] = {"cell": 0}
    (folder / "manifest.json").write_text(json.dumps(found))
    assert "not a manifest of this version of sim; move the folder aside" in refused(play, folder)
