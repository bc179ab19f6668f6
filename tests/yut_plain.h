/* A plain reference for two-player Yut under house rules, written from the text of the rules and
 * the hand-copied move table alone. It shares nothing with the program's rules or solvers.
 *
 * A turn is searched by recursion over throws and moves, with every state remembered. Throws with
 * more than `extras_max` results in hand that throw again count like the mean of the others.
 */
#ifndef MALPAN_TESTS_YUT_PLAIN_H
#define MALPAN_TESTS_YUT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "yut_board.h"

enum { PLAIN_HOME = 30, PLAIN_PIECES_MAX = 2 };

typedef struct PlainRules {
    int pieces;
    char animals[2];
    double odds[6]; /* chances; the nak is on top */
    double nak;
    bool nak_turn, short_may, centre_may, centre_stack, back_from_1_off;
    bool trap[31];
    enum { PLAIN_ALWAYS, PLAIN_WEAK, PLAIN_NEVER } bonus;
    enum { PLAIN_PASS, PLAIN_REACH, PLAIN_SHORT } finish;
    enum { PLAIN_SKIP, PLAIN_EMPTY_HOME, PLAIN_ENTER } empty;
} PlainRules;

/* The pieces of a player, ascending. */
typedef struct PlainSide {
    uint8_t at[PLAIN_PIECES_MAX];
} PlainSide;

typedef struct PlainEntry {
    uint64_t key; /* 0: free */
    double value;
} PlainEntry;

typedef struct Plain {
    PlainRules rules;
    int extras_max;
    /* The value to the thrower when a turn begins. */
    double (*start)(const struct Plain *plain, int player, PlainSide own, PlainSide other);
    void *context;
    PlainEntry *map; /* 2^map_bits entries; opened by plain_clear */
    int map_bits;
    size_t used;
} Plain;

static inline bool plain_is_home(const Plain *plain, PlainSide side) {
    for (int i = 0; i < plain->rules.pieces; i++)
        if (side.at[i] != PLAIN_HOME)
            return false;
    return true;
}

static inline int plain_count(const Plain *plain, PlainSide side, int square) {
    int count = 0;
    for (int i = 0; i < plain->rules.pieces; i++)
        count += side.at[i] == square;
    return count;
}

/* Moves up to `count` pieces from one square to another. */
static inline PlainSide plain_shift(const Plain *plain, PlainSide side, int from, int to,
                                    int count) {
    for (int i = 0; i < plain->rules.pieces && count > 0; i++)
        if (side.at[i] == from) {
            side.at[i] = (uint8_t)to;
            count--;
        }
    if (plain->rules.pieces == 2 && side.at[0] > side.at[1]) {
        uint8_t first = side.at[0];
        side.at[0] = side.at[1];
        side.at[1] = first;
    }
    return side;
}

/* Walks along a list of squares that ends with home. */
static inline int plain_walk(const int *way, int length, int from, int steps) {
    int at = 0;
    while (way[at] != from)
        at++;
    return at + steps < length ? way[at + steps] : PLAIN_HOME;
}

/* Where a piece goes; `second` asks for the other way, if there is one, else -1. -2: the result
 * cannot be played on it. */
static inline int plain_target(const PlainRules *rules, char animal, int from, int result,
                               bool second) {
    static const int ring[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                               11, 12, 13, 14, 15, 16, 17, 18, 19, 29, 30};
    static const int cow[] = {0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 15, 16, 17, 18, 19, 29, 30};
    static const int on[] = {22, 23, 24, 15, 16, 17, 18, 19, 29, 30};
    if (from == PLAIN_HOME)
        return -2;
    if (result == 0) {
        if (from == 0 || (from == 1 && rules->back_from_1_off))
            return -2;
        if (second)
            return -1;
        if (animal == 'c' && from != 1 && from != 29) {
            int at = 0;
            while (cow[at] != from)
                at++;
            return cow[at - 1];
        }
        return yut_board[from][0];
    }
    if (rules->finish == PLAIN_SHORT && result > 2 && (from == 19 || from == 28 || from == 29))
        return -2;
    if (second) {
        if (animal == 'c')
            return -1;
        if (from == 22)
            return rules->centre_may ? plain_walk(on, 10, 22, result) : -1;
        return rules->short_may && (from == 5 || from == 10) ? plain_walk(ring, 22, from, result)
                                                             : -1;
    }
    return animal == 'c' ? plain_walk(cow, 18, from, result) : yut_board[from][result];
}

