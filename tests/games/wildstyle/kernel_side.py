"""Thin ways to ask each of those who count for the points of an objective."""

from . import brute


def long_way(players, radius, city, side, tags, station_snake="each_cluster"):
    return brute.score(side, tags, city, station_snake)


WAYS = {"long way": long_way}
