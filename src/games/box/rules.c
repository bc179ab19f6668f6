/* The rules: whose turn it is, legal moves, their effect, and the payoffs. */
#include <assert.h>

#include "games/box/box.h"

TileSet box_all_tiles(const BoxRules *rules) {
    return (TileSet)((1u << rules->tiles) - 1);
}

int box_sum(TileSet set) {
    int sum = 0;
    for (; set; set &= set - 1)
        sum += __builtin_ctz(set) + 1;
    return sum;
}

uint64_t box_sums(TileSet open) {
    uint64_t sums = 1; /* no tile: 0 */
    for (; open; open &= open - 1)
        sums |= sums << (__builtin_ctz(open) + 1);
    return sums;
}

bool box_is_stuck(const BoxRules *rules, TileSet open, int roll) {
    bool is_lost = rules->two_to_go && roll == 2 && open == box_all_tiles(rules);
    return is_lost || !(box_sums(open) >> roll & 1);
}

bool box_ends_after(const BoxRules *rules, int rounds, const int totals[]) {
    int left = 0;
    for (int i = 0; i < rules->players; i++)
        left += box_is_in(rules, totals[i]);
    return left <= 1 || (rules->rounds > 0 && rounds == rules->rounds);
}

int box_dice(const BoxRules *rules, TileSet open) {
    bool one = false;
    if (rules->one_die == BOX_ONE_DIE_SUM)
        one = box_sum(open) <= rules->one_die_limit;
    else if (rules->one_die == BOX_ONE_DIE_TOP)
        one = rules->one_die_limit >= BOX_TILES_MAX || open >> rules->one_die_limit == 0;
    return one ? 1 : rules->dice;
}

uint64_t box_roll_weights(const BoxRules *rules, int dice, uint64_t weights[BOX_ROLL_MAX + 1]) {
    uint64_t denominator = 1;
    memset(weights, 0, (BOX_ROLL_MAX + 1) * sizeof weights[0]);
    weights[0] = 1;
    for (int die = 0; die < dice; die++) {
        uint64_t more[BOX_ROLL_MAX + 1] = {0};
        for (int sum = 0; sum <= die * rules->sides; sum++)
            for (int pips = 1; pips <= rules->sides; pips++)
                more[sum + pips] += weights[sum];
        memcpy(weights, more, sizeof more);
        denominator *= (uint64_t)rules->sides;
    }
    return denominator;
}

void box_best_score(const BoxState *state, int *best, int *holders) {
    *best = 0;
    *holders = 0;
    for (int i = 0; i < state->player; i++) {
        if (*holders == 0 || state->scores[i] < *best) {
            *best = state->scores[i];
            *holders = 1;
        } else if (state->scores[i] == *best) {
            ++*holders;
        }
    }
}

/* The last of several players stops as soon as it has beaten every score. */
static bool has_beaten_all(const BoxRules *rules, const BoxState *state) {
    int best, holders;
    if (rules->players < 2 || state->player != rules->players - 1 || !box_is_single(rules))
        return false;
    box_best_score(state, &best, &holders);
    return box_sum(state->open) < best;
}

static bool is_over(const BoxRules *rules, const BoxState *state) {
    return state->player == rules->players || state->open == 0 || has_beaten_all(rules, state);
}

State box_start(const Rules *rules) {
    BoxRules box = box_rules(rules);
    BoxState state = {.open = box_all_tiles(&box)};
    return box_state_pack(&state);
}

int box_actor(const Rules *rules, const State *state) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    if (s.roll > 0)
        return s.player;
    return is_over(&box, &s) ? GAME_END : GAME_CHANCE;
}

int box_turn(const Rules *rules, const State *state) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    return s.player < box.players ? s.player : box.players - 1;
}

/* Appends the subsets of `open` that sum to `rest`, each united with `chosen`, in descending order:
 * first those with the largest open tile, then those without it. Returns the new count. */
static size_t list_sets(TileSet open, int rest, TileSet chosen, Move moves[], size_t count) {
    if (rest == 0) {
        moves[count] = chosen;
        return count + 1;
    }
    if (open == 0 || box_sum(open) < rest)
        return count;
    int top = 32 - __builtin_clz(open);
    TileSet tile = 1u << (top - 1);
    if (top <= rest)
        count = list_sets(open ^ tile, rest - top, chosen | tile, moves, count);
    return list_sets(open ^ tile, rest, chosen, moves, count);
}

size_t box_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules;
    BoxState s = box_state(state);
    return list_sets(s.open, s.roll, 0, moves, 0);
}

