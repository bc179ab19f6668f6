/* A hash table of the states that a turn of two players can reach, with what is known about them.
 *
 * Thread safety: a map belongs to one thread at a time.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H

#include "games/yut/yut.h"

/* A state in the middle of a turn. `own` and `other` are the placement ranks (placements.h) of the
 * player to move and of the opponent. At least one result is in hand or one throw is due.
 *
 * The list is one number, eight bits for each result, so that it is copied and compared at once: do
 * and mo in hand are 1 << 8 | 1 << 40. */
typedef struct TurnState {
    uint64_t list; /* results in hand: how many of each */
    uint16_t own, other;
    uint8_t turn, throws;
} TurnState;

/* A list with only this result. Add it to a list or subtract it. */
static inline uint64_t turn_list_of(int result) {
    return (uint64_t)1 << (8 * result);
}

/* How many of the result are in the list. */
static inline int turn_list_count(uint64_t list, int result) {
    return (int)(list >> (8 * result) & 0xFF);
}

/* How many results are in the list: at most 255. */
static inline int turn_list_length(uint64_t list) {
    return (int)(list * 0x0101010101010101u >> 56);
}

/* The value to the player to move, and how far it can be from the true one. */
typedef struct TurnValue {
    double value, error;
    int extras; /* how many throws that throw again were followed (turn_search.h) */
} TurnValue;

typedef struct TurnMap {
    struct TurnEntry *entries;
    size_t size;      /* of the table: 0, or a power of two */
    size_t count;     /* entries in use */
    size_t bytes_max; /* the limit on the size of the table */
} TurnMap;

/* An empty map that never uses more than `bytes_max` bytes. */
void turn_map_init(TurnMap *map, size_t bytes_max);
void turn_map_free(TurnMap *map);

/* Removes all entries. */
void turn_map_clear(TurnMap *map);

/* Prefetches the state's entry, so that a turn_map_find soon after need not wait for memory. */
void turn_map_prefetch(const TurnMap *map, const TurnState *state);

/* Whether the state is in the map, and what is known about it. */
bool turn_map_find(const TurnMap *map, const TurnState *state, TurnValue *value);

/* Adds the state or replaces what is known about it. False when the map is full. */
bool turn_map_put(TurnMap *map, const TurnState *state, const TurnValue *value);

#endif
