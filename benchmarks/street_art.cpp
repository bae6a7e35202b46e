// Street Art in plain C++17: the yardstick for the speed of the compiled rules.
//
// Plays the same games as sim/games/street_art, card by card: the same rulings, features, choice
// rule and random streams, and fills the same tables. Reads a cell as "name number ..." lines from
// standard input (see benchmarks/peer.py), then commands:
//   print FIRST COUNT   play, write every row of games and seats, then the cards table
//   time FIRST COUNT    play, write the seconds of processor time that it took
//   lean FIRST COUNT    the same without the tables: only each seat's sum of hearts is kept
//
// g++ -std=c++17 -O3 -march=native -ffp-contract=off street_art.cpp

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int max_players = 6;
constexpr int max_kinds = 16;
constexpr int max_deck = 256;
constexpr int max_actions = 64;
constexpr int n_features = 12;
constexpr int nobody = -1;
constexpr int no_kind = -1;
constexpr double avoided = -std::numeric_limits<double>::infinity();

enum Kind { beatboxer, fireworks, brass_band, rain, first_star };
enum EndReason { middle_empty, turn_cap_reached };

struct Style {
    double weights[n_features] = {};
    double temperature = 0;
    bool indifferent = true;
    bool forbids[max_kinds] = {};
};

struct Rules {
    int players = 0;
    int kinds = 0;
    int copies[max_kinds] = {};
    int hearts_of[max_kinds] = {};
    bool is_best_star[max_kinds] = {};
    int hand_size = 0;
    int hearts_at_start = 0;
    int turn_cap = 0;
    bool rotate = false;
    bool shortfall_from_middle = false;
    bool brass_in_addition = false;
    bool keep_tops = false;
    bool finish_round = false;
    Style styles[max_players];
};

// SFC64 (Chris Doty-Humphrey), seeded by its author's procedure.
class Stream {
public:
    void seed(uint64_t first, uint64_t second, uint64_t third) {
        a = first;
        b = second;
        c = third;
        counter = 1;
        for (int i = 0; i < 18; ++i) next();
    }

    uint64_t next() {
        const uint64_t out = a + b + counter++;
        a = b ^ (b >> 11);
        b = c + (c << 3);
        c = ((c << 24) | (c >> 40)) + out;
        return out;
    }

    // Uniform in 0..n-1, exact (Lemire 2019).
    uint32_t below(uint32_t n) {
        uint64_t product = (next() >> 32) * n;
        auto low = static_cast<uint32_t>(product);
        if (low < n) {
            const uint32_t threshold = -n % n;
            while (low < threshold) {
                product = (next() >> 32) * n;
                low = static_cast<uint32_t>(product);
            }
        }
        return static_cast<uint32_t>(product >> 32);
    }

    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    template <class T>
    void shuffle(T* cards, int n) {
        for (int i = n - 1; i > 0; --i) std::swap(cards[i], cards[below(i + 1)]);
    }

private:
    uint64_t a, b, c, counter;
};

struct Seat {
    int hearts = 0;
    int top = no_kind;
    int played_at = -1;
    int hand_n = 0;
    int from_middle = 0;
    int stolen = 0;
    int lost_to_theft = 0;
    int lost_to_rain = 0;
    int hand[max_kinds] = {};
    int held[max_kinds] = {};
    int played[max_kinds] = {};
    int gained[max_kinds] = {};
};

struct Action {
    int kind;
    int brass;
    int victim;
    double value;
};

struct GameRow {
    uint32_t game;
    uint8_t players;
    uint16_t rounds, turns;
    uint32_t decisions;
    uint8_t end_reason;
    bool truncated, tied;
    uint16_t lead_changes;
    int32_t margin;
    uint16_t rains, thefts, reshuffles;
    int32_t box_hearts;
    uint8_t final_card;
};

struct SeatRow {
    uint32_t game;
    uint8_t seat, style;
    int32_t score;
    uint8_t rank;
    double win_share;
    bool truncated;
    int32_t from_middle, stolen, lost_to_theft, lost_to_rain;
};

struct CardRow {
    uint8_t seat, style, card;
    uint32_t games, held, played, games_held, games_played;
    double wins, wins_held, wins_held_sq, wins_played, wins_played_sq;
    uint32_t played_by_winners;
    int64_t hearts;
};

class Game {
public:
    explicit Game(const Rules& given) : rules(given) {
        for (Style& style : rules.styles)
            style.indifferent = std::all_of(style.weights, style.weights + n_features,
                                            [](double weight) { return weight == 0; });
    }