size_t box_chances(const Rules *rules, const State *state, Chance chances[],
                   uint64_t *denominator) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    uint64_t weights[BOX_ROLL_MAX + 1];
    size_t count = 0;
    *denominator = box_roll_weights(&box, box_dice(&box, s.open), weights);
    for (Move roll = 1; roll <= BOX_ROLL_MAX; roll++)
        if (weights[roll] > 0)
            chances[count++] = (Chance){.move = roll, .weight = weights[roll]};
    return count;
}

/* The first player from this one on who is not out; the number of players if there is none. */
static uint8_t find_player(const BoxRules *rules, const BoxState *state, int player) {
    while (player < rules->players && !box_is_in(rules, state->totals[player]))
        player++;
    return (uint8_t)player;
}

/* After the last player of a round: the next round, or the end. */
static void end_round(const BoxRules *rules, BoxState *state) {
    int totals[BOX_PLAYERS_MAX];
    for (int i = 0; i < rules->players; i++)
        totals[i] = state->totals[i] + state->scores[i];
    if (box_ends_after(rules, state->round + 1, totals))
        return;
    for (int i = 0; i < rules->players; i++) {
        state->totals[i] = (uint16_t)totals[i];
        state->scores[i] = 0;
    }
    state->round = (uint16_t)(rules->rounds > 0 ? state->round + 1 : 0);
    state->player = find_player(rules, state, 0);
    state->open = box_all_tiles(rules);
}

/* Ends the turn: records the score. The next player starts with every tile open. */
static void end_turn(const BoxRules *rules, BoxState *state) {
    state->scores[state->player] = (uint16_t)box_sum(state->open);
    state->player = find_player(rules, state, state->player + 1);
    if (state->player < rules->players)
        state->open = box_all_tiles(rules);
    else if (!box_is_single(rules))
        end_round(rules, state);
}

void box_apply(const Rules *rules, State *state, Move move) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    if (s.roll > 0) {
        assert((move & ~s.open) == 0 && box_sum(move) == s.roll);
        s.open &= ~(TileSet)move;
        s.roll = 0;
        if (s.open == 0 && box.shut_scores_0 && !has_beaten_all(&box, &s))
            end_turn(&box, &s);
    } else if (!box_is_stuck(&box, s.open, (int)move)) {
        s.roll = (uint8_t)move;
    } else {
        end_turn(&box, &s);
    }
    *state = box_state_pack(&s);
}

double box_solo_payoff(const BoxRules *rules, TileSet open) {
    if (rules->aim == BOX_AIM_SHUT)
        return open == 0 ? 1 : 0;
    if (rules->aim == BOX_AIM_SCORE)
        return box_sum(open);
    double number = 0;
    for (; open; open &= open - 1) {
        int tile = __builtin_ctz(open) + 1;
        number = number * (tile > 9 ? 100 : 10) + tile;
    }
    return number;
}

void box_payoff(const Rules *rules, const State *state, double payoffs[]) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    if (box.players == 1) {
        payoffs[0] = box_solo_payoff(&box, s.open);
        return;
    }
    for (int i = 0; i < box.players; i++)
        payoffs[i] = 0;
    if (s.player < box.players) { /* shut, or beaten by the last player */
        payoffs[s.player] = 1;
        return;
    }
    /* Those who were out before the last round have lost. */
    for (int i = 0; i < box.players && !box_is_single(&box); i++)
        s.scores[i] =
            box_is_in(&box, s.totals[i]) ? (uint16_t)(s.scores[i] + s.totals[i]) : UINT16_MAX;
    int best, holders;
    box_best_score(&s, &best, &holders);
    for (int i = 0; i < box.players; i++)
        if (s.scores[i] == best)
            payoffs[i] = 1.0 / holders;
}

/* The largest total before this round. Of two players nobody is out; of more, one who is out came
 * from below the limit with one score. */
static int highest_total(const BoxRules *box, const BoxState *s) {
    int total = box_sum(box_all_tiles(box));
    int high = (box->rounds > 0 ? s->round : BOX_LIMIT_MAX) * total;
    int limited = box->limit - 1 + (box->players > 2 ? total : 0);
    return box->limit > 0 && high > limited ? limited : high;
}

