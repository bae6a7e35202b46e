"""West Story's names: features, columns, rulings; plain data that needs no compiler."""

from sim.games.game import Column, Feature, Ruling

FEATURES = (
    Feature("vp", "VP that move my marker now, but for those of villains"),
    Feature("coins", "coins gained less coins paid; not the coin at the lake"),
    Feature("hats", "hats gained less hats paid; they leave at the end of the turn"),
    Feature("cows", "cows gained less cows paid"),
    Feature("ability", "what an ability gained now saves this turn; a free trade counts 2"),
    Feature("licence_vp", "growth of what my licence or certificate is worth as things stand"),
    Feature(
        "card_vp",
        "growth of the end rules of my cards as things stand: by a card bought, cows, a disc, a "
        "villain",
    ),
    Feature("town_vp", "growth of what my discs in towns are worth"),
    Feature("villain_vp", "VP of the villain token that I remove"),
    Feature(
        "engine_coins",
        "coins that the card will bring on its spot in the rest of the game, less those of what "
        "it covers: the yield as things stand, of the alternative that I like best, times the "
        "executions to be expected",
    ),
    Feature("engine_hats", "the same in hats"),
    Feature("engine_cows", "the same in cows"),
    Feature("engine_vp", "the same in VP"),
    Feature("engine_ability", "the same in what abilities save; a free trade counts 2"),
    Feature("combos", "growth of the combos to be expected in the rest of the game"),
    Feature("card", "1 if a card is bought"),
    Feature("production_card", "1 if it is of the production deck"),
    Feature("animal", "1 if it is an animal"),
    Feature("building", "1 if it is a building"),
    Feature(
        "symbol_card",
        "1 if it carries a symbol that my licence or certificate counts",
    ),
    Feature("denied", "the most VP that the card is worth to a rival, now and at the end"),
    Feature("skip", "1 if a purchase is skipped"),
    Feature("hats_lost", "hats left after the turn's last purchase, which then leave"),
    Feature("fight", "1 if a villain is fought"),
    Feature("trade", "1 if a disc is put in a town"),
    Feature("certificate", "1 if a certificate is bought"),
    Feature(
        "certificate_vp",
        "what the certificate is worth above my licence if my cards grow as before until the end",
    ),
    Feature("reset", "1 if a row of the market is reset"),
    Feature(
        "reset_gain",
        "sum over the cards replaced of what the cards on offer are worth to me on average less "
        "what this one is worth",
    ),
    Feature("token", "1 if a wild token is spent"),
    Feature("clears_row", "1 if the marked spot fills its row, whose markers then come off"),
    Feature("to_lake", "growth of my marker up to the lake, in VP, those of villains too"),
    Feature("reaches_lake", "1 if my marker reaches the lake now and the gold pan has a coin"),
    Feature("in_town", "1 if my marker is then where I can put another disc"),
    Feature("in_desert", "1 if it is then in the desert and I have no certificate"),
    Feature("meets_villain", "1 if it is then in an area with a villain token"),
    Feature("richest", "1 if I then have more coins than every rival, without one at the lake"),
)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)

