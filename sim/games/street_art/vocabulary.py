"""Street Art's names: features, columns, rulings; plain data that needs no compiler."""

from sim.games.game import Column, Feature, Ruling

FEATURES = (
    Feature("hearts_from_middle", "hearts that the action takes from the middle"),
    Feature("hearts_stolen", "hearts that the action steals from another player"),
    Feature("rivals_lose", "hearts that the others return to the box because of Rain"),
    Feature(
        "victim_is_leader", "1 if hearts are stolen from a player whom nobody has more hearts than"
    ),
    Feature(
        "exposure",
        "what a thief could take with a twin of my new top star, min(its hearts, mine), "
        "times the twins that I have not seen: neither in my hand nor on a pile",
    ),
    Feature("brass_bands_kept", "Brass Bands left in my hand"),
    Feature("rain_kept", "Rains left in my hand"),
    Feature("best_stars_kept", "Street Stars of the highest value (Fire Breathers) left in hand"),
    Feature("stars_kept", "Street Stars left in my hand"),
    Feature("middle_left", "hearts left in the middle"),
    Feature("ends_game", "1 if the game is over after the action"),
    Feature("ends_ahead", "if the game is over: 1 when nobody has more hearts than I, else -1"),
)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)

GAME_COLUMNS = (
    Column("rains", "Rains played", "Rain cards played", "u2"),
    Column("thefts", "Thefts by stars", "Street Stars that stole at least one heart", "u2"),
    Column("reshuffles", "Refills", "times that the draw pile was empty and made anew", "u2"),
    Column("box_hearts", "Hearts in the box", "hearts that Rain sent to the box", "i4"),
    Column(
        "final_card",
        "Last card",
        'the card that emptied the middle; "none" in a truncated game',
        "u1",
        coded=True,
    ),
)
SEAT_COLUMNS = (
    Column("from_middle", "From the middle", "hearts taken from the middle", "i4", score_part=True),
    Column("stolen", "Stolen", "hearts stolen from others", "i4", score_part=True),
    Column("lost_to_theft", "Lost to thieves", "hearts that others stole", "i4", score_part=True),
    Column("lost_to_rain", "Lost to Rain", "hearts returned to the box", "i4", score_part=True),
)
CARD_COLUMNS = (
    Column("seat", "Seat", "seat, from 0 in turn order", "u1"),
    Column("style", "Style", "the style that plays at the seat", "u1", coded=True),
    Column("card", "Card", "kind of card", "u1", coded=True),
    Column("games", "Games", "games that ended by rule", "u4"),
    Column("held", "Held", "copies drawn; one drawn again after a shuffle counts again", "u4"),
    Column("played", "Played", "copies played", "u4"),
    Column("games_held", "Games held", "games in which a copy was in the hand", "u4"),
    Column("games_played", "Games played", "games in which a copy was played", "u4"),
    Column("wins", "Wins", "sum of win share over `games`", "f8"),
    Column("wins_held", "Wins when held", "sum of win share over `games_held`", "f8"),
    Column("wins_held_sq", "Squares when held", "sum of its squares over `games_held`", "f8"),
    Column("wins_played", "Wins when played", "sum of win share over `games_played`", "f8"),
    Column("wins_played_sq", "Squares when played", "sum of its squares over those", "f8"),
    Column(
        "played_by_winners", "Played by winners", "copies played by a seat that won or shared", "u4"
    ),
    Column("hearts", "Hearts", "hearts gained by playing it", "i8"),
)

RULINGS = (
    Ruling(
        "hearts",
        ("36", "48", "60", "any whole number from 1 to 10000"),
        "36",
        "hearts in the middle at the start: 36 chips of one heart (rulebook); 48 if 12 chips count "
        "two; 60 if 24 do (both inferred)",
        "rulebook",
    ),
    Ruling(
        "steal_shortfall",
        ("none", "from_middle"),
        "none",
        "a victim who owns fewer hearts than the star's value: the thief gets what there is; or "
        "the rest comes from the middle",
        "assumed",
    ),
    Ruling(
        "brass_band",
        ("instead", "in_addition"),
        "instead",
        "a turn is one other card or any number of Brass Bands; or one other card and any number "
        "of Brass Bands before it",
        "assumed",
    ),
    Ruling(
        "reshuffle",
        ("all_piles", "keep_tops"),
        "all_piles",
        "when the draw pile is empty all piles are shuffled into a new one and nothing shows any "
        "more; or the visible cards stay",
        "assumed",
    ),
    Ruling(
        "game_end",
        ("immediate", "finish_round"),
        "immediate",
        "the game ends the moment the middle is empty; or everyone gets the same number of turns",
        "assumed",
    ),
    Ruling(
        "turn_cap",
        ("500", "any whole number from 1 to 60000"),
        "500",
        "a game of so many turns is stopped, marked truncated, counted and never scored",
        "assumed",
    ),
)
GRADE_OF_HEARTS = {36: "rulebook", 48: "inferred", 60: "inferred"}
