"""Play until it is known: when units stop, and that it is the same however it is played."""

import json
import os
import random
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import rigged_game
from rigged_study import Said
from runs import TESTS, hashes, journal, manifest, wait_for

from sim import looks, metrics, open_run, report, simulate, study, tables, takeaways, verdicts
from sim.errors import SimError
from sim.metrics.clusters import Tally
from sim.metrics.moments import moments, share_scale
from sim.takeaways import stopping
from sim.words import words_of

BASE = {"game": "rigged", "players": [2], "lineups": {"mirror": ["plain"]}, "seed": 4}
MIXED = BASE | {
    "players": [2, 3],
    "lineups": {"mirror": ["plain"], "round_robin": ["plain", "pushy"]},
}
HALF = {"metric": "seat_share", "half_width": 0.03}


@pytest.fixture
def until(rigged, tmp_path, monkeypatch):
    """Play a study; shards hold 1,000 games, so looks are cheap."""
    monkeypatch.setattr(type(rigged), "shard_games", 1000)

    def play(rule="decided", out="run", data=BASE, jobs=2, backend="threads", **changes):
        what = study.from_dict(data | {"until": rule, "games": 60_000} | changes, name="stones")
        return simulate.run(what, tmp_path / out, jobs=jobs, backend=backend)

    return play


def units_of(run):
    return run.manifest["until"]["units"]


def seat0_wins_more(monkeypatch, every, games=rigged_game._handfuls):
    """Give the first seat stones in some games."""

    def favoured(setup, seed, numbers):
        found = games(setup, seed, numbers)
        found[numbers % every == 0, 0, 0] += 40
        return found

    monkeypatch.setattr(rigged_game, "_handfuls", favoured)


# When it stops


def test_looks_are_whole_shards_each_half_as_many_again():
    made = looks.schedule()
    assert [next(made) for _ in range(10)] == [1, 2, 3, 5, 8, 12, 18, 27, 41, 62]


def test_a_fair_game_is_found_fair(until):
    run = until()
    (unit,) = units_of(run)
    assert unit["why"] == verdicts.BALANCED
    assert 2000 < unit["games"] < 60_000 == unit["most"]
    assert run.games_played == unit["games"] == run.plan.cells[0].games == run.cells["games"][0]
    assert [v.verdict for v in verdicts.seat_verdicts(metrics.all_metrics(run))] == ["balanced"]
    shares = run.seats()
    assert set(shares["method"]) == {"beta-binomial sequence"}
    assert (shares["high"] - shares["low"] < 2 * verdicts.TOLERANCE).all()
    before = looks_before(unit)
    assert before < unit["games"]


def looks_before(unit):
    made = looks.schedule()
    shards = [next(made) for _ in range(unit["looks"])]
    assert unit["games"] == 1000 * shards[-1]
    return 1000 * shards[-2]


def test_a_seat_that_is_better_off_is_found(until, monkeypatch):
    seat0_wins_more(monkeypatch, every=10)
    run = until(data=BASE | {"players": [2, 4]})
    two, four = units_of(run)
    assert two["why"] == four["why"] == verdicts.UNBALANCED
    assert max(two["games"], four["games"]) < 60_000
    judged = verdicts.seat_verdicts(metrics.all_metrics(run))
    assert [v.verdict for v in judged] == ["unbalanced"] * 2
    tests = run_tests(run)
    assert (tests["estimate"] < 0.05).all()
    assert set(tests["method"]) == {"beta-binomial sequence", "beta-binomial sequence, Holm over 2"}


def run_tests(run):
    return metrics.seat_test(run)


def test_the_limit_is_met(until):
    run = until(games=2500)
    (unit,) = units_of(run)
    assert (unit["why"], unit["games"], unit["looks"]) == (looks.LIMIT, 2500, 3)
    assert run.games_played == 2500


@pytest.mark.parametrize("metric", ["seat_share", "style_share", "tie_rate", "score.mean"])
def test_a_metric_is_known_to_its_half_width(until, metric):
    half = 0.3 if metric == "score.mean" else 0.03
    run = until({"metric": metric, "half_width": half}, data=MIXED)
    frame = metrics.all_metrics(run)
    rows = metrics.headline(run, frame).filter(pl.col("metric") == metric)
    found = (rows["high"] - rows["low"]).max() / 2
    assert found <= half
    assert rows["method"].str.contains("sequence").all()
    stopped = [unit for unit in units_of(run) if unit["why"] == looks.KNOWN]
    assert max(unit["half_width"] for unit in stopped) == pytest.approx(found)
    assert len(stopped) == rows.select("players", "lineup").n_unique()
    others = frame.filter(pl.col("metric").is_in(["turns.mean", "margin.mean"]))
    assert not others["method"].str.contains("sequence").any()
    # a line-up without the metric has nothing to stop it
    assert {u["games"] for u in units_of(run) if u not in stopped} <= {60_000}


