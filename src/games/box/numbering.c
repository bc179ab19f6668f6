/* States as numbers: all of player 0's, then all of player 1's, ... and last the ended games, where
 * every player has a score. Within a player, the scores before, the open set and the roll are the
 * digits of a mixed-radix number. */
#include "games/box/box.h"

typedef struct Numbering {
    uint64_t rolls, sets,
        total; /* values of a roll (0 included), an open set, a score (1..total) */
    int players;
} Numbering;

static Numbering numbering_of(const BoxRules *rules) {
    return (Numbering){.rolls = box_roll_max(rules, rules->dice) + 1,
                       .sets = (uint64_t)1 << rules->tiles,
                       .total = (uint64_t)box_sum(box_all_tiles(rules)),
                       .players = rules->players};
}

/* How many numbers the states of `player` take; UINT64_MAX when that does not fit. The last score
 * of an ended game is that of the open tiles, so it takes no digit. */
static uint64_t block_size(const Numbering *n, int player) {
    int scores = player < n->players ? player : player - 1;
    uint64_t size = player < n->players ? n->sets * n->rolls : n->sets;
    for (int i = 0; i < scores; i++)
        if (__builtin_mul_overflow(size, n->total, &size))
            return UINT64_MAX;
    return size;
}

uint64_t box_index_count(const Rules *rules) {
    BoxRules box = box_rules(rules);
    Numbering n = numbering_of(&box);
    uint64_t count = 0;
    for (int player = 0; player <= n.players; player++)
        if (__builtin_add_overflow(count, block_size(&n, player), &count))
            return 0;
    return count;
}

uint64_t box_index(const Rules *rules, const State *state) {
    BoxRules box = box_rules(rules);
    BoxState s = box_state(state);
    Numbering n = numbering_of(&box);
    uint64_t first = 0, digits = 0;
    for (int player = 0; player < s.player; player++)
        first += block_size(&n, player);
    bool ended = s.player == n.players;
    for (int i = 0; i < (ended ? s.player - 1 : s.player); i++)
        digits = digits * n.total + (s.scores[i] - 1u);
    digits = digits * n.sets + s.open;
    if (!ended)
        digits = digits * n.rolls + s.roll;
    return first + digits;
}

bool box_unindex(const Rules *rules, uint64_t index, State *state) {
    BoxRules box = box_rules(rules);
    Numbering n = numbering_of(&box);
    BoxState s = {.open = 0};
    while (index >= block_size(&n, s.player))
        index -= block_size(&n, s.player++);
    bool ended = s.player == n.players;
    if (!ended) {
        s.roll = (uint8_t)(index % n.rolls);
        index /= n.rolls;
    }
    s.open = (TileSet)(index % n.sets);
    index /= n.sets;
    for (int i = (ended ? s.player - 1 : s.player); i-- > 0;) {
        s.scores[i] = (uint16_t)(index % n.total + 1);
        index /= n.total;
    }
    if (ended)
        s.scores[s.player - 1] = (uint16_t)box_sum(s.open);
    *state = box_state_pack(&s);
    Status status = box_check(rules, state);
    return status_is_ok(&status);
}
