/* What is known of the states that a turn of two players may come to: a hash table. */
#ifndef MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H
#define MALPAN_GAMES_YUT_SOLVE_TURN_MAP_H

#include "games/yut/yut.h"

/* A value that is no further from the truth than the error, for which throws were followed through
 * so many that throw again. */
typedef struct Known {
    double value, error;
    int extras;
} Known;

typedef struct TurnMap {
    struct TurnEntry *entries;
    size_t size;  /* of the table: 0, or a power of two */
    size_t count; /* of entries that are in use */
    size_t bytes_max;
} TurnMap;

/* An empty map that will not grow beyond about `bytes_max` bytes. */
void turn_map_init(TurnMap *map, size_t bytes_max);
void turn_map_free(TurnMap *map);

/* NULL: nothing is known. What is found stays there until something is put. A state has results in
 * hand, or throws to make. */
const Known *turn_map_find(const TurnMap *map, const YutState *state);

/* Puts what is known now; false when there is no room for it. */
bool turn_map_put(TurnMap *map, const YutState *state, const Known *known);

#endif