def test_units_stop_each_on_its_own_and_pools_as_one(until, monkeypatch):
    seat0_wins_more(monkeypatch, every=10)
    run = until(data=MIXED | {"players": [3]}, games=20_000)
    assert [unit["lineup"] for unit in units_of(run)] == ["all plain", "all"]
    pool = units_of(run)[1]
    assert len(pool["cells"]) == 2
    games = {run.plan.cells[cell].games for cell in pool["cells"]}
    assert games == {pool["games"]}
    assert pool["games"] % 3 == 0
    assert len(metrics.all_metrics(run)) > 100
    methods = set(run.seats().filter(pl.col("lineup") == "all")["method"])
    assert methods == {"gamma-exponential sequence, by deal"}


def test_shares_with_a_budget_are_decided_too(until):
    budgets = {"tie_rate": {"max": 0.08}, "turns": {"p95": {"max": 60}}}
    run = until(budgets=budgets)
    (unit,) = units_of(run)
    (alone,) = units_of(until(out="alone"))
    assert unit["budgets"] in ({"passed": 1}, {"failed": 1})
    assert unit["games"] >= alone["games"]
    assert run.manifest["until"]["left"] == ["turns.p95"]
    assert "sequence" in run.ties().filter(metric="tie_rate")["method"][0]
    rate = run.ties().filter(metric="tie_rate")["estimate"][0]
    assert (rate < 0.08) == (unit["budgets"] == {"passed": 1})


def test_all_games_cut_off_play_to_the_limit(until):
    run = until(rulings={"truncate_every": 1}, games=3000)
    assert [unit["why"] for unit in units_of(run)] == [looks.LIMIT]
    assert takeaways.plain_lines(run)


# The same, however it is played


def test_the_same_bytes_on_any_workers(until, fresh_workers, monkeypatch):
    first = until(HALF, data=MIXED, jobs=1)
    again = until(HALF, out="again", data=MIXED, jobs=3)
    assert again.manifest["until"] == first.manifest["until"]
    assert hashes(again.folder) == hashes(first.folder)
    assert {unit["games"] for unit in units_of(first)} != {60_000}
    # worker processes know the game's own size of shards
    monkeypatch.undo()


SLOW = """
game = "rigged"
players = [2, 3]
games = 6000
until = { metric = "seat_share", half_width = 0.025 }
[rulings]
nap = 0.0004
[lineups]
mirror = ["plain"]
round_robin = ["plain", "pushy"]
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_killed_between_looks_it_ends_as_if_never_killed(rigged, environment, tmp_path):
    file, folder = tmp_path / "mine.toml", tmp_path / "run"
    file.write_text(SLOW)
    dice = random.Random(3)
    paths = os.pathsep.join([str(TESTS.parent), environment["PYTHONPATH"]])
    for backend in ("threads", "loky", "threads"):
        enough = journal(folder) + dice.randint(3, 9)
        words = [
            sys.executable,
            "-m",
            "sim",
            "run",
            file,
            "--out",
            folder,
            "--backend",
            backend,
            "--jobs",
            "2",
        ]
        process = subprocess.Popen(
            words,
            env=environment | {"PYTHONPATH": paths},
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        wait_for(lambda n=enough: journal(folder) >= n, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with pytest.raises(SimError, match="not finished"):
            open_run(folder)
    run = simulate.run(study.load(file), folder, jobs=2)
    other = simulate.run(study.load(file), tmp_path / "other", jobs=1)
    assert run.manifest["until"] == other.manifest["until"]
    assert run.manifest["shards"] == other.manifest["shards"]
    assert hashes(folder) == hashes(tmp_path / "other")
    assert any(unit["games"] < 6000 for unit in units_of(run))


def test_again_nothing_is_played(until):
    first = until()
    before = manifest(first.folder)
    assert until().manifest == before


def test_more_games_go_on_where_the_limit_was(until):
    short = until(games=2500)
    assert units_of(short)[0]["why"] == looks.LIMIT
    longer, anew = until(), until(out="anew")
    assert longer.manifest["until"] == anew.manifest["until"]
    assert hashes(longer.folder) == hashes(anew.folder)
    with pytest.raises(SimError, match="holds a run of something else: games: 60,000 -> 2,500"):
        until(games=2500)


def test_what_was_played_without_it_is_kept(until):
    """Another wish looks on from the games that are there, and drops none."""
    plain = until(None, games=20_000)
    assert "until" not in plain.manifest
    run = until({"metric": "seat_share", "half_width": 0.1}, games=20_000)
    assert units_of(run)[0]["games"] == 20_000
    assert units_of(run)[0]["why"] == looks.KNOWN
    assert hashes(run.folder) == hashes(plain.folder)
    back = until(None, games=20_000)
    assert "until" not in back.manifest
    assert back.plan.cells[0].games == 20_000


def test_no_file_is_left_that_the_manifest_does_not_list(until):
    """A limit's last shard, not full, gives way when another wish stops before it."""
    until({"metric": "seat_share", "half_width": 0.001}, games=2500)
    run = until({"metric": "seat_share", "half_width": 0.06})
    assert units_of(run)[0]["games"] == 2000
    listed = {f"{s.cell:05d}-{s.number:05d}.parquet" for s in run.shards}
    assert {path.name for path in (run.folder / "data").rglob("*.parquet")} == listed


