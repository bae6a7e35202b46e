"""Wildstyle's names: features, kinds of objective, columns, rulings; nothing to compile."""

from sim.games.game import Column, Feature, Ruling

KINDS = (
    "triangles",
    "hexagons",
    "lines",
    "longest_line",
    "borders",
    "police",
    "matching",
    "most_icon",
    "districts",
    "clusters",
    "railways",
    "station_path",
)
"""The kinds of objective; a side of a tile is one of these with its numbers."""

CARD_FEATURES = (
    Feature("draws", "1 for drawing a card"),
    Feature("hand_space", "for a draw: cards that the hand can still take"),
    Feature("adds", "1 for playing a card from the hand onto a set"),
    Feature("takes", "1 for playing the top of a share pile onto a set"),
    Feature("shares", "1 for playing a card onto a share pile"),
    Feature("starts_set", "1 if the card starts a set"),
    Feature("grows_set", "1 if the card joins a set"),
    Feature("fills_set", "1 if the set is full with it"),
    Feature("icon_worth", "what the best free hex of the card's icon is worth to me as a place"),
    Feature("no_place", "1 if no hex of the card's icon is left for me"),
    Feature("same_in_hand", "other cards of its icon in my hand"),
    Feature("icon_unseen", "cards of its icon that nobody has shown and I do not hold"),
    Feature("rivals_want", "for a card taken: rivals with an unfinished set of its icon"),
    Feature("feeds_rivals", "for a card shared: rivals with an unfinished set of its icon"),
    Feature("shares_match", "for a card shared: 1 if it fits an unfinished set of mine"),
    Feature("shares_worth", "for a card shared: the worth of its icon's best free hex to me"),
    Feature("frees_full_hand", "for a card shared: 1 if my hand is full"),
)
HEX_FEATURES = (
    Feature("points", "points of the hex"),
    Feature("joins", "tags of mine beside the hex"),
    Feature("solo", "1 if no tag of mine is beside the hex"),
    Feature("rescues", "tags of mine beside the hex that touch no other"),
    Feature("objective_gain", "change in the points of all objectives, as the map lies"),
    Feature(
        "objective_progress",
        "points of the objectives that the tag brings nearer, each times the part reached",
    ),
    *(Feature(f"gain_{kind}", f"change in the points of objectives of {kind}") for kind in KINDS),
    Feature("blocks_rivals", "the most that one rival would gain there in objectives"),
    Feature("free_neighbours", "free hexes beside the hex"),
)
CLEARING_FEATURES = (
    Feature("completes", "1 for completing a set"),
    Feature("rushes", "1 for rushing a set"),
    Feature("cards_missing", "for a rush: cards that the set lacks"),
    Feature("cars_taken", "for a rush: cop cars that I have already"),
    Feature("free_car", "for a rush: 1 if I have more solo tags than cop cars"),
    Feature("cards_gone", "for a rush: part of the round's draw cards that is gone"),
    Feature("in_final_phase", "for a rush: 1 in the final phase"),
    Feature("rounds_left", "for a rush: rounds to come"),
    Feature("tags_left", "for clearing a set with a tag: tags on my mat, this one too"),
    Feature("rivals_tags", "for a rush: the fewest tags on a mat of a rival"),
    Feature("no_tag", "1 for clearing a set without a tag"),
    Feature("waits", "1 for waiting"),
    Feature("stops", "1 for stopping in the final phase"),
)
FEATURES = (*CARD_FEATURES, *HEX_FEATURES, *CLEARING_FEATURES)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)