    // Plays one game; returns which place of the line-up has seat 0.
    int play(uint64_t seed, uint64_t game) {
        int shift = 0;
        if (rules.rotate) {
            shift = static_cast<int>(game % rules.players);
            game /= rules.players;
        }
        setup_stream.seed(seed, game, 0);
        draws.seed(seed, game, 1);
        choices.seed(seed, game, 2);
        set_up();
        int seat = 0;
        while (!over && turn < rules.turn_cap) {
            int place = seat + shift;
            if (place >= rules.players) place -= rules.players;
            take_turn(seat, rules.styles[place]);
            if (++seat == rules.players) seat = 0;
        }
        return shift;
    }

    int hearts(int seat) const { return seats[seat].hearts; }

    // Fills the rows of a finished game and adds its cards to the cards table.
    void record(uint32_t game, int shift, GameRow& row, SeatRow* seat_rows, CardRow* cards) const {
        const int winners = write_game(game, row);
        for (int seat = 0; seat < rules.players; ++seat) {
            const int place = (seat + shift) % rules.players;
            const double share = write_seat(game, seat, place, winners, seat_rows[seat]);
            if (over) count_cards(seat, place, share, cards);
        }
    }

private:
    Rules rules;
    Stream setup_stream, draws, choices;
    Seat seats[max_players];
    int piles[max_kinds];
    uint8_t deck[max_deck];
    int deck_n;
    int middle, box, turn;
    bool over;
    Action actions[max_actions];
    int n_actions;
    int decisions, leader, lead_changes, rains, thefts, reshuffles, final_kind;

    void set_up() {
        turn = box = decisions = lead_changes = rains = thefts = reshuffles = 0;
        over = false;
        middle = rules.hearts_at_start;
        leader = nobody;
        final_kind = rules.kinds;
        deck_n = 0;
        for (int kind = 0; kind < rules.kinds; ++kind) {
            piles[kind] = 0;
            for (int i = 0; i < rules.copies[kind]; ++i) deck[deck_n++] = static_cast<uint8_t>(kind);
        }
        setup_stream.shuffle(deck, deck_n);
        for (int seat = 0; seat < rules.players; ++seat) {
            seats[seat] = Seat();
            draw_cards(seats[seat]);
        }
    }

    void take_turn(int seat, const Style& style) {
        Seat& me = seats[seat];
        if (me.hand_n > 0) {
            legal_actions(seat);
            int choice = 0;
            if (n_actions > 1) {
                ++decisions;
                weigh_actions(seat, style);
                choice = style.temperature > 0 ? softmax_action(style.temperature) : best_action();
            }
            play_action(seat, actions[choice]);
        }
        watch_leader();
        over = is_over(seat, middle);
        if (!over) draw_cards(me);
        ++turn;
    }

    void add_action(int kind, int brass, int victim) {
        actions[n_actions++] = {kind, brass, victim, 0.0};
    }

    void legal_actions(int seat) {
        const Seat& me = seats[seat];
        n_actions = 0;
        const int bands = me.hand[brass_band];
        if (rules.brass_in_addition && bands > 0) {
            for (int kind = 0; kind < rules.kinds; ++kind)
                if (kind != brass_band && me.hand[kind] > 0)
                    for (int brass = 0; brass <= bands; ++brass) add_card(seat, kind, brass);
        } else {
            if (me.hand[beatboxer] > 0) add_action(beatboxer, 0, nobody);
            if (me.hand[fireworks] > 0) add_fireworks(seat, 0);
            for (int kind = rain; kind < rules.kinds; ++kind) {
                actions[n_actions] = {kind, 0, nobody, 0.0};
                n_actions += me.hand[kind] > 0;
            }
        }
        for (int brass = 1; brass <= bands; ++brass) add_action(brass_band, brass, nobody);
    }

    void add_card(int seat, int kind, int brass) {
        if (kind == fireworks) add_fireworks(seat, brass);
        else add_action(kind, brass, nobody);
    }

    void add_fireworks(int seat, int brass) {
        const int before = n_actions;
        for (int victim = 0; victim < rules.players; ++victim)
            if (victim != seat && seats[victim].hearts > 0) add_action(fireworks, brass, victim);
        if (n_actions == before) add_action(fireworks, brass, nobody);
    }