/* The part of a position that only games of several rounds have. */
static Status check_totals(const BoxRules *box, const BoxState *s) {
    int high = highest_total(box, s), after[BOX_PLAYERS_MAX], left = 0;
    if (s->round >= (box->rounds > 0 ? box->rounds : 1))
        return status_make(STATUS_USAGE, "round: expected 1 to %d", box->rounds);
    for (int i = 0; i < BOX_PLAYERS_MAX; i++) {
        if (i >= box->players && s->totals[i] != 0)
            return status_make(STATUS_USAGE, "totals: there is no player %d", i);
        if (s->totals[i] > high)
            return status_make(STATUS_USAGE, "totals: expected at most %d, not %d", high,
                               s->totals[i]);
        left += i < box->players && box_is_in(box, s->totals[i]);
        after[i] = s->totals[i] + s->scores[i];
    }
    if (left < 2)
        return status_make(STATUS_USAGE,
                           "totals: expected at least two players with fewer than %d points",
                           box->limit);
    if (s->player < box->players && !box_is_in(box, s->totals[s->player]))
        return status_make(STATUS_USAGE, "player: %d is out", s->player);
    if (s->player == box->players && !box_ends_after(box, s->round + 1, after))
        return status_make(STATUS_USAGE, "player: expected 0 to %d; the next round begins",
                           box->players - 1);
    return status_ok();
}

/* The last player of the round. */
static int find_last(const BoxRules *box, const BoxState *s) {
    int last = box->players - 1;
    while (last > 0 && !box_is_in(box, s->totals[last]))
        last--;
    return last;
}

Status box_check(const Rules *rules, const State *state) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    int total = box_sum(box_all_tiles(&box));
    bool is_single = box_is_single(&box);
    if (s.open & ~box_all_tiles(&box))
        return status_make(STATUS_USAGE, "open tiles: the tiles are 1 to %d", box.tiles);
    if (s.player > box.players)
        return status_make(STATUS_USAGE, "player: expected 0 to %d", box.players - 1);
    for (int i = 0; i < BOX_PLAYERS_MAX; i++) {
        bool is_out = i < box.players && !box_is_in(&box, s.totals[i]);
        if (is_out && s.scores[i] != 0)
            return status_make(STATUS_USAGE, "scores: player %d is out: expected x", i);
        if (i < s.player && !is_out && s.scores[i] == 0 && !box.shut_scores_0)
            return status_make(STATUS_USAGE,
                               "scores: player %d with 0 has shut the box, which ends the game", i);
        if (i < s.player && s.scores[i] > total)
            return status_make(STATUS_USAGE, "scores: expected 1 to %d, not %d", total,
                               s.scores[i]);
        if (i >= s.player && s.scores[i] != 0)
            return status_make(STATUS_USAGE, "scores: player %d has none yet", i);
    }
    int last = find_last(&box, &s);
    if (s.player == box.players && box_sum(s.open) != s.scores[last])
        return status_make(STATUS_USAGE, "scores: the last player's open tiles sum to %d, not %d",
                           box_sum(s.open), s.scores[last]);
    if (s.open == 0 && s.player < box.players && box.shut_scores_0 && !has_beaten_all(&box, &s))
        return status_make(STATUS_USAGE,
                           "open tiles: shutting the box ends the turn with 0 points");
    if (s.player == box.players && box.players > 1 && is_single) {
        BoxState before = s;
        int best, holders;
        before.player--;
        box_best_score(&before, &best, &holders);
        if (box_sum(s.open) < best)
            return status_make(STATUS_USAGE,
                               "player: expected %d, which stopped and won when it had beaten %d",
                               before.player, best);
    }
    if (!is_single) {
        Status status = check_totals(&box, &s);
        if (!status_is_ok(&status))
            return status;
    }
    if (s.roll == 0)
        return status_ok();

    if (is_over(&box, &s))
        return status_make(STATUS_USAGE, "roll: the game is over, nobody rolls");
    uint64_t weights[BOX_ROLL_MAX + 1];
    int dice = box_dice(&box, s.open);
    box_roll_weights(&box, dice, weights);
    if (s.roll > BOX_ROLL_MAX || weights[s.roll] == 0)
        return status_make(STATUS_USAGE, "roll: %s with %d sides %s %d to %d, not %d",
                           dice == 1 ? "one die" : "the dice", box.sides,
                           dice == 1 ? "shows" : "show", dice, dice * box.sides, s.roll);
    if (box_is_stuck(&box, s.open, s.roll) && box_sums(s.open) >> s.roll & 1)
        return status_make(STATUS_USAGE, "roll: an opening 2 loses");
    if (box_is_stuck(&box, s.open, s.roll))
        return status_make(STATUS_USAGE, "roll: no set of the open tiles sums to %d", s.roll);
    return status_ok();
}
