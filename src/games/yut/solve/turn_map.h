/* A hash table of the states that a turn of two players can reach, with what is known about them.
 *
 * Thread safety: a map belongs to one thread at a time.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H

#include "games/yut/yut.h"

/* A state in the middle of a turn. `own` and `other` are the placement ranks (placements.h) of the
 * player to move and of the opponent. At least one result is in hand or one throw is due. */
typedef struct TurnState {
    uint16_t own, other;
    uint8_t list[YUT_RESULTS]; /* results in hand: how many of each */
    uint8_t turn, throws;
} TurnState;

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