    int victim_of(int seat, int kind) const {
        int victim = nobody;
        int latest = -1;
        for (int other = 0; other < rules.players; ++other) {
            const Seat& they = seats[other];
            if (other != seat && they.top == kind && they.played_at > latest) {
                victim = other;
                latest = they.played_at;
            }
        }
        return victim;
    }

    int visible_beatboxers(int seat) const {
        int count = 0;
        for (int other = 0; other < rules.players; ++other)
            count += other != seat && seats[other].top == beatboxer;
        return count;
    }

    int rain_amount(const Seat& they, int beatboxers) const {
        if (they.top == no_kind) return 0;
        const int asked = they.top == beatboxer ? beatboxers : rules.hearts_of[they.top];
        return std::min(asked, they.hearts);
    }

    int rivals_lose(int seat, int beatboxers) const {
        int total = 0;
        for (int other = 0; other < rules.players; ++other)
            if (other != seat) total += rain_amount(seats[other], beatboxers);
        return total;
    }

    int standing_at_end(int seat, int mine, int victim, int stolen, bool raining,
                        int beatboxers) const {
        for (int other = 0; other < rules.players; ++other) {
            if (other == seat) continue;
            int theirs = seats[other].hearts;
            if (other == victim) theirs -= stolen;
            if (raining) theirs -= rain_amount(seats[other], beatboxers);
            if (theirs > mine) return -1;
        }
        return 1;
    }

    static bool is_forbidden(const Action& action, const Style& style) {
        return style.forbids[action.kind] || (action.brass > 0 && style.forbids[brass_band]);
    }

    bool is_over(int seat, int left) const {
        return left == 0 && (!rules.finish_round || seat == rules.players - 1);
    }

    void weigh_actions(int seat, const Style& style) {
        if (style.indifferent) {
            for (int i = 0; i < n_actions; ++i)
                actions[i].value = is_forbidden(actions[i], style) ? avoided : 0.0;
            return;
        }
        const Seat& me = seats[seat];
        int leader_hearts = 0;
        for (int other = 0; other < rules.players; ++other)
            leader_hearts = std::max(leader_hearts, seats[other].hearts);
        const int beatboxers = visible_beatboxers(seat);
        int stars = 0;
        int best_stars = 0;
        for (int kind = first_star; kind < rules.kinds; ++kind) {
            stars += me.hand[kind];
            if (rules.is_best_star[kind]) best_stars += me.hand[kind];
        }
        for (int i = 0; i < n_actions; ++i) {
            Action& action = actions[i];
            const int kind = action.kind;
            int victim = action.victim;
            int taken = std::min(action.brass * rules.hearts_of[brass_band], middle);
            int stolen = 0;
            int lost = 0;
            int exposed = 0;
            if (kind >= first_star) {
                int asked = rules.hearts_of[kind];
                victim = victim_of(seat, kind);
                if (victim != nobody) {
                    stolen = std::min(asked, seats[victim].hearts);
                    asked = rules.shortfall_from_middle ? asked - stolen : 0;
                }
                taken += std::min(asked, middle - taken);
                const int unseen = rules.copies[kind] - piles[kind] - me.hand[kind];
                exposed = std::min(rules.hearts_of[kind], me.hearts + taken + stolen) * unseen;
            } else if (kind == beatboxer) {
                taken += std::min(beatboxers + 1, middle - taken);
            } else if (kind == fireworks) {
                if (victim != nobody) {
                    stolen = std::min(rules.hearts_of[fireworks], seats[victim].hearts);
                }
            } else if (kind == rain) {
                lost = rivals_lose(seat, beatboxers);
            }
            const int left = middle - taken;
            const bool ends = is_over(seat, left);
            const int ahead = ends ? standing_at_end(seat, me.hearts + taken + stolen, victim,
                                                     stolen, kind == rain, beatboxers)
                                   : 0;
            const bool from_leader = stolen > 0 && seats[victim].hearts == leader_hearts;
            const int features[n_features] = {
                taken,
                stolen,
                lost,
                from_leader,
                exposed,
                me.hand[brass_band] - action.brass,
                me.hand[rain] - (kind == rain),
                best_stars - rules.is_best_star[kind],
                stars - (kind >= first_star),
                left,
                ends,
                ahead,
            };
            double value = 0;
            for (int j = 0; j < n_features; ++j) value += style.weights[j] * features[j];
            action.value = is_forbidden(action, style) ? avoided : value;
        }
    }