static inline double plain_throw(Plain *plain, int player, PlainSide own, PlainSide other,
                                 uint32_t list, int due);
static inline double plain_play(Plain *plain, int player, PlainSide own, PlainSide other,
                                uint32_t list);

/* Lists hold four bits for each result. */
static inline int plain_held(uint32_t list, int result) {
    return (int)(list >> (4 * result) & 15);
}

/* What follows once the pieces have landed on a square with `result`. */
static inline double plain_land(Plain *plain, int player, PlainSide own, PlainSide other,
                                uint32_t list, int result, int square) {
    const PlainRules *rules = &plain->rules;
    if (plain_is_home(plain, own))
        return 1;
    bool catches = square > 0 && square < PLAIN_HOME && plain_count(plain, other, square) > 0;
    if (!catches)
        return plain_play(plain, player, own, other, list);
    other = plain_shift(plain, other, square, 0, PLAIN_PIECES_MAX);
    if (rules->animals[1 - player] == 'p')
        return 1 - plain->start(plain, 1 - player, other, own);
    bool gives = rules->bonus == PLAIN_ALWAYS || (rules->bonus == PLAIN_WEAK && result < 4);
    if (!gives)
        return plain_play(plain, player, own, other, list);
    return plain_throw(plain, player, own, other, list, rules->animals[player] == 's' ? 2 : 1);
}

/* Moves everything on a square (or one waiting piece) to `to`, and goes on from there. */
static inline double plain_move(Plain *plain, int player, PlainSide own, PlainSide other,
                                uint32_t list, int result, int from, int to) {
    const PlainRules *rules = &plain->rules;
    if (to == 29 && rules->finish == PLAIN_REACH)
        to = PLAIN_HOME;
    int final = to < PLAIN_HOME && rules->trap[to] ? 0 : to;
    own = plain_shift(plain, own, from, final, from == 0 ? 1 : PLAIN_PIECES_MAX);
    if (final == 22 && rules->centre_stack)
        own = plain_shift(plain, own, 0, 22, 1);
    return plain_land(plain, player, own, other, list, result, final);
}

/* The best use of one result, which is no longer in the list. */
static inline double plain_use(Plain *plain, int player, PlainSide own, PlainSide other,
                               uint32_t list, int result) {
    const PlainRules *rules = &plain->rules;
    double best = -1;
    for (int i = 0; i < rules->pieces; i++) {
        if (i > 0 && own.at[i] == own.at[i - 1])
            continue;
        for (int second = 0; second < 2; second++) {
            int to = plain_target(rules, rules->animals[player], own.at[i], result, second);
            if (to < 0)
                continue;
            double value = plain_move(plain, player, own, other, list, result, own.at[i], to);
            best = value > best ? value : best;
        }
    }
    if (best >= 0)
        return best;
    bool is_empty = true;
    for (int i = 0; i < rules->pieces; i++)
        is_empty = is_empty && (own.at[i] == 0 || own.at[i] == PLAIN_HOME);
    if (result == 0 && is_empty && rules->empty != PLAIN_SKIP)
        return plain_move(plain, player, own, other, list, result, 0,
                          rules->empty == PLAIN_EMPTY_HOME ? PLAIN_HOME : 29);
    return plain_play(plain, player, own, other, list);
}