GAME_COLUMNS = (
    *(
        Column(
            f"building_{place}",
            f"Building type {place + 1}",
            "a building type in play",
            "u1",
            coded=True,
            key=True,
        )
        for place in range(5)
    ),
    Column("ties", "Pan coins discarded", "rounds in which two or more were richest", "u1"),
    Column("lake_coins", "Pan coins at the lake", "coins of the pan taken at the lake", "u1"),
    Column("bank_coins", "Bank coins at the lake", "coins that the empty pan owed", "u1"),
    Column("bought", "Cards bought", "cards bought by all seats", "u2"),
    Column("skips", "Purchases skipped", "purchases that all seats skipped", "u2"),
    Column("combos", "Combos", "combos of all seats, cows for them too", "u2"),
    Column("trades", "Town trades", "discs put by all seats", "u2"),
    Column("fights", "Villains removed", "villain tokens removed by fights", "u1"),
    Column("bribes", "Villains paid", "times that a villain was paid", "u2"),
    Column("certificates", "Certificates", "certificates bought", "u1"),
    Column("resets", "Market resets", "rows of the market reset", "u2"),
)
SEAT_COLUMNS = (
    Column("vp_spaces", "Board spaces", "VP of executed board spaces", "i4", score_part=True),
    Column("vp_effects", "Card effects", "VP of executed cards", "i4", score_part=True),
    Column("vp_limits", "Beyond limits", "VP for hats and cows too many", "i4", score_part=True),
    Column("vp_printed", "Printed on cards", "VP of cards when bought", "i4", score_part=True),
    Column("vp_wild", "Wild trades", "VP of bonuses at wild symbols", "i4", score_part=True),
    Column("vp_villains", "Villains", "VP of villain tokens; breaks ties", "i4", score_part=True),
    Column("vp_towns", "Towns", "VP of discs in towns", "i4", score_part=True),
    Column("vp_licence", "Licence", "VP of the printed symbol", "i4", score_part=True),
    Column("vp_certificate", "Certificate", "VP of the certificate", "i4", score_part=True),
    Column("vp_end", "End rules", "VP of end rules of cards", "i4", score_part=True),
    Column("symbol", "Printed symbol", "symbol printed on the board", "u1", coded=True),
    Column("certificate", "Certificate held", "its pair of symbols", "u1", coded=True),
    Column("certificate_round", "Certificate in round", "from 1; 0 if none", "u1"),
    Column("certificate_paid", "Paid for certificate", "coins and cows paid for it", "u1"),
    Column("licence_cards", "Symbol cards", "cards with the printed symbol", "u1"),
    Column("certificate_pairs", "Certificate pairs", "pairs of its symbols; 0 if none", "u1"),
    Column("bought", "Cards bought", "cards bought", "u1"),
    Column("production_cards", "Production cards", "cards of the production deck", "u1"),
    Column("scoring_cards", "Scoring cards", "cards of the scoring deck", "u1"),
    Column("buildings", "Buildings", "buildings bought", "u1"),
    Column("animals", "Animals", "animals bought", "u1"),
    Column("covered", "Cards covered", "cards bought onto another card", "u1"),
    Column("skips", "Purchases skipped", "purchases skipped", "u1"),
    Column("resets", "Market resets", "rows of the market reset", "u1"),
    Column("discs", "Discs", "discs put in towns", "u1"),
    Column("villains", "Villains removed", "villain tokens won", "u1"),
    Column("bribes", "Villains paid", "times that it paid a villain", "u1"),
    Column("bribe_paid", "Paid to villains", "coins and cows paid to villains", "u2"),
    Column("executed", "Spots executed", "spots executed", "u2"),
    Column("combos", "Combos", "combos with a third spot", "u1"),
    Column("combo_cows", "Combo cows", "combos that found no spot: a cow", "u1"),
    Column("clears", "Rows cleared", "full rows cleared", "u1"),
    Column("tokens_used", "Wild tokens used", "wild tokens spent", "u1"),
    Column("lake_round", "Lake in round", "round in which it reached the lake; 0 if never", "u1"),
    Column("rounds_first", "Rounds first", "rounds in which it was first player", "u1"),
    Column("pan_coins", "Pan coins", "coins of the pan as richest", "u1"),
    Column("hats_lost", "Hats lost", "hats that left unused", "u2"),
    Column("coins", "Coins left", "coins at the end", "u2"),
    Column("cows", "Cows left", "cows at the end", "u1"),
    Column("marker", "Marker", "VP of the marker at the end", "i4"),
)
GAME = Column("game", "Game", "game number in its cell, from 0", "u4")
SEAT = Column("seat", "Seat", "seat, from 0", "u1")
STYLE = Column("style", "Style", "the style that plays at the seat", "u1", coded=True)
CARD = Column("card", "Card", "card, whatever its symbol", "u1", coded=True)
MARKET_COLUMNS = (
    GAME,
    CARD,
    Column("in_play", "In play", "its deck was in play", "?"),
    Column("seen", "Seen", "times that a copy came to the market", "u2"),
    Column("bought", "Bought", "copies bought", "u2"),
    Column("owners", "Owners", "seats that bought it", "u1"),
    Column("win_share", "Win share", "sum of the win shares of these seats", "f4"),
    Column("executed", "Executed", "times that a copy was executed", "u2"),
    Column("coins", "Coins paid", "coins paid for copies", "u2"),
    Column("hats", "Hats paid", "hats paid for copies", "u2"),
    Column("cows", "Cows paid", "cows paid for copies", "u2"),
    Column("rounds", "Rounds", "sum over copies of the round of purchase, from 1", "u2"),
)
VILLAIN_COLUMNS = (
    GAME,
    Column("place", "Place", "area of the villain", "u1", coded=True),
    Column("token", "Villain", "villain token", "u1", coded=True),
    Column("turned_round", "Turned up", "round in which it was turned up; 0 if never", "u1"),
    Column("bribes", "Paid", "times that it was paid", "u1"),
    Column("paid", "Coins and cows paid", "coins and cows paid to it", "u2"),
    Column("gone_round", "Gone", "round in which it left the board; 0 if never", "u1"),
    Column("fought", "Fought", "it was removed by a fight", "?"),
    Column("pot", "Pot", "coins and cows that its winner found on it", "u2"),
    Column("win_share", "Win share", "win share of who removed it", "f4"),
)
TOWN_COLUMNS = (
    GAME,
    Column("town", "Town", "town", "u1", coded=True),
    Column("discs", "Discs", "discs of the players", "u1"),
    Column("seats", "Seats", "seats with a disc there", "u1"),
    Column("full", "Seats with all discs", "seats with as many discs as can score", "u1"),
    Column("quadruples", "Quadruple", "the quadruple symbol was used", "?"),
    Column("wilds", "Wild", "the wild symbol was used", "?"),
    Column("vp", "VP", "VP of all discs there", "u2"),
    Column("win_share", "Win share", "sum of the win shares of these seats", "f4"),
)
SPOT = Column("spot", "Spot", "spot of the player board", "u1", coded=True)
SPACE_COLUMNS = (
    SPOT,
    Column("seats", "Seats", "seats of games that ended by rule", "u8"),
    Column("by_die", "By die", "executions of the die's own spot", "u8"),
    Column("moved", "Moved right", "executions because the die's own spot was marked", "u8"),
    Column("by_combo", "By combo", "executions by a combo", "u8"),
    Column("by_token", "By wild token", "executions by a wild token", "u8"),
    Column("by_trade", "By trade", "executions by a trade", "u8"),
    Column("as_space", "As printed", "executions while no card lay there", "u8"),
    Column("cards", "Cards put", "cards put on it", "u8"),
)
PURCHASE_COLUMNS = (
    GAME,
    SEAT,
    STYLE,
    Column("round", "Round", "round, from 1", "u1"),
    Column("purchase", "Purchase", "first or second of the turn, from 1", "u1"),
    CARD,
    Column("symbols", "Symbols", "symbols of the card", "u1", coded=True),
    SPOT,
    Column("covers", "Covers", "card that it covers", "u1", coded=True),
    Column("coins", "Coins paid", "coins paid", "u1"),
    Column("hats", "Hats paid", "hats paid", "u1"),
    Column("cows", "Cows paid", "cows paid", "u1"),
)
ROUND_COLUMNS = (
    GAME,
    SEAT,
    STYLE,
    Column("round", "Round", "round, from 1", "u1"),
    Column("played", "Played", "the game lasted so long", "?"),
    Column("first", "First player", "it had the dice in the round", "?"),
    Column("coins", "Coins", "coins at the end of the round", "u2"),
    Column("cows", "Cows", "cows at the end of the round", "u1"),
    Column("vp_spaces", "Board spaces", "VP so far of executed board spaces", "u2"),
    Column("vp_effects", "Card effects", "VP so far of executed cards", "u2"),
    Column("vp_limits", "Beyond limits", "VP so far for hats and cows too many", "u2"),
    Column("vp_printed", "Printed on cards", "VP so far of cards when bought", "u2"),
    Column("vp_wild", "Wild trades", "VP so far of bonuses at wild symbols", "u2"),
    Column("vp_villains", "Villains", "VP so far of villain tokens", "u2"),
    Column("vp_towns", "Towns", "what its discs are worth", "u2"),
    Column("vp_licence", "Licence or certificate", "what it is worth now", "u2"),
    Column("vp_end", "End rules", "what the end rules of its cards are worth now", "u2"),
)
ACTS = (
    "fight",
    "bribe",
    "trade",
    "certificate",
    "reset",
    "buy",
    "skip",
    "third_spot",
    "cow_for_combo",
)
"""Kinds of act in the table `acts`."""
NO_CARD, NOT_PLAYED = "none", "not_played"
"""Labels of a purchase without a card: skipped, or in a round that the game did not reach."""