    int best_action() {
        double best = actions[0].value;
        int ties = 1;
        int first = 0;
        for (int i = 1; i < n_actions; ++i) {
            if (actions[i].value > best) {
                best = actions[i].value;
                ties = 1;
                first = i;
            } else if (actions[i].value == best) {
                ++ties;
            }
        }
        if (ties == 1) return first;
        auto skip = static_cast<int>(choices.below(ties));
        for (int i = first;; ++i)
            if (actions[i].value == best && skip-- == 0) return i;
    }

    int softmax_action(double temperature) {
        double best = actions[0].value;
        for (int i = 1; i < n_actions; ++i) best = std::max(best, actions[i].value);
        if (best == avoided) return best_action();
        double shares[max_actions];
        double total = 0;
        for (int i = 0; i < n_actions; ++i) {
            shares[i] = std::exp((actions[i].value - best) / temperature);
            total += shares[i];
        }
        double left = choices.unit() * total;
        int last = 0;
        for (int i = 0; i < n_actions; ++i) {
            if (shares[i] > 0) {
                last = i;
                if (left < shares[i]) return i;
            }
            left -= shares[i];
        }
        return last;
    }

    void play_action(int seat, const Action& action) {
        Seat& me = seats[seat];
        if (action.brass > 0) {
            place_cards(me, brass_band, action.brass);
            take_from_middle(me, brass_band, action.brass * rules.hearts_of[brass_band]);
            if (action.kind == brass_band) return;
        }
        const int kind = action.kind;
        if (kind >= first_star) {
            street_star(seat, kind);
        } else if (kind == fireworks) {
            place_cards(me, fireworks, 1);
            if (action.victim != nobody)
                steal(me, seats[action.victim], fireworks, rules.hearts_of[fireworks]);
        } else if (kind == beatboxer) {
            place_cards(me, beatboxer, 1);
            take_from_middle(me, beatboxer, visible_beatboxers(seat) + 1);
        } else {
            let_it_rain(seat);
        }
    }

    void place_cards(Seat& me, int kind, int count) {
        me.hand[kind] -= count;
        me.hand_n -= count;
        me.played[kind] += count;
        me.top = kind;
        me.played_at = turn;
        piles[kind] += count;
    }

    void take_from_middle(Seat& me, int kind, int asked) {
        const int amount = std::min(asked, middle);
        if (amount == 0) return;
        middle -= amount;
        me.hearts += amount;
        me.from_middle += amount;
        me.gained[kind] += amount;
        if (middle == 0) final_kind = kind;
    }

    int steal(Seat& me, Seat& victim, int kind, int asked) {
        const int amount = std::min(asked, victim.hearts);
        victim.hearts -= amount;
        victim.lost_to_theft -= amount;
        me.hearts += amount;
        me.stolen += amount;
        me.gained[kind] += amount;
        return amount;
    }

    void street_star(int seat, int kind) {
        Seat& me = seats[seat];
        const int victim = victim_of(seat, kind);
        place_cards(me, kind, 1);
        const int asked = rules.hearts_of[kind];
        if (victim == nobody) {
            take_from_middle(me, kind, asked);
            return;
        }
        const int amount = steal(me, seats[victim], kind, asked);
        thefts += amount > 0;
        if (rules.shortfall_from_middle) take_from_middle(me, kind, asked - amount);
    }

    void let_it_rain(int seat) {
        place_cards(seats[seat], rain, 1);
        ++rains;
        const int beatboxers = visible_beatboxers(seat);
        for (int other = 0; other < rules.players; ++other) {
            if (other == seat) continue;
            Seat& they = seats[other];
            const int amount = rain_amount(they, beatboxers);
            they.hearts -= amount;
            they.lost_to_rain -= amount;
            box += amount;
        }
        collect_piles(false);
    }

    // Shuffles the piles and puts them under the draw pile.
    void collect_piles(bool spare_tops) {
        if (spare_tops)
            for (int seat = 0; seat < rules.players; ++seat)
                if (seats[seat].top != no_kind) --piles[seats[seat].top];
        int collected = 0;
        for (int kind = 0; kind < rules.kinds; ++kind) collected += piles[kind];
        std::copy_backward(deck, deck + deck_n, deck + deck_n + collected);
        deck_n += collected;
        uint8_t* card = deck;
        for (int kind = 0; kind < rules.kinds; ++kind) {
            card = std::fill_n(card, piles[kind], static_cast<uint8_t>(kind));
            piles[kind] = 0;
        }
        draws.shuffle(deck, collected);
        for (int seat = 0; seat < rules.players; ++seat) {
            if (!spare_tops) {
                seats[seat].top = no_kind;
            } else if (seats[seat].top != no_kind) {
                ++piles[seats[seat].top];
            }
        }
    }

