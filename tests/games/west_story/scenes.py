"""Scenes of turns: a seat before a villain, in a town, in the desert, at the market."""

import pytest

from sim.games.game import RuleBroken
from sim.games.west_story.rulebook import Villain

from .logs import (
    AT_ABILENE,
    BUILDING,
    PRODUCTION,
    V1,
)
from .table import Scene


def refused(scene, match, seat=0):
    with pytest.raises(RuleBroken, match=match):
        scene.plays(seat)


def idle(scene):
    """Skip both purchases and judge the turn."""
    return scene.skips().skips().plays()


def facing(token=V1, coins=1, cows=0, owned=None, **rulings):
    """Seat 0 begins its turn at Abilene, where a token (V1: 2 hats + 1 coin) lies face up."""
    scene = Scene(**rulings).villain(AT_ABILENE, token, coins=coins, cows=cows)
    return scene.seat(0, vp=7, **({"coins": 3, "hats": 3, "cows": 0} | (owned or {}))).turn(0)


def trading(vp=0, **seat):
    """Seat 0 of three at Fort Worth (1 hat + 1 coin; all symbols free)."""
    return Scene(3).seat(0, vp=vp, **({"hats": 2, "coins": 4} | seat)).turn(0)


def in_desert(**seat):
    """The stacks are certificates 0 on 1 and 2 on 3; seat 0 is in the desert without a villain."""
    scene = Scene().seat(0, vp=21, **({"coins": 8} | seat))
    scene.table.villains = (*scene.table.villains[:2], Villain(None), *scene.table.villains[3:])
    scene.table.left = (2,)
    return scene.turn(0)


def shopping(**seat):
    """Seat 0 can buy a Posse (2 coins), a Rodeo (3 hats) and a Bank (6 coins) on first slots."""
    scene = Scene().seat(0, **({"coins": 8, "hats": 4, "cows": 0} | seat))
    scene.posse = scene.offer(PRODUCTION, 0, "posse wheel")
    scene.rodeo = scene.offer(PRODUCTION, 1, "rodeo star")
    scene.bank = scene.offer(BUILDING, 0, "bank star wheel")
    scene.newspaper = scene.offer(PRODUCTION, 2, "newspaper star")
    return scene.turn(0)


def row_of(scene, deck):
    return list(enumerate(scene.table.market[deck]))