RULINGS = (
    Ruling(
        "end_test",
        ("cannot_take", "last_taken"),
        "cannot_take",
        "the game ends when at the end of a round no coin can be taken from the gold pan, or when "
        "its last coin is taken",
        "inferred",
    ),
    Ruling(
        "hat_bonus",
        ("on_reaching_four", "each_execution"),
        "on_reaching_four",
        "the coin for hats: when the marker reaches the bonus, or for every execution that gives "
        "hats and ends at the bonus or above",
        "assumed",
    ),
    Ruling(
        "richest",
        ("coins", "coins_and_cows"),
        "coins",
        "what is counted to find the richest player",
        "rulebook",
    ),
    Ruling(
        "licence_vp",
        ("2", "1", "any whole number from 0 to 10"),
        "2",
        "VP for each card with the printed symbol, without a certificate",
        "rulebook",
    ),
    Ruling(
        "villain_vp",
        ("end", "at_once"),
        "end",
        "when VP of villain tokens are scored; at once moves the marker",
        "rulebook",
    ),
    Ruling(
        "double_wild",
        ("free_choice", "cow"),
        "free_choice",
        "both marked spots are wild: any symbol for the combo, or a cow",
        "assumed",
    ),
    Ruling(
        "wild_third",
        ("False", "True"),
        "False",
        "a wild card may be the third spot of a combo",
        "inferred",
    ),
    Ruling(
        "skip_cow_overflow",
        ("vp", "nothing"),
        "vp",
        "a skipped purchase with a full herd",
        "inferred",
    ),
    Ruling(
        "paid_cows",
        ("stay_cows", "become_coins"),
        "stay_cows",
        "cows paid to a villain lie on its token as cows, or as coins",
        "assumed",
    ),
    Ruling(
        "dodge_city",
        ("per_side", "together"),
        "per_side",
        "a town with two segments of the track: a villain token for each, or both on one stack",
        "inferred",
    ),
    Ruling(
        "wild_tokens",
        ("False", "True"),
        "False",
        "stretch goal: wild tokens on the score track",
        "rulebook",
    ),
    Ruling(
        "uncatchable_villain",
        ("False", "True"),
        "False",
        "stretch goal: a villain that cannot be fought, shuffled among the others",
        "rulebook",
    ),
    Ruling(
        "buildings",
        ("base", "random", "even", "a list of five building types"),
        "base",
        "building types in play: the five of the base game, a legal set drawn anew for each game, "
        "every legal set in turn, or always these five",
        "rulebook",
    ),
    Ruling(
        "round_cap",
        ("40", "any whole number from 1 to 60"),
        "40",
        "a game of so many rounds is stopped, marked truncated, counted and never scored",
        "assumed",
    ),
)