    void draw_cards(Seat& me) {
        while (me.hand_n < rules.hand_size) {
            if (deck_n == 0) {
                collect_piles(rules.keep_tops);
                if (deck_n == 0) return;
                ++reshuffles;
            }
            const int kind = deck[--deck_n];
            ++me.hand[kind];
            ++me.held[kind];
            ++me.hand_n;
        }
    }

    void watch_leader() {
        int most = -1;
        int first = nobody;
        for (int seat = 0; seat < rules.players; ++seat) {
            if (seats[seat].hearts > most) {
                most = seats[seat].hearts;
                first = seat;
            } else if (seats[seat].hearts == most) {
                first = nobody;
            }
        }
        if (first != nobody && first != leader) {
            lead_changes += leader != nobody;
            leader = first;
        }
    }

    int write_game(uint32_t game, GameRow& row) const {
        int best = -1;
        int second = -1;
        int winners = 0;
        for (int seat = 0; seat < rules.players; ++seat) {
            const int hearts = seats[seat].hearts;
            if (hearts > best) {
                second = std::exchange(best, hearts);
                winners = 1;
            } else if (hearts == best) {
                second = best;
                ++winners;
            } else {
                second = std::max(second, hearts);
            }
        }
        row.game = game;
        row.players = rules.players;
        row.rounds = (turn + rules.players - 1) / rules.players;
        row.turns = turn;
        row.decisions = decisions;
        row.end_reason = over ? middle_empty : turn_cap_reached;
        row.truncated = !over;
        row.tied = over && winners > 1;
        row.lead_changes = lead_changes;
        row.margin = best - second;
        row.rains = rains;
        row.thefts = thefts;
        row.reshuffles = reshuffles;
        row.box_hearts = box;
        row.final_card = over ? final_kind : rules.kinds;
        return winners;
    }

    double write_seat(uint32_t game, int seat, int place, int winners, SeatRow& row) const {
        const Seat& me = seats[seat];
        int rank = 0;
        if (over) {
            rank = 1;
            for (int other = 0; other < rules.players; ++other)
                rank += seats[other].hearts > me.hearts;
        }
        const double share = rank == 1 ? 1.0 / winners : 0.0;
        row.game = game;
        row.seat = seat;
        row.style = place;
        row.score = me.hearts;
        row.rank = rank;
        row.win_share = over ? share : std::numeric_limits<double>::quiet_NaN();
        row.truncated = !over;
        row.from_middle = me.from_middle;
        row.stolen = me.stolen;
        row.lost_to_theft = me.lost_to_theft;
        row.lost_to_rain = me.lost_to_rain;
        return share;
    }

    void count_cards(int seat, int place, double share, CardRow* cards) const {
        const Seat& me = seats[seat];
        const int block = rules.rotate ? seat * rules.players + place : seat;
        for (int kind = 0; kind < rules.kinds; ++kind) {
            CardRow& row = cards[block * rules.kinds + kind];
            ++row.games;
            row.wins += share;
            if (me.held[kind] > 0) {
                row.held += me.held[kind];
                ++row.games_held;
                row.wins_held += share;
                row.wins_held_sq += share * share;
            }
            if (me.played[kind] > 0) {
                row.played += me.played[kind];
                ++row.games_played;
                row.wins_played += share;
                row.wins_played_sq += share * share;
                row.hearts += me.gained[kind];
                if (share > 0) row.played_by_winners += me.played[kind];
            }
        }
    }
};

struct Tables {
    std::vector<GameRow> games;
    std::vector<SeatRow> seats;
    std::vector<CardRow> cards;

    Tables(const Rules& rules, long count)
        : games(count), seats(count * rules.players), cards(card_blocks(rules) * rules.kinds) {
        const int places = rules.rotate ? rules.players : 1;
        for (size_t i = 0; i < cards.size(); ++i) {
            const auto block = static_cast<int>(i / rules.kinds);
            cards[i].seat = block / places;
            cards[i].style = rules.rotate ? block % places : block;
            cards[i].card = i % rules.kinds;
        }
    }

    static int card_blocks(const Rules& rules) {
        return rules.rotate ? rules.players * rules.players : rules.players;
    }
};