GAME_COLUMNS = (
    Column("tile_set", "Tile set", "the sides of the objective tiles", "u2", coded=True, key=True),
    Column("seconds", "Seconds", "seconds that all rounds took together", "u2"),
    Column("fumbles", "Fumbles", "acts that failed since what they aimed at was gone", "u2"),
    Column("waits", "Waits", "looks at the table that ended in waiting", "u2"),
    Column("cop_cars", "Cop cars", "cop cars taken", "u1"),
    Column("tags_placed", "Tags placed", "tags that came onto the map", "u1"),
    Column("solo_tags", "Solo tags lost", "tags that came off touching no other", "u1"),
    Column("icons_full", "Icons full", "icons of which no hex was left for somebody", "u1"),
    Column("rounds_piles", "Rounds ended by piles", "rounds ended by empty draw piles", "u1"),
    Column("rounds_tags", "Rounds ended by tags", "rounds ended since tags had run out", "u1"),
    Column("rounds_stalemate", "Stalemates", "rounds in which nobody would act any more", "u1"),
)
SEAT_COLUMNS = (
    Column("tag_points", "Tag points", "points of the hexes of its tags", "i2", score_part=True),
    Column("objective_points", "Objective points", "points of the tiles", "i2", score_part=True),
    Column("tags", "Tags at the end", "tags on the map after all removals", "u1"),
    Column("placed", "Tags placed", "tags that came onto the map", "u1"),
    Column("lost_to_cars", "Lost to cop cars", "tags given up for cop cars", "u1"),
    Column("lost_solo", "Lost as solo tags", "tags that came off touching no other", "u1"),
    Column("cop_cars", "Cop cars", "cop cars taken", "u1"),
    Column("acts", "Acts", "acts that succeeded", "u2"),
    Column("fumbles", "Fumbles", "acts that failed since what they aimed at was gone", "u2"),
    Column("waits", "Waits", "looks at the table that ended in waiting", "u2"),
    Column("drawn", "Cards drawn", "cards drawn from the draw piles", "u2"),
    Column("shared", "Cards shared", "cards played onto share piles", "u2"),
    Column("taken", "Cards taken", "cards taken from share piles", "u2"),
)
ROUND_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("round", "Round", "round, from 1", "u1"),
    Column("end", "End", "how the round ended", "u1", coded=True),
    Column("seconds", "Seconds", "seconds that the round took, final phase included", "f4"),
    Column("acts", "Acts", "acts that succeeded", "u2"),
    Column("fumbles", "Fumbles", "acts that failed since what they aimed at was gone", "u2"),
    Column("drawn", "Cards drawn", "cards drawn from the draw piles", "u1"),
    Column("shared", "Cards shared", "cards played onto share piles", "u1"),
    Column("taken", "Cards taken", "cards taken from share piles", "u1"),
    Column("placed", "Tags placed", "tags that came onto the map", "u1"),
    Column("rushed", "Sets rushed", "sets cleared for a cop car", "u1"),
)
OBJECTIVE_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("position", "Position", "place of the tile among those dealt, from 0", "u1"),
    Column("side", "Objective", "the side that shows", "u1", coded=True),
    Column("points", "Points", "points scored with it; 0 in a truncated game", "i2"),
    Column("completed", "Completed", "it scored at least once", "?"),
    Column("tags", "Tags used", "tags that count for these points", "u1"),
    Column("before", "Before removals", "its points if no tag had come off at the end", "i2"),
    Column(
        "possible",
        "Possible",
        "no player can score more with it on this map: a bound from the tags and hexes there are",
        "i2",
    ),
)
TAG_COLUMNS = (
    Column("game", "Game", "game number in its cell, from 0", "u4"),
    Column("seat", "Seat", "seat, from 0", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("tag", "Tag", "the player's tags in the order of placing, from 0", "u1"),
    Column("hex", "Hex", "number of the hex; 0 if not placed", "u1"),
    Column("q", "q", "axial coordinate of the hex", "i2"),
    Column("r", "r", "axial coordinate of the hex", "i2"),
    Column("icon", "Icon", "icon of the hex", "u1", coded=True),
    Column("round", "Round", "round in which it was placed, from 1; 0 if it was not", "u1"),
    Column("second", "Second", "second of the round at which it was placed", "u2"),
    Column("fate", "Fate", "what became of the tag", "u1", coded=True),
)
FATES = ("unplaced", "scored", "solo", "cop_car")

RULINGS = (
    Ruling(
        "board_radius",
        ("3", "2"),
        "3",
        "size of a district: a hexagon of radius 3 (37 hexes) or 2 (19 hexes)",
        "assumed",
    ),
    Ruling(
        "deck",
        ("d1", "d2", "d3", "the name of any deck in components.decks"),
        "d1",
        "how many location cards there are of each icon",
        "assumed",
    ),
    Ruling(
        "station_snake",
        ("each_cluster", "best_cluster"),
        "each_cluster",
        "paths between stations score in every cluster that has one, or only the best of a player",
        "assumed",
    ),
    Ruling(
        "final_phase_rush",
        ("true", "false"),
        "true",
        "a set in progress may still be rushed once the end of the round is triggered",
        "assumed",
    ),
    Ruling(
        "tag_removal",
        ("best", "cheapest"),
        "best",
        "tags given up for cop cars: the choice that leaves most points (two at once, then one by "
        "one), or those on the hexes with fewest points",
        "assumed",
    ),
    Ruling(
        "family_mode",
        ("false", "true"),
        "false",
        "for new players: a single tile, its A side, without Rail Supreme",
        "rulebook",
    ),
    Ruling(
        "round_cap_s",
        ("1800", "any whole number from 1 to 2000"),
        "1800",
        "a round of so many seconds is stopped and the game marked truncated, counted, not scored",
        "assumed",
    ),
    Ruling(
        "tiles",
        ("random", "even", "a list of sides such as ['tricorners', 'zone_control', 'bestagon']"),
        "random",
        "which tiles are dealt: drawn at random; every possible set in turn, deal by deal; or "
        "always the same sides",
        "rulebook",
    ),
)
