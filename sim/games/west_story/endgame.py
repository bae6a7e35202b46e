"""The end of a game of West Story: when it ends, what counts, who wins; and the ledger."""

from sim.games.west_story.events import END_REASONS, GOLD_PAN, ROUND_CAP
from sim.games.west_story.gains import amount_of, counted, symbol_counts
from sim.games.west_story.rulebook import NEUTRAL, Table

# Game End


def is_over_before_dice(table: Table) -> bool:
    """Tell whether a coin cannot be taken from the gold pan, which ends the game."""
    return table.pan == 0


def is_over_after_dice(table: Table) -> bool:
    """Tell whether taking the last coin has ended the game (`end_test = last_taken`)."""
    return table.rules.rulings.end_test == "last_taken" and table.pan == 0


def reason_of_end(table: Table, by_pan: bool) -> str | None:
    """Return why the game ends after `table.round` rounds, None if it goes on."""
    if by_pan:
        return END_REASONS[GOLD_PAN]
    return END_REASONS[ROUND_CAP] if table.round >= table.rules.rulings.round_cap else None


def final_parts(table: Table, seat: int) -> dict[str, int]:
    """Return what a seat gets at the end beside its marker, by part; at any moment so far."""
    player, rules = table.players[seat], table.rules
    return {
        "villains": villain_vp(table, seat) if rules.rulings.villain_vp == "end" else 0,
        "towns": sum(town_vp(table, seat, town) for town in range(len(rules.towns))),
        "licence": licence_vp(table, seat) if player.certificate is None else 0,
        "certificate": certificate_vp(table, seat),
        "cards": sum(card_vp(table, seat)),
    }


def villain_vp(table: Table, seat: int) -> int:
    """Return the VP of the villain tokens that a seat won."""
    return sum(table.rules.tokens[token].vp for token in table.players[seat].villains)


def town_vp(table: Table, seat: int, town: int) -> int:
    """Return the VP of a seat's discs in a town."""
    discs = table.discs_of(seat, town)
    return table.rules.towns[town].disc_vp[discs - 1] if discs else 0


def licence_vp(table: Table, seat: int) -> int:
    """Return the VP of the symbol printed on a seat's board."""
    return counted(table, seat, "licence symbol") * table.rules.rulings.licence_vp


def certificate_vp(table: Table, seat: int) -> int:
    """Return the VP of the pairs of symbols of a seat's certificate."""
    return certificate_pairs(table, seat) * table.rules.components.certificates.vp_per_pair


def certificate_pairs(table: Table, seat: int) -> int:
    """Count the pairs of symbols of a seat's certificate on all its cards, 0 without one."""
    player, rules = table.players[seat], table.rules
    if player.certificate is None:
        return 0
    counts = symbol_counts(rules.cards[kind] for kind in player.cards)
    return min(counts[symbol] for symbol in rules.pairs[player.certificate])


def card_vp(table: Table, seat: int) -> list[int]:
    """Return the VP of the end rules of a seat's cards, card by card."""
    cards = (table.rules.cards[kind] for kind in table.players[seat].cards)
    return [amount_of(table, seat, card.end) for card in cards if card.end is not None]


def score_of(table: Table, seat: int) -> int:
    """Return the marker and what is added at the end."""
    return table.players[seat].vp + sum(final_parts(table, seat).values())


def ranking(table: Table) -> list[int]:
    """Return the ranks, 1 for the winner: score, villain tokens, coins and cows; ties share."""
    keys = [
        (score_of(table, seat), villain_vp(table, seat), player.coins + player.cows)
        for seat, player in enumerate(table.players)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


# The ledger


def inconsistency(table: Table) -> str | None:
    """Tell what is lost, doubled or beyond its limits on the table, None if nothing."""
    return money_fault(table) or limits_fault(table) or pieces_fault(table)


def money_fault(table: Table) -> str | None:
    """Tell whether coins or cows on the table are not those that the supply gave."""
    coins = table.pan + sum(player.coins for player in table.players)
    coins += sum(villain.coins for villain in table.villains)
    if coins != table.coins_out:
        return f"{coins} coins lie on the table, the supply gave {table.coins_out}"
    cows = sum(player.cows for player in table.players)
    cows += sum(villain.cows for villain in table.villains)
    if cows != table.cows_out:
        return f"{cows} cows are on the table, the supply gave {table.cows_out}"
    return None


def limits_fault(table: Table) -> str | None:
    """Tell whether a player has less than nothing or more than there is room for."""
    limits = table.rules.components.limits
    for seat, player in enumerate(table.players):
        if not (0 <= player.hats <= limits.hats and 0 <= player.cows <= limits.cows):
            return f"seat {seat} has {player.hats} hats and {player.cows} cows"
        if min(player.coins, player.vp, player.discs, player.discount, player.fight) < 0:
            return f"seat {seat} has less than nothing of something"
        if player.vp != sum(player.vp_by):
            return f"seat {seat} has {player.vp} VP, but got {sum(player.vp_by)}"
    return None if table.pan >= 0 else "the gold pan has less than nothing"


def pieces_fault(table: Table) -> str | None:
    """Tell whether a card, disc, token or certificate is lost or doubled."""
    return card_fault(table) or disc_fault(table) or token_fault(table) or certificate_fault(table)


def card_fault(table: Table) -> str | None:
    """Tell whether the cards in decks, market and boards are not those of the game."""
    there = [kind for player in table.players for kind in player.cards]
    there += [kind for deck in table.decks for kind in deck]
    there += [kind for row in table.market for kind in row if kind is not None]
    if sorted(there) != list(table.in_play):
        return f"there are {len(there)} cards, not the {len(table.in_play)} of the game"
    return None


def disc_fault(table: Table) -> str | None:
    """Tell whether discs of a player, or those of nobody, are lost or doubled."""
    owners = [owner for town in table.discs for owner in town]
    for seat, player in enumerate(table.players):
        if player.discs + owners.count(seat) != table.rules.components.start.discs:
            return f"seat {seat} has {player.discs} discs and {owners.count(seat)} in towns"
    due = len(table.rules.towns) if len(table.players) == 2 else 0
    nobodys = owners.count(NEUTRAL)
    return None if nobodys == due else f"{nobodys} discs of nobody lie in the towns, not {due}"


def token_fault(table: Table) -> str | None:
    """Tell whether a villain or wild token is lost or doubled."""
    tokens = [villain.token for villain in table.villains if villain.token is not None]
    tokens += [*table.left, *(token for player in table.players for token in player.villains)]
    if len(set(tokens)) != len(tokens) or len(tokens) != len(table.villains):
        return f"there are villain tokens {sorted(tokens)}"
    for seat, player in enumerate(table.players):
        if not 0 <= player.wild_tokens <= len(player.wild_tokens_at):
            return f"seat {seat} has {player.wild_tokens} wild tokens"
    return None


def certificate_fault(table: Table) -> str | None:
    """Tell whether a certificate is lost or doubled."""
    owned = [p.certificate for p in table.players if p.certificate is not None]
    owned += [certificate for stack in table.certificates for certificate in stack]
    costs = table.rules.components.certificates
    if len(set(owned)) != len(owned) or len(owned) != costs.stacks * costs.per_stack:
        return f"there are certificates {sorted(owned)}"
    return None