# What is said


def test_what_is_said(until, tmp_path):
    run = until(budgets={"turns": {"p95": {"max": 60}}}, title="stones")
    games = f"{units_of(run)[0]['games']:,}"
    (text,) = [each.text for each in takeaways.takeaways(run) if each.topic == "games"]
    assert text == (
        f"Played until decided. 2 players: stopped after {games} of 60,000 games: fair by seat. "
        "Not waited for: turns.p95."
    )
    frame, found = metrics.all_metrics(run), takeaways.takeaways(run)
    told = json.loads(report.summary(run, frame, found))
    assert told["until"] == run.manifest["until"]
    assert text in report.short_summary(run, frame, found)
    assert tables.cells(run, words_of(run))["Stopped"].tolist() == ["fair by seat"]
    assert "Stopped" not in tables.cells(until(None, out="plain", games=500), words_of(run))


def test_what_is_said_of_widths_and_pools(until):
    run = until({"metric": "style_share", "half_width": 0.05}, data=MIXED, games=2000)
    (text,) = [each.text for each in takeaways.takeaways(run) if each.topic == "games"]
    assert text.startswith("Played until style_share is known to within 0.05. All Plain, ")
    assert "played all 2,000 games: still undecided." in text
    pool = "Round robin, 3 players: stopped after 999 of 2,001 games of each line-up: known"
    assert f"{pool} to within 0.0" in text


def stop(players, why, **more):
    about = {"variant": "base", "lineup": "all plain", "cells": [players], "games": 3000}
    numbers = {"most": 9000, "looks": 3, "certain": False, "budgets": {}, "half_width": None}
    return about | numbers | {"players": players, "why": why} | more


def told_of(units, run):
    record = {"rule": "decided", "left": [], "units": units}
    (found,) = stopping.stops(SimpleNamespace(manifest={"until": record}), words_of(run))
    return found.text


def test_what_is_said_at_the_limit_and_of_many(until):
    run = until(None, games=500)
    assert told_of(
        [stop(2, "limit", certain=True), stop(3, "limit", budgets={"passed": 2})], run
    ) == (
        "Played until decided. 2 players: played all 9,000 games: still undecided, though seats "
        "differ beyond doubt. 3 players: played all 9,000 games: still undecided; of 2 accepted "
        "ranges, 2 passed."
    )
    many = [stop(2, "balanced", lineup=f"all {n}", games=1000 * n) for n in range(1, 10)]
    assert told_of([*many, stop(3, "limit", games=9000)], run) == (
        "Played until decided. Of 10 settings with at most 9,000 games: 9 fair by seat after 1,000 "
        "to 9,000 games; 1 met the limit after 9,000 games."
    )


def test_looks_are_told_while_games_are_played(until, rigged, tmp_path):
    said = Said()
    what = study.from_dict(BASE | {"games": 2500, "until": "decided"})
    simulate.run(what, tmp_path / "said", jobs=1, progress=said)
    assert [line for line in said.lines if line.startswith("Look ")] == [
        "Look 1, after 1,000 games: 1 of 1 go on.",
        "Look 2, after 2,000 games: 1 of 1 go on.",
    ]
    assert said.played == 2500


# Mistakes


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("decide", 'until: found "decide"; allowed: "decided" or .* Did you mean "decided"?'),
        (0.002, "until: found 0.002; allowed: "),
        (True, "until: found true; allowed: "),
        ({"metric": "seat_share"}, "until.half_width: missing"),
        ({"half_width": 0.1}, "until.metric: missing"),
        ({"metric": "seat_shar", "half_width": 0.1}, 'until.metric: .* Did you mean "seat_share"?'),
        ({"metric": "turns.p95", "half_width": 1}, "until.metric: found .turns.p95.; allowed: "),
        ({"metric": "seat_share", "half_width": 0}, "until.half_width: .* above 0"),
        ({"metric": "seat_share", "half_width": 0.5}, "until.half_width: .* below 0.5"),
        ({"metric": "seat_share", "half_width": "x"}, "until.half_width: "),
        ({"metric": "style_share", "half_width": 0.1}, "until.metric: .*no two styles meet"),
        ({"metric": "seat_share", "half_wide": 0.1}, 'until.*Did you mean "half_width"?'),
    ],
)
def test_mistakes_are_one_line(rigged, value, told):
    with pytest.raises(SimError, match=f"^<dict>: {told}".replace("?", r"\?")) as error:
        study.from_dict(BASE | {"until": value})
    assert "\n" not in str(error.value)