void play_batch(const Rules& rules, uint64_t seed, long first, long count, Tables& tables) {
    Game game(rules);
    for (long i = 0; i < count; ++i) {
        const int shift = game.play(seed, first + i);
        game.record(first + i, shift, tables.games[i], &tables.seats[i * rules.players],
                    tables.cards.data());
    }
}

std::vector<long> play_lean(const Rules& rules, uint64_t seed, long first, long count) {
    Game game(rules);
    std::vector<long> hearts(rules.players);
    for (long i = 0; i < count; ++i) {
        game.play(seed, first + i);
        for (int seat = 0; seat < rules.players; ++seat) hearts[seat] += game.hearts(seat);
    }
    return hearts;
}

void print(const Tables& tables) {
    for (const GameRow& row : tables.games)
        std::printf("%u %d %d %d %u %d %d %d %d %d %d %d %d %d %d\n", row.game, row.players,
                    row.rounds, row.turns, row.decisions, row.end_reason, row.truncated, row.tied,
                    row.lead_changes, row.margin, row.rains, row.thefts, row.reshuffles,
                    row.box_hearts, row.final_card);
    for (const SeatRow& row : tables.seats)
        std::printf("%u %d %d %d %d %.17g %d %d %d %d %d\n", row.game, row.seat, row.style,
                    row.score, row.rank, row.win_share, row.truncated, row.from_middle, row.stolen,
                    row.lost_to_theft, row.lost_to_rain);
    for (const CardRow& row : tables.cards)
        std::printf("%d %d %d %u %u %u %u %u %.17g %.17g %.17g %.17g %.17g %u %lld\n", row.seat,
                    row.style, row.card, row.games, row.held, row.played, row.games_held,
                    row.games_played, row.wins, row.wins_held, row.wins_held_sq, row.wins_played,
                    row.wins_played_sq, row.played_by_winners, static_cast<long long>(row.hearts));
}

template <class T>
void read(T* values, int n) {
    for (int i = 0; i < n; ++i) {
        double value;
        std::cin >> value;
        values[i] = static_cast<T>(value);
    }
}

bool read_rules(const std::string& name, Rules& rules) {
    if (name == "players") read(&rules.players, 1);
    else if (name == "rotate") read(&rules.rotate, 1);
    else if (name == "kinds") read(&rules.kinds, 1);
    else if (name == "copies") read(rules.copies, rules.kinds);
    else if (name == "hearts_of") read(rules.hearts_of, rules.kinds);
    else if (name == "is_best_star") read(rules.is_best_star, rules.kinds);
    else if (name == "hand_size") read(&rules.hand_size, 1);
    else if (name == "hearts_at_start") read(&rules.hearts_at_start, 1);
    else if (name == "shortfall_from_middle") read(&rules.shortfall_from_middle, 1);
    else if (name == "brass_in_addition") read(&rules.brass_in_addition, 1);
    else if (name == "keep_tops") read(&rules.keep_tops, 1);
    else if (name == "finish_round") read(&rules.finish_round, 1);
    else if (name == "turn_cap") read(&rules.turn_cap, 1);
    else if (name == "weights")
        for (int i = 0; i < rules.players; ++i) read(rules.styles[i].weights, n_features);
    else if (name == "temperature")
        for (int i = 0; i < rules.players; ++i) read(&rules.styles[i].temperature, 1);
    else if (name == "forbids")
        for (int i = 0; i < rules.players; ++i) read(rules.styles[i].forbids, rules.kinds);
    else return false;
    return true;
}

double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main() {
    Rules rules;
    uint64_t seed = 0;
    std::string word;
    while (std::cin >> word) {
        if (word == "seed") {
            std::cin >> seed;
        } else if (word == "print" || word == "time" || word == "lean") {
            long first, count;
            std::cin >> first >> count;
            if (word == "lean") {
                const auto start = std::clock();
                const auto hearts = play_lean(rules, seed, first, count);
                std::printf("%.9f %ld\n", seconds_since(start), hearts[0]);
            } else {
                Tables tables(rules, count);
                const auto start = std::clock();
                play_batch(rules, seed, first, count, tables);
                const double seconds = seconds_since(start);
                if (word == "print") print(tables);
                else std::printf("%.9f\n", seconds);
            }
            std::fflush(stdout);
        } else if (!read_rules(word, rules)) {
            std::cerr << "unknown word: " << word << '\n';
            return 2;
        }
    }
}