/* Finds the entry of a state; it is free if its key is 0. */
static inline PlainEntry *plain_find(Plain *plain, int player, PlainSide own, PlainSide other,
                                     uint32_t list, int due, uint64_t *key) {
    *key = (uint64_t)list << 32 | (uint64_t)due << 24 | (uint64_t)(player + 1) << 21;
    for (int i = 0; i < PLAIN_PIECES_MAX; i++)
        *key |= (uint64_t)own.at[i] << (5 * i) | (uint64_t)other.at[i] << (10 + 5 * i);
    size_t at = (size_t)(*key * 0x9e3779b97f4a7c15u >> (64 - plain->map_bits));
    while (plain->map[at].key != 0 && plain->map[at].key != *key)
        at = (at + 1) & (((size_t)1 << plain->map_bits) - 1);
    return &plain->map[at];
}

static inline void plain_remember(Plain *plain, int player, PlainSide own, PlainSide other,
                                  uint32_t list, int due, double value) {
    uint64_t key;
    PlainEntry *entry = plain_find(plain, player, own, other, list, due, &key);
    if (entry->key == 0 && ++plain->used > (size_t)1 << (plain->map_bits - 1))
        abort();
    *entry = (PlainEntry){key, value};
}

static inline double plain_play(Plain *plain, int player, PlainSide own, PlainSide other,
                                uint32_t list) {
    uint64_t key;
    if (list == 0)
        return 1 - plain->start(plain, 1 - player, other, own);
    PlainEntry *entry = plain_find(plain, player, own, other, list, 0, &key);
    if (entry->key)
        return entry->value;
    double best = 0;
    for (int result = 0; result < 6; result++) {
        if (plain_held(list, result) == 0)
            continue;
        double value = plain_use(plain, player, own, other, list - (1u << (4 * result)), result);
        best = value > best ? value : best;
    }
    plain_remember(plain, player, own, other, list, 0, best);
    return best;
}

static inline double plain_nak(Plain *plain, int player, PlainSide own, PlainSide other,
                               uint32_t list, int due) {
    if (plain->rules.nak_turn)
        return 1 - plain->start(plain, 1 - player, other, own);
    return due > 1 ? plain_throw(plain, player, own, other, list, due - 1)
                   : plain_play(plain, player, own, other, list);
}

static inline double plain_throw(Plain *plain, int player, PlainSide own, PlainSide other,
                                 uint32_t list, int due) {
    const PlainRules *rules = &plain->rules;
    uint64_t key;
    PlainEntry *entry = plain_find(plain, player, own, other, list, due, &key);
    if (entry->key)
        return entry->value;
    double sum = 0, whole = 0;
    bool is_dog = rules->animals[player] == 'd';
    int held = plain_held(list, 4) + plain_held(list, 5) + (is_dog ? plain_held(list, 3) : 0);
    for (int result = 0; result < 6; result++) {
        bool again = result >= 4 || (is_dog && result == 3);
        double chance = rules->odds[result] * (1 - rules->nak);
        if (chance == 0 || (again && held >= plain->extras_max))
            continue;
        uint32_t longer = list + (1u << (4 * result));
        whole += chance;
        sum += chance * (again || due > 1
                             ? plain_throw(plain, player, own, other, longer, due - !again)
                             : plain_play(plain, player, own, other, longer));
    }
    if (rules->nak > 0) {
        whole += rules->nak;
        sum += rules->nak * plain_nak(plain, player, own, other, list, due);
    }
    plain_remember(plain, player, own, other, list, due, sum / whole);
    return sum / whole;
}

/* Forgets all states: the values of the starts have changed. */
static inline void plain_clear(Plain *plain) {
    size_t bytes = sizeof *plain->map << plain->map_bits;
    if (!plain->map)
        plain->map = malloc(bytes);
    if (!plain->map)
        abort();
    memset(plain->map, 0, bytes);
    plain->used = 0;
}

#endif