def test_until_decides_no_game(rigged):
    one, other = (study.from_dict(BASE | more) for more in ({}, {"until": "decided"}))
    assert one.identity() == other.identity()


def test_a_key_below_a_table_is_named(rigged):
    with pytest.raises(SimError, match=r"lineups\.until: unknown key here; write until above"):
        study.from_dict(BASE | {"lineups": {"mirror": ["plain"], "until": "decided"}})


# How often it errs


class Counted:
    """A run known by the wins of its seats alone: a variant for each of many studies."""

    def __init__(self, wins):
        studies, players = wins.shape
        cells = [
            SimpleNamespace(
                index=n, variant=str(n), players=players, lineup="all x", styles=("x",) * players
            )
            for n in range(studies)
        ]
        for cell in cells:
            cell.rotate = False
        self.plan = SimpleNamespace(cells=cells)
        self.study = SimpleNamespace(styles={"x": None}, until="decided", budgets=[])
        self.game = rigged_game.GAME
        moments.know(self, [SimpleNamespace(of_seats=_tally(row)) for row in wins])


def _tally(wins):
    players, games = len(wins), int(wins.sum())
    scale = share_scale(players)
    y = np.append(wins, games)[None] * float(scale)
    m = np.append(np.full(players, float(games)), players * games)
    groups = [*(f"seat {seat}" for seat in range(players)), "all"]
    none = np.zeros((2, 2))
    return Tally(["win_share"], groups, y, y * scale, y, m, m, np.full(len(m), games), none)


def play_studies(shares, studies, shard, limit, seed):
    """Return each study's verdict, "undecided" at the limit, games, and whether seats differ."""
    dice = np.random.default_rng(seed)
    wins = np.zeros((studies, len(shares)), int)
    verdict = np.full(studies, verdicts.UNDECIDED, object)
    games, certain = np.full(studies, limit), np.zeros(studies, bool)
    before = 0
    for look in looks.schedule():
        now = min(look * shard, limit)
        wins += dice.multinomial(now - before, shares, studies)
        before = now
        going = np.flatnonzero(verdict == verdicts.UNDECIDED)
        run = Counted(wins[going])
        tests = metrics.seat_test(run).filter(metric="seat_test.p")
        found = looks.seats_decided(metrics.seat_share(run), tests, 1)
        verdict[going] = [each.verdict for each in found.values()]
        certain[going] = [each.certain for each in found.values()]
        games[going[verdict[going] != verdicts.UNDECIDED]] = now
        if now == limit or not (verdict == verdicts.UNDECIDED).any():
            return verdict, games, certain


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_fair_games_are_called_unbalanced_in_few_studies(players):
    fair = np.full(players, 1 / players)
    verdict, *_ = play_studies(fair, 2000, 200, 60_000, seed=players)
    assert (verdict == verdicts.UNBALANCED).mean() <= 0.05
    assert (verdict == verdicts.BALANCED).mean() >= 0.95


def rigged_by(points, players):
    """Return the chances of seats where the first wins so much more than a fair share."""
    shares = np.full(players, (1 - 1 / players - points) / (players - 1))
    shares[0] = 1 / players + points
    return shares


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_seat_effect_is_found(players):
    """Two points are beyond doubt, and neither within nor beyond the two that are accepted."""
    verdict, _, certain = play_studies(rigged_by(0.02, players), 500, 1000, 40_000, seed=6)
    assert certain.mean() >= 0.99
    assert (verdict == verdicts.BALANCED).mean() <= 0.05
    verdict, games, _ = play_studies(rigged_by(0.04, players), 500, 1000, 40_000, seed=7)
    assert (verdict == verdicts.UNBALANCED).mean() >= 0.99
    assert np.median(games) < 20_000


def test_a_few_studies_end_rightly():
    fair, *_ = play_studies(np.full(2, 0.5), 40, 1000, 60_000, seed=1)
    assert (fair == verdicts.BALANCED).all()
    rigged, games, _ = play_studies(rigged_by(0.07, 2), 40, 1000, 60_000, seed=2)
    assert (rigged == verdicts.UNBALANCED).all()
    assert games.max() < 20_000
    *_, certain = play_studies(rigged_by(0.02, 2), 40, 1000, 40_000, seed=3)
    assert certain.all()
