/* What a search looks like from outside: it looks ahead from a state for as long as it may, and
 * says what it found. The optional part of a Game without chance behind the player `alphabeta`, and
 * behind `eval` where no table is at hand.
 *
 * A search belongs to one variant and is used by one caller at a time; it may run threads of its
 * own. What it has seen it keeps from call to call.
 */
#ifndef MALPAN_GAME_SEARCH_H
#define MALPAN_GAME_SEARCH_H

#include "game/solver.h"

enum { SEARCH_DEPTH_MAX = 120, SEARCH_LINE_MAX = SEARCH_DEPTH_MAX + 2 };

/* How far to look. It ends early when there is a proof. */
typedef struct SearchBudget {
    int depth;      /* plies, at most SEARCH_DEPTH_MAX; 0: as many as there is time for */
    double seconds; /* 0: as long as it takes */
    int threads;
    bool value_only;      /* nobody asks for a line: there may be none */
    bool may_use_book;    /* where the game has one: its values are proven without looking */
    const StopFlag *stop; /* as in SolveLimits */
} SearchBudget;

typedef struct SearchResult {
    double value;   /* to the player who moves, in the terms of the game's solvers */
    bool is_proven; /* else it is an estimate */
    bool is_from_book;
    int depth;      /* plies that were looked through whole */
    uint64_t nodes; /* positions visited */
    double seconds;
    size_t line_length;
    Move line[SEARCH_LINE_MAX]; /* best play as far as it was seen; the first is the move to make */
} SearchResult;

typedef struct Search Search;
struct Search {
    /* Looks at least one ply ahead from a state where a player is to choose. For a depth without a
     * limit of time the value and the move are the same whatever was seen before, on any number of
     * threads. */
    void (*think)(Search *search, const State *state, const SearchBudget *budget,
                  SearchResult *result);
    void (*free)(Search *search);
};

#endif
