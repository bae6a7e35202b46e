"""Decisions a second of random play: Street Art here against card games of like size in OpenSpiel.

OpenSpiel lives in an environment of its own; its Python is named on the command line:

    python3 -m venv /tmp/openspiel && /tmp/openspiel/bin/pip install open_spiel
    python -m benchmarks.openspiel /tmp/openspiel/bin/python

A decision is a turn with more than one legal action. Dealing and shuffling are part of the time
on both sides. Each side is one process; the times are processor time.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from typing import Any

GAMES = (
    "hearts",
    "spades(num_tricks=13)",
    "oh_hell(players=4)",
    "crazy_eights(players=4)",
    "go_fish(players=4)",
    "euchre",
)
"""Four players, a deck of 52 cards (Euchre: 24), hands hidden, dozens of turns a game."""


def play_in_python(game: Any, chance: random.Random) -> int:
    """Play one game through OpenSpiel's Python interface; return the decisions in it."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, shares)[0])
        else:
            actions = state.legal_actions()
            decisions += len(actions) > 1
            state.apply_action(chance.choice(actions))
    return decisions


def open_spiel_speeds(name: str, seconds: float) -> dict[str, float]:
    """Return decisions a second by the Python interface, and by OpenSpiel's own C++ loop."""
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)
    games = decisions = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        decisions += play_in_python(game, chance)
        games += 1
    in_python = decisions / (time.process_time() - start)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    inside = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, inside)
        inside += 1
    in_cpp = inside * decisions / games / (time.process_time() - start)
    return {"python": in_python, "cpp": in_cpp, "decisions": decisions / games}


def our_speed(players: int, games: int) -> float:
    """Return decisions a second of Street Art with random players."""
    from sim.games import get

    game = get("street_art")
    styles = [game.styles()["random"]] * players
    setup = game.setup(game.default_components(), game.default_rulings(), styles, False)
    tables = game.tables_for(setup, games)
    game.play(setup, 1, 0, games, tables, 0)
    start = time.process_time()
    game.play(setup, 1, 0, games, tables, 0)
    return int(tables["games"]["decisions"].sum()) / (time.process_time() - start)


def compare(python: str, seconds: float, runs: int) -> None:
    """Print speeds and ratios; the two sides take turns."""
    print("OpenSpiel's game           decisions   decisions/s of random play       ratio to")
    print("                           per game    Python API    C++ loop     ours  API    C++")
    for name in GAMES:
        rows = []
        for _ in range(runs):
            command = [python, __file__, "--play", name, "--seconds", str(seconds)]
            theirs = json.loads(subprocess.run(command, check=True, stdout=-1, text=True).stdout)
            rows.append((theirs, our_speed(4, 20_000)))
        by_api = statistics.median(ours / theirs["python"] for theirs, ours in rows)
        by_cpp = statistics.median(ours / theirs["cpp"] for theirs, ours in rows)
        theirs, ours = rows[-1]
        print(
            f"{name:26} {theirs['decisions']:8.1f} {theirs['python']:13,.0f} {theirs['cpp']:11,.0f}"
            f" {ours:11,.0f} {by_api:4.0f} {by_cpp:6.0f}"
        )


def main() -> None:
    """Compare, or (inside OpenSpiel's environment) play one of its games."""
    parser = argparse.ArgumentParser(description="Random play here and in OpenSpiel.")
    parser.add_argument("python", nargs="?", help="the Python that has open_spiel")
    parser.add_argument("--play", metavar="GAME", help="play this game of OpenSpiel and print JSON")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if options.play:
        print(json.dumps(open_spiel_speeds(options.play, options.seconds)))
    else:
        compare(options.python or sys.executable, options.seconds, options.runs)


if __name__ == "__main__":
    main()
